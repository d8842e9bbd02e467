"""The entities observation: the table as a set of tokens, for attention models.

A token stands for a player, a dungeon's pile, a reward, the enemy being fought, or the copies of
one card in one place. What the seat knows is taken from the flat observation, so nothing here
depends on the order of a face-down pile either: tokens come by place, then by owner clockwise from
the observer or by dungeon, then by card id, or by depth where the order of known cards is public.
"""

import hashlib
from enum import IntEnum
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from tenefyr_env.cards.table import (
    BASICS_OF_EACH_POWER,
    BOSS_CARDS,
    DUNGEON_CARDS_PER_LEVEL,
    NUM_CARDS,
    NUM_HEROES,
    NUM_LEVELS,
    NUM_REWARDS,
)
from tenefyr_env.cards.vocabulary import Count, Kind, Pile, Trigger
from tenefyr_env.engine.jit import entry, jit
from tenefyr_env.engine.seats import clockwise
from tenefyr_env.engine.state import (
    DUNGEON_CAPACITY,
    MAX_SEATS,
    NO_REWARD,
    NUM_DUNGEONS,
    NUM_PILES,
)
from tenefyr_env.spaces.flat import (
    ACTIVE,
    CARDS_LEFT,
    CURRENT,
    DECIDER_AT,
    DECK,
    DUNGEON_SIZE,
    DUNGEONS_AT,
    ENEMY_AT,
    ENEMY_POWER_AT,
    FACE_DOWN,
    FLAT,
    HAND_BONUS,
    HEROES,
    HIGH,
    LEVEL,
    NUM_OWNABLE,
    PILE_SIZES,
    PLAYER_SIZE,
    PLAYERS_AT,
    POWER,
    REWARD_AT,
    STARTER,
    TABLE_SECTIONS,
    VOTE,
    cut,
    encode_flat,
)
from tenefyr_env.spaces.sections import Layout, Section

Array = npt.NDArray[Any]


class Place(IntEnum):
    """What a token stands for; the first four are a player's piles, numbered as in `Pile`."""

    DECK = 0  # a card in a deck, or in a hand the observer does not see
    HAND = 1
    PLAYED = 2
    DISCARD = 3
    PLAYER = 4
    DUNGEON = 5  # a pile
    DUNGEON_CARD = 6  # a known card of it
    REWARD = 7  # beside a dungeon
    ENEMY = 8  # the one being fought


NUM_PLACES = len(Place)
NUM_KINDS = len(Kind) - 1  # no token has Kind.NONE
NUM_TRIGGERS = len(Trigger)

TOKEN = Layout(
    Section("place", NUM_PLACES, 0, 1, "deck, hand, played, discard, player, dungeon, "
            "dungeon card, reward, enemy"),
    Section("owner", MAX_SEATS, 0, 1, "the player it belongs to, by seat offset"),
    Section("dungeon", NUM_DUNGEONS, 0, 1, "the dungeon it lies in; the last is the boss deck"),
    Section("card", 1, 0, NUM_CARDS, "card id + 1"),
    Section("count", 1, 0, HIGH, "copies of the card; cards of a dungeon"),
    Section("kind", NUM_KINDS, 0, 1, "Basic, Skill, Dungeon card, Boss card"),
    Section("level", 1, 0, NUM_LEVELS, "level of the card, dungeon or reward"),
    Section("power", 1, -HIGH, HIGH, "printed power when played; of an enemy, of its loot"),
    Section("enemy power", 1, 0, HIGH, "printed power as an enemy, for this party"),
    Section("power now", 1, -HIGH, HIGH, "of the player, the played copies or the enemy fought"),
    Section("hero", NUM_HEROES, 0, 1, "hero symbol of the card; heroes of the player"),
    Section("triggers", NUM_TRIGGERS, 0, 1, "has effects: play, start, turn, redraw, end"),
    Section("rules", 5, -HIGH, HIGH, "as an enemy, adds to Basics, loot, hands, the starting "
            "player's hand, own power for each of the next"),
    Section("rule count", 1, 0, len(Count), "what its power counts: Count + 1"),
    Section("forbids", 2, 0, 1, "as an enemy, forbids redraws, Skill effects"),
    Section("depth", 1, 0, DUNGEON_CAPACITY - 1, "cards on top of it in its dungeon"),
    Section("face down", 1, 0, DUNGEON_CAPACITY, "cards of the dungeon that nobody has seen"),
    Section("current", 1, 0, 1, "the party is in this dungeon; it is this player's turn; "
            "this reward is being taken"),
    Section("starter", 1, 0, 1, "the player has the starting player token"),
    Section("decider", 1, 0, 1, "the player is asked now"),
    Section("pile sizes", NUM_PILES, 0, HIGH, "of the player: deck, hand, played, discard"),
    Section("hand bonus", 1, -HIGH, HIGH, "change of the player's next draw step"),
    Section("vote", 1, 0, HIGH, "the player's vote: action + 1, as the observer numbers it"),
    Section("reward", 1, 0, NUM_REWARDS, "reward id + 1"),
    Section("together", 1, 0, 1, "the party takes the reward together"),
)  # fmt: skip

# The most tokens there can be. A Skill or Dungeon card exists once, so it makes one token at most;
# of the Boss cards only those of one boss are in play; the two Basics may lie in every pile.
MAX_CARD_TOKENS = (
    2 * min(BASICS_OF_EACH_POWER, MAX_SEATS * NUM_PILES)
    + NUM_HEROES
    + NUM_LEVELS * DUNGEON_CARDS_PER_LEVEL
    + BOSS_CARDS
)
MAX_TOKENS = MAX_CARD_TOKENS + MAX_SEATS + NUM_DUNGEONS + NUM_DUNGEONS + 1  # with rewards and enemy

# Places as plain numbers, for compiled code.
FLAT_SIZE = FLAT.size
TABLE_SIZE = TABLE_SECTIONS.size
TOKEN_SIZE = TOKEN.size
OF_PLAYER = int(Place.PLAYER)
OF_DUNGEON = int(Place.DUNGEON)
OF_DUNGEON_CARD = int(Place.DUNGEON_CARD)
OF_REWARD = int(Place.REWARD)
OF_ENEMY = int(Place.ENEMY)
T_PLACE = TOKEN.first["place"]
T_OWNER = TOKEN.first["owner"]
T_DUNGEON = TOKEN.first["dungeon"]
T_CARD = TOKEN.first["card"]
T_COUNT = TOKEN.first["count"]
T_KIND = TOKEN.first["kind"]
T_LEVEL = TOKEN.first["level"]
T_POWER = TOKEN.first["power"]
T_ENEMY_POWER = TOKEN.first["enemy power"]
T_POWER_NOW = TOKEN.first["power now"]
T_HERO = TOKEN.first["hero"]
T_TRIGGERS = TOKEN.first["triggers"]
T_RULES = TOKEN.first["rules"]
T_RULE_COUNT = TOKEN.first["rule count"]
T_FORBIDS = TOKEN.first["forbids"]
T_DEPTH = TOKEN.first["depth"]
T_FACE_DOWN = TOKEN.first["face down"]
T_CURRENT = TOKEN.first["current"]
T_STARTER = TOKEN.first["starter"]
T_DECIDER = TOKEN.first["decider"]
T_PILE_SIZES = TOKEN.first["pile sizes"]
T_HAND_BONUS = TOKEN.first["hand bonus"]
T_VOTE = TOKEN.first["vote"]
T_REWARD = TOKEN.first["reward"]
T_TOGETHER = TOKEN.first["together"]


def bounds(layout: Layout) -> tuple[Array, Array]:
    """The lowest and the highest value of each entry."""
    low = np.concatenate([np.full(section.size, section.low, np.int8) for section in layout])
    high = np.concatenate([np.full(section.size, section.high, np.int8) for section in layout])
    return low, high


class EntitiesEncoder:
    """Tokens with a padding mask (1: a token, 0: padding), and the table as a vector."""

    name = "entities"

    def __init__(self) -> None:
        self.layouts = {"entities": TOKEN, "table": TABLE_SECTIONS}
        low, high = bounds(TOKEN)
        self.space = gymnasium.spaces.Dict(
            {
                "entities": gymnasium.spaces.Box(
                    np.tile(low, (MAX_TOKENS, 1)), np.tile(high, (MAX_TOKENS, 1)), dtype=np.int8
                ),
                "entity_mask": gymnasium.spaces.Box(0, 1, (MAX_TOKENS,), np.int8),
                "table": gymnasium.spaces.Box(*bounds(TABLE_SECTIONS), dtype=np.int8),
            }
        )
        parts = f"{MAX_TOKENS} {TOKEN.hash()} {TABLE_SECTIONS.hash()}"
        self.layout_hash = hashlib.sha256(parts.encode()).hexdigest()

    def empty(self, count: int) -> dict[str, Array]:
        """Room for the tokens, masks and tables of `count` games."""
        return {
            "entities": np.zeros((count, MAX_TOKENS, TOKEN.size), np.int8),
            "entity_mask": np.zeros((count, MAX_TOKENS), np.int8),
            "table": np.zeros((count, TABLE_SIZE), np.int8),
        }

    def encode(self, states: Array, tables: Array, seats: Array, out: dict[str, Array]) -> None:
        """Write what each seat sees."""
        encode_entities_games(
            states, tables, seats, out["entities"], out["entity_mask"], out["table"]
        )

    def row(self, out: dict[str, Array], index: int) -> dict[str, Array]:
        """The observation of one game."""
        return {name: array[index] for name, array in out.items()}

    def describe(self) -> str:
        """The features of a token, and the sections of the table."""
        tokens = f"{MAX_TOKENS} tokens of {TOKEN.size} features\n{TOKEN.describe()}"
        return f"{tokens}\n\ntable\n{TABLE_SECTIONS.describe()}"


@entry
def encode_entities_games(states, tables, seats, entities, masks, table):
    """Write the entities observation of each game's seat."""
    flat = np.zeros(FLAT_SIZE, np.int8)
    for game in range(len(seats)):
        encode_flat(states[game], tables[0], seats[game], flat)
        for index in range(TABLE_SIZE):
            table[game, index] = flat[index]
        clear_tokens(entities[game])
        count = encode_tokens(states[game], tables[0], seats[game], flat, entities[game])
        for token in range(MAX_TOKENS):
            masks[game, token] = token < count


@jit
def clear_tokens(tokens):
    """Make all tokens padding; a loop is vectorised, an array assignment is not."""
    for token in range(MAX_TOKENS):
        for feature in range(TOKEN_SIZE):
            tokens[token, feature] = 0


@jit
def encode_tokens(state, cards, observer, flat, tokens):
    """Write all tokens, place by place; returns how many there are."""
    count = 0
    for pile in range(NUM_PILES):
        count = encode_pile(state, cards, observer, flat, tokens, pile, count)
    for offset in range(state.players):
        encode_player_token(flat, tokens[count], offset)
        count += 1
    for dungeon in range(NUM_DUNGEONS):
        if flat[DUNGEONS_AT + dungeon * DUNGEON_SIZE + CARDS_LEFT] > 0:
            encode_dungeon_token(flat, tokens[count], dungeon)
            count += 1
    for dungeon in range(NUM_DUNGEONS):
        count = encode_known_cards(state, cards, tokens, dungeon, count)
    for dungeon in range(NUM_DUNGEONS):
        if state.reward[dungeon] != NO_REWARD:
            encode_reward(state, cards, flat, tokens[count], dungeon)
            count += 1
    return encode_enemy(state, cards, flat, tokens, count)


@jit
def encode_pile(state, cards, observer, flat, tokens, pile, count):
    """A token for each card of every player's pile; the flat observation has counted them."""
    for offset in range(state.players):
        counts = PLAYERS_AT + offset * PLAYER_SIZE + DECK + pile * NUM_OWNABLE
        for card in range(NUM_OWNABLE):
            if flat[counts + card] > 0:
                token = tokens[count]
                token[T_PLACE + pile] = 1
                token[T_OWNER + offset] = 1
                token[T_COUNT] = flat[counts + card]
                describe_card(state, cards, token, card)
                if pile == Pile.PLAYED:
                    seat = clockwise(state, observer, offset)
                    token[T_POWER_NOW] = cut(power_of_copies(state, seat, card))
                count += 1
    return count


@jit
def power_of_copies(state, seat, card):
    """What the played copies of a card give now, together."""
    total = 0
    for slot in range(state.pile_size[seat, Pile.PLAYED]):
        if state.piles[seat, Pile.PLAYED, slot] == card:
            total += state.played_power[seat, slot]
    return total


@jit
def describe_card(state, cards, token, card):
    """What is printed on a card, both halves."""
    token[T_CARD] = card + 1
    token[T_KIND + cards.kind[card] - 1] = 1
    token[T_LEVEL] = cards.level[card]
    token[T_POWER] = cut(cards.power[card])
    token[T_ENEMY_POWER] = cut(cards.enemy_power[card, max(state.players, 2) - 2])
    if cards.hero[card] >= 0:
        token[T_HERO + cards.hero[card]] = 1
    for trigger in range(NUM_TRIGGERS):
        has_rows = cards.last_row[card, trigger] > cards.first_row[card, trigger]
        token[T_TRIGGERS + trigger] = has_rows
    token[T_RULES] = cut(cards.basics[card])
    token[T_RULES + 1] = cut(cards.loot[card])
    token[T_RULES + 2] = cut(cards.hand[card])
    token[T_RULES + 3] = cut(cards.starter_hand[card])
    token[T_RULES + 4] = cut(cards.power_each[card])
    if cards.power_each[card] != 0:
        token[T_RULE_COUNT] = cards.power_count[card] + 1
    token[T_FORBIDS] = cards.no_redraw[card]
    token[T_FORBIDS + 1] = cards.no_skills[card]


@jit
def encode_player_token(flat, token, offset):
    """A player: heroes, sizes of the piles, power."""
    player = PLAYERS_AT + offset * PLAYER_SIZE
    token[T_PLACE + OF_PLAYER] = 1
    token[T_OWNER + offset] = 1
    token[T_HERO : T_HERO + NUM_HEROES] = flat[player + HEROES : player + HEROES + NUM_HEROES]
    token[T_POWER_NOW] = flat[player + POWER]
    token[T_CURRENT] = flat[player + ACTIVE]
    token[T_STARTER] = flat[player + STARTER]
    token[T_DECIDER] = flat[DECIDER_AT + offset]
    sizes = player + PILE_SIZES
    token[T_PILE_SIZES : T_PILE_SIZES + NUM_PILES] = flat[sizes : sizes + NUM_PILES]
    token[T_HAND_BONUS] = flat[player + HAND_BONUS]
    token[T_VOTE] = flat[player + VOTE]


@jit
def encode_dungeon_token(flat, token, dungeon):
    """A dungeon's pile: how many cards, how many of them unseen."""
    place = DUNGEONS_AT + dungeon * DUNGEON_SIZE
    token[T_PLACE + OF_DUNGEON] = 1
    token[T_DUNGEON + dungeon] = 1
    token[T_COUNT] = flat[place + CARDS_LEFT]
    token[T_LEVEL] = flat[place + LEVEL]
    token[T_FACE_DOWN] = flat[place + FACE_DOWN]
    token[T_CURRENT] = flat[place + CURRENT]


@jit
def encode_known_cards(state, cards, tokens, dungeon, count):
    """A token for each card of a dungeon that all know, from the top."""
    top = state.dungeon_size[dungeon] - 1
    for depth in range(top + 1):
        if state.is_known[dungeon, top - depth]:
            token = tokens[count]
            token[T_PLACE + OF_DUNGEON_CARD] = 1
            token[T_DUNGEON + dungeon] = 1
            token[T_COUNT] = 1
            token[T_DEPTH] = depth
            describe_card(state, cards, token, state.dungeon_cards[dungeon, top - depth])
            count += 1
    return count


@jit
def encode_reward(state, cards, flat, token, dungeon):
    """The reward beside a dungeon."""
    reward = state.reward[dungeon]
    token[T_PLACE + OF_REWARD] = 1
    token[T_DUNGEON + dungeon] = 1
    token[T_COUNT] = 1
    token[T_LEVEL] = state.dungeon_level[dungeon]
    token[T_CURRENT] = flat[REWARD_AT + reward]
    token[T_REWARD] = reward + 1
    token[T_TOGETHER] = cards.reward_together[reward]


@jit
def encode_enemy(state, cards, flat, tokens, count):
    """The enemy being fought, if there is one."""
    for card in range(NUM_CARDS):
        if flat[ENEMY_AT + card] > 0:
            token = tokens[count]
            token[T_PLACE + OF_ENEMY] = 1
            token[T_DUNGEON + state.dungeon] = 1
            token[T_COUNT] = 1
            token[T_POWER_NOW] = flat[ENEMY_POWER_AT]
            describe_card(state, cards, token, card)
            return count + 1
    return count
