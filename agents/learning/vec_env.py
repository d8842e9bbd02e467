"""Stable-Baselines3's VecEnv on batches of games.

    env = PartyVecEnv(1024, GameConfig(players=3), reward="shaped")
    MaskablePPO(PartyPolicy, env).learn(1_000_000)

Every row is a game, each step one decision of it; `env.seats` tells whose. `action_masks` gives the
masks of all rows in one call. The rows can be shared out to several configurations, and some heroes
can have partners who do not learn: see `LearnersVectorEnv`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from stable_baselines3.common.vec_env import VecEnv

from agents.learning.games import LearnersVectorEnv
from tenefyr_env.config import GameConfig
from tenefyr_env.engine.actions import NUM_ACTIONS

Array = npt.NDArray[Any]
NO_INFO: dict[str, Any] = {}  # of a row in which nothing has ended; shared, and never written to


class PartyVecEnv(VecEnv):
    """`num_envs` games, of one configuration or shared out evenly to several.

    Options are those of `LearnersVectorEnv` and of `Batch`: encoder, reward, gamma, hero, partners,
    strangers. Row i of a configuration starts from seed + i.
    """

    def __init__(
        self,
        num_envs: int,
        configs: GameConfig | Sequence[GameConfig] | None = None,
        *,
        seed: int = 0,
        **options: Any,
    ) -> None:
        listed = [configs or GameConfig()] if not isinstance(configs, Sequence) else list(configs)
        if not len(listed) <= num_envs:
            raise ValueError(f"num_envs {num_envs}: accepted are numbers from {len(listed)}")
        bounds = np.linspace(0, num_envs, len(listed) + 1).astype(int).tolist()
        self.groups = [
            LearnersVectorEnv(last - first, config, **options)
            for first, last, config in zip(bounds[:-1], bounds[1:], listed, strict=True)
        ]
        self.parts = [slice(a, b) for a, b in pairwise(bounds)]
        self._first_seed = seed
        self._actions: Array = np.zeros(num_envs, np.int64)
        self._returns = np.zeros(num_envs)
        self._lengths = np.zeros(num_envs, np.int64)
        space = self.groups[0].batch.encoder.space
        super().__init__(num_envs, space, gymnasium.spaces.Discrete(NUM_ACTIONS))

    @property
    def seats(self) -> Array:
        """The acting seat of each row."""
        return np.concatenate([group.batch.seats for group in self.groups])

    def action_masks(self) -> Array:
        """The legal actions of all rows."""
        return np.concatenate([group.batch.masks for group in self.groups])

    def seed(self, seed: int | None = None) -> list[int | None]:
        """Where the next reset starts from."""
        if seed is not None:
            self._first_seed = seed
        return [self._first_seed + row for row in range(self.num_envs)]

    def reset(self) -> Any:
        """Start all games anew."""
        for part, group in zip(self.parts, self.groups, strict=True):
            group.reset(seed=self._first_seed + part.start)
        self._returns[:], self._lengths[:] = 0, 0
        return self.observations()

    def observations(self) -> Any:
        """What the acting seats see, in arrays that a later step leaves as they are."""
        return joined([group.batch.observations for group in self.groups])

    def step_async(self, actions: Array) -> None:
        """Take the actions of all rows, for `step_wait`."""
        self._actions = actions

    def step_wait(self) -> tuple[Any, Array, Array, list[dict[str, Any]]]:
        """Apply the actions; a finished game is followed by a new one."""
        infos = [NO_INFO] * self.num_envs
        steps = [
            group.step(self._actions[part])
            for part, group in zip(self.parts, self.groups, strict=True)
        ]
        rewards = np.concatenate([step[1] for step in steps])
        ended = np.concatenate([step[2] for step in steps])
        self._returns += rewards
        self._lengths += 1
        for part, step in zip(self.parts, steps, strict=True):
            if step[2].any():
                self._tell_ends(step[4], part.start, infos)
        self._returns[ended], self._lengths[ended] = 0, 0
        return self.observations(), rewards, ended, infos

    def _tell_ends(self, given: dict[str, Any], first: int, infos: list[dict[str, Any]]) -> None:
        """What SB3 wants to know of the few games that have ended in this step."""
        for row in np.flatnonzero(given["_final_obs"]):
            won = bool(given["final_info"]["won"][row])
            number = first + int(row)
            infos[number] = {
                "terminal_observation": given["final_obs"][row]["observation"],
                "episode": {"r": self._returns[number], "l": int(self._lengths[number]), "t": 0.0},
                "is_success": won,
            }

    def save(self) -> tuple[dict[str, Array], dict[str, Any]]:
        """Where everything stands: arrays, and plain values."""
        arrays = {"returns": self._returns, "lengths": self._lengths}
        lots = {}
        for number, group in enumerate(self.groups):
            own, lots[str(number)] = group.save()
            arrays |= {f"{number}.{name}": array for name, array in own.items()}
        return arrays, {"lots": lots}

    def restore(self, arrays: dict[str, Array], values: dict[str, Any]) -> None:
        """Go on from what `save` has told."""
        self._returns[:], self._lengths[:] = arrays["returns"], arrays["lengths"]
        for number, group in enumerate(self.groups):
            prefix = f"{number}."
            own = {n[len(prefix) :]: a for n, a in arrays.items() if n.startswith(prefix)}
            group.restore(own, values["lots"][str(number)])

    def close(self) -> None:
        """Nothing is held open."""

    # What SB3 asks of single environments: they are all alike.

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        value = getattr(self, attr_name) if attr_name != "render_mode" else None
        return [value] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        raise AttributeError(f"{attr_name}: the rows of a batch have no attributes of their own")

    def env_method(
        self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any
    ) -> Any:
        """`action_masks` of these rows; there is no other method of a single row."""
        if method_name != "action_masks":
            raise AttributeError(f"method {method_name!r}: accepted is 'action_masks'")
        masks = self.action_masks()
        return masks if indices is None else masks[list(self._get_indices(indices))]

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        return [False] * len(list(self._get_indices(indices)))


def joined(observations: list[Any]) -> Any:
    """The observations of all groups in one array, or one of each kind."""
    if isinstance(observations[0], dict):
        return {
            key: np.concatenate([seen[key] for seen in observations]) for key in observations[0]
        }
    return np.concatenate(observations)
