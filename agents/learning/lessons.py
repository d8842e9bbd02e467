"""Lessons: whole games of a teacher, to learn from before a hero plays its own.

Only deals and actions are kept; what was seen is found by playing the games again, which takes the
engine a moment.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from agents.evaluation.deals import deal_seeds
from agents.evaluation.runner import Askers, Played, play_games
from agents.learning.games import LOST, beaten_share
from tenefyr_env.config import GameConfig
from tenefyr_env.gym_vector import RowBatch

GAMES_AT_ONCE = 16  # of one process, between two reports

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class TaughtGames:
    """Games of a teacher: the deals, and the actions of all one after the other."""

    config: GameConfig
    deals: Array
    lengths: Array
    actions: Array


@dataclass
class Lessons:
    """Decisions of a teacher, a row each."""

    observations: Any
    masks: Array
    actions: Array
    returns: Array  # what the party earned from there on

    def __len__(self) -> int:
        return len(self.actions)


def play_lessons(teacher: str, config: GameConfig, deals: Sequence[int]) -> TaughtGames:
    """The teacher's games of these deals."""
    played = play_games(teacher, config, deals, askers=_ASKERS)
    refuse_failures(played)
    lengths = np.array([len(actions) for actions in played.actions])
    actions = np.concatenate([np.array(actions, np.int64) for actions in played.actions])
    return TaughtGames(config, np.asarray(deals), lengths, actions)


def refuse_failures(played: Played) -> None:
    """Raise what kept a game from being played to its end."""
    for result in played.results:
        if result.failure:
            raise ValueError(f"agent {result.failure.agent!r}: {result.failure.message}")


_ASKERS = Askers()  # of this process: agents are made once


def taught_games(
    teacher: str,
    configs: Sequence[GameConfig],
    games: int,
    seed: int,
    tell: Callable[[int], None] = lambda games: None,
) -> list[TaughtGames]:
    """Games of a teacher on train deals, in turn of each configuration, by all cores.

    Which process plays which games changes nothing. `tell` hears how many games have been finished.
    """
    deals = deal_seeds("train", games, seed).tolist()
    tasks = [
        (teacher, configs[number % len(configs)], deals[first : first + GAMES_AT_ONCE])
        for number, first in enumerate(range(0, games, GAMES_AT_ONCE))
    ]
    found = []
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(os.cpu_count(), context) as pool:
        for future in [pool.submit(play_lessons, *task) for task in tasks]:
            found.append(future.result())
            tell(len(found[-1].deals))
    return found


def seen_again(
    games: TaughtGames, encoder: str, reward: str, gamma: float, credit: float = 0.0
) -> Lessons:
    """What the teacher has seen and done, and what came of it."""
    batch = RowBatch(
        len(games.deals), games.config, seed=0, encoder=encoder, reward=reward, gamma=gamma
    )
    return _Rerun(batch, games, gamma, credit).lessons()


class _Rerun:
    """Games that are played again, all side by side, and written down game by game."""

    def __init__(self, batch: RowBatch, games: TaughtGames, gamma: float, credit: float) -> None:
        self.batch, self.games, self.gamma, self.credit = batch, games, gamma, credit
        self.first = np.cumsum(games.lengths) - games.lengths
        total = int(games.lengths.sum())
        self.rewards = np.zeros(total, np.float32)
        self.masks = np.zeros((total, batch.masks.shape[1]), np.int8)
        self.seen = batch.encoder.empty(total)
        batch.start_from(games.deals)

    def lessons(self) -> Lessons:
        for number in range(int(self.games.lengths.max())):
            rows = np.flatnonzero(self.games.lengths > number)
            self._step(rows, self.first[rows] + number)
        return Lessons(self.seen, self.masks, self.games.actions, self._returns())

    def _step(self, rows: Array, places: Array) -> None:
        batch = self.batch
        batch.observe_all()
        if isinstance(self.seen, dict):
            for name, array in self.seen.items():
                array[places] = batch.observations[name][rows]
        else:
            self.seen[places] = batch.observations[rows]
        self.masks[places] = batch.masks[rows]
        batch.step_some(rows, self.games.actions[places])
        self.rewards[places] = batch.rewards[rows]
        lost = batch.outcomes[rows] == LOST
        self.rewards[places[lost]] += self.credit * beaten_share(batch.last_positions(rows[lost]))

    def _returns(self) -> Array:
        """The discounted sum of the rewards to the end of each game."""
        returns = self.rewards.copy()
        for back in range(2, int(self.games.lengths.max()) + 1):
            rows = np.flatnonzero(self.games.lengths >= back)
            places = self.first[rows] + self.games.lengths[rows] - back
            returns[places] += self.gamma * returns[places + 1]
        return returns


def together(lessons: Sequence[Lessons]) -> Lessons:
    """Several lessons as one."""
    seen = [each.observations for each in lessons]
    if isinstance(seen[0], dict):
        joined: Any = {key: np.concatenate([each[key] for each in seen]) for key in seen[0]}
    else:
        joined = np.concatenate(seen)
    rest = [
        np.concatenate([getattr(each, name) for each in lessons])
        for name in ("masks", "actions", "returns")
    ]
    return Lessons(joined, *rest)
