"""JSON as an episode holds it: one spelling for each value, and where in the text each of its parts stands."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final, TypeAlias

from ..kg.characters import well_formed
from ..temporal.errors import Invalid

DEEPEST: Final = 100
"""Objects and arrays inside one another; what is nested deeper is refused."""

Scalar: TypeAlias = "str | int | float | bool | None"


@dataclass(frozen=True, slots=True)
class Node:
    """A JSON value ``text[start:end]``. ``members`` is not None for objects, ``items`` for arrays; else it is the
    scalar ``value``. ``quote_start`` is where its key begins, where it has one."""

    start: int
    end: int
    quote_start: int
    value: Scalar = None
    members: tuple[tuple[str, Node], ...] | None = None
    items: tuple[Node, ...] | None = None

    @property
    def quote(self) -> tuple[int, int]:
        return self.quote_start, self.end

    @property
    def is_scalar(self) -> bool:
        return self.members is None and self.items is None

    def children(self) -> Iterator[Node]:
        yield from (child for _, child in self.members or ())
        yield from self.items or ()

    def member(self, key: str) -> Node | None:
        return next((child for name, child in self.members or () if name == key), None)


def parse_json(text: str | bytes) -> object:
    """The value of a JSON text from outside. Raises ``Invalid`` for what is none, NaN and Infinity included, and
    for an object in which a key stands twice: one of its values would be lost."""
    try:
        return json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
    except RecursionError:
        raise Invalid(f"it is nested deeper than {DEEPEST}; give a part of it") from None
    except ValueError as error:
        raise Invalid(str(error)) from None


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"the key {next(k for k in keys if keys.count(k) > 1)!r} stands twice in one object")
    return found


def _no_number(name: str) -> object:
    raise ValueError(f"{name} is no number of JSON; write null or a text")


def write_json(value: object) -> tuple[str, Node]:
    """The text of a value, with the items of an array on lines of their own, and its tree.

    Dates and datetimes are written as ISO text. Raises ``Invalid`` naming the path for what is no JSON (NaN, sets,
    keys that are not text) or nested deeper than ``DEEPEST``.
    """
    writer = _Writer()
    node = writer.node(value, "$", 0, None)
    return "".join(writer.parts), node


def read_json(text: str) -> Node:
    """The tree of a text that ``write_json`` wrote. Raises ``Invalid`` for any other."""
    try:
        written, node = write_json(json.loads(text))
    except (ValueError, RecursionError) as error:
        raise Invalid(f"the episode's text is no JSON: {error}") from None
    if written != text:
        raise Invalid("the episode's JSON is not spelled as this version spells it; add it again")
    return node


class _Writer:
    __slots__ = ("_at", "parts")

    def __init__(self) -> None:
        self.parts: list[str] = []
        self._at = 0

    def _put(self, text: str) -> None:
        self.parts.append(text)
        self._at += len(text)

    def node(self, value: object, path: str, depth: int, quote_start: int | None) -> Node:
        start = self._at
        quoted = start if quote_start is None else quote_start
        if depth > DEEPEST:
            raise Invalid(f"the JSON is nested deeper than {DEEPEST} at {path[:60]}...; give a part of it")
        if isinstance(value, Mapping):
            members = self._members(value, path, depth)
            return Node(start, self._at, quoted, members=members)
        if isinstance(value, Sequence) and not isinstance(value, str | bytes | bytearray):
            items = self._items(value, path, depth)
            return Node(start, self._at, quoted, items=items)
        scalar = _scalar(value, path)
        self._put(_dump(scalar, path))
        return Node(start, self._at, quoted, scalar)

    def _members(self, value: Mapping[object, object], path: str, depth: int) -> tuple[tuple[str, Node], ...]:
        found = []
        self._put("{")
        for number, (key, child) in enumerate(value.items()):
            if not isinstance(key, str):
                raise Invalid(f"{path}: the key {key!r} is of type {type(key).__name__}; keys of JSON are text")
            if number:
                self._put(", ")
            start, name = self._at, well_formed(key)
            self._put(_dump(name, path) + ": ")
            found.append((name, self.node(child, f"{path}.{name}", depth + 1, start)))
        self._put("}")
        return tuple(found)

    def _items(self, value: Sequence[object], path: str, depth: int) -> tuple[Node, ...]:
        found = []
        opening, between, closing = ("[\n", ",\n", "\n]") if depth == 0 and value else ("[", ", ", "]")
        self._put(opening)
        for number, child in enumerate(value):
            if number:
                self._put(between)
            found.append(self.node(child, f"{path}.{number}", depth + 1, None))
        self._put(closing)
        return tuple(found)


def _scalar(value: object, path: str) -> Scalar:
    if isinstance(value, str):
        return well_formed(value)
    if value is None or isinstance(value, int | float | bool):
        return value
    if isinstance(value, date):
        return value.isoformat()
    raise Invalid(f"{path}: a {type(value).__name__} is no JSON; give text, a number, true, false or null")


def _dump(value: Scalar, path: str) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    except ValueError as error:
        raise Invalid(f"{path}: {error}") from None
