"""Corrections as episodes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from pydantic import Field

from ..kg.model import Draft, Episode, Mention, Value, text_of
from ..temporal.claims import Says
from ..temporal.corrections import HIGHEST_AUTHORITY
from ..temporal.grains import Basis, Bound, Grain
from .lines import JsonLine, read_line


class SaidBound(JsonLine):
    """A bound, whole: a partial date would not tell the end of a stated extent from a beginning."""

    at: datetime
    grain: Grain = Grain.INSTANT
    grain_end: datetime | None = None
    basis: Basis = Basis.STATED

    @classmethod
    def of(cls, bound: Bound | None) -> SaidBound | None:
        if bound is None:
            return None
        return cls(at=bound.at, grain=bound.grain, grain_end=bound.grain_end, basis=bound.basis)


def _bound(said: SaidBound | None) -> Bound | None:
    return None if said is None else Bound(said.at, said.grain, said.grain_end, said.basis)


class CorrectingClaim(JsonLine):
    """One claim of a correction. ``object_kind`` None: the object is a literal."""

    says: Says
    subject: str = Field(min_length=1)
    subject_kind: str
    predicate: str = Field(min_length=1)
    object: str = Field(min_length=1)
    object_kind: str | None = None
    valid_from: SaidBound | None = None
    valid_to: SaidBound | None = None


class CorrectionRecord(JsonLine):
    """``stated_at``: when it counts as said, after everything that it corrects."""

    stated_at: datetime
    claims: tuple[CorrectingClaim, ...]


def read_correction(episode: Episode) -> list[Draft]:
    """The drafts of a ``Format.CORRECTION`` episode; its words are their quote. Raises ``Invalid`` for others."""
    quote_end, record = read_line(episode, CorrectionRecord, "correction")
    return [draft_of(claim, record.stated_at, place, quote_end) for place, claim in enumerate(record.claims)]


def correcting_claim(
    says: Says, sides: tuple[Mention, str, Mention | Value], bounds: Sequence[Bound | None]
) -> CorrectingClaim:
    subject, predicate, target = sides
    literal = isinstance(target, Value)
    return CorrectingClaim(
        says=says,
        subject=subject.name,
        subject_kind=subject.kind,
        predicate=predicate,
        object=text_of(target),
        object_kind=None if literal or isinstance(target, Value) else target.kind,
        valid_from=SaidBound.of(bounds[0]),
        valid_to=SaidBound.of(bounds[1]),
    )


def draft_of(claim: CorrectingClaim, stated_at: datetime, position: int, quote_end: int) -> Draft:
    """The draft of one claim, which nothing but a later correction undoes."""
    literal = claim.object_kind is None
    return Draft(
        says=claim.says,
        subject=Mention(claim.subject, claim.subject_kind),
        predicate=claim.predicate,
        object=Value(claim.object) if literal else Mention(claim.object, claim.object_kind or ""),
        valid_from=_bound(claim.valid_from),
        valid_to=_bound(claim.valid_to),
        stated_at=stated_at,
        position=position,
        quote_start=0,
        quote_end=quote_end,
        authority=HIGHEST_AUTHORITY,
        extractor="correction",
    )
