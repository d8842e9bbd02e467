"""One game: the engine's face in Python.

game = Game.new(GameConfig(players=3), seed=7)
while not game.is_over:
    game.step(game.decision.options[0])
print(game.outcome)
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tenefyr_env import saves
from tenefyr_env.cards.card_set import CardSet
from tenefyr_env.cards.compiler import load_card_set
from tenefyr_env.config import GameConfig
from tenefyr_env.engine.actions import NUM_ACTIONS
from tenefyr_env.engine.batch import set_up_games, step_games
from tenefyr_env.engine.invariants import FAULT_TEXT, Fault, first_faults
from tenefyr_env.engine.knowledge import determinize_games
from tenefyr_env.engine.rng import MAX_SEED
from tenefyr_env.engine.state import Decision, Outcome, new_states
from tenefyr_env.engine.words import QUESTIONS, Narrator, action_name, hero_names, parse_action


class IllegalAction(ValueError):  # noqa: N818 - a move, named as players name it
    """An action that the pending decision does not offer; the game has not changed."""


class InvalidPosition(ValueError):  # noqa: N818
    """A position that the rules cannot lead to."""


@dataclass(frozen=True)
class PendingDecision:
    """What the game waits for: exactly one choice of one seat."""

    seat: int
    kind: Decision
    options: tuple[int, ...]  # the legal actions, in the order they were offered
    card: int  # the card the choice is about, or -1
    is_joint: bool  # a choice of the whole party (R20)

    @property
    def question(self) -> str:
        """The decision as it is put to the player."""
        return QUESTIONS[self.kind]


class Game:
    """A game in progress: a record of the engine, with its configuration and card set."""

    def __init__(self, config: GameConfig, card_set: CardSet, states: npt.NDArray[Any]) -> None:
        self.config = config
        self.card_set = card_set
        self.states = states  # an array of one record, as the engine takes it
        self.table = card_set.table

    @classmethod
    def new(
        cls, config: GameConfig | None = None, seed: int = 0, card_set: CardSet | None = None
    ) -> Game:
        """Set up a game; the same configuration and seed give the same game everywhere."""
        config = config or GameConfig()
        card_set = card_set or load_card_set(config.cards)
        setup = config.to_setup(card_set.bosses)
        game = cls(config, card_set, new_states(1))
        set_up_games(game.states, game.table, setup, np.array([checked_seed(seed)], np.int64))
        return game

    @property
    def state(self) -> Any:
        """The record itself: every field of `engine.state.STATE` by name."""
        return self.states[0]

    @property
    def decision(self) -> PendingDecision:
        """Who must choose what now; after the end nobody must."""
        state = self.state
        return PendingDecision(
            seat=int(state.decider),
            kind=Decision(int(state.decision)),
            options=tuple(int(action) for action in state.options[: state.num_options]),
            card=int(state.decision_card),
            is_joint=bool(state.is_joint),
        )

    @property
    def outcome(self) -> Outcome:
        """Open, won or lost."""
        return Outcome(int(self.state.outcome))

    @property
    def is_over(self) -> bool:
        """Whether the game is decided."""
        return self.outcome != Outcome.OPEN

    def legal_mask(self) -> npt.NDArray[np.bool_]:
        """True for every action the pending decision offers."""
        return self.state.legal.astype(np.bool_)  # type: ignore[no-any-return]

    def step(self, action: int | str) -> None:
        """Apply an action, by number or by name, and play on to the next decision."""
        number = self.action(action)
        if not self.state.legal[number]:
            raise IllegalAction(self.refusal(number))
        step_games(self.states, self.table, np.array([number], np.int64))

    def action(self, action: int | str) -> int:
        """The number of an action given by number or by name."""
        if isinstance(action, str):
            return parse_action(action, self.card_set)
        if not isinstance(action, int | np.integer) or isinstance(action, bool | np.bool_):
            raise IllegalAction(f"action {action!r}: accepted are whole numbers and names")
        if not 0 <= action < NUM_ACTIONS:
            raise IllegalAction(f"action {action}: accepted are 0 to {NUM_ACTIONS - 1}")
        return int(action)

    def action_name(self, action: int) -> str:
        """The name of an action."""
        return action_name(action, self.card_set)

    def options(self) -> list[str]:
        """The names of the legal actions."""
        return [self.action_name(action) for action in self.decision.options]

    def refusal(self, action: int) -> str:
        """Why an action is illegal now."""
        name = self.action_name(action)
        if self.is_over:
            return f"action {action} ({name}) is not legal: the game is over"
        legal = ", ".join(
            f"{option} ({self.action_name(option)})" for option in self.decision.options
        )
        kind = self.decision.kind.name.lower()
        return f"action {action} ({name}) is not legal in decision {kind!r}; legal: {legal}"

    def clone(self) -> Game:
        """A copy that goes its own way."""
        return Game(self.config, self.card_set, self.states.copy())

    def __copy__(self) -> Game:
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        return self.clone()

    def __eq__(self, other: object) -> bool:
        """The same position of the same game."""
        if not isinstance(other, Game):
            return NotImplemented
        return (
            self.config == other.config
            and self.card_set.hash == other.card_set.hash
            and self.state_bytes() == other.state_bytes()
        )

    __hash__ = None  # type: ignore[assignment]

    def state_bytes(self) -> bytes:
        """The record as bytes: equal for equal positions."""
        return self.states.tobytes()

    def to_bytes(self) -> bytes:
        """The game as bytes, with its configuration and the hash of its card set."""
        return saves.to_bytes(self.config, self.card_set, self.states)

    @classmethod
    def from_bytes(cls, data: bytes, card_set: CardSet | None = None) -> Game:
        """The game that `to_bytes` wrote; SaveError for anything else."""
        return cls._of(saves.from_bytes(data, card_set))

    def to_json(self) -> str:
        """The game as JSON that a player can read."""
        return saves.to_json(self.config, self.card_set, self.states)

    @classmethod
    def from_json(cls, text: str, card_set: CardSet | None = None) -> Game:
        """The game that `to_json` wrote; SaveError for anything else."""
        return cls._of(saves.from_json(text, card_set))

    def save(self, path: str | Path) -> None:
        """Write the game to a file: JSON for `.json`, bytes for `.tenefyr`."""
        saves.save(path, self.config, self.card_set, self.states)

    @classmethod
    def load(cls, path: str | Path, card_set: CardSet | None = None) -> Game:
        """The game of a file that `save` wrote."""
        return cls._of(saves.load(path, card_set))

    @classmethod
    def _of(cls, saved: saves.SavedGame) -> Game:
        return cls(saved.config, saved.card_set, saved.states)

    def determinize(self, seat: int, seed: int) -> Game:
        """A copy in which all that `seat` cannot know is redrawn: safe to plan in."""
        if not 0 <= seat < self.config.players:
            raise ValueError(f"seat {seat}: accepted are 0 to {self.config.players - 1}")
        copy = self.clone()
        seeds = np.array([checked_seed(seed)], np.int64)
        determinize_games(copy.states, copy.table, np.array([seat], np.int64), seeds)
        return copy

    def fault(self) -> Fault:
        """The first thing wrong with the position: Fault.NONE for every one reached by play."""
        faults = np.zeros(1, np.int64)
        first_faults(self.states, self.table, faults)
        return Fault(int(faults[0]))

    def check(self) -> None:
        """Raise if the rules cannot lead to this position."""
        fault = self.fault()
        if fault != Fault.NONE:
            raise InvalidPosition(f"position: {FAULT_TEXT[fault]}")

    def events(self, seat: int | None = None) -> list[str]:
        """What happened since the last decision, in English, as `seat` (or an onlooker) sees it."""
        return Narrator(self.state, self.card_set, seat).events()

    def player_name(self, seat: int) -> str:
        """A player by hero, or by both."""
        return hero_names(int(self.state.heroes[seat]))


def checked_seed(seed: int) -> int:
    """A seed the generator takes."""
    if not isinstance(seed, int | np.integer) or isinstance(seed, bool):
        raise ValueError(f"seed {seed!r}: accepted are whole numbers")
    if not 0 <= seed <= MAX_SEED:
        raise ValueError(f"seed {seed}: accepted are 0 to {MAX_SEED}")
    return int(seed)
