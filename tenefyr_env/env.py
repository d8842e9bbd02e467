"""The PettingZoo AEC environment. Rules live in `engine/`, what is seen in `spaces/`.

env = tenefyr_env.env(players=3, difficulty="easy")
env.reset(seed=7)
for agent in env.agent_iter():
    observation, reward, terminated, truncated, info = env.last()
    action = None if terminated else env.action_space(agent).sample(info["action_mask"])
    env.step(action)
"""

from __future__ import annotations

from itertools import combinations
from typing import Any, ClassVar

import gymnasium
import numpy as np
import numpy.typing as npt
from pettingzoo import AECEnv  # type: ignore[import-untyped]

from tenefyr_env.cards.compiler import load_card_set
from tenefyr_env.cards.vocabulary import Hero
from tenefyr_env.config import GameConfig
from tenefyr_env.engine.actions import NUM_ACTIONS
from tenefyr_env.engine.batch import step_games
from tenefyr_env.engine.state import Outcome
from tenefyr_env.game import Game, IllegalAction, checked_seed
from tenefyr_env.render.screen import screen_text
from tenefyr_env.rewards import PotentialReward
from tenefyr_env.spaces.encoders import Encoder, FlatEncoder, make_encoder
from tenefyr_env.spaces.full import FULL, encode_full_games
from tenefyr_env.spaces.rows import step_and_see

OPEN = int(Outcome.OPEN)  # an enum's member costs a microsecond to look up
ILLEGAL_MODES = ("raise", "penalty", "terminate")
ILLEGAL_PENALTY = -0.1  # to every hero alike, in mode "penalty"
NO_MASK = np.zeros(NUM_ACTIONS, np.int8)
NO_MASK.flags.writeable = False
VIEWS = ("_states", "_table", "_heroes", "_decider", "_legal", "_outcome")  # into the record
HOOKS = ("step", "reset")  # of a recording, which is the original's


def env(**options: Any) -> TenefyrEnv:
    """The environment; options are those of `TenefyrEnv` and the fields of `GameConfig`.

    It checks order and actions itself, so it is the same as `raw_env`: PettingZoo's wrappers would
    cost more than the game.
    """
    return TenefyrEnv(**options)


raw_env = env


def agent_name(heroes: int) -> str:
    """An agent's name: its hero, or both joined, in the order Barbarian, Bard, Cleric, Thief."""
    return "_".join(hero.name.lower() for hero in Hero if heroes >> hero & 1)


def possible_agents(config: GameConfig) -> list[str]:
    """Every agent a game of this configuration may have, in seat order where that is settled."""
    each = config.num_heroes // config.players
    if config.heroes == "random":
        parties = combinations(Hero, each)
        return [agent_name(sum(1 << hero for hero in party)) for party in parties]
    chosen = [1 << Hero[name.upper()] for name in config.heroes]
    return [agent_name(sum(chosen[i : i + each])) for i in range(0, len(chosen), each)]


class TenefyrEnv(AECEnv):  # type: ignore[misc]
    """One game; agents are the players, named by their heroes."""

    metadata: ClassVar[dict[str, Any]] = {
        "name": "tenefyr_v0",
        "render_modes": ["ansi", "human"],
        "is_parallelizable": False,  # heroes act one at a time, often several times in a row
        "render_fps": 2,
    }

    def __init__(
        self,
        config: GameConfig | None = None,
        *,
        encoder: str | Encoder = "flat",
        reward: str = "sparse",
        gamma: float = 1.0,
        illegal: str = "raise",
        render_mode: str | None = None,
        **fields: Any,
    ) -> None:
        super().__init__()
        if config is not None and fields:
            raise ValueError(f"config and {', '.join(fields)}: give one or the other")
        if illegal not in ILLEGAL_MODES:
            raise ValueError(f"illegal {illegal!r}: accepted are {', '.join(ILLEGAL_MODES)}")
        if render_mode not in (None, *self.metadata["render_modes"]):
            modes = ", ".join(self.metadata["render_modes"])
            raise ValueError(f"render_mode {render_mode!r}: accepted are None, {modes}")
        self.config = config or GameConfig.from_dict(fields)
        self.card_set = load_card_set(self.config.cards)
        self.encoder = make_encoder(encoder)
        self.reward = PotentialReward(reward, gamma)
        self.illegal = illegal
        self.render_mode = render_mode
        self.possible_agents = possible_agents(self.config)
        self._action_space = gymnasium.spaces.Discrete(NUM_ACTIONS)
        self._observation_space = gymnasium.spaces.Dict(
            {
                "observation": self.encoder.space,
                "action_mask": gymnasium.spaces.Box(0, 1, (NUM_ACTIONS,), np.int8),
            }
        )
        self.state_space = gymnasium.spaces.Box(-127, 127, (FULL.size,), np.int8)
        self._is_flat = type(self.encoder) is FlatEncoder
        self._seeds: np.random.Generator | None = None
        self._action = np.zeros(1, np.int64)
        self._seat = np.zeros(1, np.int64)
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> gymnasium.spaces.Dict:
        """The same for all agents."""
        return self._observation_space

    def action_space(self, agent: str) -> gymnasium.spaces.Discrete:
        """The same for all agents."""
        return self._action_space

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Set up a game: `seed` is the game's own; without one the next of the env's seeds is used.

        `options={"game": game}` goes on from a position instead (see `tenefyr_env.scenario`); other
        options are PettingZoo's to give and ours to ignore.
        """
        game, game_seed = self._next_game(seed, options or {})
        self._take_up(game)
        self.game_seed = game_seed  # with the configuration it fixes the game

    def _next_game(self, seed: int | None, options: dict[str, Any]) -> tuple[Game, int | None]:
        """The game to play and its seed; a game from a position has none."""
        if seed is not None:
            self._seeds = np.random.Generator(np.random.PCG64(checked_seed(seed)))
        elif self._seeds is None:
            self._seeds = np.random.default_rng()
        if "game" in options:
            return options["game"].clone(), None
        if seed is None:
            seed = int(self._seeds.integers(2**63 - 1))
        return Game.new(self.config, seed, self.card_set), int(seed)

    def _take_up(self, game: Game) -> None:
        """Begin PettingZoo's books for a game."""
        if game.config != self.config or game.card_set.hash != self.card_set.hash:
            raise ValueError("reset option game: it has another configuration or card set")
        self.game = game
        self._seen: Any = None  # what the next to act sees, if it is already written
        self._views()
        self.agents = [agent_name(int(self._heroes[s])) for s in range(self.config.players)]
        self.reward.start(game)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {}
        for agent in self.agents:
            self.infos[agent] = {"action_mask": NO_MASK}
        self._seat_of = {agent: seat for seat, agent in enumerate(self.agents)}
        self._names = list(self.agents)
        self.agent_selection = self.agents[0]
        if game.is_over:
            self._end()
        else:
            self._select()

    def _views(self) -> None:
        """The fields the books read: a record's attributes are slow to reach."""
        states = self.game.states
        self._states, self._table = states, self.game.table
        self._heroes, self._legal = states["heroes"][0], states["legal"][0]
        self._decider, self._outcome = states["decider"].data, states["outcome"].data

    def _select(self) -> None:
        """The engine's pending decision says who acts next."""
        agent = self._names[self._decider[0]]
        if agent != self.agent_selection:
            self.infos[self.agent_selection] = {"action_mask": NO_MASK}
            self.agent_selection = agent
        self.infos[agent] = {"action_mask": self._legal.copy()}

    def observe(self, agent: str) -> dict[str, npt.NDArray[Any]]:
        """What an agent sees; only the one who acts has legal actions."""
        seat = self._seat_of[agent]
        acts = self._decider[0] == seat and not self.terminations.get(agent, True)
        out, self._seen = self._seen, None  # given away once, then written anew
        if out is None or not acts:
            self._seat[0] = seat
            out = self.encoder.empty(1)
            self.encoder.encode(self._states, self._table, self._seat, out)
        mask = self.infos[agent]["action_mask"] if acts else NO_MASK.copy()
        return {"observation": self.encoder.row(out, 0), "action_mask": mask}

    def state(self) -> npt.NDArray[np.int8]:
        """The privileged full state; its layout is `spaces.full.FULL`."""
        out = np.zeros((1, FULL.size), np.int8)
        encode_full_games(self._states, self._table, out)
        return out[0]  # type: ignore[no-any-return]

    def step(self, action: int | None) -> None:
        """The selected agent acts; after the end every agent leaves with `None`."""
        if not self.agents:
            raise RuntimeError("step: the game is over or was not begun; call reset first")
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        number = self._checked(action)
        self._cumulative_rewards[agent] = 0.0
        if number is None:
            self._punish(agent)
        else:
            self._action[0] = number
            self._step_game()
            self._pay(self.reward.after_step(self.game, self._outcome[0]))
            self._go_on()
        if self.render_mode == "human":
            self.render()

    def _step_game(self) -> None:
        """Apply the action; the flat observation of whoever acts next is written on the way."""
        if self._is_flat:
            self._seen = self.encoder.empty(1)
            step_and_see(self._states, self._table, self._action, self._seen)
        else:
            step_games(self._states, self._table, self._action)

    def _checked(self, action: Any) -> int | None:
        """The action's number if it is legal; None if it is not and the mode does not raise."""
        if type(action) is int and 0 <= action < NUM_ACTIONS and self._legal[action]:
            return action  # as nearly always
        try:
            number = self.game.action(action)
            if self._legal[number]:
                return number
        except ValueError:
            if self.illegal == "raise":
                raise
            return None
        if self.illegal == "raise":
            raise IllegalAction(self.game.refusal(number))
        return None

    def _punish(self, agent: str) -> None:
        """An illegal action costs the whole team: a penalty, or the game."""
        if self.illegal == "penalty":
            # The position stays, so the shaping is that of a step from it to itself.
            self._pay(ILLEGAL_PENALTY + self.reward.after_step(self.game, OPEN))
            self._select()
            return
        self._pay(self.reward.forfeit())
        for name in self.agents:
            self.terminations[name] = True
            self.infos[name] = {"action_mask": NO_MASK, "illegal": agent}

    def _pay(self, reward: float) -> None:
        """Every hero earns the same."""
        if reward == 0.0 == self.rewards[self.agents[0]]:  # as nearly always: nothing to book
            return
        for agent in self.agents:
            self.rewards[agent] = reward
            self._cumulative_rewards[agent] += reward

    def _go_on(self) -> None:
        if self._outcome[0] == OPEN:
            self._select()
        else:
            self._end()

    def _end(self) -> None:
        """All heroes end together (R42)."""
        won = self.game.outcome == Outcome.WON
        for agent in self.agents:
            self.terminations[agent] = True
            self.infos[agent] = {"action_mask": NO_MASK, "won": won}
        self.agent_selection = self.agents[0]

    def render(self) -> str | None:
        """The table as text (`ansi`), or printed (`human`)."""
        if self.render_mode is None:
            gymnasium.logger.warn("render: the env was made without a render_mode")
            return None
        text = screen_text(self.game)
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """Nothing to release."""

    def __getattr__(self, name: str) -> Any:
        """Reached only for what is missing, so it costs a running game nothing."""
        hint = "" if "game" in self.__dict__ else ": no game was begun; call reset first"
        raise AttributeError(f"{type(self).__name__} has no {name!r}{hint}")

    def __getstate__(self) -> dict[str, Any]:
        """Everything but the views into the game's record, which are made anew."""
        left_out = (*VIEWS, *HOOKS)
        return {name: value for name, value in self.__dict__.items() if name not in left_out}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self.__dict__.update(saved)
        if "game" in saved:
            self._views()
