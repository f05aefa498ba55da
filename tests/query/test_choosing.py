from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from hitherto.kg.model import Episode, Turn
from hitherto.query.choosing import choice_of, choose
from hitherto.query.diversity import diverse
from hitherto.query.ranking import rank_hits
from hitherto.query.results import EpisodeHit, FactHit, Hit
from hitherto.query.signals import Signals, confidence, importance, recency, source_count
from hitherto.temporal.claims import Says
from hitherto.temporal.errors import Invalid, NotFound
from tests.query.builders import belief, claim, fact, instant
from tests.query.conftest import ViewAt
from tests.query.scribe import JOINED, LEFT, Note, Scribe, write_all

NOW = instant("2026-03-02")


def message(text: str, score: float, *, session: str | None = None, days: int = 0) -> EpisodeHit:
    at = NOW - timedelta(days=days)
    turns = (Turn(0, len(text), at),)
    episode = Episode(id=text, text=text, occurred_at=at, turns=turns, session=session)
    return EpisodeHit(episode=episode, score=score, legs=(), dates="")


def ids(hits: Sequence[Hit]) -> list[str]:
    return [hit.id for hit in hits]


def test_each_signal_is_a_factor_around_one() -> None:
    assert recency(timedelta()) == 1 > recency(timedelta(days=90)) > recency(timedelta(days=900)) > 0.9
    assert (importance(0.5), importance(1.0), importance(0.0)) == pytest.approx((1.0, 1.2, 0.8))
    assert (confidence(1.0), confidence(0.5)) == pytest.approx((1.0, 0.9))
    assert 1 == source_count(1) < source_count(2) < source_count(50) < 1.1


def test_signals_decide_between_hits_that_answer_as_well() -> None:
    old, new, here = message("old", 1.0, days=400), message("new", 1.0), message("here", 1.0, session="s", days=9)
    assert ids(rank_hits([old, new], [], signals=Signals(now=NOW))) == ["new", "old"]
    assert ids(rank_hits([old, new, here], [], signals=Signals(now=NOW, session="s"))) == ["here", "new", "old"]
    assert ids(rank_hits([new, old], [], signals=Signals(importance={"old": 0.9}))) == ["old", "new"]
    assert ids(rank_hits([new, message("better", 1.5, days=900)], [], signals=Signals(now=NOW)))[0] == "better"


def test_a_fact_told_twice_and_surely_goes_before_one_told_once_or_unsurely() -> None:
    def hit(name: str, *claims: tuple[str, float]) -> FactHit:
        of = fact("Alice", "LIKES", name)
        told = tuple(claim(of, said, confidence=sure) for said, sure in claims)
        held = replace(belief(of, ("2020", None), ("2026-01-01", None)), evidence=told)
        return FactHit(belief=held, score=1.0, legs=(), dates="")

    twice = hit("tea", ("2026-01-01", 1.0), ("2026-01-02", 1.0))
    once, unsure = hit("milk", ("2026-01-02", 1.0)), hit("water", ("2026-01-02", 0.5))
    ranked = rank_hits([unsure, once, twice], [], signals=Signals())
    assert ids(ranked) == [twice.id, once.id, unsure.id]
    assert [f.why for f in ranked[0].factors] == ["messages that say it"]


def test_diversity_takes_what_is_unlike_before_more_of_the_same() -> None:
    hits = [
        message("green tea and cake", 1.0),
        message("green tea and cake again", 0.9),
        message("a red car", 0.6),
    ]
    assert ids(diverse(hits, 0.0, 2)) == ids(hits[:2])
    assert ids(diverse(hits, 0.5, 2)) == [hits[0].id, hits[2].id]
    assert ids(diverse(hits, 0.5, 9)) == [hits[0].id, hits[2].id, hits[1].id]


async def test_what_is_less_relevant_than_wanted_is_not_shown() -> None:
    hits = [message("a", 1.0), message("b", 0.5), message("c", 0.2)]
    assert ids(await choose("?", hits, choice_of(0.4, 0.0, None), 9)) == ["a", "b"]
    assert ids(await choose("?", hits, choice_of(0.0, 0.0, None), 2)) == ["a", "b"]
    assert await choose("?", [], choice_of(1.0, 0.5, None), 9) == []


async def test_a_reranker_orders_by_scores_or_by_hits() -> None:
    hits = [message("a", 1.0), message("b", 0.5), message("c", 0.2)]

    async def scores(question: str, given: Sequence[Hit]) -> list[float]:
        assert (question, list(given)) == ("?", hits)
        return [0.1, 0.2, 0.9]

    async def two(question: str, given: Sequence[Hit]) -> list[Hit]:
        return [given[2], given[0]]

    by_scores = await choose("?", hits, choice_of(0.0, 0.0, scores), 2)
    assert [(hit.id, hit.score) for hit in by_scores] == [("c", 0.9), ("b", 0.2)]
    assert ids(await choose("?", hits, choice_of(0.0, 0.0, two), 9)) == ["c", "a"]


async def test_a_rerankers_mistakes_are_named() -> None:
    hits = [message("a", 1.0), message("b", 0.5)]

    async def broken(_question: str, _given: Sequence[Hit]) -> list[float]:
        raise KeyError("model")

    async def few(_question: str, _given: Sequence[Hit]) -> list[float]:
        return [1.0]

    async def strange(_question: str, _given: Sequence[Hit]) -> list[Hit]:
        return [message("z", 1.0)]

    async def ours(_question: str, _given: Sequence[Hit]) -> list[Hit]:
        raise NotFound("no such model")

    for reranker, said in (
        (broken, "KeyError: 'model'"),
        (few, "1 scores for 2 hits"),
        (strange, "none of its hits"),
    ):
        with pytest.raises(Invalid, match=said):
            await choose("?", hits, choice_of(0.0, 0.0, reranker), 9)
    with pytest.raises(NotFound):
        await choose("?", hits, choice_of(0.0, 0.0, ours), 9)


@pytest.mark.parametrize(
    "options",
    [
        {"min_relevance": 1.5},
        {"min_relevance": "high"},
        {"diversity": -0.1},
        {"diversity": True},
        {"diversity": float("nan")},
        {"rerank": "bge"},
    ],
)
async def test_wrong_options_are_refused(at: ViewAt, options: dict[str, object]) -> None:
    with pytest.raises(Invalid, match=next(iter(options))):
        await at().search("Alice", **options)  # type: ignore[arg-type]


async def test_a_search_takes_them_all(scribe: Scribe, at: ViewAt) -> None:
    await write_all(scribe, [JOINED, LEFT])

    async def backwards(_question: str, hits: Sequence[Hit]) -> list[Hit]:
        return list(reversed(hits))

    plain = await at().search("Where does Alice work?", limit=9)
    turned = await at().search("Where does Alice work?", limit=9, rerank=backwards)
    assert ids(list(turned)) == ids(list(plain))[::-1]
    strict = await at().search("Where does Alice work?", limit=9, min_relevance=1.0)
    assert ids(list(strict)) == [plain[0].id]
    assert {h.id for h in await at().search("Where does Alice work?", limit=9, diversity=0.7)} == {
        h.id for h in plain
    }


async def test_of_messages_in_conflict_the_one_that_holds_goes_first(scribe: Scribe, at: ViewAt) -> None:
    other = await scribe.write("Ann and work", said="2023-02-01")
    old = await scribe.write(
        "Ann: my work is at TechCorp, the work that I love.",
        Note("Ann", "WORKS_AT", "TechCorp"),
        said="2024-01-01",
    )
    new = await scribe.write(
        "Ann, by the way, has begun at Globex, with so very much to learn there that work goes on.",
        Note("Ann", "WORKS_AT", "Globex", Says.DATED_BEGINNING, "2025-03"),
        said="2025-04-01",
    )
    now = (await at().search("Ann work", kinds=["episode"])).episodes
    places = {hit.id: n for n, hit in enumerate(now)}
    assert places[new] < places[old]
    assert {hit.id: hit.superseded_by for hit in now} == {old: new, new: None, other: None}
    assert f"out of date, see {new}" in str(now[places[old]])
    assert [hit.score for hit in now] == sorted((hit.score for hit in now), reverse=True)
    then = (await at(instant("2024-06-01")).search("Ann work", kinds=["episode"])).episodes
    assert {hit.id: hit.superseded_by for hit in then} == {old: None, new: old, other: None}
    ever = (await at().search("Where did Ann ever work?", kinds=["episode"])).episodes
    assert {hit.superseded_by for hit in ever} == {None}


async def test_what_is_over_and_what_is_to_come_is_no_fact_of_the_present(scribe: Scribe, at: ViewAt) -> None:
    plan = Note("Alice", "LIVES_IN", "Oslo", Says.DATED_BEGINNING, "2031-01")
    await write_all(scribe, [JOINED, LEFT])
    await scribe.write("Alice will move to Oslo in January 2031.", plan, said="2026-03-03")
    for question in ("Alice", "Where does Alice work?", "TechCorp Oslo", "Where does Alice live?"):
        told = " ".join(hit.belief.fact.text for hit in (await at().search(question, limit=50)).facts)
        assert "TechCorp" not in told
        assert "Oslo" not in told
    assert "Oslo" in str(await at(instant("2031-02-01")).search("Where does Alice live?", kinds=["fact"]))
