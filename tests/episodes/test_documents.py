"""Long documents: read as one episode, found by their passages."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from hitherto.episodes import read_episode
from hitherto.extraction.passages import LONGEST_WHOLE, SIZE, passages_of, spans
from hitherto.kg.model import Format
from hitherto.kg.passages import place_of
from tests.promises.conftest import Opener, believed, lines
from tests.support import SaidClaim, day, said

FILLER = "The weather report for the coast goes on. Nobody there minds the rain, which falls all week.\n\n"
NEEDLE = "The zebra crossing was painted purple by Marta."
TEXT = (
    "# Report\n\n" + FILLER * 60 + "## Streets\n\n" + FILLER + NEEDLE + "\n\n"
    + said(SaidClaim("dated_beginning", "Acme", 0)) + "\n\n## Rest\n\n" + FILLER * 60
)  # fmt: skip


async def test_a_document_is_found_by_its_passages(fresh: Opener) -> None:
    memory = await fresh()
    report = await memory.add(TEXT, occurred_at=day(0), actor="liang", session="s", source="wiki")
    assert await lines(memory) == ["Ann works at Acme · 2024-01-01 →"]
    claim = report.added[0].evidence[0]
    assert TEXT[claim.quote_start : claim.quote_end] == claim.quote
    (episode,) = (await memory.episodes()).items
    assert (episode.id, episode.text, episode.format) == (report.episode_id, TEXT, Format.DOCUMENT)
    assert (await memory.status()).episodes == 1
    assert (await memory.episodes("s")).items == (episode,)

    found = await memory.search("Who painted the zebra crossing?", kinds=["episode"])
    best = found.episodes[0]
    assert best.episode_id == report.episode_id
    assert best.passage is not None
    assert NEEDLE in best.quote
    assert best.quote == TEXT[best.passage.start : best.passage.end]
    assert len(best.quote) <= SIZE
    assert len({hit.id for hit in found.episodes}) == len(found.episodes)
    block = await memory.context("Who painted the zebra crossing?", budget=400)
    assert NEEDLE in str(block)
    assert [t.episode_ids for t in block.trace if t.id == best.id] == [(report.episode_id,)]


async def test_passages_come_and_go_with_their_document(fresh: Opener) -> None:
    memory = await fresh()
    report = await memory.add(TEXT, occurred_at=day(0))
    first = [(hit.id, hit.score) for hit in await memory.search("zebra", kinds=["episode"])]
    assert first
    assert (await memory.add(TEXT, occurred_at=day(0))).status == "duplicate"
    await memory.retract(report.episode_id)
    assert len(await memory.search("zebra", kinds=["episode"])) == 0
    assert (await memory.status()).episodes == 0
    before = memory.at(known=report.tx)
    assert [(hit.id, hit.score) for hit in await before.search("zebra", kinds=["episode"])] == first
    assert (await memory.add(TEXT, occurred_at=day(0))).status == "reinstated"
    assert [hit.id for hit in await memory.search("zebra", kinds=["episode"])] == [id_ for id_, _ in first]
    assert await memory.embed_missing() == 0


async def test_a_stream_and_a_replay_give_the_same(fresh: Opener) -> None:
    one, other = await fresh(), await fresh()
    await one.add(TEXT, occurred_at=day(0), session="s")
    await other.add_many([{"content": TEXT, "occurred_at": day(0), "session": "s"}])
    assert await believed(one) == await believed(other)
    places = [
        [(hit.passage, hit.score) for hit in (await m.search("zebra coast", kinds=["episode"])).episodes]
        for m in (one, other)
    ]
    assert len(places[0]) > 3
    if fresh.own_tenants:  # the order of equal ones is that of their ids
        assert [score for _, score in places[0]] == [score for _, score in places[1]]
    else:
        assert places[0] == places[1]


async def test_a_long_text_that_was_stored_whole_is_the_same_episode(fresh: Opener) -> None:
    """As it was before documents were known by passages."""
    memory = await fresh()
    document = read_episode(memory.tenant, TEXT, {"occurred_at": day(0)}, day(0).tzinfo, lambda: day(0))  # type: ignore[arg-type]
    await memory._pipeline.add(replace(document, format=Format.TEXT))
    assert (await memory.add(TEXT, occurred_at=day(0))).status == "duplicate"
    (hit,) = (await memory.search("zebra", kinds=["episode"])).episodes
    assert hit.passage is None


def test_a_talk_falls_into_its_turns() -> None:
    talk = [{"role": "user", "name": f"user {n % 2}", "content": FILLER * 3} for n in range(40)]
    episode = read_episode("t", talk, {"occurred_at": day(0)}, day(0).tzinfo, lambda: day(0))  # type: ignore[arg-type]
    found = passages_of("t", episode)
    assert {p.actor for p in found} == {"user 0", "user 1"}
    for passage in found:
        document, start = place_of(passage)
        assert (document, passage.session) == (episode.id, None)
        assert passage.text.startswith("user ")
        assert episode.text[start : start + len(passage.text)] == passage.text


WORDS = st.lists(st.sampled_from(["rain", "Dr. Lee", "goes", "1.5", "🙂", "on"]), min_size=1, max_size=40).map(
    " ".join
)
SENTENCES = st.tuples(
    WORDS, st.sampled_from([".", "!", "?"]), st.sampled_from([" ", "\n\n", "\n# H\n", "\n"])
).map("".join)


@given(st.lists(SENTENCES, max_size=60).map("".join))
def test_passages_leave_nothing_out_and_cut_no_sentence(text: str) -> None:
    end = 0
    for first, last in spans(text, []):
        assert not text[end:first].strip()
        assert first < last
        assert text[:first].rstrip()[-1:] in (*".!?", "H", "")
        end = last
    assert not text[end:].strip()


@given(st.text(max_size=3000), st.integers(1, 6))
def test_any_text_falls_into_passages(text: str, times: int) -> None:
    whole = text * times
    end = 0
    for first, last in spans(whole, []):
        assert end <= first < last <= first + 4_000
        assert not whole[end:first].strip()
        end = last
    assert not whole[end:].strip()


def test_what_is_not_long_is_no_document() -> None:
    for length, format_ in ((LONGEST_WHOLE, Format.TEXT), (LONGEST_WHOLE + 1, Format.DOCUMENT)):
        episode = read_episode("t", "a" * length, {}, day(0).tzinfo, lambda: day(0))  # type: ignore[arg-type]
        assert episode.format is format_
