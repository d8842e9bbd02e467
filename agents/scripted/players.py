"""The scripted players as agents: a batch of decisions is answered in one compiled call."""

from agents.agent import BatchAgent
from tenefyr_env.engine.actions import NUM_ACTIONS
import numpy as np


class Random(BatchAgent):
    """Any legal action, all alike."""

    def act_batch(self, observations, masks, turns):
        actions = np.zeros(len(turns), np.int64)
        for row in range(len(turns)):
            options = turns.states["options"][row][: turns.states["num_options"][row]]
            actions[row] = options[int(turns.seeds[row]) % len(options)]
        return actions


class Greedy(Random):
    """placeholder"""


Careful = Looter = OddsPlayer = Greedy
