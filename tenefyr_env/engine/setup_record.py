"""The set-up record: a resolved game configuration as the engine reads it."""

import numpy as np

MAX_TRACK = 40  # spaces of the longest boss track a configuration may ask for (R12)
MAX_HEROES = 4  # R1
RANDOM = -1  # the engine draws it

_FIELDS = np.dtype(
    [
        ("players", np.int8),
        ("heroes", np.int8, (MAX_HEROES,)),  # in seat order, RANDOM where drawn or no hero
        ("num_heroes", np.int8),  # heroes in play (R5 to R7)
        ("boss", np.int8),  # its place in the card set, or RANDOM; RANDOM in quick mode (R54)
        ("quick", np.int8),
        ("remove_absent", np.int8),  # R14
        ("vote", np.int8),  # R20
        ("starter", np.int8),  # a seat, or RANDOM (R13)
        ("open_hands", np.int8),  # R58
        ("take_single_options", np.int8),
        ("difficulty", np.int8),  # 0 easy, 1 normal, 2 hard
        ("steps", np.int8),  # spaces from the start to the skull (R12)
        # Gifts of the quick track (R55), by the spaces left to the skull after the move.
        ("gift_count", np.int8, (MAX_TRACK,)),
        ("gift_level", np.int8, (MAX_TRACK,)),
    ]
)
SETUP = np.dtype((np.record, _FIELDS))
