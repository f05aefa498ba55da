"""Who is who, and the claims about some entities."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Sequence

from ...model import Claim
from ...store import Identity
from . import rows
from .entities import ensured
from .rows import CLAIM, CLAIM_JOINS, listed
from .schema import NEVER


def group(db: sqlite3.Connection, tenant: int, ids: Collection[str]) -> dict[str, Identity]:
    """See ``Transaction.identities``."""
    found = db.execute(
        "SELECT n.id, i.name, k.id FROM identity i CROSS JOIN entity n ON n.no = i.entity "
        "CROSS JOIN entity k ON k.no = i.canonical WHERE i.canonical IN (SELECT canonical FROM identity "
        "WHERE entity IN (SELECT no FROM entity WHERE tenant = ? AND id IN (SELECT value FROM json_each(?))))",
        (tenant, listed(ids)),
    )
    return {row[0]: Identity(*row) for row in found}


def put(db: sqlite3.Connection, tenant: int, identities: Sequence[Identity]) -> None:
    numbers = ensured(db, tenant, {id_ for i in identities for id_ in (i.entity_id, i.canonical_id)})
    db.executemany(
        "INSERT OR REPLACE INTO identity VALUES (?, ?, ?)",
        [(numbers[i.entity_id], numbers[i.canonical_id], i.name) for i in identities],
    )
    db.execute("UPDATE tenant SET has_identities = 1 WHERE no = ?", (tenant,))


def claims(
    db: sqlite3.Connection, tenant: int, ids: Collection[str], predicate: str | None
) -> list[tuple[str, Claim]]:
    """See ``Transaction.entity_claims``."""
    about = "SELECT no FROM entity WHERE tenant = :tenant AND id IN (SELECT value FROM json_each(:ids))"
    wanted = "" if predicate is None else "AND f.predicate = :predicate"
    sides = " UNION ".join(
        f"SELECT no FROM fact f INDEXED BY fact_{side} WHERE f.{side} IN ({about}) "
        f"{'AND f.object IS NOT NULL' if side == 'object' else ''} {wanted}"
        for side in ("subject", "object")
    )
    found = db.execute(
        f"SELECT c.slot, c.recorded_us, {CLAIM} FROM claim c INDEXED BY claim_fact {CLAIM_JOINS} "
        f"WHERE c.fact IN ({sides}) AND c.retracted_us = {NEVER}",
        {"tenant": tenant, "ids": listed(ids), "predicate": predicate},
    )
    return [(row[0], rows.claim(row[2:], row[1], NEVER)) for row in found]
