"""What a person sees of a period, decided without a server."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from hitherto.kg.model import StoredPeriod
from hitherto.kg.stores.neo4j.people import during, edge_props, edge_type, kind_labels
from hitherto.kg.stores.neo4j.schema import RESERVED_TYPES
from hitherto.temporal.grains import Bound


def at(*parts: int) -> Bound:
    return Bound(datetime(*parts, tzinfo=UTC))  # type: ignore[arg-type, misc]


@pytest.mark.parametrize(
    ("start", "end", "caption"),
    [
        (at(2020, 1, 1), at(2026, 3, 2), "2020–2026"),
        (at(2026, 3, 2), None, "2026–"),
        (None, at(2024, 1, 1), "–2024"),
        (None, None, "always"),
        (at(2026, 3, 2), at(2026, 5, 1), "2026-03–2026-05"),
        (at(2026, 3, 2), at(2026, 3, 9), "2026-03-02–2026-03-09"),
        (at(2026, 3, 2, 10), at(2026, 3, 2, 11), "2026-03-02"),
        (at(987, 1, 1), None, "0987–"),
    ],
)
def test_a_caption_is_as_short_as_it_can_be(start: Bound | None, end: Bound | None, caption: str) -> None:
    assert during(start, end) == caption


def test_dates_go_out_in_utc() -> None:
    """A zone from zoneinfo among the parameters crashes the interpreter."""
    start = Bound(datetime(2026, 3, 2, 9, tzinfo=ZoneInfo("Asia/Shanghai")))
    shown = edge_props(StoredPeriod("p", "s", "f", start, None, datetime(2026, 3, 2, tzinfo=UTC)))
    assert shown["valid_from"] == datetime(2026, 3, 2, 1, tzinfo=UTC)
    assert shown["valid_from"].tzinfo is UTC
    assert shown["valid_to"] is None


def test_a_predicate_is_a_type_where_it_can_be_one() -> None:
    known = frozenset({"WORKS_AT"})
    assert edge_type("WORKS_AT", known, 0) == "WORKS_AT"
    assert edge_type("LIKES", known, 1) == "LIKES"
    assert edge_type("LIKES", known, 0) == "RELATES"
    assert edge_type("", known, 1) == "RELATES"
    assert edge_type("A\0B", known, 1) == "RELATES"
    assert edge_type("X" * 5000, known, 1) == "RELATES"
    for reserved in RESERVED_TYPES:
        assert edge_type(reserved, frozenset(RESERVED_TYPES), 1) == "RELATES"


def test_a_kind_is_a_label_where_it_cannot_be_taken_for_ours() -> None:
    assert kind_labels("Person") == ["Person"]
    assert kind_labels("`x`") == ["`x`"]
    for kind in (None, "", "Episode", "Tenant", "Entity", "Period", "a\0", "x" * 5000):
        assert kind_labels(kind) == []
