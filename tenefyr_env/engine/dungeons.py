"""The dungeons on the table; the boss deck is one of them (R43)."""

from tenefyr_env.cards.table import NUM_LEVELS
from tenefyr_env.engine.jit import jit
from tenefyr_env.engine.log import note
from tenefyr_env.engine.state import BOSS_DECK, NO_DUNGEON, NO_REWARD, NOBODY, Event


@jit
def is_fighting_boss(state):
    """Whether the boss deck is the current dungeon."""
    return state.dungeon == BOSS_DECK


@jit
def has_enemies(state, dungeon):
    """Whether a dungeon still has a card."""
    return state.dungeon_size[dungeon] > 0


@jit
def enemy(state):
    """The card on top of the current dungeon."""
    return state.dungeon_cards[state.dungeon, state.dungeon_size[state.dungeon] - 1]


@jit
def current_level(state):
    """The level of the current dungeon; the boss deck counts as the highest."""
    if is_fighting_boss(state):
        return NUM_LEVELS
    return int(state.dungeon_level[state.dungeon])


@jit
def put_face_up(state, dungeon, card):
    """Lay a card face up on top of a dungeon."""
    slot = state.dungeon_size[dungeon]
    state.dungeon_cards[dungeon, slot] = card
    state.is_known[dungeon, slot] = 1
    state.dungeon_size[dungeon] += 1


@jit
def take_enemy(state, dungeon):
    """Take the top card off a dungeon."""
    state.dungeon_size[dungeon] -= 1
    slot = state.dungeon_size[dungeon]
    card = state.dungeon_cards[dungeon, slot]
    state.dungeon_cards[dungeon, slot] = 0
    state.is_known[dungeon, slot] = 0
    return card


@jit
def turn_up(state, dungeon):
    """Turn the top card of a dungeon face up, if it has one that is face down."""
    slot = state.dungeon_size[dungeon] - 1
    if slot >= 0 and not state.is_known[dungeon, slot]:
        state.is_known[dungeon, slot] = 1
        note(state, Event.TURN_UP, NOBODY, state.dungeon_cards[dungeon, slot], dungeon)


@jit
def num_face_down(state, dungeon):
    """How many cards of a dungeon nobody has seen."""
    count = 0
    for slot in range(state.dungeon_size[dungeon]):
        if not state.is_known[dungeon, slot]:
            count += 1
    return count


@jit
def look_into(state, seat, dungeon, count):
    """See the next `count` face-down cards of a dungeon, from the top; all learn them (R57)."""
    for slot in range(state.dungeon_size[dungeon] - 1, -1, -1):
        if count > 0 and not state.is_known[dungeon, slot]:
            state.is_known[dungeon, slot] = 1
            note(state, Event.LOOK, seat, state.dungeon_cards[dungeon, slot], dungeon)
            count -= 1


@jit
def other_dungeon_with_enemies(state, dungeon):
    """Whether an enemy of this dungeon has another one to move to (R51)."""
    for other in range(BOSS_DECK):
        if other != dungeon and has_enemies(state, other):
            return True
    return False


@jit
def new_dungeon(state, level):
    """Make a dungeon without a reward (R51).

    It is only made when no other dungeon has a card, so a place on the table is free.
    """
    for dungeon in range(BOSS_DECK):
        if dungeon != state.dungeon and not has_enemies(state, dungeon):
            state.dungeon_level[dungeon] = level
            state.reward[dungeon] = NO_REWARD
            return dungeon
    return NO_DUNGEON


@jit
def place_under_enemy(state, dungeon, card):
    """Lay a card face up directly under the enemy being fought, the next to be met (R62)."""
    current = take_enemy(state, dungeon)
    put_face_up(state, dungeon, card)
    put_face_up(state, dungeon, current)
