"""What exists: the card files, their language and the compiler to the engine's table."""

from tenefyr_env.cards.card_set import Card, CardSet, Reward
from tenefyr_env.cards.compiler import load_card_set
from tenefyr_env.cards.source import CardError

__all__ = ["Card", "CardError", "CardSet", "Reward", "load_card_set"]
