"""What heroes earn through the AEC environment, and how games end."""

import importlib.util
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import tenefyr_env
from tenefyr_env import GameConfig, TenefyrEnv, scenario
from tenefyr_env.env import ILLEGAL_PENALTY
from tenefyr_env.rewards import PotentialReward

SCRIPT = Path(__file__).resolve().parents[1] / "scripts" / "fuzz_env.py"


def load_script():
    spec = importlib.util.spec_from_file_location("fuzz_env_script", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


fuzz_env = load_script()


def test_fuzzed_games_of_every_kind_keep_every_promise():
    ends = Counter(
        fuzz_env.play(TenefyrEnv(config, **rest), seed, is_near_end=seed % 3 == 0)
        for seed, (config, rest) in enumerate(fuzz_env.all_kinds())
    )
    assert set(ends) == {"won", "lost", "given up"}


def won_position(players: int = 3):
    """A game that is won by fighting the boss, whatever is played: 1 is the least hand."""
    config = GameConfig(players=players, take_single_options=False)
    strong = {seat: ["Silver Fang"] if seat == 0 else [] for seat in range(players)}
    return scenario(config, decks=strong, boss_deck=["Kobold"], starter=0)


def test_a_victory_pays_everybody_one_and_says_so():
    game = won_position()
    env = TenefyrEnv(game.config)
    env.reset(options={"game": game})
    for action in ("boss", "keep", "card Silver Fang"):
        assert not any(env.terminations.values())
        env.step(action)
    team = list(env.agents)
    assert env.rewards == dict.fromkeys(team, 1.0)
    assert env.terminations == dict.fromkeys(team, True)
    assert env.truncations == dict.fromkeys(team, False)
    for _ in team:
        _, reward, terminated, truncated, info = env.last()
        assert (reward, terminated, truncated, info["won"]) == (1.0, True, False, True)
        env.step(None)
    assert env.agents == []


def test_a_defeat_pays_nothing_and_says_so():
    game = scenario(
        GameConfig(players=2), decks={0: ["Basic 0"], 1: ["Basic 0"]}, boss_deck=["Hill Troll"]
    )
    env = TenefyrEnv(game.config)
    env.reset(options={"game": game})
    env.step("boss")
    assert env.rewards == dict.fromkeys(env.agents, 0.0)
    assert [info["won"] for info in env.infos.values()] == [False, False]


def team_rewards(env: TenefyrEnv, seed: int) -> list[float]:
    """The team's reward of every step, the same for all heroes.

    The easiest dungeon is preferred and the boss put off, so that some combats are won.
    """
    env.reset(seed=seed)
    choices = np.random.default_rng(seed)
    boss = env.game.action("boss")
    rewards = []
    while not any(env.terminations.values()):
        legal = [action for action in env.game.decision.options if action != boss] or [boss]
        env.step(legal[0] if choices.random() < 0.5 else int(choices.choice(legal)))
        assert len(set(env.rewards.values())) == 1
        rewards.append(next(iter(env.rewards.values())))
    return rewards


@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("gamma", [1.0, 0.99, 0.5])
def test_shaped_rewards_telescope_to_the_sparse_return(players, gamma):
    env = tenefyr_env.env(players=players, reward="shaped", gamma=gamma, mode="quick")
    is_shaped = False
    for seed in range(5):
        rewards = team_rewards(env, seed)
        won = env.infos[env.agents[0]]["won"]
        discounts = gamma ** np.arange(len(rewards))
        is_shaped |= any(rewards[:-1])
        assert np.dot(discounts, rewards) == pytest.approx(won * discounts[-1], abs=1e-9)
    assert is_shaped


def test_a_shaped_victory_telescopes_too():
    game = won_position()
    env = TenefyrEnv(game.config, reward="shaped", gamma=0.9)
    env.reset(options={"game": game})
    rewards = []
    for action in ("boss", "keep", "card Silver Fang"):
        env.step(action)
        rewards.append(next(iter(env.rewards.values())))
    assert np.dot(0.9 ** np.arange(3), rewards) == pytest.approx(0.9**2)


@pytest.mark.parametrize("gamma", [1.0, 0.9])
def test_shaping_telescopes_over_penalties_and_surrender(gamma):
    for illegal, lost in (("penalty", ILLEGAL_PENALTY), ("terminate", 0.0)):
        env = tenefyr_env.env(players=2, reward="shaped", gamma=gamma, illegal=illegal)
        env.reset(seed=1)
        choices = np.random.default_rng(1)
        rewards, refused = [], None
        while not any(env.terminations.values()):
            legal = np.flatnonzero(env.game.state.legal)
            is_illegal = refused is None and env.game.state.combats_won == 3
            env.step(-1 if is_illegal else int(choices.choice(legal)))
            refused = len(rewards) if is_illegal else refused
            rewards.append(next(iter(env.rewards.values())))
        discounts = gamma ** np.arange(len(rewards))
        assert refused is not None
        assert np.dot(discounts, rewards) == pytest.approx(lost * discounts[refused], abs=1e-9)


def test_last_gives_each_hero_all_that_was_earned_since_its_previous_decision():
    env = tenefyr_env.env(players=4, reward="shaped")
    env.reset(seed=2)
    choices = np.random.default_rng(2)
    owed = dict.fromkeys(env.agents, 0.0)
    total, given, waited = 0.0, dict.fromkeys(env.agents, 0.0), 0
    for agent in env.agent_iter():
        _, reward, terminated, _, info = env.last(observe=False)
        assert reward == pytest.approx(owed[agent])
        waited += abs(owed[agent]) > 0
        given[agent] += reward
        owed[agent] = 0.0
        legal = np.flatnonzero(info["action_mask"])
        env.step(None if terminated else int(choices.choice(legal)))
        if not terminated:
            step_reward = next(iter(env.rewards.values()))
            total += step_reward
            owed = {name: value + step_reward for name, value in owed.items()}
    assert waited > 4
    assert given == pytest.approx(dict.fromkeys(given, total), abs=1e-9)


def test_a_reward_says_what_it_accepts():
    with pytest.raises(ValueError, match="gamma nan: accepted are 0 to 1"):
        PotentialReward("shaped", float("nan"))
