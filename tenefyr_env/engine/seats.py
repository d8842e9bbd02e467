"""The seats around the table, clockwise."""

from tenefyr_env.engine.jit import jit


@jit
def clockwise(state, seat, places):
    """The seat `places` clockwise of another, at most once around the table.

    A subtraction, not a remainder: division is the slowest thing a processor does here.
    """
    other = int(seat) + int(places)
    return other - state.players if other >= state.players else other


@jit
def offset_of(state, observer, seat):
    """How many places clockwise of the observer a seat is."""
    offset = int(seat) - int(observer)
    return offset + state.players if offset < 0 else offset


@jit
def next_seat(state, seat):
    """The next player clockwise."""
    return clockwise(state, seat, 1)
