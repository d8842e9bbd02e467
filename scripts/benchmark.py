"""Measure the engine.

python scripts/benchmark.py
python scripts/benchmark.py --json

Every figure is one function of `MEASUREMENTS`; the rest follows from there.
"""

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np

from tenefyr_env.cards.compiler import load_card_set
from tenefyr_env.config import GameConfig
from tenefyr_env.engine.actions import NUM_ACTIONS
from tenefyr_env.engine.batch import play_randomly, set_up_games
from tenefyr_env.engine.state import STATE, new_states

ROOT = Path(__file__).resolve().parents[1]
BATCH = 1024
RUNS = 5
RUN_SECONDS = 1.0
WARM_STARTS = 3
# What a new process does until it can play: import, new game, first step.
FIRST_STEP = """
from tenefyr_env.game import Game
game = Game.new()
game.step(game.decision.options[0])
"""


def engine_decisions_per_s() -> int:
    """Random decisions in a batch of games of 4 heroes, with their masks, on one core."""
    play = random_batch()
    rounds = 1
    while (seconds := timed(play, rounds)) < RUN_SECONDS / 4:  # the first call may compile
        rounds *= 2
    rounds = max(1, round(rounds * RUN_SECONDS / seconds))
    best = min(timed(play, rounds) for _ in range(RUNS))
    return round(BATCH * rounds / best)


def random_batch() -> Callable[[int], None]:
    """A batch of games in progress, and how it is played on for a number of rounds."""
    card_set = load_card_set("tenefyr")
    tables = card_set.table
    setups = GameConfig(players=4).to_setup(card_set.bosses)
    states, blank, chance = new_states(BATCH), new_states(1), new_states(1)
    set_up_games(states, tables, setups, np.arange(BATCH, dtype=np.int64))
    chance["rng"][0] = (1, 2, 3, 4)
    masks = np.zeros((BATCH, NUM_ACTIONS), np.int8)

    def play(rounds: int) -> None:
        play_randomly(states, tables, setups, blank, chance, rounds, masks)

    return play


def timed(play: Callable[[int], None], rounds: int) -> float:
    """Seconds that a number of rounds takes."""
    start = time.perf_counter()
    play(rounds)
    return time.perf_counter() - start


def state_bytes() -> int:
    """The size of one game."""
    return int(STATE.itemsize)


def cold_compile_s() -> float:
    """A new process with an empty cache: import, new game, first step."""
    with tempfile.TemporaryDirectory() as cache:
        return round(first_step_s({"TENEFYR_CACHE_DIR": cache}), 2)


def warm_start_s() -> float:
    """A new process with a warm cache: import, new game, first step; the median of three."""
    first_step_s({})  # whatever is not yet in the cache
    return round(statistics.median(first_step_s({}) for _ in range(WARM_STARTS)), 3)


def first_step_s(environment: dict[str, str]) -> float:
    """Seconds until a new process has made its first step, the start of Python included."""
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, "-c", FIRST_STEP],
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        check=True,
    )
    return time.perf_counter() - start


def machine() -> dict[str, Any]:
    """What the figures were measured on."""
    return {
        "cpu": cpu_model(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "numba": version("numba"),
    }


def cpu_model() -> str:
    """The name of the processor."""
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


@dataclass(frozen=True)
class Measurement:
    """One figure: how it is measured, and what it should be."""

    measure: Callable[[], float]
    aim: str


MEASUREMENTS = {
    "engine_decisions_per_s": Measurement(engine_decisions_per_s, "at least 5,000,000"),
    "state_bytes": Measurement(state_bytes, "at most 4,096"),
    "cold_compile_s": Measurement(cold_compile_s, "at most 45"),
    "warm_start_s": Measurement(warm_start_s, "at most 1.5"),
}


def main() -> None:
    """Measure everything and print it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--only", choices=MEASUREMENTS, nargs="+", default=list(MEASUREMENTS), help="these figures"
    )
    options = parser.parse_args()
    figures = {name: MEASUREMENTS[name].measure() for name in options.only}
    if options.json:
        print(json.dumps({**figures, "machine": machine()}))
    else:
        print_table(figures)


def print_table(figures: dict[str, float]) -> None:
    """The figures beside their aims."""
    width = max(map(len, figures)) + 2
    for name, figure in figures.items():
        print(f"{name:<{width}}{figure:>14,}   aim: {MEASUREMENTS[name].aim}")
    print("; ".join(f"{name} {value}" for name, value in machine().items()))


if __name__ == "__main__":
    main()
