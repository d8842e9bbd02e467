"""A game step by step: apply a choice, then play on until somebody must choose."""

from tenefyr_env.engine.decisions import choose, withdraw_options
from tenefyr_env.engine.effects import resolve_next_row
from tenefyr_env.engine.jit import jit
from tenefyr_env.engine.state import Decision, Outcome, Phase
from tenefyr_env.engine.turn import (
    after_combat,
    choose_dungeon,
    draw_step,
    end_turn,
    hand_out,
    keep_or_redraw,
    move_token,
    next_dungeon,
    play_step,
    rest,
    start_combat,
    start_turn,
    take_loot,
    take_reward,
)


@jit
def step(state, cards, action):
    """Apply a legal action, then play on until a seat must choose or the game is decided."""
    state.num_decisions += 1
    forget_events(state)
    choose(state, action)
    play_on(state, cards)


@jit
def play_on(state, cards):
    """Do all that follows without a choice; a single option is taken as well, if configured."""
    while state.outcome == Outcome.OPEN:
        if state.num_options == 0:
            advance(state, cards)
        elif state.num_options == 1 and state.takes_single_options:
            take_single_option(state)
        else:
            return


@jit
def ask_again(state, cards):
    """Ask the pending decision anew, from the position alone.

    Asking changes nothing else, so a position that was reached by play stays as it is; one that
    was edited gets the options that belong to it. Votes already given are asked for again.
    """
    withdraw_options(state)
    state.num_votes = 0
    state.decision = Decision.NONE
    play_on(state, cards)


@jit
def take_single_option(state):
    """Take the only option there is; nobody needs to vote on it."""
    state.is_joint = 0
    choose(state, state.options[0])


@jit
def advance(state, cards):
    """Do what comes next: the rest of an effect, or else the phase the game is in."""
    if state.num_frames > 0:
        resolve_next_row(state, cards)
    elif state.phase <= Phase.END_TURN:
        fight(state, cards)
    else:
        aftermath(state, cards)


@jit
def is_idle(state):
    """Whether nobody is asked and no effect waits, so that the next phase may begin."""
    return state.num_frames == 0 and state.num_options == 0


@jit
def fight(state, cards):
    """From the choice of a dungeon to the end step of a turn, as far as it goes by itself."""
    if state.phase == Phase.CHOOSE_DUNGEON:
        choose_dungeon(state)
    if state.phase == Phase.START_COMBAT and is_idle(state):
        start_combat(state, cards)
    if state.phase == Phase.START_TURN and is_idle(state):
        start_turn(state, cards)
    if state.phase == Phase.DRAW and is_idle(state):
        draw_step(state, cards)
    if state.phase == Phase.KEEP and is_idle(state):
        keep_or_redraw(state, cards)
    if state.phase == Phase.PLAY and is_idle(state):
        play_step(state, cards)
    if state.phase == Phase.END_TURN and is_idle(state):
        end_turn(state, cards)


@jit
def aftermath(state, cards):
    """From the loot to the next dungeon."""
    phase = state.phase
    if phase == Phase.TAKE_LOOT:
        take_loot(state, cards)
    elif phase == Phase.AFTER_COMBAT:
        after_combat(state)
    elif phase == Phase.MOVE_TOKEN:
        move_token(state)
    elif phase == Phase.HAND_OUT:
        hand_out(state)
    elif phase == Phase.REST:
        rest(state)
    elif phase == Phase.REWARD:
        take_reward(state, cards)
    else:
        next_dungeon(state)


@jit
def forget_events(state):
    """The log speaks of what happened since the last decision only."""
    for slot in range(min(state.num_events, len(state.event_number))):
        state.event[slot, 0] = 0
        state.event[slot, 1] = 0
        state.event[slot, 2] = 0
        state.event_number[slot] = 0
    state.num_events = 0
