"""A batch over several processes is the same batch, and leaves nothing behind."""

import copy
import multiprocessing
import os
import signal
from typing import Any

import numpy as np
import pytest
from gym_play import SHORT, legal_rows, same

from tenefyr_env import (
    Batch,
    Game,
    GameConfig,
    IllegalAction,
    PartyVectorEnv,
    ProcessBatch,
)
from tenefyr_env.spaces.encoders import FlatEncoder

COUNT = 7
CONFIG = GameConfig(**SHORT)


class FailingEncoder(FlatEncoder):
    """Works in a process of its own for one call, the reset; then fails."""

    def __init__(self, calls: int) -> None:
        super().__init__()
        self.calls = calls

    def encode(self, states: Any, tables: Any, seats: Any, out: Any) -> None:
        self.calls -= 1
        if self.calls < 0:
            raise ArithmeticError("the encoder has lost count")
        super().encode(states, tables, seats, out)


def workers() -> list[Any]:
    """The processes that are still there, or not yet reaped."""
    return multiprocessing.active_children()


@pytest.mark.parametrize("processes", [1, 3])
def test_rows_are_those_of_one_batch(processes: int) -> None:
    one = Batch(COUNT, CONFIG, seed=5, reward="shaped")
    with ProcessBatch(COUNT, CONFIG, processes=processes, seed=5, reward="shaped") as many:
        rng = np.random.default_rng(0)
        num_ends = 0
        for step in range(250):
            if step == 200:
                one.reset(77)
                many.reset(77)
            for name in ("observations", "masks", "seats", "rewards", "outcomes"):
                assert (getattr(one, name) == getattr(many, name)).all(), name
            rows = np.flatnonzero(one.ended)[::-1].copy()
            assert (one.final_observations(rows) == many.final_observations(rows)).all()
            num_ends += len(rows)
            actions = legal_rows(one.masks, rng)
            one.step(actions)
            many.step(actions)
        assert num_ends
        assert all(same(one.game(row), many.game(row)) for row in range(COUNT))
    assert not workers()


def test_the_rest_of_the_interface_is_that_of_a_batch() -> None:
    with ProcessBatch(COUNT, CONFIG, processes=2) as batch:
        game = Game.new(CONFIG, 123)
        batch.set_game(5, game)
        assert same(batch.game(5), game)
        assert (batch.masks[5] == game.legal_mask()).all()
        batch.step(batch.random_actions(np.random.default_rng(0)))
        before = [batch.game(row) for row in range(COUNT)]
        wrong = np.argmin(batch.masks, axis=1)
        with pytest.raises(IllegalAction, match="row 0: action"):
            batch.step(wrong)
        with pytest.raises(IllegalAction, match="actions of shape"):
            batch.step(wrong[:2])
        assert all(same(batch.game(row), game) for row, game in enumerate(before))
        with pytest.raises(TypeError, match="cannot be copied"):
            copy.deepcopy(batch)
    batch.close()
    with pytest.raises(RuntimeError, match="it is closed"):
        batch.reset(0)
    assert batch.observations.any()  # what was held last stays


def test_a_process_that_fails_says_why_and_ends_all() -> None:
    batch = ProcessBatch(COUNT, CONFIG, processes=2, encoder=FailingEncoder(2))
    with pytest.raises(RuntimeError, match="process 0: ArithmeticError: the encoder has lost"):
        batch.step(batch.random_actions(np.random.default_rng(0)))
    assert not workers()


def test_a_process_that_cannot_begin_says_why() -> None:
    with pytest.raises(RuntimeError, match="ArithmeticError: the encoder has lost"):
        ProcessBatch(COUNT, CONFIG, processes=2, encoder=FailingEncoder(0))
    assert not workers()


def test_a_process_that_dies_is_reported() -> None:
    batch = ProcessBatch(COUNT, CONFIG, processes=2)
    victim = workers()[0]
    os.kill(victim.pid, signal.SIGKILL)
    victim.join()
    with pytest.raises(RuntimeError, match="it has ended with exit code -9"):
        batch.step(batch.random_actions(np.random.default_rng(0)))
    assert not workers()


def test_a_forgotten_batch_ends_its_processes() -> None:
    batch = ProcessBatch(COUNT, CONFIG, processes=2)
    assert len(workers()) == 2
    del batch
    assert not workers()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"count": 0}, "count 0: accepted"),
        ({"count": 3, "processes": 4}, "processes 4: accepted are 1 to the count, 3"),
        ({"count": 3, "seed": -1}, "seed -1: accepted"),
    ],
)
def test_wrong_numbers_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ProcessBatch(**options)


def test_a_vector_env_can_use_several_processes() -> None:
    one = PartyVectorEnv(COUNT, **SHORT)
    many = PartyVectorEnv(COUNT, processes=2, **SHORT)
    seen, _ = one.reset(seed=3)
    many.reset(seed=3)
    rng = np.random.default_rng(0)
    for _ in range(80):
        actions = legal_rows(seen["action_mask"], rng)
        seen, rewards, ended, _, infos = one.step(actions)
        others, other_rewards, other_ended, _, other_infos = many.step(actions)
        assert (seen["observation"] == others["observation"]).all()
        assert (rewards == other_rewards).all()
        assert (ended == other_ended).all()
        assert infos.keys() == other_infos.keys()
    many.close()
    assert not workers()
