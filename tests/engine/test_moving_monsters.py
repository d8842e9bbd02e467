"""R51 and R60: enemies that move to another dungeon."""

import pytest
from one_card import facing, hammer_set
from playing import (
    config_of,
    deck,
    discard_pile,
    do,
    dungeon,
    face_up,
    hand,
    owned,
    play_hand,
    power,
    reward_of,
)

from tenefyr_env.engine.state import Decision
from tenefyr_env.game import Game
from tenefyr_env.scenario import scenario

BASIC_0, BASIC_1 = "Basic 0", "Basic 1"
RUNNER = "power: 3, start: [{move: true}]"
ESCAPER = "power: 0, end: [{move: true}]"


def alone_on_the_table(rule: str, under: list[str] | None = None, place: int = 4) -> Game:
    """The party has entered the only dungeon that has cards."""
    empty = {number: [] for number in range(1, 11)}
    game = scenario(
        config_of(2),
        card_set=hammer_set("{power: 1}", rule),
        decks={0: [BASIC_0] * 3, 1: [BASIC_0] * 3},
        dungeons={**empty, place: ["Wall", *(under or [])]},
        starter=0,
        steps_left=8,
    )
    do(game, f"dungeon {place}")
    return game


def test_R51_an_enemy_moves_on_top_of_another_dungeon_face_up():
    game = facing(RUNNER, [BASIC_0], [BASIC_0], under=["Foe 1b"])
    before = dungeon(game, 7)
    do(game, "dungeon 7")
    assert dungeon(game, 7) == ["Wall", *before]
    assert face_up(game, 7) == [True, True, False, False, False]


def test_R51_the_boss_deck_and_its_own_dungeon_are_no_place_to_move_to():
    game = facing(RUNNER, [BASIC_0], [BASIC_0], under=["Foe 1b"])
    assert "boss" not in game.options()
    assert "dungeon 1" not in game.options()


def test_R51_an_enemy_without_another_dungeon_makes_a_new_one_without_a_reward():
    game = alone_on_the_table(RUNNER, ["Foe 1b"])
    assert [n for n in range(1, 11) if dungeon(game, n)] == [1, 4]
    assert dungeon(game, 1) == ["Wall"]
    assert reward_of(game, 1) is None
    assert game.state.dungeon_level[0] == 1
    assert dungeon(game, 4) == ["Foe 1b"]


def test_R51_the_starting_player_token_passes_though_nobody_fought():
    game = facing(RUNNER, [BASIC_0], [BASIC_0], [BASIC_0], under=["Foe 1b"], starter=1)
    do(game, "dungeon 7")
    assert game.state.starter == 2
    assert game.state.combats_won == game.state.combats_lost == 0


def test_R51_a_dungeon_that_lost_its_last_enemy_by_a_move_gives_no_reward_and_costs_a_step():
    game = facing(RUNNER, [BASIC_0], [BASIC_0], steps_left=8)
    reward = reward_of(game, 1)
    do(game, "dungeon 7")
    assert game.decision.kind == Decision.DUNGEON
    assert "dungeon 1" not in game.options()
    assert game.state.steps_left == 7
    assert reward_of(game, 1) == reward is not None
    assert game.state.cleared.sum() == 0
    assert game.state.rewards_taken == 0


def test_R51_a_defeated_enemy_that_escapes_gives_no_loot_and_leaves_no_cleared_dungeon():
    game = facing(ESCAPER, [BASIC_0], [BASIC_0], steps_left=8)
    play_until_move(game)
    do(game, "dungeon 7")
    assert owned(game, 0) == [BASIC_0]
    assert dungeon(game, 7)[0] == "Wall"
    assert game.state.starter == 1
    assert game.state.combats_won == 1
    assert game.state.cleared.sum() == 0
    assert game.state.steps_left == 7


def play_until_move(game: Game) -> None:
    """Play the first turn until the party is asked where the enemy goes."""
    while game.decision.kind != Decision.MOVE:
        do(game, game.options()[0])


def test_R51_a_moved_enemy_is_met_where_it_went():
    game = facing("power: 3, start: [{may: [{move: true}]}]", [BASIC_0], [BASIC_0])
    do(game, "use", "dungeon 7", "dungeon 7")
    assert game.options() == ["use", "decline"]
    do(game, "decline")
    assert game.decision.kind == Decision.KEEP
    assert game.state.dungeon == 6


def test_R60_the_party_continues_or_leaves_after_an_enemy_moved_away():
    game = facing(RUNNER, [BASIC_0], [BASIC_0], under=["Foe 1b", "Foe 1c"], steps_left=8)
    do(game, "dungeon 7")
    assert game.decision.kind == Decision.CONTINUE
    assert game.decision.seat == 1
    assert game.options() == ["continue", "leave"]
    left = game.clone()
    do(game, "continue")
    assert face_up(game, 1) == [True, False]
    assert game.decision.kind == Decision.KEEP
    do(left, "leave")
    assert left.state.steps_left == 7


@pytest.mark.parametrize("change", ["power: -1", "draw: 1", "hand_size: -1"])
def test_R51_R59_nothing_of_a_combat_that_did_not_take_place_is_left(change):
    """Effects at the start come before the move; the combat they were for is over with it."""
    rule = f"power: 3, start: [{{each: [{{{change}}}]}}, {{move: true}}]"
    game = facing(rule, [BASIC_0] * 6, [BASIC_0] * 6, under=["Foe 1b"])
    do(game, "dungeon 7")
    assert hand(game, 0) == hand(game, 1) == []
    assert len(deck(game, 0)) + len(discard_pile(game, 0)) == 6
    do(game, "continue")
    assert power(game) == [0, 0]
    assert len(hand(game, 1)) == 3


def test_R51_a_boost_for_the_next_combat_waits_for_a_combat_that_takes_place():
    game = facing(RUNNER, [BASIC_0] * 6, [BASIC_0] * 6, under=["Foe 1b"])
    game.state.boost[0, 0] = 2
    do(game, "dungeon 7", "continue")
    assert game.state.party_power == 2
    play_hand(game)
    assert game.state.combats_won == 1
