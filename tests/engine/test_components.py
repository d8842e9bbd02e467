"""Components (R1 to R4) and a player's cards (R15 to R17)."""

from collections import Counter

import pytest
from playing import (
    combat,
    config_of,
    copies,
    deck,
    discard_pile,
    do,
    hand,
    heroes_of,
    owned,
    play,
    played,
    power,
    set_ups,
    set_with,
)

from tenefyr_env.cards.card_set import CardSet
from tenefyr_env.cards.vocabulary import Hero, Kind
from tenefyr_env.config import GameConfig
from tenefyr_env.game import Game
from tenefyr_env.scenario import scenario

BOSSES = ("Dark Lord", "Spider Queen", "Chaos Dragon", "Stone Titan")
MODES = [(players, mode) for players in (1, 2, 3, 4) for mode in ("regular", "quick")]


def cards_of(card_set: CardSet, kind: Kind) -> list:
    return [card for card in card_set.cards if card is not None and card.kind == kind]


def test_R1_there_are_four_heroes_with_a_skill_each(shipped):
    assert [hero.name for hero in Hero] == ["BARBARIAN", "BARD", "CLERIC", "THIEF"]
    assert [skill.hero for skill in cards_of(shipped, Kind.SKILL)] == list(Hero)


@pytest.mark.parametrize(("players", "mode"), MODES)
def test_R1_R2_R3_every_game_has_all_cards_exactly_once_and_24_basics_of_each(
    shipped, players, mode
):
    game = Game.new(GameConfig(players=players, mode=mode), 0, shipped)
    expected = Counter(
        {shipped.card_name(card.id): 1 for card in shipped.cards if card is not None}
    )
    expected["Basic 0"] = expected["Basic 1"] = 24
    assert copies(game) == expected
    assert expected.total() == 48 + 4 + 70 + 16


def test_R1_basics_have_power_0_and_1(shipped):
    basics = cards_of(shipped, Kind.BASIC)
    assert [(basic.name, basic.power) for basic in basics] == [("Basic 0", 0), ("Basic 1", 1)]


def test_R2_there_are_14_dungeon_cards_of_each_level(shipped):
    levels = Counter(card.level for card in cards_of(shipped, Kind.DUNGEON))
    assert levels == dict.fromkeys(range(1, 6), 14)


def test_R2_every_dungeon_card_has_an_enemy_half_and_a_loot_half(shipped):
    for card in cards_of(shipped, Kind.DUNGEON):
        assert card.enemy_name
        assert card.name
        assert len(card.enemy_power) == 3
        assert min(card.enemy_power) > 0


@pytest.mark.parametrize(("players", "printed"), [(1, 4), (2, 4), (3, 5), (4, 6)])
def test_R2_an_enemy_has_the_power_printed_for_the_number_of_players(shipped, players, printed):
    game = scenario(config_of(players), card_set=shipped, dungeons={1: ["Orc"]})
    assert f"The party meets Orc, power {printed}." in do(game, "dungeon 1")


def test_R3_each_of_the_four_bosses_has_four_cards_without_a_loot_half(shipped):
    boss_cards = cards_of(shipped, Kind.BOSS)
    assert shipped.bosses == BOSSES
    assert Counter(card.boss for card in boss_cards) == dict.fromkeys(BOSSES, 4)
    assert {card.name for card in boss_cards} == {""}


def test_R4_there_are_four_rewards_of_each_level(shipped):
    assert None not in shipped.rewards
    levels = Counter(reward.level for reward in shipped.rewards)
    assert levels == dict.fromkeys(range(1, 6), 4)


def test_R4_the_boss_track_has_a_regular_and_a_quick_side(shipped):
    tracks = {
        "track": {"easy": 9, "normal": 9, "hard": 9},
        "quick_track": {"easy": 5, "normal": 5, "hard": 5},
        "quick_gifts": [(1, 1)] * 5,
    }
    regular = Game.new(GameConfig(mode="regular", **tracks), 0, shipped)
    quick = Game.new(GameConfig(mode="quick", **tracks), 0, shipped)
    assert (regular.state.steps_left, quick.state.steps_left) == (9, 5)


def test_R15_a_hero_is_a_marker_and_not_a_card_of_the_deck(plain):
    game = Game.new(config_of(4), 0, plain)
    for seat, hero in enumerate(["barbarian", "bard", "cleric", "thief"]):
        assert heroes_of(game, seat) == {hero}
        assert set(owned(game, seat)) == {"Basic 0", "Basic 1", f"{hero.capitalize()} Skill"}


def test_R15_a_card_goes_from_deck_to_hand_to_played_cards_to_discard_pile(plain):
    cards = ["Basic 1", "Loot 1h", "Loot 2h", "Basic 0"]
    game = combat(plain, "Foe 5a", [cards, ["Basic 0"]])
    assert (hand(game, 0), deck(game, 0)) == (sorted(cards[:3]), cards[3:])
    do(game, "keep")
    play(game, "Loot 2h")
    assert (hand(game, 0), played(game, 0)) == (["Basic 1", "Loot 1h"], ["Loot 2h"])
    play(game, "Basic 1", "Loot 1h")
    do(game, "keep")
    assert discard_pile(game, 0) == []
    do(game, "card Basic 0")
    assert owned(game, 0) == sorted(cards)
    assert played(game, 0) == hand(game, 0) == []


def test_R15_a_deck_is_ordered_and_drawn_from_its_top(plain):
    game = combat(plain, "Foe 5a", [["Loot 1h", "Loot 2h", "Loot 3h", "Loot 4h"], ["Basic 0"]])
    assert hand(game, 0) == ["Loot 1h", "Loot 2h", "Loot 3h"]
    do(game, "redraw")
    assert hand(game, 0) == ["Loot 4h"]


def test_R16_discard_piles_are_known_to_every_player(plain):
    discards = {0: ["Loot 1h", "Basic 0"], 1: ["Basic 1", "Loot 2h"], 2: ["Loot 3h"]}
    game = scenario(config_of(3), card_set=plain, discards=discards)
    for seat in range(3):
        for seed in range(20):
            guess = game.determinize(seat, seed)
            for owner, names in discards.items():
                assert discard_pile(guess, owner) == sorted(names)


def test_R16_what_a_deck_contains_is_known_to_all_and_its_order_to_nobody(plain):
    cards = ["Basic 0", "Basic 1", "Loot 1h", "Loot 2h", "Loot 3h"]
    game = scenario(config_of(3), card_set=plain, decks={1: cards})
    for seat in range(3):
        orders = [deck(game.determinize(seat, seed), 1) for seed in range(40)]
        assert all(sorted(order) == sorted(cards) for order in orders)
        assert len({tuple(order) for order in orders}) > 20


def test_R17_a_skill_works_in_its_own_heros_deck(plain):
    game = combat(plain, "Foe 5a", [["Basic 0"], ["Bard Skill"], ["Basic 0"]])
    do(game, "keep", "card Basic 0", "keep", "card Bard Skill")
    assert power(game) == [0, 2, 0]


def test_R17_a_skill_gives_another_hero_its_power_only(plain):
    game = combat(plain, "Foe 5a", [["Bard Skill"], ["Basic 0"], ["Basic 0"]])
    do(game, "keep", "card Bard Skill")
    assert power(game) == [1, 0, 0]


def test_R17_a_foreign_skill_asks_nothing():
    cards = set_with(skills={"bard": "name: Song, power: 1, effect: [{may: [{power: 3}]}]"})
    foreign = combat(cards, "Foe 5a", [["Song", "Basic 0"], ["Basic 0"], ["Basic 0"]])
    do(foreign, "keep", "card Song")
    assert foreign.options() == ["card Basic 0"]
    own = combat(cards, "Foe 5a", [["Basic 0"], ["Song", "Basic 0"], ["Basic 0"]])
    do(own, "keep", "card Basic 0", "keep", "card Song")
    assert own.options() == ["use", "decline"]


@pytest.mark.parametrize("players", [1, 2])
def test_R6_R7_R17_a_player_of_two_heroes_uses_both_skills(plain, players):
    decks = [["Barbarian Skill", "Bard Skill", "Basic 0"], ["Basic 0"]][:players]
    game = combat(plain, "Foe 5a", decks)
    do(game, "keep", "card Barbarian Skill", "card Bard Skill")
    assert power(game)[0] == 4


def test_R15_the_deck_is_shuffled_anew_for_every_seed(plain):
    games = set_ups(config_of(2), plain, 20)
    assert len({tuple(deck(game, 0)) for game in games}) == 20
