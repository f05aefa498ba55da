"""The contract of the wall: no read, write, search or count crosses tenants."""

from __future__ import annotations

import pytest

from ..kg.store import EpisodeFilter, FactFilter, Page, Point, Store, Target, Transaction
from .telling import SetClock, Snapshot, Teller, Told, day, vector_of

_TOLD = [
    Told("Ann", "LIKES", "tea", 0),
    Told("Bob", "LIKES", "coffee", 1),
    Told("Ann", "MET", "Bob", 2, 3, is_event=True),
]

ODD_TENANTS = [
    "a", "A", " a", "a ", "\u00e1", "a\u0301", "租户", "🙂", "a'b", 'a"b', "a\\b", "a`b", "a;b--", "a%", "a_b",
    "{a}", "$a", "\u202ea", "a\nb", "a\tb", "x" * 3000, "\U0010ffff", "null", "0", "a\0b",
]  # fmt: skip


class TenantContract:
    async def test_a_tenant_reads_as_if_it_were_alone(self, store: Store, tenant: str, clock: SetClock) -> None:
        """The same story with and without neighbours that hold the same, more and other things."""
        alone, near = Teller(store, tenant + " alone"), Teller(store, tenant + " near")
        start = clock.now
        points = []
        for teller in (alone, near):
            clock.now = start
            for n, told in enumerate(_TOLD):
                await teller.tell(f"e{n}", told)
            points.append(teller.at(None, await teller.retract("e1")))
        # Ids differ by tenant; what they name must not.
        before = [_nameless(await Snapshot.of(store, point)) for point in points]
        assert before[0] == before[1]
        noisy = Teller(store, tenant + " noisy")
        for n in range(5):
            await noisy.tell(f"e{n}", *_TOLD, Told(f"Ann {n}", "LIKES", "tea"), text="Ann likes tea " * 9)
        exact = [await Snapshot.of(store, point) for point in points]
        await noisy.retract("e0")
        await noisy.supersede([belief.id for belief in await noisy.beliefs()])
        assert [await Snapshot.of(store, point) for point in points] == exact
        assert [_nameless(snapshot) for snapshot in exact] == before

    @pytest.mark.parametrize("target", list(Target))
    async def test_another_tenants_texts_change_neither_order_nor_score(
        self, store: Store, tenant: str, target: Target
    ) -> None:
        mine, other = Teller(store, tenant + " mine"), Teller(store, tenant + " other")
        await mine.tell("e1", Told("Ann tea", "LIKES", "tea"), Told("Bob", "LIKES", "rain tea"), text="tea rain")
        await mine.tell("e2", Told("Cy", "LIKES", "rain"), text="tea tea")

        async def search() -> object:
            found = await store.match_text(mine.at(), ["tea", "rain"], target, 9)
            assert found
            return found, await store.nearest(mine.at(), vector_of("tea"), target, 9)

        before = await search()
        for n in range(4):
            await other.tell(f"e{n}", Told("Ann tea", "LIKES", f"rain {n}"), text="rain " * 50)
        assert await search() == before

    async def test_ids_of_another_tenant_open_nothing(self, store: Store, tenant: str) -> None:
        mine, other = Teller(store, tenant + " mine"), Teller(store, tenant + " other")
        for teller in (mine, other):
            await teller.tell("e", _TOLD[0])
        await other.tell("hers", Told("Dora", "LIKES", "tea"))
        (belief, *_) = await other.beliefs(where=FactFilter(subject_ids=[other.entity("Dora")]))
        dora = other.entity("Dora")
        for where in (
            FactFilter(fact_ids=[belief.fact.id]),
            FactFilter(period_ids=[belief.id]),
            FactFilter(subject_ids=[dora]),
            FactFilter(touching=[dora]),
            FactFilter(object_keys=["e:" + other.entity("tea")]),
            FactFilter(episode_ids=["hers"]),
        ):
            assert len(await other.beliefs(where=where)) >= 1
            assert await mine.beliefs(where=where) == ()
        assert not await store.entities(mine.at(), [dora])
        assert not await store.find_entities(mine.at(), ["Dora"])
        assert not (await store.episodes(mine.at(), EpisodeFilter(ids=["hers"]), Page())).items
        slot = other.slot(Told("Dora", "LIKES", "tea"))
        claim = belief.evidence[0]

        async def break_in(tx: Transaction) -> None:
            assert not await tx.episodes(["hers"])
            assert not await tx.entities([dora])
            assert not await tx.facts([belief.fact.id])
            assert not await tx.claims_of("hers")
            assert not await tx.slot_claims([slot])
            assert not await tx.slot_periods([slot])
            await tx.supersede([belief.id])
            await tx.retract_claims([claim.id])

        last = await store.last_commit(mine.tenant)
        await store.write(mine.tenant, break_in)
        assert await store.last_commit(mine.tenant) == last
        assert await other.beliefs(where=FactFilter(period_ids=[belief.id])) == (belief,)

    async def test_counts_and_times_are_the_tenants(self, store: Store, tenant: str) -> None:
        mine, other = Teller(store, tenant + " mine"), Teller(store, tenant + " other")
        last = await mine.tell("e", _TOLD[0])
        for n in range(3):
            await other.tell(f"e{n}", *_TOLD)
        status = await store.status(mine.tenant)
        assert (status.episodes, status.entities, status.facts, status.beliefs) == (1, 2, 1, 1)
        assert status.last_commit == await store.last_commit(mine.tenant) == last

    async def test_a_tenant_nobody_wrote_to_is_empty(self, store: Store, tenant: str) -> None:
        teller = Teller(store, tenant)
        for point in (teller.at(), teller.at(day(0), day(9))):
            empty = await Snapshot.of(store, point)
            assert (empty.beliefs, empty.episodes, empty.named) == ((), (), ())
            assert empty.matches == ((),) * 6
        assert await store.recent_episodes(teller.at(), None, day(0), 5) == []
        assert await store.last_commit(tenant) is None
        assert (await store.status(tenant)).episodes == 0

    async def test_tenant_ids_may_hold_anything(self, store: Store, tenant: str) -> None:
        tellers = {odd: Teller(store, tenant + odd) for odd in ODD_TENANTS}
        assert len({teller.tenant for teller in tellers.values()}) == len(ODD_TENANTS)
        for n, teller in enumerate(tellers.values()):
            await teller.tell("e", Told("Ann", "LIKES", f"thing {n}"))
        for n, (odd, teller) in enumerate(tellers.items()):
            assert (odd, await teller.texts()) == (odd, [f"Ann likes thing {n}"])
            found = await store.match_text(Point(teller.tenant), ["ann"], Target.ENTITY, 99)
            assert (odd, [match.id for match in found]) == (odd, [teller.entity("Ann")])


def _nameless(snapshot: Snapshot) -> object:
    """What a snapshot says, without the ids, which hold the tenant's name."""
    beliefs = [
        (b.fact.text, b.valid_from, b.valid_to, b.ingested_at, b.superseded_at, len(b.evidence))
        for b in snapshot.beliefs
    ]
    named = [(name, [(e.name, e.kind, e.aliases) for e in entities]) for name, entities in snapshot.named]
    scores = [sorted(match.score for match in matches) for matches in snapshot.matches]
    return beliefs, snapshot.episodes, named, scores
