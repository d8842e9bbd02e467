"""What encoders show of a game, read by section, and games to look at."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from tenefyr_env.config import GameConfig
from tenefyr_env.game import Game
from tenefyr_env.spaces.encoders import Encoder, make_encoder
from tenefyr_env.spaces.entities import TOKEN
from tenefyr_env.spaces.flat import FLAT
from tenefyr_env.testing import CONFIGS as MODES

__all__ = ["MODES"]


def positions(config: GameConfig, seed: int) -> Iterator[Game]:
    """Every position of a random game, its end included."""
    game = Game.new(config, seed)
    rng = np.random.default_rng(seed)
    while not game.is_over:
        yield game
        game.step(int(rng.choice(game.decision.options, 2).min()))
    yield game


@cache
def encoder_named(name: str) -> Encoder:
    """An encoder, made once."""
    return make_encoder(name)


def view(game: Game, seat: int, encoder: str = "flat") -> Any:
    """What an encoder shows a seat."""
    made = encoder_named(encoder)
    out = made.empty(1)
    made.encode(game.states, game.table, np.array([seat], np.int64), out)
    return made.row(out, 0)


def seen(game: Game, seat: int, section: str) -> list[int]:
    """The entries of one section of the flat observation."""
    return [int(entry) for entry in view(game, seat)[FLAT[section]]]


def cards_seen(game: Game, seat: int, section: str) -> dict[str, int]:
    """A section of counts by card, as names and counts."""
    return {
        game.card_set.card_name(card): count
        for card, count in enumerate(seen(game, seat, section))
        if count
    }


def tokens(game: Game, seat: int, place: int) -> list[dict[str, Any]]:
    """The tokens of one place as mappings of features; those of one entry are plain numbers."""
    observation = view(game, seat, "entities")
    rows = observation["entities"][observation["entity_mask"] == 1]
    return [_features(row) for row in rows if row[TOKEN["place"]][place]]


def _features(row: Any) -> dict[str, Any]:
    values = {section.name: [int(entry) for entry in row[TOKEN[section.name]]] for section in TOKEN}
    return {name: value[0] if len(value) == 1 else value for name, value in values.items()}
