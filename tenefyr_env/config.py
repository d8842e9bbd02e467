"""The configuration of a game: how many play, with whom, against what, by which house rules."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
import yaml

from tenefyr_env.cards.vocabulary import Hero
from tenefyr_env.engine.setup_record import MAX_TRACK, RANDOM, SETUP

Difficulty = Literal["easy", "normal", "hard"]
Mode = Literal["regular", "quick"]
JointChoice = Literal["leader", "vote"]
Hands = Literal["private", "open"]

DIFFICULTIES: tuple[str, ...] = get_args(Difficulty)
HERO_NAMES = tuple(hero.name.lower() for hero in Hero)
HEROES_IN_PLAY = {1: 2, 2: 4, 3: 3, 4: 4}  # by the number of players (R5 to R7)
MAX_GIFTS = 3  # cards on one space of the quick track (R55)
MAX_LEVEL = 5  # R2


class ConfigError(ValueError):
    """A configuration that no game can be set up from."""


@dataclass(frozen=True, eq=False)
class Track(Mapping[str, int]):
    """The spaces from the start to the skull for each difficulty (R12): an immutable mapping."""

    easy: int
    normal: int
    hard: int

    def __getitem__(self, difficulty: str) -> int:
        if difficulty not in DIFFICULTIES:
            raise KeyError(difficulty)
        spaces: int = getattr(self, difficulty)
        return spaces

    def __iter__(self) -> Iterator[str]:
        return iter(DIFFICULTIES)

    def __len__(self) -> int:
        return len(DIFFICULTIES)

    def __hash__(self) -> int:
        return hash((self.easy, self.normal, self.hard))


@dataclass(frozen=True, kw_only=True)
class GameConfig:
    """Everything that is decided before set-up; with a seed it fixes the game."""

    players: int = 4
    """How many play: 1 (solo, R52), 2, 3 or 4."""

    heroes: tuple[str, ...] | Literal["random"] = "random"
    """The heroes in seat order, all different, or "random": one for each seat with 3 or 4 players
    (R5), two for each seat with 1 or 2 (R6, R7), of which the first two are seat 0's."""

    difficulty: Difficulty = "normal"
    """Where the boss token starts (R12)."""

    boss: str = "random"
    """A boss of the card set by name, or "random" (R11); quick mode has no boss (R54)."""

    mode: Mode = "regular"
    """The side of the boss track: the regular game or quick mode (R54)."""

    remove_absent_heroes: bool = False
    """The easier rule R14: take out loot that names a hero not in play (3 players or solo)."""

    joint_choice: JointChoice = "leader"
    """Who decides for the party (R20): the starting player, or a vote of all."""

    starting_player: int | Literal["random"] = "random"
    """The seat that starts, from 0, or "random" (R13)."""

    hands: Hands = "private"
    """Whether a hand is seen by its player only, or by all (R58)."""

    take_single_options: bool = True
    """Whether the engine itself takes decisions that have one option."""

    track: Mapping[str, int] = Track(easy=16, normal=12, hard=9)
    """Spaces from the start to the skull on the regular side, by difficulty (R12)."""

    quick_track: Mapping[str, int] = Track(easy=8, normal=7, hard=6)
    """Spaces from the start to the skull on the quick side, by difficulty (R12)."""

    quick_gifts: tuple[tuple[int, int], ...] = (
        (3, 1),
        (3, 1),
        (3, 2),
        (2, 2),
        (2, 3),
        (2, 3),
        (1, 4),
        (2, 4),
    )
    """Reserve cards on each space of the quick side (R55) as (count, level): from the first space
    after the Easy start to the skull's own. A later start passes the last of them only."""

    cards: str = "tenefyr"
    """The card set: the name of a shipped one, or the path of a file."""

    def __post_init__(self) -> None:
        """Bring names and lists into one form, and refuse what no game can be set up from."""
        self._check_choices()
        self._set("heroes", _read_heroes(self.heroes, self.players))
        self._set("boss", _read_boss(self.boss, self.mode))
        self._set("track", _read_track("track", self.track))
        self._set("quick_track", _read_track("quick_track", self.quick_track))
        self._set("quick_gifts", _read_gifts(self.quick_gifts, self.quick_track["easy"]))
        self._check_absent_heroes()

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "GameConfig":
        """The configuration with these fields; the others keep their defaults."""
        if not isinstance(values, Mapping):
            raise ConfigError(
                f"GameConfig: {values!r} is not accepted; accepted: a mapping of fields to values"
            )
        names = [field.name for field in fields(cls)]
        for key in values:
            if key not in names:
                raise ConfigError(_unknown_key(key, names))
        return cls(**values)

    @classmethod
    def from_yaml(cls, path: str | Path) -> "GameConfig":
        """The configuration a YAML file describes; an empty file is the default game."""
        try:
            values = load_yaml(path)
            return cls.from_dict({} if values is None else values)
        except (ConfigError, yaml.YAMLError, UnicodeDecodeError) as error:
            raise ConfigError(f"{path}: {error}") from error

    def to_dict(self) -> dict[str, Any]:
        """All fields as plain values that YAML and JSON can write and `from_dict` reads back."""
        return {field.name: _plain(getattr(self, field.name)) for field in fields(self)}

    @property
    def num_heroes(self) -> int:
        """Heroes in play (R5 to R7)."""
        return HEROES_IN_PLAY[self.players]

    @property
    def steps(self) -> int:
        """Spaces from the start to the skull in this game (R12)."""
        track = self.quick_track if self.mode == "quick" else self.track
        return track[self.difficulty]

    def to_setup(self, boss_names: Sequence[str]) -> np.ndarray:
        """The set-up record (an array of one) for a card set with these bosses."""
        setup = np.zeros(1, SETUP)
        record = setup[0]
        record["players"] = self.players
        record["heroes"] = self._hero_numbers()
        record["num_heroes"] = self.num_heroes
        record["boss"] = self._boss_number(boss_names)
        record["quick"] = self.mode == "quick"
        record["remove_absent"] = self.remove_absent_heroes
        record["vote"] = self.joint_choice == "vote"
        record["starter"] = RANDOM if self.starting_player == "random" else self.starting_player
        record["open_hands"] = self.hands == "open"
        record["take_single_options"] = self.take_single_options
        record["difficulty"] = DIFFICULTIES.index(self.difficulty)
        record["steps"] = self.steps
        if self.mode == "quick":
            # From the skull backwards: a space is known by what is left after it.
            gifts = np.array(self.quick_gifts[::-1][: self.steps])
            record["gift_count"][: self.steps] = gifts[:, 0]
            record["gift_level"][: self.steps] = gifts[:, 1]
        return setup

    def _hero_numbers(self) -> list[int]:
        numbers = [] if self.heroes == "random" else [HERO_NAMES.index(h) for h in self.heroes]
        return numbers + [RANDOM] * (len(Hero) - len(numbers))

    def _boss_number(self, boss_names: Sequence[str]) -> int:
        if self.boss == "random":
            return RANDOM
        known = [_plain_name(name) for name in boss_names]
        if self.boss not in known:
            raise _refusal("boss", self.boss, ["random", *boss_names])
        return known.index(self.boss)

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def _check_choices(self) -> None:
        _check("players", self.players, list(HEROES_IN_PLAY))
        _check("difficulty", self.difficulty, DIFFICULTIES)
        _check("mode", self.mode, get_args(Mode))
        _check("remove_absent_heroes", self.remove_absent_heroes, [False, True])
        _check("joint_choice", self.joint_choice, get_args(JointChoice))
        _check("starting_player", self.starting_player, ["random", *range(self.players)])
        _check("hands", self.hands, get_args(Hands))
        _check("take_single_options", self.take_single_options, [False, True])
        if not isinstance(self.cards, str) or not self.cards.strip():
            raise _refusal("cards", self.cards, ["the name or the path of a card set"])

    def _check_absent_heroes(self) -> None:
        if self.remove_absent_heroes and self.num_heroes == len(Hero):
            reason = f" with {self.players} players, who leave no hero absent"
            raise _refusal("remove_absent_heroes", True, [False], reason)


def load_yaml(path: str | Path) -> Any:
    """What a YAML file says: by the safe loader, and no key twice."""
    return yaml.load(Path(path).read_text(encoding="utf-8"), _UniqueKeyLoader)


class _UniqueKeyLoader(yaml.SafeLoader):
    """YAML's safe loader, which would let the last of two equal keys win in silence."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        written = [key for key, _ in node.value if key.tag != "tag:yaml.org,2002:merge"]
        keys = [self.construct_object(key, deep=True) for key in written]
        for index, key in enumerate(keys):
            if key in keys[:index]:
                raise ConfigError(f"key {key!r} is given twice; accepted: once")
        return super().construct_mapping(node, deep)


def _refusal(name: str, value: object, accepted: Sequence[object], reason: str = "") -> ConfigError:
    """The error that names a field, its value and what is accepted."""
    listed = ", ".join(str(each) for each in accepted)
    return ConfigError(f"GameConfig.{name}: {value!r} is not accepted{reason}; accepted: {listed}")


def _check(name: str, value: object, accepted: Sequence[object]) -> None:
    """Refuse a value that is not among the accepted ones, type included (True is not 1)."""
    if not any(type(value) is type(each) and value == each for each in accepted):
        raise _refusal(name, value, accepted)


def _unknown_key(key: object, names: Sequence[str]) -> str:
    close = get_close_matches(str(key), names, n=1)
    hint = f"did you mean {close[0]!r}? " if close else ""
    return f"GameConfig: unknown key {key!r}; {hint}accepted: {', '.join(names)}"


def _plain_name(name: str) -> str:
    """A hero's or boss's name with case and spaces evened out: "Dark Lord" is "dark_lord"."""
    return "_".join(name.lower().replace("_", " ").split())


def _plain(value: Any) -> Any:
    """A field's value in the types YAML and JSON know."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    return value


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _is_number(value: object, low: int, high: int) -> bool:
    return type(value) is int and low <= value <= high


def _read_heroes(heroes: Any, players: int) -> tuple[str, ...] | Literal["random"]:
    """The named heroes, one or two for each seat and all different (R5 to R7)."""
    if isinstance(heroes, str) and _plain_name(heroes) == "random":
        return "random"
    wanted = HEROES_IN_PLAY[players]
    accepted = [f"random or {wanted} different of {', '.join(HERO_NAMES)}"]
    if not _is_list(heroes) or not all(isinstance(hero, str) for hero in heroes):
        raise _refusal("heroes", heroes, accepted)
    names = tuple(_plain_name(hero) for hero in heroes)
    for name, given in zip(names, heroes, strict=True):
        if name not in HERO_NAMES:
            raise _refusal("heroes", given, HERO_NAMES)
    if len(names) != wanted or len(set(names)) != wanted:
        raise _refusal("heroes", list(names), accepted, f" with players {players}")
    return names


def _read_boss(boss: Any, mode: str) -> str:
    """The boss's name; whether the card set has it is known when the game is set up."""
    if not isinstance(boss, str) or not _plain_name(boss):
        raise _refusal("boss", boss, ["random or the name of a boss of the card set"])
    if mode == "quick" and _plain_name(boss) != "random":
        raise _refusal("boss", boss, ["random"], " with mode quick, which has no boss")
    return _plain_name(boss)


def _read_track(name: str, track: Any) -> Track:
    """The spaces to the skull for all difficulties, a harder start never farther away (R12)."""
    accepted = [f"easy, normal and hard, each 1 to {MAX_TRACK}, easy >= normal >= hard"]
    if not isinstance(track, Mapping) or set(track) != set(DIFFICULTIES):
        raise _refusal(name, track, accepted)
    spaces = [track[difficulty] for difficulty in DIFFICULTIES]
    in_range = all(_is_number(each, 1, MAX_TRACK) for each in spaces)
    if not in_range or spaces != sorted(spaces, reverse=True):
        raise _refusal(name, dict(track), accepted)
    return Track(*spaces)


def _read_gifts(gifts: Any, spaces: int) -> tuple[tuple[int, int], ...]:
    """The gifts of the quick side, one pair for each of its spaces (R55)."""
    if not _is_list(gifts):
        raise _refusal("quick_gifts", gifts, ["a list of (count, level)"])
    for index, gift in enumerate(gifts):
        if not _is_gift(gift):
            accepted = [f"(count 0 to {MAX_GIFTS}, level 1 to {MAX_LEVEL})"]
            raise _refusal(f"quick_gifts[{index}]", gift, accepted)
    if len(gifts) != spaces:
        accepted = [f"{spaces}, one for each space of quick_track easy"]
        raise _refusal("quick_gifts, number of spaces", len(gifts), accepted)
    return tuple((count, level) for count, level in gifts)


def _is_gift(gift: Any) -> bool:
    if not _is_list(gift) or len(gift) != 2:
        return False
    return _is_number(gift[0], 0, MAX_GIFTS) and _is_number(gift[1], 1, MAX_LEVEL)
