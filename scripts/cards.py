"""Print the cards of a card set as a table that fits the terminal.

python scripts/cards.py --level 1
python scripts/cards.py --hero thief
python scripts/cards.py --boss "Dark Lord"
python scripts/cards.py --kind reward --set my_cards/
"""

import argparse
import os
import shutil
import sys
import textwrap
from collections.abc import Iterable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tenefyr_env.cards.card_set import Card, CardSet, Reward
from tenefyr_env.cards.compiler import load_card_set
from tenefyr_env.cards.source import CardError
from tenefyr_env.cards.vocabulary import Hero, Kind

KINDS = ("dungeon", "boss", "reward", "skill")
GAP = "  "
NARROWEST = 16  # a column of running text
HEADS = {
    "dungeon": ("lv", "enemy", "2/3/4", "rule", "loot", "pow", "effect", "hero", "origin"),
    "boss": ("boss", "card", "2/3/4", "rule", "origin"),
    "skill": ("hero", "skill", "pow", "effect", "origin"),
    "reward": ("lv", "reward", "kind", "first option", "second option", "origin"),
}
RUNNING_TEXT = ("rule", "effect", "first option", "second option")

Row = tuple[str, ...]


def main() -> None:
    """Print the tables the options ask for."""
    options = parse_arguments()
    try:
        card_set = load_card_set(options.set)
    except CardError as error:
        sys.exit(str(error))
    bosses = [name.casefold() for name in card_set.bosses]
    if options.boss and options.boss.casefold() not in bosses:
        sys.exit(f"--boss {options.boss!r}: accepted: {', '.join(card_set.bosses)}")
    width = options.width or shutil.get_terminal_size((120, 40)).columns
    print(f"{card_set.name}, version {card_set.version}, hash {card_set.hash[:12]}")
    for kind in kinds_wanted(options):
        rows = list(rows_of(kind, card_set, options))
        if rows:
            print()
            print("\n".join(table(HEADS[kind], rows, width)))


def parse_arguments() -> argparse.Namespace:
    """The options of the command line."""
    parser = argparse.ArgumentParser(
        description="Print the cards of a card set as a table.",
    )
    parser.add_argument("--kind", choices=KINDS, help="only cards of this kind")
    parser.add_argument(
        "--level", type=int, choices=range(1, 6), help="Dungeon cards and rewards of this level"
    )
    parser.add_argument(
        "--hero",
        type=str.lower,
        choices=[hero.name.lower() for hero in Hero],
        help="the Skill and the loot of this hero",
    )
    parser.add_argument("--boss", metavar="NAME", help="the cards of this boss")
    parser.add_argument("--set", default="tenefyr", metavar="PATH", help="folder or file of a set")
    parser.add_argument("--width", type=int, help="columns of the terminal (default: its own)")
    return parser.parse_args()


def kinds_wanted(options: argparse.Namespace) -> list[str]:
    """The kinds of cards that the filters can apply to."""
    wanted = set(KINDS)
    if options.kind:
        wanted &= {options.kind}
    if options.level:
        wanted &= {"dungeon", "reward"}
    if options.hero:
        wanted &= {"dungeon", "skill"}
    if options.boss:
        wanted &= {"boss"}
    if not wanted:
        sys.exit(
            "these filters leave no card: --level is for dungeon and reward cards, --hero for"
            " dungeon and skill cards, --boss for boss cards"
        )
    return [kind for kind in ("skill", "dungeon", "boss", "reward") if kind in wanted]


def rows_of(kind: str, card_set: CardSet, options: argparse.Namespace) -> Iterable[Row]:
    """The cells of the cards of a kind that pass the filters."""
    if kind == "reward":
        for reward in card_set.rewards:
            if reward and options.level in (None, reward.level):
                yield reward_cells(reward)
        return
    for card in card_set.cards:
        if card and card.kind is Kind[kind.upper()] and passes(card, options):
            yield card_cells(card)


def passes(card: Card, options: argparse.Namespace) -> bool:
    """Whether a card passes the filters."""
    hero = card.hero.name.lower() if card.hero is not None else ""
    return (
        options.level in (None, card.level)
        and options.hero in (None, hero)
        and (options.boss is None or options.boss.casefold() == card.boss.casefold())
    )


def card_cells(card: Card) -> Row:
    """One card as the cells of its kind's table."""
    powers = "/".join(map(str, card.enemy_power))
    hero = card.hero.name.capitalize() if card.hero is not None else ""
    if card.kind is Kind.SKILL:
        return (hero, card.name, str(card.power), card.text, card.origin)
    if card.kind is Kind.BOSS:
        return (card.boss, card.enemy_name, powers, card.enemy_text, card.origin)
    enemy = (str(card.level), card.enemy_name, powers, card.enemy_text)
    return (*enemy, card.name, str(card.power), card.text, hero, card.origin)


def reward_cells(reward: Reward) -> Row:
    """One reward as cells."""
    kind = "together" if reward.is_together else "each"
    return (str(reward.level), reward.name, kind, *reward.options, reward.origin)


def table(head: Row, rows: Sequence[Row], width: int) -> list[str]:
    """The lines of a table, or of a list where the terminal is too narrow for the table."""
    widths = column_widths(head, rows, width)
    if sum(widths) + len(GAP) * (len(widths) - 1) > width:
        return listing(head, rows, width)
    rule = GAP.join("-" * column for column in widths)
    return [*wrapped(head, widths), rule, *(line for row in rows for line in wrapped(row, widths))]


def listing(head: Row, rows: Sequence[Row], width: int) -> list[str]:
    """The cells one below the other, each after the name of its column."""
    label = max(map(len, head))
    widths = (label, max(NARROWEST, width - label - len(GAP)))
    lines = []
    for row in rows:
        for cell in zip(head, row, strict=True):
            lines += wrapped(cell, widths) if cell[1] else []
        lines.append("")
    return lines[:-1]


def column_widths(head: Row, rows: Sequence[Row], width: int) -> list[int]:
    """Short columns get what they need, running text shares the rest."""
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
    running = sorted(
        (i for i, name in enumerate(head) if name in RUNNING_TEXT), key=lambda i: widths[i]
    )
    spare = width - len(GAP) * (len(head) - 1)
    spare -= sum(size for i, size in enumerate(widths) if i not in running)
    for done, i in enumerate(running):
        widths[i] = min(widths[i], max(NARROWEST, spare // (len(running) - done)))
        spare -= widths[i]
    return widths


def wrapped(row: Row, widths: Sequence[int]) -> list[str]:
    """One row as lines, its cells wrapped to their columns."""
    cells = [textwrap.wrap(cell, size) or [""] for cell, size in zip(row, widths, strict=True)]
    lines = []
    for i in range(max(map(len, cells))):
        parts = [
            (cell[i] if i < len(cell) else "").ljust(size)
            for cell, size in zip(cells, widths, strict=True)
        ]
        lines.append(GAP.join(parts).rstrip())
    return lines


if __name__ == "__main__":
    try:
        main()
        sys.stdout.flush()
    except BrokenPipeError:  # the reader, `head` or a pager, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
