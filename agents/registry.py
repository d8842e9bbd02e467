"""Agents by name: ours from the table below, yours as `module:Class`.

make_agent("search:rollouts=400")
make_agent("my_agents:Bold")
make_agent("my_agents:Bold:courage=3")
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from difflib import get_close_matches
from inspect import Parameter, signature
from typing import Any

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
    "learned": "agents.learning.player:Learned",
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
    _check_options(name, maker, options)
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
    """`rollouts=400,policy=odds` as a dictionary; see `_value`."""
    options: dict[str, Any] = {}
    for part in filter(None, text.split(",")):
        key, equals, value = part.partition("=")
        if not equals or not key.isidentifier() or key in options:
            raise AgentError(f"agent {name!r}: option {part!r}; accepted: name=value, each once")
        options[key] = _value(value)
    return options


def _value(text: str) -> int | float | bool | str:
    """An option's value: a number, true or false, or else the text itself."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return {"true": True, "false": False}.get(text, text)


def _check_options(name: str, maker: Callable[..., Any], options: dict[str, Any]) -> None:
    """Refuse an option that the agent does not have."""
    if not callable(maker):
        raise AgentError(f"agent {name!r}: {maker!r} is not a class; accepted: an agents.Agent")
    known = signature(maker).parameters
    if any(each.kind == Parameter.VAR_KEYWORD for each in known.values()):
        return
    for option in options:
        if option not in known:
            accepted = ", ".join(known) or "none"
            raise AgentError(f"agent {name!r}: unknown option {option!r}; accepted: {accepted}")


def _load(name: str, place: str) -> Callable[..., Any]:
    module, _, maker = place.partition(":")
    try:
        found = getattr(importlib.import_module(module), maker)
    except (ImportError, ValueError, TypeError) as error:
        raise AgentError(f"agent {name!r}: module {module!r}: {error}") from error
    except AttributeError as error:
        raise AgentError(f"agent {name!r}: module {module!r} has no {maker!r}") from error
    return found  # type: ignore[no-any-return]
