"""What cards promise about dungeons, the boss track and the party happens."""

from itertools import permutations

import pytest
from one_card import facing, holding
from playing import (
    boss_deck,
    combat,
    config_of,
    discard_pile,
    do,
    dungeon,
    enemy_power,
    face_up,
    fight,
    hand,
    play,
    power,
    reserve,
    set_with,
)

from tenefyr_env.cards.vocabulary import Boost, Span
from tenefyr_env.game import Game
from tenefyr_env.scenario import scenario

BASIC_0, BASIC_1 = "Basic 0", "Basic 1"
WEAK = "power: 0"  # beaten by anyone


def test_verb_look_shows_the_face_down_cards_from_the_top():
    game = holding("{look: 2}", ["Hammer", BASIC_0], [BASIC_0])
    events = play(game, "Hammer")
    assert face_up(game, 1) == [True, True, True, False]
    assert "Barbarian and Bard sees Foe 1b in dungeon 1 (level 1)." in events


def test_verb_scout_shows_cards_of_a_dungeon_of_choice():
    game = holding("{scout: 2}", ["Hammer", BASIC_0], [BASIC_0])
    play(game, "Hammer")
    assert game.options() == [*(f"dungeon {number}" for number in range(1, 11)), "boss"]
    do(game, "dungeon 7")
    assert face_up(game, 7) == [True, True, True, False]
    assert face_up(game, 1) == [True, False, False, False]


def test_verb_scout_offers_only_dungeons_with_a_face_down_card():
    game = holding("{scout: 4}, {scout: 4}", ["Hammer", BASIC_0], [BASIC_0])
    play(game, "Hammer")
    do(game, "dungeon 7")
    assert "dungeon 7" not in game.options()


def test_verb_scout_does_nothing_when_everything_is_known():
    game = holding("{scout: 1}, {power: 5}", ["Hammer", BASIC_0], [BASIC_0])
    for number in range(11):
        game.state.is_known[number, : game.state.dungeon_size[number]] = 1
    play(game, "Hammer")
    assert power(game) == [5, 0]


@pytest.mark.parametrize("order", list(permutations("bcd")))
def test_verb_reorder_puts_the_cards_under_the_enemy_into_any_order(order):
    game = holding("{reorder: true}", ["Hammer", BASIC_0], [BASIC_0])
    play(game, "Hammer")
    assert sorted(game.options()) == ["card Loot 1b", "card Loot 1c", "card Loot 1d"]
    play(game, *(f"Loot 1{letter}" for letter in order[:2]))  # the last one is no choice
    assert dungeon(game, 1) == ["Wall", *(f"Foe 1{letter}" for letter in order)]
    assert face_up(game, 1) == [True] * 4


def test_verb_move_takes_the_enemy_to_a_dungeon_the_party_chooses():
    game = facing("power: 5, start: [{move: true}]", [BASIC_0], [BASIC_0], under=["Foe 1b"])
    assert game.decision.is_joint
    assert game.options() == [f"dungeon {number}" for number in range(2, 11)]
    do(game, "dungeon 5")
    assert dungeon(game, 1) == ["Foe 1b"]
    assert dungeon(game, 5)[0] == "Wall"
    assert face_up(game, 5)[0]


def test_verb_join_adds_a_reserve_monster_to_the_boss_deck():
    cards = set_with(bosses={"Caller": "power: 0, start: [{join: 1, level: 2}]"})
    game = scenario(
        config_of(2),
        card_set=cards,
        decks={0: [BASIC_0], 1: [BASIC_0]},
        boss_deck=["Caller", "Boss 2"],
        reserve={2: ["Loot 2c"]},
        starter=0,
    )
    do(game, "boss")
    assert boss_deck(game) == ["Caller", "Foe 2c", "Boss 2"]
    assert reserve(game, 2) == []


def test_verb_track_moves_the_boss_token():
    game = holding("{track: 2}", ["Hammer", BASIC_0], [BASIC_0], steps_left=6)
    play(game, "Hammer")
    assert game.state.steps_left == 4
    assert game.state.steps_spent == 2


def test_verb_track_is_idle_before_the_boss():
    cards = set_with(loot={"Pact": "power: 0, effect: [{track: 2}]"})
    decks = {0: ["Pact", BASIC_0], 1: [BASIC_0]}
    game = scenario(config_of(2), card_set=cards, decks=decks, steps_left=6, starter=0)
    do(game, "boss", "keep")
    play(game, "Pact")
    assert game.state.steps_left == 6


def test_verb_save_step_holds_the_token_back_once():
    rule = f"{WEAK}, end: [{{save_step: 1}}]"
    game = facing(rule, [BASIC_0] * 3, [BASIC_0], under=["Foe 1b", "Foe 1c"], steps_left=6)
    fight(game)
    do(game, "leave")
    assert game.state.steps_left == 6
    do(game, "dungeon 9")
    fight(game)  # lost: two steps
    assert game.state.steps_left == 4


def test_verb_save_step_keeps_what_one_leaving_does_not_use_up():
    rule = f"{WEAK}, end: [{{save_step: 3}}]"
    game = facing(rule, [BASIC_0] * 3, [BASIC_0], under=["Foe 1b"], steps_left=6)
    fight(game)
    do(game, "leave", "dungeon 9")
    fight(game)  # lost: two steps
    assert game.state.steps_left == 6
    assert game.state.saved_steps == 0


def after_a_reward(option: str) -> Game:
    """A party of two has cleared dungeon 1 and chosen a reward with this effect."""
    reward = f"kind: together, options: [[{option}], [{{save_step: 1}}]]"
    cards = set_with(rewards={"Gift": reward}, enemies={"Wisp": WEAK, "Moth": WEAK, "Fly": WEAK})
    game = scenario(
        config_of(2),
        card_set=cards,
        decks={0: [BASIC_0] * 12, 1: [BASIC_0] * 12},
        dungeons={1: ["Wisp"], 2: ["Moth", "Fly", "Foe 1d"], 3: ["Foe 2a"]},
        rewards={1: "Gift"},
        starter=0,
    )
    do(game, "dungeon 1")
    fight(game)
    do(game, "option 1")
    return game


def party_power(game: Game) -> int:
    return int(game.state.party_power)


def test_verb_boost_power_span_combat_is_for_the_next_combat_only():
    game = after_a_reward("{boost: power, by: 3, for: combat}")
    do(game, "dungeon 2")
    assert party_power(game) == 3
    fight(game)
    do(game, "continue")
    assert party_power(game) == 0


def test_verb_boost_power_span_dungeon_is_for_every_combat_of_the_next_dungeon_only():
    game = after_a_reward("{boost: power, by: 3, for: dungeon}")
    do(game, "dungeon 2")
    assert party_power(game) == 3
    fight(game)
    do(game, "continue")
    assert party_power(game) == 3
    fight(game)
    do(game, "leave", "dungeon 3")
    assert party_power(game) == 0


def test_verb_boost_power_counts_in_the_comparison_of_powers():
    game = after_a_reward("{boost: power, by: 2, for: combat}")
    do(game, "dungeon 3")  # of power 2, and all cards are Basic 0
    fight(game)
    assert game.state.combats_won == 2


def test_verb_boost_hand_span_combat_is_for_every_draw_step_of_the_next_combat_only():
    game = after_a_reward("{boost: hand, by: 1, for: combat}")
    do(game, "dungeon 3")
    assert len(hand(game, 1)) == 4
    do(game, "redraw")
    assert len(hand(game, 1)) == 4
    fight(game)
    do(game, "dungeon 3")
    assert len(hand(game, 0)) == 3


def test_verb_boost_hand_span_dungeon_is_for_the_next_dungeon_only():
    game = after_a_reward("{boost: hand, by: 1, for: dungeon}")
    do(game, "dungeon 2")
    sizes = [len(hand(game, 1))]
    fight(game)
    do(game, "continue")
    sizes.append(len(hand(game, 0)))
    fight(game)
    do(game, "leave", "dungeon 3")
    sizes.append(len(hand(game, 1)))
    assert sizes == [4, 4, 3]


def size_of_boost(game: Game, boost: Boost) -> int:
    """By how much the combat that has just begun is boosted."""
    if boost is Boost.POWER:
        return party_power(game)
    return len(hand(game, game.decision.seat)) - 3


@pytest.mark.parametrize("boost", Boost, ids=lambda boost: boost.name)
def test_verb_boost_span_combat_of_a_defeated_enemy_is_for_the_combat_after_it(boost):
    rule = f"{WEAK}, end: [{{boost: {boost.name.lower()}, by: 2, for: combat}}]"
    decks = [[BASIC_0] * 12, [BASIC_0] * 12]
    game = facing(rule, *decks, under=["Foe 1b", "Foe 1c"])
    fight(game)
    do(game, "continue")
    assert size_of_boost(game, boost) == 2
    fight(game)
    do(game, game.options()[0])
    assert size_of_boost(game, boost) == 0


@pytest.mark.parametrize("boost", Boost, ids=lambda boost: boost.name)
def test_verb_boost_span_dungeon_of_a_defeated_enemy_is_for_the_dungeon_after_this(boost):
    rule = f"{WEAK}, end: [{{boost: {boost.name.lower()}, by: 2, for: dungeon}}]"
    decks = [[BASIC_0] * 12, [BASIC_0] * 12]
    game = facing(rule, *decks, under=["Foe 1b", "Foe 1c"])
    fight(game)
    do(game, "leave", "dungeon 5")
    assert size_of_boost(game, boost) == 2


def test_trigger_start_comes_before_the_first_hand_is_drawn():
    game = facing("power: 40, start: [{discard_deck: 1}]", [BASIC_1, BASIC_0], [BASIC_0])
    assert discard_pile(game, 0) == [BASIC_1]
    assert hand(game, 0) == [BASIC_0]


def test_trigger_turn_comes_in_every_turn():
    game = facing("power: 40, turn: [{enemy: 1}]", [BASIC_0], [BASIC_0], [BASIC_0])
    powers = [enemy_power(game)]
    do(game, "keep")
    play(game, BASIC_0)
    powers.append(enemy_power(game))
    assert powers == [41, 42]


def test_trigger_redraw_comes_with_every_redraw():
    game = facing("power: 40, redraw: [{enemy: 2}]", [BASIC_0] * 9, [BASIC_0])
    do(game, "redraw", "redraw")
    assert enemy_power(game) == 44


def test_trigger_end_comes_only_when_the_enemy_has_fallen():
    rule = "power: 1, end: [{track: 1}]"
    for card, steps in ((BASIC_1, 1), (BASIC_0, 0)):
        game = facing(rule, [card], [BASIC_0], under=["Foe 1b"], steps_left=6)
        fight(game)
        lost = int(game.state.combats_lost)
        assert (6 - game.state.steps_left - 2 * lost) == steps


@pytest.mark.parametrize("span", Span, ids=lambda span: span.name)
def test_span_names_are_those_of_boosts(span):
    """A boost of every span is taken and shown in the events."""
    game = combat(
        set_with(
            rewards={
                "Gift": "kind: together, options: "
                f"[[{{boost: power, by: 3, for: {span.name.lower()}}}], [{{save_step: 1}}]]"
            }
        ),
        "Foe 1a",
        [[BASIC_1], [BASIC_0]],
        reward="Gift",
    )
    fight(game)
    assert f"+3 power for the next {span.name.lower()}." in do(game, "option 1")
