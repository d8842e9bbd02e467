"""Every word of the card language has a test that names it, so that a new one needs its own."""

import re
from pathlib import Path

import pytest

from tenefyr_env.cards.continuous import RULES
from tenefyr_env.cards.vocabulary import Boost, Condition, Span, Trigger, Verb, Who

FILES = sorted(Path(__file__).parent.glob("test_verbs_*.py"))
TESTS = "\n".join(file.read_text(encoding="utf-8") for file in FILES)
NAMES = re.findall(r"^def (test_\w+)", TESTS, re.MULTILINE)


def is_named(prefix: str, word: str) -> bool:
    return any(re.match(rf"test_{prefix}_{word}(_|$)", name) for name in NAMES)


@pytest.mark.parametrize("verb", Verb, ids=lambda verb: verb.name)
def test_every_verb_has_a_test_that_names_it(verb):
    assert is_named("verb", verb.name.lower())


@pytest.mark.parametrize("rule", RULES)
def test_every_continuous_rule_has_a_test_that_names_it(rule):
    assert is_named("rule", rule)


@pytest.mark.parametrize("trigger", set(Trigger) - {Trigger.PLAY}, ids=lambda trigger: trigger.name)
def test_every_trigger_of_an_enemy_has_a_test_that_names_it(trigger):
    assert is_named("trigger", trigger.name.lower())


@pytest.mark.parametrize("boost", Boost, ids=lambda boost: boost.name)
@pytest.mark.parametrize("span", Span, ids=lambda span: span.name)
def test_every_boost_and_span_has_a_test_that_names_it(boost, span):
    assert is_named("verb_boost", f"{boost.name.lower()}_span_{span.name.lower()}")


@pytest.mark.parametrize("word", [*Who, *Condition], ids=lambda word: word.name)
def test_every_who_and_condition_is_a_case_of_a_test(word):
    """They are cases of tests that go through them, or have a test of their own."""
    is_case = f"({type(word).__name__}.{word.name}, " in TESTS
    assert is_case or is_named(type(word).__name__.lower(), word.name.lower())
