"""No verb scans all nodes or relationships, and what others store costs a tenant nothing (by PROFILE)."""

from __future__ import annotations

import uuid
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import neo4j
import pytest
from neo4j import AsyncManagedTransaction

from hitherto.kg.model import EpisodeStatus, Value
from hitherto.kg.store import EpisodeFilter, FactFilter, Page, Point, Target, Transaction
from hitherto.kg.stores.neo4j import Neo4jStore
from hitherto.kg.text import cut
from hitherto.temporal.intervals import Interval
from hitherto.testing.telling import Teller, Told, day, vector_of

pytestmark = pytest.mark.neo4j

LABELS_OF_FEW_NODES = {"HithertoMigration", "HithertoEmbedder"}


@dataclass
class Profile:
    """What the server said it did."""

    hits: int = 0
    scans: list[str] = field(default_factory=list)

    def add(self, plan: dict[str, Any]) -> None:
        self.hits += plan.get("dbHits") or 0
        operator = plan["operatorType"].partition("@")[0]
        details = str(plan.get("args", {}).get("Details", ""))
        is_few = any(label in details for label in LABELS_OF_FEW_NODES)
        if "Scan" in operator and not is_few:
            self.scans.append(f"{operator} {details}")
        for child in plan.get("children", ()):
            self.add(child)


class Buffered:
    """A result that was read to its end, as the store reads results."""

    def __init__(self, records: list[neo4j.Record], summary: neo4j.ResultSummary) -> None:
        self._records = records
        self._summary = summary

    async def fetch(self, _: int) -> list[neo4j.Record]:
        return self._records

    async def __aiter__(self) -> Any:
        for record in self._records:
            yield record

    async def consume(self) -> neo4j.ResultSummary:
        return self._summary


@pytest.fixture
def profile(monkeypatch: pytest.MonkeyPatch) -> Iterator[Profile]:
    """Every query is profiled while the test sets ``hits`` and ``scans`` back."""
    found = Profile()
    real = AsyncManagedTransaction.run

    async def run(self: AsyncManagedTransaction, query: str, params: dict[str, Any]) -> Buffered:
        dialect, _, rest = query.partition("\n") if query.startswith("CYPHER 25") else ("", "", query)
        result = await real(self, f"{dialect} PROFILE {rest}", params)
        buffered = Buffered([record async for record in result], await result.consume())
        plan = (await buffered.consume()).profile
        assert plan is not None
        found.add(plan)
        return buffered

    monkeypatch.setattr(AsyncManagedTransaction, "run", run)
    yield found
    monkeypatch.undo()


def told(number: int) -> Told:
    kind = ("LIKES", "WORKS_AT", "SAID")[number % 3]
    target = Value(f"tea {number}") if kind == "SAID" else f"Thing {number % 20}"
    return Told(f"Person {number % 7}", kind, target, number % 30, None if number % 2 else number % 30 + 5)


async def small_world(store: Neo4jStore) -> Teller:
    teller = Teller(store, f"plans {uuid.uuid4()}")
    for number in range(6):
        await teller.tell(f"e{number}", *(told(number * 5 + i) for i in range(5)), text=f"tea and rain {number}")
    await teller.retract("e5")
    return teller


async def crowd(store: Neo4jStore, count: int) -> None:
    """So many facts of others, in the same words."""
    teller = Teller(store, f"crowd {uuid.uuid4()}")
    for start in range(0, count, 500):
        some = [Told(f"Person {n}", "LIKES", f"Thing tea {n}") for n in range(start, min(start + 500, count))]
        await teller.tell(f"e{start}", *some, text="tea and rain")


Verb = Callable[[Neo4jStore, Teller, Point], Awaitable[object]]


def facts(condition: Callable[[Teller], FactFilter]) -> Verb:
    return lambda store, teller, point: store.beliefs(point, condition(teller), Page(limit=10))


def episodes(condition: EpisodeFilter) -> Verb:
    return lambda store, teller, point: store.episodes(point, condition, Page(limit=10))


VERBS: dict[str, Verb] = {
    "last_commit": lambda s, t, p: s.last_commit(t.tenant),
    "status": lambda s, t, p: s.status(t.tenant),
    "beliefs": facts(lambda t: FactFilter()),
    "beliefs of facts": facts(lambda t: FactFilter(fact_ids=[t.fact(told(1)).id])),
    "beliefs by id": facts(lambda t: FactFilter(period_ids=["x", "y"])),
    "beliefs of a subject": facts(lambda t: FactFilter(subject_ids=[t.entity("Person 1")])),
    "beliefs of a subject and predicate": facts(
        lambda t: FactFilter(subject_ids=[t.entity("Person 1")], predicates=["LIKES"])
    ),
    "beliefs of a predicate": facts(lambda t: FactFilter(predicates=["WORKS_AT"])),
    "beliefs of an object": facts(lambda t: FactFilter(object_keys=["e:" + t.entity("Thing 1"), "v:tea 2"])),
    "beliefs touching": facts(lambda t: FactFilter(touching=[t.entity("Person 1"), t.entity("Thing 1")])),
    "beliefs touching, of a predicate": facts(
        lambda t: FactFilter(touching=[t.entity("Person 1")], predicates=["LIKES"])
    ),
    "beliefs of episodes": facts(lambda t: FactFilter(episode_ids=["e1", "e5"])),
    "beliefs of episodes, touching": facts(
        lambda t: FactFilter(episode_ids=["e1"], touching=[t.entity("Person 1")])
    ),
    "beliefs during": facts(lambda t: FactFilter(during=Interval(day(3), day(9)))),
    "beliefs missing": facts(lambda t: FactFilter(missing_at=t.at(day(3), day(2000)))),
    "changes": lambda s, t, p: s.changes(p, FactFilter(), Interval(day(0), None), Page(limit=10)),
    "changes of an entity": lambda s, t, p: s.changes(
        p, FactFilter(touching=[t.entity("Person 1")]), Interval(), Page(limit=10)
    ),
    "changes of a predicate": lambda s, t, p: s.changes(
        p, FactFilter(predicates=["LIKES"]), Interval(), Page(limit=10)
    ),
    "slot_claims": lambda s, t, p: s.slot_claims(p, [t.slot(told(1))]),
    "slot_claims moved": lambda s, t, p: s.slot_claims(p, [t.slot(told(1))], [day(5)]),
    "episodes": episodes(EpisodeFilter()),
    "episodes by id": episodes(EpisodeFilter(ids=["e1", "e5"])),
    "episodes of a session": episodes(EpisodeFilter(session="s")),
    "episodes of an actor": episodes(EpisodeFilter(actor="a")),
    "episodes since": episodes(EpisodeFilter(since=day(0))),
    "episodes pending": episodes(EpisodeFilter(status=EpisodeStatus.PENDING)),
    "episodes done": episodes(EpisodeFilter(status=EpisodeStatus.DONE)),
    "episodes retracted": episodes(EpisodeFilter(status=EpisodeStatus.RETRACTED)),
    "recent episodes": lambda s, t, p: s.recent_episodes(p, None, day(90), 3),
    "recent episodes of a session": lambda s, t, p: s.recent_episodes(p, "s", day(90), 3),
    "entities": lambda s, t, p: s.entities(p, [t.entity("Person 1")]),
    "find_entities": lambda s, t, p: s.find_entities(p, ["person 1", "nobody"]),
    **{
        f"match_text {target}": lambda s, t, p, target=target: s.match_text(p, cut("tea thing person"), target, 5)  # type: ignore[misc]
        for target in Target
    },
    **{
        f"nearest {target}": lambda s, t, p, target=target: s.nearest(p, vector_of("tea"), target, 5)  # type: ignore[misc]
        for target in Target
    },
}


async def every_write_verb(tx: Transaction, teller: Teller) -> None:
    some = [told(number) for number in (3, 4, 100)]
    await tx.episodes(["e1"])
    await tx.put_episode(teller.episode("new", "tea"), vector_of("tea"))
    await teller.put(tx, "new", some)
    await tx.facts([teller.fact(one).id for one in some])
    await tx.entities([teller.entity("Person 1"), teller.entity("Thing 100")])
    pairs = await tx.claims_of("new")
    await tx.slot_claims([slot for slot, _ in pairs])
    await tx.put_periods([teller.period(one, tx.instant) for one in some])
    for periods in (await tx.slot_periods([slot for slot, _ in pairs])).values():
        await tx.supersede([period.id for period in periods])
    await tx.retract_claims([claim.id for _, claim in pairs])


async def measured(store: Neo4jStore, teller: Teller, profile: Profile) -> dict[str, Profile]:
    found: dict[str, Profile] = {}
    known = await store.last_commit(teller.tenant)
    points = {"ever": teller.at(), "as of": teller.at(day(10), known)}
    for name, verb in VERBS.items():
        for at, point in points.items():
            profile.hits, profile.scans = 0, []
            await verb(store, teller, point)
            found[f"{name}, {at}"] = Profile(profile.hits, profile.scans)

    async def write(tx: Transaction) -> None:
        await every_write_verb(tx, teller)

    profile.hits, profile.scans = 0, []
    await store.write(teller.tenant, write)
    found["write"] = Profile(profile.hits, profile.scans)
    return found


async def test_no_verb_scans_and_others_cost_nothing(neo4j_store: Neo4jStore, profile: Profile) -> None:
    await crowd(neo4j_store, 1_000)
    few = await measured(neo4j_store, await small_world(neo4j_store), profile)
    assert {name: p.scans for name, p in few.items() if p.scans} == {}
    await crowd(neo4j_store, 4_000)
    many = await measured(neo4j_store, await small_world(neo4j_store), profile)
    assert {name: p.scans for name, p in many.items() if p.scans} == {}
    grown = {name: (p.hits, many[name].hits) for name, p in few.items() if many[name].hits > 1.2 * p.hits + 10}
    assert grown == {}
    assert few["beliefs, as of"].hits > 0


PAGES = (
    "beliefs",
    "beliefs of a predicate",
    "episodes",
    "episodes since",
    "recent episodes",
    "last_commit",
)


async def test_a_page_costs_a_page(neo4j_store: Neo4jStore, profile: Profile) -> None:
    """However much the tenant itself holds."""
    teller = await small_world(neo4j_store)

    async def more(numbers: range) -> dict[str, Profile]:
        for n in numbers:
            await teller.tell(f"more{n}", Told("Person 1", "WORKS_AT", f"Place {n}", 20 + n), n=n)
        return await measured(neo4j_store, teller, profile)

    few, many = await more(range(15)), await more(range(15, 75))
    for name in PAGES:
        assert many[f"{name}, ever"].hits <= 1.2 * few[f"{name}, ever"].hits + 10, name
