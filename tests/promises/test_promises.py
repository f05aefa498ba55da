"""The promises of the design, through the public API, on every store."""

from __future__ import annotations

import pytest

from hitherto import Conflict, NotFound, WriteStatus
from hitherto.kg.store import EpisodeFilter, Page, Point
from tests.promises.conftest import Opener, believed
from tests.promises.properties import at_length, suite
from tests.support import ClaimsExtractor, SaidClaim, day, said


class TestInMemory(suite(60)):  # type: ignore[misc]
    @pytest.fixture
    def kind(self) -> str:
        return "memory"


class TestInAFile(suite(12)):  # type: ignore[misc]
    @pytest.fixture
    def kind(self) -> str:
        return "file"


@pytest.mark.slow
class TestInMemoryAtLength(at_length(1200, most=6)):  # type: ignore[misc]
    @pytest.fixture
    def kind(self) -> str:
        return "memory"


@pytest.mark.neo4j
class TestOnNeo4j(suite(4, most=4, shrink=False)):  # type: ignore[misc]
    @pytest.fixture
    def kind(self) -> str:
        return "neo4j"


@pytest.mark.neo4j
@pytest.mark.slow
class TestOnNeo4jAtLength(at_length(40, most=4, shrink=False)):  # type: ignore[misc]
    @pytest.fixture
    def kind(self) -> str:
        return "neo4j"


async def test_a_failed_reading_leaves_the_episode_pending_and_it_is_taken_up_again(fresh: Opener) -> None:
    extractor = ClaimsExtractor(broken=True)
    memory = await fresh(extractor)
    text = said(SaidClaim("observation", "Acme", 0))
    with pytest.raises(RuntimeError, match="broken on purpose"):
        await memory.add(text, occurred_at=day(0), id="note")
    assert (await memory.status()).pending == 1
    assert await believed(memory) == []
    extractor.broken = False
    [report] = await memory.resume()
    assert (report.episode_id, report.status) == ("note", WriteStatus.ADDED)
    assert [r[0] for r in await believed(memory)] == ["Ann works at Acme"]
    assert await memory.resume() == []


async def test_adding_a_pending_episode_again_reads_it(fresh: Opener) -> None:
    extractor = ClaimsExtractor(broken=True)
    memory = await fresh(extractor)
    text = said(SaidClaim("observation", "Acme", 0))
    with pytest.raises(RuntimeError, match="broken on purpose"):
        await memory.add(text, occurred_at=day(0))
    extractor.broken = False
    report = await memory.add(text, occurred_at=day(0))
    assert report.status is WriteStatus.ADDED
    assert [b.fact.text for b in report.added] == ["Ann works at Acme"]


async def test_the_same_id_with_other_content_is_a_conflict(fresh: Opener) -> None:
    memory = await fresh()
    await memory.add(said(SaidClaim("observation", "Acme", 0)), occurred_at=day(0), id="note")
    before = await memory.status()
    with pytest.raises(Conflict, match="'note' is stored with other content"):
        await memory.add(said(SaidClaim("observation", "Bolt", 0)), occurred_at=day(0), id="note")
    assert await memory.status() == before


async def test_retracting_an_unknown_episode_is_not_found(fresh: Opener) -> None:
    memory = await fresh()
    with pytest.raises(NotFound, match="'nowhere'"):
        await memory.retract("nowhere")


async def test_a_late_message_has_its_sessions_next_ones_read_again(fresh: Opener) -> None:
    extractor = ClaimsExtractor()
    memory = await fresh(extractor)
    texts = [said(SaidClaim("observation", "Acme", n)) for n in range(3)]
    await memory.add(texts[0], occurred_at=day(0), session="s")
    await memory.add(texts[2], occurred_at=day(2), session="s")
    extractor.seen.clear()
    await memory.add(texts[1], occurred_at=day(1), session="s")
    assert extractor.seen == [texts[1], texts[2]]


async def test_every_episode_is_durable_before_it_is_read(fresh: Opener) -> None:
    """The extractor finds the episode stored, pending, when it is asked to read it."""
    found: list[int] = []

    class Looking(ClaimsExtractor):
        async def extract(self, readings):  # type: ignore[no-untyped-def]
            store = memory._pipeline.store
            page = await store.episodes(Point(memory.tenant), EpisodeFilter(), Page())
            found.append(len(page.items))
            return await super().extract(readings)

    memory = await fresh(Looking())
    await memory.add(said(SaidClaim("observation", "Acme", 0)), occurred_at=day(0))
    assert found == [1]


async def test_a_report_says_what_it_changed(fresh: Opener) -> None:
    memory = await fresh()
    await memory.add(said(SaidClaim("observation", "Acme", 0)), occurred_at=day(0), id="one")
    report = await memory.add(said(SaidClaim("observation", "Bolt", 2)), occurred_at=day(2), id="two")
    lines = str(report).splitlines()
    assert lines[0] == "added: two"
    assert lines[1:] == [*(f"- {b}" for b in report.superseded), *(f"+ {b}" for b in report.added)]
    assert any(line.startswith("- Ann works at Acme · ") for line in lines)
    assert any(line.startswith("+ Ann works at Bolt · ") for line in lines)
