"""The parts of a game as JSON and back: names instead of numbers, every list from the top.

Every value is checked as it is read: a number that does not fit its field is an error.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from enum import IntEnum
from typing import Any, NoReturn, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from tenefyr_env.cards.card_set import CardSet
from tenefyr_env.cards.table import NUM_LEVELS
from tenefyr_env.cards.vocabulary import Boost, Hero, Pile, Span
from tenefyr_env.engine.actions import NUM_ACTIONS
from tenefyr_env.engine.state import (
    MAX_EVENTS,
    MAX_FRAMES,
    NO_BOSS,
    NO_CARD,
    NO_DUNGEON,
    NO_REWARD,
    NOBODY,
    NUM_DUNGEONS,
    PARTY,
    STATE,
    Decision,
    Event,
    Leaving,
    Outcome,
    Phase,
)
from tenefyr_env.engine.words import action_name, dungeon_name

MAX_LISTED = 12  # accepted names that an error lists

Json: TypeAlias = Any
States: TypeAlias = npt.NDArray[Any]  # shape (1,), dtype STATE
Place: TypeAlias = tuple[int, ...]  # in an array of the state; the first index is the game, 0

# Without the gaps that the alignment of a machine leaves between them.
FIELDS = tuple(name for name in STATE.names or () if not name.startswith("gap_"))
# Fields that the configuration settles, and the fields of the set-up record they are read from.
CONFIGURED = {
    "players": "players",
    "difficulty": "difficulty",
    "is_quick": "quick",
    "is_vote": "vote",
    "has_open_hands": "open_hands",
    "takes_single_options": "take_single_options",
    "gift_count": "gift_count",
    "gift_level": "gift_level",
}
DERIVED = ("num_turns", "legal", "answer")  # from other fields, or always the same


class SaveError(ValueError):
    """A save that cannot be read, or a game that cannot be saved."""


# One number of the state as a value of JSON


class Value(Protocol):
    """How a number of the state is written."""

    def write(self, number: int) -> Json:
        """The number as JSON."""

    def read(self, value: Json, where: str) -> int:
        """The number that JSON means; `where` is for the error."""


def refuse(where: str, value: Json, accepted: str) -> NoReturn:
    """The error that names the place, the value and what is accepted."""
    if isinstance(value, dict | list):
        shown = "an object" if isinstance(value, dict) else "a list"
    else:
        shown = json.dumps(value, ensure_ascii=False)
    raise SaveError(f"{where}: {shown} is not accepted; accepted: {accepted}")


@dataclass(frozen=True)
class Number:
    """A number as it is, null for `none`; whether it fits is checked where it is stored."""

    none: int | None = None

    def write(self, number: int) -> Json:
        return None if number == self.none else number

    def read(self, value: Json, where: str) -> int:
        if value is None and self.none is not None:
            return self.none
        if type(value) is not int or value == self.none:
            refuse(where, value, _or_null("a whole number", self.none))
        return value


class Flag:
    """A yes or no."""

    def write(self, number: int) -> Json:
        return bool(number)

    def read(self, value: Json, where: str) -> int:
        if type(value) is not bool:
            refuse(where, value, "true or false")
        return int(value)


class Name:
    """The name of a card, an action, a phase ...; null where there is none."""

    def __init__(self, what: str, names: Mapping[int, str], none: int | None = None) -> None:
        self.what = what
        self.names = _distinct(names)
        self.numbers = {name: number for number, name in self.names.items()}
        self.none = none

    def write(self, number: int) -> Json:
        return None if number == self.none else self.names[number]

    def read(self, value: Json, where: str) -> int:
        if value is None and self.none is not None:
            return self.none
        if not isinstance(value, str):
            refuse(where, value, _or_null(f"the name of a {self.what}", self.none))
        if value not in self.numbers:
            raise SaveError(f"{where}: unknown {self.what} {value!r}{_hint(value, self.numbers)}")
        return self.numbers[value]


class Heroes:
    """What a seat counts as: a list of heroes (R6)."""

    def __init__(self) -> None:
        self.hero = _enum("hero", Hero)

    def write(self, number: int) -> Json:
        return [self.hero.write(hero) for hero in Hero if number >> hero & 1]

    def read(self, value: Json, where: str) -> int:
        heroes = [self.hero.read(each, where) for each in _list(value, where)]
        if heroes != sorted(set(heroes)):
            refuse(where, value, f"different heroes in the order {', '.join(self.hero.numbers)}")
        return sum(1 << hero for hero in heroes)


NUMBER = Number()
SEAT = Number(NOBODY)
FLAG = Flag()


def _or_null(accepted: str, none: int | None) -> str:
    return accepted if none is None else f"{accepted}, or null"


def _distinct(names: Mapping[int, str]) -> dict[int, str]:
    """The names, with the number behind those that two have: a loot may be named like a boss."""
    written = list(names.values())
    return {n: f"{name} #{n}" if written.count(name) > 1 else name for n, name in names.items()}


def _words(kind: type[IntEnum]) -> list[str]:
    return [member.name.lower() for member in kind]


def _enum(what: str, kind: type[IntEnum]) -> Name:
    return Name(what, dict(zip(kind, _words(kind), strict=True)))


def _hint(name: str, accepted: Iterable[str]) -> str:
    """What may have been meant, or what is accepted where that is a short list."""
    names = list(accepted)
    close = get_close_matches(name, names, n=1)
    if close:
        return f"; did you mean {close[0]!r}?"
    listed = f"{len(names)} names" if len(names) > MAX_LISTED else ", ".join(names)
    return f"; accepted: {listed}"


# Fields of the state as parts of a JSON document


class Codec(Protocol):
    """How fields of the state are written, at a place of their arrays."""

    def write(self, states: States, at: Place) -> Json:
        """The fields as JSON."""

    def read(self, states: States, at: Place, value: Json, where: str) -> None:
        """Fill the fields from JSON."""


def _store(states: States, field: str, at: Place, number: int, where: str) -> None:
    """Set one number, if it fits the field."""
    array = states[field]
    bounds = np.iinfo(array.dtype)
    if not bounds.min <= number <= bounds.max:
        raise SaveError(f"{where}: {number} does not fit; accepted: {bounds.min} to {bounds.max}")
    array[at] = number


def _list(value: Json, where: str, low: int = 0, high: int | None = None) -> list[Json]:
    """The value, if it is a list of an accepted length."""
    if not isinstance(value, list):
        refuse(where, value, "a list")
    if len(value) < low or (high is not None and len(value) > high):
        accepted = f"{low}" if low == high else f"{low} to {high}"
        raise SaveError(f"{where}: {len(value)} entries are not accepted; accepted: {accepted}")
    return value


def check_keys(value: Json, keys: Sequence[str], where: str) -> None:
    """Refuse anything but an object with exactly these keys."""
    if not isinstance(value, dict):
        refuse(where, value, f"an object with the keys {', '.join(keys)}")
    for key in value:
        if key not in keys:
            raise SaveError(f"{where}: unknown key {key!r}{_hint(key, keys)}")
    for key in keys:
        if key not in value:
            raise SaveError(f"{where}: key {key!r} is missing")


@dataclass(frozen=True)
class One:
    """A single number."""

    field: str
    value: Value = NUMBER

    def write(self, states: States, at: Place) -> Json:
        return self.value.write(int(states[self.field][at]))

    def read(self, states: States, at: Place, value: Json, where: str) -> None:
        _store(states, self.field, at, self.value.read(value, where), where)


@dataclass(frozen=True)
class Row:
    """A row of numbers: all of it, or as many as the field `size` says."""

    field: str
    value: Value = NUMBER
    size: str = ""
    inner: Place = ()  # a further index of the field: the pile of a player
    size_inner: Place = ()  # and of its size
    is_pile: bool = False  # written from the top, which is the last
    is_beside: bool = False  # another row has settled the size

    def write(self, states: States, at: Place) -> Json:
        row = states[self.field][at + self.inner]
        count = int(states[self.size][at + self.size_inner]) if self.size else len(row)
        written = [self.value.write(int(number)) for number in row[:count]]
        return written[::-1] if self.is_pile else written

    def read(self, states: States, at: Place, value: Json, where: str) -> None:
        place, size_place = at + self.inner, at + self.size_inner
        settles_size = self.size and not self.is_beside
        most = len(states[self.field][place])
        if self.is_beside:
            most = int(states[self.size][size_place])
        written = _list(value, where, 0 if settles_size else most, most)
        for index, each in enumerate(written):
            slot = len(written) - 1 - index if self.is_pile else index
            label = f"{where}[{index}]"
            _store(states, self.field, (*place, slot), self.value.read(each, label), label)
        if settles_size:
            _store(states, self.size, size_place, len(written), where)


@dataclass(frozen=True)
class Tally:
    """What is not zero, by name."""

    field: str
    names: Name
    value: Value = NUMBER

    def write(self, states: States, at: Place) -> Json:
        numbers = states[self.field][at]
        return {
            name: self.value.write(int(numbers[number]))
            for number, name in self.names.names.items()
            if numbers[number]
        }

    def read(self, states: States, at: Place, value: Json, where: str) -> None:
        if not isinstance(value, dict):
            refuse(where, value, f"an object with the name of each {self.names.what}")
        for name, each in value.items():
            label = f"{where}.{name}"
            place = (*at, self.names.read(name, where))
            _store(states, self.field, place, self.value.read(each, label), label)


@dataclass(frozen=True)
class Group:
    """An object of several parts."""

    parts: Mapping[str, Codec]

    def write(self, states: States, at: Place) -> Json:
        return {key: part.write(states, at) for key, part in self.parts.items()}

    def read(self, states: States, at: Place, value: Json, where: str) -> None:
        check_keys(value, list(self.parts), where)
        for key, part in self.parts.items():
            part.read(states, at, value[key], f"{where}.{key}")


@dataclass(frozen=True)
class Each:
    """An object with one entry for each index of an array."""

    keys: Sequence[str]
    part: Codec

    def write(self, states: States, at: Place) -> Json:
        return {key: self.part.write(states, (*at, i)) for i, key in enumerate(self.keys)}

    def read(self, states: States, at: Place, value: Json, where: str) -> None:
        check_keys(value, self.keys, where)
        for index, key in enumerate(self.keys):
            self.part.read(states, (*at, index), value[key], f"{where}.{key}")


@dataclass(frozen=True)
class Several:
    """A list with one entry for each index: a fixed number, or as many as a field says."""

    part: Codec
    room: int
    size: str = ""

    def write(self, states: States, at: Place) -> Json:
        count = int(states[self.size][at]) if self.size else self.room
        return [self.part.write(states, (*at, index)) for index in range(count)]

    def read(self, states: States, at: Place, value: Json, where: str) -> None:
        written = _list(value, where, 0 if self.size else self.room, self.room)
        for index, each in enumerate(written):
            self.part.read(states, (*at, index), each, f"{where}[{index}]")
        if self.size:
            _store(states, self.size, at, len(written), where)


class Log:
    """The events since the last decision, the oldest first: [event, player, card, number].

    Of a long stretch only the last are kept, in a ring; `lost` says how many came before them.
    """

    def __init__(self, card: Name, reward: Name) -> None:
        self.event = _enum("event", Event)
        self.card, self.reward = card, reward

    def write(self, states: States, at: Place) -> Json:
        total = int(states["num_events"][at])
        lost = max(0, total - MAX_EVENTS)
        told = [self._write(states, (*at, i % MAX_EVENTS)) for i in range(lost, total)]
        return {"lost": lost, "told": told}

    def _write(self, states: States, at: Place) -> Json:
        event, player, card = (int(number) for number in states["event"][at])
        named = (self.reward if event == Event.REWARD else self.card).write(card)
        number = int(states["event_number"][at])
        return [self.event.write(event), SEAT.write(player), named, number]

    def read(self, states: States, at: Place, value: Json, where: str) -> None:
        check_keys(value, ["lost", "told"], where)
        lost = NUMBER.read(value["lost"], f"{where}.lost")
        least = MAX_EVENTS if lost else 0  # nothing is lost before the ring is full
        told = _list(value["told"], f"{where}.told", least, MAX_EVENTS)
        _store(states, "num_events", at, lost + len(told), where)
        for index, each in enumerate(told):
            place = (*at, (lost + index) % MAX_EVENTS)
            self._read(states, place, each, f"{where}.told[{index}]")

    def _read(self, states: States, at: Place, value: Json, where: str) -> None:
        event, player, card, number = _list(value, where, 4, 4)
        kind = self.event.read(event, where)
        named = (self.reward if kind == Event.REWARD else self.card).read(card, where)
        for column, each in enumerate((kind, SEAT.read(player, where), named)):
            _store(states, "event", (*at, column), each, where)
        _store(states, "event_number", at, NUMBER.read(number, where), where)


# The table of all fields


def state_codec(card_set: CardSet, players: int) -> Group:
    """How the state of a game with this card set is written: every field but the derived."""
    cards = [card for card in card_set.cards if card is not None]
    card = Name("card", {c.id: card_set.card_name(c.id) for c in cards}, NO_CARD)
    source = Name("card", {**card.names, PARTY: "the party"}, NO_CARD)
    rewards = {r.id: r.name for r in card_set.rewards if r is not None}
    reward = Name("reward", rewards, NO_REWARD)
    action = Name("action", {n: action_name(n, card_set) for n in range(NUM_ACTIONS)})
    dungeons = [dungeon_name(dungeon) for dungeon in range(NUM_DUNGEONS)]
    boost = _words(Boost), _words(Span)
    return Group(
        {
            "random": Row("rng"),
            "outcome": One("outcome", _enum("outcome", Outcome)),
            "phase": One("phase", _enum("phase", Phase)),
            "starter": One("starter"),
            "boss": One("boss", Name("boss", dict(enumerate(card_set.bosses)), NO_BOSS)),
            "dungeon": One("dungeon", Name("dungeon", dict(enumerate(dungeons)), NO_DUNGEON)),
            "leaving": One("leaving", _enum("way of leaving", Leaving)),
            "steps_left": One("steps_left"),
            "saved_steps": One("saved_steps"),
            "gifts_left": One("gifts_left"),
            "gift_cards": One("gift_cards"),
            "gift": One("gift", card),
            "rewards_chosen": One("rewards_chosen"),
            "boost": Each(boost[0], Each(boost[1], One("boost"))),
            "boost_now": Each(boost[0], Each(boost[1], One("boost_now"))),
            "decision": _decision_codec(card, action),
            "players": Several(_player_codec(card), players),
            "dungeons": Each(dungeons, _dungeon_codec(card_set, reward)),
            "reserve": Each(_levels(), Row("reserve", card, "reserve_size", is_pile=True)),
            "returned": Tally("is_returned", card, FLAG),
            "out_of_play": Tally("out_of_play", card),
            "combat": _combat_codec(),
            "effects": Several(_effect_codec(source), MAX_FRAMES, "num_frames"),
            "events": Log(card, reward),
            "statistics": _statistics_codec(),
        }
    )


def _levels() -> list[str]:
    return [f"level {level + 1}" for level in range(NUM_LEVELS)]


def _decision_codec(card: Name, action: Name) -> Group:
    """What is being asked, and the votes already given."""
    return Group(
        {
            "kind": One("decision", _enum("decision", Decision)),
            "player": One("decider", SEAT),
            "card": One("decision_card", card),
            "is_joint": One("is_joint", FLAG),
            "options": Row("options", action, "num_options"),
            "votes": Row("votes", action, "num_votes"),
        }
    )


def _player_codec(card: Name) -> Group:
    """One player: heroes, counters and piles."""
    numbers = ("power", "hand_bonus", "num_shown", "redraws", "loot_taken")
    parts: dict[str, Codec] = {"heroes": One("heroes", Heroes())}
    parts |= {name: One(name) for name in numbers}
    for pile in Pile:
        place = (int(pile),)
        parts[pile.name.lower()] = Row("piles", card, "pile_size", place, place, is_pile=True)
    played = (int(Pile.PLAYED),)
    parts["played_power"] = Row(
        "played_power", NUMBER, "pile_size", (), played, is_pile=True, is_beside=True
    )
    return Group(parts)


def _dungeon_codec(card_set: CardSet, reward: Name) -> Group:
    """One dungeon: its enemies, and which of them are known."""
    enemies = {c.id: c.enemy_name for c in card_set.cards if c is not None and c.enemy_name}
    size = "dungeon_size"
    return Group(
        {
            "level": One("dungeon_level"),
            "reward": One("reward", reward),
            "cards": Row("dungeon_cards", Name("enemy", enemies), size, is_pile=True),
            "known": Row("is_known", FLAG, size, is_pile=True, is_beside=True),
        }
    )


def _combat_codec() -> Group:
    """The current combat, as far as it is no single player's."""
    return Group(
        {
            "turn": One("turn"),
            "party_power": One("party_power"),
            "enemy_bonus": One("enemy_bonus"),
            "redraws": One("redraws_now"),
            "has_moved": One("has_moved", FLAG),
            "has_deathstrike": One("has_deathstrike", FLAG),
        }
    )


def _effect_codec(source: Name) -> Group:
    """An effect being resolved: rows of the card table, and answers already given."""
    return Group(
        {
            "source": One("frame_card", source),
            "player": One("frame_seat"),
            "row": One("frame_row"),
            "last": One("frame_last"),
            "answers": Row("frame_memory"),
        }
    )


def _statistics_codec() -> Group:
    """What is counted over the whole game (A1 to A21)."""
    counts = ("num_decisions", "rewards_taken", "combats_won", "combats_lost", "steps_spent")
    flags = ("finished_with_deathstrike", "beat_lost_goblin", "beat_boss_in_one_turn")
    parts: dict[str, Codec] = {name: One(name) for name in (*counts, "boss_stages", "best_power")}
    parts |= {name: One(name, FLAG) for name in flags}
    parts |= {name: Each(_levels(), One(name)) for name in ("cleared", "entered")}
    return Group({**parts, "skill_uses": Each(_words(Hero), One("skill_uses"))})
