"""A training run in a folder: lessons, PPO, evaluations, checkpoints, the best bundle, the curve.

config.yaml, game.yaml  the resolved configuration, and the game that the run is judged by
run.json                seed, versions, git commit, and the command
curve.jsonl             one line for each evaluation on validation deals
checkpoint.safetensors  to go on from
best.safetensors        the bundle that did best on validation deals
tensorboard/            for those who want every figure
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import torch
import yaml
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import configure
from tqdm import tqdm

from agents.evaluation.asking import Asker
from agents.evaluation.command_line import save_json, save_text
from agents.evaluation.deals import deal_seeds
from agents.evaluation.figures import wilson
from agents.evaluation.runner import Askers, play_games
from agents.learning.algorithm import Clock, PartyPPO, make_env
from agents.learning.bundle import Bundle, load_bundle
from agents.learning.checkpoint import load_checkpoint, save_checkpoint
from agents.learning.config import TrainConfig
from agents.learning.lessons import Lessons, TaughtGames, refuse_failures, seen_again, taught_games
from agents.learning.player import Learned
from agents.learning.policy import Party
from agents.learning.teaching import teach

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("numpy", "numba", "torch", "stable-baselines3", "sb3-contrib", "safetensors")
AGENT = "learned"
Figures = dict[str, Any]


class Run:
    """One training run and its folder."""

    def __init__(self, config: TrainConfig, folder: Path) -> None:
        self.config, self.folder = config, folder
        self.clock = Clock()
        self.checkpoint = folder / "checkpoint.safetensors"
        self.best = folder / "best.safetensors"
        self.curve_file = folder / "curve.jsonl"

    @property
    def is_begun(self) -> bool:
        """Whether there is something to go on from."""
        return self.checkpoint.exists()

    @property
    def curve(self) -> list[Figures]:
        """The evaluations so far."""
        if not self.curve_file.exists():
            return []
        lines = self.curve_file.read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines]

    @property
    def is_finished(self) -> bool:
        """Whether all steps have been learned from."""
        return bool(self.curve) and self.curve[-1]["steps"] >= self.config.steps

    def describe(self, made: Figures) -> None:
        """Write down what is run, and on what."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for name, values in (("config", self.config), ("game", self.config.main_game)):
            text = yaml.safe_dump(values.to_dict(), sort_keys=False)
            (self.folder / f"{name}.yaml").write_text(text, encoding="utf-8")
        save_json(self.folder / "run.json", made)

    def made(self, command: Sequence[str]) -> Figures:
        """By which command and with which versions heroes are made."""
        return {
            "command": " ".join(command),
            "seed": self.config.seed,
            "commit": git_commit(),
            "python": platform.python_version(),
            "versions": {name: version(name) for name in PACKAGES},
            "cores": os.cpu_count(),
        }

    def train(self, command: Sequence[str] = (), quiet: bool = False) -> None:
        """Train to the end, from the beginning or from the last checkpoint."""
        torch.set_num_threads(self.config.threads or os.cpu_count() or 1)
        with self.clock.on("all"):
            model = PartyPPO(self.config, make_env(self.config, self.clock), self.clock)
            watcher = Watcher(self, self.made(command), quiet)
            if self.is_begun:
                watcher.resume(load_checkpoint(self.checkpoint, model))
            else:
                self.describe(watcher.made)
                self.begin(model.policy.party, quiet)
            logs = configure(str(self.folder / "tensorboard"), ["tensorboard"])
            model.set_logger(logs)
            watcher.init_callback(model)
            left = self.config.steps - model.num_timesteps
            if left > 0:
                model.learn(left, callback=watcher, reset_num_timesteps=False)
            watcher.evaluate_last(model)
            logs.close()

    def begin(self, party: Party, quiet: bool) -> None:
        """What comes before the heroes' own games."""
        config = self.config
        if config.start_from:
            start = load_bundle(config.start_path)
            party.networks.load_state_dict(start.weights, strict=False)
        if config.teacher:
            with self.clock.on("lessons"):
                self.learn_lessons(party, quiet)

    def learn_lessons(self, party: Party, quiet: bool) -> None:
        """Watch a teacher's games, and learn to do as it does."""
        config = self.config
        assert config.teacher is not None
        with bar_of(config.lessons, " games", f"{config.teacher} plays", quiet) as bar:
            games = taught_games(
                config.teacher, config.game_configs(), config.lessons, config.seed, bar.update
            )
        with bar_of(100, " %", "lessons", quiet) as bar:
            agreed = teach(
                party,
                games,
                self.see,
                config.lesson_epochs,
                config.lesson_rate,
                config.seed,
                lambda share: bar.update(int(100 * share) - bar.n),
            )
            bar.set_postfix_str(f"{100 * agreed:.1f} % as the teacher", False)

    def see(self, games: TaughtGames) -> Lessons:
        """A teacher's games as the learners would have seen them, and been paid for."""
        config = self.config
        return seen_again(games, config.encoder, config.reward, config.gamma, config.credit[0])

    def evaluate(self, party: Party, deals: str, games: int) -> Figures:
        """How often the heroes win with what they know now."""
        askers = Askers()
        askers[AGENT] = Asker(AGENT, Learned.of_party(party))
        was_training = party.training
        party.eval()
        played = play_games(
            self.team(AGENT), self.config.main_game, deal_seeds(deals, games), askers=askers
        )
        party.train(was_training)
        refuse_failures(played)
        wins = sum(result.is_won for result in played.results)
        low, high = wilson(wins, games)
        return {"deals": deals, "games": games, "wins": wins, "rate": wins / games, "low": low,
                "high": high}  # fmt: skip

    def team(self, agent: str) -> str:
        """The party that is judged: all heroes, or one with its first partner."""
        if self.config.hero is None or not self.config.partners:
            return agent
        return f"{self.config.hero}={agent}+others={self.config.partners[0]}"

    def write_curve(self, entries: Sequence[Figures]) -> None:
        """Keep these evaluations, and no others."""
        save_text(self.curve_file, "".join(json.dumps(entry) + "\n" for entry in entries))

    def profile(self) -> str:
        """Where the time of a run went."""
        clock = self.clock
        collecting, learning = clock["collecting"], clock["learning"]
        training = collecting + learning
        rows = [
            ("environment: stepping, masks, observations", clock["environment"]),
            ("networks, while collecting", collecting - clock["environment"]),
            ("learning", learning),
        ]
        lines = [
            f"{what:<44} {each:8.1f} s {100 * each / max(training, 1e-9):6.1f} %"
            for what, each in rows
        ]
        parts = ("lessons", "evaluation", "checkpoints")
        rest = clock["all"] - training - sum(clock[part] for part in parts)
        lines.append(f"{'training':<44} {training:8.1f} s")
        for what, each in (
            ("lessons", clock["lessons"]),
            ("evaluation on validation deals", clock["evaluation"]),
            ("checkpoints", clock["checkpoints"]),
            ("the rest", rest),
        ):
            lines.append(f"{what:<44} {each:8.1f} s")
        if training:
            rate = clock["decisions"] / training
            lines.append(f"{rate:,.0f} decisions a second, collected and learned from")
        return "\n".join(lines)


class Watcher(BaseCallback):
    """Looks after a run between two rollouts: evaluations, checkpoints, the progress bar."""

    def __init__(self, run: Run, made: Figures, quiet: bool) -> None:
        super().__init__()
        self.run, self.made, self.quiet = run, made, quiet
        self.entries: list[Figures] = []
        self.next_evaluation = 0
        self.best_rate = -1.0
        self.earlier = 0.0  # seconds before the checkpoint
        self.began = time.monotonic()
        self.saved_at = time.monotonic()
        self.bar: Any = None

    def resume(self, told: Figures) -> None:
        """Go on from a checkpoint's values."""
        self.entries = told["curve"]
        self.next_evaluation, self.best_rate = told["next_evaluation"], told["best_rate"]
        self.earlier = told["seconds"]
        self.run.write_curve(self.entries)

    @property
    def seconds(self) -> float:
        """Since the run began, without what was between a stop and its resumption."""
        return self.earlier + time.monotonic() - self.began

    def _on_training_start(self) -> None:
        steps = self.run.config.steps
        self.bar = bar_of(steps, " decisions", self.run.config.name, self.quiet)
        self.bar.update(self.model.num_timesteps)
        self._steps_before = self.model.num_timesteps

    def _on_rollout_start(self) -> None:
        """The policy has been trained and the games stand still: time to look at both."""
        if self.model.num_timesteps >= self.next_evaluation:
            self.evaluate()
            self.next_evaluation = self.model.num_timesteps + self.run.config.evaluate_every
        minutes = (time.monotonic() - self.saved_at) / 60
        if not self.run.is_begun or minutes >= self.run.config.checkpoint_minutes:
            with self.run.clock.on("checkpoints"):
                self.save()

    def _on_step(self) -> bool:
        return True

    def _on_rollout_end(self) -> None:
        self.bar.update(self.model.num_timesteps - self.bar.n)
        self.bar.set_postfix_str(self.news(), False)

    def _on_training_end(self) -> None:
        self.run.clock["decisions"] += self.model.num_timesteps - self._steps_before
        self.bar.close()

    def news(self) -> str:
        """How the heroes do, in a few words."""
        recent = self.model.ep_success_buffer
        words = [f"wins {100 * np.mean(recent):.1f} % in training"] if recent else []
        if self.entries:
            last = self.entries[-1]
            words.append(
                f"{100 * last['rate']:.1f} % ({100 * last['low']:.1f} to"
                f" {100 * last['high']:.1f}) on validation deals"
            )
        return ", ".join(words)

    def evaluate(self) -> None:
        """Play validation deals, and keep the best bundle."""
        config, model = self.run.config, self.model
        with self.run.clock.on("evaluation"):
            figures = self.run.evaluate(model.policy.party, "validation", config.evaluation_games)
        recent = model.ep_success_buffer
        entry = {
            "steps": model.num_timesteps,
            **figures,
            "training_rate": float(np.mean(recent)) if recent else None,
            "seconds": round(self.seconds, 1),
        }
        self.entries.append(entry)
        self.run.write_curve(self.entries)
        for name in ("rate", "low", "high"):
            model.logger.record(f"validation/{name}", figures[name])
        if figures["rate"] > self.best_rate:
            self.best_rate = figures["rate"]
            self.keep(figures, model.num_timesteps)

    def keep(self, figures: Figures, steps: int) -> None:
        """Save the heroes of now as the best."""
        config = self.run.config
        game = config.main_game.to_dict()
        score = {**figures, "steps": steps, "team": self.run.team(AGENT), "game": game}
        Bundle.of(
            self.model.policy.party,
            config.learners(),
            config.main_game.cards,
            config=config.to_dict(),
            scores=[score],
            made=self.made,
        ).save(self.run.best)

    def save(self) -> None:
        """Write a checkpoint."""
        values = {
            "curve": self.entries,
            "next_evaluation": self.next_evaluation,
            "best_rate": self.best_rate,
            "seconds": self.seconds,
        }
        save_checkpoint(self.run.checkpoint, self.model, values)
        self.saved_at = time.monotonic()

    def evaluate_last(self, model: PartyPPO) -> None:
        """The last evaluation of a run, unless there is one of these weights already."""
        if not self.entries or self.entries[-1]["steps"] < model.num_timesteps:
            self.evaluate()
            model.logger.dump(model.num_timesteps)
            self.save()


def bar_of(total: int, unit: str, name: str, quiet: bool) -> Any:
    """A progress bar on the terminal, or a line in a log now and then."""
    pause = 0.2 if sys.stderr.isatty() else 30.0
    return tqdm(
        total=total, unit=unit, unit_scale=total > 10_000, desc=name, disable=quiet,
        mininterval=pause, maxinterval=pause, dynamic_ncols=True,
    )  # fmt: skip


def git_commit() -> str:
    """The commit of the sources, with a mark if they were changed since."""
    try:
        done = subprocess.run(
            ["git", "describe", "--always", "--dirty", "--abbrev=40"],
            cwd=ROOT, capture_output=True, text=True, timeout=10, check=True,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return "unknown"
    return done.stdout.strip()
