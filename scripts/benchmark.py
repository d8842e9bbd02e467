"""Measure the engine and the environments on it.

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
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import gymnasium
import numpy as np
from neighbours import aec_game, best_rate, openspiel_hanabi_per_s, pettingzoo_aec_per_s

from agents import Info, make_agent
from agents.scripted.guide import guide_to
from agents.scripted.play import play_games_out
from agents.scripted.strategies import GREEDY, QUICK
from agents.search.rollouts import try_actions
from tenefyr_env.cards.compiler import load_card_set
from tenefyr_env.config import GameConfig
from tenefyr_env.engine.actions import NUM_ACTIONS
from tenefyr_env.engine.batch import choose_randomly, play_randomly, set_up_games
from tenefyr_env.engine.state import STATE, new_states
from tenefyr_env.env import env
from tenefyr_env.game import Game
from tenefyr_env.vector import Batch

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
    return best_batch_rate(random_batch())


def best_batch_rate(play: Callable[[int], None]) -> int:
    """Decisions a second of a batch: the best of several runs of about a second."""
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


def batch_decisions_per_s() -> int:
    """Step, mask and flat observation of every decision in a batch, on one core."""
    batch = Batch(BATCH, GameConfig(players=4))
    actions, chance = np.zeros(BATCH, np.int64), new_states(1)
    chance["rng"][0] = (1, 2, 3, 4)

    def play(rounds: int) -> None:
        for _ in range(rounds):
            choose_randomly(batch.states, chance, actions)
            batch.step(actions)

    return best_batch_rate(play)


def vector_decisions_per_s() -> int:
    """The same through Gymnasium's vector API, with the actions chosen in numpy."""
    envs = gymnasium.make_vec(
        "Tenefyr/Party-v0", BATCH, vectorization_mode="vector_entry_point", players=4
    )
    masks = envs.reset(seed=0)[0]["action_mask"]
    rng = np.random.default_rng(0)

    def play(rounds: int) -> None:
        nonlocal masks
        for _ in range(rounds):
            lots = 1 - rng.random(masks.shape, np.float32)
            masks = envs.step(np.argmax(masks * lots, axis=1))[0]["action_mask"]

    return best_batch_rate(play)


def aec_decisions_per_s() -> int:
    """`env()`, `agent_iter`, `last`, a masked random choice in Python, `step`."""
    return best_rate(aec_game(env(players=4)))


def greedy_games_per_s() -> int:
    """Whole games of 4 heroes, set up and played out by `greedy`, on one core."""
    card_set = load_card_set("tenefyr")
    setups = GameConfig(players=4).to_setup(card_set.bosses)
    policies, seeds = np.full(4, GREEDY), np.arange(BATCH, dtype=np.int64)

    def play(rounds: int) -> None:
        for _ in range(rounds):
            states = new_states(BATCH)
            set_up_games(states, card_set.table, setups, seeds)
            play_games_out(states, card_set.table, guide_to(card_set), policies, seeds)

    return best_batch_rate(play)


def rollouts_per_s() -> int:
    """Sampled games played out by the search's policy, from decisions all over a game."""
    card_set = load_card_set("tenefyr")
    tables, guides = card_set.table, guide_to(card_set)
    positions, policies = positions_of_a_game(), np.full(4, QUICK)
    results, scratch = np.zeros((1, len(positions))), new_states(2)

    def play(rounds: int) -> None:
        for number in range(rounds * BATCH):
            state = positions[number % len(positions)]
            try_actions(
                state, tables, guides, policies, state["decider"][0], number, False, 0, 1, 0.0,
                state["options"][0][:1].astype(np.int64), results, scratch,
            )  # fmt: skip

    return best_batch_rate(play)


def positions_of_a_game() -> list[Any]:
    """Every decision of a game that the scripted player `quick` plays."""
    game, agent, positions = Game.new(GameConfig(players=4), 7), make_agent("quick"), []
    while not game.is_over:
        positions.append(game.states.copy())
        game.step(agent.act(None, game.legal_mask(), Info(game, 0)))
    return positions


def observation_bytes() -> int:
    """The size of one flat observation."""
    return int(Batch(1).observations.nbytes)


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

    measure: Callable[[], float | None]  # None: what it needs is not installed
    aim: str


MEASUREMENTS = {
    "engine_decisions_per_s": Measurement(engine_decisions_per_s, "at least 5,000,000"),
    "batch_decisions_per_s": Measurement(batch_decisions_per_s, "at least 5,000,000"),
    "vector_decisions_per_s": Measurement(vector_decisions_per_s, ""),
    "aec_decisions_per_s": Measurement(aec_decisions_per_s, "at least 200,000"),
    "greedy_games_per_s": Measurement(greedy_games_per_s, "at least 5,000"),
    "rollouts_per_s": Measurement(rollouts_per_s, "at least 20,000"),
    "tictactoe_aec_per_s": Measurement(partial(pettingzoo_aec_per_s, "tictactoe_v3"), "behind"),
    "leduc_aec_per_s": Measurement(partial(pettingzoo_aec_per_s, "leduc_holdem_v4"), "behind"),
    "hanabi_aec_per_s": Measurement(partial(pettingzoo_aec_per_s, "hanabi_v5"), "20 times behind"),
    "openspiel_hanabi_per_s": Measurement(openspiel_hanabi_per_s, "behind"),
    "observation_bytes": Measurement(observation_bytes, ""),
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


def print_table(figures: dict[str, float | None]) -> None:
    """The figures beside their aims."""
    width = max(map(len, figures)) + 2
    for name, figure in figures.items():
        shown = "not installed" if figure is None else f"{figure:,}"
        aim = MEASUREMENTS[name].aim
        print(f"{name:<{width}}{shown:>14}" + (f"   aim: {aim}" if aim else ""))
    print("; ".join(f"{name} {value}" for name, value in machine().items()))


if __name__ == "__main__":
    main()
