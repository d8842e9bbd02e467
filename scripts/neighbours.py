"""Neighbouring environments through the same loops as ours, for the benchmark.

They need packages of their own: `make bench` installs them into an environment apart.
"""

import random
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

RUN_SECONDS = 1.0
RUNS = 3


def best_rate(play: Callable[[], int]) -> int:
    """Decisions a second: the best of several runs, each of whole games."""
    play()  # warm
    return round(max(_rate(play) for _ in range(RUNS)))


def _rate(play: Callable[[], int]) -> float:
    start, decisions = time.perf_counter(), 0
    while time.perf_counter() - start < RUN_SECONDS:
        decisions += play()
    return decisions / (time.perf_counter() - start)


def aec_game(env: Any) -> Callable[[], int]:
    """A PettingZoo game with `agent_iter`, `last`, a masked random choice and `step`."""
    seeds = iter(range(10**9))

    def play() -> int:
        env.reset(seed=next(seeds))
        decisions = 0
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            env.step(masked_choice(observation["action_mask"]))
            decisions += 1
        return decisions

    return play


def masked_choice(mask: Any) -> int:
    """A uniformly random legal action."""
    legal = np.asarray(mask).nonzero()[0]
    return int(legal[int(random.random() * len(legal))])


def pettingzoo_aec_per_s(name: str) -> int | None:
    """A game of PettingZoo's classic family, or None where it is not installed."""
    try:
        env = import_module(f"pettingzoo.classic.{name}").env()
        env.reset(seed=0)
    except ImportError:
        return None
    return best_rate(aec_game(env))


def openspiel_hanabi_per_s() -> int | None:
    """OpenSpiel's Hanabi with observation tensor and mask, or None where it is not installed."""
    try:
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game("hanabi")

    def play() -> int:
        state, decisions = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                actions, chances = zip(*outcomes, strict=True)
                state.apply_action(random.choices(actions, chances)[0])
                continue
            state.observation_tensor()
            state.apply_action(masked_choice(state.legal_actions_mask()))
            decisions += 1
        return decisions

    return best_rate(play)
