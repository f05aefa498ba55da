import pytest

from hitherto import Where
from hitherto.query.filters import AllOf, AnyOf, Not, holds, leaves, read_where
from hitherto.temporal.errors import Invalid
from tests.query.builders import entity

ANN, BOB = Where(actors="ann"), Where(sessions=["s1", "s2"])


def test_filters_combine() -> None:
    both = ANN & ~BOB | Where(min_confidence=0.5)
    assert both == AnyOf((AllOf((ANN, Not(BOB))), Where(min_confidence=0.5)))
    assert list(leaves(both)) == [ANN, BOB, Where(min_confidence=0.5)]
    assert str(both) == "((actors='ann') and (not (sessions='s1', 's2'))) or (min_confidence=0.5)"


@pytest.mark.parametrize(("a", "b", "there"), [(True, True, True), (True, False, True), (False, False, False)])
def test_a_filter_holds_as_its_parts_do(a: bool, b: bool, there: bool) -> None:
    truth = {ANN: a, BOB: b}
    assert holds(ANN | BOB, truth.__getitem__) is there
    assert holds(ANN & BOB, truth.__getitem__) is (a and b)
    assert holds(~(ANN | BOB), truth.__getitem__) is not there


def test_json_says_the_same() -> None:
    written = {"and": [{"actors": "ann"}, {"not": {"or": [{"sessions": ["s1", "s2"]}, {"metadata": {"a": [1]}}]}}]}
    assert read_where(written) == ANN & ~(BOB | Where(metadata={"a": [1]}))
    assert read_where({"during": ["2024", None]}) == Where(during=("2024", None))
    assert read_where(None) is None
    assert read_where(ANN) is ANN
    assert Where(entities=[entity("Ann")]).entities == (entity("Ann"),)


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ({"actor": "ann"}, r"unknown name 'actor'; did you mean 'actors'\? use actors, and, during"),
        ({"AND": []}, "unknown name 'AND'; use actors"),
        ({}, "without a condition; give one or more of predicates, entities"),
        ({"and": []}, '"and" takes a list of filters, one or more'),
        ({"or": {"actors": "ann"}}, '"or" takes a list'),
        ({"not": {"actors": "ann"}, "sessions": "s"}, '"not" stands beside other names'),
        ({"not": ["x"]}, "is no filter"),
        ("actors=ann", "'actors=ann' is no filter"),
        ({"actors": []}, "actors is empty"),
        ({"actors": 3}, "actors=3; give a text"),
        ({"actors": {"ann": 1}}, "give a text, or several"),
        ({"actors": [3]}, "actors holds 3"),
        ({"entities": " "}, "entities holds ' '"),
        ({"metadata": "channel"}, "metadata='channel'; give names and values"),
        ({"metadata": {}}, "give names and values"),
        ({"during": 2024}, "during=2024; give"),
        ({"during": ["2024"]}, "give .*a pair of times"),
        ({"min_confidence": 2}, "give a number from 0 to 1"),
        ({"min_confidence": True}, "give a number from 0 to 1"),
        ({"min_confidence": "high"}, "give a number from 0 to 1"),
    ],
)
def test_wrong_filters_are_refused(written: object, message: str) -> None:
    with pytest.raises(Invalid, match=message):
        read_where(written)  # type: ignore[arg-type]


def test_filters_join_filters_only() -> None:
    with pytest.raises(Invalid, match="cannot be joined with"):
        ANN & {"actors": "bob"}  # type: ignore[operator]


def test_nobody_nests_without_end() -> None:
    nested: dict[str, object] = {"actors": "ann"}
    for _ in range(5_000):
        nested = {"not": nested}
    with pytest.raises(Invalid, match="more than 50 levels"):
        read_where(nested)
