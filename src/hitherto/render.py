"""Beliefs, hits and reports as people read them (rich tables) and as programs do (plain JSON values)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, tzinfo

from rich.markup import escape
from rich.table import Table

from .audit import AuditAnswer, Cell
from .backload import AddReport
from .duplicates import Duplicate
from .kg.model import Belief, Episode, Json, Value, WriteReport, text_of
from .kg.store import TenantStatus
from .loading import LoadReport
from .query.results import (
    Change,
    TimelineEntry,
    best_evidence,
)
from .temporal.grains import Bound
from .temporal.instants import format_bound

_QUOTE = 100


def belief_json(belief: Belief) -> dict[str, Json]:
    """A belief with its evidence; instants in ISO 8601 UTC."""
    fact = belief.fact
    literal = isinstance(fact.object, Value)
    out: dict[str, Json] = {
        "id": belief.id,
        "fact": fact.text,
        "subject": fact.subject.name,
        "predicate": fact.predicate,
        "object": text_of(fact.object),
        "object_is_literal": literal,
        "valid_from": bound_json(belief.valid_from),
        "valid_to": bound_json(belief.valid_to),
        "ingested_at": instant_json(belief.ingested_at),
        "superseded_at": instant_json(belief.superseded_at),
        "confidence": belief.confidence,
        "evidence": [
            {
                "episode_id": c.episode_id,
                "says": c.says,
                "quote": c.quote,
                "start": c.quote_start,
                "end": c.quote_end,
                "stated_at": instant_json(c.stated_at),
                "confidence": c.confidence,
                "extractor": c.extractor,
            }
            for c in belief.evidence
        ],
    }
    if isinstance(belief, TimelineEntry):
        out["corrections"] = [belief_json(b) for b in belief.corrections]
    return out


def episode_json(episode: Episode) -> dict[str, Json]:
    return {
        "id": episode.id,
        "text": episode.text,
        "occurred_at": instant_json(episode.occurred_at),
        "ingested_at": instant_json(episode.ingested_at),
        "actor": episode.actor,
        "session": episode.session,
        "source": episode.source,
        "status": episode.status,
        "metadata": dict(episode.metadata),
    }


def change_json(change: Change) -> dict[str, Json]:
    return {
        "at": instant_json(change.at),
        "change": "added" if change.added else "superseded",
        "episodes": list(change.episode_ids),
        "belief": belief_json(change.belief),
    }


def report_json(report: WriteReport) -> dict[str, Json]:
    return {
        "episode_id": report.episode_id,
        "status": report.status,
        "tx": instant_json(report.tx),
        "added": [belief_json(b) for b in report.added],
        "superseded": [belief_json(b) for b in report.superseded],
    }


def status_json(status: TenantStatus) -> dict[str, Json]:
    return {
        "tenant": status.tenant,
        "episodes": status.episodes,
        "pending": status.pending,
        "entities": status.entities,
        "facts": status.facts,
        "beliefs": status.beliefs,
        "superseded": status.superseded,
        "last_commit": instant_json(status.last_commit),
        "schema": status.schema,
    }


def audit_json(answer: AuditAnswer) -> list[Json]:
    """One object a row, by column."""
    rows: list[Json] = []
    rows += [dict(zip(answer.columns, map(_cell_json, row), strict=True)) for row in answer.rows]
    return rows


def audit_table(title: str, answer: AuditAnswer, zone: tzinfo) -> Table:
    table = Table(title=escape(title), title_justify="left", title_style="bold")
    for column in answer.columns:
        table.add_column(column.replace("_", " "), overflow="fold")
    for row in answer.rows:
        table.add_row(*(escape(_cell_text(cell, zone)) for cell in row))
    return table


def timeline_table(title: str, entries: Iterable[TimelineEntry], zone: tzinfo) -> Table:
    """One row a period; what was believed of it before stands dimmed below, with when that was believed."""
    table = Table(title=escape(title), title_justify="left", title_style="bold")
    for column in ("fact", "when", "believed", "quote"):
        table.add_column(column, overflow="fold")
    for entry in entries:
        table.add_row(*_timeline_cells(entry, zone), style="" if entry.believed else "dim")
        for correction in entry.corrections:
            table.add_row(*_timeline_cells(correction, zone), style="dim")
    return table


def history_table(beliefs: Iterable[Belief], zone: tzinfo) -> Table:
    """One row a belief; those given up are dimmed."""
    table = Table()
    for column in ("fact", "when", "believed", "quote"):
        table.add_column(column, overflow="fold")
    for belief in beliefs:
        table.add_row(*_timeline_cells(belief, zone), style="" if belief.superseded_at is None else "dim")
    return table


def log_table(changes: Iterable[Change], zone: tzinfo) -> Table:
    """One row a change, with the messages that made it."""
    table = Table()
    for column in ("learned", "", "fact", "when", "because of"):
        table.add_column(column, overflow="fold")
    for change in changes:
        at = change.at.astimezone(zone).replace(tzinfo=None).isoformat(sep=" ", timespec="seconds")
        fact, when = escape(change.belief.fact.text), change.belief.dates(zone)
        because = escape(", ".join(change.episode_ids))
        table.add_row(at, "+" if change.added else "-", fact, when, because, style="" if change.added else "dim")
    return table


def changes_table(beliefs: Sequence[tuple[str, Belief]], zone: tzinfo, title: str = "") -> Table:
    """Rows of (sign, belief): what a write added (+) and superseded (-)."""
    table = Table(title=escape(title) or None, title_justify="left", title_style="bold")
    for column in ("", "fact", "when", "quote"):
        table.add_column(column, overflow="fold")
    for sign, belief in beliefs:
        evidence = best_evidence(belief)
        table.add_row(
            sign,
            escape(belief.fact.text),
            belief.dates(zone),
            escape(shorten(evidence.quote if evidence else "")),
            style="dim" if sign == "-" else "",
        )
    return table


def status_table(status: TenantStatus) -> Table:
    table = Table(show_header=False)
    for name, value in status_json(status).items():
        table.add_row(name.replace("_", " "), escape(str(value)))
    return table


def shorten(text: str) -> str:
    one = " ".join(text.split())
    return one if len(one) <= _QUOTE else one[: _QUOTE - 1] + "…"


def _cell_json(cell: Cell) -> Json:
    return instant_json(cell) if isinstance(cell, datetime) else cell


def _cell_text(cell: Cell, zone: tzinfo) -> str:
    if isinstance(cell, datetime):
        return cell.astimezone(zone).isoformat(sep=" ", timespec="seconds")
    return "" if cell is None else shorten(str(cell))


def load_json(report: LoadReport) -> Json:
    return {
        "facts": report.facts,
        "batches": report.batches,
        "duplicates": report.duplicates,
        "added": report.added,
        "superseded": report.superseded,
        "tx": instant_json(report.tx),
    }


def add_json(report: AddReport) -> Json:
    return {
        "episodes": report.episodes,
        "duplicates": report.duplicates,
        "added": report.added,
        "superseded": report.superseded,
        "tx": instant_json(report.tx),
    }


def add_table(report: AddReport) -> Table:
    """What a back-load did, a row for each count."""
    table = Table("", "", show_header=False)
    table.add_row("episodes", f"{report.episodes:,} ({report.duplicates:,} were there already)")
    table.add_row("beliefs added", f"{report.added:,}")
    table.add_row("beliefs superseded", f"{report.superseded:,}")
    return table


def load_table(report: LoadReport) -> Table:
    """What a load did, a row for each count."""
    table = Table("", "", show_header=False)
    table.add_row("facts", f"{report.facts:,}")
    table.add_row("batches", f"{report.batches:,} ({report.duplicates:,} were there already)")
    table.add_row("beliefs added", f"{report.added:,}")
    table.add_row("beliefs superseded", f"{report.superseded:,}")
    return table


def duplicate_json(duplicate: Duplicate) -> Json:
    sides: list[Json] = [
        {"id": e.id, "name": e.name, "kind": e.kind, "aliases": list(e.aliases)}
        for e in (duplicate.a, duplicate.b)
    ]
    return {"entities": sides, "score": duplicate.score, "reason": duplicate.reason}


def duplicates_table(found: Iterable[Duplicate]) -> Table:
    table = Table("name", "name", "score", "why", title="may be the same", title_justify="left")
    for one in found:
        table.add_row(escape(one.a.name), escape(one.b.name), f"{one.score:.2f}", escape(one.reason))
    return table


def _timeline_cells(belief: Belief, zone: tzinfo) -> tuple[str, str, str, str]:
    evidence = best_evidence(belief)
    since = belief.ingested_at.astimezone(zone).date().isoformat()
    until = "" if belief.superseded_at is None else belief.superseded_at.astimezone(zone).date().isoformat()
    return (
        escape(belief.fact.text),
        belief.dates(zone),
        f"{since} → {until}".strip(),
        escape(shorten(evidence.quote if evidence else "")),
    )


def bound_json(bound: Bound | None) -> Json:
    if bound is None:
        return None
    return {"at": instant_json(bound.at), "said": format_bound(bound), "grain": bound.grain, "basis": bound.basis}


def instant_json(moment: datetime | None) -> str | None:
    return None if moment is None else moment.astimezone(UTC).isoformat().replace("+00:00", "Z")
