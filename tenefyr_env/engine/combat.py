"""The numbers of a combat: powers, hand sizes, and what can be counted on the table."""

from tenefyr_env.cards.vocabulary import Boost, Count, Filter, From, Kind, Pile, Span
from tenefyr_env.engine.dungeons import enemy
from tenefyr_env.engine.jit import jit
from tenefyr_env.engine.log import note
from tenefyr_env.engine.piles import num_matching, put
from tenefyr_env.engine.seats import clockwise
from tenefyr_env.engine.state import (
    HAND_SIZE,
    MAX_CARD_POWER,
    MAX_POWER,
    NO_CARD,
    Event,
)

IN_DISCARD = int(From.DISCARD)
IN_PLAY = int(From.PLAYED)


@jit
def active_seat(state):
    """Whose turn it is: clockwise from the starting player (R22)."""
    return clockwise(state, state.starter, state.turn)


@jit
def combined_power(state):
    """The power of all players together (R27)."""
    total = int(state.party_power)
    for seat in range(state.players):
        total += state.power[seat]
    return total


@jit
def within(value, bound):
    """A value held between -bound and bound (R56)."""
    return max(-bound, min(bound, value))


@jit
def set_power(state, seat, power):
    """Set a player's power of this combat, and remember the party's best (A21)."""
    state.power[seat] = within(power, MAX_POWER)
    state.best_power = max(state.best_power, min(combined_power(state), MAX_POWER))


@jit
def add_power(state, seat, gain):
    """Add to a player's power by an effect."""
    set_power(state, seat, int(state.power[seat]) + gain)
    note(state, Event.POWER, seat, NO_CARD, gain)


@jit
def enemy_modifier(state, cards, card):
    """What the enemy's rule adds to the power of a played card (R32)."""
    if cards.kind[card] == Kind.BASIC:
        return int(cards.basics[enemy(state)])
    if cards.kind[card] == Kind.DUNGEON:
        return int(cards.loot[enemy(state)])
    return 0


@jit
def lay_down(state, cards, seat, card):
    """Play a card: it lies in front of its player and its power is added (R25, R26)."""
    power = within(int(cards.power[card]) + enemy_modifier(state, cards, card), MAX_CARD_POWER)
    state.played_power[seat, state.pile_size[seat, Pile.PLAYED]] = power
    put(state, seat, Pile.PLAYED, card)
    note(state, Event.PLAY, seat, card, power)
    set_power(state, seat, int(state.power[seat]) + power)


@jit
def strongest_copy(state, seat, card):
    """The slot of the strongest copy of a played card."""
    best = -1
    for slot in range(state.pile_size[seat, Pile.PLAYED]):
        is_copy = state.piles[seat, Pile.PLAYED, slot] == card
        if is_copy and (
            best < 0 or state.played_power[seat, slot] > state.played_power[seat, best]
        ):
            best = slot
    return best


@jit
def double_played(state, cards, seat, card, is_enemy_first):
    """Double a played card, before or after the enemy's rule applies to it (R49)."""
    slot = strongest_copy(state, seat, card)
    before = int(state.played_power[seat, slot])
    modifier = 0 if is_enemy_first else enemy_modifier(state, cards, card)
    after = within(2 * (before - modifier) + modifier, MAX_CARD_POWER)
    state.played_power[seat, slot] = after
    note(state, Event.DOUBLE_CARD, seat, card, after)
    set_power(state, seat, int(state.power[seat]) + after - before)


@jit
def enemy_power(state, cards):
    """The enemy's current power (R32), never below 0 (R56)."""
    card = enemy(state)
    power = int(cards.enemy_power[card, max(state.players, 2) - 2]) + state.enemy_bonus
    each = int(cards.power_each[card])
    if each != 0:
        power += each * count_of(state, cards, cards.power_count[card], active_seat(state))
    return max(0, min(power, MAX_POWER))


@jit
def is_enemy_beaten(state, cards):
    """Whether the party's power is enough (R27)."""
    return combined_power(state) >= enemy_power(state, cards)


@jit
def hand_size_of_turn(state, cards, seat):
    """Three cards, more or fewer by the enemy's rule and by effects (R23)."""
    card = enemy(state)
    size = HAND_SIZE + int(cards.hand[card]) + state.hand_bonus[seat]
    if state.turn == 0:  # the starting player's; in solo the first turn only (R53)
        size += cards.starter_hand[card]
    size += state.boost_now[Boost.HAND, Span.COMBAT] + state.boost_now[Boost.HAND, Span.DUNGEON]
    return max(0, size)


@jit
def is_hero(state, seat, hero):
    """Whether a player counts as a hero (R6)."""
    return (state.heroes[seat] >> hero) & 1 == 1


@jit
def has_effect(state, cards, seat, card):
    """A Skill works only for its own hero (R17), and not against every enemy."""
    if cards.kind[card] != Kind.SKILL:
        return True
    return is_hero(state, seat, cards.hero[card]) and not cards.no_skills[enemy(state)]


@jit
def count_of(state, cards, what, seat):
    """How many of something there are on the table now."""
    if what == Count.BASIC_0_IN_DISCARDS:
        return num_in_discards(state, cards, Filter.BASIC_0)
    if what == Count.BASIC_1_IN_DISCARDS:
        return num_in_discards(state, cards, Filter.BASIC_1)
    if what == Count.LOOT_IN_DISCARDS:
        return num_in_discards(state, cards, Filter.LOOT)
    if what == Count.BASIC_0_IN_YOUR_DISCARD:
        return num_matching(state, cards, seat, IN_DISCARD, Filter.BASIC_0)
    if what == Count.CARDS_IN_YOUR_HAND:
        return int(state.pile_size[seat, Pile.HAND])
    if what == Count.CARDS_YOU_PLAYED:
        return int(state.pile_size[seat, Pile.PLAYED])
    if what == Count.BASICS_YOU_PLAYED:
        return num_matching(state, cards, seat, IN_PLAY, Filter.BASIC)
    if what == Count.LOOT_YOU_PLAYED:
        return num_matching(state, cards, seat, IN_PLAY, Filter.LOOT)
    if what == Count.CARDS_PLAYED:
        return num_played(state)
    if what == Count.REDRAWS:
        return int(state.redraws_now)
    if what == Count.EXHAUSTED_PLAYERS:
        return num_exhausted(state)
    if what == Count.TURNS_TAKEN:
        return int(state.turn)
    if what == Count.DUNGEONS_CLEARED:
        return num_cleared(state)
    return int(state.steps_left)


@jit
def num_in_discards(state, cards, wanted):
    """Cards of a sort in all discard piles."""
    count = 0
    for seat in range(state.players):
        count += num_matching(state, cards, seat, IN_DISCARD, wanted)
    return count


@jit
def num_played(state):
    """Cards played in this combat by all players."""
    count = 0
    for seat in range(state.players):
        count += state.pile_size[seat, Pile.PLAYED]
    return count


@jit
def num_exhausted(state):
    """Players whose deck is empty (R29)."""
    count = 0
    for seat in range(state.players):
        if state.pile_size[seat, Pile.DECK] == 0:
            count += 1
    return count


@jit
def num_cleared(state):
    """Dungeons cleared so far, of all levels."""
    count = 0
    for level in range(len(state.cleared)):
        count += state.cleared[level]
    return count
