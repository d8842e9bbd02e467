"""The scripted players: what they know of the cards, and how they play."""

import numpy as np
import pytest
from asked import SCRIPTED, answer, answers, turns_for
from one_card import holding
from playing import (
    combat,
    config_of,
    do,
    fight,
    is_even,
    play,
    set_with,
)

from agents import make_agent
from agents.agent import Turns, decision_seeds
from agents.scripted.guide import Habits, guide_to
from tenefyr_env import Game
from tenefyr_env.cards.card_set import Card, CardSet
from tenefyr_env.cards.vocabulary import Hero
from tenefyr_env.engine.state import Decision
from tenefyr_env.scenario import scenario

ZEROS = ["Basic 0"] * 3
THIEF, CLERIC = 1 << Hero.THIEF, 1 << Hero.CLERIC
every_player = pytest.mark.parametrize("name", SCRIPTED)


def card_called(card_set: CardSet, name: str) -> int:
    return next(c.id for c in card_set.cards if c and name in (c.name, c.enemy_name))


def worth(card_set: CardSet, name: str, heroes: int = THIEF) -> float:
    """What a card is worth by the guide to a player who counts as these heroes."""
    return float(guide_to(card_set)[0].worth[card_called(card_set, name), heroes])


def strength(rule: str = "") -> float:
    """How strong an enemy of power 5 with this rule is for four players, by the guide."""
    card_set = set_with(enemies={"Ghost": f"power: 5{rule and ', '}{rule}"})
    return float(guide_to(card_set)[0].strength[card_called(card_set, "Ghost"), 2])


# The guide


def test_plain_loot_is_worth_its_power():
    plain = set_with()
    assert [worth(plain, f"Loot {level}a") for level in range(1, 6)] == [1, 2, 3, 4, 5]


def test_basics_are_worth_their_power():
    plain = set_with()
    assert (worth(plain, "Basic 0"), worth(plain, "Basic 1")) == (0, 1)


def test_loot_with_a_hero_symbol_is_worth_more_to_this_hero(shipped):
    page = guide_to(shipped)[0]
    for card in loot_of_heroes(shipped):
        others = [1 << hero for hero in Hero if hero != card.hero]
        assert (page.worth[card.id, others] < page.worth[card.id, 1 << card.hero]).all(), card.name


def loot_of_heroes(card_set: CardSet) -> list[Card]:
    """The loot that bears a hero symbol."""
    found = [card for card in card_set.cards if card and card.level and card.hero is not None]
    assert len(found) >= 8
    return found


def test_a_skill_without_its_hero_is_worth_its_power():
    cards = set_with(skills={"thief": "power: 1, effect: [{draw: 3}]"})
    assert worth(cards, "Thief Skill", CLERIC) == 1
    assert worth(cards, "Thief Skill", THIEF) > 2


@pytest.mark.parametrize(
    "effect", ["{draw: 1}", "{power: 1}", "{enemy: -1}", "{others: [{draw: 1}]}", "{search: 1}"]
)
def test_an_effect_that_helps_adds_to_the_worth(effect):
    cards = set_with(loot={"Hammer": f"power: 2, effect: [{effect}]"})
    assert worth(cards, "Hammer") > 2


@pytest.mark.parametrize("effect", ["{discard: 1}", "{enemy: 1}", "{track: 1}"])
def test_an_effect_that_hurts_takes_from_the_worth(effect):
    cards = set_with(loot={"Hammer": f"power: 2, effect: [{effect}]"})
    assert worth(cards, "Hammer") < 2


def test_an_effect_that_may_be_declined_takes_nothing():
    cards = set_with(loot={"Hammer": "power: 2, effect: [{may: [{discard_deck: 3}, {power: 1}]}]"})
    assert worth(cards, "Hammer") >= 2


def test_an_enemy_without_a_rule_is_as_strong_as_its_power():
    assert strength() == 5


@pytest.mark.parametrize(
    "rule",
    [
        "always: [{basics: -1}]",
        "always: [{loot: -1}]",
        "always: [{hand: -1}]",
        "always: [{starter_hand: -1}]",
        "always: [{no_redraw: true}]",
        "always: [{no_skills: true}]",
        "always: [{power_per: redraws, each: 1}]",
        "start: [{each: [{discard_deck: 1}]}]",
        "start: [{enemy: 2}]",
        "turn: [{discard_deck: 1}]",
    ],
)
def test_a_rule_that_hinders_makes_an_enemy_stronger(rule):
    assert strength(rule) > 5


def test_a_rule_that_helps_makes_an_enemy_weaker():
    assert strength("always: [{power_per: cards_played, each: -1}]") < 5


@pytest.mark.parametrize("cards", ["shipped", "mini_set"])
def test_the_guide_has_a_finite_figure_for_everything(cards, request):
    card_set = request.getfixturevalue(cards)
    page = guide_to(card_set)[0]
    for name in page.dtype.names:
        assert np.isfinite(page[name]).all(), name
    assert np.abs(page.worth).max() < 50
    enemies = np.flatnonzero(card_set.table[0].enemy_power.any(axis=1))
    assert len(enemies) >= 40
    assert (page.strength[enemies] > 0).all()


@pytest.mark.parametrize("cards", ["shipped", "mini_set"])
def test_higher_levels_have_stronger_enemies_and_better_loot(cards, request):
    page = guide_to(request.getfixturevalue(cards))[0]
    assert (np.diff(page.level_worth[1:]) > 0).all()
    assert (np.diff(page.level_strength[1:], axis=0) > 0).all()


def test_a_guide_is_written_once_for_each_set_and_habits(shipped):
    assert guide_to(shipped) is guide_to(shipped, Habits())
    other = guide_to(shipped, Habits(step_worth=1.0))
    assert other is not guide_to(shipped)
    assert (other["worth"] == guide_to(shipped)["worth"]).all()
    assert other["step_worth"] == 1.0


# What to play, and in which order


def test_a_card_that_draws_is_played_before_plain_ones():
    game = holding("{draw: 1}", ["Loot 5a", "Hammer", "Basic 1", "Basic 0"], ["Basic 0"])
    assert answers(game) == {"card Hammer"}


def test_a_card_that_counts_the_hand_is_played_before_plain_ones():
    effect = "{power_per: cards_in_your_hand, each: 1}"
    game = holding(effect, ["Loot 5a", "Hammer", "Basic 1"], ["Basic 0"])
    assert answers(game) == {"card Hammer"}


@pytest.mark.parametrize(
    "effect",
    [
        "{double_card: true}",
        "{double_total: true}",
        "{power_per: cards_you_played, each: 1}",
        "{if: {hand_empty: true}, then: [{power: 3}]}",
    ],
)
def test_a_card_that_builds_on_the_others_is_played_last(effect):
    game = holding(effect, ["Basic 0", "Hammer", "Basic 1"], ["Basic 0"])
    for _ in range(2):
        assert "card Hammer" not in answers(game)
        do(game, answer("quick", game))
    assert answers(game) == {"card Hammer"}


def test_the_strongest_card_is_doubled():
    game = holding("{double_card: true}", ["Basic 1", "Loot 3a", "Hammer"], ["Basic 0"])
    play(game, "Basic 1", "Loot 3a", "Hammer")
    assert game.decision.kind == Decision.DOUBLE
    assert answers(game) == {"card Loot 3a"}


@pytest.mark.parametrize("modifier", [-1, 1])
def test_a_card_is_doubled_in_the_order_that_gives_more_power(modifier):
    wall = f"power: 40, always: [{{loot: {modifier}}}]"
    game = holding("{double_card: true}", ["Loot 3a", "Hammer"], ["Basic 0"], wall=wall)
    play(game, "Loot 3a", "Hammer")
    if game.decision.kind == Decision.DOUBLE:
        do(game, "card Loot 3a")
    assert game.decision.kind == Decision.ORDER
    reached = {}
    for option in game.options():
        copy = game.clone()
        do(copy, option)
        reached[option] = int(copy.state.power[0])
    best = max(reached, key=reached.get)
    assert len(set(reached.values())) == 2
    assert answers(game) == {best}


def test_the_best_card_is_searched_for():
    game = holding(
        "{search: 1, filter: loot}", ["Hammer", *ZEROS[:2], "Loot 1f", "Loot 4a", "Loot 2a"], ZEROS
    )
    play(game, "Hammer")
    assert game.decision.kind == Decision.SEARCH
    assert answers(game) == {"card Loot 4a"}


# What to give up


def test_the_weakest_card_is_discarded():
    game = holding("{discard: 1}", ["Loot 3a", "Hammer", "Basic 1"], ["Basic 0"])
    play(game, "Hammer")
    assert game.decision.kind == Decision.DISCARD
    assert answers(game) == {"card Basic 1"}


@pytest.mark.parametrize("more", ["", ", up_to: true"])
def test_a_basic_0_is_removed_first(more):
    effect = f"{{remove: 1, from: [hand, discard]{more}}}"
    game = holding(
        effect,
        ["Hammer", "Basic 1", "Loot 1f", "Loot 2a"],
        ["Basic 0"],
        discards={0: ["Loot 4a", "Basic 0", "Loot 3a"]},
    )
    play(game, "Hammer")
    assert game.decision.kind == Decision.REMOVE
    assert answers(game) == {"card Basic 0"}


def test_loot_is_not_removed_unless_it_must_be():
    effect = "{remove: 1, from: [hand], up_to: true}"
    game = holding(effect, ["Hammer", "Loot 1f", "Loot 2a"], ["Basic 0"])
    play(game, "Hammer")
    assert answers(game) == {"decline"}


@pytest.mark.parametrize("effect", ["pay: {discard: 1}, then: [{power: 3}]", "may: [{power: 3}]"])
@pytest.mark.parametrize(("power", "expected"), [(3, "decline"), (40, "use")])
def test_an_effect_is_declined_once_the_fight_is_won_and_used_before(effect, power, expected):
    game = holding(
        f"{{{effect}}}", ["Loot 3a", "Hammer", "Basic 0"], ["Basic 0"], wall=f"power: {power}"
    )
    play(game, "Loot 3a", "Hammer")
    assert game.decision.kind == Decision.USE
    assert answers(game) == {expected}


def test_what_makes_a_deck_better_for_good_is_used_even_when_the_fight_is_won():
    effect = "{may: [{remove: 1, filter: basic_0, from: [hand]}]}"
    game = holding(effect, ["Hammer", "Loot 3a", "Basic 0"], ["Basic 0"], wall="power: 1")
    play(game, "Hammer")
    assert game.decision.kind == Decision.USE
    assert answers(game) == {"use"}


def test_the_better_of_two_branches_is_chosen():
    for effect, best in (
        ("{choose: [[{power: 1}], [{power: 4}]]}", "option 2"),
        ("{choose: [[{power: 4}], [{power: 1}]]}", "option 1"),
    ):
        game = holding(effect, ["Hammer", "Basic 0"], ["Basic 0"])
        play(game, "Hammer")
        assert answers(game) == {best}


# To whom


def handing_out(card_set: CardSet, card: Card) -> Game:
    """Two players with like decks may hand out this card."""
    gifts = ((1, card.level), (0, 1))
    track = {"quick_track": dict.fromkeys(("easy", "normal", "hard"), len(gifts))}
    game = scenario(
        config_of(2, mode="quick", quick_gifts=gifts, **track),
        card_set=card_set,
        decks={0: ["Basic 0"], 1: ["Basic 0"]},
        reserve={card.level: [card.name]},
        starter=0,
    )
    do(game, "dungeon 1")
    fight(game)
    while game.decision.kind != Decision.HAND_OUT or game.decision.card != card.id:
        do(game, game.options()[-1])
    return game


def test_loot_with_a_hero_symbol_is_handed_to_this_hero(shipped):
    for card in loot_of_heroes(shipped):
        game = handing_out(shipped, card)
        owner = next(seat for seat in range(2) if game.state.heroes[seat] >> card.hero & 1)
        assert answers(game) == {f"player {(owner - game.decision.seat) % 2}"}, card.name


def test_a_gift_goes_to_the_player_with_the_weakest_deck():
    gift = "kind: together, options: [[{any: [{take: 1, level: 3, to: deck}]}], [{save_step: 1}]]"
    cards = set_with(rewards={"Gift": gift})
    for weakest in range(3):
        decks = [[f"Loot 5{each}", f"Loot 4{each}", f"Loot 3{each}"] for each in "cde"]
        decks[weakest] = ["Basic 0", "Basic 0", "Basic 1"]
        game = combat(cards, "Foe 1a", decks, reward="Gift")
        fight(game)
        do(game, "option 1")
        assert game.decision.kind == Decision.PLAYER
        assert answers(game) == {f"player {(weakest - game.decision.seat) % 3}"}


# Which hand to keep


@every_player
def test_a_hand_that_wins_is_kept(name):
    deck = ["Loot 3a", "Basic 0", "Basic 0", "Loot 5a", "Loot 5b", "Loot 5c"]
    game = combat(set_with(enemies={"Troll": "power: 3"}), ["Troll", "Foe 1b"], [deck, ZEROS])
    assert answer(name, game) == "keep"


@every_player
def test_a_hand_of_zeros_is_redrawn_on_the_last_turn_when_the_deck_can_win(name):
    game = on_the_last_turn([*ZEROS, "Loot 5a", "Loot 5b", "Loot 5c", "Loot 4a"])
    assert answer(name, game) == "redraw"


@pytest.mark.parametrize("name", ["careful", "looter", "quick", "odds"])
def test_a_hand_is_kept_when_no_other_can_win_either(name):
    game = on_the_last_turn(["Loot 1e", "Basic 1", "Basic 1", *ZEROS], power=30)
    assert answer(name, game) == "keep"


def on_the_last_turn(deck: list[str], power: int = 5) -> Game:
    """The first of two players has brought nothing; the second holds the top of this deck."""
    cards = set_with(enemies={"Troll": f"power: {power}"})
    game = combat(cards, "Troll", [ZEROS, deck])
    do(game, "keep", *["card Basic 0"] * 3)
    assert (game.decision.seat, game.decision.kind) == (1, Decision.KEEP)
    return game


@every_player
def test_a_hand_is_kept_where_no_redraw_is_offered(name):
    game = combat(set_with(enemies={"Troll": "power: 9"}), "Troll", [ZEROS, ZEROS])
    assert answer(name, game) == "keep"


# When to leave


def after_a_fight(num_strong: int) -> Game:
    """The party has won a fight of level 5; so many of the 20 cards left in its decks are strong.

    The next enemy lies face down; all of its level have power 5 and no rule.
    """
    strong = [f"Loot 4{letter}" for letter in "abcdefgh"][:num_strong]
    decks = [strong[::2], strong[1::2]]
    decks = [deck + ["Basic 0"] * (10 - len(deck)) for deck in decks]
    first = ["Loot 5c", "Loot 5d", "Loot 5e"]
    game = scenario(
        config_of(2),
        card_set=set_with(),
        decks={0: first + decks[0], 1: decks[1]},
        dungeons={9: ["Foe 5a", "Foe 5b"]},
        starter=0,
    )
    do(game, "dungeon 9")
    fight(game)
    assert game.decision.kind == Decision.CONTINUE
    return game


def test_careful_leaves_where_greedy_continues():
    """With some decks, and never the other way round."""
    games = [after_a_fight(num_strong) for num_strong in range(9)]
    found = [(answer("greedy", game), answer("careful", game)) for game in games]
    assert ("continue", "leave") in found
    assert ("leave", "continue") not in found


@pytest.mark.parametrize("name", ["careful", "looter", "quick", "odds"])
def test_a_party_goes_on_as_long_as_its_decks_are_strong_enough(name):
    found = [answer(name, after_a_fight(num_strong)) for num_strong in range(9)]
    assert (found[0], found[-1]) == ("leave", "continue")
    assert found == sorted(found, reverse=True)  # once it goes on, it does so with any better deck


# Where to go


@every_player
def test_nobody_goes_to_the_boss_while_a_dungeon_is_left(name):
    game = Game.new(config_of(4), 3)
    assert answer(name, game).startswith("dungeon")


@every_player
def test_a_hopeless_dungeon_is_not_chosen_beside_an_easy_one(name):
    """Dungeon 1 has an enemy that no hands can beat, dungeon 2 one that any can."""
    cards = set_with(enemies={"Wall": "power: 40", "Worm": "power: 0"})
    game = scenario(
        config_of(2),
        card_set=cards,
        decks={0: ["Basic 1"] * 6, 1: ["Basic 1"] * 6},
        dungeons={1: ["Wall", "Foe 1c"], 2: ["Worm", "Foe 1d"], **{n: [] for n in range(3, 11)}},
        starter=0,
    )
    assert set(game.options()) == {"dungeon 1", "dungeon 2", "boss"}
    assert answer(name, game) == "dungeon 2"


# Throwing dice


def test_random_takes_all_options_about_equally_often():
    game, samples = Game.new(config_of(4), 3), 5500
    agent = make_agent("random")
    turns = turns_for(agent, [game])
    many = Turns(
        np.repeat(turns.states, samples),
        decision_seeds(np.arange(samples), np.zeros(samples)),
        turns.config,
        turns.card_set,
    )
    actions = agent.act_batch(None, many.masks, many)
    counts = [int((actions == option).sum()) for option in game.decision.options]
    assert sum(counts) == samples
    assert is_even(counts)


def test_nobody_else_throws_dice():
    game = Game.new(config_of(4), 3)
    for name in SCRIPTED:
        assert len({answer(name, game, deal) for deal in range(20)}) == 1
