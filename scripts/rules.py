"""Write the table of rules and the tests that prove them: tests/RULES_COVERAGE.md."""

import argparse
import ast
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RULES = ROOT / "tenefyr_env" / "engine" / "RULES.md"
TABLE = ROOT / "tests" / "RULES_COVERAGE.md"
SHORT = 90  # characters of a rule that the table shows


def read_rules() -> dict[str, str]:
    """Every numbered rule and achievement with its text."""
    lines = RULES.read_text(encoding="utf-8").splitlines()
    found = (re.match(r"- ([RA]\d+) (.*)", line) for line in lines)
    return {match[1]: match[2] for match in found if match}


def test_names() -> list[tuple[str, str]]:
    """Every test function: its file and its name."""
    names = []
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names += [
            (path.relative_to(ROOT / "tests").as_posix(), node.name)
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
        ]
    return names


def tests_by_rule() -> dict[str, list[tuple[str, str]]]:
    """The tests that name each rule."""
    coverage: dict[str, list[tuple[str, str]]] = {rule: [] for rule in read_rules()}
    for file, name in test_names():
        for part in name.split("_"):
            if part in coverage:
                coverage[part].append((file, name))
    return coverage


def coverage_table() -> str:
    """The table as markdown."""
    rules = read_rules()
    lines = [
        "# The rules and the tests that prove them",
        "",
        "Written by `make rules`; the rules are in `tenefyr_env/engine/RULES.md`.",
        "",
        "| rule | text | tests |",
        "|---|---|---|",
    ]
    for rule, tests in tests_by_rule().items():
        text = rules[rule].replace("|", "\\|")
        text = text if len(text) <= SHORT else text[: SHORT - 3].rsplit(" ", 1)[0] + " ..."
        files = sorted({file for file, _ in tests})
        lines.append(f"| {rule} | {text} | {len(tests)} in {', '.join(files)} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Write the table, or with --check say whether it is up to date."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only compare; exit 1 if it differs")
    if parser.parse_args().check:
        return 0 if TABLE.read_text(encoding="utf-8") == coverage_table() else 1
    TABLE.write_text(coverage_table(), encoding="utf-8")
    print(f"{TABLE.relative_to(ROOT)}: {len(read_rules())} rules")
    return 0


if __name__ == "__main__":
    sys.exit(main())
