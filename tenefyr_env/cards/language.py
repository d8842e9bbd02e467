"""The card language: how an effect is read and checked, and turned into rows and English.

A card file writes an effect as a list of steps, `[{draw: 1}, {may: [{discard: 1}]}]`. A step is
one verb with its fields. What there is to know about a verb stands in one `define`: the blocks
in `blocks.py`, all others in `verbs.py`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Any, TypeAlias

from tenefyr_env.cards import text
from tenefyr_env.cards.source import Node, accepting, quoted
from tenefyr_env.cards.table import NUM_LEVELS
from tenefyr_env.cards.text import Clause, Place, Voice
from tenefyr_env.cards.vocabulary import (
    Condition,
    Filter,
    From,
    Hero,
    Kind,
    Verb,
)

MAX_NESTING = 4  # blocks inside blocks
MAX_RANDOM = 6  # branches of a `random`
MAX_STEPS = 12  # of one list
REFILLING = ("return", "recover", "take")  # they bring cards back to a deck or hand

Values: TypeAlias = Mapping[str, Any]
Row: TypeAlias = tuple[int, int, int, int, int, int]  # VERB, N, WHAT, WHERE, OPTIONAL, JUMP


@dataclass(frozen=True)
class Step:
    """One checked step of an effect: a verb and the values of its fields."""

    definition: "Definition"
    values: Values


@dataclass(frozen=True)
class Setting:
    """What surrounds a step: the place it is printed in and the blocks it stands in."""

    place: Place
    kind: Kind
    blocks: tuple[str, ...] = ()

    def inside(self, block: str) -> "Setting":
        """The setting of the steps of a block."""
        return replace(self, blocks=(*self.blocks, block))


@dataclass(frozen=True)
class Field:
    """A field of a verb: how it is read, and its value when it is left out."""

    read: Callable[[Node, Setting], Any]
    default: Any = None
    required: bool = True


@dataclass(frozen=True)
class Definition:
    """All there is to know about a verb of the card language."""

    key: str  # the word in a card file
    verb: Verb
    fields: Mapping[str, Field]
    places: frozenset[Place]
    rows: Callable[[Values], list[Row]]
    words: Callable[[Values, Voice], Clause]
    only_on: Kind | None = None
    only_in: frozenset[str] | None = None  # the blocks it may stand in
    check: Callable[[Node, Values, Setting], None] = field(default=lambda *_: None)


VERBS: dict[str, Definition] = {}


def define(key: str, verb: Verb, fields: Mapping[str, Field], **rest: Any) -> None:
    """Add a verb to the language; without rows of its own it has one row with its number."""
    rest.setdefault("rows", lambda v: [row(verb, n=v[key])])
    VERBS[key] = Definition(key, verb, fields, **rest)


def row(
    verb: Verb, n: int = 0, what: int = 0, where: int = 0, optional: int = 0, jump: int = 0
) -> Row:
    """One row of the effect table."""
    return (int(verb), n, int(what), int(where), optional, jump)


def rows(steps: Sequence[Step]) -> list[Row]:
    """The rows of an effect."""
    return [line for step in steps for line in step.definition.rows(step.values)]


def clauses(steps: Sequence[Step], voice: Voice) -> list[Clause]:
    """The effect in words, a clause for each step."""
    return [step.definition.words(step.values, voice) for step in steps]


def effect_text(steps: Sequence[Step], place: Place) -> str:
    """The text of an effect as it stands on the card."""
    return text.sentences(clauses(steps, text.VOICES[place]), place)


def read_effect(node: Node, place: Place, kind: Kind) -> tuple[Step, ...]:
    """The checked steps of an effect."""
    steps = read_steps(node, Setting(place, kind))
    _check_that_games_end(node, steps, place)
    return steps


def _check_that_games_end(node: Node, steps: Sequence[Step], place: Place) -> None:
    """Refuse what would let a party go on for ever (see `engine/bound.py`)."""
    keys = [step.definition.key for step in walk(steps)]
    if place is Place.REDRAW and (refilling := [key for key in keys if key in REFILLING]):
        raise node.error(f"{refilling[0]!r} in a redraw effect would allow endless redraws")
    if "move" in keys and "save_step" in keys:
        raise node.error("an enemy that moves away cannot save steps: it could be met for ever")


def walk(steps: Sequence[Step]) -> Iterator[Step]:
    """Every step of an effect, those inside blocks included."""
    for step in steps:
        yield step
        for value in step.values.values():
            yield from walk(_steps_in(value))


def _steps_in(value: Any) -> list[Step]:
    if isinstance(value, Step):
        return [value]
    return [step for part in value for step in _steps_in(part)] if isinstance(value, tuple) else []


def heroes_named(steps: Sequence[Step]) -> set[Hero]:
    """The heroes an effect asks for."""
    asked = [step.values["if"] for step in walk(steps) if step.definition.key == "if"]
    return {Hero(number) for condition, number in asked if condition is Condition.HERO}


def read_steps(node: Node, setting: Setting) -> tuple[Step, ...]:
    if len(setting.blocks) > MAX_NESTING:
        raise node.error(f"more than {MAX_NESTING} blocks inside each other")
    items = node.items(1, MAX_STEPS)
    steps = tuple(read_step(item, setting) for item in items)
    for item, step in zip(items[:-1], steps[:-1], strict=True):
        if any(inner.definition.key == "move" for inner in walk((step,))):
            raise item.error("'move' must be the last step: the enemy is gone after it")
    return steps


def read_step(node: Node, setting: Setting) -> Step:
    definition = definition_of(node)
    _check_setting(node, definition, setting)
    required = [key for key, part in definition.fields.items() if part.required]
    given = node.mapping(required, [key for key in definition.fields if key not in required])
    values = {
        key: part.read(given[key], setting) if key in given else part.default
        for key, part in definition.fields.items()
    }
    definition.check(node, values, setting)
    return Step(definition, values)


def definition_of(node: Node) -> Definition:
    """The verb of a step; a word that is a field of another verb present is not a verb here."""
    keys = list(node.fields())
    found = [VERBS[key] for key in keys if isinstance(key, str) and key in VERBS]
    taken = {key for verb in found for key in verb.fields if key != verb.key}
    verbs = [verb for verb in found if verb.key not in taken]
    if len(verbs) == 1:
        return verbs[0]
    if verbs:
        names = ", ".join(repr(verb.key) for verb in verbs)
        raise node.error(f"one step has one verb, got {names}; write a step for each")
    if not keys:
        raise node.error(f"empty step{accepting('', VERBS)}")
    raise node.error(f"unknown verb {quoted(keys[0])}{accepting(keys[0], VERBS)}")


def _check_setting(node: Node, definition: Definition, setting: Setting) -> None:
    key = definition.key
    if setting.place not in definition.places:
        places = ", ".join(place.value for place in Place if place in definition.places)
        raise node.error(
            f"{key!r} cannot be used in a {setting.place.value} effect; accepted in: {places}"
        )
    if definition.only_on not in (None, setting.kind):
        kind = definition.only_on.name.capitalize() if definition.only_on else ""
        raise node.error(f"{key!r} is for enemies of {kind} cards only")
    allowed = definition.only_in
    if allowed is not None and (outside := [b for b in setting.blocks if b not in allowed]):
        raise node.error(
            f"{key!r} cannot stand inside {outside[-1]!r};"
            f" accepted blocks: {', '.join(sorted(allowed))}"
        )


# How fields are read.


def number(low: int, high: int) -> Field:
    """A whole number; where both signs are accepted, zero is not."""

    def read(node: Node, setting: Setting) -> int:
        value = node.integer(low, high)
        if low < 0 and value == 0:
            raise node.error(f"0 changes nothing; accepted: {low} to {high} without 0")
        return value

    return Field(read)


def mark() -> Field:
    """The `true` of a verb without a number."""
    return Field(lambda node, setting: node.true())


def word(kind: type[IntEnum], what: str) -> Field:
    """A member of an enum by its name in lower case."""
    return Field(lambda node, setting: member_of(node, kind, what))


def member_of(node: Node, kind: type[IntEnum], what: str) -> IntEnum:
    return kind[node.word([member.name.lower() for member in kind], what).upper()]


def optional(part: Field, default: Any) -> Field:
    """A field that may be left out."""
    return replace(part, default=default, required=False)


def piles(accepted: From) -> Field:
    """The piles a card is chosen from."""
    names = [pile.name.lower() for pile in From if pile in accepted and pile.name]

    def read(node: Node, setting: Setting) -> From:
        chosen = From(0)
        for item in node.items(1, len(names)):
            pile = From[item.word(names, "pile").upper()]
            if pile in chosen:
                raise item.error(f"pile {item.describe()} is given twice")
            chosen |= pile
        return chosen

    return Field(read)


def steps(block: str) -> Field:
    """The steps of a block."""
    return Field(lambda node, setting: read_steps(node, setting.inside(block)))


def branches(block: str, most: int) -> Field:
    """The alternatives of a block, each a list of steps."""

    def read(node: Node, setting: Setting) -> tuple[tuple[Step, ...], ...]:
        return tuple(read_steps(item, setting.inside(block)) for item in node.items(2, most))

    return Field(read)


FILTER = optional(word(Filter, "filter"), Filter.ANY)
UP_TO = optional(mark(), False)
LEVEL = number(1, NUM_LEVELS)

# Where verbs may be used.
ENEMY_PLACES = frozenset({Place.START, Place.TURN, Place.REDRAW, Place.END})
COMBAT = ENEMY_PLACES | {Place.PLAY}
ANYWHERE = COMBAT | {Place.REWARD}
# When the enemy has fallen nobody can use power or a hand any more.
FIGHTING = COMBAT - {Place.END}
# Before the first turn all hands are empty.
WITH_A_HAND = FIGHTING - {Place.START}
AFTERWARDS = frozenset({Place.END, Place.REWARD})
