"""Exact odds of a fight, from what the player who keeps or redraws knows.

A hand drawn from a deck is a random choice of its known contents, so the distribution of its power
is counted, not estimated. Counted are the printed powers of the cards under the enemy's rules for
Basics and loot. Effects are not: neither those of the cards drawn, nor a change of the enemy's
power, which stays what it is now.
"""

import numpy as np

from tenefyr_env.cards.vocabulary import Boost, Pile, Span
from tenefyr_env.engine.actions import REDRAW
from tenefyr_env.engine.combat import (
    active_seat,
    combined_power,
    enemy_modifier,
    enemy_power,
    hand_size_of_turn,
    within,
)
from tenefyr_env.engine.dungeons import enemy
from tenefyr_env.engine.jit import entry, jit
from tenefyr_env.engine.seats import clockwise
from tenefyr_env.engine.state import HAND_SIZE, MAX_CARD_POWER, PILE_CAPACITY, Decision
from tenefyr_env.spaces.flat import FLAT, encode_flat
from tenefyr_env.spaces.sections import Layout, Section

KEEP_NOW, REDRAW_NOW, KEEP_PARTY, REDRAW_PARTY = range(4)
NUM_ODDS = 4
FLAT_ODDS = Layout(
    *FLAT,
    Section("odds known", 1, 0, 1, "the observer is asked to keep or redraw"),
    Section(
        "odds",
        NUM_ODDS,
        0,
        100,
        "percent: to win this turn by keeping, by one redraw; to win this fight by the hands that"
        " follow after keeping, after one redraw",
    ),
)
FLAT_SIZE = FLAT.size
KNOWN_AT = FLAT_ODDS.first["odds known"]
ODDS_AT = FLAT_ODDS.first["odds"]


@entry
def encode_flat_odds_games(states, tables, seats, out):
    """Write the flat observation of each game's seat, and its odds."""
    odds = np.zeros(NUM_ODDS)
    for game in range(len(seats)):
        row = out[game]
        encode_flat(states[game], tables[0], seats[game], row[:FLAT_SIZE])
        row[KNOWN_AT] = write_odds(states[game], tables[0], seats[game], odds)
        for number in range(NUM_ODDS):
            row[ODDS_AT + number] = int(100 * odds[number] + 0.5)


@entry
def odds_of_games(states, tables, seats, is_known, odds):
    """Write the odds of each game's seat, and whether there are any."""
    for game in range(len(seats)):
        is_known[game] = write_odds(states[game], tables[0], seats[game], odds[game])


@entry
def hand_power_distributions(states, tables, seat, hand_size):
    """The distribution of a hand's power in the first game: the lowest, and chances from it on."""
    return hand_power_distribution(states[0], tables[0], seat, hand_size)


@jit
def write_odds(state, cards, seat, out):
    """Write a seat's four chances; all 0, and False, unless it is asked to keep or redraw."""
    out[:] = 0.0
    if state.decision != Decision.KEEP or state.decider != seat:
        return False
    out[KEEP_NOW] = chance_keep(state, cards, seat)
    out[KEEP_PARTY] = chance_party(state, cards, seat)
    if state.legal[REDRAW]:
        out[REDRAW_NOW] = chance_redraw_once(state, cards, seat)
        out[REDRAW_PARTY] = chance_party_after_redraw(state, cards, seat)
    return True


@jit
def chance_keep(state, cards, seat):
    """The chance that the enemy falls in this turn if the hand is kept: 0 or 1."""
    power = combined_power(state) + hand_power(state, cards, seat)
    return 1.0 if power >= enemy_power(state, cards) else 0.0


@jit
def chance_redraw_once(state, cards, seat):
    """The chance that the enemy falls in this turn with a fresh hand (R24)."""
    size = hand_size_of_turn(state, cards, seat)
    lowest, chances = hand_power_distribution(state, cards, seat, size)
    lowest += combined_power(state)
    return take_winning(lowest, chances, enemy_power(state, cards))


@jit
def chance_party(state, cards, seat):
    """The chance that this hand and the first hands of the turns that follow fell the enemy."""
    power = combined_power(state) + hand_power(state, cards, seat)
    return chance_with_turns_left(state, cards, power, np.ones(1))


@jit
def chance_party_after_redraw(state, cards, seat):
    """The same with a fresh hand for this one.

    Alone, a fresh hand and the second turn's come from one deck: they are one larger draw. Whether
    the first of them was enough by itself is not asked, which matters only where the second has
    negative power.
    """
    size = hand_size_of_turn(state, cards, seat)
    if state.players == 1 and state.turn + 1 < state.num_turns:
        size += hand_size_of_later_turn(state, cards, seat)
        lowest, chances = hand_power_distribution(state, cards, seat, size)
        lowest += combined_power(state)
        return take_winning(lowest, chances, enemy_power(state, cards))
    lowest, chances = hand_power_distribution(state, cards, seat, size)
    return chance_with_turns_left(state, cards, combined_power(state) + lowest, chances)


@jit
def chance_with_turns_left(state, cards, lowest, chances):
    """The chance to win now or in a later turn, from the distribution of the combined power.

    The fight ends with the turn in which the enemy falls (R27), so a later hand of negative power
    takes nothing back.
    """
    needed = enemy_power(state, cards)
    chance = take_winning(lowest, chances, needed)
    for turn in range(state.turn + 1, state.num_turns):
        later = clockwise(state, state.starter, turn)
        hand_lowest, hand_chances = later_hand_distribution(state, cards, later)
        chances = sum_of(chances, hand_chances)
        lowest += hand_lowest
        chance += take_winning(lowest, chances, needed)
    return min(1.0, chance)


@jit
def take_winning(lowest, chances, needed):
    """The chance that a power is at least the needed one; those outcomes are taken out."""
    chance = 0.0
    for index in range(max(0, needed - lowest), len(chances)):
        chance += chances[index]
        chances[index] = 0.0
    return min(1.0, chance)


@jit
def sum_of(first, second):
    """The distribution of the sum of two independent powers."""
    out = np.zeros(len(first) + len(second) - 1)
    for i in range(len(first)):
        if first[i] > 0.0:
            for j in range(len(second)):
                out[i + j] += first[i] * second[j]
    return out


@jit
def later_hand_distribution(state, cards, seat):
    """The power of a hand of a later turn.

    Cards already waiting in another player's hand (R59) are played with it: those all have seen
    count as they are, the others are one draw together with what comes from the deck.
    """
    powers = np.empty(PILE_CAPACITY, np.int64)
    count = add_powers(state, cards, seat, Pile.DECK, 0, powers, 0)
    size = min(hand_size_of_later_turn(state, cards, seat), count)
    shown = 0
    if seat != active_seat(state):
        held = state.pile_size[seat, Pile.HAND]
        num_seen = held if state.has_open_hands else state.num_shown[seat]
        for slot in range(num_seen):
            shown += power_of(state, cards, state.piles[seat, Pile.HAND, slot])
        count = add_powers(state, cards, seat, Pile.HAND, num_seen, powers, count)
        size += held - num_seen
    lowest, chances = draw_distribution(powers[:count], size)
    return shown + lowest, chances


@jit
def hand_size_of_later_turn(state, cards, seat):
    """The draw step's number in a later turn, as far as it is known now (R23)."""
    size = HAND_SIZE + int(cards.hand[enemy(state)])
    size += state.boost_now[Boost.HAND, Span.COMBAT] + state.boost_now[Boost.HAND, Span.DUNGEON]
    if seat != active_seat(state):  # a solo player's bonus is used up by this turn
        size += state.hand_bonus[seat]
    return max(0, size)


@jit
def hand_power(state, cards, seat):
    """The power of the cards in hand."""
    power = 0
    for slot in range(state.pile_size[seat, Pile.HAND]):
        power += power_of(state, cards, state.piles[seat, Pile.HAND, slot])
    return power


@jit
def hand_power_distribution(state, cards, seat, hand_size):
    """The power of a hand drawn from a player's deck: the lowest, and the chances from it on."""
    powers = np.empty(PILE_CAPACITY, np.int64)
    count = add_powers(state, cards, seat, Pile.DECK, 0, powers, 0)
    return draw_distribution(powers[:count], min(hand_size, count))


@jit
def add_powers(state, cards, seat, pile, first, powers, count):
    """Add the powers of a pile's cards from a slot on to a list; its new length."""
    for slot in range(first, state.pile_size[seat, pile]):
        powers[count] = power_of(state, cards, state.piles[seat, pile, slot])
        count += 1
    return count


@jit
def power_of(state, cards, card):
    """What a card counts when it is played against this enemy, its effect aside (R25, R32)."""
    return within(int(cards.power[card]) + enemy_modifier(state, cards, card), MAX_CARD_POWER)


@jit
def draw_distribution(powers, size):
    """The sum of `size` of these powers drawn at random: the lowest, and the chances from it on.

    `ways[k, s]` counts the choices of k cards whose powers, each less the least, add up to s.
    """
    if size == 0:
        return 0, np.ones(1)
    least = powers.min()
    width = powers.max() - least
    ways = np.zeros((size + 1, size * width + 1))
    ways[0, 0] = 1.0
    for number in range(len(powers)):
        power = powers[number] - least
        for count in range(min(size, number + 1), 0, -1):
            for total in range((count - 1) * width + 1):
                ways[count, total + power] += ways[count - 1, total]
    chances = ways[size]
    return size * least, chances / chances.sum()
