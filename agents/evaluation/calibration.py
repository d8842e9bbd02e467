"""Is it a good game? What the card set must show, and what the agents' games show of it.

A report has parts, each a list of rows: a figure, what is wanted of it, and whether that holds.
`is_clear` says that the 95 % interval leaves no doubt of it. See `scripts/report.py`.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import inf, sqrt
from pathlib import Path
from typing import Any, NamedTuple

from agents.evaluation.choices import figures_of_choices
from agents.evaluation.figures import DIGITS, Z_95, Figures, paired_difference, rate_of
from agents.evaluation.jobs import Deals, Job
from agents.evaluation.results import GameResult
from agents.evaluation.teams import parse_team
from tenefyr_env.cards.compiler import load_card_set
from tenefyr_env.config import DIFFICULTIES, GameConfig

SCRIPTED = "odds"  # the best of the scripted agents
SEARCH = "search"
ALL = "all"  # difficulties, pooled
NEAR = 0.12  # of each other are the numbers of players, and the bosses


@dataclass(frozen=True)
class Wanted:
    """A range for a share."""

    low: float = -inf
    high: float = inf
    is_open: bool = False  # the bounds themselves do not count

    def has(self, value: float) -> bool:
        """Whether the value is in the range."""
        return self.low < value < self.high if self.is_open else self.low <= value <= self.high

    def judge(self, value: float | None, interval: Sequence[float] | None = None) -> Figures:
        """Whether the range holds, and whether that is beyond the noise."""
        if value is None:
            return {"wanted": str(self), "holds": False, "is_clear": False}
        holds, is_clear = self.has(value), True
        if interval is not None and holds:
            is_clear = all(map(self.has, interval))
        elif interval is not None:
            is_clear = interval[1] < self.low or interval[0] > self.high
        return {"wanted": str(self), "holds": holds, "is_clear": is_clear}

    def __str__(self) -> str:
        low, high = f"{100 * self.low:g}", f"{100 * self.high:g}"
        if self.low == -inf:
            return f"under {high} %"
        if self.high == inf:
            return f"over {low} %"
        return f"{high} %" if low == high else f"{low} to {high} %"


def under(percent: float) -> Wanted:
    """Less than this."""
    return Wanted(high=percent / 100, is_open=True)


def over(percent: float) -> Wanted:
    """More than this."""
    return Wanted(low=percent / 100, is_open=True)


def between(low: float, high: float) -> Wanted:
    """From this to that many per cent."""
    return Wanted(low / 100, high / 100)


LADDER: Mapping[str, Mapping[str, Wanted]] = {
    "easy": {
        "random": under(1), "greedy": between(5, 20), SCRIPTED: between(45, 65), SEARCH: over(85),
    },
    "normal": {
        "random": under(0.5), "greedy": between(1, 8), SCRIPTED: between(20, 40),
        SEARCH: between(60, 80),
    },
    "hard": {
        "random": between(0, 0), "greedy": under(2), SCRIPTED: between(5, 15),
        SEARCH: between(30, 55),
    },
}  # fmt: skip
LEAVES, REDRAWS = between(10, 60), between(15, 70)


class Run(NamedTuple):
    """An agent in one configuration, over the first so many deals."""

    agent: str
    config: GameConfig
    games: int


@dataclass(frozen=True)
class Request:
    """What is to be reported."""

    deals: str = "validation"
    games: int = 2000
    search: str = SEARCH
    search_games: int = 300
    budgets: tuple[int, ...] = (4, 16, 64, 256)
    budget_games: int = 300
    parts: tuple[str, ...] = ()

    def scripted(self, agent: str = SCRIPTED, **fields: Any) -> Run:
        """A scripted agent's run; the fields are the configuration's."""
        return Run(agent, GameConfig(**fields), self.games)

    def rung(self, difficulty: str, agent: str) -> Run:
        """A rung of the ladder."""
        run = self.scripted(agent, difficulty=difficulty)
        is_search = agent == SEARCH
        return run._replace(agent=self.search, games=self.search_games) if is_search else run

    def budget(self, rollouts: int) -> Run:
        """The search agent with this budget."""
        head, _, options = self.search.partition(":")
        others = [each for each in options.split(",") if each and "rollouts=" not in each]
        name = f"{head}:{','.join([f'rollouts={rollouts}', *others])}"
        return Run(name, GameConfig(), self.budget_games)


Results = Callable[[Run], list[GameResult]]


class PlayedRuns:
    """The games of runs, each played once whichever parts ask for them."""

    def __init__(self, runs: Iterable[Run], deals: str, folder: Path) -> None:
        games: dict[tuple[str, GameConfig], int] = {}
        for run in runs:
            key = run.agent, run.config
            games[key] = max(run.games, games.get(key, 0))
        self.jobs = {
            (agent, config): Job(parse_team(agent), config, Deals(deals, count), folder)
            for (agent, config), count in games.items()
        }

    def __call__(self, run: Run) -> list[GameResult]:
        """The run's games that were played to their end."""
        results = self.jobs[run.agent, run.config].results[: run.games]
        return [result for result in results if not result.is_failed]

    @property
    def failed(self) -> int:
        """Games that an agent kept from being played to their end."""
        return sum(result.is_failed for job in self.jobs.values() for result in job.results)


def report_of(request: Request, results: Results, failed: int = 0) -> Figures:
    """The figures of all parts: the same for the same deals, whatever machine plays."""
    cards = load_card_set(GameConfig().cards)
    return {
        "card_set": {"name": cards.name, "version": cards.version, "hash": cards.hash},
        "deals": request.deals,
        "failed": failed,
        "parts": {
            name: {"command": command_of(name, request), **PARTS[name].figures(request, results)}
            for name in request.parts
        },
    }


def runs_of(request: Request) -> list[Run]:
    """All that must be played for a report."""
    return [run for name in request.parts for run in PARTS[name].runs(request)]


def command_of(part: str, request: Request) -> str:
    """The command that makes a part."""
    words = ["python", "scripts/report.py", "--parts", part, "--deals", request.deals]
    for name in PARTS[part].options:
        value = getattr(request, name)
        text = ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
        words += [f"--{name.replace('_', '-')}", text]
    return shlex.join(words)


# The ladder


def ladder_runs(request: Request) -> list[Run]:
    """Every agent on every difficulty, the slow one last."""
    rungs = [(agent, difficulty) for difficulty in LADDER for agent in LADDER[difficulty]]
    rungs.sort(key=lambda rung: rung[0] == SEARCH)
    return [request.rung(difficulty, agent) for agent, difficulty in rungs]


def ladder(request: Request, results: Results) -> Figures:
    """The win rates of all agents, and whether every rung is above the one before."""
    rows, steps = [], []
    for difficulty, wanted in LADDER.items():
        rates = {agent: rate_of(results(request.rung(difficulty, agent))) for agent in wanted}
        for agent, rate in rates.items():
            judged = wanted[agent].judge(rate["win_rate"], rate["ci95"])
            rows.append({"what": f"{difficulty}, {agent}", **rate, **judged})
        steps.append(_in_order(difficulty, rates))
    return {"rows": [*rows, *steps]}


def _in_order(difficulty: str, rates: Mapping[str, Figures]) -> Figures:
    """Whether intervals are apart: of all agents on Normal, else of the best two.

    A hard game may leave nothing to tell the weak ones apart by.
    """
    agents = list(rates) if difficulty == "normal" else [SCRIPTED, SEARCH]
    touching = [
        f"{lower} and {higher} are not"
        for lower, higher in pairwise(agents)
        if rates[lower]["ci95"][1] >= rates[higher]["ci95"][0]
    ]
    return {
        "what": f"{difficulty}, intervals apart",
        "found": ", ".join(touching) or "all are",
        "wanted": " < ".join(agents),
        "holds": not touching,
        "is_clear": True,
    }


# The best scripted agent elsewhere


def player_runs(request: Request) -> list[Run]:
    """The scripted agent by number of players."""
    return [request.scripted(players=players) for players in (1, 2, 3, 4)]


def players(request: Request, results: Results) -> Figures:
    """Every number of players is about as hard as four."""
    rates = [rate_of(results(run)) for run in player_runs(request)]
    rows = []
    for number, rate in enumerate(rates, start=1):
        row = {"what": f"{number} player{'s' * (number > 1)}", **rate}
        compared = {} if number == 4 else near([(1, rate), (-1, rates[3])], "4 players")
        rows.append({**row, **compared})
    return {"rows": rows}


def boss_runs(request: Request) -> list[Run]:
    """The scripted agent against each boss."""
    return [request.scripted(boss=boss) for boss in load_card_set(GameConfig().cards).bosses]


def bosses(request: Request, results: Results) -> Figures:
    """Every boss is about as hard as the mean."""
    names = load_card_set(GameConfig().cards).bosses
    rates = [rate_of(results(run)) for run in boss_runs(request)]
    part = 1 / len(rates)
    rows = []
    for name, rate in zip(names, rates, strict=True):
        parts = [(float(other is rate) - part, other) for other in rates]
        rows.append({"what": name, **rate, **near(parts, "the mean")})
    return {"rows": rows}


def near(parts: Sequence[tuple[float, Figures]], what: str) -> Figures:
    """Whether a weighted sum of win rates is near zero, with its interval."""
    wanted = f"within {100 * NEAR:g} points of {what}"
    if any(rate["win_rate"] is None for _, rate in parts):
        return {**Wanted().judge(None), "wanted": wanted}
    value, half = weighted(parts)
    interval = [round(value - half, DIGITS), round(value + half, DIGITS)]
    judged = Wanted(-NEAR, NEAR).judge(value, interval)
    difference = {"difference": round(value, DIGITS), "difference_ci95": interval}
    return {**difference, **judged, "wanted": wanted}


def weighted(parts: Sequence[tuple[float, Figures]]) -> tuple[float, float]:
    """A weighted sum of win rates on different deals, and half of its 95 % interval."""
    value = sum(weight * rate["win_rate"] for weight, rate in parts)
    variance = sum(
        weight**2 * rate["win_rate"] * (1 - rate["win_rate"]) / rate["games"]
        for weight, rate in parts
    )
    return value, Z_95 * sqrt(variance)


def quick_runs(request: Request) -> list[Run]:
    """The regular game on Normal, quick mode, and the regular game on Easy."""
    return [
        request.scripted(),
        request.scripted(mode="quick"),
        request.scripted(difficulty="easy"),
    ]


def quick(request: Request, results: Results) -> Figures:
    """Quick mode is as hard as something between Normal and Easy."""
    names = ("normal, regular", "normal, quick", "easy, regular")
    rates = [rate_of(results(run)) for run in quick_runs(request)]
    rows = [{"what": name, **rate} for name, rate in zip(names, rates, strict=True)]
    holds, is_clear = True, True
    for lower, higher in pairwise(rates):
        if lower["win_rate"] is None or higher["win_rate"] is None:
            holds = is_clear = False
            break
        value, half = weighted([(1, higher), (-1, lower)])
        holds &= value >= 0
        is_clear &= abs(value) > half
    wanted = "between regular Normal and Easy"
    rows[1] |= {"wanted": wanted, "holds": holds, "is_clear": is_clear}
    return {"rows": rows}


# The search agent's choices


def choice_runs(request: Request) -> list[Run]:
    """The search agent on every difficulty."""
    return [request.rung(difficulty, SEARCH) for difficulty in DIFFICULTIES]


def choices(request: Request, results: Results) -> Figures:
    """Whether the search agent has real choices: by difficulty, and all together."""
    runs = choice_runs(request)
    played: dict[str, list[GameResult]] = {run.config.difficulty: results(run) for run in runs}
    played[ALL] = [result for some in list(played.values()) for result in some]
    card_set = load_card_set(GameConfig().cards)
    groups = {name: figures_of_choices(some, card_set) for name, some in played.items()}
    rows = [row for name, figures in groups.items() for row in choice_rows(name, figures)]
    return {"rows": [*rows, loot_row(groups[ALL]["loot"])], "groups": groups}


def choice_rows(group: str, figures: Figures) -> list[Figures]:
    """What is wanted of one group's choices."""
    rows = []
    for what, choice, wanted in (("leaves", "leave", LEAVES), ("redraws", "redraw", REDRAWS)):
        taken = figures[choice]
        rows.append({"what": f"{group}, {what}", **taken, **wanted.judge(taken["share"])})
    always = [
        f"level {each['always']} at {steps}" if each["always"] != "boss" else f"boss at {steps}"
        for steps, each in figures["dungeons"].items()
        if each["always"]
    ]
    row = {"what": f"{group}, dungeons", "found": ", ".join(always) or "none always"}
    row["wanted"] = "no level always entered at a track position"
    return [*rows, {**row, "holds": not always, "is_clear": True}]


def loot_row(loot: Mapping[str, Figures]) -> Figures:
    """Every loot card is in some winning deck."""
    missing = [name for name, counts in loot.items() if not counts["won"]]
    found = f"{len(loot) - len(missing)} of {len(loot)}"
    wanted = "every loot card in some winning deck"
    row = {"what": f"{ALL}, loot", "found": found, "missing": missing, "wanted": wanted}
    return {**row, "holds": not missing, "is_clear": True}


# The search agent's budget


def budget_runs(request: Request) -> list[Run]:
    """The scripted agents, then the search agent with every budget."""
    lines = [request.scripted("greedy"), request.scripted()]
    return [*lines, *(request.budget(rollouts) for rollouts in sorted(request.budgets))]


def budget(request: Request, results: Results) -> Figures:
    """Whether search gets better with more rollouts, each budget on the same deals."""
    lines = {agent: rate_of(results(request.scripted(agent))) for agent in ("greedy", SCRIPTED)}
    rows: list[Figures] = [{"what": agent, **rate} for agent, rate in lines.items()]
    budgets = sorted(request.budgets)
    games = [_by_deal(results(request.budget(rollouts))) for rollouts in budgets]
    for number, rollouts in enumerate(budgets):
        rate = rate_of(list(games[number].values()))
        paired = paired_difference(games[number], games[number - 1]) if number else None
        row = {"what": f"search, {rollouts} rollouts", "rollouts": rollouts, **rate}
        rows.append({**row, **_difference(paired)})
    if len(budgets) > 1:
        rows.append(_improvement(paired_difference(games[-1], games[0]), budgets))
    return {"rows": rows, "lines": lines}


def _improvement(paired: Figures | None, budgets: Sequence[int]) -> Figures:
    """Whether the largest budget is better than the smallest."""
    row = {"what": f"{budgets[-1]} against {budgets[0]} rollouts"}
    judged = over(0).judge(paired["difference"], paired["ci95"]) if paired else over(0).judge(None)
    return {**row, **_difference(paired), **judged, "wanted": "more wins"}


def _difference(paired: Figures | None) -> Figures:
    if paired is None:
        return {}
    return {"difference": paired["difference"], "difference_ci95": paired["ci95"]}


def _by_deal(results: Sequence[GameResult]) -> dict[Any, GameResult]:
    return {result.deal: result for result in results}


class Part(NamedTuple):
    """A part of the report."""

    title: str
    runs: Callable[[Request], list[Run]]
    figures: Callable[[Request, Results], Figures]
    options: tuple[str, ...]  # that its figures depend on, beside the deals


PARTS = {
    "ladder": Part(
        "Ladder: 4 heroes, random boss", ladder_runs, ladder, ("games", "search", "search_games")
    ),
    "players": Part(f"Players: {SCRIPTED} on Normal", player_runs, players, ("games",)),
    "bosses": Part(f"Bosses: {SCRIPTED} on Normal, 4 players", boss_runs, bosses, ("games",)),
    "quick": Part(f"Quick mode: {SCRIPTED}, 4 players", quick_runs, quick, ("games",)),
    "choices": Part(
        "Choices of the search agent: 4 players, random boss",
        choice_runs,
        choices,
        ("search", "search_games"),
    ),
    "budget": Part(
        "Search and its budget: Normal, 4 players",
        budget_runs,
        budget,
        ("games", "search", "budgets", "budget_games"),
    ),
}


def checked(request: Request) -> Request:
    """The request with its parts in order; ValueError if there are no such parts or budgets."""
    unknown = [part for part in request.parts if part not in PARTS]
    if unknown or not request.parts:
        raise ValueError(f"parts {','.join(unknown)!r}: accepted: {', '.join(PARTS)}")
    if not request.budgets or min(request.budgets) < 1:
        raise ValueError(f"budgets {request.budgets}: accepted are rollouts, 1 and more")
    budgets = tuple(sorted(set(request.budgets)))
    parts = tuple(part for part in PARTS if part in request.parts)
    return replace(request, budgets=budgets, parts=parts)
