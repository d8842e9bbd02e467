"""Checks for what users add to the environment.

from tenefyr_env.testing import check_no_leak

def test_my_encoder_shows_nothing_hidden():
    check_no_leak(MyEncoder())
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from tenefyr_env.config import GameConfig
from tenefyr_env.game import Game
from tenefyr_env.spaces.encoders import Encoder, make_encoder
from tenefyr_env.spaces.sections import Layout

CONFIGS = (
    GameConfig(players=1),
    GameConfig(players=2, mode="quick"),
    GameConfig(players=3, joint_choice="vote"),
    GameConfig(players=4),
    GameConfig(players=4, mode="quick", joint_choice="vote"),
    GameConfig(players=3, remove_absent_heroes=True),
    GameConfig(players=2, hands="open"),
    GameConfig(players=2, take_single_options=False),
)


def check_no_leak(
    encoder: str | Encoder,
    config: GameConfig | Sequence[GameConfig] | None = None,
    games: int = 2,
    seed: int = 0,
) -> int:
    """Raise an AssertionError if an encoder shows a seat what it cannot know.

    Random games are played, `games` of each configuration (of all modes, if none is given). At
    every decision all that a seat cannot know is redrawn (`Game.determinize`): the order of decks
    and of face-down cards, the hands of others, the chance to come. What the encoder shows the seat
    of the game and of the copy must be equal, and so must the mask of the seat that decides. Every
    observation must also lie in the encoder's space. The error names the entry that differs, by
    section where the encoder has a `layout`, or `layouts` by the keys of a Dict observation.

    Returns how many observations were compared. A leak that shows seldom may need more games.
    """
    made = make_encoder(encoder)
    compared = 0
    for index, each in enumerate(_configs(config)):
        for number in range(games):
            for game, choice in _positions(each, seed + 1000 * index + number):
                for seat in range(each.players):
                    _compare(made, game, seat, choice)
                    compared += 1
    return compared


def _configs(config: GameConfig | Sequence[GameConfig] | None) -> Sequence[GameConfig]:
    if config is None:
        return CONFIGS
    return (config,) if isinstance(config, GameConfig) else config


def _positions(config: GameConfig, seed: int) -> Iterator[tuple[Game, int]]:
    """Every position of a random game, its end included, each with a seed for its copies.

    Every other game puts off the boss, which has the highest number of all dungeons.
    """
    game = Game.new(config, seed)
    rng = np.random.default_rng(seed)
    draws = 1 + seed % 2
    while True:
        yield game, int(rng.integers(2**31))
        if game.is_over:
            return
        game.step(int(rng.choice(game.decision.options, draws).min()))


def _compare(encoder: Encoder, game: Game, seat: int, seed: int) -> None:
    """One seat's view of a game and of a copy in which the hidden is redrawn."""
    copy = game.determinize(seat, seed)
    shown, redrawn = _view(encoder, game, seat), _view(encoder, copy, seat)
    where = (
        f"encoder {encoder.name!r}, seat {seat} of {game.config.players},"
        f" decision {int(game.state.num_decisions)} ({game.decision.kind.name.lower()})"
    )
    difference = _difference(shown, redrawn, "", _layouts(encoder))
    assert not difference, f"{where}: shows what the seat cannot know: {difference}"
    assert encoder.space.contains(shown), f"{where}: the observation is not in the space"
    if game.decision.seat == seat:
        masks = _difference(game.legal_mask(), copy.legal_mask(), "", {})
        assert not masks, f"{where}: the mask depends on what the seat cannot know: {masks}"


def _view(encoder: Encoder, game: Game, seat: int) -> Any:
    """What the encoder shows."""
    out = encoder.empty(1)
    encoder.encode(game.states, game.table, np.array([seat], np.int64), out)
    return encoder.row(out, 0)


def _layouts(encoder: Encoder) -> dict[str, Layout]:
    """The layouts an encoder carries: of its vector (under no key), or by key."""
    layout = getattr(encoder, "layout", None)
    return getattr(encoder, "layouts", {} if layout is None else {"": layout})


def _difference(one: Any, two: Any, key: str, layouts: dict[str, Layout]) -> str:
    """The first thing in which two observations differ, or nothing."""
    if isinstance(one, dict):
        if set(one) != set(two):
            return f"keys {sorted(one)} and {sorted(two)}"
        found = (_difference(one[name], two[name], name, layouts) for name in one)
        return next((difference for difference in found if difference), "")
    if isinstance(one, tuple | list):
        if len(one) != len(two):
            return f"{key or 'sequence'}: {len(one)} and {len(two)} parts"
        pairs = enumerate(zip(one, two, strict=True))
        found = (_difference(*pair, f"{key}[{index}]", layouts) for index, pair in pairs)
        return next((difference for difference in found if difference), "")
    if isinstance(one, str):
        return _text_difference(one, str(two), key)
    return _array_difference(np.asarray(one), np.asarray(two), key, layouts.get(key))


def _text_difference(one: str, two: str, key: str) -> str:
    """The first line in which two texts differ, or nothing."""
    if one == two:
        return ""
    first, second = [*one.splitlines(), "(the end)"], [*two.splitlines(), "(the end)"]
    for number, (line, other) in enumerate(zip(first, second, strict=False), 1):
        if line != other:
            return f"{key or 'text'}, line {number}: {line!r} and {other!r}"
    return f"{key or 'text'}: line ends"


def _array_difference(one: Any, two: Any, key: str, layout: Layout | None) -> str:
    """The first entry in which two arrays differ, or nothing."""
    if one.shape != two.shape or one.dtype != two.dtype:
        return f"{key or 'array'}: {one.dtype}{one.shape} and {two.dtype}{two.shape}"
    unequal = one != two
    if one.dtype.kind == "f":
        unequal &= ~(np.isnan(one) & np.isnan(two))
    if not unequal.any():
        return ""
    index = tuple(int(place) for place in np.argwhere(unequal)[0])
    values = f"{one[index]} and {two[index]} ({int(unequal.sum())} entries differ)"
    return f"{_entry_name(index, key, layout)}: {values}"


def _entry_name(index: tuple[int, ...], key: str, layout: Layout | None) -> str:
    """An entry as people find it: its index, and its section where there is a layout."""
    place = ", ".join(map(str, index))
    name = f"{key} entry [{place}]" if key else f"entry [{place}]"
    if layout is None or not index or index[-1] >= layout.size:
        return name
    section, number = layout.section_at(index[-1])
    return f"{name}, section {section.name!r} place {number}"
