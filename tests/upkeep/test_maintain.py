"""Maintenance: forgetting by policy, proposals, and what has rotted; on both stores."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import pytest

from hitherto import Invalid, Memory
from hitherto.kg.forgetting import Candidate, Choice, ReflectionSummary, TimeToLive
from hitherto.kg.stores.neo4j import Neo4jStore
from hitherto.kg.stores.neo4j.server import run
from hitherto.kg.stores.sqlite.store import SqliteStore
from tests.promises.conftest import Opener, believed
from tests.support import StepClock

LIKED = ("Tea", "Rain", "Jazz", "Chess")


async def story(memory: Memory) -> dict[str, str]:
    """What Ann likes, each told by an episode; the episodes' ids."""
    ids = {}
    for number, thing in enumerate(LIKED):
        report = await memory.assert_fact("Ann", "LIKES", thing, valid_from=f"{2015 + number}")
        ids[thing] = report.episode_id
    await memory.assert_fact("Ann", "WORKS_AT", "TechCorp", valid_from="2022")
    await memory.assert_fact("Ann", "ALLERGIC_TO", "Nuts", valid_from="2010")
    return ids


async def found(memory: Memory, question: str) -> set[str]:
    return {hit.belief.fact.text for hit in (await memory.at().search(question)).facts}


async def test_decay_archives_what_nobody_touched(fresh: Opener) -> None:
    clock = StepClock()
    memory = await fresh(clock=clock)
    await story(memory)
    assert (await memory.maintain()).archived == ()
    clock.now += timedelta(days=300)
    tea = (await memory.facts("Ann", "LIKES", "Tea")).items
    await memory.feedback(used=tea)
    held = await believed(memory)
    dry = await memory.maintain(dry_run=True, sample=50)
    assert [f.text for f in dry.archived] == ["Ann likes Rain", "Ann likes Jazz", "Ann likes Chess"]
    assert (dry.facts, dry.policy, dry.over) == (6, "decay", 0)
    assert dry.reconciled.rot == () and dry.reconciled.slots >= 6
    assert str(dry).splitlines()[:2] == ["would archive 3 of 6 facts by decay", "  Ann likes Rain"]
    assert (await memory.at().archived()).items == ()
    done = await memory.maintain()
    assert done.archived == dry.archived
    assert {a.policy for a in (await memory.at().archived()).items} == {"decay"}
    assert await found(memory, "What does Ann like?") & {f"Ann likes {t}" for t in LIKED} == {"Ann likes Tea"}
    assert await believed(memory) == held
    assert (await memory.maintain()).archived == ()


async def test_capacity_keeps_what_matters_most(fresh: Opener) -> None:
    memory = await fresh()
    await story(memory)
    await memory.feedback(used=(await memory.facts("Ann", "LIKES", "Jazz")).items)
    report = await memory.maintain(policy="hybrid", capacity=3)
    assert {f.text for f in report.archived} == {f"Ann likes {t}" for t in LIKED if t != "Jazz"}
    report = await memory.maintain(policy="lru", capacity=0)
    assert ([f.text for f in report.archived], report.over) == (["Ann likes Jazz"], 2)
    assert "2 over the capacity are kept" in str(report)
    ttl = TimeToLive(None, {"WORKS_AT": 1e-6, "ALLERGIC_TO": 1e-6})
    memory._clock.now += timedelta(days=1)  # type: ignore[attr-defined]
    assert [f.text for f in (await memory.maintain(policy=ttl)).archived] == ["Ann works at TechCorp"]


async def test_a_digest_stands_for_what_it_sums_up(fresh: Opener) -> None:
    clock = StepClock()
    memory = await fresh(clock=clock)
    ids = await story(memory)
    clock.now += timedelta(days=100)
    report = await memory.maintain(policy="reflection")
    assert (len(report.archived), report.digests) == (4, 1)
    [digest] = (await memory.facts("Ann", "DIGEST")).items
    assert digest.fact.text.startswith("Ann, in short: Ann likes Tea · 2015 →; Ann likes Rain · 2016 →; ")
    assert digest.fact.text in await found(memory, "Does Ann like jazz?")
    [episode] = [e for e in (await memory.episodes(limit=99)).items if e.source == "digest"]
    archived = (await memory.at().archived()).items
    assert {a.digest for a in archived} == {episode.id}
    assert set(episode.metadata["facts"]) == {a.fact.id for a in archived}  # type: ignore[arg-type]
    assert (await memory.maintain(policy="reflection")).archived == ()
    # Promise 5: nothing that was taken back can be found in a digest.
    known = (await memory.status()).last_commit
    gone = await memory.retract(ids["Jazz"])
    assert {b.fact.predicate for b in gone.superseded} == {"LIKES", "DIGEST"}
    assert not (await memory.facts("Ann", "DIGEST")).items and not (await memory.at().archived()).items
    answers = await found(memory, "Does Ann like jazz?")
    assert "Ann likes Tea" in answers and not any("Jazz" in text for text in answers)
    assert digest.fact.text in {
        hit.belief.fact.text for hit in (await memory.at(known=known).search("Does Ann like jazz?")).facts
    }
    assert (await memory.maintain(sample=50)).reconciled.rot == ()


async def damage(memory: Memory, sql: str, cypher: str) -> None:
    """Change what is stored behind the engine's back."""
    store: Any = memory._pipeline.store
    if isinstance(store, SqliteStore):
        await store._writer.run(lambda db: db.execute(sql).connection.commit())
    else:
        assert isinstance(store, Neo4jStore)
        params = {"tenant": memory.tenant}
        await store._server.write(lambda tx: run(tx, cypher, params))


DAMAGES = [
    (
        "quote",
        "UPDATE claim SET quote = 'Ann loves tea' WHERE object_name = 'Tea'",
        "MATCH ()-[c:ASSERTS {tenant: $tenant}]->() WHERE c.object_name = 'Tea' SET c.quote = 'Ann loves tea'",
        "not 'Ann loves tea'",
    ),
    (
        "period",
        "DELETE FROM period WHERE fact = (SELECT no FROM fact WHERE text = 'Ann likes Rain')",
        "MATCH (p:Period {tenant: $tenant}) WHERE p.text = 'Ann likes Rain' DETACH DELETE p",
        "is claimed, and not believed",
    ),
    (
        "period",
        "UPDATE period SET to_us = 1700000000000000, to_grain = 'day', to_basis = 'stated' "
        "WHERE fact = (SELECT no FROM fact WHERE text = 'Ann likes Jazz')",
        "MATCH (p:Period {tenant: $tenant}) WHERE p.text = 'Ann likes Jazz' "
        "SET p.to_us = 1700000000000000, p.to_grain = 'day', p.to_basis = 'stated'",
        "is believed, and no claim says so",
    ),
]


@pytest.mark.parametrize(("kind_of_rot", "sql", "cypher", "reason"), DAMAGES, ids=["quote", "lost", "moved"])
async def test_rot_is_reported(fresh: Opener, kind_of_rot: str, sql: str, cypher: str, reason: str) -> None:
    memory = await fresh()
    await story(memory)
    assert (await memory.maintain(sample=50)).reconciled.rot == ()
    await damage(memory, sql, cypher)
    report = await memory.maintain(sample=50)
    assert any(r.kind == kind_of_rot and reason in r.reason for r in report.reconciled.rot), report
    assert "do not fit" in str(report) and reason in str(report)


async def test_policies_of_ones_own_and_wrong_ones(fresh: Opener) -> None:
    memory = await fresh()
    await story(memory)

    class Mine:
        name = "mine"

        def __init__(self, *texts: str) -> None:
            self.texts = texts

        def choose(self, candidates: Sequence[Candidate], now: datetime, keep: int | None = None) -> Choice:
            known = {c.text.partition(" · ")[0]: c.fact_id for c in candidates}
            return Choice(tuple(known.get(text, text) for text in self.texts))

    for texts, words in (
        (["Ann is allergic to Nuts"], "a constraint"),
        (["x"], "none of its"),
        (["x", "x"], "none"),
    ):
        with pytest.raises(Invalid, match=words):
            await memory.maintain(policy=Mine(*texts))
    assert [f.text for f in (await memory.maintain(policy=Mine("Ann likes Tea"))).archived] == ["Ann likes Tea"]
    for options, words in (
        ({"policy": "x"}, "policy 'x' is none"),
        ({"capacity": -1}, "capacity=-1"),
        ({"sample": 1.5}, "sample=1.5"),
        ({"policy": None, "capacity": 3}, "needs a policy"),
        ({"dry": True}, "unknown option 'dry'"),
    ):
        with pytest.raises(Invalid, match=words):
            await memory.maintain(**options)
    assert (await memory.maintain(policy=None)).archived == ()
    assert (await memory.maintain(policy=ReflectionSummary(), sample=0)).reconciled.slots == 0
