"""sb3-contrib's MaskablePPO for a party: our buffers, schedules, and a clock for each part."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import gymnasium
from sb3_contrib import MaskablePPO

from agents.learning.buffer import PartyBuffer, PartyDictBuffer
from agents.learning.checkpoint import RECENT_GAMES
from agents.learning.config import TrainConfig
from agents.learning.policy import PartyPolicy
from agents.learning.vec_env import PartyVecEnv

ADAM_EPSILON = 1e-5
SEEDS_APART = 10**6  # first seeds of two runs: their rows do not start from the same games


class Clock(Counter[str]):
    """Seconds by what they were spent on."""

    @contextmanager
    def on(self, what: str) -> Iterator[None]:
        """Count the time of a block."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self[what] += time.perf_counter() - start


class TimedVecEnv(PartyVecEnv):
    """A VecEnv that counts the time it takes: stepping, observations and masks."""

    clock: Clock

    def step_wait(self) -> Any:
        with self.clock.on("environment"):
            return super().step_wait()

    def action_masks(self) -> Any:
        with self.clock.on("environment"):
            return super().action_masks()


class PartyPPO(MaskablePPO):
    """PPO whose weights of entropy and credit move with the run."""

    def __init__(self, config: TrainConfig, env: TimedVecEnv, clock: Clock) -> None:
        is_dict = isinstance(env.observation_space, gymnasium.spaces.Dict)
        self.config, self.clock = config, clock
        super().__init__(
            PartyPolicy,
            env,
            learning_rate=lambda left: between(config.learning_rate, 1 - left),
            n_steps=config.rollout,
            batch_size=config.batch,
            n_epochs=config.epochs,
            gamma=config.gamma,
            gae_lambda=config.gae_lambda,
            clip_range=config.clip,
            vf_coef=config.value_weight,
            max_grad_norm=config.max_grad_norm,
            rollout_buffer_class=PartyDictBuffer if is_dict else PartyBuffer,
            rollout_buffer_kwargs={"seed": config.seed},
            stats_window_size=RECENT_GAMES,
            policy_kwargs={
                "encoder": config.encoder,
                "shared": config.shared,
                "sizes": dict(config.sizes),
                "optimizer_kwargs": {"eps": ADAM_EPSILON},
            },
            seed=config.seed,
            device="cpu",
        )
        env.seed(config.seed * SEEDS_APART)  # SB3 has just given it the seed of the networks

    def collect_rollouts(self, env: Any, *args: Any, **options: Any) -> bool:
        """Play on; the schedules stand where the run stands."""
        done = min(1.0, self.num_timesteps / self.config.steps)
        self.ent_coef = between(self.config.entropy, done)
        for group in env.groups:
            group.credit = between(self.config.credit, done)
        aside = self.clock["evaluation"] + self.clock["checkpoints"]  # between two rollouts
        with self.clock.on("collecting"):
            going_on = super().collect_rollouts(env, *args, **options)
        self.clock["collecting"] -= self.clock["evaluation"] + self.clock["checkpoints"] - aside
        return going_on

    def train(self) -> None:
        """Learn from what was collected."""
        with self.clock.on("learning"):
            super().train()


def between(ends: tuple[float, float], done: float) -> float:
    """A straight line from the first to the second."""
    return ends[0] + (ends[1] - ends[0]) * done


def make_env(config: TrainConfig, clock: Clock) -> TimedVecEnv:
    """The games that a run learns from."""
    env = TimedVecEnv(
        config.rows,
        config.game_configs(),
        encoder=config.encoder,
        reward=config.reward,
        gamma=config.gamma,
        hero=config.hero,
        partners=config.partners,
        strangers=config.strangers,
        credit=config.credit[0],
    )
    env.clock = clock
    return env
