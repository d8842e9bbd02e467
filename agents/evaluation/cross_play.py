"""Cross-play: every agent as each hero among partners that are all of another kind."""

from __future__ import annotations

from collections.abc import Sequence

from agents.evaluation.figures import Figures, rate_of
from agents.evaluation.jobs import Job
from agents.evaluation.report import jobs_by_team
from agents.evaluation.results import GameResult
from tenefyr_env.config import HERO_NAMES

ALL_HEROES = "all"  # whichever hero the one agent plays


def cross_teams(agents: Sequence[str]) -> list[str]:
    """Every agent alone, and every agent as each hero in a team of every other."""
    mixed = [
        cross_team(hero, one, others)
        for one in agents
        for others in agents
        if one != others
        for hero in HERO_NAMES
    ]
    return [*agents, *mixed]


def cross_team(hero: str, one: str, others: str) -> str:
    """The team in which `one` plays a hero and `others` the rest."""
    return one if one == others else f"{hero}={one}+others={others}"


def cross_play_of(jobs: Sequence[Job], agents: Sequence[str]) -> Figures:
    """Win rates by hero, by the agent that plays it, by the agent that plays all others."""
    teams = jobs_by_team(jobs)
    matrix: Figures = {}
    pooled: dict[tuple[str, str], list[GameResult]] = {}
    for hero in HERO_NAMES:
        matrix[hero] = {one: {} for one in agents}
        for one in agents:
            for others in agents:
                results = _results_with(hero, teams[cross_team(hero, one, others)])
                matrix[hero][one][others] = rate_of(results)
                pooled.setdefault((one, others), []).extend(results)
    matrix[ALL_HEROES] = {
        one: {others: rate_of(_once(pooled[one, others])) for others in agents} for one in agents
    }
    return matrix


def _results_with(hero: str, jobs: Sequence[Job]) -> list[GameResult]:
    """The finished games in which the hero is in play."""
    return [
        result
        for job in jobs
        for result in job.results
        if not result.is_failed and any(hero in label.split("_") for label in result.heroes)
    ]


def _once(results: Sequence[GameResult]) -> list[GameResult]:
    """The results without repetitions: a team of one agent has the same games for every hero."""
    return list({id(result): result for result in results}.values())
