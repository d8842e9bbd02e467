"""What a training run is: one YAML file, every field with a default, overridden by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from agents.learning.bundle import load_bundle
from agents.learning.networks import ENCODERS, FEW_HEADS, NETWORK_SIZES
from agents.registry import make_agent
from tenefyr_env.cards.compiler import load_card_set
from tenefyr_env.config import HERO_NAMES, ConfigError, GameConfig, load_yaml
from tenefyr_env.engine.batch import set_up_games
from tenefyr_env.engine.state import new_states
from tenefyr_env.gym_env import checked_hero
from tenefyr_env.rewards import REWARDS

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "configs" / "train"
Pair = tuple[float, float]
SOME_GAMES = 256  # that show which heroes can be in play


def _of(low: float, high: float, help: str, default: Any) -> Any:
    """A field that is a number in a range; of a pair, both are."""
    return field(default=default, metadata={"low": low, "high": high, "help": help})


@dataclass(frozen=True)
class TrainConfig:
    """A training run. Numbers are checked against the ranges given here."""

    name: str = "run"
    """The run's folder is `runs/train/<name>`."""

    games: Mapping[str, Any] = field(default_factory=dict)
    """Fields of `GameConfig`. A list of values, as in `players: [3, 4]`, shares the games out to
    all of them; heroes and boss are drawn anew for every game unless they are named."""

    hero: str | None = None
    """The only one who learns; without it all heroes do."""

    partners: Sequence[str] = ()
    """Agents in the other seats, drawn by lot for each seat."""

    strangers: float = _of(0, 1, "share of games with one hero among partners", 0.0)
    encoder: str = "flat"
    shared: bool = False
    """One network with a place for each hero, instead of one network for each."""

    sizes: Mapping[str, int] = field(default_factory=dict)
    """Sizes of the networks: see `networks.py`."""

    reward: str = "sparse"
    credit: Pair = _of(0, 1, "what a defeat earns if all but the last was beaten", (0.0, 0.0))
    gamma: float = _of(0, 1, "discount", 1.0)
    gae_lambda: float = _of(0, 1, "weight of far rewards in an advantage", 0.95)

    teacher: str | None = None
    """An agent whose games are learned from first."""

    lessons: int = _of(1, 1e6, "games of the teacher", 2000)
    lesson_epochs: int = _of(1, 1e3, "times they are gone through", 2)
    lesson_rate: float = _of(0, 1, "learning rate with the teacher", 1e-3)
    start_from: str | None = None
    """A bundle to go on from."""

    steps: int = _of(1, 1e12, "decisions to learn from", 10_000_000)
    rows: int = _of(1, 1e5, "games side by side", 1024)
    rollout: int = _of(1, 1e5, "decisions of each game between two updates", 64)
    batch: int = _of(2, 1e7, "decisions in a minibatch", 8192)
    epochs: int = _of(1, 100, "times each decision is learned from", 2)
    learning_rate: Pair = _of(0, 1, "from, to", (5e-4, 1e-4))
    entropy: Pair = _of(0, 10, "weight of the entropy: from, to", (0.005, 0.001))
    clip: float = _of(0, 10, "how far a policy may move in one update", 0.2)
    value_weight: float = _of(0, 100, "weight of the critics' loss", 0.5)
    max_grad_norm: float = _of(0, 1e3, "", 0.5)

    evaluate_every: int = _of(1, 1e12, "decisions between two evaluations", 1_000_000)
    evaluation_games: int = _of(1, 1e6, "of one evaluation, on validation deals", 400)
    final_games: int = _of(1, 1e6, "of the table at the end, on test deals", 2000)
    cross_games: int = _of(0, 1e6, "of each pair of the cross-play at the end", 100)
    checkpoint_minutes: float = _of(0, 1e6, "between two checkpoints", 1.0)
    seed: int = _of(0, 2**31 - 1, "", 0)
    threads: int = _of(0, 1024, "of torch; 0: as many as there are cores", 0)

    def __post_init__(self) -> None:
        for each in fields(self):
            object.__setattr__(self, each.name, self._checked(each, getattr(self, each.name)))
        self._check_choices()
        self.game_configs()

    def _checked(self, each: Any, value: Any) -> Any:
        """A field's value in its own type."""
        kind = each.type
        if each.metadata:
            return _number(each, value)
        if kind == "bool" and type(value) is not bool:
            raise refusal(each.name, value, ["true", "false"])
        if kind.startswith("str") and not isinstance(value, str):
            if value is None and "None" in kind:
                return None
            raise refusal(each.name, value, ["text"])
        if kind.startswith("Mapping"):
            if not isinstance(value, Mapping):
                raise refusal(each.name, value, ["names with their values"])
            return dict(value)
        if kind == "Sequence[str]":
            listed = [value] if isinstance(value, str) else value
            is_list = isinstance(listed, list | tuple)
            if not is_list or not all(isinstance(e, str) for e in listed):
                raise refusal(each.name, value, ["a list of agents"])
            return tuple(listed)
        return value

    def _check_choices(self) -> None:
        if not self.name[:1].isalnum() or not all(c.isalnum() or c in "_-." for c in self.name):
            raise refusal("name", self.name, ["letters, digits, and after them _ - ."])
        if self.hero is not None and self.hero not in HERO_NAMES:
            raise refusal("hero", self.hero, ["none", *HERO_NAMES])
        if self.encoder not in ENCODERS:
            raise refusal("encoder", self.encoder, ENCODERS)
        if self.reward not in REWARDS:
            raise refusal("reward", self.reward, REWARDS)
        known = NETWORK_SIZES["entities" if self.encoder == "entities" else "flat"]
        for name, size in self.sizes.items():
            if name not in known:
                raise ConfigError(unknown("sizes", name, known))
            if type(size) is not int or not 1 <= size <= 4096:
                raise refusal(f"sizes.{name}", size, ["1 to 4096"])
        if self.rows * self.rollout < 2:
            raise refusal("rows", self.rows, ["at least 2 decisions, rows times rollout"])
        if self.sizes.get("token_size", FEW_HEADS) % FEW_HEADS:
            raise refusal("sizes.token_size", self.sizes["token_size"], [f"times {FEW_HEADS}"])
        if self.partners and not self.strangers and not self.hero:
            raise refusal("strangers", self.strangers, ["more than 0, since there are partners"])
        if self.strangers and not self.partners:
            raise refusal("partners", list(self.partners), ["agents, since there are strangers"])

    def game_configs(self) -> list[GameConfig]:
        """The configurations that games are shared out to."""
        values = [
            value if isinstance(value, list) and name != "heroes" else [value]
            for name, value in self.games.items()
        ]
        if not all(values):
            raise refusal("games", dict(self.games), ["no empty list"])
        return [
            GameConfig.from_dict(dict(zip(self.games, some, strict=True)))
            for some in product(*values)
        ]

    @property
    def main_game(self) -> GameConfig:
        """The game that a run is judged by: the last that is listed."""
        return self.game_configs()[-1]

    def learners(self) -> tuple[str, ...]:
        """The heroes whose networks learn: a player of two heroes is known by the first."""
        if self.hero:
            return (self.hero,)
        found: set[int] = set()
        for config in self.game_configs():
            card_set = load_card_set(config.cards)
            states = new_states(SOME_GAMES)
            setup = config.to_setup(card_set.bosses)
            set_up_games(states, card_set.table, setup, np.arange(SOME_GAMES))
            bits = states["heroes"][:, : config.players].astype(np.int64)
            found |= set(np.log2(bits & -bits).astype(int).flatten().tolist())
        return tuple(HERO_NAMES[hero] for hero in sorted(found))

    def check_agents(self) -> None:
        """Refuse partners, teachers and bundles that do not fit, before anything has begun."""
        for name in (*self.partners, *([self.teacher] if self.teacher else [])):
            make_agent(name)
        for config in self.game_configs() if self.hero else []:
            checked_hero(self.hero, config)
        if self.hero and not self.partners and any(c.players > 1 for c in self.game_configs()):
            raise refusal("partners", list(self.partners), [f"agents to play with {self.hero}"])

        self._check_start()

    @property
    def start_path(self) -> Path:
        """Where the bundle to go on from lies; a relative path may be the repository's."""
        path = Path(self.start_from or "")
        return path if path.exists() else ROOT / path

    def _check_start(self) -> None:
        if self.start_from is None:
            return
        start = load_bundle(self.start_path)
        for name in ("encoder", "shared", "sizes"):
            theirs, ours = getattr(start, name), getattr(self, name)
            if theirs != ours:
                raise refusal(name, ours, [f"{theirs!r}, as in {self.start_from}"])
        if start.card_set != load_card_set(self.main_game.cards).hash:
            raise refusal("games.cards", self.main_game.cards, [f"those of {self.start_from}"])

    def to_dict(self) -> dict[str, Any]:
        """All fields as plain values."""
        return {each.name: _plain(getattr(self, each.name)) for each in fields(self)}

    @classmethod
    def from_dict(cls, values: Any) -> TrainConfig:
        """The run with these fields; the others keep their defaults."""
        if not isinstance(values, Mapping):
            raise ConfigError(f"training: {values!r} is not accepted; accepted: fields with values")
        names = [each.name for each in fields(cls)]
        for key in values:
            if key not in names:
                raise ConfigError(unknown("training", key, names))
        return cls(**values)

    def overridden(self, settings: Sequence[str]) -> TrainConfig:
        """The run with settings like `steps=1000000` or `games.players=[3, 4]`."""
        values = self.to_dict()
        for setting in settings:
            path, equals, text = setting.partition("=")
            if not equals:
                raise ConfigError(f"setting {setting!r}: accepted: field=value")
            try:
                value = yaml.safe_load(text)
            except yaml.YAMLError as error:
                raise ConfigError(f"setting {setting!r}: {error}") from error
            head, _, inner = path.partition(".")
            if inner and isinstance(values.get(head), dict):
                values[head][inner] = value
            else:
                values[path] = value
        return self.from_dict(values)


def load_config(name: str | Path) -> TrainConfig:
    """The run that a file describes, or one of configs/train by its name."""
    path = Path(name)
    if not path.suffix:
        path = FOLDER / f"{name}.yaml"
    if not path.is_file():
        shipped = sorted(each.stem for each in FOLDER.glob("*.yaml"))
        close = get_close_matches(str(name), shipped, n=1)
        hint = f"did you mean {close[0]!r}? " if close else ""
        raise ConfigError(f"{name}: no such file; {hint}accepted: {', '.join(shipped)}, or a path")
    try:
        values = load_yaml(path)
        return TrainConfig.from_dict({"name": path.stem, **(values or {})})
    except (ValueError, TypeError, OSError, yaml.YAMLError) as error:
        raise ConfigError(f"{path}: {error}") from error


def with_name(config: TrainConfig, name: str) -> TrainConfig:
    """The same run under another name."""
    return replace(config, name=name)


def refusal(name: str, value: object, accepted: Sequence[object]) -> ConfigError:
    """The error that names a field, its value and what is accepted."""
    listed = ", ".join(map(str, accepted))
    return ConfigError(f"{name}: {value!r} is not accepted; accepted: {listed}")


def unknown(where: str, key: object, names: Sequence[str]) -> str:
    """What is said of a key that does not exist."""
    close = get_close_matches(str(key), names, n=1)
    hint = f"did you mean {close[0]!r}? " if close else ""
    return f"{where}: unknown key {key!r}; {hint}accepted: {', '.join(names)}"


def _number(each: Any, value: Any) -> Any:
    """A number, or a pair of them, in the field's range."""
    low, high = each.metadata["low"], each.metadata["high"]
    if each.type == "Pair":
        pair = list(value) if isinstance(value, list | tuple) else [value, value]
        if len(pair) != 2:
            raise refusal(each.name, value, ["a number, or [from, to]"])
        return tuple(_in_range(each.name, number, low, high, float) for number in pair)
    return _in_range(each.name, value, low, high, int if each.type == "int" else float)


def _in_range(name: str, value: Any, low: float, high: float, kind: type) -> Any:
    is_number = type(value) is int or (kind is float and type(value) is float)
    if isinstance(value, str):
        raise refusal(name, value, [f"numbers {low:g} to {high:g} (YAML reads 1e-3 as 1.0e-3)"])
    if not is_number or not low <= value <= high:
        what = "whole numbers" if kind is int else "numbers"
        raise refusal(name, value, [f"{what} {low:g} to {high:g}"])
    return kind(value)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    return list(value) if isinstance(value, tuple) else value
