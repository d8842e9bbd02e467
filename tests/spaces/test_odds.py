"""The odds of a fight against brute force over all draws, and against played games."""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import sqrt

import numpy as np
import pytest

from tenefyr_env import Game, GameConfig, Odds, odds, scenario
from tenefyr_env.cards.vocabulary import Kind, Pile
from tenefyr_env.engine.combat import enemy_power
from tenefyr_env.engine.jit import entry
from tenefyr_env.engine.state import Decision
from tenefyr_env.spaces.encoders import make_encoder
from tenefyr_env.spaces.flat import FLAT
from tenefyr_env.spaces.odds import FLAT_ODDS, hand_power_distributions

BASICS = ["Basic 0", "Basic 1"]
PLAIN_DECKS = {  # no card of these has an effect
    0: [*BASICS * 3, "Sturdy Club", "Gnawed Spear"],
    1: [*BASICS * 2, "Rotten Axe", "Bog Iron Pick", "Basic 1"],
    2: [*BASICS, "Basic 1", "Silver Fang", "Basic 0"],
}


@entry
def _enemy_power(states, tables):
    return enemy_power(states[0], tables[0])


def fight(enemy: str, decks=PLAIN_DECKS, starter: int = 0, **fields) -> Game:
    """A fight against an enemy, at its first choice between keep and redraw."""
    config = GameConfig(players=len(decks), take_single_options=False, **fields)
    game = scenario(config, decks=decks, dungeons={1: [enemy]}, starter=starter)
    game.step("dungeon 1")
    return game


def cards_of(game: Game, seat: int, pile: Pile) -> list[int]:
    return [int(c) for c in game.state.piles[seat, pile, : game.state.pile_size[seat, pile]]]


def power_of(game: Game, card: int) -> int:
    """A played card's power under the enemy's rule, read from the card table."""
    dungeon = game.state.dungeon
    foe = game.state.dungeon_cards[dungeon, game.state.dungeon_size[dungeon] - 1]
    table = game.table[0]
    rule = {Kind.BASIC: table.basics[foe], Kind.DUNGEON: table.loot[foe]}
    return int(table.power[card]) + int(rule.get(Kind(int(table.kind[card])), 0))


def all_sums(powers: list[int], size: int) -> dict[int, Fraction]:
    """The power of every hand of a size, by listing all of them."""
    counted = Counter(sum(hand) for hand in combinations(powers, min(size, len(powers))))
    return {power: Fraction(n, counted.total()) for power, n in counted.items()}


def hand_size(game: Game, seat: int, turn: int) -> int:
    dungeon = game.state.dungeon
    foe = game.state.dungeon_cards[dungeon, game.state.dungeon_size[dungeon] - 1]
    size = 3 + game.table[0].hand[foe] + game.state.boost_now[1].sum()
    if turn == game.state.turn or seat != game.decision.seat:
        size += game.state.hand_bonus[seat]
    return max(0, int(size + (game.table[0].starter_hand[foe] if turn == 0 else 0)))


def brute_force(game: Game) -> Odds:
    """The odds by listing every hand of every player; not for solo redraws."""
    state, seat = game.state, game.decision.seat
    needed = _enemy_power(game.states, game.table)
    combined = int(state.party_power) + sum(int(p) for p in state.power[: state.players])
    kept = combined + sum(power_of(game, card) for card in cards_of(game, seat, Pile.HAND))
    deck = [power_of(game, card) for card in cards_of(game, seat, Pile.DECK)]
    fresh = all_sums(deck, hand_size(game, seat, state.turn))
    later = [later_sums(game, turn) for turn in range(state.turn + 1, state.num_turns)]

    def chance(power: int, turns: list[dict[int, Fraction]]) -> Fraction:
        if power >= needed or not turns:
            return Fraction(power >= needed)
        return sum((p * chance(power + s, turns[1:]) for s, p in turns[0].items()), Fraction(0))

    can_redraw = "redraw" in game.options()
    return Odds(
        keep=float(kept >= needed),
        redraw=float(sum(p for s, p in fresh.items() if combined + s >= needed) * can_redraw),
        party_keep=float(chance(kept, later)),
        party_redraw=float(
            sum(p * chance(combined + s, later) for s, p in fresh.items()) * can_redraw
        ),
        can_redraw=can_redraw,
    )


def later_sums(game: Game, turn: int) -> dict[int, Fraction]:
    """The power a later turn may bring, as the one who decides knows it."""
    seat = (game.state.starter + turn) % game.state.players
    deck = [power_of(game, card) for card in cards_of(game, seat, Pile.DECK)]
    size = min(hand_size(game, seat, turn), len(deck))
    if seat == game.decision.seat:
        return all_sums(deck, size)
    held = [power_of(game, card) for card in cards_of(game, seat, Pile.HAND)]
    seen = len(held) if game.config.hands == "open" else int(game.state.num_shown[seat])
    sums = all_sums(deck + held[seen:], size + len(held) - seen)
    return {power + sum(held[:seen]): chance for power, chance in sums.items()}


def assert_same(found: Odds, expected: Odds) -> None:
    assert found.can_redraw == expected.can_redraw
    for name in ("keep", "redraw", "party_keep", "party_redraw"):
        assert getattr(found, name) == pytest.approx(getattr(expected, name), abs=1e-12), name


@pytest.mark.parametrize("size", range(9))
def test_the_power_of_a_hand_is_distributed_as_the_list_of_all_hands_says(size):
    game = fight("Goblin Warband")
    deck = [power_of(game, card) for card in cards_of(game, 1, Pile.DECK)]
    lowest, chances = hand_power_distributions(game.states, game.table, 1, size)
    expected = all_sums(deck, size)
    found = {lowest + i: chance for i, chance in enumerate(chances) if chance > 0}
    assert found == pytest.approx({power: float(p) for power, p in expected.items()}, abs=1e-12)


@pytest.mark.parametrize(
    "enemy",
    ["Goblin Warband", "Basilisk", "Rust Ooze", "Wild Boar", "Mud Slime", "Kraken", "Boggart"],
)
@pytest.mark.parametrize("starter", [0, 2])
def test_odds_are_those_of_all_draws(enemy, starter):
    game = fight(enemy, starter=starter)
    assert_same(odds(game), brute_force(game))
    while game.decision.kind == Decision.KEEP and "redraw" in game.options():
        game.step("redraw")
        assert_same(odds(game), brute_force(game))


def test_odds_are_those_of_all_draws_wherever_games_lead():
    checked = 0
    for seed in range(24):
        players, hands = 2 + seed % 3, ("private", "open")[seed % 2]
        game = Game.new(GameConfig(players=players, hands=hands, difficulty="hard"), seed)
        choices = np.random.default_rng(seed)
        while not game.is_over:
            if game.decision.kind == Decision.KEEP and choices.random() < 0.2:
                assert_same(odds(game), brute_force(game))
                checked += 1
            game.step(int(choices.choice(game.decision.options)))
    assert checked > 100


def test_alone_both_hands_of_a_redraw_come_from_one_deck():
    deck = [*BASICS * 3, "Sturdy Club", "Rotten Axe", "Silver Fang", "Gnawed Spear"]
    game = fight("Goblin Warband", {0: deck})
    left = [power_of(game, card) for card in cards_of(game, 0, Pile.DECK)]
    kept = sum(power_of(game, card) for card in cards_of(game, 0, Pile.HAND))
    second = all_sums(left, 3)
    both = all_sums(left, 6)
    found = odds(game)
    assert found.party_keep == pytest.approx(
        float(sum(p for s, p in second.items() if kept + s >= 5))
    )
    assert found.party_redraw == pytest.approx(float(sum(p for s, p in both.items() if s >= 5)))


def play_on(game: Game, is_redrawn: bool) -> tuple[bool, bool]:
    """Whether an enemy falls in this turn, and in this fight, when all keep their first hand."""
    turn = int(game.state.turn)
    if is_redrawn:
        game.step("redraw")
    while game.state.combats_won + game.state.combats_lost == 0:
        if game.state.turn != turn:
            break
        game.step(game.options()[0])
    this_turn = bool(game.state.combats_won)
    while game.state.combats_won + game.state.combats_lost == 0:
        game.step(game.options()[0])
    return this_turn, bool(game.state.combats_won)


@pytest.mark.parametrize("enemy", ["Goblin Warband", "Basilisk"])
def test_odds_are_the_frequencies_of_played_fights(enemy):
    game = fight(enemy, starter=1)
    found, games = odds(game), 800
    for is_redrawn, chances in (
        (False, (found.keep, found.party_keep)),
        (True, (found.redraw, found.party_redraw)),
    ):
        won = np.mean(
            [play_on(game.determinize(1, seed), is_redrawn) for seed in range(games)], axis=0
        )
        for frequency, chance in zip(won, chances, strict=True):
            assert abs(frequency - chance) <= 4 * sqrt(chance * (1 - chance) / games)


def test_odds_are_refused_where_no_hand_is_to_be_kept():
    with pytest.raises(ValueError, match="odds: the decision is 'dungeon'; accepted is 'keep'"):
        odds(Game.new(GameConfig(), 0))


def test_the_encoder_adds_the_odds_in_percent_for_the_one_who_is_asked():
    game = fight("Goblin Warband", starter=1)
    encoder, flat = make_encoder("flat_odds"), make_encoder("flat")
    out, seats = encoder.empty(3), np.arange(3)
    states = np.concatenate([game.states] * 3)
    encoder.encode(states, game.table, seats, out)
    plain = flat.empty(3)
    flat.encode(states, game.table, seats, plain)
    found = odds(game)
    percent = [found.keep, found.redraw, found.party_keep, found.party_redraw]
    assert (out[:, : FLAT.size] == plain).all()
    assert out[:, FLAT_ODDS["odds known"]].ravel().tolist() == [0, 1, 0]
    assert out[1, FLAT_ODDS["odds"]].tolist() == [int(100 * chance + 0.5) for chance in percent]
    assert not out[[0, 2], FLAT_ODDS.first["odds"] :].any()
    assert encoder.space.contains(encoder.row(out, 1))
    assert "odds" in encoder.describe()
    assert encoder.layout_hash != flat.layout_hash


def test_the_odds_do_not_know_what_their_player_cannot_know():
    for seed in range(6):
        game = Game.new(GameConfig(players=3), seed)
        choices = np.random.default_rng(seed)
        while not game.is_over:
            if game.decision.kind == Decision.KEEP:
                other = game.determinize(game.decision.seat, seed + 1)
                assert vars(odds(game)) == pytest.approx(vars(odds(other)))
            game.step(int(choices.choice(game.decision.options)))
