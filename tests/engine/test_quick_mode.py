"""R54 and R55: quick mode."""

import pytest
from playing import (
    boss_deck,
    config_of,
    deck,
    discard_pile,
    do,
    dungeon,
    fight,
    hand,
    owned,
    reserve,
    reward_of,
    set_with,
)

from tenefyr_env.engine.state import NO_BOSS, Decision, Outcome
from tenefyr_env.game import Game
from tenefyr_env.scenario import scenario

BASIC_0, BASIC_1 = "Basic 0", "Basic 1"
FIRST_DUNGEONS = [1, 3, 5, 7]  # one for each level from 1 to 4


def quick(decks=((BASIC_1,), (BASIC_0,)), gifts=((0, 1),) * 8, config=None, **fields) -> Game:
    """A quick game of two, on a track with these gifts from the first space to the skull's."""
    track = {"quick_track": dict.fromkeys(("easy", "normal", "hard"), len(gifts))}
    settings = {"mode": "quick", "quick_gifts": gifts, **track, **(config or {})}
    return scenario(
        config_of(len(decks), **settings),
        card_set=set_with(),
        decks=dict(enumerate(decks)),
        starter=0,
        **fields,
    )


def test_R54_there_is_one_dungeon_for_each_level_up_to_4():
    game = quick()
    assert game.options() == [*(f"dungeon {number}" for number in FIRST_DUNGEONS), "boss"]
    levels = [int(game.state.dungeon_level[number - 1]) for number in FIRST_DUNGEONS]
    assert levels == [1, 2, 3, 4]


def test_R54_there_is_no_boss_and_level_5_is_the_boss_deck():
    game = quick()
    assert game.state.boss == NO_BOSS
    assert len(boss_deck(game)) == 4
    assert all(name.startswith("Foe 5") for name in boss_deck(game))
    assert len(reserve(game, 5)) == 4


def test_R54_dungeons_1_to_4_have_rewards_and_level_5_has_none():
    game = quick()
    with_reward = [number for number in range(1, 12) if reward_of(game, number)]
    assert with_reward == FIRST_DUNGEONS
    assert all(len(dungeon(game, number)) == 4 for number in FIRST_DUNGEONS)


def test_R54_level_5_may_be_entered_early_and_beating_it_wins():
    decks = [["Loot 5g", "Loot 4a", "Loot 4b"], [BASIC_0]]
    game = quick(decks, boss_deck=["Foe 5a"])
    do(game, "boss")
    fight(game)
    assert game.outcome == Outcome.WON
    assert "Loot 5a" in discard_pile(game, 0)  # monsters give loot (R41)


def test_R54_a_lost_combat_against_level_5_loses():
    game = quick(boss_deck=["Foe 5a", "Foe 5b"])
    do(game, "boss")
    fight(game)
    assert game.outcome == Outcome.LOST


def test_R54_level_5_attacks_when_the_token_reaches_the_skull():
    game = quick(dungeons={1: ["Foe 1a", "Foe 1b"]}, steps_left=1)
    do(game, "dungeon 1")
    fight(game)
    do(game, "leave")
    assert game.state.dungeon == 10


def leave_after_one_fight(game: Game) -> None:
    """The first player beats the top of dungeon 1 and the party leaves."""
    do(game, "dungeon 1")
    fight(game)
    do(game, "leave")


def test_R55_a_space_gives_its_reserve_cards_one_by_one_to_players_of_the_party_s_choice():
    game = quick(gifts=((3, 1), (0, 1)), reserve={1: ["Loot 1e", "Loot 1f", "Loot 1g"]})
    leave_after_one_fight(game)
    given = {0: [], 1: []}
    for seat in (0, 1, 1):
        assert game.decision.kind == Decision.HAND_OUT
        assert game.decision.is_joint
        given[seat].append(game.card_set.card_name(game.decision.card))
        do(game, f"player {(seat - game.decision.seat) % 2}")
    assert game.decision.kind == Decision.DUNGEON
    assert sorted(given[0] + given[1]) == ["Loot 1e", "Loot 1f", "Loot 1g"]
    for seat in (0, 1):
        assert set(given[seat]) <= set(owned(game, seat))


def test_R55_two_spaces_give_both():
    game = quick(
        [[BASIC_0], [BASIC_0]],
        gifts=((1, 2), (1, 3), (0, 1)),
        reserve={2: ["Loot 2b"], 3: ["Loot 3b"]},
    )
    do(game, "dungeon 1")
    fight(game)  # thrown out
    found = []
    while game.decision.kind == Decision.HAND_OUT:
        found.append(game.card_set.card_name(game.decision.card))
        do(game, "player 0")
    assert found == ["Loot 2b", "Loot 3b"]
    assert game.state.steps_left == 1


def test_R55_a_later_start_passes_the_last_spaces_only():
    gifts = ((1, 1), (1, 2), (1, 3))
    tracks = {"quick_track": {"easy": 3, "normal": 2, "hard": 1}}
    for difficulty, level in (("easy", 1), ("normal", 2), ("hard", 3)):
        game = quick(gifts=gifts, config={**tracks, "difficulty": difficulty}, reserve={
            1: ["Loot 1e"], 2: ["Loot 2e"], 3: ["Loot 3e"]
        })  # fmt: skip
        leave_after_one_fight(game)
        assert game.card_set.card_name(game.decision.card) == f"Loot {level}e"


def test_R55_the_cards_join_the_decks_before_the_shuffle():
    """They are found in every place of the deck, and nothing is left in the discard pile."""
    places = set()
    for seed in range(30):
        game = quick(
            [[BASIC_1], [BASIC_0] * 3],
            gifts=((1, 2), (0, 1)),
            reserve={2: ["Loot 2b"]},
            seed=seed,
        )
        leave_after_one_fight(game)
        do(game, f"player {(1 - game.decision.seat) % 2}")
        assert discard_pile(game, 1) == []
        places.add(deck(game, 1).index("Loot 2b"))
    assert places == {0, 1, 2, 3}


def test_R55_the_skull_s_own_space_gives_its_cards_before_the_last_fight():
    game = quick(gifts=((1, 2),), reserve={2: ["Loot 2b"]})
    leave_after_one_fight(game)
    do(game, "player 0")
    assert game.state.dungeon == 10
    assert "Loot 2b" in deck(game, 1) + hand(game, 1)


def test_R55_R50_an_empty_reserve_gives_nothing():
    game = quick(gifts=((3, 1), (0, 1)), reserve={1: ["Loot 1e"]})
    leave_after_one_fight(game)
    do(game, "player 0")
    assert game.decision.kind == Decision.DUNGEON


def test_R55_a_saved_step_gives_no_cards():
    game = quick(gifts=((1, 2), (0, 1)), reserve={2: ["Loot 2b"]})
    game.state.saved_steps = 1
    leave_after_one_fight(game)
    assert game.decision.kind == Decision.DUNGEON
    assert game.state.steps_left == 2


def test_R55_spaces_that_an_effect_moves_the_token_over_give_their_cards_too():
    cards = set_with(loot={"Pact": "power: 1, effect: [{track: 1}]"})
    game = scenario(
        config_of(
            2,
            mode="quick",
            quick_gifts=((1, 2), (1, 3), (0, 1)),
            quick_track={"easy": 3, "normal": 3, "hard": 3},
        ),
        card_set=cards,
        decks={0: ["Pact"], 1: [BASIC_0]},
        reserve={2: ["Loot 2b"], 3: ["Loot 3b"]},
        starter=0,
    )
    leave_after_one_fight(game)
    do(game, "player 0", "player 0")
    assert {"Loot 2b", "Loot 3b"} <= set(owned(game, 1))


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_R54_quick_mode_can_be_played_by_any_number(players):
    game = quick([[BASIC_1]] * players)
    game.check()
    leave_after_one_fight(game)
    game.check()
