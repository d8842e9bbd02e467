"""Play random games of every mode with all invariants checked after every decision.

python scripts/fuzz.py
python scripts/fuzz.py --decisions 100000000 --seed 7 --processes 4

Every game is also played by a clone that must stay equal, earlier clones must not change, and no
game may outlast the proven bound. Of every mode one more game is played through `Game.step`, which
must accept exactly the actions of the mask and leave the game as it is when it refuses one.
"""

import argparse
import json
import multiprocessing
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np

from tenefyr_env.cards.card_set import CardSet
from tenefyr_env.cards.compiler import load_card_set
from tenefyr_env.config import DIFFICULTIES, HEROES_IN_PLAY, GameConfig
from tenefyr_env.engine import fuzz
from tenefyr_env.engine.actions import NUM_ACTIONS
from tenefyr_env.engine.bound import decision_bound
from tenefyr_env.engine.setup_record import MAX_TRACK
from tenefyr_env.engine.state import new_states
from tenefyr_env.game import Game, IllegalAction

DECISIONS = 20_000_000
MASK_EVERY = 10  # decisions of a game after which every action there is, is tried
SEEDS_PER_RUN = 2**32  # runs with different --seed share none


@dataclass
class Report:
    """What came of the games of one mode, or of all."""

    decisions: int = 0
    games: int = 0
    won: int = 0
    longest: int = 0
    most_events: int = 0
    bound: int = 0
    masks: int = 0
    failure: str = ""

    def add(self, other: "Report") -> None:
        """Take in the report of another mode; the bound is that of the longest game's mode."""
        if other.longest > self.longest:
            self.longest, self.bound = other.longest, other.bound
        self.decisions += other.decisions
        self.games += other.games
        self.won += other.won
        self.most_events = max(self.most_events, other.most_events)
        self.masks += other.masks
        self.failure = self.failure or other.failure


def main() -> None:
    """Fuzz all modes and print what came of it."""
    options = parse_arguments()
    modes = list(all_modes(options.cards))
    share = max(1, options.decisions // len(modes))
    tasks = [
        (mode, options.seed * SEEDS_PER_RUN + number, share, options.masks)
        for number, mode in enumerate(modes)
    ]
    run_task((modes[0], 0, 1, options.masks))  # compile once, before the processes part
    total = run_all(tasks, options.processes, share * len(modes))
    if total.failure:
        sys.exit(total.failure)


def parse_arguments() -> argparse.Namespace:
    """The options of the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0],
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    parser.add_argument("--decisions", type=_positive, default=DECISIONS, help="of all modes")
    parser.add_argument("--seed", type=int, default=0, help="of the run")
    parser.add_argument(
        "--processes", type=_positive, default=multiprocessing.cpu_count(), help="side by side"
    )
    parser.add_argument(
        "--masks", type=int, choices=(0, 1), default=1, help="games of each mode through Game.step"
    )
    parser.add_argument("--cards", default="tenefyr", help="the card set, by name or path")
    return parser.parse_args()


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number}: accepted are 1 and more")
    return number


def all_modes(cards: str = "tenefyr") -> Iterator[GameConfig]:
    """Every mode there is, and long games, in which the decks grow large."""
    for players in HEROES_IN_PLAY:
        for mode, joint, single, hands, difficulty, absent in product(
            ("regular", "quick"),
            ("leader", "vote"),
            (True, False),
            ("private", "open"),
            DIFFICULTIES,
            (False, True) if HEROES_IN_PLAY[players] < 4 else (False,),
        ):
            yield GameConfig(
                players=players,
                mode=mode,
                joint_choice=joint,
                take_single_options=single,
                hands=hands,
                difficulty=difficulty,
                remove_absent_heroes=absent,
                cards=cards,
            )
        yield GameConfig(players=players, track=dict.fromkeys(DIFFICULTIES, MAX_TRACK), cards=cards)


def run_all(tasks: list[tuple[GameConfig, int, int, int]], processes: int, goal: int) -> Report:
    """Do all tasks, with a progress line, up to the first failure."""
    total = Report()
    start = time.perf_counter()
    for done, report in enumerate(reports_of(tasks, processes), start=1):
        total.add(report)
        print_progress(total, done, len(tasks), goal, time.perf_counter() - start)
        if total.failure:
            break
    print_summary(total, len(tasks), time.perf_counter() - start, processes)
    return total


def reports_of(tasks: list[tuple[GameConfig, int, int, int]], processes: int) -> Iterable[Report]:
    """The reports of the tasks, as they come in."""
    if processes == 1:
        yield from map(run_task, tasks)
        return
    with multiprocessing.Pool(processes) as pool:
        yield from pool.imap_unordered(run_task, tasks)


def run_task(task: tuple[GameConfig, int, int, int]) -> Report:
    """Fuzz one mode."""
    config, seed, decisions, masks = task
    card_set = load_card_set(config.cards)
    report = fuzz_mode(config, card_set, seed, decisions)
    if masks and not report.failure:
        report.masks, report.failure = try_masks(config, card_set, seed)
    return report


def fuzz_mode(config: GameConfig, card_set: CardSet, seed: int, decisions: int) -> Report:
    """Play random games of one mode in compiled code, up to the first failure."""
    setup = config.to_setup(card_set.bosses)
    bound = decision_bound(setup[0], card_set.table[0])
    taken = np.zeros(bound + 1, np.int16)
    figures = np.zeros(fuzz.NUM_FIGURES, np.int64)
    fuzz.fuzz_games(
        *fuzz.new_table(),
        card_set.table,
        setup,
        new_states(1),
        new_states(1),
        seed,
        decisions,
        bound,
        taken,
        figures,
    )
    report = Report(
        decisions=int(figures[fuzz.DECISIONS]),
        games=int(figures[fuzz.GAMES]),
        won=int(figures[fuzz.WON]),
        longest=int(figures[fuzz.LONGEST]),
        most_events=int(figures[fuzz.MOST_EVENTS]),
        bound=bound,
    )
    if figures[fuzz.FAULT]:
        actions = [int(action) for action in taken[: figures[fuzz.NUM_TAKEN]]]
        reason = fuzz.breach_text(int(figures[fuzz.FAULT]))
        report.failure = failure_text(config, int(figures[fuzz.SEED]), actions, reason)
    return report


def try_masks(config: GameConfig, card_set: CardSet, seed: int) -> tuple[int, str]:
    """Play one game, trying every action at some decisions: how many, and what went wrong."""
    game = Game.new(config, seed, card_set)
    choices = np.random.default_rng(seed)
    actions: list[int] = []
    tried = 0
    while not game.is_over:
        if len(actions) % MASK_EVERY == 0:
            tried += 1
            if reason := wrong_answer(game):
                return tried, failure_text(config, seed, actions, reason)
        actions.append(int(choices.choice(game.decision.options)))
        game.step(actions[-1])
    reason = wrong_answer(game)
    return tried + 1, failure_text(config, seed, actions, reason) if reason else ""


def wrong_answer(game: Game) -> str:
    """What `Game.step` gets wrong about the actions there are, or nothing."""
    before = game.state_bytes()
    mask = game.legal_mask()
    for action in range(NUM_ACTIONS):
        # A refused action must leave the game itself as it is, so it needs no clone.
        is_accepted = accepts(game.clone() if mask[action] else game, action)
        if is_accepted != mask[action]:
            answer = "accepts" if is_accepted else "refuses"
            return f"the mask says {bool(mask[action])} of action {action}, which step {answer}"
        if game.state_bytes() != before:
            return f"trying action {action} has changed the game"
    return ""


def accepts(game: Game, action: int) -> bool:
    """Whether a game takes an action."""
    try:
        game.step(action)
    except IllegalAction:
        return False
    return True


def failure_text(config: GameConfig, seed: int, actions: list[int], reason: str) -> str:
    """All that is needed to play the game again."""
    return "\n".join(
        [
            f"failed: {reason}",
            f"config: {json.dumps(config.to_dict())}",
            f"seed: {seed}",
            f"actions: {actions}",
            "again: game = Game.new(GameConfig.from_dict(config), seed);"
            " for action in actions: game.step(action); game.check()",
        ]
    )


def print_progress(total: Report, done: int, tasks: int, goal: int, seconds: float) -> None:
    """One line that renews itself on a terminal, and a line now and then elsewhere."""
    line = (
        f"{done}/{tasks} modes  {total.decisions / 1e6:.1f} of {goal / 1e6:.1f} million decisions"
        f"  {total.decisions / seconds / 1e6:.2f} million per second"
    )
    if sys.stdout.isatty():
        print(f"\r{line}", end="" if done < tasks else "\n", flush=True)
    elif done % max(1, tasks // 10) == 0:
        print(line, flush=True)


def print_summary(total: Report, modes: int, seconds: float, processes: int) -> None:
    """What was played and what was seen."""
    lines = {
        "modes": f"{modes}",
        "decisions": f"{total.decisions:,}, all invariants checked after every one",
        "games": f"{total.games:,}, {total.won:,} won",
        "decisions per second": f"{total.decisions / seconds:,.0f} in {processes} processes",
        "longest game": f"{total.longest:,} decisions, proven bound of its mode {total.bound:,}",
        "most events between decisions": f"{total.most_events}",
        "masks compared with Game.step": f"{total.masks:,}",
        "result": "FAILED" if total.failure else "no fault found",
    }
    width = max(map(len, lines)) + 2
    for name, value in lines.items():
        print(f"{name:<{width}}{value}")


if __name__ == "__main__":
    main()
