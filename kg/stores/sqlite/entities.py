"""Entities: how often they are mentioned by which name, and what they were called when."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence

from ...columns import entity_text
from ...ids import normalise
from ...model import Entity
from ...naming import describe_entity
from ...store import Sighting, Target
from .indexing import put_texts
from .points import Instants
from .rows import Row, listed
from .schema import NEVER


def name_key(name: str) -> str:
    return normalise(name).replace("\0", "")


def numbers_of(db: sqlite3.Connection, tenant: int, ids: Iterable[str]) -> dict[str, int]:
    """Row numbers by id; ids without a row are missing."""
    return dict(
        db.execute(
            "SELECT id, no FROM entity WHERE tenant = ? AND id IN (SELECT value FROM json_each(?))",
            (tenant, listed(ids)),
        )
    )


def ensured(db: sqlite3.Connection, tenant: int, ids: Iterable[str]) -> dict[str, int]:
    """Row numbers by id; missing rows are made."""
    wanted = set(ids)
    numbers = numbers_of(db, tenant, wanted)
    missing = sorted(wanted - numbers.keys())
    if missing:
        db.executemany("INSERT INTO entity (tenant, id) VALUES (?, ?)", [(tenant, id_) for id_ in missing])
        numbers |= numbers_of(db, tenant, missing)
    return numbers


class Sightings:
    """The mentions of one transaction. States are derived when somebody looks, and at the end."""

    def __init__(self, tenant: int, instant_us: int) -> None:
        self._tenant = tenant
        self._instant_us = instant_us
        self._touched: set[int] = set()
        self._unindexed: set[int] = set()

    def add(self, db: sqlite3.Connection, sightings: Sequence[Sighting]) -> None:
        numbers = ensured(db, self._tenant, (s.entity_id for s in sightings))
        changes = [(numbers[s.entity_id], s.name, s.kind, s.count) for s in sightings if s.count]
        db.executemany(
            "INSERT INTO sighting VALUES (?, ?, ?, ?) "
            "ON CONFLICT (entity, name, kind) DO UPDATE SET count = count + excluded.count",
            changes,
        )
        self._touched.update(change[0] for change in changes)

    def settle(self, db: sqlite3.Connection, *, index: bool) -> None:
        """Write the states of the touched entities; with ``index``, their texts too (once, at the end)."""
        if self._touched:
            self._derive(db, sorted(self._touched))
            self._unindexed |= self._touched
            self._touched.clear()
        if index and self._unindexed:
            found = db.execute(
                "SELECT no, name, aliases FROM entity_state "
                f"WHERE entity IN (SELECT value FROM json_each(?)) AND to_us = {NEVER} AND from_us = ?",
                (listed(self._unindexed), self._instant_us),
            ).fetchall()
            texts = [(number, entity_text(name, json.loads(aliases))) for number, name, aliases in found]
            put_texts(db, self._tenant, Target.ENTITY, texts, self._instant_us)
            self._unindexed.clear()

    def _derive(self, db: sqlite3.Connection, touched: list[int]) -> None:
        listing = listed(touched)
        counts: defaultdict[int, list[Sighting]] = defaultdict(list)
        ids = dict(
            db.execute("SELECT no, id FROM entity WHERE no IN (SELECT value FROM json_each(?))", (listing,))
        )
        for number, name, kind, count in db.execute(
            "SELECT entity, name, kind, count FROM sighting WHERE entity IN (SELECT value FROM json_each(?))",
            (listing,),
        ):
            counts[number].append(Sighting(ids[number], name, kind, count))
        current = {
            row[0]: row
            for row in db.execute(
                "SELECT entity, no, name, kind, aliases, from_us FROM entity_state "
                f"WHERE entity IN (SELECT value FROM json_each(?)) AND to_us = {NEVER}",
                (listing,),
            )
        }
        entities = {number: describe_entity(ids[number], counts[number]) for number in touched}
        changed = [n for n in touched if not _is_called(entities[n], current.get(n))]
        self._close(db, [current[n] for n in changed if n in current])
        self._open(db, [(n, entity) for n in changed if (entity := entities[n]) is not None])

    def _close(self, db: sqlite3.Connection, states: Sequence[Row]) -> None:
        """End these states now; those that this transaction began were never there."""
        db.executemany(
            "UPDATE entity_state SET to_us = ? WHERE no = ?",
            [(self._instant_us, row[1]) for row in states if row[5] != self._instant_us],
        )
        never = [row for row in states if row[5] == self._instant_us]
        db.executemany("DELETE FROM entity_state WHERE no = ?", [(row[1],) for row in never])
        db.executemany(
            "DELETE FROM entity_name WHERE tenant = ? AND key = ? AND state = ?",
            [(self._tenant, key, row[1]) for row in never for key in _keys(row[2], json.loads(row[4]))],
        )

    def _open(self, db: sqlite3.Connection, entities: Sequence[tuple[int, Entity]]) -> None:
        first = db.execute("SELECT coalesce(max(no), 0) + 1 FROM entity_state").fetchone()[0]
        states = list(enumerate(entities, first))
        db.executemany(
            "INSERT INTO entity_state (no, tenant, entity, name, kind, aliases, from_us, to_us) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (state, self._tenant, number, e.name, e.kind, json.dumps(e.aliases), self._instant_us, NEVER)
                for state, (number, e) in states
            ],
        )
        db.executemany(
            "INSERT INTO entity_name VALUES (?, ?, ?)",
            [(self._tenant, key, state) for state, (_, e) in states for key in _keys(e.name, e.aliases)],
        )


def _is_called(entity: Entity | None, row: Row | None) -> bool:
    """Whether the state (entity, no, name, kind, aliases, from_us) says just this."""
    if entity is None or row is None:
        return entity is None and row is None
    return (entity.name, entity.kind, list(entity.aliases)) == (row[2], row[3], json.loads(row[4]))


def _keys(name: str, aliases: Iterable[str]) -> set[str]:
    return {name_key(called) for called in (name, *aliases)}


def entities_now(db: sqlite3.Connection, tenant: int, ids: Collection[str]) -> dict[str, Entity]:
    """Visible entities by id."""
    return visible(db, tenant, Instants(None, NEVER - 1), ids)


def visible(db: sqlite3.Connection, tenant: int, at: Instants, ids: Collection[str]) -> dict[str, Entity]:
    """Entities as known then, by id; when everything is known, as they were last called."""
    found = db.execute(
        "SELECT n.id, s.name, s.kind, s.aliases FROM entity n CROSS JOIN entity_state s ON s.entity = n.no "
        "WHERE n.tenant = :tenant AND n.id IN (SELECT value FROM json_each(:ids)) "
        f"AND {at.stretch('s', 'from_us', 'to_us')} ORDER BY s.from_us",
        {**at.params(tenant), "ids": listed(ids)},
    )
    return {row[0]: _entity(*row) for row in found}


def by_number(db: sqlite3.Connection, at: Instants, numbers: Collection[int]) -> dict[int, Entity]:
    """The entities of facts, which must have a name even where nothing mentions them: as known then, else by their
    own name, else as last called."""
    sql = (
        "SELECT n.no, n.id, s.name, s.kind, s.aliases FROM entity n LEFT JOIN entity_state s ON s.entity = n.no "
        "AND {stretch} WHERE n.no IN (SELECT value FROM json_each(:numbers)) ORDER BY s.from_us"
    )
    params = {**at.params(0), "numbers": listed(numbers)}
    found = db.execute(sql.format(stretch=at.stretch("s", "from_us", "to_us")), params).fetchall()
    missing = [row[0] for row in found if row[2] is None]
    if missing:
        params["numbers"] = listed(missing)
        found += db.execute(sql.format(stretch="1"), params).fetchall()
        found += db.execute(
            "SELECT n.no, n.id, i.name, NULL, NULL FROM identity i CROSS JOIN entity n ON n.no = i.entity "
            "WHERE i.entity IN (SELECT value FROM json_each(:numbers))",
            params,
        ).fetchall()
    return {row[0]: _entity(row[1], row[2] or row[1], row[3], row[4]) for row in found}


def named(db: sqlite3.Connection, tenant: int, at: Instants, names: Collection[str]) -> dict[str, list[Entity]]:
    """Entities by each of the names, in order of id."""
    keys = {name: name_key(name) for name in names}
    by_key: defaultdict[str, dict[str, Entity]] = defaultdict(dict)
    found = db.execute(
        "SELECT k.key, n.id, s.name, s.kind, s.aliases FROM entity_name k "
        "CROSS JOIN entity_state s ON s.no = k.state CROSS JOIN entity n ON n.no = s.entity "
        "WHERE k.tenant = :tenant AND k.key IN (SELECT value FROM json_each(:keys)) "
        f"AND {at.stretch('s', 'from_us', 'to_us')} ORDER BY n.id, s.from_us",
        {**at.params(tenant), "keys": listed(set(keys.values()))},
    )
    for key, *row in found:
        by_key[key][row[0]] = _entity(*row)
    return {name: list(by_key[key].values()) for name, key in keys.items() if key in by_key}


def _entity(id_: str, name: str, kind: str | None, aliases: str | None) -> Entity:
    if kind is None or aliases is None:
        return Entity(id_, name)
    return Entity(id_, name, kind, tuple(json.loads(aliases)))
