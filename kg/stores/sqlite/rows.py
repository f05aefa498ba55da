"""Rows to values and back."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final, TypeAlias

from ....temporal.claims import Says
from ....temporal.instants import from_us, to_us
from ...columns import bound_columns, bound_of, metadata_of, metadata_text, turns_of, turns_text
from ...model import (
    Claim,
    Episode,
    EpisodeStatus,
    Format,
    Mention,
    Modality,
    StoredPeriod,
    Value,
)
from .schema import ALWAYS, NEVER

Row: TypeAlias = tuple[Any, ...]
"""As sqlite3 gives it: checked by the STRICT tables, not by types."""

_EPISODE: Final = (
    "e.id, e.text, e.occurred_us, e.turns, e.format, e.source, e.actor, e.session, e.metadata, e.ingested_us, "
)
EPISODE_NOW: Final = _EPISODE + "e.forgotten_us, e.done_us"
EPISODE_THEN: Final = _EPISODE + "coalesce(x.forgotten_us, e.forgotten_us), coalesce(x.done_us, e.done_us)"
"""With ``episode_past x`` joined where a former stretch is meant."""

CLAIM: Final = (
    "c.id, f.id, c.says, c.from_us, c.from_grain, c.from_end_us, c.from_basis, c.to_us, c.to_grain, c.to_end_us, "
    "c.to_basis, c.stated_us, c.position, c.authority, c.confidence, e.id, s.id, f.predicate, o.id, "
    "c.subject_name, c.subject_kind, c.object_name, c.object_kind, c.quote, c.quote_start, c.quote_end, "
    "c.modality, c.extractor"
)
CLAIM_JOINS: Final = (
    "CROSS JOIN fact f ON f.no = c.fact CROSS JOIN episode e ON e.no = c.episode "
    "CROSS JOIN entity s ON s.no = f.subject LEFT JOIN entity o ON o.no = f.object"
)
PERIOD: Final = (
    "p.id, p.from_us, p.from_grain, p.from_end_us, p.from_basis, p.to_us, p.to_grain, p.to_end_us, p.to_basis, "
    "p.ingested_us, p.superseded_us, p.slot"
)


# Far quicker than calling the enumerations.
_SAYS: Final = {says.value: says for says in Says}
_MODALITIES: Final = {modality.value: modality for modality in Modality}


def listed(values: Iterable[str | int]) -> str:
    """Values as the JSON array that ``json_each`` reads. SQLite cuts strings at a NUL, which would match other
    rows; no stored id has one."""
    return json.dumps([v for v in values if not (isinstance(v, str) and "\0" in v)])


def moment(us: int) -> datetime | None:
    """None for an open side."""
    return None if us in (NEVER, ALWAYS) else from_us(us)


def seen_from(us: int, known_us: int) -> datetime | None:
    """An instant that closed something, as known at ``known_us``: what came later has not happened yet."""
    return None if us > known_us else moment(us)


def episode_row(episode: Episode) -> Row:
    return (
        episode.id,
        episode.text,
        to_us(episode.occurred_at),
        turns_text(episode.turns),
        episode.format,
        episode.source,
        episode.actor,
        episode.session,
        metadata_text(episode.metadata.items()),
    )


def episode(row: Row, known_us: int = NEVER) -> Episode:
    """From ``EPISODE_NOW`` or ``EPISODE_THEN`` columns; its status as known at ``known_us``."""
    (id_, text, occurred, turns, format_, source, actor, session, metadata, ingested, forgotten, done) = row
    status = EpisodeStatus.PENDING if done > known_us or done == NEVER else EpisodeStatus.DONE
    if forgotten <= known_us and forgotten != NEVER:
        status = EpisodeStatus.RETRACTED
    return Episode(
        id=id_,
        text=text,
        occurred_at=from_us(occurred),
        turns=turns_of(turns),
        format=Format(format_),
        source=source,
        actor=actor,
        session=session,
        metadata=metadata_of(metadata),
        status=status,
        ingested_at=from_us(ingested),
    )


def claim_row(claim: Claim) -> Row:
    subject, target = claim.subject, claim.object
    name, kind = (target.text, None) if isinstance(target, Value) else (target.name, target.kind)
    return (
        claim.says,
        *bound_columns(claim.valid_from),
        *bound_columns(claim.valid_to),
        to_us(claim.stated_at),
        claim.position,
        claim.authority,
        claim.confidence,
        subject.name,
        subject.kind,
        name,
        kind,
        claim.quote,
        claim.quote_start,
        claim.quote_end,
        claim.modality,
        claim.extractor,
    )


def claim(row: Row, recorded_us: int, retracted_us: int, known_us: int = NEVER) -> Claim:
    """From ``CLAIM`` columns."""
    object_name, object_kind = row[21], row[22]
    return Claim(
        id=row[0],
        fact=row[1],
        says=_SAYS[row[2]],
        valid_from=bound_of(*row[3:7]),
        valid_to=bound_of(*row[7:11]),
        stated_at=from_us(row[11]),
        position=row[12],
        authority=row[13],
        confidence=row[14],
        episode_id=row[15],
        subject_id=row[16],
        subject=Mention(row[19], row[20]),
        predicate=row[17],
        object_id=row[18],
        object=Value(object_name) if object_kind is None else Mention(object_name, object_kind),
        quote=row[23],
        quote_start=row[24],
        quote_end=row[25],
        modality=_MODALITIES[row[26]],
        extractor=row[27],
        recorded_at=from_us(recorded_us),
        retracted_at=seen_from(retracted_us, known_us),
    )


def stored_period(row: Row, slot: str, fact_id: str) -> StoredPeriod:
    """From ``PERIOD`` columns."""
    return StoredPeriod(
        id=row[0],
        slot=slot,
        fact_id=fact_id,
        valid_from=bound_of(*row[1:5]),
        valid_to=bound_of(*row[5:9]),
        ingested_at=from_us(row[9]),
        superseded_at=moment(row[10]),
    )
