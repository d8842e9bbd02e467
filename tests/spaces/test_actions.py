"""Actions: from number to name and back, and the table of all."""

import pytest

from tenefyr_env.engine.actions import NUM_ACTIONS, SECTIONS
from tenefyr_env.game import Game
from tenefyr_env.spaces.actions import (
    ACTIONS,
    action_name,
    action_number,
    action_of,
    describe_actions,
    section_of,
)


def test_every_action_has_a_name_of_its_own_that_leads_back_to_it() -> None:
    names = [action_name(action) for action in range(NUM_ACTIONS)]
    assert len(set(names)) == NUM_ACTIONS
    assert [action_number(name) for name in names] == list(range(NUM_ACTIONS))


def test_every_action_has_a_section_and_a_place_that_lead_back_to_it() -> None:
    for action in range(NUM_ACTIONS):
        section, place = section_of(action)
        assert action_of(section, place) == action
        assert ACTIONS[section].start + place == action


def test_the_sections_are_the_engines() -> None:
    assert [(section.name, section.size) for section in ACTIONS] == list(SECTIONS)
    assert ACTIONS.size == NUM_ACTIONS


def test_names_are_read_in_any_case_and_spacing() -> None:
    assert action_number(" Card  quick STRIKE ") == action_number("card Quick Strike")


def test_the_legal_mask_is_a_vector_of_these_sections() -> None:
    mask = Game.new().legal_mask()
    assert mask[ACTIONS["dungeon"]].all()
    assert mask.sum() == ACTIONS.section("dungeon").size


def test_unknown_names_numbers_and_places_are_errors_that_say_what_is_accepted() -> None:
    with pytest.raises(ValueError, match=r"did you mean 'redraw'"):
        action_number("redrew")
    with pytest.raises(ValueError, match=f"action {NUM_ACTIONS}: accepted are 0 to"):
        section_of(NUM_ACTIONS)
    with pytest.raises(ValueError, match="action -1: accepted are 0 to"):
        action_name(-1)
    with pytest.raises(ValueError, match=r"section 'hand': accepted are keep, redraw"):
        action_of("hand")
    with pytest.raises(ValueError, match=r"place 4 of section 'player': accepted are 0 to 3"):
        action_of("player", 4)


def test_the_table_has_a_line_for_each_action() -> None:
    lines = describe_actions().splitlines()
    assert len(lines) == NUM_ACTIONS
    for action, line in enumerate(lines):
        number, rest = line.split(maxsplit=1)
        assert int(number) == action
        assert rest.startswith(action_name(action))
