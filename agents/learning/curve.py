"""The learning curve of a run as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from agents.evaluation.plots import COLOURS, PERCENT, save_picture

MILLIONS = FuncFormatter(lambda steps, _: f"{steps / 1e6:g} M")


def save_curve(entries: Sequence[dict[str, Any]], name: str, path: Path) -> None:
    """Draw the win rate of every evaluation, with its interval."""
    save_picture(curve({name: entries}), path)


def curve(runs: dict[str, Sequence[dict[str, Any]]]) -> Figure:
    """The learning curves of several runs."""
    figure = Figure(figsize=(8, 4), layout="constrained")
    axes = figure.subplots()
    for number, (name, entries) in enumerate(runs.items()):
        colour = COLOURS[number % len(COLOURS)]
        steps = [entry["steps"] for entry in entries]
        axes.plot(steps, [entry["rate"] for entry in entries], color=colour, label=name)
        low, high = ([entry[end] for entry in entries] for end in ("low", "high"))
        axes.fill_between(steps, low, high, color=colour, alpha=0.2, linewidth=0)
    axes.set_xlabel("decisions learned from")
    axes.set_ylabel("validation games won, with 95 % interval")
    axes.xaxis.set_major_formatter(MILLIONS)
    axes.yaxis.set_major_formatter(PERCENT)
    axes.set_ylim(bottom=0)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", alpha=0.3)
    axes.legend(frameon=False, loc="upper left")
    return figure
