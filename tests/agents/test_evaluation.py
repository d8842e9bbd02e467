"""Evaluations as they are run: the same results everywhere, and agents that misbehave."""

import importlib.util
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from players_for_tests import BAD_DECISION

from agents.evaluation.deals import deal_seeds
from agents.evaluation.jobs import Deals, Job, run_jobs
from agents.evaluation.results import FAILED
from agents.evaluation.runner import play_games
from agents.evaluation.teams import parse_team
from tenefyr_env import Game, GameConfig
from tenefyr_env.replays import Replay

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "scripts" / "evaluate.py"
MIXED = "players_for_tests:Dice+random+players_for_tests:First+random"
LIMIT = 1.5  # seconds


def load_script():
    spec = importlib.util.spec_from_file_location("evaluate", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


evaluate = load_script()


def run(folder, *arguments):
    return evaluate.main([*arguments, "--out", str(folder)])


def bad_deals(config, deals):
    """The deals in which the agents of `players_for_tests` misbehave."""
    return [deal for deal in map(int, deals) if Game.new(config, deal).state.boss == 0]


# The games


def test_a_game_does_not_depend_on_what_is_played_beside_it():
    deals = deal_seeds("train", 12)
    together = play_games(MIXED, GameConfig(), deals)
    alone = [play_games(MIXED, GameConfig(), [deal]).results[0] for deal in deals]
    assert together.results == alone


def test_asking_one_by_one_changes_nothing():
    deals = deal_seeds("train", 8)
    assert (
        play_games("random", None, deals, singly=True).results
        == play_games("random", None, deals).results
    )


def test_every_game_can_be_replayed():
    played = play_games(MIXED, GameConfig(players=4), deal_seeds("train", 3))
    for index in range(3):
        assert played.replay(index).final() == played.game(index)
        assert sum(played.results[index].decisions) == len(played.actions[index])


def test_every_number_of_players_and_mode_is_played():
    for config in (
        GameConfig(players=1),
        GameConfig(players=2, joint_choice="vote"),
        GameConfig(players=3),
        GameConfig(mode="quick"),
    ):
        for result in play_games(
            "thief=random+others=players_for_tests:Dice", config, [1, 2]
        ).results:
            assert len(result.agents) == len(result.heroes) == config.players
            assert result.lost_to or result.is_won


# Agents that misbehave


@pytest.mark.parametrize(
    ("agent", "message"),
    [
        ("Raising", "raised RuntimeError: out of ideas"),
        ("Illegal", "action 1000 is not legal; legal: "),
        ("Halves", "accepted are whole numbers"),
    ],
)
def test_an_agent_that_misbehaves_fails_its_own_game_only(agent, message):
    config, deals, name = GameConfig(), deal_seeds("train", 12), f"players_for_tests:{agent}"
    results = play_games(name, config, deals).results
    failed = {result.deal: result for result in results if result.outcome == FAILED}
    assert list(failed) == bad_deals(config, deals)
    for result in failed.values():
        assert result.failure.agent == name
        assert message in result.failure.message
        assert len(result.failure.actions) == BAD_DECISION
    well = play_games(
        "players_for_tests:" + ("First" if agent == "Halves" else "Dice"), config, deals
    )
    kept = {each.deal: each.decisions for each in well.results if each.deal not in failed}
    assert kept == {each.deal: each.decisions for each in results if each.deal not in failed}


def test_a_batch_that_fails_as_a_whole_is_asked_row_by_row():
    deals = deal_seeds("train", 4)
    answered = play_games("players_for_tests:WrongShape", None, deals)
    assert answered.actions == play_games("players_for_tests:Dice", None, deals).actions


@pytest.mark.parametrize(
    ("agent", "message"),
    [
        ("Hanging", f"gave no answer within {LIMIT:g} s"),
        ("Deadly", "ended its process (exit code 7)"),
    ],
)
def test_an_agent_that_takes_its_process_along_is_found_and_the_others_go_on(
    agent, message, tmp_path
):
    config = GameConfig()
    some = deal_seeds("train", 100)
    bad, next_bad, *_ = bad_deals(config, some)
    deals = Deals("train", min(4, next_bad - bad), first=bad - int(some[0]))
    (tmp_path / "games").mkdir()
    names = [f"players_for_tests:{agent}", "random"]
    jobs = [Job(parse_team(name), config, deals, tmp_path) for name in names]
    run_jobs(jobs, 1, LIMIT, lambda job, results: None)
    failed = [result for result in jobs[0].results if result.is_failed]
    assert [result.deal for result in failed] == [bad]
    assert failed[0].failure.agent == names[0]
    assert failed[0].failure.message == message
    replay = Replay.load(tmp_path / jobs[0].replay_path(failed[0]))
    assert replay.final().state.num_decisions == BAD_DECISION
    assert [len(job.results) for job in jobs] == [deals.count, deals.count]
    assert not any(result.is_failed for result in jobs[1].results)


def test_a_failed_game_is_reported_with_its_replay(tmp_path, capfd):
    agents = "players_for_tests:Raising,players_for_tests:Chatty"
    assert run(tmp_path, "--agents", agents, "--games", "6", "--json", "--deals", "train") == 0
    printed = capfd.readouterr()
    found = json.loads(printed.out)  # and nothing that an agent prints
    config = GameConfig()
    assert [each["deal"] for each in found["failures"]] == bad_deals(config, deal_seeds("train", 6))
    for each in found["failures"]:
        assert each["agent"] == "players_for_tests:Raising"
        assert Replay.load(tmp_path / each["replay"]).final().state.num_decisions == BAD_DECISION
        assert f"FAILED: agent {each['agent']} " in printed.err
    assert found["agents"]["players_for_tests:Raising"]["failed"] == len(found["failures"])
    assert found["agents"]["players_for_tests:Chatty"]["games"] == 6


# The same bytes


def test_same_deals_same_bytes_in_one_process_in_two_and_resumed(tmp_path):
    command = ["--agents", f"random,{MIXED}", "--games", "30", "--difficulty", "easy,hard"]
    for folder, workers in (("one", "1"), ("two", "2")):
        assert run(tmp_path / folder, *command, "--workers", workers) == 0
    expected = (tmp_path / "one" / "results.json").read_bytes()
    assert (tmp_path / "two" / "results.json").read_bytes() == expected

    (tmp_path / "one" / "results.json").unlink()
    files = list((tmp_path / "one" / "games").iterdir())
    assert len(files) == 4
    for file in files:
        whole = file.read_bytes()
        file.write_bytes(whole[: len(whole) * 2 // 3])  # as if it had been cut off in a line
    assert run(tmp_path / "one", *command, "--workers", "2") == 0
    assert (tmp_path / "one" / "results.json").read_bytes() == expected


def test_finished_games_are_not_played_again(tmp_path, monkeypatch):
    command = ["--agents", "random", "--games", "5", "--workers", "1"]
    assert run(tmp_path, *command) == 0
    monkeypatch.setattr("agents.evaluation.jobs.Crew", None)  # no more workers
    assert run(tmp_path, *command) == 0
    assert run(tmp_path, "--agents", "random", "--games", "3", "--seed", "2") == 0


def test_an_interrupted_run_keeps_what_is_finished(tmp_path):
    command = [sys.executable, SCRIPT, "--agents", "random", "--games", "1000000", "--workers", "1"]
    process = subprocess.Popen(
        [*command, "--out", tmp_path], stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    deadline = time.monotonic() + 60
    while not any((tmp_path / "games").glob("*.jsonl")) and time.monotonic() < deadline:
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)  # as Ctrl-C does
    _, errors = process.communicate(timeout=180)
    assert process.returncode == 130
    kept = re.search(r"interrupted: ([\d,]+) of 1,000,000 games are kept in (\S+);", errors)
    assert kept is not None, errors
    assert int(kept[1].replace(",", "")) > 0
    assert "Traceback" not in errors
    assert not (tmp_path / "results.json").exists()


# The command


def test_the_json_has_what_was_promised(tmp_path, capfd):
    command = ["--agents", "random,thief=random+others=greedy", "--games", "8", "--json", "--plots"]
    assert run(tmp_path, *command, "--players", "3,4", "--mode", "regular,quick") == 0
    found = json.loads(capfd.readouterr().out)
    assert list(found["agents"]) == ["random", "thief=random+others=greedy"]
    for name, figures in found["agents"].items():
        assert {
            "win_rate", "ci95", "games", "failed", "mean_decisions", "ms_per_decision",
            "mean_dungeons_cleared", "mean_boss_stages", "achievements", "by_boss", "by_hero",
            "by_seat", "by_difficulty", "by_players", "by_mode", "by_setting", "paired",
        } <= set(figures)  # fmt: skip
        assert figures["games"] == 32
        assert set(figures["paired"]) == set(found["agents"]) - {name}
        assert set(figures["by_players"]) == {"3", "4"}
        assert len(figures["by_setting"]) == 4
    saved = json.loads((tmp_path / "results.json").read_text())
    assert "ms_per_decision" not in json.dumps(saved)
    assert {"win_rates.png", "losses.png", "timing.json"} <= {
        each.name for each in tmp_path.iterdir()
    }


def test_a_team_that_sees_hidden_cards_is_marked(tmp_path, capfd):
    command = ["--agents", "random,bard=players_for_tests:Peeking+others=random", "--games", "2"]
    assert run(tmp_path, *command) == 0
    assert capfd.readouterr().out.count("(sees hidden cards)") == 1
    agents = json.loads((tmp_path / "results.json").read_text())["agents"]
    assert [figures["is_oracle"] for figures in agents.values()] == [False, True]


def test_the_table_of_cross_play_names_heroes_and_agents(tmp_path, capfd):
    command = ["--agents", "random,players_for_tests:Dice", "--cross-play", "--games", "2"]
    assert run(tmp_path, *command) == 0
    printed = capfd.readouterr().out
    assert "thief, among" in printed
    assert "normal, 4 players" in printed
    assert set(json.loads((tmp_path / "results.json").read_text())["cross_play"]["thief"]) == {
        "random", "players_for_tests:Dice",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--agents", "oods"], ["agent 'oods'", "did you mean 'odds'", "accepted"]),
        (["--agents", "random:luck=7"], ["agent 'random:luck=7'"]),
        (["--agents", "players_for_tests:Unmakeable"], ["Unmakeable", "KeyError", "weights"]),
        (["--agents", "random,"], ["team ''", "accepted"]),
        (["--agents", "thief=random"], ["team 'thief=random'", "barbarian"]),
        (["--agents", "random+random"], ["2 agents for 4 players"]),
        (
            ["--agents", "random+random+random+random", "--cross-play"],
            ["cross-play", "accepted: single agents"],
        ),
        (["--agents", "random", "--difficulty", "brutal"], ["difficulty", "'brutal'", "easy"]),
        (["--agents", "random", "--players", "5"], ["players", "5", "accepted: 1, 2, 3, 4"]),
        (["--agents", "random", "--players", "two"], ["players", "'two'", "accepted"]),
        (["--agents", "random", "--boss", "Gandalf"], ["boss", "'gandalf'", "Dark Lord"]),
        (["--agents", "random", "--deals", "exam"], ["deals 'exam'", "train"]),
        (["--agents", "random", "--seed", "-1"], ["seed -1", "accepted"]),
        (["--agents", "random", "--config", "no_such.yaml"], ["no_such.yaml"]),
    ],
)
def test_bad_input_is_refused_in_one_line_before_anything_is_written(
    arguments, named, tmp_path, capfd
):
    assert run(tmp_path / "out", *arguments) == 2
    printed = capfd.readouterr()
    assert printed.out == ""
    assert len(printed.err.splitlines()) == 1
    for text in named:
        assert text in printed.err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("arguments", [["--games", "0"], ["--limit", "never"], ["--nonsense"]])
def test_options_that_are_no_numbers_are_refused_in_one_line(arguments, tmp_path, capfd):
    with pytest.raises(SystemExit) as left:
        run(tmp_path, "--agents", "random", *arguments)
    assert left.value.code == 2
    assert len(capfd.readouterr().err.splitlines()) == 1


def test_a_folder_that_cannot_be_written_is_refused(tmp_path, capfd):
    (tmp_path / "file").write_text("mine")
    assert run(tmp_path / "file" / "out", "--agents", "random") == 2
    assert f"--out '{tmp_path / 'file' / 'out'}'" in capfd.readouterr().err
    assert (tmp_path / "file").read_text() == "mine"
