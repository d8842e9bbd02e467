"""The advised observation: estimates of a player, from what its seat may know."""

from __future__ import annotations

import numpy as np

from agents.scripted.advised import (
    DUNGEON_ADVICE,
    DUNGEONS_ADVICE_AT,
    HAND_ADVICE_AT,
    AdvisedEncoder,
)
from tenefyr_env import Batch, GameConfig
from tenefyr_env.engine.state import Decision
from tenefyr_env.spaces.flat import FLAT
from tenefyr_env.testing import check_no_leak


def test_no_estimate_depends_on_what_a_seat_cannot_know() -> None:
    assert check_no_leak(AdvisedEncoder()) > 0


def test_it_begins_with_the_flat_observation() -> None:
    flat, advised = (Batch(32, GameConfig(), encoder=name) for name in ("flat", "advised"))
    random = np.random.default_rng(0)
    for _ in range(50):
        assert (advised.observations[:, : FLAT.size] == flat.observations).all()
        actions = flat.random_actions(random)
        flat.step(actions)
        advised.step(actions)


def test_chances_are_percentages_where_they_are_asked_for() -> None:
    batch = Batch(256, GameConfig(), encoder="advised")
    random = np.random.default_rng(0)
    for _ in range(60):
        batch.step(batch.random_actions(random))
    seen, decisions = batch.observations, batch.states["decision"]
    fights = seen[:, DUNGEONS_ADVICE_AT : DUNGEONS_ADVICE_AT + 11 * DUNGEON_ADVICE : DUNGEON_ADVICE]
    asked = (decisions == Decision.DUNGEON) | (decisions == Decision.CONTINUE)
    assert ((fights >= 0) & (fights <= 100)).all()
    assert (fights[~asked] == 0).all()
    kept, fresh = seen[:, HAND_ADVICE_AT + 3], seen[:, HAND_ADVICE_AT + 4]
    is_keep = decisions == Decision.KEEP
    assert (kept[~is_keep] == 0).all()
    assert (fresh[~is_keep] == 0).all()
    assert 0 < kept[is_keep].mean() < 100
