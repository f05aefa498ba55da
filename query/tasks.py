"""Working memory as a view has it: what is pinned, and the state of tasks, made from beliefs."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from ..kg.ids import entity_id
from ..kg.model import Belief, Entity, text_of
from ..kg.ontology import Ontology
from ..kg.store import FactFilter, Point, Store
from ..kg.working import (
    BOARD,
    DONE,
    GOAL,
    HAS_SLOT,
    PINNED,
    SESSION,
    SLOT,
    STATUS,
    TODO,
    slot_of_name,
    task_of_name,
)
from ..temporal.instants import to_us
from .fetching import episodes_by_id, every_belief
from .history import as_known

OF_TASKS: Final = (STATUS, GOAL, TODO, DONE, HAS_SLOT, SESSION)
"""Predicates whose subject is a task."""


class TaskStatus(StrEnum):
    OPEN = "open"
    DONE = "done"
    DROPPED = "dropped"
    """Given up: nothing more is to be done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pin:
    """A constraint that stands in every context block. ``str()`` is its text."""

    text: str
    since: datetime | None
    until: datetime | None
    """When it ends by itself; None: not before it is unpinned."""
    by: str | None
    """Who pinned it."""
    belief: Belief

    @property
    def id(self) -> str:
        return self.belief.id

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """The state of a task at a view's instants. ``str()`` is a few lines that a person or a model can read."""

    id: str
    """As it was given, without regard to case."""
    status: TaskStatus
    goal: str | None
    slots: Mapping[str, str]
    """Values by the names of their slots, in the names' order."""
    todos: tuple[str, ...]
    """What is still to be done, in the order in which it was added."""
    done: tuple[str, ...]
    """What was to be done and is, in the order in which it was done."""
    sessions: tuple[str, ...]
    """The sessions in which it was worked on."""
    version: str
    """Another one after every change; for ``expect=``."""
    changed_at: datetime
    """Transaction time of the last change."""
    beliefs: tuple[Belief, ...]
    """What all this rests on: facts with periods and evidence."""

    @property
    def is_open(self) -> bool:
        return self.status is TaskStatus.OPEN

    def __str__(self) -> str:
        lines = [f"{self.id} ({self.status})" + (f": {self.goal}" if self.goal else "")]
        lines += [f"{name}: {value}" for name, value in self.slots.items()]
        lines += [f"[ ] {todo}" for todo in self.todos]
        lines += [f"[x] {todo}" for todo in self.done]
        return "\n".join(lines)


def pins_of(beliefs: Iterable[Belief], actors: Mapping[str, str | None]) -> list[Pin]:
    """What is pinned, the oldest first. ``actors``: who said an episode, by its id."""
    pins = []
    for belief in beliefs:
        said = next((c for c in belief.evidence if c.stated_at == _start(belief)), None)
        pins.append(
            Pin(
                text=text_of(belief.fact.object),
                since=_start(belief),
                until=None if belief.valid_to is None else belief.valid_to.at,
                by=None if said is None else actors.get(said.episode_id),
                belief=belief,
            )
        )
    return sorted(pins, key=lambda pin: (pin.since is not None, pin.since, pin.text))


def task_of(task: str, beliefs: Sequence[Belief], valid: datetime) -> Task | None:
    """A task's state at ``valid``; None where it had none. ``beliefs``: on it and its slots, of any valid time."""
    shown = sorted((b for b in beliefs if b.period.contains(valid)), key=_order)
    if not shown:
        return None
    texts: defaultdict[str, list[str]] = defaultdict(list)
    slots: dict[str, str] = {}
    for belief in shown:
        if belief.fact.predicate == SLOT:
            slots[slot_of_name(belief.fact.subject.name, task)] = text_of(belief.fact.object)
        else:
            texts[belief.fact.predicate].append(text_of(belief.fact.object))
    return Task(
        id=task,
        status=_status(texts[STATUS]),
        goal=texts[GOAL][-1] if texts[GOAL] else None,
        slots=dict(sorted(slots.items())),
        todos=tuple(texts[TODO]),
        done=tuple(texts[DONE]),
        sessions=tuple(texts[SESSION]),
        version=version_of(beliefs),
        changed_at=max(b.ingested_at for b in beliefs),
        beliefs=tuple(shown),
    )


def version_of(beliefs: Sequence[Belief]) -> str:
    """When the last of these beliefs came, and a digest of which they are: taking back a change is one as well."""
    last = max((to_us(b.ingested_at) for b in beliefs), default=0)
    digest = hashlib.sha256("\n".join(sorted(b.id for b in beliefs)).encode()).hexdigest()
    return f"{last:x}-{digest[:12]}"


def changes_between(before: Task | None, after: Task | None) -> list[str]:
    """What of a task differs, in words: ``goal “A” → “B”``."""
    old, new = _fields(before), _fields(after)
    return [
        f"{name} {_quoted(old.get(name))} → {_quoted(new.get(name))}"
        for name in dict.fromkeys((*old, *new))
        if old.get(name) != new.get(name)
    ]


async def read_pins(store: Store, point: Point, ontology: Ontology) -> list[Pin]:
    """What is pinned at the point, the oldest first."""
    assert point.known is not None
    where = FactFilter(subject_ids=[entity_id(point.tenant, BOARD.name)], predicates=[PINNED])
    found = await every_belief(store, point, where)
    seen = [b for belief in found if (b := as_known(belief, point.known, ontology)) is not None]
    return pins_of(seen, await actors_of(store, point, {c.episode_id for b in seen for c in b.evidence}))


async def read_tasks(store: Store, point: Point, tasks: Collection[Entity], ontology: Ontology) -> list[Task]:
    """The state of these tasks at the point, in their order; those that had none are left out."""
    assert point.known is not None and point.valid is not None
    beliefs: defaultdict[str, list[Belief]] = defaultdict(list)
    task_of_slot: dict[str, str] = {}
    for belief in await _about(store, point, [task.id for task in tasks], OF_TASKS):
        beliefs[belief.fact.subject.id].append(belief)
        if belief.fact.predicate == HAS_SLOT and isinstance(belief.fact.object, Entity):
            task_of_slot[belief.fact.object.id] = belief.fact.subject.id
    for belief in await _about(store, point, task_of_slot, (SLOT,)):
        beliefs[task_of_slot[belief.fact.subject.id]].append(belief)
    seen = {
        id_: [b for belief in found if (b := as_known(belief, point.known, ontology)) is not None]
        for id_, found in beliefs.items()
    }
    states = [task_of(task_of_name(task.name), seen.get(task.id, []), point.valid) for task in tasks]
    return [state for state in states if state is not None]


async def actors_of(store: Store, point: Point, episode_ids: Collection[str]) -> dict[str, str | None]:
    """Who said each of these episodes, also of those taken back."""
    found = await episodes_by_id(store, Point(point.tenant), episode_ids)
    return {id_: episode.actor for id_, episode in found.items()}


async def _about(store: Store, point: Point, ids: Collection[str], predicates: Collection[str]) -> list[Belief]:
    if not ids:
        return []
    where = FactFilter(subject_ids=list(ids), predicates=predicates)
    return await every_belief(store, Point(point.tenant, None, point.known), where)


def _status(texts: Sequence[str]) -> TaskStatus:
    """What no state was ever given to is open."""
    return TaskStatus(texts[-1]) if texts and texts[-1] in set(TaskStatus) else TaskStatus.OPEN


def _start(belief: Belief) -> datetime | None:
    return None if belief.valid_from is None else belief.valid_from.at


def _order(belief: Belief) -> tuple[int, int, str]:
    """As it was said: by when it began, then by its place in the episode that says so."""
    start = -(2**63) if belief.valid_from is None else to_us(belief.valid_from.at)
    return start, min((c.position for c in belief.evidence), default=0), text_of(belief.fact.object)


def _fields(task: Task | None) -> dict[str, str]:
    if task is None:
        return {}
    fields = {"status": str(task.status)}
    if task.goal is not None:
        fields["goal"] = task.goal
    fields |= {f"slot {name}": value for name, value in task.slots.items()}
    fields |= {f"todo “{text}”": "open" for text in task.todos}
    return fields | {f"todo “{text}”": "done" for text in task.done}


def _quoted(value: str | None) -> str:
    return "nothing" if value is None else f"“{value}”"
