"""The blocks of the card language: verbs that hold other steps."""

from tenefyr_env.cards import text
from tenefyr_env.cards.language import (
    ANYWHERE,
    COMBAT,
    FIGHTING,
    MAX_RANDOM,
    Field,
    Row,
    Setting,
    Step,
    Values,
    branches,
    clauses,
    define,
    definition_of,
    member_of,
    optional,
    read_step,
    row,
    rows,
    steps,
)
from tenefyr_env.cards.source import Node, accepting, quoted
from tenefyr_env.cards.table import MAX_OPTIONS, NUM_LEVELS
from tenefyr_env.cards.text import Clause, Mood, Place, Voice
from tenefyr_env.cards.vocabulary import Condition, Filter, From, Hero, Verb, Who


def block_row(verb: Verb, inner: list[Row], **columns: int) -> list[Row]:
    """A block: its head, then its rows."""
    return [row(verb, jump=len(inner), **columns), *inner]


def _define_players(who: Who) -> None:
    key = who.name.lower()

    def check(node: Node, values: Values, setting: Setting) -> None:
        players = [member.name.lower() for member in Who]
        if outer := [block for block in setting.blocks if block in players]:
            raise node.error(f"{key!r} cannot stand inside {outer[-1]!r}: one player block at most")

    define(
        key,
        Verb.WITH,
        {key: steps(key)},
        places=FIGHTING - {Place.START} if who is Who.NEXT else ANYWHERE,
        rows=lambda v: block_row(Verb.WITH, rows(v[key]), what=who),
        words=lambda v, voice: _with_words(v[key], voice, who),
        check=check,
    )


def _with_words(inner: tuple[Step, ...], voice: Voice, who: Who) -> Clause:
    them = voice.of(who)
    if [step.definition.key for step in inner] == ["double_total"]:
        return voice.does("double", f"the total power of {them.subject}")
    if voice.mood is Mood.BARE:
        return Clause("", f"have {them.subject} {text.then(clauses(inner, them.bare))}")
    return text.then(clauses(inner, them))


for _who in Who:
    _define_players(_who)


def _may_words(v: Values, voice: Voice) -> Clause:
    inner = text.then(clauses(v["may"], voice.bare))
    if voice.mood is Mood.BARE:
        return Clause("", f"{inner} if {voice.you} like")
    return Clause(voice.subject or "you", f"may {inner}")


define(
    "may",
    Verb.MAY,
    {"may": steps("may")},
    places=ANYWHERE,
    rows=lambda v: block_row(Verb.MAY, rows(v["may"])),
    words=_may_words,
)

COSTS = ("discard_deck", "discard", "discard_hand", "remove")


def _read_cost(node: Node, setting: Setting) -> Step:
    definition = definition_of(node)
    if definition.key not in COSTS:
        raise node.error(f"{definition.key!r} is not a cost; accepted: {', '.join(COSTS)}")
    step = read_step(node, setting.inside("pay"))
    if step.values.get("up_to"):
        raise node.error("a cost is paid in full: 'up_to' is not accepted here")
    return step


def _pay_rows(v: Values) -> list[Row]:
    cost: Step = v["pay"]
    piles_of = {"discard_deck": From.DECK, "discard": From.HAND, "discard_hand": From.HAND}
    key = cost.definition.key
    return block_row(
        Verb.PAY,
        rows([cost]) + rows(v["then"]),
        n=int(cost.values[key]),
        what=cost.values.get("filter", Filter.ANY),
        where=cost.values.get("from", piles_of.get(key)),
    )


def _pay_words(v: Values, voice: Voice) -> Clause:
    cost = text.then(clauses([v["pay"]], voice.bare))
    deal = f"{cost} to {text.then(clauses(v['then'], voice.bare))}"
    return Clause(voice.subject, f"may {deal}") if voice.mood is Mood.REPORT else Clause("", deal)


define(
    "pay",
    Verb.PAY,
    {"pay": Field(_read_cost), "then": steps("pay")},
    places=ANYWHERE,
    rows=_pay_rows,
    words=_pay_words,
)

CONDITION_KEYS = [condition.name.lower() for condition in Condition]


def _read_condition(node: Node, setting: Setting) -> tuple[Condition, int]:
    given = list(node.fields().items())
    if len(given) != 1:
        raise node.error(f"expected one condition, got {len(given)}{accepting('', CONDITION_KEYS)}")
    key, value = given[0]
    if key not in CONDITION_KEYS:
        raise node.error(f"unknown condition {quoted(key)}{accepting(key, CONDITION_KEYS)}")
    asked = Condition[str(key).upper()]
    if setting.place is Place.REWARD and asked is not Condition.HERO:
        raise node.error(f"condition {key!r} cannot be used in a reward effect; accepted: hero")
    if asked is Condition.HERO:
        return asked, int(member_of(value, Hero, "hero"))
    if asked is Condition.LEVEL_AT_LEAST:
        return asked, value.integer(1, NUM_LEVELS)
    return asked, int(value.true())


def _if_rows(v: Values) -> list[Row]:
    asked, number_asked = v["if"]
    yes, no = rows(v["then"]), rows(v["else"])
    return [*block_row(Verb.IF, yes, n=number_asked, what=asked, optional=len(no)), *no]


def _if_words(v: Values, voice: Voice) -> Clause:
    asked, number_asked = v["if"]
    is_personal = asked in text.PERSONAL
    question = text.condition(asked, number_asked, voice)
    if voice.mood is Mood.REPORT and voice.in_block and is_personal and not v["else"]:
        them = text.relative(asked, number_asked)
        return Clause(f"{voice.subject} {them}", text.then(clauses(v["then"], voice)).predicate)
    if voice.mood is Mood.REPORT and not voice.in_block and is_personal:
        voice = voice.as_they()
    branches_of = [text.then(clauses(v[key], voice)) for key in ("then", "else") if v[key]]
    if voice.mood is Mood.BARE:
        otherwise = f", otherwise {branches_of[1]}" if v["else"] else ""
        return Clause("", f"{branches_of[0]} if {question}{otherwise}")
    if voice.in_block:
        words = "; otherwise, ".join(branch.predicate for branch in branches_of)
        return Clause(voice.subject, f"if {question}, {words}")
    return Clause("", f"if {question}, {'; otherwise, '.join(map(str, branches_of))}")


define(
    "if",
    Verb.IF,
    {"if": Field(_read_condition), "then": steps("if"), "else": optional(steps("if"), ())},
    places=ANYWHERE,
    rows=_if_rows,
    words=_if_words,
)


def _branch_rows(verb: Verb, options: tuple[tuple[Step, ...], ...]) -> list[Row]:
    inner = [line for option in options for line in block_row(Verb.OPTION, rows(option))]
    return block_row(verb, inner, n=len(options))


def _options(options: tuple[tuple[Step, ...], ...], voice: Voice) -> str:
    return text.any_of([str(text.then(clauses(option, voice))) for option in options])


def _choose_words(v: Values, voice: Voice) -> Clause:
    inner = voice if voice.mood is Mood.ORDER else voice.bare
    return voice.does("choose", f"one: {_options(v['choose'], inner)}")


def _random_words(v: Values, voice: Voice) -> Clause:
    if voice.mood is Mood.REPORT and not voice.in_block:
        return Clause("one of these", f"happens at random: {_options(v['random'], voice)}")
    inner = voice if voice.mood is Mood.ORDER else voice.bare
    return voice.does("do", f"one of these at random: {_options(v['random'], inner)}")


define(
    "choose",
    Verb.CHOOSE,
    {"choose": branches("choose", MAX_OPTIONS)},
    places=ANYWHERE,
    rows=lambda v: _branch_rows(Verb.CHOOSE, v["choose"]),
    words=_choose_words,
)
define(
    "random",
    Verb.RANDOM,
    {"random": branches("random", MAX_RANDOM)},
    places=COMBAT,
    rows=lambda v: _branch_rows(Verb.RANDOM, v["random"]),
    words=_random_words,
)
