"""The contract of structured reads: filters, orders, pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ..kg.ids import entity_key, value_key
from ..kg.model import Belief, Episode, EpisodeStatus, Value
from ..kg.store import EpisodeFilter, FactFilter, Page, Point, Sighting, Store, Transaction
from ..temporal.errors import Invalid
from .telling import EVERYTHING, Teller, Told, day, examples, fresh

_WORLD = {
    "e1": [Told("Ann", "LIKES", "tea", 0), Told("Ann", "KNOWS", "Bob", 2)],
    "e2": [Told("Bob", "LIKES", "tea", 1, 8), Told("Bob", "AGED", Value("forty  Two"), None)],
    "e3": [Told("tea", "KIND_OF", "drink", 4), Told("Cy", "LIKES", "Ann", 3)],
}


async def _world(store: Store, tenant: str) -> Teller:
    teller = Teller(store, tenant)
    for n, (episode, told) in enumerate(_WORLD.items()):
        await teller.tell(episode, *told, n=n)
    return teller


class ReadContract:
    async def test_beliefs_come_in_order(self, store: Store, tenant: str) -> None:
        """By beginning, unknown first; then by when they were learned, then by id."""
        teller = await _world(store, tenant)
        await teller.tell("e4", Told("Dee", "LIKES", "tea", 0), Told("Eve", "LIKES", "tea", 0))
        beliefs = await teller.beliefs()
        assert [b.fact.text for b in beliefs][:2] == ["Bob aged forty  Two", "Ann likes tea"]
        keys = [(b.valid_from.at if b.valid_from else datetime.min, b.ingested_at, b.id) for b in beliefs]
        keys = [(at.replace(tzinfo=None), ingested, id_) for at, ingested, id_ in keys]
        assert keys == sorted(keys)

    async def test_each_filter(self, store: Store, tenant: str) -> None:
        teller = await _world(store, tenant)
        ann, bob, tea = (teller.entity(name) for name in ("Ann", "Bob", "tea"))
        likes = teller.fact(_WORLD["e1"][0])
        by_text = {b.fact.text: b for b in await teller.beliefs()}
        expected: list[tuple[FactFilter, set[str]]] = [
            (FactFilter(), set(by_text)),
            (FactFilter(fact_ids=[likes.id, "none"]), {"Ann likes tea"}),
            (FactFilter(period_ids=[by_text["Cy likes Ann"].id]), {"Cy likes Ann"}),
            (FactFilter(subject_ids=[ann]), {"Ann likes tea", "Ann knows Bob"}),
            (FactFilter(predicates=["KNOWS", "KIND_OF"]), {"Ann knows Bob", "tea kind of drink"}),
            (FactFilter(object_keys=[entity_key(bob)]), {"Ann knows Bob"}),
            (FactFilter(object_keys=[value_key("Forty two")]), {"Bob aged forty  Two"}),
            (FactFilter(touching=[ann]), {"Ann likes tea", "Ann knows Bob", "Cy likes Ann"}),
            (FactFilter(touching=[tea]), {"Ann likes tea", "Bob likes tea", "tea kind of drink"}),
            (FactFilter(episode_ids=["e2"]), {"Bob likes tea", "Bob aged forty  Two"}),
            (FactFilter(episode_ids=["e1", "e3"], touching=[tea]), {"Ann likes tea", "tea kind of drink"}),
            (FactFilter(subject_ids=[ann], predicates=["LIKES"]), {"Ann likes tea"}),
            (FactFilter(subject_ids=[ann], object_keys=[entity_key(tea)]), {"Ann likes tea"}),
            (FactFilter(fact_ids=[likes.id], predicates=["KNOWS"]), set()),
            (FactFilter(period_ids=[by_text["Cy likes Ann"].id], touching=[bob]), set()),
            (FactFilter(fact_ids=[]), set()),
            (FactFilter(subject_ids=[], predicates=["LIKES"]), set()),
            (FactFilter(touching=["nobody"]), set()),
        ]
        for where, texts in expected:
            found = await teller.texts(where=where)
            assert (sorted(found), where) == (sorted(texts), where)
            then = await teller.texts(teller.at(day(9), await store.last_commit(tenant)), where)
            assert (sorted(then), where) == (sorted(texts - {"Bob likes tea"}), where)

    async def test_thousands_of_ids_in_one_filter(self, store: Store, tenant: str) -> None:
        teller = await _world(store, tenant)
        many = [f"none {n}" for n in range(5000)]
        assert await teller.texts(where=FactFilter(touching=[*many, teller.entity("Cy")])) == ["Cy likes Ann"]
        likes = teller.fact(_WORLD["e1"][0])
        assert await teller.texts(where=FactFilter(fact_ids=[*many, likes.id])) == ["Ann likes tea"]

    @examples(20)
    @given(starts=st.lists(st.none() | st.integers(0, 4), max_size=12), limit=st.integers(1, 5))
    async def test_pages_join_to_the_whole(
        self, store: Store, tenant: str, starts: Sequence[int | None], limit: int
    ) -> None:
        """Also when more is written meanwhile, as known at one instant."""
        teller = Teller(store, f"{tenant} {next(fresh)}")
        told = [Told("Ann", "KNOWS", f"p{n}", start) for n, start in enumerate(starts)]
        point = teller.at(None, await teller.tell("e", *told))
        for where in (FactFilter(), FactFilter(subject_ids=[teller.entity("Ann")])):
            whole = await teller.beliefs(point, where)
            items: list[Belief] = []
            cursor = None
            for turn in range(len(told) + 1):
                found = await store.beliefs(point, where, Page(limit, cursor))
                assert len(found.items) <= limit
                items += found.items
                cursor = found.cursor
                if cursor is None:
                    break
                await teller.tell(f"more {where is not None} {next(fresh)}", Told("Ann", "KNOWS", f"q{turn}", 2))
            assert tuple(items) == whole
            assert len(whole) == len(told)

    @pytest.mark.parametrize("cursor", ["", "x", "!", "bm9uZQ==", "W10=", "WzEsMl0="])
    async def test_a_cursor_of_another_list_is_refused(self, store: Store, tenant: str, cursor: str) -> None:
        await _world(store, tenant)
        with pytest.raises(Invalid):
            await store.beliefs(Point(tenant), FactFilter(), Page(5, cursor))
        with pytest.raises(Invalid):
            await store.episodes(Point(tenant), EpisodeFilter(), Page(5, cursor))

    @pytest.mark.parametrize("limit", [0, -1])
    async def test_an_empty_page_is_refused(self, store: Store, tenant: str, limit: int) -> None:
        await _world(store, tenant)
        with pytest.raises(Invalid):
            await store.beliefs(Point(tenant), FactFilter(), Page(limit))
        with pytest.raises(Invalid):
            await store.episodes(Point(tenant), EpisodeFilter(), Page(limit))

    async def test_episodes_by_each_filter_and_in_pages(self, store: Store, tenant: str) -> None:
        teller = Teller(store, tenant)
        stored = [
            replace(teller.episode("b", n=1, session="s1"), actor="ann"),
            replace(teller.episode("a", n=1, session="s1"), actor="bob"),
            replace(teller.episode("c", n=0, session="s2"), actor="ann", status=EpisodeStatus.PENDING),
            teller.episode("d", n=3),
        ]
        known = await store.write(tenant, lambda tx: _put_all(tx, stored))
        for point in (teller.at(), teller.at(None, known), teller.at(day(0), known)):

            async def found(where: EpisodeFilter, point: Point = point) -> list[str]:
                items: list[Episode] = []
                cursor = None
                while True:
                    page = await store.episodes(point, where, Page(1, cursor))
                    items += page.items
                    cursor = page.cursor
                    if cursor is None:
                        break
                assert tuple(items) == (await store.episodes(point, where, EVERYTHING)).items
                return [episode.id for episode in items]

            assert await found(EpisodeFilter()) == ["c", "a", "b", "d"]
            assert await found(EpisodeFilter(ids=["d", "a", "none"])) == ["a", "d"]
            assert await found(EpisodeFilter(ids=[])) == []
            assert await found(EpisodeFilter(session="s1")) == ["a", "b"]
            assert await found(EpisodeFilter(actor="ann")) == ["c", "b"]
            assert await found(EpisodeFilter(session="s1", actor="ann")) == ["b"]
            assert await found(EpisodeFilter(status=EpisodeStatus.PENDING)) == ["c"]
            assert await found(EpisodeFilter(status=EpisodeStatus.DONE)) == ["a", "b", "d"]
            assert await found(EpisodeFilter(status=EpisodeStatus.PENDING, session="s1")) == []
            assert await found(EpisodeFilter(since=day(1))) == ["a", "b", "d"]
            assert await found(EpisodeFilter(since=day(2), session="s1")) == []

    async def test_recent_episodes(self, store: Store, tenant: str) -> None:
        teller = Teller(store, tenant)
        stored = [teller.episode(f"e{n}", n=n // 2, session=f"s{n % 2}") for n in range(8)]
        known = await store.write(tenant, lambda tx: _put_all(tx, stored))

        async def recent(session: str | None, n: int, limit: int) -> list[str]:
            found = await store.recent_episodes(teller.at(None, known), session, day(n), limit)
            return [episode.id for episode in found]

        assert await recent(None, 3, 3) == ["e3", "e4", "e5"]
        assert await recent("s0", 3, 2) == ["e2", "e4"]
        assert await recent("s0", 0, 2) == []
        assert await recent("none", 9, 2) == []
        assert await recent(None, 9, 0) == []
        assert await recent(None, 99, 50) == [f"e{n}" for n in range(8)]

    async def test_session_neighbours(self, store: Store, tenant: str) -> None:
        teller = Teller(store, tenant)
        stored = [teller.episode(f"e{n}", n=n // 2, session="s") for n in range(6)]
        stored += [teller.episode("other", n=1, session="t"), teller.episode("alone", n=1)]
        known = await store.write(tenant, lambda tx: _put_all(tx, stored))
        await store.write(tenant, lambda tx: _put_all(tx, [teller.episode("late", n=1, session="s")]))
        gone = replace(stored[3], status=EpisodeStatus.RETRACTED)
        await store.write(tenant, lambda tx: _put_all(tx, [gone]))

        async def around(point: Point, id_: str, reach: int) -> list[tuple[str, int]]:
            found = await store.session_neighbours(point, [id_, "nobody"], reach)
            return [(near.id, near.distance) for near in found.get(id_, ())]

        then, now = teller.at(None, known), teller.at(None, await store.last_commit(tenant))
        assert await around(then, "e2", 2) == [("e1", -1), ("e3", 1), ("e0", -2), ("e4", 2)]
        assert await around(now, "e2", 2) == [("e1", -1), ("late", 1), ("e0", -2), ("e4", 2)]
        assert await around(teller.at(), "e2", 2) == [("e1", -1), ("e3", 1), ("e0", -2), ("late", 2)]
        assert await around(then, "e0", 1) == [("e1", 1)]
        for id_ in ("other", "alone"):
            assert await around(then, id_, 2) == []
        assert await around(then, "e2", 0) == []

    async def test_entities_by_name_or_alias(self, store: Store, tenant: str) -> None:
        teller = Teller(store, tenant)
        known = await teller.tell("e", Told("Ann Lee", "LIKES", "冷咖啡"), Told("Strauß", "LIKES", "冷咖啡"))
        names = ["ann  LEE", "ＳＴＲＡＵＳＳ", "冷咖啡", "Lee", ""]
        for point in (teller.at(), teller.at(day(0), known)):
            found = await store.find_entities(point, names)
            assert {name: [e.name for e in entities] for name, entities in found.items()} == {
                "ann  LEE": ["Ann Lee"],
                "ＳＴＲＡＵＳＳ": ["Strauß"],
                "冷咖啡": ["冷咖啡"],
            }

    async def test_entities_with_one_name(self, store: Store, tenant: str) -> None:
        said = [("id 1", "Ann", 1), ("id 2", "ann", 1), ("id 2", "B", 2)]
        sightings = [Sighting(id_, name, "Person", count) for id_, name, count in said]
        await store.write(tenant, lambda tx: tx.put_sightings(sightings))
        found = await store.find_entities(Point(tenant, known=await store.last_commit(tenant)), ["ANN", "b"])
        assert {name: [e.id for e in entities] for name, entities in found.items()} == {
            "ANN": ["id 1", "id 2"],
            "b": ["id 2"],
        }

    async def test_status_counts(self, store: Store, tenant: str) -> None:
        empty = await store.status(tenant)
        assert (empty.episodes, empty.beliefs, empty.last_commit) == (0, 0, None)
        assert empty.schema > 0
        teller = await _world(store, tenant)
        beliefs = await teller.beliefs()
        last = await teller.supersede([beliefs[0].id])
        await teller.retract("e3")
        status = await store.status(tenant)
        assert (status.tenant, status.episodes, status.pending) == (tenant, 2, 0)
        assert (status.facts, status.beliefs, status.superseded) == (3, 3, 3)
        assert status.entities == 3
        assert status.last_commit is not None
        assert status.last_commit > last


async def _put_all(tx: Transaction, episodes: Sequence[Episode]) -> datetime:
    for episode in episodes:
        await tx.put_episode(episode, None)
    return tx.instant
