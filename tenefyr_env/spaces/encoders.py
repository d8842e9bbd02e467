"""Observation encoders by name: what a seat sees, written for many games in one call.

An encoder is an object with

    name          how it is chosen: env(encoder="flat")
    space         the Gymnasium space of one observation
    layout_hash   changes whenever a vector of it would mean something else
    empty(count)  room for the observations of `count` games
    encode(states, tables, seats, out)
                  write into `out` what seat `seats[i]` sees in game `states[i]`
    row(out, i)   the observation of one game, as a member of `space`
    describe()    the layout in words

`register_encoder` makes one of your own selectable by name. `tenefyr_env.testing.check_no_leak`
tells whether it shows what its seat cannot know.
"""

from collections.abc import Callable
from difflib import get_close_matches
from typing import Any, Protocol

import gymnasium
import numpy as np
import numpy.typing as npt

from tenefyr_env.engine.jit import entry
from tenefyr_env.spaces.entities import EntitiesEncoder
from tenefyr_env.spaces.flat import FLAT, encode_flat
from tenefyr_env.spaces.odds import FLAT_ODDS, encode_flat_odds_games
from tenefyr_env.spaces.text import TextEncoder

Array = npt.NDArray[Any]


class Encoder(Protocol):
    """What the environments ask of an encoder."""

    name: str
    space: Any  # a gymnasium.Space
    layout_hash: str

    def empty(self, count: int) -> Any: ...

    def encode(self, states: Array, tables: Array, seats: Array, out: Any) -> None: ...

    def row(self, out: Any, index: int) -> Any: ...

    def describe(self) -> str: ...


@entry
def encode_flat_games(states, tables, seats, out):
    """Write the flat observation of each game's seat."""
    for game in range(len(seats)):
        encode_flat(states[game], tables[0], seats[game], out[game])


class FlatEncoder:
    """One vector of small integers; see `flat.py`."""

    name = "flat"
    layout = FLAT

    def __init__(self) -> None:
        low = np.concatenate([np.full(s.size, s.low, np.int8) for s in self.layout])
        high = np.concatenate([np.full(s.size, s.high, np.int8) for s in self.layout])
        self.space = gymnasium.spaces.Box(low, high, dtype=np.int8)
        self.layout_hash = self.layout.hash()

    def empty(self, count: int) -> Array:
        """Room for the vectors of `count` games."""
        return np.empty((count, self.layout.size), np.int8)

    def encode(self, states: Array, tables: Array, seats: Array, out: Array) -> None:
        """Write what each seat sees."""
        encode_flat_games(states, tables, seats, out)

    def row(self, out: Array, index: int) -> Array:
        """The vector of one game."""
        return out[index]  # type: ignore[no-any-return]

    def describe(self) -> str:
        """The sections of the vector."""
        return self.layout.describe()


class FlatOddsEncoder(FlatEncoder):
    """The same vector and the odds of the fight in percent; see `odds.py`."""

    name = "flat_odds"
    layout = FLAT_ODDS

    def encode(self, states: Array, tables: Array, seats: Array, out: Array) -> None:
        """Write what each seat sees and can work out."""
        encode_flat_odds_games(states, tables, seats, out)


_REGISTRY: dict[str, Callable[[], Encoder]] = {
    "flat": FlatEncoder,
    "flat_odds": FlatOddsEncoder,
    "entities": EntitiesEncoder,
    "text": TextEncoder,
}


def register_encoder(name: str, make: Callable[[], Encoder]) -> None:
    """Make an encoder selectable by name."""
    if name in _REGISTRY:
        raise ValueError(f"encoder {name!r}: the name is taken; taken are {', '.join(_REGISTRY)}")
    _REGISTRY[name] = make


def make_encoder(encoder: str | Encoder) -> Encoder:
    """An encoder by name, or the one given."""
    if not isinstance(encoder, str):
        return encoder
    if encoder not in _REGISTRY:
        close = get_close_matches(encoder, _REGISTRY, n=1)
        hint = f" (did you mean {close[0]!r}?)" if close else ""
        raise ValueError(f"encoder {encoder!r}: accepted are {', '.join(_REGISTRY)}{hint}")
    return _REGISTRY[encoder]()
