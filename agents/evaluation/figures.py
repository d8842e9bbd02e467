"""Figures of finished games: win rates with intervals, paired differences, means and breakdowns.

Failed games count in none of them but `failed`. Shares are numbers from 0 to 1.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from math import sqrt
from statistics import fmean, stdev
from typing import Any

from agents.evaluation.results import GameResult
from tenefyr_env.config import HERO_NAMES, GameConfig
from tenefyr_env.statistics import ACHIEVEMENTS

Z_95 = 1.959963984540054  # the normal distribution's, for intervals of 95 %
DIGITS = 6

Figures = dict[str, Any]
PlayedGame = tuple[GameConfig, GameResult]  # a game and what it was played under
Seat = tuple[GameResult, int]


def wilson(wins: int, games: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share; of no games, everything is possible."""
    if games == 0:
        return 0.0, 1.0
    share, spread = wins / games, Z_95**2 / games
    middle = (share + spread / 2) / (1 + spread)
    half = Z_95 / (1 + spread) * sqrt(share * (1 - share) / games + spread / (4 * games))
    # At the ends the interval touches them exactly; rounding must not say otherwise.
    low = 0.0 if wins == 0 else middle - half
    high = 1.0 if wins == games else middle + half
    return low, high


def mean_with_interval(values: Sequence[float]) -> tuple[float, float, float]:
    """A mean and its 95 % interval by the normal approximation."""
    mean = fmean(values)
    half = Z_95 * stdev(values) / sqrt(len(values)) if len(values) > 1 else float("inf")
    return mean, mean - half, mean + half


def paired_difference(
    ours: Mapping[Hashable, GameResult], theirs: Mapping[Hashable, GameResult]
) -> Figures | None:
    """How much more often the first team wins, on the deals that both have played to the end."""
    differences = [
        float(result.is_won) - float(theirs[key].is_won)
        for key, result in ours.items()
        if key in theirs and not result.is_failed and not theirs[key].is_failed
    ]
    if not differences:
        return None
    mean, low, high = mean_with_interval(differences)
    ci95 = [_round(max(-1.0, low)), _round(min(1.0, high))]
    return {"difference": _round(mean), "ci95": ci95, "games": len(differences)}


def rate_of(results: Sequence[GameResult]) -> Figures:
    """The win rate of games that were played to their end."""
    wins = sum(result.is_won for result in results)
    ci95 = [_round(bound) for bound in wilson(wins, len(results))]
    return {"win_rate": share_of(wins, len(results)), "ci95": ci95, "games": len(results)}


def figures_of(games: Sequence[PlayedGame]) -> Figures:
    """All figures of a team's games."""
    results = [result for _, result in games if not result.is_failed]
    return {
        **rate_of(results),
        "failed": len(games) - len(results),
        **means_of(results),
        "achievements": {
            name: share_of(sum(name in result.achievements for result in results), len(results))
            for name in ACHIEVEMENTS
        },
        "lost_at_stage": _counted(result.boss_stages + 1 for result in _lost(results)),
        "lost_to": _counted(result.lost_to for result in _lost(results)),
        "by_boss": _by(results, lambda result: result.boss),
        "by_hero": by_hero(results),
        "by_seat": by_seat(results),
    }


def breakdowns_of(games: Sequence[PlayedGame]) -> Figures:
    """A team's win rates by what was played."""
    finished = [(config, result) for config, result in games if not result.is_failed]
    return {
        f"by_{field}": {
            group: rate_of([result for _, result in some])
            for group, some in _groups(finished, _field(field)).items()
        }
        for field in ("difficulty", "players", "mode")
    }


def _field(name: str) -> Callable[[PlayedGame], Any]:
    return lambda game: getattr(game[0], name)


def means_of(results: Sequence[GameResult]) -> Figures:
    """Means over games."""
    values: dict[str, Callable[[GameResult], float]] = {
        "mean_decisions": lambda result: sum(result.decisions),
        "mean_dungeons_cleared": lambda result: sum(result.cleared),
        "mean_boss_stages": lambda result: result.boss_stages,
        "mean_combats_won": lambda result: result.combats_won,
        "mean_combats_lost": lambda result: result.combats_lost,
        "mean_redraws": lambda result: sum(result.redraws),
        "mean_loot": lambda result: sum(result.loot),
        "mean_steps_left": lambda result: result.steps_left,
    }
    means: Figures = {
        name: mean_of(value(result) for result in results) for name, value in values.items()
    }
    levels = zip(*(result.cleared for result in results), strict=True)
    means["mean_cleared_by_level"] = [mean_of(level) for level in levels]
    return means


def by_hero(results: Sequence[GameResult]) -> Figures:
    """By hero, then by the agent that played it."""
    figures: Figures = {}
    for number, hero in enumerate(HERO_NAMES):
        seats = [
            (result, seat)
            for result in results
            for seat, label in enumerate(result.heroes)
            if hero in label.split("_")
        ]
        figures[hero] = _by_agent(seats)
        for agent, own in _groups(seats, _agent).items():
            figures[hero][agent]["mean_skill_uses"] = mean_of(r.skill_uses[number] for r, _ in own)
    return {hero: own for hero, own in figures.items() if own}


def by_seat(results: Sequence[GameResult]) -> Figures:
    """By seat, then by the agent that sat there."""
    seats = [(result, seat) for result in results for seat in range(len(result.agents))]
    return {seat: _by_agent(own) for seat, own in _groups(seats, lambda pair: pair[1]).items()}


def _by_agent(seats: Sequence[Seat]) -> Figures:
    return {
        agent: {
            **rate_of([result for result, _ in own]),
            "mean_decisions": mean_of(result.decisions[seat] for result, seat in own),
            "mean_redraws": mean_of(result.redraws[seat] for result, seat in own),
            "mean_loot": mean_of(result.loot[seat] for result, seat in own),
        }
        for agent, own in _groups(seats, _agent).items()
    }


def _agent(pair: Seat) -> str:
    result, seat = pair
    return result.agents[seat]


def _lost(results: Iterable[GameResult]) -> list[GameResult]:
    return [result for result in results if not result.is_won]


def _by(results: Sequence[GameResult], key: Callable[[GameResult], object]) -> Figures:
    return {group: rate_of(some) for group, some in _groups(results, key).items()}


def _groups(items: Iterable[Any], key: Callable[[Any], Any]) -> dict[str, list[Any]]:
    """Items by a key, in the order of the keys; JSON has no keys but texts."""
    groups: dict[Any, list[Any]] = defaultdict(list)
    for item in items:
        groups[key(item)].append(item)
    return {str(name): groups[name] for name in sorted(groups)}


def _counted(values: Iterable[Any]) -> dict[str, int]:
    counts = Counter(values)
    return {str(value): counts[value] for value in sorted(counts)}


def mean_of(values: Iterable[float]) -> float | None:
    """The mean as it is written, of nothing none."""
    listed = list(values)
    return _round(fmean(listed)) if listed else None


def share_of(part: int, whole: int) -> float | None:
    """The share as it is written, of nothing none."""
    return _round(part / whole) if whole else None


def _round(value: float) -> float:
    return round(value, DIGITS)
