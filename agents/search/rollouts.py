"""Samples of a game played out by a scripted policy, in one compiled loop."""

from agents.jit import entry, jit
from agents.scripted.play import play_out
from agents.scripted.strategies import choose
from tenefyr_env.cards.vocabulary import Pile, Trigger
from tenefyr_env.engine.knowledge import determinize
from tenefyr_env.engine.rng import seed_rng
from tenefyr_env.engine.state import BOSS_DECK, Decision, Outcome
from tenefyr_env.engine.step import step

# How far apart the seeds of two samples lie; odd, so that none comes twice.
SEED_STRIDE = 0x9E3779B97F4A7C15 >> 1 | 1
SEED_BITS = (1 << 62) - 1


@entry
def try_actions(
    states, tables, guides, policies, seat, seed, is_oracle, first, last, credit,
    actions, results, scratch,
):  # fmt: skip
    """Play out samples `first` to `last` of the game after each of these actions.

    Sample i is the same for all actions: what is hidden lies alike, so that a difference between
    two actions is theirs. `results[a, i]` becomes 1 for a victory; for a defeat, the share of the
    boss deck beaten, times `credit`.
    """
    for sample in range(first, last):
        sample_seed = (seed + sample * SEED_STRIDE) & SEED_BITS
        scratch[0] = states[0]
        if is_oracle:
            seed_rng(scratch[0], sample_seed)
        else:
            determinize(scratch, 0, tables[0], seat, sample_seed)
        for index in range(len(actions)):
            scratch[1] = scratch[0]
            step(scratch[1], tables[0], actions[index])
            play_out(scratch[1], tables[0], guides[0], policies, sample_seed)
            results[index, sample] = result_of(scratch[1], credit)


@jit
def result_of(state, credit):
    """1 for a victory, less for a defeat that came near."""
    if state.outcome == Outcome.WON:
        return 1.0
    beaten = state.boss_stages
    return credit * beaten / (beaten + state.dungeon_size[BOSS_DECK])


@entry
def scripted_choices(states, tables, guides, policy, seeds, actions, is_plain):
    """The scripted policy's own action, and whether there is nothing to plan."""
    for game in range(len(states)):
        state = states[game]
        actions[game] = choose(state, tables[0], guides[0], policy, seeds[game])
        is_plain[game] = is_indifferent(state, tables[0])


@jit
def is_indifferent(state, cards):
    """Whether only cards without effect are left to play: their order does not matter (R25)."""
    if state.decision != Decision.PLAY:
        return False
    seat = state.decider
    for slot in range(state.pile_size[seat, Pile.HAND]):
        card = state.piles[seat, Pile.HAND, slot]
        if cards.first_row[card, Trigger.PLAY] < cards.last_row[card, Trigger.PLAY]:
            return False
    return True
