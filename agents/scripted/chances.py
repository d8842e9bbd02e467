"""Exact chances of a fight: every hand the decks can give is counted.

The powers counted are what the cards bring to their player by the guide, in half points, under the
enemy's rules for Basics and loot; with plain cards these are the printed powers, and the chances
those of `tenefyr_env.odds`.
"""

import numpy as np

from agents.jit import jit
from tenefyr_env.cards.vocabulary import Pile
from tenefyr_env.engine.combat import (
    active_seat,
    combined_power,
    enemy_modifier,
    enemy_power,
    hand_size_of_turn,
)
from tenefyr_env.engine.seats import clockwise
from tenefyr_env.engine.state import PILE_CAPACITY
from tenefyr_env.spaces.odds import (
    draw_distribution,
    hand_size_of_later_turn,
    sum_of,
    take_winning,
)

POINTS = 2  # parts of a point of power that worths are rounded to


@jit
def points_of(state, cards, guide, seat, card):
    """What a card brings to a player against this enemy, in parts of a point."""
    worth = guide.worth[card, state.heroes[seat]] + enemy_modifier(state, cards, card)
    return int(np.floor(POINTS * worth + 0.5))


@jit
def deck_points(state, cards, guide, seat):
    """What each card of a player's deck brings."""
    count = state.pile_size[seat, Pile.DECK]
    points = np.empty(PILE_CAPACITY, np.int64)
    for slot in range(count):
        points[slot] = points_of(state, cards, guide, seat, state.piles[seat, Pile.DECK, slot])
    return points[:count]


@jit
def hand_points(state, cards, guide, seat):
    """What the hand brings."""
    points = 0
    for slot in range(state.pile_size[seat, Pile.HAND]):
        points += points_of(state, cards, guide, seat, state.piles[seat, Pile.HAND, slot])
    return points


@jit
def chance_with_hand(state, cards, guide, seat):
    """The chance to win the fight with this hand and the first hands of the turns that follow."""
    lowest = POINTS * combined_power(state) + hand_points(state, cards, guide, seat)
    return chance_with_later_turns(state, cards, guide, lowest, np.ones(1))


@jit
def chance_with_fresh_hand(state, cards, guide, seat):
    """The same with a fresh hand for this one.

    Alone, both hands come from one deck and are counted as one larger draw.
    """
    size = hand_size_of_turn(state, cards, seat)
    base = POINTS * combined_power(state)
    points = deck_points(state, cards, guide, seat)
    if state.players == 1 and state.turn + 1 < state.num_turns:
        size += hand_size_of_later_turn(state, cards, seat)
        lowest, chances = draw_distribution(points, min(size, len(points)))
        return take_winning(base + lowest, chances, POINTS * enemy_power(state, cards))
    lowest, chances = draw_distribution(points, min(size, len(points)))
    return chance_with_later_turns(state, cards, guide, base + lowest, chances)


@jit
def chance_with_later_turns(state, cards, guide, lowest, chances):
    """The chance to win now or in a later turn, from the distribution of the power so far."""
    needed = POINTS * enemy_power(state, cards)
    chance = take_winning(lowest, chances, needed)
    for turn in range(state.turn + 1, state.num_turns):
        if chance >= 1.0:
            break
        seat = clockwise(state, state.starter, turn)
        size = hand_size_of_later_turn(state, cards, seat)
        points = deck_points(state, cards, guide, seat)
        if seat != active_seat(state):  # cards drawn out of turn are played as well (R59)
            size += state.pile_size[seat, Pile.HAND]
        hand_lowest, hand_chances = draw_distribution(points, min(size, len(points)))
        chances = sum_of(chances, hand_chances)
        lowest += hand_lowest
        chance += take_winning(lowest, chances, needed)
    return min(1.0, chance)
