"""Combat: the defeated enemy, the end of a combat, and continuous rules (R30 to R32)."""

import pytest
from playing import (
    combat,
    deck,
    discard_pile,
    do,
    dungeon,
    enemy_power,
    fight,
    hand,
    owned,
    play,
    play_hand,
    played,
    power,
    set_with,
)

from tenefyr_env.engine.state import Decision

BASICS = ["Basic 0", "Basic 1", "Basic 0", "Basic 1", "Basic 0", "Basic 1"]
ONES = ["Basic 1", "Basic 1", "Basic 1"]
WEAK = [["Basic 0"]] * 4


# The defeated enemy


@pytest.mark.parametrize("players", [2, 3, 4])
def test_R30_the_player_in_whose_turn_the_enemy_fell_takes_it_as_loot(plain, players):
    for starter in range(players):
        for winner in range(players):
            decks = [["Loot 5h"] if seat == winner else ["Basic 0"] for seat in range(players)]
            game = combat(plain, ["Foe 1a", "Foe 1b"], decks, starter=starter)
            fight(game)
            loot = ["Loot 1a" in discard_pile(game, seat) for seat in range(players)]
            assert loot == [seat == winner for seat in range(players)]
            assert game.state.loot_taken[winner] == 1
            assert dungeon(game, 1) == ["Foe 1b"]


def test_R30_the_last_blow_takes_the_loot_even_if_others_did_more(plain):
    game = combat(plain, ["Foe 5a", "Foe 1b"], [["Loot 4h"], ["Basic 1"]])
    fight(game)
    assert discard_pile(game, 0) == ["Loot 4h"]
    assert discard_pile(game, 1) == ["Basic 1", "Loot 5a"]


def test_R30_the_loot_goes_to_the_discard_pile_and_not_to_the_deck(plain):
    game = combat(plain, ["Foe 1a", "Foe 1b"], [["Loot 1h", "Basic 0", "Basic 0", "Basic 1"], []])
    fight(game)
    assert "Loot 1a" in discard_pile(game, 0)
    assert deck(game, 0) == ["Basic 1"]
    assert hand(game, 0) == []


def test_R30_end_of_combat_effects_happen_before_the_loot_is_taken():
    cards = set_with(enemies={"Ghost": "power: 1, end: [{recover: 3}]"})
    discards = {0: ["Loot 2h", "Loot 3h"]}
    game = combat(cards, ["Ghost", "Foe 1b"], [["Basic 1"], ["Basic 0"]], discards=discards)
    do(game, "keep", "card Basic 1")
    assert sorted(game.options()) == ["card Loot 2h", "card Loot 3h"]
    assert dungeon(game, 1)[0] == "Ghost"
    do(game, "card Loot 2h")
    assert game.options() == ["card Loot 3h"]
    do(game, "card Loot 3h")
    # The played Basic and the loot come too late for the third.
    assert game.decision.kind == Decision.CONTINUE
    assert sorted(deck(game, 0)) == ["Loot 2h", "Loot 3h"]
    assert discard_pile(game, 0) == ["Basic 1", "Loot 1a"]


def test_R30_end_of_combat_effects_are_for_the_player_in_whose_turn_the_enemy_fell():
    cards = set_with(enemies={"Ghost": "power: 1, end: [{discard_deck: 1}]"})
    decks = [["Basic 0"] * 4, ["Basic 1"] * 4, ["Basic 0"] * 4]
    game = combat(cards, ["Ghost", "Foe 1b"], decks)
    fight(game)
    assert [len(deck(game, seat)) for seat in range(3)] == [1, 0, 4]


def test_R30_an_enemy_that_stands_has_no_end_of_combat_effects():
    cards = set_with(enemies={"Ghost": "power: 9, end: [{track: 3}]"})
    game = combat(cards, "Ghost", WEAK, steps_left=10)
    fight(game)
    assert game.state.combats_lost == 1
    assert game.state.steps_left == 8  # the two of a party thrown out


# The end of a combat


@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("is_won", [True, False])
def test_R31_the_starting_player_token_passes_clockwise_won_or_lost(plain, players, is_won):
    for starter in range(players):
        enemies = ["Foe 1a", "Foe 1b"] if is_won else ["Foe 5a", "Foe 5b"]
        decks = [ONES] * players if is_won else WEAK[:players]
        game = combat(plain, enemies, decks, starter=starter)
        fight(game)
        assert (game.state.combats_won, game.state.combats_lost) == (is_won, not is_won)
        assert game.state.starter == (starter + 1) % players


def test_R31_the_token_does_not_follow_the_player_in_whose_turn_the_enemy_fell(plain):
    game = combat(plain, ["Foe 1a", "Foe 1b"], [["Basic 0"], ["Basic 0"], ["Basic 1"]])
    fight(game)
    assert game.state.starter == 1


def test_R31_the_token_passes_after_every_combat_of_a_dungeon(plain):
    enemies = ["Foe 1a", "Foe 1b", "Foe 1c", "Foe 1d"]
    game = combat(plain, enemies, [["Basic 1"] * 6] * 3, starter=1)
    for starter in (2, 0, 1):
        fight(game)
        assert game.state.starter == starter
        do(game, "continue")
        assert game.decision.seat == starter


def test_R31_all_played_cards_go_to_their_players_discard_piles_when_won(plain):
    game = combat(plain, ["Foe 4a", "Foe 1b"], [ONES, ["Loot 2h", "Basic 0"], BASICS])
    fight(game)
    assert discard_pile(game, 0) == ONES
    assert discard_pile(game, 1) == ["Basic 0", "Loot 2h", "Loot 4a"]
    assert discard_pile(game, 2) == []
    assert [played(game, seat) for seat in range(3)] == [[], [], []]


def test_R31_all_played_cards_are_discarded_when_lost_and_rest_in_the_decks(plain):
    game = combat(plain, "Foe 5a", [["Basic 0", "Basic 1"], ["Basic 0", "Loot 1h"]])
    fight(game)
    assert [played(game, seat) for seat in range(2)] == [[], []]
    assert [sorted(deck(game, seat)) for seat in range(2)] == [
        ["Basic 0", "Basic 1"],
        ["Basic 0", "Loot 1h"],
    ]


def test_R31_lost_before_the_boss_the_played_cards_lie_in_the_discard_piles(plain):
    game = combat(plain, ["Foe 1a", "Foe 1b"], [["Basic 1"], ["Basic 0"], ["Loot 1h"]])
    fight(game)
    do(game, "leave", "boss")
    fight(game)
    assert game.is_over
    assert [played(game, seat) for seat in range(3)] == [[], [], []]
    assert discard_pile(game, 2) == ["Loot 1h"]
    assert game.state.starter == 2


def test_R31_the_power_of_one_combat_does_not_count_in_the_next(plain):
    game = combat(plain, ["Foe 1a", "Foe 5a"], [["Loot 4h"], ["Basic 1"] * 4])
    fight(game)
    do(game, "continue")
    assert power(game) == [0, 0]
    assert enemy_power(game) == 5


def test_R31_changes_of_the_enemys_power_and_of_hands_end_with_the_combat():
    cards = set_with(enemies={"Ghost": "power: 1, start: [{enemy: 1}, {others: [{hand_size: 2}]}]"})
    game = combat(cards, ["Ghost", "Foe 1b"], [["Loot 2h", *BASICS], ["Basic 0"] * 7])
    fight(game)
    do(game, "continue")
    assert game.decision.seat == 1
    assert len(hand(game, 1)) == 3
    assert enemy_power(game) == 1


# Continuous rules


def test_R32_a_rule_on_basics_holds_in_every_turn_of_the_combat():
    cards = set_with(enemies={"Ghost": "power: 9, always: [{basics: 1}]"})
    game = combat(cards, "Ghost", [["Basic 0", "Basic 1"], ["Basic 1"], ["Basic 0"], ["Loot 2h"]])
    expected = [3, 2, 1]
    for seat, total in enumerate(expected):
        play_hand(game)
        assert power(game)[seat] == total
    do(game, "keep")
    assert power(game) == [3, 2, 1, 0]


def test_R32_a_rule_on_basics_leaves_loot_and_skills_alone():
    cards = set_with(enemies={"Ghost": "power: 20, always: [{basics: 2}]"})
    game = combat(cards, "Ghost", [["Loot 2h", "Barbarian Skill", "Basic 0"], BASICS])
    do(game, "keep")
    for card, total in (("Loot 2h", 2), ("Barbarian Skill", 4), ("Basic 0", 6)):
        play(game, card)
        assert power(game)[0] == total


def test_R32_a_rule_on_loot_leaves_basics_and_skills_alone():
    cards = set_with(enemies={"Ghost": "power: 20, always: [{loot: -1}]"})
    game = combat(cards, "Ghost", [["Loot 2h", "Barbarian Skill", "Basic 1"], BASICS])
    do(game, "keep")
    for card, total in (("Loot 2h", 1), ("Barbarian Skill", 3), ("Basic 1", 4)):
        play(game, card)
        assert power(game)[0] == total


def test_R32_a_rule_ends_with_its_enemy():
    cards = set_with(enemies={"Ghost": "power: 1, always: [{basics: 2}, {hand: -1}]"})
    game = combat(cards, ["Ghost", "Foe 5a"], [["Basic 0"] * 2, BASICS])
    fight(game)
    do(game, "continue")
    assert len(hand(game, 1)) == 3
    do(game, "keep", "card Basic 1")
    assert power(game) == [0, 1]


def test_R32_no_redraw_holds_for_every_player():
    cards = set_with(enemies={"Ghost": "power: 9, always: [{no_redraw: true}]"})
    game = combat(cards, "Ghost", [BASICS] * 3)
    for _ in range(3):
        assert game.options() == ["keep"]
        play_hand(game)


def test_R32_no_skills_leaves_a_skill_its_power():
    cards = set_with(enemies={"Ghost": "power: 9, always: [{no_skills: true}]"})
    game = combat(cards, "Ghost", [["Basic 0"], ["Bard Skill"], ["Basic 0"]])
    play_hand(game)
    play_hand(game)
    assert power(game) == [0, 1, 0]


def test_R32_a_power_that_counts_basic_0_in_discards_follows_every_redraw():
    rule = "always: [{power_per: basic_0_in_discards, each: -1}]"
    cards = set_with(enemies={"Ghost": f"power: 9, {rule}"})
    decks = [["Basic 0", "Basic 0", "Basic 1", "Basic 0", "Basic 1", "Basic 1", "Basic 1"], BASICS]
    game = combat(cards, "Ghost", decks, discards={1: ["Basic 0", "Basic 1"]})
    assert enemy_power(game) == 8
    do(game, "redraw")
    assert enemy_power(game) == 6
    do(game, "redraw")
    assert enemy_power(game) == 5


def test_R32_a_power_that_depends_on_discards_follows_effects_too():
    rule = "always: [{power_per: basic_0_in_discards, each: 2}]"
    cards = set_with(
        enemies={"Ghost": f"power: 9, {rule}"},
        loot={
            "Hammer": "power: 0, effect: [{discard_deck: 1}]",
            "Rope": "power: 0, effect: [{return: 1, filter: basic_0}]",
        },
    )
    game = combat(cards, "Ghost", [["Hammer", "Rope", "Basic 1", "Basic 0"], BASICS])
    do(game, "keep")
    assert enemy_power(game) == 9
    play(game, "Hammer")
    assert enemy_power(game) == 11
    do(game, "card Rope", "card Basic 0")
    assert enemy_power(game) == 9


def test_R27_R32_the_power_in_the_end_step_is_the_re_evaluated_one():
    rule = "always: [{power_per: basic_0_in_discards, each: -1}]"
    cards = set_with(enemies={"Ghost": f"power: 5, {rule}"})
    decks = [["Basic 0", "Basic 0", "Basic 0", "Basic 1", "Basic 1"], BASICS]
    kept = combat(cards, ["Ghost", "Foe 1b"], decks)
    play_hand(kept)
    assert kept.state.combats_won == 0
    redrawn = combat(cards, ["Ghost", "Foe 1b"], decks)
    do(redrawn, "redraw", "keep", "card Basic 1", "card Basic 1")
    assert redrawn.state.combats_won == 1  # 2 against 5 - 3


@pytest.mark.parametrize(
    ("count", "powers"),
    [
        ("turns_taken", [9, 10, 11]),
        ("cards_played", [9, 10, 11]),
        ("exhausted_players", [10, 11, 12]),
    ],
)
def test_R32_a_power_that_grows_with_the_turns_is_re_evaluated(count, powers):
    cards = set_with(enemies={"Ghost": f"power: 9, always: [{{power_per: {count}, each: 1}}]"})
    game = combat(cards, "Ghost", WEAK[:3])
    for expected in powers:
        assert enemy_power(game) == expected
        play_hand(game)


def test_R32_nothing_is_lost_of_any_deck_under_continuous_rules():
    cards = set_with(enemies={"Ghost": "power: 9, always: [{basics: -1}, {hand: 1}]"})
    game = combat(cards, "Ghost", [BASICS, BASICS])
    fight(game)
    assert [owned(game, seat) for seat in range(2)] == [sorted(BASICS)] * 2
    game.check()
