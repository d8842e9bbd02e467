"""Combat: playing a hand and the end of a turn (R25 to R29)."""

from itertools import permutations

import pytest
from playing import (
    combat,
    discard_pile,
    do,
    enemy_power,
    hand,
    play,
    play_hand,
    played,
    power,
    set_with,
)

from tenefyr_env.engine.state import Decision

BASICS = ["Basic 0", "Basic 1", "Basic 0", "Basic 1", "Basic 0", "Basic 1"]
WEAK = [["Basic 0"]] * 4


def turns_in(events: list[str]) -> list[str]:
    """Whose turns the events tell of."""
    return [line for line in events if line.startswith("It is ")]


# The play step


def test_R25_every_card_in_hand_must_be_played(plain):
    game = combat(plain, "Foe 5a", [["Basic 0", "Loot 1h", "Loot 2h", "Basic 1"], BASICS])
    do(game, "keep")
    for card, left in (("Loot 1h", ["Basic 0", "Loot 2h"]), ("Basic 0", ["Loot 2h"])):
        play(game, card)
        assert sorted(game.options()) == [f"card {name}" for name in left]
        assert game.decision.seat == 0
    play(game, "Loot 2h")
    assert game.decision.seat == 1
    assert played(game, 0) == ["Loot 1h", "Basic 0", "Loot 2h"]


def test_R25_the_player_chooses_the_order(plain):
    for order in permutations(["Basic 1", "Loot 1h", "Loot 2h"]):
        game = combat(plain, "Foe 5a", [["Basic 1", "Loot 1h", "Loot 2h"], BASICS])
        do(game, "keep")
        play(game, *order)
        assert played(game, 0) == list(order)
        assert power(game)[0] == 4


def test_R25_a_cards_power_is_added_as_it_is_played(plain):
    game = combat(plain, "Foe 5a", [["Basic 1", "Loot 2h", "Basic 0"], BASICS])
    do(game, "keep")
    for card, total in (("Loot 2h", 2), ("Basic 1", 3)):
        play(game, card)
        assert power(game) == [total, 0]


@pytest.mark.parametrize(("place", "total"), [(0, 5), (1, 6), (2, 7)])
def test_R25_a_cards_effect_is_resolved_before_the_next_is_played(place, total):
    cards = set_with(
        enemies={"Ghost": "power: 9"},
        loot={"Hammer": "power: 2, effect: [{power_per: cards_you_played, each: 1}]"},
    )
    order = ["Basic 0", "Loot 2h"]
    order.insert(place, "Hammer")
    game = combat(cards, "Ghost", [order, BASICS])
    do(game, "keep")
    play(game, *order)
    assert power(game)[0] == total


def test_R25_a_choice_of_an_effect_comes_before_the_next_card():
    cards = set_with(loot={"Hammer": "power: 2, effect: [{may: [{power: 4}]}]"})
    game = combat(cards, "Foe 5a", [["Hammer", "Basic 0"], BASICS])
    do(game, "keep")
    play(game, "Hammer")
    assert power(game)[0] == 2
    assert game.options() == ["use", "decline"]
    do(game, "use")
    assert power(game)[0] == 6
    assert game.options() == ["card Basic 0"]


def test_R25_cards_drawn_in_the_play_step_must_be_played_too():
    cards = set_with(loot={"Hammer": "power: 1, effect: [{draw: 2}]"})
    game = combat(cards, "Foe 5a", [["Hammer", "Basic 0", "Basic 0", "Loot 1g", "Loot 2h"], BASICS])
    do(game, "keep")
    play(game, "Hammer")
    assert hand(game, 0) == ["Basic 0", "Basic 0", "Loot 1g", "Loot 2h"]
    assert sorted(game.options()) == ["card Basic 0", "card Loot 1g", "card Loot 2h"]
    play(game, "Basic 0", "Basic 0", "Loot 1g")
    assert game.decision.seat == 0
    play(game, "Loot 2h")
    assert game.decision.seat == 1


def test_R26_a_played_card_lies_before_its_player_until_the_combat_ends(plain):
    game = combat(plain, "Foe 5a", [["Basic 1", "Loot 1h"], ["Basic 0"], ["Basic 0"]])
    do(game, "keep")
    play(game, "Basic 1")
    assert (hand(game, 0), played(game, 0)) == (["Loot 1h"], ["Basic 1"])
    play(game, "Loot 1h")
    do(game, "keep", "card Basic 0", "keep")
    assert played(game, 0) == ["Basic 1", "Loot 1h"]
    assert played(game, 1) == ["Basic 0"]
    assert discard_pile(game, 0) == discard_pile(game, 1) == []


def test_R26_a_played_card_cannot_be_discarded_from_hand():
    cards = set_with(loot={"Hammer": "power: 2, effect: [{discard: 1}]"})
    game = combat(cards, "Foe 5a", [["Hammer", "Basic 1", "Basic 0"], BASICS])
    do(game, "keep")
    play(game, "Basic 1", "Hammer")
    assert (game.decision.kind, game.options()) == (Decision.DISCARD, ["card Basic 0"])
    do(game, "card Basic 0")
    assert discard_pile(game, 0) == ["Basic 0"]
    assert played(game, 0) == ["Basic 1", "Hammer"]


def test_R26_discarding_the_hand_spares_the_played_cards():
    cards = set_with(loot={"Hammer": "power: 2, effect: [{discard_hand: true}]"})
    game = combat(cards, "Foe 5a", [["Hammer", "Basic 1", "Basic 0"], BASICS])
    do(game, "keep")
    play(game, "Basic 1", "Hammer")
    assert discard_pile(game, 0) == ["Basic 0"]
    assert played(game, 0) == ["Basic 1", "Hammer"]
    assert power(game)[0] == 3


# The end step


@pytest.mark.parametrize(("loot", "is_beaten"), [("Loot 2h", False), ("Loot 3h", True)])
def test_R27_power_equal_to_the_enemys_is_enough_and_less_is_not(plain, loot, is_beaten):
    game = combat(plain, ["Foe 3a", "Foe 1a"], [[loot], BASICS])
    do(game, "keep", f"card {loot}")
    assert game.state.combats_won == is_beaten
    assert game.decision.kind == (Decision.CONTINUE if is_beaten else Decision.KEEP)


def test_R27_the_power_of_all_players_counts_together(plain):
    game = combat(plain, ["Foe 5a", "Foe 1a"], [["Loot 1h"], ["Loot 3h"], ["Basic 1"], ["Loot 4h"]])
    for won in (0, 0, 1):
        play_hand(game)
        assert game.state.combats_won == won


def test_R27_power_is_compared_only_after_the_whole_hand_is_played():
    cards = set_with(loot={"Curse": "power: -3"})
    game = combat(cards, ["Foe 3a", "Foe 1a"], [["Loot 5h", "Curse"], ["Basic 0"]])
    do(game, "keep")
    play(game, "Loot 5h")
    assert power(game)[0] >= enemy_power(game)
    assert game.options() == ["card Curse"]
    play(game, "Curse")
    assert game.state.combats_won == 0
    assert game.decision.seat == 1


def test_R27_the_enemys_power_is_taken_as_it_is_in_the_end_step():
    cards = set_with(loot={"Needle": "power: 0, effect: [{enemy: -2}]"})
    game = combat(cards, ["Foe 5a", "Foe 1a"], [["Loot 3h", "Needle"], ["Basic 0"]])
    do(game, "keep")
    play(game, "Loot 3h")
    assert (power(game)[0], enemy_power(game)) == (3, 5)
    play(game, "Needle")
    assert game.state.combats_won == 1


def test_R27_power_gained_out_of_turn_does_not_end_the_combat_before_the_end_step():
    cards = set_with(enemies={"Ghost": "power: 3, turn: [{power: 3}]"})
    game = combat(cards, ["Ghost", "Foe 1b"], [BASICS, BASICS])
    assert power(game)[0] >= enemy_power(game)
    assert game.decision.kind == Decision.KEEP
    play_hand(game)
    assert game.state.combats_won == 1


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_R28_the_party_is_defeated_when_all_have_had_a_turn(plain, players):
    game = combat(plain, "Foe 5a", [["Basic 0"] * 6, *WEAK][:players])
    num_turns = max(players, 2)  # in solo two (R52)
    for turn in range(num_turns):
        assert game.state.combats_lost == 0
        assert game.state.turn == turn
        play_hand(game)
    assert game.state.combats_lost == 1
    assert "Foe 5a has beaten the party." in game.events()


# Exhausted players


def test_R29_the_turn_of_an_exhausted_player_happens_and_contributes_nothing(plain):
    game = combat(plain, "Foe 5a", [["Basic 1"], [], ["Basic 1"]])
    events = do(game, "keep", "card Basic 1")
    assert turns_in(events) == ["It is Bard's turn.", "It is Cleric's turn."]
    assert (game.state.turn, game.decision.seat) == (2, 2)
    assert power(game) == [1, 0, 0]


def test_R29_an_enemys_rule_for_each_turn_meets_the_exhausted_too():
    cards = set_with(enemies={"Ghost": "power: 9, turn: [{enemy: 1}]"})
    game = combat(cards, "Ghost", [["Basic 1"], [], ["Basic 1"]])
    do(game, "keep", "card Basic 1")
    assert enemy_power(game) == 12


def test_R29_an_exhausted_player_is_not_asked_for_a_hand_or_a_card(plain):
    game = combat(plain, "Foe 5a", [[], ["Basic 0"], []], starter=0)
    assert game.decision.seat == 1
    do(game, "keep", "card Basic 0")
    assert game.state.combats_lost == 1


def test_R28_R29_a_party_that_is_exhausted_altogether_is_defeated(plain):
    game = combat(plain, "Foe 1a", [[], [], [], []])
    assert game.state.combats_lost == 1
    assert game.decision.kind == Decision.DUNGEON


def test_R29_the_discard_pile_does_not_help_the_exhausted(plain):
    game = combat(plain, "Foe 5a", [[], ["Basic 0"]], discards={0: ["Loot 5h"]})
    assert game.decision.seat == 1
    assert discard_pile(game, 0) == ["Loot 5h"]
