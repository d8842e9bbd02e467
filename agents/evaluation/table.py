"""The figures as tables for the screen."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, pairwise

from agents.evaluation.cross_play import ALL_HEROES
from agents.evaluation.figures import Figures
from agents.evaluation.teams import short_name

HEADER = (
    "team", "won", "95 %", "more than the one above", "dungeons", "boss", "decisions",
    "ms each", "games", "failed",
)  # fmt: skip


def table_of(results: Figures) -> str:
    """The figures of every setting, a line for each team."""
    above = dict(pairwise(reversed(results["agents"])))
    rows = [
        (setting, _row(_name(spec, figures), figures["by_setting"][setting], above.get(spec)))
        for setting in _settings(results)
        for spec, figures in results["agents"].items()
    ]
    widths = [
        max(map(len, column)) for column in zip(HEADER, *(row for _, row in rows), strict=True)
    ]
    lines = []
    for setting, own in groupby(rows, key=lambda row: row[0]):
        lines += ["", setting, _line(HEADER, widths), *(_line(row, widths) for _, row in own)]
    return "\n".join(lines[1:])


def _settings(results: Figures) -> list[str]:
    return list(next(iter(results["agents"].values()))["by_setting"])


def _name(spec: str, figures: Figures) -> str:
    name = short_name(spec)
    return f"{name} (sees hidden cards)" if figures["is_oracle"] else name


def _row(name: str, figures: Figures, above: str | None) -> tuple[str, ...]:
    return (
        name,
        _percent(figures["win_rate"]),
        "{} to {}".format(*map(_percent, figures["ci95"])),
        _difference(figures["paired"].get(above)),
        _number(figures["mean_dungeons_cleared"], 2),
        _number(figures["mean_boss_stages"], 2),
        _number(figures["mean_decisions"], 1),
        _number(figures["ms_per_decision"], 4),
        f"{figures['games']:,}",
        f"{figures['failed']:,}",
    )


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    first, *rest = (
        text.ljust(width) if index == 0 else text.rjust(width)
        for index, (text, width) in enumerate(zip(row, widths, strict=True))
    )
    return "  ".join([first, *rest]).rstrip()


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f} %"


def _difference(paired: Figures | None) -> str:
    if not paired:
        return ""
    mean, low, high = (f"{100 * each:+.1f}" for each in (paired["difference"], *paired["ci95"]))
    return f"{mean} ({low} to {high})"


def _number(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:,.{digits}f}"


def cross_table_of(matrix: Figures) -> str:
    """Cross-play: a line for the agent of one hero, a column for that of its partners."""
    lines = []
    for hero, rows in matrix.items():
        agents = list(rows)
        first = f"{hero}, among" if hero != ALL_HEROES else "any hero, among"
        cells = [[first, *map(short_name, agents)]]
        cells += [
            [short_name(one), *(_percent(rows[one][each]["win_rate"]) for each in agents)]
            for one in rows
        ]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        lines += ["", *(_line(row, widths) for row in cells)]
    return "\n".join(lines[1:])
