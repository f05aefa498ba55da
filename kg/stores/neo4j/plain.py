"""Values of Cypher as Python's own, and back. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

import neo4j.time
from neo4j.graph import Node, Path, Relationship
from neo4j.spatial import Point
from neo4j.vector import Vector

from ....temporal.errors import Invalid
from ...admin import Plain

_SCALARS: Final = (str, bool, int, float, bytes)


def plain(value: object) -> Plain:
    """A value of a row. Instants are aware and in UTC; a datetime stored without a zone stays without one.

    A node is the dict of its properties, with ``<id>`` and ``<labels>``; a relationship likewise, with ``<id>``,
    ``<type>`` and the ids ``<from>`` and ``<to>``; a path is the list of its nodes and relationships in turn.
    Durations are ISO 8601 texts, since their months have no length; points are dicts of their coordinates.
    """
    if value is None or isinstance(value, _SCALARS):
        return value
    if isinstance(value, Node):
        return {"<id>": value.element_id, "<labels>": [*sorted(value.labels)], **_properties(value)}
    if isinstance(value, Relationship):
        return {"<id>": value.element_id, "<type>": value.type, **_ends(value), **_properties(value)}
    if isinstance(value, Path):
        return _path(value)
    if isinstance(value, Mapping):
        return {str(name): plain(inner) for name, inner in value.items()}
    if isinstance(value, neo4j.time.Duration):
        return value.iso_format()
    if isinstance(value, Point):
        return {"srid": value.srid, **dict(zip("xyz", map(float, value), strict=False))}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    return _special(value)


def _special(value: object) -> Plain:
    if isinstance(value, neo4j.time.DateTime):
        moment = value.to_native()
        return moment if moment.tzinfo is None else moment.astimezone(UTC)
    if isinstance(value, neo4j.time.Date | neo4j.time.Time):
        return value.to_native()
    if isinstance(value, Vector):
        return [plain(number) for number in value.to_native()]
    return str(value)


def _properties(entity: Node | Relationship) -> dict[str, Plain]:
    return {name: plain(value) for name, value in entity.items()}


def _ends(relationship: Relationship) -> dict[str, Plain]:
    start, end = relationship.nodes
    return {"<from>": start.element_id if start else None, "<to>": end.element_id if end else None}


def _path(path: Path) -> list[Plain]:
    steps: list[Plain] = [plain(path.start_node)]
    for relationship, node in zip(path.relationships, path.nodes[1:], strict=True):
        steps += (plain(relationship), plain(node))
    return steps


def given(value: object, name: str) -> object:
    """A parameter as the driver may have it. Raises ``Invalid`` for what Cypher has no value for."""
    if isinstance(value, datetime):
        # A zone from zoneinfo among the parameters crashes the interpreter (CPython issue 125318).
        return value if value.tzinfo is None else value.astimezone(UTC)
    if value is None or isinstance(value, (*_SCALARS, date, timedelta)):
        return value
    if isinstance(value, time) and value.tzinfo is None:
        return value
    if isinstance(value, Mapping):
        return {str(key): given(inner, name) for key, inner in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [given(inner, name) for inner in value]
    raise Invalid(
        f"the parameter {name} holds a {type(value).__name__}; give text, numbers, dates, lists or dicts",
        code="bad_parameter",
    )
