"""Replays: a game as its configuration, its seed and the actions taken, in one JSON file.

    replay = record_game(GameConfig(), seed=7, choose=lambda game: game.decision.options[0])
    replay.save("game.json")
    for position in Replay.load("game.json").play():
        print(position.events())

`recording(env)` records what is played through the AEC environment or a Gymnasium one of a single
game, partners' turns included. `Replay.from_actions` makes a replay of any list of actions. What is
read is checked against what is played: another card set, an illegal action or another final state
is a `ReplayError`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tenefyr_env.cards.card_set import CardSet
from tenefyr_env.cards.compiler import SHIPPED, load_card_set
from tenefyr_env.config import GameConfig
from tenefyr_env.engine.actions import NUM_ACTIONS
from tenefyr_env.engine.state import STATE, Outcome
from tenefyr_env.env import TenefyrEnv
from tenefyr_env.game import Game, IllegalAction, checked_seed

FORMAT = "tenefyr-env replay"
VERSION = 1
MAX_BYTES = 4 * 2**20  # a file is not trusted; a long game has 20 thousand bytes
HASH_LENGTH = 64  # hexadecimal digits of SHA-256
OUTCOMES = tuple(outcome.name.lower() for outcome in Outcome)


class ReplayError(ValueError):
    """A replay that cannot be read, or that does not lead where it says."""


@dataclass(frozen=True)
class Replay:
    """All that is needed to play a game again, and how it ended."""

    config: GameConfig
    seed: int
    card_set_name: str
    card_set_hash: str
    actions: tuple[int, ...]
    names: tuple[str, ...]  # of the actions, for people to read
    outcome: str  # of OUTCOMES; "open" where the recording stopped before the end
    final_state: str  # hash of the last position

    @classmethod
    def from_actions(
        cls,
        config: GameConfig,
        seed: int,
        actions: Sequence[int | str],
        card_set: CardSet | None = None,
    ) -> Replay:
        """The replay of these actions, by number or name, from the start of a game."""
        recorded = RecordedGame(config, seed, card_set)
        for number, action in enumerate(actions):
            _step(recorded, action, number, len(actions))
        return recorded.replay()

    def play(self, card_set: CardSet | None = None) -> Iterator[Game]:
        """Every position from the set-up to the last; the end is checked after it.

        A replay of a card set that is not shipped is played with `card_set`: what a file names is
        not opened.
        """
        game = self._start(self._card_set(card_set))
        yield game.clone()
        for number, action in enumerate(self.actions):
            self._check_name(game, number)
            _step(game, action, number, len(self.actions))
            yield game.clone()
        self._check_end(game)

    def final(self, card_set: CardSet | None = None) -> Game:
        """The last position, after the whole replay was checked."""
        *_, last = self.play(card_set)
        return last

    def save(self, path: str | Path) -> None:
        """Write the replay to a file."""
        text = json.dumps(self.to_dict(), indent=1, ensure_ascii=False)
        Path(path).write_text(text + "\n", encoding="utf-8")

    @classmethod
    def load(cls, path: str | Path) -> Replay:
        """Read a replay from a file; what is in it is checked, not trusted."""
        with Path(path).open("rb") as file:
            content = file.read(MAX_BYTES + 1)
        try:
            return cls.from_dict(_parse(content))
        except ReplayError as error:
            raise ReplayError(f"{path}: {error}") from error

    def to_dict(self) -> dict[str, Any]:
        """The replay in plain values."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "config": self.config.to_dict(),
            "seed": self.seed,
            "card_set": {"name": self.card_set_name, "hash": self.card_set_hash},
            "actions": list(self.actions),
            "names": list(self.names),
            "outcome": self.outcome,
            "final_state": self.final_state,
        }

    @classmethod
    def from_dict(cls, values: Any) -> Replay:
        """The replay with these values."""
        _check_kind(values)
        _check_keys("replay", values, cls._keys())
        _check_keys("card_set", values["card_set"], ("name", "hash"))
        actions = _list("actions", values["actions"], int)
        names = _list("names", values["names"], str)
        if len(names) != len(actions):
            raise ReplayError(f"names: {len(names)} for {len(actions)} actions")
        for number, action in enumerate(actions):
            if not 0 <= action < NUM_ACTIONS:
                accepted = f"accepted are 0 to {NUM_ACTIONS - 1}"
                raise ReplayError(f"actions[{number}]: {action}; {accepted}")
        if values["outcome"] not in OUTCOMES:
            raise ReplayError(f"outcome: {values['outcome']!r}; accepted are {', '.join(OUTCOMES)}")
        return cls(
            config=_config(values["config"]),
            seed=_seed(values["seed"]),
            card_set_name=_text("card_set.name", values["card_set"]["name"]),
            card_set_hash=_hash("card_set.hash", values["card_set"]["hash"]),
            actions=actions,
            names=names,
            outcome=values["outcome"],
            final_state=_hash("final_state", values["final_state"]),
        )

    @staticmethod
    def _keys() -> tuple[str, ...]:
        return (
            "format", "version", "config", "seed", "card_set",
            "actions", "names", "outcome", "final_state",
        )  # fmt: skip

    def _start(self, card_set: CardSet) -> Game:
        try:
            return Game.new(self.config, self.seed, card_set)
        except ValueError as error:  # a boss that the set does not have
            raise ReplayError(f"config: {error}") from error

    def _card_set(self, given: CardSet | None) -> CardSet:
        """The card set to play with, which must be the recorded one."""
        if given is None and self.config.cards != SHIPPED:
            raise ReplayError(
                f"card set {self.card_set_name!r} of {self.config.cards!r} is not shipped;"
                " give it: play(card_set=load_card_set(...))"
            )
        found = given or load_card_set(SHIPPED)
        if found.hash != self.card_set_hash:
            raise ReplayError(
                f"card set: recorded with {self.card_set_name!r}, hash {self.card_set_hash[:12]};"
                f" this is {found.name!r}, hash {found.hash[:12]}"
            )
        return found

    def _check_name(self, game: Game, number: int) -> None:
        """The readable name must be the name of the action."""
        try:
            name = game.action_name(self.actions[number])
        except ValueError as error:  # a card that the set does not have
            raise ReplayError(f"{_place(number, len(self.actions))}: {error}") from error
        if name != self.names[number]:
            difference = f"it is {name!r}, the replay calls it {self.names[number]!r}"
            raise ReplayError(f"{_place(number, len(self.actions))}: {difference}")

    def _check_end(self, game: Game) -> None:
        """The game must have come to the recorded end."""
        outcome = game.outcome.name.lower()
        after = f"after {len(self.actions)} actions"
        if outcome != self.outcome:
            raise ReplayError(f"outcome: {outcome!r} {after}, the replay says {self.outcome!r}")
        found = state_hash(game)
        if found != self.final_state:
            raise ReplayError(
                f"final state: hash {found[:12]} {after}, the replay says {self.final_state[:12]}"
            )


class RecordedGame:
    """A game that is played from its seed, with the actions taken."""

    def __init__(
        self, config: GameConfig | None = None, seed: int = 0, card_set: CardSet | None = None
    ) -> None:
        self.game = Game.new(config, seed, card_set)
        self.seed = int(seed)
        self.actions: list[int] = []

    def step(self, action: int | str) -> None:
        """Apply an action and remember it."""
        number = self.game.action(action)
        self.game.step(number)
        self.actions.append(number)

    def replay(self) -> Replay:
        """The game up to here."""
        return _replay_of(self.game, self.seed, self.actions)


class Recorder:
    """What is played through an environment, game by game."""

    def __init__(self, env: TenefyrEnv) -> None:
        self.finished: list[Replay] = []  # the games before the current one
        self._env = env
        self._actions: list[int] | None = None  # None: the current game's beginning was not seen
        if hasattr(env, "game") and env.game.state.num_decisions == 0:
            self._actions = []

    def replay(self) -> Replay:
        """The current game up to here."""
        if self._actions is None:
            raise ReplayError("recording: the beginning of this game was not seen; call reset")
        if self._env.game_seed is None:
            raise ReplayError("recording: the game was begun from a position, not from a seed")
        return _replay_of(self._env.game, self._env.game_seed, self._actions)

    def on_reset(self, reset: Callable[..., None], *args: Any, **kwargs: Any) -> None:
        """A new game begins; the one before is kept."""
        before = self.replay() if self._actions and self._env.game_seed is not None else None
        reset(*args, **kwargs)
        if before is not None:
            self.finished.append(before)
        self._actions = []

    def on_step(self, step: Callable[[Any], None], action: Any) -> None:
        """An action is taken; one that does not change the game is not part of it."""
        game = self._env.game if hasattr(self._env, "game") else None
        before = 0 if game is None else int(game.state.num_decisions)
        step(action)
        if game is not None and self._actions is not None and game.state.num_decisions > before:
            self._actions.append(game.action(action))


@contextmanager
def recording(env: Any) -> Iterator[Recorder]:
    """Record all that is played through an environment, wrapped or not, meanwhile.

    with recording(env) as recorder:
        env.reset(seed=7)
        ...
        recorder.replay().save("game.json")
    """
    table = getattr(env.unwrapped, "aec", env.unwrapped)  # where every seat's actions pass
    if not isinstance(table, TenefyrEnv):
        raise ReplayError(f"recording: {env!r}; accepted is an environment of one game")
    recorder = Recorder(table)
    reset, step = table.reset, table.step
    hooks = {
        "reset": lambda *args, **kwargs: recorder.on_reset(reset, *args, **kwargs),
        "step": lambda action: recorder.on_step(step, action),
    }
    table.__dict__.update(hooks)
    try:
        yield recorder
    finally:
        for name in hooks:
            del table.__dict__[name]  # the class's own comes to light again


def record_game(
    config: GameConfig | None,
    seed: int,
    choose: Callable[[Game], int | str],
    card_set: CardSet | None = None,
) -> Replay:
    """Play a game to its end by a function from a position to an action."""
    recorded = RecordedGame(config, seed, card_set)
    while not recorded.game.is_over:
        recorded.step(choose(recorded.game))
    return recorded.replay()


def state_hash(game: Game) -> str:
    """A name for a position; fields are hashed one by one, free of the record's padding."""
    digest = hashlib.sha256()
    for field in STATE.names or ():
        values = game.states[field]
        digest.update(np.ascontiguousarray(values, values.dtype.newbyteorder("<")).tobytes())
    return digest.hexdigest()


def _replay_of(game: Game, seed: int, actions: Sequence[int]) -> Replay:
    return Replay(
        config=game.config,
        seed=seed,
        card_set_name=game.card_set.name,
        card_set_hash=game.card_set.hash,
        actions=tuple(actions),
        names=tuple(game.action_name(action) for action in actions),
        outcome=game.outcome.name.lower(),
        final_state=state_hash(game),
    )


def _place(number: int, count: int) -> str:
    """Where in the replay an action stands."""
    return f"action {number + 1} of {count}"


def _step(game: Game | RecordedGame, action: int | str, number: int, count: int) -> None:
    """Take an action, or say which one the game refuses."""
    try:
        game.step(action)
    except IllegalAction as error:
        raise ReplayError(f"{_place(number, count)}: {error}") from error


def _parse(content: bytes) -> Any:
    """The values of a file's content."""
    if len(content) > MAX_BYTES:
        raise ReplayError(f"the file is larger than {MAX_BYTES} bytes")
    try:
        return json.loads(content.decode("utf-8"), object_pairs_hook=_without_doubles)
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise ReplayError(f"not JSON, or cut off: {error}") from error
    except (ValueError, RecursionError) as error:
        raise ReplayError(f"not a replay: {error}") from error


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) != len(pairs):
        raise ValueError(f"a key is given twice among {', '.join(key for key, _ in pairs)}")
    return values


def _check_kind(values: Any) -> None:
    """It must be a replay, and of this version, before anything else is read."""
    if not isinstance(values, dict) or values.get("format") != FORMAT:
        found = values.get("format") if isinstance(values, dict) else type(values).__name__
        raise ReplayError(f"format: {found!r}; accepted is {FORMAT!r}")
    version = values.get("version")
    if type(version) is not int or version != VERSION:
        raise ReplayError(f"version: {version!r}; accepted is {VERSION}")


def _check_keys(name: str, values: Any, keys: Sequence[str]) -> None:
    if not isinstance(values, dict):
        raise ReplayError(f"{name}: {values!r}; accepted is a mapping of {', '.join(keys)}")
    missing = [key for key in keys if key not in values]
    unknown = [key for key in values if key not in keys]
    if missing or unknown:
        raise ReplayError(f"{name}: missing keys {missing}, unknown keys {unknown}")


def _list(name: str, values: Any, kind: type) -> tuple[Any, ...]:
    """A list of one kind of value."""
    if not isinstance(values, list):
        raise ReplayError(f"{name}: {type(values).__name__}; accepted is a list")
    for number, value in enumerate(values):
        if type(value) is not kind:
            raise ReplayError(f"{name}[{number}]: {value!r}; accepted is {kind.__name__}")
    return tuple(values)


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise ReplayError(f"{name}: {value!r}; accepted is a text")
    return value


def _hash(name: str, value: Any) -> str:
    digits = _text(name, value)
    if len(digits) != HASH_LENGTH or not set(digits) <= set("0123456789abcdef"):
        raise ReplayError(f"{name}: {value!r}; accepted are {HASH_LENGTH} hexadecimal digits")
    return digits


def _seed(value: Any) -> int:
    try:
        return checked_seed(value)
    except ValueError as error:
        raise ReplayError(str(error)) from error


def _config(values: Any) -> GameConfig:
    try:
        return GameConfig.from_dict(values)
    except (ValueError, TypeError) as error:
        raise ReplayError(f"config: {error}") from error
