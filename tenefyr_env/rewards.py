"""Rewards: what the party earns, the same for every hero.

`sparse`  1 for a victory, else 0.
`shaped`  the same plus potential-based shaping, gamma * potential(after) - potential(before), with
          the potential 0 at the start and after the end: the best policy stays the best one (Ng,
          Harada and Russell 1999). Give the discount your learner uses as `gamma`.
"""

import numpy as np

from tenefyr_env.engine.state import Outcome
from tenefyr_env.game import Game
from tenefyr_env.spaces.rows import NO_SHAPING, potentials_of

OPEN, WON = int(Outcome.OPEN), int(Outcome.WON)
REWARDS = ("sparse", "shaped")


def shaping_gamma(reward: str, gamma: float) -> float:
    """The discount of the shaping, or NO_SHAPING."""
    if reward not in REWARDS:
        raise ValueError(f"reward {reward!r}: accepted are {', '.join(REWARDS)}")
    if not 0 <= gamma <= 1:
        raise ValueError(f"gamma {gamma!r}: accepted are 0 to 1")
    return float(gamma) if reward == "shaped" else NO_SHAPING


class PotentialReward:
    """The reward of one game, step by step."""

    def __init__(self, reward: str, gamma: float) -> None:
        self.gamma = shaping_gamma(reward, gamma)
        self._potential = 0.0

    def start(self, game: Game) -> None:
        """A game begins, or goes on from a position."""
        self._potential = self._potential_of(game)

    def after_step(self, game: Game, outcome: int) -> float:
        """What the step has earned that led to this outcome."""
        earned = 1.0 if outcome == WON else 0.0
        if self.gamma == NO_SHAPING:
            return earned
        before = self._potential
        self._potential = 0.0 if outcome != OPEN else self._potential_of(game)
        return earned + self.gamma * self._potential - before

    def forfeit(self) -> float:
        """What is earned when the game is given up."""
        return 0.0 if self.gamma == NO_SHAPING else -self._potential

    def _potential_of(self, game: Game) -> float:
        if self.gamma == NO_SHAPING:
            return 0.0
        out = np.zeros(1)
        potentials_of(game.states, out)
        return float(out[0])
