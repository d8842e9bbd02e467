"""The three big choices, where the scripted players differ: where to go, which hand to keep, and
when to leave.

random    throws dice.
greedy    goes for the strongest enemy it expects to beat, keeps any hand that is as good as the
          next would be on average, and fights on for as long as it wins and is not spent.
careful   goes where it is surest to win, redraws only when the fight would be lost, and leaves
          as soon as the next fight is not nearly safe.
looter    goes where the best loot lies, even against the odds, and leaves only when it is spent.
quick     weighs each raid: chances of its fights, loot, reward, steps of the boss track; redraws
          when that raises the chance of the fight by more than the cards are worth later.
odds      the same, with the chances of a hand counted exactly.
"""

from math import sqrt

from agents.jit import jit
from agents.scripted.chances import chance_with_fresh_hand, chance_with_hand
from agents.scripted.estimates import (
    chance_above,
    drawn_worth,
    first_fight_chance,
    hand_worth,
    is_boss,
    loot_at,
    party_hands,
    raid_worth,
    strength_at,
)
from agents.scripted.tactics import choose_small
from tenefyr_env.cards.vocabulary import Pile
from tenefyr_env.engine.actions import CONTINUE, FIRST_DUNGEON, KEEP, LEAVE, REDRAW
from tenefyr_env.engine.combat import (
    combined_power,
    enemy_power,
    hand_size_of_turn,
)
from tenefyr_env.engine.dungeons import is_fighting_boss
from tenefyr_env.engine.state import HAND_SIZE, Decision

RANDOM, GREEDY, CAREFUL, LOOTER, QUICK, ODDS = range(6)


@jit
def choose(state, cards, guide, policy, seed):
    """The action a player of this policy takes in the pending decision."""
    if policy == RANDOM:
        return int(state.options[seed % state.num_options])
    seat = state.decider
    if state.decision == Decision.DUNGEON:
        return choose_dungeon(state, cards, guide, policy)
    if state.decision == Decision.KEEP:
        return keep_or_redraw(state, cards, guide, policy, seat)
    if state.decision == Decision.CONTINUE:
        return continue_or_leave(state, cards, guide, policy)
    return choose_small(state, cards, guide, seat)


# Where to go


@jit
def choose_dungeon(state, cards, guide, policy):
    """The dungeon with the highest score; the boss only when nothing else is left."""
    best, best_score = int(state.options[0]), -1e9
    for slot in range(state.num_options):
        dungeon = state.options[slot] - FIRST_DUNGEON
        if is_boss(dungeon):
            continue
        score = score_of(state, cards, guide, policy, dungeon)
        if score > best_score:
            best, best_score = int(state.options[slot]), score
    return best


@jit
def score_of(state, cards, guide, policy, dungeon):
    """How much a player of this policy wants to go to a dungeon."""
    top = state.dungeon_size[dungeon] - 1
    if policy == GREEDY:
        chance = first_fight_chance(state, guide, dungeon, 0.0)
        strength = strength_at(state, guide, dungeon, top)
        return strength if chance >= 0.8 else -strength
    if policy == CAREFUL:
        chance = first_fight_chance(state, guide, dungeon, guide.slack)
        return min(chance, 0.9) + 0.01 * strength_at(state, guide, dungeon, top)
    if policy == LOOTER:
        chance = first_fight_chance(state, guide, dungeon, guide.slack)
        return chance * loot_at(state, guide, dungeon, top)
    return raid_worth(state, cards, guide, dungeon)


# Which hand to keep


@jit
def keep_or_redraw(state, cards, guide, policy, seat):
    """Keep what wins; else redraw as the policy sees fit."""
    if not state.legal[REDRAW]:
        return KEEP
    hand = hand_worth(state, cards, guide, seat)
    if combined_power(state) + hand >= enemy_power(state, cards):
        return KEEP
    if policy == GREEDY:
        size = hand_size_of_turn(state, cards, seat)
        mean, _ = drawn_worth(state, guide, seat, size)
        return REDRAW if hand < mean - 0.5 else KEEP
    if policy == ODDS:
        kept = chance_with_hand(state, cards, guide, seat)
        fresh = chance_with_fresh_hand(state, cards, guide, seat)
    else:
        kept, fresh = guessed_chances(state, cards, guide, seat, hand)
    if policy == CAREFUL:
        return REDRAW if kept < 0.5 and fresh > kept else KEEP
    if policy == LOOTER:
        return REDRAW if fresh > kept else KEEP
    return REDRAW if fresh > kept + price_of_redraw(state, guide, seat) else KEEP


@jit
def guessed_chances(state, cards, guide, seat, hand):
    """The chances of the fight with this hand and with a fresh one, by mean and spread."""
    needed = enemy_power(state, cards) - combined_power(state)
    later, variance = party_hands(state, guide, state.turn + 1)
    mean, spread = drawn_worth(state, guide, seat, hand_size_of_turn(state, cards, seat))
    kept = chance_above(guide, hand + later - needed, sqrt(variance) + guide.spread)
    fresh = chance_above(guide, mean + later - needed, sqrt(variance + spread) + guide.spread)
    return kept, fresh


@jit
def price_of_redraw(state, guide, seat):
    """What the discarded hand would be worth in the fights that follow without a rest."""
    lost = state.pile_size[seat, Pile.HAND]
    fights = state.dungeon_size[state.dungeon] - 1
    spare = state.pile_size[seat, Pile.DECK] - HAND_SIZE * fights
    if not is_fighting_boss(state):
        return guide.price * lost * min(fights, 1)
    return lost * (guide.boss_price if spare >= HAND_SIZE else guide.scarce_price) * min(fights, 1)


# When to leave


@jit
def continue_or_leave(state, cards, guide, policy):
    """Fight on in this dungeon, or rest."""
    dungeon = state.dungeon
    if policy == GREEDY:
        return CONTINUE if first_fight_chance(state, guide, dungeon, 0.0) > 0.1 else LEAVE
    if policy == CAREFUL:
        return CONTINUE if first_fight_chance(state, guide, dungeon, 0.0) > 0.7 else LEAVE
    if policy == LOOTER:
        return CONTINUE if first_fight_chance(state, guide, dungeon, guide.slack) > 0.4 else LEAVE
    worth = raid_worth(state, cards, guide, dungeon)
    return CONTINUE if worth > 0.0 else LEAVE
