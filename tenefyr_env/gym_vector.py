"""Gymnasium vector environments on a batch: the party as one agent, and one hero with partners.

envs = gymnasium.make_vec("Tenefyr/Party-v0", num_envs=1024, players=3)
observations, infos = envs.reset(seed=7)  # row i is the game of seed 7 + i
while True:
    actions = policy(observations["observation"], observations["action_mask"])
    observations, rewards, terminations, truncations, infos = envs.step(actions)

A finished game is followed by a new one in the same step: `infos["final_obs"]` and
`infos["final_info"]` hold what was seen last, as in Gymnasium's own SAME_STEP environments.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any, ClassVar

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from tenefyr_env.cards.vocabulary import Hero
from tenefyr_env.config import GameConfig
from tenefyr_env.engine.actions import NUM_ACTIONS
from tenefyr_env.engine.rng import MAX_SEED
from tenefyr_env.engine.state import Outcome
from tenefyr_env.env import ILLEGAL_MODES, ILLEGAL_PENALTY
from tenefyr_env.game import IllegalAction
from tenefyr_env.gym_env import checked_hero
from tenefyr_env.parallel import ProcessBatch
from tenefyr_env.render.text import table_text
from tenefyr_env.spaces.encoders import Encoder
from tenefyr_env.spaces.rows import FORFEIT, NO_SHAPING, first_illegal
from tenefyr_env.vector import Batch, whole_numbers

Array = npt.NDArray[Any]
Rows = npt.NDArray[np.int64]
BatchedPartner = Callable[[Any, npt.NDArray[np.int8], Rows], npt.ArrayLike]
"""Partners: `act_batch(observations, masks, seats)` gives a legal action for each row."""

Ends = tuple[Rows, Any, Array, Rows]
"""Rows whose game has ended: what was seen last, whether it was won, and by which seat."""

OPEN, WON = int(Outcome.OPEN), int(Outcome.WON)


class RowBatch(Batch):
    """A batch of which some rows can be stepped while the others wait."""

    def step_some(self, rows: Rows, actions: Rows) -> None:
        """Apply legal actions, or FORFEIT, in these rows; then `observe_all` is due."""
        self._advance(rows, actions)

    def reward_of_staying(self) -> Any:
        """The shaping of a step from a position to itself."""
        return 0.0 if self.gamma == NO_SHAPING else (self.gamma - 1) * self._potentials

    def observe(self, rows: Rows) -> Any:
        """What the acting seats of these rows see."""
        return self._encoded(self.states[rows], self.seats[rows])

    def observe_end(self, rows: Rows, seats: Rows) -> Any:
        """What these seats saw last in the games that have ended in these rows."""
        return self._encoded(self._finals[rows], seats)

    def last_positions(self, rows: Rows) -> Array:
        """How the games stood that have ended in these rows."""
        return np.asarray(self._finals[rows])

    def observe_all(self) -> None:
        """Write what every row's acting seat sees."""
        self._encode_rest()

    def _encoded(self, states: Array, seats: Rows) -> Any:
        out = self.encoder.empty(len(seats))
        self.encoder.encode(states, self.card_set.table, seats, out)
        return out

    def start_from(self, seeds: Rows) -> None:
        """Start all games anew, each from a seed of its own."""
        self.states[:] = self._blank[0]
        self._start(self._rows_of_all, np.ascontiguousarray(seeds, np.int64))
        self._encode()

    def show_all(self) -> None:
        """Write who must choose what in every row, after its game was replaced."""
        self._masks[:] = self.states["legal"]
        self.seats[:] = self.states["decider"]
        self._encode()

    def seats_of(self, heroes: int, rows: Rows) -> Rows:
        """Where the player of these heroes sits."""
        return np.asarray(np.argmax(self.states["heroes"][rows] == heroes, axis=1))

    def refusal(self, row: int, action: int) -> str:
        """Why a row's action is refused."""
        return self._refusal(row, action)


class PartyVectorEnv(VectorEnv[dict[str, Any], Any, Any]):
    """`num_envs` games, the party of each as one agent: `infos["seat"]` says who acts in a row.

    Options are those of `Batch` and the fields of `GameConfig`. With `copy=False` the arrays of the
    batch itself are returned, and the next step writes over them. `processes` spreads the rows over
    several cores (see `ProcessBatch`; with `illegal="raise"` only).
    """

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]
        "autoreset_mode": AutoresetMode.SAME_STEP,
        "render_modes": ["ansi"],
        "render_fps": 2,
    }
    batch: Batch

    def __init__(
        self,
        num_envs: int = 1,
        config: GameConfig | None = None,
        *,
        encoder: str | Encoder = "flat",
        reward: str = "sparse",
        gamma: float = 1.0,
        illegal: str = "raise",
        copy: bool = True,
        processes: int = 1,
        render_mode: str | None = None,
        **fields: Any,
    ) -> None:
        if config is not None and fields:
            raise ValueError(f"config and {', '.join(fields)}: give one or the other")
        if illegal not in ILLEGAL_MODES:
            raise ValueError(f"illegal {illegal!r}: accepted are {', '.join(ILLEGAL_MODES)}")
        if render_mode not in (None, "ansi"):
            raise ValueError(f"render_mode {render_mode!r}: accepted are None, ansi")
        if processes != 1 and illegal != "raise":
            raise ValueError(f"processes {processes} and illegal {illegal!r}: accepted is 'raise'")
        self.config = config or GameConfig.from_dict(fields)
        self.num_envs, self.illegal, self.copy = num_envs, illegal, copy
        self.render_mode = render_mode
        options: dict[str, Any] = {"encoder": encoder, "reward": reward, "gamma": gamma}
        if processes == 1:
            self.batch = RowBatch(num_envs, self.config, **options)
        else:
            self.batch = ProcessBatch(num_envs, self.config, processes=processes, **options)
        self._set_spaces()
        self._all = np.arange(num_envs)
        self._broke_rules = np.zeros(num_envs, np.bool_)  # in the last step, by an illegal action

    def _set_spaces(self) -> None:
        masks = gymnasium.spaces.Box(0, 1, (NUM_ACTIONS,), np.int8)
        self.single_action_space = gymnasium.spaces.Discrete(NUM_ACTIONS)
        self.single_observation_space = gymnasium.spaces.Dict(
            {"observation": self.batch.encoder.space, "action_mask": masks}
        )
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Start all games anew, row i from seed + i; without a seed the env's stream goes on."""
        super().reset(seed=seed)
        if seed is None:
            seed = int(self.np_random.integers(MAX_SEED - self.num_envs))
        self.batch.reset(seed)
        return self._observations(), self._infos()

    def step(self, actions: Any) -> tuple[dict[str, Any], Array, Array, Array, dict[str, Any]]:
        """Apply one action in every row; in mode "raise", none if any is illegal."""
        if self.illegal == "raise":
            self.batch.step(actions)
        else:
            self._act(actions)
            self._rows.observe_all()
        ended = self.batch.ended
        infos = self._infos()
        if ended.any():
            rows = np.flatnonzero(ended)
            seen, won = self.batch.final_observations(rows), self.batch.outcomes[rows] == WON
            self._add_finals(infos, [(rows, seen, won, np.zeros_like(rows))])
        truncations = np.zeros(self.num_envs, np.bool_)
        return self._observations(), self._given(self.batch.rewards), ended, truncations, infos

    @property
    def _rows(self) -> RowBatch:
        """The batch where it is known to be of this process."""
        assert isinstance(self.batch, RowBatch)
        return self.batch

    def _act(self, actions: Any) -> None:
        """Step the rows with legal actions; treat the others as the mode says."""
        batch = self._rows
        chosen = whole_numbers(actions, self.num_envs)
        row = int(first_illegal(batch.masks, chosen))
        self._broke_rules[:] = False
        if row < 0:
            batch.step_some(self._all, chosen)
            return
        if self.illegal == "raise":
            raise IllegalAction(batch.refusal(row, int(chosen[row])))
        inside = (chosen >= 0) & (chosen < NUM_ACTIONS)
        legal = inside & (batch.masks[self._all, np.where(inside, chosen, 0)] != 0)
        self._broke_rules[:] = ~legal
        if self.illegal == "terminate":
            batch.step_some(self._all, np.where(legal, chosen, FORFEIT))
            return
        batch.rewards[:] = ILLEGAL_PENALTY + batch.reward_of_staying()
        batch.outcomes[:] = OPEN
        rows = np.flatnonzero(legal)
        batch.step_some(rows, chosen[rows])

    def _given(self, array: Any) -> Any:
        """An array of the batch as it is handed out."""
        if isinstance(array, np.ndarray) and array.dtype == object:
            return tuple(array)  # what Gymnasium batches texts to
        return deepcopy(array) if self.copy else array

    def _observations(self) -> dict[str, Any]:
        return {
            "observation": self._given(self.batch.observations),
            "action_mask": self._given(self.batch.masks),
        }

    def _infos(self) -> dict[str, Any]:
        """The mask and the acting seat of every row."""
        return {
            "action_mask": self._given(self.batch.masks),
            "_action_mask": np.ones(self.num_envs, np.bool_),
            "seat": self._given(self.batch.seats),
            "_seat": np.ones(self.num_envs, np.bool_),
        }

    def _add_finals(self, infos: dict[str, Any], ends: list[Ends]) -> None:
        """What was seen last in the rows whose game has ended, the few of this step."""
        ended = np.zeros(self.num_envs, np.bool_)
        final_obs = np.full(self.num_envs, None, object)
        info: dict[str, Array] = {
            "won": np.zeros(self.num_envs, np.bool_),
            "seat": np.zeros(self.num_envs, np.int64),
            "action_mask": np.zeros((self.num_envs, NUM_ACTIONS), np.int8),
        }
        for rows, observations, won, seats in ends:
            ended[rows], info["won"][rows], info["seat"][rows] = True, won, seats
            for index, row in enumerate(rows):
                observation = self.batch.encoder.row(observations, index)
                mask = np.zeros(NUM_ACTIONS, np.int8)
                final_obs[row] = {"observation": observation, "action_mask": mask}
        if self.illegal == "terminate":
            info["illegal"] = self._broke_rules & ended
        has_key = {f"_{key}": ended.copy() for key in info}
        infos["final_obs"], infos["_final_obs"] = final_obs, ended
        infos["final_info"], infos["_final_info"] = {**info, **has_key}, ended.copy()

    def render(self) -> tuple[str, ...] | None:
        """Every row's table as text."""
        if self.render_mode is None:
            gymnasium.logger.warn("render: the env was made without a render_mode")
            return None
        return tuple(table_text(self.batch.game(row)) for row in range(self.num_envs))

    def close_extras(self, **options: Any) -> None:
        """End the processes, if there are any."""
        if isinstance(self.batch, ProcessBatch):
            self.batch.close()


class HeroVectorEnv(PartyVectorEnv):
    """`num_envs` games of one hero each; the partners' turns are played inside, in batches.

    `hero` is a seat or the name of an agent that is in every game, `partners` an
    `act_batch(observations, masks, seats)` that is asked for the rows in which a partner must
    choose; without it partners play uniformly random legal actions from a seeded generator.

    Rows that wait for the hero stay as they are until all do. A row's reward is what its party
    earns up to the hero's next decision. If the game ends on the way, the reward counts to the end
    of that game, the row is terminated, and the next game is played on to the hero's first
    decision: what its partners earn before it is part of the row's next reward, so that the rewards
    of a game sum to the team return. A game that ends before its hero has decided is left out.
    """

    def __init__(
        self,
        num_envs: int = 1,
        config: GameConfig | None = None,
        *,
        hero: int | str = 0,
        partners: BatchedPartner | None = None,
        **options: Any,
    ) -> None:
        if options.get("processes", 1) != 1:
            raise ValueError(f"processes {options['processes']}: accepted is 1")
        super().__init__(num_envs, config, **options)
        self.hero = checked_hero(hero, self.config)
        self.partners = partners
        self._partner_random: np.random.Generator | None = None
        self._hero_seats = np.zeros(num_envs, np.int64)
        self._rewards = np.zeros(num_envs, np.float32)
        self._carried = np.zeros(num_envs, np.float32)  # earned before the hero's first decision
        self._ended = np.zeros(num_envs, np.bool_)  # the hero's game, in this step
        self._ends: list[Ends] = []

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Start all games anew, row i from seed + i, and play to the hero's first decisions."""
        super().reset(seed=seed, options=options)
        if seed is not None or self._partner_random is None:
            self._partner_random = self.np_random.spawn(1)[0]  # leaves the stream of games alone
        self._find_hero(self._all)
        self._carried[:] = 0
        self._ended[:] = True  # as after an end: what is earned now belongs to the next reward
        self._play_partners()
        return self._observations(), self._infos()

    def step(self, actions: Any) -> tuple[dict[str, Any], Array, Array, Array, dict[str, Any]]:
        """Apply the hero's action in every row, and then the partners' up to its next decision."""
        self._act(actions)
        self._rewards[:] = self._carried
        self._carried[:] = 0
        self._ended[:] = False
        self._ends.clear()
        self._book(self._all)
        self._play_partners()
        infos = self._infos()
        if self._ends:
            self._add_finals(infos, self._ends)
        rewards, ended = self._given(self._rewards), self._given(self._ended)
        return self._observations(), rewards, ended, np.zeros(self.num_envs, np.bool_), infos

    def _find_hero(self, rows: Rows) -> None:
        """Where the hero sits in the games of these rows."""
        if isinstance(self.hero, int):
            self._hero_seats[rows] = self.hero
        else:
            self._hero_seats[rows] = self._rows.seats_of(heroes_named(self.hero), rows)

    def _play_partners(self) -> None:
        """Step the rows in which a partner must choose until every row waits for the hero."""
        batch = self._rows
        rows = self._partners_turns(self._all)
        while len(rows):
            batch.step_some(rows, self._partner_actions(rows))
            self._book(rows)
            rows = self._partners_turns(rows)
        batch.observe_all()

    def _partners_turns(self, rows: Rows) -> Rows:
        """Those of these rows in which a partner must choose."""
        return np.asarray(rows[self._rows.seats[rows] != self._hero_seats[rows]])

    def _partner_actions(self, rows: Rows) -> Rows:
        batch = self._rows
        masks = batch.masks[rows]
        if self.partners is None:
            assert self._partner_random is not None
            weights = 1 - self._partner_random.random(masks.shape, np.float32)  # never 0
            return np.asarray(np.argmax(masks * weights, axis=1))
        return self._checked(rows, self.partners(batch.observe(rows), masks, batch.seats[rows]))

    def _checked(self, rows: Rows, answer: npt.ArrayLike) -> Rows:
        """What partners have answered in these rows, if it is legal."""
        batch = self._rows
        try:
            actions = whole_numbers(answer, len(rows))
        except IllegalAction as error:
            raise IllegalAction(f"partners: {error}") from None
        index = int(first_illegal(batch.masks[rows], actions))
        if index >= 0:
            refusal = batch.refusal(int(rows[index]), int(actions[index]))
            raise IllegalAction(f"partner in seat {batch.seats[rows[index]]}: {refusal}")
        return actions

    def _book(self, rows: Rows) -> None:
        """Count what the last step of these rows has earned, for this game or for the next."""
        batch = self._rows
        is_next = self._ended[rows]
        earned = batch.rewards[rows]
        self._rewards[rows] += np.where(is_next, 0, earned)
        self._carried[rows] += np.where(is_next, earned, 0)
        over = batch.outcomes[rows] != OPEN
        if over.any():
            self._carried[rows[over & is_next]] = 0  # a game without a decision of the hero
            self._end(rows[over & ~is_next])
            self._find_hero(rows[over])

    def _end(self, rows: Rows) -> None:
        """Keep what the hero saw last, before another game ends in the same row."""
        self._ended[rows] = True
        seats = self._seats_at_end(rows)
        won = self._rows.outcomes[rows] == WON
        self._ends.append((rows, self._rows.observe_end(rows, seats), won, seats))

    def _seats_at_end(self, rows: Rows) -> Rows:
        """The seats whose last view of these rows is handed out."""
        return np.asarray(self._hero_seats[rows])


def heroes_named(agent: str) -> int:
    """The heroes of an agent, as bits."""
    return sum(1 << Hero[name.upper()] for name in agent.split("_"))
