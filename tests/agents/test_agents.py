"""What an agent is: made by name, legal, honest, and the same whenever it is asked the same."""

import os
import subprocess
import sys

import numpy as np
import pytest
from asked import (
    HONEST,
    MODES,
    REGISTERED,
    action_of,
    actions_of,
    is_searching,
    observations_for,
    positions,
    some_positions,
    turns_for,
)
from players_for_tests import First

from agents import AgentError, Info, agent_names, make_agent
from agents.agent import Agent, decision_seeds, row_of, turns_of
from agents.scripted import Greedy
from agents.search import Oracle, Search
from tenefyr_env import Game, GameConfig

every_agent = pytest.mark.parametrize("name", REGISTERED)
every_honest_agent = pytest.mark.parametrize("name", HONEST)
every_mode = pytest.mark.parametrize("config", MODES.values(), ids=MODES)


# Made by name


def test_an_agent_is_made_by_its_name():
    assert isinstance(make_agent("greedy"), Greedy)
    assert isinstance(make_agent("search"), Search)


def test_options_stand_behind_a_colon():
    agent = make_agent("search:rollouts=4,ms=2.5,policy=odds,margin=0")
    usual = make_agent("search:policy=odds")
    assert (agent.rollouts, agent.ms, agent.margin) == (4, 2.5, 0.0)
    assert agent.policy == usual.policy != make_agent("search:policy=greedy").policy


def test_an_agent_of_the_user_s_is_made_by_module_and_class():
    assert isinstance(make_agent("players_for_tests:First"), First)


def write_agents(folder, monkeypatch, name, text):
    """A module of a user's, where Python finds it."""
    (folder / f"{name}.py").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(folder)


BOLD = '''\
from agents import Agent


class Bold(Agent):
    """Keeps every hand, never leaves, and takes the last of anything else."""

    def __init__(self, courage=1):
        self.courage = courage

    def act(self, observation, mask, info):
        for name in ("keep", "continue"):
            if name in info.game.options():
                return info.game.action(name)
        return int(mask.nonzero()[0][-self.courage :][0])
'''


def test_a_new_agent_of_under_20_lines_plays_every_mode(tmp_path, monkeypatch):
    write_agents(tmp_path, monkeypatch, "bold_agents", BOLD)
    assert len(BOLD.splitlines()) < 20
    agent = make_agent("bold_agents:Bold")
    assert all(play_to_the_end(agent, config, 0) > 0 for config in MODES.values())


def test_an_agent_of_the_user_s_takes_options_as_well(tmp_path, monkeypatch):
    write_agents(tmp_path, monkeypatch, "bolder_agents", BOLD)
    assert make_agent("bolder_agents:Bold:courage=3").courage == 3


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("gredy", ["'gredy'", "did you mean 'greedy'", "module:Class", *agent_names()]),
        ("nobody", ["'nobody'", "module:Class", *agent_names()]),
        ("", ["''", *agent_names()]),
        ("search:rolouts=4", ["'search:rolouts=4'", "rolouts"]),
        ("search:rollouts", ["'rollouts'", "name=value"]),
        ("search:=4", ["'=4'", "name=value"]),
        ("greedy:rollouts=4", ["'greedy:rollouts=4'"]),
        ("no_such_module:Bold", ["'no_such_module'"]),
        ("players_for_tests:Bald", ["'players_for_tests'", "'Bald'"]),
        ("players_for_tests:BAD_DECISION", ["'players_for_tests:BAD_DECISION'"]),
        ("fractions:Fraction", ["fractions:Fraction", "agents.Agent"]),
    ],
)
def test_an_agent_that_cannot_be_made_is_named_with_what_is_accepted(name, said):
    with pytest.raises(AgentError) as error:
        make_agent(name)
    assert [word for word in said if word not in str(error.value)] == []


def test_no_player_imports_torch_not_even_where_it_is_installed(tmp_path):
    (tmp_path / "torch.py").write_text("")
    code = (
        "import sys, agents, agents.scripted, agents.search, agents.evaluation.runner\n"
        "agents.make_agent('odds'), agents.make_agent('search')\n"
        "print('torch' in sys.modules)"
    )
    path = os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH")]))
    environment = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True
    )
    assert (done.stdout.strip(), done.stderr) == ("False", "")


# Legal


def play_to_the_end(agent: Agent, config: GameConfig, deal: int) -> int:
    """Play a whole game, every seat by this agent; how many decisions it took."""
    game = Game.new(config, deal)
    while not game.is_over:
        action = action_of(agent, game, deal)
        assert game.state.legal[action], game.refusal(action)
        game.step(action)
    return int(game.state.num_decisions)


@every_mode
@every_agent
def test_every_answer_is_legal_from_the_first_decision_to_the_last(name, config):
    agent = make_agent(name)
    for deal in range(1 if is_searching(name) else 3):
        play_to_the_end(agent, config, deal)


@every_agent
def test_every_answer_is_legal_where_others_have_led_the_game(name):
    agent = make_agent(name)
    for config in MODES.values():
        games = some_positions(config, 12, seed=3)
        for game, action in zip(games, actions_of(agent, turns_for(agent, games)), strict=True):
            assert game.state.legal[action], game.refusal(action)


# The same answer to the same question


@every_agent
def test_a_decision_asked_alone_is_answered_as_in_a_batch(name):
    agent = make_agent(name)
    for config in (MODES["three vote"], MODES["two quick"]):
        turns = turns_for(agent, some_positions(config, 20))
        seen = observations_for(agent, turns)
        alone = [
            agent.act(None if seen is None else row_of(seen, row), turns.masks[row], turns.row(row))
            for row in range(len(turns))
        ]
        assert alone == actions_of(agent, turns)


@every_agent
def test_an_answer_does_not_depend_on_its_place_in_the_batch(name):
    agent = make_agent(name)
    games = some_positions(MODES["four"], 20)
    deals = list(range(20))
    forwards = actions_of(agent, turns_for(agent, games, deals))
    backwards = actions_of(agent, turns_for(agent, games[::-1], deals[::-1]))
    assert backwards[::-1] == forwards


@every_agent
def test_an_agent_asked_twice_says_the_same(name):
    agent = make_agent(name)
    turns = turns_for(agent, some_positions(MODES["four"], 20))
    assert actions_of(agent, turns) == actions_of(agent, turns)


@every_agent
def test_an_agent_made_anew_says_the_same(name):
    games = some_positions(MODES["three without absent heroes"], 20)
    first, second = make_agent(name), make_agent(name)
    for game in games[:3]:  # a history of its own
        action_of(first, game, 99)
    assert actions_of(first, turns_for(first, games)) == actions_of(
        second, turns_for(second, games)
    )


@every_agent
def test_the_game_an_agent_is_shown_is_not_changed_by_asking_it(name):
    agent = make_agent(name)
    turns = turns_for(agent, some_positions(MODES["four"], 20))
    states, seeds = turns.states.tobytes(), turns.seeds.tobytes()
    actions_of(agent, turns)
    seen = observations_for(agent, turns)
    agent.act(None if seen is None else row_of(seen, 0), turns.masks[0], turns.row(0))
    assert turns.states.tobytes() == states
    assert turns.seeds.tobytes() == seeds


@every_agent
def test_the_true_game_is_not_changed_by_asking_about_it(name):
    agent = make_agent(name)
    for game in some_positions(MODES["four"], 10):
        before = game.state_bytes()
        action_of(agent, game)
        assert game.state_bytes() == before


# The seeds of decisions


def test_every_decision_of_every_deal_has_its_own_seed():
    deals, numbers = np.meshgrid(np.arange(300), np.arange(300))
    seeds = decision_seeds(deals.ravel(), numbers.ravel())
    assert len(set(seeds.tolist())) == seeds.size


def test_seeds_are_numbers_that_the_generator_takes():
    deals = np.array([0, 1, 2**31, 2**62, 2**63 - 1])
    seeds = decision_seeds(np.repeat(deals, 500), np.tile(np.arange(500), len(deals)))
    assert seeds.dtype == np.int64
    assert seeds.min() >= 0
    for seed in seeds[::100]:
        Game.new(seed=int(seed))


def test_the_seed_of_a_decision_depends_on_its_deal_and_number_alone():
    together = decision_seeds(np.array([4, 5, 6]), [7, 8, 9])
    alone = [decision_seeds(np.array([deal]), [deal + 3])[0] for deal in (4, 5, 6)]
    assert together.tolist() == alone


def test_seeds_throw_fair_dice_whatever_is_counted_off():
    for sides in (2, 3, 10):
        for seeds in (
            decision_seeds(np.arange(3000), np.zeros(3000)),
            decision_seeds(np.zeros(3000), np.arange(3000)),
        ):
            counts = np.bincount(seeds % sides, minlength=sides)
            spread = np.sqrt(3000 / sides)
            assert np.abs(counts - 3000 / sides).max() < 4.5 * spread


def test_the_seeds_of_a_game_go_with_the_number_of_its_decisions():
    games = some_positions(MODES["four"], 6)
    turns = turns_for(make_agent("random"), games, [8] * 6)
    numbers = [int(game.state.num_decisions) for game in games]
    assert turns.seeds.tolist() == decision_seeds(np.array([8] * 6), numbers).tolist()


# Honesty


def shown(game: Game, is_oracle: bool = False) -> bytes:
    """A game as an agent is given it."""
    turns = turns_of(game.states, game.config, game.card_set, np.array([0]), is_oracle)
    return turns.states.tobytes()


@every_mode
def test_what_an_honest_agent_is_shown_tells_nothing_that_its_seat_cannot_know(config):
    for seed, game in enumerate(positions(config, 21)):
        assert shown(game) == shown(game.determinize(game.decision.seat, seed))


@every_honest_agent
def test_an_honest_agent_decides_alike_wherever_the_hidden_cards_lie(name):
    agent = make_agent(name)
    for number, config in enumerate(MODES.values()):
        few = is_searching(name)
        games = some_positions(config, 6) if few else positions(config, 30 + number)
        for seed, game in enumerate(games):
            other = game.determinize(game.decision.seat, seed)
            assert action_of(agent, game) == action_of(agent, other)


def test_the_oracle_is_marked_and_nobody_else():
    marked = [name for name in agent_names() if make_agent(name).is_oracle]
    assert marked == ["oracle"]
    assert Oracle.is_oracle
    assert not Agent.is_oracle


def test_the_oracle_is_shown_the_true_game():
    for game in some_positions(MODES["four"], 20):
        assert shown(game, is_oracle=True) == game.state_bytes()


def test_an_honest_agent_is_shown_another_order_of_the_decks():
    """The promise above would be empty if nothing were hidden in these games."""
    assert any(shown(game) != game.state_bytes() for game in some_positions(MODES["four"], 20))


def test_an_agent_may_plan_in_copies_of_what_it_is_shown():
    agent = make_agent("random")
    for game in some_positions(MODES["three vote"], 10):
        info = turns_for(agent, [game]).row(0)
        copy = info.game.determinize(info.seat, info.seed)
        while not copy.is_over:
            copy.step(copy.decision.options[0])
        assert (info.seat, info.decision) == (game.decision.seat, game.decision.kind)


def test_an_agent_knows_who_it_plays():
    game = Game.new(GameConfig(players=3, heroes=("bard", "thief", "cleric"), starting_player=1), 0)
    assert turns_for(make_agent("random"), [game]).row(0).hero == "Thief"


def test_the_info_of_a_game_shows_its_seat_nothing_hidden_and_leaves_the_game_alone():
    game = Game.new(GameConfig(players=3), seed=3)
    before = game.state_bytes()
    shown = Info.of(game, seed=5)
    redrawn = Info.of(game.determinize(shown.seat, 9), seed=5)
    assert shown.game == redrawn.game
    assert shown.seed == redrawn.seed
    assert game.state_bytes() == before
