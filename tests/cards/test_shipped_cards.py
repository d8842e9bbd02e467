"""The shipped set: the counts and known facts it keeps, and that it uses every word."""

from itertools import combinations

import numpy as np
import pytest

from tenefyr_env.cards.table import (
    BASICS_OF_EACH_POWER,
    NO_HERO,
    NUM_LEVELS,
    NUM_OPTIONS,
    VERB,
    WHAT,
    WHERE,
    WHO,
    N,
)
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
    Trigger,
    Verb,
    Who,
)

LEVELS = range(1, NUM_LEVELS + 1)
BOSSES = ("Dark Lord", "Spider Queen", "Chaos Dragon", "Stone Titan")
# Rows whose WHAT is a filter of cards.
PICKS = (
    Verb.DISCARD,
    Verb.SEARCH,
    Verb.RETURN,
    Verb.RECOVER,
    Verb.REMOVE,
    Verb.GIVE,
    Verb.SWAP,
    Verb.PAY,
)
RULES = ("basics", "loot", "hand", "starter_hand", "power_each", "no_redraw", "no_skills")


def cards_of(card_set, kind):
    """The cards of a kind."""
    return [card for card in card_set.cards if card and card.kind is kind]


def enemy(card_set, name):
    """The card with this enemy."""
    (card,) = [card for card in card_set.cards if card and card.enemy_name == name]
    return card


def spans_of(table, kind, trigger):
    """The rows of one kind of effect of one kind of card."""
    for card in np.flatnonzero(table["kind"] == kind):
        yield table["rows"][table["first_row"][card, trigger] : table["last_row"][card, trigger]]


@pytest.fixture(scope="module")
def table(shipped):
    return shipped.table[0]


@pytest.fixture(scope="module")
def rows(table):
    """All rows in use."""
    last = max(table["last_row"].max(), table["reward_last_row"].max())
    return table["rows"][:last]


def with_verb(rows, *verbs):
    """The rows of these verbs."""
    return rows[np.isin(rows[:, VERB], verbs)]


def test_R1_heroes_skills_and_basics(shipped):
    assert [card.hero for card in cards_of(shipped, Kind.SKILL)] == list(Hero)
    assert [(card.name, card.power) for card in cards_of(shipped, Kind.BASIC)] == [
        ("Basic 0", 0),
        ("Basic 1", 1),
    ]
    assert BASICS_OF_EACH_POWER == 24


def test_R2_fourteen_dungeon_cards_of_each_level(shipped):
    dungeon = cards_of(shipped, Kind.DUNGEON)
    assert [card.level for card in dungeon] == [level for level in LEVELS for _ in range(14)]
    assert len({card.enemy_name for card in dungeon}) == 70
    assert len({card.name for card in dungeon}) == 70
    assert all(len(card.enemy_power) == 3 for card in dungeon)


def test_R3_four_cards_of_each_boss(shipped):
    boss_cards = cards_of(shipped, Kind.BOSS)
    assert shipped.bosses == BOSSES
    assert [card.boss for card in boss_cards] == [boss for boss in BOSSES for _ in range(4)]
    assert not any(card.name for card in boss_cards)


def test_R4_four_rewards_of_each_level(shipped):
    levels = [reward.level for reward in shipped.rewards if reward]
    assert levels == [level for level in LEVELS for _ in range(4)]
    assert all(len(reward.options) == NUM_OPTIONS for reward in shipped.rewards)
    assert {reward.is_together for reward in shipped.rewards} == {False, True}


@pytest.mark.parametrize(
    "party",
    [party for size in (2, 3) for party in combinations(Hero, size)],
    ids=lambda party: "-".join(hero.name for hero in party),
)
def test_R14_every_level_keeps_eight_cards(table, party):
    stays = (table["hero"] == NO_HERO) | np.isin(table["hero"], party)
    for level in LEVELS:
        assert (stays & (table["level"] == level)).sum() >= 8


def test_each_hero_has_at_least_three_loot_cards(shipped):
    symbols = [card.hero for card in cards_of(shipped, Kind.DUNGEON)]
    assert all(symbols.count(hero) >= 3 for hero in Hero)


def test_about_two_thirds_of_enemies_have_a_rule(shipped):
    dungeon = cards_of(shipped, Kind.DUNGEON)
    assert 0.55 <= np.mean([bool(card.enemy_text) for card in dungeon]) <= 0.8


def test_about_four_fifths_of_loot_have_an_effect(shipped):
    dungeon = cards_of(shipped, Kind.DUNGEON)
    assert 0.7 <= np.mean([bool(card.text) for card in dungeon]) <= 0.9


def test_every_card_says_where_it_comes_from(shipped):
    everything = [card for card in (*shipped.cards, *shipped.rewards) if card]
    assert {card.origin for card in everything} == {"rulebook", "design"}


def test_orc_is_as_the_rulebook_has_it(shipped):
    orc = enemy(shipped, "Orc")
    assert (orc.level, orc.enemy_power[1]) == (1, 5)
    assert (orc.name, orc.power) == ("Quick Strike", 1)
    assert orc.text
    assert orc.origin == "rulebook"


def test_kobold_is_an_early_enemy_of_three(shipped):
    kobold = enemy(shipped, "Kobold")
    assert kobold.level <= 2
    assert kobold.enemy_power[1] == 3
    assert kobold.origin == "rulebook"


def test_A18_lost_goblin_comes_from_elsewhere_and_moves(shipped, table):
    goblin = enemy(shipped, "Lost Goblin")
    assert goblin.level > 1
    assert list(np.flatnonzero(table["is_lost_goblin"])) == [goblin.id]
    spans = [
        table["rows"][table["first_row"][goblin.id, when] : table["last_row"][goblin.id, when]]
        for when in (Trigger.START, Trigger.END)
    ]
    assert any((span[:, VERB] == Verb.MOVE).any() for span in spans)


def test_A15_deathstrike_is_marked(shipped, table):
    marked = [shipped.card_name(card) for card in np.flatnonzero(table["is_deathstrike"])]
    assert marked == ["Deathstrike"]


def test_A21_the_strongest_boss_card_stays_below_32(shipped):
    assert max(card.enemy_power[2] for card in cards_of(shipped, Kind.BOSS)) < 32


def test_every_card_of_the_chaos_dragon_is_random(shipped, table):
    for card in cards_of(shipped, Kind.BOSS):
        if card.boss == "Chaos Dragon":
            spans = zip(table["first_row"][card.id], table["last_row"][card.id], strict=True)
            verbs = {verb for a, b in spans for verb in table["rows"][a:b, VERB]}
            assert Verb.RANDOM in verbs


def test_the_barbarian_draws_up_to_three_cards(table):
    drawn = with_verb(next(spans_of(table, Kind.SKILL, Trigger.PLAY)), Verb.DRAW)
    assert drawn[:, N].sum() == 3


def test_the_thief_works_with_the_reserve(table):
    *_, thief = spans_of(table, Kind.SKILL, Trigger.PLAY)
    assert len(with_verb(thief, Verb.TAKE)) > 0


def test_the_bard_helps_the_others(table):
    _, bard, *_ = spans_of(table, Kind.SKILL, Trigger.PLAY)
    helped = set(with_verb(bard, Verb.WITH)[:, WHO])
    assert helped & {Who.OTHER, Who.OTHERS, Who.NEXT, Who.ANY, Who.EACH}


def test_the_cleric_brings_used_cards_back(table):
    cleric = list(spans_of(table, Kind.SKILL, Trigger.PLAY))[Hero.CLERIC]
    assert len(with_verb(cleric, Verb.RETURN, Verb.RECOVER)) > 0


def test_a_reward_is_the_example_of_the_rulebook(shipped):
    examples = [
        reward
        for reward in shipped.rewards
        if not reward.is_together
        and reward.options[0].startswith("Remove 2 Basic 0 cards")
        and reward.options[1].startswith("Give 1 card")
    ]
    assert [reward.origin for reward in examples] == ["rulebook"]


def missing(words, used):
    """The words of an enum that no card uses."""
    return [word.name for word in words if int(word) not in {int(value) for value in used}]


def test_every_verb_is_on_a_card(rows):
    assert missing(Verb, rows[:, VERB]) == []


def test_every_player_block_is_on_a_card(rows):
    assert missing(Who, with_verb(rows, Verb.WITH)[:, WHO]) == []


def test_every_condition_is_on_a_card(rows):
    assert missing(Condition, with_verb(rows, Verb.IF)[:, WHAT]) == []


def test_every_count_is_on_a_card(table, rows):
    continuous = table["power_count"][table["power_each"] != 0]
    assert missing(Count, [*continuous, *with_verb(rows, Verb.POWER_PER)[:, WHAT]]) == []


def test_every_filter_is_on_a_card(rows):
    assert missing(Filter, with_verb(rows, *PICKS)[:, WHAT]) == []


def test_every_trigger_is_on_a_card(table):
    used = [when for when in Trigger if (table["first_row"] != table["last_row"])[:, when].any()]
    assert used == list(Trigger)


def test_every_continuous_rule_is_on_a_card(table):
    assert [rule for rule in RULES if not table[rule].any()] == []


def test_every_boost_and_span_is_on_a_card(rows):
    boosts = with_verb(rows, Verb.BOOST)
    assert missing(Boost, boosts[:, WHAT]) == []
    assert missing(Span, boosts[:, WHERE]) == []


def test_every_pile_to_choose_from_is_on_a_card(rows):
    picks = with_verb(rows, Verb.REMOVE, Verb.GIVE, Verb.SWAP)[:, WHERE]
    assert np.bitwise_or.reduce(picks) == From.DECK | From.HAND | From.DISCARD
    goals = set(with_verb(rows, Verb.TAKE)[:, WHERE])
    assert goals == {Pile.DECK, Pile.HAND, Pile.DISCARD}


def test_every_text_is_a_sentence(shipped):
    texts = [text for card in shipped.cards if card for text in (card.text, card.enemy_text)]
    texts += [option for reward in shipped.rewards for option in reward.options]
    for text in filter(None, texts):
        assert text[0].isupper() or text[0] in "+-"
        assert text.endswith(".")
        assert "  " not in text
        assert ".." not in text
