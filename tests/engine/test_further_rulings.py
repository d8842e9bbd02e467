"""R56 to R59 and R61: what the rulebooks leave open."""

import pytest
from one_card import facing, holding
from playing import (
    config_of,
    deck,
    discard_pile,
    do,
    enemy_power,
    fight,
    hand,
    play,
    play_hand,
    power,
    set_with,
)

from tenefyr_env.engine.state import Decision
from tenefyr_env.scenario import scenario

BASIC_0, BASIC_1 = "Basic 0", "Basic 1"


def test_R56_a_card_s_power_may_fall_below_0():
    game = facing("power: 40, always: [{basics: -1}]", [BASIC_0], [BASIC_0])
    play_hand(game)
    assert power(game) == [-1, 0]


def test_R56_a_negative_power_counts_against_the_others():
    rule = "power: 1, always: [{basics: -1}]"
    game = facing(rule, [BASIC_0], ["Loot 1b"], under=["Foe 1c"])
    fight(game)
    assert game.state.combats_lost == 1


def test_R56_the_enemy_s_power_is_never_below_0():
    game = holding("{enemy: -10}", ["Hammer", BASIC_0], [BASIC_0], wall="power: 4")
    play(game, "Hammer")
    assert enemy_power(game) == 0


def test_R56_a_party_below_0_does_not_beat_an_enemy_of_power_0():
    game = facing("power: 0, always: [{basics: -1}]", [BASIC_0], [BASIC_0])
    fight(game)
    assert game.state.combats_lost == 1


def test_R57_the_whole_party_learns_what_one_player_looks_at():
    game = holding("{look: 1}", ["Hammer", BASIC_0], [BASIC_0])
    play(game, "Hammer")
    for seat in (0, 1, None):
        assert any("sees Foe 1b" in event for event in game.events(seat))
    for seed in range(5):
        imagined = game.determinize(1, seed)
        assert imagined.state.dungeon_cards[0, 2] == game.state.dungeon_cards[0, 2]


def other_sees_hand(hands: str) -> bool:
    """Whether the second player sees what the first one drew."""
    game = facing("power: 40", [BASIC_0, "Loot 2a", BASIC_1], [BASIC_0], hands=hands)
    assert any("draws Loot 2a" in event for event in game.events(0))
    return any("draws Loot 2a" in event for event in game.events(1))


def test_R58_a_hand_is_seen_by_its_player_only():
    assert not other_sees_hand("private")


def test_R58_open_hands_are_seen_by_all():
    assert other_sees_hand("open")


@pytest.mark.parametrize("hands", ["private", "open"])
def test_R58_only_open_hands_are_known_to_a_planner_of_another_seat(hands):
    cards = ["Loot 2a", "Loot 2b", "Loot 2c", "Loot 2d", "Loot 2e", "Loot 2f"]
    game = facing("power: 40", cards, [BASIC_0], hands=hands)
    found = {tuple(hand(game.determinize(1, seed), 0)) for seed in range(20)}
    assert (found == {tuple(hand(game, 0))}) == (hands == "open")


def test_R59_cards_drawn_out_of_turn_wait_in_hand_for_the_turn():
    effect = "{other: [{draw: 1}]}"
    game = holding(effect, ["Hammer"], ["Loot 2a", BASIC_0, BASIC_0, BASIC_0, BASIC_0])
    play(game, "Hammer")
    do(game, "player 1")
    assert game.decision.seat == 1
    assert hand(game, 1) == [BASIC_0, BASIC_0, BASIC_0, "Loot 2a"]


def test_R59_cards_drawn_out_of_turn_are_discarded_if_the_combat_ends_first():
    effect = "{other: [{draw: 1}]}, {power: 5}"
    game = holding(effect, ["Hammer"], ["Loot 2a", BASIC_0], wall="power: 5")
    play(game, "Hammer")
    do(game, "player 1")
    assert game.decision.kind == Decision.CONTINUE
    assert hand(game, 1) == []
    assert discard_pile(game, 1) == ["Loot 2a"]


def test_R59_cards_drawn_after_one_s_turn_are_discarded_with_the_combat():
    game = holding("{other: [{draw: 1}]}", [BASIC_0] * 3 + [BASIC_1], ["Hammer"])
    play_hand(game)
    do(game, "keep")
    play(game, "Hammer")
    do(game, "player 1")  # the combat is lost, and all rest
    assert hand(game, 0) == []
    assert sorted(deck(game, 0)) == [BASIC_0] * 3 + [BASIC_1]


@pytest.mark.parametrize("pile", ["deck", "discard"])
def test_R61_cards_given_go_to_the_pile_they_came_from(pile):
    decks = [["Hammer", BASIC_0, BASIC_0, "Loot 2a"], [BASIC_0, BASIC_0, BASIC_0]]
    game = holding(f"{{give: 1, from: [{pile}]}}", *decks, discards={0: [BASIC_1]})
    play(game, "Hammer", "Loot 2a" if pile == "deck" else BASIC_1)
    do(game, "player 1")
    assert ("Loot 2a" in deck(game, 1)) == (pile == "deck")
    assert (BASIC_1 in discard_pile(game, 1)) == (pile == "discard")


def test_R61_a_deck_is_shuffled_after_a_card_was_given_to_it():
    places = set()
    for seed in range(30):
        decks = [["Hammer", BASIC_0, BASIC_0, "Loot 2a"], [BASIC_0, BASIC_0, BASIC_0]]
        game = holding("{give: 1, from: [deck]}", *decks, seed=seed)
        play(game, "Hammer", "Loot 2a")
        do(game, "player 1")
        places.add(deck(game, 1).index("Loot 2a"))
    assert places == {0, 1, 2, 3}


def test_R61_swapped_cards_go_each_to_the_pile_it_came_from():
    decks = [["Hammer", BASIC_0, BASIC_0, "Loot 2a"], [BASIC_0]]
    game = holding("{swap: 1, from: [deck, discard]}", *decks, discards={1: [BASIC_1]})
    play(game, "Hammer", "Loot 2a")
    do(game, "player 1", "card Basic 1")
    assert "Loot 2a" in deck(game, 1)
    assert discard_pile(game, 0) == [BASIC_1]


def test_R61_a_reserve_card_goes_where_the_effect_says():
    reward = "kind: together, options: [[{any: [{take: 1, level: 2, to: deck}]}], [{scout: 1}]]"
    game = scenario(
        config_of(2),
        card_set=set_with(rewards={"Gift": reward}),
        decks={0: [BASIC_1], 1: [BASIC_0]},
        dungeons={1: ["Foe 1a"]},
        rewards={1: "Gift"},
        reserve={2: ["Loot 2c"]},
        starter=0,
    )
    do(game, "dungeon 1")
    fight(game)
    do(game, "option 1", "player 0")
    assert sorted(deck(game, 1)) == [BASIC_0, "Loot 2c"]
