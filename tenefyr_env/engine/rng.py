"""Chance: one stream of random numbers for each game, kept in its record.

The generator is sfc32 (Doty-Humphrey): additions, shifts and xors of 32-bit words held in 64-bit
integers, so that nothing overflows and plain Python computes the same numbers as compiled code.
"""

from tenefyr_env.engine.jit import jit

WORD = 0xFFFFFFFF
MAX_SEED = 2**63 - 1
WARM_UP = 15  # rounds after which every bit of the seed has reached every bit of the state


@jit
def seed_rng(state, seed):
    """Start the game's stream from a seed of up to 63 bits."""
    state.rng[0] = seed & WORD
    state.rng[1] = (seed >> 32) & WORD
    state.rng[2] = 0
    state.rng[3] = 1
    for _ in range(WARM_UP):
        next_word(state)


@jit
def next_word(state):
    """The next 32 random bits."""
    a, b, c, counter = state.rng[0], state.rng[1], state.rng[2], state.rng[3]
    word = (a + b + counter) & WORD
    state.rng[0] = b ^ (b >> 9)
    state.rng[1] = (c + (c << 3)) & WORD
    state.rng[2] = (((c << 21) | (c >> 11)) + word) & WORD
    state.rng[3] = (counter + 1) & WORD
    return word


@jit
def below(state, bound):
    """A number from 0 to `bound` - 1; the bias of the multiplication is under 1 in 30 million."""
    return (next_word(state) * bound) >> 32


@jit
def shuffle(state, cards, count):
    """Put the first `count` cards of a pile into random order."""
    for last in range(count - 1, 0, -1):
        other = below(state, last + 1)
        card = cards[last]
        cards[last] = cards[other]
        cards[other] = card
