"""Random play under watch: whole games in which every position is checked.

Four records lie side by side: an earlier clone, the game, another earlier clone, and a clone that
is stepped with the game. A write past the end of the game's record would show in its neighbours.
"""

from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from tenefyr_env.engine.invariants import FAULT_TEXT, Fault, first_fault
from tenefyr_env.engine.jit import entry, jit
from tenefyr_env.engine.rng import below, next_word, seed_rng
from tenefyr_env.engine.setup import set_up
from tenefyr_env.engine.state import STATE, Outcome, new_states
from tenefyr_env.engine.step import step

EARLY, GAME, LATE, TWIN = range(4)
NUM_RECORDS = 4
TWIN_EVERY = 16  # decisions after which, on average, the twin is cloned anew
CLONE_EVERY = 64  # and an earlier clone is taken

# What a run reports, by place.
DECISIONS, GAMES, WON, LONGEST, MOST_EVENTS, FAULT, SEED, NUM_TAKEN = range(8)
NUM_FIGURES = 8


class Breach(IntEnum):
    """What can go wrong beside the faults of a position; numbered after them."""

    TWIN = 100
    CLONE = 101
    LENGTH = 102


BREACH_TEXT = {
    Breach.TWIN: "a clone stepped with the same actions is not equal",
    Breach.CLONE: "an earlier clone has changed",
    Breach.LENGTH: "the game has more decisions than the proven bound",
}


def breach_text(code: int) -> str:
    """What a fault code of `fuzz_games` means."""
    return FAULT_TEXT[Fault(code)] if code < Breach.TWIN else BREACH_TEXT[Breach(code)]


def words_of(states: npt.NDArray[Any]) -> npt.NDArray[np.uint64]:
    """The same memory as 64-bit words, a row for each record."""
    return states.view(np.uint64).reshape(len(states), STATE.itemsize // 8)


def new_table() -> tuple[npt.NDArray[Any], npt.NDArray[np.uint64], npt.NDArray[np.uint64]]:
    """The four records, the same memory as words, and room for the words of the clones."""
    states = new_states(NUM_RECORDS)
    words = words_of(states)
    return states, words, np.zeros_like(words)


@entry
def fuzz_games(
    states, words, kept, tables, setups, blank, chance, seed, limit, bound, taken, figures
):
    """Play whole random games until `limit` decisions are made; stop at the first fault.

    The stream of the record `chance` makes the choices and the games' seeds, so that the games'
    own are untouched. `taken` holds the actions of the last game, `figures` the counts.
    """
    seed_rng(chance[0], seed)
    while figures[DECISIONS] < limit and figures[FAULT] == Fault.NONE:
        figures[SEED] = next_word(chance[0])
        begin(states, words, kept, tables, setups, blank, figures)
        # Every other game takes the lower of two random options: parties that keep their hands,
        # go on, use effects and put off the boss get farther than wholly random ones.
        is_bold = figures[GAMES] % 2 == 1
        figures[FAULT] = first_fault(states, GAME, tables[0])
        while states[GAME].outcome == Outcome.OPEN and figures[FAULT] == Fault.NONE:
            play_decision(states, words, kept, tables, chance, is_bold, bound, taken, figures)
        count_game(states[GAME], figures)


@jit
def begin(states, words, kept, tables, setups, blank, figures):
    """Set up a game, and clone it into the other records."""
    states[GAME] = blank[0]
    set_up(states[GAME], tables[0], setups[0], figures[SEED])
    figures[NUM_TAKEN] = 0
    states[TWIN] = states[GAME]
    keep_clone(states, words, kept, EARLY)
    keep_clone(states, words, kept, LATE)


@jit
def keep_clone(states, words, kept, record):
    """Take a clone of the game and remember its words apart from it."""
    states[record] = states[GAME]
    for word in range(words.shape[1]):
        kept[record, word] = words[record, word]


@jit
def play_decision(states, words, kept, tables, chance, is_bold, bound, taken, figures):
    """Take one random action in the game and in its twin, then check everything."""
    action = random_action(states[GAME], chance[0], is_bold)
    taken[figures[NUM_TAKEN]] = action
    figures[NUM_TAKEN] += 1
    figures[DECISIONS] += 1
    step(states[GAME], tables[0], action)
    step(states[TWIN], tables[0], action)
    figures[MOST_EVENTS] = max(figures[MOST_EVENTS], states[GAME].num_events)
    check_position(states, words, kept, tables, bound, figures)
    if below(chance[0], TWIN_EVERY) == 0:
        states[TWIN] = states[GAME]
    if below(chance[0], CLONE_EVERY) == 0:
        keep_clone(states, words, kept, LATE)


@jit
def random_action(state, chance, is_bold):
    """A uniformly random option, or the lower of two."""
    action = state.options[below(chance, state.num_options)]
    if is_bold:
        action = min(action, state.options[below(chance, state.num_options)])
    return action


@jit
def check_position(states, words, kept, tables, bound, figures):
    """Note the first thing wrong with the game after a decision."""
    num_taken = figures[NUM_TAKEN]
    figures[FAULT] = first_fault(states, GAME, tables[0])
    if figures[FAULT] != Fault.NONE:
        return
    if not are_equal(words[GAME], words[TWIN]):
        figures[FAULT] = Breach.TWIN
    elif not are_clones_unchanged(words, kept):
        figures[FAULT] = Breach.CLONE
    elif states[GAME].num_decisions != num_taken or num_taken > bound:
        figures[FAULT] = Breach.LENGTH


@jit
def are_equal(one, two):
    """Whether two records are the same, word by word."""
    for word in range(len(one)):
        if one[word] != two[word]:
            return False
    return True


@jit
def are_clones_unchanged(words, kept):
    """Whether both earlier clones are as they were when they were taken."""
    return are_equal(words[EARLY], kept[EARLY]) and are_equal(words[LATE], kept[LATE])


@jit
def count_game(state, figures):
    """A game is over, or was stopped."""
    figures[GAMES] += 1
    figures[LONGEST] = max(figures[LONGEST], figures[NUM_TAKEN])
    if state.outcome == Outcome.WON:
        figures[WON] += 1
