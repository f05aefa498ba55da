"""What a change of a task says, given the task as it is. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, TypeAlias, TypedDict

from .extraction.corrections import CorrectingClaim, correcting_claim
from .kg.ids import normalise
from .kg.model import Mention, Value
from .kg.working import DONE, GOAL, HAS_SLOT, SESSION, SLOT, STATUS, TODO, slot_mention, slot_of_name, task_mention
from .query.arguments import check_names, check_storable
from .query.tasks import Task, TaskStatus
from .temporal.claims import Says
from .temporal.errors import Conflict, Invalid, NotFound
from .temporal.grains import Bound
from .temporal.instants import from_us

NEW: Final = "new"
"""The version of a task that is not there yet."""

_VERSION: Final = re.compile(r"([0-9a-f]{1,16})-[0-9a-f]{12}")
_LONGEST: Final = 1_000
"""Characters of an id, a goal, a value or a todo."""
_BEYOND: Final = 10.0**300
"""Under what a slot's number is, so that neither infinity nor a number without end is one."""

SlotValue: TypeAlias = str | float | None


class TaskChange(TypedDict, total=False):
    """What ``Memory.update_task`` may be told; what is left out stays as it is.

    ``goal``: in words; None takes it away. ``slots``: values by name; None takes one away; a number is kept as
    JSON writes it. ``add_todos``: what is to be done. ``done``: todos that are. ``drop_todos``: those that need
    not be. ``status``: "open", "done" or "dropped". ``session``: in which conversation this was said. ``by``: who
    says so, an actor's id. ``expect``: the ``version`` of the task that all this rests on ("new": there is none
    yet); with another one nothing is written.
    """

    goal: str | None
    slots: Mapping[str, SlotValue]
    add_todos: Collection[str]
    done: Collection[str]
    drop_todos: Collection[str]
    status: TaskStatus | str
    session: str | None
    by: str | None
    expect: str | None


_FIELDS: Final = TaskChange.__optional_keys__


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedChange:
    """A change that was checked for what can be known without the task."""

    task: str
    goal: str | None = None
    drops_goal: bool = False
    slots: Mapping[str, str | None]
    add: tuple[str, ...] = ()
    done: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    status: TaskStatus | None = None
    session: str | None = None
    by: str | None = None
    expect: str | None = None

    def check(self, task: Task | None, tenant: str) -> None:
        """Raises ``NotFound`` for a task that is not there and is given no goal, and todos that it does not have;
        ``Conflict`` when it is closed."""
        if task is None:
            if self.goal is None:
                raise NotFound(f"no task {self.task!r} is in tenant {tenant!r}; give goal to begin it")
            todos: Sequence[str] = ()
        else:
            todos = (*task.todos, *task.done)
            if task.status is not TaskStatus.OPEN and self.status is None:
                raise Conflict(
                    f'task {self.task!r} is {task.status}; give status="open" to take it up again',
                    code="task_closed",
                )
        known = {normalise(todo) for todo in todos}
        added = {normalise(todo) for todo in self.add}
        for todo in (*(text for text in self.done if normalise(text) not in added), *self.drop):
            if normalise(todo) not in known:
                have = "; ".join(f"“{text}”" for text in todos) or "none"
                raise NotFound(f"{todo!r} is no todo of task {self.task!r}; it has {have}")


def read_change(task: str, change: TaskChange) -> WantedChange:
    """Raises ``Invalid`` for what is empty, too long, of another type, or unknown."""
    check_names("update_task", "field", change, _FIELDS)
    slots = change.get("slots", {})
    if not isinstance(slots, Mapping):
        raise Invalid(f"slots must be a mapping of names to values, not {type(slots).__name__}")
    goal, status = change.get("goal"), change.get("status")
    if status is not None and status not in tuple(TaskStatus):
        raise Invalid(f"status={status!r} is none; use {', '.join(TaskStatus)}")
    expect = change.get("expect")
    if expect is not None and expect != NEW:
        version_instant(expect)
    session, by = change.get("session"), change.get("by")
    return WantedChange(
        task=task_id(task),
        goal=None if goal is None else _text(goal, "goal"),
        drops_goal="goal" in change and goal is None,
        slots={_text(name, "a slot's name"): _value(name, value) for name, value in slots.items()},
        add=_texts(change.get("add_todos", ()), "add_todos"),
        done=_texts(change.get("done", ()), "done"),
        drop=_texts(change.get("drop_todos", ()), "drop_todos"),
        status=None if status is None else TaskStatus(status),
        session=None if session is None else _text(session, "session"),
        by=None if by is None else _text(by, "by"),
        expect=expect,
    )


def task_id(task: str) -> str:
    """As ids are told apart: without regard to case and white space. Raises ``Invalid`` for none."""
    return normalise(_text(task, "a task's id"))


def version_instant(version: str) -> datetime | None:
    """The transaction time of the last change in a version; None for ``NEW``. Raises ``Invalid`` for others."""
    if version == NEW:
        return None
    match = _VERSION.fullmatch(version) if isinstance(version, str) else None
    if match is None:
        raise Invalid(f"expect={version!r} is no version; give the task's version as it was read, or {NEW!r}")
    try:
        return from_us(int(match[1], 16))
    except (Invalid, OverflowError, ValueError):
        raise Invalid(f"expect={version!r} is no version; give the task's version as it was read") from None


def claims_of(wanted: WantedChange, task: Task | None, at: datetime) -> list[CorrectingClaim]:
    """The claims that make the change at ``at``; none where nothing changes. ``task``: as it is, if it is."""
    say = _Sayer(wanted.task, at)
    if wanted.goal is not None and not (task and _alike(task.goal, wanted.goal)):
        say.begins(GOAL, wanted.goal)
    elif wanted.drops_goal and task and task.goal is not None:
        say.ends(GOAL, task.goal)
    held = {normalise(name): (name, value) for name, value in task.slots.items()} if task else {}
    for name, value in wanted.slots.items():
        spelled, before = held.get(normalise(name), (name, None))
        if not _alike(value, before):
            say.slot(spelled, before, value)
    todos = {normalise(text): text for text in task.todos} if task else {}
    done = {normalise(text): text for text in task.done} if task else {}
    finished = {normalise(text) for text in wanted.done}
    for text in wanted.add:
        if normalise(text) not in todos and normalise(text) not in finished:
            say.begins(TODO, text)
    for text in wanted.done:
        if normalise(text) not in done:
            say.begins(DONE, todos.get(normalise(text), text))
    for text in wanted.drop:
        predicate = TODO if normalise(text) in todos else DONE
        say.ends(predicate, (todos | done).get(normalise(text), text))
    if wanted.session is not None and not (task and wanted.session in task.sessions):
        say.begins(SESSION, wanted.session)
    now = wanted.status or (task.status if task else TaskStatus.OPEN)
    if say.claims or task is None or now is not task.status:
        # Each change says how the task stands, so that it stands even if the first one is taken back.
        say.begins(STATUS, now)
    return say.claims


def words_of(task: str, claims: Iterable[CorrectingClaim]) -> str:
    """The change in words: the quote of its claims."""
    parts = []
    for claim in claims:
        over = claim.says is Says.END
        name = slot_of_name(claim.subject, task) if claim.predicate == SLOT else _NAMES.get(claim.predicate)
        if name is not None:
            parts.append(f"{'no longer ' if over else ''}{name} “{claim.object}”")
    return f"Task {task}: {'; '.join(parts)}."


_NAMES: Final = {GOAL: "goal", TODO: "to do", DONE: "done", STATUS: "status", SESSION: "session"}


def _alike(a: str | None, b: str | None) -> bool:
    return (None if a is None else normalise(a)) == (None if b is None else normalise(b))


class _Sayer:
    def __init__(self, task: str, at: datetime) -> None:
        self.claims: list[CorrectingClaim] = []
        self._task = task
        self._at = Bound(at)

    def begins(self, predicate: str, text: str) -> None:
        self._claim(Says.DATED_BEGINNING, task_mention(self._task), predicate, Value(str(text)))

    def ends(self, predicate: str, text: str) -> None:
        self._claim(Says.END, task_mention(self._task), predicate, Value(text))

    def slot(self, name: str, before: str | None, value: str | None) -> None:
        task, slot = task_mention(self._task), slot_mention(self._task, name)
        says = Says.END if value is None else Says.DATED_BEGINNING
        if (text := before if value is None else value) is not None:
            self._claim(says, task, HAS_SLOT, slot)
            self._claim(says, slot, SLOT, Value(text))

    def _claim(self, says: Says, subject: Mention, predicate: str, target: Mention | Value) -> None:
        self.claims.append(correcting_claim(says, (subject, predicate, target), (self._at, None)))


def _value(name: str, value: SlotValue) -> str | None:
    if value is None or isinstance(value, str):
        return None if value is None else _text(value, f"slot {name!r}")
    if not isinstance(value, int | float):
        raise Invalid(f"slot {name!r} must be text, a number or None, not {type(value).__name__}")
    if not abs(value) < _BEYOND:
        raise Invalid(f"slot {name!r} must be a number with an end, not {value!r:.40}")
    return json.dumps(value)


def _texts(texts: Collection[str], what: str) -> tuple[str, ...]:
    if isinstance(texts, Mapping) or not isinstance(texts, Collection):
        raise Invalid(f"{what} must be a text or a list of texts, not {type(texts).__name__}")
    given = (texts,) if isinstance(texts, str) else tuple(texts)
    return tuple({normalise(said): said for text in given for said in (_text(text, what),)}.values())


def _text(text: str, what: str) -> str:
    if not isinstance(text, str) or not text.strip():
        raise Invalid(f"{what} is empty or no text; give some")
    said = " ".join(check_storable(text, what).split())
    if len(said) > _LONGEST:
        raise Invalid(f"{what} has {len(said):,} characters; give at most {_LONGEST:,}")
    return said
