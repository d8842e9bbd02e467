"""Card sets and single effects for the tests of the compiler."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tenefyr_env.cards.card_set import CardSet
from tenefyr_env.cards.compiler import load_card_set
from tenefyr_env.cards.effects import Step, read_effect
from tenefyr_env.cards.source import parse
from tenefyr_env.cards.text import Place
from tenefyr_env.cards.vocabulary import Kind

MINI_SET = Path(__file__).with_name("mini_set.yaml")
KINDS = {Place.PLAY: Kind.SKILL, Place.REWARD: Kind.NONE}

ReadEffect = Callable[..., tuple[Step, ...]]
LoadText = Callable[[str], CardSet]


@pytest.fixture(scope="session")
def mini_set() -> CardSet:
    """The small set that shares no card with the shipped one."""
    return load_card_set(MINI_SET)


@pytest.fixture(scope="session")
def shipped() -> CardSet:
    """The set the package ships."""
    return load_card_set("tenefyr")


@pytest.fixture(scope="session")
def mini_text() -> str:
    """The file of the small set, to be spoilt."""
    return MINI_SET.read_text(encoding="utf-8")


@pytest.fixture
def load_text(tmp_path: Path) -> LoadText:
    """Compile a card set from the text of its one file, `cards.yaml`."""

    def load(content: str) -> CardSet:
        file = tmp_path / "cards.yaml"
        file.write_text(content, encoding="utf-8")
        return load_card_set(file)

    return load


@pytest.fixture(scope="session")
def effect() -> ReadEffect:
    """Read an effect written as in a card file."""

    def read(text: str, place: Place = Place.PLAY, kind: Kind | None = None) -> tuple[Step, ...]:
        return read_effect(parse(text, "effect"), place, kind or KINDS.get(place, Kind.DUNGEON))

    return read
