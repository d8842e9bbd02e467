"""What a seat cannot know, redrawn or put away: a copy of the game that is safe to plan in.

All see the same table (R16, R57); hidden are the order of the decks, the face-down cards of the
dungeons and of the reserve, the hands of others unless they are played open (R58), and chance.

Hidden cards are sorted before they are dealt anew, so that the copy follows from the seed and from
what the seat can see, and from nothing else.
"""

import numpy as np

from tenefyr_env.cards.table import DUNGEON_CARDS_PER_LEVEL, NUM_LEVELS
from tenefyr_env.cards.vocabulary import Pile
from tenefyr_env.engine.jit import entry, jit
from tenefyr_env.engine.piles import put, take_top
from tenefyr_env.engine.rng import seed_rng, shuffle
from tenefyr_env.engine.state import (
    BOSS_DECK,
    DUNGEON_CAPACITY,
    MAX_EVENTS,
    NO_CARD,
    NUM_DUNGEONS,
    Event,
)
from tenefyr_env.engine.step import ask_again

# Deals of others' hands that are tried until one leads to the decision that all see pending; a
# card may ask for a sort of card that few hands hold.
MAX_DEALS = 1000


@entry
def determinize_games(states, tables, seats, seeds):
    """Redraw in each game what its seat cannot know."""
    for game in range(len(seats)):
        determinize(states, game, tables[0], seats[game], seeds[game])


@entry
def conceal_games(states, tables, seats):
    """Put away in each game what its seat, the one that decides, cannot know."""
    for game in range(len(seats)):
        conceal(states[game], tables[0], seats[game])


@jit
def determinize(states, game, cards, seat, seed):
    """Redraw everything hidden from a seat; what it can see stays as it is."""
    seed_rng(states[game], seed)
    lay_hidden(states[game], cards, True)
    if not states[game].has_open_hands:
        redraw_hands(states, game, cards, seat)


@jit
def conceal(state, cards, seat):
    """Lay everything hidden from the deciding seat in the order of its numbers, chance at zero.

    Two games that look the same to the seat are the same record afterwards: whatever is computed
    from it can depend on nothing hidden.
    """
    for word in range(len(state.rng)):
        state.rng[word] = 0
    lay_hidden(state, cards, False)
    if not state.has_open_hands and has_hidden_hand(state, seat):
        hide_draws(state, seat)
        deal_hands(state, seat, False)


@jit
def lay_hidden(state, cards, by_chance):
    """Lay the face-down cards of the table and of the decks anew."""
    for level in range(1, NUM_LEVELS + 1):
        lay_level(state, cards, level, by_chance)
    lay_boss(state, by_chance)
    for seat in range(state.players):
        arrange(state, state.piles[seat, Pile.DECK], state.pile_size[seat, Pile.DECK], by_chance)


@jit
def arrange(state, cards, count, by_chance):
    """Put cards into the order of their numbers, or into one that depends on chance alone."""
    for slot in range(1, count):
        card = cards[slot]
        place = slot
        while place > 0 and cards[place - 1] > card:
            cards[place] = cards[place - 1]
            place -= 1
        cards[place] = card
    if by_chance:
        shuffle(state, cards, count)


@jit
def lay_level(state, cards, level, by_chance):
    """Deal the unseen cards of a level anew over the places where one may lie."""
    unseen = np.empty(DUNGEON_CARDS_PER_LEVEL, np.int8)
    count = collect_level(state, cards, level, unseen)
    arrange(state, unseen, count, by_chance)
    for dungeon in range(NUM_DUNGEONS):
        for slot in range(state.dungeon_size[dungeon]):
            if is_unseen(state, cards, dungeon, slot, level):
                count -= 1
                state.dungeon_cards[dungeon, slot] = unseen[count]
    lay_reserve(state, level - 1, unseen, count, by_chance)


@jit
def lay_reserve(state, level, unseen, count, by_chance):
    """Lay the reserve of a level: the cards that are left, behind those that all saw go there."""
    reserve, size = state.reserve[level], state.reserve_size[level]
    place = 0
    for slot in range(size):
        if state.is_returned[reserve[slot]]:
            reserve[place] = reserve[slot]
            place += 1
    arrange(state, reserve, place, False)
    for slot in range(place, size):
        count -= 1
        reserve[slot] = unseen[count]
    if by_chance:
        shuffle(state, reserve, size)


@jit
def collect_level(state, cards, level, unseen):
    """Gather the unseen cards of a level; returns how many there are."""
    count = 0
    for dungeon in range(NUM_DUNGEONS):
        for slot in range(state.dungeon_size[dungeon]):
            if is_unseen(state, cards, dungeon, slot, level):
                unseen[count] = state.dungeon_cards[dungeon, slot]
                count += 1
    for slot in range(state.reserve_size[level - 1]):
        card = state.reserve[level - 1, slot]
        if not state.is_returned[card]:
            unseen[count] = card
            count += 1
    return count


@jit
def is_unseen(state, cards, dungeon, slot, level):
    """Whether a place holds a face-down card of the level."""
    card = state.dungeon_cards[dungeon, slot]
    return not state.is_known[dungeon, slot] and cards.level[card] == level


@jit
def lay_boss(state, by_chance):
    """Put the face-down boss cards into another order; monsters that joined are known (R62)."""
    if state.is_quick:  # level 5 is the boss deck, dealt with its level
        return
    unseen = np.empty(DUNGEON_CAPACITY, np.int8)
    count = 0
    for slot in range(state.dungeon_size[BOSS_DECK]):
        if not state.is_known[BOSS_DECK, slot]:
            unseen[count] = state.dungeon_cards[BOSS_DECK, slot]
            count += 1
    arrange(state, unseen, count, by_chance)
    for slot in range(state.dungeon_size[BOSS_DECK]):
        if not state.is_known[BOSS_DECK, slot]:
            count -= 1
            state.dungeon_cards[BOSS_DECK, slot] = unseen[count]


@jit
def redraw_hands(states, game, cards, seat):
    """Deal the others' hidden hands anew, so that the pending decision is the same to the seat."""
    if not has_hidden_hand(states[game], seat):
        return
    hide_draws(states[game], seat)
    original = states[game : game + 1].copy()
    trial = original.copy()
    for _ in range(MAX_DEALS):
        deal_hands(states[game], seat, True)
        if states[game].decider == seat:
            return
        trial[0] = states[game]
        ask_again(trial[0], cards)
        if is_same_question(trial[0], states[game]):
            states[game] = trial[0]
            return
    states[game] = original[0]


@jit
def hide_draws(state, seat):
    """The log does not tell what others have drawn."""
    for slot in range(min(state.num_events, MAX_EVENTS)):
        if state.event[slot, 0] == Event.DRAW and state.event[slot, 1] != seat:
            state.event[slot, 2] = NO_CARD


@jit
def has_hidden_hand(state, seat):
    """Whether another player holds cards that the seat has not seen."""
    for other in range(state.players):
        if other != seat and state.pile_size[other, Pile.HAND] > state.num_shown[other]:
            return True
    return False


@jit
def deal_hands(state, seat, by_chance):
    """Put every other player's unseen hand cards into the deck and draw as many again."""
    for other in range(state.players):
        hidden = state.pile_size[other, Pile.HAND] - state.num_shown[other]
        if other == seat or hidden == 0:
            continue
        for _ in range(hidden):
            put(state, other, Pile.DECK, take_top(state, other, Pile.HAND))
        deck, size = state.piles[other, Pile.DECK], state.pile_size[other, Pile.DECK]
        arrange(state, deck, size, by_chance)
        for _ in range(hidden):
            put(state, other, Pile.HAND, take_top(state, other, Pile.DECK))


@jit
def is_same_question(state, other):
    """Whether two games ask the same seat for the same kind of choice."""
    return (
        state.decision == other.decision
        and state.decider == other.decider
        and state.decision_card == other.decision_card
        and state.num_frames == other.num_frames
    )
