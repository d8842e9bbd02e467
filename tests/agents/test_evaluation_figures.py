"""The figures of evaluations: intervals, differences, deals, teams and tables."""

import json
from dataclasses import replace

import numpy as np
import pytest

from agents.evaluation.cross_play import cross_play_of, cross_teams
from agents.evaluation.deals import DEAL_SETS, DEALS_IN_SET, DealError, deal_seeds
from agents.evaluation.figures import figures_of, paired_difference, rate_of, wilson
from agents.evaluation.plots import save_plots
from agents.evaluation.report import setting_name
from agents.evaluation.results import FAILED, LOST, WON, Failure, GameResult
from agents.evaluation.teams import TeamError, parse_team, split_teams
from tenefyr_env import GameConfig

HEROES = ("barbarian", "bard", "cleric", "thief")
BITS = np.array([[1, 2, 4, 8], [8, 4, 2, 1]])


def result(deal=0, outcome=LOST, **fields):
    made = GameResult(
        deal=deal, outcome=outcome, agents=("odds",) * 4, heroes=HEROES, boss="Dark Lord",
        decisions=(10, 20, 30, 40), redraws=(1, 2, 3, 4), loot=(4, 3, 2, 1),
        skill_uses=(5, 6, 7, 8), cleared=(1, 1, 0, 0, 0), combats_won=9, combats_lost=3,
        steps_left=0, boss_stages=2,
        lost_to="" if outcome == WON else "Dark Lord: The Black Throne",
        achievements=("A2",) if outcome == WON else (),
    )  # fmt: skip
    return replace(made, **fields)


def results(outcomes):
    return {deal: result(deal, outcome) for deal, outcome in enumerate(outcomes)}


# Intervals


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [  # Newcombe (1998), table I, method 3
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_the_interval_of_a_win_rate_is_wilsons(wins, games, low, high):
    assert wilson(wins, games) == pytest.approx((low, high), abs=5e-5)


def test_of_no_games_every_win_rate_is_possible():
    assert rate_of([]) == {"win_rate": None, "ci95": [0.0, 1.0], "games": 0}


def test_a_paired_difference_is_taken_deal_by_deal():
    ours, theirs = results([WON, WON, LOST, WON]), results([LOST, WON, LOST, LOST])
    found = paired_difference(ours, theirs)
    # Differences 1, 0, 0, 1: mean 1/2, standard error 1/sqrt(12).
    half = 1.959964 / np.sqrt(12)
    assert found["difference"] == 0.5
    assert found["ci95"] == pytest.approx([max(-1, 0.5 - half), min(1, 0.5 + half)], abs=1e-6)
    assert found["games"] == 4


def test_a_pair_with_a_failed_game_does_not_count():
    found = paired_difference(results([WON, FAILED, LOST]), results([WON, LOST, FAILED]))
    assert found["games"] == 1


# Figures


def test_failed_games_are_counted_and_left_out_of_the_win_rate():
    games = [(GameConfig(), each) for each in results([WON, LOST, FAILED, LOST]).values()]
    figures = figures_of(games)
    assert (figures["games"], figures["failed"]) == (3, 1)
    assert figures["win_rate"] == pytest.approx(1 / 3, abs=1e-6)


def test_means_and_breakdowns_of_games():
    games = [(GameConfig(), result(0, WON)), (GameConfig(), result(1, LOST))]
    figures = figures_of(games)
    assert figures["mean_decisions"] == 100
    assert figures["mean_dungeons_cleared"] == 2
    assert figures["mean_boss_stages"] == 2
    assert figures["achievements"]["A2"] == 0.5
    assert figures["lost_to"] == {"Dark Lord: The Black Throne": 1}
    assert figures["lost_at_stage"] == {"3": 1}
    assert figures["by_boss"]["Dark Lord"]["games"] == 2
    assert figures["by_hero"]["cleric"]["odds"]["mean_skill_uses"] == 7
    assert figures["by_seat"]["3"]["odds"]["mean_decisions"] == 40


def test_heroes_are_told_apart_by_the_agent_that_played_them():
    mixed = result(agents=("random", "odds", "odds", "odds"))
    figures = figures_of([(GameConfig(), mixed), (GameConfig(), result(1, WON))])
    assert figures["by_hero"]["barbarian"]["random"]["win_rate"] == 0
    assert figures["by_hero"]["barbarian"]["odds"]["win_rate"] == 1


def test_a_player_of_two_heroes_counts_for_both():
    pair = result(
        agents=("odds", "greedy"), heroes=("barbarian_thief", "bard_cleric"),
        decisions=(1, 2), redraws=(0, 0), loot=(0, 0),
    )  # fmt: skip
    by_hero = figures_of([(GameConfig(players=2), pair)])["by_hero"]
    assert {hero: list(agents) for hero, agents in by_hero.items()} == {
        "barbarian": ["odds"], "bard": ["greedy"], "cleric": ["greedy"], "thief": ["odds"],
    }  # fmt: skip


def test_a_result_survives_json():
    failed = result(outcome=FAILED, failure=Failure("odds", 2, "raised", (1, 2, 3)))
    for each in (failed, result(outcome=WON)):
        assert GameResult.from_dict(json.loads(json.dumps(each.to_dict()))) == each


# Deals


def test_deal_sets_have_no_deal_in_common():
    ranges = sorted((int(deal_seeds(name, 1)[0]), name) for name in DEAL_SETS)
    gaps = np.diff([first for first, _ in ranges])
    assert (gaps >= DEALS_IN_SET).all()
    last = deal_seeds(ranges[0][1], 1, first=DEALS_IN_SET - 1)[0]
    assert last < ranges[1][0]


def test_a_deal_keeps_its_seed_whatever_is_played_beside_it():
    assert deal_seeds("test", 10)[7] == deal_seeds("test", 3, first=5)[2]


@pytest.mark.parametrize("wrong", [("exam", 1, 0), ("test", 0, 0), ("test", 1, -1)])
def test_deals_that_are_in_no_set_are_refused(wrong):
    with pytest.raises(DealError, match="accepted"):
        deal_seeds(*wrong)


# Teams


def seated(spec, heroes=BITS):
    team = parse_team(spec)
    return [[team.agents[place] for place in row] for row in team.seating(heroes).tolist()]


def test_a_single_agent_plays_every_seat():
    assert seated("odds") == [["odds"] * 4] * 2


def test_a_team_by_seat_keeps_its_seats():
    assert seated("a+b+a+c") == [["a", "b", "a", "c"]] * 2


def test_a_team_by_hero_follows_its_heroes():
    assert seated("others=b+thief=a") == [["b", "b", "b", "a"], ["a", "b", "b", "b"]]


def test_a_player_of_two_heroes_has_the_agent_named_first():
    pairs = np.array([[0b1001, 0b0110]])
    assert seated("thief=a+barbarian=b+others=c", pairs) == [["a", "c"]]
    assert seated("barbarian=b+thief=a+others=c", pairs) == [["b", "c"]]


def test_commas_part_teams_but_not_the_options_of_an_agent():
    text = "random,search:rollouts=9,policy=odds,thief=search:rollouts=9,policy=odds+others=x,odds"
    assert split_teams(text) == [
        "random",
        "search:rollouts=9,policy=odds",
        "thief=search:rollouts=9,policy=odds+others=x",
        "odds",
    ]


@pytest.mark.parametrize(
    "spec",
    ["", "odds+", "thief=odds", "thief=+others=odds", "thief=a+b", "thief=a+thief=b+others=c"],
)
def test_a_team_that_is_not_whole_is_refused_by_name(spec):
    with pytest.raises(TeamError, match=r"team '.*'"):
        parse_team(spec)


def test_a_team_by_seat_must_fit_the_number_of_players():
    with pytest.raises(TeamError, match="2 agents for 4 players"):
        parse_team("a+b").check(GameConfig())


# Cross-play and pictures


class PlayedJob:
    def __init__(self, spec, config):
        self.team, self.config = parse_team(spec), config
        agents = self.team.seating(BITS[:1])[0]
        names = tuple(self.team.agents[place] for place in agents)
        self.results = [result(deal, WON if deal % 3 else LOST, agents=names) for deal in range(6)]


def test_cross_play_has_a_rate_for_every_hero_agent_and_partner():
    agents = ["random", "greedy", "odds"]
    jobs = [PlayedJob(spec, GameConfig()) for spec in cross_teams(agents)]
    assert len(jobs) == 3 + 4 * 3 * 2
    matrix = cross_play_of(jobs, agents)
    assert set(matrix) == {*HEROES, "all"}
    for rows in matrix.values():
        assert list(rows) == agents
        assert all(list(row) == agents for row in rows.values())
    assert matrix["thief"]["odds"]["greedy"]["games"] == 6
    assert matrix["all"]["odds"]["greedy"]["games"] == 24
    assert matrix["all"]["odds"]["odds"]["games"] == 6


def test_pictures_are_drawn_of_all_there_is(tmp_path):
    config = GameConfig()
    jobs = [PlayedJob(spec, config) for spec in cross_teams(["greedy", "odds"])]
    figures = figures_of([(config, each) for each in jobs[0].results])
    teams = {name: {**figures, "by_setting": {setting_name(config): figures}} for name in "ab"}
    found = {
        "deals": {"set": "test", "games": 6},
        "agents": teams,
        "cross_play": cross_play_of(jobs, ["greedy", "odds"]),
    }
    assert save_plots(found, tmp_path) == ["win_rates.png", "losses.png", "cross_play.png"]
    for picture in tmp_path.iterdir():
        assert picture.read_bytes().startswith(b"\x89PNG")
