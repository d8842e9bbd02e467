"""Every encoder plays through every Gymnasium environment; shaping and penalties agree."""

from typing import Any

import numpy as np
import pytest
from gym_play import SHORT, TABLES, legal, legal_rows

from tenefyr_env import (
    Batch,
    GameConfig,
    HeroEnv,
    HeroVectorEnv,
    PartyEnv,
    PartyVectorEnv,
    ProcessBatch,
)
from tenefyr_env.env import ILLEGAL_PENALTY

POTENTIAL = 0.01  # after the first combat won
ENCODERS = ("flat", "flat_odds", "entities", "text")


@pytest.mark.parametrize("encoder", ENCODERS)
@pytest.mark.parametrize("fields", TABLES)
@pytest.mark.parametrize("kind", [PartyEnv, HeroEnv])
def test_a_full_game_is_seen_within_the_space(
    kind: type[PartyEnv], fields: dict[str, Any], encoder: str
) -> None:
    env = kind(encoder=encoder, difficulty="hard", **fields)
    observation, info = env.reset(seed=1)
    rng, over, num_steps = np.random.default_rng(0), False, 0
    while not over:
        if num_steps % 8 == 0:  # checking a space is slow
            assert observation in env.observation_space
        observation, _, over, _, info = env.step(legal(info["action_mask"], rng))
        num_steps += 1
    assert observation in env.observation_space


@pytest.mark.parametrize("encoder", ENCODERS)
@pytest.mark.parametrize("kind", [PartyVectorEnv, HeroVectorEnv])
def test_rows_and_their_ends_are_seen_within_the_space(
    kind: type[PartyVectorEnv], encoder: str
) -> None:
    envs = kind(4, encoder=encoder, **SHORT)
    seen, _ = envs.reset(seed=1)
    assert seen in envs.observation_space
    rng, infos = np.random.default_rng(0), {}
    while "final_obs" not in infos:
        seen, _, ended, _, infos = envs.step(legal_rows(seen["action_mask"], rng))
    assert seen in envs.observation_space
    for row in np.flatnonzero(ended):
        assert infos["final_obs"][row] in envs.single_observation_space


def test_entities_lie_in_shared_memory_as_in_a_batch() -> None:
    config = GameConfig(**SHORT)
    one = Batch(5, config, encoder="entities")
    rng, num_ends = np.random.default_rng(0), 0
    with ProcessBatch(5, config, encoder="entities", processes=2) as many:
        while not num_ends:
            actions = legal_rows(one.masks, rng)
            one.step(actions)
            many.step(actions)
            rows = np.flatnonzero(one.ended)
            num_ends += len(rows)
            ends, other_ends = one.final_observations(rows), many.final_observations(rows)
            for key in one.observations:
                assert (one.observations[key] == many.observations[key]).all()
                assert (ends[key] == other_ends[key]).all()


def test_texts_cannot_lie_in_shared_memory() -> None:
    with pytest.raises(ValueError, match="encoder 'text'"):
        ProcessBatch(4, encoder="text")


@pytest.mark.parametrize("illegal", ["penalty", "terminate"])
def test_an_illegal_action_earns_the_same_alone_and_in_a_row(illegal: str) -> None:
    """In the middle of a game, where the potential is not 0 and the discount shows."""
    options: dict[str, Any] = {"illegal": illegal, "reward": "shaped", "gamma": 0.5}
    env, envs = PartyEnv(**options), PartyVectorEnv(1, **options)
    _, info = env.reset(seed=9)
    envs.reset(seed=9)
    rng = np.random.default_rng(1)
    while not envs.batch._potentials[0]:
        action = legal(info["action_mask"], rng)
        _, reward, _, _, info = env.step(action)
        assert envs.step([action])[1][0] == pytest.approx(reward, abs=1e-6)
    wrong = int(np.flatnonzero(info["action_mask"] == 0)[0])
    _, reward, over, _, _ = env.step(wrong)
    _, rewards, ended, _, _ = envs.step([wrong])
    assert rewards[0] == pytest.approx(reward, abs=1e-6)
    assert ended[0] == over == (illegal == "terminate")
    lost = ILLEGAL_PENALTY - 0.5 * POTENTIAL if illegal == "penalty" else -POTENTIAL
    assert rewards[0] == pytest.approx(lost, abs=1e-6)
