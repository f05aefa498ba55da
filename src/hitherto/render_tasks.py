"""Pins, tasks and sessions, as people and programs read them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, tzinfo

from rich.markup import escape
from rich.table import Table

from .kg.model import Json
from .query.summaries import SaidTurn, SessionSummary
from .query.tasks import Pin, Task
from .render import instant_json


def pin_json(pin: Pin) -> dict[str, Json]:
    return {
        "id": pin.id,
        "text": pin.text,
        "since": instant_json(pin.since),
        "until": instant_json(pin.until),
        "by": pin.by,
    }


def task_json(task: Task) -> dict[str, Json]:
    return {
        "id": task.id,
        "status": task.status,
        "goal": task.goal,
        "slots": dict(task.slots),
        "todos": list(task.todos),
        "done": list(task.done),
        "sessions": list(task.sessions),
        "version": task.version,
        "changed_at": instant_json(task.changed_at),
    }


def session_json(summary: SessionSummary) -> dict[str, Json]:
    return {
        "session": summary.session,
        "began": instant_json(summary.began),
        "ended": instant_json(summary.ended),
        "episodes": summary.episodes,
        "voices": {voice.name: voice.turns for voice in summary.voices},
        "learned": [
            {"id": one.belief.id, "fact": one.belief.fact.text, "quote": one.quote, "episode_id": one.episode_id}
            for one in summary.learned
        ],
        "questions": [_turn_json(turn) for turn in summary.questions],
        "todos": [{"task": todo.task, "text": todo.text} for todo in summary.todos],
        "turns": [_turn_json(turn) for turn in summary.turns],
        "text": summary.text,
        "tokens": summary.tokens,
        "budget": summary.budget,
    }


def _turn_json(turn: SaidTurn) -> dict[str, Json]:
    return {"episode_id": turn.episode_id, "at": instant_json(turn.at), "speaker": turn.speaker, "text": turn.text}


def pins_table(pins: Sequence[Pin], zone: tzinfo) -> Table:
    table = Table(title="pinned")
    for heading in ("constraint", "since", "until", "by"):
        table.add_column(heading, overflow="fold")
    for pin in pins:
        table.add_row(escape(pin.text), _day(pin.since, zone), _day(pin.until, zone), escape(pin.by or ""))
    return table


def tasks_table(tasks: Sequence[Task], zone: tzinfo) -> Table:
    table = Table(title="tasks")
    for heading in ("task", "status", "goal", "to do", "done", "changed"):
        table.add_column(heading, overflow="fold")
    for task in tasks:
        counts = (str(len(task.todos)), str(len(task.done)))
        table.add_row(escape(task.id), task.status, escape(task.goal or ""), *counts, _day(task.changed_at, zone))
    return table


def task_text(task: Task) -> str:
    """The task and its version, which ``--expect`` takes."""
    sessions = f"sessions: {', '.join(task.sessions)}\n" if task.sessions else ""
    return f"{task}\n{sessions}version: {task.version}"


def _day(at: datetime | None, zone: tzinfo) -> str:
    return "" if at is None else at.astimezone(zone).isoformat(sep=" ", timespec="minutes")
