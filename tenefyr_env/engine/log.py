"""What happened since the last decision, written into the record as it happens."""

from tenefyr_env.engine.jit import jit
from tenefyr_env.engine.state import MAX_EVENTS


@jit
def note(state, event, seat, card, number):
    """Write one event; when there are too many, the oldest gives way."""
    slot = state.num_events % MAX_EVENTS
    state.event[slot, 0] = event
    state.event[slot, 1] = seat
    state.event[slot, 2] = card
    state.event_number[slot] = number
    state.num_events += 1
