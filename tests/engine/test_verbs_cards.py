"""What cards promise about a player's cards happens."""

import pytest
from one_card import facing, hammer_set, holding
from playing import (
    combat,
    deck,
    discard_pile,
    do,
    hand,
    owned,
    play,
    play_hand,
    played,
    power,
    reserve,
)

from tenefyr_env.cards.vocabulary import Filter

BASIC_0, BASIC_1 = "Basic 0", "Basic 1"


def test_verb_draw_puts_the_top_cards_into_the_hand():
    game = holding("{draw: 2}", ["Hammer", BASIC_0, BASIC_0, "Loot 2a", BASIC_1, "Loot 2b"], [])
    play(game, "Hammer")
    assert hand(game, 0) == [BASIC_0, BASIC_0, BASIC_1, "Loot 2a"]
    assert deck(game, 0) == ["Loot 2b"]


def test_verb_hand_size_changes_the_next_hand_and_its_redraws():
    game = holding("{other: [{hand_size: 1}]}", ["Hammer"], [BASIC_0] * 9)
    play(game, "Hammer")
    do(game, "player 1")
    assert len(hand(game, 1)) == 4
    do(game, "redraw")
    assert len(hand(game, 1)) == 4


def test_verb_hand_size_is_forgotten_after_the_combat():
    game = holding("{next: [{hand_size: -2}]}", ["Hammer"], [BASIC_0] * 9)
    play(game, "Hammer")
    assert len(hand(game, 1)) == 1
    play_hand(game)
    do(game, "dungeon 1")  # the second player starts now
    assert len(hand(game, 1)) == 3


def test_verb_hand_size_of_an_enemy_counts_in_the_turn_it_comes_in():
    game = facing("power: 40, turn: [{hand_size: -1}]", [BASIC_0] * 5, [BASIC_0] * 5)
    assert len(hand(game, 0)) == 2
    play_hand(game)
    assert len(hand(game, 1)) == 2


def test_verb_discard_deck_discards_from_the_top_of_the_deck():
    game = holding("{discard_deck: 2}", ["Hammer", *[BASIC_0] * 2, BASIC_1, "Loot 2a", BASIC_0], [])
    play(game, "Hammer")
    assert discard_pile(game, 0) == [BASIC_1, "Loot 2a"]
    assert deck(game, 0) == [BASIC_0]


def test_verb_discard_discards_a_chosen_card_of_the_hand():
    game = holding("{discard: 1}", ["Hammer", BASIC_0, BASIC_1], [BASIC_0])
    play(game, "Hammer")
    assert sorted(game.options()) == ["card Basic 0", "card Basic 1"]
    play(game, BASIC_0)
    assert discard_pile(game, 0) == [BASIC_0]
    assert hand(game, 0) == [BASIC_1]


def test_verb_discard_hand_discards_all_of_the_hand():
    game = holding("{discard_hand: true}, {draw: 1}", ["Hammer", BASIC_0, BASIC_1, "Loot 2a"], [])
    play(game, "Hammer")
    assert discard_pile(game, 0) == [BASIC_0, BASIC_1]
    assert hand(game, 0) == ["Loot 2a"]


ONE_OF_EACH = [BASIC_0, BASIC_1, "Loot 2a", "Bard Skill"]
FILTERED = {
    Filter.ANY: ONE_OF_EACH,
    Filter.BASIC: [BASIC_0, BASIC_1],
    Filter.BASIC_0: [BASIC_0],
    Filter.BASIC_1: [BASIC_1],
    Filter.LOOT: ["Loot 2a"],
    Filter.SKILL: ["Bard Skill"],
}


@pytest.mark.parametrize("wanted", Filter, ids=lambda wanted: wanted.name)
def test_filter_offers_the_cards_it_names_and_no_others(wanted):
    effect = f"{{return: 1, filter: {wanted.name.lower()}}}"
    game = holding(effect, ["Hammer"], [BASIC_0], discards={0: ONE_OF_EACH})
    play(game, "Hammer")
    assert sorted(game.options()) == sorted(f"card {name}" for name in FILTERED[wanted])


def test_verb_search_takes_a_card_of_the_deck_into_the_hand():
    rest = [BASIC_1, "Loot 2a", "Loot 2b", BASIC_0]
    game = holding("{search: 1, filter: loot}", ["Hammer", BASIC_0, BASIC_0, *rest], [])
    play(game, "Hammer")
    assert sorted(game.options()) == ["card Loot 2a", "card Loot 2b"]
    play(game, "Loot 2b")
    assert hand(game, 0) == [BASIC_0, BASIC_0, "Loot 2b"]
    assert sorted(deck(game, 0)) == [BASIC_0, BASIC_1, "Loot 2a"]


def test_verb_return_takes_a_card_of_the_discard_pile_into_the_hand():
    game = holding("{return: 1}", ["Hammer"], [BASIC_0], discards={0: [BASIC_1, "Loot 2a"]})
    play(game, "Hammer", "Loot 2a")
    assert hand(game, 0) == ["Loot 2a"]
    assert discard_pile(game, 0) == [BASIC_1]


def test_verb_recover_shuffles_a_card_of_the_discard_pile_into_the_deck():
    cards = {"Hammer", BASIC_1, "Loot 2a"}
    game = holding("{recover: 1}", ["Hammer", BASIC_0], [], discards={0: [BASIC_1, "Loot 2a"]})
    play(game, "Hammer", "Loot 2a")
    assert deck(game, 0) == ["Loot 2a"]
    assert discard_pile(game, 0) == [BASIC_1]
    assert cards <= set(owned(game, 0))


@pytest.mark.parametrize(
    ("pile", "options"),
    [
        ("deck", ["card Loot 2b"]),
        ("hand", ["card Basic 0", "card Basic 1"]),
        ("discard", ["card Loot 2a"]),
        ("deck, discard", ["card Loot 2a", "card Loot 2b"]),
    ],
)
def test_verb_remove_takes_a_card_from_the_named_piles(pile, options):
    deck_of_first = ["Hammer", BASIC_0, BASIC_1, "Loot 2b"]
    effect = f"{{remove: 1, from: [{pile}]}}"
    game = holding(effect, deck_of_first, [BASIC_0], discards={0: ["Loot 2a"]})
    play(game, "Hammer")
    assert sorted(game.options()) == options
    do(game, options[0])
    assert options[0].removeprefix("card ") not in owned(game, 0)
    game.check()


@pytest.mark.parametrize("pile", ["deck", "discard"])
def test_verb_give_hands_a_card_to_the_same_pile_of_another_player(pile):
    decks = [["Hammer", BASIC_0, BASIC_0, "Loot 2a"], [BASIC_0], [BASIC_1]]
    discards = {0: ["Loot 2b"]}
    game = holding(f"{{give: 1, from: [{pile}]}}", *decks, discards=discards)
    name = {"deck": "Loot 2a", "discard": "Loot 2b"}[pile]
    play(game, "Hammer", name)
    assert game.options() == ["player 1", "player 2"]
    do(game, "player 2")
    found = deck(game, 2) if pile == "deck" else discard_pile(game, 2)
    assert name in found
    assert name not in owned(game, 0)


def test_verb_swap_exchanges_cards_that_each_player_chooses():
    decks = [["Hammer", BASIC_0, BASIC_0, BASIC_1, "Loot 2a"], [BASIC_0], [BASIC_1, "Loot 2b"]]
    game = holding("{swap: 1, from: [deck]}", *decks)
    play(game, "Hammer", BASIC_1)
    do(game, "player 2")
    assert game.decision.seat == 2
    assert sorted(game.options()) == ["card Basic 1", "card Loot 2b"]
    play(game, "Loot 2b")
    assert sorted(deck(game, 0)) == ["Loot 2a", "Loot 2b"]
    assert sorted(deck(game, 2)) == [BASIC_1, BASIC_1]


def test_verb_swap_does_not_happen_with_a_player_who_has_no_such_card():
    decks = [["Hammer", BASIC_0, BASIC_0, "Loot 2a"], [BASIC_0]]
    game = holding("{swap: 1, filter: loot, from: [deck]}, {power: 5}", *decks)
    play(game, "Hammer", "Loot 2a")
    do(game, "player 1")
    assert deck(game, 0) == ["Loot 2a"]
    assert deck(game, 1) == [BASIC_0]
    assert power(game) == [5, 0]


@pytest.mark.parametrize("goal", ["hand", "deck", "discard"])
def test_verb_take_gets_a_reserve_card_of_the_level_into_the_named_pile(goal):
    effect = f"{{take: 1, level: 3, to: {goal}}}"
    game = holding(effect, ["Hammer", BASIC_0], [BASIC_0], reserve={3: ["Loot 3c"]})
    play(game, "Hammer")
    piles = {"hand": hand(game, 0), "deck": deck(game, 0), "discard": discard_pile(game, 0)}
    assert "Loot 3c" in piles[goal]
    assert sum("Loot 3c" in cards for cards in piles.values()) == 1
    assert reserve(game, 3) == []


def test_verb_take_here_is_of_the_level_of_the_dungeon():
    cards = hammer_set("{take: 1, level: here, to: hand}")
    game = combat(
        cards, "Wall", [["Hammer", BASIC_0], [BASIC_0]], reserve={1: ["Loot 1b"], 2: ["Loot 2b"]}
    )
    do(game, "keep")
    play(game, "Hammer")
    assert hand(game, 0) == [BASIC_0, "Loot 1b"]


@pytest.mark.parametrize("verb", ["search", "return", "recover", "remove", "give", "swap"])
def test_up_to_lets_the_player_stop_before_the_last_card(verb):
    cards = [BASIC_1, BASIC_1, "Loot 2a", "Loot 2b"]
    for number_taken in (0, 1):
        game = holding(
            f"{{{verb}: 3, up_to: true}}, {{power: 5}}",
            ["Hammer", BASIC_0, BASIC_0, *cards],
            [BASIC_0] * 5,
            discards={0: ["Loot 2c", "Loot 2d", "Loot 2e", "Loot 2f"]},
        )
        play(game, "Hammer")
        before = len(owned(game, 0)), len(hand(game, 0)), len(deck(game, 0))
        for _ in range(number_taken):
            do(game, game.options()[0])
            while "decline" not in game.options():  # to whom, and for what
                do(game, game.options()[0])
        assert power(game)[0] == 0
        do(game, "decline")
        after = len(owned(game, 0)), len(hand(game, 0)), len(deck(game, 0))
        assert power(game)[0] == 5
        assert (before == after) == (number_taken == 0 or verb == "swap")


@pytest.mark.parametrize("change", [-1, 2])
def test_rule_hand_changes_every_hand(change):
    game = facing(f"power: 40, always: [{{hand: {change}}}]", [BASIC_0] * 10, [BASIC_0] * 9)
    sizes = [len(hand(game, 0))]
    do(game, "redraw")
    sizes.append(len(hand(game, 0)))
    play_hand(game)
    sizes.append(len(hand(game, 1)))
    assert sizes == [3 + change] * 3


@pytest.mark.parametrize("change", [-2, 1])
def test_rule_starter_hand_changes_the_hand_of_the_starting_player_only(change):
    rule = f"power: 40, always: [{{starter_hand: {change}}}]"
    game = facing(rule, [BASIC_0] * 9, [BASIC_0] * 9, starter=1)
    sizes = [len(hand(game, 1))]
    do(game, "redraw")
    sizes.append(len(hand(game, 1)))
    play_hand(game)
    sizes.append(len(hand(game, 0)))
    assert sizes == [3 + change, 3 + change, 3]


def test_rule_no_redraw_leaves_only_to_keep():
    game = facing("power: 40, always: [{no_redraw: true}]", [BASIC_0] * 9, [BASIC_0] * 9)
    assert game.options() == ["keep"]


def test_played_cards_stay_in_front_of_their_player_whatever_is_chosen():
    game = holding("{discard: 2}", ["Hammer", BASIC_0, BASIC_1], [BASIC_0])
    play(game, BASIC_1, "Hammer", BASIC_0)
    assert played(game, 0) == [BASIC_1, "Hammer"]
