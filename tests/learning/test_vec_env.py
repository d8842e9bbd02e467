"""SB3's VecEnv on batches: masks in one call, ends told right, partners inside."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported

from agents.learning.vec_env import PartyVecEnv
from tenefyr_env import Batch, GameConfig
from tenefyr_env.engine.actions import NUM_ACTIONS

EASY = GameConfig(players=2, difficulty="easy")


def random_actions(env: PartyVecEnv, random: np.random.Generator) -> Any:
    masks = env.action_masks()
    return np.argmax(masks * (1 - random.random(masks.shape)), axis=1)


def test_masks_of_all_rows_come_in_one_call() -> None:
    env = PartyVecEnv(6, EASY)
    env.reset()
    assert is_masking_supported(env)
    masks = get_action_masks(env)
    assert masks.shape == (6, NUM_ACTIONS)
    assert (masks == env.groups[0].batch.masks).all()
    assert env.env_method("action_masks", indices=[2]).shape == (1, NUM_ACTIONS)


def test_rows_are_the_games_of_a_batch() -> None:
    env, batch = PartyVecEnv(8, EASY, seed=5), Batch(8, EASY, seed=5)
    random = np.random.default_rng(0)
    seen = env.reset()
    for _ in range(300):
        assert (seen == batch.observations).all()
        assert (env.seats == batch.seats).all()
        actions = random_actions(env, random)
        seen, rewards, ended, _ = env.step(actions)
        batch.step(actions)
        assert (rewards == batch.rewards).all()
        assert (ended == batch.ended).all()


def test_the_last_observation_of_a_game_is_told_and_not_the_first_of_the_next() -> None:
    env, batch = PartyVecEnv(8, EASY, seed=5), Batch(8, EASY, seed=5)
    random = np.random.default_rng(0)
    env.reset()
    told = 0
    for _ in range(300):
        actions = random_actions(env, random)
        _, _, ended, infos = env.step(actions)
        batch.step(actions)
        rows = np.flatnonzero(ended)
        for row, last in zip(rows, batch.final_observations(rows), strict=True):
            assert (infos[row]["terminal_observation"] == last).all()
            assert infos[row]["is_success"] is False
            told += 1
        assert all("terminal_observation" not in infos[row] for row in np.flatnonzero(~ended))
    assert told > 8


def test_returns_and_lengths_of_episodes_are_counted() -> None:
    env = PartyVecEnv(4, EASY, reward="shaped")
    random = np.random.default_rng(0)
    env.reset()
    returns, lengths = np.zeros(4), np.zeros(4, int)
    for _ in range(300):
        _, rewards, ended, infos = env.step(random_actions(env, random))
        returns, lengths = returns + rewards, lengths + 1
        for row in np.flatnonzero(ended):
            assert infos[row]["episode"]["r"] == pytest.approx(returns[row], abs=1e-5)
            assert infos[row]["episode"]["l"] == lengths[row]
            returns[row], lengths[row] = 0, 0


def test_observations_stay_as_they_were_after_a_later_step() -> None:
    env = PartyVecEnv(4, EASY)
    seen = env.reset()
    before = seen.copy()
    env.step(random_actions(env, np.random.default_rng(0)))
    assert (seen == before).all()


def test_rows_are_shared_out_to_several_configurations() -> None:
    configs = [GameConfig(players=players) for players in (1, 2, 3, 4)]
    env = PartyVecEnv(10, configs)
    env.reset()
    assert sum(group.num_envs for group in env.groups) == 10
    assert [group.config.players for group in env.groups] == [1, 2, 3, 4]
    assert env.action_masks().shape == (10, NUM_ACTIONS)
    with pytest.raises(ValueError, match="num_envs 3: accepted are numbers from 4"):
        PartyVecEnv(3, configs)


def test_one_hero_learns_and_partners_play_the_rest() -> None:
    env = PartyVecEnv(16, GameConfig(difficulty="easy"), hero="thief", partners=["odds", "greedy"])
    random = np.random.default_rng(0)
    env.reset()
    for _ in range(60):
        batch = env.groups[0].batch
        acting = batch.states["heroes"][np.arange(16), batch.seats]
        assert (acting == 8).all()  # the thief's bit
        env.step(random_actions(env, random))


def test_a_share_of_the_games_has_strangers() -> None:
    env = PartyVecEnv(400, GameConfig(), partners=["greedy"], strangers=0.25)
    env.reset()
    seats = env.groups[0]._hero_seats
    assert (seats >= 0).mean() == pytest.approx(0.25, abs=0.07)
    assert set(seats.tolist()) == {-1, 0, 1, 2, 3}


def test_a_missing_partner_is_refused() -> None:
    with pytest.raises(ValueError, match="partners"):
        PartyVecEnv(4, EASY, hero="thief")
    with pytest.raises(ValueError, match="did you mean 'greedy'"):
        PartyVecEnv(4, EASY, partners=["gredy"], strangers=0.5)


def test_a_defeat_earns_credit_by_how_near_it_came() -> None:
    plain = PartyVecEnv(64, GameConfig(difficulty="easy"), seed=3)
    paid = PartyVecEnv(64, GameConfig(difficulty="easy"), seed=3, credit=0.5)
    random = np.random.default_rng(0)
    plain.reset(), paid.reset()
    for _ in range(400):
        actions = random_actions(plain, random)
        _, sparse, ended, _ = plain.step(actions)
        _, credited, _, _ = paid.step(actions)
        batch = paid.groups[0].batch
        for row in np.flatnonzero(ended):
            last = batch.last_positions(np.array([row]))[0]
            beaten = int(last["boss_stages"])
            share = beaten / (beaten + int(last["dungeon_size"][10]))
            assert credited[row] == pytest.approx(0.5 * share)
        assert (credited[~ended] == sparse[~ended]).all()


@pytest.mark.parametrize("options", [{}, {"partners": ["random"], "strangers": 0.5}])
def test_games_go_on_from_where_they_were_saved(options: dict[str, Any]) -> None:
    env, other = (PartyVecEnv(12, EASY, seed=1, **options) for _ in range(2))
    random = np.random.default_rng(0)
    env.reset(), other.reset()
    for _ in range(100):
        env.step(random_actions(env, random))
    arrays, values = env.save()
    other.restore({name: array.copy() for name, array in arrays.items()}, values)
    assert (other.observations() == env.observations()).all()
    for _ in range(150):
        actions = random_actions(env, random)
        first, second = env.step(actions), other.step(actions)
        for one, two in zip(first[:3], second[:3], strict=True):
            assert (one == two).all()
