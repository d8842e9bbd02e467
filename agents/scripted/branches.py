"""Which branch of a card's choice is best now: what the guide says, set right by the table.

This is where the Skills ask for rules of their own. A Bard gives cards to the next player only if
there is one who has cards to draw, and power when that is all the fight still needs. A Cleric
returns the best used card while the fight needs it, and puts used cards back into a deck that has
more fights before its next rest. The rules read the rows of the effect, so that other cards with
the same words, and other card sets, are played by them as well.
"""

from agents.jit import jit
from agents.scripted.estimates import hand_worth, pile_worth, worth_to
from agents.scripted.guide import DRAWN, NEXT_PLAYER, RECOVERED, RETURNED
from tenefyr_env.cards.table import JUMP, VERB, WHAT, WHO, N
from tenefyr_env.cards.vocabulary import Pile, Verb, Who
from tenefyr_env.engine.combat import active_seat, combined_power, enemy_power
from tenefyr_env.engine.decisions import matches
from tenefyr_env.engine.seats import next_seat
from tenefyr_env.engine.state import HAND_SIZE, NO_DUNGEON

DECISIVE = 10.0  # power that wins the fight at once, beyond its own worth
NOT_NOW = 0.3  # how much of its worth is left of what helps at another time


@jit
def branch_worth(state, cards, guide, head, seat):
    """What the branch that a row leads is worth to a player now."""
    worth = float(guide.row_worth[head])
    if state.dungeon == NO_DUNGEON or state.dungeon_size[state.dungeon] == 0:
        return worth
    missing = (
        enemy_power(state, cards) - combined_power(state) - hand_worth(state, cards, guide, seat)
    )
    is_for_next = False
    for position in range(head + 1, head + 1 + cards.rows[head, JUMP]):
        row = cards.rows[position]
        if row[VERB] == Verb.WITH:
            is_for_next = row[WHO] == Who.NEXT
        elif row[VERB] == Verb.HAND_SIZE and is_for_next:
            worth += row[N] * (card_of_next_player(state, guide) - NEXT_PLAYER * DRAWN)
        elif row[VERB] == Verb.POWER and 0 < missing <= row[N]:
            worth += DECISIVE
        elif row[VERB] == Verb.RETURN:
            worth += best_used(state, cards, guide, seat, row[WHAT], missing) - RETURNED
        elif row[VERB] == Verb.RECOVER:
            worth += put_back(state, guide, seat, missing) - RECOVERED
    return worth


@jit
def card_of_next_player(state, guide):
    """What one card more is worth to the player whose turn comes next, if anybody's does."""
    if state.turn + 1 >= state.num_turns:
        return 0.0
    count, total, _ = pile_worth(state, guide, next_seat(state, active_seat(state)), Pile.DECK)
    return total / count if count > HAND_SIZE else 0.0


@jit
def best_used(state, cards, guide, seat, wanted, missing):
    """What the best card of the discard pile brings, if the fight still needs it."""
    best = 0.0
    for slot in range(state.pile_size[seat, Pile.DISCARD]):
        card = state.piles[seat, Pile.DISCARD, slot]
        if matches(cards, card, wanted):
            best = max(best, worth_to(state, guide, seat, card))
    return best if missing > 0 else NOT_NOW * best


@jit
def put_back(state, guide, seat, missing):
    """What a used card is worth in the deck: something only where fights follow without a rest."""
    fights = state.dungeon_size[state.dungeon] - 1
    if state.pile_size[seat, Pile.DECK] >= HAND_SIZE * fights:
        return 0.0
    count, total, _ = pile_worth(state, guide, seat, Pile.DISCARD)
    mean = total / max(1, count)
    return NOT_NOW * mean if missing > 0 else mean
