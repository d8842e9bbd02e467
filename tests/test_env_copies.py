"""Copies of an environment in the middle of a game go on as the original does."""

import copy
import pickle

import numpy as np
import pytest

import tenefyr_env
from tenefyr_env import TenefyrEnv


def saved_and_loaded(env: TenefyrEnv, tmp_path) -> TenefyrEnv:
    path = tmp_path / "env.pickle"
    path.write_bytes(pickle.dumps(env))
    return pickle.loads(path.read_bytes())


COPIES = {
    "deepcopy": lambda env, _: copy.deepcopy(env),
    "pickle": lambda env, _: pickle.loads(pickle.dumps(env)),
    "file": saved_and_loaded,
}


def view(env: TenefyrEnv) -> tuple:
    """All that an environment shows."""
    if not env.agents:
        return ()
    shown = [
        (a, env.observe(a)["observation"].tobytes(), env.observe(a)["action_mask"].tobytes())
        for a in env.agents
    ]
    flags = (env.terminations, env.truncations, env.rewards, env._cumulative_rewards)
    infos = {a: info["action_mask"].tobytes() for a, info in env.infos.items()}
    return (env.agent_selection, shown, copy.deepcopy(flags), infos, env.state().tobytes())


def step(env: TenefyrEnv, lot: float) -> None:
    legal = np.flatnonzero(env.infos[env.agent_selection]["action_mask"])
    env.step(int(legal[int(lot * len(legal))]) if len(legal) else None)


@pytest.mark.parametrize("how", COPIES)
@pytest.mark.parametrize("reward", ["sparse", "shaped"])
def test_a_copy_at_any_step_goes_on_identically(how, reward, tmp_path):
    env = tenefyr_env.env(players=3, mode="quick", joint_choice="vote", reward=reward)
    env.reset(seed=6)
    lots = np.random.default_rng(6)
    number = 0
    while env.agents:
        other = COPIES[how](env, tmp_path)
        assert view(other) == view(env)
        ahead = lots.random(4)
        twin = copy.deepcopy(env)
        for lot in ahead:
            if other.agents:
                step(other, lot)
                step(twin, lot)
            assert view(other) == view(twin)
        assert view(env) != view(other)  # the original was not touched
        step(env, ahead[0])
        number += 1
    assert number > 20


@pytest.mark.parametrize("how", COPIES)
def test_a_copy_has_the_same_seeds_to_come(how, tmp_path):
    env = tenefyr_env.env(players=2)
    env.reset(seed=1)
    other = COPIES[how](env, tmp_path)
    for _ in range(3):
        env.reset()
        other.reset()
        assert view(other) == view(env)


@pytest.mark.parametrize("how", COPIES)
def test_a_copy_can_be_made_before_the_first_game(how, tmp_path):
    env = COPIES[how](tenefyr_env.env(players=2), tmp_path)
    with pytest.raises(RuntimeError, match="call reset first"):
        env.step(0)
    env.reset(seed=0)
    assert len(env.agents) == 2


@pytest.mark.parametrize("how", COPIES)
def test_a_copy_uses_the_code_that_is_compiled(how, tmp_path):
    """Compiled code is for a read-only card table; another kind would be compiled anew."""
    env = tenefyr_env.env(players=2)
    env.reset(seed=0)
    other = COPIES[how](env, tmp_path)
    assert not other.card_set.table.flags.writeable
    assert not other.game.table.flags.writeable
