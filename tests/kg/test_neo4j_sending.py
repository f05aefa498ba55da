"""Rows that come in statements of their own are sent as one (pure; no server)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hitherto.kg.stores.neo4j.sending import Statement, joined

statements = st.lists(
    st.builds(
        lambda query, ids, expect: Statement(
            query,
            {"rows": [{"id": id_, "n": n} for n, id_ in enumerate(ids)], "at": None},
            (len(ids), "missing") if expect else None,
        ),
        st.sampled_from(["A", "B"]),
        st.lists(st.sampled_from("abcdefgh"), max_size=3, unique=True),
        st.booleans(),
    ),
    max_size=12,
)


def rows(listed: list[Statement]) -> list[tuple[str, object]]:
    return [(one.query, row) for one in listed for row in one.params["rows"]]


@given(statements)
def test_joined_statements_do_the_same_in_the_same_order(listed: list[Statement]) -> None:
    found = joined(listed)
    assert rows(found) == rows(listed)
    for one in found:
        ids = [row["id"] for row in one.params["rows"]]
        assert len(ids) == len(set(ids))
        assert one.expect is None or one.expect[0] == len(ids)


def test_neighbours_of_one_kind_are_one() -> None:
    put = [Statement("A", {"rows": [{"id": str(n)}]}) for n in range(500)]
    assert [len(one.params["rows"]) for one in joined(put)] == [500]
    other = Statement("B", {"ids": ["x"]})
    assert len(joined([*put[:2], other, other, *put[2:]])) == 4
    again = joined([put[0], put[1], put[0]])
    assert [len(one.params["rows"]) for one in again] == [2, 1]
