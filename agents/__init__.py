"""Players for the game: scripted, searching, learned, and yours.

from agents import make_agent

agent = make_agent("odds")
action = agent.act(observation, mask, info)
"""

from agents.agent import Agent, Info, Turns
from agents.registry import AGENTS, AgentError, agent_names, make_agent

__all__ = ["AGENTS", "Agent", "AgentError", "Info", "Turns", "agent_names", "make_agent"]
