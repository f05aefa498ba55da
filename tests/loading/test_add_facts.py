"""``Memory.add_facts``: what it does is what ``assert_fact`` one by one does, in batches, whatever the order."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, date, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hitherto import Invalid, LoadReport, Memory, Value
from hitherto.extraction.records import FactRecord, record
from tests.loading.conftest import CountingEmbedder, Opener

SHARED = settings(deadline=None, suppress_health_check=list(HealthCheck))
Row = dict[str, object]

_DATES = ["2019", "2019-06", "2020", "2020-03-02", "2021", "2021-11", "2022-01-05T10:00Z"]


def known(target: object, subject: str = "Ann") -> Row:
    return {"subject": subject, "predicate": "KNOWS", "object": target, "valid_from": "2020"}


@st.composite
def rows(draw: st.DrawFn) -> Row:
    predicate = draw(st.sampled_from(["WORKS_AT", "EMPLOYS", "STATUS", "KNOWS"]))
    row: Row = {
        "subject": draw(st.sampled_from(["Ann", "Ben", "Cem"])),
        "predicate": predicate,
        "object": draw(st.sampled_from(["Acme", "Bolt", "Core"])),
        "authority": draw(st.sampled_from([0, 0, 0, 1])),
        "confidence": draw(st.sampled_from([1.0, 1.0, 0.2])),
    }
    start = draw(st.none() | st.integers(0, len(_DATES) - 2))
    end = draw(st.none() | st.integers(0 if start is None else start + 1, len(_DATES) - 1))
    row["valid_from"] = None if start is None else _DATES[start]
    row["valid_to"] = None if end is None else _DATES[end]
    if start is not None and end is not None and _DATES[end].startswith(_DATES[start]):
        row["valid_to"] = None
    if draw(st.booleans()) or (row["valid_from"] is None and row["valid_to"] is None):
        row["stated_at"] = draw(st.sampled_from(_DATES))
    if predicate == "KNOWS":
        row["object"] = draw(st.sampled_from(["Acme", 7, 2.5, True, Value("tea")]))
    return row


async def believed(memory: Memory) -> list[tuple[object, ...]]:
    page = await memory.at().facts(during="ever", limit=1000)
    return sorted(((b.fact.text, b.valid_from, b.valid_to, b.confidence) for b in page.items), key=repr)


async def assert_one_by_one(memory: Memory, row: Row) -> None:
    details = {k: v for k, v in row.items() if k not in ("subject", "predicate", "object")}
    await memory.assert_fact(row["subject"], row["predicate"], row["object"], **details)  # type: ignore[arg-type]


async def compare(opened: Opener, facts: list[Row], shuffled: list[Row], batch: int) -> None:
    many = await opened()
    one = await opened(like=many)
    for row in facts:
        await assert_one_by_one(one, row)
    report = await many.add_facts(shuffled, batch=batch)
    assert report.facts == len(facts)
    assert report.batches == -(-len(facts) // batch)
    assert await believed(many) == await believed(one)


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
@settings(SHARED, max_examples=80)
@given(facts=st.lists(rows(), min_size=1, max_size=9), batch=st.integers(1, 4), data=st.data())
async def test_the_same_as_one_by_one(opened: Opener, facts: list[Row], batch: int, data: st.DataObject) -> None:
    await compare(opened, facts, data.draw(st.permutations(facts)), batch)


@pytest.mark.neo4j
@pytest.mark.parametrize("url", ["neo4j"], indirect=True)
@settings(SHARED, max_examples=15)
@given(facts=st.lists(rows(), min_size=1, max_size=6), batch=st.integers(1, 4), data=st.data())
async def test_the_same_as_one_by_one_on_neo4j(
    opened: Opener, facts: list[Row], batch: int, data: st.DataObject
) -> None:
    await compare(opened, facts, data.draw(st.permutations(facts)), batch)


@given(row=rows())
def test_a_line_says_the_whole_record(row: Row) -> None:
    plain = {k: "tea" if isinstance(v, Value) else v for k, v in row.items() if v is not None}
    made = record(**plain)
    assert FactRecord.model_validate_json(made.line()) == made


async def test_the_report_counts(opened: Opener) -> None:
    memory = await opened()
    facts = [{"subject": "T1", "predicate": "STATUS", "object": v, "valid_from": f"202{n}"} for n, v in
             enumerate(["open", "closed", "open"])]  # fmt: skip
    seen: list[LoadReport] = []
    report = await memory.add_facts(facts, source="desk", batch=2, progress=seen.append)
    assert (report.facts, report.batches, report.duplicates, report.added, report.superseded) == (3, 2, 0, 4, 1)
    assert [r.facts for r in seen] == [2, 3]
    assert seen[-1] == report
    assert report.tx == (await memory.at().instants()).known
    known = await memory.at(valid="2023", known=seen[0].tx).facts("T1", "STATUS")
    assert [b.fact.text for b in known.items] == ["T1 status closed"]
    [episode] = [e for e in (await memory.episodes()).items if e.id == report.episode_id]
    assert (episode.source, episode.text.count("\n")) == ("desk", 0)


async def test_the_same_batches_again_change_nothing_and_ask_no_model(opened: Opener) -> None:
    embedder = CountingEmbedder()
    memory = await opened(embedder)
    facts = [known(f"N{n}") for n in range(5)]
    first = await memory.add_facts(facts, batch=2)
    before, asked = await memory.status(), len(embedder.texts)
    again = await memory.add_facts(facts, batch=2)
    assert (again.facts, again.batches, again.duplicates, again.added, again.tx) == (5, 3, 3, 0, None)
    assert (await memory.status(), len(embedder.texts)) == (before, asked)
    assert again.episode_id == first.episode_id


async def test_every_fact_quotes_its_line_and_can_be_taken_back(opened: Opener) -> None:
    memory = await opened()
    facts = [
        {"subject": "Ann", "predicate": "KNOWS", "object": f"Zoë \n {n}", "valid_from": "2020"} for n in range(3)
    ]
    report = await memory.add_facts(facts)
    texts = {e.id: e.text for e in (await memory.episodes()).items}
    beliefs = (await memory.facts("Ann")).items
    assert len(beliefs) == 3
    for belief in beliefs:
        [claim] = belief.evidence
        assert texts[claim.episode_id][claim.quote_start : claim.quote_end] == claim.quote
        assert '"predicate": "KNOWS"' in claim.quote
        assert claim.quote.count("\n") == 0
    assert report.episode_id is not None
    await memory.retract(report.episode_id)
    assert await believed(memory) == []
    again = await memory.add_facts(facts)
    assert (again.added, again.duplicates) == (3, 0)
    assert len((await memory.facts("Ann")).items) == 3


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ({"valid_from": "2020-02-30"}, "2020-02-30"),
        ({"valid_from": "2021", "valid_to": "2020"}, "not before"),
        ({"predicate": "works at"}, "SCREAMING_SNAKE"),
        ({"subject": " "}, "must have a name"),
        ({"object": float("nan")}, "object"),
        ({"colour": "red"}, "colour"),
        ({"valid_from": None}, "give valid_from, valid_to or stated_at"),
        ({"confidence": 2}, "confidence"),
        ({"predicate": "EMPLOYS", "object": Value("x")}, "must be an entity"),
        ({"zone": "Mars/Olympus"}, "Mars/Olympus"),
    ],
)
async def test_a_bad_row_is_named_and_only_earlier_batches_are_stored(
    opened: Opener, bad: Row, message: str
) -> None:
    memory = await opened()
    facts = [known(f"N{n}") for n in range(6)]
    facts[4] |= bad
    with pytest.raises(Invalid, match=r"^row 5: ") as caught:
        await memory.add_facts(facts, batch=2)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    status = await memory.status()
    assert (status.episodes, status.beliefs, status.pending) == (2, 4, 0)


async def test_what_is_no_row_and_a_batch_of_none(opened: Opener) -> None:
    memory = await opened()
    with pytest.raises(Invalid, match="row 1: a fact is a mapping"):
        await memory.add_facts(["Ann"])  # type: ignore[list-item]
    with pytest.raises(Invalid, match="batch=0"):
        await memory.add_facts([], batch=0)
    assert await memory.add_facts([]) == LoadReport()


async def test_async_rows_dates_and_zones(opened: Opener) -> None:
    memory = await opened()

    async def stream() -> AsyncIterator[Row]:
        yield {"subject": "Ann", "predicate": "KNOWS", "object": "Ben", "valid_from": date(2020, 1, 2)}
        moment = datetime(2020, 1, 2, 3, tzinfo=UTC)
        yield {"subject": "Ann", "predicate": "KNOWS", "object": "Cem", "valid_from": moment}

    assert (await memory.add_facts(stream())).facts == 2
    starts = [b.valid_from for b in (await memory.facts("Ann")).items]
    assert [(s.at, str(s.grain)) for s in starts if s] == [
        (datetime(2020, 1, 2, tzinfo=UTC), "day"),
        (datetime(2020, 1, 2, 3, tzinfo=UTC), "second"),
    ]


async def test_rows_are_read_as_they_are_written(opened: Opener) -> None:
    """When a batch is committed, only the next batch's rows have been asked for."""
    memory = await opened()
    read = 0

    def stream() -> Iterator[Row]:
        nonlocal read
        for n in range(50):
            read += 1
            yield known("x", f"S{n}")

    ahead: list[int] = []
    await memory.add_facts(stream(), batch=5, progress=lambda report: ahead.append(read - report.facts))
    assert max(ahead) <= 5


async def test_long_rows_make_smaller_batches(opened: Opener) -> None:
    memory = await opened()
    facts = [
        {"subject": "Ann", "predicate": "NOTED", "object": Value(f"{n}" + "x" * 300_000), "valid_from": "2020"}
        for n in range(5)
    ]
    report = await memory.add_facts(facts, embed=False)
    assert (report.facts, report.batches) == (5, 2)


async def test_vectors_can_come_later(opened: Opener) -> None:
    embedder = CountingEmbedder()
    memory = await opened(embedder)
    facts = [
        {"subject": f"Ann {n}", "predicate": "KNOWS", "object": f"Zed {n}", "valid_from": "2020"} for n in range(7)
    ]
    await memory.add_facts(facts, embed=False)
    assert embedder.texts == []
    found = await memory.search("Ann 3 knows", kinds=["fact"])
    assert "Ann 3 knows Zed 3" in str(found[0])
    embedder.texts.clear()

    assert await memory.embed_missing(batch=3) == 7 + 14
    assert sorted(embedder.texts) == sorted(
        [f"Ann {n} knows Zed {n}" for n in range(7)] + [f"{name} {n}" for n in range(7) for name in ("Ann", "Zed")]
    )
    embedder.texts.clear()
    assert await memory.embed_missing() == 0
    with pytest.raises(Invalid, match="batch=0"):
        await memory.embed_missing(batch=0)


async def test_embedding_goes_on_after_a_failure(opened: Opener) -> None:
    class Failing(CountingEmbedder):
        left = 2

        async def embed(self, texts, purpose):  # type: ignore[no-untyped-def]
            if self.left == 0:
                raise RuntimeError("the embedder is broken on purpose")
            self.left -= 1
            return await super().embed(texts, purpose)  # type: ignore[no-untyped-call]

    embedder = Failing()
    memory = await opened(embedder)
    facts = [
        {"subject": f"Ann {n}", "predicate": "KNOWS", "object": Value(f"{n}"), "valid_from": "2020"}
        for n in range(7)
    ]
    await memory.add_facts(facts, embed=False)
    with pytest.raises(RuntimeError, match="on purpose"):
        await memory.embed_missing(batch=2)
    embedder.left = 100
    assert await memory.embed_missing(batch=2) == 3 + 7
    assert len(embedder.texts) == len(set(embedder.texts)) == 14


async def test_memory_is_bounded(opened: Opener) -> None:
    """Seven times the rows need no more memory in Python."""
    memory = await opened()

    def stream(size: int, name: str) -> Iterator[Row]:
        for n in range(size):
            yield known("x", " ".join([name, *f"{n:04}"]))  # few words: caches of words are full soon

    await memory.add_facts(stream(300, "w"), batch=100, embed=False)
    peaks = []
    for name, size in (("a", 300), ("b", 2000)):
        gc.collect()
        tracemalloc.start()
        # Collected after each batch, so that what is measured is needed and not only left over.
        await memory.add_facts(stream(size, name), batch=100, embed=False, progress=lambda _: gc.collect())
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.5 * peaks[0]
