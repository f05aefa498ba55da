"""Merges and splits as episodes."""

from __future__ import annotations

from datetime import datetime

from pydantic import Field

from ..kg.model import Draft, Episode, Mention
from ..kg.ontology import SAME_AS
from ..temporal.claims import Says
from ..temporal.corrections import HIGHEST_AUTHORITY
from .lines import JsonLine, read_line


class NamedPair(JsonLine):
    """Two entities by their own names."""

    a: str = Field(min_length=1)
    a_kind: str
    b: str = Field(min_length=1)
    b_kind: str

    @classmethod
    def of(cls, a: Mention, b: Mention) -> NamedPair:
        return cls(a=a.name, a_kind=a.kind, b=b.name, b_kind=b.kind)


class IdentityRecord(JsonLine):
    """``same``: the two of each pair are one (a merge), or are not (a split). ``stated_at``: when it counts as
    said, after everything that was said about these pairs."""

    same: bool
    stated_at: datetime
    pairs: tuple[NamedPair, ...] = Field(min_length=1)


def read_identity(episode: Episode) -> list[Draft]:
    """The drafts of a ``Format.IDENTITY`` episode; its words are their quote. Raises ``Invalid`` for others."""
    quote_end, record = read_line(episode, IdentityRecord, "merge or split")
    return [
        Draft(
            says=Says.EXTENT if record.same else Says.DENIAL,
            subject=Mention(pair.a, pair.a_kind),
            predicate=SAME_AS,
            object=Mention(pair.b, pair.b_kind),
            stated_at=record.stated_at,
            position=place,
            quote_start=0,
            quote_end=quote_end,
            authority=HIGHEST_AUTHORITY,
            extractor="identity",
        )
        for place, pair in enumerate(record.pairs)
    ]
