"""Batches: many games stepped in one compiled call, in arrays that the batch owns.

    batch = Batch(1024, GameConfig(), seed=0)
    while True:
        actions = policy(batch.observations, batch.masks)  # one legal action a row
        batch.step(actions)

Every row is a game; `batch.seats` says which player acts in it. A finished game is followed by a
new one in the same step (Gymnasium's SAME_STEP), so no row is ever idle: `batch.outcomes` tells how
a game of this step ended, and `batch.final_observations()` what was seen last.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tenefyr_env.cards.card_set import CardSet
from tenefyr_env.cards.compiler import load_card_set
from tenefyr_env.config import GameConfig
from tenefyr_env.engine.actions import NUM_ACTIONS
from tenefyr_env.engine.state import Outcome, new_states
from tenefyr_env.engine.words import action_name
from tenefyr_env.game import Game, IllegalAction, checked_seed
from tenefyr_env.rewards import shaping_gamma
from tenefyr_env.spaces.encoders import Encoder, FlatEncoder, make_encoder
from tenefyr_env.spaces.rows import first_illegal, potentials_of, start_rows, step_some

UNWRITTEN = np.zeros((0, 0), np.int8)  # no observations for the engine to write


def whole_numbers(actions: npt.ArrayLike, count: int) -> npt.NDArray[np.int64]:
    """One action a row, as the engine takes them."""
    given = np.asarray(actions)
    if given.dtype.kind not in "iu":
        raise IllegalAction(f"actions of type {given.dtype}: accepted are whole numbers")
    if given.shape != (count,):
        raise IllegalAction(f"actions of shape {given.shape}: accepted is ({count},)")
    return np.ascontiguousarray(given, np.int64)


class Batch:
    """`count` games of one configuration; row i starts from seed + i."""

    def __init__(
        self,
        count: int,
        config: GameConfig | None = None,
        *,
        seed: int = 0,
        encoder: str | Encoder = "flat",
        reward: str = "sparse",
        gamma: float = 1.0,
        card_set: CardSet | None = None,
    ) -> None:
        self._settle(count, config, encoder, reward, gamma, card_set)
        self.states = new_states(count)
        self.masks = np.zeros((count, NUM_ACTIONS), np.int8)
        self.seats = np.zeros(count, np.int64)  # the acting seat
        self.rewards = np.zeros(count, np.float32)  # of the last step, the same for all players
        self.outcomes = np.zeros(count, np.int8)  # of the last step; OPEN where a game goes on
        self.observations = self.encoder.empty(count)  # of the acting seat
        self._setup = self.config.to_setup(self.card_set.bosses)
        self._streams = np.zeros((count, 4), np.int64)
        self._potentials = np.zeros(count, np.float64)
        self._finals = new_states(count)
        self._blank = new_states(1)
        self._rows_of_all = np.arange(count)
        self._is_flat = type(self.encoder) is FlatEncoder
        self.reset(seed)

    def _settle(
        self,
        count: int,
        config: GameConfig | None,
        encoder: str | Encoder,
        reward: str,
        gamma: float,
        card_set: CardSet | None,
    ) -> None:
        """What is played, and how it is seen and paid."""
        if not isinstance(count, int) or count < 1:
            raise ValueError(f"count {count!r}: accepted are whole numbers from 1")
        self.count = count
        self.config = config or GameConfig()
        self.card_set = card_set or load_card_set(self.config.cards)
        self.encoder = make_encoder(encoder)
        self.gamma = shaping_gamma(reward, gamma)

    def reset(self, seed: int) -> None:
        """Start all games anew, row i from seed + i."""
        first = checked_seed(seed)
        checked_seed(first + self.count - 1)
        self.states[:] = self._blank[0]
        self.rewards[:] = 0
        self.outcomes[:] = Outcome.OPEN
        self._start(self._rows_of_all, self._rows_of_all + first)
        self._encode()

    def _start(self, rows: npt.NDArray[np.int64], seeds: npt.NDArray[np.int64]) -> None:
        start_rows(
            self.states, self.card_set.table, self._setup, seeds, self._streams, rows,
            self._masks, self.seats, self._potentials,
        )  # fmt: skip

    def _encode(self) -> None:
        self.encoder.encode(self.states, self.card_set.table, self.seats, self.observations)

    def step(self, actions: npt.ArrayLike) -> None:
        """Apply one action in every row; if any is illegal, none is applied."""
        chosen = whole_numbers(actions, self.count)
        row = first_illegal(self._masks, chosen)
        if row >= 0:
            raise IllegalAction(self._refusal(int(row), int(chosen[row])))
        self._advance(self._rows_of_all, chosen)
        self._encode_rest()

    def _advance(self, rows: npt.NDArray[np.int64], actions: npt.NDArray[np.int64]) -> None:
        """Apply legal actions, or FORFEIT, in these rows."""
        step_some(
            self.states, self.card_set.table, self._setup, self._blank, rows, actions,
            self._streams, self.gamma, self._masks, self.seats, self.rewards, self.outcomes,
            self._potentials, self._finals, self.observations if self._is_flat else UNWRITTEN,
        )  # fmt: skip

    @property
    def masks(self) -> npt.NDArray[np.int8]:
        """The legal actions of each row, to be read only: actions are checked against them."""
        return self._shown_masks

    @masks.setter
    def masks(self, masks: npt.NDArray[np.int8]) -> None:
        self._masks = masks
        self._shown_masks = masks.view()
        self._shown_masks.flags.writeable = False

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self.__dict__.update(saved)
        self.masks = self._masks  # a copy of both would show one and check the other

    def _encode_rest(self) -> None:
        """Write the observations that `_advance` has not written."""
        if not self._is_flat:
            self._encode()

    def _refusal(self, row: int, action: int) -> str:
        """Why a row's action is refused."""
        if not 0 <= action < NUM_ACTIONS:
            return f"row {row}: action {action}: accepted are 0 to {NUM_ACTIONS - 1}"
        legal = ", ".join(
            f"{option} ({action_name(int(option), self.card_set)})"
            for option in np.flatnonzero(self.masks[row])
        )
        name = action_name(action, self.card_set)
        return f"row {row}: action {action} ({name}) is not legal; legal: {legal}"

    @property
    def ended(self) -> npt.NDArray[np.bool_]:
        """The rows whose game ended in the last step."""
        return np.asarray(self.outcomes != Outcome.OPEN)

    def final_observations(self, rows: npt.NDArray[np.int64]) -> Any:
        """What seat 0 saw at the end, for rows whose game has ended in the last step."""
        out = self.encoder.empty(len(rows))
        seats = np.zeros(len(rows), np.int64)
        self.encoder.encode(self._finals[rows], self.card_set.table, seats, out)
        return out

    def game(self, row: int) -> Game:
        """A copy of one row's game."""
        self._check_row(row)
        return Game(self.config, self.card_set, self.states[row : row + 1].copy())

    def set_game(self, row: int, game: Game) -> None:
        """Put a game of the same configuration into a row."""
        self._check_row(row)
        if game.config != self.config or game.card_set.hash != self.card_set.hash:
            raise ValueError(f"row {row}: the game has another configuration or card set")
        if game.is_over:
            raise ValueError(f"row {row}: the game is over")
        self.states[row] = game.states[0]
        self._masks[row] = game.state.legal
        self.seats[row] = game.state.decider
        potentials_of(self.states[row : row + 1], self._potentials[row : row + 1])
        self._encode()

    def _check_row(self, row: int) -> None:
        if not 0 <= row < self.count:
            raise IndexError(f"row {row}: accepted are 0 to {self.count - 1}")

    def random_actions(self, rng: np.random.Generator) -> npt.NDArray[np.int64]:
        """One uniformly random legal action a row."""
        lots = 1 - rng.random(self.masks.shape, np.float32)  # above 0, so legal ones win
        return np.asarray(np.argmax(self.masks * lots, axis=1))
