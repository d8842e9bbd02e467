"""Games played out by a team, many side by side: the loop behind every figure of the project.

played = play_games("odds+greedy+odds+odds", GameConfig(), deal_seeds("validation", 500))
print(sum(result.is_won for result in played.results))

A game is fixed by its deal, its configuration and its team: how many are played beside it, in which
order and in which process changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from agents.agent import Turns, turns_of
from agents.evaluation.asking import NO_ACTION, Asker, Watch
from agents.evaluation.choices import ChoiceNotes
from agents.evaluation.results import Failure, GameResult, result_of
from agents.evaluation.teams import Team, parse_team
from agents.registry import make_agent
from tenefyr_env.cards.card_set import CardSet
from tenefyr_env.cards.compiler import load_card_set
from tenefyr_env.config import GameConfig
from tenefyr_env.engine.batch import set_up_games, step_games
from tenefyr_env.engine.state import MAX_SEATS, Outcome, new_states
from tenefyr_env.game import Game
from tenefyr_env.replays import Replay

SIDE_BY_SIDE = 256  # more games at once need more memory and are no faster
FIRST_ROOM = 512  # actions of a game; a longer one makes more room


@dataclass(frozen=True)
class Played:
    """Games that have ended, in the order of their deals."""

    config: GameConfig
    card_set: CardSet
    results: list[GameResult] = field(default_factory=list)
    positions: list[npt.NDArray[Any]] = field(default_factory=list)  # the last, an array of one
    actions: list[tuple[int, ...]] = field(default_factory=list)

    def game(self, index: int) -> Game:
        """The last position of a game."""
        return Game(self.config, self.card_set, self.positions[index])

    def replay(self, index: int) -> Replay:
        """A game from its beginning."""
        deal = self.results[index].deal
        return Replay.from_actions(self.config, deal, self.actions[index], self.card_set)


class Askers(dict[str, Asker]):
    """Agents by name, made when they are first asked for."""

    def __missing__(self, name: str) -> Asker:
        self[name] = Asker(name, make_agent(name))
        return self[name]


def play_games(
    team: str | Team,
    config: GameConfig | None = None,
    deals: Sequence[int] | npt.NDArray[np.int64] = (0,),
    *,
    card_set: CardSet | None = None,
    askers: Askers | None = None,
    watch: Watch | None = None,
    singly: bool = False,
) -> Played:
    """Play one game a deal to its end, in this process.

    `askers` keeps the agents for the next call, and the time they took. `singly` asks every agent
    one decision at a time, so that a watch knows which game is waited for.
    """
    config = config or GameConfig()
    team = parse_team(team) if isinstance(team, str) else team
    team.check(config)
    played = Played(config, card_set or load_card_set(config.cards))
    seats = [(askers if askers is not None else Askers())[name] for name in team.agents]
    seeds = np.asarray(deals, np.int64)
    for first in range(0, len(seeds), SIDE_BY_SIDE):
        some = seeds[first : first + SIDE_BY_SIDE]
        table = Table(team, seats, played, some, watch or Watch(), singly)
        while len(table.games):
            table.play_round()
        table.clear_into(played)
    return played


def failed_game(
    team: Team, config: GameConfig, card_set: CardSet, deal: int, failure: Failure
) -> GameResult:
    """The result of a game that ended with its process, from the actions it had come to."""
    game = Game.new(config, deal, card_set)
    decisions = np.zeros(MAX_SEATS, np.int64)
    for action in failure.actions:
        decisions[game.decision.seat] += 1
        game.step(action)
    seating = team.seating(game.states["heroes"])[0]
    names = [team.agents[place] for place in seating]
    failure = replace(failure, seat=game.decision.seat)
    return result_of(game, deal, names, decisions, failure=failure)


class Table:
    """Games of one team side by side. Those that have ended leave; the others move together."""

    def __init__(
        self,
        team: Team,
        askers: list[Asker],
        played: Played,
        deals: npt.NDArray[np.int64],
        watch: Watch,
        singly: bool,
    ) -> None:
        self.config, self.card_set = played.config, played.card_set
        self.askers, self.watch, self.singly = askers, watch, singly
        self.deals = deals
        self.actions = np.zeros((len(deals), FIRST_ROOM), np.int8)  # by game, decision
        self.num_decisions = np.zeros((len(deals), MAX_SEATS), np.int64)  # by game, seat
        self.notes = ChoiceNotes(len(deals))
        self.ended: dict[int, tuple[npt.NDArray[Any], Failure | None]] = {}
        self.games = np.arange(len(deals))  # that go on ...
        self.states = new_states(len(deals))  # ... and where they stand
        setup = self.config.to_setup(self.card_set.bosses)
        set_up_games(self.states, self.card_set.table, setup, deals)
        self.seating = team.seating(self.states["heroes"])  # by game, seat: a place in `askers`
        watch.follow(self)

    def play_round(self) -> None:
        """Every game's pending decision is asked for and taken."""
        actions = np.full(len(self.games), NO_ACTION, np.int64)
        seats = self.states["decider"].astype(np.int64)
        places = self.seating[self.games, seats]
        wrong: dict[int, tuple[Asker, str]] = {}
        for place, asker in enumerate(self.askers):
            rows = np.flatnonzero(places == place)
            if len(rows):
                actions[rows], messages = self._ask(asker, rows)
                wrong.update({int(rows[row]): (asker, text) for row, text in messages.items()})
        if wrong:
            for row, (asker, message) in wrong.items():
                self._give_up(row, asker.name, message)
            actions, seats = actions[actions != NO_ACTION], np.delete(seats, list(wrong))
            self._keep(np.delete(np.arange(len(self.games)), list(wrong)))
        self._take(actions, seats)

    def _ask(self, asker: Asker, rows: npt.NDArray[np.int64]) -> tuple[Any, dict[int, str]]:
        states = self.states if len(rows) == len(self.states) else self.states[rows]
        games = self.games[rows]

        def turns() -> Turns:
            deals = self.deals[games]
            return turns_of(states, self.config, self.card_set, deals, asker.agent.is_oracle)

        return asker.ask(turns, games, self.watch, self.singly)

    def _take(self, actions: npt.NDArray[np.int64], seats: npt.NDArray[np.int64]) -> None:
        numbers = self.num_decisions[self.games].sum(axis=1)
        if len(numbers) and numbers.max() == self.actions.shape[1]:
            self.actions = np.pad(self.actions, ((0, 0), (0, self.actions.shape[1])))
        self.actions[self.games, numbers] = actions
        self.num_decisions[self.games, seats] += 1
        self.notes.note(self.games, self.states, actions)
        step_games(self.states, self.card_set.table, actions)
        is_open = self.states["outcome"] == Outcome.OPEN
        if not is_open.all():
            for row in np.flatnonzero(~is_open):
                self.ended[int(self.games[row])] = (self.states[row : row + 1].copy(), None)
            self._keep(np.flatnonzero(is_open))

    def _give_up(self, row: int, agent: str, message: str) -> None:
        position = self.states[row : row + 1].copy()
        game = int(self.games[row])
        seat = int(position["decider"][0])
        failure = Failure(agent, seat, message, self.actions_of(game))
        self.ended[game] = (position, failure)

    def _keep(self, rows: npt.NDArray[np.int64]) -> None:
        self.games, self.states = self.games[rows], self.states[rows]

    def actions_of(self, game: int) -> tuple[int, ...]:
        """The actions of a game so far."""
        return tuple(self.actions[game, : self.num_decisions[game].sum()].tolist())

    def clear_into(self, played: Played) -> None:
        """Write the results of all games, once the last has ended."""
        for game, deal in enumerate(self.deals.tolist()):
            position, failure = self.ended[game]
            names = [self.askers[place].name for place in self.seating[game]]
            ended = Game(self.config, self.card_set, position)
            decisions, choices = self.num_decisions[game], self.notes.of(game)
            played.results.append(result_of(ended, deal, names, decisions, choices, failure))
            played.positions.append(position)
            played.actions.append(self.actions_of(game))
