"""The calibration report as Markdown: the same text for the same figures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from agents.evaluation.calibration import PARTS
from agents.evaluation.choices import FEWEST_CHOICES, LEVEL_NAMES
from agents.evaluation.figures import Figures

BUDGET_PICTURE = "budget.png"
LEAST_COMMON = 10  # loot cards that are listed


def text_of(report: Figures) -> str:
    """The whole report."""
    cards = report["card_set"]
    lines = [
        f"# Calibration: card set {cards['name']}, version {cards['version']}",
        "",
        f"On {report['deals']} deals; cards {cards['hash'][:16]}. Win rates have Wilson's 95 %"
        ' interval; "in the noise" means that an interval holds both answers.',
        *_failed(report["failed"]),
        "",
        *_summary(report["parts"]),
    ]
    for name, part in report["parts"].items():
        lines += ["", f"## {PARTS[name].title}", "", f"    {part['command']}", ""]
        lines += _rates(part["rows"]) if name != "choices" else _choices(part)
        if name == "budget":
            lines += ["", f"![Win rate by rollouts]({BUDGET_PICTURE})"]
    return "\n".join(lines) + "\n"


def _failed(games: int) -> list[str]:
    return [f"{games:,} games FAILED and count nowhere."] if games else []


def _summary(parts: Mapping[str, Figures]) -> list[str]:
    """How much of what is wanted holds, and what does not."""
    judged = [
        (f"{name}: {row['what']}", row)
        for name, part in parts.items()
        for row in part["rows"]
        if "holds" in row
    ]
    missed = [(what, row) for what, row in judged if not row["holds"]]
    lines = [f"{len(judged) - len(missed)} of {len(judged)} hold{'.' if not missed else '; not:'}"]
    if missed:
        lines.append("")
    for what, row in missed:
        lines.append(f"- {what}: {_found(row)}, wanted {row['wanted']} ({_mark(row)})")
    return lines


def _found(row: Figures) -> str:
    """A row's figure in a few words."""
    if row.get("difference") is not None:
        return _points(row["difference"])
    for key, write in (("win_rate", percent), ("share", percent), ("found", str)):
        if key in row:
            return write(row[key])
    return "not so"


def _mark(row: Figures) -> str:
    """Whether what is wanted holds."""
    if "holds" not in row:
        return ""
    answer = "yes" if row["holds"] else "NO"
    return answer if row["is_clear"] else f"{answer.lower()}, in the noise"


def percent(share: float | None) -> str:
    """A share for people."""
    return "-" if share is None else f"{100 * share:.1f} %"


def _points(difference: float | None) -> str:
    return "" if difference is None else f"{100 * difference:+.1f}"


# Win rates


def _rates(rows: Sequence[Figures]) -> list[str]:
    """A table of win rates, with differences where there are any."""
    columns: dict[str, Callable[[Figures], str]] = {
        "": lambda row: row["what"],
        "won": lambda row: percent(row["win_rate"]) if "win_rate" in row else "",
        "95 %": lambda row: _interval(row["ci95"]) if "ci95" in row else "",
        "games": lambda row: f"{row['games']:,}" if "games" in row else "",
    }
    if any("difference" in row for row in rows):
        columns["points more"] = _more
    if any("wanted" in row for row in rows):
        columns |= {"wanted": lambda row: row.get("wanted", ""), "holds": _mark}
    return table(list(columns), [[write(row) for write in columns.values()] for row in rows])


def _more(row: Figures) -> str:
    points = _points(row.get("difference"))
    interval = row.get("difference_ci95")
    return f"{points} ({' to '.join(map(_points, interval))})" if interval else points


def _interval(bounds: Sequence[float]) -> str:
    low, high = (f"{100 * bound:.1f}" for bound in bounds)
    return f"{low} to {high}"


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A Markdown table that can be read as it is: texts left, all other columns right."""
    cells = [list(header), *map(list, rows)]
    widths = [max(3, *map(len, column)) for column in zip(*cells, strict=True)]
    is_text = [index == 0 or name in ("wanted", "holds") for index, name in enumerate(header)]
    lines = [
        "| "
        + " | ".join(
            cell.ljust(width) if left else cell.rjust(width)
            for cell, width, left in zip(row, widths, is_text, strict=True)
        )
        + " |"
        for row in cells
    ]
    rule = [
        "-" * width if left else "-" * (width - 1) + ":"
        for width, left in zip(widths, is_text, strict=True)
    ]
    return [lines[0], f"| {' | '.join(rule)} |", *lines[1:]]


# Choices


def _choices(part: Figures) -> list[str]:
    groups = part["groups"]
    return [
        *_games(groups),
        "",
        *_taken(part["rows"]),
        *(line for name, group in groups.items() for line in _dungeons(name, group["dungeons"])),
        *_loot(groups),
        *_kinds(groups),
    ]


def _games(groups: Mapping[str, Figures]) -> list[str]:
    header = ["difficulty", "games", "won", "decisions a game"]
    rows = [
        [name, f"{each['games']:,}", f"{each['won']:,}", _number(each["mean_decisions"])]
        for name, each in groups.items()
    ]
    return table(header, rows)


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"


def _taken(rows: Sequence[Figures]) -> list[str]:
    header = ["", "found", "chances a game", "wanted", "holds"]
    cells = [
        [row["what"], _found(row), _number(row["chances_per_game"]) if "chances" in row else "",
         row["wanted"], _mark(row)]
        for row in rows
    ]  # fmt: skip
    return table(header, cells)


def _dungeons(group: str, dungeons: Mapping[str, Figures]) -> list[str]:
    """What is entered at each position of the boss token."""
    levels = [f"level {name}" if name != "boss" else name for name in LEVEL_NAMES.values()]
    rows = []
    for steps, each in dungeons.items():
        shares = [percent(share) if share else "" for share in each["shares"].values()]
        is_few = each["choices"] < FEWEST_CHOICES
        mark = "NO, always the same" if each["always"] else "too few" if is_few else "yes"
        rows.append([steps, *shares, f"{each['choices']:,}", mark])
    title = f"Dungeons entered, {group}, by steps left to the skull:"
    return ["", title, "", *table(["steps left", *levels, "choices", "holds"], rows)]


def _loot(groups: Mapping[str, Figures]) -> list[str]:
    """The loot cards that no winning deck has, and the least common."""
    loot = groups["all"]["loot"]
    missing = [name for name, counts in loot.items() if not counts["won"]]
    won = groups["all"]["won"]
    least = sorted(loot, key=lambda name: (loot[name]["won"], loot[name]["games"], name))
    title = f"Loot in final decks: {len(missing)} of {len(loot)} cards in none of {won:,} won games"
    names = f": {', '.join(missing)}." if missing else "."
    rows = [
        [name, str(loot[name]["level"]), f"{loot[name]['won']:,}", f"{loot[name]['games']:,}"]
        for name in least[: max(LEAST_COMMON, len(missing))]
    ]
    header = ["least common loot", "level", "won games", "all games"]
    return ["", f"{title}{names}", "", *table(header, rows)]


def _kinds(groups: Mapping[str, Figures]) -> list[str]:
    """What is asked, and how often."""
    rows = [
        [kind, *(percent(group["decisions"].get(kind, 0)) for group in groups.values())]
        for kind in groups["all"]["decisions"]
    ]
    return ["", "Decisions by kind:", "", *table(["decision", *groups], rows)]
