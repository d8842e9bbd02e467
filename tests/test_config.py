"""The game configuration: what it accepts, what it refuses and why, and its set-up record."""

import json
import pickle
from dataclasses import replace
from itertools import permutations, product
from pathlib import Path

import numpy as np
import pytest
import yaml

from tenefyr_env.cards.vocabulary import Hero
from tenefyr_env.config import HERO_NAMES, HEROES_IN_PLAY, ConfigError, GameConfig
from tenefyr_env.engine.setup_record import MAX_TRACK, SETUP

BOSSES = ["Dark Lord", "Spider Queen", "Chaos Dragon", "Stone Titan"]
GAME_FILES = sorted((Path(__file__).parents[1] / "configs" / "game").glob("*.yaml"))
FULL = {
    "players": 3,
    "heroes": ["thief", "bard", "cleric"],
    "difficulty": "hard",
    "boss": "stone_titan",
    "mode": "regular",
    "remove_absent_heroes": True,
    "joint_choice": "vote",
    "starting_player": 2,
    "hands": "open",
    "take_single_options": False,
    "track": {"easy": 40, "normal": 20, "hard": 1},
    "quick_track": {"easy": 2, "normal": 2, "hard": 1},
    "quick_gifts": [[0, 1], [3, 5]],
    "cards": "my/cards.yaml",
}
HERO_ACCEPTED = "random or {} different of barbarian, bard, cleric, thief"
TRACK_ACCEPTED = "easy, normal and hard, each 1 to 40, easy >= normal >= hard"
KEYS = ", ".join(FULL)

REFUSED = [
    ({"players": 5}, "players: 5 is not accepted; accepted: 1, 2, 3, 4"),
    ({"players": True}, "players: True is not accepted; accepted: 1, 2, 3, 4"),
    ({"players": "4"}, "players: '4' is not accepted; accepted: 1, 2, 3, 4"),
    (
        {"difficulty": "Hard"},
        "difficulty: 'Hard' is not accepted; accepted: easy, normal, hard",
    ),
    ({"mode": "fast"}, "mode: 'fast' is not accepted; accepted: regular, quick"),
    (
        {"joint_choice": "king"},
        "joint_choice: 'king' is not accepted; accepted: leader, vote",
    ),
    ({"hands": ["open"]}, "hands: ['open'] is not accepted; accepted: private, open"),
    (
        {"take_single_options": 1},
        "take_single_options: 1 is not accepted; accepted: False, True",
    ),
    (
        {"remove_absent_heroes": "yes"},
        "remove_absent_heroes: 'yes' is not accepted; accepted: False, True",
    ),
    (
        {"remove_absent_heroes": True},
        "remove_absent_heroes: True is not accepted with 4 players, who leave no hero absent; "
        "accepted: False",
    ),
    (
        {"remove_absent_heroes": True, "players": 2},
        "remove_absent_heroes: True is not accepted with 2 players, who leave no hero absent; "
        "accepted: False",
    ),
    (
        {"starting_player": 4},
        "starting_player: 4 is not accepted; accepted: random, 0, 1, 2, 3",
    ),
    (
        {"starting_player": 1, "players": 1},
        "starting_player: 1 is not accepted; accepted: random, 0",
    ),
    ({"heroes": "bard"}, f"heroes: 'bard' is not accepted; accepted: {HERO_ACCEPTED.format(4)}"),
    (
        {"heroes": [1, 2], "players": 1},
        f"heroes: [1, 2] is not accepted; accepted: {HERO_ACCEPTED.format(2)}",
    ),
    (
        {"heroes": ["Wizard", "bard", "thief"], "players": 3},
        "heroes: 'Wizard' is not accepted; accepted: barbarian, bard, cleric, thief",
    ),
    (
        {"heroes": ["bard", "thief"], "players": 2},
        "heroes: ['bard', 'thief'] is not accepted with players 2; "
        f"accepted: {HERO_ACCEPTED.format(4)}",
    ),
    (
        {"heroes": ["bard", "Bard"], "players": 1},
        "heroes: ['bard', 'bard'] is not accepted with players 1; "
        f"accepted: {HERO_ACCEPTED.format(2)}",
    ),
    (
        {"boss": 3},
        "boss: 3 is not accepted; accepted: random or the name of a boss of the card set",
    ),
    (
        {"boss": " "},
        "boss: ' ' is not accepted; accepted: random or the name of a boss of the card set",
    ),
    (
        {"boss": "Dark Lord", "mode": "quick"},
        "boss: 'Dark Lord' is not accepted with mode quick, which has no boss; accepted: random",
    ),
    ({"track": 12}, f"track: 12 is not accepted; accepted: {TRACK_ACCEPTED}"),
    (
        {"track": {"easy": 3}},
        f"track: {{'easy': 3}} is not accepted; accepted: {TRACK_ACCEPTED}",
    ),
    (
        {"track": {"easy": 41, "normal": 2, "hard": 1}},
        "track: {'easy': 41, 'normal': 2, 'hard': 1} is not accepted; "
        f"accepted: {TRACK_ACCEPTED}",
    ),
    (
        {"quick_track": {"easy": 8, "normal": 7, "hard": 0}},
        "quick_track: {'easy': 8, 'normal': 7, 'hard': 0} is not accepted; "
        f"accepted: {TRACK_ACCEPTED}",
    ),
    (
        {"track": {"easy": 2, "normal": 3, "hard": 1}},
        f"track: {{'easy': 2, 'normal': 3, 'hard': 1}} is not accepted; accepted: {TRACK_ACCEPTED}",
    ),
    (
        {"quick_gifts": 3},
        "quick_gifts: 3 is not accepted; accepted: a list of (count, level)",
    ),
    (
        {"quick_gifts": [[3, 1], [4, 1]]},
        "quick_gifts[1]: [4, 1] is not accepted; accepted: (count 0 to 3, level 1 to 5)",
    ),
    (
        {"quick_gifts": [[3, 6]]},
        "quick_gifts[0]: [3, 6] is not accepted; accepted: (count 0 to 3, level 1 to 5)",
    ),
    (
        {"quick_gifts": [[3, 1, 1]]},
        "quick_gifts[0]: [3, 1, 1] is not accepted; accepted: (count 0 to 3, level 1 to 5)",
    ),
    (
        {"quick_gifts": [[3, 1]]},
        "quick_gifts, number of spaces: 1 is not accepted; "
        "accepted: 8, one for each space of quick_track easy",
    ),
    ({"cards": ""}, "cards: '' is not accepted; accepted: the name or the path of a card set"),
]


@pytest.mark.parametrize(("values", "message"), REFUSED)
def test_a_refused_value_is_named_with_what_is_accepted(values, message):
    with pytest.raises(ConfigError) as refusal:
        GameConfig.from_dict(values)
    assert str(refusal.value) == f"GameConfig.{message}"


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"player": 3}, f"unknown key 'player'; did you mean 'players'? accepted: {KEYS}"),
        ({"zzz": 3}, f"unknown key 'zzz'; accepted: {KEYS}"),
        ({1: 3}, f"unknown key 1; accepted: {KEYS}"),
        ([3], "[3] is not accepted; accepted: a mapping of fields to values"),
    ],
)
def test_an_unknown_key_is_an_error(values, message):
    with pytest.raises(ConfigError) as refusal:
        GameConfig.from_dict(values)
    assert str(refusal.value) == f"GameConfig: {message}"


def test_an_unknown_boss_is_refused_at_set_up():
    with pytest.raises(ConfigError) as refusal:
        GameConfig(boss="Dark Lady").to_setup(BOSSES)
    assert str(refusal.value) == (
        "GameConfig.boss: 'dark_lady' is not accepted; "
        "accepted: random, Dark Lord, Spider Queen, Chaos Dragon, Stone Titan"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("players: 5", "GameConfig.players: 5 is not accepted; accepted: 1, 2, 3, 4"),
        ("players: 3\nplayers: 4", "key 'players' is given twice; accepted: once"),
        ("hero: []", f"GameConfig: unknown key 'hero'; did you mean 'heroes'? accepted: {KEYS}"),
        ("just words", "GameConfig: 'just words' is not accepted; accepted: a mapping of fields"),
        ("players: [", "while parsing a flow node"),
        ("players: !!python/object:object {}", "could not determine a constructor"),
    ],
)
def test_an_error_in_a_file_names_the_file(tmp_path, text, message):
    path = tmp_path / "game.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError) as refusal:
        GameConfig.from_yaml(path)
    assert str(refusal.value).startswith(f"{path}: ")
    assert message in str(refusal.value)


def test_an_empty_file_is_the_default_game(tmp_path):
    path = tmp_path / "game.yaml"
    path.write_text("# nothing is changed\n")
    assert GameConfig.from_yaml(path) == GameConfig()


def test_a_file_may_share_values_by_anchor(tmp_path):
    path = tmp_path / "game.yaml"
    path.write_text(
        "track: &base {easy: 9, normal: 8, hard: 7}\nquick_track: {<<: *base, easy: 8}\n"
    )
    assert dict(GameConfig.from_yaml(path).quick_track) == {"easy": 8, "normal": 8, "hard": 7}


@pytest.mark.parametrize("path", GAME_FILES, ids=lambda path: path.stem)
def test_every_shipped_game_file_can_be_set_up(path):
    assert GameConfig.from_yaml(path).to_setup(BOSSES).dtype == SETUP


def test_there_are_shipped_game_files():
    assert {path.stem for path in GAME_FILES} >= {"normal", "hard", "solo", "quick", "vote"}


@pytest.mark.parametrize("values", [{}, FULL, {"mode": "quick", "players": 1}])
def test_a_configuration_comes_back_from_its_dictionary(values, tmp_path):
    config = GameConfig.from_dict(values)
    written = config.to_dict()
    path = tmp_path / "game.yaml"
    path.write_text(yaml.safe_dump(written))
    assert {key: written[key] for key in values} == values
    assert GameConfig.from_dict(json.loads(json.dumps(written))) == config
    assert GameConfig.from_yaml(path) == config
    assert pickle.loads(pickle.dumps(config)) == config
    assert replace(config) == config
    assert hash(GameConfig.from_dict(written)) == hash(config)


def test_a_configuration_cannot_be_changed():
    config = GameConfig()
    with pytest.raises(AttributeError):
        config.players = 3
    with pytest.raises(TypeError):
        config.track["easy"] = 3


def test_a_track_has_no_other_difficulty():
    with pytest.raises(KeyError):
        GameConfig().track["insane"]


def test_every_mode_can_be_set_up():
    for players, difficulty, mode, vote, hands in product(
        (1, 2, 3, 4),
        ("easy", "normal", "hard"),
        ("regular", "quick"),
        ("leader", "vote"),
        ("private", "open"),
    ):
        config = GameConfig(
            players=players, difficulty=difficulty, mode=mode, joint_choice=vote, hands=hands
        )
        setup = config.to_setup(BOSSES)
        assert setup.shape == (1,)
        assert setup["players"] == players
        assert setup["num_heroes"] == HEROES_IN_PLAY[players]
        assert setup["difficulty"] == ("easy", "normal", "hard").index(difficulty)
        assert setup["quick"] == (mode == "quick")
        assert setup["vote"] == (vote == "vote")
        assert setup["open_hands"] == (hands == "open")
        assert (
            setup["steps"] == (config.quick_track if mode == "quick" else config.track)[difficulty]
        )


def test_the_default_set_up_leaves_to_chance_what_is_not_chosen():
    setup = GameConfig().to_setup(BOSSES)[0]
    assert setup["heroes"].tolist() == [-1, -1, -1, -1]
    assert (setup["boss"], setup["starter"], setup["take_single_options"]) == (-1, -1, 1)
    assert not setup["gift_count"].any()


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_R5_R6_R7_every_choice_of_heroes_is_written_in_seat_order(players):
    for heroes in permutations(HERO_NAMES, HEROES_IN_PLAY[players]):
        setup = GameConfig(players=players, heroes=heroes).to_setup(BOSSES)[0]
        numbers = [Hero[name.upper()].value for name in heroes]
        assert setup["heroes"].tolist() == numbers + [-1] * (4 - len(numbers))


@pytest.mark.parametrize("name", ["Spider Queen", "spider_queen", "SPIDER  queen"])
def test_R11_a_boss_is_chosen_by_name(name):
    assert GameConfig(boss=name).to_setup(BOSSES)["boss"] == 1


def test_R12_the_track_is_configuration():
    track = {"easy": 40, "normal": 9, "hard": 9}
    steps = [
        GameConfig(track=track, difficulty=difficulty).to_setup(BOSSES)["steps"][0]
        for difficulty in track
    ]
    assert steps == [40, 9, 9]


def test_R13_the_starting_player_is_chosen_by_seat():
    assert GameConfig(starting_player=3).to_setup(BOSSES)["starter"] == 3


@pytest.mark.parametrize("players", [1, 3])
def test_R14_absent_heroes_may_be_taken_out_with_three_players_or_solo(players):
    config = GameConfig(players=players, remove_absent_heroes=True)
    assert config.to_setup(BOSSES)["remove_absent"] == 1


def test_R55_gifts_are_known_by_the_spaces_left_to_the_skull():
    config = GameConfig(
        mode="quick",
        difficulty="hard",
        quick_track={"easy": 4, "normal": 3, "hard": 3},
        quick_gifts=((3, 1), (2, 2), (1, 3), (1, 4)),
    )
    setup = config.to_setup(BOSSES)[0]
    assert setup["steps"] == 3
    assert setup["gift_count"][:3].tolist() == [1, 1, 2]
    assert setup["gift_level"][:3].tolist() == [4, 3, 2]
    assert not setup["gift_count"][3:].any()


def test_R55_the_longest_quick_track_fits():
    track = dict.fromkeys(("easy", "normal", "hard"), MAX_TRACK)
    gifts = ((3, 5),) * MAX_TRACK
    setup = GameConfig(mode="quick", quick_track=track, quick_gifts=gifts).to_setup(BOSSES)[0]
    assert np.all(setup["gift_count"] == 3)
    assert np.all(setup["gift_level"] == 5)
