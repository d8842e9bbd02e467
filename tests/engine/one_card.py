"""One card under test: the loot "Hammer" of power 0, held against an enemy that stands."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from playing import combat, do, set_with

from tenefyr_env.cards.card_set import CardSet
from tenefyr_env.game import Game

WALL = "power: 40"  # no hand of these tests beats it, so that powers can be seen


@cache
def hammer_set(effect: str, wall: str = WALL) -> CardSet:
    """A set in which the loot "Hammer" has this effect and the enemy "Wall" these fields."""
    return set_with(
        loot={"Hammer": f"power: 0, effect: [{effect}]"},
        enemies={"Wall": wall},
    )


def holding(effect: str, *decks: Sequence[str], wall: str = WALL, **fields: Any) -> Game:
    """The first of these players has kept the hand, in which a Hammer with this effect may be."""
    game = combat(hammer_set(effect, wall), ["Wall", "Foe 1b", "Foe 1c", "Foe 1d"], decks, **fields)
    do(game, "keep")
    return game


def facing(wall: str, *decks: Sequence[str], under: Sequence[str] = (), **fields: Any) -> Game:
    """The players have met an enemy of these fields, perhaps with others under it."""
    return combat(hammer_set("{power: 1}", wall), ["Wall", *under], decks, **fields)
