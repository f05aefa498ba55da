"""``hitherto search``: questions, filters, and why something was found."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from . import render_search
from .cli_options import AsJson, Db, Known, Limit, Tenant, Valid, Zone, ask, console, emit, named_values
from .extraction.records import read_zone
from .query.filters import Filter, read_where
from .query.fusion import Fusion
from .query.options import SearchOptions
from .query.results import SearchResult
from .temporal.errors import Invalid

Many = list[str] | None


def search(
    query: Annotated[str, typer.Argument(help="A question, in English or Chinese.")],
    valid: Valid = None,
    during: Annotated[
        str | None, typer.Option("--during", help="Facts that held in this stretch (2024, '2024-03 to 2024-06').")
    ] = None,
    known: Known = None,
    limit: Limit = 10,
    session: Annotated[str | None, typer.Option("--session", help="Whose speaker a pronoun means.")] = None,
    actor: Annotated[str | None, typer.Option("--actor", help="Who asks.")] = None,
    kind: Annotated[Many, typer.Option("--kind", help="Only such hits: fact, episode, entity.")] = None,
    predicate: Annotated[Many, typer.Option("--predicate", help="Only this predicate, such as WORKS_AT.")] = None,
    entity: Annotated[Many, typer.Option("--entity", help="Only what is about this name.")] = None,
    entity_kind: Annotated[Many, typer.Option("--entity-kind", help="Only about such, as Organization.")] = None,
    said_by: Annotated[Many, typer.Option("--said-by", help="Only what this actor said.")] = None,
    in_session: Annotated[Many, typer.Option("--in-session", help="Only what was said in this session.")] = None,
    source: Annotated[Many, typer.Option("--source", help="Only what comes from there.")] = None,
    metadata: Annotated[Many, typer.Option("--metadata", help="Only messages with it: NAME=VALUE.")] = None,
    min_confidence: Annotated[
        float | None, typer.Option("--min-confidence", help="Only facts at least so sure, 0 to 1.")
    ] = None,
    where: Annotated[str | None, typer.Option("--where", help="A filter as JSON, with and, or, not.")] = None,
    min_relevance: Annotated[
        float, typer.Option("--min-relevance", help="Only hits with this share of the best one's score, 0 to 1.")
    ] = 0.0,
    diversity: Annotated[
        float, typer.Option("--diversity", help="Prefer hits unlike those before them: 0, not at all, to 1.")
    ] = 0.0,
    fusion: Annotated[Fusion, typer.Option("--fusion", help="How legs are made one ranking.")] = Fusion.SCORES,
    explain: Annotated[bool, typer.Option("--explain", help="Tell why each hit stands where it does.")] = False,
    db: Db = "hitherto.db",
    tenant: Tenant = "default",
    zone: Zone = "UTC",
    as_json: AsJson = False,
) -> None:
    """Find facts and messages: now, as of a date, in a stretch, or as we knew it at a date."""
    plain: dict[str, object] = {
        "predicates": predicate,
        "entities": entity,
        "entity_kinds": entity_kind,
        "actors": said_by,
        "sessions": in_session,
        "sources": source,
        "metadata": _metadata(metadata),
        "min_confidence": min_confidence,
    }
    options = SearchOptions(session=session, actor=actor, during=during, explain=explain)
    options["where"] = _filter({name: value for name, value in plain.items() if value}, where)
    options["kinds"] = kind or None
    options.update(SearchOptions(min_relevance=min_relevance, diversity=diversity, fusion=fusion))
    _print(
        ask(db, tenant, lambda memory: memory.at(valid, known).search(query, limit=limit, **options), zone=zone),
        zone,
        as_json=as_json,
    )


def _print(result: SearchResult, zone: str, *, as_json: bool) -> None:
    if as_json:
        emit(render_search.search_json(result))
        return
    if result.answer is not None:
        typer.echo(f"{result.answer.text}   ({result.answer.how})")
    if result.hits:
        console().print(render_search.hits_table(result, read_zone(zone)))
    elif result.answer is None:
        typer.echo("nothing is known")
    if result.reading is not None:
        typer.echo(render_search.explained(result))


def _filter(plain: dict[str, object], where: str | None) -> Filter | None:
    """The plain options and ``--where`` must both hold."""
    parts = [read_where(plain)] if plain else []
    if where is not None:
        try:
            parts.append(read_where(_object(json.loads(where))))
        except ValueError as error:
            raise Invalid(f"--where is no JSON: {error}") from None
        except RecursionError:
            raise Invalid("--where: too many levels of and, or, not; write it flatter") from None
    given = [part for part in parts if part is not None]
    return given[0] if len(given) == 1 else given[0] & given[1] if given else None


def _object(value: Any) -> dict[str, object]:
    if not isinstance(value, dict):
        raise Invalid(f"--where must be an object such as {_EXAMPLE}")
    return value


_EXAMPLE = '{"not": {"actors": ["bot"]}}'


def _metadata(pairs: Many) -> dict[str, object]:
    """Values are JSON where they read as such (3, true), else text."""
    found: dict[str, object] = {}
    for key, value in named_values("--metadata", pairs or ()):
        try:
            found[key] = json.loads(value)
        except ValueError:
            found[key] = value
    return found


def add_commands(app: typer.Typer) -> None:
    app.command()(search)
