"""The commands about how belief changed: ``changes``, ``history``, ``correct``."""

from __future__ import annotations

from typing import Annotated

import typer

from . import render
from .cli_options import AsJson, Db, Known, Limit, Tenant, Zone, ask, console, emit, print_report, print_rows
from .correcting import Correction
from .extraction.records import read_zone
from .temporal.errors import Invalid


def changes(
    since: Annotated[str | None, typer.Option("--since", help="Learned at this time or later.")] = None,
    until: Annotated[str | None, typer.Option("--until", help="Learned up to the end of this time.")] = None,
    entity: Annotated[str | None, typer.Option("--entity", help="Only facts about this name.")] = None,
    known: Known = None,
    limit: Limit = 100,
    db: Db = "hitherto.db",
    tenant: Tenant = "default",
    zone: Zone = "UTC",
    as_json: AsJson = False,
) -> None:
    """Show what came to be believed and what was given up, in order, and because of what."""
    found = ask(
        db,
        tenant,
        lambda memory: memory.at(known=known).changes(since, until, entity=entity, limit=limit),
        zone=zone,
    )
    print_rows(
        found.items,
        render.change_json,
        lambda changes: render.log_table(changes, read_zone(zone)),
        "nothing changed",
        as_json=as_json,
    )


def history(
    fact: Annotated[str, typer.Argument(help="The id of a fact or belief, as --json prints it.")],
    known: Known = None,
    limit: Limit = 100,
    db: Db = "hitherto.db",
    tenant: Tenant = "default",
    zone: Zone = "UTC",
    as_json: AsJson = False,
) -> None:
    """Show every belief ever held of a fact, the first learned first."""
    held = ask(db, tenant, lambda memory: memory.at(known=known).history(fact, limit=limit), zone=zone)
    if as_json:
        emit([render.belief_json(belief) for belief in held.items])
    else:
        console().print(render.history_table(held.items, read_zone(zone)))


def correct(
    belief: Annotated[str, typer.Argument(help="The belief's id, as --json prints it.")],
    valid_from: Annotated[str | None, typer.Option("--from", help="When it really began.")] = None,
    valid_to: Annotated[str | None, typer.Option("--to", help="When it really ended; includes its grain.")] = None,
    no_end: Annotated[bool, typer.Option("--no-end", help="It did not end.")] = False,
    object_: Annotated[str | None, typer.Option("--object", help="What it really was.")] = None,
    never: Annotated[bool, typer.Option("--never", help="It was not true at all.")] = False,
    reason: Annotated[str, typer.Option("--reason", help="Why, in your words; kept in the quote.")] = "",
    author: Annotated[str | None, typer.Option("--author", help="Who says so.")] = None,
    db: Db = "hitherto.db",
    tenant: Tenant = "default",
    zone: Zone = "UTC",
    as_json: AsJson = False,
) -> None:
    """Say how a belief should read. `hitherto retract` takes the correction back."""
    wanted = Correction(never=never, reason=reason, author=author)
    if valid_to is not None and no_end:
        raise Invalid("give either --to or --no-end")
    if valid_from is not None:
        wanted["valid_from"] = valid_from
    if valid_to is not None or no_end:
        wanted["valid_to"] = valid_to
    if object_ is not None:
        wanted["object"] = object_
    report = ask(db, tenant, lambda memory: memory.correct(belief, **wanted), zone=zone)
    print_report(report, zone, as_json=as_json)


def add_commands(app: typer.Typer) -> None:
    for command in (changes, history, correct):
        app.command()(command)
