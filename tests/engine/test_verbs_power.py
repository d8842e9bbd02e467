"""What cards promise about power happens."""

import pytest
from one_card import facing, hammer_set, holding
from playing import combat, do, enemy_power, fight, play, play_hand, power

from tenefyr_env.cards.continuous import TABLE_COUNTS
from tenefyr_env.cards.vocabulary import Count
from tenefyr_env.game import Game

BASIC_0, BASIC_1 = "Basic 0", "Basic 1"


@pytest.mark.parametrize("gain", [3, -2])
def test_verb_power_adds_to_the_power_of_its_player(gain):
    game = holding(f"{{power: {gain}}}", ["Hammer", BASIC_1], [BASIC_0])
    play(game, "Hammer")
    assert power(game) == [gain, 0]


# A combat in which everything that can be counted has been seen to (see `counting`).
COUNTED = {
    Count.BASIC_0_IN_DISCARDS: 3,
    Count.BASIC_1_IN_DISCARDS: 4,
    Count.LOOT_IN_DISCARDS: 5,
    Count.BASIC_0_IN_YOUR_DISCARD: 2,
    Count.CARDS_IN_YOUR_HAND: 1,
    Count.CARDS_YOU_PLAYED: 3,
    Count.BASICS_YOU_PLAYED: 1,
    Count.LOOT_YOU_PLAYED: 2,
    Count.CARDS_PLAYED: 5,
    Count.REDRAWS: 1,
    Count.EXHAUSTED_PLAYERS: 1,
    Count.TURNS_TAKEN: 1,
    Count.DUNGEONS_CLEARED: 6,
    Count.STEPS_LEFT: 7,
}


def counting(effect: str, rule: str) -> Game:
    """The second of three players has redrawn once and played a Basic, a loot and the Hammer."""
    first_hand = [BASIC_0, BASIC_0, BASIC_1, "Loot 2b"]
    second_hand = ["Hammer", BASIC_1, "Loot 2a", BASIC_0]
    game = combat(
        hammer_set(effect, f"power: 20, always: [{{hand: 1}}{rule}]"),
        "Wall",
        [[BASIC_0, BASIC_1], [*first_hand, *second_hand, BASIC_0], [BASIC_1]],
        discards={2: [BASIC_0, *[BASIC_1] * 3, "Loot 2c", "Loot 2d", "Loot 2e", "Loot 2f"]},
        steps_left=7,
    )
    game.state.cleared[:] = (2, 1, 0, 3, 0)
    play_hand(game)
    do(game, "redraw", "keep")
    play(game, BASIC_1, "Loot 2a", "Hammer")
    return game


@pytest.mark.parametrize("count", Count, ids=lambda count: count.name)
def test_verb_power_per_adds_for_each_counted_thing(count):
    game = counting(f"{{power_per: {count.name.lower()}, each: 2}}", "")
    assert power(game) == [1, 3 + 2 * COUNTED[count], 0]


@pytest.mark.parametrize("count", TABLE_COUNTS, ids=lambda count: count.name)
@pytest.mark.parametrize("each", [1, -2])
def test_rule_power_per_changes_the_enemy_for_each_counted_thing(count, each):
    game = counting("{power: 1}", f", {{power_per: {count.name.lower()}, each: {each}}}")
    assert enemy_power(game) == 20 + each * COUNTED[count]


def test_verb_double_card_doubles_another_played_card():
    game = holding("{double_card: true}", [BASIC_1, "Loot 3a", "Hammer"], [BASIC_0])
    play(game, BASIC_1, "Loot 3a", "Hammer")
    assert game.options() == ["card Basic 1", "card Loot 3a"]
    play(game, "Loot 3a")
    assert power(game) == [1 + 6, 0]


def test_verb_double_card_does_nothing_without_another_card():
    game = holding("{double_card: true}", ["Hammer", BASIC_1], [BASIC_0])
    play(game, "Hammer")
    assert game.options() == ["card Basic 1"]  # to play it
    assert power(game) == [0, 0]


def test_verb_double_card_can_double_a_doubled_card_again():
    twice = "{double_card: true}, {double_card: true}"
    game = holding(twice, [BASIC_1, BASIC_1, "Hammer"], [BASIC_0])
    play(game, BASIC_1, BASIC_1, "Hammer", BASIC_1, BASIC_1)
    assert power(game) == [1 + 4, 0]


def test_verb_double_total_doubles_all_power_of_its_player():
    game = holding("{double_total: true}", [BASIC_1, "Loot 3a", "Hammer"], [BASIC_0])
    play(game, BASIC_1, "Loot 3a", "Hammer")
    assert power(game) == [8, 0]


def test_verb_double_total_leaves_the_power_of_others_and_of_later_cards():
    game = holding("{double_total: true}", [BASIC_1], ["Hammer", BASIC_1, "Loot 3a"])
    play(game, BASIC_1)
    do(game, "keep")
    play(game, "Loot 3a", "Hammer", BASIC_1)
    assert game.state.combats_lost == 1
    assert game.state.best_power == 1 + 6 + 1


def test_verb_double_total_for_another_player():
    game = holding("{other: [{double_total: true}]}", ["Loot 3a"], ["Hammer", BASIC_1], [BASIC_0])
    play(game, "Loot 3a")
    do(game, "keep")
    play(game, "Hammer")
    do(game, "player 2")
    assert power(game) == [6, 0, 0]


@pytest.mark.parametrize("change", [-3, 2])
def test_verb_enemy_changes_the_enemy_for_this_combat_only(change):
    game = holding(f"{{enemy: {change}}}", ["Hammer", BASIC_1], [BASIC_0])
    play(game, "Hammer")
    assert enemy_power(game) == 40 + change
    fight(game)
    do(game, "dungeon 1")
    assert enemy_power(game) == 40


def test_rule_basics_changes_every_basic_card():
    game = facing("power: 40, always: [{basics: -1}]", [BASIC_0, BASIC_1, "Loot 2a"], [BASIC_0])
    play_hand(game)
    assert power(game) == [-1 + 0 + 2, 0]


def test_rule_loot_changes_every_loot_card():
    game = facing("power: 40, always: [{loot: -1}]", ["Loot 2a", BASIC_1, "Loot 3a"], [BASIC_0])
    play_hand(game)
    assert power(game) == [1 + 1 + 2, 0]


def test_rule_loot_leaves_skills_alone():
    game = facing("power: 40, always: [{loot: -1}, {basics: -1}]", ["Bard Skill"], [BASIC_0])
    play_hand(game)
    assert power(game) == [2, 0]


def test_rule_no_skills_leaves_a_skill_its_power_only():
    game = facing("power: 40, always: [{no_skills: true}]", ["Bard Skill"], [BASIC_0])
    play_hand(game)
    assert power(game) == [1, 0]
