"""Branches of a card's choice: the rules that the Skills of Bard and Cleric ask for."""

import pytest
from asked import answers
from one_card import holding
from playing import play

HYMN = "{choose: [[{next: [{hand_size: 2}]}], [{other: [{power: 2}]}]]}"
PRAYER = "{choose: [[{return: 1}], [{any: [{recover: 3, up_to: true}]}]]}"
CARDS, POWER = "option 1", "option 2"
RETURN, RECOVER = "option 1", "option 2"
ZEROS = ["Basic 0"] * 9
STRONG = ["Loot 3a", "Loot 3b", "Loot 4a", "Loot 4b", "Loot 5a", "Loot 5b"]


def sung(*later: list[str], wall: str = "power: 40") -> set[str]:
    """What the players choose when the first plays a Battle Hymn before these decks."""
    game = holding(HYMN, ["Hammer", "Basic 0", "Basic 0"], *later, wall=wall)
    play(game, "Hammer")
    return answers(game)


@pytest.mark.parametrize(("deck", "expected"), [(STRONG, CARDS), (ZEROS, POWER)])
def test_a_bard_gives_cards_to_a_next_player_with_a_strong_deck(deck, expected):
    assert sung(deck) == {expected}


def test_a_bard_gives_power_when_it_is_all_the_fight_needs():
    assert sung(STRONG, wall="power: 2") == {POWER}


def test_a_bard_gives_power_when_the_next_player_has_no_further_cards_to_draw():
    assert sung(STRONG[:3]) == {POWER}


def prayed(used: list[str], wall: str) -> set[str]:
    """What the players choose when the first plays a Prayer of Renewal over these used cards."""
    decks = (["Hammer", "Basic 0", "Basic 0"], ["Basic 0"])
    game = holding(PRAYER, *decks, wall=wall, discards={0: used})
    play(game, "Hammer")
    return answers(game)


def test_a_cleric_returns_the_best_used_card_while_the_fight_needs_it():
    assert prayed(["Loot 5a", "Basic 0"], "power: 40") == {RETURN}


def test_a_cleric_fills_the_deck_for_the_fights_that_follow_once_this_one_is_won():
    assert prayed(["Loot 5a", "Loot 4a", "Loot 3a"], "power: 0") == {RECOVER}
