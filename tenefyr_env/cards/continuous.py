"""The continuous rules of enemies (R32), written under `always`: each fills columns of the table.

A new rule is one entry here and one column in the table.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tenefyr_env.cards import text
from tenefyr_env.cards.source import Node, accepting, quoted
from tenefyr_env.cards.vocabulary import Count

# "You" would be nobody in a rule that holds for the whole combat.
TABLE_COUNTS = [count for count in Count if "YOU" not in count.name]


@dataclass(frozen=True)
class Rule:
    """One continuous rule: how it is read into columns, and its words."""

    fields: tuple[str, ...]
    read: Callable[[Mapping[str | int, Node]], dict[str, int]]  # the table columns it sets
    words: Callable[[Mapping[str, int]], str]


def _number(column: str, low: int, high: int, words: Callable[[int], str]) -> Rule:
    def read(fields: Mapping[str | int, Node]) -> dict[str, int]:
        value = fields[column].integer(low, high)
        if value == 0:
            raise fields[column].error(f"0 changes nothing; accepted: {low} to {high} without 0")
        return {column: value}

    return Rule((column,), read, lambda columns: words(columns[column]))


def _mark(column: str, words: str) -> Rule:
    return Rule((column,), lambda fields: {column: int(fields[column].true())}, lambda _: words)


def _size(change: int) -> str:
    return f"{text.plural(abs(change), 'card')} {'larger' if change > 0 else 'smaller'}"


def _read_power_per(fields: Mapping[str | int, Node]) -> dict[str, int]:
    names = [count.name.lower() for count in TABLE_COUNTS]
    count = Count[fields["power_per"].word(names, "count of the whole table").upper()]
    each = fields["each"].integer(-5, 5)
    if each == 0:
        raise fields["each"].error("0 changes nothing; accepted: -5 to 5 without 0")
    return {"power_each": each, "power_count": int(count)}


def _power_per_words(columns: Mapping[str, int]) -> str:
    thing = text.counted(Count(columns["power_count"]), text.VOICES[text.Place.START])
    return f"this enemy gets {text.signed(columns['power_each'])} for each {thing}"


RULES: dict[str, Rule] = {
    "basics": _number("basics", -3, 3, lambda n: f"all Basic cards get {text.signed(n)}"),
    "loot": _number("loot", -5, 5, lambda n: f"all loot cards get {text.signed(n)}"),
    "hand": _number("hand", -2, 3, lambda n: f"every hand is {_size(n)}"),
    "starter_hand": _number(
        "starter_hand", -2, 3, lambda n: f"the starting player's hand is {_size(n)}"
    ),
    "power_per": Rule(("power_per", "each"), _read_power_per, _power_per_words),
    "no_redraw": _mark("no_redraw", "players cannot redraw"),
    "no_skills": _mark("no_skills", "Skill cards give their power only"),
}


def read_rules(node: Node) -> tuple[dict[str, int], str]:
    """The table columns of an enemy's continuous rules, and their text."""
    columns: dict[str, int] = {}
    words: list[str] = []
    seen: set[str] = set()
    for item in node.items(1, len(RULES)):
        names = [str(key) for key in item.fields() if key in RULES]
        if not names:
            given = next(iter(item.fields()), "")
            raise item.error(f"unknown rule {quoted(given)}{accepting(given, RULES)}")
        rule = RULES[names[0]]
        if names[0] in seen:
            raise item.error(f"rule {names[0]!r} is given twice")
        seen.add(names[0])
        set_here = rule.read(item.mapping(rule.fields))
        columns |= set_here
        words.append(text.sentence(rule.words(set_here)))
    return columns, " ".join(words)
