from dataclasses import replace
from datetime import UTC

import pytest

from hitherto.kg.model import Claim, Episode, Turn
from hitherto.query.results import EntityHit, EpisodeHit, FactHit, Question, SearchResult, TimeSource
from hitherto.temporal.claims import Says
from tests.query.builders import belief, claim, entity, fact, instant

FACT = fact("Alice", "WORKS_AT", "TechCorp")
ROW = belief(FACT, ("2023-01", "2026-03-02"), ("2026-03-02", None))


def fact_hit(*evidence: Claim) -> FactHit:
    row = replace(ROW, evidence=evidence)
    return FactHit(belief=row, score=1.0, legs=(), dates=row.dates(UTC))


@pytest.mark.parametrize(
    ("start", "end", "event", "expected"),
    [
        ("2023-01", "2026-03-02", False, "2023-01 → 2026-03-02"),
        ("2026-03-02", None, False, "2026-03-02 →"),
        (None, "2024", False, "→ 2024"),
        (None, None, False, ""),
        ("2024-04", "2024-05", True, "2024-04"),
    ],
)
def test_dates_are_written_as_exactly_as_they_were_said(
    start: str | None, end: str | None, event: bool, expected: str
) -> None:
    row = replace(belief(FACT, (start, end), ("2026-03-02", None)), is_event=event)
    assert row.dates(UTC) == expected


def test_a_fact_reads_as_fact_dates_quote() -> None:
    hit = fact_hit(claim(FACT, "2023-02-01", quote="Alice joined\n TechCorp in January 2023."))
    assert str(hit) == "as stored · 2023-01 → 2026-03-02 · “Alice joined TechCorp in January 2023.”"
    assert hit.episode_id == "episode 2023-02-01"


def test_a_fact_without_evidence_still_reads() -> None:
    hit = fact_hit()
    assert (str(hit), hit.quote, hit.episode_id) == ("as stored · 2023-01 → 2026-03-02", "", None)


def test_the_quote_supports_the_fact_then_is_the_surest_then_the_last() -> None:
    end = claim(FACT, "2026-03-02", says=Says.END)
    sure, unsure = claim(FACT, "2023-02-01"), claim(FACT, "2024-02-01", confidence=0.6)
    again = claim(FACT, "2023-05-01")
    assert fact_hit(end, sure, unsure).quote == "said on 2023-02-01"
    assert fact_hit(sure, again, end).quote == "said on 2023-05-01"
    assert fact_hit(end).quote == "said on 2026-03-02"


def test_a_long_episode_is_cut_in_its_line_only() -> None:
    text = "word " * 100
    said = instant("2026-03-02")
    episode = Episode(id="e1", text=text, occurred_at=said, turns=(Turn(0, len(text), said),), actor="liang")
    hit = EpisodeHit(episode=episode, score=1.0, legs=(), dates="2026-03-02")
    assert str(hit).startswith("2026-03-02 · liang · “word word")
    assert str(hit).endswith("…”")
    assert len(str(hit)) < 200
    assert hit.quote == text


def test_an_entity_reads_with_its_other_names() -> None:
    hit = EntityHit(entity=replace(entity("Alice"), aliases=("Al", "Alice Smith")), score=1.0, legs=())
    assert str(hit) == "Alice (Person, also Al, Alice Smith)"


def test_a_result_is_a_sequence_of_its_hits() -> None:
    question = Question(text="?", language="en", valid=None, time_source=TimeSource.NOW)
    hits = (fact_hit(), EntityHit(entity=entity("Alice"), score=0.5, legs=()))
    result = SearchResult(question, hits, instant("2026"))
    assert (list(result), len(result), result[1]) == (list(hits), 2, hits[1])
    assert (result.facts, result.episodes, result.entities) == (hits[:1], (), hits[1:])
    assert str(result).count("\n") == 1
