"""The small card sets of the engine's tests, which the tests of the players play with as well."""

import sys
from pathlib import Path

import pytest

from tenefyr_env.cards.card_set import CardSet
from tenefyr_env.cards.compiler import load_card_set

TESTS = Path(__file__).parents[1]
sys.path.append(str(TESTS / "engine"))  # for `playing.py` and `one_card.py`


@pytest.fixture(scope="session")
def shipped() -> CardSet:
    """The set the package ships."""
    return load_card_set("tenefyr")


@pytest.fixture(scope="session")
def mini_set() -> CardSet:
    """The small set that shares no card with the shipped one."""
    return load_card_set(TESTS / "cards" / "mini_set.yaml")
