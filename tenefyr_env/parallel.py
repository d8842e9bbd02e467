"""Batches over several processes: the rows of one batch, shared out to many cores.

    if __name__ == "__main__":  # the processes are spawned: they import the main module
        with ProcessBatch(4096, GameConfig(), processes=8) as batch:
            batch.step(policy(batch.observations, batch.masks))

The rows are those of one `Batch` of the same count and seed. The arrays lie in memory that all
processes share, so a step sends no data. That memory has no name in the system: it is gone with the
last array and process that use it, however they end.
"""

from __future__ import annotations

import math
import multiprocessing
import signal
import traceback
import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

import numpy as np
import numpy.typing as npt

from tenefyr_env.cards.card_set import CardSet
from tenefyr_env.config import GameConfig
from tenefyr_env.engine.actions import NUM_ACTIONS
from tenefyr_env.game import Game, IllegalAction, checked_seed
from tenefyr_env.spaces.encoders import Encoder
from tenefyr_env.spaces.rows import first_illegal
from tenefyr_env.vector import Batch, whole_numbers

Array = npt.NDArray[Any]
Memory = Any  # a ctypes array of bytes
ALIGNMENT = 64
PATIENCE = 5.0  # seconds a process has to end before it is made to


@dataclass(frozen=True)
class Share:
    """What one process is told: its rows, the games in them, and where the arrays lie."""

    first: int
    count: int
    total: int
    memory: Memory
    config: GameConfig
    card_set: CardSet | None  # None: the one the configuration names
    encoder: Encoder
    reward: str
    gamma: float
    seed: int


class ProcessBatch(Batch):
    """`count` games of one configuration, shared out to `processes`; row i starts from seed + i.

    It is used as a `Batch` is, but for `states`, which lie in the processes.
    """

    def __init__(
        self,
        count: int,
        config: GameConfig | None = None,
        *,
        processes: int = 2,
        seed: int = 0,
        encoder: str | Encoder = "flat",
        reward: str = "sparse",
        gamma: float = 1.0,
        card_set: CardSet | None = None,
    ) -> None:
        self._settle(count, config, encoder, reward, gamma, card_set)
        if not isinstance(processes, int) or not 1 <= processes <= count:
            raise ValueError(f"processes {processes!r}: accepted are 1 to the count, {count}")
        checked_seed(checked_seed(seed) + count - 1)
        context = multiprocessing.get_context("spawn")
        memory = context.RawArray("b", self._room())
        arrays = Arrays(memory, count, self.encoder)
        self.observations, self.masks = arrays.observations, arrays.masks
        self.seats, self.rewards, self.outcomes = arrays.seats, arrays.rewards, arrays.outcomes
        self._actions = arrays.actions
        self._starts = [index * count // processes for index in range(processes + 1)]
        self._team = Team()
        self._finalizer = weakref.finalize(self, self._team.dismiss)
        try:
            for first, last in zip(self._starts, self._starts[1:], strict=False):
                self._team.hire(
                    context,
                    Share(
                        first, last - first, count, memory, self.config, card_set, self.encoder,
                        reward, gamma, seed,
                    ),
                )  # fmt: skip
            self._team.answers()
        except BaseException:
            self.close()
            raise

    def _room(self) -> int:
        """How many bytes the arrays need."""
        try:
            return Arrays.room(self.count, self.encoder)
        except TypeError as error:
            raise ValueError(f"encoder {self.encoder.name!r}: {error}") from None

    def reset(self, seed: int) -> None:
        """Start all games anew, row i from seed + i."""
        checked_seed(checked_seed(seed) + self.count - 1)
        self._ask_all("reset", int(seed))

    def step(self, actions: npt.ArrayLike) -> None:
        """Apply one action in every row; if any is illegal, none is applied."""
        chosen = whole_numbers(actions, self.count)
        row = int(first_illegal(self.masks, chosen))
        if row >= 0:
            raise IllegalAction(self._refusal(row, int(chosen[row])))
        self._actions[:] = chosen
        self._ask_all("step")

    def final_observations(self, rows: npt.NDArray[np.int64]) -> Any:
        """What seat 0 saw at the end, for rows whose game has ended in the last step."""
        rows = np.asarray(rows, np.int64)
        out = self.encoder.empty(len(rows))
        for index, (first, last) in enumerate(zip(self._starts, self._starts[1:], strict=False)):
            places = np.flatnonzero((rows >= first) & (rows < last))
            if len(places):
                seen = self._ask(index, "final_observations", rows[places] - first)
                for target, source in zip(arrays_of(out), arrays_of(seen), strict=True):
                    target[places] = source
        return out

    def game(self, row: int) -> Game:
        """A copy of one row's game."""
        index, own_row = self._place(row)
        return Game(self.config, self.card_set, self._ask(index, "game", own_row))

    def set_game(self, row: int, game: Game) -> None:
        """Put a game of the same configuration into a row."""
        if game.config != self.config or game.card_set.hash != self.card_set.hash:
            raise ValueError(f"row {row}: the game has another configuration or card set")
        if game.is_over:
            raise ValueError(f"row {row}: the game is over")
        index, own_row = self._place(row)
        self._ask(index, "set_game", own_row, game.states)

    def _place(self, row: int) -> tuple[int, int]:
        """The process that plays a row, and the row's number there."""
        self._check_row(row)
        index = int(np.searchsorted(self._starts, row, side="right")) - 1
        return index, row - self._starts[index]

    def _ask_all(self, *request: Any) -> None:
        """Have every process do something; if one cannot, the batch is closed."""
        try:
            self._team.tell(*request)
            self._team.answers()
        except BaseException:
            self.close()  # an answer may be left in a pipe, and rows may be a step apart
            raise

    def _ask(self, index: int, *request: Any) -> Any:
        try:
            return self._team.ask(index, *request)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the processes; the arrays keep what they held last."""
        self._finalizer()

    def __enter__(self) -> ProcessBatch:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> Any:
        raise TypeError("ProcessBatch: processes cannot be copied or pickled; a Batch can")


class Arrays:
    """The shared arrays, one after the other in one piece of memory."""

    def __init__(self, memory: Memory, count: int, encoder: Encoder) -> None:
        self._bytes = np.frombuffer(memory, np.uint8)
        self._place = -self._bytes.ctypes.data % ALIGNMENT
        self.masks = self._lay((count, NUM_ACTIONS), np.dtype(np.int8))
        self.seats = self._lay((count,), np.dtype(np.int64))
        self.rewards = self._lay((count,), np.dtype(np.float32))
        self.outcomes = self._lay((count,), np.dtype(np.int8))
        self.actions = self._lay((count,), np.dtype(np.int64))
        self.observations = self._lay_like(encoder.empty(1), count)

    @staticmethod
    def room(count: int, encoder: Encoder) -> int:
        """How many bytes the arrays need."""
        row = NUM_ACTIONS + 8 + 4 + 1 + 8
        seen = list(arrays_of(encoder.empty(1)))
        return count * (row + sum(array.nbytes for array in seen)) + ALIGNMENT * (len(seen) + 6)

    def _lay(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
        size = math.prod(shape) * dtype.itemsize
        array = self._bytes[self._place : self._place + size].view(dtype).reshape(shape)
        self._place += -(-size // ALIGNMENT) * ALIGNMENT
        return array

    def _lay_like(self, one: Any, count: int) -> Any:
        """Room for observations of the same form as one."""
        if isinstance(one, dict):
            return {key: self._lay_like(part, count) for key, part in one.items()}
        return self._lay((count, *one.shape[1:]), one.dtype)


def arrays_of(observations: Any) -> Iterator[Array]:
    """The arrays an encoder writes to: one, or a dictionary of them."""
    if isinstance(observations, dict):
        for part in observations.values():
            yield from arrays_of(part)
    elif isinstance(observations, np.ndarray) and observations.dtype != object:
        yield observations
    else:
        raise TypeError(f"observations {observations!r}: accepted are arrays of numbers")


def part_of(observations: Any, rows: slice) -> Any:
    """The same arrays, of some rows."""
    if isinstance(observations, dict):
        return {key: part_of(part, rows) for key, part in observations.items()}
    return observations[rows]


class Team:
    """The processes and the pipes to them."""

    def __init__(self) -> None:
        self._pipes: list[Connection] = []
        self._processes: list[Any] = []

    def hire(self, context: Any, share: Share) -> None:
        """Start a process."""
        ours, theirs = context.Pipe()
        self._pipes.append(ours)
        try:
            process = context.Process(target=play_share, args=(share, theirs), daemon=True)
            process.start()
            self._processes.append(process)
        finally:
            theirs.close()  # so that the pipe ends with the process

    def tell(self, *request: Any) -> None:
        """Send all the same request."""
        if not self._pipes:
            raise RuntimeError("ProcessBatch: it is closed")
        for index in range(len(self._pipes)):
            self._send(index, request)

    def answers(self) -> list[Any]:
        """Wait for everyone's answer."""
        return [self._answer(index) for index in range(len(self._pipes))]

    def ask(self, index: int, *request: Any) -> Any:
        """Send one a request and wait for the answer."""
        if not self._pipes:
            raise RuntimeError("ProcessBatch: it is closed")
        self._send(index, request)
        return self._answer(index)

    def _send(self, index: int, request: tuple[Any, ...]) -> None:
        try:
            self._pipes[index].send(request)
        except OSError:
            raise self._lost(index) from None

    def _answer(self, index: int) -> Any:
        try:
            is_done, answer = self._pipes[index].recv()
        except (EOFError, OSError):
            raise self._lost(index) from None
        if not is_done:
            raise RuntimeError(f"process {index}: {answer}")
        return answer

    def _lost(self, index: int) -> RuntimeError:
        self._processes[index].join(PATIENCE)
        code = self._processes[index].exitcode
        return RuntimeError(f"process {index}: it has ended with exit code {code}")

    def dismiss(self) -> None:
        """A process ends with its pipe; one that does not is made to."""
        for pipe in self._pipes:
            pipe.close()
        for process in self._processes:
            process.join(PATIENCE)
            if process.is_alive():
                process.kill()
                process.join()
            process.close()
        self._pipes.clear()
        self._processes.clear()


def play_share(share: Share, pipe: Connection) -> None:
    """The life of a process: do what is asked until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent's to answer
    try:
        player = Player(share)
        pipe.send((True, None))
        while True:
            method, *arguments = pipe.recv()
            pipe.send((True, getattr(player, method)(*arguments)))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return
    except Exception as error:
        place = traceback.format_exc()
        pipe.send((False, f"{type(error).__name__}: {error}\n\n{place}"))


class Player:
    """One process's rows: a batch whose arrays are part of the shared ones."""

    def __init__(self, share: Share) -> None:
        rows = slice(share.first, share.first + share.count)
        arrays = Arrays(share.memory, share.total, share.encoder)
        batch = Batch(
            share.count, share.config, seed=share.seed + share.first, encoder=share.encoder,
            reward=share.reward, gamma=share.gamma, card_set=share.card_set,
        )  # fmt: skip
        batch.masks, batch.seats = arrays.masks[rows], arrays.seats[rows]
        batch.rewards, batch.outcomes = arrays.rewards[rows], arrays.outcomes[rows]
        batch.observations = part_of(arrays.observations, rows)
        self._batch, self._first, self._actions = batch, share.first, arrays.actions[rows]
        self.reset(share.seed)

    def reset(self, seed: int) -> None:
        """Start all games anew."""
        self._batch.reset(seed + self._first)

    def step(self) -> None:
        """Apply the actions that lie in the shared array."""
        self._batch.step(self._actions)

    def final_observations(self, rows: npt.NDArray[np.int64]) -> Any:
        """What seat 0 saw at the end."""
        return self._batch.final_observations(rows)

    def game(self, row: int) -> Array:
        """The record of one row's game."""
        return self._batch.game(row).states

    def set_game(self, row: int, states: Array) -> None:
        """Put a game into a row."""
        self._batch.set_game(row, Game(self._batch.config, self._batch.card_set, states))
