"""English for the effects of cards: who does what, with verbs and numbers that agree."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from itertools import pairwise

from tenefyr_env.cards.vocabulary import Condition, Count, Filter, From, Hero, Who


class Place(Enum):
    """Where an effect is printed, and so when it happens."""

    PLAY = "play"  # on a loot or Skill
    START = "start"
    TURN = "turn"
    REDRAW = "redraw"
    END = "end"
    REWARD = "reward"


class Mood(Enum):
    """The form a clause takes."""

    ORDER = auto()  # "draw 1 card"
    REPORT = auto()  # "each player draws 1 card"
    BARE = auto()  # "draw 1 card" after "may", "to" or "have"


@dataclass(frozen=True)
class Clause:
    """A subject (or none, in an order) and what it does."""

    subject: str
    predicate: str

    def __str__(self) -> str:
        comma = "," if self.predicate.startswith("if ") else ""
        return f"{self.subject}{comma} {self.predicate}" if self.subject else self.predicate


@dataclass(frozen=True)
class Voice:
    """Whom a text speaks of, and how: the grammar that the words of a verb are put into."""

    place: Place
    mood: Mood = Mood.ORDER
    subject: str = ""  # who acts; empty: you
    in_block: bool = False  # the subject was named by a block such as `each`
    plural: bool = False  # the subject is "they"

    @property
    def you(self) -> str:
        """The one who acts, as a pronoun."""
        return "they" if self.subject else "you"

    @property
    def your(self) -> str:
        """The possessive of the one who acts."""
        return "their" if self.subject else "your"

    @property
    def enemy(self) -> str:
        """The enemy being fought, as this card calls it."""
        return "the enemy" if self.place is Place.PLAY else "this enemy"

    @property
    def bare(self) -> "Voice":
        """The same people after "may" or "to"."""
        return replace(self, mood=Mood.BARE)

    def verb(self, verb: str) -> str:
        """The verb as the subject needs it."""
        return verb if self.mood is not Mood.REPORT or self.plural else third_person(verb)

    def does(self, verb: str, rest: str) -> Clause:
        """The clause in which the one who acts does something."""
        subject = self.subject if self.mood is Mood.REPORT else ""
        return Clause(subject, f"{self.verb(verb)} {rest}")

    def happens(self, event: Clause, verb: str, rest: str) -> Clause:
        """An event of the table, or its cause where somebody in particular brings it about."""
        if self.mood is Mood.BARE or self.in_block:
            return self.does(verb, rest)
        return event

    def of(self, who: Who) -> "Voice":
        """The voice of the player or players a block names."""
        subject = f"one player of {self.your} choice" if who is Who.ANY else PLAYERS[who]
        return Voice(self.place, Mood.REPORT, subject, in_block=True)

    def as_they(self) -> "Voice":
        """The voice of a player who has been named earlier in the sentence."""
        return replace(self, subject="they", plural=True)


PLAYERS = {
    Who.EACH: "each player",
    Who.OTHERS: "each other player",
    Who.OTHER: "one other player",
    Who.NEXT: "the next player",
    Who.STARTER: "the starting player",
}

OPENINGS = {
    Place.START: "at the start of the combat",
    Place.TURN: "whenever a player begins a turn",
    Place.REDRAW: "whenever a player redraws",
    Place.END: "when this enemy is defeated",
}

VOICES = {
    Place.PLAY: Voice(Place.PLAY),
    Place.START: Voice(Place.START, Mood.REPORT, "the starting player"),
    Place.TURN: Voice(Place.TURN, Mood.REPORT, "that player"),
    Place.REDRAW: Voice(Place.REDRAW, Mood.REPORT, "that player"),
    Place.END: Voice(Place.END, Mood.REPORT, "the player who defeated it"),
    Place.REWARD: Voice(Place.REWARD),
}

CARD_WORDS = {
    Filter.ANY: "",
    Filter.BASIC: "Basic ",
    Filter.BASIC_0: "Basic 0 ",
    Filter.BASIC_1: "Basic 1 ",
    Filter.LOOT: "loot ",
    Filter.SKILL: "Skill ",
}

COUNT_WORDS = {
    Count.BASIC_0_IN_DISCARDS: "Basic 0 card in each discard pile",
    Count.BASIC_1_IN_DISCARDS: "Basic 1 card in each discard pile",
    Count.LOOT_IN_DISCARDS: "loot card in each discard pile",
    Count.BASIC_0_IN_YOUR_DISCARD: "Basic 0 card in {your} discard pile",
    Count.CARDS_IN_YOUR_HAND: "card in {your} hand",
    Count.CARDS_YOU_PLAYED: "card {you} have played in this combat",
    Count.BASICS_YOU_PLAYED: "Basic card {you} have played in this combat",
    Count.LOOT_YOU_PLAYED: "loot card {you} have played in this combat",
    Count.CARDS_PLAYED: "card played in this combat",
    Count.REDRAWS: "redraw made in this combat",
    Count.EXHAUSTED_PLAYERS: "exhausted player",
    Count.TURNS_TAKEN: "finished turn of this combat",
    Count.DUNGEONS_CLEARED: "cleared dungeon",
    Count.STEPS_LEFT: "step left on the boss track",
}

PILE_WORDS = {From.DECK: "deck", From.HAND: "hand", From.DISCARD: "discard pile"}


def third_person(verb: str) -> str:
    """The form of a verb after "each player"."""
    if verb == "have":
        return "has"
    return verb + ("es" if verb.endswith(("s", "sh", "ch", "x", "o")) else "s")


def plural(number: int, noun: str) -> str:
    """A number and its noun."""
    return f"{number} {noun}" if abs(number) == 1 else f"{number} {noun}s"


def cards(number: int, which: Filter = Filter.ANY, up_to: bool = False) -> str:
    """A number of cards of a kind."""
    return ("up to " if up_to else "") + plural(number, f"{CARD_WORDS[which]}card")


def top_cards(number: int, kind: str = "card") -> str:
    """The uppermost cards of a pile."""
    return f"the top {kind}" if number == 1 else f"the top {plural(number, kind)}"


def more(number: int, noun: str) -> str:
    """A difference: one card more, two cards fewer."""
    return f"{plural(abs(number), noun)} {'more' if number > 0 else 'fewer'}"


def signed(number: int) -> str:
    """A change of power."""
    return f"{number:+d} power"


def counted(count: Count, voice: Voice) -> str:
    """The thing a "for each" counts."""
    return COUNT_WORDS[count].format(you=voice.you, your=voice.your)


def piles(where: From) -> str:
    """The piles a card may be chosen from."""
    return any_of([word for pile, word in PILE_WORDS.items() if pile in where])


def any_of(parts: Sequence[str]) -> str:
    """Alternatives; those that contain commas are set apart by semicolons."""
    comma, last = ("; ", "; or ") if any("," in part for part in parts) else (", ", " or ")
    return comma.join(parts[:-1]) + last + parts[-1] if len(parts) > 1 else parts[0]


def hero_name(hero: Hero) -> str:
    """The hero as the rulebook writes it."""
    return hero.name.capitalize()


def condition(asked: Condition, number: int, voice: Voice) -> str:
    """What an "if" asks, about the one who acts or about the table."""
    named = voice.subject and voice.mood is Mood.REPORT and not voice.in_block
    who = voice.subject if named else voice.you
    whose = f"the {{}} of {who}" if named else f"{voice.your} {{}}"
    is_or_are = "is" if named and not voice.plural else "are"
    return {
        Condition.HERO: f"{who} {is_or_are} the {hero_name(Hero(number % len(Hero)))}",
        Condition.FIRST_TURN: "this is the first turn of the combat",
        Condition.LAST_TURN: "this is the last turn of the combat",
        Condition.EXHAUSTED: f"{whose.format('deck')} is empty",
        Condition.BOSS: "the boss deck is being fought",
        Condition.LEVEL_AT_LEAST: f"the dungeon is of level {number} or higher",
        Condition.HAND_EMPTY: f"{whose.format('hand')} is empty",
    }[asked]


PERSONAL = (Condition.HERO, Condition.EXHAUSTED, Condition.HAND_EMPTY)


def relative(asked: Condition, number: int) -> str:
    """A personal condition said of the players it singles out."""
    return {
        Condition.HERO: f"who is the {hero_name(Hero(number % len(Hero)))}",
        Condition.EXHAUSTED: "whose deck is empty",
        Condition.HAND_EMPTY: "whose hand is empty",
    }[asked]


def then(clauses: Sequence[Clause]) -> Clause:
    """Clauses in their order as one; the subject is named when it changes."""
    first = clauses[0]
    predicate = first.predicate
    for before, clause in pairwise(clauses):
        predicate += f", then {_following(before, clause)}"
    return Clause(first.subject, predicate)


def _following(before: Clause, clause: Clause) -> str:
    words = ("get " if clause.predicate[0] in "+-" else "") + clause.predicate
    if clause.subject == before.subject or words.startswith("if "):
        return words
    return str(Clause(clause.subject or "you", words))


def sentence(words: str) -> str:
    """The words with a capital and a full stop."""
    return words[0].upper() + words[1:] + "."


def sentences(clauses: Sequence[Clause], place: Place) -> str:
    """The text of an effect: orders stand alone, events follow the occasion they happen on."""
    if not clauses:
        return ""
    if place in OPENINGS:
        return sentence(f"{OPENINGS[place]}, {then(clauses)}")
    return " ".join(sentence(str(clause)) for clause in clauses)
