"""Print the layout of an encoder, or write the tables of the README anew.

python scripts/layouts.py --encoder flat
python scripts/layouts.py --encoder entities --markdown
python scripts/layouts.py --readme
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tenefyr_env.engine.state import MAX_SEATS, NUM_DUNGEONS
from tenefyr_env.spaces.encoders import make_encoder
from tenefyr_env.spaces.entities import MAX_TOKENS, TOKEN
from tenefyr_env.spaces.flat import DUNGEON, FLAT, PLAYER, TABLE_SECTIONS
from tenefyr_env.spaces.sections import Layout

README = Path(__file__).resolve().parents[1] / "README.md"
# The parts an observation is made of: title, layout, how often it stands there.
PARTS: dict[str, tuple[tuple[str, Layout, int], ...]] = {
    "flat": (
        ("table", TABLE_SECTIONS, 1),
        ("each player, clockwise from the observer", PLAYER, MAX_SEATS),
        ("each dungeon, the boss deck last", DUNGEON, NUM_DUNGEONS),
    ),
    "entities": (("each token", TOKEN, MAX_TOKENS), ("table", TABLE_SECTIONS, 1)),
}
assert sum(layout.size * times for _, layout, times in PARTS["flat"]) == FLAT.size


def main() -> None:
    """Print a layout, or bring the README up to date."""
    options = parse_arguments()
    if options.readme:
        README.write_text(updated(README.read_text(encoding="utf-8")), encoding="utf-8")
    elif options.markdown:
        print("\n".join(markdown(options.encoder)))
    else:
        print(make_encoder(options.encoder).describe())


def parse_arguments() -> argparse.Namespace:
    """The options of the command line."""
    parser = argparse.ArgumentParser(description="Print the layout of an encoder.")
    parser.add_argument("--encoder", default="flat", help="the encoder by name (default: flat)")
    parser.add_argument("--markdown", action="store_true", help="print the README's table")
    parser.add_argument("--readme", action="store_true", help="write the README's tables anew")
    options = parser.parse_args()
    if options.markdown and options.encoder not in PARTS:
        parser.error(f"--markdown --encoder {options.encoder}: accepted are {', '.join(PARTS)}")
    return options


def markdown(encoder: str) -> Iterator[str]:
    """The parts of an observation as a markdown table, each part once."""
    yield "| part | section | size | entries | meaning |"
    yield "| --- | --- | ---: | --- | --- |"
    for title, layout, times in PARTS[encoder]:
        size = f"{times} x {layout.size}" if times > 1 else str(layout.size)
        yield f"| **{title}** | | **{size}** | | |"
        for section in layout:
            entries = f"{section.low} to {section.high}"
            yield f"| | {section.name} | {section.size} | {entries} | {section.meaning} |"
    total = sum(layout.size * times for _, layout, times in PARTS[encoder])
    yield f"| **all** | | **{total}** | | |"


def updated(text: str) -> str:
    """A text with every table between the markers of a layout written anew."""
    for encoder in PARTS:
        first, last = f"<!-- layout:{encoder} -->", f"<!-- /layout:{encoder} -->"
        if first not in text:
            continue
        before, _, rest = text.partition(first)
        _, found, after = rest.partition(last)
        if not found:
            raise ValueError(f"README: {first} has no {last} after it")
        text = "\n".join([before + first, *markdown(encoder), last]) + after
    return text


if __name__ == "__main__":
    main()
