"""What a player is: something that, asked for a decision, answers with a legal action.

class First(Agent):
    "Takes the first legal action."

    def act(self, observation, mask, info):
        return int(mask.argmax())

An agent is asked through `act`, one decision at a time, or through `act_batch`, many at once; by
default the second asks the first. It must not remember anything between decisions that changes its
answers: a decision, its seed and the agent's options fix the action, whatever else is being played
beside it. That is what makes a result the same in one process and in eight.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from tenefyr_env.cards.card_set import CardSet
from tenefyr_env.config import GameConfig
from tenefyr_env.engine.knowledge import conceal_games
from tenefyr_env.engine.state import Decision
from tenefyr_env.game import Game

NO_OBSERVATION = "none"  # for agents that read the table itself

# Steele and Vigna's splitmix64: neighbouring numbers in, unlike seeds out.
_STRIDE = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)


@dataclass(frozen=True)
class Turns:
    """Decisions that wait for one agent, a row each."""

    states: npt.NDArray[Any]
    """The games as records. What the deciding seat cannot know has been put away (`conceal`), but
    for an oracle."""

    seeds: npt.NDArray[np.int64]
    """A seed for each decision, for an agent that throws dice: the same decision, the same seed."""

    config: GameConfig
    card_set: CardSet

    @cached_property
    def seats(self) -> npt.NDArray[np.int64]:
        """The seat that decides in each row."""
        return self.states["decider"].astype(np.int64)

    @property
    def masks(self) -> npt.NDArray[np.int8]:
        """The legal actions of each row."""
        return np.asarray(self.states["legal"])

    def __len__(self) -> int:
        return len(self.states)

    def row(self, row: int) -> Info:
        """One decision by itself."""
        game = Game(self.config, self.card_set, self.states[row : row + 1])
        return Info(game, int(self.seeds[row]))


@dataclass(frozen=True)
class Info:
    """What one decision is about, beside its observation."""

    game: Game
    """The game as the deciding seat knows it, hidden cards in the order of their numbers. To plan,
    take samples: `info.game.determinize(info.seat, seed)`. It is not the agent's to step."""

    seed: int
    """For an agent that throws dice: the same decision, the same seed."""

    @classmethod
    def of(cls, game: Game, seed: int = 0) -> Info:
        """The pending decision of a game as its seat may know it; the game stays untouched."""
        deals = np.array([seed], np.int64)
        return turns_of(game.states, game.config, game.card_set, deals).row(0)

    @property
    def seat(self) -> int:
        """The seat that decides."""
        return int(self.game.states["decider"][0])

    @property
    def decision(self) -> Decision:
        """What is asked."""
        return Decision(int(self.game.states["decision"][0]))

    @property
    def hero(self) -> str:
        """Who decides, by hero or by both: "Thief", "Bard and Cleric"."""
        return self.game.player_name(self.seat)


class Agent:
    """A player. Give it a name, say what it wants to observe, and write `act`."""

    encoder: ClassVar[str] = "flat"
    """The observations it is given: an encoder's name, or "none" if it reads `info` alone."""

    is_oracle: ClassVar[bool] = False
    """Whether it is shown what its seat cannot know: an upper bound, not a player."""

    def act(self, observation: Any, mask: npt.NDArray[np.int8], info: Info) -> int:
        """A legal action for one decision."""
        raise NotImplementedError(f"{type(self).__name__}.act is not written")

    def act_batch(self, observations: Any, masks: npt.NDArray[np.int8], turns: Turns) -> Any:
        """A legal action for each row."""
        actions = np.zeros(len(turns), np.int64)
        for row in range(len(turns)):
            seen = None if observations is None else row_of(observations, row)
            actions[row] = self.act(seen, masks[row], turns.row(row))
        return actions


class BatchAgent(Agent):
    """An agent that answers many decisions in one call; a single one is a batch of one."""

    encoder = NO_OBSERVATION

    def act(self, observation: Any, mask: npt.NDArray[np.int8], info: Info) -> int:
        game = info.game
        seeds = np.array([info.seed], np.int64)
        turns = Turns(game.states, seeds, game.config, game.card_set)
        return int(self.act_batch(None, mask[None], turns)[0])


def turns_of(
    states: npt.NDArray[Any],
    config: GameConfig,
    card_set: CardSet,
    deals: npt.NDArray[np.int64],
    is_oracle: bool = False,
) -> Turns:
    """The pending decisions of these games as an agent is given them; the games stay untouched.

    `deals` are the seeds the games were set up from; the agents' own are drawn from them.
    """
    shown = states.copy()
    seeds = decision_seeds(deals, shown["num_decisions"])
    turns = Turns(shown, seeds, config, card_set)
    if not is_oracle:
        conceal_games(shown, card_set.table, turns.seats)
    return turns


def decision_seeds(deals: npt.NDArray[np.int64], numbers: npt.ArrayLike) -> npt.NDArray[np.int64]:
    """A seed for a decision, from the game's own seed and the decision's number in it."""
    once = scatter(deals.astype(np.uint64))
    twice = scatter(once ^ np.asarray(numbers).astype(np.uint64))
    return (twice >> np.uint64(1)).astype(np.int64)


def scatter(numbers: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Numbers that look like chance, the same for the same."""
    with np.errstate(over="ignore"):
        mixed = numbers + _STRIDE
        mixed = (mixed ^ (mixed >> np.uint64(30))) * _FIRST
        mixed = (mixed ^ (mixed >> np.uint64(27))) * _SECOND
        return np.asarray(mixed ^ (mixed >> np.uint64(31)))


def row_of(observations: Any, row: int) -> Any:
    """One observation of a batch, which may be a dictionary of arrays."""
    if isinstance(observations, dict):
        return {key: value[row] for key, value in observations.items()}
    return observations[row]
