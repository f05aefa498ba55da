"""``Memory``'s working memory: what is pinned, tasks, and what a session came to."""

from __future__ import annotations

from abc import ABC, abstractmethod
from datetime import tzinfo
from typing import Unpack

from .kg.model import WriteReport
from .kg.store import Clock, Slice
from .pipeline import Pipeline
from .query.summaries import BUDGET, SessionSummary
from .query.tasks import Pin, Task, TaskStatus
from .query.view import View
from .task_changes import TaskChange, read_change
from .temporal.instants import When
from .working_writes import WorkingWriter


class WorkingMemory(ABC):
    """What is at hand in a conversation. Kept as facts, by episodes that can be seen and taken back."""

    _pipeline: Pipeline
    _zone: tzinfo
    _clock: Clock

    @abstractmethod
    def at(self, valid: When | None = None, known: When | None = None) -> View:
        """See ``Memory.at``."""

    @property
    def _writer(self) -> WorkingWriter:
        return WorkingWriter(self._pipeline, self._zone, self._clock)

    async def pin(self, text: str, *, until: When | None = None, by: str | None = None) -> WriteReport:
        """Keep a constraint ("Never call before 10 am") in every context block, first and never dropped.

        ``until``: when it ends by itself, with its grain: "2026-03" is up to the end of March. ``by``: who pins
        it, an actor's id. What is pinned already changes nothing (status "duplicate"), unless it is to end at
        another time.

        Raises ``Invalid`` for an empty or over-long text, and an ``until`` that is no date or over.
        """
        return await self._writer.pin(text, until, by)

    async def unpin(self, pin: Pin | str, *, by: str | None = None) -> WriteReport:
        """From now on this is no constraint: the pin, its text or its id. Views of earlier still show it.

        Raises ``NotFound`` for what is not pinned, ``Invalid`` for an empty text.
        """
        return await self._writer.unpin(pin, by)

    async def pins(self) -> list[Pin]:
        """``at().pins()``: what is pinned now."""
        return await self.at().pins()

    async def update_task(self, task: str, **change: Unpack[TaskChange]) -> Task:
        """Begin a task, or change it: its goal, slots, todos, status; see ``TaskChange``. The task as it is then,
        with its new version.

        With ``expect=task.version`` it is a ``Conflict`` when somebody else was faster: nothing is written, and
        the error tells what changed and who did it. The check is made inside the write transaction, so of several
        writers that expect one version one wins, also of other processes. Without ``expect`` the last writer wins,
        field by field.

        Raises ``NotFound`` for a new task without a goal and for todos that it does not have, ``Conflict`` when it
        is closed and ``status`` is not given, ``Invalid`` for unknown fields and wrong values.
        """
        return await self._writer.update(read_change(task, change))

    async def task(self, task: str) -> Task:
        """``at().task(...)``: a task's state now."""
        return await self.at().task(task)

    async def tasks(
        self, status: TaskStatus | str | None = TaskStatus.OPEN, *, limit: int = 100, cursor: str | None = None
    ) -> Slice[Task]:
        """``at().tasks(...)``: the tasks that are open now, or are of another status; None: all."""
        return await self.at().tasks(status, limit=limit, cursor=cursor)

    async def session(self, session: str, *, budget: int = BUDGET) -> SessionSummary:
        """``at().session(...)``: what a session came to, in at most ``budget`` tokens."""
        return await self.at().session(session, budget=budget)
