"""One hero with partners in Gymnasium: contract, partners, rewards, copies."""

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gym_play import BOSS, SHORT, TABLES, last_turn, legal, play_out
from gymnasium.utils.env_checker import check_env

from tenefyr_env import HeroEnv, IllegalAction

HEROES = ("cleric", "thief", "bard", "barbarian")


def to_the_boss(observation: Any, mask: Any, info: dict[str, Any]) -> int:
    """A partner who leads to the boss whenever that is possible."""
    return BOSS if mask[BOSS] else int(np.argmax(mask))


@pytest.mark.parametrize("fields", TABLES)
def test_hero_env_keeps_gymnasiums_contract(fields: dict[str, Any]) -> None:
    hero = fields["players"] - 1
    made = gymnasium.make("Tenefyr/Hero-v0", illegal="penalty", hero=hero, **fields)
    check_env(made.unwrapped)


@pytest.mark.parametrize("fields", TABLES)
def test_only_the_hero_is_asked(fields: dict[str, Any]) -> None:
    hero = HeroEnv(hero=fields["players"] - 1, **fields)
    _, info = hero.reset(seed=3)
    for _, _, agent, _ in play_out(hero, info, 3):
        assert agent == hero.agent == info["agent"]


def test_a_hero_by_name_is_found_in_every_game() -> None:
    hero = HeroEnv(hero="thief")
    seats = {hero.reset(seed=seed)[1]["seat"] for seed in range(12)}
    assert hero.agent == "thief"
    assert len(seats) > 1


@pytest.mark.parametrize("reward", ["sparse", "shaped"])
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_a_games_rewards_sum_to_the_team_return(reward: str, players: int) -> None:
    for seed in range(15):
        hero = HeroEnv(players=players, hero=seed % players, reward=reward, **SHORT)
        earned: list[float] = []
        watch(hero, earned)
        _, info = hero.reset(seed=seed)
        story = play_out(hero, info, seed)
        assert sum(part for _, part, _, _ in story) == pytest.approx(sum(earned))


def watch(hero: HeroEnv, earned: list[float]) -> None:
    """Note every reward of the team as the AEC env pays it."""
    pay = hero.aec._pay

    def noted(reward: float) -> None:
        earned.append(reward)
        pay(reward)

    hero.aec._pay = noted  # type: ignore[method-assign]


def test_what_partners_earn_before_the_first_decision_is_in_the_first_reward() -> None:
    hero = HeroEnv(players=4, hero=0, reward="shaped", difficulty="easy")
    for seed in range(200):
        _, info = hero.reset(seed=seed)
        if hero._carried:
            break
    carried = hero._carried
    assert carried
    earned: list[float] = []
    watch(hero, earned)
    reward = hero.step(legal(info["action_mask"], np.random.default_rng(0)))[1]
    assert reward == pytest.approx(carried + sum(earned))


def test_partners_by_seat_and_by_name_play_their_own_turns() -> None:
    asked: set[tuple[str, str, int]] = set()

    def partner(label: str) -> Any:
        def act(observation: Any, mask: Any, info: dict[str, Any]) -> int:
            assert (mask == info["action_mask"]).all()
            assert observation.shape == hero.aec.encoder.space.shape
            asked.add((label, info["agent"], info["seat"]))
            return int(np.flatnonzero(mask)[0])

        return act

    partners = {1: partner("one"), "bard": partner("two")}
    hero = HeroEnv(hero=0, heroes=HEROES, partners=partners)
    play_out(hero, hero.reset(seed=1)[1], 1)
    assert asked == {("one", "thief", 1), ("two", "bard", 2)}


def test_one_partner_for_all_may_answer_by_name() -> None:
    seats = set()

    def act(observation: Any, mask: Any, info: dict[str, Any]) -> str:
        seats.add(info["seat"])
        return str(hero.game.options()[-1])

    hero = HeroEnv(hero=2, partners=act)
    play_out(hero, hero.reset(seed=1)[1], 1)
    assert seats == {0, 1, 3}


def test_an_illegal_partner_is_named() -> None:
    def act(observation: Any, mask: Any, info: dict[str, Any]) -> int:
        return int(np.flatnonzero(mask == 0)[0])

    hero = HeroEnv(hero=0, heroes=HEROES, starting_player=1, partners=act, illegal="penalty")
    with pytest.raises(IllegalAction, match=r"partner 'thief': action .* is not legal"):
        play_out(hero, hero.reset(seed=1)[1], 1)


def test_random_partners_follow_the_seed() -> None:
    hero = HeroEnv(**SHORT)
    first = play_out(hero, hero.reset(seed=6)[1], 0)
    second = play_out(hero, hero.reset()[1], 0)
    assert play_out(hero, hero.reset(seed=6)[1], 0) == first
    assert play_out(hero, hero.reset()[1], 0) == second
    assert first != second


def test_a_game_that_ends_before_the_hero_decides_is_left_out() -> None:
    hero = HeroEnv(players=2, hero=0, partners=to_the_boss, **SHORT)
    begin, games = hero.aec.reset, []

    def reset(seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        begin(seed, options if games else {"game": last_turn()})
        games.append(hero.game)

    hero.aec.reset = reset  # type: ignore[method-assign]
    _, info = hero.reset(seed=0)
    assert [game.is_over for game in games] == [True, False]
    assert info["seat"] == 0
    assert info["action_mask"].any()


def test_a_position_that_ends_before_the_hero_decides_is_refused() -> None:
    hero = HeroEnv(players=2, hero=0, partners=to_the_boss, **SHORT)
    with pytest.raises(ValueError, match="reset option game: it has ended before"):
        hero.reset(options={"game": last_turn()})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"hero": 4}, "hero 4: accepted are seats 0 to 3"),
        ({"hero": "wizard"}, "hero 'wizard': accepted are barbarian"),
        ({"hero": "bard", "players": 3}, "hero 'bard': heroes are drawn at random"),
        ({"partners": {"wizard": print}}, "partners: 'wizard' is no agent or seat"),
    ],
)
def test_a_hero_or_partner_who_is_not_in_play_is_refused(
    options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        HeroEnv(**options)


@pytest.mark.parametrize("way", ["deepcopy", "pickle"])
def test_a_copy_in_mid_game_goes_on_identically_with_its_partners(way: str) -> None:
    hero = HeroEnv(reward="shaped", **SHORT)
    _, info = hero.reset(seed=4)
    info = hero.step(legal(info["action_mask"], np.random.default_rng(4)))[4]
    twin = copy.deepcopy(hero) if way == "deepcopy" else pickle.loads(pickle.dumps(hero))
    assert play_out(twin, info, 9) == play_out(hero, info, 9)
    assert play_out(twin, twin.reset()[1], 9) == play_out(hero, hero.reset()[1], 9)
