"""The party in a Gymnasium vector environment: SAME_STEP, seeds, ownership, illegal actions."""

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gym_play import SHORT, TABLES, legal_rows, same, vector_story
from gymnasium.vector import AutoresetMode

from tenefyr_env import Batch, Game, GameConfig, IllegalAction, PartyVectorEnv

ROWS = 6


@pytest.mark.parametrize("fields", TABLES)
def test_row_i_is_the_game_of_seed_plus_i(fields: dict[str, Any]) -> None:
    envs = PartyVectorEnv(ROWS, **fields)
    seen, infos = envs.reset(seed=40)
    assert seen in envs.observation_space
    for row in range(ROWS):
        game = Game.new(GameConfig(**fields), 40 + row)
        assert same(envs.batch.game(row), game)
        assert (seen["action_mask"][row] == game.legal_mask()).all()
        assert infos["seat"][row] == game.decision.seat


def test_vector_steps_are_the_steps_of_the_batch() -> None:
    envs = PartyVectorEnv(ROWS, reward="shaped", **SHORT)
    batch = Batch(ROWS, GameConfig(**SHORT), seed=3, reward="shaped")
    seen, _ = envs.reset(seed=3)
    rng = np.random.default_rng(0)
    for _ in range(300):
        actions = legal_rows(seen["action_mask"], rng)
        seen, rewards, ended, truncated, infos = envs.step(actions)
        batch.step(actions)
        assert (seen["observation"] == batch.observations).all()
        assert (seen["action_mask"] == infos["action_mask"]).all()
        assert (seen["action_mask"] == batch.masks).all()
        assert (infos["seat"] == batch.seats).all()
        assert (rewards == batch.rewards).all()
        assert (ended == batch.ended).all()
        assert not truncated.any()


def test_a_finished_row_shows_its_end_and_starts_anew_in_the_same_step() -> None:
    envs = PartyVectorEnv(ROWS, **SHORT)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    seen, _ = envs.reset(seed=8)
    games = [Game.new(GameConfig(**SHORT), 8 + row) for row in range(ROWS)]
    rng = np.random.default_rng(0)
    num_ends = 0
    while num_ends < 20:
        actions = legal_rows(seen["action_mask"], rng)
        seen, rewards, ended, _, infos = envs.step(actions)
        assert seen["action_mask"].any(axis=1).all()
        assert ("final_obs" in infos) == ended.any()
        for row, game in enumerate(games):
            game.step(int(actions[row]))
            assert game.is_over == ended[row]
            if not ended[row]:
                continue
            num_ends += 1
            check_end(envs, infos, row, game)
            assert rewards[row] == infos["final_info"]["won"][row]
            games[row] = envs.batch.game(row)


def check_end(envs: PartyVectorEnv, infos: dict[str, Any], row: int, game: Game) -> None:
    """What was seen last is what seat 0 sees at the end of the game."""
    final = infos["final_obs"][row]
    out = envs.batch.encoder.empty(1)
    envs.batch.encoder.encode(game.states, game.table, np.zeros(1, np.int64), out)
    assert (final["observation"] == out[0]).all()
    assert not final["action_mask"].any()
    assert final in envs.single_observation_space
    assert infos["_final_obs"][row]
    assert infos["_final_info"][row]
    assert infos["final_info"]["_won"][row]
    assert infos["final_info"]["won"][row] == (game.outcome == 1)


def test_rows_that_go_on_have_no_final_observation() -> None:
    envs = PartyVectorEnv(ROWS, **SHORT)
    seen, _ = envs.reset(seed=8)
    rng = np.random.default_rng(0)
    infos: dict[str, Any] = {}
    while "final_obs" not in infos:
        seen, _, ended, _, infos = envs.step(legal_rows(seen["action_mask"], rng))
    assert (infos["_final_obs"] == ended).all()
    assert all(infos["final_obs"][row] is None for row in np.flatnonzero(~ended))


@pytest.mark.parametrize("is_copied", [True, False])
def test_only_with_copy_false_the_arrays_are_those_of_the_batch(is_copied: bool) -> None:
    envs = PartyVectorEnv(ROWS, copy=is_copied)
    seen, infos = envs.reset(seed=0)
    seen, rewards, _, _, infos = envs.step(legal_rows(seen["action_mask"], np.random.default_rng()))
    pairs = [
        (seen["observation"], envs.batch.observations),
        (seen["action_mask"], envs.batch.masks),
        (infos["seat"], envs.batch.seats),
        (rewards, envs.batch.rewards),
    ]
    for given, owned in pairs:
        assert np.shares_memory(given, owned) != is_copied


def test_unseeded_resets_go_on_with_the_stream() -> None:
    envs, others = PartyVectorEnv(ROWS), PartyVectorEnv(ROWS)
    first = envs.reset(seed=1)[0]["observation"]
    second = envs.reset()[0]["observation"]
    others.reset(seed=1)
    assert (others.reset()[0]["observation"] == second).all()
    assert (first != second).any()


def test_an_illegal_action_raises_and_steps_no_row() -> None:
    envs = PartyVectorEnv(ROWS)
    seen, _ = envs.reset(seed=0)
    before = envs.batch.states.copy()
    actions = legal_rows(seen["action_mask"], np.random.default_rng(0))
    actions[3] = np.flatnonzero(seen["action_mask"][3] == 0)[0]
    with pytest.raises(IllegalAction, match="row 3: action"):
        envs.step(actions)
    assert (envs.batch.states == before).all()


@pytest.mark.parametrize("wrong", [-1, 10_000, None])
def test_an_illegal_action_costs_its_row_a_penalty(wrong: int | None) -> None:
    envs = PartyVectorEnv(ROWS, illegal="penalty")
    seen, _ = envs.reset(seed=0)
    before = envs.batch.game(3)
    actions = legal_rows(seen["action_mask"], np.random.default_rng(0))
    actions[3] = np.flatnonzero(seen["action_mask"][3] == 0)[0] if wrong is None else wrong
    _, rewards, ended, _, _ = envs.step(actions)
    assert rewards[3] == pytest.approx(-0.1)
    assert not rewards[[0, 1, 2, 4, 5]].any()
    assert not ended.any()
    assert same(envs.batch.game(3), before)
    assert envs.batch.states["num_decisions"].tolist() == [1, 1, 1, 0, 1, 1]


def test_an_illegal_action_ends_its_rows_game() -> None:
    envs = PartyVectorEnv(ROWS, illegal="terminate")
    seen, _ = envs.reset(seed=0)
    actions = legal_rows(seen["action_mask"], np.random.default_rng(0))
    actions[3] = np.flatnonzero(seen["action_mask"][3] == 0)[0]
    later, rewards, ended, _, infos = envs.step(actions)
    assert ended.tolist() == [False, False, False, True, False, False]
    assert not rewards.any()
    assert (infos["final_obs"][3]["action_mask"] == 0).all()
    assert infos["final_info"]["illegal"].tolist() == ended.tolist()
    assert (later["observation"][3] != seen["observation"][3]).any()


@pytest.mark.parametrize("way", ["deepcopy", "pickle"])
def test_a_copy_in_mid_game_goes_on_identically(way: str) -> None:
    envs = PartyVectorEnv(ROWS, reward="shaped", **SHORT)
    envs.reset(seed=5)
    vector_story(envs, envs.batch.masks.copy(), 1, 30)
    twin = copy.deepcopy(envs) if way == "deepcopy" else pickle.loads(pickle.dumps(envs))
    masks = envs.batch.masks.copy()
    assert vector_story(twin, masks, 2, 200) == vector_story(envs, masks, 2, 200)
    assert (twin.reset()[0]["observation"] == envs.reset()[0]["observation"]).all()


@pytest.mark.parametrize("way", ["deepcopy", "pickle"])
def test_a_copied_batch_goes_on_identically(way: str) -> None:
    batch, rng = Batch(ROWS, GameConfig(**SHORT), reward="shaped"), np.random.default_rng(0)
    for _ in range(30):
        batch.step(legal_rows(batch.masks, rng))
    twin = copy.deepcopy(batch) if way == "deepcopy" else pickle.loads(pickle.dumps(batch))
    for _ in range(200):
        actions = legal_rows(batch.masks, rng)
        batch.step(actions)
        twin.step(actions)
        assert (twin.observations == batch.observations).all()
        assert (twin.rewards == batch.rewards).all()
    assert (twin.states == batch.states).all()


def test_every_rows_table_is_rendered() -> None:
    envs = gymnasium.make_vec("Tenefyr/Party-v0", num_envs=2, render_mode="ansi")
    envs.reset(seed=0)
    tables = envs.render()
    assert tables is not None
    assert len(tables) == 2
    assert tables[0] != tables[1]
