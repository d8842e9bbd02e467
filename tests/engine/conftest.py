"""Card sets for the tests of the rules; shorthands to play with are in `playing.py`."""

import pytest
from playing import set_with

from tenefyr_env.cards.card_set import CardSet
from tenefyr_env.cards.compiler import load_card_set


@pytest.fixture(scope="session")
def plain() -> CardSet:
    """Nothing but plain cards: powers, and no rules or effects that matter."""
    return set_with()


@pytest.fixture(scope="session")
def shipped() -> CardSet:
    """The set the package ships."""
    return load_card_set("tenefyr")
