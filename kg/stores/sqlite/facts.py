"""Facts: propositions without time."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence

from ...embedding import Vectors
from ...ids import value_key
from ...model import Fact, Value
from ...store import FactRow, Target
from . import entities
from .indexing import put_texts, put_vectors
from .points import Instants
from .rows import Row, listed
from .schema import NEVER

FACT = "f.no, f.id, f.predicate, f.text, f.is_event, f.subject, f.object, f.value"


def numbers_of(db: sqlite3.Connection, tenant: int, ids: Iterable[str]) -> dict[str, int]:
    return dict(
        db.execute(
            "SELECT id, no FROM fact WHERE tenant = ? AND id IN (SELECT value FROM json_each(?))",
            (tenant, listed(ids)),
        )
    )


def put(db: sqlite3.Connection, tenant: int, rows: Sequence[FactRow], instant_us: int) -> None:
    by_id = {row.fact.id: row for row in reversed(rows)}
    there = numbers_of(db, tenant, by_id)
    new = [row for id_, row in by_id.items() if id_ not in there]
    if new:
        numbers = entities.ensured(db, tenant, {side.id for row in new for side in row.fact.entities})
        db.executemany(
            "INSERT INTO fact (tenant, id, subject, predicate, object, value, value_key, text, is_event) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [(tenant, *_row(row, numbers)) for row in new],
        )
        made = numbers_of(db, tenant, (row.fact.id for row in new))
        put_texts(db, tenant, Target.FACT, [(made[row.fact.id], row.fact.text) for row in new], instant_us)
        there |= made
    vectors = {there[id_]: row.vector for id_, row in by_id.items() if row.vector is not None}
    put_vectors(db, tenant, Target.FACT, vectors, replace=False)


def fill_vectors(db: sqlite3.Connection, tenant: int, vectors: Mapping[str, Vectors]) -> None:
    there = numbers_of(db, tenant, vectors)
    put_vectors(db, tenant, Target.FACT, {number: vectors[id_] for id_, number in there.items()}, replace=False)


def _row(row: FactRow, numbers: dict[str, int]) -> Row:
    fact = row.fact
    if isinstance(fact.object, Value):
        number, value, key = None, fact.object.text, value_key(fact.object.text).replace("\0", "")
    else:
        number, value, key = numbers[fact.object.id], None, None
    return (fact.id, numbers[fact.subject.id], fact.predicate, number, value, key, fact.text, int(row.is_event))


def stored(db: sqlite3.Connection, tenant: int, ids: Collection[str]) -> dict[str, Fact]:
    """Facts by id, their entities as last called."""
    found = db.execute(
        f"SELECT {FACT} FROM fact f WHERE f.tenant = ? AND f.id IN (SELECT value FROM json_each(?))",
        (tenant, listed(ids)),
    ).fetchall()
    return {fact.id: fact for fact in built(db, Instants(None, NEVER), found).values()}


def built(db: sqlite3.Connection, at: Instants, found: Iterable[Row]) -> dict[int, Fact]:
    """Facts by number from ``FACT`` columns, their entities as known then."""
    rows = {row[0]: row for row in found}
    sides = {side for row in rows.values() for side in (row[5], row[6]) if side is not None}
    called = entities.by_number(db, at, sides)
    return {
        number: Fact(id_, called[subject], predicate, Value(value) if object_ is None else called[object_], text)
        for number, id_, predicate, text, _, subject, object_, value in rows.values()
    }
