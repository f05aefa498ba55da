"""The commands for much at once: ``import``, ``load``, ``embed``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from . import render
from .admin import Admin
from .backload import BATCH as EPISODES
from .backload import AddReport
from .cli_options import AsJson, Db, Tenant, Zone, console, emit, existing, run
from .load_file import counting, rows_of
from .loading import BATCH, LoadReport
from .memory import Memory, Parts


def import_episodes(
    file: Annotated[Path, typer.Argument(help="JSON lines, one episode each; '-' reads standard input.")],
    session: Annotated[str | None, typer.Option("--session", help="Of those that name none.")] = None,
    source: Annotated[str, typer.Option("--source", help="Where they come from, such as chat or crm.")] = "",
    batch: Annotated[int, typer.Option("--batch", min=1, help="Episodes read and written together.")] = EPISODES,
    db: Db = "hitherto.db",
    tenant: Tenant = "default",
    zone: Zone = "UTC",
    as_json: AsJson = False,
) -> None:
    """Remember many episodes from a file, such as a history of chats, and count what that changed."""

    async def work() -> AddReport:
        with rows_of(file) as rows, counting(rows, "episodes") as progress:
            async with Memory.open(db, tenant=tenant, **Parts(zone=zone)) as memory:
                return await memory.add_many(rows, session=session, source=source, batch=batch, progress=progress)

    report = run(work())
    if as_json:
        emit(render.add_json(report))
    else:
        console().print(render.add_table(report))


def load_facts(
    file: Annotated[Path, typer.Argument(help="JSON lines, one fact each; '-' reads standard input.")],
    source: Annotated[str, typer.Option("--source", help="The system of record they come from.")] = "",
    batch: Annotated[int, typer.Option("--batch", min=1, help="Facts of one transaction.")] = BATCH,
    no_embed: Annotated[bool, typer.Option("--no-embed", help="Leave vectors to `hitherto embed`.")] = False,
    db: Db = "hitherto.db",
    tenant: Tenant = "default",
    zone: Zone = "UTC",
    as_json: AsJson = False,
) -> None:
    """Remember ready-made facts from a file, many at a time, and count what that changed."""

    async def work() -> LoadReport:
        with rows_of(file) as rows, counting(rows, "facts") as progress:
            async with Memory.open(db, tenant=tenant, **Parts(zone=zone)) as memory:
                return await memory.add_facts(
                    rows, source=source, batch=batch, embed=not no_embed, progress=progress
                )

    report = run(work())
    if as_json:
        emit(render.load_json(report))
    else:
        console().print(render.load_table(report))


def embed(
    embedder: Annotated[
        str | None, typer.Option("--embedder", help="Change to this one, use or e5, in all tenants.")
    ] = None,
    db: Db = "hitherto.db",
    tenant: Tenant = "default",
    as_json: AsJson = False,
) -> None:
    """Compute the vectors that `load --no-embed` left out, or all of them by another embedder.

    It may be stopped and called again.
    """

    async def work() -> int:
        if embedder is not None:
            async with Admin.open(existing(db)) as admin:
                return await admin.change_embedder(embedder)
        async with Memory.open(existing(db), tenant=tenant) as memory:
            return await memory.embed_missing()

    count = run(work())
    if as_json:
        emit({"embedded": count})
    else:
        typer.echo(f"embedded: {count}")


def add_commands(app: typer.Typer) -> None:
    app.command("import")(import_episodes)
    app.command("load")(load_facts)
    app.command()(embed)
