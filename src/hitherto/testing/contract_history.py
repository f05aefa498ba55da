"""The contract of the two instants: nothing is overwritten, and a view is a value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ..kg.model import Episode, EpisodeStatus
from ..kg.store import EpisodeFilter, FactFilter, Page, Point, Sighting, Store, Target, Transaction
from ..kg.text import cut
from .telling import START, Snapshot, Teller, Told, day, examples, fresh, vector_of

TICK = timedelta(microseconds=1)


_told = [
    Told("Ann", "LIKES", "tea", 0),
    Told("Ann", "LIKES", "coffee", 3, 9),
    Told("Bob", "LIKES", "tea", 5),
    Told("Annie", "MET", "Bob", 2, 3, is_event=True),
]
_episodes = st.sampled_from(["e0", "e1", "e2"])
_steps: st.SearchStrategy[list[tuple[str, str | int, list[Told]]]] = st.lists(
    st.tuples(st.just("tell"), _episodes, st.lists(st.sampled_from(_told), min_size=1, max_size=3, unique=True))
    | st.tuples(st.just("retract"), _episodes, st.just([]))
    | st.tuples(st.just("supersede"), st.integers(0, 5), st.just([]))
    | st.tuples(st.just("rename"), st.sampled_from(["Ann", "Annie", "Bob", "ann"]), st.just([])),
    min_size=2,
    max_size=9,
)


class HistoryContract:
    @examples(25)
    @given(steps=_steps)
    async def test_a_view_is_a_value(
        self, store: Store, tenant: str, steps: Sequence[tuple[str, str | int, Sequence[Told]]]
    ) -> None:
        """Whatever is written later, reads as known at an instant give what they gave then."""
        teller = Teller(store, f"{tenant} {next(fresh)}")
        views: list[tuple[Point, Snapshot]] = []
        for kind, which, told in steps:
            instant = await _step(teller, kind, which, told)
            for valid in (None, day(4)):
                point = teller.at(valid, instant)
                views.append((point, await Snapshot.of(store, point)))
        for point, then in views:
            assert await Snapshot.of(store, point) == then

    async def test_what_was_believed_when(self, store: Store, tenant: str) -> None:
        """Superseded, and believed again: each stretch of transaction time shows its own belief."""
        teller = Teller(store, tenant)
        told = Told("Ann", "LIKES", "tea", 0)
        first = await teller.tell("e1", told)
        (belief,) = await teller.beliefs()
        second = await teller.supersede([belief.id])
        third = await teller.tell("e2", told)
        shown = {
            known: await teller.texts(teller.at(None, known))
            for known in (first - TICK, first, second - TICK, second, third - TICK, third)
        }
        assert [len(texts) for texts in shown.values()] == [0, 1, 1, 0, 0, 1]
        ever = await teller.beliefs()
        assert [(b.ingested_at, b.superseded_at) for b in ever] == [(first, second), (third, None)]
        (then,) = await teller.beliefs(teller.at(None, first))
        assert (then.ingested_at, then.superseded_at) == (first, None)
        assert [claim.episode_id for claim in then.evidence] == ["e1"]

    async def test_superseding_twice_keeps_the_first_instant(self, store: Store, tenant: str) -> None:
        teller = Teller(store, tenant)
        await teller.tell("e1", Told("Ann", "LIKES", "tea"))
        (belief,) = await teller.beliefs()
        first = await teller.supersede([belief.id])
        await teller.supersede([belief.id])
        (belief,) = await teller.beliefs()
        assert belief.superseded_at == first

    async def test_valid_time_is_half_open(self, store: Store, tenant: str) -> None:
        teller = Teller(store, tenant)
        known = await teller.tell(
            "e1",
            Told("Ann", "LIKES", "tea", 2, 5),
            Told("Ann", "LIKES", "rain", None, 5),
            Told("Ann", "LIKES", "snow", 5, None),
            Told("Ann", "LIKES", "wind", None, None),
        )
        shown = {
            "before": await teller.texts(teller.at(day(2) - TICK, known)),
            "from": await teller.texts(teller.at(day(2), known)),
            "last": await teller.texts(teller.at(day(5) - TICK, known)),
            "to": await teller.texts(teller.at(day(5), known)),
        }
        things = {when: sorted(text.split()[-1] for text in texts) for when, texts in shown.items()}
        assert things == {
            "before": ["rain", "wind"],
            "from": ["rain", "tea", "wind"],
            "last": ["rain", "tea", "wind"],
            "to": ["snow", "wind"],
        }

    async def test_events_show_from_when_they_happened(self, store: Store, tenant: str) -> None:
        teller = Teller(store, tenant)
        met = Told("Ann", "MET", "Bob", 4, 5, is_event=True)
        known = await teller.tell("e1", met)
        for valid, shows in ((day(4) - TICK, False), (day(4), True), (day(5), True), (day(9000), True)):
            point = teller.at(valid, known)
            assert bool(await teller.beliefs(point)) is shows
            assert bool(await store.match_text(point, cut("met"), Target.FACT, 5)) is shows
            assert bool(await store.nearest(point, vector_of("x"), Target.FACT, 5)) is shows
        (belief,) = await teller.beliefs()
        assert belief.is_event
        assert belief.valid_to is not None
        assert belief.valid_to.at == day(5)

    async def test_every_stretch_in_which_an_episode_was_known(self, store: Store, tenant: str) -> None:
        teller = Teller(store, tenant)
        told = Told("Ann", "LIKES", "tea", 0)
        stretches = []
        come = await teller.tell("e1", told)
        for _ in range(2):
            gone = await teller.retract("e1")
            stretches.append((come, gone))
            come = await teller.reinstate("e1", told)
        for start, end in stretches:
            for known, seen in ((start - TICK, False), (start, True), (end - TICK, True), (end, False)):
                point = teller.at(None, known)
                found = (await store.episodes(point, EpisodeFilter(), Page())).items
                assert [e.status for e in found] == [EpisodeStatus.DONE] * seen
                assert [len(b.evidence) for b in await teller.beliefs(point)] == [1] * seen
                assert bool(await store.match_text(point, cut("e1"), Target.EPISODE, 5)) is seen
                assert bool(await store.nearest(point, vector_of("x"), Target.EPISODE, 5)) is seen
                assert bool(await store.recent_episodes(point, None, day(1), 5)) is seen
                assert len((await store.episode_claims(point, ["e1"])).get("e1", ())) == seen
                said = await teller.beliefs(point, FactFilter(episode_ids=["e1"]))
                assert bool(said) is seen
        (now,) = (await store.episodes(teller.at(None, come), EpisodeFilter(), Page())).items
        assert now.ingested_at == stretches[0][0]
        ever = (await store.episode_claims(teller.at(), ["e1"]))["e1"]
        assert {(c.recorded_at, c.retracted_at) for c in ever} == {*stretches, (come, None)}
        assert len(ever) == 3

    async def test_the_claims_of_episodes_believed_or_not(self, store: Store, tenant: str) -> None:
        teller = Teller(store, tenant)
        await Teller(store, f"{tenant} other").tell("e1", Told("Eve", "LIKES", "tea"))
        await teller.tell("e1", Told("Ann", "LIKES", "tea", 3), Told("Ann", "LIKES", "rain", 1))
        await teller.tell("e2", Told("Bob", "LIKES", "tea", 2))
        known = await teller.supersede([b.id for b in await teller.beliefs()])
        assert await teller.texts(teller.at(None, known)) == []
        found = await store.episode_claims(teller.at(None, known), ["e1", "e2", "e3"])
        said = {id_: [c.quote for c in claims] for id_, claims in found.items() if claims}
        assert said == {"e1": ["Ann likes rain", "Ann likes tea"], "e2": ["Bob likes tea"]}
        assert await store.episode_claims(teller.at(None, known), []) == {}

    async def test_a_retracted_episode_shows_only_where_everything_does(self, store: Store, tenant: str) -> None:
        teller = Teller(store, tenant)
        await teller.tell("e1", Told("Ann", "LIKES", "tea"))
        gone = await teller.retract("e1")

        async def found(known: datetime | None, status: EpisodeStatus | None) -> list[EpisodeStatus]:
            where = EpisodeFilter(status=status)
            return [e.status for e in (await store.episodes(teller.at(None, known), where, Page())).items]

        assert await found(gone, None) == []
        assert await found(gone, EpisodeStatus.RETRACTED) == []
        assert await found(gone - TICK, EpisodeStatus.DONE) == [EpisodeStatus.DONE]
        assert await found(None, None) == [EpisodeStatus.RETRACTED]
        assert await found(None, EpisodeStatus.RETRACTED) == [EpisodeStatus.RETRACTED]
        assert await found(None, EpisodeStatus.DONE) == []
        assert await found(None, EpisodeStatus.PENDING) == []

    async def test_pending_is_part_of_what_was_known(self, store: Store, tenant: str) -> None:
        teller = Teller(store, tenant)
        pending = replace(teller.episode("e1"), status=EpisodeStatus.PENDING)
        done = replace(pending, status=EpisodeStatus.DONE)
        instants = []
        for episode in (pending, done):

            async def work(tx: Transaction, episode: Episode = episode) -> datetime:
                await tx.put_episode(episode, None)
                return tx.instant

            instants.append(await store.write(tenant, work))
            status = await store.status(tenant)
            assert (status.episodes, status.pending) == (1, int(episode is pending))
        for status_, expected in ((EpisodeStatus.PENDING, [True, False]), (EpisodeStatus.DONE, [False, True])):
            shown = [
                (await store.episodes(teller.at(None, known), EpisodeFilter(status=status_), Page())).items
                for known in instants
            ]
            assert [bool(items) for items in shown] == expected
            assert all(e.status is status_ for items in shown for e in items)
        assert not (await store.episodes(teller.at(), EpisodeFilter(status=EpisodeStatus.PENDING), Page())).items

    async def test_names_as_they_were(self, store: Store, tenant: str) -> None:
        """A belief names its entities as they were called then."""
        teller = Teller(store, tenant)
        known = [await teller.tell("e1", Told("Ann", "LIKES", "tea"))]
        ann = teller.entity("Ann")
        for name, n in (("Dr. Ann", 2), ("Ann", 2), ("Dr. Ann", -2)):
            sighting = Sighting(ann, name, "Person", n)

            async def work(tx: Transaction, sighting: Sighting = sighting) -> datetime:
                await tx.put_sightings([sighting])
                return tx.instant

            known.append(await store.write(tenant, work))
        called = [(await store.entities(teller.at(None, k), [ann]))[ann] for k in known]
        assert [(e.name, e.aliases) for e in called] == [
            ("Ann", ()), ("Dr. Ann", ("Ann",)), ("Ann", ("Dr. Ann",)), ("Ann", ()),
        ]  # fmt: skip
        for instant, entity in zip(known, called, strict=True):
            (belief,) = await teller.beliefs(teller.at(None, instant))
            assert belief.fact.subject == entity
            found = await store.find_entities(teller.at(None, instant), ["dr. ann"])
            assert found.get("dr. ann", []) == ([entity] if "Dr. Ann" in (entity.name, *entity.aliases) else [])

    async def test_an_entity_nobody_mentions_any_more(self, store: Store, tenant: str) -> None:
        teller = Teller(store, tenant)
        known = await teller.tell("e1", Told("Ann", "LIKES", "tea"))
        gone = await teller.retract("e1")
        ann = teller.entity("Ann")
        assert (await store.entities(teller.at(None, known), [ann]))[ann].kind == "Person"
        assert not await store.entities(teller.at(None, gone), [ann])
        assert not await store.find_entities(teller.at(None, gone), ["Ann"])
        assert not await store.match_text(teller.at(None, gone), ["ann"], Target.ENTITY, 5)
        assert not await store.nearest(teller.at(None, gone), vector_of("Ann"), Target.ENTITY, 5)
        (belief,) = await teller.beliefs()
        assert (belief.fact.subject.name, belief.fact.subject.kind) == ("Ann", "Person")
        assert (await store.status(tenant)).entities == 0

    async def test_evidence_is_what_was_known(self, store: Store, tenant: str) -> None:
        teller = Teller(store, tenant)
        told = Told("Ann", "LIKES", "tea")
        await teller.tell("e1", told)

        async def again(tx: Transaction) -> datetime:
            await tx.put_episode(teller.episode("e2"), None)
            await tx.put_claims([(teller.slot(told), teller.claim(told, "e2"))])
            return tx.instant

        second = await store.write(tenant, again)

        async def without(tx: Transaction) -> datetime:
            await tx.retract_claims([teller.claim(told, "e2").id])
            return tx.instant

        third = await store.write(tenant, without)
        shown = []
        for known in (second - TICK, second, third, None):
            (belief,) = await teller.beliefs(teller.at(None, known))
            shown.append(sorted((claim.episode_id, claim.retracted_at) for claim in belief.evidence))
        assert shown == [
            [("e1", None)],
            [("e1", None), ("e2", None)],
            [("e1", None)],
            [("e1", None), ("e2", third)],
        ]

    async def test_claims_taken_back_and_put_again_at_once(self, store: Store, tenant: str) -> None:
        """Reading an episode again replaces its claims in one transaction; those that stay were always known."""
        teller = Teller(store, tenant)
        told = Told("Ann", "LIKES", "tea")
        first = await teller.tell("e1", told)
        claim = teller.claim(told, "e1")

        async def again(tx: Transaction) -> None:
            await tx.retract_claims([claim.id])
            await tx.put_claims([(teller.slot(told), claim)])

        await store.write(tenant, again)
        (belief,) = await teller.beliefs()
        assert belief.evidence == (replace(claim, recorded_at=first),)

    @pytest.mark.parametrize("target", list(Target))
    async def test_scores_of_a_view_stay(self, store: Store, tenant: str, target: Target) -> None:
        """A view's BM25 comes from the texts known then, so later ones do not move it."""
        teller = Teller(store, tenant)
        known = await teller.tell("e1", Told("Ann tea", "LIKES", "tea"), Told("Bob", "LIKES", "rain"), text="tea")
        point = teller.at(None, known)
        before = await store.match_text(point, ["tea", "rain"], target, 9)
        assert before
        for n in range(5):
            await teller.tell(f"more {n}", Told(f"tea {n}", "LIKES", f"rain {n}"), text="tea tea rain")
        assert await store.match_text(point, ["tea", "rain"], target, 9) == before
        now = await store.match_text(teller.at(None, await store.last_commit(tenant)), ["tea", "rain"], target, 9)
        assert [m for m in now if m in before] != before


async def _step(teller: Teller, kind: str, which: str | int, told: Sequence[Told]) -> datetime:
    if kind == "supersede":
        beliefs = await teller.beliefs()
        return await teller.supersede([b.id for b in beliefs[int(which) : int(which) + 1]])
    name = str(which)
    if kind == "rename":
        ann = teller.entity("Ann")

        async def rename(tx: Transaction) -> datetime:
            await tx.put_sightings([Sighting(ann, name, "Person", 1)])
            await tx.put_entity_vectors({ann: vector_of("Ann")})
            return tx.instant

        return await teller.store.write(teller.tenant, rename)
    stored = (await teller.store.episodes(teller.at(), EpisodeFilter(ids=[name]), Page())).items
    live = bool(stored) and stored[0].status is not EpisodeStatus.RETRACTED
    if kind == "retract" and live:
        return await teller.retract(name)
    if kind == "tell" and not live:
        return await (teller.reinstate(name, *told) if stored else teller.tell(name, *told))
    return await teller.store.last_commit(teller.tenant) or START
