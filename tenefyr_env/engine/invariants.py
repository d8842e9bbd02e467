"""What is true of every position: the guard of loaded games, edited games and the fuzz run.

The ranges come first: the engine uses these numbers as places in arrays, so a position that fails
here must never be played on.
"""

from enum import IntEnum

import numpy as np

from tenefyr_env.cards.table import (
    BASIC_0,
    BASIC_1,
    BASICS_OF_EACH_POWER,
    DUNGEON_CARDS_PER_LEVEL,
    JUMP,
    MAX_ROWS,
    NUM_BOSSES,
    NUM_CARDS,
    NUM_HEROES,
    NUM_LEVELS,
    NUM_OPTIONS,
    NUM_REWARDS,
    OPTIONAL,
    VERB,
    WHERE,
)
from tenefyr_env.cards.vocabulary import Hero, Kind, Pile, Span, Trigger, Verb
from tenefyr_env.engine.actions import NUM_ACTIONS
from tenefyr_env.engine.decisions import as_seen_by, pass_the_vote, withdraw_options
from tenefyr_env.engine.dungeons import enemy
from tenefyr_env.engine.jit import entry, jit
from tenefyr_env.engine.piles import find
from tenefyr_env.engine.seats import next_seat
from tenefyr_env.engine.setup_record import MAX_TRACK
from tenefyr_env.engine.state import (
    BOSS_DECK,
    DUNGEON_CAPACITY,
    MAX_CARD_POWER,
    MAX_EVENTS,
    MAX_FRAMES,
    MAX_POWER,
    MAX_SEATS,
    NO_ANSWER,
    NO_BOSS,
    NO_CARD,
    NO_DUNGEON,
    NO_REWARD,
    NOBODY,
    NUM_DUNGEONS,
    NUM_PILES,
    PARTY,
    PILE_CAPACITY,
    Decision,
    Event,
    Leaving,
    Outcome,
    Phase,
)
from tenefyr_env.engine.step import advance

LAST_OUTCOME = int(max(Outcome))
LAST_PHASE = int(max(Phase))
LAST_LEAVING = int(max(Leaving))
LAST_DECISION = int(max(Decision))
LAST_EVENT = int(max(Event))
LAST_SPAN = int(max(Span))
ALL_HEROES = (1 << len(Hero)) - 1
MAX_BOOST = 99  # rewards add up to a few; far from the width of the field
MAX_SAVED_STEPS = 999  # three for every enemy and every choice of a reward are fewer
MAX_COUNT = 9999  # of anything counted over a game; far from the width of the fields

# Events whose card, or whose number, the log must be able to name.
EVENTS_OF_CARD = (
    Event.TURN_UP, Event.FIGHT, Event.PLAY, Event.DOUBLE_CARD, Event.DISCARD, Event.SEARCH,
    Event.RETURN, Event.RECOVER, Event.REMOVE, Event.GIVE, Event.TAKE, Event.LOOK, Event.MOVE,
    Event.JOIN, Event.DEFEAT, Event.LOOT, Event.STAND,
)  # fmt: skip
EVENTS_OF_DUNGEON = (
    Event.ENTER, Event.TURN_UP, Event.LOOK, Event.MOVE, Event.LEAVE, Event.THROWN_OUT,
    Event.CLEAR, Event.EMPTY,
)  # fmt: skip
HAS_CARD = np.array([event in EVENTS_OF_CARD for event in Event])
HAS_DUNGEON = np.array([event in EVENTS_OF_DUNGEON for event in Event])


class Fault(IntEnum):
    """The first thing found wrong with a position."""

    NONE = 0
    NUMBERS = 1  # a field is outside its range
    PILES = 2  # a pile's size or card is outside its range, or an unused place is not empty
    DUNGEONS = 3
    RESERVE = 4
    FRAMES = 5  # an effect being resolved does not lie in the card table
    OPTIONS = 6  # the options and the mask disagree, or are empty before the end
    CARDS = 7  # a card is in two places or in none
    POWERS = 8
    QUESTION = 9  # the rules do not ask this here
    EVENTS = 10  # the log tells of what does not exist


FAULT_TEXT = {
    Fault.NUMBERS: "a number is outside its range",
    Fault.PILES: "a player's pile has an impossible size or card",
    Fault.DUNGEONS: "a dungeon has an impossible size, card or reward",
    Fault.RESERVE: "the reserve has an impossible size or card",
    Fault.FRAMES: "an effect being resolved is not one of the card set",
    Fault.OPTIONS: "the pending decision has impossible options",
    Fault.CARDS: "a card is in two places or missing",
    Fault.POWERS: "a power is outside its bounds",
    Fault.QUESTION: "the pending decision is not the one the rules ask here",
    Fault.EVENTS: "the log tells of a card, player or dungeon that does not exist",
}


@entry
def first_faults(states, tables, faults):
    """Write for each game the first thing wrong with it, or Fault.NONE."""
    for game in range(len(states)):
        faults[game] = first_fault(states, game, tables[0])


@jit
def first_fault(states, game, cards):
    """The first thing wrong with a position."""
    state = states[game]
    if not are_numbers_sound(state):
        return Fault.NUMBERS
    if not are_piles_sound(state, cards):
        return Fault.PILES
    if not are_dungeons_sound(state, cards):
        return Fault.DUNGEONS
    if not is_reserve_sound(state, cards):
        return Fault.RESERVE
    if not are_frames_sound(state, cards):
        return Fault.FRAMES
    if not are_options_sound(state):
        return Fault.OPTIONS
    if not is_every_card_in_one_place(state, cards):
        return Fault.CARDS
    if not are_powers_sound(state):
        return Fault.POWERS
    if not are_events_sound(state, cards):
        return Fault.EVENTS
    if not is_phase_sound(state, cards) or not is_question_asked(states, game, cards):
        return Fault.QUESTION
    return Fault.NONE


@jit
def is_between(value, low, high):
    """Whether low <= value <= high."""
    return low <= value and value <= high


@jit
def is_flag(value):
    """Whether a value is a yes or a no."""
    return value == 0 or value == 1


@jit
def is_count(value):
    """Whether a value can have been counted in one game."""
    return is_between(value, 0, MAX_COUNT)


@jit
def are_numbers_sound(state):
    """Every number that steers the game is in its range."""
    players = state.players
    if not is_between(players, 1, MAX_SEATS) or state.num_turns != max(2, players):
        return False
    if not is_between(state.starter, 0, players - 1):
        return False
    if not is_between(state.dungeon, NO_DUNGEON, NUM_DUNGEONS - 1):
        return False
    # Only the choice of a dungeon is made outside of one.
    if (state.dungeon == NO_DUNGEON) != (state.phase == Phase.CHOOSE_DUNGEON):
        return False
    return (
        are_heroes_sound(state)
        and are_marks_sound(state)
        and are_flags_sound(state)
        and are_counters_sound(state)
        and are_statistics_sound(state)
    )


@jit
def are_heroes_sound(state):
    """Every player counts as one hero, or as two with one or two players (R5 to R7)."""
    taken = 0
    for seat in range(MAX_SEATS):
        heroes = int(state.heroes[seat])
        if not is_between(heroes, 0, ALL_HEROES) or heroes & taken:
            return False
        taken |= heroes
        count = 0
        for hero in range(NUM_HEROES):
            count += (heroes >> hero) & 1
        wanted = 2 if state.players <= 2 else 1
        if count != (wanted if seat < state.players else 0):
            return False
    return True


@jit
def are_flags_sound(state):
    """Every mark that is a yes or a no is one of them."""
    return (
        is_flag(state.is_quick)
        and is_flag(state.is_vote)
        and is_flag(state.has_open_hands)
        and is_flag(state.takes_single_options)
        and is_flag(state.has_moved)
        and is_flag(state.has_deathstrike)
        and is_flag(state.is_joint)
        and is_flag(state.finished_with_deathstrike)
        and is_flag(state.beat_lost_goblin)
        and is_flag(state.beat_boss_in_one_turn)
    )


@jit
def are_statistics_sound(state):
    """What is counted over the game is far from the width of its field."""
    for level in range(NUM_LEVELS):
        if not is_count(state.cleared[level]) or not is_count(state.entered[level]):
            return False
    for seat in range(MAX_SEATS):
        if not is_count(state.redraws[seat]) or not is_count(state.loot_taken[seat]):
            return False
    for hero in range(NUM_HEROES):
        if not is_count(state.skill_uses[hero]):
            return False
    return (
        is_count(state.rewards_taken)
        and is_count(state.combats_won)
        and is_count(state.combats_lost)
        and is_count(state.boss_stages)
        and is_count(state.best_power)
        and is_between(state.steps_spent, 0, MAX_TRACK - state.steps_left)
    )


@jit
def are_marks_sound(state):
    """Phase, outcome and the other marks name something that exists."""
    for word in range(len(state.rng)):
        if not is_between(state.rng[word], 0, 0xFFFFFFFF):
            return False
    return (
        is_between(state.outcome, 0, LAST_OUTCOME)
        and is_between(state.phase, 0, LAST_PHASE)
        and is_between(state.leaving, 0, LAST_LEAVING)
        and is_between(state.decision, 0, LAST_DECISION)
        and is_between(state.decider, NOBODY, state.players - 1)
        and is_between(state.decision_card, NO_CARD, NUM_CARDS - 1)
        and is_between(state.gift, NO_CARD, NUM_CARDS - 1)
        and is_between(state.difficulty, 0, 2)
        and is_between(state.boss, NO_BOSS, NUM_BOSSES - 1)
        and (state.boss == NO_BOSS) == (state.is_quick == 1)
        and state.answer == NO_ANSWER
    )


@jit
def are_counters_sound(state):
    """Turns, steps, votes and gifts are in their ranges."""
    for space in range(MAX_TRACK):
        if not is_between(state.gift_level[space], 0, NUM_LEVELS):
            return False
        if not is_between(state.gift_count[space], 0, DUNGEON_CARDS_PER_LEVEL):
            return False
        if state.gift_count[space] and not state.gift_level[space]:
            return False
    for kind in range(2):
        for span in range(2):
            if not is_between(state.boost[kind, span], 0, MAX_BOOST):
                return False
            if not is_between(state.boost_now[kind, span], 0, MAX_BOOST):
                return False
    for seat in range(MAX_SEATS):
        if not is_between(state.hand_bonus[seat], -MAX_BOOST, MAX_BOOST):
            return False
        if seat >= state.num_votes and state.votes[seat] != 0:
            return False
    return (
        is_between(state.turn, 0, state.num_turns - 1)
        and is_between(state.steps_left, 0, MAX_TRACK)
        and is_between(state.gifts_left, state.steps_left, MAX_TRACK)
        and is_between(state.gift_cards, 0, DUNGEON_CARDS_PER_LEVEL)
        # The gifts of the current space are looked up by the spaces left.
        and (state.gift_cards == 0 or state.gifts_left < MAX_TRACK)
        and is_between(state.saved_steps, 0, MAX_SAVED_STEPS)
        and is_between(state.num_votes, 0, state.players - 1 if state.is_vote else 0)
        and is_between(state.rewards_chosen, 0, state.players)
        and is_count(state.redraws_now)
        and is_count(state.num_events)
        and is_between(state.num_decisions, 0, MAX_COUNT * MAX_COUNT)
    )


@jit
def are_piles_sound(state, cards):
    """Piles hold cards that a player can own, and nothing beyond their size."""
    for seat in range(MAX_SEATS):
        if not is_between(state.num_shown[seat], 0, state.pile_size[seat, Pile.HAND]):
            return False
        for pile in range(NUM_PILES):
            size = state.pile_size[seat, pile]
            if not is_between(size, 0, PILE_CAPACITY if seat < state.players else 0):
                return False
            for slot in range(PILE_CAPACITY):
                card = state.piles[seat, pile, slot]
                if slot >= size and card != 0:
                    return False
                if slot < size and not is_ownable(cards, card):
                    return False
    return True


@jit
def is_ownable(cards, card):
    """Whether the id is that of a Basic, Skill or Dungeon card of the set."""
    if not is_between(card, 0, NUM_CARDS - 1):
        return False
    return cards.kind[card] != Kind.NONE and cards.kind[card] != Kind.BOSS


@jit
def are_dungeons_sound(state, cards):
    """Dungeons hold enemies, and nothing beyond their size; no reward lies beside two."""
    for dungeon in range(NUM_DUNGEONS):
        size = state.dungeon_size[dungeon]
        if not is_between(size, 0, DUNGEON_CAPACITY):
            return False
        if not is_reward(cards, state.reward[dungeon]):
            return False
        for other in range(dungeon):
            if state.reward[dungeon] != NO_REWARD and state.reward[other] == state.reward[dungeon]:
                return False
        if not is_between(state.dungeon_level[dungeon], 1 if size > 0 else 0, NUM_LEVELS):
            # The regular boss deck has no level of its own.
            if dungeon != NUM_DUNGEONS - 1 or state.dungeon_level[dungeon] != 0:
                return False
        for slot in range(DUNGEON_CAPACITY):
            card = state.dungeon_cards[dungeon, slot]
            if slot >= size and (card != 0 or state.is_known[dungeon, slot] != 0):
                return False
            if slot < size and not is_enemy(cards, card):
                return False
            if slot < size and cards.kind[card] == Kind.BOSS and dungeon != BOSS_DECK:
                return False
            if not is_flag(state.is_known[dungeon, slot]):
                return False
    return is_current_dungeon_sound(state, cards)


@jit
def is_current_dungeon_sound(state, cards):
    """The party stands in a dungeon with a level; before the end there is always a boss deck."""
    if state.boss != NO_BOSS and not cards.boss_exists[state.boss]:
        return False
    if state.dungeon != NO_DUNGEON and state.dungeon != BOSS_DECK:
        if state.dungeon_level[state.dungeon] == 0:
            return False
    if state.outcome != Outcome.OPEN or state.dungeon_size[BOSS_DECK] > 0:
        return True
    return state.dungeon == BOSS_DECK and state.has_moved == 1


@jit
def is_reward(cards, reward):
    """Whether the number is that of a reward of the set, or of none."""
    if reward == NO_REWARD:
        return True
    return is_between(reward, 0, NUM_REWARDS - 1) and cards.reward_exists[reward] == 1


@jit
def is_enemy(cards, card):
    """Whether the id is that of a Dungeon or Boss card of the set."""
    if not is_between(card, 0, NUM_CARDS - 1):
        return False
    return cards.kind[card] == Kind.DUNGEON or cards.kind[card] == Kind.BOSS


@jit
def is_reserve_sound(state, cards):
    """The reserve holds Dungeon cards of the right level."""
    for level in range(NUM_LEVELS):
        size = state.reserve_size[level]
        if not is_between(size, 0, DUNGEON_CARDS_PER_LEVEL):
            return False
        for slot in range(DUNGEON_CARDS_PER_LEVEL):
            card = state.reserve[level, slot]
            if slot >= size and card != 0:
                return False
            if slot < size and not (is_enemy(cards, card) and cards.level[card] == level + 1):
                return False
    return True


@jit
def are_frames_sound(state, cards):
    """Effects being resolved lie in the table, each done by a player; unused places are empty."""
    if not is_between(state.num_frames, 0, MAX_FRAMES):
        return False
    for frame in range(MAX_FRAMES):
        if frame >= state.num_frames:
            if not is_frame_empty(state, frame):
                return False
        elif not is_frame_sound(state, cards, frame):
            return False
    return has_room_for_arrivals(state, cards)


@jit
def is_frame_empty(state, frame):
    """Whether no effect has left anything in this place."""
    return (
        state.frame_row[frame] == 0
        and state.frame_last[frame] == 0
        and state.frame_seat[frame] == 0
        and state.frame_card[frame] == 0
        and state.frame_memory[frame, 0] == 0
        and state.frame_memory[frame, 1] == 0
    )


@jit
def is_frame_sound(state, cards, frame):
    """Whether the rows of a frame are whole steps of an effect that may happen here."""
    if not is_between(state.frame_row[frame], 0, state.frame_last[frame]):
        return False
    if not is_between(state.frame_last[frame], 0, MAX_ROWS):
        return False
    if not is_between(state.frame_seat[frame], 0, state.players - 1):
        return False
    if not is_between(state.frame_card[frame], PARTY, NUM_CARDS - 1):
        return False
    if not is_effect_of_phase(state, cards, frame):
        return False
    if not are_rows_whole(cards, state.frame_row[frame], state.frame_last[frame]):
        return False
    return is_memory_sound(state, cards, frame)


@jit
def is_effect_of_phase(state, cards, frame):
    """Whether the rows belong to an effect of this card that this phase resolves."""
    phase = state.phase
    if phase == Phase.REWARD:
        return is_of_reward(state, cards, frame)
    if phase == Phase.PLAY:
        return is_of_trigger(state, cards, frame, Trigger.PLAY)
    if phase == Phase.DRAW:
        return is_of_enemy(state, frame) and (
            is_of_trigger(state, cards, frame, Trigger.TURN)
            or is_of_trigger(state, cards, frame, Trigger.REDRAW)
        )
    if phase == Phase.START_TURN:
        return is_of_enemy(state, frame) and is_of_trigger(state, cards, frame, Trigger.START)
    if phase == Phase.TAKE_LOOT:
        return is_of_enemy(state, frame) and is_of_trigger(state, cards, frame, Trigger.END)
    return False


@jit
def is_of_reward(state, cards, frame):
    """Whether the rows belong to an option of the current reward."""
    card, reward = state.frame_card[frame], state.reward[state.dungeon]
    if card > NO_CARD or reward == NO_REWARD:
        return False
    if card == PARTY and not cards.reward_together[reward]:
        return False
    for option in range(NUM_OPTIONS):
        if cards.reward_first_row[reward, option] <= state.frame_row[frame]:
            if state.frame_last[frame] <= cards.reward_last_row[reward, option]:
                return True
    return False


@jit
def is_of_trigger(state, cards, frame, trigger):
    """Whether the rows belong to an effect of the frame's card."""
    card = state.frame_card[frame]
    if card < 0:
        return False
    first, last = cards.first_row[card, trigger], cards.last_row[card, trigger]
    return first <= state.frame_row[frame] and state.frame_last[frame] <= last


@jit
def is_of_enemy(state, frame):
    """Whether the effect is the current enemy's, who may just have moved away (R51)."""
    if state.has_moved:
        return True
    size = state.dungeon_size[state.dungeon]
    return size > 0 and state.frame_card[frame] == enemy(state)


@jit
def are_rows_whole(cards, first, last):
    """Whether a stretch of rows ends where a step ends, and no branch runs into the next."""
    position = int(first)
    while position < last:
        verb = cards.rows[position, VERB]
        end = position + 1 + cards.rows[position, JUMP]
        if verb == Verb.IF:
            end += cards.rows[position, OPTIONAL]
        if verb == Verb.OPTION or end > last:
            return False
        # These blocks run in frames of their own; all other rows go on with the row behind them.
        if verb == Verb.WITH or verb == Verb.IF or verb == Verb.CHOOSE or verb == Verb.RANDOM:
            position = end
        else:
            position += 1
    return True


@jit
def is_memory_sound(state, cards, frame):
    """Answers kept for a row are ones it can have been given."""
    card, other = state.frame_memory[frame, 0], state.frame_memory[frame, 1]
    if card == NO_CARD and other == NOBODY:
        return True
    if frame != state.num_frames - 1 or state.frame_row[frame] == state.frame_last[frame]:
        return False
    row = cards.rows[state.frame_row[frame]]
    seat = state.frame_seat[frame]
    if row[VERB] == Verb.SWAP and other != NOBODY:
        is_other = other != seat or state.players == 1
        return is_between(other, 0, state.players - 1) and is_other and owns(state, seat, row, card)
    if other != NOBODY:
        return False
    if row[VERB] == Verb.DOUBLE_CARD:
        return card >= 0 and find(state, seat, Pile.PLAYED, card) >= 0
    if row[VERB] == Verb.REORDER:  # how many cards have their place
        return is_between(card, 0, state.dungeon_size[state.dungeon] - 2)
    return (row[VERB] == Verb.GIVE or row[VERB] == Verb.SWAP) and owns(state, seat, row, card)


@jit
def owns(state, seat, row, card):
    """Whether a player has a card in the piles that a row speaks of."""
    for pile in range(NUM_PILES):
        if row[WHERE] & (1 << pile) and find(state, seat, pile, card) >= 0:
            return True
    return False


@jit
def num_rows(cards, first, last, verb):
    """How many rows of a stretch have this verb."""
    count = 0
    for position in range(first, last):
        if cards.rows[position, VERB] == verb:
            count += 1
    return count


@jit
def num_rows_of(cards, card, trigger, verb):
    """How many rows with this verb an effect of a card has."""
    return num_rows(cards, cards.first_row[card, trigger], cards.last_row[card, trigger], verb)


@jit
def num_rows_to_come(state, cards, verb):
    """How many rows with this verb are still to be done in the effects being resolved."""
    count = 0
    for frame in range(state.num_frames):
        count += num_rows(cards, state.frame_row[frame], state.frame_last[frame], verb)
    return count


@jit
def has_room_for_arrivals(state, cards):
    """Enemies that may still move or join find a place in the record (R51, R62)."""
    if state.dungeon_size[BOSS_DECK] + num_joining(state, cards) > DUNGEON_CAPACITY:
        return False
    if state.has_moved and state.dungeon_size[state.dungeon] == 0:
        if num_rows_to_come(state, cards, Verb.MOVE) > 0:
            return False
    num_movers = 0
    for card in range(NUM_CARDS):
        num_movers += is_mover(cards, card)
    for dungeon in range(BOSS_DECK):
        room = DUNGEON_CAPACITY - num_movers
        for slot in range(state.dungeon_size[dungeon]):
            room -= not is_mover(cards, state.dungeon_cards[dungeon, slot])
        if room < 0:
            return False
    return True


@jit
def is_mover(cards, card):
    """Whether an enemy may move to another dungeon."""
    at_start = num_rows_of(cards, card, Trigger.START, Verb.MOVE)
    return at_start + num_rows_of(cards, card, Trigger.END, Verb.MOVE) > 0


@jit
def num_joining(state, cards):
    """How many monsters may still join the boss deck."""
    count = num_rows_to_come(state, cards, Verb.JOIN)
    top = state.dungeon_size[BOSS_DECK] - 1
    for slot in range(top + 1):
        card = state.dungeon_cards[BOSS_DECK, slot]
        is_fought = slot == top and state.dungeon == BOSS_DECK
        if not is_fought:
            count += num_rows_of(cards, card, Trigger.START, Verb.JOIN)
        if not is_fought or state.phase != Phase.TAKE_LOOT:
            count += num_rows_of(cards, card, Trigger.END, Verb.JOIN)
    return count


@jit
def are_options_sound(state):
    """The mask says the same as the options; there is one before the end and none after it."""
    if not is_between(state.num_options, 0, NUM_ACTIONS):
        return False
    if (state.num_options == 0) != (state.outcome != Outcome.OPEN):
        return False
    count = 0
    for action in range(NUM_ACTIONS):
        if not is_between(state.legal[action], 0, 1):
            return False
        count += state.legal[action]
    if count != state.num_options:
        return False
    for slot in range(NUM_ACTIONS):
        action = state.options[slot]
        if slot >= state.num_options:
            if action != 0:
                return False
        elif not is_between(action, 0, NUM_ACTIONS - 1) or not state.legal[action]:
            return False
    return True


@jit
def is_every_card_in_one_place(state, cards):
    """Every physical card of the set is somewhere exactly once."""
    found = np.zeros(NUM_CARDS, np.int16)
    for seat in range(state.players):
        for pile in range(NUM_PILES):
            for slot in range(state.pile_size[seat, pile]):
                found[state.piles[seat, pile, slot]] += 1
    for dungeon in range(NUM_DUNGEONS):
        for slot in range(state.dungeon_size[dungeon]):
            found[state.dungeon_cards[dungeon, slot]] += 1
    for level in range(NUM_LEVELS):
        for slot in range(state.reserve_size[level]):
            found[state.reserve[level, slot]] += 1
    if state.gift != NO_CARD:
        found[state.gift] += 1
    for card in range(NUM_CARDS):
        if state.out_of_play[card] < 0 or not is_flag(state.is_returned[card]):
            return False
        if found[card] + state.out_of_play[card] != num_copies(cards, card):
            return False
    return True


@jit
def num_copies(cards, card):
    """How many physical copies of a card the set has (R1 to R3)."""
    if card == BASIC_0 or card == BASIC_1:
        return BASICS_OF_EACH_POWER
    return 0 if cards.kind[card] == Kind.NONE else 1


@jit
def are_powers_sound(state):
    """Powers keep within their bounds, and a player's power is at least explained by cards."""
    for seat in range(MAX_SEATS):
        if not is_between(state.power[seat], -MAX_POWER, MAX_POWER):
            return False
        for slot in range(PILE_CAPACITY):
            power = state.played_power[seat, slot]
            if not is_between(power, -MAX_CARD_POWER, MAX_CARD_POWER):
                return False
            if slot >= state.pile_size[seat, Pile.PLAYED] and power != 0:
                return False
    if not is_between(state.party_power, 0, MAX_POWER):
        return False
    return is_between(state.enemy_bonus, -MAX_POWER, MAX_POWER)


@jit
def are_events_sound(state, cards):
    """The log tells of what exists, and of nothing beyond its length."""
    for slot in range(MAX_EVENTS):
        if slot < state.num_events:
            if not is_event_sound(state, cards, slot):
                return False
        elif state.event_number[slot] != 0:
            return False
        else:
            for column in range(3):
                if state.event[slot, column] != 0:
                    return False
    return True


@jit
def is_event_sound(state, cards, slot):
    """Whether an event's card, player and dungeon can be named."""
    event, seat, card = state.event[slot, 0], state.event[slot, 1], state.event[slot, 2]
    number = state.event_number[slot]
    if not is_between(event, 0, LAST_EVENT):
        return False
    if event == Event.BOOST_POWER or event == Event.BOOST_HAND:
        if not is_between(seat, 0, LAST_SPAN):
            return False
    elif not is_between(seat, NOBODY, state.players - 1):
        return False
    if event == Event.REWARD:
        is_named = card != NO_REWARD and is_reward(cards, card)
        return is_named and is_between(number, 0, NUM_OPTIONS - 1)
    if not is_between(card, 0 if HAS_CARD[event] else NO_CARD, NUM_CARDS - 1):
        return False
    if card != NO_CARD and cards.kind[card] == Kind.NONE:
        return False
    if event == Event.GIVE:
        return is_between(number, 0, state.players - 1)
    if event == Event.VOTE:
        return is_between(number, 0, NUM_ACTIONS - 1)
    return not HAS_DUNGEON[event] or is_between(number, 0, NUM_DUNGEONS - 1)


@jit
def is_phase_sound(state, cards):
    """What is only there in some phases is there in those, and the phase is one that asks."""
    if state.outcome != Outcome.OPEN:
        return state.num_frames == 0
    phase = state.phase
    is_gift = state.gift != NO_CARD
    if is_gift != (phase == Phase.HAND_OUT) or (not is_gift and state.gift_cards > 0):
        return False
    if is_gift and cards.kind[state.gift] != Kind.DUNGEON:
        return False
    if phase == Phase.REWARD:
        return is_reward_phase_sound(state, cards)
    if state.rewards_chosen > 0:
        return False
    if phase == Phase.CHOOSE_DUNGEON:
        return True
    if phase > Phase.TAKE_LOOT:
        return state.dungeon != BOSS_DECK
    if state.has_moved:
        return phase == Phase.START_TURN or phase == Phase.TAKE_LOOT
    size = state.dungeon_size[state.dungeon]
    return size > 0 and state.is_known[state.dungeon, size - 1] == 1


@jit
def is_reward_phase_sound(state, cards):
    """A reward is being taken: after a clearing, by those who have not yet had it (R37, R38)."""
    reward = state.reward[state.dungeon]
    if state.leaving != Leaving.CLEARED or reward == NO_REWARD or state.dungeon == BOSS_DECK:
        return False
    wanted = 1 if cards.reward_together[reward] else state.players
    is_resolving = state.num_frames > 0
    first, last = (1, wanted) if is_resolving else (0, wanted - 1)
    return is_between(state.rewards_chosen, first, last)


@jit
def is_question_asked(states, game, cards):
    """Asking again from the position alone gives the same question with the same options.

    Whatever asks does so at once, so one step is enough, and no position can make it play on.
    """
    state = states[game]
    if state.outcome != Outcome.OPEN:
        return True
    again = states[game : game + 1].copy()
    withdraw_options(again[0])
    again[0].num_votes = 0
    again[0].decision = Decision.NONE
    advance(again[0], cards)
    if again[0].num_options == 1 and state.takes_single_options:
        return False
    for voter in range(state.num_votes):
        if not again[0].is_joint or not is_option_of_starter(state, state.votes[voter]):
            return False
        pass_the_vote(again[0], next_seat(state, again[0].decider))
    return is_same_question(state, again[0])


@jit
def is_option_of_starter(state, action):
    """Whether a vote is one of the options, as the starting player names them."""
    for slot in range(state.num_options):
        if as_seen_by(state, state.options[slot], state.decider, state.starter) == action:
            return True
    return False


@jit
def is_same_question(one, two):
    """Whether two games wait for the same choice."""
    if one.decision != two.decision or one.decider != two.decider or one.phase != two.phase:
        return False
    if one.num_options != two.num_options or one.num_frames != two.num_frames:
        return False
    if one.is_joint != two.is_joint or one.outcome != two.outcome:
        return False
    for slot in range(one.num_options):
        if one.options[slot] != two.options[slot]:
            return False
    return one.num_events == two.num_events and one.decision_card == two.decision_card
