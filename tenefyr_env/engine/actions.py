"""The actions as the engine numbers them: one flat list of named sections.

The same action means the same thing in every decision: "card 17" answers "play which", "discard
which" and "remove which" alike, and identical cards are one action.
"""

from tenefyr_env.cards.table import MAX_OPTIONS, NUM_CARDS, NUM_LEVELS
from tenefyr_env.cards.vocabulary import Hero

# name of the section, how many actions it has
SECTIONS = (
    ("keep", 1),
    ("redraw", 1),
    ("continue", 1),
    ("leave", 1),
    ("use", 1),
    ("decline", 1),
    ("dungeon", 2 * NUM_LEVELS + 1),  # the last is the boss deck
    ("player", len(Hero)),  # by seat offset, clockwise from the one who decides
    ("option", MAX_OPTIONS),
    ("card", NUM_CARDS),
)


def _first_of(name: str) -> int:
    """The number of a section's first action."""
    first = 0
    for section, size in SECTIONS:
        if section == name:
            return first
        first += size
    raise KeyError(name)


KEEP = _first_of("keep")
REDRAW = _first_of("redraw")
CONTINUE = _first_of("continue")
LEAVE = _first_of("leave")
USE = _first_of("use")
DECLINE = _first_of("decline")
FIRST_DUNGEON = _first_of("dungeon")
FIRST_PLAYER = _first_of("player")
FIRST_OPTION = _first_of("option")
FIRST_CARD = _first_of("card")
NUM_ACTIONS = sum(size for _, size in SECTIONS)
