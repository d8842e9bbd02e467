"""What Python calls: games in arrays, stepped in compiled loops."""

from tenefyr_env.engine.arrays import copy_entries
from tenefyr_env.engine.jit import entry
from tenefyr_env.engine.rng import below, next_word
from tenefyr_env.engine.setup import set_up
from tenefyr_env.engine.state import Outcome
from tenefyr_env.engine.step import ask_again, step


@entry
def set_up_games(states, tables, setups, seeds):
    """Lay the table for one game a seed; the records must be empty."""
    for game in range(len(seeds)):
        set_up(states[game], tables[0], setups[0], seeds[game])


@entry
def step_games(states, tables, actions):
    """Apply one legal action to each game."""
    for game in range(len(actions)):
        step(states[game], tables[0], actions[game])


@entry
def play_randomly(states, tables, setups, blank, chance, rounds, masks):
    """Play `rounds` decisions in every game, each a uniformly random legal action.

    A finished game is followed by a new one, laid on the empty record `blank`. The stream of the
    record `chance` makes the choices and the new seeds, so that the games' own are untouched.
    Returns how many games were finished.
    """
    finished = 0
    for _ in range(rounds):
        for game in range(len(states)):
            state = states[game]
            step(state, tables[0], state.options[below(chance[0], state.num_options)])
            if state.outcome != Outcome.OPEN:
                finished += 1
                states[game] = blank[0]
                set_up(states[game], tables[0], setups[0], next_word(chance[0]))
            copy_entries(state.legal, masks[game], 0)
    return finished


@entry
def ask_games_again(states, tables):
    """Ask the pending decision of each game anew, after its position was edited."""
    for game in range(len(states)):
        ask_again(states[game], tables[0])


@entry
def choose_randomly(states, chance, actions):
    """A uniformly random legal action for each game, from the stream of the record `chance`."""
    for game in range(len(states)):
        options = states[game].options
        actions[game] = options[below(chance[0], states[game].num_options)]
