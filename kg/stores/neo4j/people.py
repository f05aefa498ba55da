"""What a person sees in Neo4j Browser: labels, types of relationships, captions. Pure; the engine reads none."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from ....temporal.grains import Bound
from ....temporal.instants import from_us, to_us
from ...model import StoredPeriod
from .schema import OPEN_TYPE, RESERVED_LABELS, RESERVED_TYPES

_LONGEST = 1000


def edge_type(predicate: str, known: frozenset[str], room: int) -> str:
    """The predicate as a relationship type, or ``OPEN_TYPE`` where it cannot be one. ``known`` types cost nothing;
    new ones are made only while there is ``room``."""
    if not _is_token(predicate) or predicate in RESERVED_TYPES:
        return OPEN_TYPE
    return predicate if predicate in known or room > 0 else OPEN_TYPE


def kind_labels(kind: str | None) -> list[str]:
    """The kind as labels beside ``Entity``: none where it would be taken for one of ours."""
    if not kind or not _is_token(kind) or kind in RESERVED_LABELS:
        return []
    return [kind]


def edge_props(period: StoredPeriod) -> dict[str, Any]:
    """A period's dates, as its edge shows them."""
    return {
        "id": period.id,
        "fact_id": period.fact_id,
        "valid_from": _moment(period.valid_from),
        "valid_to": _moment(period.valid_to),
        "during": during(period.valid_from, period.valid_to),
    }


def during(start: Bound | None, end: Bound | None) -> str:
    """A period as a short caption: ``2020–2026``, ``2026–``, ``–2024``; within one year by months or days."""
    if start is None and end is None:
        return "always"
    for shape in ("%Y", "%Y-%m", "%Y-%m-%d"):
        left, right = _shown(start, shape), _shown(end, shape)
        if left != right:
            return f"{left}–{right}"
    return _shown(start, "%Y-%m-%d")


def _shown(bound: Bound | None, shape: str) -> str:
    if bound is None:
        return ""
    # Some platforms' strftime leaves out a year's leading zeros.
    return f"{bound.at.year:04}" + bound.at.strftime(shape.removeprefix("%Y"))


def _moment(bound: Bound | None) -> datetime | None:
    # Only UTC: a zone from zoneinfo among the parameters crashes the interpreter (CPython issue 125318).
    return None if bound is None else from_us(to_us(bound.at))


def _is_token(name: str) -> bool:
    return bool(name) and "\0" not in name and len(name) <= _LONGEST
