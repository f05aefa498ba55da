"""What the commands of the command line have in common: options, and ways to print."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer
from rich.console import Console
from rich.table import Table

from . import render
from .extraction.records import read_zone
from .kg.model import Json, WriteReport
from .memory import Memory, Parts
from .temporal.errors import Invalid, NotFound

T = TypeVar("T")

Db = Annotated[str, typer.Option("--db", envvar="HITHERTO_DB", help="The database: a file's path.")]
Tenant = Annotated[
    str, typer.Option("--tenant", envvar="HITHERTO_TENANT", help="Whose memory: customer, user, workspace.")
]
Zone = Annotated[str, typer.Option("--zone", envvar="HITHERTO_ZONE", help="IANA time zone of dates without one.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
Valid = Annotated[
    str | None, typer.Option("--valid", help="What was true at this time (2024, 2024-03, 2024-03-01).")
]
Known = Annotated[str | None, typer.Option("--known", help="As it was known at this time.")]
Limit = Annotated[int, typer.Option("--limit", min=1, max=1000, help="At most so many rows.")]


def console() -> Console:
    return Console(highlight=False, soft_wrap=False)


def emit(value: Json) -> None:
    typer.echo(json.dumps(value, ensure_ascii=False, indent=2))


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(work)


def ask(
    db: str, tenant: str, question: Callable[[Memory], Awaitable[T]], *, zone: str = "UTC", new: bool = False
) -> T:
    """What the memory answers. ``new``: the database may be made by this."""

    async def work() -> T:
        async with Memory.open(db if new else existing(db), tenant=tenant, **Parts(zone=zone)) as memory:
            return await question(memory)

    return run(work())


def print_rows(
    rows: Sequence[T],
    as_object: Callable[[T], Json],
    table: Callable[[Sequence[T]], Table],
    nothing: str,
    *,
    as_json: bool,
) -> None:
    """``nothing`` is said where there is no row."""
    if as_json:
        emit([as_object(row) for row in rows])
    elif rows:
        console().print(table(rows))
    else:
        typer.echo(nothing)


def print_report(report: WriteReport, zone: str, *, as_json: bool) -> None:
    """Print what a write changed."""
    if as_json:
        emit(render.report_json(report))
        return
    changed = [("-", b) for b in report.superseded] + [("+", b) for b in report.added]
    title = f"{report.status}: {report.episode_id}" if report.episode_id else report.status
    console().print(render.changes_table(changed, read_zone(zone), title) if changed else title)


def named_values(option: str, given: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The sides of each NAME=VALUE."""
    for pair in given:
        name, mark, value = pair.partition("=")
        if not mark or not name:
            raise Invalid(f"{option} {pair!r}: write it as NAME=VALUE")
        yield name, value


def existing(db: str) -> str:
    """Reading must not make an empty database out of a mistyped path."""
    if "://" not in db and db != ":memory:" and not Path(db).exists():
        raise NotFound(f"there is no database {db}; name one with --db, or make it with `hitherto add`")
    return db
