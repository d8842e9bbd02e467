"""One policy for the whole party: every row is answered by the acting hero's own network."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.distributions import MaskableDistribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from torch import Tensor, nn

from agents.learning.networks import EntityNetwork, FlatNetwork
from tenefyr_env.cards.vocabulary import Hero
from tenefyr_env.spaces.entities import OF_PLAYER, T_HERO, T_OWNER, T_PLACE
from tenefyr_env.spaces.flat import HEROES, PLAYERS_AT

NUM_HEROES = len(Hero)
HUGE = 1e8  # taken from the score of an illegal action: its probability is exactly 0
BELOW_ONE = 1 - 1e-6  # so that rounding leaves a sum above every lot
SHARED = "shared"  # the name of the one network that all heroes share

Seen = Tensor | dict[str, Tensor]


def acting_heroes(seen: Seen) -> Tensor:
    """The hero that decides in each row: a player of two is known by the first."""
    if isinstance(seen, dict):
        tokens = seen["entities"]
        is_observer = (tokens[:, :, T_PLACE + OF_PLAYER] != 0) & (tokens[:, :, T_OWNER] != 0)
        rows = torch.arange(len(tokens))
        bits = tokens[rows, is_observer.to(torch.int8).argmax(1), T_HERO : T_HERO + NUM_HEROES]
    else:
        first = PLAYERS_AT + HEROES
        bits = seen[:, first : first + NUM_HEROES]
    return bits.argmax(1)


def rows_of(seen: Seen, rows: Tensor) -> Seen:
    """Some rows of what is seen."""
    if isinstance(seen, dict):
        return {name: part[rows] for name, part in seen.items()}
    return seen[rows]


def make_network(encoder: str, heroes: int, sizes: dict[str, int]) -> nn.Module:
    """The network that reads this encoder's observations."""
    if encoder == "entities":
        return EntityNetwork(heroes, **sizes)
    return FlatNetwork(encoder, heroes, **sizes)


class Party(nn.Module):
    """The networks of all heroes, or the one they share."""

    def __init__(self, encoder: str, shared: bool, sizes: dict[str, int]) -> None:
        super().__init__()
        names = [SHARED] if shared else [hero.name.lower() for hero in Hero]
        embedded = NUM_HEROES if shared else 0
        self.encoder, self.shared, self.sizes = encoder, shared, dict(sizes)
        self.networks = nn.ModuleDict(
            {name: make_network(encoder, embedded, sizes) for name in names}
        )

    def forward(self, seen: Seen) -> tuple[Tensor, Tensor]:
        """Scores of all actions and the expected return, each row by its hero's network."""
        heroes = acting_heroes(seen)
        if self.shared:
            return self.networks[SHARED](seen, heroes)  # type: ignore[no-any-return]
        parts = [torch.nonzero(heroes == hero).flatten() for hero in range(NUM_HEROES)]
        answers = [
            network(rows_of(seen, rows))
            for network, rows in zip(self.networks.values(), parts, strict=True)
            if len(rows)
        ]
        order = torch.cat(parts)
        back = torch.empty_like(order)
        back[order] = torch.arange(len(order))
        logits, values = (torch.cat(each) for each in zip(*answers, strict=True))
        return logits[back], values[back]


def masked(logits: Tensor, masks: Any) -> Tensor:
    """The scores of the legal actions; illegal ones get the probability 0, exactly."""
    if masks is None:
        return logits
    legal = masks != 0 if isinstance(masks, Tensor) else torch.from_numpy(np.asarray(masks) != 0)
    return torch.where(legal.reshape(logits.shape), logits, -HUGE)


class PartyPolicy(MaskableActorCriticPolicy):
    """The party's networks as sb3-contrib's MaskablePPO trains them."""

    def __init__(
        self,
        observation_space: spaces.Space[Any],
        action_space: spaces.Space[Any],
        lr_schedule: Any,
        *,
        encoder: str = "flat",
        shared: bool = False,
        sizes: dict[str, int] | None = None,
        **options: Any,
    ) -> None:
        self.party_options = {"encoder": encoder, "shared": shared, "sizes": sizes or {}}
        super().__init__(observation_space, action_space, lr_schedule, **options)

    def _build(self, lr_schedule: Any) -> None:
        self.party = Party(**self.party_options)  # type: ignore[arg-type]
        self.optimizer = self.optimizer_class(
            self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs
        )

    def forward(
        self, obs: Any, deterministic: bool = False, action_masks: Any = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """An action for each row, the return it expects, and the action's log-probability."""
        logits, values = self.party(obs)
        scores = masked(logits, action_masks)
        actions = scores.argmax(1) if deterministic else drawn(torch.softmax(scores, 1))
        return actions, values, log_probs_of(actions, torch.log_softmax(scores, 1))

    def evaluate_actions(
        self, obs: Any, actions: Tensor, action_masks: Any = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """The expected return, the actions' log-probabilities, and the entropy of the choice."""
        logits, values = self.party(obs)
        scores = masked(logits, action_masks)
        log_probs = torch.log_softmax(scores, 1)
        entropy = -(torch.softmax(scores, 1) * log_probs).sum(1)  # exp() of -HUGE would be slow
        return values, log_probs_of(actions, log_probs), entropy

    def get_distribution(self, obs: Any, action_masks: Any = None) -> MaskableDistribution:
        """The choice of each row as a distribution of sb3-contrib."""
        logits, _ = self.party(obs)
        distribution = self.action_dist.proba_distribution(action_logits=logits)
        if action_masks is not None:
            distribution.apply_masking(action_masks)
        return distribution

    def predict_values(self, obs: Any) -> Tensor:
        """The return that each row expects, as a column."""
        return self.party(obs)[1][:, None]  # type: ignore[no-any-return]


def log_probs_of(actions: Tensor, log_probs: Tensor) -> Tensor:
    """The log-probability of the action of each row."""
    return log_probs.gather(1, actions[:, None]).squeeze(1)


def drawn(probs: Tensor) -> Tensor:
    """An action for each row by its probability, with one lot a row."""
    sums = probs.cumsum(1)
    lots = torch.rand(len(sums), 1) * sums[:, -1:] * BELOW_ONE
    return (sums > lots).to(torch.int8).argmax(1)  # the first, so none of probability 0
