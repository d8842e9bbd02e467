"""R40 to R43 and R62: the boss deck."""

import pytest
from playing import (
    boss_deck,
    combat,
    config_of,
    deck,
    discard_pile,
    do,
    dungeon,
    face_up,
    fight,
    hand,
    owned,
    play,
    set_with,
)

from tenefyr_env.cards.card_set import CardSet
from tenefyr_env.engine.state import Decision, Outcome
from tenefyr_env.game import Game
from tenefyr_env.scenario import scenario

BASIC_0, BASIC_1 = "Basic 0", "Basic 1"
WEAK = "power: 0"


def before_the_boss(cards: CardSet, enemies: list[str], decks, **fields) -> Game:
    """The party has gone to the boss, whose deck is this."""
    game = scenario(
        config_of(len(decks)),
        card_set=cards,
        decks=dict(enumerate(decks)),
        boss_deck=enemies,
        starter=0,
        **fields,
    )
    do(game, "boss")
    return game


@pytest.fixture(scope="module")
def weak_boss() -> CardSet:
    """A boss of whom two cards fall to anyone and two have power 5."""
    return set_with(bosses={"Weak 1": WEAK, "Weak 2": WEAK})


def test_R40_nobody_may_leave_the_boss(weak_boss):
    game = before_the_boss(weak_boss, ["Weak 1", "Weak 2"], [[BASIC_0] * 9, [BASIC_0] * 9])
    fight(game)
    assert game.decision.kind == Decision.KEEP  # the next combat has begun
    assert boss_deck(game) == ["Weak 2"]


def test_R40_nobody_rests_between_the_cards_of_the_boss(weak_boss):
    decks = [[BASIC_1] * 3 + [BASIC_0] * 3, [BASIC_0] * 6]
    game = before_the_boss(weak_boss, ["Weak 1", "Weak 2", "Boss 3"], decks)
    fight(game)
    assert discard_pile(game, 0) == [BASIC_1] * 3
    assert deck(game, 0) == [BASIC_0] * 3
    fight(game)
    assert discard_pile(game, 1) == [BASIC_0] * 3
    assert deck(game, 1) == [BASIC_0] * 3


def test_R40_the_token_does_not_move_before_the_boss(weak_boss):
    game = before_the_boss(weak_boss, ["Weak 1", "Weak 2"], [[BASIC_0] * 9] * 2, steps_left=5)
    fight(game)
    assert game.state.steps_left == 5


def test_R41_boss_cards_give_no_loot(weak_boss):
    game = before_the_boss(weak_boss, ["Weak 1", "Weak 2"], [[BASIC_0] * 3, [BASIC_0] * 3])
    fight(game)
    assert owned(game, 0) == [BASIC_0] * 3
    assert game.state.loot_taken.sum() == 0
    game.check()


def test_R41_a_monster_in_the_boss_deck_gives_its_loot(weak_boss):
    game = before_the_boss(weak_boss, ["Foe 1a", "Weak 2"], [[BASIC_1], [BASIC_0]])
    fight(game)
    assert discard_pile(game, 0) == [BASIC_1, "Loot 1a"]


def test_R42_the_party_wins_when_the_boss_deck_is_empty(weak_boss):
    game = before_the_boss(weak_boss, ["Weak 1", "Weak 2"], [[BASIC_0] * 3, [BASIC_0] * 3])
    fight(game)
    assert game.outcome == Outcome.OPEN
    fight(game)
    assert game.outcome == Outcome.WON
    assert game.options() == []


def test_R42_one_lost_combat_loses_the_game(weak_boss):
    game = before_the_boss(weak_boss, ["Boss 3", "Weak 2"], [[BASIC_0] * 3, [BASIC_0] * 3])
    fight(game)
    assert game.outcome == Outcome.LOST
    assert game.options() == []


def test_R43_looking_and_reordering_work_on_the_boss_deck():
    cards = set_with(loot={"Eye": "power: 0, effect: [{look: 1}]"})
    decks = [["Eye", BASIC_0], [BASIC_0]]
    game = before_the_boss(cards, ["Boss 1", "Boss 2", "Boss 3"], decks)
    do(game, "keep")
    play(game, "Eye")
    assert face_up(game, 11) == [True, True, False]


def test_R43_the_boss_deck_can_be_put_in_order():
    cards = set_with(loot={"Plan": "power: 0, effect: [{reorder: true}]"})
    decks = [["Plan", BASIC_0], [BASIC_0]]
    game = before_the_boss(cards, ["Boss 1", "Boss 2", "Boss 3", "Foe 2b"], decks)
    do(game, "keep")
    play(game, "Plan")
    assert sorted(game.options()) == ["card Boss 2", "card Boss 3", "card Loot 2b"]
    play(game, "Loot 2b", "Boss 3")
    assert boss_deck(game) == ["Boss 1", "Foe 2b", "Boss 3", "Boss 2"]


def test_R43_a_boost_for_the_next_dungeon_lasts_through_the_boss_deck():
    reward = "kind: together, options: [[{boost: power, by: 5, for: dungeon}], [{save_step: 1}]]"
    cards = set_with(rewards={"Gift": reward})
    game = combat(cards, "Foe 1a", [[BASIC_1], [BASIC_0]], reward="Gift", steps_left=1)
    fight(game)
    do(game, "option 1")
    while not game.is_over:  # four cards of power 5
        fight(game)
    assert game.outcome == Outcome.WON


def test_R43_a_level_here_is_5_before_the_boss():
    cards = set_with(loot={"Sack": "power: 0, effect: [{take: 1, level: here, to: hand}]"})
    decks = [["Sack", BASIC_0], [BASIC_0]]
    game = before_the_boss(cards, ["Boss 1"], decks, reserve={5: ["Loot 5c"]})
    do(game, "keep")
    play(game, "Sack")
    assert hand(game, 0) == [BASIC_0, "Loot 5c"]


def test_R43_R51_a_monster_of_the_boss_deck_may_move_to_a_dungeon():
    cards = set_with(enemies={"Runner": "power: 3, start: [{move: true}]"})
    game = before_the_boss(cards, ["Runner", "Boss 2"], [[BASIC_0], [BASIC_0]])
    do(game, "dungeon 3")
    assert dungeon(game, 3)[0] == "Runner"
    assert boss_deck(game) == ["Boss 2"]
    assert game.decision.kind == Decision.KEEP
    assert game.decision.seat == 1  # the token has passed


def test_R62_monsters_that_join_lie_face_up_and_are_fought_next():
    cards = set_with(bosses={"Caller": f"{WEAK}, end: [{{join: 2, level: 1}}]"})
    decks = [[BASIC_1] * 3, [BASIC_1] * 3]
    game = before_the_boss(cards, ["Caller", "Boss 2"], decks, reserve={1: ["Loot 1b", "Loot 1c"]})
    fight(game)
    assert set(boss_deck(game)[:2]) == {"Foe 1b", "Foe 1c"}
    assert boss_deck(game)[2] == "Boss 2"
    assert face_up(game, 11) == [True, True, False]


def test_R62_a_monster_that_joins_after_the_last_boss_card_must_be_beaten_too():
    cards = set_with(bosses={"Caller": f"{WEAK}, end: [{{join: 1, level: 1}}]"})
    decks = [[BASIC_1] * 3, [BASIC_1] * 3]
    game = before_the_boss(cards, ["Caller"], decks, reserve={1: ["Loot 1b"]})
    fight(game)
    assert game.outcome == Outcome.OPEN
    assert boss_deck(game) == ["Foe 1b"]
    fight(game)
    assert game.outcome == Outcome.WON
    assert "Loot 1b" in discard_pile(game, 1)
