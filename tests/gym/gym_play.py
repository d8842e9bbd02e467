"""Shorthands of the Gymnasium tests: the configurations they run over, and random legal play."""

from itertools import product
from typing import Any

import numpy as np
import pytest

from tenefyr_env import Game, GameConfig, scenario
from tenefyr_env.cards import load_card_set
from tenefyr_env.engine.words import parse_action

TABLES = [
    pytest.param(
        {"players": players, "mode": mode, "joint_choice": joint},
        id=f"{players}-{mode}-{joint}",
    )
    for players, mode, joint in product((1, 2, 3, 4), ("regular", "quick"), ("leader", "vote"))
]
BOSS = parse_action("boss", load_card_set("tenefyr"))
SHORT: dict[str, Any] = {"mode": "quick", "difficulty": "hard"}  # games of few decisions


def same(game: Game, other: Game) -> bool:
    """The same position, field by field."""
    return bool((game.states == other.states).all())


def last_turn() -> Game:
    """Two empty-handed players: if seat 1 leads to the boss now, all is lost at once."""
    return scenario(GameConfig(players=2, **SHORT), decks={0: [], 1: []}, starter=1, steps_left=1)


def legal(mask: Any, rng: np.random.Generator) -> int:
    """A random legal action."""
    return int(rng.choice(np.flatnonzero(mask)))


def legal_rows(masks: Any, rng: np.random.Generator) -> Any:
    """A random legal action in every row."""
    return np.argmax(masks * (1 - rng.random(masks.shape)), axis=1)


def play_out(env: Any, info: dict[str, Any], seed: int) -> list[tuple[bytes, float, str, int]]:
    """Random legal play to the end: what was seen and earned, by whom, with which action."""
    rng = np.random.default_rng(seed)
    story, over = [], False
    while not over:
        action = legal(info["action_mask"], rng)
        observation, reward, over, truncated, info = env.step(action)
        assert not truncated
        assert (observation["action_mask"] == info["action_mask"]).all()
        story.append((observation["observation"].tobytes(), reward, info["agent"], action))
    return story


def vector_story(env: Any, masks: Any, seed: int, steps: int) -> list[tuple[bytes, ...]]:
    """Random legal play for some steps: all that was returned, as bytes."""
    rng = np.random.default_rng(seed)
    story = []
    for _ in range(steps):
        seen, rewards, ended, _, infos = env.step(legal_rows(masks, rng))
        masks = seen["action_mask"].copy()
        story.append(
            (
                seen["observation"].tobytes(),
                masks.tobytes(),
                rewards.tobytes(),
                ended.tobytes(),
                infos["seat"].tobytes(),
            )
        )
    return story
