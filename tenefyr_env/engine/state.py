"""The game as one record: everything on the table, and what is being asked.

A clone is a copy, a save is the bytes, a batch is an array of these. Card ids are `int8`; whatever
is counted or added is `int16` or wider, because plain Python keeps the width of a field while
compiled code widens it, and both must compute the same.
"""

from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from tenefyr_env.cards.table import (
    BASICS_OF_EACH_POWER,
    DUNGEON_CARDS_PER_LEVEL,
    DUNGEON_SIZE,
    MAX_MOVERS,
    NUM_CARDS,
    NUM_HEROES,
    NUM_LEVELS,
)
from tenefyr_env.cards.vocabulary import Boost, Pile, Span
from tenefyr_env.engine.actions import NUM_ACTIONS
from tenefyr_env.engine.setup_record import MAX_TRACK

MAX_SEATS = 4
NUM_PILES = len(Pile)
HAND_SIZE = 3  # R23

# One player may come to own every Basic, every Skill and every Dungeon card.
PILE_CAPACITY = 2 * BASICS_OF_EACH_POWER + NUM_HEROES + NUM_LEVELS * DUNGEON_CARDS_PER_LEVEL

BOSS_DECK = 2 * NUM_LEVELS  # the boss deck is the dungeon behind the ten others (R43)
NUM_DUNGEONS = BOSS_DECK + 1
# The cards of set-up, and every enemy that may move here or join (the compiler counts them).
DUNGEON_CAPACITY = DUNGEON_SIZE + MAX_MOVERS

# A card's effect, a frame for each player of one `each` block, and one for every other block around
# it or in it: 8, as the compiler allows 4 blocks in each other and no players' block in another.
MAX_FRAMES = 12
# The longest log between decisions in `make fuzz` has 42 entries; longer ones keep their last.
MAX_EVENTS = 64

# Powers are held within these bounds (R56): far above all that cards can add up to in earnest, so
# that no chain of doublings leaves its field.
MAX_CARD_POWER = 99
MAX_POWER = 9999

NOBODY = -1
NO_CARD = -1
PARTY = -2  # stands for the card where a reward is chosen together (R38)
NO_REWARD = -1
NO_BOSS = -1
NO_DUNGEON = -1
NO_ANSWER = -1


class Outcome(IntEnum):
    """How the game stands (R42)."""

    OPEN = 0
    WON = 1
    LOST = 2


class Phase(IntEnum):
    """Where in the turn order the game is; each is one function of `turn.py`."""

    CHOOSE_DUNGEON = 0
    START_COMBAT = 1
    START_TURN = 2
    DRAW = 3
    KEEP = 4
    PLAY = 5
    END_TURN = 6
    TAKE_LOOT = 7
    AFTER_COMBAT = 8
    MOVE_TOKEN = 9
    HAND_OUT = 10
    REST = 11
    REWARD = 12
    NEXT_DUNGEON = 13


class Leaving(IntEnum):
    """Why the party leaves a dungeon (R36)."""

    LEFT = 0
    THROWN_OUT = 1
    CLEARED = 2
    EMPTIED = 3  # the last enemy moved away (R51)


class Decision(IntEnum):
    """What a seat is asked."""

    NONE = 0
    DUNGEON = 1  # which dungeon, or the boss (joint, R18)
    KEEP = 2  # keep the hand or redraw (R24)
    PLAY = 3  # which card next (R25)
    CONTINUE = 4  # go on in the dungeon or leave (joint, R33)
    REWARD = 5  # which option of a reward (R37, or joint, R38)
    HAND_OUT = 6  # who gets a card of the quick track (joint, R55)
    USE = 7  # use an effect, pay a condition, or decline (R46)
    OPTION = 8  # which option of a card
    PLAYER = 9  # whom an effect is for
    DISCARD = 10
    SEARCH = 11
    RETURN = 12
    RECOVER = 13
    REMOVE = 14
    GIVE = 15  # which card; PLAYER asks to whom
    SWAP = 16
    DOUBLE = 17
    ORDER = 18  # which effect happens first (R49)
    SCOUT = 19  # which dungeon to look into
    REORDER = 20  # which card comes next
    MOVE = 21  # to which dungeon an enemy moves (joint, R51)


class Event(IntEnum):
    """What has happened; the comment names the use of the fields seat, card and number."""

    ENTER = 0  # number: dungeon
    TURN_UP = 1  # card, number: dungeon
    FIGHT = 2  # card, number: power
    TURN = 3  # seat
    DRAW = 4  # seat, card
    KEEP = 5  # seat
    REDRAW = 6  # seat
    PLAY = 7  # seat, card, number: power
    POWER = 8  # seat, number: gain
    DOUBLE_CARD = 9  # seat, card, number: new power
    DOUBLE_TOTAL = 10  # seat, number: new total
    ENEMY_POWER = 11  # number: change
    HAND_SIZE = 12  # seat, number: change
    DISCARD = 13  # seat, card
    SEARCH = 14  # seat, card
    RETURN = 15  # seat, card
    RECOVER = 16  # seat, card
    REMOVE = 17  # seat, card
    GIVE = 18  # seat, card, number: receiver
    TAKE = 19  # seat, card
    LOOK = 20  # seat, card, number: dungeon
    REORDER = 21  # seat
    MOVE = 22  # card, number: dungeon
    JOIN = 23  # card
    TOKEN = 24  # number: spaces left
    SAVE_STEP = 25  # number
    BOOST_POWER = 26  # number
    BOOST_HAND = 27  # number
    CHANCE = 28  # card, number: branch
    DEFEAT = 29  # seat, card
    LOOT = 30  # seat, card
    STAND = 31  # card: the enemy has beaten the party
    LEAVE = 32  # number: dungeon
    THROWN_OUT = 33  # number: dungeon
    CLEAR = 34  # number: dungeon
    EMPTY = 35  # number: dungeon
    REWARD = 36  # seat, number: option; card: reward
    BOSS = 37  # the boss attacks
    VOTE = 38  # seat, number: action
    WON = 39
    LOST = 40


_FIELDS = np.dtype(
    [
        ("rng", np.int64, (4,)),
        # The configuration of this game.
        ("players", np.int16),
        ("heroes", np.int16, (MAX_SEATS,)),  # bits 1 << Hero of what a seat counts as (R6)
        ("num_turns", np.int16),  # of one combat: a turn a player, two in solo (R22, R52)
        ("difficulty", np.int8),
        ("boss", np.int8),  # its place in the card set, or NO_BOSS in quick mode
        ("is_quick", np.int8),
        ("is_vote", np.int8),  # joint choices (R20)
        ("has_open_hands", np.int8),  # R58
        ("takes_single_options", np.int8),
        ("gift_count", np.int8, (MAX_TRACK,)),  # by spaces left to the skull (R55)
        ("gift_level", np.int8, (MAX_TRACK,)),
        # Where the game is.
        ("outcome", np.int8),
        ("phase", np.int8),
        ("starter", np.int16),  # seat of the starting player token
        ("dungeon", np.int16),  # the current one, or NO_DUNGEON
        ("leaving", np.int8),
        ("steps_left", np.int16),  # spaces from the boss token to the skull (R12)
        ("gifts_left", np.int16),  # spaces whose gifts are not yet handed out
        ("gift_cards", np.int16),  # still to come from the current space
        ("gift", np.int8),  # the card being handed out, or NO_CARD
        ("rewards_chosen", np.int16),  # how many players have had the current reward
        ("saved_steps", np.int16),
        ("boost", np.int16, (len(Boost), len(Span))),  # waiting for the next combat or dungeon
        ("boost_now", np.int16, (len(Boost), len(Span))),  # in force
        # The table: of every dungeon the top card is the last.
        ("dungeon_cards", np.int8, (NUM_DUNGEONS, DUNGEON_CAPACITY)),
        ("is_known", np.int8, (NUM_DUNGEONS, DUNGEON_CAPACITY)),  # face up, or looked at (R57)
        ("dungeon_size", np.int16, (NUM_DUNGEONS,)),
        ("dungeon_level", np.int16, (NUM_DUNGEONS,)),
        ("reward", np.int8, (NUM_DUNGEONS,)),  # beside the dungeon, or NO_REWARD
        ("reserve", np.int8, (NUM_LEVELS, DUNGEON_CARDS_PER_LEVEL)),
        ("reserve_size", np.int16, (NUM_LEVELS,)),
        ("is_returned", np.int8, (NUM_CARDS,)),  # all saw it go back to the reserve (R47)
        ("out_of_play", np.int8, (NUM_CARDS,)),  # copies that have left the game
        # The players.
        ("piles", np.int8, (MAX_SEATS, NUM_PILES, PILE_CAPACITY)),  # the top card is the last
        ("pile_size", np.int16, (MAX_SEATS, NUM_PILES)),
        ("num_shown", np.int16, (MAX_SEATS,)),  # the first cards of a hand, which all have seen
        ("played_power", np.int8, (MAX_SEATS, PILE_CAPACITY)),  # of each played card, now
        # The current combat.
        ("turn", np.int16),  # counted from 0
        ("power", np.int16, (MAX_SEATS,)),  # of each player (R27)
        ("party_power", np.int16),  # that belongs to no player
        ("enemy_bonus", np.int16),  # added to the enemy's power by effects
        ("hand_bonus", np.int16, (MAX_SEATS,)),  # for the next draw step
        ("redraws_now", np.int16),
        ("has_moved", np.int8),  # the enemy has gone to another dungeon
        ("has_deathstrike", np.int8),  # A15: it was played in this turn
        # Effects being resolved: a stack of rows of the card table.
        ("num_frames", np.int16),
        ("frame_row", np.int16, (MAX_FRAMES,)),
        ("frame_last", np.int16, (MAX_FRAMES,)),
        ("frame_seat", np.int8, (MAX_FRAMES,)),
        ("frame_card", np.int8, (MAX_FRAMES,)),  # NO_CARD or PARTY for a reward
        ("frame_memory", np.int8, (MAX_FRAMES, 2)),  # answers already given for this row
        # The pending decision.
        ("decision", np.int8),
        ("decider", np.int8),
        ("decision_card", np.int8),  # whose effect asks, or what is handed out
        ("is_joint", np.int8),
        ("num_options", np.int16),
        ("options", np.int8, (NUM_ACTIONS,)),
        ("legal", np.int8, (NUM_ACTIONS,)),  # the same as a mask
        ("answer", np.int16),
        ("num_votes", np.int16),
        ("votes", np.int16, (MAX_SEATS,)),
        # What happened since the last decision.
        ("num_events", np.int16),
        ("event", np.int8, (MAX_EVENTS, 3)),  # Event, seat, card
        ("event_number", np.int16, (MAX_EVENTS,)),
        # Statistics (A1 to A21 and evaluation).
        ("num_decisions", np.int32),
        ("cleared", np.int16, (NUM_LEVELS,)),
        ("entered", np.int16, (NUM_LEVELS,)),
        ("rewards_taken", np.int16),
        ("combats_won", np.int16),
        ("combats_lost", np.int16),
        ("redraws", np.int16, (MAX_SEATS,)),
        ("steps_spent", np.int16),
        ("loot_taken", np.int16, (MAX_SEATS,)),
        ("skill_uses", np.int16, (NUM_HEROES,)),
        ("boss_stages", np.int16),  # enemies of the boss deck defeated
        ("best_power", np.int16),  # the largest combined power so far (A21)
        ("finished_with_deathstrike", np.int8),  # A15
        ("beat_lost_goblin", np.int8),  # A18
        ("beat_boss_in_one_turn", np.int8),  # A20
    ],
    align=True,
)


def without_gaps(fields: np.dtype[Any]) -> np.dtype[Any]:
    """The same fields with names for the bytes between them: a copy copies only what has a name."""
    filled: list[tuple[str, Any]] = []
    position = 0
    for name in fields.names or ():
        assert fields.fields is not None
        kind, offset = fields.fields[name][:2]
        if offset > position:
            filled.append((f"gap_{position}", np.dtype((np.int8, (offset - position,)))))
        filled.append((name, kind))
        position = offset + kind.itemsize
    if fields.itemsize > position:
        filled.append((f"gap_{position}", np.dtype((np.int8, (fields.itemsize - position,)))))
    return np.dtype(filled, align=True)


# As records, so that plain Python reads fields by name as compiled code does. Arrays stay plain:
# calling compiled code with a recarray costs 2.8 us, with an array 0.3 us.
STATE = np.dtype((np.record, without_gaps(_FIELDS)))


def new_states(count: int) -> npt.NDArray[Any]:
    """Room for `count` games, not yet set up."""
    return np.zeros(count, STATE)
