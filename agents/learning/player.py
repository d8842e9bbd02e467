"""Trained heroes as agents: `learned`, or `learned:bundle=runs/train/quick/best.safetensors`."""

from __future__ import annotations

import copy
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from agents.agent import Agent, Info, Turns
from agents.learning.bundle import Bundle, BundleError, trained_heroes
from agents.learning.policy import Party, acting_heroes, masked, rows_of
from tenefyr_env.config import HERO_NAMES

SHIPPED = Path(__file__).resolve().parents[1] / "heroes" / "normal.safetensors"
CLOSE = 1e-3  # scores whose order single precision does not settle
DICE = 2.0**-53  # of a seed's upper bits, for a number from 0 to 1


class Learned(Agent):
    """Plays what its heroes have learned: the likeliest action, or with `sample` one by lot."""

    def __init__(self, bundle: str = "", sample: bool = False) -> None:
        if type(sample) is not bool:
            raise ValueError(f"sample {sample!r}: accepted are true, false")
        self._take(trained_heroes(bundle or SHIPPED), sample)

    @classmethod
    def of_party(cls, party: Party) -> Learned:
        """The agent of networks that are still being trained."""
        agent = cls.__new__(cls)
        agent.party, agent.heroes, agent.sample = party, tuple(HERO_NAMES), False
        agent.encoder, agent.card_set = party.encoder, ""  # type: ignore[misc]
        return agent

    def _take(self, bundle: Bundle, sample: bool) -> None:
        self.party = bundle.party()
        self.encoder = bundle.encoder  # type: ignore[misc]
        self.heroes, self.card_set, self.sample = bundle.heroes, bundle.card_set, sample

    def act(self, observation: Any, mask: npt.NDArray[np.int8], info: Info) -> int:
        game = info.game
        turns = Turns(game.states, np.array([info.seed], np.int64), game.config, game.card_set)
        if isinstance(observation, dict):
            seen: Any = {name: part[None] for name, part in observation.items()}
        else:
            seen = observation[None]
        return int(self.act_batch(seen, mask[None], turns)[0])

    def act_batch(
        self, observations: Any, masks: npt.NDArray[np.int8], turns: Turns
    ) -> npt.NDArray[np.int64]:
        scores = self.scores(observations, masks, turns)
        if not self.sample:
            return np.asarray(scores.argmax(1).numpy())
        sums = torch.softmax(scores, 1).cumsum(1).numpy()
        lots = (turns.seeds >> 10).astype(np.float64) * DICE * sums[:, -1]
        return np.asarray((sums > lots[:, None]).argmax(1))

    def scores(self, observations: Any, masks: npt.NDArray[np.int8], turns: Turns) -> torch.Tensor:
        """The score of every action, as the acting heroes' networks see it."""
        if self.card_set and turns.card_set.hash != self.card_set:
            raise BundleError(
                f"card set {turns.card_set.hash[:12]}: the heroes know {self.card_set[:12]} only"
            )
        with torch.inference_mode():
            seen = tensors(observations)
            self._check_heroes(seen)
            if self.sample:
                return masked(self._exact_party(seen)[0], masks)
            scores = masked(self.party(seen)[0], masks)
            best = scores.topk(2, 1).values
            close = torch.nonzero(best[:, 0] - best[:, 1] < CLOSE).flatten()
            if len(close):
                exact = self._exact_party(rows_of(seen, close))[0]
                scores = scores.double()
                scores[close] = masked(exact, masks[close.numpy()])
            return scores

    @cached_property
    def _exact_party(self) -> Party:
        """The networks in double precision.

        How a sum is rounded depends on how many rows are computed at once. Where that could decide,
        the scores are computed so exactly that it does not: the same decision, the same answer.
        """
        return copy.deepcopy(self.party).double()

    def _check_heroes(self, seen: Any) -> None:
        if len(self.heroes) == len(HERO_NAMES):
            return
        for number in acting_heroes(seen).unique().tolist():
            if HERO_NAMES[number] not in self.heroes:
                known = ", ".join(self.heroes)
                raise BundleError(f"hero {HERO_NAMES[number]!r}: the bundle has {known} only")


def tensors(observations: Any) -> Any:
    """Observations as tensors; only what must not be written to is copied."""
    if isinstance(observations, dict):
        return {name: tensors(part) for name, part in observations.items()}
    return torch.from_numpy(np.require(observations, requirements="W"))
