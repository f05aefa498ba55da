"""Messages as chat APIs shape them: who says what, and what is nobody's."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from hitherto import Invalid, Memory
from hitherto.cli import app
from hitherto.episodes import read_episode
from hitherto.kg.model import Episode, Role
from tests.promises.conftest import Opener, lines
from tests.support import SaidClaim, said

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def episode(content: Any) -> Episode:
    return read_episode("t", content, {"actor": "liang"}, UTC, lambda: NOON)


def read(content: Any) -> list[tuple[str, str | None, str]]:
    """Who says what."""
    found = episode(content)
    return [(str(t.role), t.actor, found.text[t.start : t.end]) for t in found.turns]


CALL = {"id": "c1", "type": "function", "function": {"name": "get_order", "arguments": '{"id":\n "A7"}'}}
SHAPES: list[tuple[Any, list[tuple[str, str | None, str]]]] = [
    ({"role": "user", "content": "hi"}, [("user", "liang", "hi")]),
    ({"role": "user", "content": "hi", "name": "Ann"}, [("user", "Ann", "hi")]),
    # parts
    (
        {"role": "user", "content": [
            {"type": "text", "text": "see"}, {"type": "image_url", "image_url": {"url": "x"}}, "there",
        ]},
        [("user", "liang", "see\n[image]\nthere")],
    ),
    (
        {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "status": "completed", "content": [
            {"type": "output_text", "text": "ok", "annotations": []},
        ]},
        [("assistant", None, "ok")],
    ),
    # tools
    (
        [
            {"role": "assistant", "content": None, "tool_calls": [CALL]},
            {"role": "tool", "tool_call_id": "c1", "content": "shipped"},
        ],
        [("assistant", None, '`get_order({"id":  "A7"})`'), ("tool", None, "shipped")],
    ),
    (
        [
            {"role": "assistant", "content": [
                {"type": "thinking", "thinking": "Hm."},
                {"type": "text", "text": "I look."},
                {"type": "tool_use", "id": "t", "name": "get", "input": {"id": "A7"}},
            ], "stop_reason": "tool_use"},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "t", "content": [{"type": "text", "text": "shipped"}]},
                {"type": "text", "text": "and now?"},
            ]},
        ],
        [
            ("assistant", None, 'I look.\n`get({"id": "A7"})`'),
            ("tool", None, "shipped"),
            ("user", "liang", "and now?"),
        ],
    ),
    ({"role": "assistant", "content": None, "refusal": "No."}, [("assistant", None, "No.")]),
    # whole requests, other names of roles
    (
        {"messages": [{"role": "developer", "content": "Be kind."}, {"role": "user", "content": "hi"}], "n": 1},
        [("system", None, "Be kind."), ("user", "liang", "hi")],
    ),
    ([{"role": "human", "content": "hi"}, {"role": "ai", "content": "ho"}], [
        ("user", "liang", "hi"), ("assistant", None, "ho"),
    ]),
    ("cut \ud83d here, \ud83d\ude00", [("user", "liang", "cut \ufffd here, 😀")]),
]  # fmt: skip


@pytest.mark.parametrize(("content", "expected"), SHAPES, ids=lambda v: ascii(v)[:40])
def test_who_says_what(content: Any, expected: list[tuple[str, str | None, str]]) -> None:
    assert read(content) == expected


@pytest.mark.parametrize(
    ("time", "expected"),
    [
        ({"time": "2026-03-01T10:00Z"}, datetime(2026, 3, 1, 10, tzinfo=UTC)),
        ({"timestamp": "2026-03-01T10:00:00+08:00"}, datetime(2026, 3, 1, 2, tzinfo=UTC)),
        ({"created_at": 1772359200}, datetime(2026, 3, 1, 10, tzinfo=UTC)),
        ({"timestamp": 1772359200000}, datetime(2026, 3, 1, 10, tzinfo=UTC)),
        ({"timestamp": None}, NOON),
        ({}, NOON),
    ],
)
def test_when_it_was_said(time: dict[str, Any], expected: datetime) -> None:
    assert [t.occurred_at for t in episode([{"role": "user", "content": "a", **time}]).turns] == [expected]


WRONG: list[tuple[Any, str]] = [
    (None, "the content is of type NoneType; give text, a message, or a list of messages"),
    (b"\0\xff", "the content is of type bytes"),
    ({"role": "user", "content": 5}, "message 1: content must be text or a list of parts, not int"),
    ({"role": "user", "content": None}, "message 1: content must be text or a list of parts, not NoneType"),
    ([{"content": "a"}, {"role": "user", "content": [5]}], "message 2, part 1 is of type int"),
    ({"role": "user", "content": [{"type": "text"}]}, "message 1, part 1: text must be text, not NoneType"),
    ({"role": "user", "content": [{"type": "thinking", "thinking": "x"}]}, "has no text"),
    ({"role": "user", "content": []}, "has no text"),
    ({"role": "boss", "content": "a"}, "role 'boss' is none of"),
    ({"role": "user", "content": "a", "contnt": "b"}, "unknown keys contnt"),
    ({"content": "a", "tool_calls": []}, "unknown keys tool_calls"),
    ({"role": "user", "content": "a", "time": "2026-02-30"}, "'2026-02-30' is not a date"),
    ({"role": "user", "content": "a", "timestamp": 12}, "message 1: timestamp: 12 is not a date"),
    ({"role": "user", "content": "a", "timestamp": True}, "timestamp must be ISO text"),
    ({"role": "assistant", "content": None, "tool_calls": [5]}, "a tool call is of type int"),
]


@pytest.mark.parametrize(("content", "message"), WRONG, ids=lambda v: ascii(v)[:40])
def test_wrong_messages_are_refused(content: Any, message: str) -> None:
    with pytest.raises(Invalid, match=message) as raised:
        episode(content)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("name", ["actor", "session", "source", "id"])
@pytest.mark.parametrize("value", ["a\0b", "a\ud800"])
async def test_names_that_are_no_text_are_refused(fresh: Opener, name: str, value: str) -> None:
    memory = await fresh()
    with pytest.raises(Invalid, match="holds what is no character"):
        await memory.add("Hello.", **{name: value})  # type: ignore[arg-type]
    assert (await memory.status()).episodes == 0


async def test_half_characters_and_zeros_are_kept_as_text(fresh: Opener) -> None:
    memory = await fresh()
    claim = said(SaidClaim("dated_beginning", "Acme", 0))
    await memory.add([{"role": "user", "content": f"\ud83d\0 {claim}"}], session="s")
    await memory.add({"id": "A\ud83d", "stage\udc00": "w\0n"})
    await memory.add_many([{"messages": [{"role": "user", "content": claim}], "session": "s"}])
    assert [line.split(" · ")[0] for line in sorted(await lines(memory))] == ["Ann works at Acme"]
    texts = sorted(e.text for e in (await memory.episodes()).items)
    assert texts == ['{"id": "A\ufffd", "stage\ufffd": "w\\u0000n"}', claim, f"\ufffd\0 {claim}"]
    assert len((await memory.episodes("s")).items) == 2
    await memory.search("\ud83d w\0n")


async def test_a_file_of_messages(tmp_path: Path) -> None:
    file, db = tmp_path / "talk.json", str(tmp_path / "x.db")
    content = [{"type": "text", "text": "Good morning!"}]
    message = {"role": "user", "name": "Ann", "content": content, "timestamp": 1772359200}
    file.write_text(json.dumps({"model": "m", "messages": [message]}), encoding="utf-8")
    done = await asyncio.to_thread(CliRunner().invoke, app, ["add", "--file", str(file), "--db", db, "--json"])
    assert done.exit_code == 0, done.output
    async with Memory.open(db, tenant="default") as memory:
        (stored,) = (await memory.episodes()).items
    assert (stored.text, stored.actor, stored.turns[0].role) == ("Good morning!", "Ann", Role.USER)
