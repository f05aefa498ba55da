"""Messages as chat APIs shape them (OpenAI's, Anthropic's), made into who says what."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from typing import Final, TypeAlias

from .extraction.structured_fields import date_text
from .kg.characters import well_formed
from .kg.model import Role
from .temporal.errors import Invalid
from .temporal.instants import parse_instant

Message: TypeAlias = Mapping[str, object]
"""``{"role": "user", "content": "...", "name": "liang", "time": "2026-03-02T10:00Z"}``; only content is needed.

``content`` may be a list of parts (``{"type": "text", "text": "..."}``); ``timestamp`` and ``created_at`` are
times too; what else chat APIs put beside a role (``id``, ``tool_calls``, ``model``) may be there."""

ROLES: Final[Mapping[str, Role]] = {
    **{str(role): role for role in Role},
    "developer": Role.SYSTEM,
    "function": Role.TOOL,
    "human": Role.USER,
    "ai": Role.ASSISTANT,
    "model": Role.ASSISTANT,
}
"""Roles by what chat APIs call them."""
_TIMES: Final = ("time", "timestamp", "created_at")
KEYS: Final = frozenset(("role", "content", "name", *_TIMES))
_BESIDE_A_ROLE: Final = frozenset((
    "annotations", "audio", "function_call", "id", "index", "model", "object", "reasoning", "reasoning_content",
    "refusal", "status", "stop_reason", "stop_sequence", "tool_call_id", "tool_calls", "type", "usage",
))  # fmt: skip
_TEXTS: Final = frozenset(("text", "input_text", "output_text", "refusal"))
_UNSAID: Final = frozenset(("thinking", "redacted_thinking", "reasoning", "reasoning_text"))
"""Parts that nobody was told."""


@dataclass(frozen=True, slots=True)
class Speaking:
    """Who says what is not said in a message: the actor of what users say, and when."""

    actor: str | None
    occurred_at: datetime
    zone: tzinfo


@dataclass(frozen=True, slots=True)
class Said:
    text: str
    role: Role
    actor: str | None
    occurred_at: datetime


def is_talk(content: object) -> bool:
    """Whether it is a request or an export that holds its messages under ``messages``."""
    messages = content.get("messages") if isinstance(content, Mapping) else None
    if not isinstance(messages, Sequence) or isinstance(messages, str) or not messages:
        return False
    return all(isinstance(m, Mapping) and "role" in m and "content" in m for m in messages)


def read_messages(content: str | Message | Sequence[Message], speaking: Speaking) -> list[Said]:
    """What is said, in order. Raises ``Invalid`` for what is no message."""
    if isinstance(content, str):
        return [Said(well_formed(content), Role.USER, speaking.actor, speaking.occurred_at)]
    if isinstance(content, Mapping) and is_talk(content):
        content = content["messages"]  # type: ignore[assignment]
    if not isinstance(content, Mapping | Sequence) or isinstance(content, bytes | bytearray):
        raise Invalid(
            f"the content is of type {type(content).__name__}; give text, a message, or a list of messages"
        )
    messages = [content] if isinstance(content, Mapping) else list(content)
    if not messages:
        raise Invalid("the list of messages is empty; give at least one")
    return [
        said
        for number, message in enumerate(messages, 1)
        for said in _read(message, f"message {number}", speaking)
    ]


def _read(message: object, where: str, speaking: Speaking) -> list[Said]:
    if not isinstance(message, Mapping):
        raise Invalid(f"{where} is of type {type(message).__name__}, not a mapping with role and content")
    known = KEYS | _BESIDE_A_ROLE if message.get("role") else KEYS
    if unknown := sorted(str(k) for k in message.keys() - known):
        raise Invalid(
            f"{where} has unknown keys {', '.join(unknown)}; known are {', '.join(sorted(KEYS))} "
            "(a JSON record that has content or a role needs a mapping)"
        )
    role = ROLES.get(str(message.get("role") or Role.USER))
    if role is None:
        raise Invalid(f"{where}: role {message['role']!r} is none of {', '.join(ROLES)}")
    name = message.get("name")
    if name is not None and not isinstance(name, str):
        raise Invalid(f"{where}: name must be text, not {type(name).__name__}")
    at = _time(message, where, speaking)
    texts: dict[Role, list[str]] = {}
    for speaker, text in _parts(message, role, where):
        texts.setdefault(speaker, []).append(well_formed(text))
    actor = well_formed(name) if name and name.strip() else (speaking.actor if role is Role.USER else None)
    return [Said("\n".join(said), r, actor if r is role else None, at) for r, said in texts.items()]


def _time(message: Message, where: str, speaking: Speaking) -> datetime:
    key = next((key for key in _TIMES if message.get(key) is not None), None)
    if key is None:
        return speaking.occurred_at
    time = message[key]
    if isinstance(time, bool) or not isinstance(time, str | int | float | date):
        raise Invalid(f"{where}: {key} must be ISO text or a datetime, not {type(time).__name__}")
    if isinstance(time, int | float):
        time = date_text(time, f"{where}: {key}")
    return parse_instant(time, zone=speaking.zone)


def _parts(message: Message, role: Role, where: str) -> Iterator[tuple[Role, str]]:
    """The texts of a message, each with the role of who says it: results of tools stand in users' messages."""
    content, calls = message.get("content"), message.get("tool_calls") or message.get("function_call")
    refusal = message.get("refusal")
    if content is None and (calls or isinstance(refusal, str)):
        content = refusal or ""
    if isinstance(content, str):
        if content or not calls:
            yield role, content
    elif isinstance(content, Sequence):
        for number, part in enumerate(content, 1):
            yield from _part(part, role, f"{where}, part {number}")
    else:
        raise Invalid(f"{where}: content must be text or a list of parts, not {type(content).__name__}")
    for call in calls if isinstance(calls, list) else [calls] if calls else []:
        yield role, _call(call, where)


def _part(part: object, role: Role, where: str) -> Iterator[tuple[Role, str]]:
    if isinstance(part, str):
        yield role, part
        return
    if not isinstance(part, Mapping):
        raise Invalid(f"{where} is of type {type(part).__name__}, not a text or a mapping with a type")
    kind = str(part.get("type") or "text")
    if kind in _UNSAID:
        return
    if kind in _TEXTS:
        text = part.get("text", part.get("refusal"))
        if not isinstance(text, str):
            raise Invalid(f"{where}: text must be text, not {type(text).__name__}")
        yield role, text
    elif kind in ("tool_use", "function_call", "server_tool_use"):
        yield role, _call(part, where)
    elif kind in ("tool_result", "function_call_output"):
        inner = part.get("content", part.get("output"))
        found = [inner] if isinstance(inner, str) else inner if isinstance(inner, list) else []
        for number, result in enumerate(found, 1):
            yield from _part(result, Role.TOOL, f"{where}.{number}")
    else:
        yield role, f"[{kind.removesuffix('_url')}]"


def _call(call: object, where: str) -> str:
    """A call of a tool, as code: it is kept, and says nothing of anybody."""
    if not isinstance(call, Mapping):
        raise Invalid(f"{where}: a tool call is of type {type(call).__name__}, not a mapping")
    function = call.get("function") if isinstance(call.get("function"), Mapping) else call
    assert isinstance(function, Mapping)
    given = function.get("arguments", function.get("input", ""))
    arguments = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False, default=str)
    return "`" + f"{function.get('name', 'tool')}({arguments})".replace("`", "'").replace("\n", " ") + "`"
