"""Train heroes by PPO, evaluate them beside the ladder, and draw the curve.

python scripts/train.py                                  the default, configs/train/quick.yaml
python scripts/train.py normal --resume                  go on with a run that was stopped
python scripts/train.py solo steps=2000000 seed=3 --name solo-3
python scripts/train.py my_run.yaml games.players=[3,4] entropy=[0.01,0.0]

A run is a folder, runs/train/<name>: its best bundle is `best.safetensors`, an agent by the name of
learned:bundle=runs/train/<name>/best.safetensors. A run that was stopped, even by kill -9, goes on
from its last checkpoint with --resume, and reaches the same curve.
"""

import argparse
import contextlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.append(str(Path(__file__).resolve().parent))  # evaluate.py
sys.path.append(os.getcwd())  # where your own module:Class may lie

from evaluate import main as evaluate

from agents.evaluation.command_line import BAD_INPUT, INTERRUPTED, Parser
from agents.learning.config import TrainConfig, load_config, with_name
from agents.learning.curve import save_curve
from agents.learning.run import Run

COMMAND = "train.py"
FOLDER = Path("runs/train")
DEFAULT = "quick"
LADDER = ("random", "greedy", "odds")


def main(arguments: Sequence[str] | None = None) -> int:
    """Train, evaluate and show; returns the exit code."""
    options = parse_arguments(arguments)
    try:
        run = run_of(options)
        run.train(["python", "scripts/train.py", *(arguments or sys.argv[1:])], options.quiet)
        if options.profile:
            print(run.profile())
        if not options.no_report:
            return report(run, options.workers)
    except (ValueError, OSError) as error:
        print(f"{COMMAND}: {error}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        print(
            "stopped; the same command with --resume goes on from the checkpoint", file=sys.stderr
        )
        return INTERRUPTED
    return 0


def run_of(options: argparse.Namespace) -> Run:
    """The run that the options ask for, checked; an older one is not written over."""
    config: TrainConfig = load_config(options.config).overridden(options.settings)
    if options.name:
        config = with_name(config, options.name)
    with contextlib.redirect_stdout(sys.stderr):  # an agent may print when it is made
        config.check_agents()
    run = Run(config, options.out / config.name)
    if (run.folder / "config.yaml").exists():
        check_older(run, options.resume)
    return run


def check_older(run: Run, resume: bool) -> None:
    """Whether the run in the folder may be gone on with."""
    if not resume:
        raise ValueError(
            f"{run.folder} has a run already;"
            " accepted: --resume to go on with it, --name for another"
        )
    older = load_config(run.folder / "config.yaml")
    for field, value in run.config.to_dict().items():
        theirs = older.to_dict()[field]
        if theirs != value:
            raise ValueError(
                f"{run.folder} was begun with {field} {theirs!r}, not {value!r};"
                " accepted: --resume with the same settings, or --name for another run"
            )


def report(run: Run, workers: int | None) -> int:
    """The learning curve, the table beside the ladder, and cross-play; an exit code."""
    save_curve(run.curve, run.config.name, run.folder / "curve.png")
    team = run.team(f"learned:bundle={run.folder}")
    shared = ["--deals", "test", "--config", str(run.folder / "game.yaml")]
    shared += ["--workers", str(workers)] if workers else []
    config, folder = run.config, run.folder / "evaluation"
    print(f"\n{config.name} beside the ladder:\n")
    table = ["--agents", ",".join((*LADDER, team)), "--games", str(config.final_games), "--plots"]
    if code := evaluate([*table, *shared, "--out", str(folder)]):
        return code
    if config.cross_games and team.startswith("learned"):
        print("\nCross-play, the hero of a row among partners of a column:\n")
        crossed = ["--agents", f"greedy,odds,{team}", "--games", str(config.cross_games)]
        crossed += ["--cross-play", "--plots", "--out", str(run.folder / "cross_play")]
        if code := evaluate([*crossed, *shared]):
            return code
    print(f"\nthe heroes: {run.best}\nthe curve:  {run.folder / 'curve.png'}")
    return 0


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options of the command line."""
    parser = Parser(COMMAND, __doc__)
    parser.add_argument("config", nargs="?", default=DEFAULT, help="of configs/train, or a path")
    parser.add_argument("settings", nargs="*", metavar="field=value", help="go before the file's")
    parser.add_argument("--name", help="of the run (default: of the configuration)")
    parser.add_argument("--out", type=Path, default=FOLDER, help=f"default {FOLDER}")
    parser.add_argument("--resume", action="store_true", help="go on with a run that was stopped")
    parser.add_argument("--profile", action="store_true", help="print where the time went")
    parser.add_argument("--no-report", action="store_true", help="no table and pictures at the end")
    parser.add_argument("--quiet", action="store_true", help="no progress bar")
    parser.add_argument("--workers", type=int, help="processes of the table (default: all cores)")
    options, more = parser.parse_known_args(arguments)
    options.settings += [each for each in more if "=" in each and not each.startswith("-")]
    unknown = [each for each in more if each not in options.settings]
    if unknown:
        parser.error(f"unknown option {unknown[0]!r}")
    if "=" in options.config:  # settings without a configuration
        options.settings.insert(0, options.config)
        options.config = DEFAULT
    return options


if __name__ == "__main__":
    sys.exit(main())
