"""Which fields of JSON say what: a mapping that the user declares, and the values it finds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from pydantic import BaseModel, ConfigDict, Field

from ..temporal.errors import Invalid
from ..temporal.instants import parse_bound
from .structured_text import Node

ONE: Final = "_IS"
"""How the predicates end by which one field's value takes over from the one before: ``TIER_IS``."""

_WORDS: Final = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_PLACE: Final = re.compile(r"\{([^{}]+)\}")
_LIKE_A_DATE: Final = re.compile(r"\s*\d{4}(?:\s*$|[-/.年])")
_SECONDS: Final = (1e8, 1e10)
_MILLISECONDS: Final = (1e11, 1e13)


class FieldMapping(BaseModel):
    """Declares one fact for each row of a JSON episode.

    A text that begins with ``$`` is a path of keys with dots between them (``$.customer.name``; a number is a
    place in an array, ``$`` the row itself); one with braces is made of such paths
    (``crm:{customer.id}``); any other is meant as it stands. ``rows`` is the path of the array whose items are the
    rows, or of one object; all other paths are of the row. Where the path of ``object`` meets an array,
    each of its items is a fact. A row in which the subject, the predicate or the object is missing or null gives
    none.

    ``time``: when the row was so; the episode's ``occurred_at`` without one. ``valid_from``, ``valid_to``: from
    when to when, for rows that say so. ``object_kind="Value"`` makes the object a literal, as numbers always are.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    subject: str = Field(min_length=1)
    predicate: str = Field(min_length=1)
    object: str = Field(min_length=1)
    time: str | None = None
    valid_from: str | None = None
    valid_to: str | None = None
    rows: str = Field(default="$", pattern=r"^\$")
    subject_kind: str | None = None
    object_kind: str | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """What a field's description comes to in a row. ``node`` is the field; None for what is meant as it stands."""

    value: str | int | float | bool
    node: Node | None


def find(row: Node, wanted: str) -> Iterator[Found]:
    """What a path, a text with paths in braces, or a text that is meant as it stands comes to."""
    if wanted.startswith("$"):
        for node in at(row, wanted):
            value = name_of(node) if node.members is not None else node.value
            if _says(value):
                assert value is not None
                yield Found(value, node)
    elif places := _PLACE.findall(wanted):
        values = {place: next(find(row, "$." + place), None) for place in places}
        if all(values.values()):
            text = _PLACE.sub(lambda m: _text(values[m[1]]), wanted)
            yield Found(text, None)
    else:
        yield Found(wanted, None)


def at(node: Node, path: str) -> Iterator[Node]:
    """The nodes at a path; arrays on the way and at its end are gone through, unless it names a place in them."""
    yield from _at([node], path.removeprefix("$").strip(".").split("."))


def _at(nodes: list[Node], steps: list[str]) -> list[Node]:
    for step in steps:
        nodes = [found for node in nodes for found in _step(node, step)]
    return [leaf for node in nodes for leaf in (node.items if node.items is not None else [node])]


def _step(node: Node, step: str) -> Iterator[Node]:
    if not step:
        yield node
    elif node.items is None:
        child = node.member(step)
        if child is not None:
            yield child
    elif step.isdecimal():
        yield from node.items[int(step) : int(step) + 1]
    else:
        for item in node.items:
            yield from _step(item, step)


def _says(value: object) -> bool:
    return value is not None and (not isinstance(value, str) or bool(value.strip()))


def _text(found: Found | None) -> str:
    assert found is not None
    return value_text(found.value)


def value_text(value: str | int | float | bool) -> str:
    """A scalar as a name is made of it."""
    return value if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else str(value)


NAMES: Final = ("NAME", "FULL_NAME", "DISPLAY_NAME", "姓名", "名称", "名字")
IDS: Final = ("ID", "UUID", "KEY", "EMAIL", "编号", "单号")


def name_of(node: Node) -> str | None:
    """What an object is called: its name, its first and last name, its id. None when it has none of them."""
    fields = named_fields(node)
    for key in NAMES:
        if isinstance(name := fields.get(key), str):
            return name
    first, last = fields.get("FIRST_NAME"), fields.get("LAST_NAME")
    if isinstance(first, str) and isinstance(last, str):
        return f"{first} {last}"
    for key in IDS:
        if (id_ := fields.get(key)) is not None and not isinstance(id_, bool | float):
            return str(id_)
    return None


def named_fields(node: Node) -> dict[str, str | int | float | bool]:
    """An object's scalars that say something, by their keys in SCREAMING_SNAKE."""
    return {
        snake(key): child.value
        for key, child in node.members or ()
        if child.is_scalar and child.value is not None and _says(child.value)
    }


def snake(key: str) -> str:
    """A key in SCREAMING_SNAKE: ``accountOwner`` is ACCOUNT_OWNER. One without Latin letters stays as it is."""
    return "_".join(_WORDS.findall(key)).upper() if key.isascii() else key.strip()


def date_text(value: str | int | float | bool, where: str) -> str:
    """A date field's value as ISO text; numbers are seconds, or milliseconds, since 1970.

    Raises ``Invalid`` for what is no date.
    """
    if isinstance(value, str):
        try:
            parse_bound(value, zone=UTC)
        except Invalid as error:
            raise Invalid(f"{where}: {error}", code=error.code) from None
        return value
    if (moment := _since_1970(value)) is None:
        raise Invalid(f'{where}: {value} is not a date; write it like "2026-03-02" or in seconds since 1970')
    return moment.isoformat()


def is_like_a_date(value: str | int | float | bool | None) -> bool:
    """Whether it wants to be one: a number of seconds, or a text that begins as ISO dates do (30 February too)."""
    if isinstance(value, str):
        return _LIKE_A_DATE.match(value) is not None
    return value is not None and _since_1970(value) is not None


def _since_1970(value: float) -> datetime | None:
    for (low, high), unit in ((_SECONDS, 1), (_MILLISECONDS, 1000)):
        if not isinstance(value, bool) and low <= value < high:
            return datetime.fromtimestamp(value / unit, UTC)
    return None
