"""The effects of cards, with every verb defined."""

from tenefyr_env.cards import blocks, verbs
from tenefyr_env.cards.language import (
    VERBS,
    Row,
    Step,
    effect_text,
    heroes_named,
    read_effect,
    rows,
    walk,
)

__all__ = [
    "VERBS",
    "Row",
    "Step",
    "blocks",
    "effect_text",
    "heroes_named",
    "read_effect",
    "rows",
    "verbs",
    "walk",
]
