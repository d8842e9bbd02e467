"""The flat observation: every section means what it says."""

import numpy as np
import pytest
from seeing import MODES, cards_seen, positions, seen, view

from tenefyr_env.config import GameConfig
from tenefyr_env.engine.state import BOSS_DECK, Decision
from tenefyr_env.game import Game
from tenefyr_env.scenario import scenario
from tenefyr_env.spaces.actions import action_number
from tenefyr_env.spaces.encoders import make_encoder
from tenefyr_env.spaces.flat import FLAT

HEROES = ("barbarian", "bard", "cleric", "thief")
DUNGEON_1 = ["Tavern Brawler", "Cave Bat", "Grave Digger", "Wild Boar"]
HAND = ["Basic 0", "Sturdy Club", "Basic 1"]


def table(**fields: object) -> Game:
    """A party before the choice of a dungeon; seat 1 has the token."""
    defaults = {"players": 4, "heroes": HEROES, "difficulty": "hard", "boss": "Dark Lord"}
    return scenario(
        GameConfig(**{**defaults, **fields}),  # type: ignore[arg-type]
        decks={1: [*HAND, "Basic 1", "Quick Strike"]},
        discards={2: ["Basic 1", "Basic 1"]},
        dungeons={1: DUNGEON_1},
        starter=1,
        steps_left=9,
    )


def fight(**fields: object) -> Game:
    """Seat 1 is asked to keep its first hand."""
    game = table(**fields)
    game.step("dungeon 1")
    assert game.decision.kind == Decision.KEEP
    return game


def hot(*places: int, size: int) -> list[int]:
    return [int(place in places) for place in range(size)]


def test_players_come_clockwise_from_the_observer() -> None:
    game = table()
    for seat in range(4):
        for offset in range(4):
            other = (seat + offset) % 4
            assert seen(game, seat, f"player {offset}: heroes") == hot(other, size=4)
            assert seen(game, seat, f"player {offset}: starter") == [int(other == 1)]


def test_a_seat_that_is_not_taken_is_all_zero() -> None:
    game = Game.new(GameConfig(players=3), 1)
    assert [seen(game, 0, f"player {offset}: present") for offset in range(4)] == [
        [1],
        [1],
        [1],
        [0],
    ]
    absent = [section for section in FLAT if section.name.startswith("player 3: ")]
    assert all(not any(seen(game, 0, section.name)) for section in absent)


def test_R6_a_player_of_two_heroes_has_both() -> None:
    game = Game.new(GameConfig(players=2, heroes=HEROES), 1)
    assert seen(game, 0, "player 0: heroes") == [1, 1, 0, 0]
    assert seen(game, 0, "player 1: heroes") == [0, 0, 1, 1]


def test_the_decision_and_who_is_asked_by_offset() -> None:
    game = fight()
    assert seen(game, 3, "decision") == hot(Decision.KEEP, size=len(Decision))
    assert seen(game, 3, "decider") == hot(2, size=4)
    assert seen(game, 1, "decider") == hot(0, size=4)
    assert seen(game, 1, "joint") == [0]
    assert seen(table(), 1, "joint") == [1]


def test_after_the_end_nobody_is_asked() -> None:
    game = list(positions(GameConfig(players=2), 3))[-1]
    assert game.is_over
    assert seen(game, 0, "decision") == hot(Decision.NONE, size=len(Decision))


def test_the_enemy_its_power_and_what_is_missing() -> None:
    game = fight()
    game.step("keep")
    game.step("card Sturdy Club")
    card = next(c for c in game.card_set.cards if c and c.enemy_name == "Tavern Brawler")
    power = int(game.state.power[1])
    assert np.flatnonzero(seen(game, 0, "enemy")).tolist() == [card.id]
    assert power > 0
    assert seen(game, 0, "combined power") == [power]
    (enemy,), (missing,) = seen(game, 0, "enemy power"), seen(game, 0, "missing power")
    assert missing == enemy - power
    assert seen(game, 0, "player 1: power") == [power]
    assert seen(game, 0, "turns") == [0, 3]
    assert seen(game, 0, "player 1: active") == [1]
    assert seen(game, 0, "player 0: active") == [0]


def test_without_a_combat_there_is_no_enemy() -> None:
    game = table()
    assert not any(seen(game, 0, "enemy") + seen(game, 0, "enemy power") + seen(game, 0, "turns"))


def test_redraws_of_this_combat_are_counted() -> None:
    game = fight()
    game.step("redraw")
    assert seen(game, 0, "redraws") == [1]


def test_the_track_the_modes_and_the_boss() -> None:
    game = table()
    assert seen(game, 0, "track") == [9, 0, 0]
    assert seen(game, 0, "difficulty") == [0, 0, 1]
    assert seen(game, 0, "modes") == [0, 0, 0]
    assert seen(game, 0, "boss") == hot(game.card_set.bosses.index("Dark Lord"), size=4)
    quick = Game.new(GameConfig(mode="quick", joint_choice="vote", hands="open"), 1)
    assert seen(quick, 0, "modes") == [1, 1, 1]
    assert not any(seen(quick, 0, "boss"))


def test_R16_piles_are_counted_by_card() -> None:
    game = table()
    assert cards_seen(game, 0, "player 1: deck") == {
        "Basic 0": 1, "Basic 1": 2, "Sturdy Club": 1, "Quick Strike": 1,
    }  # fmt: skip
    assert cards_seen(game, 0, "player 2: discard") == {"Basic 1": 2}
    assert seen(game, 0, "player 1: pile sizes") == [5, 0, 0, 0]


def test_the_own_hand_is_seen() -> None:
    game = fight()
    assert cards_seen(game, 1, "player 0: hand") == {"Basic 0": 1, "Basic 1": 1, "Sturdy Club": 1}
    assert cards_seen(game, 1, "player 0: deck") == {"Basic 1": 1, "Quick Strike": 1}


def test_R58_the_hidden_hand_of_another_is_part_of_the_deck_contents() -> None:
    game = fight()
    assert cards_seen(game, 0, "player 1: hand") == {}
    assert cards_seen(game, 0, "player 1: deck") == cards_seen(table(), 0, "player 1: deck")
    assert seen(game, 0, "player 1: pile sizes") == [2, 3, 0, 0]


def test_R58_an_open_hand_is_seen_by_all() -> None:
    game = fight(hands="open")
    assert cards_seen(game, 0, "player 1: hand") == {"Basic 0": 1, "Basic 1": 1, "Sturdy Club": 1}


def test_played_cards_are_seen_by_all() -> None:
    game = fight()
    game.step("keep")
    game.step("card Sturdy Club")
    assert cards_seen(game, 3, "player 2: played") == {"Sturdy Club": 1}


def test_R20_votes_are_shown_as_the_observer_numbers_them() -> None:
    game = table(joint_choice="vote")
    game.step("dungeon 1")
    vote = action_number("dungeon 1") + 1
    assert seen(game, 2, "player 3: vote") == [vote]  # seat 1 is three places on
    assert seen(game, 2, "player 0: vote") == [0]


def test_R20_a_vote_for_a_player_is_turned_to_the_observers_seat() -> None:
    config = GameConfig(players=3, mode="quick", joint_choice="vote", starting_player=0)
    game = Game.new(config, 5)
    while game.decision.kind != Decision.HAND_OUT or game.state.num_votes != 0:
        game.step(game.decision.options[-1 if game.decision.kind == Decision.CONTINUE else 0])
    voter = game.decision.seat
    game.step("player 1")
    chosen = (voter + 1) % 3
    for observer in range(3):
        vote = action_number(f"player {(chosen - observer) % 3}") + 1
        assert seen(game, observer, f"player {(voter - observer) % 3}: vote") == [vote]


def test_a_dungeon_shows_its_top_card_its_reward_and_how_many_lie_face_down() -> None:
    game = table()
    card = next(c for c in game.card_set.cards if c and c.enemy_name == "Tavern Brawler")
    assert seen(game, 0, "dungeon 0: size") == [4]
    assert seen(game, 0, "dungeon 0: face down") == [3]
    assert seen(game, 0, "dungeon 0: level") == [1]
    assert seen(game, 0, "dungeon 0: top level") == [1]
    assert seen(game, 0, "dungeon 0: top power") == [card.enemy_power[2]]
    assert seen(game, 0, "dungeon 0: loot power") == [card.power]
    assert np.flatnonzero(seen(game, 0, "dungeon 0: top card")).tolist() == [card.id - 6]
    assert np.flatnonzero(seen(game, 0, "dungeon 0: reward")).tolist() == [game.state.reward[0] % 4]
    assert not any(seen(game, 0, "dungeon 0: known below"))
    assert seen(game, 0, f"dungeon {BOSS_DECK}: level") == [0]
    assert [seen(g, 0, "dungeon 0: current") for g in (game, fight())] == [[0], [1]]


def test_R57_cards_that_were_looked_at_are_known_from_the_top() -> None:
    enemies = ["Tavern Brawler", "Kobold", "Grave Digger", "Wild Boar"]
    game = scenario(
        GameConfig(players=1, heroes=("thief", "bard")),
        decks={0: ["Echo Stone", "Basic 0", "Basic 1", "Basic 0"]},
        dungeons={1: enemies},
        starter=0,
    )
    for action in ("dungeon 1", "keep", "card Echo Stone"):
        game.step(action)
    known = [entry - 1 for entry in seen(game, 0, "dungeon 0: known below") if entry]
    assert [game.card_set.enemy_name(card) for card in known] == enemies[1:]
    assert seen(game, 0, "dungeon 0: face down") == [0]


def test_the_reserve_is_counted_and_what_left_the_game_is_shown() -> None:
    game = table()
    assert seen(game, 0, "reserve") == [int(size) for size in game.state.reserve_size]
    assert cards_seen(game, 0, "out of play")["Basic 0"] == game.state.out_of_play[0]
    assert not any(seen(game, 0, "returned"))


@pytest.mark.parametrize(
    "config", MODES, ids=lambda config: f"{config.players} {config.mode} {config.joint_choice}"
)
@pytest.mark.parametrize("encoder", ["flat", "entities"])
def test_every_observation_of_a_game_lies_in_the_space(encoder: str, config: GameConfig) -> None:
    space = make_encoder(encoder).space
    for seed in (1, 2):
        for game in positions(config, seed):
            assert all(space.contains(view(game, seat, encoder)) for seat in range(config.players))
