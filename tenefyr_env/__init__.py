"""Heroes of Tenefyr, the cooperative deck-building board game, for reinforcement learning."""

from tenefyr_env.cards import CardError, CardSet, load_card_set
from tenefyr_env.config import ConfigError, GameConfig
from tenefyr_env.env import TenefyrEnv, env, raw_env
from tenefyr_env.game import Game, IllegalAction, InvalidPosition, PendingDecision
from tenefyr_env.gym_env import HeroEnv, PartyEnv
from tenefyr_env.gym_vector import HeroVectorEnv, PartyVectorEnv
from tenefyr_env.odds import Odds, odds
from tenefyr_env.parallel import ProcessBatch
from tenefyr_env.registration import register_envs
from tenefyr_env.replays import Replay, ReplayError, record_game, recording
from tenefyr_env.save_codecs import SaveError
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
    "HeroEnv",
    "HeroVectorEnv",
    "IllegalAction",
    "InvalidPosition",
    "Odds",
    "PartyEnv",
    "PartyVectorEnv",
    "PendingDecision",
    "ProcessBatch",
    "Replay",
    "ReplayError",
    "SaveError",
    "ScenarioError",
    "TenefyrEnv",
    "env",
    "load_card_set",
    "odds",
    "raw_env",
    "record_game",
    "recording",
    "scenario",
]

register_envs()
