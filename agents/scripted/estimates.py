"""What a player can work out at the table: hands to come, chances of a fight, a raid's worth.

Hands are estimated by their mean and spread, a fight by the normal law: mental arithmetic, quick
enough for the thousands of games that a search plays. `chances.py` counts exactly.
"""

from math import sqrt

from agents.jit import jit
from agents.scripted.guide import CHANCE_RANGE, CHANCE_STEPS
from tenefyr_env.cards.vocabulary import Boost, Pile, Span
from tenefyr_env.engine.combat import enemy_modifier
from tenefyr_env.engine.seats import clockwise
from tenefyr_env.engine.state import BOSS_DECK, HAND_SIZE, NO_REWARD


@jit
def chance_above(guide, mean, spread):
    """The chance that something of this mean and spread is above zero."""
    place = mean / spread
    if place >= CHANCE_RANGE:
        return 1.0
    if place <= -CHANCE_RANGE:
        return 0.0
    return float(guide.chance[int((place + CHANCE_RANGE) * CHANCE_STEPS + 0.5)])


@jit
def worth_to(state, guide, seat, card):
    """What a card brings when this player plays it."""
    return float(guide.worth[card, state.heroes[seat]])


@jit
def pile_worth(state, guide, seat, pile):
    """The number of cards in a pile, the sum of their worth and of its squares."""
    heroes = state.heroes[seat]
    total = 0.0
    squares = 0.0
    count = state.pile_size[seat, pile]
    for slot in range(count):
        worth = float(guide.worth[state.piles[seat, pile, slot], heroes])
        total += worth
        squares += worth * worth
    return int(count), total, squares


@jit
def hand_worth(state, cards, guide, seat):
    """What the hand brings against the enemy being fought."""
    worth = 0.0
    for slot in range(state.pile_size[seat, Pile.HAND]):
        card = state.piles[seat, Pile.HAND, slot]
        worth += worth_to(state, guide, seat, card) + enemy_modifier(state, cards, card)
    return worth


@jit
def drawn_worth(state, guide, seat, size):
    """Mean and variance of `size` cards drawn from a player's deck."""
    count, total, squares = pile_worth(state, guide, seat, Pile.DECK)
    if count == 0 or size <= 0:
        return 0.0, 0.0
    size = min(size, count)
    mean = total / count
    spread = max(0.0, squares / count - mean * mean)
    rest = 1.0 - (size - 1) / max(1, count - 1)  # drawn without putting back
    return size * mean, size * spread * rest


@jit
def party_hands(state, guide, first_turn):
    """Mean and variance of the hands of all turns from `first_turn` on."""
    mean = 0.0
    variance = 0.0
    if state.players == 1:
        size = HAND_SIZE * (state.num_turns - first_turn)
        return drawn_worth(state, guide, 0, size)
    for turn in range(first_turn, state.num_turns):
        seat = clockwise(state, state.starter, turn)
        more, spread = drawn_worth(state, guide, seat, HAND_SIZE + int(state.hand_bonus[seat]))
        mean += more
        variance += spread
    return mean, variance


@jit
def waiting_boost(state, mean):
    """What advantages the party holds for its next combat, in power."""
    power = state.boost[Boost.POWER, Span.COMBAT] + state.boost[Boost.POWER, Span.DUNGEON]
    power += state.boost_now[Boost.POWER, Span.DUNGEON]
    hand = state.boost[Boost.HAND, Span.COMBAT] + state.boost[Boost.HAND, Span.DUNGEON]
    hand += state.boost_now[Boost.HAND, Span.DUNGEON]
    return power + hand * mean / HAND_SIZE


@jit
def supply(state, guide):
    """The worth of all decks together, and the number of their cards."""
    total = 0.0
    number = 0
    for seat in range(state.players):
        count, worth, _ = pile_worth(state, guide, seat, Pile.DECK)
        total += worth
        number += count
    return total, number


@jit
def owned_mean(state, guide):
    """The mean worth of the cards the players have in decks and discard piles."""
    total = 0.0
    number = 0
    for seat in range(state.players):
        for pile in (Pile.DECK, Pile.DISCARD):
            count, worth, _ = pile_worth(state, guide, seat, pile)
            total += worth
            number += count
    return total / max(1, number)


@jit
def party_column(state):
    """Where the card table prints an enemy's power for this party (R2, R52)."""
    return max(int(state.players), 2) - 2


@jit
def strength_at(state, guide, dungeon, slot):
    """How strong the enemy in a place of a dungeon is, or is likely to be."""
    column = party_column(state)
    if state.is_known[dungeon, slot]:
        return float(guide.strength[state.dungeon_cards[dungeon, slot], column])
    return float(guide.level_strength[state.dungeon_level[dungeon], column])


@jit
def loot_at(state, guide, dungeon, slot):
    """What the loot in a place of a dungeon brings, to whomever it falls."""
    if not state.is_known[dungeon, slot]:
        return float(guide.level_worth[state.dungeon_level[dungeon]])
    card = state.dungeon_cards[dungeon, slot]
    worth = 0.0
    for seat in range(state.players):
        worth += worth_to(state, guide, seat, card)
    return worth / state.players


@jit
def reward_beside(state, cards, guide, dungeon):
    """What the reward of a dungeon is worth to the party."""
    reward = state.reward[dungeon]
    if reward == NO_REWARD:
        return 0.0
    worth = max(guide.reward_worth[reward, 0], guide.reward_worth[reward, 1])
    if not cards.reward_together[reward]:
        worth *= state.players
    return guide.reward_share * worth


@jit
def raid_worth(state, cards, guide, dungeon):
    """What fighting on in a dungeon is worth, fought no longer than it pays.

    From the last enemy to the next: with the chance of a fight its loot and all that follows is
    won, else the party is thrown out, which costs one step more than leaving (R36). What earlier
    fights have used up is missing in later ones: nobody rests in between.
    """
    mean, variance = party_hands(state, guide, 0)
    mean += waiting_boost(state, mean)
    left, number = supply(state, guide)
    spread = sqrt(variance) + guide.spread
    spare = max(0.0, number / max(1, HAND_SIZE * state.num_turns) - 1.0)
    mean += guide.slack * min(spare, 2.0) * spread
    for slot in range(state.dungeon_size[dungeon]):
        left -= guide.waste * strength_at(state, guide, dungeon, slot)
    worth = reward_beside(state, cards, guide, dungeon)
    last = state.dungeon_size[dungeon] - 1
    lost = guide.step_worth if state.steps_left > 1 else 0.0
    for slot in range(last + 1):
        strength = strength_at(state, guide, dungeon, slot)
        left += guide.waste * strength
        chance = chance_above(guide, min(mean, left) - strength, spread)
        worth = chance * (loot_at(state, guide, dungeon, slot) + worth) - (1.0 - chance) * lost
        if slot < last:
            worth = max(0.0, worth)
    return worth


@jit
def first_fight_chance(state, guide, dungeon, slack):
    """The chance to defeat the enemy on top of a dungeon with the decks as they are."""
    mean, variance = party_hands(state, guide, 0)
    mean += waiting_boost(state, mean)
    spread = sqrt(variance) + guide.spread
    top = state.dungeon_size[dungeon] - 1
    strength = strength_at(state, guide, dungeon, top)
    return chance_above(guide, mean + slack * spread - strength, spread)


@jit
def is_boss(dungeon):
    """Whether this is the boss deck, which nobody enters without need."""
    return dungeon == BOSS_DECK
