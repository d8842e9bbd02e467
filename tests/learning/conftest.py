"""What the tests of learning share: torch on one thread, small runs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
import torch

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(autouse=True)
def one_thread() -> Any:
    """Tests run side by side already."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


SMALL = {
    "games": {"players": 2, "difficulty": "easy"},
    "sizes": {"width": 16, "head": 16, "card_size": 4, "dungeon_size": 4},
    "steps": 2048,
    "rows": 16,
    "rollout": 32,
    "batch": 256,
    "evaluate_every": 1024,
    "evaluation_games": 4,
    "final_games": 4,
    "cross_games": 0,
    "threads": 1,
}


@pytest.fixture
def small() -> dict[str, Any]:
    """The fields of a run of seconds."""
    return {**SMALL, "games": dict(SMALL["games"]), "sizes": dict(SMALL["sizes"])}
