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
    MAX_ROWS,
    NUM_BOSSES,
    NUM_CARDS,
    NUM_LEVELS,
    NUM_OPTIONS,
    NUM_REWARDS,
    VERB,
    WHERE,
)
from tenefyr_env.cards.vocabulary import Hero, Kind, Pile, Trigger, Verb
from tenefyr_env.engine.actions import NUM_ACTIONS
from tenefyr_env.engine.combat import IN_PLAY
from tenefyr_env.engine.decisions import as_seen_by, pass_the_vote
from tenefyr_env.engine.jit import entry, jit
from tenefyr_env.engine.piles import find
from tenefyr_env.engine.seats import next_seat
from tenefyr_env.engine.setup_record import MAX_TRACK
from tenefyr_env.engine.state import (
    DUNGEON_CAPACITY,
    MAX_CARD_POWER,
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
from tenefyr_env.engine.step import ask_again

LAST_OUTCOME = int(max(Outcome))
LAST_PHASE = int(max(Phase))
LAST_LEAVING = int(max(Leaving))
LAST_DECISION = int(max(Decision))
LAST_EVENT = int(max(Event))
NUM_TRIGGERS = len(Trigger)
ALL_HEROES = (1 << len(Hero)) - 1
MAX_BOOST = 99  # rewards add up to a few; far from the width of the field


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
    if not is_question_asked(states, game, cards):
        return Fault.QUESTION
    return Fault.NONE


@jit
def is_between(value, low, high):
    """Whether low <= value <= high."""
    return low <= value and value <= high


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
    return are_marks_sound(state) and are_counters_sound(state)


@jit
def are_marks_sound(state):
    """Phase, outcome and the other marks name something that exists."""
    for seat in range(MAX_SEATS):
        if not is_between(state.heroes[seat], 0, ALL_HEROES):
            return False
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
        and is_between(state.boss, NO_BOSS, NUM_BOSSES - 1)
        and is_between(state.difficulty, 0, 2)
        and state.answer == NO_ANSWER
    )


@jit
def are_counters_sound(state):
    """Turns, steps, votes and gifts are in their ranges."""
    for space in range(MAX_TRACK):
        if not is_between(state.gift_level[space], 0, NUM_LEVELS):
            return False
        if state.gift_count[space] < 0 or (state.gift_count[space] and not state.gift_level[space]):
            return False
    for kind in range(2):
        for span in range(2):
            if not is_between(state.boost[kind, span], 0, MAX_BOOST):
                return False
            if not is_between(state.boost_now[kind, span], 0, MAX_BOOST):
                return False
    return (
        is_between(state.turn, 0, state.num_turns - 1)
        and is_between(state.steps_left, 0, MAX_TRACK)
        and is_between(state.gifts_left, state.steps_left, MAX_TRACK)
        and is_between(state.gift_cards, 0, DUNGEON_CARDS_PER_LEVEL)
        and (state.gift_cards == 0 or state.gifts_left < MAX_TRACK)
        and state.saved_steps >= 0
        and is_between(state.num_votes, 0, state.players - 1)
        and is_between(state.rewards_chosen, 0, state.players)
        and state.num_events >= 0
        and state.num_decisions >= 0
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
        if not is_between(state.reward[dungeon], NO_REWARD, NUM_REWARDS - 1):
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
            if not is_between(state.is_known[dungeon, slot], 0, 1):
                return False
            if slot >= size and (card != 0 or state.is_known[dungeon, slot] != 0):
                return False
            if slot < size and not is_enemy(cards, card):
                return False
    return True


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
    """Effects being resolved lie in the table, each done by a player."""
    if not is_between(state.num_frames, 0, MAX_FRAMES):
        return False
    for frame in range(state.num_frames):
        if not is_between(state.frame_row[frame], 0, state.frame_last[frame]):
            return False
        if not is_between(state.frame_last[frame], 0, MAX_ROWS):
            return False
        if not is_between(state.frame_seat[frame], 0, state.players - 1):
            return False
        if not is_between(state.frame_card[frame], PARTY, NUM_CARDS - 1):
            return False
        if not is_effect_of(state, cards, frame, state.frame_card[frame]):
            return False
        if not is_memory_sound(state, cards, frame):
            return False
    return True


@jit
def is_memory_sound(state, cards, frame):
    """Answers kept for a row are cards where the row found them, players, or a count."""
    first, other = state.frame_memory[frame, 0], state.frame_memory[frame, 1]
    if not is_between(other, NOBODY, state.players - 1):
        return False
    if first == NO_CARD:
        return other == NOBODY
    if frame < state.num_frames - 1 or state.frame_row[frame] >= state.frame_last[frame]:
        return False
    row = cards.rows[state.frame_row[frame]]
    verb = row[VERB]
    if verb == Verb.REORDER:
        return is_between(first, 0, state.dungeon_size[state.dungeon] - 2)
    if verb != Verb.GIVE and verb != Verb.SWAP and verb != Verb.DOUBLE_CARD:
        return False
    piles = row[WHERE] if verb != Verb.DOUBLE_CARD else IN_PLAY
    for pile in range(NUM_PILES):
        if piles & (1 << pile) and find(state, state.frame_seat[frame], pile, first) >= 0:
            return True
    return False


@jit
def is_effect_of(state, cards, frame, card):
    """Whether the rows of a frame belong to its card, or to the current reward."""
    first, last = state.frame_row[frame], state.frame_last[frame]
    if first < last and cards.rows[first, VERB] == Verb.OPTION:  # the head of a branch is no step
        return False
    if card < 0:
        reward = state.reward[state.dungeon]
        if reward == NO_REWARD:
            return False
        for option in range(NUM_OPTIONS):
            if cards.reward_first_row[reward, option] <= first:
                if last <= cards.reward_last_row[reward, option]:
                    return True
        return False
    for trigger in range(NUM_TRIGGERS):
        if cards.first_row[card, trigger] <= first and last <= cards.last_row[card, trigger]:
            return True
    return False


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
    for slot in range(state.num_options):
        action = state.options[slot]
        if not is_between(action, 0, NUM_ACTIONS - 1) or not state.legal[action]:
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
        if not is_ownable(cards, state.gift):
            return False
        found[state.gift] += 1
    for card in range(NUM_CARDS):
        if not is_between(state.out_of_play[card], 0, BASICS_OF_EACH_POWER):
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
def is_question_asked(states, game, cards):
    """Asking again from the position alone gives the same question with the same options."""
    state = states[game]
    if state.outcome != Outcome.OPEN:
        return True
    again = states[game : game + 1].copy()
    ask_again(again[0], cards)
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
    for slot in range(one.num_options):
        if one.options[slot] != two.options[slot]:
            return False
    return one.num_events == two.num_events and one.decision_card == two.decision_card
