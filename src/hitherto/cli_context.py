"""``hitherto context``: a block of memory for a prompt."""

from __future__ import annotations

from typing import Annotated

import typer

from . import render_context
from .cli_options import AsJson, Db, Known, Tenant, Valid, Zone, ask, console, emit
from .query.formats import ContextFormat
from .query.recall import BUDGET, ContextOptions


def context(
    query: Annotated[str, typer.Argument(help="What the prompt is about.")],
    budget: Annotated[int, typer.Option("--budget", help="Tokens that the block may take.")] = BUDGET,
    format_: Annotated[
        ContextFormat, typer.Option("--format", help="How it is written.")
    ] = ContextFormat.MARKDOWN,
    pin: Annotated[
        list[str] | None,
        typer.Option("--pin", help="A constraint to keep whatever the budget; may be given again."),
    ] = None,
    valid: Valid = None,
    known: Known = None,
    session: Annotated[str | None, typer.Option("--session", help="Whose speaker a pronoun means.")] = None,
    actor: Annotated[str | None, typer.Option("--actor", help="Who asks.")] = None,
    trace: Annotated[bool, typer.Option("--trace", help="Show what was kept, trimmed, dropped.")] = False,
    db: Db = "hitherto.db",
    tenant: Tenant = "default",
    zone: Zone = "UTC",
    as_json: AsJson = False,
) -> None:
    """Print a block of memory for a prompt, inside a budget of tokens."""
    options = ContextOptions(format=format_, session=session, actor=actor, pinned=pin or [])
    block = ask(
        db, tenant, lambda memory: memory.at(valid, known).context(query, budget=budget, **options), zone=zone
    )
    if as_json:
        emit(render_context.context_json(block))
        return
    typer.echo(block.text, nl=not block.text.endswith("\n"))
    if trace:
        console().print(render_context.trace_table(block))


def add_commands(app: typer.Typer) -> None:
    app.command()(context)
