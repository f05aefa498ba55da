"""What a search touches as one tenant grows (by PROFILE)."""

from __future__ import annotations

import uuid
from typing import Final

import neo4j
import pytest
from benchmarks.neo4j_plans import profiling

from hitherto.kg.model import Value
from hitherto.kg.store import Target
from hitherto.kg.stores.neo4j import Neo4jStore
from hitherto.kg.stores.neo4j.schema import wall_of
from hitherto.neo4j_server import Address
from hitherto.temporal.instants import to_us
from hitherto.testing.telling import Teller, Told, day, vector_of

pytestmark = pytest.mark.neo4j

_SEED: Final = 1_000


async def more_facts(teller: Teller, address: Address, thousands: int) -> None:
    """So many thousand more facts of this tenant, each of its own: a thousand are told, the rest copies of them
    with other ids, in the same words and without vectors."""
    name = uuid.uuid4().hex
    some = [Told("Ann", "SAID", Value(f"{name} {n}"), text=f"tea at {n}") for n in range(_SEED)]
    known = await teller.tell(name, *some)
    ids = [teller.fact(one).id for one in some]
    params = {"tenant": teller.tenant, "wall": wall_of(teller.tenant), "known": to_us(known)}
    params |= {"ids": ids, "copies": thousands - 1}
    async with neo4j.AsyncGraphDatabase.driver(address.uri, auth=address.auth) as driver:
        for query in (_COPY_FACTS, _COUNT_COPIES):
            async with driver.session() as session:
                await (await session.run(query, params)).consume()


_COPY_FACTS = """
UNWIND range(1, $copies) AS k CALL (k) {
  UNWIND $ids AS id
  MATCH (f:Fact {tenant: $tenant, id: id})<-[:OF]-(p:Period) USING INDEX SEEK f:Fact(tenant, id)
  CREATE (g:Fact)<-[:OF]-(q:Period)
  SET g = f {.*, id: id + 'x' + k, object_key: f.object_key + 'x' + k, embedding: null},
    q = p {.*, id: p.id + 'x' + k, fact_id: id + 'x' + k, slot: p.slot + 'x' + k,
      object_key: p.object_key + 'x' + k, embedding: null}
} IN TRANSACTIONS OF 5 ROWS
"""

_COUNT_COPIES = """
UNWIND $ids AS id
MATCH (f:Fact {tenant: $tenant, id: id}) USING INDEX SEEK f:Fact(tenant, id)
WITH $copies * count(f) AS docs, $copies * sum(f.word_count) AS words
MATCH (t:Tenant {wall: $wall}), (c:Commit {tenant: $tenant, tx_us: $known})
SET t.fact_docs = t.fact_docs + docs, t.fact_words = t.fact_words + words,
  c.fact_docs = t.fact_docs, c.fact_words = t.fact_words
"""


@pytest.mark.slow
async def test_a_search_costs_what_it_finds(neo4j_server: Address, neo4j_store: Neo4jStore) -> None:
    """Of 1,000 facts that hold the words asked for, and of 101,000: once they were read, and after each write;
    also at a time when none of them holds."""
    teller = Teller(neo4j_store, f"search {uuid.uuid4()}")
    hits: list[dict[str, int]] = []
    for batch, thousands in enumerate((1, 100)):
        await more_facts(teller, neo4j_server, thousands)
        found = await neo4j_store.match_text(teller.at(), ["tea"], Target.FACT, 200_000)
        assert len(found) == (1_000, 101_002)[batch]
        costs = {}
        for number in range(2):
            one = Told("Ann", "SAID", Value(f"one{batch}.{number}"), text="more tea")
            known = await teller.tell(f"one{batch}.{number}", one)
            with profiling() as profile:
                await neo4j_store.match_text(teller.at(day(9), known), ["tea"], Target.FACT, 20)
                costs[f"words {number}"] = profile.taken().hits
                await neo4j_store.nearest(teller.at(day(9), known), vector_of("tea"), Target.FACT, 20)
                costs[f"meaning {number}"] = profile.taken().hits
                assert await neo4j_store.match_text(teller.at(day(-9), known), ["tea"], Target.FACT, 20) == []
                costs[f"nothing shows {number}"] = profile.taken().hits
        hits.append(costs)
    few, many = hits
    assert min(few.values()) > 20
    assert all(many[leg] <= (2 if "nothing" in leg else 1.2) * few[leg] + 10 for leg in few), hits
