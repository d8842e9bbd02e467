"""The same seed gives the same game: compiled or not, alone or in a batch, in every process."""

import hashlib
import os
import random
import subprocess
import sys
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from tenefyr_env.cards.compiler import load_card_set
from tenefyr_env.config import GameConfig
from tenefyr_env.engine.batch import set_up_games, step_games
from tenefyr_env.engine.fuzz import words_of
from tenefyr_env.engine.state import Outcome, new_states
from tenefyr_env.game import Game

ROOT = Path(__file__).resolve().parents[2]
BATCH = 1000
SEEDS = (1, 2, 3)
MODES = [
    GameConfig(players=players, mode=mode, joint_choice=joint, hands=hands)
    for (players, mode, joint), hands in zip(
        product((1, 2, 3, 4), ("regular", "quick"), ("leader", "vote")),
        ("private", "open") * 8,
        strict=True,
    )
] + [
    GameConfig(players=1, remove_absent_heroes=True, difficulty="hard"),
    GameConfig(players=3, remove_absent_heroes=True, difficulty="easy"),
    GameConfig(players=4, take_single_options=False),
]


def choice(game: Game) -> int:
    """A choice that depends on the game only: an option by its number of decisions."""
    options = game.decision.options
    return options[int(game.state.num_decisions) * 7 % len(options)]


def chain(config: GameConfig, seed: int) -> list[str]:
    """The hash of the state bytes after set-up and after every decision of a full game."""
    game = Game.new(config, seed)
    hashes = [state_hash(game)]
    while not game.is_over:
        game.step(choice(game))
        hashes.append(state_hash(game))
    return hashes


def state_hash(game: Game) -> str:
    return hashlib.sha256(game.state_bytes()).hexdigest()[:16]


def chains_in_new_process(**environment: str) -> list[list[str]]:
    """The chains of all modes, played in another process."""
    done = subprocess.run(
        [sys.executable, __file__],
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return [line.split() for line in done.stdout.splitlines()]


def chains_here() -> list[list[str]]:
    return [chain(config, seed) for config in MODES for seed in SEEDS]


def assert_same_chains(found: list[list[str]]) -> None:
    expected = chains_here()
    games = [(config, seed) for config in MODES for seed in SEEDS]
    for game, one, two in zip(games, expected, found, strict=True):
        same = [here == there for here, there in zip(one, two, strict=False)]
        assert one == two, f"{game}: the games part after decision {[*same, False].index(False)}"


def test_compiled_and_plain_python_games_have_the_same_bytes_after_every_decision() -> None:
    assert_same_chains(chains_in_new_process(NUMBA_DISABLE_JIT="1"))


def test_another_process_plays_the_same_games() -> None:
    assert_same_chains(chains_in_new_process(PYTHONHASHSEED="123"))


def test_another_seed_gives_another_game() -> None:
    assert chain(MODES[0], 1) != chain(MODES[0], 2)


def play_batch(config: GameConfig, seeds: np.ndarray) -> tuple[np.ndarray, list[np.ndarray]]:
    """Play a batch of games to the end; the last words, and the words after every round."""
    card_set = load_card_set(config.cards)
    tables = card_set.table
    states = new_states(len(seeds))
    set_up_games(states, tables, config.to_setup(card_set.bosses), seeds)
    words = words_of(states)
    rounds = [words.copy()]
    while (unfinished := np.flatnonzero(states["outcome"] == Outcome.OPEN)).size:
        part = new_states(len(unfinished))
        words_of(part)[:] = words[unfinished]
        picks = part["num_decisions"] * 7 % part["num_options"]
        actions = part["options"][np.arange(len(part)), picks].astype(np.int64)
        step_games(part, tables, actions)
        words[unfinished] = words_of(part)
        rounds.append(words[:8].copy())
    return words, rounds


@pytest.mark.parametrize("config", MODES[::5], ids=lambda config: f"{config.players}-{config.mode}")
def test_a_game_is_the_same_alone_and_in_a_batch_of_a_thousand(config: GameConfig) -> None:
    seeds = np.arange(BATCH, dtype=np.int64) * 977 + 5
    together, rounds = play_batch(config, seeds)
    for place in (0, 1, 499, BATCH - 1):
        alone, alone_rounds = play_batch(config, seeds[place : place + 1])
        assert np.array_equal(alone[0], together[place])
        if place < 8:
            for one, two in zip(alone_rounds, rounds, strict=False):
                assert np.array_equal(one[0], two[place])


def test_the_batch_and_the_game_class_play_the_same_game() -> None:
    config = MODES[3]
    words, _ = play_batch(config, np.array([3], np.int64))
    assert hashlib.sha256(words.tobytes()).hexdigest()[:16] == chain(config, 3)[-1]


def test_the_global_random_states_are_neither_used_nor_changed() -> None:
    chains = []
    for seed in (1, 2):
        random.seed(seed)
        np.random.seed(seed)
        before = random.getstate(), np.random.get_state()[1].tolist()
        chains.append(chain(MODES[12], 9))
        Game.new(MODES[12], 9).determinize(0, 4)
        assert (random.getstate(), np.random.get_state()[1].tolist()) == before
    assert chains[0] == chains[1]


def test_a_clone_is_equal_and_stays_equal_on_the_same_choices() -> None:
    game = Game.new(MODES[8], 3)
    clone = game.clone()
    while not game.is_over:
        assert clone.state_bytes() == game.state_bytes()
        game.step(choice(game))
        clone.step(choice(clone))
    assert clone == game


def test_an_earlier_clone_does_not_change_when_the_game_goes_on() -> None:
    game = Game.new(MODES[9], 3)
    clones = []
    while not game.is_over:
        clones.append((game.clone(), game.state_bytes()))
        game.step(choice(game))
    assert all(clone.state_bytes() == kept for clone, kept in clones)


if __name__ == "__main__":
    for hashes in chains_here():
        print(*hashes)
