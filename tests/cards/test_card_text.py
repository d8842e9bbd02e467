"""The English of every verb, in every person it is said in."""

import pytest

from tenefyr_env.cards.continuous import RULES, read_rules
from tenefyr_env.cards.effects import VERBS, effect_text
from tenefyr_env.cards.source import parse
from tenefyr_env.cards.text import Place
from tenefyr_env.cards.vocabulary import Kind

PLAYED = {
    "[{power: 2}]": "+2 power.",
    "[{power: -1}]": "-1 power.",
    "[{draw: 1}]": "Draw 1 card.",
    "[{draw: 2}, {power: 1}]": "Draw 2 cards. +1 power.",
    "[{power_per: cards_in_your_hand, each: 1}]": "+1 power for each card in your hand.",
    "[{power_per: redraws, each: 2}]": "+2 power for each redraw made in this combat.",
    "[{double_card: true}]": "Double the power of another card you have played.",
    "[{double_total: true}]": "Double your total power.",
    "[{enemy: -2}]": "The enemy gets -2 power.",
    "[{hand_size: 1}]": "Draw 1 card more in your next draw step of this combat.",
    "[{hand_size: -2}]": "Draw 2 cards fewer in your next draw step of this combat.",
    "[{discard_deck: 1}]": "Discard the top card of your deck.",
    "[{discard_deck: 2}]": "Discard the top 2 cards of your deck.",
    "[{discard: 1}]": "Discard 1 card from your hand.",
    "[{discard: 2, filter: basic_0}]": "Discard 2 Basic 0 cards from your hand.",
    "[{discard_hand: true}]": "Discard your hand.",
    "[{search: 1, filter: loot}]": "Search your deck for 1 loot card and put it into your hand.",
    "[{search: 2, up_to: true}]": (
        "Search your deck for up to 2 cards and put them into your hand."
    ),
    "[{return: 1, filter: skill}]": "Return 1 Skill card from your discard pile to your hand.",
    "[{recover: 3}]": "Shuffle 3 cards from your discard pile into your deck.",
    "[{remove: 1, from: [hand]}]": "Remove 1 card from your hand.",
    "[{remove: 1, from: [deck, hand, discard]}]": (
        "Remove 1 card from your deck, hand or discard pile."
    ),
    "[{give: 1}]": "Give 1 card from your deck or discard pile to another player.",
    "[{give: 2, from: [deck]}]": "Give 2 cards from your deck to other players.",
    "[{swap: 1, filter: basic_1, from: [deck]}]": (
        "Swap 1 Basic 1 card from your deck with another player."
    ),
    "[{take: 1, level: here, to: hand}]": (
        "Take 1 random card of this dungeon's level from the reserve into your hand."
    ),
    "[{take: 2, level: 3, to: discard}]": (
        "Take 2 random cards of level 3 from the reserve onto your discard pile."
    ),
    "[{look: 1}]": "Look at the top face-down card of this dungeon.",
    "[{look: 2}]": "Look at the top 2 face-down cards of this dungeon.",
    "[{scout: 2}]": "Look at the top 2 face-down cards of a dungeon of your choice.",
    "[{reorder: true}]": "Put the face-down cards of this dungeon into any order.",
    "[{track: 1}]": "The boss token moves 1 step.",
    "[{may: [{draw: 1}]}]": "You may draw 1 card.",
    "[{may: [{track: 2}, {power: 4}]}]": (
        "You may move the boss token 2 steps, then get +4 power."
    ),
    "[{may: [{if: {hero: bard}, then: [{draw: 1}]}]}]": "You may draw 1 card if you are the Bard.",
    "[{may: [{if: {exhausted: true}, then: [{draw: 1}], else: [{enemy: 1}]}]}]": (
        "You may draw 1 card if your deck is empty, otherwise give the enemy +1 power."
    ),
    "[{pay: {discard_deck: 2}, then: [{other: [{double_total: true}]}]}]": (
        "Discard the top 2 cards of your deck to double the total power of one other player."
    ),
    "[{pay: {discard: 1}, then: [{others: [{draw: 1}, {power: 1}]}]}]": (
        "Discard 1 card from your hand to have each other player draw 1 card, then get +1 power."
    ),
    "[{pay: {discard: 1}, then: [{may: [{look: 1}]}]}]": (
        "Discard 1 card from your hand to look at the top face-down card of this dungeon"
        " if you like."
    ),
    "[{pay: {discard_hand: true}, then: [{random: [[{power: 9}], [{enemy: 2}]]}]}]": (
        "Discard your hand to do one of these at random: get +9 power or give the enemy +2 power."
    ),
    "[{if: {hero: thief}, then: [{power: 2}]}]": "If you are the Thief, +2 power.",
    "[{if: {last_turn: true}, then: [{power: 2}], else: [{draw: 1}]}]": (
        "If this is the last turn of the combat, +2 power; otherwise, draw 1 card."
    ),
    "[{if: {hand_empty: true}, then: [{draw: 1}, {power: 1}]}]": (
        "If your hand is empty, draw 1 card, then get +1 power."
    ),
    "[{if: {boss: true}, then: [{each: [{power: 1}]}, {draw: 1}]}]": (
        "If the boss deck is being fought, each player gets +1 power, then you draw 1 card."
    ),
    "[{choose: [[{draw: 1}], [{power: 1}]]}]": "Choose one: draw 1 card or +1 power.",
    "[{choose: [[{draw: 1}, {discard: 1}], [{power: 1}], [{enemy: -1}]]}]": (
        "Choose one: draw 1 card, then discard 1 card from your hand; +1 power;"
        " or the enemy gets -1 power."
    ),
    "[{random: [[{draw: 1}], [{power: 1}]]}]": (
        "Do one of these at random: draw 1 card or +1 power."
    ),
    "[{other: [{double_card: true}]}]": (
        "One other player doubles the power of another card they have played."
    ),
    "[{any: [{search: 1}]}]": (
        "One player of your choice searches their deck for 1 card and puts it into their hand."
    ),
    "[{next: [{power_per: cards_you_played, each: 1}]}]": (
        "The next player gets +1 power for each card they have played in this combat."
    ),
    "[{each: [{may: [{pay: {discard: 1}, then: [{enemy: -1}]}]}]}]": (
        "Each player may discard 1 card from their hand to give the enemy -1 power."
    ),
    "[{each: [{pay: {discard: 1}, then: [{draw: 1}]}]}]": (
        "Each player may discard 1 card from their hand to draw 1 card."
    ),
    "[{each: [{enemy: -1}]}]": "Each player gives the enemy -1 power.",
    "[{each: [{if: {hero: cleric}, then: [{draw: 1}]}]}]": (
        "Each player who is the Cleric draws 1 card."
    ),
    "[{others: [{if: {exhausted: true}, then: [{power: 1}], else: [{draw: 1}]}]}]": (
        "Each other player, if their deck is empty, gets +1 power; otherwise, draws 1 card."
    ),
    "[{each: [{choose: [[{draw: 1}], [{power: 1}]]}]}]": (
        "Each player chooses one: draw 1 card or get +1 power."
    ),
    "[{starter: [{random: [[{draw: 1}], [{discard: 1}]]}]}]": (
        "The starting player does one of these at random:"
        " draw 1 card or discard 1 card from their hand."
    ),
}

ENEMY = [
    (
        Place.START,
        "[{each: [{discard_deck: 2}]}]",
        "At the start of the combat, each player discards the top 2 cards of their deck.",
    ),
    (
        Place.START,
        "[{draw: 1}, {power: 1}, {enemy: 2}]",
        "At the start of the combat, the starting player draws 1 card, then gets +1 power,"
        " then this enemy gets +2 power.",
    ),
    (
        Place.START,
        "[{if: {hero: bard}, then: [{draw: 1}], else: [{enemy: 1}]}]",
        "At the start of the combat, if the starting player is the Bard, they draw 1 card;"
        " otherwise, this enemy gets +1 power.",
    ),
    (
        Place.START,
        "[{may: [{move: true}]}]",
        "At the start of the combat, the starting player may move this enemy to another dungeon.",
    ),
    (
        Place.START,
        "[{random: [[{move: true}], [{enemy: 1}]]}]",
        "At the start of the combat, one of these happens at random: this enemy moves to another"
        " dungeon or this enemy gets +1 power.",
    ),
    (
        Place.TURN,
        "[{if: {exhausted: true}, then: [{enemy: 2}]}]",
        "Whenever a player begins a turn, if the deck of that player is empty, this enemy gets"
        " +2 power.",
    ),
    (
        Place.REDRAW,
        "[{discard: 1}]",
        "Whenever a player redraws, that player discards 1 card from their hand.",
    ),
    (
        Place.END,
        "[{move: true}]",
        "When this enemy is defeated, it escapes to another dungeon and gives no loot.",
    ),
    (
        Place.END,
        "[{remove: 1}, {boost: hand, by: 2, for: combat}]",
        "When this enemy is defeated, the player who defeated it removes 1 card from their deck"
        " or discard pile, then each player draws 2 cards more in every draw step of the next"
        " combat.",
    ),
    (
        Place.REWARD,
        "[{boost: power, by: 3, for: dungeon}, {save_step: 1}]",
        "The party gets +3 power in every combat of the next dungeon. The boss token moves 1 step"
        " less when the party next leaves a dungeon.",
    ),
    (
        Place.REWARD,
        "[{may: [{save_step: 2}, {boost: power, by: 1, for: combat}]}]",
        "You may save 2 steps of the boss token when the party next leaves a dungeon, then give"
        " the party +1 power in the next combat.",
    ),
    (
        Place.REWARD,
        "[{may: [{boost: hand, by: 1, for: dungeon}]}]",
        "You may let each player draw 1 card more in every draw step of the next dungeon.",
    ),
]

RULE_TEXT = {
    "[{basics: -1}]": "All Basic cards get -1 power.",
    "[{loot: 1}]": "All loot cards get +1 power.",
    "[{hand: -1}]": "Every hand is 1 card smaller.",
    "[{starter_hand: 2}]": "The starting player's hand is 2 cards larger.",
    "[{power_per: basic_0_in_discards, each: -1}]": (
        "This enemy gets -1 power for each Basic 0 card in each discard pile."
    ),
    "[{no_redraw: true}, {no_skills: true}]": (
        "Players cannot redraw. Skill cards give their power only."
    ),
}


@pytest.mark.parametrize("written", PLAYED)
def test_a_played_effect_reads(effect, written):
    assert effect_text(effect(written), Place.PLAY) == PLAYED[written]


@pytest.mark.parametrize(("place", "written", "expected"), ENEMY, ids=[case[1] for case in ENEMY])
def test_an_effect_of_another_place_reads(effect, place, written, expected):
    assert effect_text(effect(written, place), place) == expected


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (1, "1 random monster of level 2 from the reserve joins the boss deck and is fought next."),
        (
            3,
            "3 random monsters of level 2 from the reserve join the boss deck and are fought next.",
        ),
    ],
)
def test_monsters_that_join_agree_in_number(effect, number, expected):
    steps = effect(f"[{{join: {number}, level: 2}}]", Place.START, Kind.BOSS)
    assert effect_text(steps, Place.START) == f"At the start of the combat, {expected}"


@pytest.mark.parametrize("written", RULE_TEXT)
def test_a_continuous_rule_reads(written):
    assert read_rules(parse(written, "rules"))[1] == RULE_TEXT[written]


def test_every_verb_has_a_sentence_above():
    written = " ".join([*PLAYED, *(case[1] for case in ENEMY), "{join: "])
    assert [key for key in VERBS if f"{{{key}: " not in written] == []
    assert [key for key in RULES if f"{{{key}: " not in " ".join(RULE_TEXT)] == []
