"""The contract of ``Store.write`` and the ``Transaction`` verbs."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ..kg.model import Claim, Episode, EpisodeStatus, Format, Json, Modality, Role, Turn, Value
from ..kg.passages import passage, place_of
from ..kg.store import EpisodeFilter, FactRow, Page, Point, Sighting, Store, Target, Transaction
from ..temporal.claims import Says
from ..temporal.errors import Fault, HithertoError, Invalid
from ..temporal.grains import Basis, Bound, Grain
from .telling import START, SetClock, Teller, Told, day, examples, fresh

# Every character but lone surrogates, which are no text.
_text = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40)
_json = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False) | _text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_text, inner, max_size=3),
    max_leaves=8,
)
_moments = st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30)).map(lambda d: d.replace(tzinfo=START.tzinfo))
_bounds = st.none() | st.builds(
    Bound, _moments, st.sampled_from(Grain), st.none() | _moments, st.sampled_from(Basis)
)


class WriteContract:
    async def test_an_episode_comes_back_as_it_was_put(self, store: Store, tenant: str) -> None:
        episode = Episode(
            id="e:1 'q' \"z\"",
            text="héllo\n世界 🙂",
            occurred_at=day(3) + timedelta(microseconds=7),
            turns=(Turn(0, 5, day(3), Role.USER, "liang"), Turn(5, 9, day(4), Role.ASSISTANT, None)),
            format=Format.FACTS,
            source="crm",
            actor="crm:4711",
            session="call-17",
            metadata={"a": [1, 2.5, None, {"b": "ü"}]},
        )
        instant = await store.write(tenant, _putting(episode))
        stored = replace(episode, ingested_at=instant)
        found = await store.episodes(Point(tenant, known=instant), EpisodeFilter(), Page())
        assert found.items == (stored,)

        async def read(tx: Transaction) -> Mapping[str, Episode]:
            return await tx.episodes([episode.id, "other"])

        assert await store.write(tenant, read) == {episode.id: stored}

    async def test_passages_are_shown_by_their_ids_only(self, store: Store, tenant: str) -> None:
        text = "one two"
        turns = (Turn(0, len(text), day(3), Role.USER, "liang"),)
        whole = Episode(
            id="d", text=text, occurred_at=day(3), turns=turns, format=Format.DOCUMENT, actor="liang",
            status=EpisodeStatus.DONE,
        )  # fmt: skip
        part = passage(tenant, whole, 4, 7)
        await store.write(tenant, _putting(whole))
        instant = await store.write(tenant, _putting(part))
        point = Point(tenant, known=instant)
        for where in (EpisodeFilter(), EpisodeFilter(actor="liang"), EpisodeFilter(status=EpisodeStatus.DONE)):
            assert [e.id for e in (await store.episodes(point, where, Page())).items] == ["d"]
        (shown,) = (await store.episodes(point, EpisodeFilter(ids=[part.id]), Page())).items
        assert (shown.text, place_of(shown)) == ("two", ("d", 4))
        assert [e.id for e in await store.recent_episodes(point, None, day(9), 5)] == ["d"]
        assert (await store.status(tenant)).episodes == 1
        found = await store.match_text(point, ["one", "two"], Target.EPISODE, 5)
        assert [match.id for match in found] == [part.id]
        missing = await store.unembedded(tenant, Target.EPISODE, "", 5)
        assert [id_ for id_, _ in missing] == [part.id]

    @examples(40)
    @given(text=_text, actor=st.none() | _text, metadata=st.dictionaries(_text, _json, max_size=3), at=_moments)
    async def test_any_text_and_metadata_survives(
        self, store: Store, tenant: str, text: str, actor: str | None, metadata: dict[str, Json], at: datetime
    ) -> None:
        tenant = f"{tenant} {next(fresh)}"
        turns = (Turn(0, len(text), at, actor=actor),)
        episode = Episode(
            id="e", text=text, occurred_at=at, turns=turns, actor=actor, session=actor, metadata=metadata
        )
        instant = await store.write(tenant, _putting(episode))
        found = await store.episodes(Point(tenant, known=instant), EpisodeFilter(session=actor), Page())
        assert found.items == (replace(episode, ingested_at=instant),)

    @examples(40)
    @given(bounds=st.tuples(_bounds, _bounds), says=st.sampled_from(Says), modality=st.sampled_from(Modality))
    async def test_claims_and_periods_keep_grain_and_basis(
        self, store: Store, tenant: str, bounds: tuple[Bound | None, Bound | None], says: Says, modality: Modality
    ) -> None:
        teller = Teller(store, f"{tenant} {next(fresh)}")
        told = Told("Ann", "LIKES", Value("Tea"))
        claim = replace(
            teller.claim(told, "e"), says=says, modality=modality, valid_from=bounds[0], valid_to=bounds[1],
            authority=-3, confidence=0.123456789, position=7, extractor="x", object=Value("tea"),
        )  # fmt: skip

        async def work(tx: Transaction) -> datetime:
            await tx.put_episode(teller.episode("e"), None)
            await tx.put_facts([FactRow(teller.fact(told), False)])
            await tx.put_claims([("slot", claim)])
            period = replace(
                teller.period(told, tx.instant), valid_from=bounds[0], valid_to=bounds[1], slot="slot"
            )
            await tx.put_periods([period])
            assert await tx.slot_periods(["slot", "none"]) == {"slot": [period]}
            return tx.instant

        instant = await store.write(teller.tenant, work)
        (belief,) = await teller.beliefs()
        assert (belief.valid_from, belief.valid_to, belief.ingested_at) == (*bounds, instant)
        assert belief.evidence == (replace(claim, recorded_at=instant),)

    async def test_a_failing_write_leaves_nothing(self, store: Store, tenant: str) -> None:
        teller = Teller(store, tenant)
        first = await teller.tell("e1", Told("Ann", "LIKES", "Tea"))

        async def work(tx: Transaction) -> None:
            await tx.put_episode(teller.episode("e2"), None)
            await teller.put(tx, "e2", [Told("Bob", "LIKES", "Tea")])
            assert await tx.episodes(["e2"])
            raise LookupError("on purpose")

        with pytest.raises(LookupError, match="on purpose"):
            await store.write(tenant, work)
        await self._only_ann(teller, first)

    async def test_a_cancelled_write_leaves_nothing(self, store: Store, tenant: str) -> None:
        teller = Teller(store, tenant)
        first = await teller.tell("e1", Told("Ann", "LIKES", "Tea"))
        begun = asyncio.Event()

        async def work(tx: Transaction) -> None:
            await tx.put_episode(teller.episode("e2"), None)
            await tx.episodes(["e2"])
            begun.set()
            await asyncio.Event().wait()

        task = asyncio.create_task(store.write(tenant, work))
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await self._only_ann(teller, first)
        assert await teller.tell("e3", Told("Cy", "LIKES", "Tea")) > first

    async def _only_ann(self, teller: Teller, first: datetime) -> None:
        assert await teller.store.last_commit(teller.tenant) == first
        assert await teller.texts() == ["Ann likes Tea"]
        found = await teller.store.episodes(teller.at(), EpisodeFilter(), Page())
        assert [episode.id for episode in found.items] == ["e1"]
        assert not await teller.store.find_entities(teller.at(), ["Bob"])

    async def test_writing_nothing_takes_no_instant(self, store: Store, tenant: str) -> None:
        teller = Teller(store, tenant)

        async def read(tx: Transaction) -> int:
            return len(await tx.episodes(["e1"]))

        assert await store.write(tenant, read) == 0
        assert await store.last_commit(tenant) is None
        told = Told("Ann", "LIKES", "Tea")
        first = await teller.tell("e1", told)

        async def again(tx: Transaction) -> None:
            await tx.put_episode(teller.episode("e1"), None)
            await tx.put_facts([FactRow(teller.fact(told), False)])
            await tx.put_claims([(teller.slot(told), teller.claim(told, "e1"))])

        await store.write(tenant, again)
        assert await store.last_commit(tenant) == first

    async def test_time_is_the_clocks_and_strictly_increases_when_it_steps_back(
        self, store: Store, tenant: str, clock: SetClock
    ) -> None:
        clock.step = timedelta(0)
        instants = []
        for step, now in enumerate([day(800), day(800), day(10), day(801)]):
            clock.now = now
            instants.append(await store.write(tenant, _putting(Teller(store, tenant).episode(f"e{step}"))))
            assert await store.last_commit(tenant) == instants[-1]
        tick = timedelta(microseconds=1)
        assert instants == [day(800), day(800) + tick, day(800) + 2 * tick, day(801)]

    async def test_each_tenant_has_its_own_time(self, store: Store, tenant: str, clock: SetClock) -> None:
        clock.now, clock.step = day(500), timedelta(0)
        one, other = tenant + " one", tenant + " other"
        assert await store.write(one, _putting(Teller(store, one).episode("e"))) == day(500)
        assert await store.write(other, _putting(Teller(store, other).episode("e"))) == day(500)

    async def test_verbs_see_what_the_transaction_wrote(self, store: Store, tenant: str) -> None:
        teller = Teller(store, tenant)
        told = Told("Ann", "LIKES", "Tea")

        async def work(tx: Transaction) -> None:
            assert tx.tenant == tenant
            await tx.put_episode(teller.episode("e"), None)
            await teller.put(tx, "e", [told])
            claim = replace(teller.claim(told, "e"), recorded_at=tx.instant)
            assert await tx.slot_claims([teller.slot(told)]) == {teller.slot(told): [claim]}
            assert await tx.claims_of("e") == [(teller.slot(told), claim)]
            named = await tx.entities([teller.entity("Ann"), teller.entity("Bob")])
            assert {id_: (e.name, e.kind) for id_, e in named.items()} == {teller.entity("Ann"): ("Ann", "Person")}
            facts = await tx.facts([claim.fact])
            assert facts[claim.fact].subject.kind == "Person"
            period = teller.period(told, tx.instant)
            await tx.put_periods([period])
            assert await tx.slot_periods([period.slot]) == {period.slot: [period]}
            await tx.supersede([period.id])
            assert not await tx.slot_periods([period.slot])
            await tx.retract_claims([claim.id])
            assert not await tx.slot_claims([teller.slot(told)])
            assert await tx.claims_of("e") == [(teller.slot(told), replace(claim, retracted_at=tx.instant))]
            await tx.put_claims([(teller.slot(told), claim)])
            assert await tx.slot_claims([teller.slot(told)]) == {teller.slot(told): [claim]}

        await store.write(tenant, work)

    async def test_first_put_facts_stay_and_missing_vectors_are_filled(self, store: Store, tenant: str) -> None:
        teller = Teller(store, tenant)
        told = Told("Ann", "LIKES", "Tea")
        await teller.tell("e1", told)

        async def work(tx: Transaction) -> str:
            fact = replace(teller.fact(told), text="something else")
            await tx.put_facts([FactRow(fact, True), FactRow(fact, True)])
            return (await tx.facts([fact.id]))[fact.id].text

        assert await store.write(tenant, work) == "Ann likes Tea"

    async def test_claims_put_again_stay_as_they_are(self, store: Store, tenant: str) -> None:
        teller = Teller(store, tenant)
        told = Told("Ann", "LIKES", "Tea")
        first = await teller.tell("e1", told)

        async def work(tx: Transaction) -> list[tuple[str, Claim]]:
            await tx.put_claims([(teller.slot(told), teller.claim(told, "e1"))] * 2)
            return await tx.claims_of("e1")

        ((_, claim),) = await store.write(tenant, work)
        assert claim.recorded_at == first

    async def test_a_transaction_ends_with_its_write(self, store: Store, tenant: str) -> None:
        kept: list[Transaction] = []

        async def work(tx: Transaction) -> None:
            kept.append(tx)

        await store.write(tenant, work)
        with pytest.raises(Fault):
            await kept[0].put_episode(Teller(store, tenant).episode("late"), None)
        with pytest.raises(Fault):
            await kept[0].episodes(["late"])

    async def test_many_claims_in_one_transaction(self, store: Store, tenant: str) -> None:
        teller = Teller(store, tenant)
        told = [Told(f"person {i % 50}", "KNOWS", f"thing {i}", i % 90) for i in range(2000)]
        instant = await teller.tell("table", *told)
        assert len(await teller.beliefs(teller.at(None, instant))) == 2000
        status = await store.status(tenant)
        assert (status.facts, status.beliefs, status.entities, status.episodes) == (2000, 2000, 2050, 1)

    async def test_many_tasks_write_at_once(self, store: Store, tenant: str) -> None:
        tellers = [Teller(store, f"{tenant} {n}") for n in range(3)]
        instants = await asyncio.gather(
            *(teller.tell(f"e{n}", Told("Ann", "KNOWS", f"p{n}", n)) for n in range(20) for teller in tellers)
        )
        for place, teller in enumerate(tellers):
            mine = sorted(instants[place::3])
            assert all(a < b for a, b in pairwise(mine))
            assert await store.last_commit(teller.tenant) == mine[-1]
            assert await teller.texts() == [f"Ann knows p{n}" for n in range(20)]
            assert len((await teller.store.find_entities(teller.at(), ["ann"]))["ann"]) == 1

    async def test_reads_go_on_while_a_write_is_open(self, store: Store, tenant: str) -> None:
        teller = Teller(store, tenant)
        await teller.tell("e1", Told("Ann", "LIKES", "Tea"))
        begun, seen = asyncio.Event(), asyncio.Event()

        async def work(tx: Transaction) -> None:
            await teller.put(tx, "e1", [Told("Bob", "LIKES", "Tea")])
            await tx.put_periods([teller.period(Told("Bob", "LIKES", "Tea"), tx.instant)])
            await tx.facts([])
            begun.set()
            await asyncio.wait([asyncio.create_task(seen.wait())], timeout=0.05)

        writing = asyncio.create_task(store.write(tenant, work))
        await begun.wait()
        reading = asyncio.create_task(teller.texts())
        await asyncio.wait([reading], timeout=0.02)
        early = reading.done()
        seen.set()
        await writing
        # A store may let the read wait; what it must not do is show half a write.
        assert await reading == ["Ann likes Tea"] if early else len(await reading) in (1, 2)
        assert sorted(await teller.texts()) == ["Ann likes Tea", "Bob likes Tea"]

    @pytest.mark.parametrize("bad", ["tenant", "text"])
    async def test_what_is_no_text_is_refused_whole(self, store: Store, tenant: str, bad: str) -> None:
        broken = "half of a pair: \ud83d"
        teller = Teller(store, broken if bad == "tenant" else tenant)
        with pytest.raises(Invalid):
            await store.write(teller.tenant, _putting(teller.episode("e", broken if bad == "text" else "")))
        assert await store.last_commit(tenant) is None

    async def test_a_tenant_must_have_a_name(self, store: Store) -> None:
        with pytest.raises(Invalid):
            await store.write("", _putting(Teller(store, "x").episode("e")))

    async def test_claims_need_their_facts(self, store: Store, tenant: str) -> None:
        teller = Teller(store, tenant)
        told = Told("Ann", "LIKES", "Tea")

        async def work(tx: Transaction) -> None:
            await tx.put_episode(teller.episode("e"), None)
            await tx.put_claims([(teller.slot(told), teller.claim(told, "e"))])

        with pytest.raises(HithertoError):
            await store.write(tenant, work)
        assert await store.last_commit(tenant) is None

    @examples(40)
    @given(st.data())
    async def test_entities_do_not_depend_on_the_order_of_mentions(
        self, store: Store, tenant: str, data: st.DataObject
    ) -> None:
        mention = st.builds(
            Sighting,
            st.just("x"),
            st.sampled_from(["Al", "al", "Alice", "爱丽丝"]),
            st.sampled_from(["Thing", "Person", "Cat"]),
            st.integers(1, 3),
        )
        mentions = data.draw(st.lists(mention, min_size=1, max_size=8))
        shuffled = data.draw(st.permutations(mentions))
        extra = data.draw(mention)
        undone = [*shuffled, extra, replace(extra, count=-extra.count)]
        described = []
        for batches in ([mentions], [[one] for one in undone]):
            mine = f"{tenant} {next(fresh)}"
            for batch in batches:
                await store.write(mine, partial(_sighting, batch))
            described.append(await store.entities(Point(mine, known=await store.last_commit(mine)), ["x"]))
        assert described[0] == described[1]
        assert described[0]["x"].name in {one.name for one in mentions}


async def _sighting(batch: list[Sighting], tx: Transaction) -> None:
    await tx.put_sightings(batch)


def _putting(episode: Episode) -> Callable[[Transaction], Awaitable[datetime]]:
    async def work(tx: Transaction) -> datetime:
        await tx.put_episode(episode, None)
        return tx.instant

    return work
