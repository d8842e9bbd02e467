"""How an agent is asked: in batches if it takes them, checked, timed and watched.

Whatever an agent does instead of answering is written down for the row it concerns; the others go
on. A batch that fails as a whole is asked again row by row, to find out whose answer is missing.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from agents.agent import NO_OBSERVATION, Agent, Turns, row_of
from tenefyr_env.engine.actions import NUM_ACTIONS
from tenefyr_env.game import IllegalAction
from tenefyr_env.spaces.encoders import make_encoder
from tenefyr_env.vector import whole_numbers

NO_ACTION = -1
MAX_MESSAGE = 500

Actions = npt.NDArray[np.int64]
Games = npt.NDArray[np.int64]  # numbers of games at a table


class Watch:
    """Is told what is being waited for. This one does not care; a worker's tells its parent."""

    def follow(self, table: Any) -> None:
        """The games in question are those of this table."""

    def asking(self, agent: str, games: Games, may_compile: bool) -> None:
        """The agent is being asked about these games."""

    def answered(self) -> None:
        """It has answered."""


class Asker:
    """One agent, and how it is asked."""

    def __init__(self, name: str, agent: Agent) -> None:
        self.name = name
        self.agent = agent
        self.decisions = 0  # that were timed
        self.seconds = 0.0
        self._encoder = None if agent.encoder == NO_OBSERVATION else make_encoder(agent.encoder)
        self._takes_batches = type(agent).act_batch is not Agent.act_batch
        self._is_warm = False  # the first call may compile, and is not timed

    def ask(
        self, make_turns: Callable[[], Turns], games: Games, watch: Watch, singly: bool
    ) -> tuple[Actions, dict[int, str]]:
        """An action for each turn, and what is wrong with those that have none.

        `games` are the games' numbers, for the watch. `singly` asks even an agent that takes
        batches one decision at a time.
        """
        if self._takes_batches and not singly:
            try:
                return self._ask_together(make_turns(), games, watch)
            except (Exception, SystemExit):
                pass  # by whom, and why, the rows tell one by one
        return self._ask_each(make_turns(), games, watch)

    def _ask_together(
        self, turns: Turns, games: Games, watch: Watch
    ) -> tuple[Actions, dict[int, str]]:
        masks = turns.masks.copy()  # an agent may write into its own
        seen = self._observe(turns)
        answer = self._timed(lambda: self.agent.act_batch(seen, turns.masks, turns), games, watch)
        actions = whole_numbers(answer, len(turns))
        legal = (actions >= 0) & (actions < NUM_ACTIONS)
        legal[legal] = masks[legal, actions[legal]] != 0
        wrong = {int(row): _illegal(actions[row], masks[row]) for row in np.flatnonzero(~legal)}
        return np.where(legal, actions, NO_ACTION), wrong

    def _ask_each(self, turns: Turns, games: Games, watch: Watch) -> tuple[Actions, dict[int, str]]:
        masks = turns.masks.copy()
        actions = np.full(len(turns), NO_ACTION, np.int64)
        wrong: dict[int, str] = {}
        seen = self._observe(turns)
        for row in range(len(turns)):
            try:
                action = self._ask_one(seen, turns, row, games[row : row + 1], watch)
            except (Exception, SystemExit) as error:
                wrong[row] = f"raised {type(error).__name__}: {error}"[:MAX_MESSAGE]
                continue
            if not 0 <= action < NUM_ACTIONS or not masks[row, action]:
                wrong[row] = _illegal(action, masks[row])
            else:
                actions[row] = action
        return actions, wrong

    def _ask_one(self, seen: Any, turns: Turns, row: int, games: Games, watch: Watch) -> int:
        mask = turns.masks[row]
        if not self._takes_batches:
            one = None if seen is None else row_of(seen, row)
            info = turns.row(row)
            return _whole(self._timed(lambda: self.agent.act(one, mask, info), games, watch))
        part = slice(row, row + 1)
        turn = Turns(turns.states[part], turns.seeds[part], turns.config, turns.card_set)
        some = None if seen is None else _part_of(seen, part)
        answer = self._timed(lambda: self.agent.act_batch(some, mask[None], turn), games, watch)
        return int(whole_numbers(answer, 1)[0])

    def _observe(self, turns: Turns) -> Any:
        if self._encoder is None:
            return None
        out = self._encoder.empty(len(turns))
        self._encoder.encode(turns.states, turns.card_set.table, turns.seats, out)
        return out

    def _timed(self, call: Callable[[], Any], games: Games, watch: Watch) -> Any:
        watch.asking(self.name, games, self._takes_batches and not self._is_warm)
        start = time.perf_counter()
        try:
            return call()
        finally:
            if self._is_warm:
                self.seconds += time.perf_counter() - start
                self.decisions += len(games)
            self._is_warm = True
            watch.answered()


def _whole(action: Any) -> int:
    """A single answer as a number."""
    if not isinstance(action, int | np.integer) or isinstance(action, bool):
        raise IllegalAction(f"action {action!r}: accepted are whole numbers")
    return int(action)


def _illegal(action: int, mask: npt.NDArray[Any]) -> str:
    legal = ", ".join(map(str, np.flatnonzero(mask)))
    return f"action {action} is not legal; legal: {legal}"


def _part_of(observations: Any, part: slice) -> Any:
    if isinstance(observations, dict):
        return {key: value[part] for key, value in observations.items()}
    return observations[part]
