"""The words cards are written in: one enum member for each thing a card can say.

Card files use these names in lower case (`{draw: 1}`); the compiler turns them into rows of
small integers (see `table.py`) and the engine's interpreter acts on the numbers.
"""

from enum import IntEnum, IntFlag


class Hero(IntEnum):
    """The four heroes (R1)."""

    BARBARIAN = 0
    BARD = 1
    CLERIC = 2
    THIEF = 3


class Kind(IntEnum):
    """What a card is."""

    NONE = 0  # no card has this id in the set
    BASIC = 1
    SKILL = 2
    DUNGEON = 3
    BOSS = 4


class Trigger(IntEnum):
    """When a list of effects happens."""

    PLAY = 0  # a loot or Skill card is played (R25)
    START = 1  # at the start of the combat (R21)
    TURN = 2  # a player begins a turn against this enemy
    REDRAW = 3  # a player discards the hand to draw a new one
    END = 4  # the enemy has been defeated (R30)


class Pile(IntEnum):
    """A player's piles (R15)."""

    DECK = 0
    HAND = 1
    PLAYED = 2
    DISCARD = 3


class From(IntFlag):
    """The piles a card may be chosen from, as a set of bits: 1 << Pile."""

    DECK = 1
    HAND = 2
    PLAYED = 4
    DISCARD = 8


class Filter(IntEnum):
    """Which cards an effect speaks of."""

    ANY = 0
    BASIC = 1
    BASIC_0 = 2
    BASIC_1 = 3
    LOOT = 4
    SKILL = 5


class Who(IntEnum):
    """Whom a block of effects is done by; the player of the card is the one who chooses."""

    EACH = 0  # every player, clockwise from the starting player
    OTHERS = 1  # every player but yourself, clockwise from yourself (R53: solo, yourself)
    OTHER = 2  # one other player of your choice (R53: solo, yourself)
    ANY = 3  # one player of your choice
    NEXT = 4  # the player whose turn comes next in this combat, if there is one
    STARTER = 5  # the starting player (R53: solo, in the first turn only)


class Count(IntEnum):
    """Something on the table that can be counted; "you" is the player the effect is for."""

    BASIC_0_IN_DISCARDS = 0  # in all discard piles (the rulebook's own case, R32)
    BASIC_1_IN_DISCARDS = 1
    LOOT_IN_DISCARDS = 2
    BASIC_0_IN_YOUR_DISCARD = 3
    CARDS_IN_YOUR_HAND = 4
    CARDS_YOU_PLAYED = 5  # this combat, the card itself included
    BASICS_YOU_PLAYED = 6
    LOOT_YOU_PLAYED = 7  # the card itself included
    CARDS_PLAYED = 8  # by all players, this combat
    REDRAWS = 9  # by all players, this combat
    EXHAUSTED_PLAYERS = 10  # players with an empty deck (R29)
    TURNS_TAKEN = 11  # finished turns of this combat
    DUNGEONS_CLEARED = 12
    STEPS_LEFT = 13  # from the boss token to the skull


class Condition(IntEnum):
    """What an `if` may ask."""

    HERO = 0  # you count as this hero
    FIRST_TURN = 1  # this is the first turn of the combat
    LAST_TURN = 2  # no turn follows in this combat
    EXHAUSTED = 3  # your deck is empty
    BOSS = 4  # the boss deck is being fought (R43 speaks of it as a dungeon)
    LEVEL_AT_LEAST = 5  # the current dungeon is of this level or higher (the boss deck: 5)
    HAND_EMPTY = 6  # no card is left in your hand


class Boost(IntEnum):
    """A temporary advantage of the whole party."""

    POWER = 0  # combined power at the start of a combat
    HAND = 1  # cards more in every player's draw step


class Span(IntEnum):
    """How long a temporary advantage lasts."""

    COMBAT = 0  # the next combat
    DUNGEON = 1  # the next dungeon, until the party leaves it (R43: or the boss deck)


class Verb(IntEnum):
    """What a row of the effect table does; the comment names the columns it reads."""

    # Blocks: the rows that belong to the block follow, `JUMP` of them.
    WITH = 0  # WHO: run the block once for each player it names
    MAY = 1  # the player uses the block or declines
    PAY = 2  # N, WHAT, WHERE: a condition (R46): N cards of WHAT in the piles WHERE, or no block
    IF = 3  # WHAT (Condition), N: run the block if it holds
    CHOOSE = 4  # N: the player picks one of the N OPTION blocks that follow
    RANDOM = 5  # N: chance picks one of the N OPTION blocks that follow
    OPTION = 6  # the head of one branch of CHOOSE or RANDOM
    # Power
    POWER = 7  # N: add to your power
    POWER_PER = 8  # N, WHAT (Count): add N for each
    DOUBLE_CARD = 9  # double the power of another card you have played (R49)
    DOUBLE_TOTAL = 10  # double your total power of this combat
    ENEMY = 11  # N: change the enemy's power for this combat
    # Your cards
    DRAW = 12  # N: draw cards into your hand
    HAND_SIZE = 13  # N: change your next draw step of this combat
    DISCARD_DECK = 14  # N: discard the top cards of your deck
    DISCARD = 15  # WHAT: discard one card of your hand
    DISCARD_HAND = 16  # discard your hand
    SEARCH = 17  # WHAT: one card from your deck into your hand, shuffle (R48)
    RETURN = 18  # WHAT: one card from your discard pile into your hand
    RECOVER = 19  # WHAT: one card from your discard pile into your deck, shuffle
    REMOVE = 20  # WHAT, WHERE: one card out of your deck, for good (R47)
    GIVE = 21  # WHAT, WHERE: one card to another player
    SWAP = 22  # WHAT, WHERE: exchange one card with another player
    TAKE = 23  # WHAT (level, 0: the current dungeon's), WHERE (Pile): a reserve card (R50)
    # The table
    LOOK = 24  # N: see face-down cards of the current dungeon, from the top
    SCOUT = 25  # N: the same in a dungeon of your choice
    REORDER = 26  # put the face-down cards of the current dungeon into any order
    MOVE = 27  # this enemy moves to another dungeon (R51)
    JOIN = 28  # WHAT (level): a reserve monster joins the boss deck, next to be fought
    TRACK = 29  # N: the boss token moves
    SAVE_STEP = 30  # N: steps the boss token will not move when the party next leaves
    BOOST = 31  # N, WHAT (Boost), WHERE (Span)
