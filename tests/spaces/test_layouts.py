"""The tables of the README are those of the layouts."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from tenefyr_env.spaces.flat import DUNGEON, FLAT, PLAYER, TABLE_SECTIONS

ROOT = Path(__file__).resolve().parents[2]


def load_script() -> ModuleType:
    """The script that writes the tables."""
    spec = importlib.util.spec_from_file_location("layouts", ROOT / "scripts/layouts.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


layouts = load_script()


def test_the_readme_is_up_to_date() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "<!-- layout:flat -->" in text
    assert layouts.updated(text) == text, "run: python scripts/layouts.py --readme"


def test_an_old_table_is_written_anew_and_the_rest_is_kept() -> None:
    old = "before\n<!-- layout:flat -->\nold\n<!-- /layout:flat -->\nafter\n"
    new = layouts.updated(old)
    assert new.startswith("before\n<!-- layout:flat -->\n| part |")
    assert new.endswith("<!-- /layout:flat -->\nafter\n")
    assert "old" not in new.split("|")
    assert layouts.updated(new) == new


def test_a_marker_without_its_end_is_an_error() -> None:
    with pytest.raises(ValueError, match="layout:flat --> has no"):
        layouts.updated("<!-- layout:flat -->\n")


def test_players_and_dungeons_stand_in_the_table_once() -> None:
    rows = list(layouts.markdown("flat"))
    sections = [row for row in rows if row.startswith("| | ")]
    assert len(sections) == sum(len(part.sections) for part in (TABLE_SECTIONS, PLAYER, DUNGEON))
    assert rows[-1] == f"| **all** | | **{FLAT.size}** | | |"
