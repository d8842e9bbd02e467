"""Combat: the enemy's first effects, the order of turns, drawing a hand (R21 to R24)."""

import pytest
from playing import (
    combat,
    deck,
    discard_pile,
    do,
    enemy_power,
    fight,
    hand,
    play,
    play_hand,
    set_with,
)

from tenefyr_env.cards.card_set import CardSet
from tenefyr_env.config import HERO_NAMES
from tenefyr_env.engine.state import Decision
from tenefyr_env.game import IllegalAction

NAMES = [hero.capitalize() for hero in HERO_NAMES]
BASICS = ["Basic 0", "Basic 1", "Basic 0", "Basic 1", "Basic 0", "Basic 1"]
WEAK = [["Basic 0"]] * 4


def enemy_with(rule: str) -> CardSet:
    """A set with a Ghost of power 9 that has this rule."""
    return set_with(enemies={"Ghost": f"power: 9, {rule}"})


def turns_in(events: list[str]) -> list[str]:
    """Whose turns the events tell of."""
    return [line for line in events if line.startswith("It is ")]


# The start of the combat and the order of turns


def test_R21_start_of_combat_effects_happen_before_the_first_hand_is_drawn():
    cards = enemy_with("start: [{each: [{discard_deck: 1}]}]")
    game = combat(cards, "Ghost", [["Loot 1h", *BASICS], ["Loot 2h", *BASICS]])
    assert [discard_pile(game, seat) for seat in range(2)] == [["Loot 1h"], ["Loot 2h"]]
    assert hand(game, 0) == sorted(BASICS[:3])
    first_turn = game.events().index("It is Barbarian and Bard's turn.")
    assert [line for line in game.events()[:first_turn] if "discards" in line] == [
        "Barbarian and Bard discards Loot 1h.",
        "Cleric and Thief discards Loot 2h.",
    ]


def test_R21_choices_of_the_start_come_before_any_turn():
    cards = enemy_with("start: [{each: [{choose: [[{discard_deck: 1}], [{hand_size: -1}]]}]}]")
    game = combat(cards, "Ghost", [BASICS, BASICS], starter=1)
    assert (game.decision.kind, game.decision.seat) == (Decision.OPTION, 1)
    do(game, "option 1")
    assert (game.decision.kind, game.decision.seat) == (Decision.OPTION, 0)
    assert hand(game, 0) == hand(game, 1) == []
    do(game, "option 2")
    assert (game.decision.kind, game.decision.seat) == (Decision.KEEP, 1)
    assert (len(hand(game, 1)), len(deck(game, 1))) == (3, 2)


def test_R21_start_of_combat_effects_happen_once_in_a_combat():
    cards = enemy_with("start: [{enemy: 2}]")
    game = combat(cards, "Ghost", WEAK)
    for _ in range(3):
        assert enemy_power(game) == 11
        play_hand(game)
    assert enemy_power(game) == 11


def test_R21_the_starting_player_is_the_one_the_start_speaks_of():
    cards = enemy_with("start: [{discard_deck: 2}]")
    for starter in range(3):
        game = combat(cards, "Ghost", [BASICS] * 3, starter=starter)
        discarded = [len(discard_pile(game, seat)) for seat in range(3)]
        assert discarded == [2 if seat == starter else 0 for seat in range(3)]


@pytest.mark.parametrize("players", [3, 4])
def test_R22_turns_go_clockwise_from_the_starting_player_one_each(plain, players):
    for starter in range(players):
        game = combat(plain, "Foe 5a", WEAK[:players], starter=starter)
        turns = turns_in([*game.events(), *fight(game)])
        order = [(starter + offset) % players for offset in range(players)]
        assert turns == [f"It is {NAMES[seat]}'s turn." for seat in order]


def test_R22_two_players_take_one_turn_each(plain):
    for starter, order in ((0, [0, 1]), (1, [1, 0])):
        game = combat(plain, "Foe 5a", [BASICS, BASICS], starter=starter)
        seats = []
        while game.state.combats_lost == 0:
            if game.decision.kind == Decision.KEEP:
                seats.append(game.decision.seat)
            do(game, game.options()[0])
        assert seats == order


def test_R22_no_turn_follows_the_one_in_which_the_enemy_fell(plain):
    game = combat(plain, "Foe 2a", [["Basic 0"], ["Loot 5h"], ["Basic 0"]])
    turns = turns_in([*game.events(), *fight(game)])
    assert turns == ["It is Barbarian's turn.", "It is Bard's turn."]
    assert deck(game, 2) != []


# The draw step


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_R23_a_hand_is_the_top_three_cards_of_the_deck(plain, players):
    decks = [["Loot 1h", "Loot 2h", "Loot 3h", "Loot 4h"], *[["Basic 0"]] * 3][:players]
    game = combat(plain, "Foe 5a", decks)
    assert hand(game, 0) == ["Loot 1h", "Loot 2h", "Loot 3h"]
    assert deck(game, 0) == ["Loot 4h"]


def test_R23_nobody_draws_before_their_turn(plain):
    game = combat(plain, "Foe 5a", [BASICS, BASICS, BASICS])
    assert (hand(game, 1), hand(game, 2)) == ([], [])
    play_hand(game)
    assert (len(hand(game, 1)), hand(game, 2)) == (3, [])


@pytest.mark.parametrize(
    ("rule", "sizes"),
    [
        ("always: [{hand: 1}]", [4, 4, 4]),
        ("always: [{hand: -1}]", [2, 2, 2]),
        ("always: [{hand: -2}]", [1, 1, 1]),
        ("always: [{starter_hand: 2}]", [5, 3, 3]),
        ("always: [{starter_hand: -1}]", [2, 3, 3]),
        ("always: [{hand: 1}, {starter_hand: -1}]", [3, 4, 4]),
        ("start: [{each: [{hand_size: -1}]}]", [2, 2, 2]),
        ("start: [{starter: [{hand_size: 2}]}]", [5, 3, 3]),
        ("turn: [{hand_size: 1}]", [4, 4, 4]),
    ],
)
def test_R23_effects_change_the_size_of_a_hand(rule, sizes):
    game = combat(enemy_with(rule), "Ghost", [["Basic 0"] * 7] * 3)
    for seat, size in enumerate(sizes):
        assert len(hand(game, seat)) == size
        play_hand(game)


def test_R23_a_hand_is_never_smaller_than_nothing():
    game = combat(enemy_with("always: [{hand: -2}, {starter_hand: -2}]"), "Ghost", [BASICS] * 2)
    assert hand(game, 0) == []
    assert game.decision.seat == 1
    assert deck(game, 0) == BASICS


@pytest.mark.parametrize("size", [1, 2])
def test_R23_with_fewer_cards_in_the_deck_all_are_drawn(plain, size):
    game = combat(plain, "Foe 5a", [BASICS[:size], BASICS])
    assert hand(game, 0) == sorted(BASICS[:size])
    assert deck(game, 0) == []


def test_R23_no_reshuffle_happens_when_a_deck_runs_out(plain):
    game = combat(plain, "Foe 5a", [["Basic 1"], BASICS], discards={0: ["Loot 1h", "Loot 2h"]})
    assert hand(game, 0) == ["Basic 1"]
    assert discard_pile(game, 0) == ["Loot 1h", "Loot 2h"]


def test_R23_R25_a_draw_from_a_deck_that_runs_out_does_not_reshuffle_either():
    cards = set_with(loot={"Hammer": "power: 2, effect: [{draw: 3}]"})
    decks = [["Hammer", "Basic 0", "Basic 0", "Basic 1"], BASICS]
    game = combat(cards, "Foe 5a", decks, discards={0: ["Loot 2h"]})
    do(game, "keep")
    play(game, "Hammer")
    assert hand(game, 0) == ["Basic 0", "Basic 0", "Basic 1"]
    assert discard_pile(game, 0) == ["Loot 2h"]


def test_R23_R52_a_change_of_one_hand_does_not_last_for_the_second_turn_of_a_single_player():
    cards = enemy_with("start: [{each: [{hand_size: -1}]}]")
    game = combat(cards, "Ghost", [["Basic 0"] * 9])
    assert len(hand(game, 0)) == 2
    play_hand(game)
    assert (game.state.turn, len(hand(game, 0))) == (1, 3)


@pytest.mark.parametrize(
    "effect", ["{next: [{hand_size: 2}]}", "{hand_size: 2}", "{others: [{hand_size: 2}]}"]
)
def test_R23_R52_a_card_played_in_the_first_turn_changes_the_second_hand_of_a_single_player(effect):
    cards = set_with(loot={"Flute": f"power: 0, effect: [{effect}]"})
    game = combat(cards, "Foe 5a", [["Flute", *["Basic 0"] * 9]])
    do(game, "keep")
    play(game, "Flute", "Basic 0", "Basic 0")
    assert (game.state.turn, len(hand(game, 0))) == (1, 5)


# Keep or redraw


def test_R24_after_the_draw_the_hand_is_kept_or_redrawn(plain):
    game = combat(plain, "Foe 5a", [BASICS, BASICS])
    assert (game.decision.kind, game.decision.seat) == (Decision.KEEP, 0)
    assert game.options() == ["keep", "redraw"]
    do(game, "keep")
    assert hand(game, 0) == sorted(BASICS[:3])
    assert game.decision.kind == Decision.PLAY


def test_R24_a_redraw_discards_the_whole_hand_and_draws_as_many(plain):
    new = ["Loot 1h", "Loot 2h", "Loot 3h", "Loot 4h"]
    game = combat(plain, "Foe 5a", [["Basic 0", "Basic 1", "Basic 0", *new], BASICS])
    do(game, "redraw")
    assert discard_pile(game, 0) == ["Basic 0", "Basic 0", "Basic 1"]
    assert hand(game, 0) == new[:3]
    assert deck(game, 0) == new[3:]


def test_R24_redrawing_may_be_repeated_while_the_deck_has_a_card(plain):
    game = combat(plain, "Foe 5a", [["Basic 0"] * 7, BASICS])
    do(game, "redraw")
    assert (len(hand(game, 0)), len(deck(game, 0))) == (3, 1)
    assert game.options() == ["keep", "redraw"]
    do(game, "redraw")
    assert (len(hand(game, 0)), len(discard_pile(game, 0))) == (1, 6)
    assert game.options() == ["keep"]
    assert game.state.redraws[0] == 2


def test_R24_redraw_is_refused_on_an_empty_deck(plain):
    game = combat(plain, "Foe 5a", [BASICS[:3], BASICS])
    assert game.options() == ["keep"]
    with pytest.raises(IllegalAction, match="redraw"):
        game.step("redraw")


def test_R24_discarded_cards_do_not_come_back_by_a_redraw(plain):
    game = combat(plain, "Foe 5a", [["Loot 1h", "Loot 2h", "Loot 3h", "Basic 0"], BASICS])
    do(game, "redraw")
    assert hand(game, 0) == ["Basic 0"]
    assert discard_pile(game, 0) == ["Loot 1h", "Loot 2h", "Loot 3h"]


@pytest.mark.parametrize(
    ("rule", "size"),
    [
        ("always: [{hand: 1}]", 4),
        ("always: [{hand: -1}]", 2),
        ("always: [{starter_hand: 2}]", 5),
        ("start: [{each: [{hand_size: -1}]}]", 2),
        ("turn: [{hand_size: 1}]", 4),
    ],
)
def test_R24_a_new_hand_has_the_same_size(rule, size):
    game = combat(enemy_with(rule), "Ghost", [["Basic 0"] * 15, BASICS])
    for _ in range(2):
        assert len(hand(game, 0)) == size
        do(game, "redraw")
    assert len(hand(game, 0)) == size


def test_R24_after_keeping_there_is_no_redraw(plain):
    game = combat(plain, "Foe 5a", [BASICS, BASICS])
    do(game, "keep")
    play(game, "Basic 0")
    assert "redraw" not in game.options()
