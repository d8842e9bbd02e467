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
    points = np.empty(PILE_CAPACITY, np.int64)
    return points[: add_points(state, cards, guide, seat, Pile.DECK, 0, points, 0)]


@jit
def add_points(state, cards, guide, seat, pile, first, points, count):
    """Add what a pile's cards bring, from a slot on, to a list; its new length."""
    for slot in range(first, state.pile_size[seat, pile]):
        points[count] = points_of(state, cards, guide, seat, state.piles[seat, pile, slot])
        count += 1
    return count


@jit
def later_hand(state, cards, guide, seat):
    """What the hand of a later turn brings: the lowest, and the chances from it on.

    Cards that already wait in another player's hand (R59) are played with it: those all have seen
    count as they are, the others are one draw together with what comes from the deck.
    """
    points = np.empty(PILE_CAPACITY, np.int64)
    count = add_points(state, cards, guide, seat, Pile.DECK, 0, points, 0)
    size = min(hand_size_of_later_turn(state, cards, seat), count)
    shown = 0
    if seat != active_seat(state):
        held = state.pile_size[seat, Pile.HAND]
        num_seen = held if state.has_open_hands else state.num_shown[seat]
        for slot in range(num_seen):
            card = state.piles[seat, Pile.HAND, slot]
            shown += points_of(state, cards, guide, seat, card)
        count = add_points(state, cards, guide, seat, Pile.HAND, num_seen, points, count)
        size += held - num_seen
    lowest, chances = draw_distribution(points[:count], size)
    return shown + lowest, chances


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
        hand_lowest, hand_chances = later_hand(state, cards, guide, seat)
        chances = sum_of(chances, hand_chances)
        lowest += hand_lowest
        chance += take_winning(lowest, chances, needed)
    return min(1.0, chance)
