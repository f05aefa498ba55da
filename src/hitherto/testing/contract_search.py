"""The contract of the retrieval legs: words and vectors."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

import numpy as np
import pytest

from ..kg.bm25 import K1, B
from ..kg.embedding import Vectors
from ..kg.model import Value
from ..kg.store import FactRow, Store, Target, Transaction
from ..kg.text import cut
from ..temporal.errors import Conflict, Invalid
from ..temporal.intervals import Interval
from .telling import DIMENSION, EMBEDDER, Teller, Told, day, vector_of

HOSTILE = [
    "", " ", '"', "'", '"tea', "tea*", "^tea", "tea AND", "NOT", "NEAR(tea, 2)", "(tea", "tea)", "body:tea",
    "+tea", "tea OR 1=1", "'; DROP TABLE doc; --", "\\", "tea\0", "{tea}", "[tea]", "tea~2", "/tea/", "tea^9",
    "$1", "?1", ":tea", "%", "_", "a" * 5000,
]  # fmt: skip


SOME = ["tea", "rain", "sun", "sea", "snow"]


def bm25(texts: Mapping[str, str], words: Sequence[str]) -> list[tuple[str, float]]:
    """Texts that hold one of the words, by id, and their scores: the best first, equal ones in order of id."""
    cuts = {id_: cut(text) for id_, text in texts.items()}
    mean = sum(map(len, cuts.values())) / len(cuts)
    scores: dict[str, float] = {}
    for word in sorted(set(words)):
        having = {id_: held.count(word) for id_, held in cuts.items() if word in held}
        weight = math.log(1 + (len(cuts) - len(having) + 0.5) / (len(having) + 0.5))
        for id_, times in having.items():
            share = times * (K1 + 1) / (times + K1 * (1 - B + B * len(cuts[id_]) / mean))
            scores[id_] = scores.get(id_, 0.0) + weight * share
    return sorted(scores.items(), key=lambda item: (-round(item[1], 9), item[0]))


class SearchContract:
    async def _texts(self, store: Store, tenant: str, *texts: str) -> Teller:
        """One fact for each text, beginning on its own day."""
        teller = Teller(store, tenant)
        await teller.tell("e", *(Told("Ann", "SAID", Value(t), n, text=t) for n, t in enumerate(texts)))
        return teller

    async def _found(self, teller: Teller, question: str, target: Target = Target.FACT) -> list[str]:
        """Texts (facts) or ids of what ``question`` finds now, best first."""
        point = teller.at(None, await teller.store.last_commit(teller.tenant))
        matches = await teller.store.match_text(point, cut(question), target, 20)
        scores = [match.score for match in matches]
        assert scores == sorted(scores, reverse=True)
        assert all(score > 0 for score in scores)
        if target is not Target.FACT:
            return [match.id for match in matches]
        texts = {b.fact.id: b.fact.text for b in await teller.beliefs(point)}
        return [texts[match.id] for match in matches]

    async def test_english_words_are_found_in_other_forms(self, store: Store, tenant: str) -> None:
        teller = await self._texts(store, tenant, "Alice works at TechCorp", "Bob visited Paris", "Rain")
        assert await self._found(teller, "Who was working there?") == ["Alice works at TechCorp"]
        assert await self._found(teller, "visits to PARIS") == ["Bob visited Paris"]
        assert await self._found(teller, "who is at the") == []

    async def test_chinese_is_found(self, store: Store, tenant: str) -> None:
        teller = await self._texts(store, tenant, "Liang喜欢冷咖啡", "Liang住在北京", "王芳住在南京东路")
        assert (await self._found(teller, "他喝什么咖啡？"))[0] == "Liang喜欢冷咖啡"
        assert (await self._found(teller, "谁在北京"))[0] == "Liang住在北京"
        assert (await self._found(teller, "南京"))[0] == "王芳住在南京东路"
        assert (await self._found(teller, "东路")) == ["王芳住在南京东路"]

    async def test_ids_are_found_whole_and_in_parts(self, store: Store, tenant: str) -> None:
        teller = await self._texts(store, tenant, "order CN-A10293 shipped", "order CN-B555", "paid 1,500.50 USD")
        assert (await self._found(teller, "CN-A10293"))[0] == "order CN-A10293 shipped"
        assert await self._found(teller, "a10293") == ["order CN-A10293 shipped"]
        assert await self._found(teller, "10293") == ["order CN-A10293 shipped"]
        assert await self._found(teller, "1500.50") == ["paid 1,500.50 USD"]
        assert await self._found(teller, "A1029") == []

    async def test_rare_words_and_short_texts_weigh_more(self, store: Store, tenant: str) -> None:
        teller = await self._texts(
            store, tenant, "tea", "tea with a very long story around it", "tea tea", "coffee", "tea rain"
        )
        found = await self._found(teller, "tea coffee")
        assert found[0] == "coffee"
        assert found.index("tea") < found.index("tea with a very long story around it")
        assert found.index("tea tea") < found.index("tea rain")

    async def test_scores_are_bm25_of_the_tenant(self, store: Store, tenant: str) -> None:
        teller = await self._texts(store, tenant, "tea tea rain", "snow")
        point = teller.at(None, await store.last_commit(tenant))
        (match,) = await store.match_text(point, ["tea"], Target.FACT, 5)
        # Two texts of 2 words on average, one of which (3 words) holds the word twice.
        idf = np.log(1 + (2 - 1 + 0.5) / (1 + 0.5))
        assert match.score == pytest.approx(idf * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 3 / 2)), rel=1e-6)

    async def test_scores_stay_bm25_as_texts_come(self, store: Store, tenant: str) -> None:
        """Searched between all writes, now and at every former instant: as counted anew by the plainest way."""
        teller, dice = Teller(store, tenant), random.Random(3)
        told: list[tuple[Told, datetime]] = []
        for batch in range(6):
            new = [
                Told(
                    "Ann", "SAID", Value(f"v{batch}.{n}"), text=" ".join(dice.choices(SOME, k=dice.randint(1, 4)))
                )
                for n in range(dice.randint(1, 12))
            ]
            known = await teller.tell(f"e{batch}", *new)
            told += [(each, known) for each in new]
            for at in {known, dice.choice(told)[1]}:
                texts = {teller.fact(each).id: each.text or "" for each, then in told if then <= at}
                for words in (["tea"], ["rain", "sun"], [*SOME, "none"]):
                    found = await store.match_text(teller.at(None, at), words, Target.FACT, 7)
                    right = bm25(texts, words)[:7]
                    assert [m.id for m in found] == [id_ for id_, _ in right]
                    assert [m.score for m in found] == pytest.approx([score for _, score in right], rel=1e-9)

    async def test_a_word_asked_twice_counts_once(self, store: Store, tenant: str) -> None:
        teller = await self._texts(store, tenant, "tea", "rain")
        point = teller.at()
        once = await store.match_text(point, ["tea"], Target.FACT, 5)
        assert await store.match_text(point, ["tea", "tea"], Target.FACT, 5) == once

    @pytest.mark.parametrize("words", HOSTILE)
    async def test_no_word_is_syntax(self, store: Store, tenant: str, words: str) -> None:
        """Neither cut nor raw; the worst that may happen is that nothing is found."""
        teller = await self._texts(store, tenant, "tea", "rain")
        tea = teller.fact(Told("Ann", "SAID", Value("tea"))).id
        for target in Target:
            for asked in (cut(words), [words], [words, "tea"]):
                found = await store.match_text(teller.at(), asked, target, 5)
                if target is Target.FACT and "tea" in asked:
                    assert [match.id for match in found] == [tea]
        assert await teller.texts() == ["tea", "rain"]

    async def test_episodes_and_entities_are_found(self, store: Store, tenant: str) -> None:
        teller = Teller(store, tenant)
        await teller.tell("e1", Told("Ann Lee", "LIKES", "tea"), text="We talked about the weather, 天气")
        await teller.tell("e2", Told("Bob", "LIKES", "tea"), text="Nothing")
        assert await self._found(teller, "weather", Target.EPISODE) == ["e1"]
        assert await self._found(teller, "天气", Target.EPISODE) == ["e1"]
        assert await self._found(teller, "who is lee", Target.ENTITY) == [teller.entity("Ann Lee")]
        assert await self._found(teller, "weather", Target.ENTITY) == []

    @pytest.mark.parametrize("limit", [0, 1, 3, 200])
    @pytest.mark.parametrize("during", [False, True])
    async def test_both_legs_filter_before_they_cut(
        self, store: Store, tenant: str, limit: int, during: bool
    ) -> None:
        """A hundred better matches that do not show do not push out the few that do, at an instant and during a
        stretch; what happened at an instant is of no stretch after it."""
        teller = Teller(store, tenant)
        old = [Told("Ann", "SAID", Value(f"x{n}"), 0, 10, text="tea tea tea", is_event=during) for n in range(100)]
        new = [Told("Ann", "SAID", Value(f"y{n}"), 20, text=f"some tea among other words {n}") for n in range(3)]
        known = await teller.tell("e", *old, *new)
        shown = {teller.fact(told).id for told in new}
        point = teller.at(None if during else day(30), known)
        if during:
            point = replace(point, during=Interval(day(15), day(30)))
        matched = await store.match_text(point, ["tea"], Target.FACT, limit)
        near = await store.nearest(point, vector_of("tea tea tea"), Target.FACT, limit)
        for found in (matched, near):
            assert len(found) == min(limit, 3)
            assert {match.id for match in found} <= shown
        everything = await store.match_text(teller.at(None, known), ["tea"], Target.FACT, limit)
        assert len(everything) == min(limit, 103)

    async def test_equal_scores_come_in_order_of_id(self, store: Store, tenant: str) -> None:
        teller = await self._texts(store, tenant, *["tea"] * 1)
        await teller.tell("e2", *(Told("Ann", "SAID", Value(f"z{n}"), text="tea") for n in range(30)))
        ids = [match.id for match in await store.match_text(teller.at(), ["tea"], Target.FACT, 10)]
        every = sorted(b.fact.id for b in await teller.beliefs())
        assert ids == every[:10]
        near = await store.nearest(teller.at(), vector_of("tea"), Target.FACT, 10)
        assert [match.id for match in near] == every[:10]

    async def test_nearest_is_exact(self, store: Store, tenant: str) -> None:
        teller = Teller(store, tenant)
        told = [Told(f"p{n % 7}", "KNOWS", f"q{n}", n % 20, n % 20 + 5) for n in range(300)]
        known = await teller.tell("e", *told)
        probe = vector_of("probe")
        stretches = (0, 99), (7, 8), (900, 901), (3, 6)
        points = [teller.at(valid, known) for valid in (None, day(7), day(900))]
        points.append(replace(teller.at(None, known), during=Interval(day(3), day(6))))
        for point, (since, until) in zip(points, stretches, strict=True):
            shown = [t for t in told if (t.start or 0) < until and since < (t.end or 0)]
            scores = {
                teller.fact(t).id: float(vector_of(teller.fact(t).text).astype(np.float64) @ probe) for t in shown
            }
            best = sorted(scores.items(), key=lambda item: -item[1])[:10]
            found = await store.nearest(point, probe, Target.FACT, 10)
            assert [match.id for match in found] == [id_ for id_, _ in best]
            assert [match.score for match in found] == pytest.approx([score for _, score in best], abs=1e-5)

    async def test_vectors_of_episodes_and_entities(self, store: Store, tenant: str) -> None:
        teller = Teller(store, tenant)
        await teller.tell("e1", Told("Ann", "LIKES", "tea"), text="one")
        await teller.tell("e2", Told("Ann", "LIKES", "tea"), text="two")
        for target, text, id_ in (
            (Target.EPISODE, "two", "e2"),
            (Target.ENTITY, "tea", teller.entity("tea")),
            (Target.FACT, "Ann likes tea", teller.fact(Told("Ann", "LIKES", "tea")).id),
        ):
            (best, *_) = await store.nearest(teller.at(), vector_of(text), target, 5)
            assert best.id == id_
            assert best.score == pytest.approx(1, abs=1e-5)

    async def test_a_vector_may_come_later_or_be_replaced(self, store: Store, tenant: str) -> None:
        teller = Teller(store, tenant)
        told = Told("Ann", "LIKES", "tea")
        fact = teller.fact(told)

        async def put(vector: Vectors | None, tx: Transaction) -> datetime:
            await tx.put_episode(teller.episode("e"), vector)
            await tx.put_facts([FactRow(fact, False, vector)])
            if vector is not None:
                await tx.put_sightings([])
                await tx.put_entity_vectors({teller.entity("Ann"): vector})
            return tx.instant

        await teller.tell("other", Told("Bob", "LIKES", "rain"))

        async def bare(tx: Transaction) -> None:
            await tx.put_episode(teller.episode("e"), None)
            await tx.put_facts([FactRow(fact, False)])
            await tx.put_periods([teller.period(told, tx.instant)])

        await store.write(tenant, bare)

        async def score(target: Target, id_: str, text: str) -> float | None:
            found = await store.nearest(teller.at(), vector_of(text), target, 9)
            return next((match.score for match in found if match.id == id_), None)

        assert await score(Target.FACT, fact.id, "a") is None
        for text in ("a", "b"):
            await store.write(tenant, partial(put, vector_of(text)))
            await store.write(tenant, partial(put, None))
        assert await score(Target.FACT, fact.id, "a") == pytest.approx(1, abs=1e-5)
        assert await score(Target.EPISODE, "e", "b") == pytest.approx(1, abs=1e-5)

    @pytest.mark.parametrize("few", [1, 5_000])
    async def test_where_hardly_anything_shows_the_same_is_found(
        self, store: Store, tenant: str, monkeypatch: pytest.MonkeyPatch, few: int
    ) -> None:
        """As where each candidate is looked up, also when more shows than was thought."""
        teller = Teller(store, tenant)
        told = [
            Told("Ann", "SAID", Value(f"v{n}"), n // 10, n // 10 + 1 + n % 2, text=f"tea {'tea ' * (n % 7)}at {n}")
            for n in range(400)
        ]
        known = await teller.tell("e", *told)
        points = [teller.at(day(n), at) for n in (-1, 0, 7, 39, 50) for at in (known, None)]
        points += [replace(teller.at(None, known), during=Interval(day(n), day(n + 1))) for n in (-9, 3, 41)]

        async def found() -> list[object]:
            return [
                leg
                for point in points
                for leg in (
                    await store.match_text(point, ["tea", "399"], Target.FACT, 5),
                    await store.nearest(point, vector_of("tea at 3"), Target.FACT, 5),
                )
            ]

        one_by_one = await found()
        for kind in ("sqlite", "neo4j"):
            monkeypatch.setattr(f"hitherto.kg.stores.{kind}.search.DOUBTFUL", 1)
            monkeypatch.setattr(f"hitherto.kg.stores.{kind}.search.FEW_SHOWN", few)
        assert await found() == one_by_one
        assert [bool(leg) for leg in one_by_one[:4]] == [False] * 4

    async def test_the_last_vector_of_a_transaction_stays(self, store: Store, tenant: str) -> None:
        """Whatever it was before, and what other episodes were put with it."""
        teller = Teller(store, tenant)
        episodes = [teller.episode(f"e{n}", f"text {n}") for n in range(3)]
        for texts in (["a"], ["b"], ["c", "b"], ["b", "a"]):

            async def put(tx: Transaction, texts: list[str] = texts) -> None:
                for text in texts:
                    for episode in episodes:
                        await tx.put_episode(episode, vector_of(text))

            await store.write(tenant, put)
            found = await store.nearest(teller.at(), vector_of(texts[-1]), Target.EPISODE, 9)
            assert {match.id for match in found if match.score > 0.999} == {"e0", "e1", "e2"}

    @pytest.mark.parametrize("bad", [np.ones(DIMENSION + 1), np.ones((1, DIMENSION)), np.full(DIMENSION, np.nan)])
    async def test_a_wrong_vector_is_refused(self, store: Store, tenant: str, bad: Vectors) -> None:
        teller = Teller(store, tenant)
        await teller.tell("e", Told("Ann", "LIKES", "tea"))
        with pytest.raises(Invalid):
            await store.nearest(teller.at(), bad.astype(np.float32), Target.FACT, 5)

        async def work(tx: Transaction) -> None:
            await tx.put_episode(replace(teller.episode("e2")), bad.astype(np.float32))

        with pytest.raises(Invalid):
            await store.write(tenant, work)

    async def test_embedders_are_not_mixed(self, store: Store) -> None:
        await store.claim_embedder(EMBEDDER, DIMENSION)
        assert await store.embedder_name() == EMBEDDER
        for name, dimension in (("other", DIMENSION), (EMBEDDER, DIMENSION + 1)):
            with pytest.raises(Conflict):
                await store.claim_embedder(name, dimension)
        assert await store.embedder_name() == EMBEDDER
