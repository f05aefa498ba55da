"""The commands of working memory: ``pin``, ``pins``, ``unpin``, ``task``, ``session``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, TypeVar

import typer

from . import render_tasks
from .cli_options import (
    AsJson,
    Db,
    Known,
    Limit,
    Tenant,
    Valid,
    Zone,
    ask,
    emit,
    named_values,
    print_report,
    print_rows,
)
from .extraction.records import read_zone
from .query.summaries import BUDGET
from .query.tasks import Task, TaskStatus
from .task_changes import TaskChange

T = TypeVar("T")

_By = Annotated[str | None, typer.Option("--by", help="Who says so.")]
_Id = Annotated[str, typer.Argument(metavar="ID", help="The task.")]
_Expect = Annotated[
    str | None, typer.Option("--expect", help='Only if this is still its version ("new": if there is none).')
]

task_app = typer.Typer(no_args_is_help=True, help="Tasks: their goals, slots and todos.")


def pin(
    text: Annotated[str, typer.Argument(help="The constraint, in your words.")],
    until: Annotated[str | None, typer.Option("--until", help="When it ends by itself.")] = None,
    by: _By = None,
    db: Db = "hitherto.db",
    tenant: Tenant = "default",
    zone: Zone = "UTC",
    as_json: AsJson = False,
) -> None:
    """Keep a constraint in every context block, whatever the budget."""
    report = ask(db, tenant, lambda memory: memory.pin(text, until=until, by=by), zone=zone, new=True)
    print_report(report, zone, as_json=as_json)


def unpin(
    text: Annotated[str, typer.Argument(help="The pinned constraint, or its id.")],
    by: _By = None,
    db: Db = "hitherto.db",
    tenant: Tenant = "default",
    zone: Zone = "UTC",
    as_json: AsJson = False,
) -> None:
    """Take a constraint away, from now on."""
    print_report(ask(db, tenant, lambda memory: memory.unpin(text, by=by), zone=zone), zone, as_json=as_json)


def pins(
    valid: Valid = None,
    known: Known = None,
    db: Db = "hitherto.db",
    tenant: Tenant = "default",
    zone: Zone = "UTC",
    as_json: AsJson = False,
) -> None:
    """List what is pinned: now, or as it was."""
    found = ask(db, tenant, lambda memory: memory.at(valid, known).pins(), zone=zone)
    print_rows(
        found,
        render_tasks.pin_json,
        lambda rows: render_tasks.pins_table(rows, read_zone(zone)),
        "nothing is pinned",
        as_json=as_json,
    )


def session(
    name: Annotated[str, typer.Argument(metavar="ID", help="The session.")],
    budget: Annotated[int, typer.Option("--budget", help="Tokens that the summary may take.")] = BUDGET,
    known: Known = None,
    db: Db = "hitherto.db",
    tenant: Tenant = "default",
    zone: Zone = "UTC",
    as_json: AsJson = False,
) -> None:
    """Say what a session came to: who spoke, what was learned, what is open, the most telling turns."""
    found = ask(db, tenant, lambda memory: memory.at(known=known).session(name, budget=budget), zone=zone)
    if as_json:
        emit(render_tasks.session_json(found))
    else:
        typer.echo(found.text, nl=False)


@task_app.command("show")
def show(
    task: _Id,
    valid: Valid = None,
    known: Known = None,
    db: Db = "hitherto.db",
    tenant: Tenant = "default",
    zone: Zone = "UTC",
    as_json: AsJson = False,
) -> None:
    """Show a task: now, or as it was."""
    _print(ask(db, tenant, lambda memory: memory.at(valid, known).task(task), zone=zone), as_json=as_json)


@task_app.command("list")
def list_tasks(
    status: Annotated[TaskStatus, typer.Option("--status", help="Only these.")] = TaskStatus.OPEN,
    every: Annotated[bool, typer.Option("--all", help="Of whatever status.")] = False,
    valid: Valid = None,
    known: Known = None,
    limit: Limit = 100,
    db: Db = "hitherto.db",
    tenant: Tenant = "default",
    zone: Zone = "UTC",
    as_json: AsJson = False,
) -> None:
    """List the open tasks, or others."""
    wanted = None if every else status
    found = ask(db, tenant, lambda memory: memory.at(valid, known).tasks(wanted, limit=limit), zone=zone).items
    print_rows(
        found,
        render_tasks.task_json,
        lambda rows: render_tasks.tasks_table(rows, read_zone(zone)),
        "no task",
        as_json=as_json,
    )


@task_app.command("set")
def set_task(
    task: _Id,
    goal: Annotated[str | None, typer.Option("--goal", help="What it is for.")] = None,
    slot: Annotated[
        list[str] | None, typer.Option("--slot", help="NAME=VALUE; an empty value takes it away. May be repeated.")
    ] = None,
    todo: Annotated[list[str] | None, typer.Option("--todo", help="What is to be done; may be repeated.")] = None,
    done: Annotated[list[str] | None, typer.Option("--done", help="A todo that is done; may be repeated.")] = None,
    drop: Annotated[list[str] | None, typer.Option("--drop", help="A todo that need not be done.")] = None,
    status: Annotated[TaskStatus | None, typer.Option("--status", help="Open it again, or close it.")] = None,
    session: Annotated[str | None, typer.Option("--session", help="The conversation it belongs to.")] = None,
    by: _By = None,
    expect: _Expect = None,
    db: Db = "hitherto.db",
    tenant: Tenant = "default",
    zone: Zone = "UTC",
    as_json: AsJson = False,
) -> None:
    """Begin a task, or change what is given; the rest stays."""
    change = TaskChange(slots=_slots(slot or []), add_todos=todo or [], done=done or [], drop_todos=drop or [])
    change |= TaskChange(session=session, by=by, expect=expect)
    if goal is not None:
        change["goal"] = goal or None
    if status is not None:
        change["status"] = status
    _print(
        ask(db, tenant, lambda memory: memory.update_task(task, **change), zone=zone, new=goal is not None),
        as_json=as_json,
    )


@task_app.command("close")
def close(
    task: _Id,
    dropped: Annotated[bool, typer.Option("--dropped", help="It is given up, not done.")] = False,
    by: _By = None,
    expect: _Expect = None,
    db: Db = "hitherto.db",
    tenant: Tenant = "default",
    zone: Zone = "UTC",
    as_json: AsJson = False,
) -> None:
    """Close a task: it is done, or given up."""
    status = TaskStatus.DROPPED if dropped else TaskStatus.DONE
    change = TaskChange(status=status, by=by, expect=expect)
    _print(ask(db, tenant, lambda memory: memory.update_task(task, **change), zone=zone), as_json=as_json)


def _print(task: Task, *, as_json: bool) -> None:
    if as_json:
        emit(render_tasks.task_json(task))
    else:
        typer.echo(render_tasks.task_text(task))


def _slots(given: Sequence[str]) -> dict[str, str | float | None]:
    slots: dict[str, str | float | None] = {}
    for name, value in named_values("--slot", given):
        slots[name] = value.strip() or None
    return slots


def add_commands(app: typer.Typer) -> None:
    for command in (pin, pins, unpin, session):
        app.command()(command)
    app.add_typer(task_app, name="task")
