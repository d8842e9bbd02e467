"""Layouts: sections one after the other, found by name and by entry."""

import pytest

from tenefyr_env.spaces.entities import MAX_TOKENS, TOKEN
from tenefyr_env.spaces.flat import DUNGEON, FLAT, PLAYER, TABLE_SECTIONS
from tenefyr_env.spaces.full import FULL
from tenefyr_env.spaces.sections import Layout, Section

SMALL = Layout(Section("hand", 3, 0, 9, "cards in hand"), Section("power", 1, -5, 5, "the power"))
ALL = {"flat": FLAT, "full": FULL, "token": TOKEN, "table": TABLE_SECTIONS}


def test_sections_lie_one_after_the_other() -> None:
    assert SMALL["hand"] == slice(0, 3)
    assert SMALL["power"] == slice(3, 4)
    assert SMALL.size == 4


@pytest.mark.parametrize("layout", ALL.values(), ids=ALL)
def test_every_entry_belongs_to_exactly_one_section(layout: Layout) -> None:
    found = [layout.section_at(index)[0].name for index in range(layout.size)]
    named = [section.name for section in layout for _ in range(section.size)]
    assert found == named


@pytest.mark.parametrize("layout", ALL.values(), ids=ALL)
def test_every_section_fits_into_small_integers_and_says_what_it_means(layout: Layout) -> None:
    for section in layout:
        assert -128 <= section.low <= section.high <= 127, section
        assert section.size > 0, section
        assert section.meaning, section


def test_an_unknown_section_is_an_error_that_names_those_there_are() -> None:
    with pytest.raises(KeyError, match=r"'deck': accepted are hand, power"):
        SMALL["deck"]
    with pytest.raises(IndexError, match=r"entry 4: accepted are 0 to 3"):
        SMALL.section_at(4)


def test_two_sections_of_one_name_are_an_error() -> None:
    with pytest.raises(ValueError, match="'hand': the name is used twice"):
        Layout(*SMALL, Section("hand", 1, 0, 1, "again"))


def test_the_description_has_a_line_for_each_section() -> None:
    lines = SMALL.describe().splitlines()
    assert len(lines) == 3
    assert lines[1].split() == ["0", "2", "3", "hand", "0", "to", "9:", "cards", "in", "hand"]


@pytest.mark.parametrize(
    "other",
    [
        Layout(*reversed(list(SMALL))),
        Layout(Section("hand", 4, 0, 9, "cards in hand"), SMALL.section("power")),
        Layout(Section("hand", 3, 0, 8, "cards in hand"), SMALL.section("power")),
        Layout(Section("hand", 3, 0, 9, "cards held"), SMALL.section("power")),
    ],
    ids=["order", "size", "range", "meaning"],
)
def test_the_hash_changes_with_whatever_an_entry_means(other: Layout) -> None:
    assert other.hash() != SMALL.hash()
    assert Layout(*SMALL).hash() == SMALL.hash()


def test_the_flat_layout_is_the_table_then_four_players_then_eleven_dungeons() -> None:
    assert FLAT.size == TABLE_SECTIONS.size + 4 * PLAYER.size + 11 * DUNGEON.size
    assert FLAT["player 3: present"].start == TABLE_SECTIONS.size + 3 * PLAYER.size
    assert FLAT["dungeon 10: known below"].stop == FLAT.size


def test_the_entities_have_room_for_every_token_there_can_be() -> None:
    dungeon_cards, skills, bosses, basics = 5 * 14, 4, 4, 2 * 4 * 4
    players, dungeons, rewards, enemy = 4, 11, 11, 1
    cards = dungeon_cards + skills + bosses + basics
    assert cards + players + dungeons + rewards + enemy == MAX_TOKENS
