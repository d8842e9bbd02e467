"""Planning by sampling: finds what wins, within its budget, by what its seat may know."""

import time
from functools import cache

import pytest
from asked import MODES, action_of, actions_of, answer, some_positions, turns_for
from playing import config_of, do, set_with

from agents import AgentError, make_agent
from agents.search import Oracle, Search
from tenefyr_env import Game, GameConfig
from tenefyr_env.cards.card_set import CardSet
from tenefyr_env.engine.state import Decision, Outcome
from tenefyr_env.scenario import scenario

ZEROS = ["Basic 0"] * 3
TINY = "search:rollouts=8"


@cache
def cards_with(boss: str, hammer: str = "{power: 1}") -> CardSet:
    """A set in which the first boss card has these fields and the loot "Hammer" this effect."""
    return set_with(bosses={"Ogre King": boss}, loot={"Hammer": f"power: 0, effect: [{hammer}]"})


def last_fight(cards: CardSet, *decks: list[str]) -> Game:
    """The party has come to the last card of the boss: this fight decides the game."""
    game = scenario(
        config_of(len(decks)),
        card_set=cards,
        decks=dict(enumerate(decks)),
        boss_deck=["Ogre King"],
        starter=0,
    )
    do(game, "boss")
    assert game.decision.kind == Decision.KEEP
    return game


def last_turn(cards: CardSet, deck: list[str]) -> Game:
    """The same, in its last turn: nobody has brought anything so far."""
    game = last_fight(cards, ZEROS, deck)
    do(game, "keep", *["card Basic 0"] * 3)
    assert (game.decision.seat, game.decision.kind) == (1, Decision.KEEP)
    return game


def with_a_tempting_branch() -> Game:
    """One point off the enemy wins; three cards, which look like more, are three zeros."""
    cards = cards_with("power: 1", "{choose: [[{enemy: -1}], [{draw: 3}]]}")
    game = last_turn(cards, ["Hammer", "Basic 0", "Basic 0", *ZEROS])
    do(game, "keep", "card Hammer")
    assert game.decision.kind == Decision.OPTION
    return game


# Finding what wins


def test_search_keeps_the_hand_that_wins():
    deck = ["Loot 3a", "Basic 0", "Basic 0", *ZEROS]
    assert answer(TINY, last_turn(cards_with("power: 3"), deck)) == "keep"


def test_search_redraws_where_only_a_fresh_hand_wins():
    deck = [*ZEROS, "Loot 3a", "Loot 2a", "Loot 1b"]
    assert answer(TINY, last_turn(cards_with("power: 5"), deck)) == "redraw"


def test_search_finds_the_branch_that_wins_where_its_policy_is_mistaken():
    game = with_a_tempting_branch()
    assert answer("quick", game) == "option 2"
    assert answer(TINY, game) == "option 1"


def test_search_finds_the_order_of_play_that_wins():
    """To double the Loot 3 first makes 6; the Hammer played first has nothing to double."""
    cards = cards_with("power: 6", "{double_card: true}")
    game = last_turn(cards, ["Hammer", "Loot 3a"])
    do(game, "keep")
    assert answer(TINY, game) == "card Loot 3a"


def test_what_each_option_is_worth_is_its_share_of_won_games():
    game = with_a_tempting_branch()
    search = make_agent(TINY)
    best, worths = search.plan(turns_for(search, [game]), 0, game.action("option 2"))
    assert game.action_name(best) == "option 1"
    assert {game.action_name(action): worth for action, worth in worths.items()} == {
        "option 1": 1.0,
        "option 2": 0.0,
    }


def test_a_game_that_search_plays_from_a_won_position_is_won():
    game = last_turn(cards_with("power: 5"), [*ZEROS, "Loot 3a", "Loot 2a", "Loot 1b"])
    search = make_agent(TINY)
    while not game.is_over:
        game.step(action_of(search, game))
    assert game.outcome == Outcome.WON


# Staying with the policy


@pytest.mark.parametrize("rollouts", [1, 2, 9])
@pytest.mark.parametrize("policy", ["greedy", "careful", "looter", "quick", "odds"])
def test_search_stays_with_its_policy_where_all_options_do_alike(policy, rollouts):
    """Nothing beats this boss, so that keep and redraw are lost alike."""
    search = f"search:rollouts={rollouts},policy={policy}"
    for deck in (["Loot 3a", "Basic 1", "Basic 0", *ZEROS], [*ZEROS, "Loot 3a", "Loot 2a"]):
        game = last_turn(cards_with("power: 40"), deck)
        assert answer(search, game) == answer(policy, game)


def test_search_does_not_plan_when_only_plain_cards_are_left_to_play(monkeypatch):
    game = last_turn(cards_with("power: 40"), ["Loot 3a", "Basic 1", "Basic 0"])
    do(game, "keep")
    monkeypatch.setattr(Search, "plan", None)  # not to be called
    assert game.decision.kind == Decision.PLAY
    assert answer(TINY, game) == answer("quick", game)


def test_search_plans_as_soon_as_a_card_in_hand_has_an_effect(monkeypatch):
    game = last_turn(cards_with("power: 40"), ["Hammer", "Basic 1", "Basic 0"])
    do(game, "keep")
    planned = []
    monkeypatch.setattr(
        Search, "plan", lambda self, turns, row, usual: (planned.append(row) or usual, {})
    )
    answer(TINY, game)
    assert planned == [0]


def test_only_small_choices_are_searched_if_asked(monkeypatch):
    planned = []
    monkeypatch.setattr(
        Search, "plan", lambda self, turns, row, usual: (planned.append(row) or usual, {})
    )
    agent = make_agent("search:rollouts=2,kinds=small,habit=odds")
    games = some_positions(GameConfig(players=3), 60)
    actions = actions_of(agent, turns_for(agent, games))
    big = (Decision.DUNGEON, Decision.CONTINUE, Decision.KEEP, Decision.PLAY)
    assert planned == [row for row, game in enumerate(games) if game.decision.kind not in big]
    assert 0 < len(planned) < 60
    odds = make_agent("odds")
    assert actions == actions_of(odds, turns_for(odds, games))


# The same every time


def test_the_same_seed_gives_the_same_choice():
    games = some_positions(GameConfig(players=3), 12)
    first, second = make_agent(TINY), make_agent(TINY)
    expected = actions_of(first, turns_for(first, games))
    assert actions_of(second, turns_for(second, games)) == expected
    assert actions_of(first, turns_for(first, games)) == expected


def test_the_samples_go_with_the_seed():
    """Where chance decides, other seeds see other samples."""
    deck = ["Loot 2a", *ZEROS[:2], "Loot 4a", "Loot 3a", "Loot 1b", *ZEROS]
    game = last_turn(cards_with("power: 5"), deck)
    search = make_agent("search:rollouts=32")
    found = set()
    for deal in range(6):
        turns = turns_for(search, [game], [deal])
        found.add(search.plan(turns, 0, game.action("keep"))[1][game.action("redraw")])
    assert len(found) > 1


@pytest.mark.parametrize("name", [TINY, "oracle:rollouts=8"])
def test_samples_never_change_the_game_that_is_shown(name):
    search = make_agent(name)
    for config in MODES.values():
        turns = turns_for(search, some_positions(config, 4))
        before = turns.states.tobytes()
        actions_of(search, turns)
        assert turns.states.tobytes() == before


# The budget


def test_a_time_limit_ends_the_search_with_a_legal_action():
    game = Game.new(GameConfig(), 5)
    search = make_agent("search:rollouts=200000,ms=20")
    action_of(search, game)  # compiles
    start = time.perf_counter()
    action = action_of(search, game)
    assert time.perf_counter() - start < 5  # all rollouts would take longer
    assert game.state.legal[action]


def test_a_time_limit_too_short_for_anything_still_gives_a_legal_action():
    for game in some_positions(GameConfig(), 6):
        action = action_of(make_agent("search:rollouts=4,ms=0.0001"), game)
        assert game.state.legal[action]


def test_a_time_limit_that_is_not_reached_changes_nothing():
    games = some_positions(GameConfig(players=2), 6)
    limited, free = make_agent("search:rollouts=8,ms=60000"), make_agent(TINY)
    assert actions_of(limited, turns_for(limited, games)) == actions_of(
        free, turns_for(free, games)
    )


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("rollouts=0", "rollouts 0: accepted are 1 to"),
        ("rollouts=-3", "rollouts -3: accepted are 1 to"),
        ("rollouts=many", "rollouts 'many': accepted are 1 to"),
        ("rollouts=2.5", "rollouts 2.5: accepted are 1 to"),
        ("ms=-1", "ms -1: accepted are numbers above 0"),
        ("ms=0", "ms 0: accepted are numbers above 0"),
        ("ms=soon", "ms 'soon': accepted are numbers above 0"),
        ("policy=nobody", "policy 'nobody': accepted are greedy, .*quick"),
        ("habit=nobody", "habit 'nobody': accepted are greedy, .*quick"),
        ("kinds=few", "kinds 'few': accepted are all, small"),
        ("policy=random", "policy 'random': accepted are greedy, .*quick"),
    ],
)
@pytest.mark.parametrize("name", ["search", "oracle"])
def test_bad_options_are_named_with_what_is_accepted(name, options, said):
    with pytest.raises(AgentError, match=f"agent '{name}:{options}': {said}"):
        make_agent(f"{name}:{options}")


# Knowing and not knowing


def at_the_crossroads(is_redraw_right: bool) -> Game:
    """Keep or redraw, where every redraw makes the boss 11 stronger: the decks' order decides.

    To keep wins if the second player's next hand has the Loot 3; to redraw wins if the three
    Loots 5 lie together on top. One of the two is so.
    """
    strong, loot = ["Loot 5a", "Loot 5b", "Loot 5c"], ["Loot 3a"]
    if is_redraw_right:
        own, other = [*strong, *ZEROS], [*ZEROS, *loot]
    else:
        own, other = [*strong[:2], "Basic 0", strong[2], *ZEROS[:2]], [*loot, *ZEROS]
    cards = cards_with("power: 3, redraw: [{enemy: 11}]")
    return last_fight(cards, [*ZEROS, *own], other)


@pytest.mark.parametrize(("is_redraw_right", "right"), [(False, "keep"), (True, "redraw")])
def test_the_oracle_knows_the_top_of_the_decks(is_redraw_right, right):
    assert answer("oracle:rollouts=4", at_the_crossroads(is_redraw_right)) == right


@pytest.mark.parametrize("rollouts", [4, 64])
def test_an_honest_search_cannot_know_the_top_of_the_decks(rollouts):
    search = f"search:rollouts={rollouts}"
    for deal in range(5):
        found = {answer(search, at_the_crossroads(right), deal) for right in (False, True)}
        assert len(found) == 1


def test_an_honest_search_counts_on_the_likelier_order():
    """The Loot 3 is among three of four cards more often than not; three of six seldom lie so."""
    assert answer("search:rollouts=64", at_the_crossroads(True)) == "keep"


def test_the_oracle_s_samples_are_the_true_game():
    oracle = make_agent("oracle:rollouts=4")
    for is_redraw_right in (False, True):
        game = at_the_crossroads(is_redraw_right)
        worths = oracle.plan(turns_for(oracle, [game]), 0, game.action("keep"))[1]
        assert worths[game.action("keep")] == float(not is_redraw_right)
        assert worths[game.action("redraw")] == float(is_redraw_right)
    assert isinstance(oracle, Oracle)
