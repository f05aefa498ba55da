"""Answers from single beliefs: what is exact, and what is only about so."""

from dataclasses import replace
from datetime import UTC

import pytest

from hitherto.kg.model import Belief
from hitherto.query.answers import Wanted, reckon
from hitherto.query.asking import Asks, asks, clause_of
from hitherto.temporal.claims import Says
from hitherto.temporal.grains import Basis
from tests.query.builders import belief, claim, fact, instant
from tests.query.scribe import ONTOLOGY

WORK = fact("Alice", "WORKS_AT", "TechCorp")


def held(start: str, end: str | None, *, basis: Basis = Basis.STATED, says: Says = Says.OBSERVATION) -> Belief:
    found = belief(WORK, (start, end), ("2026-01-01", None))
    told = claim(WORK, start, says=says, valid_from=found.valid_from)
    begun, ended = found.valid_from, found.valid_to
    assert begun is not None
    return replace(
        found,
        valid_from=replace(begun, basis=basis),
        valid_to=ended and replace(ended, basis=basis if basis is Basis.INFERRED else Basis.STATED),
        evidence=(told,),
    )


def text(kind: Asks, *beliefs: Belief, language: str = "en") -> str | None:
    wanted = Wanted(
        asks=kind,
        text="work",
        language=language,
        predicates=["WORKS_AT"],
        kin=[],
        now=instant("2026-11-15"),
        zone=UTC,
    )  # fmt: skip
    answer = reckon(wanted, frozenset([WORK.subject.id]), list(beliefs), ONTOLOGY)
    return None if answer is None else answer.text


@pytest.mark.parametrize(
    ("period", "answer"),
    [
        (("2023-01", "2026-03-02"), "3 years 2 months"),
        (("2020", "2023"), "3 years"),
        (("2020", "2020-06"), "less than a year"),
        (("2026-01-05", "2026-01-25"), "20 days"),
        (("2024-02-29", "2025-02-28"), "1 year"),
        (("2026-10", None), "1 month so far"),
        (("2027", None), None),
    ],
)
def test_lengths_keep_to_their_grain(period: tuple[str, str | None], answer: str | None) -> None:
    assert text(Asks.HOW_LONG, held(*period)) == answer


def test_two_stints_are_added() -> None:
    stints = held("2018-01", "2019-01"), held("2020-01", "2020-07")
    assert text(Asks.HOW_LONG, *stints) == "1 year 6 months"
    assert text(Asks.HOW_LONG, *stints, language="zh") == "1年6个月"


@pytest.mark.parametrize(
    ("basis", "says", "about"),
    [
        (Basis.STATED, Says.OBSERVATION, False),
        (Basis.DERIVED, Says.DATED_BEGINNING, False),
        (Basis.DERIVED, Says.OBSERVATION, True),
        (Basis.INFERRED, Says.DATED_BEGINNING, True),
    ],
)
def test_what_nobody_dated_is_about_so(basis: Basis, says: Says, about: bool) -> None:
    one = held("2024-01", "2025-01", basis=basis, says=says)
    assert text(Asks.HOW_LONG, one) == ("about 1 year" if about else "1 year")
    assert text(Asks.HOW_LONG, one, language="zh") == ("约1年" if about else "1年")


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("When did she leave?", Asks.WHEN),
        ("How many months did it take?", Asks.HOW_LONG),
        ("How many years ago did she leave?", Asks.WHEN),
        ("What is her first name?", None),
        ("她换过几份工作？", Asks.HOW_MANY),
        ("她工作了几年？", Asks.HOW_LONG),
        ("她第一份工作是什么？", Asks.FIRST),
        ("她以前住在哪？", None),
        ("Where does she live?", None),
    ],
)
def test_what_a_question_asks(question: str, kind: Asks | None) -> None:
    assert asks(question, None) is kind


def test_clauses() -> None:
    found = clause_of("Where did she live before she moved to Rome?")
    assert found is not None
    assert "Where did she live before she moved to Rome?"[slice(*found.event)] == "she moved to Rome"
    assert clause_of("When did she move?") is None
