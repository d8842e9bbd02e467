"""Cards on the move: a player's piles and the reserve."""

from tenefyr_env.cards.table import NUM_LEVELS
from tenefyr_env.cards.vocabulary import Kind, Pile
from tenefyr_env.engine.decisions import matches
from tenefyr_env.engine.jit import jit
from tenefyr_env.engine.log import note
from tenefyr_env.engine.rng import below, shuffle
from tenefyr_env.engine.state import NO_CARD, NUM_PILES, Event


@jit
def put(state, seat, pile, card):
    """Lay a card on top of a pile."""
    state.piles[seat, pile, state.pile_size[seat, pile]] = card
    state.pile_size[seat, pile] += 1


@jit
def take_top(state, seat, pile):
    """Take the top card off a pile that has one."""
    state.pile_size[seat, pile] -= 1
    size = state.pile_size[seat, pile]
    card = state.piles[seat, pile, size]
    state.piles[seat, pile, size] = 0
    if pile == Pile.HAND:
        state.num_shown[seat] = min(state.num_shown[seat], size)
    return card


@jit
def put_in_hand_openly(state, seat, card):
    """A card that all have seen joins a hand; it lies below those only its player knows (R58)."""
    put(state, seat, Pile.HAND, card)
    slot = state.num_shown[seat]
    last = state.pile_size[seat, Pile.HAND] - 1
    state.piles[seat, Pile.HAND, last] = state.piles[seat, Pile.HAND, slot]
    state.piles[seat, Pile.HAND, slot] = card
    state.num_shown[seat] += 1


@jit
def find(state, seat, pile, card):
    """The slot of a card in a pile, from the bottom, or -1."""
    for slot in range(state.pile_size[seat, pile]):
        if state.piles[seat, pile, slot] == card:
            return slot
    return -1


@jit
def take_out(state, seat, pile, card):
    """Take one copy of a card out of a pile; False if there is none."""
    slot = find(state, seat, pile, card)
    if slot < 0:
        return False
    last = state.pile_size[seat, pile] - 1
    for above in range(slot, last):
        state.piles[seat, pile, above] = state.piles[seat, pile, above + 1]
    state.piles[seat, pile, last] = 0
    state.pile_size[seat, pile] = last
    if pile == Pile.HAND and slot < state.num_shown[seat]:
        state.num_shown[seat] -= 1
    return True


@jit
def take_out_of(state, seat, piles, card):
    """Take one copy out of the given piles (bits), the open ones first; returns the pile.

    A deck that was looked through is shuffled (R48).
    """
    for pile in range(NUM_PILES - 1, -1, -1):
        if piles & (1 << pile) and take_out(state, seat, pile, card):
            if pile == Pile.DECK:
                shuffle_deck(state, seat)
            return pile
    return -1


@jit
def num_matching(state, cards, seat, piles, wanted):
    """How many cards of the wanted sort lie in the given piles (bits)."""
    count = 0
    for pile in range(NUM_PILES):
        if piles & (1 << pile):
            for slot in range(state.pile_size[seat, pile]):
                if matches(cards, state.piles[seat, pile, slot], wanted):
                    count += 1
    return count


@jit
def draw(state, seat, count):
    """Draw up to `count` cards; a deck that runs out is not reshuffled (R23)."""
    for _ in range(min(count, state.pile_size[seat, Pile.DECK])):
        card = take_top(state, seat, Pile.DECK)
        put(state, seat, Pile.HAND, card)
        note(state, Event.DRAW, seat, card, 0)


@jit
def discard(state, seat, card):
    """Lay a card on its player's discard pile, open to all (R16)."""
    put(state, seat, Pile.DISCARD, card)
    note(state, Event.DISCARD, seat, card, 0)


@jit
def discard_top(state, seat, count):
    """Discard up to `count` cards from the top of the deck."""
    for _ in range(min(count, state.pile_size[seat, Pile.DECK])):
        discard(state, seat, take_top(state, seat, Pile.DECK))


@jit
def discard_hand(state, seat):
    """Discard the whole hand."""
    while state.pile_size[seat, Pile.HAND] > 0:
        discard(state, seat, take_top(state, seat, Pile.HAND))


@jit
def move_all(state, seat, source, target):
    """Move every card of a pile onto another."""
    while state.pile_size[seat, source] > 0:
        put(state, seat, target, take_top(state, seat, source))


@jit
def shuffle_deck(state, seat):
    """Shuffle a player's deck."""
    shuffle(state, state.piles[seat, Pile.DECK], state.pile_size[seat, Pile.DECK])


@jit
def receive(state, seat, pile, card):
    """A card joins a pile in the open; a deck is shuffled after it (R61)."""
    if pile == Pile.HAND:
        put_in_hand_openly(state, seat, card)
        return
    put(state, seat, pile, card)
    if pile == Pile.DECK:
        shuffle_deck(state, seat)


@jit
def remove_from_game(state, cards, card):
    """A removed Dungeon card is a reserve card again, any other is out of play for good (R47)."""
    if cards.kind[card] == Kind.DUNGEON:
        level = cards.level[card] - 1
        state.reserve[level, state.reserve_size[level]] = card
        state.reserve_size[level] += 1
        state.is_returned[card] = 1
    else:
        state.out_of_play[card] += 1


@jit
def take_from_reserve(state, level):
    """A random reserve card of the level, else of the one below, else none (R50)."""
    index = min(level, NUM_LEVELS) - 1
    if state.reserve_size[index] == 0:
        index -= 1
    if index < 0 or state.reserve_size[index] == 0:
        return NO_CARD
    last = state.reserve_size[index] - 1
    slot = below(state, last + 1)
    card = state.reserve[index, slot]
    state.reserve[index, slot] = state.reserve[index, last]
    state.reserve[index, last] = 0
    state.reserve_size[index] = last
    state.is_returned[card] = 0
    return int(card)
