"""The graph as a person finds it with Cypher: edges with dates, evidence, hostile names, other people's data."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime

import pytest

from hitherto.kg.model import Value
from hitherto.kg.store import EpisodeFilter, Page, Sighting, Target, Transaction
from hitherto.kg.stores.neo4j import Neo4jStore, transaction
from hitherto.kg.text import cut
from hitherto.testing.telling import Teller, Told, vector_of

from .conftest import Cypher

pytestmark = pytest.mark.neo4j

ALICE = "MATCH (a:Person {tenant: $tenant, name: 'Alice'})-[r]-(x) "


@pytest.fixture
def teller(neo4j_store: Neo4jStore) -> Teller:
    return Teller(neo4j_store, f"graph {uuid.uuid4()}")


async def test_a_person_sees_a_star_of_dated_edges(teller: Teller, cypher: Cypher) -> None:
    await teller.tell(
        "e1",
        Told("Alice", "WORKS_AT", "TechCorp", 0, 366),
        Told("Alice", "WORKS_AT", "Anthropic", 366),
        Told("Alice", "JOB_TITLE", Value("research engineer"), 366),
        Told("Bob", "KNOWS", "Alice", None),
    )
    found = await cypher(
        ALICE
        + "RETURN startNode(r) = a AS out, type(r) AS type, x.name AS name, labels(x) AS labels, r.during AS d",
        tenant=teller.tenant,
    )
    assert {(row["out"], row["type"], row["name"], row["d"]) for row in found} == {
        (True, "WORKS_AT", "TechCorp", "2024–2025"),
        (True, "WORKS_AT", "Anthropic", "2025–"),
        (True, "JOB_TITLE", "research engineer", "2025–"),
        (False, "KNOWS", "Bob", "always"),
    }
    labels = {row["name"]: set(row["labels"]) for row in found}
    assert labels["Bob"] == {"Entity", "Person"}
    assert labels["research engineer"] == {"Value"}


async def test_the_whole_question_is_plain_cypher(teller: Teller, cypher: Cypher) -> None:
    """As DESIGN 6 gives it."""
    await teller.tell(
        "e1", Told("Alice", "WORKS_AT", "TechCorp", 0, 366), Told("Alice", "WORKS_AT", "Anthropic", 366)
    )
    found = await cypher(
        "MATCH (:Entity {tenant: $tenant, name: 'Alice'})-[r:WORKS_AT]->(o) "
        "WHERE (r.valid_from IS NULL OR r.valid_from <= datetime()) "
        "AND (r.valid_to IS NULL OR r.valid_to > datetime()) "
        "RETURN o.name AS name, r.valid_from AS since, r.text AS t",
        tenant=teller.tenant,
    )
    assert [row["name"] for row in found] == ["Anthropic"]
    assert found[0]["since"].to_native() == datetime(2025, 1, 1, tzinfo=UTC)
    assert found[0]["t"] == "Alice works at Anthropic"


async def test_what_was_believed_once_stays_as_an_edge(teller: Teller, cypher: Cypher) -> None:
    await teller.tell("e1", Told("Alice", "WORKS_AT", "TechCorp"))
    (belief,) = await teller.beliefs()
    gone = await teller.supersede([belief.id])
    query = (
        ALICE + "RETURN type(r) AS type, r.predicate AS predicate, r.superseded_at AS at, r.ingested_at AS since"
    )
    (row,) = await cypher(query, tenant=teller.tenant)
    assert (row["type"], row["predicate"]) == ("SUPERSEDED", "WORKS_AT")
    assert (row["since"].to_native(), row["at"].to_native()) == (belief.ingested_at, gone)


async def test_evidence_leads_from_episodes_to_facts(teller: Teller, cypher: Cypher) -> None:
    await teller.tell("e1", Told("Alice", "LIKES", "tea", 3, 5), text="Alice liked tea for two days.")
    (row,) = await cypher(
        "MATCH (e:Episode {tenant: $tenant, id: 'e1'})-[c:ASSERTS]->(f:Fact)<-[:OF]-(p:Period) "
        "RETURN e.title AS said, c.quote AS quote, c.interval AS interval, f.title AS fact, p.during AS during",
        tenant=teller.tenant,
    )
    assert row == {
        "said": "Alice liked tea for two days.",
        "quote": "Alice likes tea",
        "interval": "[2024-01-04, 2024-01-06)",
        "fact": "Alice likes tea",
        "during": "2024-01-04–2024-01-06",
    }


def _blocks() -> str:
    """An assigned character of every block of 256 that has one."""
    found = []
    for block in range(0, 0x110000, 256):
        letters = (chr(c) for c in range(block, block + 256) if not 0xD800 <= c <= 0xDFFF and chr(c).isalpha())
        found.append(next(letters, ""))
    return "".join(found)


HOSTILE = [
    "`",
    "``",
    "a`b",
    "'",
    '"',
    "\\",
    "$x",
    "{x}",
    "/*",
    "//",
    ") DETACH DELETE n //",
    "\u202e",
    _blocks(),
]


async def test_names_and_predicates_are_never_cypher(teller: Teller, cypher: Cypher) -> None:
    told = [Told(f"s{name}", f"P{name}", f"o{name}") for name in HOSTILE]
    told += [Told(f"s{name}", f"P{name}", Value(f"v{name}")) for name in HOSTILE]
    told += [Told("s", name, "o") for name in ("ASSERTS", "SUPERSEDED", "OF", "a\0b")]
    await teller.tell("e1", *told)
    found = await teller.beliefs()
    assert {(b.fact.subject.id, b.fact.predicate, b.fact.object, b.fact.text) for b in found} == {
        (f.subject.id, f.predicate, f.object, f.text) for f in map(teller.fact, told)
    }
    for belief in found:
        assert await teller.supersede([belief.id])
    edges = await cypher(
        "MATCH (:Entity {tenant: $tenant})-[r]->() RETURN type(r) AS type, count(*) AS n", tenant=teller.tenant
    )
    assert edges == [{"type": "SUPERSEDED", "n": len(told)}]


async def test_beyond_so_many_types_predicates_share_one(
    teller: Teller, cypher: Cypher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transaction, "MAX_TYPES", 0)
    name = f"NEW_{uuid.uuid4().hex}"
    await teller.tell("e1", Told("Alice", name, "tea"))
    (row,) = await cypher(ALICE + "RETURN type(r) AS type, r.predicate AS predicate", tenant=teller.tenant)
    assert row == {"type": "RELATES", "predicate": name}
    assert [b.fact.predicate for b in await teller.beliefs()] == [name]


async def test_a_kind_may_not_pose_as_ours(teller: Teller, cypher: Cypher) -> None:
    """An entity of the kind "Episode" is no episode."""

    async def work(tx: Transaction) -> None:
        await tx.put_sightings([Sighting(teller.entity("x"), "x", "Episode", 1)])

    await teller.store.write(teller.tenant, work)
    found = await teller.store.entities(teller.at(), [teller.entity("x")])
    assert found[teller.entity("x")].kind == "Episode"
    assert (await teller.store.episodes(teller.at(), EpisodeFilter(), Page())).items == ()
    (row,) = await cypher("MATCH (e:Entity {tenant: $tenant}) RETURN labels(e) AS labels", tenant=teller.tenant)
    assert row == {"labels": ["Entity"]}


FOREIGN = """
CREATE (a:Foreign:Entity:Person {id: 'x', name: 'Alice'}), (b:Foreign:Entity {id: 'x', name: 'TechCorp'}),
  (:Foreign:Tenant {id: $tenant}), (:Foreign:Tenant {id: $tenant}),
  (e:Foreign:Episode {id: 'e1', text: 'tea', words: ' tea ', embedding: [1.0, 0, 0, 0, 0, 0, 0, 0]}),
  (f:Foreign:Fact {id: 'f', words: ' tea '}), (:Foreign:Fact {id: 'f'}), (:Foreign:Value {id: 'v'}),
  (:Foreign:Period {id: 'p', fact_id: 'f', slot: 's'}), (:Foreign:Period {id: 'p'}), (:Foreign:Commit {tx_us: 1}),
  (:Foreign:Naming {entity_id: 'x'}), (:Foreign:NameKey {key: 'alice'}),
  (a)-[:WORKS_AT {id: 1}]->(b), (e)-[:ASSERTS {id: 1, slot: 's'}]->(f), (e)-[:ASSERTS {id: 1}]->(f)
"""
SNAPSHOT = """
MATCH (n:Foreign) OPTIONAL MATCH (n)-[r]-(m)
RETURN elementId(n) AS id, labels(n) AS labels, properties(n) AS props,
  collect([type(r), properties(r), elementId(m)]) AS edges ORDER BY id
"""


async def test_other_peoples_data_is_left_alone(teller: Teller, cypher: Cypher) -> None:
    """They may have our labels and ids, as often as they like, before and after."""
    await cypher(FOREIGN, tenant=teller.tenant)
    try:
        before = await cypher(SNAPSHOT)
        assert len(before) == 13
        await teller.tell("e1", Told("Alice", "WORKS_AT", "TechCorp"), Told("Ann", "LIKES", Value("tea")))
        await teller.retract("e1")
        await teller.reinstate("e1", Told("Alice", "WORKS_AT", "TechCorp"))
        store, point = teller.store, teller.at()
        assert {b.fact.text for b in await teller.beliefs()} == {"Alice works at TechCorp", "Ann likes tea"}
        assert len((await store.episodes(point, EpisodeFilter(), Page())).items) == 1
        for target in Target:
            assert len(await store.match_text(point, cut("alice tea episode"), target, 9)) <= 3
            assert len(await store.nearest(point, vector_of("tea"), target, 9)) <= 4
        assert len((await store.find_entities(point, ["Alice"]))["Alice"]) == 1
        assert (await store.status(teller.tenant)).episodes == 1
        assert await cypher(SNAPSHOT) == before
        await cypher(FOREIGN, tenant=teller.tenant)
        assert len(await cypher(SNAPSHOT)) == 26
    finally:
        await cypher("MATCH (n:Foreign) DETACH DELETE n")
