"""Gymnasium environments of one game: the party as one agent, and one hero with partners.

env = gymnasium.make("Tenefyr/Party-v0", players=3)
observation, info = env.reset(seed=7)
terminated = False
while not terminated:
    action = env.action_space.sample(info["action_mask"])
    observation, reward, terminated, truncated, info = env.step(action)

Both follow the pending decision of the engine. `info` has the mask, the acting agent's name and its
seat, and after the end whether the game is won. Gymnasium's `check_env` samples actions without the
mask, so it needs `illegal="penalty"`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import gymnasium
import numpy as np
import numpy.typing as npt

from tenefyr_env.config import GameConfig
from tenefyr_env.env import TenefyrEnv, possible_agents
from tenefyr_env.game import Game, IllegalAction

Observation = dict[str, Any]
Info = dict[str, Any]
Partner = Callable[[Any, npt.NDArray[np.int8], Info], int | str]
"""A partner: `act(observation, mask, info)` gives a legal action."""


class PartyEnv(gymnasium.Env[Observation, Any]):
    """One game with the whole party as one agent: it decides for whichever seat must choose.

    Options are those of `TenefyrEnv` and the fields of `GameConfig`. The last observation of a game
    is that of seat 0, with no legal action.
    """

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]
        "render_modes": TenefyrEnv.metadata["render_modes"],
        "render_fps": TenefyrEnv.metadata["render_fps"],
    }

    def __init__(self, config: GameConfig | None = None, **options: Any) -> None:
        self.aec = TenefyrEnv(config, **options)
        self.config = self.aec.config
        self.render_mode = self.aec.render_mode
        agent = self.aec.possible_agents[0]
        self.observation_space = self.aec.observation_space(agent)
        self.action_space = self.aec.action_space(agent)
        self._is_over = True  # until a game is begun

    @property
    def game(self) -> Game:
        """The game in progress."""
        return self.aec.game

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, Info]:
        """Set up the game of this seed, or of the next one of the env's own stream.

        `options={"game": game}` goes on from a position instead.
        """
        super().reset(seed=seed)
        self._begin(seed, options or {})
        return self._seen_by(self.aec.agent_selection)

    def _begin(self, seed: int | None, options: dict[str, Any]) -> None:
        if "game" in options:
            if options["game"].is_over:
                raise ValueError("reset option game: it is over")
        elif seed is None:
            seed = int(self.np_random.integers(2**63 - 1))
        self.aec.reset(seed, options)
        self._is_over = False

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, Info]:
        """The acting seat's choice, by number or by name."""
        reward = self._act(action)
        observation, info = self._seen_by(self.aec.agent_selection)
        return observation, reward, self._is_over, False, info

    def _act(self, action: Any) -> float:
        """Apply an action; what the party has earned by it."""
        if self._is_over:
            raise RuntimeError("step: the game is over or was not begun; call reset first")
        self.aec.step(action)
        anyone = self.aec.agents[0]
        self._is_over = self.aec.terminations[anyone]
        return float(self.aec.rewards[anyone])

    def _seen_by(self, agent: str) -> tuple[Observation, Info]:
        """What an agent sees, and what it is told beside it."""
        observation = self.aec.observe(agent)
        info = {
            **self.aec.infos[agent],
            "action_mask": observation["action_mask"].copy(),
            "agent": agent,
            "seat": self.aec.agents.index(agent),
        }
        return observation, info

    def render(self) -> Any:
        """The table as text (`ansi`), or printed (`human`)."""
        return self.aec.render()


class HeroEnv(PartyEnv):
    """One hero; its partners' turns are played inside.

    `hero` is a seat, or the name of an agent that is in every game of the configuration.
    `partners` is one `act(observation, mask, info)` for all, or a mapping from seats or agents'
    names to such; who has none plays uniformly random legal actions from a seeded generator.

    A step's reward is all the party earns up to the hero's next decision or the end; what partners
    earn before the hero's first decision is part of the first step's, so that the rewards of a game
    sum to the team return. A game that ends before the hero has decided anything is left out, and
    `reset` goes on to the next one of the env's stream.
    """

    def __init__(
        self,
        config: GameConfig | None = None,
        *,
        hero: int | str = 0,
        partners: Partner | Mapping[int | str, Partner] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(config, **options)
        self.hero = checked_hero(hero, self.config)
        self.partners = partners
        if isinstance(partners, Mapping):
            check_partners(partners, self.config)
        self._partner_random: np.random.Generator | None = None
        self._carried = 0.0  # earned before the hero's first decision

    @property
    def agent(self) -> str:
        """The hero's name in the game in progress."""
        return self.hero if isinstance(self.hero, str) else self.aec.agents[self.hero]

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, Info]:
        """Set up a game as `PartyEnv` does, and play to the hero's first decision."""
        super().reset(seed=seed, options=options)
        if seed is not None or self._partner_random is None:
            self._partner_random = self.np_random.spawn(1)[0]  # leaves the stream of games alone
        self._carried = self._play_partners()
        while self._is_over:
            if options and "game" in options:
                raise ValueError(f"reset option game: it has ended before {self.agent!r} decides")
            self._begin(None, {})
            self._carried = self._play_partners()
        return self._seen_by(self.agent)

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, Info]:
        """The hero's choice, and then the partners' up to the hero's next one."""
        reward = self._act(action) + self._carried
        self._carried = 0.0
        reward += self._play_partners()
        observation, info = self._seen_by(self.agent)
        return observation, reward, self._is_over, False, info

    def _play_partners(self) -> float:
        """Play on until the hero must choose or the game is over; what that has earned."""
        earned = 0.0
        while not self._is_over and self.aec.agent_selection != self.agent:
            earned += self._act(self._partner_action(self.aec.agent_selection))
        return earned

    def _partner_action(self, agent: str) -> int:
        act = self._partner(agent)
        if act is None:
            return self._random_action(self.aec.infos[agent]["action_mask"])
        observation, info = self._seen_by(agent)
        game = self.aec.game
        number = game.action(act(observation["observation"], observation["action_mask"], info))
        if not game.state.legal[number]:
            raise IllegalAction(f"partner {agent!r}: {game.refusal(number)}")
        return number

    def _partner(self, agent: str) -> Partner | None:
        """Who plays for an agent; None: chance."""
        if not isinstance(self.partners, Mapping):
            return self.partners
        return self.partners.get(agent, self.partners.get(self.aec.agents.index(agent)))

    def _random_action(self, mask: npt.NDArray[np.int8]) -> int:
        assert self._partner_random is not None
        legal = np.flatnonzero(mask)
        return int(legal[self._partner_random.integers(len(legal))])


def checked_hero(hero: int | str, config: GameConfig) -> int | str:
    """A seat, or an agent that no game of this configuration is without."""
    seats = f"seats 0 to {config.players - 1}"
    if not isinstance(hero, str):
        if isinstance(hero, bool) or hero not in range(config.players):
            raise ValueError(f"hero {hero!r}: accepted are {seats} and names of agents")
        return int(hero)
    names = possible_agents(config)
    if len(names) > config.players:  # drawn at random from more than play
        raise ValueError(f"hero {hero!r}: heroes are drawn at random; accepted are {seats}")
    if hero not in names:
        raise ValueError(f"hero {hero!r}: accepted are {', '.join(names)} and {seats}")
    return hero


def check_partners(partners: Mapping[int | str, Partner], config: GameConfig) -> None:
    """Refuse partners of nobody."""
    accepted = [*possible_agents(config), *range(config.players)]
    for key in partners:
        if key not in accepted:
            names = ", ".join(map(str, accepted))
            raise ValueError(f"partners: {key!r} is no agent or seat; accepted are {names}")
