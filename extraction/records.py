"""Ready-made facts from systems of record: a JSON line says one fact, and becomes one draft.

The line is the episode's text, so that a replay of the episode log rebuilds the same graph.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, date, datetime, tzinfo
from functools import lru_cache
from typing import Self
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, ValidationError, model_validator

from ..kg.model import Draft, Episode, Mention, Value
from ..kg.ontology import Ontology
from ..temporal.calendar import LAST_INSTANT
from ..temporal.claims import Says
from ..temporal.corrections import HIGHEST_AUTHORITY
from ..temporal.errors import Invalid
from ..temporal.grains import Basis, Bound, Grain
from ..temporal.instants import parse_bound

LITERAL = "Value"
"""The ``object`` kind of predicates whose objects are literals."""


class FactRecord(BaseModel):
    """One fact as a system of record holds it. Dates are ISO, whole or partial ("2024-03"), in ``zone``;
    an end includes its grain: ``valid_to="2024-03"`` is up to the end of March.

    With a beginning it is an extent; with an end alone, "it ended
    then"; with neither, "it held at ``stated_at``". ``stated_at`` orders it among other claims: the fact's own
    beginning unless given, its end when it has no beginning. Rows are not a talk: of two that were
    said at one instant, neither counts as later for standing below the other.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    subject: str = Field(min_length=1)
    predicate: str = Field(min_length=1)
    object: str | int | FiniteFloat | bool
    valid_from: str | None = None
    valid_to: str | None = None
    stated_at: str | None = None
    subject_kind: str | None = None
    object_kind: str | None = None
    """"Value" makes the object a literal whatever the predicate says."""
    authority: int = Field(default=0, ge=-HIGHEST_AUTHORITY, lt=HIGHEST_AUTHORITY)
    """The highest is kept for corrections."""
    confidence: float = Field(default=1.0, ge=0.0, le=1.0)
    zone: str = "UTC"

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if not self.subject.strip() or (isinstance(self.object, str) and not self.object.strip()):
            raise ValueError("subject and object must have a name")
        if self.valid_from is None and self.valid_to is None and self.stated_at is None:
            raise ValueError("give valid_from, valid_to or stated_at")
        return self

    def line(self) -> str:
        """The record as one JSON line: the verbatim evidence."""
        return json.dumps(self.model_dump(exclude_defaults=True), ensure_ascii=False)


def record(**fields: object) -> FactRecord:
    """A ``FactRecord``, with validation errors as one-line ``Invalid``."""
    try:
        return FactRecord(**fields)  # type: ignore[arg-type]
    except ValidationError as error:
        raise Invalid(f"fact: {_first(error)}") from None


def iso(value: str | date | datetime | None) -> str | None:
    """A date argument as a record writes it. Raises ``Invalid`` for what is none."""
    if value is not None and not isinstance(value, str | date):
        raise Invalid(f"{value!r:.60} is no date; give ISO text, a date or a datetime", code="not_a_date")
    return value if value is None or isinstance(value, str) else value.isoformat()


def stated_at(row: FactRecord) -> datetime:
    """When the record counts as said. Raises ``Invalid`` for what is no date."""
    if row.stated_at is not None:
        return _bound(row.stated_at, row.zone).at
    bound = next(b for b in _bounds(row) if b is not None)
    return bound.at


def read_records(episode: Episode, ontology: Ontology) -> list[Draft]:
    """The drafts of a ``Format.FACTS`` episode, one a line. Raises ``Invalid`` naming the line."""
    return [
        draft_of(_parse(line, number), ontology, (start, start + len(line)))
        for number, (start, line) in enumerate(_lines(episode.text))
    ]


def draft_of(row: FactRecord, ontology: Ontology, quote: tuple[int, int]) -> Draft:
    """The draft of a record whose line stands at ``quote`` (start, end) in the episode's text.

    Raises ``Invalid`` for dates that are none or in the wrong order, and predicates the ontology refuses.
    """
    predicate = ontology.predicate(row.predicate)
    begin, end = _bounds(row)
    says = Says.EXTENT if begin else Says.END if end else Says.OBSERVATION
    said = stated_at(row)
    if says is Says.OBSERVATION:
        begin = Bound(said, basis=Basis.DERIVED)
    kind = row.object_kind or predicate.object
    name = row.object if isinstance(row.object, str) else json.dumps(row.object)
    return Draft(
        says=says,
        subject=Mention(row.subject, row.subject_kind or _kind(predicate.subject)),
        predicate=row.predicate,
        object=Value(name) if kind == LITERAL or not isinstance(row.object, str) else Mention(name, kind),
        valid_from=begin if says is not Says.END else end,
        valid_to=end if says is Says.EXTENT else None,
        stated_at=said,
        position=0,
        quote_start=quote[0],
        quote_end=quote[1],
        confidence=row.confidence,
        authority=row.authority,
        extractor="records",
    )


def _bounds(row: FactRecord) -> tuple[Bound | None, Bound | None]:
    begin = None if row.valid_from is None else _bound(row.valid_from, row.zone)
    end = None if row.valid_to is None else _bound(row.valid_to, row.zone)
    if end is not None and end.grain is not Grain.INSTANT:
        end = Bound(end.end_of_grain, end.grain, end.end_of_grain)
    if begin is not None and end is not None and begin.at >= end.at:
        raise Invalid(f"valid_from {row.valid_from} is not before valid_to {row.valid_to}; swap or mend them")
    if begin is not None and begin.at == LAST_INSTANT:
        raise Invalid(f"valid_from {row.valid_from} is the last instant there is, and nothing begins there")
    return begin, end


def _kind(kind: str) -> str:
    if kind == LITERAL:
        raise Invalid("a subject cannot be a literal")
    return kind


@lru_cache(maxsize=8192)
def _bound(text: str, zone: str) -> Bound:
    return parse_bound(text, zone=read_zone(zone))


def read_zone(name: str) -> tzinfo:
    """The time zone of an IANA name. Raises ``Invalid`` for an unknown one."""
    try:
        return UTC if name == "UTC" else ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise Invalid(f"unknown time zone {name!r}; use an IANA name such as Europe/Berlin") from None


def _lines(text: str) -> Iterator[tuple[int, str]]:
    start = 0
    for line in text.split("\n"):
        if line.strip():
            yield start, line
        start += len(line) + 1


def _parse(line: str, number: int) -> FactRecord:
    try:
        return FactRecord.model_validate_json(line)
    except ValidationError as error:
        raise Invalid(f"fact record, line {number + 1}: {_first(error)}") from None


def _first(error: ValidationError) -> str:
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"])
    return f"{where}: {first['msg']}" if where else str(first["msg"]).removeprefix("Value error, ")
