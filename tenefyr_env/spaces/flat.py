"""The flat observation: everything a player at the table may know, as one vector of small integers.

Players come clockwise from the observer. Nothing here depends on the order of a face-down pile: a
deck is what it contains, a face-down card is only counted.
"""

from tenefyr_env.cards.table import (
    BASIC_0,
    BASIC_1,
    DUNGEON_CARDS_PER_LEVEL,
    FIRST_BOSS_CARD,
    FIRST_DUNGEON_CARD,
    NUM_BOSSES,
    NUM_CARDS,
    NUM_HEROES,
    NUM_LEVELS,
    NUM_REWARDS,
    REWARDS_PER_LEVEL,
)
from tenefyr_env.cards.vocabulary import Boost, Pile, Span
from tenefyr_env.engine.arrays import copy_entries
from tenefyr_env.engine.combat import active_seat, combined_power, enemy_power
from tenefyr_env.engine.decisions import as_seen_by
from tenefyr_env.engine.dungeons import enemy
from tenefyr_env.engine.jit import inlined, jit
from tenefyr_env.engine.seats import clockwise, offset_of
from tenefyr_env.engine.state import (
    DUNGEON_CAPACITY,
    MAX_SEATS,
    NO_CARD,
    NO_REWARD,
    NOBODY,
    NUM_DUNGEONS,
    NUM_PILES,
    Decision,
    Phase,
)
from tenefyr_env.spaces.sections import Layout, Section

HIGH = 127  # the entries are int8; larger values are cut
NUM_OWNABLE = FIRST_BOSS_CARD  # ids of the cards a player can own
NUM_DECISIONS = len(Decision)
SLOTS_OF_LEVEL = 16  # a top card's place in its level (14) or among the boss cards (16)
NUM_BOOST_ENTRIES = len(Boost) * len(Span)

PLAYER = Layout(
    Section("present", 1, 0, 1, "the seat is taken"),
    Section("heroes", NUM_HEROES, 0, 1, "the heroes the player counts as"),
    Section("starter", 1, 0, 1, "has the starting player token"),
    Section("active", 1, 0, 1, "it is this player's turn in a combat"),
    Section("pile sizes", 4, 0, HIGH, "cards in deck, hand, played and discard pile"),
    Section("power", 1, -HIGH, HIGH, "power of this combat"),
    Section("hand bonus", 1, -HIGH, HIGH, "change of the next draw step"),
    Section("vote", 1, 0, HIGH, "the vote already given: action + 1, as the observer numbers it"),
    Section("deck", NUM_OWNABLE, 0, HIGH, "copies of each card in the deck, or in a hidden hand"),
    Section("hand", NUM_OWNABLE, 0, HIGH, "copies of each card seen in hand"),
    Section("played", NUM_OWNABLE, 0, HIGH, "copies of each card played in this combat"),
    Section("discard", NUM_OWNABLE, 0, HIGH, "copies of each card in the discard pile"),
)

DUNGEON = Layout(
    Section("size", 1, 0, DUNGEON_CAPACITY, "cards left"),
    Section("face down", 1, 0, DUNGEON_CAPACITY, "cards nobody has seen"),
    Section("level", 1, 0, NUM_LEVELS, "level of the dungeon, 0 for the boss deck"),
    Section("current", 1, 0, 1, "the party is here"),
    Section("top level", 1, 0, NUM_LEVELS, "level of the top card, 0 for a Boss card"),
    Section("top card", SLOTS_OF_LEVEL, 0, 1, "the top card's place in its level or boss block"),
    Section("top power", 1, 0, HIGH, "printed power of the top card for this party"),
    Section("loot power", 1, -HIGH, HIGH, "power of the top card's loot"),
    Section(
        "reward", NUM_REWARDS // NUM_LEVELS, 0, 1, "the reward beside it, by place in its level"
    ),
    Section("known below", DUNGEON_CAPACITY - 1, 0, NUM_CARDS, "known cards under the top: id + 1"),
)

TABLE_SECTIONS = Layout(
    Section("decision", NUM_DECISIONS, 0, 1, "what is asked now"),
    Section("decider", MAX_SEATS, 0, 1, "who is asked, by seat offset"),
    Section("joint", 1, 0, 1, "it is a joint choice"),
    Section("about", NUM_CARDS, 0, 1, "the card the choice is about"),
    Section("enemy", NUM_CARDS, 0, 1, "the enemy being fought"),
    Section("enemy power", 1, 0, HIGH, "its current power"),
    Section("combined power", 1, -HIGH, HIGH, "the party's power in this combat"),
    Section("missing power", 1, -HIGH, HIGH, "what is missing to defeat it"),
    Section("turns", 2, 0, HIGH, "finished turns of this combat, turns left after this one"),
    Section("redraws", 1, 0, HIGH, "redraws of this combat"),
    Section("track", 3, 0, HIGH, "spaces left to the skull, spaces spent, steps held back"),
    Section("boosts waiting", NUM_BOOST_ENTRIES, 0, HIGH, "power and hand, combat and dungeon"),
    Section("boosts now", NUM_BOOST_ENTRIES, 0, HIGH, "the same, in force"),
    Section("difficulty", 3, 0, 1, "easy, normal, hard"),
    Section("boss", NUM_BOSSES, 0, 1, "the boss of this game; none in quick mode"),
    Section("modes", 3, 0, 1, "quick mode, vote, open hands"),
    Section("current reward", NUM_REWARDS, 0, 1, "the reward being taken"),
    Section("cleared", NUM_LEVELS, 0, HIGH, "dungeons cleared of each level"),
    Section("reserve", NUM_LEVELS, 0, HIGH, "reserve cards of each level"),
    Section("returned", NUM_CARDS, 0, 1, "cards known to be in the reserve"),
    Section("out of play", NUM_CARDS, 0, HIGH, "copies that have left the game"),
)


def _repeated(layout: Layout, count: int, name: str) -> list[Section]:
    """The sections of a layout, once for each player or dungeon."""
    return [
        Section(f"{name} {index}: {s.name}", s.size, s.low, s.high, s.meaning)
        for index in range(count)
        for s in layout
    ]


FLAT = Layout(
    *TABLE_SECTIONS,
    *_repeated(PLAYER, MAX_SEATS, "player"),
    *_repeated(DUNGEON, NUM_DUNGEONS, "dungeon"),
)

# Places as plain numbers, for compiled code.
SIZE = FLAT.size
DECISION_AT = TABLE_SECTIONS.first["decision"]
DECIDER_AT = TABLE_SECTIONS.first["decider"]
JOINT_AT = TABLE_SECTIONS.first["joint"]
ABOUT_AT = TABLE_SECTIONS.first["about"]
ENEMY_AT = TABLE_SECTIONS.first["enemy"]
ENEMY_POWER_AT = TABLE_SECTIONS.first["enemy power"]
COMBINED_AT = TABLE_SECTIONS.first["combined power"]
MISSING_AT = TABLE_SECTIONS.first["missing power"]
TURNS_AT = TABLE_SECTIONS.first["turns"]
REDRAWS_AT = TABLE_SECTIONS.first["redraws"]
TRACK_AT = TABLE_SECTIONS.first["track"]
WAITING_AT = TABLE_SECTIONS.first["boosts waiting"]
NOW_AT = TABLE_SECTIONS.first["boosts now"]
DIFFICULTY_AT = TABLE_SECTIONS.first["difficulty"]
BOSS_AT = TABLE_SECTIONS.first["boss"]
MODES_AT = TABLE_SECTIONS.first["modes"]
REWARD_AT = TABLE_SECTIONS.first["current reward"]
CLEARED_AT = TABLE_SECTIONS.first["cleared"]
RESERVE_AT = TABLE_SECTIONS.first["reserve"]
RETURNED_AT = TABLE_SECTIONS.first["returned"]
OUT_AT = TABLE_SECTIONS.first["out of play"]
PLAYERS_AT = TABLE_SECTIONS.size
PLAYER_SIZE = PLAYER.size
PRESENT = PLAYER.first["present"]
HEROES = PLAYER.first["heroes"]
STARTER = PLAYER.first["starter"]
ACTIVE = PLAYER.first["active"]
PILE_SIZES = PLAYER.first["pile sizes"]
POWER = PLAYER.first["power"]
HAND_BONUS = PLAYER.first["hand bonus"]
VOTE = PLAYER.first["vote"]
DECK = PLAYER.first["deck"]
HAND = PLAYER.first["hand"]
PLAYED = PLAYER.first["played"]
DISCARD = PLAYER.first["discard"]
DUNGEONS_AT = PLAYERS_AT + MAX_SEATS * PLAYER_SIZE
DUNGEON_SIZE = DUNGEON.size
CARDS_LEFT = DUNGEON.first["size"]
FACE_DOWN = DUNGEON.first["face down"]
LEVEL = DUNGEON.first["level"]
CURRENT = DUNGEON.first["current"]
TOP_LEVEL = DUNGEON.first["top level"]
TOP_CARD = DUNGEON.first["top card"]
TOP_POWER = DUNGEON.first["top power"]
LOOT_POWER = DUNGEON.first["loot power"]
REWARD = DUNGEON.first["reward"]
BELOW = DUNGEON.first["known below"]


@inlined
def cut(value):
    """A number as an entry: larger ones are cut."""
    return max(-HIGH, min(HIGH, value))


@jit
def encode_flat(state, cards, observer, out):
    """Write what a seat sees into a vector."""
    out[:] = 0
    encode_decision(state, observer, out)
    encode_combat(state, cards, out)
    encode_table(state, out)
    for offset in range(state.players):
        place = PLAYERS_AT + offset * PLAYER_SIZE
        encode_player(state, observer, clockwise(state, observer, offset), out, place)
    for dungeon in range(NUM_DUNGEONS):
        if state.dungeon_size[dungeon] > 0 or state.dungeon == dungeon:
            encode_dungeon(state, cards, dungeon, out, DUNGEONS_AT + dungeon * DUNGEON_SIZE)


@inlined
def encode_decision(state, observer, out):
    """What is asked of whom."""
    out[DECISION_AT + state.decision] = 1
    if state.decider != NOBODY:
        out[DECIDER_AT + offset_of(state, observer, state.decider)] = 1
    out[JOINT_AT] = state.is_joint
    if state.decision_card != NO_CARD:
        out[ABOUT_AT + state.decision_card] = 1
    for voter in range(state.num_votes):
        seat = clockwise(state, state.starter, voter)
        vote = as_seen_by(state, state.votes[voter], state.starter, observer)
        place = PLAYERS_AT + offset_of(state, observer, seat) * PLAYER_SIZE
        out[place + VOTE] = vote + 1


@inlined
def is_in_combat(state):
    """Whether an enemy is being fought."""
    return state.phase > Phase.START_COMBAT and state.phase <= Phase.TAKE_LOOT


@inlined
def encode_combat(state, cards, out):
    """The enemy and the powers."""
    if not is_in_combat(state) or state.has_moved:
        return
    power = enemy_power(state, cards)
    combined = combined_power(state)
    out[ENEMY_AT + enemy(state)] = 1
    out[ENEMY_POWER_AT] = cut(power)
    out[COMBINED_AT] = cut(combined)
    out[MISSING_AT] = cut(power - combined)
    out[TURNS_AT] = state.turn
    out[TURNS_AT + 1] = state.num_turns - state.turn - 1
    out[REDRAWS_AT] = cut(state.redraws_now)


@inlined
def encode_table(state, out):
    """The boss track, the modes, and what has left the game."""
    out[TRACK_AT] = state.steps_left
    out[TRACK_AT + 1] = cut(state.steps_spent)
    out[TRACK_AT + 2] = cut(state.saved_steps)
    for kind in range(2):
        for span in range(2):
            out[WAITING_AT + 2 * kind + span] = state.boost[kind, span]
            out[NOW_AT + 2 * kind + span] = state.boost_now[kind, span]
    out[DIFFICULTY_AT + state.difficulty] = 1
    if state.boss >= 0:
        out[BOSS_AT + state.boss] = 1
    out[MODES_AT] = state.is_quick
    out[MODES_AT + 1] = state.is_vote
    out[MODES_AT + 2] = state.has_open_hands
    if state.phase == Phase.REWARD and state.reward[state.dungeon] != NO_REWARD:
        out[REWARD_AT + state.reward[state.dungeon]] = 1
    for level in range(NUM_LEVELS):
        out[CLEARED_AT + level] = state.cleared[level]
        out[RESERVE_AT + level] = state.reserve_size[level]
    copy_entries(state.is_returned, out, RETURNED_AT)
    copy_entries(state.out_of_play, out, OUT_AT)


@inlined
def encode_player(state, observer, seat, out, place):
    """A player's heroes, sizes, powers and cards."""
    out[place + PRESENT] = 1
    for hero in range(NUM_HEROES):
        out[place + HEROES + hero] = (state.heroes[seat] >> hero) & 1
    out[place + STARTER] = state.starter == seat
    out[place + ACTIVE] = is_in_combat(state) and active_seat(state) == seat
    out[place + POWER] = cut(state.power[seat])
    out[place + HAND_BONUS] = cut(state.hand_bonus[seat])
    for pile in range(NUM_PILES):
        out[place + PILE_SIZES + pile] = state.pile_size[seat, pile]
    hand = state.pile_size[seat, Pile.HAND]
    if seat != observer and not state.has_open_hands:
        shown = state.num_shown[seat]
        count_cards(state.piles[seat, Pile.HAND], shown, hand, out, place + DECK)
        hand = shown
    count_cards(state.piles[seat, Pile.HAND], 0, hand, out, place + HAND)
    count_pile(state, seat, Pile.DECK, out, place + DECK)
    count_pile(state, seat, Pile.PLAYED, out, place + PLAYED)
    count_pile(state, seat, Pile.DISCARD, out, place + DISCARD)


@inlined
def count_pile(state, seat, pile, out, place):
    """Count all cards of a pile by their ids."""
    count_cards(state.piles[seat, pile], 0, state.pile_size[seat, pile], out, place)


@inlined
def count_cards(pile, first, last, out, place):
    """Count the cards of a pile by their ids.

    Only Basics have copies: they are counted apart, so that no entry is read and written in turn.
    """
    zeros = int(out[place + BASIC_0])
    ones = int(out[place + BASIC_1])
    for slot in range(first, last):
        card = pile[slot]
        zeros += card == BASIC_0
        ones += card == BASIC_1
        out[place + card] = 1
    out[place + BASIC_0] = zeros
    out[place + BASIC_1] = ones


@inlined
def encode_dungeon(state, cards, dungeon, out, place):
    """A dungeon with its top card, its reward and what is known of the rest."""
    size = state.dungeon_size[dungeon]
    out[place + CARDS_LEFT] = size
    out[place + LEVEL] = state.dungeon_level[dungeon]
    out[place + CURRENT] = state.dungeon == dungeon
    if state.reward[dungeon] != NO_REWARD:
        out[place + REWARD + state.reward[dungeon] % REWARDS_PER_LEVEL] = 1
    face_down = 0
    for slot in range(size):
        if not state.is_known[dungeon, slot]:
            face_down += 1
        elif slot < size - 1:
            out[place + BELOW + size - 2 - slot] = state.dungeon_cards[dungeon, slot] + 1
        else:
            encode_top_card(state, cards, state.dungeon_cards[dungeon, slot], out, place)
    out[place + FACE_DOWN] = face_down


@inlined
def encode_top_card(state, cards, card, out, place):
    """The enemy that lies face up on a dungeon, and its loot."""
    level = cards.level[card]
    out[place + TOP_LEVEL] = level
    if level > 0:
        first = FIRST_DUNGEON_CARD + (level - 1) * DUNGEON_CARDS_PER_LEVEL
    else:
        first = FIRST_BOSS_CARD
    out[place + TOP_CARD + card - first] = 1
    out[place + TOP_POWER] = cut(cards.enemy_power[card, max(state.players, 2) - 2])
    out[place + LOOT_POWER] = cut(cards.power[card])
