"""Play teams of agents on the same deals, and say how often they win.

python scripts/evaluate.py --agents random,greedy,odds
python scripts/evaluate.py --agents odds,thief=search+others=odds --difficulty easy,hard --plots
python scripts/evaluate.py --agents greedy,odds,my_agents:Bold --cross-play --json

A team is an agent for every seat, agents by seat (odds+greedy+odds+odds), or by hero
(thief=search+others=odds). Finished games are kept in the folder --out: a run that is interrupted,
or wants more games, goes on from there. Same deals, same results.json, byte for byte.
"""

import argparse
import contextlib
import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.append(os.getcwd())  # where your own module:Class may lie

from tqdm import tqdm

from agents.evaluation.cross_play import cross_play_of
from agents.evaluation.deals import DEAL_SETS
from agents.evaluation.figures import Figures
from agents.evaluation.jobs import KEPT_FOLDER, Deals, Job, run_jobs
from agents.evaluation.planning import LISTED, Plan, all_configs, make_plan
from agents.evaluation.report import failures_in, results_of, timing_of, with_timing
from agents.evaluation.results import GameResult
from agents.evaluation.table import cross_table_of, table_of
from agents.evaluation.workers import WorkerError
from tenefyr_env.config import GameConfig

GAMES = 1000
LIMIT = 60.0
FOLDER = "runs/evaluation"
BAD_INPUT, INTERRUPTED = 2, 130  # exit codes


def main(arguments: Sequence[str] | None = None) -> int:
    """Evaluate, save and show; returns the exit code."""
    options = parse_arguments(arguments)
    try:
        plan = plan_of(options)
        make_folder(options.out)
    except (ValueError, OSError) as error:
        print(f"evaluate.py: {error}", file=sys.stderr)
        return BAD_INPUT
    jobs = [
        Job(team, config, plan.deals, options.out) for team in plan.teams for config in plan.configs
    ]
    try:
        play(jobs, options)
    except KeyboardInterrupt:
        finished, wanted = sum(len(job.results) for job in jobs), len(jobs) * plan.deals.count
        print(
            f"interrupted: {finished:,} of {wanted:,} games are kept in {options.out};"
            " the same command goes on from there",
            file=sys.stderr,
        )
        return INTERRUPTED
    except WorkerError as error:
        print(f"evaluate.py: {error}", file=sys.stderr)
        return 1
    results = results_of(jobs, plan.deals, plan.listed, plan.oracles)
    if options.cross_play:
        results["cross_play"] = cross_play_of(jobs, plan.listed)
    timing = timing_of(jobs)
    save(options.out / "results.json", results)
    save(options.out / "timing.json", timing)
    show(with_timing(results, timing), options)
    return 0


def plan_of(options: argparse.Namespace) -> Plan:
    """What the options ask for, checked."""
    deals = Deals(options.deals, options.games, options.seed)
    base = GameConfig.from_yaml(options.config) if options.config else GameConfig()
    listed = {name: getattr(options, name) for name in LISTED if getattr(options, name)}
    with contextlib.redirect_stdout(sys.stderr):  # an agent may print when it is made
        return make_plan(options.agents, deals, all_configs(base, listed), options.cross_play)


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options of the command line."""
    parser = Parser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--agents", required=True, metavar="TEAM,...", help="teams, listed")
    parser.add_argument("--difficulty", metavar="LIST", help="easy, normal, hard, or several")
    parser.add_argument("--players", metavar="LIST", help="1 to 4, or several")
    parser.add_argument("--mode", metavar="LIST", help="regular, quick, or both")
    parser.add_argument("--boss", metavar="LIST", help="random (default), or names")
    parser.add_argument("--config", metavar="FILE", help="a game file; the options above go before")
    parser.add_argument(
        "--games", type=positive, default=GAMES, help=f"deals for each team (default {GAMES})"
    )
    parser.add_argument(
        "--deals",
        default="validation",
        help=f"{', '.join(DEAL_SETS)}; tune on train, choose on validation (default), and leave"
        " test for results that are quoted",
    )
    parser.add_argument("--seed", type=int, default=0, help="number of the set's first deal")
    parser.add_argument(
        "--cross-play",
        action="store_true",
        help="every agent as each hero among partners of every other",
    )
    parser.add_argument(
        "--out", type=Path, default=Path(FOLDER), help=f"folder for results (default {FOLDER})"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object, no table")
    parser.add_argument("--plots", action="store_true", help="save plots in the folder")
    parser.add_argument(
        "--workers", type=positive, default=num_cores(), help="processes (default: all cores)"
    )
    parser.add_argument(
        "--limit",
        type=seconds,
        default=LIMIT,
        help=f"seconds an agent has for a decision (default {LIMIT:g})",
    )
    return parser.parse_args(arguments)


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message: str) -> None:  # type: ignore[override]
        """Leave with the line."""
        self.exit(BAD_INPUT, f"evaluate.py: {message}\n")


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


def play(jobs: list[Job], options: argparse.Namespace) -> None:
    """Play what is not finished, with the win rate so far on a progress bar."""
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

        run_jobs(jobs, options.workers, options.limit, tell)


def save(path: Path, values: Figures) -> None:
    """Write JSON, whole or not at all."""
    part = path.with_suffix(".part")
    part.write_text(json.dumps(values, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    part.replace(path)


def show(results: Figures, options: argparse.Namespace) -> None:
    """Print the results, and plot them if that was asked for."""
    if options.json:
        print(json.dumps(results, ensure_ascii=False))
    else:
        print(table_of(results))
        if options.cross_play:
            print(f"\n{cross_table_of(results['cross_play'])}")
        if results["failures"]:
            print(f"\n{len(results['failures'])} games FAILED, see {options.out / 'results.json'}")
    saved = ["results.json", "timing.json"]
    if options.plots:
        from agents.evaluation.plots import save_plots  # matplotlib takes its time

        saved += save_plots(results, options.out)
    print(f"saved in {options.out}: {', '.join(saved)}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
