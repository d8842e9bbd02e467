"""Learning from a teacher's games, before the heroes play their own."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import torch
from torch.nn import functional

from agents.learning.lessons import Lessons, TaughtGames, together
from agents.learning.player import tensors
from agents.learning.policy import Party, masked, rows_of

LESSON_BATCH = 2048
GAMES_IN_MEMORY = 16  # reports of a teacher, each of some games: a few hundred megabytes
MAX_NORM = 1.0
VALUE_WEIGHT = 0.5


def teach(
    party: Party,
    games: Sequence[TaughtGames],
    see: Callable[[TaughtGames], Lessons],
    epochs: int,
    rate: float,
    seed: int,
    tell: Callable[[float], None] = lambda share: None,
) -> float:
    """Let the actors do as the teacher did, and the critics expect what came of it.

    `see` plays games again; only a part of them is held in memory at a time. Returns the share of
    the teacher's choices that the actors would have made, over the last epoch. `tell` hears how
    much is done.
    """
    optimizer = torch.optim.Adam(party.parameters(), lr=rate)
    random = np.random.default_rng(seed)
    parts = -(-len(games) // GAMES_IN_MEMORY)
    agreed = total = 0
    party.train()
    for epoch in range(epochs):
        order, agreed, total = random.permutation(len(games)), 0, 0
        for part in range(parts):
            share = (epoch + part / parts) / epochs
            for group in optimizer.param_groups:
                group["lr"] = rate * (1 - share)
            chosen = order[part * GAMES_IN_MEMORY : (part + 1) * GAMES_IN_MEMORY]
            lessons = together([see(games[number]) for number in chosen])
            rows = random.permutation(len(lessons))
            for first in range(0, len(rows), LESSON_BATCH):
                agreed += _learn(party, lessons, rows[first : first + LESSON_BATCH], optimizer)
            total += len(rows)
            tell(share)
    return agreed / total


def _learn(
    party: Party, lessons: Lessons, chosen: np.ndarray, optimizer: torch.optim.Optimizer
) -> int:
    """One step on these decisions; how often actor and teacher agreed."""
    seen = rows_of(tensors(lessons.observations), torch.from_numpy(chosen))
    actions = torch.from_numpy(lessons.actions[chosen])
    logits, values = party(seen)
    scores = masked(logits, lessons.masks[chosen])
    loss = functional.cross_entropy(scores, actions)
    expected = torch.from_numpy(lessons.returns[chosen])
    loss = loss + VALUE_WEIGHT * functional.mse_loss(values, expected)
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(party.parameters(), MAX_NORM)
    optimizer.step()
    return int((scores.argmax(1) == actions).sum())
