"""The registered names make the environments, with options, one by one and as vectors."""

import subprocess
import sys

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gym_play import SHORT, legal_rows, play_out, same

import tenefyr_env
from tenefyr_env import Game, GameConfig
from tenefyr_env.registration import register_envs, register_pettingzoo


@pytest.mark.parametrize("name", ["Tenefyr/Party-v0", "Tenefyr/Hero-v0"])
def test_gymnasium_makes_an_env_that_plays_a_game(name: str) -> None:
    made = gymnasium.make(name, players=3, **SHORT)
    _, info = made.reset(seed=1)
    assert play_out(made, info, 0)
    made.close()


@pytest.mark.parametrize("name", ["Tenefyr/Party-v0", "Tenefyr/Hero-v0"])
@pytest.mark.parametrize("way", [None, "sync"])
def test_gymnasium_makes_vectors(name: str, way: str | None) -> None:
    envs = gymnasium.make_vec(name, num_envs=3, vectorization_mode=way, players=3)
    assert isinstance(envs.unwrapped, gymnasium.vector.SyncVectorEnv) == (way == "sync")
    seen, infos = envs.reset(seed=1)
    assert seen in envs.observation_space
    rng = np.random.default_rng(0)
    for _ in range(20):
        seen, rewards, ended, truncated, infos = envs.step(legal_rows(seen["action_mask"], rng))
    assert rewards.shape == ended.shape == truncated.shape == (3,)
    assert (infos["action_mask"] == seen["action_mask"]).all()
    envs.close()


def test_every_api_gives_the_game_of_the_seed() -> None:
    game = Game.new(GameConfig(players=3), 17)
    party = gymnasium.make("Tenefyr/Party-v0", players=3)
    party.reset(seed=17)
    assert same(party.unwrapped.game, game)  # type: ignore[attr-defined]
    envs = gymnasium.make_vec("Tenefyr/Party-v0", num_envs=2, players=3)
    envs.reset(seed=16)
    assert same(envs.unwrapped.batch.game(1), game)  # type: ignore[attr-defined]
    batch = tenefyr_env.Batch(2, GameConfig(players=3), seed=16)
    assert same(batch.game(1), game)
    aec = pettingzoo.make("aec", "tenefyr_v0", players=3)
    aec.reset(seed=17)
    assert same(aec.game, game)
    starter = game.decision.seat  # the hero who is asked first is not preceded by partners
    hero = gymnasium.make("Tenefyr/Hero-v0", players=3, hero=starter)
    hero.reset(seed=17)
    assert same(hero.unwrapped.game, game)  # type: ignore[attr-defined]


def test_registering_twice_changes_nothing() -> None:
    before = gymnasium.spec("Tenefyr/Party-v0")
    register_envs()  # a warning would be an error
    assert gymnasium.spec("Tenefyr/Party-v0") is before


def test_a_pettingzoo_without_a_registry_is_no_obstacle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(pettingzoo, "register")
    register_pettingzoo()


def test_importing_the_package_starts_nothing_large() -> None:
    code = "import sys, tenefyr_env; print([m for m in ('torch', 'pygame') if m in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
