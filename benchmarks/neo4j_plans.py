"""What each verb makes a Neo4j server touch, and that others' data costs nothing.

    python benchmarks/neo4j_plans.py
    python benchmarks/neo4j_plans.py --version 5.26.30 --others 1000 10000

Prints the db hits (by PROFILE) of every verb on a small tenant, beside ever more facts of other tenants, in a
server of its own that is deleted afterwards. Exit code 0 only if no verb scans and none costs more at the end.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
import uuid
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import neo4j
from neo4j import AsyncManagedTransaction, AsyncSession
from rich.console import Console
from rich.table import Table

from hitherto.kg.keeping import Use
from hitherto.kg.model import EpisodeStatus, Value
from hitherto.kg.store import EpisodeFilter, FactFilter, Identity, Page, Point, Target, Transaction
from hitherto.kg.stores.neo4j import Neo4jStore, open_neo4j
from hitherto.kg.text import cut
from hitherto.neo4j_server import Address, Machine, Options, passing_server
from hitherto.temporal.intervals import Interval
from hitherto.testing.telling import DIMENSION, EMBEDDER, Teller, Told, day, vector_of

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

    def taken(self) -> Profile:
        """What was found since the last look."""
        found = Profile(self.hits, self.scans)
        self.hits, self.scans = 0, []
        return found


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


@contextmanager
def profiling() -> Iterator[Profile]:
    """Every query of the stores is profiled meanwhile."""
    found = Profile()
    with profiled(AsyncManagedTransaction, found), profiled(AsyncSession, found):
        yield found


@contextmanager
def profiled(runner: type[AsyncManagedTransaction] | type[AsyncSession], found: Profile) -> Iterator[None]:
    real: Any = runner.run

    async def run(self: object, query: str, params: dict[str, Any]) -> Buffered:
        dialect, _, rest = query.partition("\n") if query.startswith("CYPHER 25") else ("", "", query)
        result = await real(self, f"{dialect} PROFILE {rest}", params)
        buffered = Buffered([record async for record in result], await result.consume())
        plan = (await buffered.consume()).profile
        assert plan is not None
        found.add(plan)
        return buffered

    runner.run = run  # type: ignore[assignment]
    try:
        yield
    finally:
        runner.run = real  # type: ignore[method-assign]


def told(number: int) -> Told:
    kind = ("LIKES", "WORKS_AT", "SAID")[number % 3]
    target = Value(f"tea {number}") if kind == "SAID" else f"Thing {number % 20}"
    return Told(f"Person {number % 7}", kind, target, number % 30, None if number % 2 else number % 30 + 5)


async def small_world(store: Neo4jStore) -> Teller:
    """The tenant that is measured."""
    teller = Teller(store, f"plans {uuid.uuid4()}")
    for number in range(6):
        some = [told(number * 5 + i) for i in range(5)]
        await teller.tell(f"e{number}", *some, text=f"tea and rain {number}", session="s")
    await teller.retract("e5")
    ids = [teller.fact(told(number)).id for number in (0, 1)]
    await store.write(teller.tenant, lambda tx: tx.put_uses(dict.fromkeys(ids, Use(shown=1))))
    await store.write(teller.tenant, lambda tx: tx.archive(ids, "by hand"))
    await store.write(teller.tenant, lambda tx: tx.restore(ids))
    return teller


_SEED = 1_000
_NODES = {
    "Tenant": ("id", "wall"),
    "Commit": (),
    "Entity": ("id",),
    "Value": ("id",),
    "Naming": ("entity_id", "wall"),
    "NameKey": ("entity_id",),
    "Episode": ("id", "wall"),
    "FactUse": ("fact_id",),
    "Archiving": ("fact_id", "digest"),
    "Fact": ("id", "subject_id", "object_id", "object_key", "wall"),
    "Period": ("id", "slot", "fact_id", "subject_id", "object_id", "object_key"),
}
"""The labels of a tenant's rows, and the properties that no other tenant's rows share with them."""


async def crowd(store: Neo4jStore, address: Address, count: int) -> None:
    """So many thousand facts of others, in the same words: one tenant told through the store, the rest copies of
    all its rows that an index holds, with other ids; without vectors (``neo4j_recall.py`` is about those)."""
    teller = Teller(store, f"crowd {uuid.uuid4()}")
    some = [Told(f"Person {n % 50}", "LIKES", f"Thing tea {n // 50}") for n in range(_SEED)]
    await teller.tell("e", *some, text="tea and rain", session="s")
    ids = [teller.fact(one).id for one in some]
    await store.write(teller.tenant, lambda tx: tx.put_uses(dict.fromkeys(ids, Use(shown=1))))
    await store.write(teller.tenant, lambda tx: tx.archive(ids, "by hand", "e"))
    copies = count // _SEED - 1
    driver = neo4j.AsyncGraphDatabase.driver(address.uri, auth=address.auth)
    async with driver:
        for label, own in _NODES.items():
            await _run(driver, _copy_nodes(label, own), tenant=teller.tenant, copies=copies)
        await _run(driver, _COPY_CLAIMS, tenant=teller.tenant, copies=copies)


async def _run(driver: neo4j.AsyncDriver, query: str, **params: object) -> None:
    async with driver.session() as session:
        await (await session.run(query, params)).consume()


def _copy_nodes(label: str, own: Sequence[str]) -> str:
    match = "t.id = $tenant" if label == "Tenant" else "t.tenant = $tenant"
    names = [*own] if label == "Tenant" else ["tenant", *own]
    # A value's id is the key of the fact's object; so all ids of a row get the same ending.
    changed = ", ".join(["embedding: null", *(f"{name}: t.{name} + 'x' + k" for name in names)])
    return (
        f"UNWIND range(1, $copies) AS k CALL (k) {{ MATCH (t:{label}) WHERE {match} "
        f"CREATE (n:{label}) SET n = t {{.*, {changed}}} }} IN TRANSACTIONS OF 10 ROWS"
    )


_COPY_CLAIMS = """
UNWIND range(1, $copies) AS k CALL (k) {
  MATCH (:Episode {tenant: $tenant})-[old:ASSERTS]->(:Fact)
  MATCH (e:Episode {tenant: $tenant + 'x' + k, id: old.episode_id + 'x' + k}) USING INDEX e:Episode(tenant, id)
  MATCH (f:Fact {tenant: $tenant + 'x' + k, id: old.fact_id + 'x' + k}) USING INDEX f:Fact(tenant, id)
  CREATE (e)-[c:ASSERTS]->(f)
  SET c = old {.*, tenant: e.tenant, id: old.id + 'x' + k, slot: old.slot + 'x' + k, fact_id: f.id}
} IN TRANSACTIONS OF 10 ROWS
"""


Verb = Callable[[Neo4jStore, Teller, Point], Awaitable[object]]


def facts(condition: Callable[[Teller], FactFilter]) -> Verb:
    return lambda store, teller, point: store.beliefs(point, condition(teller), Page(limit=10))


def episodes(condition: EpisodeFilter) -> Verb:
    return lambda store, _, point: store.episodes(point, condition, Page(limit=10))


def changes(condition: Callable[[Teller], FactFilter], stretch: Interval) -> Verb:
    return lambda store, teller, point: store.changes(point, condition(teller), stretch, Page(limit=10))


VERBS: dict[str, Verb] = {
    "last_commit": lambda s, t, _: s.last_commit(t.tenant),
    "status": lambda s, t, _: s.status(t.tenant),
    "beliefs": facts(lambda _: FactFilter()),
    "beliefs of facts": facts(lambda t: FactFilter(fact_ids=[t.fact(told(1)).id])),
    "beliefs by id": facts(lambda _: FactFilter(period_ids=["x", "y"])),
    "beliefs of a subject": facts(lambda t: FactFilter(subject_ids=[t.entity("Person 1")])),
    "beliefs of a subject and predicate": facts(
        lambda t: FactFilter(subject_ids=[t.entity("Person 1")], predicates=["LIKES"])
    ),
    "beliefs of a predicate": facts(lambda _: FactFilter(predicates=["WORKS_AT"])),
    "beliefs of an object": facts(lambda t: FactFilter(object_keys=["e:" + t.entity("Thing 1"), "v:tea 2"])),
    "beliefs touching": facts(lambda t: FactFilter(touching=[t.entity("Person 1"), t.entity("Thing 1")])),
    "beliefs touching, of a predicate": facts(
        lambda t: FactFilter(touching=[t.entity("Person 1")], predicates=["LIKES"])
    ),
    "beliefs of episodes": facts(lambda _: FactFilter(episode_ids=["e1", "e5"])),
    "beliefs of episodes, touching": facts(
        lambda t: FactFilter(episode_ids=["e1"], touching=[t.entity("Person 1")])
    ),
    "beliefs missing": facts(lambda t: FactFilter(missing_at=t.at(day(3), day(2000)))),
    "changes": changes(lambda _: FactFilter(), Interval(day(0), None)),
    "changes of an entity": changes(lambda t: FactFilter(touching=[t.entity("Person 1")]), Interval()),
    "changes of a predicate": changes(lambda _: FactFilter(predicates=["LIKES"]), Interval()),
    "slot_claims": lambda s, t, p: s.slot_claims(p, [t.slot(told(1))]),
    "slot_claims moved": lambda s, t, p: s.slot_claims(p, [t.slot(told(1))], [day(5)]),
    "episode_claims": lambda s, _, p: s.episode_claims(p, ["e1", "e5", "nothing"]),
    "episodes": episodes(EpisodeFilter()),
    "episodes by id": episodes(EpisodeFilter(ids=["e1", "e5"])),
    "episodes of a session": episodes(EpisodeFilter(session="s")),
    "episodes of an actor": episodes(EpisodeFilter(actor="a")),
    "episodes since": episodes(EpisodeFilter(since=day(0))),
    "episodes pending": episodes(EpisodeFilter(status=EpisodeStatus.PENDING)),
    "episodes done": episodes(EpisodeFilter(status=EpisodeStatus.DONE)),
    "episodes retracted": episodes(EpisodeFilter(status=EpisodeStatus.RETRACTED)),
    "recent_episodes": lambda s, _, p: s.recent_episodes(p, None, day(90), 3),
    "recent_episodes of a session": lambda s, _, p: s.recent_episodes(p, "s", day(90), 3),
    "session_neighbours": lambda s, _, p: s.session_neighbours(p, ["e1", "e3"], 2),
    "entities": lambda s, t, p: s.entities(p, [t.entity("Person 1")]),
    "find_entities": lambda s, _, p: s.find_entities(p, ["person 1", "nobody"]),
    "uses": lambda s, t, p: s.uses(p, [t.fact(told(1)).id, "nothing"]),
    "archived": lambda s, _, p: s.archived(p, Page(limit=10)),
    "archived of facts": lambda s, t, p: s.archived(p, Page(limit=10), [t.fact(told(1)).id]),
    "beliefs not archived": facts(lambda t: FactFilter(touching=[t.entity("Person 1")], archived=False)),
    "unembedded facts": lambda s, t, _: s.unembedded(t.tenant, Target.FACT, "", 10),
    "unembedded episodes": lambda s, t, _: s.unembedded(t.tenant, Target.EPISODE, "", 10),
    "unembedded entities": lambda s, t, _: s.unembedded(t.tenant, Target.ENTITY, "", 10),
    "embedder_name": lambda s, _t, _p: s.embedder_name(),
    **{
        f"match_text {target}": lambda s, _, p, target=target: s.match_text(p, cut("tea thing person"), target, 5)  # type: ignore[misc]
        for target in Target
    },
    **{
        f"nearest {target}": lambda s, _, p, target=target: s.nearest(p, vector_of("tea"), target, 5)  # type: ignore[misc]
        for target in Target
    },
}
"""Each begins with the verb's name in ``Store``."""


async def every_write_verb(tx: Transaction, teller: Teller) -> None:
    some = [told(number) for number in (3, 4, 100)]
    await tx.episodes(["e1"])
    await tx.put_episode(teller.episode("new", "tea"), vector_of("tea"))
    await tx.claim_rules({"LIKES": "many", f"LIKES_{uuid.uuid4().hex}": "many"})
    await teller.put(tx, "new", some)
    a, b = teller.entity("Person 1"), teller.entity("Person 2")
    await tx.put_identities([Identity(a, "Person 1", a), Identity(b, "Person 2", a)])
    await tx.identities([a, b])
    await tx.entity_claims([a], "LIKES")
    await tx.facts([teller.fact(one).id for one in some])
    await tx.put_fact_vectors({teller.fact(one).id: vector_of("tea") for one in some})
    await tx.entities([teller.entity("Person 1"), teller.entity("Thing 100")])
    ids = [teller.fact(one).id for one in some]
    await tx.put_uses(dict.fromkeys(ids, Use(shown=1, last_at=day(3))))
    await tx.archive(ids, "by hand", "e1")
    assert tx.has_archive
    await tx.digests(ids)
    await tx.restore(ids)
    pairs = await tx.claims_of("new")
    await tx.slot_claims([slot for slot, _ in pairs])
    await tx.put_periods([teller.period(one, tx.instant) for one in some])
    for periods in (await tx.slot_periods([slot for slot, _ in pairs])).values():
        await tx.supersede([period.id for period in periods])
    await tx.retract_claims([claim.id for _, claim in pairs])


async def reading(store: Neo4jStore, teller: Teller, profile: Profile) -> dict[str, Profile]:
    """By verb: of all ever believed, and as of an instant on both axes."""
    found: dict[str, Profile] = {}
    known = await store.last_commit(teller.tenant)
    during = replace(teller.at(None, known), during=Interval(day(3), day(9)))
    points = {"ever": teller.at(), "as of": teller.at(day(10), known), "during": during}
    profile.taken()
    for name, verb in VERBS.items():
        for at, point in points.items():
            await verb(store, teller, point)
            found[f"{name}, {at}"] = profile.taken()
    return found


async def measured(store: Neo4jStore, teller: Teller, profile: Profile) -> dict[str, Profile]:
    """By verb, and last a write with all of them, after which the tenant is another."""
    found = await reading(store, teller, profile)
    await store.write(teller.tenant, lambda tx: every_write_verb(tx, teller))
    found["write"] = profile.taken()
    return found


def grown(few: dict[str, Profile], many: dict[str, Profile]) -> dict[str, tuple[int, int]]:
    """The verbs that touch more than before."""
    return {
        name: (few[name].hits, more.hits) for name, more in many.items() if more.hits > 1.2 * few[name].hits + 10
    }


def scanning(found: dict[str, Profile]) -> dict[str, list[str]]:
    return {name: profile.scans for name, profile in found.items() if profile.scans}


async def beside(address: Address, others: Sequence[int]) -> list[dict[str, Profile]]:
    """What a new small tenant's verbs touch beside so many facts of others, which grow in between."""
    store = await open_neo4j(address.uri, clock=lambda: datetime.now(UTC), auth=address.auth)
    try:
        await store.claim_embedder(EMBEDDER, DIMENSION)
        found, so_far = [], 0
        for count in others:
            if count > so_far:
                await crowd(store, address, count - so_far)
                so_far = count
            with profiling() as profile:
                found.append(await measured(store, await small_world(store), profile))
        return found
    finally:
        await store.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--version", help="of the server")
    parser.add_argument("--others", type=int, nargs="+", default=[0, 1_000, 10_000, 100_000], metavar="FACTS")
    args = parser.parse_args()
    machine = Machine.from_environ(os.environ)
    options = Options(bolt_port=0, http_port=0)
    with (
        tempfile.TemporaryDirectory() as folder,
        passing_server(machine, Path(folder) / "home", version=args.version, options=options) as address,
    ):
        found = asyncio.run(beside(address, args.others))
    table = Table("db hits beside", *(f"{count:,}" for count in args.others), "scans")
    for name in found[0]:
        scans = {scan for one in found for scan in one[name].scans}
        table.add_row(name, *(f"{one[name].hits:,}" for one in found), "; ".join(sorted(scans)))
    Console(width=160).print(table)
    return 1 if any(map(scanning, found)) or grown(found[0], found[-1]) else 0


if __name__ == "__main__":
    sys.exit(main())
