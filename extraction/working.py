"""Pins and changes of tasks as episodes."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from pydantic import Field

from ..kg.model import Draft, Episode
from .corrections import CorrectingClaim, draft_of
from .lines import JsonLine, read_line


class WorkingRecord(JsonLine):
    """``stated_at``: the transaction time of the write, so that of two changes the one written later counts."""

    stated_at: datetime
    claims: tuple[CorrectingClaim, ...] = Field(min_length=1)


def read_working(episode: Episode) -> list[Draft]:
    """The drafts of a ``Format.WORKING`` episode; its words are their quote. Raises ``Invalid`` for others."""
    quote_end, record = read_line(episode, WorkingRecord, "pin or task")
    return [
        replace(draft_of(claim, record.stated_at, place, quote_end), authority=0, extractor="working")
        for place, claim in enumerate(record.claims)
    ]
