"""The contract of reads about stretches: of valid time (``during``) and of transaction time (``changes``)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ..kg.model import Claim
from ..kg.store import BeliefChange, FactFilter, Page, Store, Target
from ..temporal.errors import Invalid
from ..temporal.intervals import Interval
from .telling import EVERYTHING, Teller, Told, day, examples, fresh

TICK = timedelta(microseconds=1)

_days = st.none() | st.integers(0, 9)
_spans = st.tuples(_days, _days).filter(lambda d: d[0] is None or d[1] is None or d[0] < d[1])


def _instant(n: int | None) -> datetime | None:
    return None if n is None else day(n)


class ChangeContract:
    @examples(25)
    @given(spans=st.lists(_spans, max_size=6), during=st.tuples(_days, _days), is_event=st.booleans())
    async def test_during_is_every_period_that_shares_an_instant(
        self,
        store: Store,
        tenant: str,
        spans: Sequence[tuple[int | None, int | None]],
        during: tuple[int | None, int | None],
        is_event: bool,
    ) -> None:
        teller = Teller(store, f"{tenant} {next(fresh)}")
        told = [Told("Ann", "KNOWS", f"p{n}", *span, is_event=is_event) for n, span in enumerate(spans)]
        known = await teller.tell("e", *told)
        cells = [day(n) for n in range(-1, 11)]
        wanted = Interval(_instant(during[0]), _instant(during[1]))
        shared = {
            f"Ann knows p{n}"
            for n, (start, end) in enumerate(spans)
            if any(wanted.contains(c) and Interval(_instant(start), _instant(end)).contains(c) for c in cells)
        }
        for point in (teller.at(None, known), teller.at()):
            at = replace(point, during=wanted)
            for where in (FactFilter(), FactFilter(subject_ids=[teller.entity("Ann")])):
                assert set(await teller.texts(at, where)) == shared
            words = {match.id for match in await store.match_text(at, ["ann"], Target.FACT, 99)}
            assert {b.fact.text for b in await teller.beliefs(point) if b.fact.id in words} == shared

    async def test_missing_at_another_point(self, store: Store, tenant: str) -> None:
        teller = Teller(store, tenant)
        first = await teller.tell("e1", Told("Ann", "LIKES", "tea", 0, 5), Told("Ann", "LIKES", "rain", 3))
        (tea, _) = await teller.beliefs()
        await teller.supersede([tea.id])
        last = await teller.tell(
            "e2", Told("Ann", "LIKES", "snow", 0), Told("Ann", "MET", "Bob", 1, 2, is_event=True)
        )

        async def only(there: tuple[int | None, datetime], here: tuple[int | None, datetime]) -> set[str]:
            points = [teller.at(_instant(valid), known) for valid, known in (there, here)]
            wheres = [
                FactFilter(missing_at=points[1]),
                FactFilter(missing_at=points[1], predicates=["LIKES", "MET"]),
            ]
            found = [set(await teller.texts(points[0], where)) for where in wheres]
            assert found[0] == found[1]
            return {text.split()[-1] for text in found[0]}

        assert await only((None, first), (None, last)) == {"tea"}
        assert await only((None, last), (None, first)) == {"snow", "Bob"}
        assert await only((4, first), (1, first)) == {"rain"}
        assert await only((1, first), (4, last)) == {"tea"}
        assert await only((9, last), (0, last)) == {"rain", "Bob"}
        assert await only((4, last), (4, last)) == set()
        assert await teller.texts(teller.at(None, last), FactFilter(missing_at=teller.at())) == []

    async def test_what_came_and_what_went(self, store: Store, tenant: str) -> None:
        teller = Teller(store, tenant)
        told = Told("Ann", "LIKES", "tea", 0)
        first = await teller.tell("e1", told, Told("Bob", "LIKES", "tea", 3))
        ann, bob = await teller.beliefs()
        second = await teller.supersede([ann.id])
        third = await teller.tell("e2", told)

        async def seen(
            stretch: Interval,
            where: FactFilter | None = None,
            known: datetime | None = None,
            during: Interval | None = None,
        ) -> list[str]:
            point = replace(teller.at(None, known), during=during)
            found = await store.changes(point, where or FactFilter(), stretch, EVERYTHING)
            assert found.cursor is None
            keys = [(c.at, c.added, c.belief.id) for c in found.items]
            assert keys == sorted(keys)
            for change in found.items:
                belief = change.belief
                assert change.at == (belief.ingested_at if change.added else belief.superseded_at)
                assert change.slot == teller.slot(
                    told if "Ann" in belief.fact.text else Told("Bob", "LIKES", "tea")
                )
            return [("+" if c.added else "-") + c.belief.fact.text.split()[0] for c in found.items]

        assert sorted((await seen(Interval()))[:2]) == ["+Ann", "+Bob"]
        assert (await seen(Interval()))[2:] == ["-Ann", "+Ann"]
        assert await seen(Interval(second, None)) == ["-Ann", "+Ann"]
        assert await seen(Interval(second, third)) == ["-Ann"]
        assert await seen(Interval(second + TICK, third + TICK)) == ["+Ann"]
        assert sorted(await seen(Interval(None, second))) == ["+Ann", "+Bob"]
        assert await seen(Interval(second, None), known=second) == ["-Ann"]
        assert await seen(Interval(third, first)) == []
        assert await seen(Interval(), FactFilter(subject_ids=[teller.entity("Bob")])) == ["+Bob"]
        assert await seen(Interval(), FactFilter(period_ids=[ann.id])) == ["+Ann", "-Ann"]
        assert await seen(Interval(), FactFilter(fact_ids=[ann.fact.id])) == ["+Ann", "-Ann", "+Ann"]
        assert await seen(Interval(second, None), FactFilter(predicates=["LIKES"])) == ["-Ann", "+Ann"]
        bobs = FactFilter(touching=[teller.entity("Bob")])
        assert await seen(Interval(), bobs, during=Interval(day(2))) == ["+Bob"]
        assert bob.superseded_at is None

    @examples(15)
    @given(
        steps=st.lists(st.integers(0, 3), max_size=8),
        limit=st.integers(1, 4),
        since=st.integers(0, 9),
    )
    async def test_pages_of_changes_join_to_the_whole(
        self, store: Store, tenant: str, steps: Sequence[int], limit: int, since: int
    ) -> None:
        teller = Teller(store, f"{tenant} {next(fresh)}")
        instants = [await teller.tell("e", *(Told("Ann", "KNOWS", f"p{n}", n) for n in range(3)))]
        for number, step in enumerate(steps):
            if step < 3:
                instants.append(await teller.tell(f"e{number}", Told("Ann", "KNOWS", f"q{number}", step)))
            else:
                held = [b for b in await teller.beliefs() if b.superseded_at is None]
                instants.append(await teller.supersede([b.id for b in held[:2]]))
        stretch = Interval(instants[min(since, len(instants) - 1)], None)
        point = teller.at(None, instants[-1])
        whole = (await store.changes(point, FactFilter(), stretch, EVERYTHING)).items
        items: list[BeliefChange] = []
        cursor = None
        while True:
            page = await store.changes(point, FactFilter(), stretch, Page(limit, cursor))
            assert len(page.items) <= limit
            items += page.items
            cursor = page.cursor
            if cursor is None:
                break
            await teller.tell(f"more {len(items)}", Told("Ann", "KNOWS", "later", 1))
        assert tuple(items) == whole

    @pytest.mark.parametrize("page", [Page(0), Page(5, "x"), Page(5, "WzEsMl0=")])
    async def test_a_wrong_page_of_changes_is_refused(self, store: Store, tenant: str, page: Page) -> None:
        with pytest.raises(Invalid):
            teller = Teller(store, tenant)
            await teller.tell("e", Told("Ann", "LIKES", "tea"))
            await store.changes(teller.at(), FactFilter(), Interval(), page)

    async def test_evidence_of_everything_has_each_stretch(self, store: Store, tenant: str) -> None:
        """Retracted and reinstated: the claim was known twice."""
        teller = Teller(store, tenant)
        told = Told("Ann", "LIKES", "tea")
        instants = [await teller.tell("e1", told), await teller.retract("e1"), await teller.reinstate("e1", told)]
        last = await teller.tell("e2", told, Told("Bob", "LIKES", "tea"))
        e1 = [(instants[0], instants[1]), (instants[2], None)]
        for belief in await teller.beliefs(where=FactFilter(fact_ids=[teller.fact(told).id])):
            stretches = [(c.recorded_at, c.retracted_at) for c in belief.evidence if c.episode_id == "e1"]
            assert sorted(stretches, key=lambda s: s[0] or last) == e1
            assert [c.recorded_at for c in belief.evidence if c.episode_id == "e2"] == [last]

    async def test_the_claims_of_a_slot(self, store: Store, tenant: str) -> None:
        teller = Teller(store, tenant)
        told, other = Told("Ann", "LIKES", "tea", 3), Told("Bob", "LIKES", "tea", 1)
        first = await teller.tell("e1", told, other)
        second = await teller.retract("e1")
        third = await teller.reinstate("e1", told)
        fourth = await teller.tell("e2", told)
        slot = teller.slot(told)

        async def found(
            known: datetime | None, *at: datetime
        ) -> list[tuple[str, datetime | None, datetime | None]]:
            point = teller.at(day(0), known)
            claims = await store.slot_claims(point, [slot, "none"], at or None)
            assert set(claims) <= {slot}
            said: list[Claim] = list(claims.get(slot, ()))
            assert said == sorted(said, key=lambda c: (c.stated_at, c.position, c.id))
            return sorted(((c.episode_id, c.recorded_at, c.retracted_at) for c in said), key=repr)

        one, two, three = ("e1", first, second), ("e1", third, None), ("e2", fourth, None)
        assert await found(first - TICK) == []
        assert await found(first) == [("e1", first, None)]
        assert await found(second) == []
        assert await found(fourth) == sorted([two, three], key=repr)
        assert await found(None) == sorted([one, two, three], key=repr)
        assert await found(None, second) == [one]
        assert await found(None, first, fourth) == sorted([one, three], key=repr)
        assert await found(third, third) == [two]
        assert await found(None, day(0)) == []
        both = await store.slot_claims(teller.at(), [slot, teller.slot(other)])
        assert {key: len(said) for key, said in both.items()} == {slot: 3, teller.slot(other): 1}
        assert await store.slot_claims(teller.at(), []) == {}
