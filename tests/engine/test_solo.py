"""R52 and R53: one player."""

import pytest
from one_card import facing, holding
from playing import (
    combat,
    deck,
    do,
    enemy_power,
    fight,
    hand,
    owned,
    play,
    play_hand,
    power,
    set_with,
)

BASIC_0, BASIC_1 = "Basic 0", "Basic 1"


def test_R52_enemies_have_their_power_for_two_players():
    game = facing("power: {2: 3, 3: 5, 4: 7}", [BASIC_0])
    assert enemy_power(game) == 3


def test_R52_the_powers_of_two_turns_are_added():
    game = facing("power: 4", [BASIC_1] * 6, under=["Foe 1b"])
    play_hand(game)
    assert power(game) == [3]
    assert game.state.turn == 1
    play_hand(game)
    assert game.state.combats_won == 1


def test_R52_an_enemy_may_fall_in_the_first_turn():
    game = facing("power: 3", [BASIC_1] * 6, under=["Foe 1b"])
    play_hand(game)
    assert game.state.combats_won == 1
    assert len(deck(game, 0)) == 3


def test_R52_there_is_no_third_turn():
    game = facing("power: 9", [BASIC_1] * 9)
    play_hand(game)
    play_hand(game)
    assert game.state.combats_lost == 1


@pytest.mark.parametrize("who", ["other", "others", "next", "any", "each"])
def test_R53_another_player_may_be_yourself(who):
    game = holding(f"{{{who}: [{{power: 2}}]}}", ["Hammer", BASIC_0])
    play(game, "Hammer")
    if who in ("other", "any"):
        assert game.options() == ["player 0"]
        do(game, "player 0")
    assert power(game) == [2]


def test_R53_cards_can_be_given_to_and_swapped_with_yourself():
    for verb in ("give", "swap"):
        game = holding(f"{{{verb}: 1, from: [deck]}}, {{power: 5}}", ["Hammer", *[BASIC_1] * 4])
        before = owned(game, 0)
        play(game, "Hammer", BASIC_1)
        while power(game) == [0]:
            do(game, game.options()[0])
        assert owned(game, 0) == before


@pytest.mark.parametrize("who", ["next", "other", "any"])
def test_R53_a_larger_next_hand_is_that_of_your_second_turn(who):
    game = holding(f"{{{who}: [{{hand_size: 2}}]}}", ["Hammer", BASIC_0, BASIC_0, *[BASIC_0] * 9])
    play(game, "Hammer")
    if who != "next":
        do(game, "player 0")
    play(game, BASIC_0, BASIC_0)
    assert game.state.turn == 1
    assert len(hand(game, 0)) == 5


def test_R53_next_is_nobody_in_your_second_turn():
    game = holding("{next: [{power: 2}]}", [BASIC_0, BASIC_0, BASIC_0, "Hammer", BASIC_0])
    play_hand(game)
    do(game, "keep")
    play(game, "Hammer")
    assert power(game) == [0]


def test_R53_the_starting_player_is_yourself_in_the_first_turn_only():
    rule = "power: 40, always: [{starter_hand: 1}]"
    game = facing(rule, [BASIC_0] * 12)
    assert len(hand(game, 0)) == 4
    play_hand(game)
    assert len(hand(game, 0)) == 3


def test_R53_an_effect_for_the_starting_player_works_in_the_first_turn_only():
    deck_of_first = ["Hammer", BASIC_0, BASIC_0, BASIC_0]
    game = holding("{starter: [{power: 2}]}", deck_of_first)
    play(game, "Hammer")
    assert power(game) == [2]
    game = holding("{starter: [{power: 2}]}", [BASIC_0, BASIC_0, BASIC_0, "Hammer", BASIC_0])
    play_hand(game)
    do(game, "keep")
    play(game, "Hammer")
    assert power(game) == [0]


@pytest.mark.parametrize("turns", [1, 2])
def test_R53_a_reward_for_the_starting_player_is_yours_however_long_the_combat_was(turns):
    """After a combat there are no turns: the only player is the starting player."""
    reward = "kind: together, options: [[{starter: [{take: 1, level: 2, to: deck}]}], [{scout: 1}]]"
    game = combat(
        set_with(rewards={"Gift": reward}),
        "Foe 1a",
        [[BASIC_1 if turns == 1 else BASIC_0, BASIC_0, BASIC_0, BASIC_1]],
        reward="Gift",
        reserve={2: ["Loot 2c"]},
    )
    fight(game)
    do(game, "option 1")
    assert "Loot 2c" in owned(game, 0)
