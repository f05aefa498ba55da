"""The commands about who is who: ``merge``, ``split``, ``duplicates``."""

from __future__ import annotations

from typing import Annotated

import typer

from . import render
from .cli_options import AsJson, Db, Limit, Tenant, Zone, ask, print_report, print_rows

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
    report = ask(db, tenant, lambda memory: memory.merge(a, b, reason=reason, by=by), zone=zone)
    print_report(report, zone, as_json=as_json)


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
    report = ask(db, tenant, lambda memory: memory.split(a, b, reason=reason, by=by), zone=zone)
    print_report(report, zone, as_json=as_json)


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
    found = ask(db, tenant, lambda memory: memory.duplicates(limit=limit, at_least=at_least))
    print_rows(found, render.duplicate_json, render.duplicates_table, "no two are alike", as_json=as_json)


def add_commands(app: typer.Typer) -> None:
    for command in (merge, split, duplicates):
        app.command()(command)
