"""Runs: every configuration starts, a killed run goes on to the same curve, nothing is lost."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import torch
import yaml

from agents.learning import checkpoint
from agents.learning.algorithm import Clock, PartyPPO, make_env
from agents.learning.bundle import load_bundle
from agents.learning.checkpoint import CheckpointError
from agents.learning.config import FOLDER, TrainConfig, load_config
from agents.learning.run import Run

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts" / "train.py"
TINY = [
    "steps=256", "rows=12", "rollout=16", "batch=96", "lessons=2", "lesson_epochs=1",
    "evaluation_games=2", "threads=1",
]  # fmt: skip


def trained(values: dict[str, Any], folder: Path) -> Run:
    run = Run(TrainConfig.from_dict(values), folder)
    run.train(["test"], quiet=True)
    return run


def without_time(curve: list[dict[str, Any]]) -> list[dict[str, Any]]:
    kept = ("steps", "wins", "games", "rate", "training_rate")
    return [{key: entry[key] for key in kept} for entry in curve]


@pytest.mark.parametrize("name", sorted(path.stem for path in FOLDER.glob("*.yaml")))
def test_every_configuration_starts(name: str, tmp_path: Path) -> None:
    run = trained(load_config(name).overridden(TINY).to_dict(), tmp_path)
    assert run.is_finished
    assert load_bundle(run.best).heroes


@pytest.mark.parametrize(
    "values",
    [
        {"encoder": "entities", "sizes": {"width": 16, "head": 16, "token_size": 8}},
        {"shared": True},
        {"hero": "bard", "partners": ["greedy"], "games": {"players": 4}},
        {"partners": ["odds", "random"], "strangers": 0.5, "reward": "shaped"},
        {"games": {"players": [1, 2, 3, 4], "difficulty": ["easy", "hard"], "mode": "quick"}},
    ],
)
def test_every_way_to_learn_runs(
    values: dict[str, Any], small: dict[str, Any], tmp_path: Path
) -> None:
    run = trained({**small, **values, "steps": 512, "evaluate_every": 512}, tmp_path)
    assert [entry["steps"] for entry in run.curve] == [0, 512]


def test_the_frozen_partners_of_a_hero_learn_nothing(small: dict[str, Any], tmp_path: Path) -> None:
    first = trained({**small, "games": {"players": 4}, "steps": 512}, tmp_path / "first")
    second = trained(
        {
            **small,
            "games": {"players": 4},
            "hero": "cleric",
            "partners": [f"learned:bundle={first.best}"],
            "start_from": str(first.best),
        },
        tmp_path / "second",
    )
    assert load_bundle(second.best).heroes == ("cleric",)


def test_a_run_is_written_down(small: dict[str, Any], tmp_path: Path) -> None:
    run = trained(small, tmp_path)
    told = json.loads((tmp_path / "run.json").read_text())
    assert told["command"] == "test"
    assert set(told["versions"]) >= {"torch", "numba", "sb3-contrib"}
    assert told["commit"]
    assert TrainConfig.from_dict(yaml.safe_load((tmp_path / "config.yaml").read_text())) == (
        run.config
    )
    assert list((tmp_path / "tensorboard").iterdir())
    assert load_bundle(run.best).made["command"] == "test"
    assert run.clock["environment"] < run.clock["collecting"] < run.clock["all"]
    assert "decisions a second" in run.profile()


def test_the_same_seed_learns_the_same(small: dict[str, Any], tmp_path: Path) -> None:
    first, second = (trained(small, tmp_path / name) for name in "ab")
    assert without_time(first.curve) == without_time(second.curve)
    other = trained({**small, "seed": 1}, tmp_path / "c")
    weights = [load_bundle(run.best).weights for run in (first, second, other)]
    name = "bard.trunk.weight"
    assert torch.equal(weights[0][name], weights[1][name])
    assert not torch.equal(weights[0][name], weights[2][name])


def test_a_killed_run_goes_on_to_the_same_curve(small: dict[str, Any], tmp_path: Path) -> None:
    values = {
        **small, "steps": 12 * 512, "partners": ["random"], "strangers": 0.3,
        "checkpoint_minutes": 0, "evaluate_every": 512, "learning_rate": [1e-3, 1e-5],
    }  # fmt: skip
    whole = trained(values, tmp_path / "whole")
    config = tmp_path / "killed.yaml"
    config.write_text(yaml.safe_dump(values))
    command = [sys.executable, str(SCRIPT), str(config), "--out", str(tmp_path), "--no-report"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen([*command, "--quiet"], cwd=ROOT, **quiet)
    curve = tmp_path / "killed" / "curve.jsonl"
    wait_for(lambda: curve.exists() and len(curve.read_text().splitlines()) >= 4, process)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    killed = Run(TrainConfig.from_dict({**values, "name": "killed"}), tmp_path / "killed")
    assert not killed.is_finished
    done = subprocess.run([*command, "--quiet", "--resume"], cwd=ROOT, check=False, **quiet)
    assert done.returncode == 0
    assert without_time(killed.curve) == without_time(whole.curve)
    for name, weight in load_bundle(whole.best).weights.items():
        assert torch.equal(weight, load_bundle(killed.best).weights[name])


def wait_for(is_so: Any, process: subprocess.Popen[bytes]) -> None:
    """Until something is so, while the process lives."""
    limit = time.monotonic() + 240
    while not is_so():
        assert process.poll() is None
        assert time.monotonic() < limit
        time.sleep(0.01)


def test_an_older_run_is_not_written_over(small: dict[str, Any], tmp_path: Path) -> None:
    values = {**small, "name": "mine", "steps": 512}
    run = trained(values, tmp_path / "mine")
    before = {path: path.read_bytes() for path in run.folder.glob("*.*")}
    config = tmp_path / "mine.yaml"
    config.write_text(yaml.safe_dump(values))
    command = [sys.executable, str(SCRIPT), str(config), "--out", str(tmp_path), "--no-report"]
    for more, message in (
        ([], "has a run already"),
        (["--resume", "seed=5"], "was begun with seed 0, not 5"),
        (["stepps=5"], "did you mean 'steps'"),
        (["partners=[oods]", "strangers=0.5"], "did you mean 'odds'"),
    ):
        done = subprocess.run([*command, *more], capture_output=True, text=True, check=False)
        assert done.returncode == 2
        assert message in done.stderr
        assert len(done.stderr.strip().splitlines()) == 1
    assert before == {path: path.read_bytes() for path in run.folder.glob("*.*")}


def test_a_truncated_checkpoint_is_refused(small: dict[str, Any], tmp_path: Path) -> None:
    run = trained({**small, "steps": 512}, tmp_path)
    whole = run.checkpoint.read_bytes()
    run.checkpoint.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(CheckpointError, match="not a whole one"):
        Run(run.config, tmp_path).train(quiet=True)


def test_a_finished_run_can_be_resumed_and_changes_nothing(
    small: dict[str, Any], tmp_path: Path
) -> None:
    run = trained({**small, "steps": 512}, tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.glob("*.*")}
    Run(run.config, tmp_path).train(quiet=True)
    assert before == {path: path.read_bytes() for path in tmp_path.glob("*.*")}


def test_a_run_that_cannot_begin_leaves_no_folder(small: dict[str, Any], tmp_path: Path) -> None:
    values = {**small, "rows": 2, "games": {"players": [1, 2, 3, 4]}}
    with pytest.raises(ValueError, match="num_envs 2: accepted are numbers from 4"):
        trained(values, tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_a_last_minibatch_of_one_decision_does_no_harm(
    small: dict[str, Any], tmp_path: Path
) -> None:
    values = {**small, "rows": 8, "rollout": 16, "batch": 127, "steps": 256}
    weights = load_bundle(trained(values, tmp_path).best).weights
    assert all(weight.isfinite().all() for weight in weights.values())


def test_seeds_learn_from_other_games(small: dict[str, Any], tmp_path: Path) -> None:
    starts = []
    for seed in (0, 1):
        config = TrainConfig.from_dict({**small, "seed": seed})
        clock = Clock()
        env = make_env(config, clock)
        PartyPPO(config, env, clock)
        starts.append({row.tobytes() for row in env.reset()})
    assert not starts[0] & starts[1]


def test_a_checkpoint_of_other_cards_is_refused(
    small: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = trained({**small, "steps": 512}, tmp_path)
    monkeypatch.setattr(checkpoint, "known_by", lambda model: {"card set": "f" * 64})
    with pytest.raises(CheckpointError, match=r"card set was .*, and is ffffffffffff now"):
        Run(run.config, tmp_path).train(quiet=True)


def test_a_teacher_that_fails_is_named(small: dict[str, Any], tmp_path: Path) -> None:
    thief = tmp_path / "thief.safetensors"
    load_bundle(
        trained({**small, "games": {"players": 4}, "steps": 512}, tmp_path / "a").best
    ).only(["thief"]).save(thief)
    values = {**small, "games": {"players": 4}, "teacher": f"learned:bundle={thief}", "lessons": 2}
    with pytest.raises(ValueError, match="the bundle has thief only"):
        trained(values, tmp_path / "b")
