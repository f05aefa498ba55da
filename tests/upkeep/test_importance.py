"""How much a fact matters: a pure score."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hitherto import Ontology
from hitherto.kg.importance import importance
from hitherto.kg.keeping import Use
from hitherto.kg.ontology import CONSTRAINT

UNIT = st.floats(0, 1)
COUNT = st.integers(0, 1_000_000)


@given(UNIT, UNIT, COUNT, COUNT, COUNT, COUNT)
def test_more_that_speaks_for_a_fact_never_lowers_its_importance(
    prior: float, confidence: float, sources: int, shown: int, used: int, corrected: int
) -> None:
    score = importance(prior, confidence, sources, Use(shown, used, corrected))
    assert 0 <= score <= 1
    assert importance(prior, confidence, sources + 1, Use(shown, used, corrected)) >= score
    assert importance(prior, confidence, sources, Use(shown + 1, used, corrected)) >= score
    assert importance(prior, confidence, sources, Use(shown, used + 1, corrected)) >= score
    assert importance(prior, confidence, sources, Use(shown, used, corrected + 1)) <= score
    assert importance(prior, min(1.0, confidence + 0.1), sources, Use(shown, used, corrected)) >= score
    assert importance(min(1.0, prior + 0.1), confidence, sources, Use(shown, used, corrected)) >= score


def test_a_sure_fact_that_nobody_used_has_its_predicates_importance() -> None:
    assert round(importance(0.3, 1.0, 1), 6) == 0.3
    assert importance(0.3, 1.0, 2) > 0.36
    assert importance(0.3, 0.5, 1) < 0.14
    assert importance(0.3, 1.0, 1, Use(used=3)) > 0.45 > importance(0.3, 1.0, 1, Use(shown=3))
    assert importance(0.9, 1.0, 1, Use(corrected=1)) < 0.82


def test_constraints_matter_most_and_small_talk_least() -> None:
    starter = Ontology.starter()
    prior = {p.name: p.importance for p in starter.predicates}
    assert {name for name, one in prior.items() if one >= CONSTRAINT} == {
        "NAMED", "ALLERGIC_TO", "CANNOT_EAT", "HAS_CONDITION", "HAS_DIET", "HAS_BUDGET", "WANTS_REPLIES_IN",
    }  # fmt: skip
    assert prior["ALLERGIC_TO"] > prior["WORKS_AT"] > prior["MEMBER_OF"] > prior["LIKES"] > prior["VISITED"]
    assert starter.importance_of("DONATE") == 0.5
