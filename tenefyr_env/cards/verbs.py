"""The verbs of the card language: what a step does to powers, cards and the table."""

from collections.abc import Callable

from tenefyr_env.cards import text
from tenefyr_env.cards.language import (
    AFTERWARDS,
    ANYWHERE,
    COMBAT,
    FIGHTING,
    FILTER,
    LEVEL,
    UP_TO,
    WITH_A_HAND,
    Field,
    Row,
    Setting,
    Values,
    define,
    mark,
    number,
    optional,
    piles,
    row,
    word,
)
from tenefyr_env.cards.source import Node
from tenefyr_env.cards.table import NUM_LEVELS
from tenefyr_env.cards.text import Clause, Mood, Place, Voice
from tenefyr_env.cards.vocabulary import Boost, Count, From, Kind, Pile, Span, Verb

# Power.


def _gets(voice: Voice, amount: str) -> Clause:
    """A gain of power; an order just names it."""
    return Clause("", amount) if voice.mood is Mood.ORDER else voice.does("get", amount)


define(
    "power",
    Verb.POWER,
    {"power": number(-10, 10)},
    places=FIGHTING,
    words=lambda v, voice: _gets(voice, text.signed(v["power"])),
)
define(
    "power_per",
    Verb.POWER_PER,
    {"power_per": word(Count, "count"), "each": number(-5, 5)},
    places=FIGHTING,
    rows=lambda v: [row(Verb.POWER_PER, n=v["each"], what=v["power_per"])],
    words=lambda v, voice: _gets(
        voice, f"{text.signed(v['each'])} for each {text.counted(v['power_per'], voice)}"
    ),
)
define(
    "double_card",
    Verb.DOUBLE_CARD,
    {"double_card": mark()},
    places=frozenset({Place.PLAY}),
    rows=lambda v: [row(Verb.DOUBLE_CARD)],
    words=lambda v, voice: voice.does(
        "double", f"the power of another card {voice.you} have played"
    ),
)
define(
    "double_total",
    Verb.DOUBLE_TOTAL,
    {"double_total": mark()},
    places=frozenset({Place.PLAY}),
    rows=lambda v: [row(Verb.DOUBLE_TOTAL)],
    words=lambda v, voice: voice.does("double", f"{voice.your} total power"),
)
define(
    "enemy",
    Verb.ENEMY,
    {"enemy": number(-20, 20)},
    places=FIGHTING,
    words=lambda v, voice: voice.happens(
        Clause(voice.enemy, f"gets {text.signed(v['enemy'])}"),
        "give",
        f"{voice.enemy} {text.signed(v['enemy'])}",
    ),
)


# Your cards.

define(
    "draw",
    Verb.DRAW,
    {"draw": number(1, 6)},
    places=FIGHTING,
    words=lambda v, voice: voice.does("draw", text.cards(v["draw"])),
)
define(
    "hand_size",
    Verb.HAND_SIZE,
    {"hand_size": number(-3, 3)},
    places=FIGHTING,
    words=lambda v, voice: voice.does(
        "draw",
        f"{text.more(v['hand_size'], 'card')} in {voice.your} next draw step of this combat",
    ),
)
define(
    "discard_deck",
    Verb.DISCARD_DECK,
    {"discard_deck": number(1, 10)},
    places=COMBAT,
    words=lambda v, voice: voice.does(
        "discard", f"{text.top_cards(v['discard_deck'])} of {voice.your} deck"
    ),
)
define(
    "discard",
    Verb.DISCARD,
    {"discard": number(1, 6), "filter": FILTER},
    places=WITH_A_HAND,
    rows=lambda v: [row(Verb.DISCARD, n=1, what=v["filter"])] * int(v["discard"]),
    words=lambda v, voice: voice.does(
        "discard", f"{text.cards(v['discard'], v['filter'])} from {voice.your} hand"
    ),
)
define(
    "discard_hand",
    Verb.DISCARD_HAND,
    {"discard_hand": mark()},
    places=WITH_A_HAND,
    rows=lambda v: [row(Verb.DISCARD_HAND)],
    words=lambda v, voice: voice.does("discard", f"{voice.your} hand"),
)


def _define_pick(
    verb: Verb,
    places: frozenset[Place],
    words: Callable[[str, Values, Voice], Clause],
    accepted: From | None = None,
) -> None:
    """A verb by which a player picks cards of their own, one row for each card."""
    key = verb.name.lower()
    fields = {key: number(1, 4), "filter": FILTER, "up_to": UP_TO}
    if accepted is not None:
        fields["from"] = optional(piles(accepted), From.DECK | From.DISCARD)

    def pick_rows(v: Values) -> list[Row]:
        where, is_optional = v.get("from", 0), int(v["up_to"])
        return [
            row(verb, 1, v["filter"], where, is_optional, is_optional * left)
            for left in reversed(range(v[key]))
        ]

    def pick_words(v: Values, voice: Voice) -> Clause:
        return words(text.cards(v[key], v["filter"], v["up_to"]), v, voice)

    define(key, verb, fields, places=places, rows=pick_rows, words=pick_words)


def _to_others(number_given: int) -> str:
    return "another player" if number_given == 1 else "other players"


_define_pick(
    Verb.SEARCH,
    FIGHTING,
    lambda some, v, voice: voice.does(
        "search",
        f"{voice.your} deck for {some} and {voice.verb('put')}"
        f" {'it' if v['search'] == 1 else 'them'} into {voice.your} hand",
    ),
)
_define_pick(
    Verb.RETURN,
    FIGHTING,
    lambda some, v, voice: voice.does(
        "return", f"{some} from {voice.your} discard pile to {voice.your} hand"
    ),
)
_define_pick(
    Verb.RECOVER,
    COMBAT,
    lambda some, v, voice: voice.does(
        "shuffle", f"{some} from {voice.your} discard pile into {voice.your} deck"
    ),
)
_define_pick(
    Verb.REMOVE,
    ANYWHERE,
    lambda some, v, voice: voice.does(
        "remove", f"{some} from {voice.your} {text.piles(v['from'])}"
    ),
    From.DECK | From.HAND | From.DISCARD,
)
_define_pick(
    Verb.GIVE,
    ANYWHERE,
    lambda some, v, voice: voice.does(
        "give",
        f"{some} from {voice.your} {text.piles(v['from'])} to {_to_others(v['give'])}",
    ),
    From.DECK | From.DISCARD,
)
_define_pick(
    Verb.SWAP,
    ANYWHERE,
    lambda some, v, voice: voice.does(
        "swap",
        f"{some} from {voice.your} {text.piles(v['from'])} with {_to_others(v['swap'])}",
    ),
    From.DECK | From.DISCARD,
)


def _read_level(node: Node, setting: Setting) -> int:
    if node.value == "here":
        if setting.place is Place.REWARD:
            raise node.error("'here' is for combats; a reward names a level from 1 to 5")
        return 0
    if isinstance(node.value, str):
        raise node.error(f"unknown level {node.describe()}; accepted: 1 to {NUM_LEVELS}, here")
    return node.integer(1, NUM_LEVELS)


def _read_goal(node: Node, setting: Setting) -> Pile:
    goals = [Pile.HAND, Pile.DECK, Pile.DISCARD]
    if setting.place is Place.REWARD:
        goals = [Pile.DECK]
    elif setting.place is Place.END:
        goals.remove(Pile.HAND)
    return Pile[node.word([goal.name.lower() for goal in goals], "pile").upper()]


def _take_words(v: Values, voice: Voice) -> Clause:
    level = "this dungeon's level" if v["level"] == 0 else f"level {v['level']}"
    goal = {
        Pile.HAND: f"into {voice.your} hand",
        Pile.DECK: f"into {voice.your} deck",
        Pile.DISCARD: f"onto {voice.your} discard pile",
    }[v["to"]]
    some = text.plural(v["take"], "random card")
    return voice.does("take", f"{some} of {level} from the reserve {goal}")


define(
    "take",
    Verb.TAKE,
    {"take": number(1, 4), "level": Field(_read_level), "to": Field(_read_goal)},
    places=ANYWHERE,
    rows=lambda v: [row(Verb.TAKE, n=1, what=v["level"], where=v["to"])] * int(v["take"]),
    words=_take_words,
)


# The table.

define(
    "look",
    Verb.LOOK,
    {"look": number(1, 4)},
    places=COMBAT,
    words=lambda v, voice: voice.does(
        "look", f"at {text.top_cards(v['look'], 'face-down card')} of this dungeon"
    ),
)
define(
    "scout",
    Verb.SCOUT,
    {"scout": number(1, 4)},
    places=ANYWHERE,
    words=lambda v, voice: voice.does(
        "look",
        f"at {text.top_cards(v['scout'], 'face-down card')} of a dungeon of {voice.your} choice",
    ),
)
define(
    "reorder",
    Verb.REORDER,
    {"reorder": mark()},
    places=COMBAT,
    rows=lambda v: [row(Verb.REORDER)],
    words=lambda v, voice: voice.does("put", "the face-down cards of this dungeon into any order"),
)

IMPARTIAL_BLOCKS = frozenset({"may", "if", "random", "choose"})  # happen once, not once a player


def _move_words(v: Values, voice: Voice) -> Clause:
    if voice.place is Place.END:
        escape = "escapes to another dungeon and gives no loot"
        return voice.happens(
            Clause("it", escape), "let", "it escape to another dungeon and give no loot"
        )
    return voice.happens(
        Clause("this enemy", "moves to another dungeon"), "move", "this enemy to another dungeon"
    )


define(
    "move",
    Verb.MOVE,
    {"move": mark()},
    places=frozenset({Place.START, Place.END}),
    rows=lambda v: [row(Verb.MOVE)],
    words=_move_words,
    only_on=Kind.DUNGEON,
    only_in=IMPARTIAL_BLOCKS,
)


def _join_words(v: Values, voice: Voice) -> Clause:
    monsters = f"{text.plural(v['join'], 'random monster')} of level {v['level']} from the reserve"
    joins, are = ("joins", "is") if v["join"] == 1 else ("join", "are")
    return voice.happens(
        Clause(monsters, f"{joins} the boss deck and {are} fought next"),
        "let",
        f"{monsters} join the boss deck, to be fought next",
    )


define(
    "join",
    Verb.JOIN,
    {"join": number(1, 4), "level": LEVEL},
    places=frozenset({Place.START, Place.END}),
    rows=lambda v: [row(Verb.JOIN, n=1, what=v["level"])] * int(v["join"]),
    words=_join_words,
    only_on=Kind.BOSS,
    only_in=IMPARTIAL_BLOCKS,
)
define(
    "track",
    Verb.TRACK,
    {"track": number(1, 3)},
    places=COMBAT,
    words=lambda v, voice: voice.happens(
        Clause("the boss token", f"moves {text.plural(v['track'], 'step')}"),
        "move",
        f"the boss token {text.plural(v['track'], 'step')}",
    ),
)
define(
    "save_step",
    Verb.SAVE_STEP,
    {"save_step": number(1, 3)},
    places=AFTERWARDS,
    words=lambda v, voice: voice.happens(
        Clause(
            "the boss token",
            f"moves {text.plural(v['save_step'], 'step')} less"
            " when the party next leaves a dungeon",
        ),
        "save",
        f"{text.plural(v['save_step'], 'step')} of the boss token when the party next leaves"
        " a dungeon",
    ),
)


def _check_boost(node: Node, values: Values, setting: Setting) -> None:
    most = {Boost.POWER: 10, Boost.HAND: 3}[values["boost"]]
    if values["by"] > most:
        raise node.fields()["by"].error(f"{values['by']} is out of range; accepted: 1 to {most}")


def _boost_words(v: Values, voice: Voice) -> Clause:
    by, is_power = v["by"], v["boost"] is Boost.POWER
    span = {
        (True, Span.COMBAT): "in the next combat",
        (True, Span.DUNGEON): "in every combat of the next dungeon",
        (False, Span.COMBAT): "in every draw step of the next combat",
        (False, Span.DUNGEON): "in every draw step of the next dungeon",
    }[is_power, v["for"]]
    if is_power:
        gain = f"{text.signed(by)} {span}"
        return voice.happens(Clause("the party", f"gets {gain}"), "give", f"the party {gain}")
    gain = f"{text.more(by, 'card')} {span}"
    event = Clause("each player", f"draws {gain}")
    return voice.happens(event, "let", f"each player draw {gain}")


define(
    "boost",
    Verb.BOOST,
    {"boost": word(Boost, "boost"), "by": number(1, 10), "for": word(Span, "span")},
    places=AFTERWARDS,
    rows=lambda v: [row(Verb.BOOST, n=v["by"], what=v["boost"], where=v["for"])],
    words=_boost_words,
    check=_check_boost,
)
