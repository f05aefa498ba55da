"""What is archived and what maintenance did, as people and programs read them."""

from __future__ import annotations

from collections.abc import Iterable

from rich.markup import escape
from rich.table import Table

from .kg.model import Json
from .maintenance import Maintenance
from .query.keeping import ArchivedFact
from .render import duplicate_json, instant_json


def archived_json(one: ArchivedFact) -> Json:
    return {
        "fact_id": one.fact.id,
        "fact": one.fact.text,
        "policy": one.policy,
        "archived_at": instant_json(one.archived_at),
        "digest": one.digest,
    }


def archived_table(found: Iterable[ArchivedFact]) -> Table:
    table = Table("fact", "since", "policy", "digest", "id", title="archived", title_justify="left")
    for one in found:
        since = one.archived_at.date().isoformat()
        table.add_row(escape(one.fact.text), since, escape(one.policy), escape(one.digest or ""), one.fact.id)
    return table


def maintenance_json(report: Maintenance) -> Json:
    return {
        "dry_run": report.dry_run,
        "policy": report.policy,
        "facts": report.facts,
        "archived": [{"fact_id": fact.id, "fact": fact.text} for fact in report.archived],
        "digests": report.digests,
        "over": report.over,
        "duplicates": [duplicate_json(one) for one in report.duplicates],
        "claims_checked": report.reconciled.claims,
        "slots_checked": report.reconciled.slots,
        "rot": [{"kind": rot.kind, "id": rot.id, "reason": rot.reason} for rot in report.reconciled.rot],
    }
