"""Every verb compiles to the rows the engine reads: VERB, N, WHAT, WHERE, OPTIONAL, JUMP."""

import pytest

from tenefyr_env.cards.effects import VERBS, rows
from tenefyr_env.cards.text import Place
from tenefyr_env.cards.vocabulary import (
    Boost,
    Condition,
    Count,
    Filter,
    From,
    Hero,
    Kind,
    Pile,
    Span,
    Verb,
    Who,
)

V = Verb

ROWS = [
    ("[{power: -2}]", Place.PLAY, [(V.POWER, -2, 0, 0, 0, 0)]),
    (
        "[{power_per: redraws, each: 2}]",
        Place.PLAY,
        [(V.POWER_PER, 2, Count.REDRAWS, 0, 0, 0)],
    ),
    ("[{double_card: true}]", Place.PLAY, [(V.DOUBLE_CARD, 0, 0, 0, 0, 0)]),
    ("[{double_total: true}]", Place.PLAY, [(V.DOUBLE_TOTAL, 0, 0, 0, 0, 0)]),
    ("[{enemy: 3}]", Place.START, [(V.ENEMY, 3, 0, 0, 0, 0)]),
    ("[{draw: 2}]", Place.PLAY, [(V.DRAW, 2, 0, 0, 0, 0)]),
    ("[{hand_size: -1}]", Place.TURN, [(V.HAND_SIZE, -1, 0, 0, 0, 0)]),
    ("[{discard_deck: 3}]", Place.END, [(V.DISCARD_DECK, 3, 0, 0, 0, 0)]),
    (
        "[{discard: 2, filter: basic}]",
        Place.PLAY,
        [(V.DISCARD, 1, Filter.BASIC, 0, 0, 0)] * 2,
    ),
    ("[{discard_hand: true}]", Place.REDRAW, [(V.DISCARD_HAND, 0, 0, 0, 0, 0)]),
    ("[{search: 1, filter: loot}]", Place.PLAY, [(V.SEARCH, 1, Filter.LOOT, 0, 0, 0)]),
    ("[{return: 1}]", Place.PLAY, [(V.RETURN, 1, Filter.ANY, 0, 0, 0)]),
    ("[{recover: 2}]", Place.PLAY, [(V.RECOVER, 1, Filter.ANY, 0, 0, 0)] * 2),
    (
        "[{remove: 1, filter: basic_0}]",
        Place.REWARD,
        [(V.REMOVE, 1, Filter.BASIC_0, From.DECK | From.DISCARD, 0, 0)],
    ),
    ("[{remove: 1, from: [hand]}]", Place.PLAY, [(V.REMOVE, 1, 0, From.HAND, 0, 0)]),
    ("[{give: 1, from: [deck]}]", Place.REWARD, [(V.GIVE, 1, 0, From.DECK, 0, 0)]),
    ("[{swap: 1, from: [discard]}]", Place.REWARD, [(V.SWAP, 1, 0, From.DISCARD, 0, 0)]),
    (
        "[{remove: 3, from: [deck], up_to: true}, {draw: 1}]",
        Place.PLAY,
        [
            (V.REMOVE, 1, 0, From.DECK, 1, 2),
            (V.REMOVE, 1, 0, From.DECK, 1, 1),
            (V.REMOVE, 1, 0, From.DECK, 1, 0),
            (V.DRAW, 1, 0, 0, 0, 0),
        ],
    ),
    ("[{take: 2, level: 3, to: hand}]", Place.PLAY, [(V.TAKE, 1, 3, Pile.HAND, 0, 0)] * 2),
    ("[{take: 1, level: here, to: discard}]", Place.END, [(V.TAKE, 1, 0, Pile.DISCARD, 0, 0)]),
    ("[{look: 2}]", Place.PLAY, [(V.LOOK, 2, 0, 0, 0, 0)]),
    ("[{scout: 4}]", Place.REWARD, [(V.SCOUT, 4, 0, 0, 0, 0)]),
    ("[{reorder: true}]", Place.PLAY, [(V.REORDER, 0, 0, 0, 0, 0)]),
    ("[{move: true}]", Place.START, [(V.MOVE, 0, 0, 0, 0, 0)]),
    ("[{track: 1}]", Place.PLAY, [(V.TRACK, 1, 0, 0, 0, 0)]),
    ("[{save_step: 2}]", Place.REWARD, [(V.SAVE_STEP, 2, 0, 0, 0, 0)]),
    (
        "[{boost: hand, by: 1, for: dungeon}]",
        Place.REWARD,
        [(V.BOOST, 1, Boost.HAND, Span.DUNGEON, 0, 0)],
    ),
    (
        "[{may: [{draw: 1}, {power: 1}]}]",
        Place.PLAY,
        [(V.MAY, 0, 0, 0, 0, 2), (V.DRAW, 1, 0, 0, 0, 0), (V.POWER, 1, 0, 0, 0, 0)],
    ),
    (
        "[{pay: {discard_deck: 2}, then: [{other: [{double_total: true}]}]}]",
        Place.PLAY,
        [
            (V.PAY, 2, Filter.ANY, From.DECK, 0, 3),
            (V.DISCARD_DECK, 2, 0, 0, 0, 0),
            (V.WITH, 0, Who.OTHER, 0, 0, 1),
            (V.DOUBLE_TOTAL, 0, 0, 0, 0, 0),
        ],
    ),
    (
        "[{pay: {discard: 2, filter: basic}, then: [{power: 3}]}]",
        Place.PLAY,
        [
            (V.PAY, 2, Filter.BASIC, From.HAND, 0, 3),
            (V.DISCARD, 1, Filter.BASIC, 0, 0, 0),
            (V.DISCARD, 1, Filter.BASIC, 0, 0, 0),
            (V.POWER, 3, 0, 0, 0, 0),
        ],
    ),
    (
        "[{pay: {remove: 1, filter: loot, from: [deck, discard]}, then: [{draw: 1}]}]",
        Place.PLAY,
        [
            (V.PAY, 1, Filter.LOOT, From.DECK | From.DISCARD, 0, 2),
            (V.REMOVE, 1, Filter.LOOT, From.DECK | From.DISCARD, 0, 0),
            (V.DRAW, 1, 0, 0, 0, 0),
        ],
    ),
    (
        "[{pay: {discard_hand: true}, then: [{draw: 3}]}]",
        Place.PLAY,
        [
            (V.PAY, 1, Filter.ANY, From.HAND, 0, 2),
            (V.DISCARD_HAND, 0, 0, 0, 0, 0),
            (V.DRAW, 3, 0, 0, 0, 0),
        ],
    ),
    (
        "[{if: {hero: thief}, then: [{power: 2}]}]",
        Place.PLAY,
        [(V.IF, Hero.THIEF, Condition.HERO, 0, 0, 1), (V.POWER, 2, 0, 0, 0, 0)],
    ),
    (
        "[{if: {level_at_least: 4}, then: [{power: 1}, {draw: 1}], else: [{look: 1}]}, {draw: 2}]",
        Place.PLAY,
        [
            (V.IF, 4, Condition.LEVEL_AT_LEAST, 0, 1, 2),
            (V.POWER, 1, 0, 0, 0, 0),
            (V.DRAW, 1, 0, 0, 0, 0),
            (V.LOOK, 1, 0, 0, 0, 0),
            (V.DRAW, 2, 0, 0, 0, 0),
        ],
    ),
    (
        "[{choose: [[{draw: 1}], [{power: 1}, {look: 1}]]}]",
        Place.PLAY,
        [
            (V.CHOOSE, 2, 0, 0, 0, 5),
            (V.OPTION, 0, 0, 0, 0, 1),
            (V.DRAW, 1, 0, 0, 0, 0),
            (V.OPTION, 0, 0, 0, 0, 2),
            (V.POWER, 1, 0, 0, 0, 0),
            (V.LOOK, 1, 0, 0, 0, 0),
        ],
    ),
    (
        "[{random: [[{enemy: 1}], [{enemy: 2}], [{enemy: 3}]]}]",
        Place.START,
        [
            (V.RANDOM, 3, 0, 0, 0, 6),
            (V.OPTION, 0, 0, 0, 0, 1),
            (V.ENEMY, 1, 0, 0, 0, 0),
            (V.OPTION, 0, 0, 0, 0, 1),
            (V.ENEMY, 2, 0, 0, 0, 0),
            (V.OPTION, 0, 0, 0, 0, 1),
            (V.ENEMY, 3, 0, 0, 0, 0),
        ],
    ),
]


@pytest.mark.parametrize(("text", "place", "expected"), ROWS, ids=[case[0] for case in ROWS])
def test_an_effect_compiles_to_its_rows(effect, text, place, expected):
    assert rows(effect(text, place)) == expected


@pytest.mark.parametrize("who", Who)
def test_a_player_block_names_its_players(effect, who):
    steps = effect(f"[{{{who.name.lower()}: [{{draw: 1}}]}}]")
    assert rows(steps) == [(V.WITH, 0, who, 0, 0, 1), (V.DRAW, 1, 0, 0, 0, 0)]


@pytest.mark.parametrize("condition", [c for c in Condition if c.name not in ("HERO",)])
def test_a_condition_is_named_in_its_row(effect, condition):
    number = 2 if condition is Condition.LEVEL_AT_LEAST else 1
    value = "2" if condition is Condition.LEVEL_AT_LEAST else "true"
    steps = effect(f"[{{if: {{{condition.name.lower()}: {value}}}, then: [{{draw: 1}}]}}]")
    assert rows(steps)[0] == (V.IF, number, condition, 0, 0, 1)


def test_a_monster_joins_with_one_row_each(effect):
    steps = effect("[{join: 2, level: 3}]", Place.START, Kind.BOSS)
    assert rows(steps) == [(V.JOIN, 1, 3, 0, 0, 0)] * 2


def test_every_verb_of_the_vocabulary_can_be_written():
    assert {definition.verb for definition in VERBS.values()} == set(Verb) - {Verb.OPTION}
