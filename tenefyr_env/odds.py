"""The odds of a fight for the player who must keep or redraw.

chances = odds(game)
print(f"keep {chances.keep:.0%}, redraw {chances.redraw:.0%}")
"""

from dataclasses import dataclass

import numpy as np

from tenefyr_env.engine.actions import REDRAW
from tenefyr_env.engine.state import Decision
from tenefyr_env.game import Game
from tenefyr_env.spaces.odds import NUM_ODDS, odds_of_games


@dataclass(frozen=True)
class Odds:
    """Chances from 0 to 1, exact but for effects, which are not counted (see `spaces/odds.py`)."""

    keep: float
    """To win in this turn with the hand as it is: 0 or 1."""

    redraw: float
    """To win in this turn with one fresh hand; 0 if a redraw is not offered."""

    party_keep: float
    """To win this fight with this hand and the first hand of every turn that follows."""

    party_redraw: float
    """The same with one fresh hand for this one; 0 if a redraw is not offered."""

    can_redraw: bool
    """Whether a redraw is offered (R24)."""


def odds(game: Game) -> Odds:
    """The odds of the pending choice between keep and redraw, as its player can know them."""
    decision = game.decision
    if decision.kind != Decision.KEEP:
        kind = decision.kind.name.lower()
        raise ValueError(f"odds: the decision is {kind!r}; accepted is 'keep', a hand to keep")
    chances = np.zeros((1, NUM_ODDS))
    seats = np.array([decision.seat], np.int64)
    odds_of_games(game.states, game.table, seats, np.zeros(1, np.int8), chances)
    keep, redraw, party_keep, party_redraw = chances[0].tolist()
    return Odds(keep, redraw, party_keep, party_redraw, REDRAW in decision.options)
