"""Vectors as lists of named sections: the one place where an observation's layout is written.

Spaces, encoders, documentation tables and the layout's hash all come from these lists; nobody
keeps an offset by hand.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Section:
    """A stretch of a vector: what it holds and the range of its entries."""

    name: str
    size: int
    low: int
    high: int
    meaning: str


class Layout:
    """Sections one after the other."""

    def __init__(self, *sections: Section) -> None:
        self.sections = sections
        self.first: dict[str, int] = {}
        self.size = 0
        for section in sections:
            if section.name in self.first:
                raise ValueError(f"section {section.name!r}: the name is used twice")
            self.first[section.name] = self.size
            self.size += section.size

    def __iter__(self) -> Iterator[Section]:
        return iter(self.sections)

    def __getitem__(self, name: str) -> slice:
        """Where a section lies in the vector."""
        section = self.section(name)
        return slice(self.first[name], self.first[name] + section.size)

    def section(self, name: str) -> Section:
        """A section by name."""
        for section in self.sections:
            if section.name == name:
                return section
        raise KeyError(f"section {name!r}: accepted are {', '.join(self.first)}")

    def section_at(self, index: int) -> tuple[Section, int]:
        """The section an entry belongs to, and its place in it."""
        for section in self.sections:
            place = index - self.first[section.name]
            if 0 <= place < section.size:
                return section, place
        raise IndexError(f"entry {index}: accepted are 0 to {self.size - 1}")

    def describe(self) -> str:
        """The layout as a table."""
        rows = [("from", "to", "size", "section", "entries")]
        for section in self.sections:
            first = self.first[section.name]
            span = (str(first), str(first + section.size - 1), str(section.size))
            values = f"{section.low} to {section.high}: {section.meaning}"
            rows.append((*span, section.name, values))
        widths = [*(max(len(row[column]) for row in rows) for column in range(4)), 0]
        lines = (
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
            for row in rows
        )
        return "\n".join(line.rstrip() for line in lines)

    def hash(self) -> str:
        """A name for the layout: two vectors with the same one mean the same."""
        text = "\n".join(f"{s.name} {s.size} {s.low} {s.high} {s.meaning}" for s in self.sections)
        return hashlib.sha256(text.encode()).hexdigest()
