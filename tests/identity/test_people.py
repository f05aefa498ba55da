"""A merge as a person finds it in Neo4j, and many who merge at once."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator
from itertools import pairwise

import pytest

from hitherto import Admin, Memory, WriteStatus
from hitherto.memory import Parts
from hitherto.neo4j_server import Address
from tests.promises.conftest import Opener
from tests.support import ClaimsExtractor, StepClock, TinyEmbedder

EDGES = (
    "MATCH (a:Entity {tenant: $tenant})-[r]->(b) WHERE b:Entity OR b:Value "
    "RETURN a.name AS a, type(r) AS type, b.name AS b, r.superseded_at IS NULL AS believed ORDER BY a, type, b"
)


@pytest.fixture
async def memory(neo4j_server: Address) -> AsyncIterator[Memory]:
    parts = Parts(embedder=TinyEmbedder(), clock=StepClock(), auth=neo4j_server.auth, extractor=ClaimsExtractor())
    memory = await Memory.open(neo4j_server.uri, tenant=f"people {uuid.uuid4()}", **parts)
    yield memory
    await memory.close()


@pytest.mark.neo4j
async def test_a_person_sees_one_star_and_what_was_believed_of_the_other(
    memory: Memory, neo4j_server: Address
) -> None:
    await memory.assert_fact("Sherlock Holmes", "LIVES_IN", "London", valid_from="2020", subject_kind="Person")
    await memory.assert_fact("Sherlock Holmes", "LIKES", "Violins", valid_from="2019", subject_kind="Person")
    await memory.assert_fact("Mr. Holmes", "WORKS_AT", "Scotland Yard", valid_from="2021", subject_kind="Person")
    merge = await memory.merge("Mr. Holmes", "Sherlock Holmes")
    async with Admin.open(neo4j_server.uri, auth=neo4j_server.auth) as admin:

        async def edges() -> list[tuple[object, ...]]:
            result = await admin.cypher(EDGES, tenant=memory.tenant)
            return [tuple(row.values()) for row in result]

        star = [("Sherlock Holmes", "LIKES", "Violins", True), ("Sherlock Holmes", "LIVES_IN", "London", True)]
        assert await edges() == [
            ("Mr. Holmes", "SAME_AS", "Sherlock Holmes", True),
            ("Mr. Holmes", "SUPERSEDED", "Scotland Yard", False),
            *star,
            ("Sherlock Holmes", "WORKS_AT", "Scotland Yard", True),
        ]
        await memory.retract(merge.episode_id)
        assert await edges() == [
            ("Mr. Holmes", "SUPERSEDED", "Scotland Yard", False),
            ("Mr. Holmes", "SUPERSEDED", "Sherlock Holmes", False),
            ("Mr. Holmes", "WORKS_AT", "Scotland Yard", True),
            *star,
            ("Sherlock Holmes", "SUPERSEDED", "Scotland Yard", False),
        ]


async def test_many_may_merge_and_tell_at_once(fresh: Opener) -> None:
    """Whichever came first, what was told by any name is about the one."""
    memory = await fresh()
    names = [f"Holmes {'abcdef'[n]}" for n in range(6)]
    for name in names:
        await memory.assert_fact(name, "LIKES", "Tea", valid_from="2020")
    tells = (memory.assert_fact(name, "LIKES", f"Drink {n}", valid_from="2021") for n, name in enumerate(names))
    merges = (memory.merge(a, b) for a, b in pairwise(names))
    reports = await asyncio.gather(*tells, *merges)
    assert {report.status for report in reports} == {WriteStatus.ADDED}
    held = (await memory.facts(predicate="LIKES")).items
    assert len({belief.fact.subject.id for belief in held}) == 1
    assert len(held) == 7
    assert (await memory.status()).entities == 1 + 7
