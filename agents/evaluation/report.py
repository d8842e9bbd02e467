"""What an evaluation has found, as one dictionary for JSON: figures, failures, time."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from agents.evaluation.figures import Figures, breakdowns_of, figures_of, paired_difference
from agents.evaluation.jobs import Deals, Job
from agents.evaluation.results import GameResult
from tenefyr_env.cards.compiler import load_card_set
from tenefyr_env.config import GameConfig


def results_of(
    jobs: Sequence[Job], deals: Deals, listed: Sequence[str], oracles: Collection[str] = ()
) -> Figures:
    """All figures of the listed teams: the same for the same deals, whatever machine plays.

    `oracles` are the agents that see hidden cards; their teams are marked.
    """
    configs = list(dict.fromkeys(job.config for job in jobs))
    teams = {spec: own for spec, own in jobs_by_team(jobs).items() if spec in listed}
    return {
        "deals": {"set": deals.name, "first": deals.first, "games": deals.count},
        "configs": [config.to_dict() for config in configs],
        "card_sets": _card_sets(configs),
        "agents": {
            spec: {
                **_team_figures(spec, teams),
                "is_oracle": not set(oracles).isdisjoint(own[0].team.agents),
            }
            for spec, own in teams.items()
        },
        "failures": [_failure(job, result) for job in jobs for result in _failed(job)],
    }


def setting_name(config: GameConfig) -> str:
    """What a configuration is called in a table."""
    mode = "" if config.mode == "regular" else f", {config.mode}"
    boss = "" if config.boss == "random" else f", {config.boss}"
    return f"{config.difficulty}, {config.players} player{'s' * (config.players > 1)}{mode}{boss}"


def jobs_by_team(jobs: Sequence[Job]) -> dict[str, list[Job]]:
    """The jobs of each team."""
    teams: dict[str, list[Job]] = {}
    for job in jobs:
        teams.setdefault(job.team.spec, []).append(job)
    return teams


def _card_sets(configs: Sequence[GameConfig]) -> list[dict[str, Any]]:
    sets = [load_card_set(cards) for cards in dict.fromkeys(config.cards for config in configs)]
    return [{"name": each.name, "version": each.version, "hash": each.hash} for each in sets]


def _team_figures(spec: str, teams: Mapping[str, list[Job]]) -> Figures:
    games = [(job.config, result) for job in teams[spec] for result in job.results]
    return {
        **figures_of(games),
        **breakdowns_of(games),
        "by_setting": {
            setting_name(job.config): {
                **figures_of([(job.config, result) for result in job.results]),
                "paired": _paired(spec, teams, job.config),
            }
            for job in teams[spec]
        },
        "paired": _paired(spec, teams),
    }


def _paired(
    spec: str, teams: Mapping[str, list[Job]], config: GameConfig | None = None
) -> dict[str, Figures | None]:
    """The differences to every other team, over all configurations or in one."""
    ours = _results_by_deal(teams[spec], config)
    return {
        other: paired_difference(ours, _results_by_deal(jobs, config))
        for other, jobs in teams.items()
        if other != spec
    }


def _results_by_deal(jobs: Sequence[Job], config: GameConfig | None) -> dict[Any, GameResult]:
    return {
        (job.config, result.deal): result
        for job in jobs
        if config in (None, job.config)
        for result in job.results
    }


def _failed(job: Job) -> list[GameResult]:
    return [result for result in job.results if result.is_failed]


def _failure(job: Job, result: GameResult) -> dict[str, Any]:
    assert result.failure is not None
    return {
        "team": job.team.spec,
        "setting": setting_name(job.config),
        "agent": result.failure.agent,
        "deal": result.deal,
        "seat": result.failure.seat,
        "hero": result.heroes[result.failure.seat],
        "decision": len(result.failure.actions) + 1,
        "message": result.failure.message,
        "replay": job.replay_path(result).as_posix(),
    }


def failure_line(failure: Mapping[str, Any]) -> str:
    """A failed game in one line."""
    return (
        f"FAILED: agent {failure['agent']} ({failure['hero']}, seat {failure['seat']}) of team"
        f" {failure['team']}, {failure['setting']}, deal {failure['deal']}, decision"
        f" {failure['decision']}: {failure['message']}; replay {failure['replay']}"
    )


def failures_in(job: Job, results: Sequence[GameResult]) -> list[str]:
    """A line for each failed game of these."""
    return [failure_line(_failure(job, result)) for result in results if result.is_failed]


def timing_of(jobs: Sequence[Job]) -> dict[str, Any]:
    """Milliseconds a decision, by team: all that depends on the machine."""
    return {
        spec: {
            "ms_per_decision": _milliseconds(own),
            "by_agent": {agent: _milliseconds(own, agent) for agent in own[0].team.agents},
            "by_setting": {setting_name(job.config): _milliseconds([job]) for job in own},
        }
        for spec, own in jobs_by_team(jobs).items()
    }


def _milliseconds(jobs: Sequence[Job], agent: str | None = None) -> float | None:
    """Of one agent, or of all the team."""
    times = [time for job in jobs for name, time in job.timing.items() if agent in (None, name)]
    decisions = sum(count for count, _ in times)
    return round(1000 * sum(seconds for _, seconds in times) / decisions, 6) if decisions else None


def with_timing(results: Figures, timing: Mapping[str, Any]) -> Figures:
    """The results with the time each team took, for those who want all in one."""
    timed = {}
    for spec, figures in results["agents"].items():
        own = timing[spec]
        settings = {
            setting: {**each, "ms_per_decision": own["by_setting"][setting]}
            for setting, each in figures["by_setting"].items()
        }
        timed[spec] = {
            **figures, "ms_per_decision": own["ms_per_decision"], "by_setting": settings,
        }  # fmt: skip
    return {**results, "agents": timed}
