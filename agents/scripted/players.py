"""The scripted players as agents: a batch of decisions is answered in one compiled call."""

from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from agents.agent import BatchAgent, Turns
from agents.scripted import strategies
from agents.scripted.guide import guide_to
from agents.scripted.play import choose_for_games


class Scripted(BatchAgent):
    """A player by rules of thumb; `strategies.py` says what each does."""

    policy: ClassVar[int]

    def act_batch(
        self, observations: Any, masks: npt.NDArray[np.int8], turns: Turns
    ) -> npt.NDArray[np.int64]:
        actions = np.zeros(len(turns), np.int64)
        tables, guides = turns.card_set.table, guide_to(turns.card_set)
        choose_for_games(turns.states, tables, guides, self.policy, turns.seeds, actions)
        return actions


class Random(Scripted):
    """Any legal action, all alike."""

    policy = strategies.RANDOM


class Greedy(Scripted):
    """The strongest enemy it expects to beat, and on while it wins."""

    policy = strategies.GREEDY


class Careful(Scripted):
    """The safest fight, and home before the next one might be lost."""

    policy = strategies.CAREFUL


class Looter(Scripted):
    """The best loot, at the price of a fight lost now and then."""

    policy = strategies.LOOTER


class Quick(Scripted):
    """Weighs raids and redraws by mean and spread: the player that searches play out games with."""

    policy = strategies.QUICK


class OddsPlayer(Scripted):
    """Weighs raids by expected gain for each step of the track, and hands by exact chances."""

    policy = strategies.ODDS
