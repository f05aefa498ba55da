"""The contract of the verbs about who is who."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import pytest

from ..kg.model import Claim, Entity, Fact, Value
from ..kg.store import FactRow, Identity, Sighting, Store, Transaction
from .telling import Teller, Told


def _one(teller: Teller, *names: str) -> list[Identity]:
    """Identities of these, kept as the first."""
    return [Identity(teller.entity(name), name, teller.entity(names[0])) for name in names]


async def _put(teller: Teller, *identities: Identity) -> None:
    await teller.store.write(teller.tenant, lambda tx: tx.put_identities(identities))


async def _identities(teller: Teller, *names: str) -> Mapping[str, Identity]:
    ids = [teller.entity(name) for name in names]
    return await teller.store.write(teller.tenant, lambda tx: tx.identities(ids))


async def _claims(teller: Teller, *names: str, predicate: str | None = None) -> list[tuple[str, Claim]]:
    ids = [teller.entity(name) for name in names]
    return await teller.store.write(teller.tenant, lambda tx: tx.entity_claims(ids, predicate))


async def _sight(moves: Sequence[Sighting], tx: Transaction) -> None:
    await tx.put_sightings(moves)


class IdentityContract:
    async def test_identities_come_back_with_all_that_are_one(self, store: Store, tenant: str) -> None:
        teller, other = Teller(store, tenant), Teller(store, f"{tenant} other")

        async def has(tx: Transaction) -> bool:
            return tx.has_identities

        assert not await store.write(tenant, has)
        assert await _identities(teller, "Ann") == {}
        holmes, tea = _one(teller, "Sherlock Holmes", "Holmes", "H\0"), _one(teller, "Tea", "Cuppa")
        await _put(teller, *holmes, *tea)
        assert await store.write(tenant, has)
        assert await _identities(teller, "Holmes", "nobody") == {i.entity_id: i for i in holmes}
        assert await _identities(teller, "Tea", "H\0") == {i.entity_id: i for i in (*holmes, *tea)}
        assert not await store.write(other.tenant, has)
        assert await _identities(other, "Holmes") == {}

    async def test_identities_are_replaced(self, store: Store, tenant: str) -> None:
        teller = Teller(store, tenant)
        ann, annie = _one(teller, "Ann", "Annie")
        await _put(teller, ann, annie)
        alone = Identity(annie.entity_id, "Annie", annie.entity_id)

        async def work(tx: Transaction) -> None:
            await tx.put_identities([alone])
            assert await tx.identities([annie.entity_id]) == {alone.entity_id: alone}

        await store.write(tenant, work)
        assert await _identities(teller, "Ann") == {ann.entity_id: ann}
        assert await _identities(teller, "Annie") == {alone.entity_id: alone}

    async def test_identities_of_a_failed_write_were_never_put(self, store: Store, tenant: str) -> None:
        teller = Teller(store, tenant)

        async def work(tx: Transaction) -> None:
            await tx.put_identities(_one(teller, "Ann", "Annie"))
            assert len(await tx.identities([teller.entity("Ann")])) == 2
            raise RuntimeError("on purpose")

        with pytest.raises(RuntimeError, match="on purpose"):
            await store.write(tenant, work)
        assert await _identities(teller, "Ann", "Annie") == {}

    async def test_claims_about_an_entity_on_either_side(self, store: Store, tenant: str) -> None:
        teller = Teller(store, tenant)
        likes, knows, named = (
            Told("Ann", "LIKES", "Tea"),
            Told("Bob", "KNOWS", "Ann"),
            Told("Ann", "IS", Value("Bob")),
        )
        await teller.tell("e0", likes, knows, named)
        await teller.tell("e1", likes, Told("Bob", "LIKES", "Tea"))
        await Teller(store, f"{tenant} other").tell("e0", likes)
        found = await _claims(teller, "Ann")
        assert sorted((c.episode_id, c.position, c.predicate) for _, c in found) == [
            ("e0", 0, "LIKES"), ("e0", 1, "KNOWS"), ("e0", 2, "IS"), ("e1", 0, "LIKES"),
        ]  # fmt: skip
        assert {slot for slot, c in found if c.predicate == "KNOWS"} == {teller.slot(knows)}
        assert [c.predicate for _, c in await _claims(teller, "Ann", "Bob", predicate="KNOWS")] == ["KNOWS"]
        await teller.retract("e0")
        assert [(c.episode_id, c.predicate) for _, c in await _claims(teller, "Ann")] == [("e1", "LIKES")]
        assert await _claims(teller, "nobody") == []

    async def test_who_is_mentioned_nowhere_reads_by_its_own_name(self, store: Store, tenant: str) -> None:
        teller = Teller(store, tenant)
        told = Told("Holmes", "KNOWS", "Watson")
        fact = teller.fact(told)

        async def work(tx: Transaction) -> Mapping[str, Fact]:
            await tx.put_episode(teller.episode("e0"), None)
            await tx.put_facts([FactRow(fact, False)])
            await tx.put_claims([(teller.slot(told), teller.claim(told, "e0"))])
            await tx.put_periods([teller.period(told, tx.instant)])
            await tx.put_identities(_one(teller, "Sherlock Holmes", "Holmes"))
            return await tx.facts([fact.id])

        within = (await store.write(tenant, work))[fact.id]
        [read] = await teller.beliefs(teller.at(known=await store.last_commit(tenant)))
        assert within == read.fact
        assert read.fact.subject == Entity(teller.entity("Holmes"), "Holmes")
        assert await store.find_entities(teller.at(), ["Holmes"]) == {}

    async def test_who_is_mentioned_no_more_reads_as_last_called(self, store: Store, tenant: str) -> None:
        teller = Teller(store, tenant)
        told, id_ = Told("Ann", "KNOWS", "Watson"), teller.entity("Ann")
        for before, after in (("", "Ann"), ("Ann", "Annie"), ("Annie", "")):
            moves = [Sighting(id_, name, "Person", n) for name, n in ((before, -1), (after, 1)) if name]
            await store.write(tenant, partial(_sight, moves))
        fact = teller.fact(told)

        async def work(tx: Transaction) -> None:
            await tx.put_episode(teller.episode("e0"), None)
            await tx.put_facts([FactRow(fact, False)])
            await tx.put_claims([(teller.slot(told), teller.claim(told, "e0"))])
            await tx.put_periods([teller.period(told, tx.instant)])

        await store.write(tenant, work)
        [read] = await teller.beliefs(teller.at(known=await store.last_commit(tenant)))
        assert read.fact.subject == Entity(id_, "Annie", "Person")
