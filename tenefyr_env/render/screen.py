"""The table for a terminal: what just happened, the table, the question, in colour."""

import re

from tenefyr_env.game import Game
from tenefyr_env.render.text import table_text

BOLD, DIM = "1", "2"
RED, GREEN, YELLOW, BLUE, CYAN = "31", "32", "33", "34", "36"
# How the lines of the table begin, and their colour. The words say everything: colour only helps.
LINES = (
    (r"track ", CYAN),
    (r"enemy ", f"{BOLD};{RED}"),
    (r"boss deck ", RED),
    (r"reserve ", DIM),
    (r"  hand ", GREEN),
    (r"  played ", BLUE),
    (r"  (deck|discard) ", DIM),
    (r"\S.*\(seat \d", f"{BOLD};{YELLOW}"),
)
CURRENT = re.compile(r"(> \d+ .*?\]|> \d+ \S.*?(?=  |$))")  # the dungeon the party is in


def paint(text: str, colour: str) -> str:
    """A text in a colour."""
    return f"\x1b[{colour}m{text}\x1b[0m"


def plain(text: str) -> str:
    """The text without its colours."""
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def screen_text(game: Game, seat: int | None = None) -> str:
    """What a person at the terminal sees; with `seat`, only what that player may know."""
    lines = [paint(event, DIM) for event in game.events(seat)]
    lines += [_painted(line) for line in table_text(game, seat).splitlines()]
    lines.append(_question(game, seat))
    return "\n".join(lines)


def _painted(line: str) -> str:
    for start, colour in LINES:
        if re.match(start, line):
            return paint(line, colour)
    return CURRENT.sub(lambda found: paint(found[0], f"{BOLD};{YELLOW}"), line)


def _question(game: Game, seat: int | None) -> str:
    """Who is asked what, with the options; those of another's hidden hand are not shown."""
    if game.is_over:
        return paint(f"The party has {game.outcome.name.lower()}.", BOLD)
    decision = game.decision
    question = f"{game.player_name(decision.seat)}: {decision.question}"
    if seat is not None and seat != decision.seat:
        return paint(question, BOLD)
    return f"{paint(question, BOLD)} {', '.join(game.options())}"
