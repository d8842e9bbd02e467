"""The calibration report: is the card set a good game, winnable, hard, with real decisions?

python scripts/report.py
python scripts/report.py --deals test --out runs/report_test
python scripts/report.py --parts choices --search search:rollouts=64 --search-games 50

Parts: ladder (all agents, all difficulties), players, bosses, quick (the best scripted agent
elsewhere), choices (what the search agent does), budget (search by its rollouts). Finished games
are kept in the folder --out, and shared by the parts: a run that is interrupted, or wants more,
goes on from there. Same deals, same report.md and report.json, byte for byte.
"""

import argparse
import contextlib
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.append(os.getcwd())  # where your own module:Class may lie

from agents.evaluation.calibration import PARTS, PlayedRuns, Request, checked, report_of, runs_of
from agents.evaluation.calibration_text import BUDGET_PICTURE, text_of
from agents.evaluation.command_line import (
    BAD_INPUT,
    Parser,
    make_folder,
    play,
    positive,
    save_json,
    save_text,
)
from agents.evaluation.deals import DEAL_SETS
from agents.evaluation.figures import Figures
from agents.evaluation.jobs import Deals
from agents.evaluation.planning import make_plan
from agents.evaluation.report import timing_of
from tenefyr_env.config import GameConfig

COMMAND = "report.py"
FOLDER = "runs/report"


def main(arguments: Sequence[str] | None = None) -> int:
    """Play, report, save and show; returns the exit code."""
    options = parse_arguments(arguments)
    try:
        request = request_of(options)
        make_folder(options.out)
    except (ValueError, OSError) as error:
        print(f"{COMMAND}: {error}", file=sys.stderr)
        return BAD_INPUT
    played = PlayedRuns(runs_of(request), request.deals, options.out)
    if code := play(list(played.jobs.values()), options, COMMAND):
        return code
    report = report_of(request, played, played.failed)
    text = text_of(report)
    saved = save(report, text, options.out)
    save_json(options.out / "timing.json", timing_of(list(played.jobs.values())))
    print(json.dumps(report, ensure_ascii=False) if options.json else text)
    print(f"saved in {options.out}: {', '.join([*saved, 'timing.json'])}", file=sys.stderr)
    return 0


def request_of(options: argparse.Namespace) -> Request:
    """What the options ask for, checked."""
    request = checked(
        Request(
            deals=options.deals,
            games=options.games,
            search=options.search,
            search_games=options.search_games,
            budgets=options.budgets,
            budget_games=options.budget_games,
            parts=tuple(options.parts.split(",")),
        )
    )
    agents = ",".join(dict.fromkeys(run.agent for run in runs_of(request)))
    with contextlib.redirect_stdout(sys.stderr):  # an agent may print when it is made
        make_plan(agents, Deals(request.deals, request.games), [GameConfig()])
    return request


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options of the command line."""
    usual = Request()
    parser = Parser(COMMAND, __doc__)
    parser.add_argument("--parts", default=",".join(PARTS), metavar="LIST", help=", ".join(PARTS))
    parser.add_argument("--deals", default=usual.deals, help=", ".join(DEAL_SETS))
    parser.add_argument("--search", default=usual.search, metavar="AGENT", help="with its options")
    parser.add_argument(
        "--budgets", type=numbers, default=usual.budgets, metavar="LIST", help="rollouts: 4,16,64"
    )
    for name, games, whose in (
        ("--games", usual.games, "scripted agents"),
        ("--search-games", usual.search_games, "search on each difficulty"),
        ("--budget-games", usual.budget_games, "search with each budget"),
    ):
        parser.add_argument(name, type=positive, default=games, help=f"{whose} (default {games})")
    parser.add_argument("--json", action="store_true", help="print one JSON object, no text")
    parser.add_running(FOLDER)
    return parser.parse_args(arguments)


def numbers(text: str) -> tuple[int, ...]:
    """Numbers from 1, with commas between them."""
    return tuple(map(positive, text.split(",")))


def save(report: Figures, text: str, folder: Path) -> list[str]:
    """Write the report, and the picture if there is something to show."""
    save_text(folder / "report.md", text)
    save_json(folder / "report.json", report)
    if "budget" not in report["parts"]:
        return ["report.md", "report.json"]
    from agents.evaluation.plots import budgets, save_picture  # matplotlib takes its time

    save_picture(budgets(report["parts"]["budget"]), folder / BUDGET_PICTURE)
    return ["report.md", "report.json", BUDGET_PICTURE]


if __name__ == "__main__":
    sys.exit(main())
