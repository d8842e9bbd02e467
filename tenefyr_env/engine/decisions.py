"""Asking and answering: the engine stops with one pending decision and goes on with its answer.

Whoever needs a choice asks for it and returns; the same function runs again when the answer is
there, and takes it:

    if not has_answer(state):
        ask(state, Decision.KEEP, seat, NO_CARD)
        offer(state, KEEP)
        offer(state, REDRAW)
        return
    if take_answer(state) == REDRAW:
        ...
"""

from tenefyr_env.cards.table import BASIC_0, BASIC_1
from tenefyr_env.cards.vocabulary import Filter, Kind
from tenefyr_env.engine.actions import FIRST_CARD, FIRST_OPTION, FIRST_PLAYER
from tenefyr_env.engine.jit import jit
from tenefyr_env.engine.log import note
from tenefyr_env.engine.seats import clockwise, next_seat, offset_of
from tenefyr_env.engine.state import MAX_SEATS, NO_ANSWER, NO_CARD, NUM_PILES, Decision, Event


@jit
def ask(state, decision, seat, card):
    """Open a decision of one seat, as yet without options; `card` is what it is about."""
    state.decision = decision
    state.decider = seat
    state.decision_card = card
    state.is_joint = 0


@jit
def ask_together(state, decision, card):
    """Open a joint choice: the starting player decides, or all vote (R20)."""
    ask(state, decision, state.starter, card)
    state.is_joint = 1
    state.num_votes = 0


@jit
def offer(state, action):
    """Add an action to what may be chosen; identical cards are one action."""
    if not state.legal[action]:
        state.legal[action] = 1
        state.options[state.num_options] = action
        state.num_options += 1


@jit
def withdraw_options(state):
    """Nothing may be chosen any more."""
    for slot in range(state.num_options):
        state.legal[state.options[slot]] = 0
        state.options[slot] = 0
    state.num_options = 0


@jit
def offer_player(state, seat):
    """Offer a player, counted clockwise from the one who decides."""
    offer(state, FIRST_PLAYER + offset_of(state, state.decider, seat))


@jit
def offer_options(state, count):
    """Offer the first `count` options of a card."""
    for option in range(count):
        offer(state, FIRST_OPTION + option)


@jit
def offer_cards(state, cards, seat, pile, wanted):
    """Offer the cards of a pile that are of the wanted sort."""
    for slot in range(state.pile_size[seat, pile]):
        card = state.piles[seat, pile, slot]
        if matches(cards, card, wanted):
            offer(state, FIRST_CARD + card)


@jit
def offer_cards_from(state, cards, seat, piles, wanted):
    """Offer the wanted cards of several piles, given as bits."""
    for pile in range(NUM_PILES):
        if piles & (1 << pile):
            offer_cards(state, cards, seat, pile, wanted)
    sort_options(state)


@jit
def sort_options(state):
    """Put the options in the order of their numbers: that of a deck must not show (R16)."""
    for slot in range(1, state.num_options):
        action = state.options[slot]
        place = slot
        while place > 0 and state.options[place - 1] > action:
            state.options[place] = state.options[place - 1]
            place -= 1
        state.options[place] = action


@jit
def matches(cards, card, wanted):
    """Whether a card is of the sort an effect speaks of."""
    if wanted == Filter.ANY:
        return True
    if wanted == Filter.BASIC:
        return cards.kind[card] == Kind.BASIC
    if wanted == Filter.BASIC_0:
        return card == BASIC_0
    if wanted == Filter.BASIC_1:
        return card == BASIC_1
    if wanted == Filter.LOOT:
        return cards.kind[card] == Kind.DUNGEON
    return cards.kind[card] == Kind.SKILL


@jit
def has_answer(state):
    """Whether the choice that was asked for has been made."""
    return state.answer != NO_ANSWER


@jit
def take_answer(state):
    """The chosen action; it can be taken once."""
    action = state.answer
    state.answer = NO_ANSWER
    return action


@jit
def take_card_answer(state):
    """The chosen card."""
    return take_answer(state) - FIRST_CARD


@jit
def take_player_answer(state, decider):
    """The chosen player's seat."""
    return clockwise(state, decider, take_answer(state) - FIRST_PLAYER)


@jit
def choose(state, action):
    """A seat has chosen: the answer is there, or in a vote the next seat is asked (R20)."""
    if state.is_joint and state.is_vote and state.players > 1:
        vote(state, action)
    else:
        settle(state, action)


@jit
def settle(state, action):
    """Close the decision with its answer."""
    withdraw_options(state)
    state.decision = Decision.NONE
    state.decision_card = NO_CARD
    state.answer = action


@jit
def vote(state, action):
    """Count a vote; after the last, the most votes win (R20)."""
    voter = state.decider
    state.votes[state.num_votes] = as_seen_by(state, action, voter, state.starter)
    state.num_votes += 1
    note(state, Event.VOTE, voter, NO_CARD, action)
    if state.num_votes < state.players:
        pass_the_vote(state, next_seat(state, voter))
        return
    winner = winning_vote(state)
    for slot in range(MAX_SEATS):
        state.votes[slot] = 0
    state.num_votes = 0
    settle(state, winner)


@jit
def pass_the_vote(state, voter):
    """Ask the next seat the same; players are named by their place clockwise of the voter."""
    for slot in range(state.num_options):
        state.legal[state.options[slot]] = 0
    for slot in range(state.num_options):
        action = as_seen_by(state, state.options[slot], state.decider, voter)
        state.options[slot] = action
        state.legal[action] = 1
    state.decider = voter


@jit
def as_seen_by(state, action, observer, other):
    """The action that means to `other` what `action` means to `observer`."""
    if FIRST_PLAYER <= action < FIRST_PLAYER + MAX_SEATS:
        seat = clockwise(state, observer, action - FIRST_PLAYER)
        return FIRST_PLAYER + offset_of(state, other, seat)
    return int(action)


@jit
def winning_vote(state):
    """Most votes; a tie goes to the starting player's vote, else to the first voted for (R20).

    The starting player votes first, so both are the tied option that was voted for first.
    """
    winner = state.votes[0]
    most = 0
    for first in range(state.players):
        count = 0
        for other in range(state.players):
            if state.votes[other] == state.votes[first]:
                count += 1
        if count > most:
            most = count
            winner = state.votes[first]
    return winner
