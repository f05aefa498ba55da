"""The commands about who is who: ``merge``, ``split``, ``duplicates``."""

from __future__ import annotations

from typing import Annotated

import typer

from . import render
from .cli_options import AsJson, Db, Limit, Tenant, Zone, console, emit, existing, print_report, run
from .memory import Memory, Parts

_A = Annotated[str, typer.Argument(help="A name, or an entity's id.")]
_B = Annotated[str, typer.Argument(help="Another one.")]
_Reason = Annotated[str, typer.Option("--reason", help="Why, in your words; kept in the quote.")]
_By = Annotated[str | None, typer.Option("--by", help="Who says so.")]


def merge(
    a: _A,
    b: _B,
    reason: _Reason = "",
    by: _By = None,
    db: Db = "hitherto.db",
    tenant: Tenant = "default",
    zone: Zone = "UTC",
    as_json: AsJson = False,
) -> None:
    """Say that two entities are one. `hitherto retract` or `hitherto split` parts them again."""

    async def work() -> None:
        async with Memory.open(existing(db), tenant=tenant, **Parts(zone=zone)) as memory:
            print_report(await memory.merge(a, b, reason=reason, by=by), zone, as_json=as_json)

    run(work())


def split(
    a: _A,
    b: _B,
    reason: _Reason = "",
    by: _By = None,
    db: Db = "hitherto.db",
    tenant: Tenant = "default",
    zone: Zone = "UTC",
    as_json: AsJson = False,
) -> None:
    """Say that two entities are not one. `hitherto retract` takes that back."""

    async def work() -> None:
        async with Memory.open(existing(db), tenant=tenant, **Parts(zone=zone)) as memory:
            print_report(await memory.split(a, b, reason=reason, by=by), zone, as_json=as_json)

    run(work())


def duplicates(
    limit: Limit = 100,
    at_least: Annotated[
        float, typer.Option("--at-least", min=0, max=1, help="Leave out what is less likely.")
    ] = 0.3,
    db: Db = "hitherto.db",
    tenant: Tenant = "default",
    as_json: AsJson = False,
) -> None:
    """Propose entities that may be one, and why. Nothing is merged."""

    async def work() -> None:
        async with Memory.open(existing(db), tenant=tenant) as memory:
            found = await memory.duplicates(limit=limit, at_least=at_least)
        if as_json:
            emit([render.duplicate_json(one) for one in found])
        elif found:
            console().print(render.duplicates_table(found))
        else:
            typer.echo("no two are alike")

    run(work())


def add_commands(app: typer.Typer) -> None:
    for command in (merge, split, duplicates):
        app.command()(command)
