"""Saved games: as bytes, and as JSON that a player can read.

Bytes (`.tenefyr`): magic, format version, the lengths of header and record, a JSON header, the
record field by field (little-endian, without padding), and the SHA-256 of all before it.

JSON (`.json`): the state with names instead of numbers; every list of cards begins at the top.
What the configuration settles, and what follows from other fields, is not written.

A save is not trusted: nothing in it is executed, every number must fit its field, and the position
must pass the engine's invariants before anything plays on from it.
"""

import hashlib
import json
import os
import secrets
import struct
from contextlib import suppress
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from tenefyr_env.cards.card_set import CardSet
from tenefyr_env.cards.compiler import load_card_set
from tenefyr_env.config import GameConfig
from tenefyr_env.engine.invariants import FAULT_TEXT, Fault, first_faults
from tenefyr_env.engine.setup_record import RANDOM
from tenefyr_env.engine.state import (
    NO_ANSWER,
    STATE,
    new_states,
)
from tenefyr_env.save_codecs import (
    CONFIGURED,
    FIELDS,
    NUMBER,
    Json,
    SaveError,
    States,
    check_keys,
    refuse,
    state_codec,
)

FORMAT = "tenefyr game"
VERSION = 1
ORDER = "top first"  # of every list of cards
MAGIC = b"TENEFYR\n"
PREFIX = struct.Struct("<8sHII")  # magic, version, bytes of the header, bytes of the record
CHECKSUM_SIZE = hashlib.sha256().digest_size
MAX_SIZE = 1 << 20  # bytes of any save; one takes about a hundredth
MAX_LINE = 88  # characters of a JSON object that is kept on one line


@dataclass(frozen=True)
class SavedGame:
    """What a save holds: a checked position with its configuration and card set."""

    config: GameConfig
    card_set: CardSet
    states: States


# The position as a whole


def check_position(config: GameConfig, card_set: CardSet, states: States) -> None:
    """Refuse a position that the rules or the configuration cannot lead to."""
    faults = np.zeros(1, np.int64)
    first_faults(states, card_set.table, faults)
    fault = Fault(int(faults[0]))
    if fault != Fault.NONE:
        raise SaveError(f"impossible position: {FAULT_TEXT[fault]}")
    setup = _setup(config, card_set)
    for field, source in CONFIGURED.items():
        _check_agreement(field, states[field][0], setup[source][0])
    if setup["boss"][0] != RANDOM:
        _check_agreement("boss", states["boss"][0], setup["boss"][0])
    if setup["heroes"][0, 0] != RANDOM:
        _check_agreement("heroes", states["heroes"][0, : config.players], _hero_bits(setup))
    if states["gifts_left"][0] > config.steps:
        raise SaveError(
            f"impossible position: {int(states['gifts_left'][0])} spaces to the skull;"
            f" the configuration has {config.steps}"
        )


def _check_agreement(field: str, found: Any, settled: Any) -> None:
    """Refuse a position that contradicts its configuration."""
    if not np.array_equal(found, settled):
        raise SaveError(
            f"impossible position: {field} is {np.asarray(found).tolist()};"
            f" the configuration says {np.asarray(settled).tolist()}"
        )


def _setup(config: GameConfig, card_set: CardSet) -> npt.NDArray[Any]:
    """The set-up record, which knows the bosses of the card set."""
    try:
        return config.to_setup(card_set.bosses)
    except ValueError as error:
        raise SaveError(f"config: {error}") from error


def _hero_bits(setup: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The heroes of each seat as the state has them, one or two a seat (R5 to R7)."""
    players, count = int(setup["players"][0]), int(setup["num_heroes"][0])
    heroes = setup["heroes"][0, :count].reshape(players, -1)
    return np.array([sum(1 << int(hero) for hero in seat) for seat in heroes])


def _fill_derived(config: GameConfig, card_set: CardSet, states: States) -> None:
    """Set what the configuration settles and what follows from other fields."""
    setup = _setup(config, card_set)
    for field, source in CONFIGURED.items():
        states[field] = setup[source]
    states["num_turns"] = max(2, config.players)  # two in solo (R52)
    states["answer"] = NO_ANSWER
    states["legal"][0, states["options"][0, : states["num_options"][0]]] = 1


def _identity(config: GameConfig, card_set: CardSet) -> dict[str, Json]:
    """The configuration and the card set, as both formats write them."""
    return {
        "card_set": {"name": card_set.name, "version": card_set.version, "hash": card_set.hash},
        "config": config.to_dict(),
    }


def _read_identity(saved: Json, given: CardSet | None) -> tuple[GameConfig, CardSet]:
    """The configuration of a save, and its card set: the given one or the one it names."""
    config = _read_config(saved["config"])
    stored = saved["card_set"]
    check_keys(stored, ["name", "version", "hash"], "card_set")
    _text(stored["name"], "card_set.name")
    NUMBER.read(stored["version"], "card_set.version")
    _text(stored["hash"], "card_set.hash")
    card_set = given or _load_cards(config.cards)
    if stored["hash"] != card_set.hash:
        raise SaveError(
            f"card set: the save was made with {stored['name']!r} version {stored['version']}"
            f" (hash {stored['hash']}), but this is {card_set.name!r} version {card_set.version}"
            f" (hash {card_set.hash})"
        )
    return config, card_set


def _text(value: Json, where: str) -> str:
    if not isinstance(value, str):
        refuse(where, value, "a text")
    return value


def _read_config(values: Json) -> GameConfig:
    check_keys(values, [field.name for field in fields(GameConfig)], "config")
    try:
        return GameConfig.from_dict(values)
    except ValueError as error:
        raise SaveError(f"config: {error}") from error
    except RecursionError as error:  # while the error was being worded
        raise SaveError("config: a value is nested too deeply") from error


def _load_cards(cards: str) -> CardSet:
    try:
        return load_card_set(cards)
    except (ValueError, OSError) as error:
        raise SaveError(f"card set {cards!r} of the save cannot be loaded: {error}") from error


# Bytes


def _packed_layout() -> np.dtype[Any]:
    """The state without padding, little-endian: the same on every machine."""
    columns = [(name, STATE[name].base.newbyteorder("<"), STATE[name].shape) for name in FIELDS]
    return np.dtype(columns)


def _hash_layout() -> str:
    """A name for the fields of the state, their widths and shapes."""
    layout = [f"{name} {STATE[name].base.str[1:]} {STATE[name].shape}" for name in FIELDS]
    return hashlib.sha256("\n".join(layout).encode()).hexdigest()


PACKED = _packed_layout()
LAYOUT = _hash_layout()


def to_bytes(config: GameConfig, card_set: CardSet, states: States) -> bytes:
    """A game as bytes."""
    check_position(config, card_set, states)
    packed = np.zeros(1, PACKED)
    for name in FIELDS:
        packed[name] = states[name]
    header = _compact({**_identity(config, card_set), "layout": LAYOUT}).encode()
    prefix = PREFIX.pack(MAGIC, VERSION, len(header), PACKED.itemsize)
    content = prefix + header + packed.tobytes()
    return content + hashlib.sha256(content).digest()


def from_bytes(data: bytes, card_set: CardSet | None = None) -> SavedGame:
    """The game that `to_bytes` wrote."""
    header, record = _open_envelope(data)
    saved = _parse(header, "header")
    check_keys(saved, ["card_set", "config", "layout"], "header")
    if _text(saved["layout"], "header.layout") != LAYOUT or len(record) != PACKED.itemsize:
        raise SaveError(
            f"other layout of the state: {saved['layout']} with {len(record)} bytes;"
            f" accepted: {LAYOUT} with {PACKED.itemsize}"
        )
    config, cards = _read_identity(saved, card_set)
    packed = np.frombuffer(record, PACKED)
    states = new_states(1)
    for name in FIELDS:
        states[name] = packed[name]
    check_position(config, cards, states)
    return SavedGame(config, cards, states)


def _open_envelope(data: bytes) -> tuple[str, bytes]:
    """The header and the record of a save whose frame is whole."""
    if not isinstance(data, bytes | bytearray | memoryview):
        raise SaveError(f"a save of type {type(data).__name__} is not accepted; accepted: bytes")
    content = bytes(data)
    _check_size(len(content))
    if not content.startswith(MAGIC) and not MAGIC.startswith(content):
        raise SaveError(f"not a saved game: it begins with {content[:8]!r}; accepted: {MAGIC!r}")
    if len(content) < PREFIX.size:
        raise SaveError(f"truncated: {len(content)} bytes; at least {PREFIX.size} are needed")
    _, version, header_size, record_size = PREFIX.unpack_from(content)
    _check_version(version)
    _check_length(len(content), PREFIX.size + header_size + record_size + CHECKSUM_SIZE)
    body, checksum = content[:-CHECKSUM_SIZE], content[-CHECKSUM_SIZE:]
    if hashlib.sha256(body).digest() != checksum:
        raise SaveError("checksum wrong: the save has been damaged or changed")
    header = body[PREFIX.size : PREFIX.size + header_size]
    return _decode(header, "header"), body[PREFIX.size + header_size :]


def _check_size(size: int) -> None:
    if size > MAX_SIZE:
        raise SaveError(f"larger than the {MAX_SIZE} bytes accepted")


def _check_length(size: int, wanted: int) -> None:
    if size < wanted:
        raise SaveError(f"truncated: {size} bytes of {wanted}")
    if size > wanted:
        raise SaveError(f"too long: {size} bytes; the save says {wanted}")


def _check_version(version: Json) -> None:
    if NUMBER.read(version, "version") != VERSION:
        raise SaveError(f"format version {version} is not accepted; accepted: {VERSION}")


# JSON


def to_json(config: GameConfig, card_set: CardSet, states: States) -> str:
    """A game as JSON."""
    check_position(config, card_set, states)
    head = {"format": FORMAT, "version": VERSION, "order": ORDER}
    state = state_codec(card_set, config.players).write(states, (0,))
    return _spread({**head, **_identity(config, card_set), "state": state}) + "\n"


def from_json(text: str, card_set: CardSet | None = None) -> SavedGame:
    """The game that `to_json` wrote."""
    if not isinstance(text, str):
        raise SaveError(f"a save of type {type(text).__name__} is not accepted; accepted: text")
    _check_size(len(text))
    saved = _parse(text, "save")
    if not isinstance(saved, dict) or saved.get("format") != FORMAT:
        raise SaveError(f"not a saved game: accepted is an object with format {FORMAT!r}")
    _check_version(saved.get("version"))
    check_keys(saved, ["format", "version", "order", "card_set", "config", "state"], "save")
    if saved["order"] != ORDER:
        refuse("order", saved["order"], repr(ORDER))
    config, cards = _read_identity(saved, card_set)
    states = new_states(1)
    state_codec(cards, config.players).read(states, (0,), saved["state"], "state")
    _fill_derived(config, cards, states)
    check_position(config, cards, states)
    return SavedGame(config, cards, states)


def _parse(text: str, what: str) -> Json:
    """The document, without what JSON lets through: equal keys, NaN, endless nesting."""
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    except SaveError:
        raise
    except (ValueError, RecursionError) as error:
        raise SaveError(f"{what}: not JSON: {error}") from error


def _unique(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for key, value in pairs:
        if key in found:
            raise SaveError(f"key {key!r} is given twice")
        found[key] = value
    return found


def _no_constant(name: str) -> NoReturn:
    raise SaveError(f"{name} is not accepted; accepted: whole numbers")


def _compact(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def _spread(value: Json, indent: str = "") -> str:
    """JSON with a line for each entry, but plain lists and short plain objects on one line."""
    line = json.dumps(value, ensure_ascii=False)
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    is_plain = not any(isinstance(part, dict | list) for part in parts)
    if is_plain and (len(line) <= MAX_LINE or not isinstance(value, dict)):
        return line
    inner = indent + "  "
    if isinstance(value, dict):
        entries = [f"{json.dumps(key)}: {_spread(part, inner)}" for key, part in value.items()]
        return "{\n" + ",\n".join(inner + entry for entry in entries) + f"\n{indent}}}"
    return "[\n" + ",\n".join(inner + _spread(part, inner) for part in value) + f"\n{indent}]"


def _decode(data: bytes, what: str) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise SaveError(f"{what}: not text in UTF-8: {error}") from error


# Files


def save(path: str | Path, config: GameConfig, card_set: CardSet, states: States) -> None:
    """Write a game to a file; it is whole or, if anything fails, as it was."""
    target = Path(path)
    if _is_json(target):
        content = to_json(config, card_set, states).encode()
    else:
        content = to_bytes(config, card_set, states)
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}.tmp")
    try:
        with temporary.open("xb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(temporary, target)
    except OSError as error:
        raise SaveError(f"{target}: cannot be written: {error.strerror}") from error
    finally:
        with suppress(OSError):
            temporary.unlink()


def load(path: str | Path, card_set: CardSet | None = None) -> SavedGame:
    """The game of a file that `save` wrote."""
    source = Path(path)
    is_json = _is_json(source)
    try:
        with source.open("rb") as stream:
            content = stream.read(MAX_SIZE + 1)
    except FileNotFoundError:
        raise SaveError(f"{source}: no such file") from None
    except OSError as error:
        raise SaveError(f"{source}: cannot be read: {error.strerror}") from error
    try:
        _check_size(len(content))
        if is_json:
            return from_json(_decode(content, "save"), card_set)
        return from_bytes(content, card_set)
    except SaveError as error:
        raise SaveError(f"{source}: {error}") from error


def _is_json(path: Path) -> bool:
    """Whether a file's suffix asks for JSON rather than bytes."""
    suffix = path.suffix.lower()
    if suffix not in (".json", ".tenefyr"):
        raise SaveError(f"{path}: suffix {suffix!r} is not accepted; accepted: .json, .tenefyr")
    return suffix == ".json"
