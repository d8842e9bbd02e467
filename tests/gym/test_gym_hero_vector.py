"""One hero a row, its partners played in batches: who is asked, rewards, ends, copies."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from gym_play import BOSS, SHORT, TABLES, last_turn, legal_rows, same, vector_story

from tenefyr_env import Game, GameConfig, HeroEnv, HeroVectorEnv, IllegalAction
from tenefyr_env.spaces.rows import FORFEIT

ROWS = 6


def first_legal(observations: Any, masks: Any, seats: Any) -> Any:
    """Partners whose play is easy to repeat."""
    return np.argmax(masks, axis=1)


def first_legal_of_one(observation: Any, mask: Any, info: dict[str, Any]) -> int:
    """The same for one game."""
    return int(np.argmax(mask))


@pytest.mark.parametrize("fields", TABLES)
def test_every_row_waits_for_the_hero(fields: dict[str, Any]) -> None:
    hero = fields["players"] - 1
    envs = HeroVectorEnv(ROWS, hero=hero, **fields)
    seen, infos = envs.reset(seed=2)
    rng = np.random.default_rng(0)
    for _ in range(60):
        assert (envs.batch.seats == hero).all()
        assert (infos["seat"] == hero).all()
        assert (seen["action_mask"] == envs.batch.states["legal"]).all()
        seen, _, _, _, infos = envs.step(legal_rows(seen["action_mask"], rng))


@pytest.mark.parametrize("reward", ["sparse", "shaped"])
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_a_rows_first_game_is_that_of_the_hero_env(players: int, reward: str) -> None:
    fields: dict[str, Any] = {"players": players, "reward": reward, **SHORT}
    envs = HeroVectorEnv(ROWS, partners=first_legal, **fields)
    singles = [HeroEnv(partners=first_legal_of_one, **fields) for _ in range(ROWS)]
    seen, _ = envs.reset(seed=20)
    for row, single in enumerate(singles):
        observation, _ = single.reset(seed=20 + row)
        assert (observation["observation"] == seen["observation"][row]).all()
    rng, open_rows = np.random.default_rng(0), set(range(ROWS))
    while open_rows:
        actions = legal_rows(seen["action_mask"], rng)
        seen, rewards, ended, _, infos = envs.step(actions)
        for row in sorted(open_rows):
            observation, reward_of_one, over, _, info = singles[row].step(int(actions[row]))
            assert rewards[row] == pytest.approx(reward_of_one, abs=1e-6)
            assert ended[row] == over
            shown = infos["final_obs"][row]["observation"] if over else seen["observation"][row]
            assert (shown == observation["observation"]).all()
            if over:
                assert infos["final_info"]["won"][row] == info["won"]
                open_rows.remove(row)


@pytest.mark.parametrize("reward", ["sparse", "shaped"])
@pytest.mark.parametrize("hero", [2, "bard"])
def test_a_games_rewards_sum_to_the_team_return(hero: int | str, reward: str) -> None:
    """With gamma 1 the shaping cancels out over a game, so both sum to the victory alone."""
    envs = HeroVectorEnv(64, hero=hero, reward=reward, difficulty="easy", mode="quick")
    seen, _ = envs.reset(seed=0)
    rng, sums, num_ends = np.random.default_rng(0), np.zeros(64), 0
    while num_ends < 300:
        seen, rewards, ended, _, infos = envs.step(legal_rows(seen["action_mask"], rng))
        sums += rewards
        if ended.any():
            won = infos["final_info"]["won"][ended].astype(float)
            assert sums[ended] == pytest.approx(won, abs=1e-5)
            sums[ended] = 0
            num_ends += int(ended.sum())


def test_a_hero_by_name_is_followed_to_its_seat() -> None:
    envs = HeroVectorEnv(32, hero="thief", **SHORT)
    seen, infos = envs.reset(seed=0)
    rng, num_ends = np.random.default_rng(0), 0
    while num_ends < 40:
        assert len(set(infos["seat"])) > 1
        heroes = envs.batch.states["heroes"][np.arange(32), infos["seat"]]
        assert len(set(heroes)) == 1
        seen, _, ended, _, infos = envs.step(legal_rows(seen["action_mask"], rng))
        num_ends += int(ended.sum())


def test_partners_see_their_own_seats_in_the_rows_that_wait_for_them() -> None:
    asked = set()

    def partners(observations: Any, masks: Any, seats: Any) -> Any:
        assert len(observations) == len(masks) == len(seats) <= ROWS
        rows = np.flatnonzero(envs.batch.seats != 1)
        expected = envs.batch.encoder.empty(len(rows))
        states = envs.batch.states[rows]
        envs.batch.encoder.encode(states, envs.batch.card_set.table, seats, expected)
        assert (observations == expected).all()
        asked.update(seats.tolist())
        return np.argmax(masks, axis=1)

    envs = HeroVectorEnv(ROWS, hero=1, partners=partners)
    seen, _ = envs.reset(seed=0)
    rng = np.random.default_rng(0)
    for _ in range(30):
        seen, *_ = envs.step(legal_rows(seen["action_mask"], rng))
    assert asked == {0, 2, 3}


def test_rows_that_wait_for_the_hero_are_left_as_they_are() -> None:
    envs = HeroVectorEnv(ROWS, hero=0, starting_player=0)
    envs.reset(seed=9)
    for row in range(ROWS):  # the starting player chooses first
        assert same(envs.batch.game(row), Game.new(GameConfig(starting_player=0), 9 + row))


def test_a_game_that_ends_before_the_hero_decides_is_left_out() -> None:
    def to_the_boss(observations: Any, masks: Any, seats: Any) -> Any:
        return np.where(masks[:, BOSS], BOSS, np.argmax(masks, axis=1))

    envs = HeroVectorEnv(3, players=2, partners=to_the_boss, reward="shaped", **SHORT)
    seen, _ = envs.reset(seed=0)
    step = envs.batch.step_some  # type: ignore[attr-defined]
    num_ends = 0

    def step_some(rows: Any, actions: Any) -> None:
        """Row 1 ends with the hero's action, and so does the game that follows it."""
        nonlocal num_ends
        is_hero = len(rows) == 3
        if is_hero:
            actions[1] = FORFEIT
        step(rows, actions)
        num_ends += int(envs.batch.ended[1]) if 1 in rows else 0
        if is_hero:
            envs.batch.set_game(1, last_turn())

    envs.batch.step_some = step_some  # type: ignore[attr-defined]
    _, rewards, ended, _, infos = envs.step(np.argmax(seen["action_mask"], axis=1))
    assert num_ends == 2
    assert ended[1]
    assert rewards[1] == 0
    assert envs._carried[1] == 0
    assert infos["seat"].tolist() == [0, 0, 0]
    assert infos["action_mask"][1].any()


def test_an_illegal_partner_is_named() -> None:
    def partners(observations: Any, masks: Any, seats: Any) -> Any:
        return np.argmin(masks, axis=1)

    envs = HeroVectorEnv(ROWS, hero=0, starting_player=1, partners=partners)
    with pytest.raises(IllegalAction, match="partner in seat 1: row 0: action"):
        envs.reset(seed=0)


@pytest.mark.parametrize("illegal", ["raise", "penalty", "terminate"])
def test_an_illegal_action_of_the_hero_is_treated_as_the_mode_says(illegal: str) -> None:
    envs = HeroVectorEnv(ROWS, illegal=illegal)
    seen, _ = envs.reset(seed=0)
    before = envs.batch.game(3)
    actions = legal_rows(seen["action_mask"], np.random.default_rng(0))
    actions[3] = np.flatnonzero(seen["action_mask"][3] == 0)[0]
    if illegal == "raise":
        with pytest.raises(IllegalAction, match="row 3: action"):
            envs.step(actions)
        assert same(envs.batch.game(3), before)
        return
    _, rewards, ended, _, _ = envs.step(actions)
    assert rewards[3] == pytest.approx(-0.1 if illegal == "penalty" else 0)
    assert ended[3] == (illegal == "terminate")
    assert same(envs.batch.game(3), before) == (illegal == "penalty")


def test_random_partners_follow_the_seed() -> None:
    envs, others = HeroVectorEnv(ROWS, **SHORT), HeroVectorEnv(ROWS, **SHORT)
    masks = envs.reset(seed=4)[0]["action_mask"]
    assert (others.reset(seed=4)[0]["action_mask"] == masks).all()
    assert vector_story(envs, masks, 1, 100) == vector_story(others, masks, 1, 100)


@pytest.mark.parametrize("way", ["deepcopy", "pickle"])
def test_a_copy_in_mid_game_goes_on_identically(way: str) -> None:
    envs = HeroVectorEnv(ROWS, reward="shaped", **SHORT)
    envs.reset(seed=5)
    vector_story(envs, envs.batch.masks.copy(), 1, 10)
    twin = copy.deepcopy(envs) if way == "deepcopy" else pickle.loads(pickle.dumps(envs))
    masks = envs.batch.masks.copy()
    assert vector_story(twin, masks, 2, 100) == vector_story(envs, masks, 2, 100)
