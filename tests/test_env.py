"""The AEC environment: PettingZoo's own tests, agents, masks, order, illegal actions."""

import warnings
from itertools import product

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test

import tenefyr_env
from tenefyr_env import Game, GameConfig, IllegalAction, TenefyrEnv, scenario
from tenefyr_env.env import ILLEGAL_PENALTY, possible_agents
from tenefyr_env.spaces.encoders import _REGISTRY
from tenefyr_env.spaces.full import FULL

MODES = list(product((1, 2, 3, 4), ("regular", "quick"), ("leader", "vote")))
HEROES = ("barbarian", "bard", "cleric", "thief")


def of_mode(players: int, mode: str, joint: str, **rest) -> TenefyrEnv:
    return tenefyr_env.env(players=players, mode=mode, joint_choice=joint, **rest)


def play(env: TenefyrEnv, seed: int, decisions: int = 100_000) -> int:
    """Take random actions to the end or for a number of decisions; the boss comes last."""
    choices = np.random.default_rng(seed)
    boss = env.game.action("boss")
    taken = 0
    while env.agents and not env.terminations[env.agent_selection] and taken < decisions:
        legal = [action for action in env.game.decision.options if action != boss] or [boss]
        env.step(int(choices.choice(legal)))
        taken += 1
    return taken


@pytest.mark.parametrize(("players", "mode", "joint"), MODES)
def test_pettingzoo_api_and_seed_tests_pass(players, mode, joint):
    with warnings.catch_warnings():
        # About observations that are dicts, and names without a number.
        warnings.simplefilter("ignore", UserWarning)
        api_test(of_mode(players, mode, joint), num_cycles=300)
        seed_test(lambda: of_mode(players, mode, joint), num_cycles=100)


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_pettingzoo_render_test_passes(players, capsys):
    render_test(lambda render_mode: tenefyr_env.env(players=players, render_mode=render_mode))
    assert capsys.readouterr().out


def test_render_without_a_mode_warns():
    env = tenefyr_env.env()
    env.reset(seed=0)
    with pytest.warns(UserWarning, match="made without a render_mode"):
        assert env.render() is None


@pytest.mark.parametrize("encoder", list(_REGISTRY))
@pytest.mark.parametrize(("players", "mode", "joint"), MODES)
def test_every_mode_and_encoder_plays_a_full_game(players, mode, joint, encoder):
    env = of_mode(players, mode, joint, encoder=encoder)
    env.reset(seed=players)
    for number, agent in enumerate(env.agent_iter(max_iter=20_000)):
        observation, _, terminated, _, info = env.last()
        assert (observation["action_mask"] == info["action_mask"]).all()
        if number % 20 == 0:
            assert env.observation_space(agent).contains(observation)
        env.step(None if terminated else env.action_space(agent).sample(info["action_mask"]))
    assert env.game.is_over
    assert env.agents == []


@pytest.mark.parametrize(
    ("heroes", "agents"),
    [
        (["thief", "bard"], ["bard_thief"]),
        (["thief", "bard", "cleric", "barbarian"], ["bard_thief", "barbarian_cleric"]),
        (["thief", "bard", "cleric"], ["thief", "bard", "cleric"]),
        (["thief", "bard", "cleric", "barbarian"], ["thief", "bard", "cleric", "barbarian"]),
    ],
    ids=["1", "2", "3", "4"],
)
def test_agents_are_named_by_their_heroes_in_seat_order(heroes, agents, request):
    env = tenefyr_env.env(players=int(request.node.callspec.id), heroes=heroes)
    assert env.possible_agents == agents
    env.reset(seed=0)
    assert env.agents == agents


@pytest.mark.parametrize(("players", "count"), [(1, 6), (2, 6), (3, 4), (4, 4)])
def test_random_heroes_are_among_the_possible_agents(players, count):
    env = tenefyr_env.env(players=players)
    assert env.possible_agents == possible_agents(GameConfig(players=players))
    assert len(set(env.possible_agents)) == count
    seen = set()
    for seed in range(60):
        env.reset(seed=seed)
        assert len(set(env.agents)) == players
        assert [agent_heroes(a) for a in env.agents] == [
            {HEROES[i] for i in range(4) if int(bits) >> i & 1}
            for bits in env.game.state.heroes[:players]
        ]
        seen.update(env.agents)
    assert seen == set(env.possible_agents)


def agent_heroes(agent: str) -> set[str]:
    return set(agent.split("_"))


def test_all_agents_share_one_action_and_one_observation_space():
    env = tenefyr_env.env()
    spaces = {id(env.action_space(a)) for a in env.possible_agents}
    assert len(spaces) == 1
    assert len({id(env.observation_space(a)) for a in env.possible_agents}) == 1


def test_those_who_wait_see_a_valid_observation_and_may_do_nothing():
    env = tenefyr_env.env(players=4)
    env.reset(seed=3)
    for _ in range(60):
        for agent in env.agents:
            observation = env.observe(agent)
            assert env.observation_space(agent).contains(observation)
            acts = agent == env.agent_selection
            assert observation["action_mask"].any() == acts
            expected = env.game.state.legal if acts else np.zeros_like(env.game.state.legal)
            assert (observation["action_mask"] == expected).all()
            assert (env.infos[agent]["action_mask"] == expected).all()
        assert play(env, 3, decisions=1) == 1


def test_masks_belong_to_the_one_who_asked():
    env = tenefyr_env.env(players=3)
    env.reset(seed=0)
    legal = env.game.state.legal.copy()
    env.observe(env.agent_selection)["action_mask"][:] = 1
    env.infos[env.agent_selection]["action_mask"][:] = 1
    assert (env.game.state.legal == legal).all()


def test_the_full_state_tells_hidden_cards_apart():
    env = tenefyr_env.env(players=3)
    env.reset(seed=5)
    assert play(env, 5, decisions=30) == 30
    truth = env.state()
    assert truth.shape == (FULL.size,) == env.state_space.shape
    assert env.state_space.contains(truth)
    seat = env.agents.index(env.agent_selection)
    other = tenefyr_env.env(players=3)
    other.reset(options={"game": env.game.determinize(seat, 1)})
    agent = env.agent_selection
    assert (other.observe(agent)["observation"] == env.observe(agent)["observation"]).all()
    assert (other.state() != truth).any()
    deck = env.game.state.piles[0, 0, : env.game.state.pile_size[0, 0]]
    written = truth[FULL["seat 0: deck order"]][: len(deck)]
    assert (written == deck + 1).all()


def test_seeds_fix_the_game_and_those_without_follow_from_the_last():
    first, second = tenefyr_env.env(), tenefyr_env.env()
    for env in (first, second):
        env.reset(seed=9)
    assert first.game_seed == 9
    assert first.game.state_bytes() == Game.new(GameConfig(), 9).state_bytes()
    for env in (first, second):
        env.reset()
    assert first.game_seed == second.game_seed != 9
    assert first.game.state_bytes() == second.game.state_bytes()
    first.reset(seed=9)
    assert first.game.state_bytes() == Game.new(GameConfig(), 9).state_bytes()


def test_a_game_from_a_position_goes_on_there():
    game = scenario(GameConfig(players=3), boss_deck=["Kobold"])
    env = tenefyr_env.env(players=3)
    env.reset(options={"game": game})
    env.step("boss")
    assert game.state.num_decisions == 0  # the position itself stays
    assert env.game_seed is None
    for other in (GameConfig(players=2), GameConfig(players=3, mode="quick")):
        with pytest.raises(ValueError, match="another configuration"):
            env.reset(options={"game": Game.new(other, 0)})


def test_nothing_works_before_reset_and_the_error_says_so():
    env = tenefyr_env.env()
    with pytest.raises(RuntimeError, match="call reset first"):
        env.step(0)
    for use in (env.last, env.state, lambda: env.observe("thief"), lambda: env.rewards):
        with pytest.raises(AttributeError, match="call reset first"):
            use()
    assert list(env.agent_iter()) == []


def test_nothing_can_be_done_after_the_end():
    env = tenefyr_env.env(players=2, mode="quick")
    env.reset(seed=1)
    play(env, 1)
    with pytest.raises(ValueError, match="only valid action is None"):
        env.step(0)
    for _ in range(2):
        env.step(None)
    with pytest.raises(RuntimeError, match="call reset first"):
        env.step(None)
    env.reset(seed=2)
    assert len(env.agents) == 2


ILLEGAL = [-1, 10**6, 3, None, True, 1.0, "fly", "leave", np.float32(1), np.array([1]), [1]]


@pytest.mark.parametrize("action", ILLEGAL, ids=repr)
def test_an_illegal_action_raises_and_changes_nothing(action):
    env = tenefyr_env.env(players=3)
    env.reset(seed=4)
    before, books = env.game.state_bytes(), (env.agent_selection, dict(env.rewards))
    with pytest.raises(ValueError, match=r"action|fly"):
        env.step(action)
    assert env.game.state_bytes() == before
    assert (env.agent_selection, env.rewards) == books


@pytest.mark.parametrize("action", ILLEGAL, ids=repr)
def test_illegal_penalty_costs_the_whole_team_and_the_same_agent_chooses_again(action):
    env = tenefyr_env.env(players=3, illegal="penalty")
    env.reset(seed=4)
    agent, before = env.agent_selection, env.game.state_bytes()
    env.step(action)
    assert env.rewards == dict.fromkeys(env.agents, ILLEGAL_PENALTY)
    assert env.agent_selection == agent
    assert env.last()[0]["action_mask"].any()
    assert env.infos[agent]["action_mask"].any()
    assert env.game.state_bytes() == before
    assert not any(env.terminations.values())


@pytest.mark.parametrize("action", ILLEGAL, ids=repr)
def test_illegal_terminate_ends_the_game_for_all_and_the_next_is_clean(action):
    env = tenefyr_env.env(players=3, illegal="terminate")
    env.reset(seed=4)
    team, culprit = list(env.agents), env.agent_selection
    env.step(action)
    assert env.terminations == dict.fromkeys(team, True)
    assert env.truncations == dict.fromkeys(team, False)
    for agent in team:
        assert env.infos[agent]["illegal"] == culprit
        assert not env.observe(agent)["action_mask"].any()
    for _ in team:
        assert env.last()[1] == 0
        env.step(None)
    assert env.agents == []
    env.reset(seed=4)
    fresh = tenefyr_env.env(players=3)
    fresh.reset(seed=4)
    assert env.game.state_bytes() == fresh.game.state_bytes()
    assert (env.agents, env.agent_selection) == (fresh.agents, fresh.agent_selection)
    assert "illegal" not in env.infos[culprit]
    assert env.rewards == dict.fromkeys(team, 0.0)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"illegal": "ignore"}, "illegal 'ignore': accepted are raise, penalty, terminate"),
        ({"render_mode": "rgb_array"}, "render_mode 'rgb_array': accepted are None, ansi, human"),
        ({"reward": "dense"}, "reward 'dense': accepted are sparse, shaped"),
        ({"gamma": 1.5}, "gamma 1.5: accepted are 0 to 1"),
        ({"encoder": "flt"}, "did you mean 'flat'"),
        ({"config": GameConfig(), "players": 2}, "give one or the other"),
        ({"playrs": 2}, "did you mean 'players'"),
    ],
)
def test_wrong_options_are_named(options, text):
    with pytest.raises(ValueError, match=text):
        tenefyr_env.env(**options)


def test_illegal_action_is_the_games_own_error():
    env = tenefyr_env.env()
    env.reset(seed=0)
    with pytest.raises(IllegalAction, match=r"action 3 \(leave\) is not legal in decision"):
        env.step(3)
