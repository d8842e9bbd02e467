"""A card set ready for play: the engine's table, and what people read."""

import hashlib
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from tenefyr_env.cards.table import TABLE
from tenefyr_env.cards.vocabulary import Hero, Kind

Table: TypeAlias = npt.NDArray[Any]  # shape (1,), dtype TABLE


@dataclass(frozen=True)
class Card:
    """A card as a player reads it: the half held in a deck and the half fought."""

    id: int
    kind: Kind
    origin: str  # "rulebook": fixed by a source, "design": ours
    name: str = ""  # of the Basic, Skill or loot; a Boss card has none
    text: str = ""
    power: int = 0
    hero: Hero | None = None  # of a Skill, or the hero symbol on a loot
    level: int = 0  # 1 to 5 of a Dungeon card
    enemy_name: str = ""  # of a Dungeon or Boss card
    enemy_text: str = ""
    enemy_power: tuple[int, ...] = ()  # for 2, 3 and 4 players
    boss: str = ""  # the boss a Boss card belongs to


@dataclass(frozen=True)
class Reward:
    """A Reward card: its two options, for each player or for the party together."""

    id: int
    level: int
    name: str
    is_together: bool  # R38, else R37
    options: tuple[str, ...]
    origin: str

    @property
    def text(self) -> str:
        """Both options as one text."""
        who = "Choose one together:" if self.is_together else "Each player chooses one:"
        return f"{who} {' Or: '.join(self.options)}"


@dataclass(frozen=True, eq=False)
class CardSet:
    """All cards of one game."""

    name: str
    version: int
    table: Table  # read-only
    hash: str  # of everything that affects play, the same on every machine
    cards: tuple[Card | None, ...]  # by card id; None: not in this set
    rewards: tuple[Reward | None, ...]
    bosses: tuple[str, ...]

    def __deepcopy__(self, memo: dict[int, Any]) -> "CardSet":
        return self  # nothing of it ever changes

    def __setstate__(self, saved: dict[str, Any]) -> None:
        """Read-only again, which pickle forgets: compiled code is for a table like this."""
        self.__dict__.update(saved)
        self.table.flags.writeable = False

    def card(self, card: int) -> Card:
        """The card with this id."""
        found = self.cards[card] if 0 <= card < len(self.cards) else None
        if found is None:
            raise ValueError(f"card {card}: not a card of the set {self.name}")
        return found

    def card_name(self, card: int) -> str:
        """The card's name as held in a deck; a Boss card has only its enemy's."""
        return self.card(card).name or self.card(card).enemy_name

    def enemy_name(self, card: int) -> str:
        """The name of the enemy on the card."""
        return self.card(card).enemy_name

    def text(self, card: int) -> str:
        """What the card does when it is played."""
        return self.card(card).text

    def enemy_text(self, card: int) -> str:
        """The rule of the enemy on the card."""
        return self.card(card).enemy_text


def hash_of(table: Table, names: list[str]) -> str:
    """The hash of a table and its names; columns are hashed one by one, free of padding."""
    digest = hashlib.sha256()
    for column in TABLE.names or ():
        digest.update(f"{column}\n".encode())
        digest.update(np.ascontiguousarray(table[column], dtype="<i2").tobytes())
    digest.update("\n".join(names).encode())
    return digest.hexdigest()
