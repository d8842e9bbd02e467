"""Card files as trees of values that know their file and line.

Card files may come from anybody, so only YAML's events are read: a tag never makes an object,
an alias never multiplies a list, and size and depth are limited.
"""

import difflib
import re
from collections.abc import Iterable, Iterator
from importlib.resources.abc import Traversable
from typing import Any, TypeAlias

import yaml

MAX_BYTES = 1_000_000  # of one file; the shipped set has less than a tenth of this
MAX_FILES = 64
MAX_DEPTH = 40
LONGEST_SHOWN = 50  # characters of a value in an error message
SUFFIXES = (".yaml", ".yml")

Key: TypeAlias = str | int
Scalar: TypeAlias = str | int | bool | None

_PARSER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_WHOLE_NUMBER = re.compile(r"[-+]?[0-9]{1,9}")
_PLAIN_WORDS: dict[str, bool | None] = {"true": True, "false": False, "null": None, "": None}


class CardError(ValueError):
    """A card set that cannot be used; the message names file, line, card, field and remedy."""


class Node:
    """One value of a card file, with the place it was read from."""

    def __init__(self, file: str, line: int, parent: "Node | None" = None, key: Key = "") -> None:
        self.file = file
        self.line = line
        self.parent = parent
        self.key = key
        self.label = ""  # the name of the card that starts here
        self.value: Scalar | list[Node] | dict[Key, Node] = None

    def error(self, problem: str) -> CardError:
        """The error that names this value's file, line, card and field."""
        return CardError(": ".join([f"{self.file}:{self.line}", *self._address(), problem]))

    def _address(self) -> list[str]:
        """The name of the card this value belongs to and the way from there to the value."""
        path = ""
        node = self
        while node.parent is not None and not node.label:
            if node.key != "":
                is_field = isinstance(node.key, str) or isinstance(node.parent.value, dict)
                path = (f".{shown(node.key)}" if is_field else f"[{node.key}]") + path
            node = node.parent
        return [part for part in (node.label, path.removeprefix(".")) if part]

    def mapping(self, required: Iterable[Key], optional: Iterable[Key] = ()) -> dict[Key, "Node"]:
        """The fields of a mapping that has all `required` keys and no unknown one."""
        fields = self.fields()
        required = list(required)
        accepted = [*required, *optional]
        for key, node in fields.items():
            if key not in accepted:
                raise node.error(f"unknown key {quoted(key)}{accepting(key, accepted)}")
        for key in required:
            if key not in fields:
                raise self.error(f"missing field {key!r}")
        return fields

    def fields(self) -> dict[Key, "Node"]:
        """The fields of a mapping, whatever their names."""
        if not isinstance(self.value, dict):
            raise self.error(f"expected a mapping, got {self.describe()}")
        return self.value

    def items(self, low: int = 0, high: int = 1000) -> list["Node"]:
        """The entries of a list with `low` to `high` of them."""
        if not isinstance(self.value, list):
            raise self.error(f"expected a list, got {self.describe()}")
        if not low <= len(self.value) <= high:
            wanted = f"{low}" if low == high else f"{low} to {high}"
            raise self.error(f"expected {wanted} entries, got {len(self.value)}")
        return self.value

    def integer(self, low: int, high: int) -> int:
        """A whole number from `low` to `high`."""
        if not isinstance(self.value, int) or isinstance(self.value, bool):
            raise self.error(f"expected a whole number from {low} to {high}, got {self.describe()}")
        if not low <= self.value <= high:
            raise self.error(f"{self.value} is out of range; accepted: {low} to {high}")
        return self.value

    def string(self, longest: int = 40) -> str:
        """A printable text of at most `longest` characters."""
        if not isinstance(self.value, str):
            raise self.error(f"expected a text, got {self.describe()}")
        text = self.value
        if not text.isprintable() or text != text.strip() or len(text) > longest:
            raise self.error(
                f"{self.describe()} is not a text of at most {longest} printable characters"
                " without blanks at its ends"
            )
        return text

    def word(self, accepted: Iterable[str], what: str = "word") -> str:
        """One of the `accepted` words."""
        accepted = list(accepted)
        if self.value not in accepted:
            raise self.error(f"unknown {what} {self.describe()}{accepting(self.value, accepted)}")
        return str(self.value)

    def true(self) -> bool:
        """The value `true`, which marks a word that needs no number."""
        if self.value is not True:
            raise self.error(f"expected true, got {self.describe()}")
        return True

    def describe(self) -> str:
        """The value as an error message shows it."""
        if isinstance(self.value, list):
            return "a list"
        if isinstance(self.value, dict):
            return "a mapping"
        if self.value is None:
            return "nothing"
        if isinstance(self.value, bool):
            return str(self.value).lower()
        return quoted(self.value)


def quoted(value: object) -> str:
    """A value as written, shortened, with what is not printable escaped."""
    text = repr(value)
    return text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 3] + "..."


def shown(key: Key) -> str:
    """A key as a part of a path."""
    is_plain = str(key).isprintable() and len(str(key)) <= LONGEST_SHOWN
    return str(key) if is_plain else quoted(key)


def accepting(given: object, accepted: Iterable[Key]) -> str:
    """The end of an error message: the nearest accepted word, and all of them."""
    words = [str(word) for word in accepted]
    near = difflib.get_close_matches(str(given)[:LONGEST_SHOWN], words, 1)
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    return f"{hint}; accepted: {', '.join(words)}"


def read_source(place: Traversable) -> Node:
    """The fields of a card set: one file, or all YAML files of a folder taken together."""
    if place.is_file():
        return _read_file(place)
    if not place.is_dir():
        raise CardError(f"{place.name}: neither a folder nor a file")
    files = sorted(
        (entry for entry in place.iterdir() if entry.is_file() and entry.name.endswith(SUFFIXES)),
        key=lambda entry: entry.name,
    )
    if not 1 <= len(files) <= MAX_FILES:
        raise CardError(
            f"{place.name}: {len(files)} files that end in {' or '.join(SUFFIXES)};"
            f" accepted: 1 to {MAX_FILES}"
        )
    return _merge(place.name, [_read_file(file) for file in files])


def _merge(name: str, roots: list[Node]) -> Node:
    whole = Node(name, 1)
    fields: dict[Key, Node] = {}
    for root in roots:
        for key, node in root.fields().items():
            if key in fields:
                first = fields[key]
                raise node.error(f"key already given in {first.file}:{first.line}")
            fields[key] = node
            node.parent = whole
    whole.value = fields
    return whole


def _read_file(file: Traversable) -> Node:
    with file.open("rb") as stream:
        content = stream.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise CardError(f"{file.name}: larger than the {MAX_BYTES} bytes accepted")
    try:
        return parse(content.decode("utf-8"), file.name)
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise CardError(f"{file.name}:{line}: not UTF-8 text ({error.reason})") from None


def parse(text: str, file: str) -> Node:
    """The tree of one file's text."""
    try:
        events = (event for event in yaml.parse(text, Loader=_PARSER) if not _is_frame(event))
        return _build(events, file)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise CardError(f"{file}:{line}: not valid YAML: {error.problem}") from None
    except yaml.YAMLError as error:
        raise CardError(f"{file}: not valid YAML: {error}") from None


def _is_frame(event: Any) -> bool:
    return isinstance(
        event,
        (yaml.StreamStartEvent, yaml.StreamEndEvent, yaml.DocumentEndEvent),
    )


def _build(events: Iterator[Any], file: str) -> Node:
    """Assemble the one document of a file; an empty file is an empty mapping."""
    root = Node(file, 1)
    root.value = {}
    documents = 0
    for event in events:
        if isinstance(event, yaml.DocumentStartEvent):
            documents += 1
            if documents > 1:
                raise root.error("more than one YAML document; accepted: one")
            root = _node(next(events), events, file, None, "", 0)
    return root


def _node(
    event: Any, events: Iterator[Any], file: str, parent: Node | None, key: Key, depth: int
) -> Node:
    node = Node(file, event.start_mark.line + 1, parent, key)
    if isinstance(event, yaml.AliasEvent) or event.anchor:
        raise node.error("anchors (&) and aliases (*) are not accepted")
    if event.tag not in (None, "!"):
        raise node.error(f"tag {quoted(event.tag)} is not accepted")
    if depth > MAX_DEPTH:
        raise node.error(f"nested more than {MAX_DEPTH} levels deep")
    if isinstance(event, yaml.ScalarEvent):
        node.value = _scalar(event)
    elif isinstance(event, yaml.SequenceStartEvent):
        node.value = _sequence(events, node, depth)
    else:
        node.value = _mapping(events, node, depth)
    return node


def _sequence(events: Iterator[Any], node: Node, depth: int) -> list[Node]:
    items: list[Node] = []
    while not isinstance(event := next(events), yaml.SequenceEndEvent):
        items.append(_node(event, events, node.file, node, len(items), depth + 1))
    return items


def _mapping(events: Iterator[Any], node: Node, depth: int) -> dict[Key, Node]:
    fields: dict[Key, Node] = {}
    while not isinstance(event := next(events), yaml.MappingEndEvent):
        name = _node(event, events, node.file, node, "", depth + 1)
        key = name.value
        if not isinstance(key, (str, int)) or isinstance(key, bool):
            raise name.error(f"expected a word or a number as the key, got {name.describe()}")
        if key in fields:
            raise name.error(f"key {quoted(key)} is given twice")
        fields[key] = _node(next(events), events, node.file, node, key, depth + 1)
    return fields


def _scalar(event: Any) -> Scalar:
    """A plain true, false, null or whole number is that; anything else is text."""
    text = str(event.value)
    if event.style is not None and event.style != "":
        return text
    if text in _PLAIN_WORDS:
        return _PLAIN_WORDS[text]
    return int(text) if _WHOLE_NUMBER.fullmatch(text) else text
