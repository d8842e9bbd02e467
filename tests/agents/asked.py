"""Agents asked about positions, for the tests of the players.

game = combat(set_with(), "Foe 1a", [["Basic 1"], ["Basic 0"]])
assert answer("greedy", game) == "keep"
"""

from collections.abc import Iterator
from inspect import signature

import numpy as np

from agents.agent import NO_OBSERVATION, Agent, Turns, turns_of
from agents.registry import agent_names, make_agent
from tenefyr_env.config import GameConfig
from tenefyr_env.game import Game
from tenefyr_env.spaces.encoders import make_encoder

SCRIPTED = ("greedy", "careful", "looter", "quick", "odds")  # those that think
MODES = {
    "solo": GameConfig(players=1),
    "two quick": GameConfig(players=2, mode="quick"),
    "two asked everything": GameConfig(players=2, take_single_options=False),
    "three vote": GameConfig(players=3, joint_choice="vote"),
    "three without absent heroes": GameConfig(players=3, remove_absent_heroes=True),
    "four": GameConfig(players=4),
    "four quick vote": GameConfig(players=4, mode="quick", joint_choice="vote"),
    "four open hands": GameConfig(players=4, hands="open"),
}


def is_searching(name: str) -> bool:
    """Whether an agent plays out games, so that its time goes with their number."""
    return "rollouts" in signature(type(make_agent(name))).parameters


def small(name: str) -> str:
    """A registered agent with a budget that tests can afford."""
    return f"{name}:rollouts=2" if is_searching(name) else name


REGISTERED = [small(name) for name in agent_names()]
HONEST = [name for name in REGISTERED if not make_agent(name).is_oracle]


def turns_for(agent: Agent, games: list[Game], deals: list[int] | None = None) -> Turns:
    """The pending decisions of games of one configuration, as this agent is given them."""
    states = np.concatenate([game.states for game in games])
    numbers = np.arange(len(games)) if deals is None else np.array(deals)
    return turns_of(states, games[0].config, games[0].card_set, numbers, agent.is_oracle)


def observations_for(agent: Agent, turns: Turns):
    """What the agent wants to observe, or None."""
    if agent.encoder == NO_OBSERVATION:
        return None
    encoder = make_encoder(agent.encoder)
    out = encoder.empty(len(turns))
    encoder.encode(turns.states, turns.card_set.table, turns.seats, out)
    return out


def actions_of(agent: Agent, turns: Turns) -> list[int]:
    """What an agent answers to all these decisions at once."""
    actions = agent.act_batch(observations_for(agent, turns), turns.masks, turns)
    return [int(action) for action in actions]


def action_of(agent: Agent, game: Game, deal: int = 0) -> int:
    """What an agent does in a game."""
    return actions_of(agent, turns_for(agent, [game], [deal]))[0]


def answer(agent: str | Agent, game: Game, deal: int = 0) -> str:
    """What an agent does in a game, by name."""
    made = make_agent(agent) if isinstance(agent, str) else agent
    return game.action_name(action_of(made, game, deal))


def answers(game: Game) -> set[str]:
    """What the scripted players that think do in a game."""
    return {answer(name, game) for name in SCRIPTED}


def positions(config: GameConfig, seed: int) -> Iterator[Game]:
    """Every position of a game whose party puts off the boss."""
    game = Game.new(config, seed)
    choices = np.random.default_rng(seed)
    while not game.is_over:
        yield game
        game.step(min(int(action) for action in choices.choice(game.decision.options, 2)))


def some_positions(config: GameConfig, count: int, seed: int = 0) -> list[Game]:
    """Positions from the whole of a game, evenly spread."""
    game = [position.clone() for position in positions(config, seed)]
    return [game[index] for index in np.linspace(0, len(game) - 1, count).astype(int)]
