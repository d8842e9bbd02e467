"""What an experienced player knows of the cards: a guide, worked out once for each card set.

Everything is in power: what a card brings on average when it is played, how strong an enemy is with
its rule, what a reward is worth. The figures are a player's rules of thumb, read off the effect
rows of the card table, so that a set of your own gets a guide as well.
"""

from dataclasses import asdict, dataclass, fields
from math import erf, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from tenefyr_env.cards.card_set import CardSet
from tenefyr_env.cards.table import (
    JUMP,
    MAX_ROWS,
    NUM_CARDS,
    NUM_HEROES,
    NUM_LEVELS,
    NUM_OPTIONS,
    NUM_REWARDS,
    OPTIONAL,
    PLAYER_COUNTS,
    VERB,
    WHAT,
    WHERE,
    N,
)
from tenefyr_env.cards.vocabulary import (
    Boost,
    Condition,
    Count,
    Filter,
    Kind,
    Pile,
    Span,
    Trigger,
    Verb,
    Who,
)

NUM_PARTIES = 1 << NUM_HEROES  # what a player counts as: bits 1 << Hero (R6)
CHANCE_STEPS = 16  # entries of the table of chances for one standard deviation
CHANCE_RANGE = 4  # standard deviations it covers to each side


@dataclass(frozen=True)
class Habits:
    """How a player who counts weighs one thing against another; tuned on the train deals."""

    step_worth: float = 12.0  # a step of the boss track, in loot
    slack: float = 0.6  # what redraws add to a hand, in standard deviations
    waste: float = 1.9  # power spent on an enemy for each point of its strength
    spread: float = 0.1  # no fight is surer than this: effects are only guessed
    reward_share: float = 0.7  # of a reward's worth: it may not suit
    price: float = 0.03  # of a discarded card, in chance of this fight, while the dungeon goes on
    boss_price: float = 0.026  # the same while the boss's next stages wait ...
    scarce_price: float = 0.06  # ... and while the deck does not last for them


GUIDE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("worth", np.float32, (NUM_CARDS, NUM_PARTIES)),  # of playing it, by heroes
                ("order", np.int8, (NUM_CARDS,)),  # when to play it: the lowest first
                ("strength", np.float32, (NUM_CARDS, PLAYER_COUNTS)),  # of an enemy with its rule
                ("level_worth", np.float32, (NUM_LEVELS + 1,)),  # mean loot of a level
                ("level_strength", np.float32, (NUM_LEVELS + 1, PLAYER_COUNTS)),  # mean enemy
                ("row_worth", np.float32, (MAX_ROWS,)),  # of the block that a row leads
                ("is_lasting", np.int8, (MAX_ROWS,)),  # the block makes a deck better for good
                ("is_paid_from_hand", np.int8, (MAX_ROWS,)),  # its condition is a card in hand
                ("reward_worth", np.float32, (NUM_REWARDS, NUM_OPTIONS)),  # for one player
                # What a player who weighs raids and redraws goes by, in the order of `Habits`.
                *((field.name, np.float32) for field in fields(Habits)),
                ("chance", np.float32, (2 * CHANCE_RANGE * CHANCE_STEPS + 1,)),  # normal law
            ],
            align=True,
        ),
    )
)

PLAYERS = 4  # the party that the rules of thumb are for
LOOT = (0.5, 1.6, 2.3, 3.4, 4.6, 5.8)  # a random loot of a level, when it is played
LASTING = (0.0, 0.6, 1.1, 1.8, 2.6, 3.4)  # the same, joining a deck
DRAWN = 1.4  # a card more in this combat
DISCARDED = -0.35  # a card of the deck lost until the next rest
RETURNED = 2.2  # a used card back in hand
RECOVERED = 0.4  # a used card back in the deck
NEXT_PLAYER = 0.7  # how often a turn follows
THINNED = 0.9  # a Basic less in a deck
STEP = 3.0  # a space of the boss track

# How many of each thing there are when it is counted, in the middle of a game.
USUAL_COUNT = {
    Count.BASIC_0_IN_DISCARDS: 5.0,
    Count.BASIC_1_IN_DISCARDS: 5.0,
    Count.LOOT_IN_DISCARDS: 6.0,
    Count.BASIC_0_IN_YOUR_DISCARD: 1.5,
    Count.CARDS_IN_YOUR_HAND: 2.0,
    Count.CARDS_YOU_PLAYED: 3.0,
    Count.BASICS_YOU_PLAYED: 1.5,
    Count.LOOT_YOU_PLAYED: 2.0,
    Count.CARDS_PLAYED: 8.0,
    Count.REDRAWS: 1.5,
    Count.EXHAUSTED_PLAYERS: 0.4,
    Count.TURNS_TAKEN: 2.0,
    Count.DUNGEONS_CLEARED: 3.0,
    Count.STEPS_LEFT: 5.0,
}
# How often a condition holds when it is asked.
USUAL_CHANCE = {
    Condition.FIRST_TURN: 0.3,
    Condition.LAST_TURN: 0.35,
    Condition.EXHAUSTED: 0.2,
    Condition.BOSS: 0.3,
    Condition.LEVEL_AT_LEAST: 0.7,
    Condition.HAND_EMPTY: 0.9,
}
# How many players a block is done by.
USUAL_PLAYERS = {
    Who.EACH: float(PLAYERS),
    Who.OTHERS: float(PLAYERS - 1),
    Who.OTHER: 1.0,
    Who.ANY: 1.0,
    Who.NEXT: NEXT_PLAYER,
    Who.STARTER: 1.0,
}
# Verbs that are worth their number times this.
WORTH_OF_EACH = {
    Verb.POWER: 1.0,
    Verb.ENEMY: -1.0,
    Verb.DRAW: DRAWN,
    Verb.HAND_SIZE: DRAWN,
    Verb.DISCARD_DECK: DISCARDED,
    Verb.LOOK: 0.1,
    Verb.SCOUT: 0.1,
    Verb.TRACK: -STEP,
    Verb.SAVE_STEP: STEP,
}
# Verbs that are worth this.
WORTH = {
    Verb.DOUBLE_CARD: 2.5,
    Verb.DOUBLE_TOTAL: 5.0,
    Verb.DISCARD: -0.8,
    Verb.DISCARD_HAND: -2.5,
    Verb.SEARCH: 3.0,
    Verb.RETURN: RETURNED,
    Verb.RECOVER: RECOVERED,
    Verb.GIVE: 0.1,
    Verb.SWAP: 0.2,
    Verb.REORDER: 0.3,
    Verb.MOVE: 0.0,
    Verb.JOIN: -2.0,
}
WORTH_OF_BOOST = {
    (Boost.POWER, Span.COMBAT): 0.3,
    (Boost.POWER, Span.DUNGEON): 0.8,
    (Boost.HAND, Span.COMBAT): 1.5,
    (Boost.HAND, Span.DUNGEON): 3.5,
}
# What an enemy's continuous rule adds to its power, for each point of it and each player.
BASICS_RULE = 1.4  # Basics played by one player in a combat
LOOT_RULE = 1.2
HAND_RULE = 1.2
NO_REDRAW_RULE = 0.4
NO_SKILLS_RULE = 0.2

# When to play: what asks for cards in hand first, what counts played cards last.
COUNT_HAND_FIRST, DRAW_SOON, HELP_OTHERS, PLAIN, COUNT_PLAYED_LATE, WITH_THE_LAST = range(6)
ORDER_OF_VERB = {
    Verb.DRAW: DRAW_SOON,
    Verb.SEARCH: DRAW_SOON,
    Verb.RETURN: DRAW_SOON,
    Verb.TAKE: DRAW_SOON,
    Verb.PAY: DRAW_SOON,
    Verb.DOUBLE_CARD: COUNT_PLAYED_LATE,
    Verb.DOUBLE_TOTAL: COUNT_PLAYED_LATE,
}
ORDER_OF_COUNT = {
    Count.CARDS_IN_YOUR_HAND: COUNT_HAND_FIRST,
    Count.CARDS_YOU_PLAYED: COUNT_PLAYED_LATE,
    Count.BASICS_YOU_PLAYED: COUNT_PLAYED_LATE,
    Count.LOOT_YOU_PLAYED: COUNT_PLAYED_LATE,
    Count.BASIC_0_IN_YOUR_DISCARD: COUNT_PLAYED_LATE,
}


def guide_to(card_set: CardSet, habits: Habits | None = None) -> npt.NDArray[Any]:
    """The guide to a card set, as an array of one record."""
    return _written((card_set.hash, habits or Habits()), card_set.table)


def guide_by_table(tables: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The same where only the set's table is at hand."""
    return _written((tables.tobytes(), Habits()), tables)


def _written(key: tuple[str | bytes, Habits], tables: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """A guide that is written once."""
    if key not in _GUIDES:
        _GUIDES[key] = GuideWriter(tables[0], key[1]).guide
    return _GUIDES[key]


_GUIDES: dict[tuple[str | bytes, Habits], npt.NDArray[Any]] = {}


class GuideWriter:
    """Reads a card table and writes its guide."""

    def __init__(self, cards: Any, habits: Habits) -> None:
        self.cards = cards
        self.guide = np.zeros(1, GUIDE)
        for field, value in asdict(habits).items():
            self.guide[field] = value
        for card in np.flatnonzero(cards.kind != Kind.NONE):
            self.write_card(int(card))
        self.write_levels()
        self.write_blocks()
        self.write_rewards()
        self.write_chances()

    def write_card(self, card: int) -> None:
        """What it brings as a played card, when to play it, and how strong it is as an enemy."""
        page, cards = self.guide[0], self.cards
        first, last = self.rows_of(card, Trigger.PLAY)
        for heroes in range(NUM_PARTIES):
            works = cards.kind[card] != Kind.SKILL or heroes >> cards.hero[card] & 1  # R17
            effect = self.worth_of(first, last, heroes) if works else 0.0
            page.worth[card, heroes] = cards.power[card] + effect
        page.order[card] = self.order_of(first, last)
        for column in range(PLAYER_COUNTS):
            page.strength[card, column] = self.strength_of(card, column)

    def rows_of(self, card: int, trigger: Trigger) -> tuple[int, int]:
        """The effect rows of a card for a trigger."""
        return int(self.cards.first_row[card, trigger]), int(self.cards.last_row[card, trigger])

    def worth_of(self, first: int, last: int, heroes: int) -> float:
        """What the rows from `first` up to `last` are worth to a player who counts as `heroes`."""
        total = 0.0
        position = first
        while position < last:
            row = self.cards.rows[position]
            worth, length = self.worth_of_row(row, position, heroes)
            total += worth
            position += length
        return total

    def worth_of_row(self, row: Any, position: int, heroes: int) -> tuple[float, int]:
        """What a row is worth, with the block it may lead, and how many rows that is."""
        verb, number = Verb(int(row[VERB])), int(row[N])
        length = 1 + int(row[JUMP]) if verb <= Verb.OPTION else 1
        inside = (position + 1, position + length)
        if verb == Verb.WITH:
            return USUAL_PLAYERS[Who(int(row[WHAT]))] * self.worth_of(*inside, heroes), length
        if verb in (Verb.MAY, Verb.PAY):
            return max(0.0, self.worth_of(*inside, heroes)), length
        if verb == Verb.IF:
            return self.worth_of_if(row, position, heroes)
        if verb in (Verb.CHOOSE, Verb.RANDOM):
            branches = [self.worth_of(*rows, heroes) for rows in self.branches(position)]
            best = max(branches) if verb == Verb.CHOOSE else sum(branches) / len(branches)
            return best, length
        if verb == Verb.POWER_PER:
            return number * USUAL_COUNT[Count(int(row[WHAT]))], length
        if verb == Verb.RETURN and row[WHAT] == Filter.BASIC_1:
            return 1.0, length
        if verb == Verb.REMOVE:
            return (-2.0 if row[WHAT] == Filter.LOOT else THINNED), length
        if verb == Verb.TAKE:
            level = int(row[WHAT]) or 3  # the current dungeon's: the middle one
            now = LOOT[level] if row[WHERE] == Pile.HAND else 0.0
            return now + LASTING[level], length
        if verb == Verb.BOOST:
            return number * WORTH_OF_BOOST[Boost(int(row[WHAT])), Span(int(row[WHERE]))], length
        return WORTH.get(verb, number * WORTH_OF_EACH.get(verb, 0.0)), length

    def worth_of_if(self, row: Any, position: int, heroes: int) -> tuple[float, int]:
        """A condition on the hero is known, any other holds with its usual chance."""
        middle = position + 1 + int(row[JUMP])
        last = middle + int(row[OPTIONAL])
        if row[WHAT] == Condition.HERO:
            chance = float(heroes >> int(row[N]) & 1)
        else:
            chance = USUAL_CHANCE[Condition(int(row[WHAT]))]
        then = self.worth_of(position + 1, middle, heroes)
        other = self.worth_of(middle, last, heroes)
        return chance * then + (1 - chance) * other, last - position

    def branches(self, position: int) -> list[tuple[int, int]]:
        """The rows of each branch of a choice."""
        rows = self.cards.rows
        found = []
        head = position + 1
        for _ in range(int(rows[position, N])):
            last = head + 1 + int(rows[head, JUMP])
            found.append((head + 1, last))
            head = last
        return found

    def order_of(self, first: int, last: int) -> int:
        """When to play a card, by the first row that minds."""
        for row in self.cards.rows[first:last]:
            verb = Verb(int(row[VERB]))
            if verb == Verb.POWER_PER and int(row[WHAT]) in ORDER_OF_COUNT:
                return ORDER_OF_COUNT[Count(int(row[WHAT]))]
            if verb == Verb.IF and row[WHAT] == Condition.HAND_EMPTY:
                return WITH_THE_LAST
            if verb == Verb.WITH:
                return HELP_OTHERS
            if verb in ORDER_OF_VERB:
                return ORDER_OF_VERB[verb]
        return PLAIN

    def strength_of(self, card: int, column: int) -> float:
        """An enemy's power with what its rule takes from the party."""
        cards, players = self.cards, column + 2
        strength = float(cards.enemy_power[card, column])
        strength -= players * BASICS_RULE * min(0, cards.basics[card])
        strength -= players * LOOT_RULE * min(0, cards.loot[card])
        strength -= players * HAND_RULE * cards.hand[card] + HAND_RULE * cards.starter_hand[card]
        strength += players * (
            NO_REDRAW_RULE * cards.no_redraw[card] + NO_SKILLS_RULE * cards.no_skills[card]
        )
        share = players / PLAYERS  # there is less of everything with fewer players
        if cards.power_each[card]:
            usual = USUAL_COUNT[Count(int(cards.power_count[card]))]
            strength += cards.power_each[card] * usual * share
        start = self.worth_of(*self.rows_of(card, Trigger.START), 0)
        turn = self.worth_of(*self.rows_of(card, Trigger.TURN), 0)
        return max(1.0, strength - start * share - turn * 0.7 * players)

    def write_levels(self) -> None:
        """The mean loot and the mean enemy of a level."""
        page, cards = self.guide[0], self.cards
        one_hero = [1 << hero for hero in range(NUM_HEROES)]
        for level in range(1, NUM_LEVELS + 1):
            of_level = np.flatnonzero(cards.level == level)
            if len(of_level):
                page.level_worth[level] = page.worth[of_level][:, one_hero].mean()
                page.level_strength[level] = page.strength[of_level].mean(axis=0)

    def write_blocks(self) -> None:
        """What a player decides on by itself: a branch, a condition to pay, a block to use."""
        page, rows = self.guide[0], self.cards.rows
        for position in range(MAX_ROWS):
            verb = rows[position, VERB]
            last = position + 1 + int(rows[position, JUMP])
            if verb not in (Verb.MAY, Verb.PAY, Verb.OPTION) or last > MAX_ROWS:
                continue
            page.row_worth[position] = self.worth_of(position + 1, last, 0)
            verbs = rows[position + 1 : last, VERB]
            page.is_lasting[position] = Verb.REMOVE in verbs or Verb.TAKE in verbs
            page.is_paid_from_hand[position] = Verb.DISCARD in verbs

    def write_rewards(self) -> None:
        """What the options of a reward are worth to one player."""
        page, cards = self.guide[0], self.cards
        for reward in range(NUM_REWARDS):
            for option in range(NUM_OPTIONS):
                first = int(cards.reward_first_row[reward, option])
                last = int(cards.reward_last_row[reward, option])
                page.reward_worth[reward, option] = self.worth_of(first, last, 0)

    def write_chances(self) -> None:
        """The normal law as a table: the same to the last bit on every machine."""
        chance = self.guide[0].chance
        middle = CHANCE_RANGE * CHANCE_STEPS
        for index in range(len(chance)):
            value = 0.5 * (1 + erf((index - middle) / CHANCE_STEPS / sqrt(2)))
            chance[index] = round(value, 5)
