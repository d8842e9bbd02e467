"""The card table: a card set as one numpy record, the form in which the engine reads it.

A card is known by its id. Ids stand in blocks of fixed size, so that "card 17" has the same
action and the same place in an observation in every set:

    0, 1          Basic 0, Basic 1
    2 .. 5        the Skills, in the order of `Hero`
    6 .. 75       Dungeon cards, 14 for each level (R2)
    76 .. 91      Boss cards, 4 for each boss (R3)

Rewards never leave their dungeon, so they are numbered apart: 4 for each level (R4).
"""

import numpy as np

from tenefyr_env.cards.vocabulary import Hero, Trigger

NUM_HEROES = len(Hero)
NUM_LEVELS = 5
NUM_BOSSES = 4
BOSS_CARDS = 4  # of each boss (R3)
DUNGEON_CARDS_PER_LEVEL = 14  # R2
DUNGEON_SIZE = 4  # enemies in a dungeon at set-up (R8)
REWARDS_PER_LEVEL = 4  # R4
BASICS_OF_EACH_POWER = 24  # R1
MAX_MOVERS = 12  # enemies of a set that may move, and monsters that may join one boss

BASIC_0 = 0
BASIC_1 = 1
FIRST_SKILL = 2
FIRST_DUNGEON_CARD = FIRST_SKILL + NUM_HEROES
FIRST_BOSS_CARD = FIRST_DUNGEON_CARD + NUM_LEVELS * DUNGEON_CARDS_PER_LEVEL
NUM_CARDS = FIRST_BOSS_CARD + NUM_BOSSES * BOSS_CARDS
NUM_REWARDS = NUM_LEVELS * REWARDS_PER_LEVEL
NUM_OPTIONS = 2  # of a reward (R37, R38)
MAX_OPTIONS = 4  # of a `choose` on a card
NO_HERO = -1

# Columns of an effect row.
VERB, N, WHAT, WHERE, OPTIONAL, JUMP = range(6)
WHO = WHAT  # the WITH row names players there
NUM_COLUMNS = 6
MAX_ROWS = 2048  # the shipped set has 400; the compiler refuses a longer set

PLAYER_COUNTS = 3  # printed powers are for 2, 3 and 4 players (R2); solo reads the first (R52)

_COLUMNS = np.dtype(
    [
        ("kind", np.int8, (NUM_CARDS,)),
        ("level", np.int8, (NUM_CARDS,)),  # 1 to 5 of a Dungeon card, else 0
        ("power", np.int16, (NUM_CARDS,)),  # as a played card: Basic, Skill or loot
        ("hero", np.int8, (NUM_CARDS,)),  # of a Skill, or the hero symbol on a loot, or NO_HERO
        ("enemy_power", np.int16, (NUM_CARDS, PLAYER_COUNTS)),
        ("first_row", np.int16, (NUM_CARDS, len(Trigger))),
        ("last_row", np.int16, (NUM_CARDS, len(Trigger))),  # one past the last
        # Continuous rules of an enemy (R32), all zero where it has none.
        ("basics", np.int16, (NUM_CARDS,)),  # added to the power of every Basic played
        ("loot", np.int16, (NUM_CARDS,)),  # added to the power of every loot played
        ("hand", np.int16, (NUM_CARDS,)),  # added to every hand size
        ("starter_hand", np.int16, (NUM_CARDS,)),  # added to the starting player's hand size
        ("power_each", np.int16, (NUM_CARDS,)),  # added to the enemy's power for each ...
        ("power_count", np.int8, (NUM_CARDS,)),  # ... Count
        ("no_redraw", np.int8, (NUM_CARDS,)),
        ("no_skills", np.int8, (NUM_CARDS,)),  # Skills give their power only
        # What the achievement sheet names.
        ("is_deathstrike", np.int8, (NUM_CARDS,)),  # A15
        ("is_lost_goblin", np.int8, (NUM_CARDS,)),  # A18
        # Rewards.
        ("reward_exists", np.int8, (NUM_REWARDS,)),
        ("reward_together", np.int8, (NUM_REWARDS,)),  # R38, else R37
        ("reward_first_row", np.int16, (NUM_REWARDS, NUM_OPTIONS)),
        ("reward_last_row", np.int16, (NUM_REWARDS, NUM_OPTIONS)),
        ("boss_exists", np.int8, (NUM_BOSSES,)),
        ("rows", np.int16, (MAX_ROWS, NUM_COLUMNS)),
    ],
    align=True,
)
TABLE = np.dtype((np.record, _COLUMNS))  # its columns are read by name, in plain Python too


def level_of_reward(reward: int) -> int:
    """The level of the dungeons a reward lies beside (R10)."""
    return reward // REWARDS_PER_LEVEL + 1
