"""Checkpoints: all that a run needs to go on as if nothing had happened, in one file without code.

The tensors of the networks, of Adam and of all games on the table are safetensors, the rest is JSON
in the same file's header.
"""

from __future__ import annotations

import hashlib
import json
from collections import deque
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor

from agents.learning.bundle import write_at_once

RECENT_GAMES = 1000  # that the win rate of the progress bar is of
KEY = "tenefyr_checkpoint"
RANDOM = "random"  # of torch
LAST_STARTS = "last_episode_starts"


class CheckpointError(ValueError):
    """A checkpoint that cannot be gone on from."""


def save_checkpoint(path: Path, model: Any, values: dict[str, Any]) -> None:
    """Write down where a run stands between two rollouts."""
    arrays, games = model.env.save()
    tensors = {f"env.{name}": torch.from_numpy(array) for name, array in arrays.items()}
    tensors |= {f"policy.{name}": value for name, value in model.policy.state_dict().items()}
    tensors |= _adam_tensors(model.policy.optimizer)
    tensors[RANDOM] = torch.get_rng_state()
    tensors[LAST_STARTS] = torch.from_numpy(np.asarray(model._last_episode_starts, np.int8))
    told = {
        **values,
        "games": games,
        "steps": model.num_timesteps,
        "updates": model._n_updates,
        "drawn": model.rollout_buffer.drawn,
        "recent_wins": list(model.ep_success_buffer or []),
        "recent_games": list(model.ep_info_buffer or []),
        "known_by": known_by(model),
    }
    whole = {name: value.contiguous() for name, value in tensors.items()}
    write_at_once(path, save(whole, {KEY: json.dumps(told)}))


def load_checkpoint(path: Path, model: Any) -> dict[str, Any]:
    """Put a model and its games back to where the checkpoint was written; its other values."""
    tensors, told = _read(path)
    for what, ours in known_by(model).items():
        theirs = told.get("known_by", {}).get(what)
        if theirs != ours:
            raise CheckpointError(
                f"checkpoint {str(path)!r}: {what} was {str(theirs)[:12]}, and is {ours[:12]} now"
            )
    try:
        model.policy.load_state_dict(_under("policy.", tensors))
        _load_adam(model.policy.optimizer, tensors)
        arrays = {name: value.numpy() for name, value in _under("env.", tensors).items()}
        model.env.restore(arrays, told["games"])
        torch.set_rng_state(tensors[RANDOM])
        model.num_timesteps, model._n_updates = told["steps"], told["updates"]
        model.rollout_buffer.drawn = told["drawn"]
        model.ep_success_buffer = deque(told["recent_wins"], RECENT_GAMES)
        model.ep_info_buffer = deque(told["recent_games"], RECENT_GAMES)
        model._last_obs = model.env.observations()
        model._last_episode_starts = tensors[LAST_STARTS].numpy().astype(bool)
    except (KeyError, RuntimeError, ValueError) as error:
        raise CheckpointError(f"checkpoint {str(path)!r}: does not fit: {error}") from error
    return told


def known_by(model: Any) -> dict[str, str]:
    """What saved games and weights mean something with only."""
    batch = model.env.groups[0].batch
    games = hashlib.sha256(str(batch.states.dtype).encode()).hexdigest()
    return {"card set": batch.card_set.hash, "encoder": batch.encoder.layout_hash, "game": games}


def _read(path: Path) -> tuple[dict[str, Tensor], dict[str, Any]]:
    try:
        with safe_open(path, framework="pt") as file:
            told = json.loads((file.metadata() or {})[KEY])
            return {name: file.get_tensor(name) for name in file.keys()}, told  # noqa: SIM118
    except (SafetensorError, OSError, KeyError, ValueError) as error:
        raise CheckpointError(f"checkpoint {str(path)!r}: not a whole one: {error}") from error


def _under(prefix: str, tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    return {n.removeprefix(prefix): t for n, t in tensors.items() if n.startswith(prefix)}


def _adam_tensors(optimizer: torch.optim.Optimizer) -> dict[str, Tensor]:
    """What Adam remembers of each weight that has been learned."""
    state = optimizer.state_dict()["state"]
    return {
        f"adam.{number}.{name}": torch.as_tensor(value)
        for number, each in state.items()
        for name, value in each.items()
    }


def _load_adam(optimizer: torch.optim.Optimizer, tensors: dict[str, Tensor]) -> None:
    whole = optimizer.state_dict()
    whole["state"] = {}
    for name, value in _under("adam.", tensors).items():
        number, _, what = name.partition(".")
        whole["state"].setdefault(int(number), {})[what] = value
    optimizer.load_state_dict(whole)
