"""What a view tells of working memory."""

from __future__ import annotations

import asyncio
from datetime import datetime, tzinfo
from typing import Protocol

from ..kg.ids import entity_id, value_key
from ..kg.model import Entity
from ..kg.ontology import Ontology
from ..kg.store import FactFilter, Point, Slice, Store
from ..kg.working import STATUS, task_mention
from ..temporal.errors import Invalid, NotFound
from .arguments import read_page
from .summaries import BUDGET, SessionSummary, read_allowance, read_session, summarise
from .tasks import Pin, Task, TaskStatus, read_pins, read_tasks
from .tokens import TokenCounter, estimate_tokens


class Standing(Protocol):
    """Where a view stands."""

    @property
    def valid(self) -> datetime: ...
    @property
    def known(self) -> datetime: ...


class Seen(Protocol):
    """A view."""

    @property
    def store(self) -> Store: ...
    @property
    def tenant(self) -> str: ...
    @property
    def ontology(self) -> Ontology: ...
    @property
    def valid(self) -> datetime | None: ...
    @property
    def zone(self) -> tzinfo: ...
    async def instants(self) -> Standing: ...


class WorkingReads:
    """Reads of a view that are about working memory."""

    __slots__ = ()

    async def pins(self: Seen) -> list[Pin]:
        """The constraints that are pinned at the view's instants, the oldest first."""
        return await read_pins(self.store, await working_point(self), self.ontology)

    async def task(self: Seen, task: str) -> Task:
        """The state of a task at the view's instants.

        Raises ``NotFound`` for one that was not begun by then, ``Invalid`` for an empty id.
        """
        if not isinstance(task, str) or not task.strip():
            raise Invalid("a task's id is empty or no text; give some")
        mention = task_mention(task)
        entity = Entity(entity_id(self.tenant, mention.name), mention.name, mention.kind)
        found = await read_tasks(self.store, await working_point(self), [entity], self.ontology)
        if not found:
            raise NotFound(f"no task {task!r} is in tenant {self.tenant!r}; tasks(None) lists them all")
        return found[0]

    async def tasks(
        self: Seen,
        status: TaskStatus | str | None = TaskStatus.OPEN,
        *,
        limit: int = 100,
        cursor: str | None = None,
    ) -> Slice[Task]:
        """The tasks that are open at the view's instants (or "done", "dropped"; None: all), those first that have
        been so for longest. Raises ``Invalid`` for another status, a wrong limit or cursor."""
        if status is not None and status not in tuple(TaskStatus):
            raise Invalid(f"status={status!r} is none; use {', '.join(TaskStatus)}, or None for all")
        page = read_page(limit, cursor)
        point = await working_point(self)
        keys = None if status is None else [value_key(status)]
        where = FactFilter(predicates=[STATUS], object_keys=keys)
        found = await self.store.beliefs(point, where, page)
        subjects = list({b.fact.subject.id: b.fact.subject for b in found.items}.values())
        return Slice(tuple(await read_tasks(self.store, point, subjects, self.ontology)), found.cursor)

    async def session(
        self: Seen, session: str, *, budget: int = BUDGET, count: TokenCounter = estimate_tokens
    ) -> SessionSummary:
        """What a session came to, made without a model, in at most ``budget`` tokens: who spoke and when, what was
        learned, what is open, and the most telling turns word for word. As known at the view's ``known``.

        Raises ``NotFound`` for a session in which nothing was said, ``Invalid`` for a budget under 1 or under what
        the first line takes.
        """
        allowed = read_allowance(budget, count, self.zone)
        if not isinstance(session, str) or not session.strip():
            raise Invalid("session is empty or no text; give its name")
        heard = await read_session(self.store, await working_point(self), session, self.ontology)
        if heard is None:
            raise NotFound(f"nothing was said in a session {session!r} in tenant {self.tenant!r}")
        return await asyncio.to_thread(summarise, heard, allowed)


async def working_point(view: Seen) -> Point:
    """Where working memory is read: at the view's instants. With no valid instant given that is now, or the last
    commit, where the machine's clock has fallen behind that."""
    at = await view.instants()
    valid = at.valid if view.valid is not None else max(at.valid, at.known)
    return Point(view.tenant, valid, at.known)
