"""Sentences in the fields of JSON records, and how the rules for text come to read them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from ..kg.model import Draft, Episode, Role, Turn
from ..temporal.instants import parse_bound
from .records import read_zone
from .structured_defaults import is_prose, time_of
from .structured_fields import date_text, is_like_a_date, name_of, snake
from .structured_text import Node, read_json

_AUTHORS: Final = ("AUTHOR", "SENDER", "REPORTER", "作者", "发件人", "发送人")
"""The fields that say who wrote a record's prose."""
_WRITTEN: Final = ("CREATED_AT", "SENT_AT", "POSTED_AT", "SUBMITTED_AT", "创建时间", "发送时间")
"""When it was written, where nothing says when its record was so."""
_ESCAPE: Final = re.compile(r"\\(?:u[0-9a-fA-F]{4}|.)")


@dataclass(frozen=True, slots=True)
class _Prose:
    node: Node
    time: str | None
    author: str | None


def prose_of(episode: Episode, zone: str) -> Episode | None:
    """The episode as text: of the same length, a turn for each field that is prose, the rest blank. Who speaks in
    them is the record's author, else the episode's actor. None when no field is prose.

    A quote's offsets in it are those in the JSON, where the quote has JSON's escapes.
    """
    turns, parts, end = [], list[str](), 0
    for found in _prose(read_json(episode.text), None, episode.actor):
        start, stop = found.node.start + 1, found.node.end - 1
        at = episode.occurred_at if found.time is None else parse_bound(found.time, zone=read_zone(zone)).at
        parts += [" " * (start - end), _ESCAPE.sub(_plain, episode.text[start:stop])]
        turns.append(Turn(start, stop, at, Role.USER, found.author))
        end = stop
    if not turns:
        return None
    text = "".join(parts) + " " * (len(episode.text) - end)
    return replace(episode, text=text, turns=tuple(turns))


def merged(records: Iterable[Draft], prose: Iterable[Draft]) -> list[Draft]:
    """All drafts, in the order in which they stand in the text."""
    ordered = sorted([*records, *prose], key=lambda d: (d.quote_start, d.position))
    return [replace(draft, position=i) for i, draft in enumerate(ordered)]


def _prose(node: Node, time: str | None, author: str | None) -> Iterator[_Prose]:
    if node.members is None:
        for item in node.items or ():
            yield from _prose(item, time, author)
        return
    time, author = time_of(node, "$") or _written(node) or time, _author(node) or author
    for key, child in node.members:
        for part in child.items if child.items is not None else (child,):
            if is_prose(snake(key), part.value):
                yield _Prose(part, time, author)
            else:
                yield from _prose(part, time, author)


def _written(node: Node) -> str | None:
    fields = {snake(key): child.value for key, child in reversed(node.members or ())}
    found = next((value for key in _WRITTEN if is_like_a_date(value := fields.get(key))), None)
    return None if found is None else date_text(found, "$")


def _author(node: Node) -> str | None:
    fields = {snake(key): child for key, child in reversed(node.members or ())}
    for name in _AUTHORS:
        child = fields.get(name)
        if child is not None and (said := name_of(child) if child.members is not None else child.value):
            return said.strip() or None if isinstance(said, str) else None
    return None


def _plain(escape: re.Match[str]) -> str:
    """What an escape stands for, as long as the escape."""
    stands_for = {"\\n": "\n", "\\r": "\n", '\\"': '"', "\\\\": "\\"}.get(escape.group(), " ")
    return stands_for.rjust(len(escape.group()))
