"""The vector leg: nearest by cosine, filtered on tenant and both instants.

Where the server's index can filter, it is asked with the filter and for more than wanted, since it is approximate.
Where it cannot (5.26), a small tenant is compared exactly, and for a large one ever more candidates are fetched.
What both come to when many candidates do not count (a fact in several periods, an episode that was taken back) is
the exact comparison.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Final

import numpy as np
from neo4j.vector import Vector

from ...embedding import Vectors
from ...model import SEARCHED
from ...store import Match, Target
from .embedders import RECORDED
from .points import Instants
from .schema import NEVER, VECTOR_INDEX, Dialect
from .server import Queries, run

FETCH_MIN: Final = 160
"""Candidates asked of the index: for a recall of .99 at 20 among 100,000 (`benchmarks/neo4j_recall.py`)."""
_FETCH_TIMES: Final = 4
_FETCH_MAX: Final = 12_000
SMALL: Final = 6_000
"""Facts of a tenant up to which a server without filters compares all of them."""
_PLAIN_MIN: Final = 1_000
_MARGIN: Final = 2
"""How many times more than wanted must come through the filter before an unfiltered search is believed."""


def vector_parameter(vector: Vectors, dialect: Dialect) -> Vector | list[float]:
    """As the server takes it; as bytes, where it can, that is ten times cheaper than as a list."""
    numbers = np.ascontiguousarray(vector, dtype=np.float32)
    return Vector.from_numpy(numbers) if dialect is Dialect.FILTERING else [float(n) for n in numbers]


def vector_key(vector: Vectors) -> str:
    """Equal for equal vectors. Stored beside the vector, so that the same one is not indexed again."""
    return blake2b(np.ascontiguousarray(vector, dtype="<f4").tobytes(), digest_size=12).hexdigest()


@dataclass(frozen=True, slots=True)
class _Carrier:
    """Whose nodes carry the vectors: label, id of what is found, and the index that leads to the tenant's rows."""

    label: str
    id: str
    index: str
    exist: str


_CARRIERS: Final = {
    Target.FACT: _Carrier("Period", "fact_id", "tenant, superseded_us", "superseded_us"),
    Target.EPISODE: _Carrier("Episode", "id", "tenant, id", "id"),
    Target.ENTITY: _Carrier("Entity", "id", "tenant, id", "id"),
}


def hull(at: Instants, target: Target) -> str:
    """What the index filters on beside the tenant: exact for periods at an instant, wide enough for the rest."""
    if target is Target.FACT:
        return at.period_hull()
    if target is Target.EPISODE:
        return at.hull("p.ingested_us", "p.forgotten_us")
    return at.hull("p.first_us", "p.gone_us")


def shows(at: Instants, target: Target) -> str:
    """The exact condition on the carrier ``p``."""
    if target is Target.FACT:
        return f"{at.period()} AND {at.unarchived('p')}"
    if target is Target.EPISODE:
        return at.episode().replace("e.", "p.")
    return (
        "EXISTS { MATCH (n:Naming {tenant: $tenant, entity_id: p.id}) "
        f"USING INDEX SEEK n:Naming(tenant, entity_id, from_us) WHERE n.from_us IS NOT NULL AND {at.naming()} }}"
    )


def filtered_query(at: Instants, target: Target) -> str:
    carrier = _CARRIERS[target]
    inside = f"p.tenant = $tenant AND {hull(at, target)}".removesuffix(" AND true")
    return f"""CYPHER 25
MATCH (p:{carrier.label})
SEARCH p IN (VECTOR INDEX {VECTOR_INDEX[target]} FOR $vector WHERE {inside} LIMIT $fetch) SCORE AS score
WITH p, score WHERE p.tenant = $tenant
WITH count(*) AS seen, collect(CASE WHEN {shows(at, target)} THEN [p.{carrier.id}, score] END) AS found
RETURN seen, found, {RECORDED} AS recorded
"""


def plain_query(at: Instants, target: Target) -> str:
    carrier = _CARRIERS[target]
    return f"""
CALL db.index.vector.queryNodes('{VECTOR_INDEX[target]}', $fetch, $vector) YIELD node AS p, score
RETURN count(*) AS seen,
  collect(CASE WHEN p.tenant = $tenant AND {shows(at, target)} THEN [p.{carrier.id}, score] END) AS found
"""


def exact_query(at: Instants, target: Target) -> str:
    carrier = _CARRIERS[target]
    return f"""
MATCH (p:{carrier.label}) USING INDEX SEEK p:{carrier.label}({carrier.index})
WHERE p.tenant = $tenant AND p.{carrier.exist} IS NOT NULL AND p.embedding IS NOT NULL AND {shows(at, target)}
WITH p.{carrier.id} AS id, max(vector.similarity.cosine(p.embedding, $vector)) AS score
RETURN id, score ORDER BY score DESC, id LIMIT $limit
"""


@dataclass(frozen=True, slots=True)
class Way:
    """How a server is asked: what it can, and what refuses an embedder that is not the one expected. Whose the
    vectors are is read with them, since another process may have changed it."""

    dialect: Dialect
    check: Callable[[str, int], None]


async def nearest(tx: Queries, at: Instants, vector: Vectors, find: tuple[Target, int], way: Way) -> list[Match]:
    """``find``: what, and how many."""
    target, limit = find
    if limit < 1 or not vector.any():
        return []
    params = {**at.params, "vector": vector_parameter(vector, way.dialect), "limit": limit}
    if way.dialect is Dialect.FILTERING:
        query, fetch, enough = filtered_query(at, target), max(FETCH_MIN, _FETCH_TIMES * limit), limit
    elif await _is_small(tx, at, target, way):
        return await _exact(tx, exact_query(at, target), params)
    else:
        query, fetch, enough = plain_query(at, target), max(_PLAIN_MIN, _FETCH_TIMES * limit), _MARGIN * limit
    while fetch <= max(_FETCH_MAX, _FETCH_TIMES * limit):
        row = (await run(tx, query, {**params, "fetch": fetch}))[0]
        for embedder in row.get("recorded", ()):
            way.check(*embedder)
        best: dict[str, float] = {}
        for id_, score in row["found"]:
            best[id_] = max(score, best.get(id_, 0.0))
        if len(best) >= enough or (row["seen"] < fetch and way.dialect is Dialect.FILTERING):
            ranked = sorted(best.items(), key=lambda item: (-item[1], item[0]))
            return [Match(id_, _cosine(score)) for id_, score in ranked[:limit]]
        fetch *= _FETCH_TIMES
    return await _exact(tx, exact_query(at, target), params)


async def _exact(tx: Queries, query: str, params: dict[str, Any]) -> list[Match]:
    return [Match(row["id"], _cosine(row["score"])) for row in await run(tx, query, params)]


def _cosine(score: float) -> float:
    """Neo4j's score of cosine similarity lies between 0 and 1."""
    return 2.0 * score - 1.0


_TEXTS_OF: Final = {Target.FACT: "fact_docs", Target.EPISODE: "episode_docs", Target.ENTITY: "naming_docs"}


async def _is_small(tx: Queries, at: Instants, target: Target, way: Way) -> bool:
    found = await run(
        tx, "MATCH (c:Commit) USING INDEX SEEK c:Commit(tenant, tx_us) "
        "WHERE c.tenant = $tenant AND c.tx_us <= $never "
        f"WITH c.{_TEXTS_OF[target]} AS texts ORDER BY c.tenant DESC, c.tx_us DESC LIMIT 1 "
        f"RETURN texts, {RECORDED} AS recorded", at.params,
    )  # fmt: skip
    for row in found:
        for embedder in row["recorded"]:
            way.check(*embedder)
    return not found or found[0]["texts"] <= SMALL


_UNEMBEDDED: Final = {
    Target.FACT: "MATCH (n:Fact) USING INDEX SEEK n:Fact(tenant, id) WHERE n.tenant = $tenant AND n.id > $after "
    "AND n.embedding IS NULL RETURN n.id AS id, n.text AS text ORDER BY n.tenant, n.id LIMIT $limit",
    Target.EPISODE: "MATCH (n:Episode) USING INDEX SEEK n:Episode(tenant, id) "
    "WHERE n.tenant = $tenant AND n.id > $after AND n.embedding IS NULL AND n.done_us < $never "
    f"AND n.format IN {list(map(str, SEARCHED))} "
    "RETURN n.id AS id, n.text AS text ORDER BY n.tenant, n.id LIMIT $limit",
    Target.ENTITY: "MATCH (n:Entity) USING INDEX SEEK n:Entity(tenant, id) "
    "WHERE n.tenant = $tenant AND n.id > $after AND n.embedding IS NULL WITH n ORDER BY n.tenant, n.id CALL (n) { "
    "MATCH (m:Naming {tenant: $tenant, entity_id: n.id}) USING INDEX SEEK m:Naming(tenant, entity_id, from_us) "
    "WHERE m.from_us IS NOT NULL RETURN m.name AS text ORDER BY m.from_us DESC LIMIT 1 } "
    "RETURN n.id AS id, text ORDER BY n.tenant, n.id LIMIT $limit",
}
"""Names from ``Naming``: the entity's own, for people, is cut short."""


async def unembedded(tx: Queries, tenant: str, target: Target, after: str, limit: int) -> list[tuple[str, str]]:
    params = {"tenant": tenant, "after": after, "limit": limit, "never": NEVER}
    return [(row["id"], row["text"]) for row in await run(tx, _UNEMBEDDED[target], params)]
