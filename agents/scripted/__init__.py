"""The scripted players, from the one that throws dice to the one that counts."""

from agents.scripted.players import Careful, Greedy, Looter, OddsPlayer, Quick, Random

__all__ = ["Careful", "Greedy", "Looter", "OddsPlayer", "Quick", "Random"]
