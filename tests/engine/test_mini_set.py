"""The engine knows no card of its own: a set unlike the shipped one plays as well."""

from pathlib import Path

import pytest

from tenefyr_env.cards.card_set import CardSet
from tenefyr_env.cards.compiler import load_card_set
from tenefyr_env.config import GameConfig
from tenefyr_env.engine.rng import MAX_SEED
from tenefyr_env.engine.state import Outcome
from tenefyr_env.game import Game
from tenefyr_env.statistics import achievements, statistics

GAMES = 4  # of each sort


@pytest.fixture(scope="module")
def mini_set() -> CardSet:
    return load_card_set(Path(__file__).parents[1] / "cards" / "mini_set.yaml")


def play_randomly(game: Game, seed: int) -> None:
    """Options by a fixed sequence of numbers, every position checked."""
    number = seed + 1
    while not game.is_over:
        number = (number * 48271) % MAX_SEED
        options = game.decision.options
        game.step(options[number // 7 % len(options)])
        game.check()


@pytest.mark.parametrize("joint_choice", ["leader", "vote"])
@pytest.mark.parametrize("mode", ["regular", "quick"])
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_the_mini_set_plays_full_games(mini_set, players, mode, joint_choice):
    config = GameConfig(players=players, mode=mode, joint_choice=joint_choice)
    for seed in range(GAMES):
        game = Game.new(config, seed, mini_set)
        play_randomly(game, seed)
        assert game.outcome in (Outcome.WON, Outcome.LOST)
        assert statistics(game).combats_won + statistics(game).combats_lost > 0
        assert set(achievements(game)) <= {f"A{number}" for number in range(1, 22)}


def test_the_mini_set_shares_no_card_with_the_shipped_one(mini_set):
    def names(card_set: CardSet) -> set[str]:
        return {
            name
            for card in card_set.cards
            if card is not None and not card.name.startswith("Basic")
            for name in (card.name, card.enemy_name)
            if name
        }

    assert not names(mini_set) & names(load_card_set("tenefyr"))


def test_two_full_games_of_the_mini_set_with_the_same_seed_are_the_same(mini_set):
    games = [Game.new(GameConfig(players=3), 5, mini_set) for _ in range(2)]
    for game in games:
        play_randomly(game, 1)
    assert games[0] == games[1]
