"""The deals that results are quoted from: fixed, named, and the same for every team.

A deal is the seed of a game: with a configuration it fixes heroes, boss, starting player and every
shuffle. Tune on `train`, choose on `validation`, quote from `test`, which is never used for tuning.
Seeds below the first set are free for trying things out.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

DEALS_IN_SET = 10**12
FIRST_SEED = {"train": DEALS_IN_SET, "validation": 2 * DEALS_IN_SET, "test": 3 * DEALS_IN_SET}
DEAL_SETS = tuple(FIRST_SEED)


class DealError(ValueError):
    """Deals that are in no set."""


def deal_seeds(name: str, count: int, first: int = 0) -> npt.NDArray[np.int64]:
    """The seeds of `count` deals of a set, from its deal number `first` on."""
    if name not in FIRST_SEED:
        raise DealError(f"deals {name!r}: accepted: {', '.join(DEAL_SETS)}")
    if count < 1:
        raise DealError(f"games {count}: accepted are 1 and more")
    if not 0 <= first <= DEALS_IN_SET - count:
        raise DealError(f"seed {first}: accepted are 0 to {DEALS_IN_SET - count}")
    return FIRST_SEED[name] + first + np.arange(count, dtype=np.int64)
