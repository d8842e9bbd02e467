"""Processes that play, watched by the one that started them.

Before it asks an agent, a worker writes down in shared memory what it is about to wait for. An
agent that does not answer within the limit, or takes its process down, is found out from there: the
worker is replaced, the games are played again one decision at a time until the culprit is known,
that game has failed, and the others go on.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection, wait
from typing import Any

from agents.evaluation.asking import Games, Watch
from agents.evaluation.results import Failure, GameResult
from agents.evaluation.runner import Askers, Table, failed_game, play_games
from agents.evaluation.teams import Team
from tenefyr_env.cards.compiler import load_card_set
from tenefyr_env.config import GameConfig

MOST_ACTIONS = 2**16  # of one game that are kept in the shared memory
COMPILE_SECONDS = 300.0  # more time for the first answer of an agent that may have to be compiled
LOOK_SECONDS = 0.2  # between two looks at the workers
ALL_GAMES = -1

Timing = dict[str, tuple[int, float]]  # by agent: decisions, and the seconds they took


class WorkerError(RuntimeError):
    """A worker that failed by no agent's fault."""


@dataclass(frozen=True)
class Task:
    """Games for one worker."""

    job: int  # the caller's number for the team and configuration
    team: Team
    config: GameConfig
    deals: tuple[int, ...]
    singly: bool = False


@dataclass(frozen=True)
class Report:
    """Games that a worker has finished."""

    job: int
    results: list[GameResult]
    timing: Timing = field(default_factory=dict)
    seconds: float = 0.0  # all in all


class Wait(ctypes.Structure):
    """What a worker is waiting for."""

    _fields_ = [
        ("since", ctypes.c_double),  # 0: for nothing
        ("may_compile", ctypes.c_bool),
        ("agent", ctypes.c_int64),  # its place in the team
        ("deal", ctypes.c_int64),  # or ALL_GAMES
        ("num_actions", ctypes.c_int64),
        ("actions", ctypes.c_int8 * MOST_ACTIONS),
    ]


class SharedWatch(Watch):
    """Writes into shared memory what is being waited for."""

    def __init__(self, shared: Any) -> None:
        self._shared = shared
        self._table: Table | None = None

    def follow(self, table: Table) -> None:
        self._table = table

    def asking(self, agent: str, games: Games, may_compile: bool) -> None:
        shared, table = self._shared, self._table
        assert table is not None
        shared.agent = [asker.name for asker in table.askers].index(agent)
        shared.may_compile = may_compile
        shared.deal = ALL_GAMES
        if len(games) == 1:
            actions = table.actions_of(games[0])[:MOST_ACTIONS]
            shared.deal = table.deals[games[0]]
            shared.num_actions = len(actions)
            shared.actions[: len(actions)] = actions
        shared.since = time.monotonic()

    def answered(self) -> None:
        self._shared.since = 0.0


def work(connection: Connection, shared: Any) -> None:
    """A worker's life: play what is sent, report, until the connection is closed."""
    os.dup2(2, 1)  # what agents print must not get between the results
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # there is a worker for every core already
    askers = Askers()
    watch = SharedWatch(shared)
    while True:
        try:
            task = connection.recv()
        except EOFError:
            return
        try:
            connection.send(play_task(task, askers, watch))
        except Exception:
            connection.send(traceback.format_exc())


def play_task(task: Task, askers: Askers, watch: Watch) -> Report:
    """Play the games of a task."""
    start = time.perf_counter()
    before = {name: (asker.decisions, asker.seconds) for name, asker in askers.items()}
    played = play_games(
        task.team, task.config, task.deals, askers=askers, watch=watch, singly=task.singly
    )
    timing = {}
    for name in task.team.agents:
        decisions, seconds = before.get(name, (0, 0.0))
        timing[name] = (askers[name].decisions - decisions, askers[name].seconds - seconds)
    return Report(task.job, played.results, timing, time.perf_counter() - start)


class Worker:
    """One process, and what it is doing."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.shared = context.RawValue(Wait)
        self.connection, other = context.Pipe()
        self.process = context.Process(target=work, args=(other, self.shared), daemon=True)
        with interrupts_ignored():  # Ctrl-C is for the parent, which then ends the workers
            self.process.start()
        other.close()
        self.task: Task | None = None

    def begin(self, task: Task) -> None:
        """Give the worker something to play."""
        self.task = task
        self.connection.send(task)

    def is_late(self, limit: float) -> bool:
        """Whether an agent has had more than its time."""
        since = self.shared.since
        allowed = limit + (COMPILE_SECONDS if self.shared.may_compile else 0.0)
        return bool(since) and time.monotonic() - since > allowed

    def end(self) -> None:
        """End the process, whatever it is doing."""
        self.process.kill()
        self.process.join()
        if not self.connection.closed:
            self.connection.close()


class Crew:
    """Workers that share out tasks."""

    def __init__(self, workers: int, limit: float) -> None:
        self.limit = limit
        self._workers = [Worker() for _ in range(workers)]

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *reason: object) -> None:
        for worker in self._workers:
            worker.end()

    def play(self, next_task: Callable[[], Task | None]) -> Iterator[Report]:
        """Play tasks as they are given, until there is none, and report as they are finished."""
        while True:
            for worker in self._workers:
                if worker.task is None and (task := next_task()):
                    worker.begin(task)
            busy = [worker for worker in self._workers if worker.task]
            if not busy:
                return
            wait([worker.connection for worker in busy], timeout=LOOK_SECONDS)
            for worker in busy:
                yield from self._look_after(worker)

    def _look_after(self, worker: Worker) -> Iterator[Report]:
        """Take a worker's report, or find out why there is none."""
        if worker.connection.poll():
            try:
                report = worker.connection.recv()
            except (EOFError, ConnectionError):
                worker.process.join()
                if not worker.shared.since:
                    raise WorkerError(f"a worker died while {_what(worker)}") from None
                code = worker.process.exitcode
                yield from self._replace(worker, f"ended its process (exit code {code})")
                return
            if not isinstance(report, Report):
                raise WorkerError(f"a worker failed while {_what(worker)}:\n{report}")
            worker.task = None
            yield report
        elif worker.is_late(self.limit):
            since = worker.shared.since
            worker.end()
            is_same = worker.shared.since == since  # else the answer came in the last moment
            reason = f"gave no answer within {self.limit:g} s"
            yield from self._replace(worker, reason if is_same else "")

    def _replace(self, worker: Worker, reason: str) -> Iterator[Report]:
        """Start another worker; the game that is to blame, if it is known, has failed."""
        task, shared = worker.task, worker.shared
        assert task is not None
        worker.end()
        if not reason:
            pass  # nobody is to blame: play it again
        elif shared.deal == ALL_GAMES:
            task = replace(task, singly=True)
        else:
            actions = tuple(shared.actions[: shared.num_actions])
            failure = Failure(task.team.agents[shared.agent], 0, reason, actions)
            deal = int(shared.deal)
            task = replace(task, deals=tuple(each for each in task.deals if each != deal))
            yield Report(task.job, [_failed(task, deal, failure)])
        new = Worker()
        self._workers[self._workers.index(worker)] = new
        if task.deals:
            new.begin(task)


def _failed(task: Task, deal: int, failure: Failure) -> GameResult:
    card_set = load_card_set(task.config.cards)
    return failed_game(task.team, task.config, card_set, deal, failure)


def _what(worker: Worker) -> str:
    task = worker.task
    assert task is not None
    return f"playing team {task.team.spec!r}, deals {task.deals[0]} to {task.deals[-1]}"


@contextmanager
def interrupts_ignored() -> Iterator[None]:
    """Processes that are started meanwhile do not hear Ctrl-C."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
