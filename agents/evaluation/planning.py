"""What is to be evaluated: every team in every configuration, checked before anything is played."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from agents.agent import Agent
from agents.evaluation.asking import Asker
from agents.evaluation.cross_play import cross_teams
from agents.evaluation.jobs import Deals
from agents.evaluation.teams import Team, TeamError, parse_team, split_teams
from agents.registry import AgentError, make_agent
from tenefyr_env.cards.compiler import load_card_set
from tenefyr_env.config import GameConfig

LISTED = ("mode", "players", "difficulty", "boss")  # fields of which several may be played


@dataclass(frozen=True)
class Plan:
    """What is to be played."""

    teams: list[Team]
    listed: list[str]  # the teams as they were asked for
    configs: list[GameConfig]
    deals: Deals
    oracles: frozenset[str]  # the agents that see hidden cards


def make_plan(
    agents: str, deals: Deals, configs: Sequence[GameConfig], is_cross_play: bool = False
) -> Plan:
    """The plan for a list of teams; ValueError if it cannot be played."""
    listed = list(dict.fromkeys(split_teams(agents)))
    teams = [parse_team(spec) for spec in listed]
    if is_cross_play:
        _check_single(teams)
        teams = [parse_team(spec) for spec in cross_teams(listed)]
    for team, config in product(teams, configs):
        team.check(config)
    deals.seeds()
    made = _make_agents(agent for team in teams for agent in team.agents)
    oracles = frozenset(name for name, agent in made.items() if agent.is_oracle)
    return Plan(teams, listed, list(configs), deals, oracles)


def all_configs(base: GameConfig, listed: Mapping[str, str]) -> list[GameConfig]:
    """The configuration with every combination of what is listed for its fields."""
    values = [[_value(name, each) for each in text.split(",")] for name, text in listed.items()]
    configs = [replace(base, **dict(zip(listed, some, strict=True))) for some in product(*values)]
    for config in configs:
        config.to_setup(load_card_set(config.cards).bosses)  # refuses an unknown boss
    return list(dict.fromkeys(configs))


def _value(name: str, text: str) -> Any:
    """Players are counted, all else has names."""
    return int(text) if name == "players" and text.strip().isdecimal() else text.strip()


def _check_single(teams: Sequence[Team]) -> None:
    """Cross-play makes the teams itself."""
    for team in teams:
        if len(team.by_seat) != 1:
            raise TeamError(f"team {team.spec!r} in cross-play; accepted: single agents")


def _make_agents(names: Iterable[str]) -> dict[str, Agent]:
    """Make every agent once, to see that it can be made."""
    agents = {}
    for name in dict.fromkeys(names):
        try:
            agents[name] = Asker(name, make_agent(name)).agent
        except AgentError:
            raise
        except Exception as error:
            raise AgentError(f"agent {name!r}: {type(error).__name__}: {error}") from error
    return agents
