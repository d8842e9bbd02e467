"""Set-up: the table is laid for a new game (R5 to R14)."""

from tenefyr_env.cards.table import (
    BASIC_0,
    BASIC_1,
    BASICS_OF_EACH_POWER,
    BOSS_CARDS,
    DUNGEON_CARDS_PER_LEVEL,
    DUNGEON_SIZE,
    FIRST_BOSS_CARD,
    FIRST_DUNGEON_CARD,
    FIRST_SKILL,
    NO_HERO,
    NUM_BOSSES,
    NUM_HEROES,
    NUM_LEVELS,
    REWARDS_PER_LEVEL,
)
from tenefyr_env.cards.vocabulary import Kind, Pile
from tenefyr_env.engine.jit import jit
from tenefyr_env.engine.piles import put, shuffle_deck
from tenefyr_env.engine.rng import below, seed_rng, shuffle
from tenefyr_env.engine.setup_record import RANDOM
from tenefyr_env.engine.state import (
    BOSS_DECK,
    MAX_SEATS,
    NO_ANSWER,
    NO_BOSS,
    NO_CARD,
    NO_DUNGEON,
    NO_REWARD,
    NOBODY,
    NUM_DUNGEONS,
)
from tenefyr_env.engine.turn import choose_dungeon

BASICS_IN_DECK = 6  # of each power (R5, R6)
SOLO_BASICS_IN_DECK = 12  # R7


@jit
def set_up(state, cards, setup, seed):
    """Lay the table on an empty record and ask for the first dungeon."""
    seed_rng(state, seed)
    read_configuration(state, setup)
    deal_heroes(state, setup)
    deal_decks(state, cards)
    put_away_unused_skills(state)
    for level in range(1, NUM_LEVELS + 1):
        deal_level(state, cards, setup, level)
    deal_boss(state, cards, setup.boss)
    state.starter = setup.starter if setup.starter != RANDOM else below(state, state.players)
    choose_dungeon(state)


@jit
def read_configuration(state, setup):
    """What the configuration settles, and the marks for "none"."""
    state.players = setup.players
    state.num_turns = max(2, setup.players)  # two in solo (R52)
    state.difficulty = setup.difficulty
    state.is_quick = setup.quick
    state.is_vote = setup.vote
    state.has_open_hands = setup.open_hands
    state.takes_single_options = setup.take_single_options
    state.steps_left = setup.steps
    state.gifts_left = setup.steps
    for space in range(len(setup.gift_count)):
        state.gift_count[space] = setup.gift_count[space]
        state.gift_level[space] = setup.gift_level[space]
    state.dungeon = NO_DUNGEON
    state.gift = NO_CARD
    state.decider = NOBODY
    state.decision_card = NO_CARD
    state.answer = NO_ANSWER
    for dungeon in range(NUM_DUNGEONS):
        state.reward[dungeon] = NO_REWARD


@jit
def deal_heroes(state, setup):
    """Every player takes one hero, or two with one or two players (R5 to R7)."""
    # The votes' field serves as scratch: it has a place for each hero and is empty.
    order = state.votes
    for index in range(NUM_HEROES):
        order[index] = index
    shuffle(state, order, NUM_HEROES)
    for index in range(setup.num_heroes):
        hero = setup.heroes[index] if setup.heroes[index] != RANDOM else order[index]
        seat = index // 2 if state.players <= 2 else index
        state.heroes[seat] |= 1 << hero
    for index in range(MAX_SEATS):
        order[index] = 0


@jit
def deal_decks(state, cards):
    """Basics and Skills, shuffled (R5 to R7); the other Basics stay in the box."""
    each = SOLO_BASICS_IN_DECK if state.players == 1 else BASICS_IN_DECK
    for seat in range(state.players):
        for _ in range(each):
            put(state, seat, Pile.DECK, BASIC_0)
            put(state, seat, Pile.DECK, BASIC_1)
        for hero in range(NUM_HEROES):
            if (state.heroes[seat] >> hero) & 1:
                put(state, seat, Pile.DECK, FIRST_SKILL + hero)
        shuffle_deck(state, seat)
    state.out_of_play[BASIC_0] = BASICS_OF_EACH_POWER - each * state.players
    state.out_of_play[BASIC_1] = BASICS_OF_EACH_POWER - each * state.players


@jit
def heroes_in_play(state):
    """The heroes of all players, as bits."""
    heroes = 0
    for seat in range(state.players):
        heroes |= state.heroes[seat]
    return heroes


@jit
def put_away_unused_skills(state):
    """The Skills of heroes nobody plays stay in the box."""
    for hero in range(NUM_HEROES):
        if not (heroes_in_play(state) >> hero) & 1:
            state.out_of_play[FIRST_SKILL + hero] = 1


@jit
def deal_level(state, cards, setup, level):
    """The dungeons of a level with their rewards (R8, R10); the other cards are reserve (R9)."""
    gather_level(state, cards, setup, level)
    pool = state.reserve[level - 1]
    shuffle(state, pool, state.reserve_size[level - 1])
    if state.is_quick and level == NUM_LEVELS:  # the boss deck of quick mode (R54)
        deal_dungeon(state, BOSS_DECK, level)
        return
    deal_dungeon(state, 2 * level - 2, level)
    if not state.is_quick:
        deal_dungeon(state, 2 * level - 1, level)
    deal_rewards(state, cards, level)


@jit
def gather_level(state, cards, setup, level):
    """All Dungeon cards of a level; the optional rule takes some out first (R14)."""
    heroes = heroes_in_play(state)
    for index in range(DUNGEON_CARDS_PER_LEVEL):
        card = FIRST_DUNGEON_CARD + (level - 1) * DUNGEON_CARDS_PER_LEVEL + index
        if cards.kind[card] == Kind.NONE:
            continue
        hero = cards.hero[card]
        if setup.remove_absent and hero != NO_HERO and not (heroes >> hero) & 1:
            state.out_of_play[card] = 1
        else:
            state.reserve[level - 1, state.reserve_size[level - 1]] = card
            state.reserve_size[level - 1] += 1


@jit
def deal_dungeon(state, dungeon, level):
    """Four cards of the level, face down, the top one turned up (R8)."""
    state.dungeon_level[dungeon] = level
    for slot in range(DUNGEON_SIZE):
        state.reserve_size[level - 1] -= 1
        last = state.reserve_size[level - 1]
        state.dungeon_cards[dungeon, slot] = state.reserve[level - 1, last]
        state.reserve[level - 1, last] = 0
    state.dungeon_size[dungeon] = DUNGEON_SIZE
    state.is_known[dungeon, DUNGEON_SIZE - 1] = 1


@jit
def deal_rewards(state, cards, level):
    """A random reward of its level beside each dungeon (R10), no two the same."""
    for dungeon in range(2 * level - 2, 2 * level):
        if state.dungeon_size[dungeon] == 0:
            continue
        taken = state.reward[2 * level - 2]
        reward = NO_REWARD
        while reward == NO_REWARD or reward == taken or not cards.reward_exists[reward]:
            reward = (level - 1) * REWARDS_PER_LEVEL + below(state, REWARDS_PER_LEVEL)
        state.reward[dungeon] = reward


@jit
def deal_boss(state, cards, chosen):
    """The four cards of one boss, shuffled, the top one turned up (R11); quick mode: none (R54)."""
    state.boss = NO_BOSS if state.is_quick else pick_boss(state, cards, chosen)
    for boss in range(NUM_BOSSES):
        for index in range(BOSS_CARDS):
            card = FIRST_BOSS_CARD + boss * BOSS_CARDS + index
            if boss == state.boss:
                state.dungeon_cards[BOSS_DECK, index] = card
            else:
                state.out_of_play[card] = cards.boss_exists[boss]
    if state.is_quick:
        return
    shuffle(state, state.dungeon_cards[BOSS_DECK], BOSS_CARDS)
    state.dungeon_size[BOSS_DECK] = BOSS_CARDS
    state.is_known[BOSS_DECK, BOSS_CARDS - 1] = 1


@jit
def pick_boss(state, cards, chosen):
    """The boss of the configuration, or a random one."""
    boss = int(chosen)
    while boss == RANDOM or not cards.boss_exists[boss]:
        boss = below(state, NUM_BOSSES)
    return boss
