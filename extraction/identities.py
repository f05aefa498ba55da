"""Merges and splits as episodes: words for people, and below them one JSON line of who is (or is not) the same.

The line says all that the claims hold, so that a replay of the episode log rebuilds the same graph.
"""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ..kg.model import Draft, Episode, Mention
from ..kg.ontology import SAME_AS
from ..temporal.claims import Says
from ..temporal.corrections import HIGHEST_AUTHORITY
from ..temporal.errors import Invalid


class _Line(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class NamedPair(_Line):
    """Two entities by their own names."""

    a: str = Field(min_length=1)
    a_kind: str
    b: str = Field(min_length=1)
    b_kind: str

    @classmethod
    def of(cls, a: Mention, b: Mention) -> NamedPair:
        return cls(a=a.name, a_kind=a.kind, b=b.name, b_kind=b.kind)


class IdentityRecord(_Line):
    """``same``: the two of each pair are one (a merge), or are not (a split). ``stated_at``: when it counts as
    said, after everything that was said about these pairs."""

    same: bool
    stated_at: datetime
    pairs: tuple[NamedPair, ...] = Field(min_length=1)


def identity_text(words: str, record: IdentityRecord) -> str:
    """The episode's text."""
    return f"{words}\n{record.model_dump_json()}"


def read_identity(episode: Episode) -> list[Draft]:
    """The drafts of a ``Format.IDENTITY`` episode; its words are their quote. Raises ``Invalid`` for others."""
    words, _, line = episode.text.rpartition("\n")
    try:
        record = IdentityRecord.model_validate_json(line)
    except ValidationError as error:
        raise Invalid(f"merge or split {episode.id!r}: {error.errors()[0]['msg']}") from None
    return [
        Draft(
            says=Says.EXTENT if record.same else Says.DENIAL,
            subject=Mention(pair.a, pair.a_kind),
            predicate=SAME_AS,
            object=Mention(pair.b, pair.b_kind),
            stated_at=record.stated_at,
            position=place,
            quote_start=0,
            quote_end=len(words),
            authority=HIGHEST_AUTHORITY,
            extractor="identity",
        )
        for place, pair in enumerate(record.pairs)
    ]
