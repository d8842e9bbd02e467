"""Every numbered rule and achievement has a test that names it."""

import importlib.util
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent.parent / "scripts" / "rules.py"
spec = importlib.util.spec_from_file_location("rules_script", SCRIPT)
assert spec is not None
assert spec.loader is not None
rules = importlib.util.module_from_spec(spec)
spec.loader.exec_module(rules)
COVERAGE = rules.tests_by_rule()


def test_the_list_of_rules_is_complete():
    numbers = list(rules.read_rules())
    expected = [f"R{n}" for n in range(1, 63)] + [f"A{n}" for n in range(1, 22)]
    assert sorted(numbers) == sorted(expected)


@pytest.mark.parametrize("rule", rules.read_rules())
def test_a_test_names_the_rule(rule):
    assert COVERAGE[rule], f"no test names {rule}: {rules.read_rules()[rule]}"


def test_the_table_is_up_to_date():
    assert rules.TABLE.read_text(encoding="utf-8") == rules.coverage_table(), "run `make rules`"
