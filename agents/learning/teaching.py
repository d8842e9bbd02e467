"""Learning from a teacher's games, before the heroes play their own."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from torch.nn import functional

from agents.learning.lessons import Lessons
from agents.learning.player import tensors
from agents.learning.policy import Party, masked, rows_of

LESSON_BATCH = 2048
MAX_NORM = 1.0
VALUE_WEIGHT = 0.5


def teach(
    party: Party,
    lessons: Lessons,
    epochs: int,
    rate: float,
    seed: int,
    tell: Callable[[float], None] = lambda share: None,
) -> float:
    """Let the actors do as the teacher did, and the critics expect what came of it.

    Returns the share of the teacher's choices that the actors would have made, over the last epoch.
    `tell` hears how much is done.
    """
    optimizer = torch.optim.Adam(party.parameters(), lr=rate)
    random = np.random.default_rng(seed)
    batches = -(-len(lessons) // LESSON_BATCH)
    party.train()
    agreed = 0
    for epoch in range(epochs):
        order, agreed = random.permutation(len(lessons)), 0
        for number in range(batches):
            share = (epoch + number / batches) / epochs
            for group in optimizer.param_groups:
                group["lr"] = rate * (1 - share)
            chosen = order[number * LESSON_BATCH : (number + 1) * LESSON_BATCH]
            agreed += _learn(party, lessons, chosen, optimizer)
            tell(share)
    return agreed / len(lessons)


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
