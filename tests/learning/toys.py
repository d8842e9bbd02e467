"""A toy to learn from: one decision a game, and the observation says which action is right."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from stable_baselines3.common.vec_env import VecEnv

from tenefyr_env.engine.actions import NUM_ACTIONS
from tenefyr_env.spaces.encoders import make_encoder
from tenefyr_env.spaces.flat import DECISION_AT, HEROES, PLAYERS_AT

NUM_HEROES = 4
CHOICES = 5  # legal actions of the toy; every other action is illegal


def seen_by_heroes(heroes: Any, signals: Any) -> np.ndarray:
    """Flat observations in which these heroes act, and a section shows these signals."""
    seen = make_encoder("flat").empty(len(heroes))
    seen[:] = 0
    rows = np.arange(len(heroes))
    seen[rows, PLAYERS_AT + HEROES + heroes] = 1
    seen[rows, DECISION_AT + signals] = 1
    return seen


class Toy(VecEnv):
    """Each hero has a right action of its own for each signal."""

    def __init__(self, rows: int, seed: int = 0) -> None:
        self.random = np.random.default_rng(seed)
        self.masks = np.zeros((rows, NUM_ACTIONS), np.int8)
        self.masks[:, :CHOICES] = 1
        space = make_encoder("flat").space
        super().__init__(rows, space, gymnasium.spaces.Discrete(NUM_ACTIONS))

    def reset(self) -> Any:
        self.heroes = self.random.integers(NUM_HEROES, size=self.num_envs)
        self.signals = self.random.integers(3, size=self.num_envs)
        return seen_by_heroes(self.heroes, self.signals)

    def right(self) -> Any:
        return (2 * self.heroes + self.signals) % CHOICES

    def step_async(self, actions: Any) -> None:
        self.actions = actions

    def step_wait(self) -> Any:
        rewards = (self.actions == self.right()).astype(np.float32)
        ended = np.ones(self.num_envs, np.bool_)
        return self.reset(), rewards, ended, [{"is_success": bool(r)} for r in rewards]

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **more: Any) -> Any:
        assert method_name == "action_masks"
        return self.masks

    def get_attr(self, attr_name: str, indices: Any = None) -> Any:
        return [None] * self.num_envs

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        raise AttributeError(attr_name)

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> Any:
        return [False] * self.num_envs

    def close(self) -> None:
        pass
