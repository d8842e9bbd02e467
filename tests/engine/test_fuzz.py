"""A small run of the fuzz: random games of every mode with all invariants checked."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from tenefyr_env.cards.compiler import load_card_set
from tenefyr_env.cards.table import FIRST_DUNGEON_CARD, VERB, N
from tenefyr_env.cards.vocabulary import Trigger, Verb
from tenefyr_env.config import GameConfig
from tenefyr_env.engine.bound import ASKS, EndlessCards, decision_bound, most_in_rows
from tenefyr_env.engine.fuzz import BREACH_TEXT, Breach, breach_text
from tenefyr_env.engine.invariants import FAULT_TEXT, Fault
from tenefyr_env.game import Game

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts" / "fuzz.py"
MINI_SET = ROOT / "tests" / "cards" / "mini_set.yaml"


def load_script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("fuzz_script", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


fuzz_script = load_script()


def bound_of(config: GameConfig, table: np.ndarray | None = None) -> int:
    card_set = load_card_set(config.cards)
    cards = card_set.table if table is None else table
    return decision_bound(config.to_setup(card_set.bosses)[0], cards[0])


def spoilt_table(trigger: Trigger, *verbs: tuple[Verb, int]) -> np.ndarray:
    """The shipped cards, but the first Dungeon card's enemy has these rows for an effect."""
    table = load_card_set("tenefyr").table.copy()
    first = table["rows"].shape[1] - len(verbs)
    for position, (verb, number) in enumerate(verbs, start=first):
        table["rows"][0, position, VERB] = verb
        table["rows"][0, position, N] = number
    table["first_row"][0, FIRST_DUNGEON_CARD, trigger] = first
    table["last_row"][0, FIRST_DUNGEON_CARD, trigger] = first + len(verbs)
    return table


@pytest.mark.parametrize("cards", ["tenefyr", str(MINI_SET)], ids=["shipped", "mini"])
def test_random_games_of_every_mode_keep_every_invariant(cards: str) -> None:
    card_set = load_card_set(cards)
    for number, mode in enumerate(fuzz_script.all_modes(cards)):
        report = fuzz_script.fuzz_mode(mode, card_set, number, 500)
        assert not report.failure, report.failure
        assert report.decisions >= 500
        assert 0 < report.longest <= report.bound


def test_the_mask_is_exactly_what_step_accepts() -> None:
    card_set = load_card_set("tenefyr")
    for number, mode in enumerate(list(fuzz_script.all_modes())[::7]):
        tried, failure = fuzz_script.try_masks(mode, card_set, number)
        assert not failure, failure
        assert tried > 1


def test_a_run_with_bounds_checked_finds_no_access_outside_an_array() -> None:
    done = subprocess.run(
        [sys.executable, SCRIPT, "--decisions", "60000", "--processes", "1", "--masks", "0"],
        env={**os.environ, "NUMBA_BOUNDSCHECK": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "no fault found" in done.stdout


def test_the_modes_are_all_there_are() -> None:
    modes = list(fuzz_script.all_modes())
    assert len({repr(mode) for mode in modes}) == len(modes)
    short = [mode for mode in modes if mode.track == GameConfig().track]
    by_players = [sum(mode.players == players for mode in short) for players in (1, 2, 3, 4)]
    # mode, joint choice, single options and hands twice, difficulty three times, R14 where it is
    assert by_players == [96, 48, 96, 48]


def test_a_failure_tells_all_that_is_needed_to_play_the_game_again() -> None:
    config = GameConfig(players=3)
    game = Game.new(config, 5)
    actions = [int(game.decision.options[0])]
    text = fuzz_script.failure_text(config, 5, actions, "some reason")
    assert "failed: some reason" in text
    assert '"players": 3' in text
    assert "seed: 5" in text
    assert f"actions: {actions}" in text


def test_a_wrong_mask_is_found() -> None:
    game = Game.new(GameConfig(), 0)
    assert fuzz_script.wrong_answer(game) == ""
    honest = game.legal_mask()
    honest[int(game.decision.options[0])] = False
    game.legal_mask = lambda: honest  # type: ignore[method-assign]
    assert "accepts" in fuzz_script.wrong_answer(game)


def test_every_fault_has_its_words() -> None:
    assert {breach_text(fault) for fault in FAULT_TEXT} == set(FAULT_TEXT.values())
    assert {breach_text(breach) for breach in Breach} == set(BREACH_TEXT.values())
    assert max(Fault) < min(Breach)


def test_the_bound_knows_every_verb() -> None:
    assert set(ASKS) == set(Verb)


def test_the_bound_grows_with_the_track_the_players_and_the_votes() -> None:
    track = {"easy": 20, "normal": 20, "hard": 20}
    assert bound_of(GameConfig(track=track)) > bound_of(GameConfig())
    assert bound_of(GameConfig(players=4)) > bound_of(GameConfig(players=3))
    assert bound_of(GameConfig(joint_choice="vote")) > bound_of(GameConfig())


def test_a_block_for_each_player_counts_for_each_and_of_branches_the_longest() -> None:
    rows = np.zeros((6, 6), np.int16)
    rows[0] = (Verb.WITH, 0, 0, 0, 0, 1)  # each player ...
    rows[1] = (Verb.SWAP, 1, 0, 0, 0, 0)  # ... 3 decisions
    rows[2] = (Verb.RANDOM, 2, 0, 0, 0, 3)
    rows[3] = (Verb.OPTION, 0, 0, 0, 0, 1)
    rows[4] = (Verb.GIVE, 1, 0, 0, 0, 0)  # 2 decisions, or none
    rows[5] = (Verb.OPTION, 0, 0, 0, 0, 0)
    asked = most_in_rows(rows, 0, 6, lambda row: ASKS[Verb(row[VERB])], 4)
    assert asked == ASKS[Verb.WITH] + 4 * 3 + 2


@pytest.mark.parametrize("verb", [Verb.RETURN, Verb.RECOVER, Verb.TAKE])
def test_no_bound_is_claimed_where_redraws_could_go_on_for_ever(verb: Verb) -> None:
    with pytest.raises(EndlessCards, match="redraw effect"):
        bound_of(GameConfig(), spoilt_table(Trigger.REDRAW, (verb, 1)))


def test_no_bound_is_claimed_where_an_escaping_enemy_saves_steps() -> None:
    with pytest.raises(EndlessCards, match="saves steps"):
        bound_of(GameConfig(), spoilt_table(Trigger.END, (Verb.SAVE_STEP, 1), (Verb.MOVE, 0)))


def test_no_bound_is_claimed_where_an_effect_moves_two_enemies() -> None:
    with pytest.raises(EndlessCards, match="moves more"):
        bound_of(GameConfig(), spoilt_table(Trigger.START, (Verb.MOVE, 0), (Verb.MOVE, 0)))


def test_steps_saved_by_a_falling_enemy_make_the_game_longer() -> None:
    table = spoilt_table(Trigger.END, (Verb.SAVE_STEP, 2))
    assert bound_of(GameConfig(), table) > bound_of(GameConfig())
