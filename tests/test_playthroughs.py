"""The golden games: every file is played again, and every line must be the same."""

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tenefyr_env.cards.compiler import load_card_set
from tenefyr_env.game import Game, IllegalAction

ROOT = Path(__file__).resolve().parents[1]
FOLDER = Path(__file__).with_name("playthroughs")
FILES = sorted(FOLDER.glob("*.txt"))


def load_script() -> ModuleType:
    """The script that writes the files."""
    spec = importlib.util.spec_from_file_location("playthroughs", ROOT / "scripts/playthroughs.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


playthroughs = load_script()


def replayed(text: str) -> str:
    """The text of the game that a file's header and choices lead to, as far as they do."""
    config, seed, _ = playthroughs.read_header(text)
    choices = iter(playthroughs.choices_in(text))

    def next_choice(game: Game) -> str:
        choice = next(choices, None)
        assert choice is not None, f"decision {game.state.num_decisions + 1}: the file has no more"
        assert choice in game.options(), (
            f"decision {game.state.num_decisions + 1}: {choice!r} is not one of {game.options()}"
        )
        return str(choice)

    return str(playthroughs.play_through(config, seed, next_choice))


def first_difference(expected: str, found: str) -> str:
    """Where two texts part, or nothing."""
    old, new = expected.splitlines(), found.splitlines()
    for number in range(max(len(old), len(new))):
        one = old[number] if number < len(old) else "(the end)"
        two = new[number] if number < len(new) else "(the end)"
        if one != two:
            return f"line {number + 1}\n  file: {one}\n  game: {two}"
    return ""


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_golden_game_is_replayed_line_by_line(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    difference = first_difference(text, replayed(text))
    assert not difference, f"{path.name}: {difference}"


def test_every_golden_game_of_the_script_has_its_file() -> None:
    assert [path.stem for path in FILES] == sorted(playthroughs.GAMES)


def test_a_version_of_the_card_set_is_frozen_with_its_cards_and_golden_games() -> None:
    frozen = json.loads((FOLDER / "frozen.json").read_text(encoding="utf-8"))
    card_set = load_card_set("tenefyr")
    now = {"cards": card_set.hash, "games": playthroughs.fingerprint(FOLDER)}
    assert frozen.get(str(card_set.version)) == now, "raise the version in set.yaml"


def test_a_changed_golden_game_does_not_change_what_is_frozen(tmp_path: Path) -> None:
    (tmp_path / "game.txt").write_text("one", encoding="utf-8")
    playthroughs.freeze(tmp_path)
    before = (tmp_path / "frozen.json").read_text(encoding="utf-8")
    (tmp_path / "game.txt").write_text("another", encoding="utf-8")
    playthroughs.freeze(tmp_path)
    assert (tmp_path / "frozen.json").read_text(encoding="utf-8") == before
    (version,) = json.loads(before)
    assert json.loads(before)[version]["games"] != playthroughs.fingerprint(tmp_path)


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("players", {1, 2, 3, 4}),
        ("mode", {"regular", "quick"}),
        ("joint_choice", {"leader", "vote"}),
        ("difficulty", {"easy", "normal", "hard"}),
        ("hands", {"private", "open"}),
        ("remove_absent_heroes", {False, True}),
        ("take_single_options", {False, True}),
    ],
)
def test_the_golden_games_cover_every_mode(field: str, values: set[object]) -> None:
    configs = [playthroughs.read_header(path.read_text(encoding="utf-8"))[0] for path in FILES]
    assert {getattr(config, field) for config in configs} == values


def test_the_golden_games_are_won_and_lost() -> None:
    endings = {path.read_text(encoding="utf-8").splitlines()[-1] for path in FILES}
    assert endings == {"The party has won.", "The party has lost."}


def test_no_line_is_wider_than_the_page() -> None:
    widest = max(
        len(line) for path in FILES for line in path.read_text(encoding="utf-8").splitlines()
    )
    assert widest <= 100


def test_a_changed_line_is_named() -> None:
    text = FILES[0].read_text(encoding="utf-8")
    lines = text.splitlines()
    spoilt = next(n for n, line in enumerate(lines) if line.startswith("track"))
    lines[spoilt] += "!"
    difference = first_difference("\n".join(lines), replayed(text))
    assert difference.startswith(f"line {spoilt + 1}\n")


def test_a_choice_that_is_not_offered_is_named() -> None:
    text = FILES[0].read_text(encoding="utf-8")
    first = playthroughs.choices_in(text)[0]
    spoilt = text.replace(f"> {first}\n", "> redraw\n", 1)
    with pytest.raises((AssertionError, IllegalAction), match="decision 1: 'redraw'"):
        replayed(spoilt)
