"""Agents by name: ours from the table below, yours as `module:Class`.

make_agent("search:rollouts=400")
make_agent("my_agents:Bold")
make_agent("my_agents:Bold:courage=3")
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from difflib import get_close_matches
from typing import Any

import yaml

from agents.agent import Agent

# name: where it is made. Modules are imported when they are asked for: some need much.
AGENTS = {
    "random": "agents.scripted:Random",
    "greedy": "agents.scripted:Greedy",
    "careful": "agents.scripted:Careful",
    "looter": "agents.scripted:Looter",
    "quick": "agents.scripted:Quick",
    "odds": "agents.scripted:OddsPlayer",
    "search": "agents.search:Search",
    "oracle": "agents.search:Oracle",
}


class AgentError(ValueError):
    """An agent that cannot be made."""


def agent_names() -> list[str]:
    """The agents that ship with the project."""
    return list(AGENTS)


def make_agent(name: str) -> Agent:
    """The agent of this name, with options behind a colon: `search:rollouts=400,policy=odds`."""
    place, options = _parse(name)
    maker = _load(name, place)
    try:
        agent = maker(**options)
    except (TypeError, ValueError) as error:
        raise AgentError(f"agent {name!r}: {error}") from error
    if not isinstance(agent, Agent):
        raise AgentError(f"agent {name!r}: {place} makes no agents.Agent, but {type(agent)!r}")
    return agent


def _parse(name: str) -> tuple[str, dict[str, Any]]:
    """Where an agent is made, as `module:Class`, and its options."""
    head, _, rest = name.partition(":")
    if head in AGENTS:
        return AGENTS[head], _options(name, rest)
    maker, _, options = rest.partition(":")
    if not maker:
        close = get_close_matches(head, AGENTS, n=1)
        hint = f"did you mean {close[0]!r}? " if close else ""
        accepted = ", ".join(AGENTS)
        raise AgentError(f"agent {name!r}: {hint}accepted: {accepted}, or your own module:Class")
    return f"{head}:{maker}", _options(name, options)


def _options(name: str, text: str) -> dict[str, Any]:
    """`rollouts=400,policy=odds` as a dictionary; values are read as YAML scalars."""
    options: dict[str, Any] = {}
    for part in filter(None, text.split(",")):
        key, equals, value = part.partition("=")
        if not equals or not key.isidentifier():
            raise AgentError(f"agent {name!r}: option {part!r}; accepted: name=value")
        options[key] = yaml.safe_load(value)
    return options


def _load(name: str, place: str) -> Callable[..., Any]:
    module, _, maker = place.partition(":")
    try:
        found = getattr(importlib.import_module(module), maker)
    except ImportError as error:
        raise AgentError(f"agent {name!r}: module {module!r}: {error}") from error
    except AttributeError as error:
        raise AgentError(f"agent {name!r}: module {module!r} has no {maker!r}") from error
    return found  # type: ignore[no-any-return]
