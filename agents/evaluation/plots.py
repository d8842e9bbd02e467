"""The figures as pictures: win rates, cross-play, and where games are lost.

Colours are Okabe and Ito's, which the colour-blind can tell apart; every team has a marker as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from agents.evaluation.cross_play import ALL_HEROES
from agents.evaluation.figures import Figures
from agents.evaluation.teams import short_name

COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#56B4E9", "#000000", "#8C8C00")
MARKERS = "osD^vPX*"
STAGE_COLOURS = ("#FFFFFF", "#C9DDEE", "#8DBBDC", "#3F8FC4", "#0A5A94", "#00263D")
DPI = 150
PERCENT = FuncFormatter(lambda share, _: f"{100 * share:g} %")
JOINED = "an enemy that joined"


def save_plots(results: Figures, folder: Path) -> list[str]:
    """Save a picture of everything there is, and say which."""
    figures = {"win_rates.png": win_rates(results)}
    if any(figures["lost_to"] for figures in results["agents"].values()):
        figures["losses.png"] = losses(results)
    if "cross_play" in results:
        figures["cross_play.png"] = cross_play(results["cross_play"])
    for name, figure in figures.items():
        save_picture(figure, folder / name)
    return list(figures)


def save_picture(figure: Figure, path: Path) -> None:
    """Write a picture: the same bytes for the same figures."""
    FigureCanvasAgg(figure)
    figure.savefig(path, dpi=DPI, metadata={"Software": None})


def win_rates(results: Figures) -> Figure:
    """The win rate of every team in every setting, with its interval."""
    teams = list(results["agents"])
    settings = list(results["agents"][teams[0]]["by_setting"])
    height = 1.2 + len(settings) * (0.35 + 0.3 * len(teams))
    figure = Figure(figsize=(8, max(2.4, height)), layout="constrained")
    axes = figure.subplots()
    for number, setting in enumerate(settings):
        for team, name in enumerate(teams):
            row = number * (len(teams) + 1) + team  # a free row between two settings
            _win_rate(axes, results["agents"][name]["by_setting"][setting], row, team)
    _name_rows(axes, teams, settings)
    highest = max(
        results["agents"][team]["by_setting"][each]["ci95"][1]
        for team in teams
        for each in settings
    )
    axes.set_xlim(-0.01 * highest, 1.15 * highest)
    axes.xaxis.set_major_formatter(PERCENT)
    axes.set_xlabel("games won, with 95 % interval")
    deals = results["deals"]
    where = f"{settings[0]}, " if len(settings) == 1 else ""
    axes.set_title(f"{where}{deals['games']:,} {deals['set']} deals", loc="left")
    _tidy(axes)
    return figure


def _win_rate(axes: Any, figures: Figures, row: int, team: int) -> None:
    rate, (low, high) = figures["win_rate"], figures["ci95"]
    if rate is None:
        return
    axes.errorbar(
        rate,
        row,
        xerr=[[rate - low], [high - rate]],
        fmt=MARKERS[team % len(MARKERS)],
        color=COLOURS[team % len(COLOURS)],
        capsize=4,
        markersize=7,
        clip_on=False,
    )
    beside = {"xytext": (8, 0), "textcoords": "offset points", "va": "center", "fontsize": 9}
    axes.annotate(f"{100 * rate:.1f} %", (high, row), **beside)


def _name_rows(axes: Any, teams: list[str], settings: list[str]) -> None:
    """Every row is named by its team; settings stand above their rows."""
    block = len(teams) + 1
    rows = [number * block + team for number in range(len(settings)) for team in range(len(teams))]
    axes.set_yticks(rows, [short_name(team) for team in teams] * len(settings))
    axes.set_ylim(rows[-1] + 0.7, -1.2 if len(settings) > 1 else -0.7)
    if len(settings) > 1:
        style = {"transform": axes.get_yaxis_transform(), "fontweight": "bold", "va": "center"}
        for number, setting in enumerate(settings):
            axes.text(0.01, number * block - 0.75, setting, **style)


def losses(results: Figures) -> Figure:
    """Which card of the boss deck ends the lost games, by its number and by its name."""
    lost = {
        short_name(team): figures
        for team, figures in results["agents"].items()
        if sum(figures["lost_to"].values())
    }
    enemies = sorted({_enemy(enemy) for figures in lost.values() for enemy in figures["lost_to"]})
    enemies.sort(key=lambda enemy: enemy == JOINED)
    upper, lower = 1.3 + 0.35 * len(lost), 1.0 + 0.28 * len(enemies)
    width = max(8.0, 4.5 + 1.0 * len(lost))
    figure = Figure(figsize=(width, upper + lower), layout="constrained")
    top, bottom = figure.subplots(2, 1, height_ratios=[upper, lower])
    _stages(top, lost)
    shares = [[_share(figures["lost_to"], enemy) for figures in lost.values()] for enemy in enemies]
    _heat(bottom, shares, enemies, list(lost), max(max(row) for row in shares))
    bottom.set_title("... and to which: % of a team's losses", loc="left")
    return figure


def _stages(axes: Any, lost: Mapping[str, Figures]) -> None:
    """A bar for each team, a part for each enemy of the boss deck in turn."""
    last = len(STAGE_COLOURS)
    starts = [0.0] * len(lost)
    for stage in range(1, last + 1):
        shares = [_share_at(figures["lost_at_stage"], stage, last) for figures in lost.values()]
        label = str(stage) if stage < last else f"{last} or later"
        axes.barh(
            list(lost), shares, left=starts, color=STAGE_COLOURS[stage - 1], edgecolor="#666666",
            linewidth=0.6, height=0.7, label=label,
        )  # fmt: skip
        starts = [start + share for start, share in zip(starts, shares, strict=True)]
    axes.invert_yaxis()
    axes.set_xlim(0, 1)
    axes.xaxis.set_major_formatter(PERCENT)
    axes.set_title("Lost to which enemy of the boss deck: its number ...", loc="left")
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False, handlelength=1)
    _tidy(axes)


def _share_at(counts: Mapping[str, int], stage: int, last: int) -> float:
    """The share of losses at a stage; the last stands for all later ones too."""
    at = sum(count for number, count in counts.items() if min(int(number), last) == stage)
    return at / sum(counts.values())


def cross_play(matrix: Figures) -> Figure:
    """For each hero: the win rate by its agent, and by the agent of all other heroes."""
    names = [short_name(agent) for agent in matrix[ALL_HEROES]]
    panels = [ALL_HEROES, *(hero for hero in matrix if hero != ALL_HEROES)]
    shares = {
        hero: [
            [rates["win_rate"] or 0.0 for rates in row.values()] for row in matrix[hero].values()
        ]
        for hero in panels
    }
    highest = max(share for rows in shares.values() for row in rows for share in row)
    size = max(2.4, 1.2 + 0.65 * len(names), 1.2 + 0.16 * max(map(len, names)))
    figure = Figure(figsize=(3 * size + 0.6, 2 * size + 0.8), layout="constrained")
    grid = figure.subplots(2, 3)
    for axes in grid.flat:
        axes.set_axis_off()
    for axes, hero in zip(grid.flat, panels, strict=False):
        axes.set_axis_on()
        _heat(axes, shares[hero], names, names, highest)
        axes.set_title("any one hero" if hero == ALL_HEROES else hero, loc="left")
        axes.set_xlabel("its partners")
        axes.set_ylabel("the hero is played by")
    figure.suptitle("Cross-play: % of games won")
    return figure


def budgets(part: Figures) -> Figure:
    """The win rate of search by its rollouts, among the scripted agents' as bands."""
    figure = Figure(figsize=(7, 4.2), layout="constrained")
    axes = figure.subplots()
    rows = [row for row in part["rows"] if "rollouts" in row and row["games"]]
    rollouts, rates = [row["rollouts"] for row in rows], [row["win_rate"] for row in rows]
    errors = [
        [row["win_rate"] - row["ci95"][0] for row in rows],
        [row["ci95"][1] - row["win_rate"] for row in rows],
    ]
    axes.errorbar(
        rollouts, rates, yerr=errors, fmt=f"{MARKERS[0]}-", color=COLOURS[0], capsize=4,
        markersize=7, label="search",
    )  # fmt: skip
    styles = zip(part["lines"].items(), COLOURS[1:], ("--", ":", "-."), strict=False)
    for (agent, rate), colour, dashes in styles:
        if rate["games"]:
            axes.axhspan(*rate["ci95"], color=colour, alpha=0.25, linewidth=0)
            axes.axhline(rate["win_rate"], color=colour, linestyle=dashes, label=agent)
    axes.set_xscale("log", base=2)
    axes.set_xticks(rollouts, list(map(str, rollouts)))
    axes.minorticks_off()
    axes.set_ylim(bottom=0)
    axes.yaxis.set_major_formatter(PERCENT)
    axes.set_xlabel("rollouts for a decision")
    axes.set_ylabel("games won, with 95 % interval")
    axes.set_title(
        f"Normal, 4 players, {max((row['games'] for row in rows), default=0):,} deals", loc="left"
    )
    axes.legend(loc="upper left", frameon=False)
    axes.grid(color="#DDDDDD", linewidth=0.8)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    return figure


def _heat(
    axes: Any, shares: list[list[float]], rows: list[str], columns: list[str], highest: float
) -> None:
    """Shares as lighter and darker fields, with the numbers in them."""
    axes.imshow(shares, cmap=mpl.colormaps["Blues"], vmin=0, vmax=highest or 1, aspect="auto")
    axes.set_xticks(range(len(columns)), columns, rotation=30, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(len(rows)), rows)
    axes.tick_params(length=0)
    for y, row in enumerate(shares):
        for x, share in enumerate(row):
            colour = "white" if share > 0.6 * highest else "black"
            style = {"ha": "center", "va": "center", "color": colour, "fontsize": 9}
            axes.text(x, y, f"{100 * share:.1f}", **style)


def _enemy(name: str) -> str:
    """Boss cards are named after their boss; all others have joined it."""
    return name if ":" in name else JOINED


def _share(lost_to: Mapping[str, int], enemy: str) -> float:
    own = sum(count for name, count in lost_to.items() if _enemy(name) == enemy)
    return own / sum(lost_to.values())


def _tidy(axes: Any) -> None:
    axes.set_axisbelow(True)
    axes.grid(axis="x", color="#DDDDDD", linewidth=0.8)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.tick_params(axis="y", length=0)
