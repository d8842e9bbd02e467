"""After combat (R33 to R36)."""

from collections import Counter

import pytest
from playing import (
    combat,
    deck,
    discard_pile,
    do,
    dungeon,
    face_up,
    fight,
    is_even,
    owned,
    reward_of,
    set_with,
)

from tenefyr_env.engine.state import NO_DUNGEON, Decision
from tenefyr_env.game import Game

ENEMIES = ["Foe 1a", "Foe 1b", "Foe 1c", "Foe 1d"]
WEAK = [["Basic 0"]] * 4
STRONG = [["Basic 1"] * 6] * 4
PLAYERS = [1, 2, 3, 4]


def won(card_set, players: int = 3, enemies=tuple(ENEMIES[:2]), **fields) -> Game:
    """The party has just beaten the first enemy."""
    game = combat(card_set, enemies, STRONG[:players], **fields)
    fight(game)
    assert game.state.combats_won == 1
    return game


def lost(card_set, players: int = 3, enemies=("Foe 5a", "Foe 5b"), **fields) -> Game:
    """The party has just been beaten by the first enemy."""
    game = combat(card_set, enemies, WEAK[:players], **fields)
    fight(game)
    assert game.state.combats_lost == 1
    return game


# Continue or leave


@pytest.mark.parametrize("players", PLAYERS)
def test_R33_after_a_won_combat_the_party_continues_or_leaves(plain, players):
    game = won(plain, players)
    assert game.decision.kind == Decision.CONTINUE
    assert game.decision.is_joint
    assert game.options() == ["continue", "leave"]


def test_R33_the_party_decides_without_looking(plain):
    game = won(plain, enemies=ENEMIES)
    assert dungeon(game, 1) == ENEMIES[1:]
    assert face_up(game, 1) == [False, False, False]
    assert not any("turned up" in line for line in game.events())


def test_R33_to_continue_turns_up_the_next_card_and_fights_it(plain):
    game = won(plain, enemies=ENEMIES)
    do(game, "continue")
    assert game.events()[:2] == [
        "Foe 1b is turned up in dungeon 1 (level 1).",
        "The party meets Foe 1b, power 1.",
    ]
    assert face_up(game, 1) == [True, False, False]
    assert game.decision.kind == Decision.KEEP


def test_R33_a_next_card_that_is_face_up_is_not_turned_again():
    cards = set_with(enemies={"Ghost": "power: 1, start: [{look: 1}]"})
    game = won(cards, enemies=["Ghost", "Foe 1b", "Foe 1c"])
    assert face_up(game, 1) == [True, False]
    do(game, "continue")
    assert game.events()[0] == "The party meets Foe 1b, power 1."


def test_R33_nobody_rests_between_the_combats_of_a_dungeon(plain):
    game = won(plain, 2, steps_left=9)
    do(game, "continue")
    assert discard_pile(game, 0) == ["Basic 1", "Basic 1", "Basic 1", "Loot 1a"]
    assert deck(game, 0) == ["Basic 1"] * 3
    assert game.state.steps_left == 9


def test_R33_the_party_may_go_on_until_the_dungeon_is_empty(plain):
    game = won(plain, 4, enemies=ENEMIES)
    for left in (3, 2, 1):
        assert len(dungeon(game, 1)) == left
        do(game, "continue")
        fight(game)
    assert game.state.cleared[0] == 1


def test_R33_to_leave_ends_the_visit(plain):
    game = won(plain, enemies=ENEMIES)
    do(game, "leave")
    assert game.decision.kind == Decision.DUNGEON
    assert game.state.dungeon == NO_DUNGEON
    assert dungeon(game, 1) == ENEMIES[1:]
    assert "The party leaves dungeon 1 (level 1)." in game.events()


# Cleared


@pytest.mark.parametrize("players", PLAYERS)
def test_R34_an_empty_dungeon_is_cleared_and_gives_its_reward(plain, players):
    game = won(plain, players, enemies=["Foe 1a"], reward="Reward 1b")
    assert game.decision.kind == Decision.REWARD
    assert game.state.cleared[0] == 1
    do(game, "option 1")
    assert game.state.rewards_taken == 1
    assert reward_of(game, 1) is None
    assert game.decision.kind == Decision.DUNGEON


def test_R34_nobody_is_asked_to_continue_in_an_empty_dungeon(plain):
    game = combat(plain, "Foe 1a", STRONG[:3])
    events = fight(game)
    assert "Dungeon 1 (level 1) is cleared." in events
    assert game.decision.kind != Decision.CONTINUE


def test_R34_a_party_that_leaves_early_gets_no_reward(plain):
    game = won(plain, reward="Reward 1a")
    do(game, "leave")
    assert game.decision.kind == Decision.DUNGEON
    assert reward_of(game, 1) == "Reward 1a"
    assert (game.state.rewards_taken, game.state.cleared[0]) == (0, 0)


def test_R34_the_reward_waits_for_the_party_that_comes_back(plain):
    game = won(plain, reward="Reward 1a")
    do(game, "leave", "dungeon 1")
    fight(game)
    assert game.decision.kind == Decision.REWARD
    do(game, "option 2")
    assert game.state.saved_steps == 2


# Thrown out


@pytest.mark.parametrize("players", PLAYERS)
def test_R35_after_a_lost_combat_the_party_is_thrown_out(plain, players):
    game = lost(plain, players)
    assert game.decision.kind == Decision.DUNGEON
    assert game.state.dungeon == NO_DUNGEON
    assert "The party is thrown out of dungeon 1 (level 1)." in game.events()


def test_R35_the_enemy_stays_face_up_on_its_dungeon(plain):
    game = lost(plain, enemies=["Foe 5a", "Foe 5b", "Foe 5c"])
    assert dungeon(game, 1) == ["Foe 5a", "Foe 5b", "Foe 5c"]
    assert face_up(game, 1) == [True, False, False]
    do(game, "dungeon 1")
    assert "The party meets Foe 5a, power 5." in game.events()


def test_R35_nobody_gets_loot_or_a_reward_for_a_lost_combat(plain):
    game = lost(plain, enemies=["Foe 5a"], reward="Reward 1a")
    assert [owned(game, seat) for seat in range(3)] == WEAK[:3]
    assert reward_of(game, 1) == "Reward 1a"
    assert game.decision.kind == Decision.DUNGEON


def test_R35_a_later_enemy_that_wins_stays_where_it_was_turned_up(plain):
    game = won(plain, enemies=["Foe 1a", "Foe 5b", "Foe 5c"], players=1)
    do(game, "continue")
    fight(game)
    assert game.state.combats_lost == 1
    assert dungeon(game, 1) == ["Foe 5b", "Foe 5c"]
    assert face_up(game, 1) == [True, False]


def test_R35_changes_of_the_enemys_power_do_not_stay_with_it():
    cards = set_with(enemies={"Ghost": "power: 8, start: [{enemy: 3}]"})
    game = lost(cards, enemies=["Ghost"])
    do(game, "dungeon 1")
    assert "The party meets Ghost, power 8." in game.events()


# Leaving


@pytest.mark.parametrize("players", PLAYERS)
def test_R36_leaving_moves_the_boss_token_one_step(plain, players):
    game = won(plain, players, steps_left=9)
    assert game.state.steps_left == 9
    do(game, "leave")
    assert game.state.steps_left == 8


@pytest.mark.parametrize("players", PLAYERS)
def test_R36_clearing_moves_the_boss_token_one_step(plain, players):
    game = won(plain, players, enemies=["Foe 1a"], steps_left=9)
    assert game.state.steps_left == 8


@pytest.mark.parametrize("players", PLAYERS)
def test_R36_being_thrown_out_moves_the_boss_token_two_steps(plain, players):
    game = lost(plain, players, steps_left=9)
    assert game.state.steps_left == 7


@pytest.mark.parametrize("difficulty", ["easy", "normal", "hard"])
def test_R12_R36_the_token_moves_from_the_space_of_the_difficulty(plain, difficulty):
    game = lost(plain, difficulty=difficulty)
    assert game.state.steps_left == game.config.track[difficulty] - 2


def test_R36_entering_and_continuing_move_nothing(plain):
    game = combat(plain, ENEMIES, STRONG[:3], steps_left=9)
    assert game.state.steps_left == 9
    fight(game)
    do(game, "continue")
    fight(game)
    assert game.state.steps_left == 9


def test_R36_a_face_down_top_card_is_turned_up_on_leaving(plain):
    game = won(plain, enemies=ENEMIES)
    do(game, "leave")
    assert face_up(game, 1) == [True, False, False]
    assert "Foe 1b is turned up in dungeon 1 (level 1)." in game.events()


def test_R36_the_token_moves_before_the_card_is_turned_up(plain):
    game = won(plain, enemies=ENEMIES, steps_left=9)
    assert do(game, "leave") == [
        "The party leaves dungeon 1 (level 1).",
        "The boss token moves: 8 to the skull.",
        "Foe 1b is turned up in dungeon 1 (level 1).",
    ]


@pytest.mark.parametrize("way", ["left", "cleared", "thrown out"])
def test_R36_every_player_shuffles_the_discard_pile_into_the_deck(plain, way):
    discards = {seat: ["Basic 0", f"Loot 4{letter}"] for seat, letter in enumerate("abc")}
    if way == "left":
        game = won(plain, discards=discards)
        do(game, "leave")
    elif way == "cleared":
        game = won(plain, discards=discards, enemies=["Foe 1a"])
    else:
        game = lost(plain, discards=discards)
    for seat in range(3):
        assert discard_pile(game, seat) == []
        assert sorted(deck(game, seat)) == owned(game, seat)
        assert set(discards[seat]) <= set(deck(game, seat))


def test_R36_players_who_had_no_turn_rest_too(plain):
    game = won(plain, discards={2: ["Loot 4h"]})
    assert discard_pile(game, 2) == ["Loot 4h"]
    do(game, "leave")
    assert "Loot 4h" in deck(game, 2)


def test_R36_the_shuffle_is_even(plain):
    places: Counter[int] = Counter()
    decks = [["Basic 1", "Basic 0", "Basic 0"], ["Basic 0"] * 3]
    discards = {1: ["Loot 4h", *["Basic 0"] * 4]}
    for seed in range(480):
        game = combat(plain, ["Foe 1a", "Foe 1b"], decks, discards=discards, seed=seed)
        fight(game)
        do(game, "leave")
        places[deck(game, 1).index("Loot 4h")] += 1
    assert len(places) == 8
    assert is_even(places.values())


def test_R36_the_loot_of_the_visit_is_in_the_deck_after_leaving(plain):
    game = won(plain)
    do(game, "leave")
    assert deck(game, 0).count("Loot 1a") == 1


def test_R36_the_reward_comes_after_the_shuffle():
    reward = "kind: each, options: [[{remove: 1, filter: loot, from: [deck]}], [{save_step: 1}]]"
    cards = set_with(rewards={"Gift": reward})
    game = won(cards, enemies=["Foe 1a"], reward="Gift", discards={1: ["Loot 4h"]})
    assert (game.decision.kind, game.decision.seat) == (Decision.REWARD, 1)
    assert discard_pile(game, 1) == []
    do(game, "option 1")
    assert game.options() == ["card Loot 4h"]


def test_R36_the_token_moves_before_the_reward_which_saves_only_later_steps(plain):
    game = won(plain, enemies=["Foe 1a"], steps_left=9)
    assert game.state.steps_left == 8
    do(game, "option 1")
    assert game.state.steps_left == 8
    assert game.state.saved_steps == 1


def test_R36_an_empty_dungeon_turns_nothing_up(plain):
    game = combat(plain, "Foe 1a", STRONG[:3])
    events = fight(game)
    assert not any("turned up" in line for line in events)


def test_R36_other_dungeons_stay_as_they_are(plain):
    game = won(plain, enemies=ENEMIES)
    before = [(dungeon(game, number), face_up(game, number)) for number in range(2, 12)]
    do(game, "leave")
    assert [(dungeon(game, number), face_up(game, number)) for number in range(2, 12)] == before
