"""How long a game can last: more decisions than a game may have, whatever is chosen."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

from tenefyr_env.cards.table import (
    BOSS_CARDS,
    DUNGEON_SIZE,
    JUMP,
    NUM_BOSSES,
    NUM_LEVELS,
    NUM_OPTIONS,
    NUM_REWARDS,
    OPTIONAL,
    VERB,
    WHO,
    N,
    level_of_reward,
)
from tenefyr_env.cards.vocabulary import Kind, Trigger, Verb, Who
from tenefyr_env.engine.setup import BASICS_IN_DECK, SOLO_BASICS_IN_DECK
from tenefyr_env.engine.state import DUNGEON_CAPACITY

# The most decisions a row asks for by itself; a row of a block does not count its block.
ASKS = {
    Verb.WITH: 1,  # which player
    Verb.MAY: 1,
    Verb.PAY: 1,
    Verb.IF: 0,
    Verb.CHOOSE: 1,
    Verb.RANDOM: 0,
    Verb.OPTION: 0,
    Verb.POWER: 0,
    Verb.POWER_PER: 0,
    Verb.DOUBLE_CARD: 2,  # which card, and the order (R49)
    Verb.DOUBLE_TOTAL: 0,
    Verb.ENEMY: 0,
    Verb.DRAW: 0,
    Verb.HAND_SIZE: 0,
    Verb.DISCARD_DECK: 0,
    Verb.DISCARD: 1,
    Verb.DISCARD_HAND: 0,
    Verb.SEARCH: 1,
    Verb.RETURN: 1,
    Verb.RECOVER: 1,
    Verb.REMOVE: 1,
    Verb.GIVE: 2,  # which card, to whom
    Verb.SWAP: 3,  # which card, with whom, for which card
    Verb.TAKE: 0,
    Verb.LOOK: 0,
    Verb.SCOUT: 1,
    Verb.REORDER: DUNGEON_CAPACITY,  # one for each card
    Verb.MOVE: 1,
    Verb.JOIN: 0,
    Verb.TRACK: 0,
    Verb.SAVE_STEP: 0,
    Verb.BOOST: 0,
}
# Verbs that bring a card back into a deck or a hand that is not drawn from a deck.
REFILLING = (Verb.RETURN, Verb.RECOVER, Verb.TAKE)

Worth = Callable[[Any], int]


class EndlessCards(ValueError):  # noqa: N818 - a card set, not an error of the program
    """A card set with which the players can keep a game going for ever."""


def decision_bound(setup: Any, cards: Any) -> int:
    """A number of decisions that no game with this set-up record and card table exceeds.

    Effects. The rows of an effect are done from the first to the last, never backwards, and a
    block at most once for each player it names; an effect never starts another one. So an effect
    asks at most `most_in_rows` of `ASKS`.

    Visits. A party that leaves a dungeon moves the token or uses up a saved step, and nothing
    moves the token back: visits <= spaces of the track + steps ever saved. Steps are saved by
    rewards, each taken once, and by enemies that fall; an enemy falls once, as its card is loot
    from then on and comes back as an enemy in the boss deck only. (An enemy that saves steps and
    escapes in its end effect could fall again and again: refused.)

    Combats. A combat in a dungeon ends with the enemy beaten, which takes its card off the
    dungeons; or lost, which ends the visit; or with the enemy gone to another dungeon, where it is
    not met again in this visit (an effect that moves twice would take the next one too: refused).
    So combats <= cards of the dungeons + visits * (1 + enemies that
    can move). The boss deck is fought once; each of its cards, and each that joins, is met once.

    Turns. A combat has a fixed number of turns. In a turn a hand may be redrawn while the deck has
    a card. Every card of the new hand is drawn from a deck (no effect of a redraw brings cards
    back from a discard pile or the reserve: refused otherwise; gifts and exchanges go from deck to
    deck), so all decks together shrink with each redraw: redraws of a turn <= cards in decks.

    Plays. A played card lies down until the combat ends and no effect picks it up, so a card that
    is searched for, returned, recovered, removed, taken again, given or exchanged is played once
    in a combat all the same: the plays of a combat <= all cards that players can own, each with
    its effect.

    Votes. A joint choice is asked of every player at most once.
    """
    limits = _Limits(setup, cards)
    limits.refuse_endless_cards()
    combat = max(limits.combat(card) for card in limits.enemies())
    return (
        (limits.visits() + 1) * limits.voters
        + limits.combats() * (combat + limits.voters)
        + limits.boss_combats() * combat
        + limits.rewards(limits.reward_decisions)
        + int(setup["gift_count"].sum()) * limits.voters
    )


def most_in_rows(rows: Any, first: int, last: int, worth: Worth, players: int) -> int:
    """The most that a stretch of rows can add up to, whatever is chosen and by all chances."""
    total = 0
    position = first
    while position < last:
        row = rows[position]
        after = position + 1
        total += worth(row)
        if row[VERB] == Verb.WITH:
            inside = most_in_rows(rows, after, after + int(row[JUMP]), worth, players)
            total += inside * _times(row[WHO], players)
            after += int(row[JUMP])
        elif row[VERB] == Verb.IF:
            middle = after + int(row[JUMP])
            end = middle + int(row[OPTIONAL])
            yes = most_in_rows(rows, after, middle, worth, players)
            total += max(yes, most_in_rows(rows, middle, end, worth, players))
            after = end
        elif row[VERB] in (Verb.CHOOSE, Verb.RANDOM):
            total += _most_of_branches(rows, after, int(row[N]), worth, players)
            after += int(row[JUMP])
        position = after
    return total


def _most_of_branches(rows: Any, head: int, branches: int, worth: Worth, players: int) -> int:
    """The most that one of several branches can add up to."""
    most = 0
    for _ in range(branches):
        after = head + 1 + int(rows[head][JUMP])
        most = max(most, most_in_rows(rows, head + 1, after, worth, players))
        head = after
    return most


def _times(who: int, players: int) -> int:
    """How often a block for these players is done."""
    return players if who in (Who.EACH, Who.OTHERS) else 1


class _Limits:
    """The limits of one game, each as the argument of `decision_bound` names it."""

    def __init__(self, setup: Any, cards: Any) -> None:
        self.cards = cards
        self.rows = cards["rows"].tolist()
        self.first_row = cards["first_row"].tolist()
        self.last_row = cards["last_row"].tolist()
        self.players = int(setup["players"])
        self.is_quick = bool(setup["quick"])
        self.steps = int(setup["steps"])
        self.voters = self.players if setup["vote"] else 1
        self.turns = max(2, self.players)

    def of_kind(self, *kinds: Kind) -> list[int]:
        """The cards of the set of these kinds."""
        return [card for card, kind in enumerate(self.cards["kind"]) if kind in kinds]

    def enemies(self) -> list[int]:
        """All cards that can be fought."""
        return self.of_kind(Kind.DUNGEON, Kind.BOSS)

    def effect(self, card: int, trigger: Trigger, worth: Worth) -> int:
        """The most that an effect of a card can add up to."""
        first, last = self.first_row[card][trigger], self.last_row[card][trigger]
        return most_in_rows(self.rows, first, last, worth, self.players)

    def asked(self, row: Any) -> int:
        """The decisions a row asks for; that of a moving enemy is joint (R51)."""
        return ASKS[Verb(row[VERB])] * (self.voters if row[VERB] == Verb.MOVE else 1)

    def has_verb(self, card: int, trigger: Trigger, *verbs: Verb) -> bool:
        """Whether an effect of a card may use one of the verbs."""
        return self.effect(card, trigger, lambda row: int(row[VERB] in verbs)) > 0

    def refuse_endless_cards(self) -> None:
        """Refuse the enemies that the argument does not hold for."""
        for card in self.enemies():
            if self.has_verb(card, Trigger.REDRAW, *REFILLING):
                raise EndlessCards(f"card {card}: its redraw effect brings cards back")
            for trigger in (Trigger.START, Trigger.END):
                if self.effect(card, trigger, moved) > 1:
                    raise EndlessCards(f"card {card}: its effect moves more than its own enemy")
            escapes = self.has_verb(card, Trigger.END, Verb.MOVE)
            if escapes and self.has_verb(card, Trigger.END, Verb.SAVE_STEP):
                raise EndlessCards(f"card {card}: its end effect saves steps and lets it escape")

    def visits(self) -> int:
        """Visits to dungeons other than the boss deck."""
        fallen = [self.effect(card, Trigger.END, saved_steps) for card in self.enemies()]
        return self.steps + sum(fallen) + self.rewards(self.reward_saving)

    def combats(self) -> int:
        """Combats in dungeons other than the boss deck."""
        dungeons = NUM_LEVELS - 1 if self.is_quick else 2 * NUM_LEVELS
        movers = sum(
            self.has_verb(card, Trigger.START, Verb.MOVE)
            or self.has_verb(card, Trigger.END, Verb.MOVE)
            for card in self.of_kind(Kind.DUNGEON)
        )
        return DUNGEON_SIZE * dungeons + self.visits() * (1 + movers)

    def boss_combats(self) -> int:
        """Combats in the boss deck: its cards, and all that one boss can make join."""
        joining = [
            self.effect(card, Trigger.START, joined) + self.effect(card, Trigger.END, joined)
            for card in self.of_kind(Kind.BOSS)
        ]
        by_boss = [
            sum(joining[first : first + BOSS_CARDS])
            for first in range(0, NUM_BOSSES * BOSS_CARDS, BOSS_CARDS)
        ]
        return DUNGEON_SIZE + (0 if self.is_quick else max(by_boss))

    def combat(self, card: int) -> int:
        """Decisions of one combat against a card."""
        redraws = self.cards_owned()
        turn = (
            self.effect(card, Trigger.TURN, self.asked)
            + redraws * self.effect(card, Trigger.REDRAW, self.asked)
            + (redraws + 1)  # to redraw or, in the end, to keep
        )
        start = self.effect(card, Trigger.START, self.asked)
        end = self.effect(card, Trigger.END, self.asked)
        return start + self.turns * turn + self.plays + end

    def basics(self) -> int:
        """Basic cards in the game; a removed one does not come back (R47)."""
        each = SOLO_BASICS_IN_DECK if self.players == 1 else BASICS_IN_DECK
        return 2 * each * self.players

    def cards_owned(self) -> int:
        """Cards that the players can come to own all together."""
        return self.basics() + len(self.of_kind(Kind.SKILL, Kind.DUNGEON))

    @cached_property
    def plays(self) -> int:
        """Decisions of playing every card once, its effect included."""
        effects = (
            self.effect(card, Trigger.PLAY, self.asked)
            for card in self.of_kind(Kind.SKILL, Kind.DUNGEON)
        )
        return self.cards_owned() + sum(effects)

    def rewards(self, worth: Callable[[int], int]) -> int:
        """The most that the rewards of a game can add up to: two of a level, or one (R10, R54)."""
        total = 0
        for level in range(1, NUM_LEVELS + 1):
            of_level = [worth(reward) for reward in range(NUM_REWARDS) if self.lies(reward, level)]
            total += sum(sorted(of_level)[-1 if self.is_quick else -2 :])
        return total

    def lies(self, reward: int, level: int) -> bool:
        """Whether a reward is one of the set and may lie beside a dungeon of the level."""
        return bool(self.cards["reward_exists"][reward]) and level_of_reward(reward) == level

    def reward_effect(self, reward: int, worth: Worth) -> int:
        """The most that the better option of a reward can add up to, for all who choose."""
        first, last = self.cards["reward_first_row"][reward], self.cards["reward_last_row"][reward]
        options = [
            most_in_rows(self.rows, int(first[option]), int(last[option]), worth, self.players)
            for option in range(NUM_OPTIONS)
        ]
        return max(options) * (1 if self.cards["reward_together"][reward] else self.players)

    def reward_saving(self, reward: int) -> int:
        """Steps that a reward can save."""
        return self.reward_effect(reward, saved_steps)

    def reward_decisions(self, reward: int) -> int:
        """Decisions about a reward; one chosen together may be voted on throughout (R38)."""
        together = self.cards["reward_together"][reward]
        choices = 1 if together else self.players
        return (choices + self.reward_effect(reward, self.asked)) * (self.voters if together else 1)


def saved_steps(row: Any) -> int:
    """Steps of the boss token that a row saves."""
    return int(row[N]) if row[VERB] == Verb.SAVE_STEP else 0


def moved(row: Any) -> int:
    """Enemies that a row moves."""
    return 1 if row[VERB] == Verb.MOVE else 0


def joined(row: Any) -> int:
    """Monsters that a row makes join the boss deck."""
    return 1 if row[VERB] == Verb.JOIN else 0
