"""Who does an effect, under which condition, and by whose choice."""

from collections import Counter

import pytest
from one_card import facing, hammer_set, holding
from playing import (
    combat,
    config_of,
    discard_pile,
    do,
    enemy_power,
    hand,
    play,
    play_hand,
    power,
)

from tenefyr_env.cards.vocabulary import Condition, Who
from tenefyr_env.game import Game
from tenefyr_env.scenario import scenario

BASIC_0, BASIC_1 = "Basic 0", "Basic 1"


def second_of_four_plays(effect: str) -> Game:
    """Seat 2 of four has played the Hammer in the second turn; seat 1 started."""
    decks = [[BASIC_0], [BASIC_0], ["Hammer", BASIC_0], [BASIC_0]]
    game = combat(hammer_set(effect), "Wall", decks, starter=1)
    play_hand(game)
    do(game, "keep")
    play(game, "Hammer")
    return game


@pytest.mark.parametrize(
    ("who", "powers"),
    [
        (Who.EACH, [1, 1, 1, 1]),
        (Who.OTHERS, [1, 1, 0, 1]),
        (Who.NEXT, [0, 0, 0, 1]),
        (Who.STARTER, [0, 1, 0, 0]),
    ],
)
def test_who_does_a_block_is_whom_it_names(who, powers):
    game = second_of_four_plays(f"{{{who.name.lower()}: [{{power: 1}}]}}")
    assert power(game) == powers


@pytest.mark.parametrize(
    ("who", "choices"),
    [
        (Who.OTHER, ["player 1", "player 2", "player 3"]),
        (Who.ANY, ["player 0", "player 1", "player 2", "player 3"]),
    ],
)
def test_who_does_a_block_may_be_a_choice_of_the_player(who, choices):
    for offset in [int(choice.split()[1]) for choice in choices]:
        game = second_of_four_plays(f"{{{who.name.lower()}: [{{power: 1}}]}}")
        assert game.decision.seat == 2
        assert game.options() == choices
        do(game, f"player {offset}")
        assert power(game) == [int(seat == (2 + offset) % 4) for seat in range(4)]


def test_who_each_is_asked_clockwise_from_the_starting_player():
    game = second_of_four_plays("{each: [{choose: [[{power: 1}], [{power: 2}]]}]}")
    seats = []
    for _ in range(4):
        seats.append(game.decision.seat)
        do(game, "option 2")
    assert seats == [1, 2, 3, 0]
    assert power(game) == [2, 2, 2, 2]


def test_who_others_is_asked_clockwise_from_the_player():
    game = second_of_four_plays("{others: [{choose: [[{power: 1}], [{power: 2}]]}]}")
    seats = []
    for _ in range(3):
        seats.append(game.decision.seat)
        do(game, "option 1")
    assert seats == [3, 0, 1]


def test_who_next_is_nobody_in_the_last_turn():
    game = holding("{next: [{power: 1}]}", [BASIC_0], ["Hammer", BASIC_0])
    play(game, BASIC_0)
    do(game, "keep")
    play(game, "Hammer")
    assert power(game) == [0, 0]


def test_verb_with_returns_to_its_player_for_the_steps_behind_the_block():
    game = second_of_four_plays("{others: [{power: 1}]}, {power: 3}")
    assert power(game) == [1, 1, 3, 1]


def test_verb_may_leaves_the_use_to_the_player():
    for answer, powers in (("use", [3, 0]), ("decline", [1, 0])):
        effect = "{may: [{power: 2}]}, {power: 1}"
        game = holding(effect, ["Hammer", BASIC_0], [BASIC_0])
        play(game, "Hammer")
        assert game.options() == ["use", "decline"]
        do(game, answer)
        assert power(game) == powers


COSTS = {
    "{discard: 1, filter: basic_1}": ["Basic 1"],
    "{discard: 2}": ["Basic 0", "Basic 1"],
    "{discard_hand: true}": ["Basic 0", "Basic 1"],
    "{discard_deck: 2}": ["Loot 2a", "Loot 2b"],
}


@pytest.mark.parametrize("cost", COSTS)
def test_verb_pay_takes_the_whole_cost_and_then_does_the_block(cost):
    deck = ["Hammer", BASIC_0, BASIC_1, "Loot 2a", "Loot 2b"]
    game = holding(f"{{pay: {cost}, then: [{{power: 4}}]}}", deck, [BASIC_0])
    play(game, "Hammer")
    do(game, "use")
    while power(game) == [0, 0]:
        do(game, game.options()[0])
    assert power(game) == [4, 0]
    assert discard_pile(game, 0) == COSTS[cost]


def test_verb_pay_can_remove_a_card():
    effect = "{pay: {remove: 1, filter: basic, from: [hand]}, then: [{power: 4}]}"
    game = holding(effect, ["Hammer", BASIC_1, "Loot 2a"], [BASIC_0])
    out_of_play = int(game.state.out_of_play[1])
    play(game, "Hammer")
    do(game, "use")
    assert game.options() == ["card Basic 1"]
    play(game, BASIC_1)
    assert power(game) == [4, 0]
    assert hand(game, 0) == ["Loot 2a"]
    assert game.state.out_of_play[1] == out_of_play + 1


def asking(condition: str) -> str:
    """An effect that tells by its power whether a condition holds: 12 if so, else 15."""
    return f"{{if: {{{condition}}}, then: [{{power: 2}}], else: [{{power: 5}}]}}, {{power: 10}}"


HAMMER, OTHER = ["Hammer", BASIC_0, BASIC_0, BASIC_0], [BASIC_0] * 4
CONDITIONS = [
    (Condition.FIRST_TURN, "true", (HAMMER, OTHER, OTHER), 0, True),
    (Condition.FIRST_TURN, "true", (OTHER, HAMMER, OTHER), 1, False),
    (Condition.LAST_TURN, "true", (OTHER, OTHER, HAMMER), 2, True),
    (Condition.LAST_TURN, "true", (OTHER, HAMMER, OTHER), 1, False),
    (Condition.EXHAUSTED, "true", (HAMMER[:3], OTHER), 0, True),
    (Condition.EXHAUSTED, "true", (HAMMER, OTHER[:3]), 0, False),
    (Condition.LEVEL_AT_LEAST, "1", (HAMMER, OTHER), 0, True),
    (Condition.LEVEL_AT_LEAST, "2", (HAMMER, OTHER), 0, False),
    (Condition.BOSS, "true", (HAMMER, OTHER), 0, False),
    (Condition.HAND_EMPTY, "true", (HAMMER[:1], OTHER), 0, True),
    (Condition.HAND_EMPTY, "true", (HAMMER, OTHER), 0, False),
]


@pytest.mark.parametrize(("condition", "value", "decks", "turn", "holds"), CONDITIONS)
def test_condition_chooses_between_then_and_else(condition, value, decks, turn, holds):
    game = combat(hammer_set(asking(f"{condition.name.lower()}: {value}")), "Wall", decks)
    for _ in range(turn):
        play_hand(game)
    do(game, "keep")
    play(game, "Hammer")
    assert power(game)[turn] == (12 if holds else 15)


@pytest.mark.parametrize(
    ("players", "powers"), [(4, [5, 2, 5]), (3, [5, 2]), (2, [2])]
)  # two players count as two heroes each (R6)
def test_condition_hero_holds_for_whoever_counts_as_the_hero(players, powers):
    rule = "power: 40, turn: [{if: {hero: bard}, then: [{power: 2}], else: [{power: 5}]}]"
    game = facing(rule, *[[BASIC_0]] * players)
    for _ in powers[1:]:
        play_hand(game)
    assert power(game)[: len(powers)] == powers


@pytest.mark.parametrize("condition", ["boss: true", "level_at_least: 5"])
def test_condition_boss_and_level_at_least_5_hold_before_the_boss(condition):
    cards = hammer_set(asking(condition))
    decks = {0: HAMMER, 1: OTHER}
    game = scenario(config_of(2), card_set=cards, decks=decks, boss_deck=["Foe 5a"], starter=0)
    do(game, "boss", "keep")
    play(game, "Hammer")
    assert power(game) == [12, 0]


def test_verb_if_without_else_goes_on_behind_the_block():
    effect = "{if: {boss: true}, then: [{power: 2}]}, {power: 10}"
    game = holding(effect, ["Hammer", BASIC_0], [BASIC_0])
    play(game, "Hammer")
    assert power(game) == [10, 0]


def test_verb_choose_does_the_option_that_was_picked_and_goes_on():
    effect = "{choose: [[{power: 1}, {power: 1}], [{enemy: -3}], [{draw: 1}]]}, {power: 10}"
    outcomes = []
    for number in (1, 2, 3):
        game = holding(effect, ["Hammer", BASIC_0, BASIC_0, BASIC_1], [BASIC_0])
        play(game, "Hammer")
        assert game.options() == ["option 1", "option 2", "option 3"]
        do(game, f"option {number}")
        outcomes.append((power(game)[0], enemy_power(game), len(hand(game, 0))))
    assert outcomes == [(12, 40, 2), (10, 37, 2), (10, 40, 3)]


def test_verb_random_does_every_option_by_chance():
    """Each of three options in about a third of 120 games, whose seeds are fixed."""
    effect = "{random: [[{power: 1}], [{power: 2}], [{power: 3}]]}, {power: 10}"
    found = Counter()
    for seed in range(120):
        game = holding(effect, ["Hammer", BASIC_0], [BASIC_0], seed=seed)
        play(game, "Hammer")
        found[power(game)[0]] += 1
    assert set(found) == {11, 12, 13}
    assert min(found.values()) >= 25


def test_verb_option_is_never_done_beside_its_branch():
    """A branch of several steps is done whole and the steps of the others not at all."""
    rule = "power: 40, start: [{choose: [[{enemy: 1}, {enemy: 2}], [{enemy: 4}, {enemy: 8}]]}]"
    for number, change in ((1, 3), (2, 12)):
        game = facing(rule, [BASIC_0], [BASIC_0])
        do(game, f"option {number}")
        assert enemy_power(game) == 40 + change
