"""The action space in words: every action has a number and a name, and belongs to a section.

    ACTIONS["card"]                    the numbers of all card actions, as a slice
    action_number("dungeon 3")         8
    action_name(8)                     "dungeon 3"
    section_of(8)                      ("dungeon", 2)

The numbers are the engine's (`engine/actions.py`), the names are those of `engine/words.py`.
"""

from tenefyr_env.cards.card_set import CardSet
from tenefyr_env.cards.compiler import load_card_set
from tenefyr_env.engine import words
from tenefyr_env.engine.actions import NUM_ACTIONS, SECTIONS
from tenefyr_env.spaces.sections import Layout, Section

MEANINGS = {
    "keep": "keep the hand",
    "redraw": "discard the hand and draw a new one",
    "continue": "go on in the dungeon",
    "leave": "leave the dungeon",
    "use": "use the effect, pay its condition",
    "decline": "do not",
    "dungeon": "dungeons 1 to 10, and the boss",
    "player": "the player so many seats clockwise of the one who decides",
    "option": "options 1 to 4 of a card or reward",
    "card": "a card by id, whatever is done with it",
}

# The mask of legal actions as a vector of named sections.
ACTIONS = Layout(*(Section(name, size, 0, 1, MEANINGS[name]) for name, size in SECTIONS))


def action_name(action: int, card_set: CardSet | None = None) -> str:
    """The name of an action; cards are named as in the set, the shipped one if none is given."""
    return words.action_name(action, card_set or load_card_set())


def action_number(name: str, card_set: CardSet | None = None) -> int:
    """The number of the action with this name; case does not matter."""
    return words.parse_action(name, card_set or load_card_set())


def section_of(action: int) -> tuple[str, int]:
    """The section an action belongs to, and its place in it."""
    if not 0 <= action < NUM_ACTIONS:
        raise ValueError(f"action {action}: accepted are 0 to {NUM_ACTIONS - 1}")
    section, place = ACTIONS.section_at(action)
    return section.name, place


def action_of(section: str, place: int = 0) -> int:
    """The action in this place of a section."""
    if section not in ACTIONS.first:
        raise ValueError(f"section {section!r}: accepted are {', '.join(ACTIONS.first)}")
    size = ACTIONS.section(section).size
    if not 0 <= place < size:
        raise ValueError(f"place {place} of section {section!r}: accepted are 0 to {size - 1}")
    return ACTIONS.first[section] + place


def describe_actions(card_set: CardSet | None = None) -> str:
    """All actions as a table: the number, the name, and what it means."""
    width = len(str(NUM_ACTIONS - 1))
    names = [action_name(action, card_set) for action in range(NUM_ACTIONS)]
    longest = max(map(len, names))
    lines = (
        f"{action:>{width}}  {name:<{longest}}  {MEANINGS[section_of(action)[0]]}"
        for action, name in enumerate(names)
    )
    return "\n".join(lines)
