"""Set-up (R5 to R14)."""

from collections import Counter
from itertools import combinations, permutations

import pytest
from playing import (
    boss_deck,
    combat,
    config_of,
    copies,
    deck,
    do,
    dungeon,
    face_up,
    heroes_of,
    is_even,
    owned,
    power,
    reserve,
    reward_of,
    set_ups,
    set_with,
)

from tenefyr_env.cards.source import CardError
from tenefyr_env.cards.vocabulary import Pile
from tenefyr_env.config import HERO_NAMES, GameConfig
from tenefyr_env.game import Game

SKILLS = {
    "barbarian": "Fury",
    "bard": "Battle Hymn",
    "cleric": "Prayer of Renewal",
    "thief": "Sleight of Hand",
}
DUNGEONS = range(1, 11)
BOSSES = ("Dark Lord", "Spider Queen", "Chaos Dragon", "Stone Titan")
PARTIES_OF_THREE = list(combinations(HERO_NAMES, 3))
SOLO_PARTIES = list(combinations(HERO_NAMES, 2))


def level_of(number: int) -> int:
    return (number + 1) // 2


def level_names(card_set, level: int, field: str = "name") -> list[str]:
    cards = [card for card in card_set.cards if card is not None and card.level == level]
    return [getattr(card, field) for card in cards]


def expected_deck(heroes, basics: int) -> list[str]:
    skills = [SKILLS[hero] for hero in heroes]
    return sorted(["Basic 0"] * basics + ["Basic 1"] * basics + skills)


# Heroes and decks


@pytest.mark.parametrize("players", [3, 4])
def test_R5_each_player_takes_the_chosen_hero_and_a_deck_of_13(shipped, players):
    for heroes in permutations(HERO_NAMES, players):
        game = Game.new(GameConfig(players=players, heroes=heroes), 0, shipped)
        for seat, hero in enumerate(heroes):
            assert heroes_of(game, seat) == {hero}
            assert sorted(deck(game, seat)) == expected_deck([hero], basics=6)
            assert len(owned(game, seat)) == 13


def test_R6_each_of_two_players_takes_two_heroes_and_a_deck_of_14(shipped):
    for heroes in permutations(HERO_NAMES, 4):
        game = Game.new(GameConfig(players=2, heroes=heroes), 0, shipped)
        for seat, pair in enumerate([heroes[:2], heroes[2:]]):
            assert heroes_of(game, seat) == set(pair)
            assert sorted(deck(game, seat)) == expected_deck(pair, basics=6)
            assert len(owned(game, seat)) == 14


def test_R7_a_single_player_takes_two_heroes_and_a_deck_of_26(shipped):
    for heroes in permutations(HERO_NAMES, 2):
        game = Game.new(GameConfig(players=1, heroes=heroes), 0, shipped)
        assert heroes_of(game, 0) == set(heroes)
        assert sorted(deck(game, 0)) == expected_deck(heroes, basics=12)
        assert len(owned(game, 0)) == 26


def test_R6_a_player_of_two_heroes_counts_as_both():
    # Each Skill asks for the other hero of its player.
    skill = "power: 0, effect: [{if: {hero: %s}, then: [{power: 2}]}]"
    asked = {"barbarian": "bard", "bard": "barbarian", "cleric": "thief", "thief": "bard"}
    cards = set_with(skills={hero: skill % other for hero, other in asked.items()})
    decks = [["Barbarian Skill", "Bard Skill"], ["Cleric Skill", "Thief Skill"]]
    game = combat(cards, "Foe 5a", decks, heroes=["barbarian", "bard", "cleric", "thief"])
    do(game, "keep", "card Barbarian Skill", "card Bard Skill", "keep", "card Cleric Skill")
    assert power(game) == [4, 2]
    assert "Cleric and Thief gets +2 power." in game.events()


@pytest.mark.parametrize(("players", "num_heroes"), [(1, 2), (2, 4), (3, 3), (4, 4)])
def test_R5_R6_R7_random_heroes_are_all_different_and_evenly_dealt(plain, players, num_heroes):
    games = set_ups(GameConfig(players=players), plain, 400)
    for game in games:
        heroes = [hero for seat in range(players) for hero in heroes_of(game, seat)]
        assert len(heroes) == len(set(heroes)) == num_heroes
    for seat in range(players):
        seen = Counter(hero for game in games for hero in heroes_of(game, seat))
        assert len(seen) == 4
        assert is_even(seen.values())


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_R5_R6_R7_nothing_but_the_deck_is_dealt_to_a_player(plain, players):
    game = Game.new(GameConfig(players=players), 0, plain)
    assert not game.state.pile_size[:, [Pile.HAND, Pile.PLAYED, Pile.DISCARD]].any()
    assert not game.state.pile_size[players:].any()


def test_R5_the_deck_is_shuffled_evenly(plain):
    games = set_ups(config_of(4), plain, 650)
    for seat, skill in enumerate(["Barbarian Skill", "Bard Skill", "Cleric Skill", "Thief Skill"]):
        places = Counter(deck(game, seat).index(skill) for game in games)
        assert len(places) == 13
        assert is_even(places.values())
    tops = Counter(deck(game, 0)[0] for game in games)
    assert 0.38 < tops["Basic 1"] / 650 < 0.55  # 6 of 13


# Dungeons, reserve and rewards


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_R8_each_level_has_two_dungeons_of_four_cards_with_the_top_face_up(shipped, players):
    for game in set_ups(GameConfig(players=players), shipped, 30):
        for number in DUNGEONS:
            enemies = dungeon(game, number)
            assert len(enemies) == 4
            assert set(enemies) <= set(level_names(shipped, level_of(number), "enemy_name"))
            assert face_up(game, number) == [True, False, False, False]


def test_R8_every_card_of_a_level_is_as_likely_in_every_place(shipped):
    games = set_ups(GameConfig(), shipped, 420)
    for number in (1, 6, 10):
        for slot in range(4):
            seen = Counter(dungeon(game, number)[slot] for game in games)
            assert len(seen) == 14
            assert is_even(seen.values())


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_R9_the_other_six_cards_of_each_level_are_the_reserve(shipped, players):
    game = Game.new(GameConfig(players=players), 3, shipped)
    names = {card.enemy_name: card.name for card in shipped.cards if card is not None}
    for level in range(1, 6):
        dealt = [names[e] for n in (2 * level - 1, 2 * level) for e in dungeon(game, n)]
        assert len(reserve(game, level)) == 6
        assert sorted(dealt + reserve(game, level)) == sorted(level_names(shipped, level))


def test_R10_beside_each_dungeon_lies_a_reward_of_its_level_and_no_two_are_one_card(shipped):
    levels = {reward.name: reward.level for reward in shipped.rewards}
    for game in set_ups(GameConfig(), shipped, 100):
        rewards = [reward_of(game, number) for number in DUNGEONS]
        assert [levels[reward] for reward in rewards] == [level_of(number) for number in DUNGEONS]
        assert len(set(rewards)) == 10


def test_R10_rewards_are_random(shipped):
    games = set_ups(GameConfig(), shipped, 400)
    for number in DUNGEONS:
        seen = Counter(reward_of(game, number) for game in games)
        assert len(seen) == 4
        assert is_even(seen.values())


# The boss and the tokens


@pytest.mark.parametrize("boss", BOSSES)
def test_R11_the_chosen_boss_has_its_four_cards_with_the_top_face_up(shipped, boss):
    own = {card.enemy_name for card in shipped.cards if card is not None and card.boss == boss}
    for game in set_ups(GameConfig(boss=boss), shipped, 10):
        assert shipped.bosses[game.state.boss] == boss
        assert set(boss_deck(game)) == own
        assert len(boss_deck(game)) == 4
        assert face_up(game, 11) == [True, False, False, False]


def test_R11_the_cards_of_the_boss_are_shuffled(shipped):
    games = set_ups(GameConfig(boss="Stone Titan"), shipped, 480)
    orders = Counter(tuple(boss_deck(game)) for game in games)
    assert len(orders) == 24
    assert is_even(orders.values())


def test_R11_a_random_boss_may_be_any_of_the_four(shipped):
    games = set_ups(GameConfig(boss="random"), shipped, 400)
    seen = Counter(shipped.bosses[game.state.boss] for game in games)
    assert set(seen) == set(BOSSES)
    assert is_even(seen.values())


def test_R11_the_other_bosses_leave_the_game(shipped):
    game = Game.new(GameConfig(boss="Spider Queen"), 0, shipped)
    for card in shipped.cards:
        if card is not None and card.boss:
            assert game.state.out_of_play[card.id] == (card.boss != "Spider Queen")
            assert copies(game)[card.enemy_name] == 1


@pytest.mark.parametrize("mode", ["regular", "quick"])
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_R12_the_boss_token_starts_on_the_space_of_the_difficulty(plain, players, mode):
    tracks = {
        "track": {"easy": 13, "normal": 8, "hard": 3},
        "quick_track": {"easy": 6, "normal": 5, "hard": 4},
        "quick_gifts": [(1, 1)] * 6,
    }
    for difficulty in ("easy", "normal", "hard"):
        config = GameConfig(players=players, mode=mode, difficulty=difficulty, **tracks)
        game = Game.new(config, 0, plain)
        side = "track" if mode == "regular" else "quick_track"
        assert game.state.steps_left == tracks[side][difficulty]


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_R13_the_starting_player_may_be_chosen(plain, players):
    for seat in range(players):
        for game in set_ups(GameConfig(players=players, starting_player=seat), plain, 5):
            assert game.state.starter == seat
            assert game.decision.seat == seat


@pytest.mark.parametrize("players", [2, 3, 4])
def test_R13_a_random_starting_player_may_be_anyone(plain, players):
    games = set_ups(GameConfig(players=players), plain, 400)
    seen = Counter(int(game.state.starter) for game in games)
    assert set(seen) == set(range(players))
    assert is_even(seen.values())


# The easier rule for absent heroes


def loot_of_absent_heroes(card_set, party) -> set[str]:
    return {
        card.name
        for card in card_set.cards
        if card is not None
        and card.level
        and card.hero is not None
        and card.hero.name.lower() not in party
    }


def names_out_of_play(game: Game) -> set[str]:
    return {
        card.name
        for card in game.card_set.cards
        if card is not None and card.level and game.state.out_of_play[card.id]
    }


@pytest.mark.parametrize("mode", ["regular", "quick"])
@pytest.mark.parametrize("party", PARTIES_OF_THREE + SOLO_PARTIES, ids="-".join)
def test_R14_the_loot_of_absent_heroes_is_taken_out_for_every_party(shipped, party, mode):
    players = 3 if len(party) == 3 else 1
    config = GameConfig(players=players, heroes=party, mode=mode, remove_absent_heroes=True)
    absent = loot_of_absent_heroes(shipped, party)
    assert absent
    for game in set_ups(config, shipped, 5):
        assert names_out_of_play(game) == absent
        full = [11, 1, 3, 5, 7] if mode == "quick" else DUNGEONS
        assert all(len(dungeon(game, number)) == 4 for number in full)


def test_R14_random_heroes_count_as_the_party(shipped):
    config = GameConfig(players=3, remove_absent_heroes=True)
    for game in set_ups(config, shipped, 40):
        party = {hero for seat in range(3) for hero in heroes_of(game, seat)}
        assert names_out_of_play(game) == loot_of_absent_heroes(shipped, party)


@pytest.mark.parametrize("players", [1, 3])
def test_R14_is_optional(shipped, players):
    game = Game.new(GameConfig(players=players), 0, shipped)
    assert names_out_of_play(game) == set()


@pytest.mark.parametrize("party", PARTIES_OF_THREE + SOLO_PARTIES, ids="-".join)
def test_R14_the_shipped_set_leaves_eight_cards_of_each_level_for_every_party(shipped, party):
    absent = loot_of_absent_heroes(shipped, party)
    for level in range(1, 6):
        assert len(set(level_names(shipped, level)) - absent) >= 8


def test_R14_a_set_that_leaves_fewer_than_eight_cards_is_refused():
    with pytest.raises(CardError, match=r"level 2 keeps 7 cards for a party of .*R14"):
        set_with(loot={"Lute": "level: 2, effect: [{if: {hero: bard}, then: [{power: 1}]}]"})
