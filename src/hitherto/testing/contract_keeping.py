"""The contract of use and archive."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime
from functools import partial

import pytest

from ..kg.keeping import Archived, Use
from ..kg.store import FactFilter, Page, Store, Target, Transaction
from ..temporal.errors import Invalid
from .telling import Teller, Told, day, vector_of

_TEA, _RAIN, _BOB = Told("Ann", "LIKES", "tea"), Told("Ann", "LIKES", "rain"), Told("Bob", "LIKES", "tea")


async def _archive(teller: Teller, *told: Told, policy: str = "by hand", digest: str | None = None) -> datetime:
    async def work(tx: Transaction) -> datetime:
        await tx.archive(_ids(teller, *told), policy, digest)
        return tx.instant

    return await teller.store.write(teller.tenant, work)


async def _restore(teller: Teller, *told: Told) -> datetime:
    async def work(tx: Transaction) -> datetime:
        await tx.restore(_ids(teller, *told))
        return tx.instant

    return await teller.store.write(teller.tenant, work)


async def _count(teller: Teller, told: Told, use: Use) -> datetime:
    async def work(tx: Transaction) -> datetime:
        await tx.put_uses({teller.fact(told).id: use})
        return tx.instant

    return await teller.store.write(teller.tenant, work)


def _ids(teller: Teller, *told: Told) -> list[str]:
    return [teller.fact(one).id for one in told]


async def _ranked(teller: Teller, known: datetime | None) -> list[set[str]]:
    """What each ranked read finds."""
    at, store = teller.at(known=known), teller.store
    words = await store.match_text(at, ["tea", "rain"], Target.FACT, 10)
    near = await store.nearest(at, vector_of("Ann likes tea"), Target.FACT, 10)
    listed = await teller.beliefs(at, FactFilter(archived=False))
    touching = await teller.beliefs(at, FactFilter(archived=False, touching=[teller.entity("tea")]))
    return [
        {m.id for m in words},
        {m.id for m in near},
        {b.fact.id for b in listed},
        {b.fact.id for b in touching} | set(_ids(teller, _RAIN)),
    ]


async def _archived(teller: Teller, known: datetime | None, ids: Collection[str] | None = None) -> list[Archived]:
    return list((await teller.store.archived(teller.at(known=known), Page(), ids)).items)


class KeepingContract:
    async def test_ranked_reads_leave_the_archived_out(self, store: Store, tenant: str) -> None:
        teller, other = Teller(store, tenant), Teller(store, f"{tenant} other")
        before = await teller.tell("e1", _TEA, _RAIN, _BOB)
        elsewhere = await other.tell("e1", _TEA, _RAIN, _BOB)
        tea, rain, bob = _ids(teller, _TEA, _RAIN, _BOB)
        since = await _archive(teller, _TEA)
        assert await _ranked(teller, before) == [{tea, rain, bob}] * 4
        assert await _ranked(teller, since) == [{rain, bob}] * 4
        assert await _ranked(teller, None) == [{tea, rain, bob}] * 4
        back = await _restore(teller, _TEA)
        assert await _ranked(teller, back) == [{tea, rain, bob}] * 4
        assert await _ranked(teller, since) == [{rain, bob}] * 4
        assert await _ranked(other, elsewhere) == [set(_ids(other, _TEA, _RAIN, _BOB))] * 4

    async def test_other_reads_tell_the_archived(self, store: Store, tenant: str) -> None:
        teller = Teller(store, tenant)
        await teller.tell("e1", _TEA, _RAIN)
        was = await teller.beliefs(teller.at(day(3), await store.last_commit(tenant)))
        known = await _archive(teller, _TEA)
        at = teller.at(day(3), known)
        assert await teller.beliefs(at) == was
        archived = FactFilter(archived=True)
        assert await teller.texts(at, archived) == ["Ann likes tea"]
        assert await teller.texts(at, replace(archived, predicates=["HATES"])) == []
        assert await teller.texts(teller.at(), archived) == []

    async def test_a_period_that_comes_later_is_archived_as_its_fact(self, store: Store, tenant: str) -> None:
        teller = Teller(store, tenant)
        await teller.tell("e1", _TEA)
        await _archive(teller, _TEA)
        known = await teller.tell("e2", replace(_TEA, start=40))
        assert len(await teller.beliefs(teller.at(known=known))) == 2
        assert await _ranked(teller, known) == [set(), set(), set(), set(_ids(teller, _RAIN))]

    async def test_the_archive_says_since_when_and_why(self, store: Store, tenant: str) -> None:
        teller = Teller(store, tenant)
        await teller.tell("e1", _TEA, _RAIN)
        tea, rain = _ids(teller, _TEA, _RAIN)
        first = await _archive(teller, _TEA, policy="lru")
        second = await _archive(teller, _TEA, _RAIN, Told("Nobody", "LIKES", "x"), digest="d")
        assert await _archived(teller, first) == [Archived(tea, "lru", first)]
        both = [Archived(tea, "lru", first), Archived(rain, "by hand", second, None, "d")]
        assert await _archived(teller, second) == both
        assert await _archived(teller, second, [rain]) == both[1:]
        back = await _restore(teller, _TEA)
        assert await _archived(teller, second) == both
        assert await _archived(teller, back) == both[1:]
        again = await _archive(teller, _TEA)
        ever = [Archived(tea, "lru", first, back), both[1], Archived(tea, "by hand", again)]
        assert await _archived(teller, None) == ever
        assert await _archived(teller, None, [tea]) == [ever[0], ever[2]]
        page = await store.archived(teller.at(), Page(2))
        assert list(page.items) == ever[:2]
        assert list((await store.archived(teller.at(), Page(2, page.cursor))).items) == ever[2:]
        assert await _archived(Teller(store, f"{tenant} other"), None) == []
        with pytest.raises(Invalid):
            await store.archived(teller.at(), Page(0))

    async def test_in_one_write_and_in_a_failed_one(self, store: Store, tenant: str) -> None:
        teller = Teller(store, tenant)
        await teller.tell("e1", _TEA)
        ids = _ids(teller, _TEA)

        async def to_and_fro(tx: Transaction) -> datetime:
            assert not tx.has_archive
            await tx.archive(ids, "by hand")
            assert tx.has_archive
            await tx.restore(ids)
            await tx.archive(ids, "lru")
            return tx.instant

        async def fails(tx: Transaction) -> None:
            assert tx.has_archive
            await tx.restore(ids)
            await tx.put_uses({ids[0]: Use(shown=1)})
            raise RuntimeError("on purpose")

        known = await store.write(tenant, to_and_fro)
        with pytest.raises(RuntimeError, match="on purpose"):
            await store.write(tenant, fails)
        assert await _archived(teller, known) == [Archived(ids[0], "lru", known)]
        assert await store.uses(teller.at(), ids) == {}
        assert await store.last_commit(tenant) == known

    async def test_digests_are_found_by_what_they_sum_up(self, store: Store, tenant: str) -> None:
        teller = Teller(store, tenant)
        await teller.tell("e1", _TEA, _RAIN, _BOB)
        tea, rain, bob = _ids(teller, _TEA, _RAIN, _BOB)
        await _archive(teller, _TEA, _RAIN, digest="d1")
        await _archive(teller, _BOB, digest="d2")
        await _restore(teller, _TEA)

        async def digests(*ids: str) -> dict[str, set[str]]:
            found = await store.write(tenant, lambda tx: tx.digests(ids))
            return {digest: set(facts) for digest, facts in found.items()}

        assert await digests(tea) == {"d1": {tea, rain}}
        assert await digests(tea, bob, "x") == {"d1": {tea, rain}, "d2": {bob}}
        assert await digests("x") == {}

    async def test_uses_add_up_and_stay_as_they_were_known(self, store: Store, tenant: str) -> None:
        teller = Teller(store, tenant)
        await teller.tell("e1", _TEA, _RAIN)
        tea, rain = _ids(teller, _TEA, _RAIN)
        first = await _count(teller, _TEA, Use(shown=2, last_at=day(9)))
        second = await _count(teller, _TEA, Use(used=1, corrected=1, last_at=day(4)))
        third = await _count(teller, _RAIN, Use(corrected=1))
        await store.write(tenant, lambda tx: tx.put_uses({"unknown": Use(shown=1)}))
        read = partial(store.uses, fact_ids=[tea, rain, "unknown"])
        assert await read(teller.at(known=first)) == {tea: Use(2, 0, 0, day(9))}
        assert await read(teller.at(known=second)) == {tea: Use(2, 1, 1, day(9))}
        assert await read(teller.at(known=third)) == {tea: Use(2, 1, 1, day(9)), rain: Use(0, 0, 1)}
        assert await read(teller.at()) == await read(teller.at(known=third))
        assert await store.uses(Teller(store, f"{tenant} other").at(), [tea]) == {}
        assert await store.last_commit(tenant) == third
