"""Saved games: as bytes, small and exact, or as JSON that a person can read.

Both name the format's version, the configuration and the card set; loading checks them, then checks
the position itself before the engine may touch it. Nothing in a save is ever executed.
"""

import hashlib
import json
import struct
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from enum import IntEnum
from math import prod
from typing import Any

import numpy as np

from tenefyr_env.cards.card_set import CardSet
from tenefyr_env.cards.table import NUM_CARDS
from tenefyr_env.cards.vocabulary import Kind
from tenefyr_env.engine.state import (
    MAX_EVENTS,
    STATE,
    Decision,
    Event,
    Leaving,
    Outcome,
    Phase,
    new_states,
)
from tenefyr_env.engine.words import action_name, parse_action

MAGIC = b"TENEFYR\x00"
FORMAT = "tenefyr-save"
VERSION = 1
MAX_BYTES = 1 << 20  # a save is some 5 kB of bytes or 20 kB of JSON
HEAD = struct.Struct("<HI")  # version, length of the header
DIGEST = hashlib.sha256().digest_size
LITTLE = STATE.newbyteorder("<")  # saves are the same on every machine


class SaveError(ValueError):
    """A save that cannot be loaded."""


def layout_hash() -> str:
    """A name for the fields of a game: other fields, other name."""
    fields = [(name, LITTLE[name].base.str, LITTLE[name].shape) for name in STATE.names or ()]
    return hashlib.sha256(repr(fields).encode()).hexdigest()


def card_set_name(card_set: CardSet) -> dict[str, Any]:
    """How a save names its card set."""
    return {"name": card_set.name, "version": card_set.version, "hash": card_set.hash}


def check_card_set(saved: Any, card_set: CardSet) -> None:
    """Refuse a game that was played with other cards."""
    if not isinstance(saved, dict) or set(saved) != {"name", "version", "hash"}:
        raise SaveError(f"save: card_set {saved!r}: accepted is a mapping of name, version, hash")
    if saved["hash"] != card_set.hash:
        raise SaveError(
            f"save: played with the card set {saved['name']} {str(saved['hash'])[:12]},"
            f" not with {card_set.name} {card_set.hash[:12]}"
        )


# Bytes


def to_bytes(config: dict[str, Any], card_set: CardSet, states: Any) -> bytes:
    """A game as bytes."""
    header = {"config": config, "card_set": card_set_name(card_set), "layout": layout_hash()}
    text = json.dumps(header, sort_keys=True).encode()
    body: bytes = MAGIC + HEAD.pack(VERSION, len(text)) + text + states.astype(LITTLE).tobytes()
    return body + hashlib.sha256(body).digest()


def split_bytes(data: bytes) -> tuple[dict[str, Any], bytes]:
    """The header and the record of a save."""
    if len(data) > MAX_BYTES:
        raise SaveError(f"save: {len(data)} bytes; accepted are at most {MAX_BYTES}")
    if not data.startswith(MAGIC):
        raise SaveError(f"save: begins with {data[:8]!r}: not a saved game of Tenefyr")
    start = len(MAGIC) + HEAD.size
    if len(data) < start + DIGEST:
        raise SaveError(f"save: {len(data)} bytes: it is cut off")
    version, length = HEAD.unpack_from(data, len(MAGIC))
    if version != VERSION:
        raise SaveError(f"save: format version {version}; accepted is {VERSION}")
    size = start + length + STATE.itemsize + DIGEST
    header = (
        read_json(data[start : start + length], "header") if len(data) >= start + length else {}
    )
    if header and header.get("layout") != layout_hash():
        raise SaveError(f"save: layout {str(header.get('layout'))[:12]}: of another engine version")
    if len(data) != size:
        raise SaveError(f"save: {len(data)} bytes instead of {size}: it is cut off or has a tail")
    if hashlib.sha256(data[:-DIGEST]).digest() != data[-DIGEST:]:
        raise SaveError("save: the checksum is wrong: it was damaged")
    return header, data[start + length : -DIGEST]


def states_from_bytes(record: bytes) -> Any:
    """The record of a save as the engine takes it."""
    return np.frombuffer(record, LITTLE).astype(STATE)


# JSON


def _no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise SaveError(f"save: key {key!r} is given twice")
        found[key] = value
    return found


def read_json(data: str | bytes, what: str) -> dict[str, Any]:
    """A JSON mapping."""
    if len(data) > MAX_BYTES:
        raise SaveError(f"save: {what} of {len(data)} bytes; accepted are at most {MAX_BYTES}")
    try:
        found = json.loads(data, object_pairs_hook=_no_twins)
    except (ValueError, RecursionError) as error:
        if isinstance(error, SaveError):
            raise
        raise SaveError(f"save: {what} is not JSON: {error}") from None
    if not isinstance(found, dict):
        raise SaveError(f"save: {what} is {type(found).__name__}; accepted is a mapping")
    return found


def check_keys(found: dict[str, Any], accepted: Iterable[str], what: str) -> None:
    """Refuse missing and unknown keys."""
    wanted = list(accepted)
    for key in found:
        if key not in wanted:
            raise SaveError(f"save: {what}: unknown key {key!r}{_hint(key, wanted)}")
    for key in wanted:
        if key not in found:
            raise SaveError(f"save: {what}: {key!r} is missing")


def _hint(given: Any, accepted: Iterable[str]) -> str:
    close = get_close_matches(str(given), list(accepted), n=1)
    return f" (did you mean {close[0]!r}?)" if close else ""


def to_json(config: dict[str, Any], card_set: CardSet, states: Any) -> str:
    """A game as JSON: piles are lists of card names, the top card last."""
    names = Names(card_set)
    state = {key: codec.write(states, names) for key, codec in CODECS.items()}
    saved = {
        "format": FORMAT,
        "version": VERSION,
        "card_set": card_set_name(card_set),
        "config": config,
        "state": state,
    }
    return json.dumps(saved, indent=1)


def split_json(text: str) -> dict[str, Any]:
    """The parts of a JSON save."""
    saved = read_json(text, "text")
    if saved.get("format") != FORMAT:
        raise SaveError(f"save: format {saved.get('format')!r}: not a saved game of Tenefyr")
    if saved.get("version") != VERSION:
        raise SaveError(f"save: format version {saved.get('version')!r}; accepted is {VERSION}")
    check_keys(saved, ("format", "version", "card_set", "config", "state"), "save")
    if not isinstance(saved["state"], dict):
        raise SaveError("save: state: accepted is a mapping")
    return saved


def states_from_json(state: dict[str, Any], card_set: CardSet) -> Any:
    """The state of a JSON save as the engine takes it."""
    check_keys(state, CODECS, "state")
    states = new_states(1)
    names = Names(card_set)
    for key, codec in CODECS.items():
        codec.read(states, state[key], names)
    return states


class Names:
    """The cards of a set by name: as held in a deck, and as an enemy."""

    def __init__(self, card_set: CardSet) -> None:
        self.card_set = card_set
        cards = [card for card in card_set.cards if card is not None]
        self.held = {card.name: card.id for card in cards if card.kind != Kind.BOSS}
        self.enemies = {card.enemy_name: card.id for card in cards if card.enemy_name}
        boss = {f"boss card {c.enemy_name}": c.id for c in cards if c.kind == Kind.BOSS}
        self.any = {**self.held, **boss}

    def find(self, name: Any, ids: dict[str, int], what: str) -> int:
        """A card by name."""
        if not isinstance(name, str) or name not in ids:
            raise SaveError(f"save: {what}: card {name!r} is not in the set{_hint(name, ids)}")
        return ids[name]


def name_of(card: int, ids: dict[str, int]) -> str:
    """A card's name among those given."""
    return next(name for name, number in ids.items() if number == card)


@dataclass(frozen=True)
class Codec:
    """How a part of the state is written to JSON and read back."""

    write: Callable[[Any, Names], Any]
    read: Callable[[Any, Any, Names], None]


def put_numbers(states: Any, field: str, value: Any) -> None:
    """Fill a field from nested lists of whole numbers that fit it."""
    target = states[field]
    shape = target.shape[1:]
    flat = [value] if not shape else list(flatten(value, shape, field))
    bounds = np.iinfo(target.dtype)
    for number in flat:
        if not isinstance(number, int) or isinstance(number, bool):
            raise SaveError(f"save: {field}: {number!r}: accepted are whole numbers")
        if not bounds.min <= number <= bounds.max:
            raise SaveError(f"save: {field}: {number}: accepted are {bounds.min} to {bounds.max}")
    target[...] = np.array(flat, target.dtype).reshape(target.shape)


def flatten(value: Any, shape: tuple[int, ...], field: str) -> Iterable[Any]:
    """The entries of nested lists of a given shape."""
    if not isinstance(value, list) or len(value) != shape[0]:
        raise SaveError(
            f"save: {field}: accepted are lists of {' x '.join(map(str, shape))} entries"
        )
    for item in value:
        yield from flatten(item, shape[1:], field) if len(shape) > 1 else [item]


def numbers(field: str) -> Codec:
    """A field as it is."""
    return Codec(
        lambda states, names: states[field][0].tolist(),
        lambda states, value, names: put_numbers(states, field, value),
    )


def word(field: str, kind: type[IntEnum]) -> Codec:
    """A field that is a member of an enum, by its name."""

    def read(states: Any, value: Any, names: Names) -> None:
        accepted = [member.name.lower() for member in kind]
        if value not in accepted:
            raise SaveError(f"save: {field}: {value!r}: accepted are {', '.join(accepted)}")
        states[field] = kind[value.upper()]

    return Codec(lambda states, names: kind(int(states[field][0])).name.lower(), read)


def card_rows(field: str, sizes: str, shape: tuple[int, ...], which: str) -> Codec:
    """A field of piles with their sizes, as lists of card names, the top card last."""
    rows, width = prod(shape[:-1]), shape[-1]

    def write(states: Any, names: Names) -> list[list[str]]:
        ids = getattr(names, which)
        cards = states[field].reshape(rows, width)
        counts = states[sizes].reshape(rows)
        return [[name_of(int(c), ids) for c in cards[i, : counts[i]]] for i in range(rows)]

    def read(states: Any, value: Any, names: Names) -> None:
        if not isinstance(value, list) or len(value) != rows:
            raise SaveError(f"save: {field}: accepted are {rows} lists of cards")
        for row, pile in enumerate(value):
            if not isinstance(pile, list) or len(pile) > width:
                raise SaveError(f"save: {field}: pile {row}: accepted are up to {width} cards")
            ids = [names.find(name, getattr(names, which), field) for name in pile]
            states[field].reshape(rows, width)[row, : len(ids)] = ids
            states[sizes].reshape(rows)[row] = len(ids)

    return Codec(write, read)


def card_counts(field: str) -> Codec:
    """A field with an entry for every card, as a mapping of those that are not 0."""

    def write(states: Any, names: Names) -> dict[str, int]:
        row = states[field][0]
        return {name_of(int(card), names.any): int(row[card]) for card in np.flatnonzero(row)}

    def read(states: Any, value: Any, names: Names) -> None:
        if not isinstance(value, dict):
            raise SaveError(f"save: {field}: accepted is a mapping of card names to numbers")
        entries = [0] * NUM_CARDS
        for name, count in value.items():
            entries[names.find(name, names.any, field)] = count
        put_numbers(states, field, entries)

    return Codec(write, read)


def _write_options(states: Any, names: Names) -> list[str]:
    count = states["num_options"][0]
    return [action_name(int(a), names.card_set) for a in states["options"][0][:count]]


def _read_options(states: Any, value: Any, names: Names) -> None:
    capacity = states["options"].shape[1]
    if not isinstance(value, list) or len(value) > capacity:
        raise SaveError(f"save: options: accepted are lists of up to {capacity} actions")
    for slot, name in enumerate(value):
        try:
            action = parse_action(name, names.card_set) if isinstance(name, str) else None
        except ValueError as error:
            raise SaveError(f"save: options: {error}") from None
        if action is None:
            raise SaveError(f"save: options: {name!r}: accepted are names of actions")
        states["options"][0, slot] = action
        states["legal"][0, action] = 1
    states["num_options"] = len(value)


def _write_events(states: Any, names: Names) -> list[list[Any]]:
    count = min(int(states["num_events"][0]), MAX_EVENTS)
    rows, values = states["event"][0][:count].tolist(), states["event_number"][0][:count].tolist()
    return [
        [Event(kind).name.lower(), seat, card, number]
        for (kind, seat, card), number in zip(rows, values, strict=True)
    ]


def _read_events(states: Any, value: Any, names: Names) -> None:
    if not isinstance(value, list) or len(value) > MAX_EVENTS:
        raise SaveError(f"save: events: accepted are lists of up to {MAX_EVENTS} events")
    kinds = {event.name.lower(): int(event) for event in Event}
    rows, values = np.zeros((MAX_EVENTS, 3), int).tolist(), [0] * MAX_EVENTS
    for slot, event in enumerate(value):
        if not isinstance(event, list) or len(event) != 4 or event[0] not in kinds:
            raise SaveError(f"save: events: {event!r}: accepted are [event, seat, card, number]")
        rows[slot] = [kinds[event[0]], event[1], event[2]]
        values[slot] = event[3]
    put_numbers(states, "event", rows)
    put_numbers(states, "event_number", values)


# Parts that have a form of their own; what they fill is not written again.
SPECIAL = {
    "outcome": word("outcome", Outcome),
    "phase": word("phase", Phase),
    "leaving": word("leaving", Leaving),
    "decision": word("decision", Decision),
    "dungeon_cards": card_rows(
        "dungeon_cards", "dungeon_size", STATE["dungeon_cards"].shape, "enemies"
    ),
    "reserve": card_rows("reserve", "reserve_size", STATE["reserve"].shape, "enemies"),
    "piles": card_rows("piles", "pile_size", STATE["piles"].shape, "held"),
    "is_returned": card_counts("is_returned"),
    "out_of_play": card_counts("out_of_play"),
    "options": Codec(_write_options, _read_options),
    "event": Codec(_write_events, _read_events),
}
DERIVED = {"dungeon_size", "reserve_size", "pile_size", "num_options", "legal", "event_number"}
CODECS = {
    name: SPECIAL.get(name) or numbers(name)
    for name in STATE.names or ()
    if name not in DERIVED and not name.startswith("gap_")
}
