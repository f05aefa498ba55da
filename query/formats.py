"""How a block of memory is written: markdown, XML, JSON, chat messages. Pure."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias
from xml.sax.saxutils import escape

Parts: TypeAlias = Sequence[tuple[str, Sequence[str]]]
"""Names of sections and their lines."""


class ContextFormat(StrEnum):
    MARKDOWN = "markdown"
    XML = "xml"
    JSON = "json"
    CHAT = "chat"
    """A JSON list of two system messages, for chat APIs."""


@dataclass(frozen=True, slots=True)
class Rendered:
    prefix: str
    tail: str
    messages: tuple[tuple[str, str], ...]

    @property
    def text(self) -> str:
        return self.prefix + self.tail


_ROLE: Final = "system"


def render(prefix: Parts, tail: Parts, format_: ContextFormat) -> Rendered:
    """Sections without lines are left out. The prefix does not depend on the tail."""
    before, after = _filled(prefix), _filled(tail)
    if format_ is ContextFormat.JSON:
        return _joined(_json(before, first=True), _json(after, first=False) + "}")
    if format_ is ContextFormat.XML:
        return _joined("<memory>\n" + _xml(before), _xml(after) + "</memory>\n")
    head, rest = _markdown(before), _markdown(after)
    messages = tuple((_ROLE, content) for content in (head, rest) if content)
    if format_ is ContextFormat.MARKDOWN:
        return Rendered(head, rest, messages)
    first, second = (", ".join(_message(content) for content in (part,) if content) for part in (head, rest))
    return Rendered("[" + first, (", " if first and second else "") + second + "]", messages)


def _filled(parts: Parts) -> list[tuple[str, Sequence[str]]]:
    return [(name, lines) for name, lines in parts if lines]


def _joined(prefix: str, tail: str) -> Rendered:
    return Rendered(prefix, tail, ((_ROLE, prefix + tail),))


def _markdown(parts: Parts) -> str:
    return "".join(
        f"## Memory: {_title(name)}\n" + "".join(f"- {_one_line(t)}\n" for t in lines) for name, lines in parts
    )


def _xml(parts: Parts) -> str:
    return "".join(
        f"<{name}>\n" + "".join(f"<item>{escape(_one_line(t))}</item>\n" for t in lines) + f"</{name}>\n"
        for name, lines in parts
    )


def _json(parts: Parts, *, first: bool) -> str:
    """Part of an object. The prefix always has its own key first, so the tail can begin with a comma."""
    pairs = [f"{json.dumps(name)}: {json.dumps(list(lines), ensure_ascii=False)}" for name, lines in parts]
    if first:
        return "{" + ", ".join(['"kind": "memory"', *pairs])
    return "".join(f", {pair}" for pair in pairs)


def _message(content: str) -> str:
    return json.dumps({"role": _ROLE, "content": content}, ensure_ascii=False)


def _title(name: str) -> str:
    return name.replace("_", " ")


def _one_line(text: str) -> str:
    return " ".join(text.split())
