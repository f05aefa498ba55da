"""Use and archive."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Collection, Mapping

from ....temporal.instants import from_us, to_us
from ...keeping import Archived, Use
from ...paging import cursor_position, paged
from ...store import Page, Slice
from .facts import numbers_of
from .points import Instants
from .rows import Row, listed, seen_from
from .schema import ALWAYS, NEVER

_FACTS = "SELECT no FROM fact WHERE tenant = :tenant AND id IN (SELECT value FROM json_each(:ids))"


def put_uses(db: sqlite3.Connection, tenant: int, uses: Mapping[str, Use], instant_us: int) -> None:
    """See ``Transaction.put_uses``."""
    before = read_uses(db, tenant, Instants(None, NEVER), uses)
    numbers = numbers_of(db, tenant, uses)
    db.executemany(
        "INSERT OR REPLACE INTO fact_use VALUES (?, ?, ?, ?, ?, ?)",
        [(number, instant_us, *_row(before.get(id_, Use()) + uses[id_])) for id_, number in numbers.items()],
    )


def _row(use: Use) -> Row:
    return (use.shown, use.used, use.corrected, None if use.last_at is None else to_us(use.last_at))


def read_uses(db: sqlite3.Connection, tenant: int, at: Instants, ids: Collection[str]) -> dict[str, Use]:
    """See ``Store.uses``."""
    found = db.execute(
        "SELECT f.id, u.shown, u.used, u.corrected, u.last_us FROM fact f CROSS JOIN fact_use u ON u.fact = f.no "
        f"WHERE f.no IN ({_FACTS}) "
        "AND u.at_us = (SELECT max(x.at_us) FROM fact_use x WHERE x.fact = f.no AND x.at_us <= :known)",
        {**at.params(tenant), "ids": listed(ids)},
    )
    return {
        id_: Use(shown, used, corrected, None if last is None else from_us(last))
        for id_, shown, used, corrected, last in found
    }


def archive(
    db: sqlite3.Connection, tenant: int, ids: Collection[str], why: tuple[str, str | None], instant_us: int
) -> None:
    """See ``Transaction.archive``. ``why``: policy and digest."""
    found = db.execute(
        "INSERT INTO archive SELECT f.no, :now, :never, :tenant, f.id, :policy, :digest FROM fact f "
        f"WHERE f.no IN ({_FACTS}) "
        "AND NOT EXISTS (SELECT 1 FROM archive a WHERE a.fact = f.no AND a.restored_us = :never) "
        "ON CONFLICT (fact, archived_us) DO UPDATE SET restored_us = :never, policy = :policy, digest = :digest",
        {
            **{"now": instant_us, "never": NEVER, "tenant": tenant, "ids": listed(ids)},
            **{"policy": why[0], "digest": why[1]},
        },
    )
    if found.rowcount:
        db.execute("UPDATE tenant SET has_archive = 1 WHERE no = ?", (tenant,))


def restore(db: sqlite3.Connection, tenant: int, ids: Collection[str], instant_us: int) -> None:
    """See ``Transaction.restore``."""
    db.execute(
        f"UPDATE archive SET restored_us = :now WHERE fact IN ({_FACTS}) AND restored_us = :never",
        {"now": instant_us, "never": NEVER, "tenant": tenant, "ids": listed(ids)},
    )


def digests(db: sqlite3.Connection, tenant: int, ids: Collection[str]) -> dict[str, set[str]]:
    """See ``Transaction.digests``."""
    found = db.execute(
        "SELECT DISTINCT m.digest, m.fact_id FROM archive a CROSS JOIN archive m "
        "ON m.tenant = :tenant AND m.digest = a.digest "
        f"WHERE a.fact IN ({_FACTS}) AND a.digest IS NOT NULL AND m.digest IS NOT NULL",
        {"tenant": tenant, "ids": listed(ids)},
    )
    members: defaultdict[str, set[str]] = defaultdict(set)
    for digest, fact_id in found:
        members[digest].add(fact_id)
    return dict(members)


def page(
    db: sqlite3.Connection, tenant: int, at: Instants, page: Page, ids: Collection[str] | None
) -> Slice[Archived]:
    """See ``Store.archived``."""
    after_us, after_id = cursor_position(page.cursor, (int, str)) or (ALWAYS, "")
    among = "1" if ids is None else f"+a.fact IN ({_FACTS})"
    found = db.execute(
        "SELECT a.fact_id, a.policy, a.archived_us, a.restored_us, a.digest "
        "FROM archive a INDEXED BY archive_time "
        f"WHERE a.tenant = :tenant AND {at.stretch('a', 'archived_us', 'restored_us')} AND {among} "
        "AND (a.archived_us, a.fact_id) > (:after_us, :after_id) ORDER BY a.archived_us, a.fact_id LIMIT :limit",
        {
            **at.params(tenant),
            **{"ids": listed(ids or ()), "after_us": after_us, "after_id": after_id, "limit": page.limit + 1},
        },
    ).fetchall()
    cut = paged(found, page.limit, lambda row: (row[2], row[0]))
    return Slice(
        tuple(
            Archived(id_, policy, from_us(since), seen_from(until, at.known_us), digest)
            for id_, policy, since, until, digest in cut.items
        ),
        cut.cursor,
    )
