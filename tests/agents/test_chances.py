"""The chances of the `odds` player against all hands listed, the env's odds, and played games.

With plain cards the guide's worths are the printed powers, so all of these must agree.
"""

from functools import cache
from itertools import combinations, product
from math import sqrt

import numpy as np
import pytest
from playing import combat, do, enemy_power, num_combats, set_with

from agents.jit import entry
from agents.scripted.chances import chance_with_fresh_hand, chance_with_hand
from agents.scripted.guide import guide_to
from tenefyr_env import Game, odds
from tenefyr_env.cards.card_set import CardSet
from tenefyr_env.cards.vocabulary import Kind, Pile
from tenefyr_env.engine.state import Decision

TWO = (
    ["Basic 0", "Basic 1", "Loot 2a", "Basic 0", "Loot 3a", "Basic 1", "Loot 4a"],
    ["Loot 1e", "Basic 0", "Basic 1", "Loot 5b", "Basic 0", "Loot 2b"],
)
THREE = (*TWO, ["Basic 1", "Loot 3c", "Basic 0", "Basic 0", "Basic 1"])
SHORT = (TWO[0], ["Loot 3b", "Basic 1"], ["Loot 2c"])  # not enough for a hand
PARTIES = {"two": TWO, "three": THREE, "short decks": SHORT}
RULES = {
    "no rule": "",
    "Basics worse": ", always: [{basics: -1}]",
    "loot better": ", always: [{loot: 1}]",
    "loot worse": ", always: [{loot: -2}]",
    "larger hands": ", always: [{hand: 1}]",
    "a smaller first hand": ", always: [{starter_hand: -1}]",
    "stronger turn by turn": ", always: [{power_per: turns_taken, each: 1}]",
}
every_party = pytest.mark.parametrize("decks", PARTIES.values(), ids=PARTIES)
every_rule = pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
POWERS = (4, 7, 10, 13)
HEROES = ("thief", "bard", "cleric", "barbarian")  # the first two are of seat 0


@entry
def _chances(states, tables, guides, seat):
    state, cards, guide = states[0], tables[0], guides[0]
    kept = chance_with_hand(state, cards, guide, seat)
    return kept, chance_with_fresh_hand(state, cards, guide, seat)


def chances(game: Game) -> tuple[float, float]:
    """The chances of the fight with the hand as it is, and with a fresh one."""
    assert game.decision.kind == Decision.KEEP
    return _chances(game.states, game.table, guide_to(game.card_set), game.decision.seat)


@cache
def set_with_troll(rule: str, power: int) -> CardSet:
    return set_with(enemies={"Troll": f"power: {power}{rule}"})


def fight(decks, rule: str = "", power: int = 9, **fields) -> Game:
    """A fight against a troll of this power, at its first choice between keep and redraw."""
    return combat(set_with_troll(rule, power), ["Troll", "Foe 1b"], decks, **fields)


def power_of(game: Game, card: int) -> int:
    """A played card's power under the enemy's rule, read from the card table."""
    state, table = game.state, game.table[0]
    foe = state.dungeon_cards[state.dungeon, state.dungeon_size[state.dungeon] - 1]
    rule = {Kind.BASIC: table.basics[foe], Kind.DUNGEON: table.loot[foe]}
    return int(table.power[card]) + int(rule.get(Kind(int(table.kind[card])), 0))


def powers(game: Game, seat: int, pile: Pile) -> list[int]:
    cards = game.state.piles[seat, pile, : game.state.pile_size[seat, pile]]
    return [power_of(game, card) for card in cards]


def hands(game: Game, seat: int, turn: int) -> list[int]:
    """The power of every hand that a player may draw, all equally likely."""
    state, table = game.state, game.table[0]
    foe = state.dungeon_cards[state.dungeon, state.dungeon_size[state.dungeon] - 1]
    size = 3 + int(table.hand[foe]) + (int(table.starter_hand[foe]) if turn == 0 else 0)
    deck = powers(game, seat, Pile.DECK)
    return [sum(hand) for hand in combinations(deck, min(size, len(deck)))]


def listed(game: Game, firsts: list[int]) -> float:
    """The share of all ways in which the hands come that wins, with these for the first of them."""
    state, players = game.state, game.config.players
    turns = range(int(state.turn) + 1, int(state.num_turns))
    later = [hands(game, (int(state.starter) + turn) % players, turn) for turn in turns]
    base = int(state.party_power) + int(state.power[:players].sum())
    ways = np.array(list(product(firsts, *later)))
    best = base + np.cumsum(ways, axis=1).max(axis=1)  # it falls with the turn that is enough
    return float(np.mean(best >= enemy_power(game)))


def listed_chances(game: Game) -> tuple[float, float]:
    seat = game.decision.seat
    kept = listed(game, [sum(powers(game, seat, Pile.HAND))])
    return kept, listed(game, hands(game, seat, int(game.state.turn)))


@every_rule
@every_party
def test_chances_are_those_of_all_hands_listed(decks, rule):
    for power in POWERS:
        game = fight(decks, rule, power)
        assert chances(game) == pytest.approx(listed_chances(game), abs=1e-12)


@every_party
def test_chances_in_the_middle_of_a_fight_are_those_of_all_hands_listed(decks):
    for power in POWERS:
        game = fight(decks, power=power, starter=1)
        while num_combats(game) == 0:
            if game.decision.kind == Decision.KEEP and "redraw" in game.options():
                assert chances(game) == pytest.approx(listed_chances(game), abs=1e-12)
            do(game, game.options()[0])


@every_rule
@every_party
def test_chances_are_the_odds_of_the_env(decks, rule):
    for power in POWERS:
        game = fight(decks, rule, power)
        while "redraw" in game.options():
            expected = odds(game)
            assert chances(game) == pytest.approx(
                (expected.party_keep, expected.party_redraw), abs=1e-12
            )
            do(game, "redraw")


@every_rule
def test_alone_too_chances_are_the_odds_of_the_env(rule):
    for power in POWERS:
        game = fight([TWO[0] + TWO[1]], rule, power)
        expected = odds(game)
        assert chances(game) == pytest.approx(
            (expected.party_keep, expected.party_redraw), abs=1e-12
        )


def test_a_sure_fight_is_sure_and_a_hopeless_one_hopeless():
    assert chances(fight(TWO, power=0)) == (1.0, 1.0)
    assert chances(fight(TWO, power=40)) == (0.0, 0.0)


def keep_all(game: Game) -> bool:
    """Whether a fight is won when everybody keeps and plays every hand."""
    while num_combats(game) == 0:
        game.step(game.options()[0])
    return bool(game.state.combats_won)


@pytest.mark.parametrize("is_fresh", [False, True], ids=["kept", "fresh"])
@pytest.mark.parametrize(("decks", "power"), [(TWO, 8), (THREE, 10)], ids=["two", "three"])
def test_chances_are_the_frequencies_of_played_fights(decks, power, is_fresh):
    game, samples = fight(decks, power=power), 1500
    chance = chances(game)[is_fresh]
    assert 0.1 < chance < 0.9
    won = 0
    for seed in range(samples):
        copy = game.determinize(game.decision.seat, seed)
        if is_fresh:
            copy.step("redraw")
        won += keep_all(copy)
    assert abs(won / samples - chance) <= 4 * sqrt(chance * (1 - chance) / samples)


def test_an_effect_is_counted_by_its_worth_to_the_player_who_holds_it():
    """A Skill of power 1 and 1 more brings 2 to its hero and 1 to another."""
    skilled, plain = ["Thief Skill", "Basic 0", "Basic 0"], ["Basic 0"]
    assert chances(fight([skilled, plain], power=2, heroes=HEROES))[0] == 1.0
    assert chances(fight([plain, skilled], power=2, heroes=HEROES))[0] == 0.0
    assert chances(fight([plain, skilled], power=1, heroes=HEROES))[0] == 1.0
