"""The ontology: consistent, canonical, extensible, and whole as shipped."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from pydantic import ValidationError

from hitherto.kg.model import Draft, Mention, Value
from hitherto.kg.ontology import Ontology, Predicate, Triggers, Unit
from hitherto.temporal.claims import Says
from hitherto.temporal.errors import Invalid
from hitherto.temporal.rules import Cardinality, PredicateKind

NOW = datetime(2026, 3, 2, tzinfo=UTC)
STARTER = Ontology.starter()
KINDS = {
    "Person",
    "Organization",
    "Place",
    "Animal",
    "Condition",
    "Product",
    "Skill",
    "Thing",
    "Topic",
    "Event",
    "Work",
    "Metric",
    "Record",
    "Value",
}


def draft(predicate: str, object_: Mention | Value) -> Draft:
    return Draft(
        says=Says.OBSERVATION,
        subject=Mention("Acme", "Organization"),
        predicate=predicate,
        object=object_,
        stated_at=NOW,
        position=0,
        quote_start=0,
        quote_end=1,
    )


@pytest.mark.parametrize("predicate", STARTER.predicates, ids=lambda p: p.name)
def test_each_predicate_is_complete(predicate: Predicate) -> None:
    assert {predicate.subject, predicate.object} <= KINDS
    assert predicate.sentence("A", "B") not in ("", predicate.text)
    assert "{subject}" in predicate.text_zh
    assert any(getattr(predicate.en, way) for way in Triggers.model_fields)
    assert any(getattr(predicate.zh, way) for way in Triggers.model_fields) or predicate.object == "Value"
    if predicate.kind is PredicateKind.EVENT:
        assert predicate.cardinality is Cardinality.MANY
        assert not (predicate.en.ends or predicate.zh.ends)


def test_no_trigger_says_two_things_of_one_kind() -> None:
    """Two predicates may share a trigger only if their objects differ in kind."""
    seen: dict[tuple[str, str, str, str], str] = {}
    for predicate in STARTER.predicates:
        for language in ("en", "zh"):
            for way in ("holds", "begins", "ends", "possessed", "titles"):
                for words in getattr(getattr(predicate, language), way):
                    kind = predicate.literal if predicate.object == "Value" else predicate.object
                    key = (language, words, f"{predicate.subject} {kind}", way)
                    assert key not in seen, f"{predicate.name} and {seen[key]} share {words!r}"
                    seen[key] = predicate.name


def test_an_inverse_is_turned_round() -> None:
    turned = STARTER.canonical(draft("EMPLOYS", Mention("Alice", "Person")))
    assert (turned.predicate, turned.subject.name) == ("WORKS_AT", "Alice")
    assert turned.object == Mention("Acme", "Organization")
    same = draft("LOCATED_IN", Mention("Oslo", "Place"))
    assert STARTER.canonical(same) is same


def test_an_inverse_needs_an_entity() -> None:
    with pytest.raises(Invalid, match="inverse"):
        STARTER.canonical(draft("EMPLOYS", Value("five people")))


def test_what_excludes_each_other_shares_a_slot() -> None:
    assert STARTER.exclusive_group("LIKES") == STARTER.exclusive_group("DISLIKES") == ("DISLIKES", "LIKES")
    assert STARTER.exclusive_group("WORKS_AT") == ("WORKS_AT",)
    assert STARTER.exclusive_group("UNHEARD_OF") == ("UNHEARD_OF",)


def test_unknown_predicates_are_open_unless_it_is_closed() -> None:
    assert STARTER.predicate("PAINTED").cardinality is Cardinality.MANY
    assert STARTER.predicate("PAINTED").sentence("Ann", "a lake") == "Ann painted a lake"
    with pytest.raises(Invalid, match="SCREAMING_SNAKE"):
        STARTER.predicate("painted")
    with pytest.raises(Invalid, match="closed"):
        STARTER.extended((), closed=True).predicate("PAINTED")


def test_extending_replaces_by_name() -> None:
    mine = Predicate(name="LIVES_IN", cardinality=Cardinality.MANY)
    extended = STARTER.extended([mine, Predicate(name="OWNS")])
    assert extended.predicate("LIVES_IN") == mine
    assert len(extended.predicates) == len(STARTER.predicates) + 1
    assert STARTER.predicate("LIVES_IN").cardinality is Cardinality.ONE


@pytest.mark.parametrize(
    ("predicates", "message"),
    [
        ([Predicate(name="A"), Predicate(name="A")], "defined twice: A"),
        ([Predicate(name="A", excludes=("B",))], "excludes B, which is not defined"),
        (
            [Predicate(name="A", excludes=("B",)), Predicate(name="B", cardinality=Cardinality.ONE)],
            "differ in cardinality",
        ),
        ([Predicate(name="A", inverse="B"), Predicate(name="B")], "define only one"),
    ],
)
def test_inconsistent(predicates: list[Predicate], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        Ontology(predicates=tuple(predicates))


def test_a_template_must_name_both_sides() -> None:
    with pytest.raises(ValidationError, match="must hold"):
        Predicate(name="A", text="{subject} does")


def test_a_measure_and_nothing_else_has_a_unit() -> None:
    with pytest.raises(ValidationError, match="has a unit"):
        Predicate(name="A", object="Value", literal="measure")
    with pytest.raises(ValidationError, match="has a unit"):
        Predicate(name="A", unit=Unit.MASS)


def test_bad_extensions_are_one_line() -> None:
    with pytest.raises(Invalid) as error:
        STARTER.extended([Predicate(name="A", excludes=("GONE",))])
    assert "\n" not in str(error.value)
