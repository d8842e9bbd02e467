"""Rollout buffers that copy nothing without need, and draw minibatches from a seed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from sb3_contrib.common.maskable.buffers import MaskableDictRolloutBuffer, MaskableRolloutBuffer

Array = npt.NDArray[Any]
FLATTENED = ("actions", "values", "log_probs", "advantages", "returns", "action_masks")


class Thrifty:
    """No copy where none is needed: masks are bytes, rows lie where they were written.

    The order of the minibatches depends on the seed and on the number of the update alone, so that
    a run that goes on from a checkpoint draws the same ones.
    """

    def __init__(self, *args: Any, seed: int = 0, **options: Any) -> None:
        self.seed, self.drawn = seed, 0
        super().__init__(*args, **options)

    def reset(self) -> None:
        super().reset()  # type: ignore[misc]
        self.action_masks = np.ones((self.buffer_size, self.n_envs, self.mask_dims), np.int8)

    def get(self, batch_size: int | None = None) -> Iterator[Any]:
        """Minibatches of all that was collected, each decision once."""
        if not self.generator_ready:
            self._flatten()
        order = np.random.default_rng([self.seed, self.drawn]).permutation(
            self.buffer_size * self.n_envs
        )
        self.drawn += 1
        size = batch_size or len(order)
        bounds = [*range(0, len(order), size), len(order)]
        if len(bounds) > 2 and bounds[-1] - bounds[-2] == 1:
            del bounds[-2]  # the advantages of one decision have no spread to be divided by
        for first, last in pairwise(bounds):
            yield self._get_samples(order[first:last])  # type: ignore[attr-defined]

    def _flatten(self) -> None:
        """Steps and rows in one; the order is drawn by lot, so theirs does not matter."""
        for name in FLATTENED:
            setattr(self, name, in_one(getattr(self, name)))
        seen = self.observations  # type: ignore[has-type]
        if isinstance(seen, dict):
            self.observations = {key: in_one(part) for key, part in seen.items()}
        else:
            self.observations = in_one(seen)
        self.generator_ready = True

    def to_torch(self, array: Array, copy: bool = True) -> torch.Tensor:
        """The array as a tensor; what is drawn from the buffer is a copy already."""
        return torch.from_numpy(array)


def in_one(array: Array) -> Array:
    """The first two dimensions as one, without copying."""
    return array.reshape(array.shape[0] * array.shape[1], *array.shape[2:])


class PartyBuffer(Thrifty, MaskableRolloutBuffer):
    """For observations that are one array."""


class PartyDictBuffer(Thrifty, MaskableDictRolloutBuffer):
    """For observations that are a dictionary of arrays."""
