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
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.append(os.getcwd())  # where your own module:Class may lie

from agents.evaluation.command_line import BAD_INPUT, Parser, make_folder, play, positive, save_json
from agents.evaluation.cross_play import cross_play_of
from agents.evaluation.deals import DEAL_SETS
from agents.evaluation.figures import Figures
from agents.evaluation.jobs import Deals, Job
from agents.evaluation.planning import LISTED, Plan, all_configs, make_plan
from agents.evaluation.report import results_of, timing_of, with_timing
from agents.evaluation.table import cross_table_of, table_of
from tenefyr_env.config import GameConfig

COMMAND = "evaluate.py"
GAMES = 1000
FOLDER = "runs/evaluation"


def main(arguments: Sequence[str] | None = None) -> int:
    """Evaluate, save and show; returns the exit code."""
    options = parse_arguments(arguments)
    try:
        plan = plan_of(options)
        make_folder(options.out)
    except (ValueError, OSError) as error:
        print(f"{COMMAND}: {error}", file=sys.stderr)
        return BAD_INPUT
    jobs = [
        Job(team, config, plan.deals, options.out) for team in plan.teams for config in plan.configs
    ]
    if code := play(jobs, options, COMMAND):
        return code
    results = results_of(jobs, plan.deals, plan.listed, plan.oracles)
    if options.cross_play:
        results["cross_play"] = cross_play_of(jobs, plan.listed)
    timing = timing_of(jobs)
    save_json(options.out / "results.json", results)
    save_json(options.out / "timing.json", timing)
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
    parser = Parser(COMMAND, __doc__)
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
    parser.add_argument("--json", action="store_true", help="print one JSON object, no table")
    parser.add_argument("--plots", action="store_true", help="save plots in the folder")
    parser.add_running(FOLDER)
    return parser.parse_args(arguments)


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
