"""The boss track: the token moves towards the skull (R12, R36)."""

from tenefyr_env.engine.jit import jit
from tenefyr_env.engine.log import note
from tenefyr_env.engine.state import NO_CARD, NOBODY, Event


@jit
def advance_token(state, steps):
    """Move the boss token; steps past the skull are lost (R39)."""
    steps = min(steps, state.steps_left)
    if steps <= 0:
        return
    state.steps_left -= steps
    state.steps_spent += steps
    note(state, Event.TOKEN, NOBODY, NO_CARD, state.steps_left)


@jit
def use_saved_steps(state, steps):
    """How far the token moves after what the party has saved."""
    used = min(steps, state.saved_steps)
    state.saved_steps -= used
    return steps - used
