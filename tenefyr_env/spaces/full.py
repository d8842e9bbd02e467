"""The privileged state as one vector: what no player knows, for centralised critics only.

The flat observation of seat 0 with all hands open, then every face-down pile in its order.
"""

from tenefyr_env.cards.table import DUNGEON_CARDS_PER_LEVEL, NUM_CARDS, NUM_LEVELS
from tenefyr_env.cards.vocabulary import Pile
from tenefyr_env.engine.jit import entry, jit
from tenefyr_env.engine.state import DUNGEON_CAPACITY, MAX_SEATS, NUM_DUNGEONS, PILE_CAPACITY
from tenefyr_env.spaces.flat import FLAT, encode_flat
from tenefyr_env.spaces.sections import Layout, Section

ID = "card id + 1, from the bottom"
FULL = Layout(
    *FLAT,
    *(Section(f"seat {s}: deck order", PILE_CAPACITY, 0, NUM_CARDS, ID) for s in range(MAX_SEATS)),
    *(Section(f"seat {s}: hand order", PILE_CAPACITY, 0, NUM_CARDS, ID) for s in range(MAX_SEATS)),
    Section("dungeon cards", NUM_DUNGEONS * DUNGEON_CAPACITY, 0, NUM_CARDS, ID),
    Section("reserve cards", NUM_LEVELS * DUNGEON_CARDS_PER_LEVEL, 0, NUM_CARDS, ID),
)
FLAT_SIZE = FLAT.size
DECKS_AT = FULL.first["seat 0: deck order"]
HANDS_AT = FULL.first["seat 0: hand order"]
DUNGEONS_AT = FULL.first["dungeon cards"]
RESERVE_AT = FULL.first["reserve cards"]


@entry
def encode_full_games(states, tables, out):
    """Write the whole truth about each game."""
    for game in range(len(states)):
        encode_full(states[game], tables[0], out[game])


@jit
def encode_full(state, cards, out):
    """Write the whole truth about a game."""
    out[FLAT_SIZE:] = 0
    encode_flat(state, cards, 0, out[:FLAT_SIZE])
    for seat in range(state.players):
        write_pile(state, seat, Pile.DECK, out, DECKS_AT + seat * PILE_CAPACITY)
        write_pile(state, seat, Pile.HAND, out, HANDS_AT + seat * PILE_CAPACITY)
    for dungeon in range(NUM_DUNGEONS):
        for slot in range(state.dungeon_size[dungeon]):
            place = DUNGEONS_AT + dungeon * DUNGEON_CAPACITY + slot
            out[place] = state.dungeon_cards[dungeon, slot] + 1
    for level in range(NUM_LEVELS):
        for slot in range(state.reserve_size[level]):
            place = RESERVE_AT + level * DUNGEON_CARDS_PER_LEVEL + slot
            out[place] = state.reserve[level, slot] + 1


@jit
def write_pile(state, seat, pile, out, place):
    """Write a pile in its order."""
    for slot in range(state.pile_size[seat, pile]):
        out[place + slot] = state.piles[seat, pile, slot] + 1
