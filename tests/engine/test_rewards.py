"""R37 to R39: the reward of a cleared dungeon, and the skull at the end of the track."""

import pytest
from playing import (
    boss_deck,
    combat,
    config_of,
    deck,
    do,
    fight,
    hand,
    owned,
    reserve,
    reward_of,
    set_with,
)

from tenefyr_env.engine.state import Decision
from tenefyr_env.game import Game
from tenefyr_env.scenario import scenario

BASIC_0, BASIC_1 = "Basic 0", "Basic 1"
EACH = (
    "kind: each, "
    "options: [[{remove: 1, filter: basic_0, from: [deck]}], [{take: 1, level: 2, to: deck}]]"
)
TOGETHER = "kind: together, options: [[{save_step: 1}], [{any: [{take: 1, level: 2, to: deck}]}]]"


def cleared(reward: str, players: int = 3, starter: int = 0, **fields) -> Game:
    """The party has cleared dungeon 1 in the first turn and stands before its reward."""
    game = combat(
        set_with(rewards={"Gift": reward}),
        "Foe 1a",
        [[BASIC_1, BASIC_0, BASIC_0]] * players,
        starter=starter,
        reward="Gift",
        **fields,
    )
    fight(game)
    assert game.decision.kind == Decision.REWARD
    return game


def test_R37_every_player_chooses_an_option_clockwise_from_the_starting_player():
    game = cleared(EACH, starter=1)  # the token has passed to seat 2
    seats = []
    while game.decision.kind == Decision.REWARD:
        seats.append(game.decision.seat)
        assert not game.decision.is_joint
        assert game.options() == ["option 1", "option 2"]
        do(game, "option 2")
    assert seats == [2, 0, 1]


def test_R37_every_player_gets_what_they_chose():
    game = cleared(EACH, reserve={2: ["Loot 2c"]})
    # Seat 1 starts, then come 2 and 0.
    do(game, "option 1", "card Basic 0", "option 2", "option 1", "card Basic 0")
    assert owned(game, 1) == [BASIC_0, BASIC_1]
    assert owned(game, 2) == [BASIC_0, BASIC_0, BASIC_1, "Loot 2c"]
    assert owned(game, 0) == [BASIC_0, BASIC_1, "Loot 1a"]
    assert game.decision.kind == Decision.DUNGEON


def test_R38_one_option_is_chosen_for_the_party():
    game = cleared(TOGETHER)
    assert game.decision.is_joint
    assert game.decision.seat == 1  # the starting player by now
    do(game, "option 1")
    assert game.decision.kind == Decision.DUNGEON
    assert game.state.saved_steps == 1


def test_R38_a_card_for_the_party_goes_to_one_player_of_its_choice():
    game = cleared(TOGETHER, reserve={2: ["Loot 2c"]})
    do(game, "option 2")
    assert game.decision.is_joint
    assert game.options() == ["player 0", "player 1", "player 2"]
    do(game, "player 1")
    assert [("Loot 2c" in deck(game, seat)) for seat in range(3)] == [False, False, True]
    assert reserve(game, 2) == []


def test_R38_R20_the_choices_inside_a_reward_for_the_party_are_put_to_the_vote():
    """Whether a choice stands alone in the option or inside another block."""
    alone = "kind: together, options: [[{scout: 2}], [{save_step: 1}]]"
    inside = (
        "kind: together, options: [[{choose: [[{scout: 2}], [{save_step: 2}]]}], [{save_step: 1}]]"
    )
    for reward, choices in ((alone, 0), (inside, 1)):
        game = cleared(reward, joint_choice="vote")
        do(game, *["option 1"] * 3)
        do(game, *["option 1"] * 3 * choices)
        assert game.decision.kind == Decision.SCOUT
        assert game.decision.is_joint
        do(game, "dungeon 5", "dungeon 6", "dungeon 6")
        assert game.state.is_known[5].sum() == 3  # dungeon 6 has the most votes


def test_R38_a_reward_is_used_at_once_and_once():
    game = cleared(TOGETHER)
    do(game, "option 1")
    assert reward_of(game, 1) is None
    assert game.state.rewards_taken == 1


def test_R38_R48_a_card_gained_is_shuffled_into_the_deck():
    """The new card is found in every place of the deck."""
    places = set()
    for seed in range(30):
        game = cleared(TOGETHER, reserve={2: ["Loot 2c"]}, seed=seed)
        do(game, "option 2", "player 0")
        places.add(deck(game, 1).index("Loot 2c"))
    assert places == {0, 1, 2, 3}


@pytest.mark.parametrize("steps_left", [1, 2])
def test_R39_the_boss_attacks_when_the_token_reaches_the_skull(steps_left):
    game = cleared(TOGETHER, steps_left=steps_left)
    do(game, "option 2", "player 0")
    assert bool(game.state.dungeon == 10) == (steps_left == 1)
    assert game.decision.kind == (Decision.KEEP if steps_left == 1 else Decision.DUNGEON)


def test_R39_the_reward_comes_before_the_boss():
    game = cleared(TOGETHER, steps_left=1)
    assert game.state.steps_left == 0
    events = do(game, "option 2", "player 0")
    taken = next(i for i, event in enumerate(events) if "from the reserve" in event)
    assert taken < events.index("The party stands before the boss.")


def test_R39_the_boss_attacks_a_rested_party():
    """The shuffle of R36 is finished: what was played is in the decks again."""
    game = cleared(TOGETHER, steps_left=1)
    do(game, "option 1")
    assert len(hand(game, 1)) + len(deck(game, 1)) == len(owned(game, 1))


def test_R39_steps_past_the_skull_are_lost():
    cards = set_with()
    decks = {0: [BASIC_0], 1: [BASIC_0]}
    game = scenario(
        config_of(2), card_set=cards, decks=decks, dungeons={9: ["Foe 5a"]}, steps_left=1, starter=0
    )
    do(game, "dungeon 9")
    fight(game)  # lost: two steps, of which there is one
    assert game.state.steps_left == 0
    assert game.state.steps_spent == 1
    assert len(boss_deck(game)) == 4
    assert game.state.dungeon == 10


def test_R39_the_party_ends_its_dungeon_when_an_effect_brings_the_token_to_the_skull():
    cards = set_with(loot={"Pact": "power: 1, effect: [{track: 3}]"})
    game = combat(cards, ["Foe 1a", "Foe 1b"], [["Pact"], [BASIC_0]], steps_left=2)
    fight(game)
    assert game.state.steps_left == 0
    assert game.options() == ["continue", "leave"]
    do(game, "leave")
    assert game.state.dungeon == 10
