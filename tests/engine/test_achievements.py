"""A1 to A21: what the achievement sheet asks for."""

import re
from importlib.resources import files

import pytest
from playing import combat, config_of, do, fight, play, set_with

from tenefyr_env.cards.card_set import CardSet
from tenefyr_env.cards.compiler import load_card_set
from tenefyr_env.cards.vocabulary import Hero
from tenefyr_env.config import HERO_NAMES
from tenefyr_env.engine.state import Outcome
from tenefyr_env.game import Game
from tenefyr_env.scenario import scenario
from tenefyr_env.statistics import ACHIEVEMENTS, achievements

BASIC_0, BASIC_1 = "Basic 0", "Basic 1"
DECK = [BASIC_0, BASIC_1, BASIC_1]
BOSSES = ["Dark Lord", "Spider Queen", "Chaos Dragon", "Stone Titan"]


def last_stand(
    *decks: list[str], won: bool = True, card_set: CardSet | None = None, **config
) -> Game:
    """A game before its last fight, against a monster that two Basic 1 beat or one too strong."""
    cards = card_set or load_card_set("tenefyr")
    decks = decks or (DECK, DECK)
    names = [card.enemy_name for card in cards.cards if card is not None and card.level == 5]
    weak = "Kobold" if card_set is None else "Foe 1a"
    return scenario(
        config_of(len(decks), **config),
        card_set=cards,
        decks=dict(enumerate(decks)),
        boss_deck=[weak if won else names[0]],
        starter=0,
    )


def ended(game: Game) -> set[str]:
    """What the party has earned when the boss has been fought."""
    do(game, "boss")
    while not game.is_over:
        fight(game)
    return set(achievements(game))


def test_the_sheet_has_the_21_achievements_of_the_rules():
    rules = files("tenefyr_env.engine").joinpath("RULES.md").read_text(encoding="utf-8")
    assert list(ACHIEVEMENTS) == re.findall(r"^- (A\d+) ", rules, re.MULTILINE)
    assert len(set(ACHIEVEMENTS.values())) == 21


def test_nothing_is_earned_before_the_end():
    game = last_stand(["Loot 5a"], DECK, card_set=set_with())
    assert achievements(game) == ()
    game.state.best_power = 40
    assert achievements(game) == ()


def test_achievements_come_in_the_order_of_the_sheet():
    game = last_stand()
    ended(game)
    found = achievements(game)
    assert sorted(found, key=list(ACHIEVEMENTS).index) == list(found)
    assert len(found) > 1


@pytest.mark.parametrize(
    ("difficulty", "number"), [("easy", "A1"), ("normal", "A2"), ("hard", "A3")]
)
def test_A1_A2_A3_a_win_counts_for_its_difficulty(difficulty, number):
    assert ended(last_stand(difficulty=difficulty)) & {"A1", "A2", "A3"} == {number}
    assert not ended(last_stand(won=False, difficulty=difficulty)) & {"A1", "A2", "A3"}


ABSENT = {"A4": Hero.BARBARIAN, "A5": Hero.BARD, "A6": Hero.CLERIC, "A7": Hero.THIEF}


@pytest.mark.parametrize("number", ABSENT)
def test_A4_A5_A6_A7_a_win_without_a_hero(number):
    heroes = tuple(h for h in HERO_NAMES if h != ABSENT[number].name.lower())
    assert ended(last_stand(DECK, DECK, DECK, heroes=heroes)) & set(ABSENT) == {number}
    lost = last_stand(DECK, DECK, DECK, won=False, heroes=heroes)
    assert not ended(lost) & set(ABSENT)


def test_A4_A5_A6_A7_two_players_have_all_four_heroes():
    assert not ended(last_stand()) & set(ABSENT)


def test_A4_A5_A6_A7_solo_leaves_two_heroes_at_home():
    game = last_stand(DECK * 2, heroes=("bard", "thief"))
    assert ended(game) & set(ABSENT) == {"A4", "A6"}


@pytest.mark.parametrize("boss", BOSSES)
def test_A8_A9_A10_A11_a_win_counts_for_its_boss(boss):
    numbers = ["A8", "A9", "A10", "A11"]
    expected = {numbers[BOSSES.index(boss)]}
    assert ended(last_stand(boss=boss)) & set(numbers) == expected
    assert not ended(last_stand(boss=boss, won=False)) & set(numbers)


def test_A8_A9_A10_A11_need_a_boss():
    quick = ended(last_stand(mode="quick"))
    assert "A2" in quick
    assert not quick & {"A8", "A9", "A10", "A11"}


def test_A8_is_for_the_dark_lord_and_not_for_the_first_boss_of_any_set():
    assert "A8" not in ended(last_stand(card_set=set_with()))


@pytest.mark.parametrize(("mode", "needed"), [("regular", 10), ("quick", 4)])
def test_A12_every_dungeon_of_the_set_up_must_be_cleared(mode, needed):
    for taken, won in ((needed, True), (needed - 1, True), (needed, False)):
        game = last_stand(mode=mode, won=won)
        game.state.rewards_taken = taken
        assert ("A12" in ended(game)) == (won and taken == needed)


def test_A12_clearing_all_four_dungeons_of_a_quick_game():
    cards = set_with(rewards={})
    game = scenario(
        config_of(2, mode="quick", quick_gifts=((0, 1),) * 8),
        card_set=cards,
        decks={0: ["Loot 5e", "Loot 5f", "Loot 5g"], 1: ["Loot 4e", "Loot 4f", "Loot 4g"]},
        dungeons={1: ["Foe 1a"], 3: ["Foe 2a"], 5: ["Foe 3a"], 7: ["Foe 4a"]},
        boss_deck=["Foe 5a"],
        starter=0,
    )
    for number in (1, 3, 5, 7):
        do(game, f"dungeon {number}")
        fight(game)
        do(game, "option 1")
    found = ended(game)
    assert "A12" in found
    assert "A13" not in found


def test_A12_an_emptied_dungeon_is_not_cleared():
    runner = "power: 1, start: [{move: true}]"
    game = combat(set_with(enemies={"Runner": runner}), "Runner", [[BASIC_1], [BASIC_0]])
    do(game, "dungeon 2")
    assert game.state.rewards_taken == 0


def test_A13_a_win_without_clearing_a_level_1_dungeon():
    for cleared in (0, 1):
        game = last_stand()
        game.state.cleared[:] = (cleared, 1, 0, 0, 0)
        assert ("A13" in ended(game)) == (cleared == 0)
    assert "A13" not in ended(last_stand(won=False))


def test_A13_leaving_a_level_1_dungeon_early_does_not_clear_it():
    game = combat(
        set_with(bosses={"Weak": "power: 0"}),
        ["Foe 1a", "Foe 1b"],
        [DECK, DECK],
        boss_deck=["Weak"],
    )
    fight(game)
    do(game, "leave")
    assert "A13" in ended(game)


def test_A14_a_win_without_entering_a_level_5_dungeon():
    for entered in (False, True):
        game = last_stand(card_set=set_with())
        if entered:
            do(game, "dungeon 9")
            fight(game)
        assert ("A14" in ended(game)) == (not entered)
    assert "A14" not in ended(last_stand(won=False))


def test_A14_cannot_be_earned_in_quick_mode():
    assert "A14" not in ended(last_stand(mode="quick"))


def test_A15_deathstrike_in_the_turn_in_which_the_last_enemy_falls():
    assert "A15" in ended(last_stand(["Deathstrike", BASIC_0], DECK))
    assert "A15" not in ended(last_stand(DECK, ["Deathstrike"]))  # it was not needed


def test_A15_deathstrike_in_an_earlier_turn_does_not_count():
    game = scenario(
        config_of(2),
        decks={0: ["Deathstrike", BASIC_0], 1: ["Mountain Breaker", "Drakefire Blade"]},
        boss_deck=["Manticore"],  # of power 9
        starter=0,
    )
    do(game, "boss", "keep")
    play(game, "Deathstrike", BASIC_0)  # 7 in all
    fight(game)
    assert game.outcome == Outcome.WON
    assert "A15" not in achievements(game)


def test_A15_deathstrike_against_an_earlier_card_of_the_boss_does_not_count():
    game = scenario(
        config_of(2),
        decks={0: ["Deathstrike", BASIC_0, BASIC_0], 1: DECK},
        boss_deck=["Orc", "Kobold"],
        starter=0,
    )
    do(game, "boss")
    fight(game)
    assert game.outcome == Outcome.OPEN
    fight(game)
    assert game.outcome == Outcome.WON
    assert "A15" not in achievements(game)


@pytest.mark.parametrize("won", [True, False])
def test_A16_one_player_ends_without_a_basic_card(won):
    without = ["Bog Iron Pick", "Gnawed Spear"]
    assert "A16" in ended(last_stand(without, DECK, won=won))
    assert "A16" not in ended(last_stand([*without, BASIC_1], DECK, won=won))


def test_A16_a_basic_card_in_any_pile_counts():
    game = scenario(
        config_of(2),
        decks={0: ["Bog Iron Pick", "Gnawed Spear"], 1: DECK},
        discards={0: [BASIC_0]},
        boss_deck=["Kobold"],
        starter=0,
    )
    assert "A16" not in ended(game)


@pytest.mark.parametrize("won", [True, False])
def test_A17_one_player_ends_with_twelve_basic_0(won):
    for count in (11, 12):
        game = last_stand([BASIC_1, BASIC_1, *[BASIC_0] * count], DECK, won=won)
        assert ("A17" in ended(game)) == (count == 12)


@pytest.mark.parametrize(("place", "level"), [(1, 1), (3, 2)])
def test_A18_the_lost_goblin_falls_in_a_level_1_dungeon(place, level):
    """The goblin stays where it is met on level 1, so only its way there is chance."""
    goblin = "level: 2, power: 1, achievement: A18"
    cards = set_with(enemies={"Stray": goblin}, bosses={"Weak": "power: 0"})
    game = scenario(
        config_of(2),
        card_set=cards,
        decks={0: DECK, 1: DECK},
        dungeons={place: ["Stray", "Foe 1b"]},
        boss_deck=["Weak"],
        starter=0,
    )
    do(game, f"dungeon {place}")
    fight(game)
    do(game, "leave")
    assert ("A18" in ended(game)) == (level == 1)


def test_A18_the_lost_goblin_of_the_shipped_set_is_marked(shipped):
    marked = [c.enemy_name for c in shipped.cards if c and shipped.table["is_lost_goblin"][0, c.id]]
    assert marked == ["Lost Goblin"]


def test_A18_the_lost_goblin_must_be_defeated():
    game = scenario(
        config_of(2),
        decks={0: [BASIC_0], 1: [BASIC_0]},
        dungeons={1: ["Lost Goblin"]},
        starter=0,
    )
    do(game, "dungeon 1")
    fight(game)
    assert game.state.combats_lost == 1
    assert "A18" not in ended(game)


def test_A19_the_thief_skill_is_used_eight_times():
    for uses in (7, 8):
        game = last_stand(won=False)
        game.state.skill_uses[Hero.THIEF] = uses
        assert ("A19" in ended(game)) == (uses == 8)


def test_A19_every_use_of_the_thief_skill_counts_and_no_refusal():
    for answer, uses in (("use", 1), ("decline", 0)):
        game = scenario(
            config_of(2),
            decks={0: [BASIC_0], 1: ["Sleight of Hand", BASIC_0, BASIC_1]},
            dungeons={1: ["Orc"]},
            starter=1,
        )
        do(game, "dungeon 1", "keep")
        play(game, "Sleight of Hand")
        do(game, answer)
        assert game.state.skill_uses[Hero.THIEF] == uses


def test_A20_a_boss_card_falls_in_the_first_turn_of_its_combat():
    cards = set_with(bosses={"Weak": "power: 3"})
    for first, earned in (([BASIC_1] * 3, True), ([BASIC_0] * 3, False)):
        game = scenario(
            config_of(2),
            card_set=cards,
            decks={0: first, 1: [BASIC_1] * 3},
            boss_deck=["Weak"],
            starter=0,
        )
        found = ended(game)
        assert game.outcome == Outcome.WON
        assert ("A20" in found) == earned


def test_A20_a_monster_is_no_boss_card():
    assert "A20" not in ended(last_stand())


def test_A20_counts_though_the_game_is_lost():
    cards = set_with(bosses={"Weak": "power: 0"})
    game = scenario(
        config_of(2),
        card_set=cards,
        decks={0: [BASIC_0], 1: [BASIC_0]},
        boss_deck=["Weak", "Boss 2"],
        starter=0,
    )
    do(game, "boss")
    fight(game)
    fight(game)
    assert game.outcome == Outcome.LOST
    assert "A20" in achievements(game)


@pytest.mark.parametrize("power", [31, 32])
def test_A21_a_combined_power_of_32_at_any_point(power):
    """Two players together, and lost again before the end of the turn."""
    cards = set_with(
        loot={"Peak": "level: 5, power: 15", "Fall": "level: 4, power: 0, effect: [{power: -10}]"},
        enemies={"Wall": "power: 40"},
    )
    first = ["Peak", "Loot 5a", "Loot 5b"]  # 25
    second = ["Loot 5c", BASIC_1, BASIC_1 if power == 32 else BASIC_0]
    game = scenario(
        config_of(2),
        card_set=cards,
        decks={0: first, 1: [*second, "Fall"]},
        dungeons={1: ["Wall"]},
        starter=0,
    )
    do(game, "dungeon 1")
    fight(game)
    assert game.state.best_power == power
    assert ("A21" in ended(game)) == (power == 32)
