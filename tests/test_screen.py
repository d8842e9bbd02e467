"""The terminal screen shows the table, what happened and the question, and hides what is hidden."""

from tenefyr_env import GameConfig, env, scenario
from tenefyr_env.render.screen import plain, screen_text
from tenefyr_env.render.text import table_text


def fighting_game():
    decks = {0: ["Basic 1", "Basic 0", "Basic 0", "Basic 1"]}
    config = GameConfig(players=3, heroes=("bard", "cleric", "thief"))
    game = scenario(config, decks=decks, dungeons={1: ["Kobold"]}, starter=0)
    game.step("dungeon 1")
    return game


def test_the_screen_holds_the_table_the_events_and_the_options():
    game = fighting_game()
    text = plain(screen_text(game))
    assert table_text(game) in text
    assert "The party meets Kobold, power 3." in text
    assert text.splitlines()[-1].endswith("draw a new one? keep, redraw")


def test_the_current_dungeon_and_the_enemy_are_coloured():
    text = screen_text(fighting_game())
    assert "\x1b[1;33m> 1 Kobold" in text
    assert "\x1b[1;31menemy" in text


def test_another_seat_sees_neither_the_hand_nor_the_options():
    text = plain(screen_text(fighting_game(), seat=1))
    assert "draws a card" in text
    assert "keep, redraw" not in text
    assert "draws Basic" not in text


def test_the_end_is_told():
    game = fighting_game()
    while not game.is_over:
        game.step(game.decision.options[0])
    assert (
        plain(screen_text(game)).splitlines()[-1] == f"The party has {game.outcome.name.lower()}."
    )


def test_human_mode_prints_and_ansi_mode_returns_the_screen(capsys):
    for mode in ("ansi", "human"):
        table = env(players=2, render_mode=mode)
        table.reset(seed=1)
        shown = table.render()
        assert (shown or capsys.readouterr().out.rstrip("\n")) == screen_text(table.game)
