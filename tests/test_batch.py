"""Batches: every row is a game of its own, stepped as `Game` would step it."""

import copy
import pickle

import numpy as np
import pytest

from tenefyr_env import Batch, Game, GameConfig, IllegalAction
from tenefyr_env.engine.state import Outcome
from tenefyr_env.replays import state_hash
from tenefyr_env.rewards import PotentialReward

COUNT = 16
QUICK = GameConfig(players=3, mode="quick")
CONFIGS = [
    GameConfig(players=players, mode=mode, joint_choice=joint)
    for players in (1, 2, 3, 4)
    for mode in ("regular", "quick")
    for joint in ("leader", "vote")
]


@pytest.mark.parametrize("config", CONFIGS, ids=lambda c: f"{c.players}-{c.mode}-{c.joint_choice}")
def test_rows_are_single_games(config):
    batch = Batch(COUNT, config, seed=10)
    games = [Game.new(config, 10 + row) for row in range(COUNT)]
    choices = np.random.default_rng(1)
    is_first = np.ones(COUNT, bool)  # the row still plays the game of its own seed
    for _ in range(60):
        for row in np.flatnonzero(is_first):
            assert state_hash(batch.game(row)) == state_hash(games[row])
        actions = batch.random_actions(choices)
        for row in np.flatnonzero(is_first):
            games[row].step(int(actions[row]))
        batch.step(actions)
        for row in np.flatnonzero(is_first):
            assert batch.outcomes[row] == games[row].outcome
            assert batch.rewards[row] == (games[row].outcome == Outcome.WON)
        is_first &= ~batch.ended


def test_masks_seats_and_observations_are_those_of_the_rows():
    batch = Batch(COUNT, QUICK, seed=0)
    choices = np.random.default_rng(0)
    alone = batch.encoder.empty(1)
    for _ in range(200):
        for row in (0, COUNT - 1):
            game = batch.game(row)
            assert (batch.masks[row] == game.state.legal).all()
            assert batch.seats[row] == game.decision.seat
            seat = np.array([game.decision.seat])
            batch.encoder.encode(game.states, game.table, seat, alone)
            assert (batch.observations[row] == alone[0]).all()
        assert batch.masks.any(axis=1).all()
        batch.step(batch.random_actions(choices))


def test_a_finished_game_is_followed_by_another_in_the_same_step():
    batch = Batch(COUNT, QUICK, seed=0)
    choices = np.random.default_rng(0)
    ended, seeds = 0, set()
    for _ in range(600):
        batch.step(batch.random_actions(choices))
        for row in np.flatnonzero(batch.ended):
            game = batch.game(row)
            assert not game.is_over
            assert game.state.num_decisions == 0
            seeds.add(state_hash(game))
            ended += 1
        assert (batch.ended == (batch.outcomes != Outcome.OPEN)).all()
    assert ended > 2 * COUNT
    assert len(seeds) == ended  # no game comes twice


def test_final_observations_are_what_was_seen_last():
    batch = Batch(COUNT, QUICK, seed=0)
    choices = np.random.default_rng(0)
    before = batch.states.copy()
    while not batch.ended.any():
        before = batch.states.copy()
        actions = batch.random_actions(choices)
        batch.step(actions)
    rows = np.flatnonzero(batch.ended)
    found = batch.final_observations(rows)
    for index, row in enumerate(rows):
        game = Game(QUICK, batch.card_set, before[row : row + 1].copy())
        game.step(int(actions[row]))
        assert game.is_over
        out = batch.encoder.empty(1)
        batch.encoder.encode(game.states, game.table, np.zeros(1, np.int64), out)
        assert (found[index] == out[0]).all()


@pytest.mark.parametrize(
    ("spoil", "text"),
    [
        (lambda actions: np.where(np.arange(COUNT) == 5, -1, actions), "row 5: action -1"),
        (lambda actions: np.where(np.arange(COUNT) == 5, 10**6, actions), "row 5: action 1000000"),
        (lambda actions: np.where(np.arange(COUNT) == 5, 3, actions), r"row 5: action 3 \(leave\)"),
        (lambda actions: actions[:-1], r"actions of shape \(15,\): accepted is \(16,\)"),
        (lambda actions: actions + 0.5, "actions of type float64"),
        (lambda actions: actions > 0, "actions of type bool"),
    ],
)
def test_a_refused_step_changes_nothing(spoil, text):
    batch = Batch(COUNT, QUICK, seed=0)
    actions = batch.random_actions(np.random.default_rng(0))
    before = pickle.dumps(batch)
    with pytest.raises(IllegalAction, match=text):
        batch.step(spoil(actions))
    assert pickle.dumps(batch) == before


@pytest.mark.parametrize("gamma", [1.0, 0.9])
def test_shaped_rewards_are_those_of_single_games(gamma):
    batch = Batch(COUNT, QUICK, seed=3, reward="shaped", gamma=gamma)
    games = [Game.new(QUICK, 3 + row) for row in range(COUNT)]
    rewards = [PotentialReward("shaped", gamma) for _ in games]
    for game, reward in zip(games, rewards, strict=True):
        reward.start(game)
    choices = np.random.default_rng(3)
    is_first = np.ones(COUNT, bool)
    while is_first.any():
        actions = batch.random_actions(choices)
        batch.step(actions)
        for row in np.flatnonzero(is_first):
            games[row].step(int(actions[row]))
            expected = rewards[row].after_step(games[row], int(games[row].outcome))
            assert batch.rewards[row] == pytest.approx(expected, abs=1e-6)
        is_first &= ~batch.ended


def test_set_game_puts_a_position_into_a_row():
    batch = Batch(4, QUICK, seed=0, reward="shaped")
    game = Game.new(QUICK, 99)
    while game.state.combats_won < 3:
        game.step(game.decision.options[0])
    others = [state_hash(batch.game(row)) for row in (0, 1, 3)]
    batch.set_game(2, game)
    assert state_hash(batch.game(2)) == state_hash(game)
    assert [state_hash(batch.game(row)) for row in (0, 1, 3)] == others
    assert (batch.masks[2] == game.state.legal).all()
    assert batch.seats[2] == game.decision.seat
    reward = PotentialReward("shaped", 1.0)
    reward.start(game)
    actions = batch.random_actions(np.random.default_rng(0))
    game.step(int(actions[2]))
    batch.step(actions)
    assert batch.rewards[2] == pytest.approx(reward.after_step(game, int(game.outcome)), abs=1e-6)


def test_game_is_a_copy():
    batch = Batch(2, QUICK, seed=0)
    game = batch.game(1)
    game.step(game.decision.options[0])
    assert batch.states["num_decisions"].tolist() == [0, 0]


def test_rows_and_games_that_do_not_fit_are_refused():
    batch = Batch(2, QUICK, seed=0)
    for row in (-1, 2):
        with pytest.raises(IndexError, match=f"row {row}: accepted are 0 to 1"):
            batch.game(row)
        with pytest.raises(IndexError, match=f"row {row}: accepted are 0 to 1"):
            batch.set_game(row, Game.new(QUICK, 0))
    with pytest.raises(ValueError, match="another configuration"):
        batch.set_game(0, Game.new(GameConfig(players=2), 0))
    over = Game.new(QUICK, 0)
    while not over.is_over:
        over.step(over.decision.options[0])
    with pytest.raises(ValueError, match="the game is over"):
        batch.set_game(0, over)


@pytest.mark.parametrize("count", [0, -1, 1.5, "4"])
def test_a_wrong_count_is_named(count):
    with pytest.raises(ValueError, match=r"count .*: accepted are whole numbers from 1"):
        Batch(count)


@pytest.mark.parametrize("how", [copy.deepcopy, lambda b: pickle.loads(pickle.dumps(b))])
def test_a_copy_of_a_batch_goes_on_identically(how):
    batch = Batch(COUNT, QUICK, seed=5, reward="shaped")
    choices = np.random.default_rng(5)
    for _ in range(50):
        batch.step(batch.random_actions(choices))
    other = how(batch)
    assert not other.card_set.table.flags.writeable
    for _ in range(150):
        actions = batch.random_actions(choices)
        batch.step(actions)
        other.step(actions)
        for name in ("observations", "masks", "seats", "rewards", "outcomes"):
            assert (getattr(other, name) == getattr(batch, name)).all(), name


def test_reset_starts_all_games_anew():
    batch = Batch(COUNT, QUICK, seed=5)
    first = batch.observations.copy()
    choices = np.random.default_rng(5)
    for _ in range(300):
        batch.step(batch.random_actions(choices))
    batch.reset(5)
    assert (batch.observations == first).all()
    assert not batch.ended.any()
    assert not batch.rewards.any()
    batch.reset(6)
    assert state_hash(batch.game(0)) == state_hash(Game.new(QUICK, 6))


def test_random_actions_are_legal_even_when_the_lot_is_zero():
    class Zeros:
        def random(self, shape, dtype):
            return np.zeros(shape, dtype)

    batch = Batch(COUNT, QUICK, seed=5)
    actions = batch.random_actions(Zeros())
    assert batch.masks[np.arange(COUNT), actions].all()


def test_masks_cannot_be_written_by_a_user_not_even_after_a_copy():
    batch = Batch(2)
    for one in (batch, copy.deepcopy(batch), pickle.loads(pickle.dumps(batch))):
        with pytest.raises(ValueError, match="read-only"):
            one.masks[0, 0] = 1
        one.step(one.random_actions(np.random.default_rng(0)))
        assert (one.masks == one.states["legal"]).all()
