"""What the commands that evaluate have in common: options, the folder, the progress bar, files."""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tqdm import tqdm

from agents.evaluation.jobs import KEPT_FOLDER, Job, run_jobs
from agents.evaluation.report import failures_in
from agents.evaluation.results import GameResult
from agents.evaluation.workers import WorkerError

LIMIT = 60.0
BAD_INPUT, INTERRUPTED = 2, 130  # exit codes


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def __init__(self, prog: str, description: str | None) -> None:
        super().__init__(
            prog=prog,
            description=description,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )

    def error(self, message: str) -> None:  # type: ignore[override]
        """Leave with the line."""
        self.exit(BAD_INPUT, f"{self.prog}: {message}\n")

    def add_running(self, folder: str) -> None:
        """The options of every command that plays."""
        self.add_argument(
            "--out", type=Path, default=Path(folder), help=f"folder for results (default {folder})"
        )
        self.add_argument(
            "--workers", type=positive, default=num_cores(), help="processes (default: all cores)"
        )
        self.add_argument(
            "--limit",
            type=seconds,
            default=LIMIT,
            help=f"seconds an agent has for a decision (default {LIMIT:g})",
        )


def positive(text: str) -> int:
    """A number from 1."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text}: accepted are 1 and more")
    return int(text)


def seconds(text: str) -> float:
    """A time that is not nothing."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"{text}: accepted are seconds above 0")
    return number


def num_cores() -> int:
    """The cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def make_folder(folder: Path) -> None:
    """Make the folder, and see that it can be written."""
    try:
        (folder / KEPT_FOLDER).mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder / KEPT_FOLDER):
            pass
    except OSError as error:
        reason = error.strerror or error
        raise OSError(f"--out {str(folder)!r}: {reason}; accepted: a folder to write in") from error


def play(jobs: Sequence[Job], options: argparse.Namespace, command: str) -> int:
    """Play what is not finished, and say what is kept if that is interrupted; an exit code."""
    try:
        _play_with_bar(jobs, options.workers, options.limit)
    except KeyboardInterrupt:
        finished = sum(len(job.results) for job in jobs)
        wanted = sum(len(job.seeds) for job in jobs)
        print(
            f"interrupted: {finished:,} of {wanted:,} games are kept in {options.out};"
            " the same command goes on from there",
            file=sys.stderr,
        )
        return INTERRUPTED
    except WorkerError as error:
        print(f"{command}: {error}", file=sys.stderr)
        return 1
    return 0


def _play_with_bar(jobs: Sequence[Job], workers: int, limit: float) -> None:
    """A progress bar with the win rate so far."""
    total = sum(len(job.seeds) for job in jobs)
    won: Counter[str] = Counter()
    ended: Counter[str] = Counter()
    pause = 0.1 if sys.stderr.isatty() else 30.0  # a log gets a line now and then
    with tqdm(total=total, unit=" games", mininterval=pause, maxinterval=pause) as bar:

        def tell(job: Job, results: list[GameResult]) -> None:
            team = job.team.spec
            won[team] += sum(result.is_won for result in results)
            ended[team] += sum(not result.is_failed for result in results)
            for line in failures_in(job, results):
                bar.write(line, file=sys.stderr)
            if ended[team]:
                bar.set_postfix_str(f"{team} wins {100 * won[team] / ended[team]:.1f} %", False)
            bar.update(len(results))

        run_jobs(jobs, workers, limit, tell)


def save_json(path: Path, values: Mapping[str, Any]) -> None:
    """Write JSON, whole or not at all."""
    save_text(path, json.dumps(values, indent=1, ensure_ascii=False) + "\n")


def save_text(path: Path, text: str) -> None:
    """Write a file, whole or not at all."""
    part = path.with_suffix(".part")
    part.write_text(text, encoding="utf-8")
    part.replace(path)
