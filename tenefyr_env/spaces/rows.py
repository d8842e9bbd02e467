"""Many games in one compiled call: step, reward, start anew, and say who must choose what."""

from tenefyr_env.engine.arrays import copy_entries
from tenefyr_env.engine.jit import entry, jit
from tenefyr_env.engine.rng import mix
from tenefyr_env.engine.setup import set_up
from tenefyr_env.engine.state import Outcome
from tenefyr_env.engine.step import step
from tenefyr_env.spaces.flat import encode_flat

NO_SHAPING = -1.0
FORFEIT = -1  # instead of an action
# The potential of a position: rough progress on the way to a victory, in units of one.
COMBAT_WON = 0.01
DUNGEON_CLEARED = 0.02
BOSS_STAGE = 0.1


@entry
def start_rows(states, tables, setups, seeds, streams, rows, masks, seats, potentials):
    """Lay new games in the given rows; each row's later seeds come from its own stream."""
    for index in range(len(rows)):
        row = rows[index]
        seed_stream(streams[row], seeds[index])
        set_up(states[row], tables[0], setups[0], seeds[index])
        show_row(states, row, masks, seats)
        potentials[row] = potential(states[row])


@entry
def first_illegal(masks, actions):
    """The first row whose action is not legal, or -1."""
    for row in range(len(actions)):
        action = actions[row]
        if action < 0 or action >= masks.shape[1] or not masks[row, action]:
            return row
    return -1


@entry
def step_some(
    states, tables, setups, blank, rows, actions, streams, gamma,
    masks, seats, rewards, outcomes, potentials, finals, observations,
):  # fmt: skip
    """Apply the legal action `actions[i]` in row `rows[i]`; a new game follows a finished one.

    `outcomes` says how a game of this step has ended, and `finals` keeps its last position. The
    action FORFEIT gives a row's game up: it is lost where it stands. The flat observation is
    written at once, while the game is at hand; for other encoders `observations` is empty.
    """
    for index in range(len(rows)):
        row = rows[index]
        if actions[index] == FORFEIT:
            outcomes[row] = Outcome.LOST
        else:
            step(states[row], tables[0], actions[index])
            outcomes[row] = states[row].outcome
        rewards[row] = reward_of(states[row], outcomes[row], row, gamma, potentials)
        if outcomes[row] != Outcome.OPEN:
            finals[row] = states[row]
            states[row] = blank[0]
            set_up(states[row], tables[0], setups[0], next_seed(streams[row]))
            potentials[row] = potential(states[row])
        show_row(states, row, masks, seats)
        if len(observations) > 0:
            encode_flat(states[row], tables[0], seats[row], observations[row])


@entry
def step_and_see(states, tables, actions, observations):
    """Step one game, and write what the next to choose sees of it: one call instead of two."""
    step(states[0], tables[0], actions[0])
    if states[0].outcome == Outcome.OPEN:
        encode_flat(states[0], tables[0], states[0].decider, observations[0])


@jit
def reward_of(state, outcome, row, gamma, potentials):
    """What a step has earned: a victory, and the shaping unless there is none."""
    reward = 1.0 if outcome == Outcome.WON else 0.0
    if gamma != NO_SHAPING:
        reward -= potentials[row]
        if outcome == Outcome.OPEN:
            potentials[row] = potential(state)
            reward += gamma * potentials[row]
    return reward


@jit
def show_row(states, row, masks, seats):
    """Who must choose, and among which actions."""
    copy_entries(states[row].legal, masks[row], 0)
    seats[row] = states[row].decider


@jit
def potential(state):
    """How far the party has come, from what all can see; 0 at the start of a game."""
    cleared = 0
    for level in range(len(state.cleared)):
        cleared += state.cleared[level] * (level + 1)
    progress = COMBAT_WON * state.combats_won + DUNGEON_CLEARED * cleared
    return progress + BOSS_STAGE * state.boss_stages


@entry
def potentials_of(states, potentials):
    """Write the potential of each game."""
    for game in range(len(states)):
        potentials[game] = potential(states[game])


@jit
def seed_stream(stream, seed):
    """Start a row's stream of seeds, apart from the stream of the game with the same seed."""
    stream[0], stream[1], stream[2], stream[3] = seed & 0xFFFFFFFF, seed >> 32, 1, 1
    for _ in range(15):
        next_seed(stream)


@jit
def next_seed(stream):
    """The seed of a row's next game."""
    high, a, b, c, counter = mix(stream[0], stream[1], stream[2], stream[3])
    low, a, b, c, counter = mix(a, b, c, counter)
    stream[0], stream[1], stream[2], stream[3] = a, b, c, counter
    return ((high & 0x7FFFFFFF) << 32) | low
