"""The figures of a game."""

import dataclasses

import pytest
from playing import combat, config_of, do, fight, play, play_hand, set_with

from tenefyr_env.config import GameConfig
from tenefyr_env.engine.state import Outcome
from tenefyr_env.game import Game
from tenefyr_env.scenario import scenario
from tenefyr_env.statistics import statistics

BASIC_0, BASIC_1 = "Basic 0", "Basic 1"


def test_a_new_game_has_no_figures_but_its_decks():
    figures = statistics(Game.new(config_of(3)))
    assert figures.outcome == Outcome.OPEN
    assert figures.dungeons_cleared == figures.dungeons_entered == (0, 0, 0, 0, 0)
    assert figures.redraws == (0, 0, 0)
    assert figures.loot_taken == {"Barbarian": 0, "Bard": 0, "Cleric": 0}
    assert figures.skill_uses == {"Barbarian": 0, "Bard": 0, "Cleric": 0}
    assert figures.decks["Bard"] == {BASIC_0: 6, BASIC_1: 6, "Battle Hymn": 1}
    for number in ("decisions", "combats_won", "combats_lost", "steps_spent", "boss_stages"):
        assert getattr(figures, number) == 0


def test_figures_cannot_be_changed():
    figures = statistics(Game.new(config_of(2)))
    with pytest.raises(dataclasses.FrozenInstanceError):
        figures.decisions = 3


def test_a_cleared_dungeon_is_counted_by_its_level():
    game = combat(set_with(), ["Foe 1a"], [[BASIC_1], [BASIC_0]])
    fight(game)
    do(game, "option 1")
    figures = statistics(game)
    assert figures.dungeons_entered == (1, 0, 0, 0, 0)
    assert figures.dungeons_cleared == (1, 0, 0, 0, 0)
    assert (figures.combats_won, figures.combats_lost) == (1, 0)
    assert figures.loot_taken == {"Barbarian and Bard": 1, "Cleric and Thief": 0}
    assert figures.steps_spent == 1
    assert figures.best_power == 1


def test_a_lost_combat_costs_two_steps():
    game = combat(set_with(), ["Foe 1a"], [[BASIC_0], [BASIC_0]])
    fight(game)
    figures = statistics(game)
    assert (figures.combats_won, figures.combats_lost) == (0, 1)
    assert figures.steps_spent == 2
    assert figures.dungeons_cleared == (0, 0, 0, 0, 0)


def test_redraws_are_counted_by_seat():
    game = combat(set_with(), ["Foe 5a"], [[BASIC_0] * 9, [BASIC_0] * 9])
    do(game, "redraw", "redraw")
    play_hand(game)
    do(game, "redraw")
    assert statistics(game).redraws == (2, 1)


def test_every_choice_is_counted():
    game = combat(set_with(), ["Foe 5a"], [[BASIC_0], [BASIC_0]])
    do(game, "keep")
    assert statistics(game).decisions == 2  # the dungeon and the hand


def test_decks_count_the_cards_of_all_piles():
    game = combat(
        set_with(), ["Foe 5a"], [[BASIC_0, BASIC_1, "Loot 2a", BASIC_0], [BASIC_0]],
        discards={0: [BASIC_1, "Loot 3a"]},
    )  # fmt: skip
    do(game, "keep")
    play(game, "Loot 2a")  # deck, hand, played and discard pile hold a card each
    assert statistics(game).decks == {
        "Barbarian and Bard": {BASIC_0: 2, BASIC_1: 2, "Loot 2a": 1, "Loot 3a": 1},
        "Cleric and Thief": {BASIC_0: 1},
    }


def test_enemies_of_the_boss_deck_are_counted():
    game = scenario(
        config_of(2),
        card_set=set_with(bosses={"Weak": "power: 0"}),
        decks={0: [BASIC_0], 1: [BASIC_0]},
        boss_deck=["Weak", "Boss 2"],
        starter=0,
    )
    do(game, "boss")
    fight(game)
    fight(game)
    figures = statistics(game)
    assert figures.outcome == Outcome.LOST
    assert figures.boss_stages == 1
    assert figures.dungeons_entered == (0, 0, 0, 0, 0)


def test_skills_are_counted_by_hero_when_they_are_used():
    may = "power: 1, effect: [{may: [{power: 1}]}]"
    cards = set_with(skills={"bard": may}, enemies={"Wall": "power: 40"})
    decks = [["Barbarian Skill", "Bard Skill", BASIC_0], [BASIC_0]]
    for answer, uses in (("use", 1), ("decline", 0)):
        game = combat(cards, "Wall", decks)
        do(game, "keep")
        play(game, "Barbarian Skill", "Bard Skill")
        do(game, answer)
        used = {"Barbarian": 1, "Bard": uses, "Cleric": 0, "Thief": 0}
        assert statistics(game).skill_uses == used


def test_a_skill_without_effect_is_not_used():
    """In a stranger's deck (R17) and against an enemy that forbids Skills."""
    cards = set_with(enemies={"Ghost": "power: 40, always: [{no_skills: true}]"})
    strange = combat(cards, "Foe 5a", [["Thief Skill", BASIC_0], [BASIC_0]])
    forbidden = combat(cards, "Ghost", [["Bard Skill", BASIC_0], [BASIC_0]])
    for game, skill in ((strange, "Thief Skill"), (forbidden, "Bard Skill")):
        do(game, "keep")
        play(game, skill)
        assert set(statistics(game).skill_uses.values()) == {0}


def test_figures_of_a_whole_game_agree_with_each_other():
    game = Game.new(GameConfig(players=4), seed=3)
    while not game.is_over:
        game.step(game.decision.options[0])
    figures = statistics(game)
    assert figures.outcome == game.outcome
    assert sum(figures.dungeons_cleared) <= sum(figures.dungeons_entered)
    loot = sum(figures.loot_taken.values())
    assert loot + figures.boss_stages >= figures.combats_won
    assert figures.steps_spent <= game.config.steps
