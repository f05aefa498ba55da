"""The commands about forgetting: ``maintain``, ``archive``, ``restore``, ``archived``, ``feedback``."""

from __future__ import annotations

from typing import Annotated

import typer

from .cli_options import AsJson, Db, Known, Limit, Tenant, Zone, ask, emit, named_values, print_rows
from .kg.forgetting import POLICIES, policy_with
from .maintenance import SAMPLE
from .render_upkeep import archived_json, archived_table, maintenance_json
from .temporal.errors import Invalid

_Ids = Annotated[list[str], typer.Argument(metavar="FACT...", help="Ids of facts or beliefs.")]


def maintain(
    policy: Annotated[
        str, typer.Option("--policy", help=f"What to archive by: {', '.join(POLICIES)}, or none.")
    ] = "decay",
    with_: Annotated[
        list[str] | None,
        typer.Option("--with", metavar="NAME=NUMBER", help="One of the policy's numbers, as days=30; repeatable."),
    ] = None,
    capacity: Annotated[
        int | None, typer.Option("--capacity", min=0, help="How many facts may stay unarchived.")
    ] = None,
    sample: Annotated[
        int, typer.Option("--sample", min=0, help="How many beliefs and episodes are re-checked.")
    ] = SAMPLE,
    seed: Annotated[int, typer.Option("--seed", help="Which ones.")] = 0,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only report.")] = False,
    db: Db = "hitherto.db",
    tenant: Tenant = "default",
    as_json: AsJson = False,
) -> None:
    """Archive by a policy, propose doubles, re-check a sample of what is stored; exit code 1 where it does not
    fit."""
    numbers = dict(named_values("--with", with_ or []))
    if policy == "none" and numbers:
        raise Invalid("--with is for a policy; --policy none has no numbers")
    by = None if policy == "none" else policy_with(policy, numbers)
    report = ask(
        db,
        tenant,
        lambda memory: memory.maintain(policy=by, capacity=capacity, sample=sample, seed=seed, dry_run=dry_run),
    )
    if as_json:
        emit(maintenance_json(report))
    else:
        typer.echo(str(report))
    if report.reconciled.rot:
        raise typer.Exit(1)


def archive(facts: _Ids, db: Db = "hitherto.db", tenant: Tenant = "default", as_json: AsJson = False) -> None:
    """Put facts aside: search and context leave them out; everything else tells them."""
    records = ask(db, tenant, lambda memory: memory.archive(facts))
    _tell("archived", [record.fact_id for record in records], as_json=as_json)


def restore(facts: _Ids, db: Db = "hitherto.db", tenant: Tenant = "default", as_json: AsJson = False) -> None:
    """Take archived facts back into search and context."""
    _tell("restored", list(ask(db, tenant, lambda memory: memory.restore(facts))), as_json=as_json)


def feedback(
    used: Annotated[
        list[str] | None, typer.Option("--used", help="A fact an answer rested on; repeatable.")
    ] = None,
    corrected: Annotated[
        list[str] | None, typer.Option("--corrected", help="One that was wrong; repeatable.")
    ] = None,
    db: Db = "hitherto.db",
    tenant: Tenant = "default",
    as_json: AsJson = False,
) -> None:
    """Say which facts answers rested on, and which turned out wrong: their importance follows."""
    ask(db, tenant, lambda memory: memory.feedback(used=used or [], corrected=corrected or []))
    told = {"used": len(used or []), "corrected": len(corrected or [])}
    if as_json:
        emit(dict(told))
    else:
        typer.echo(f"noted: {told['used']} used, {told['corrected']} corrected")


def _tell(verb: str, ids: list[str], *, as_json: bool) -> None:
    if as_json:
        emit({verb: [*ids]})
    else:
        typer.echo(f"{verb}: {len(ids)}")


def archived(
    limit: Limit = 100,
    known: Known = None,
    db: Db = "hitherto.db",
    tenant: Tenant = "default",
    zone: Zone = "UTC",
    as_json: AsJson = False,
) -> None:
    """List the facts that are put aside, since when and by which policy."""
    found = ask(db, tenant, lambda memory: memory.at(known=known).archived(limit=limit), zone=zone)
    print_rows(found.items, archived_json, archived_table, "nothing is archived", as_json=as_json)


def add_commands(app: typer.Typer) -> None:
    for command in (maintain, archive, restore, archived, feedback):
        app.command()(command)
