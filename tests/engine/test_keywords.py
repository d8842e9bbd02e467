"""R44 to R50: keywords, conditions, the order of effects and the reserve."""

import pytest
from one_card import facing, holding
from playing import (
    combat,
    deck,
    discard_pile,
    do,
    enemy_power,
    fight,
    hand,
    owned,
    play,
    power,
    reserve,
    set_with,
)

from tenefyr_env.engine.state import Decision

BASIC_0, BASIC_1 = "Basic 0", "Basic 1"


def test_R44_a_card_beats_the_rulebook():
    """No redraw (against R24), other hand sizes (R23), a monster that gives no loot (R30)."""
    rule = "power: 0, always: [{no_redraw: true}, {hand: 1}], end: [{move: true}]"
    game = facing(rule, [BASIC_0] * 5, [BASIC_0], under=["Foe 1b"])
    assert game.options() == ["keep"]
    assert len(hand(game, 0)) == 4
    do(game, "keep", *["card Basic 0"] * 4, "dungeon 2")
    assert owned(game, 0) == [BASIC_0] * 5


@pytest.mark.parametrize(
    ("effect", "found"),
    [
        ("{draw: 3}", [BASIC_1, BASIC_1]),  # one in the deck
        ("{return: 2}", ["Basic 1", "Loot 2a"]),  # one in the discard pile
        ("{discard: 3}", []),  # one in the hand
    ],
)
def test_R45_what_cannot_be_fully_done_is_done_as_far_as_possible(effect, found):
    # The enemy leaves hands of two, so that a card stays in the deck.
    wall = "power: 40, always: [{hand: -1}]"
    game = holding(
        f"{effect}, {{power: 5}}",
        ["Hammer", BASIC_1, BASIC_1],
        [BASIC_0],
        discards={0: ["Loot 2a"]},
        wall=wall,
    )
    play(game, "Hammer")
    while power(game) == [0, 0]:
        do(game, game.options()[0])
    assert power(game)[0] >= 5
    assert hand(game, 0) == found


@pytest.mark.parametrize(
    ("cost", "deck_of_first"),
    [
        ("{discard: 2}", ["Hammer", BASIC_0]),
        ("{discard: 1, filter: loot}", ["Hammer", BASIC_0, BASIC_1]),
        ("{discard_deck: 3}", ["Hammer", BASIC_0, BASIC_0, BASIC_0, BASIC_0]),
        ("{remove: 1, filter: basic_1, from: [hand]}", ["Hammer", BASIC_0, BASIC_0, BASIC_1]),
    ],
)
def test_R46_a_condition_that_cannot_be_paid_in_full_does_not_happen(cost, deck_of_first):
    cards = set_with(
        loot={"Hammer": f"power: 2, effect: [{{pay: {cost}, then: [{{power: 4}}]}}]"},
        enemies={"Wall": "power: 40"},
    )
    game = combat(cards, "Wall", [deck_of_first, [BASIC_0]])
    before = len(owned(game, 0))
    do(game, "keep")
    play(game, "Hammer")
    assert game.decision.kind == Decision.PLAY  # nothing was asked
    assert power(game) == [2, 0]  # the card's power counts all the same
    assert discard_pile(game, 0) == []
    assert len(owned(game, 0)) == before


def test_R46_paying_is_optional():
    effect = "{pay: {discard: 2}, then: [{power: 4}]}"
    game = holding(effect, ["Hammer", BASIC_0, BASIC_1], [BASIC_0])
    play(game, "Hammer")
    assert game.options() == ["use", "decline"]
    do(game, "decline")
    assert power(game) == [0, 0]
    assert hand(game, 0) == [BASIC_0, BASIC_1]


def test_R46_a_condition_is_paid_in_full():
    effect = "{pay: {discard: 2}, then: [{power: 4}]}"
    game = holding(effect, ["Hammer", BASIC_0, BASIC_1], [BASIC_0])
    play(game, "Hammer")
    do(game, "use", "card Basic 0")
    assert game.options() == ["card Basic 1"]
    do(game, "card Basic 1")
    assert discard_pile(game, 0) == [BASIC_0, BASIC_1]
    assert game.state.best_power == 4


def test_R47_a_removed_basic_is_out_of_play():
    game = holding("{remove: 1, from: [discard]}", ["Hammer"], [], discards={0: [BASIC_1]})
    out_of_play = int(game.state.out_of_play[1])
    play(game, "Hammer", BASIC_1)
    assert BASIC_1 not in owned(game, 0)
    assert game.state.out_of_play[1] == out_of_play + 1


def test_R47_a_removed_dungeon_card_is_a_reserve_card_of_its_level_again():
    effect = "{remove: 1, filter: loot, from: [discard]}, {take: 1, level: 3, to: hand}"
    game = holding(effect, ["Hammer"], [], discards={0: ["Loot 3b"]}, reserve={3: []})
    play(game, "Hammer")
    assert game.options() == ["card Loot 3b"]
    play(game, "Loot 3b")
    assert hand(game, 0) == ["Loot 3b"]  # it could be taken again
    assert reserve(game, 3) == []


def test_R48_a_deck_is_shuffled_after_a_search():
    """Whatever was found, and also if the player takes nothing."""
    rest = ["Loot 2a", "Loot 2b", "Loot 2c", "Loot 2d", "Loot 2e"]
    for answer, left in (("card Basic 1", rest), ("decline", [BASIC_1, *rest])):
        orders = set()
        for seed in range(20):
            game = holding(
                "{search: 1, filter: basic_1, up_to: true}",
                ["Hammer", BASIC_0, BASIC_0, BASIC_1, *rest],
                [],
                seed=seed,
            )
            play(game, "Hammer")
            do(game, answer)
            assert sorted(deck(game, 0)) == sorted(left)
            orders.add(tuple(deck(game, 0)))
        assert len(orders) > 10


def test_R48_a_deck_is_shuffled_after_a_search_that_found_nothing():
    rest = ["Loot 2a", "Loot 2b", "Loot 2c", "Loot 2d", "Loot 2e"]
    cards = ["Hammer", BASIC_0, BASIC_0, *rest]
    orders = set()
    for seed in range(20):
        game = holding("{search: 1, filter: basic_1}", cards, [], seed=seed)
        play(game, "Hammer")
        orders.add(tuple(deck(game, 0)))
    assert len(orders) > 10


PETRIFY = "power: 40, always: [{basics: -1}]"


@pytest.mark.parametrize(("order", "worth"), [("option 1", 1), ("option 2", 0)])
def test_R49_doubling_a_basic_1_under_minus_1_gives_1_or_0_by_the_order(order, worth):
    game = holding("{double_card: true}", [BASIC_1, "Hammer"], [BASIC_0], wall=PETRIFY)
    play(game, BASIC_1)
    assert power(game) == [0, 0]
    play(game, "Hammer", BASIC_1)
    assert game.decision.kind == Decision.ORDER
    assert game.options() == ["option 1", "option 2"]
    do(game, order)
    assert game.state.power[0] == worth


@pytest.mark.parametrize(("order", "worth"), [("option 1", -1), ("option 2", -2)])
def test_R49_R56_the_order_counts_for_a_basic_0_too(order, worth):
    game = holding("{double_card: true}", [BASIC_0, "Hammer"], [BASIC_0], wall=PETRIFY)
    play(game, BASIC_0, "Hammer", BASIC_0)
    do(game, order)
    assert game.state.power[0] == worth


@pytest.mark.parametrize(("order", "worth"), [("option 1", 5), ("option 2", 4)])
def test_R49_the_order_counts_for_loot_under_a_rule_about_loot(order, worth):
    wall = "power: 40, always: [{loot: -1}]"
    game = holding("{double_card: true}", ["Loot 3a", "Hammer"], [BASIC_0], wall=wall)
    play(game, "Loot 3a", "Hammer", "Loot 3a")
    do(game, order)
    assert game.state.power[0] == worth - 1  # the Hammer itself counts -1


def test_R49_the_player_whose_turn_it_is_decides_the_order_for_another():
    effect = "{other: [{double_card: true}]}"
    game = holding(effect, [BASIC_1], ["Hammer", BASIC_0], [BASIC_0], wall=PETRIFY)
    play(game, BASIC_1)
    do(game, "keep")
    play(game, "Hammer")
    do(game, "player 2")  # the first player
    assert game.decision.seat == 0
    play(game, BASIC_1)
    assert game.decision.kind == Decision.ORDER
    assert game.decision.seat == 1
    do(game, "option 1")
    assert power(game) == [1, 0, 0]


def test_R49_nothing_is_asked_when_the_order_does_not_matter():
    game = holding("{double_card: true}", [BASIC_1, "Hammer", BASIC_0], [BASIC_0])
    play(game, BASIC_1, "Hammer", BASIC_1)
    assert game.decision.kind == Decision.PLAY
    assert power(game) == [2, 0]


def test_R50_cards_of_the_reserve_are_random():
    """Every card of the level is taken in some of the games."""
    found = set()
    for seed in range(40):
        game = holding(
            "{take: 1, level: 3, to: hand}",
            ["Hammer"],
            [],
            reserve={3: ["Loot 3b", "Loot 3c", "Loot 3d"]},
            seed=seed,
        )
        play(game, "Hammer")
        found |= set(hand(game, 0))
    assert found == {"Loot 3b", "Loot 3c", "Loot 3d"}


def test_R50_an_empty_level_gives_a_card_of_the_level_below():
    game = holding(
        "{take: 2, level: 3, to: hand}", ["Hammer"], [], reserve={3: ["Loot 3b"], 2: ["Loot 2b"]}
    )
    play(game, "Hammer")
    assert hand(game, 0) == ["Loot 2b", "Loot 3b"]


@pytest.mark.parametrize("level", [3, 1])
def test_R50_nothing_is_taken_when_the_level_below_is_empty_too(level):
    game = holding(
        f"{{take: 1, level: {level}, to: hand}}, {{power: 5}}",
        ["Hammer", BASIC_0],
        [],
        reserve={3: [], 2: [], 1: ["Loot 1e"] if level == 3 else []},
    )
    play(game, "Hammer")
    assert hand(game, 0) == [BASIC_0]
    assert power(game) == [5, 0]


def test_R32_R50_a_power_that_depends_on_something_changes_with_it():
    wall = "power: 20, always: [{power_per: loot_in_discards, each: 2}]"
    game = holding(
        "{take: 1, level: 2, to: discard}",
        ["Hammer", BASIC_0],
        [BASIC_0],
        wall=wall,
        reserve={2: ["Loot 2c"]},
    )
    assert enemy_power(game) == 20
    play(game, "Hammer")
    assert enemy_power(game) == 22
    fight(game)
    assert game.state.combats_lost == 1
