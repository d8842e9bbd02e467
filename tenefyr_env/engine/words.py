"""The game in English: actions, decisions and events as a player would say them.

Every action has one name, which `parse_action` reads back: "keep", "dungeon 3", "boss",
"player 1" (clockwise from the one who decides), "option 2", "card Quick Strike".
"""

from collections.abc import Callable
from difflib import get_close_matches
from typing import Any

from tenefyr_env.cards.card_set import CardSet
from tenefyr_env.cards.table import NUM_CARDS
from tenefyr_env.cards.vocabulary import Hero, Span
from tenefyr_env.engine.actions import FIRST_CARD, FIRST_DUNGEON, NUM_ACTIONS, SECTIONS
from tenefyr_env.engine.state import BOSS_DECK, MAX_EVENTS, NO_CARD, NOBODY, Decision, Event

# What a seat is asked, with the card that asks (where one does) after it.
QUESTIONS = {
    Decision.DUNGEON: "Which dungeon do you enter?",
    Decision.KEEP: "Keep this hand, or discard it and draw a new one?",
    Decision.PLAY: "Which card do you play next?",
    Decision.CONTINUE: "Continue in this dungeon, or leave?",
    Decision.REWARD: "Which reward do you take?",
    Decision.HAND_OUT: "Who gets this card?",
    Decision.USE: "Use this effect?",
    Decision.OPTION: "Which option?",
    Decision.PLAYER: "Which player?",
    Decision.DISCARD: "Which card do you discard?",
    Decision.SEARCH: "Which card do you take from your deck?",
    Decision.RETURN: "Which card do you return to your hand?",
    Decision.RECOVER: "Which card do you shuffle back into your deck?",
    Decision.REMOVE: "Which card do you remove?",
    Decision.GIVE: "Which card do you give away?",
    Decision.SWAP: "Which card do you exchange?",
    Decision.DOUBLE: "Which card's power do you double?",
    Decision.ORDER: "What happens first: the doubling (option 1) or the enemy's rule (option 2)?",
    Decision.SCOUT: "Which dungeon do you look into?",
    Decision.REORDER: "Which card comes next?",
    Decision.MOVE: "To which dungeon does the enemy move?",
}


def hero_names(heroes: int) -> str:
    """The name of a player: the hero, or both heroes (R6)."""
    names = [hero.name.capitalize() for hero in Hero if heroes >> hero & 1]
    return " and ".join(names) if names else "nobody"


def dungeon_name(dungeon: int) -> str:
    """A dungeon as it is named in actions; they are counted from 1, level by level."""
    return "boss" if dungeon == BOSS_DECK else f"dungeon {dungeon + 1}"


def action_name(action: int, card_set: CardSet) -> str:
    """The one name of an action."""
    if not 0 <= action < NUM_ACTIONS:
        raise ValueError(f"action {action}: accepted are 0 to {NUM_ACTIONS - 1}")
    first = 0
    for section, size in SECTIONS:
        if action < first + size:
            return _name_in_section(section, size, action - first, card_set)
        first += size
    raise AssertionError("the sections cover all actions")


def _name_in_section(section: str, size: int, index: int, card_set: CardSet) -> str:
    """An action's name from its place in a section."""
    if section == "dungeon":
        return dungeon_name(index)
    if section == "option":
        return f"option {index + 1}"
    if section == "card":
        # A set may have fewer cards than there are ids.
        known = card_set.cards[index] is not None
        return f"card {card_set.card_name(index)}" if known else f"card {index}"
    return section if size == 1 else f"{section} {index}"


def parse_action(name: str, card_set: CardSet) -> int:
    """The action with this name; case does not matter."""
    names = {action_name(action, card_set).lower(): action for action in range(NUM_ACTIONS)}
    wanted = " ".join(name.lower().split())
    if wanted not in names:
        close = get_close_matches(wanted, names, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        raise ValueError(f"action {name!r}: no action has this name{hint}")
    return names[wanted]


def card_of_action(action: int) -> int:
    """The card an action names, or NO_CARD."""
    return action - FIRST_CARD if FIRST_CARD <= action < FIRST_CARD + NUM_CARDS else NO_CARD


def dungeon_of_action(action: int) -> int | None:
    """The dungeon an action names, if it names one."""
    return action - FIRST_DUNGEON if FIRST_DUNGEON <= action <= FIRST_DUNGEON + BOSS_DECK else None


def _signed(number: int) -> str:
    return f"{number:+d}"


class Narrator:
    """Tells the events of one game; `seat` may be a seat that does not see the others' draws."""

    def __init__(self, state: Any, card_set: CardSet, seat: int | None = None) -> None:
        self.state = state
        self.card_set = card_set
        self.seat = seat

    def events(self) -> list[str]:
        """What happened since the last decision, a sentence each."""
        total = int(self.state.num_events)
        lines = [
            self._event(index % MAX_EVENTS) for index in range(max(0, total - MAX_EVENTS), total)
        ]
        if total > MAX_EVENTS:
            lines.insert(0, f"({total - MAX_EVENTS} earlier events are no longer known.)")
        return lines

    def player(self, seat: int) -> str:
        """A player's name."""
        return hero_names(int(self.state.heroes[seat])) if seat != NOBODY else "The party"

    def _event(self, slot: int) -> str:
        kind, seat, card = (int(field) for field in self.state.event[slot])
        number = int(self.state.event_number[slot])
        return SENTENCES[Event(kind)](self, seat, card, number)

    def _loot(self, card: int) -> str:
        return self.card_set.card_name(card)

    def _enemy(self, card: int) -> str:
        return self.card_set.enemy_name(card)

    def _drawn(self, seat: int, card: int) -> str:
        hidden = self.seat is not None and self.seat != seat and not self.state.has_open_hands
        return "a card" if hidden or card == NO_CARD else self._loot(card)

    def _dungeon(self, dungeon: int) -> str:
        if dungeon == BOSS_DECK:
            return "the boss deck"
        return f"{dungeon_name(dungeon)} (level {int(self.state.dungeon_level[dungeon])})"

    def _reward(self, reward: int, option: int) -> str:
        found = self.card_set.rewards[reward]
        assert found is not None
        return f"{found.name}: {found.options[option]}"

    def _vote(self, seat: int, action: int) -> str:
        return f"{self.player(seat)} votes for {action_name(action, self.card_set)}."


def _boost_span(seat: int) -> str:
    """Events of a boost carry its span where others carry the seat."""
    return "next combat" if seat == Span.COMBAT else "next dungeon"


Sentence = Callable[[Narrator, int, int, int], str]

SENTENCES: dict[Event, Sentence] = {
    Event.ENTER: lambda t, s, c, n: f"The party enters {t._dungeon(n)}.",
    Event.TURN_UP: lambda t, s, c, n: f"{t._enemy(c)} is turned up in {t._dungeon(n)}.",
    Event.FIGHT: lambda t, s, c, n: f"The party meets {t._enemy(c)}, power {n}.",
    Event.TURN: lambda t, s, c, n: f"It is {t.player(s)}'s turn.",
    Event.DRAW: lambda t, s, c, n: f"{t.player(s)} draws {t._drawn(s, c)}.",
    Event.KEEP: lambda t, s, c, n: f"{t.player(s)} keeps the hand.",
    Event.REDRAW: lambda t, s, c, n: f"{t.player(s)} discards the hand and draws a new one.",
    Event.PLAY: lambda t, s, c, n: f"{t.player(s)} plays {t._loot(c)} for {n} power.",
    Event.POWER: lambda t, s, c, n: f"{t.player(s)} gets {_signed(n)} power.",
    Event.DOUBLE_CARD: lambda t, s, c, n: f"{t.player(s)}'s {t._loot(c)} now has {n} power.",
    Event.DOUBLE_TOTAL: lambda t, s, c, n: f"{t.player(s)}'s total power is doubled to {n}.",
    Event.ENEMY_POWER: lambda t, s, c, n: f"The enemy gets {_signed(n)} power.",
    Event.HAND_SIZE: lambda t, s, c, n: f"{t.player(s)}'s next hand: {_signed(n)} cards.",
    Event.DISCARD: lambda t, s, c, n: f"{t.player(s)} discards {t._loot(c)}.",
    Event.SEARCH: lambda t, s, c, n: f"{t.player(s)} finds {t._loot(c)} in the deck.",
    Event.RETURN: lambda t, s, c, n: f"{t.player(s)} returns {t._loot(c)} to the hand.",
    Event.RECOVER: lambda t, s, c, n: f"{t.player(s)} shuffles {t._loot(c)} back into the deck.",
    Event.REMOVE: lambda t, s, c, n: f"{t.player(s)} removes {t._loot(c)}.",
    Event.GIVE: lambda t, s, c, n: f"{t.player(s)} gives {t._loot(c)} to {t.player(n)}.",
    Event.TAKE: lambda t, s, c, n: f"{t.player(s)} gets {t._loot(c)} from the reserve.",
    Event.LOOK: lambda t, s, c, n: f"{t.player(s)} sees {t._enemy(c)} in {t._dungeon(n)}.",
    Event.REORDER: lambda t, s, c, n: f"{t.player(s)} has put the dungeon in order.",
    Event.MOVE: lambda t, s, c, n: f"{t._enemy(c)} moves to {t._dungeon(n)}.",
    Event.JOIN: lambda t, s, c, n: f"{t._enemy(c)} joins the boss deck.",
    Event.TOKEN: lambda t, s, c, n: f"The boss token moves: {n} to the skull.",
    Event.SAVE_STEP: lambda t, s, c, n: f"The boss token will be held back by {n}.",
    Event.BOOST_POWER: lambda t, s, c, n: f"{_signed(n)} power for the {_boost_span(s)}.",
    Event.BOOST_HAND: lambda t, s, c, n: f"Hands of {_signed(n)} for the {_boost_span(s)}.",
    Event.CHANCE: lambda t, s, c, n: f"Chance picks number {n + 1}.",
    Event.DEFEAT: lambda t, s, c, n: f"{t._enemy(c)} falls in {t.player(s)}'s turn.",
    Event.LOOT: lambda t, s, c, n: f"{t.player(s)} takes the loot {t._loot(c)}.",
    Event.STAND: lambda t, s, c, n: f"{t._enemy(c)} has beaten the party.",
    Event.LEAVE: lambda t, s, c, n: f"The party leaves {t._dungeon(n)}.",
    Event.THROWN_OUT: lambda t, s, c, n: f"The party is thrown out of {t._dungeon(n)}.",
    Event.CLEAR: lambda t, s, c, n: f"{t._dungeon(n).capitalize()} is cleared.",
    Event.EMPTY: lambda t, s, c, n: f"No enemy is left in {t._dungeon(n)}.",
    Event.REWARD: lambda t, s, c, n: f"{t.player(s)} chooses {t._reward(c, n)}",
    Event.BOSS: lambda t, s, c, n: "The party stands before the boss.",
    Event.VOTE: lambda t, s, c, n: t._vote(s, n),
    Event.WON: lambda t, s, c, n: "The party has won.",
    Event.LOST: lambda t, s, c, n: "The party has lost.",
}
