"""Working memory's names: its predicates (``working.toml``), and what its entities are called."""

from __future__ import annotations

from typing import Final

from .ids import normalise
from .model import Mention

PINNED: Final = "PINNED"
STATUS: Final = "TASK_STATUS"
GOAL: Final = "TASK_GOAL"
TODO: Final = "TASK_TODO"
DONE: Final = "TASK_DONE"
HAS_SLOT: Final = "TASK_HAS_SLOT"
SLOT: Final = "TASK_SLOT"
SESSION: Final = "TASK_SESSION"

OF_WORKING_MEMORY: Final = frozenset({PINNED, STATUS, GOAL, TODO, DONE, HAS_SLOT, SLOT, SESSION})

BOARD: Final = Mention("Pinned constraint", "Memory")
"""What pins are about: all of a tenant's memory."""

_TASK: Final = "task "


def task_mention(task: str) -> Mention:
    """A task as an entity. Its id is told apart as names are: by case and white space no two differ."""
    return Mention(_TASK + normalise(task), "Task")


def slot_mention(task: str, slot: str) -> Mention:
    return Mention(slot + _of(task), "TaskSlot")


def task_of_name(name: str) -> str:
    """The id of the task whose entity has this name."""
    return name.removeprefix(_TASK)


def slot_of_name(name: str, task: str) -> str:
    return name.removesuffix(_of(task))


def _of(task: str) -> str:
    return f" of {task_mention(task).name}"
