"""Properties to values and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

from ....temporal.claims import Says
from ....temporal.grains import Bound
from ....temporal.instants import format_interval, from_us, to_us
from ...columns import (
    bound_columns,
    bound_of,
    metadata_of,
    metadata_text,
    turns_of,
    turns_text,
)
from ...ids import make_id, normalise
from ...model import (
    Claim,
    Entity,
    Episode,
    EpisodeStatus,
    Fact,
    Format,
    Mention,
    Modality,
    StoredPeriod,
    Value,
    text_of,
)
from ...text import cut
from .points import moment, seen_from
from .schema import ALWAYS, CLAIM_TYPES, NEVER, wall_of

Props: TypeAlias = "Mapping[str, Any]"
"""A node's or relationship's properties as the driver gives them; null ones are missing."""

EPISODE: Final = (
    "e {.id, .text, .occurred_us, .turns, .format, .source, .actor, .session, .metadata, .ingested_us, .known_us, "
    ".forgotten_us, .done_us, .past_us}"
)
FACT: Final = "f {.id, .subject_id, .predicate, .object_id, .value, .text, .is_event}"
PERIOD: Final = (
    "p {.id, .slot, .fact_id, .from_us, .from_grain, .from_end_us, .from_basis, .to_us, .to_grain, .to_end_us, "
    ".to_basis, .ingested_us, .superseded_us}"
)
NAMING: Final = "n {.entity_id, .name, .kind, .aliases, .from_us, .to_us, .word_count}"

_TITLE: Final = 80


def title(text: str) -> str:
    """A text's beginning, for people and for indexes, which take no long texts."""
    line = " ".join(text[: 4 * _TITLE].split())
    return line if len(line) <= _TITLE else line[: _TITLE - 1] + "…"


def searchable(tenant: str, text: str) -> tuple[dict[str, Any], int]:
    """What full-text search reads, as properties; and the number of words.

    Two spaces between words let a query count a word by splitting at the word with one space on each side.
    """
    words = cut(text)
    if not words:
        return {}, 0
    body = " " + "  ".join(words) + " "
    return {"words": body, "word_count": len(words), "wall": wall_of(tenant)}, len(words)


def episode_props(episode: Episode) -> dict[str, Any]:
    """Its content; the stretches in which it is known are the transaction's."""
    return {
        "title": title(episode.text),
        "text": episode.text,
        "occurred_us": to_us(episode.occurred_at),
        "occurred_at": from_us(to_us(episode.occurred_at)),
        "turns": turns_text(episode.turns),
        "format": episode.format.value,
        "source": episode.source,
        "actor": episode.actor,
        "session": episode.session,
        "metadata": metadata_text(episode.metadata.items()),
    }


def stretch_of(row: Props, known_us: int) -> tuple[int, int, int]:
    """(known, done, forgotten) of the stretch in which the episode is known at ``known_us``; else the newest."""
    newest = (row["known_us"], row["done_us"], row["forgotten_us"])
    past: Sequence[int] = row.get("past_us") or ()
    if known_us < newest[0]:
        for i in range(0, len(past), 3):
            if past[i] <= known_us < past[i + 2]:
                return past[i], past[i + 1], past[i + 2]
    return newest


def episode_of(row: Props, known_us: int = NEVER) -> Episode:
    """From ``EPISODE``; its status as known at ``known_us``."""
    _, done, forgotten = stretch_of(row, known_us)
    status = EpisodeStatus.PENDING if done > known_us or done == NEVER else EpisodeStatus.DONE
    if forgotten <= known_us and forgotten != NEVER:
        status = EpisodeStatus.RETRACTED
    return Episode(
        id=row["id"],
        text=row["text"],
        occurred_at=from_us(row["occurred_us"]),
        turns=turns_of(row["turns"]),
        format=Format(row["format"]),
        source=row["source"],
        actor=row.get("actor"),
        session=row.get("session"),
        metadata=metadata_of(row["metadata"]),
        status=status,
        ingested_at=from_us(row["ingested_us"]),
    )


def claim_type(says: Says) -> str:
    asserts, ends, denies = CLAIM_TYPES
    return {Says.END: ends, Says.DENIAL: denies}.get(says, asserts)


def claim_props(claim: Claim) -> dict[str, Any]:
    """Its content; the stretches in which it is known are the transaction's."""
    target = claim.object
    is_value = isinstance(target, Value)
    return {
        "id": claim.id,
        "fact_id": claim.fact,
        "episode_id": claim.episode_id,
        "says": claim.says.value,
        "interval": format_interval(claim.valid_from, claim.valid_to),
        **_bounds(claim.valid_from, claim.valid_to, (None, None)),
        "stated_us": to_us(claim.stated_at),
        "position": claim.position,
        "authority": claim.authority,
        "confidence": claim.confidence,
        "subject_id": claim.subject_id,
        "subject_name": claim.subject.name,
        "subject_kind": claim.subject.kind,
        "predicate": claim.predicate,
        "object_id": claim.object_id,
        "object_name": text_of(target),
        "object_kind": None if is_value or isinstance(target, Value) else target.kind,
        "quote": claim.quote,
        "start": claim.quote_start,
        "end": claim.quote_end,
        "modality": claim.modality.value,
        "extractor": claim.extractor,
    }


def known_claims(row: Props, known_us: int) -> list[tuple[int, int, Claim]]:
    """From a claim's relationship: (recorded, retracted, claim) of the stretch in which it is known at
    ``known_us``; of every stretch when that is NEVER."""
    past: Sequence[int] = row.get("past_us") or ()
    stretches = [(row["recorded_us"], row["retracted_us"])]
    stretches += [(past[i], past[i + 1]) for i in range(0, len(past), 2)]
    if known_us != NEVER:
        stretches = [(start, end) for start, end in stretches if start <= known_us < end]
    return [(start, end, _claim(row, start, end, known_us)) for start, end in stretches]


def claim_of(row: Props) -> Claim:
    """From a claim's relationship, in its newest stretch."""
    return _claim(row, row["recorded_us"], row["retracted_us"], NEVER)


def _claim(row: Props, recorded: int, retracted: int, known_us: int) -> Claim:
    name, kind = row["object_name"], row.get("object_kind")
    return Claim(
        id=row["id"],
        fact=row["fact_id"],
        says=Says(row["says"]),
        valid_from=_bound(row, "from"),
        valid_to=_bound(row, "to"),
        stated_at=from_us(row["stated_us"]),
        position=row["position"],
        authority=row["authority"],
        confidence=row["confidence"],
        episode_id=row["episode_id"],
        subject_id=row["subject_id"],
        subject=Mention(row["subject_name"], row["subject_kind"]),
        predicate=row["predicate"],
        object_id=row.get("object_id"),
        object=Value(name) if kind is None else Mention(name, kind),
        quote=row["quote"],
        quote_start=row["start"],
        quote_end=row["end"],
        modality=Modality(row["modality"]),
        extractor=row["extractor"],
        recorded_at=from_us(recorded),
        retracted_at=seen_from(retracted, known_us),
    )


def stored_key(tenant: str, object_key: str) -> str:
    """An object's key as it stands in the database: short, whatever a literal holds."""
    if object_key.startswith("v:"):
        return "v:" + make_id(tenant, "value", normalise(object_key[2:]))
    return object_key


def period_props(period: StoredPeriod) -> dict[str, Any]:
    return {
        "id": period.id,
        "slot": period.slot,
        "fact_id": period.fact_id,
        **_bounds(period.valid_from, period.valid_to, (ALWAYS, NEVER)),
    }


def period_of(row: Props) -> StoredPeriod:
    """From ``PERIOD``."""
    return StoredPeriod(
        id=row["id"],
        slot=row["slot"],
        fact_id=row["fact_id"],
        valid_from=_bound(row, "from"),
        valid_to=_bound(row, "to"),
        ingested_at=from_us(row["ingested_us"]),
        superseded_at=moment(row["superseded_us"]),
    )


def bounds_of(row: Props) -> tuple[Bound | None, Bound | None]:
    return _bound(row, "from"), _bound(row, "to")


def entity_of(row: Props) -> Entity:
    """From ``NAMING``."""
    return Entity(row["entity_id"], row["name"], row["kind"], tuple(row["aliases"]))


def fact_of(row: Props, called: Mapping[str, Entity]) -> Fact:
    """From ``FACT``; ``called`` gives the entities as known then."""
    subject, object_ = row["subject_id"], row.get("object_id")
    return Fact(
        id=row["id"],
        subject=called.get(subject) or Entity(subject, subject),
        predicate=row["predicate"],
        object=Value(row["value"]) if object_ is None else called.get(object_) or Entity(object_, object_),
        text=row["text"],
    )


def _bounds(start: Bound | None, end: Bound | None, open_us: tuple[int | None, int | None]) -> dict[str, Any]:
    sides = (("from", start, open_us[0]), ("to", end, open_us[1]))
    props: dict[str, Any] = {}
    for name, bound, open_side in sides:
        at, grain, grain_end, basis = bound_columns(bound, open_side)
        props[f"{name}_us"] = at
        props[f"{name}_grain"] = None if grain is None else str(grain)
        props[f"{name}_end_us"] = grain_end
        props[f"{name}_basis"] = None if basis is None else str(basis)
    return props


def _bound(row: Props, side: str) -> Bound | None:
    return bound_of(
        row.get(f"{side}_us"), row.get(f"{side}_grain"), row.get(f"{side}_end_us"), row.get(f"{side}_basis")
    )


def arrived(status: EpisodeStatus, now_us: int) -> dict[str, Any]:
    """In which stretches an episode is known that comes now."""
    return {
        "known_us": now_us,
        "done_us": now_us if status is EpisodeStatus.DONE else NEVER,
        "forgotten_us": now_us if status is EpisodeStatus.RETRACTED else NEVER,
        "past_us": [],
    }


def moved(stored: Props, status: EpisodeStatus, now_us: int) -> dict[str, Any]:
    """What changes in the stretches in which a stored episode is known."""
    known, done, forgotten = stored["known_us"], stored["done_us"], stored["forgotten_us"]
    past = list(stored.get("past_us") or ())
    if status is EpisodeStatus.RETRACTED:
        forgotten = min(forgotten, now_us)
    elif forgotten == now_us:
        # Taken back and given again in one transaction: it was known all the time.
        forgotten = NEVER
    elif forgotten != NEVER:
        past += [known, done, forgotten]
        known, forgotten = now_us, NEVER
    if status is EpisodeStatus.PENDING:
        done = NEVER
    elif status is EpisodeStatus.DONE and done == NEVER:
        done = now_us
    moved = {"known_us": known, "done_us": done, "forgotten_us": forgotten, "past_us": past}
    return {} if moved == {name: stored.get(name) for name in moved} else moved
