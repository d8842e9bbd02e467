"""Training configurations: every file parses, what is wrong is named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agents.learning.config import FOLDER, TrainConfig, load_config
from tenefyr_env.config import ConfigError

SHIPPED = sorted(path.stem for path in FOLDER.glob("*.yaml"))


def test_the_promised_configurations_are_there() -> None:
    assert {"quick", "normal", "hard", "solo", "quick_mode", "generalist"} <= set(SHIPPED)


@pytest.mark.parametrize("name", SHIPPED)
def test_every_file_parses_and_survives_a_round_trip(name: str) -> None:
    config = load_config(name)
    config.check_agents()
    assert config.name == name
    assert TrainConfig.from_dict(config.to_dict()) == config


def test_settings_go_before_the_file() -> None:
    config = load_config("quick").overridden(
        ["steps=77", "games.players=[3, 4]", "entropy=0.5", "partners=[odds]", "hero=thief"]
    )
    assert (config.steps, config.entropy, config.partners) == (77, (0.5, 0.5), ("odds",))
    assert [game.players for game in config.game_configs()] == [3, 4]
    assert config.learners() == ("thief",)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"stepps": 5}, "training: unknown key 'stepps'; did you mean 'steps'?"),
        ({"steps": 0}, "steps: 0 is not accepted; accepted: whole numbers 1 to 1e+12"),
        ({"steps": 1.5}, "steps: 1.5 is not accepted"),
        ({"steps": True}, "steps: True is not accepted"),
        ({"gamma": 1.1}, "gamma: 1.1 is not accepted; accepted: numbers 0 to 1"),
        ({"gamma": float("nan")}, "gamma: nan is not accepted"),
        ({"learning_rate": "1e-3"}, "learning_rate: '1e-3' is not accepted"),
        ({"entropy": [1, 2, 3]}, "entropy: [1, 2, 3] is not accepted"),
        ({"encoder": "flatt"}, "encoder: 'flatt' is not accepted; accepted: flat, flat_odds"),
        ({"reward": "gold"}, "reward: 'gold' is not accepted; accepted: sparse, shaped"),
        ({"hero": "wizard"}, "hero: 'wizard' is not accepted; accepted: none, barbarian"),
        ({"shared": 1}, "shared: 1 is not accepted; accepted: true, false"),
        ({"name": "../x"}, "name: '../x' is not accepted"),
        ({"name": ".."}, "name: '..' is not accepted"),
        ({"batch": 1}, "batch: 1 is not accepted; accepted: whole numbers 2 to"),
        ({"rows": 1, "rollout": 1}, "rows: 1 is not accepted"),
        ({"games": {"players": []}}, "accepted: no empty list"),
        ({"partners": ["odds"]}, "strangers: 0.0 is not accepted"),
        ({"encoder": "entities", "sizes": {"token_size": 6}}, "sizes.token_size: 6"),
        ({"games": {"playerz": 3}}, "unknown key 'playerz'; did you mean 'players'?"),
        ({"games": {"players": [3, 9]}}, "GameConfig.players: 9 is not accepted"),
        ({"games": 4}, "games: 4 is not accepted"),
        ({"sizes": {"widht": 3}}, "sizes: unknown key 'widht'; did you mean 'width'?"),
        ({"sizes": {"width": 0}}, "sizes.width: 0 is not accepted; accepted: 1 to 4096"),
        ({"strangers": 0.5}, "partners: [] is not accepted; accepted: agents"),
        ({"partners": [3]}, "partners: [3] is not accepted; accepted: a list of agents"),
        ([], "training: [] is not accepted"),
    ],
)
def test_what_is_wrong_is_named(values: Any, message: str) -> None:
    with pytest.raises(ConfigError) as error:
        TrainConfig.from_dict(values)
    assert message in str(error.value)


def test_partners_and_teachers_are_made_before_a_run_begins() -> None:
    with pytest.raises(ValueError, match="did you mean 'odds'"):
        TrainConfig(partners=["oods"], strangers=0.1).check_agents()
    with pytest.raises(ValueError, match="no such file"):
        TrainConfig(teacher="learned:bundle=gone.safetensors").check_agents()
    with pytest.raises(ConfigError, match="agents to play with thief"):
        TrainConfig(hero="thief").check_agents()


def test_a_bundle_to_start_from_must_fit() -> None:
    hard = load_config("hard")
    with pytest.raises(ConfigError, match=r"encoder: 'flat' is not accepted; accepted: 'advised'"):
        hard.overridden(["encoder=flat"]).check_agents()
    with pytest.raises(ConfigError, match="sizes"):
        hard.overridden(["sizes.width=64"]).check_agents()
    with pytest.raises(ValueError, match="no such file"):
        hard.overridden(["start_from=gone.safetensors"]).check_agents()


def test_a_file_is_named_in_its_errors(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("steps: 5\nsteps: 6\n")
    with pytest.raises(ConfigError, match=r"mine\.yaml: key 'steps' is given twice"):
        load_config(path)
    path.write_text("!!python/object/apply:os.system ['true']")
    with pytest.raises(ConfigError, match=r"mine\.yaml"):
        load_config(path)
    with pytest.raises(ConfigError, match="did you mean 'normal'"):
        load_config("norml")


def test_a_hero_that_is_not_in_every_game_is_refused() -> None:
    three = TrainConfig(hero="thief", partners=["odds"], games={"players": 3})
    with pytest.raises(ValueError, match="thief"):
        three.check_agents()
    named = {"players": 3, "heroes": ["thief", "bard", "cleric"]}
    TrainConfig(hero="thief", partners=["odds"], games=named).check_agents()


@pytest.mark.parametrize(
    ("games", "heroes"),
    [
        ({"players": 4}, ("barbarian", "bard", "cleric", "thief")),
        ({"players": 1}, ("barbarian", "bard", "cleric")),
        ({"players": 3, "heroes": ["thief", "bard", "cleric"]}, ("bard", "cleric", "thief")),
    ],
)
def test_only_heroes_whose_networks_are_asked_count_as_learners(
    games: dict[str, Any], heroes: tuple[str, ...]
) -> None:
    assert TrainConfig(games=games).learners() == heroes
