"""The episodes around others in their sessions."""

from __future__ import annotations

from collections.abc import Collection

from ....temporal.errors import Invalid
from ...store import Neighbour
from .points import Instants
from .server import Queries, run


def _beside(at: Instants, side: str, order: str, name: str) -> str:
    return f"""
CALL (e) {{
  MATCH (b:Episode) USING INDEX SEEK b:Episode(tenant, session, occurred_us, id)
  WHERE b.tenant = $tenant AND b.session = e.session AND b.occurred_us {side}= e.occurred_us AND b.id IS NOT NULL
    AND (b.occurred_us {side} e.occurred_us OR b.id {side} e.id) AND {at.episode().replace("e.", "b.")}
  WITH b ORDER BY b.tenant {order}, b.session {order}, b.occurred_us {order}, b.id {order} LIMIT $reach
  RETURN collect(b.id) AS {name}
}}"""


def around_query(at: Instants) -> str:
    return f"""
UNWIND $ids AS wanted
MATCH (e:Episode) USING INDEX SEEK e:Episode(tenant, id)
WHERE e.tenant = $tenant AND e.id = wanted AND e.session IS NOT NULL
{_beside(at, "<", "DESC", "before")}{_beside(at, ">", "ASC", "after")}
RETURN e.id AS id, before, after
"""


async def around(tx: Queries, at: Instants, ids: Collection[str], reach: int) -> dict[str, list[Neighbour]]:
    """The episodes around each of these in its session."""
    if reach < 0:
        raise Invalid(f"reach {reach} is negative")
    if not ids:
        return {}
    found: dict[str, list[Neighbour]] = {}
    for row in await run(tx, around_query(at), {**at.params, "ids": sorted(set(ids)), "reach": reach}):
        near = [
            Neighbour(id_, sign * distance)
            for side, sign in (("before", -1), ("after", 1))
            for distance, id_ in enumerate(row[side], 1)
        ]
        if near:
            found[row["id"]] = sorted(near, key=lambda n: (abs(n.distance), n.distance))
    return found
