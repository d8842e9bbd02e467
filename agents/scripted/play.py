"""What Python calls of the scripted players: decisions and whole games in compiled loops."""

from agents.jit import entry, jit
from agents.scripted.strategies import choose
from tenefyr_env.engine.rng import WORD
from tenefyr_env.engine.state import Outcome
from tenefyr_env.engine.step import step


@entry
def choose_for_games(states, tables, guides, policy, seeds, actions):
    """The action of each pending decision."""
    for game in range(len(states)):
        actions[game] = choose(states[game], tables[0], guides[0], policy, seeds[game])


@entry
def play_games_out(states, tables, guides, policies, seeds):
    """Play every game to its end, each seat by its policy."""
    for game in range(len(states)):
        play_out(states[game], tables[0], guides[0], policies, seeds[game])


@jit
def play_out(state, cards, guide, policies, seed):
    """Play a game to its end, each seat by its policy."""
    while state.outcome == Outcome.OPEN:
        seed = (seed * 1664525 + 1013904223) & WORD  # for those who throw dice
        policy = policies[state.decider]
        step(state, cards, choose(state, cards, guide, policy, seed >> 8))
