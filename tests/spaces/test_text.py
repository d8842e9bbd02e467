"""The text observation, and answers read back as actions."""

import numpy as np
import pytest
from seeing import MODES, positions, view

from tenefyr_env.config import GameConfig
from tenefyr_env.engine.state import Decision
from tenefyr_env.game import Game
from tenefyr_env.scenario import scenario
from tenefyr_env.spaces.encoders import make_encoder
from tenefyr_env.spaces.text import (
    MAX_LENGTH,
    AnswerError,
    TextEncoder,
    options_in,
    options_of,
    parse_answer,
)

DECK = ["Sturdy Club", "Quick Strike", "Basic 1", "Basic 0", "Basic 1"]


def fight(players: int = 2) -> Game:
    """Seat 0 is asked to keep its first hand against the Tavern Brawler."""
    game = scenario(
        GameConfig(players=players),
        decks={0: DECK},
        dungeons={1: ["Tavern Brawler", "Cave Bat", "Grave Digger", "Wild Boar"]},
        starter=0,
    )
    game.step("dungeon 1")
    return game


def words(text: str) -> str:
    """A text without its line breaks."""
    return " ".join(text.split())


def read(game: Game, seat: int) -> str:
    return str(view(game, seat, "text"))


def test_the_text_has_the_hand_the_enemy_the_events_and_the_question() -> None:
    game = fight()
    text = words(read(game, 0))
    club, strike = (next(c for c in game.card_set.cards if c and c.name == n) for n in DECK[:2])
    enemy = next(c for c in game.card_set.cards if c and c.enemy_name == "Tavern Brawler")
    assert f"{club.name}: power {club.power}. {club.text}".strip() in text
    assert f"{strike.name}: power {strike.power}. {strike.text}".strip() in text
    assert enemy.enemy_text in text
    assert f"{enemy.name}: power {enemy.power}." in text
    assert "draws Quick Strike." in text
    assert "You decide: Keep this hand, or discard it and draw a new one?" in text
    assert text.endswith("Options: 1. keep 2. redraw")


def test_R58_another_seat_reads_neither_the_hand_nor_the_options() -> None:
    game = fight()
    text = words(read(game, 1))
    assert "In your hand" not in text
    assert "draws a card." in text
    assert "draws Quick Strike" not in text
    assert "Options:" not in text
    assert f"{game.player_name(0)} decides: Keep this hand" in text


def test_players_are_numbered_with_their_names() -> None:
    game = Game.new(GameConfig(players=3, mode="quick", starting_player=0), 5)
    while game.decision.kind != Decision.HAND_OUT:
        game.step(game.decision.options[-1 if game.decision.kind == Decision.CONTINUE else 0])
    seat = game.decision.seat
    for offset, line in enumerate(read(game, seat).splitlines()[-3:]):
        name = game.player_name((seat + offset) % 3)
        assert line == f"{offset + 1}. player {offset}: {name}"


@pytest.mark.parametrize("config", MODES, ids=lambda c: f"{c.players} {c.mode} {c.joint_choice}")
def test_every_legal_action_is_read_back_from_number_name_and_line(config: GameConfig) -> None:
    for game in positions(config, 6):
        if game.is_over:
            break
        actions = options_of(game)
        text = read(game, game.decision.seat)
        lines = text.splitlines()[-len(actions) :]
        assert options_in(text) == [game.action_name(action) for action in actions]
        for number, (action, line) in enumerate(zip(actions, lines, strict=True), 1):
            answers = (str(number), f"{number}.", f"({number})", game.action_name(action), line)
            for answer in answers:
                assert parse_answer(answer, game) == action
            assert parse_answer(line, text) == action
            assert game.state.legal[action]


def test_the_texts_of_a_game_lie_in_the_space() -> None:
    space = make_encoder("text").space
    for config in MODES[2:4]:
        for game in positions(config, 7):
            text = read(game, int(game.state.num_decisions) % config.players)
            assert space.contains(text)
            assert len(text) < MAX_LENGTH // 4


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        ("3", r"answer '3': accepted are 1 \(keep\), 2 \(redraw\)"),
        ("0", r"answer '0': accepted are 1"),
        ("leave", r"answer 'leave': not an option now; accepted are 1 \(keep\)"),
        ("kep", r"did you mean 'keep'\?; accepted are 1"),
        ("", r"answer '': .*accepted are 1"),
        ("1. redraw", r"number 1 is 'keep'"),
    ],
)
def test_an_answer_that_is_no_option_is_an_error_that_lists_them(answer: str, error: str) -> None:
    with pytest.raises(AnswerError, match=error):
        parse_answer(answer, fight())


def test_a_seat_that_is_not_asked_cannot_answer() -> None:
    with pytest.raises(AnswerError, match="nothing is asked of this seat"):
        parse_answer("1", read(fight(), 1))


def test_after_the_end_the_text_says_how_it_ended() -> None:
    game = list(positions(GameConfig(players=2), 3))[-1]
    assert read(game, 1).splitlines()[-1] in ("The party has won.", "The party has lost.")
    with pytest.raises(AnswerError, match="nothing is asked"):
        parse_answer("1", game)


def test_a_game_of_other_cards_is_refused_with_the_way_out() -> None:
    game = fight()
    table = game.table.copy()
    table["power"] += 1
    encoder = TextEncoder()
    with pytest.raises(ValueError, match=r"not played with the card set 'Tenefyr'; give"):
        encoder.encode(game.states, table, np.array([0]), encoder.empty(1))
