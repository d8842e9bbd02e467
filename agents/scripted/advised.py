"""The advised observation: the flat one, and what an experienced player would work out from it.

Chances and worths are those of the scripted players, by the guide to the card set; no advice what
to choose is among them. Percentages and worths are whole numbers, as in the flat observation.
"""

from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from agents.jit import entry, jit
from agents.scripted.chances import chance_with_fresh_hand, chance_with_hand
from agents.scripted.estimates import (
    chance_above,
    drawn_worth,
    first_fight_chance,
    hand_worth,
    loot_at,
    party_hands,
    pile_worth,
    raid_worth,
    reward_beside,
    strength_at,
)
from agents.scripted.guide import guide_by_table
from tenefyr_env.cards.vocabulary import Pile
from tenefyr_env.engine.actions import REDRAW
from tenefyr_env.engine.combat import combined_power, enemy_power, hand_size_of_turn
from tenefyr_env.engine.knowledge import conceal, has_hidden_hand
from tenefyr_env.engine.seats import clockwise
from tenefyr_env.engine.state import (
    HAND_SIZE,
    MAX_SEATS,
    NO_DUNGEON,
    NUM_DUNGEONS,
    Decision,
    new_states,
)
from tenefyr_env.spaces.encoders import FlatEncoder, register_encoder
from tenefyr_env.spaces.flat import FLAT, HIGH, cut, encode_flat, is_in_combat
from tenefyr_env.spaces.sections import Layout, Section

NAME = "advised"
DUNGEON_ADVICE = 5
PLAYER_ADVICE = 4
HAND_ADVICE = 6

ADVISED = Layout(
    *FLAT,
    Section(
        "advice on dungeons",
        NUM_DUNGEONS * DUNGEON_ADVICE,
        -HIGH,
        HIGH,
        "of each: chance of its next fight in percent, worth of the raid, strength of the enemy,"
        " worth of the loot, worth of the reward",
    ),
    Section(
        "advice on players",
        MAX_SEATS * PLAYER_ADVICE,
        -HIGH,
        HIGH,
        "of each: mean and spread of the next hand in tenths, worth of the deck, of the discards",
    ),
    Section(
        "advice on the hand",
        HAND_ADVICE,
        -HIGH,
        HIGH,
        "worth of the hand, what is missing beyond it, mean of the hands that follow, chance of the"
        " fight with it and with a fresh one in percent, by estimate after other choices",
    ),
)
FLAT_SIZE = FLAT.size
DUNGEONS_ADVICE_AT = ADVISED.first["advice on dungeons"]
PLAYERS_ADVICE_AT = ADVISED.first["advice on players"]
HAND_ADVICE_AT = ADVISED.first["advice on the hand"]


class AdvisedEncoder(FlatEncoder):
    """The flat vector with a player's estimates."""

    name = NAME
    layout = ADVISED

    def __init__(self) -> None:
        super().__init__()
        self._scratch = new_states(1)
        self._tables: npt.NDArray[Any] | None = None  # that the guide was written for

    def encode(self, states: Any, tables: Any, seats: Any, out: Any) -> None:
        """Write what each seat sees, and what it can make of it."""
        if tables is not self._tables:
            self._guides = guide_by_table(tables)
            self._tables = tables
        encode_advised_games(states, tables, self._guides, seats, self._scratch, out)


register_encoder(NAME, AdvisedEncoder)


@entry
def encode_advised_games(states, tables, guides, seats, scratch, out):
    """Write the advised observation of each game's seat."""
    for game in range(len(seats)):
        row = out[game]
        encode_flat(states[game], tables[0], seats[game], row[:FLAT_SIZE])
        row[FLAT_SIZE:] = 0
        if states[game].has_open_hands or not has_hidden_hand(states[game], seats[game]):
            advise(states[game], tables[0], guides[0], seats[game], row)
        else:  # the estimates read decks card by card, and must not know what was drawn
            scratch[0] = states[game]
            conceal(scratch[0], tables[0], seats[game])
            advise(scratch[0], tables[0], guides[0], seats[game], row)


@jit
def advise(state, cards, guide, observer, out):
    """Write all estimates."""
    advise_on_dungeons(state, cards, guide, out)
    advise_on_players(state, guide, observer, out)
    if state.decider == observer:
        advise_on_hand(state, cards, guide, observer, out)


@jit
def whole(value):
    """A worth as an entry."""
    return cut(int(np.floor(value + 0.5)))


@jit
def advise_on_dungeons(state, cards, guide, out):
    """What awaits the party in each dungeon, while it is there or on its way."""
    if state.decision != Decision.DUNGEON and state.decision != Decision.CONTINUE:
        return
    for dungeon in range(NUM_DUNGEONS):
        if state.dungeon_size[dungeon] == 0:
            continue
        place = DUNGEONS_ADVICE_AT + dungeon * DUNGEON_ADVICE
        top = state.dungeon_size[dungeon] - 1
        out[place] = whole(100 * first_fight_chance(state, guide, dungeon, 0.0))
        out[place + 1] = whole(4 * raid_worth(state, cards, guide, dungeon))
        out[place + 2] = whole(4 * strength_at(state, guide, dungeon, top))
        out[place + 3] = whole(10 * loot_at(state, guide, dungeon, top))
        out[place + 4] = whole(4 * reward_beside(state, cards, guide, dungeon))


@jit
def advise_on_players(state, guide, observer, out):
    """What each player's deck is good for."""
    for offset in range(state.players):
        seat = clockwise(state, observer, offset)
        place = PLAYERS_ADVICE_AT + offset * PLAYER_ADVICE
        size = HAND_SIZE + int(state.hand_bonus[seat])
        mean, variance = drawn_worth(state, guide, seat, size)
        out[place] = whole(10 * mean)
        out[place + 1] = whole(10 * sqrt(variance))
        _, deck, _ = pile_worth(state, guide, seat, Pile.DECK)
        _, discards, _ = pile_worth(state, guide, seat, Pile.DISCARD)
        out[place + 2] = whole(2 * deck)
        out[place + 3] = whole(2 * discards)


@jit
def advise_on_hand(state, cards, guide, seat, out):
    """How the fight stands, for the one who decides."""
    if not is_in_combat(state) or state.has_moved or state.dungeon == NO_DUNGEON:
        return
    if state.dungeon_size[state.dungeon] == 0:
        return
    worth = hand_worth(state, cards, guide, seat)
    missing = enemy_power(state, cards) - combined_power(state) - worth
    later, variance = party_hands(state, guide, state.turn + 1)
    out[HAND_ADVICE_AT] = whole(4 * worth)
    out[HAND_ADVICE_AT + 1] = whole(4 * missing)
    out[HAND_ADVICE_AT + 2] = whole(4 * later)
    if state.decision != Decision.KEEP:
        spread = sqrt(variance) + guide.spread
        out[HAND_ADVICE_AT + 5] = whole(100 * chance_above(guide, later - missing, spread))
        return
    out[HAND_ADVICE_AT + 3] = whole(100 * chance_with_hand(state, cards, guide, seat))
    if state.legal[REDRAW] and hand_size_of_turn(state, cards, seat) > 0:
        out[HAND_ADVICE_AT + 4] = whole(100 * chance_with_fresh_hand(state, cards, guide, seat))
