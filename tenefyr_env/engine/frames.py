"""Effects being resolved: a stack of stretches of rows, each done by one player for one card."""

from tenefyr_env.engine.jit import jit
from tenefyr_env.engine.state import MAX_FRAMES, NO_CARD, PARTY


@jit
def push_frame(state, first, last, seat, card):
    """Have a player do the rows from `first` up to `last` (not included) next."""
    # No position of the rules fills the stack; a forged one must not write past its end.
    if first >= last or state.num_frames == MAX_FRAMES:
        return
    top = state.num_frames
    state.frame_row[top] = first
    state.frame_last[top] = last
    state.frame_seat[top] = seat
    state.frame_card[top] = card
    state.frame_memory[top, 0] = NO_CARD
    state.frame_memory[top, 1] = NO_CARD
    state.num_frames += 1


@jit
def pop_frame(state):
    """The stretch on top of the stack is done."""
    state.num_frames -= 1
    top = state.num_frames
    state.frame_row[top] = 0
    state.frame_last[top] = 0
    state.frame_seat[top] = 0
    state.frame_card[top] = 0
    state.frame_memory[top, 0] = 0
    state.frame_memory[top, 1] = 0


@jit
def push_trigger(state, cards, card, trigger, seat):
    """Have the effects of a card happen, the given player being "you"."""
    first = cards.first_row[card, trigger]
    push_frame(state, first, cards.last_row[card, trigger], seat, card)


@jit
def remember(state, slot, value):
    """Keep an answer while the same row asks for more."""
    state.frame_memory[state.num_frames - 1, slot] = value


@jit
def recall(state, slot):
    """An answer kept by `remember`, or NO_CARD."""
    return int(state.frame_memory[state.num_frames - 1, slot])


@jit
def forget(state):
    """The row has all its answers."""
    remember(state, 0, NO_CARD)
    remember(state, 1, NO_CARD)


@jit
def source_card(state):
    """The card whose effect is being resolved, or NO_CARD for a reward."""
    return max(NO_CARD, int(state.frame_card[state.num_frames - 1]))


@jit
def is_party_effect(state):
    """Whether the choices of the effect being resolved are the party's (R38)."""
    return state.frame_card[state.num_frames - 1] == PARTY
