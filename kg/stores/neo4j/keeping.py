"""Use and archive: ``FactUse`` and ``Archiving`` nodes, and the Cypher around them.

``archived_us`` of a fact and of its periods lists the stretches in which it is aside (from, to, from, to, ...), so
that a search needs no second look-up; ``Archiving`` says by which policy.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

from ....temporal.instants import from_us, to_us
from ...keeping import Archived, Use
from ...paging import cursor_position, paged
from ...store import Page, Slice
from .points import Instants, seen_from
from .rows import Props
from .schema import ALWAYS
from .server import Queries, run

_FACT: Final = "MATCH (f:Fact {tenant: $tenant, id: row.id}) USING INDEX SEEK f:Fact(tenant, id)"

_NEWEST: Final = """
CALL (id) {
  MATCH (u:FactUse) USING INDEX SEEK u:FactUse(tenant, fact_id, at_us)
  WHERE u.tenant = $tenant AND u.fact_id = id AND u.at_us <= KNOWN
  RETURN u ORDER BY u.tenant DESC, u.fact_id DESC, u.at_us DESC LIMIT 1
}
"""

READ_USES: Final = f"""
UNWIND $ids AS id
{_NEWEST.replace("KNOWN", "$known")}
RETURN id, u {{.shown, .used, .corrected, .last_us}} AS u
"""

PUT_USES: Final = f"""
UNWIND $rows AS row
{_FACT}
WITH row, f.id AS id
OPTIONAL {_NEWEST.strip().replace("KNOWN", "$now")}
WITH row, id, u.shown AS shown, u.used AS used, u.corrected AS corrected, u.last_us AS last_us
MERGE (n:FactUse {{tenant: $tenant, fact_id: id, at_us: $now}})
SET n.shown = coalesce(shown, 0) + row.shown, n.used = coalesce(used, 0) + row.used,
  n.corrected = coalesce(corrected, 0) + row.corrected,
  n.last_us = CASE WHEN last_us > row.last_us THEN last_us ELSE coalesce(row.last_us, last_us) END
"""

_MARK_PERIODS: Final = """
WITH f
MATCH (p:Period {fact_id: f.id}) USING INDEX SEEK p:Period(fact_id) WHERE p.tenant = $tenant
SET p.archived_us = f.archived_us
"""

ARCHIVE: Final = f"""
UNWIND $rows AS row
{_FACT}
WHERE f.archived_us IS NULL OR last(f.archived_us) < $never
SET f.archived_us = coalesce(f.archived_us, []) + [$now, $never]
MERGE (a:Archiving {{tenant: $tenant, fact_id: f.id, archived_us: $now}})
SET a.restored_us = $never, a.policy = row.policy, a.digest = row.digest, a.archived_at = $at, a.restored_at = null
WITH row, f
MATCH (t:Tenant {{wall: row.wall}})
SET t.has_archive = true
{_MARK_PERIODS}
"""

RESTORE: Final = f"""
UNWIND $rows AS row
{_FACT}
WHERE last(f.archived_us) = $never
SET f.archived_us = f.archived_us[..-1] + [$now]
WITH f
MATCH (a:Archiving) USING INDEX SEEK a:Archiving(tenant, fact_id, archived_us)
WHERE a.tenant = $tenant AND a.fact_id = f.id AND a.archived_us <= $now AND a.restored_us = $never
SET a.restored_us = $now, a.restored_at = $at
{_MARK_PERIODS}
"""

DIGESTS: Final = """
UNWIND $ids AS id
MATCH (a:Archiving) USING INDEX SEEK a:Archiving(tenant, fact_id, archived_us)
WHERE a.tenant = $tenant AND a.fact_id = id AND a.archived_us <= $now AND a.digest IS NOT NULL
WITH DISTINCT a.digest AS digest
MATCH (m:Archiving {tenant: $tenant, digest: digest}) USING INDEX SEEK m:Archiving(tenant, digest)
RETURN digest, collect(DISTINCT m.fact_id) AS facts
"""


def use_row(fact_id: str, use: Use) -> dict[str, Any]:
    last = None if use.last_at is None else to_us(use.last_at)
    return {"id": fact_id, "shown": use.shown, "used": use.used, "corrected": use.corrected, "last_us": last}


async def uses(tx: Queries, at: Instants, ids: Collection[str]) -> Mapping[str, Use]:
    found = await run(tx, READ_USES, {**at.params, "ids": sorted(set(ids))}) if ids else []
    return {row["id"]: _use_of(row["u"]) for row in found}


def _use_of(row: Props) -> Use:
    last = row.get("last_us")
    return Use(row["shown"], row["used"], row["corrected"], None if last is None else from_us(last))


def archived_query(at: Instants, ids: Collection[str] | None) -> str:
    index = "tenant, archived_us, fact_id" if ids is None else "tenant, fact_id, archived_us"
    among = "a.fact_id IS NOT NULL" if ids is None else "a.fact_id IN $ids"
    first = "a.tenant, " if ids is None else ""
    return (
        f"MATCH (a:Archiving) USING INDEX SEEK a:Archiving({index}) "
        f"WHERE a.tenant = $tenant AND {among} AND a.archived_us >= $after_us "
        f"AND {at.hull('a.archived_us', 'a.restored_us')} "
        "AND CASE WHEN a.archived_us > $after_us THEN true ELSE a.fact_id > $after_id END "
        f"WITH a ORDER BY {first}a.archived_us, a.fact_id LIMIT $limit "
        "RETURN a {.fact_id, .policy, .archived_us, .restored_us, .digest} AS a ORDER BY a.archived_us, a.fact_id"
    )


async def archived(tx: Queries, at: Instants, page: Page, ids: Collection[str] | None) -> Slice[Archived]:
    after_us, after_id = cursor_position(page.cursor, (int, str)) or (ALWAYS, "")
    params = {"after_us": after_us, "after_id": after_id, "limit": page.limit + 1, "ids": sorted(set(ids or ()))}
    found = await run(tx, archived_query(at, ids), {**at.params, **params})
    cut = paged([row["a"] for row in found], page.limit, lambda a: (a["archived_us"], a["fact_id"]))
    return Slice(tuple(_archived_of(a, at.known_us) for a in cut.items), cut.cursor)


def _archived_of(row: Props, known_us: int) -> Archived:
    return Archived(
        row["fact_id"],
        row["policy"],
        from_us(row["archived_us"]),
        seen_from(row["restored_us"], known_us),
        row.get("digest"),
    )
