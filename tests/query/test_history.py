from dataclasses import replace

from hitherto.kg.model import Belief
from hitherto.kg.ontology import Ontology
from hitherto.query.history import as_known, timeline_entries
from hitherto.query.results import TimelineEntry
from tests.query.builders import belief, claim, fact, instant

ONTOLOGY = Ontology.starter()
TECHCORP = fact("Alice", "WORKS_AT", "TechCorp")
ANTHROPIC = fact("Alice", "WORKS_AT", "Anthropic")
OPEN = belief(TECHCORP, ("2023-01", None), ("2023-02-01", "2026-03-02"))
CLOSED = belief(TECHCORP, ("2023-01", "2026-03-02"), ("2026-03-02", None))
NEXT = belief(ANTHROPIC, ("2026-03-02", None), ("2026-03-02", None))


def entries(*rows: Belief) -> list[TimelineEntry]:
    return timeline_entries(rows, rows)


def test_a_belief_is_not_known_before_it_came() -> None:
    assert as_known(OPEN, instant("2023-01-31"), ONTOLOGY) is None
    assert as_known(OPEN, instant("2023-02-01"), ONTOLOGY) is not None


def test_a_later_correction_does_not_show() -> None:
    before = as_known(OPEN, instant("2026-03-01"), ONTOLOGY)
    after = as_known(OPEN, instant("2026-03-02"), ONTOLOGY)
    assert before is not None
    assert after is not None
    assert (before.superseded_at, after.superseded_at) == (None, instant("2026-03-02"))


def test_the_sentence_is_said_anew() -> None:
    seen = as_known(OPEN, instant("2024"), ONTOLOGY)
    assert seen is not None
    assert seen.fact.text == "Alice works at TechCorp"


def test_a_predicate_that_a_closed_ontology_lacks_keeps_its_stored_sentence() -> None:
    seen = as_known(OPEN, instant("2024"), Ontology(closed=True))
    assert seen is not None
    assert seen.fact.text == "as stored"


def quotes(row: Belief, known: str) -> list[str]:
    seen = as_known(row, instant(known), ONTOLOGY)
    assert seen is not None
    return [c.quote for c in seen.evidence]


def test_evidence_is_what_was_there_in_the_order_it_was_said() -> None:
    first, second = claim(TECHCORP, "2023-02-01"), claim(TECHCORP, "2024-05-01")
    gone = claim(TECHCORP, "2024-02-01", retracted_at=instant("2024-04-01"))
    row = replace(CLOSED, ingested_at=instant("2023-02-01"), evidence=(second, gone, first))
    assert quotes(row, "2024-03-01") == ["said on 2023-02-01", "said on 2024-02-01"]
    assert quotes(row, "2024-05-01") == ["said on 2023-02-01", "said on 2024-05-01"]


def test_a_later_retraction_of_evidence_does_not_show() -> None:
    row = replace(OPEN, evidence=(claim(TECHCORP, "2023-02-01", retracted_at=instant("2025")),))
    seen = as_known(row, instant("2024"), ONTOLOGY)
    assert seen is not None
    assert [c.retracted_at for c in seen.evidence] == [None]


def test_what_is_no_longer_believed_keeps_what_it_rested_on() -> None:
    taken_back = claim(TECHCORP, "2023-02-01", retracted_at=instant("2026-03-02"))
    row = replace(OPEN, evidence=(taken_back, claim(TECHCORP, "2026-03-02")))
    assert quotes(row, "2026-04-01") == ["said on 2023-02-01"]


def test_the_timeline_is_the_periods_believed_with_their_corrections() -> None:
    first, second = entries(OPEN, CLOSED, NEXT)
    assert (first.id, first.believed, [c.id for c in first.corrections]) == (CLOSED.id, True, [OPEN.id])
    assert (second.id, second.believed, second.corrections) == (NEXT.id, True, ())


def test_a_fact_given_up_altogether_stays_as_history() -> None:
    gone = replace(NEXT, superseded_at=instant("2026-03-09"))
    (entry,) = entries(gone)
    assert (entry.id, entry.believed) == (NEXT.id, False)


def test_of_several_beliefs_given_up_the_last_is_the_entry() -> None:
    gone = replace(CLOSED, superseded_at=instant("2026-03-09"))
    (entry,) = entries(OPEN, gone)
    assert (entry.id, [c.id for c in entry.corrections]) == (CLOSED.id, [OPEN.id])


def test_a_correction_goes_to_the_stint_it_overlaps() -> None:
    early = belief(TECHCORP, ("2015", "2017"), ("2023-02-01", None))
    late = belief(TECHCORP, ("2020", "2022"), ("2023-03-01", None))
    was_open = belief(TECHCORP, ("2020", None), ("2023-02-01", "2023-03-01"))
    nowhere = belief(TECHCORP, ("2018", "2019"), ("2023-02-01", "2023-03-01"))
    found = entries(early, nowhere, was_open, late)
    assert [(e.id, [c.id for c in e.corrections]) for e in found] == [
        (early.id, [nowhere.id]),
        (late.id, [was_open.id]),
    ]


def test_corrections_come_in_the_order_they_were_believed() -> None:
    newer = belief(TECHCORP, ("2022", None), ("2024-01-01", "2026-03-02"))
    older = replace(OPEN, superseded_at=instant("2024-01-01"))
    (entry,) = entries(newer, older, CLOSED)
    assert [c.id for c in entry.corrections] == [older.id, newer.id]


def test_the_history_may_hold_more_than_the_page() -> None:
    assert [e.id for e in timeline_entries([NEXT], [OPEN, CLOSED, NEXT])] == [NEXT.id]
