"""The party as one Gymnasium agent: contract, seeds, illegal actions, copies."""

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gym_play import SHORT, TABLES, legal, play_out, same
from gymnasium.utils.env_checker import check_env

from tenefyr_env import Game, GameConfig, IllegalAction, PartyEnv, env


@pytest.mark.parametrize("fields", TABLES)
def test_party_env_keeps_gymnasiums_contract(fields: dict[str, Any]) -> None:
    made = gymnasium.make("Tenefyr/Party-v0", illegal="penalty", **fields)
    check_env(made.unwrapped)


@pytest.mark.parametrize("fields", TABLES)
def test_party_env_plays_the_engines_game(fields: dict[str, Any]) -> None:
    party = PartyEnv(**fields)
    game = Game.new(GameConfig(**fields), 11)
    rng = np.random.default_rng(1)
    observation, info = party.reset(seed=11)
    over = False
    while not over:
        assert same(party.game, game)
        assert (observation["action_mask"] == game.legal_mask()).all()
        assert info["seat"] == game.decision.seat
        assert info["agent"] == party.aec.agents[info["seat"]]
        assert observation in party.observation_space
        action = legal(info["action_mask"], rng)
        game.step(action)
        observation, reward, over, _, info = party.step(action)
    assert game.is_over
    assert info["won"] == bool(reward)
    assert info["seat"] == 0
    assert not observation["action_mask"].any()


def test_unseeded_resets_follow_the_same_stream_as_the_aec_env() -> None:
    party, aec = PartyEnv(), env()
    party.reset(seed=3)
    aec.reset(seed=3)
    for _ in range(3):
        party.reset()
        aec.reset()
        assert same(party.game, aec.game)


def test_a_game_can_be_taken_up_from_a_position() -> None:
    game = Game.new(GameConfig(), 5)
    game.step(game.decision.options[0])
    party = PartyEnv()
    party.reset(options={"game": game})
    assert same(party.game, game)
    party.step(game.decision.options[0])
    assert not same(party.game, game)


def test_a_finished_position_is_refused() -> None:
    game = Game.new(GameConfig(**SHORT), 5)
    while not game.is_over:
        game.step(game.decision.options[0])
    with pytest.raises(ValueError, match="reset option game: it is over"):
        PartyEnv(**SHORT).reset(options={"game": game})


def test_an_illegal_action_raises_and_changes_nothing() -> None:
    party = PartyEnv()
    _, info = party.reset(seed=2)
    before = party.game.clone()
    wrong = int(np.flatnonzero(info["action_mask"] == 0)[0])
    with pytest.raises(IllegalAction, match="is not legal"):
        party.step(wrong)
    assert same(party.game, before)


def test_an_illegal_action_costs_a_penalty_and_the_choice_stays() -> None:
    party = PartyEnv(illegal="penalty")
    observation, info = party.reset(seed=2)
    wrong = int(np.flatnonzero(info["action_mask"] == 0)[0])
    after, reward, over, _, later = party.step(wrong)
    assert reward == pytest.approx(-0.1)
    assert not over
    assert (after["observation"] == observation["observation"]).all()
    assert (later["action_mask"] == info["action_mask"]).all()


def test_an_illegal_action_ends_the_game_without_legal_actions() -> None:
    party = PartyEnv(illegal="terminate")
    _, info = party.reset(seed=2)
    wrong = int(np.flatnonzero(info["action_mask"] == 0)[0])
    observation, reward, over, _, later = party.step(wrong)
    assert over
    assert reward == 0
    assert later["illegal"] == info["agent"]
    assert not observation["action_mask"].any()


def test_stepping_without_a_game_is_an_error() -> None:
    party = PartyEnv(**SHORT)
    with pytest.raises(RuntimeError, match="call reset first"):
        party.step(0)
    play_out(party, party.reset(seed=1)[1], 1)
    with pytest.raises(RuntimeError, match="call reset first"):
        party.step(0)


@pytest.mark.parametrize("way", ["deepcopy", "pickle", "file"])
def test_a_copy_in_mid_game_goes_on_identically(way: str, tmp_path: Any) -> None:
    party = PartyEnv(reward="shaped", **SHORT)
    _, info = party.reset(seed=4)
    rng = np.random.default_rng(4)
    for _ in range(10):
        info = party.step(legal(info["action_mask"], rng))[4]
    twin = copied(party, way, tmp_path)
    assert play_out(twin, info, 9) == play_out(party, info, 9)
    twin.reset()
    party.reset()
    assert same(twin.game, party.game)


def copied(thing: Any, way: str, folder: Any) -> Any:
    """A copy, by one of the ways users take."""
    if way == "deepcopy":
        return copy.deepcopy(thing)
    if way == "pickle":
        return pickle.loads(pickle.dumps(thing))
    path = folder / "saved.pickle"
    path.write_bytes(pickle.dumps(thing))
    return pickle.loads(path.read_bytes())
