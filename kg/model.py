"""The values that move between the houses. Frozen, slotted, no behaviour beyond what is derived from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from enum import StrEnum
from typing import Final, TypeAlias

from ..temporal import claims as temporal
from ..temporal.claims import Says
from ..temporal.grains import Bound
from ..temporal.instants import format_bound
from ..temporal.intervals import Interval, between

Json: TypeAlias = "str | int | float | bool | None | list[Json] | dict[str, Json]"

THING = "Thing"
"""The kind of an entity nobody has said more about."""
PERSON = "Person"


class Role(StrEnum):
    """Who speaks in a turn, as chat APIs name it. ``SYSTEM`` turns are stored and never extracted."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    SYSTEM = "system"


class Format(StrEnum):
    """How an episode's text is to be read."""

    TEXT = "text"
    """Prose or messages, in any language."""
    DOCUMENT = "document"
    """The same, so long that not the whole is found by words and vectors, but its passages."""
    PASSAGE = "passage"
    """A stretch of a document, written with it and found in its place; it is read with the document."""
    JSON = "json"
    """JSON records, such as events of a CRM: their fields say what a mapping, or custom, makes of them."""
    FACTS = "facts"
    """JSON lines of ready-made facts from a system of record (``assert_fact``, ``add_facts``). Their facts are
    found by words and vectors, the lines themselves are not."""
    CORRECTION = "correction"
    """Words about a correction (``correct``), and below them a JSON line of what it claims."""
    IDENTITY = "identity"
    """Words about who is who (``merge``, ``split``), and below them a JSON line of what they claim."""
    WORKING = "working"
    """Words about a pin or a task (``pin``, ``update_task``), and below them a JSON line of what they claim."""


READ: Final = (Format.TEXT, Format.DOCUMENT)
"""The formats whose texts an extractor reads."""

SEARCHED: Final = (Format.TEXT, Format.JSON, Format.PASSAGE)
"""The formats whose texts are themselves found by words and vectors."""


class EpisodeStatus(StrEnum):
    PENDING = "pending"
    """Durable, its claims not yet extracted."""
    DONE = "done"
    RETRACTED = "retracted"


@dataclass(frozen=True, slots=True)
class Turn:
    """One speaker's stretch ``text[start:end]`` of an episode's text (code points)."""

    start: int
    end: int
    occurred_at: datetime
    role: Role = Role.USER
    actor: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """One thing that was said or happened. ``turns`` are in order and do not overlap; plain text has one."""

    id: str
    text: str
    occurred_at: datetime
    turns: tuple[Turn, ...]
    format: Format = Format.TEXT
    source: str = ""
    actor: str | None = None
    session: str | None = None
    metadata: Mapping[str, Json] = field(default_factory=dict)
    status: EpisodeStatus = EpisodeStatus.PENDING
    ingested_at: datetime | None = None
    """Transaction time of the arrival (pending or not); None before it is stored."""


@dataclass(frozen=True, slots=True)
class Mention:
    """An entity as a text names it, before identity is decided."""

    name: str
    kind: str = THING


@dataclass(frozen=True, slots=True)
class Value:
    """A literal object: an amount, a date, a phrase. Equal texts (after normalisation) are the same value."""

    text: str


class Modality(StrEnum):
    """How an episode puts a claim. Only ``ASSERTED`` claims are heard; the others are kept as evidence."""

    ASSERTED = "asserted"
    HEDGED = "hedged"
    HOPED = "hoped"
    PLANNED = "planned"
    HYPOTHETICAL = "hypothetical"
    REPORTED = "reported"


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What an extractor gives: a claim whose entities are still names. ``quote_start:quote_end`` are code-point
    offsets into the episode's text; ``position`` orders the drafts of one episode as they were said."""

    says: Says
    subject: Mention
    predicate: str
    object: Mention | Value
    valid_from: Bound | None = None
    valid_to: Bound | None = None
    stated_at: datetime
    position: int
    quote_start: int
    quote_end: int
    confidence: float = 1.0
    authority: int = 0
    modality: Modality = Modality.ASSERTED
    extractor: str = "rules"


@dataclass(frozen=True, slots=True)
class Entity:
    """Somebody or something facts are about. Name and kind are derived from how claims mention it:
    the most used name; the most used kind other than ``Thing``; ties go to the alphabetically first."""

    id: str
    name: str
    kind: str = THING
    aliases: tuple[str, ...] = ()


def text_of(side: Entity | Mention | Value) -> str:
    """What a side of a fact is called, or says."""
    return side.text if isinstance(side, Value) else side.name


@dataclass(frozen=True, slots=True)
class Fact:
    """A proposition without time. ``text`` is a plain sentence for people, search and embeddings."""

    id: str
    subject: Entity
    predicate: str
    object: Entity | Value
    text: str

    @property
    def entities(self) -> tuple[Entity, ...]:
        """Its sides that are entities, the subject first."""
        return (self.subject,) if isinstance(self.object, Value) else (self.subject, self.object)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim(temporal.Claim):
    """A claim with its evidence, as stored. The inherited ``fact`` is the fact's id.

    ``recorded_at`` is the transaction time it was learned, ``retracted_at`` when its episode was taken back.
    """

    episode_id: str
    subject_id: str
    subject: Mention
    predicate: str
    object_id: str | None
    """The object entity's id; None when the object is a literal."""
    object: Mention | Value
    quote: str
    quote_start: int
    quote_end: int
    modality: Modality = Modality.ASSERTED
    extractor: str = "rules"
    recorded_at: datetime | None = None
    retracted_at: datetime | None = None

    @property
    def supports(self) -> bool:
        """Whether it says that its fact holds: ends and denials do not."""
        return self.says not in (Says.END, Says.DENIAL)


@dataclass(frozen=True, slots=True)
class StoredPeriod:
    """A row of belief: ``[valid_from, valid_to)`` of a fact, believed over ``[ingested_at, superseded_at)``."""

    id: str
    slot: str
    fact_id: str
    valid_from: Bound | None
    valid_to: Bound | None
    ingested_at: datetime
    superseded_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Belief:
    """What reads return: a fact in one of its periods, with the claims behind it (as known at the read's
    ``known``). ``is_event`` facts happened in that period; they are not expected to go on."""

    id: str
    fact: Fact
    valid_from: Bound | None
    valid_to: Bound | None
    ingested_at: datetime
    superseded_at: datetime | None
    is_event: bool = False
    evidence: tuple[Claim, ...] = ()

    @property
    def confidence(self) -> float:
        """The strongest supporting claim's confidence; 0 without any."""
        return max((c.confidence for c in self.evidence if c.supports), default=0.0)

    @property
    def period(self) -> Interval:
        """The stretch of valid time, without grains."""
        return between(self.valid_from, self.valid_to)

    def dates(self, zone: tzinfo = UTC) -> str:
        """The period as a person writes it: ``2023-01 → 2026-03-02``, ``2026-03-02 →``, ``→ 2024``; of an event
        only when it began; empty when neither end is known."""
        start = format_bound(self.valid_from, zone) if self.valid_from else ""
        if self.is_event and start:
            return start
        end = format_bound(self.valid_to, zone) if self.valid_to else ""
        return f"{start} → {end}".strip() if start or end else ""

    def line(self, zone: tzinfo = UTC) -> str:
        """The fact and its dates."""
        return " · ".join(part for part in (self.fact.text, self.dates(zone)) if part)

    def __str__(self) -> str:
        """The line, in UTC."""
        return self.line()


class WriteStatus(StrEnum):
    ADDED = "added"
    DUPLICATE = "duplicate"
    """The same episode was there already: nothing changed."""
    REINSTATED = "reinstated"
    RETRACTED = "retracted"
    PENDING = "pending"
    """Stored durably; extraction failed or was put off, and is taken up again later."""


@dataclass(frozen=True, slots=True)
class WriteReport:
    """What one write changed. ``added`` are new beliefs, ``superseded`` those no longer held."""

    episode_id: str
    status: WriteStatus
    added: tuple[Belief, ...] = ()
    superseded: tuple[Belief, ...] = ()
    tx: datetime | None = None

    def __str__(self) -> str:
        """The status, then a line for each belief no longer held (-) and each new one (+), dates in UTC."""
        title = f"{self.status}: {self.episode_id}" if self.episode_id else str(self.status)
        return "\n".join([title, *(f"- {b}" for b in self.superseded), *(f"+ {b}" for b in self.added)])
