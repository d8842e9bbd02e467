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
def mix(a, b, c, counter):
    """One round: the next 32 random bits, and the state after it."""
    word = (a + b + counter) & WORD
    turned = ((c << 21) | (c >> 11)) & WORD
    return word, b ^ (b >> 9), (c + (c << 3)) & WORD, (turned + word) & WORD, (counter + 1) & WORD


@jit
def next_word(state):
    """The next 32 random bits."""
    rng = state.rng
    word, rng[0], rng[1], rng[2], rng[3] = mix(rng[0], rng[1], rng[2], rng[3])
    return word


@jit
def below(state, bound):
    """A number from 0 to `bound` - 1; the bias of the multiplication is under 1 in 30 million."""
    return (next_word(state) * bound) >> 32


@jit
def shuffle(state, cards, count):
    """Put the first `count` cards of a pile into random order."""
    # The stream is held in local names during the loop: twice as fast as writing it back each time.
    a, b, c, counter = state.rng[0], state.rng[1], state.rng[2], state.rng[3]
    for last in range(count - 1, 0, -1):
        word, a, b, c, counter = mix(a, b, c, counter)
        other = (word * (last + 1)) >> 32
        card = cards[last]
        cards[last] = cards[other]
        cards[other] = card
    state.rng[0], state.rng[1], state.rng[2], state.rng[3] = a, b, c, counter
