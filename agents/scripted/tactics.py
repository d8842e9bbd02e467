"""The small choices, which all scripted players make alike: what to play next, to discard, to take.

In a player's words: draw before you play, double what is strong, pay with what is weak, use an
effect when the fight needs it or when it makes your deck better for good, give a card to the hero
it suits.
"""

from agents.jit import jit
from agents.scripted.branches import branch_worth
from agents.scripted.estimates import (
    hand_worth,
    owned_mean,
    pile_worth,
    strength_at,
    worth_to,
)
from tenefyr_env.cards.table import JUMP
from tenefyr_env.cards.vocabulary import Kind, Pile
from tenefyr_env.engine.actions import (
    DECLINE,
    FIRST_CARD,
    FIRST_DUNGEON,
    FIRST_OPTION,
    FIRST_PLAYER,
    USE,
)
from tenefyr_env.engine.combat import combined_power, enemy_modifier, enemy_power
from tenefyr_env.engine.seats import clockwise
from tenefyr_env.engine.state import NO_CARD, NO_DUNGEON, Decision

KEEP_ABOVE = 0.8  # of the mean card: what is better than this is not removed


@jit
def choose_small(state, cards, guide, seat):
    """An answer to any decision that is not one of the big three."""
    decision = state.decision
    if decision == Decision.PLAY:
        return next_to_play(state, guide, seat)
    if decision == Decision.USE:
        return use_or_decline(state, cards, guide, seat)
    if decision == Decision.OPTION:
        return best_branch(state, cards, guide, seat)
    if decision == Decision.REWARD:
        return best_reward(state, guide)
    if decision == Decision.PLAYER or decision == Decision.HAND_OUT:
        return whom(state, cards, guide, seat)
    if decision == Decision.ORDER:
        return which_first(state, cards)
    if decision == Decision.SCOUT or decision == Decision.MOVE:
        return highest_dungeon(state)
    if decision == Decision.REORDER:
        return weakest_enemy(state, guide)
    return choose_card(state, cards, guide, seat)


@jit
def choose_card(state, cards, guide, seat):
    """Which card is discarded, searched for, brought back, removed, given, swapped or doubled."""
    decision = state.decision
    if decision == Decision.DISCARD:
        return extreme_card(state, guide, seat, -1.0)
    if decision == Decision.REMOVE:
        return weakest_to_remove(state, cards, guide, seat)
    if decision == Decision.GIVE or decision == Decision.SWAP:
        if state.legal[DECLINE]:
            return DECLINE
        return extreme_card(state, guide, seat, -1.0)
    return extreme_card(state, guide, seat, 1.0)


@jit
def next_to_play(state, guide, seat):
    """What draws first, what counts played cards last; among equals the stronger first."""
    best = state.options[0]
    for slot in range(1, state.num_options):
        action = state.options[slot]
        card, leader = action - FIRST_CARD, best - FIRST_CARD
        if guide.order[card] < guide.order[leader] or (
            guide.order[card] == guide.order[leader]
            and worth_to(state, guide, seat, card) > worth_to(state, guide, seat, leader)
        ):
            best = action
    return int(best)


@jit
def is_won_with_hand(state, cards, guide, seat):
    """Whether the enemy falls to what lies on the table and in the hand."""
    if state.dungeon == NO_DUNGEON or state.dungeon_size[state.dungeon] == 0:
        return True
    worth = hand_worth(state, cards, guide, seat)
    return combined_power(state) + worth >= enemy_power(state, cards)


@jit
def use_or_decline(state, cards, guide, seat):
    """Use what makes the deck better for good; spend cards only while the fight is not yet won."""
    row = state.frame_row[state.num_frames - 1]
    worth = guide.row_worth[row]
    if guide.is_lasting[row]:
        return USE if worth > 0 else DECLINE
    if worth <= 0 or is_won_with_hand(state, cards, guide, seat):
        return DECLINE
    if guide.is_paid_from_hand[row] and lowest_in_hand(state, guide, seat) > worth + 0.8:
        return DECLINE
    return USE


@jit
def lowest_in_hand(state, guide, seat):
    """What the weakest card in hand is worth."""
    lowest = 99.0
    for slot in range(state.pile_size[seat, Pile.HAND]):
        worth = worth_to(state, guide, seat, state.piles[seat, Pile.HAND, slot])
        lowest = min(lowest, worth)
    return lowest


@jit
def best_branch(state, cards, guide, seat):
    """The branch of a card's choice that is worth most now."""
    head = state.frame_row[state.num_frames - 1] + 1
    best, best_worth = FIRST_OPTION, -99.0
    for option in range(state.num_options):
        worth = branch_worth(state, cards, guide, head, seat)
        if worth > best_worth:
            best, best_worth = FIRST_OPTION + option, worth
        head += 1 + cards.rows[head, JUMP]
    return best


@jit
def best_reward(state, guide):
    """The option of a reward that is worth more."""
    reward = state.reward[state.dungeon]
    if guide.reward_worth[reward, 1] > guide.reward_worth[reward, 0]:
        return FIRST_OPTION + 1
    return FIRST_OPTION


@jit
def whom(state, cards, guide, seat):
    """A card goes to the hero it suits, anything else to the one whose deck is weakest.

    In a fight, help goes to the player with the most power: doubling is the largest help there is.
    """
    best, best_worth = state.options[0], -99.0
    for slot in range(state.num_options):
        action = state.options[slot]
        other = clockwise(state, seat, action - FIRST_PLAYER)
        worth = suits(state, guide, other)
        if worth > best_worth:
            best, best_worth = action, worth
    return int(best)


@jit
def suits(state, guide, seat):
    """How well a player would be served by what is given out."""
    count, total, _ = pile_worth(state, guide, seat, Pile.DECK)
    mean = total / max(1, count)
    if state.decision == Decision.HAND_OUT and state.decision_card != NO_CARD:
        return worth_to(state, guide, seat, state.decision_card) - 0.5 * mean
    if state.decision_card != NO_CARD:
        return float(state.power[seat])
    return -mean


@jit
def which_first(state, cards):
    """Double before the enemy's rule takes something away, after it if it adds (R49)."""
    if enemy_modifier(state, cards, state.decision_card) < 0:
        return FIRST_OPTION
    return FIRST_OPTION + 1


@jit
def highest_dungeon(state):
    """The dungeon of the highest level: where knowing matters, and where nobody goes yet."""
    best = state.options[0]
    for slot in range(1, state.num_options):
        action = state.options[slot]
        level = state.dungeon_level[action - FIRST_DUNGEON]
        if level > state.dungeon_level[best - FIRST_DUNGEON]:
            best = action
    return int(best)


@jit
def weakest_enemy(state, guide):
    """The weakest enemy is met next."""
    best, best_strength = state.options[0], 999.0
    for slot in range(state.dungeon_size[state.dungeon]):
        action = FIRST_CARD + state.dungeon_cards[state.dungeon, slot]
        if state.legal[action]:
            strength = strength_at(state, guide, state.dungeon, slot)
            if strength < best_strength:
                best, best_strength = action, strength
    return int(best)


@jit
def extreme_card(state, guide, seat, sign):
    """The card on offer that is worth most (sign 1) or least (sign -1)."""
    best, best_worth = state.options[0], -999.0
    for slot in range(state.num_options):
        action = state.options[slot]
        if action < FIRST_CARD:
            continue
        worth = sign * worth_to(state, guide, seat, action - FIRST_CARD)
        if worth > best_worth:
            best, best_worth = action, worth
    return int(best)


@jit
def weakest_to_remove(state, cards, guide, seat):
    """The weakest card, unless it is too good to go and nobody must."""
    action = extreme_card(state, guide, seat, -1.0)
    if not state.legal[DECLINE] or action < FIRST_CARD:
        return action
    card = action - FIRST_CARD
    limit = KEEP_ABOVE * owned_mean(state, guide)
    if cards.kind[card] != Kind.BASIC or worth_to(state, guide, seat, card) > limit:
        return DECLINE
    return action
