"""Heroes of Tenefyr, the cooperative deck-building board game, for reinforcement learning."""

from tenefyr_env.cards import CardError, CardSet, load_card_set
from tenefyr_env.config import ConfigError, GameConfig
from tenefyr_env.env import TenefyrEnv, env, raw_env
from tenefyr_env.game import Game, IllegalAction, InvalidPosition, PendingDecision
from tenefyr_env.scenario import ScenarioError, scenario
from tenefyr_env.vector import Batch

__version__ = "0.1.0"

__all__ = [
    "Batch",
    "CardError",
    "CardSet",
    "ConfigError",
    "Game",
    "GameConfig",
    "IllegalAction",
    "InvalidPosition",
    "PendingDecision",
    "ScenarioError",
    "TenefyrEnv",
    "env",
    "load_card_set",
    "raw_env",
    "scenario",
]
