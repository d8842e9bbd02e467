"""Players that plan: they try each option in many sampled games and take what went best."""

from agents.search.players import Oracle, Search

__all__ = ["Oracle", "Search"]
