"""`check_no_leak`: passes for every encoder there is, and catches those that leak."""

from typing import Any

import gymnasium
import numpy as np
import pytest

from tenefyr_env.cards.table import NUM_CARDS
from tenefyr_env.cards.vocabulary import Pile
from tenefyr_env.config import GameConfig
from tenefyr_env.game import Game
from tenefyr_env.spaces import encoders
from tenefyr_env.spaces.sections import Layout, Section
from tenefyr_env.testing import CONFIGS, check_no_leak

SLOW = {"text": CONFIGS[1:4]}  # a text takes a millisecond
OWN_MODULES = [f"tenefyr_env.spaces.{name}" for name in ("encoders", "entities", "text")]
ENCODERS = ["flat", "flat_odds", "entities", "text"]


def test_every_encoder_of_the_package_is_checked_here() -> None:
    own = {name for name, make in encoders._REGISTRY.items() if make.__module__ in OWN_MODULES}
    assert own == set(ENCODERS)


@pytest.mark.parametrize("name", ENCODERS)
def test_no_encoder_shows_what_its_seat_cannot_know(name: str) -> None:
    configs = SLOW.get(name, CONFIGS)
    assert check_no_leak(name, configs, games=1 if name in SLOW else 3) > 300


class Leaking:
    """An encoder of one number, which a test fills in; the second entry is always innocent."""

    name = "leaking"
    layout = Layout(
        Section("innocent", 1, 0, 127, "the size of the own deck"),
        Section("guilty", 1, -1, 127, "what nobody may know"),
    )
    space = gymnasium.spaces.Box(-128, 127, (2,), np.int16)
    layout_hash = layout.hash()

    def empty(self, count: int) -> Any:
        return np.zeros((count, 2), np.int16)

    def encode(self, states: Any, tables: Any, seats: Any, out: Any) -> None:
        for row, seat in enumerate(seats):
            out[row] = states[row].pile_size[seat, Pile.DECK], self.guilty(states[row], seat)

    def guilty(self, state: Any, seat: int) -> int:
        raise NotImplementedError

    def row(self, out: Any, index: int) -> Any:
        return out[index]

    def describe(self) -> str:
        return self.layout.describe()


class TopOfDeck(Leaking):
    """Shows the top card of the own deck."""

    def guilty(self, state: Any, seat: int) -> int:
        size = state.pile_size[seat, Pile.DECK]
        return int(state.piles[seat, Pile.DECK, size - 1]) if size else -1


class NextHand(Leaking):
    """Shows the last card of the next player's hand."""

    def guilty(self, state: Any, seat: int) -> int:
        other = (seat + 1) % state.players
        size = state.pile_size[other, Pile.HAND]
        return int(state.piles[other, Pile.HAND, size - 1]) if size else -1


class FaceDown(Leaking):
    """Shows the bottom card of the first dungeon."""

    def guilty(self, state: Any, seat: int) -> int:
        return int(state.dungeon_cards[0, 0])


class Reserve(Leaking):
    """Shows a card of the reserve."""

    def guilty(self, state: Any, seat: int) -> int:
        return int(state.reserve[0, 0])


class OptionsOfOthers(Leaking):
    """Shows how many cards the decider may play, to all."""

    def guilty(self, state: Any, seat: int) -> int:
        return int(np.flatnonzero(state.legal).sum() % 128)


class Chance(Leaking):
    """Shows the generator of chance."""

    def guilty(self, state: Any, seat: int) -> int:
        return int(state.rng[0] % 128)


@pytest.mark.parametrize(
    "leaking", [TopOfDeck, NextHand, FaceDown, Reserve, OptionsOfOthers, Chance]
)
def test_a_leaking_encoder_is_caught_and_the_section_is_named(leaking: type[Leaking]) -> None:
    with pytest.raises(AssertionError, match=r"'leaking', seat \d.*section 'guilty' place 0"):
        check_no_leak(leaking())


def test_an_innocent_encoder_passes() -> None:
    class Innocent(Leaking):
        def guilty(self, state: Any, seat: int) -> int:
            return int(state.steps_left)

    assert check_no_leak(Innocent(), GameConfig(players=3), games=1) > 30


def test_an_observation_outside_of_its_space_is_caught() -> None:
    class Outside(Leaking):
        def guilty(self, state: Any, seat: int) -> int:
            return 1000

    with pytest.raises(AssertionError, match="not in the space"):
        check_no_leak(Outside(), GameConfig(players=2), games=1)


class InParts(TopOfDeck):
    """Shows the same in a Dict: a part without a layout, and a text."""

    layouts: dict[str, Layout] = {}  # noqa: RUF012
    space = gymnasium.spaces.Dict(
        {"cards": gymnasium.spaces.MultiBinary(NUM_CARDS), "text": gymnasium.spaces.Text(99)}
    )
    leaks_in = "cards"

    def row(self, out: Any, index: int) -> Any:
        cards = np.zeros(NUM_CARDS, np.int8)
        top = int(out[index, 1])
        if self.leaks_in == "cards":
            cards[max(top, 0)] = 1
        return {"cards": cards, "text": f"top {top}" if self.leaks_in == "text" else "nothing"}


def test_a_leak_in_a_part_of_an_observation_is_named_by_its_key() -> None:
    with pytest.raises(AssertionError, match=r"cards entry \[\d+\]"):
        check_no_leak(InParts())


def test_a_leak_in_a_text_is_named_by_its_line() -> None:
    encoder = InParts()
    encoder.leaks_in = "text"
    with pytest.raises(AssertionError, match=r"text, line 1: 'top \d+' and 'top \d+'"):
        check_no_leak(encoder)


def test_a_mask_that_depends_on_the_hidden_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    redraw = Game.determinize

    def with_another_mask(game: Game, seat: int, seed: int) -> Game:
        copy = redraw(game, seat, seed)
        copy.state.legal[-1] ^= 1
        return copy

    monkeypatch.setattr(Game, "determinize", with_another_mask)
    with pytest.raises(AssertionError, match="the mask depends on what the seat cannot know"):
        check_no_leak("flat", GameConfig(players=2), games=1)
