"""What reads answer with: frozen values; ``str()`` of a hit is a line a person can read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, tzinfo
from enum import StrEnum
from typing import TypeAlias, TypeVar

from ..kg.model import Belief, Claim, Entity, Episode
from ..kg.store import Target
from ..temporal.intervals import Interval
from .answers import Answer
from .explanations import Explanation, Factor, LegRank, Reading

_LINE = 160


class TimeSource(StrEnum):
    """Who decided at which valid time a search looks."""

    CALLER = "caller"
    """``at(valid=...)``, ``during=`` of the search, or of its filter."""
    QUESTION = "question"
    """The question names a time: "in April 2024", "ever", "now"."""
    NOW = "now"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """How a question was read."""

    text: str
    language: str
    """``zh`` when it holds Chinese, else ``en``."""
    entities: tuple[Entity, ...] = ()
    """Whom it names or, by a pronoun, means; the likeliest first."""
    predicates: tuple[str, ...] = ()
    """What it wants to know, the likeliest first."""
    valid: datetime | None
    """The valid instant it is answered for; None is all of time ("ever"). Of a stretch, the last one."""
    during: Interval | None = None
    """The stretch it is answered for, if it is one: facts that held at some time of it."""
    time_source: TimeSource
    time_text: str = ""
    """The words that name the time."""
    event: Belief | None = None
    """The belief by which it dates itself: "before she moved"."""
    pronouns: tuple[str, ...] = ()
    """Pronouns that were taken to mean ``entities``."""
    by_first_name: tuple[Entity, ...] = ()
    """Of ``entities``, those that are meant only because a first name is read as short for the one full name that
    is known to begin with it: Priya Sharma by "Priya", and who is called just "Priya" by "Priya Sharma"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FactHit:
    """A fact that holds at the search's valid instant, in the period that covers it."""

    belief: Belief
    score: float
    legs: tuple[LegRank, ...]
    dates: str
    """The period by its grains: ``2023-01 → 2026-03-02``."""
    factors: tuple[Factor, ...] = ()
    explanation: Explanation | None = None
    """With ``explain=True``."""

    @property
    def id(self) -> str:
        return self.belief.id

    @property
    def evidence(self) -> Claim | None:
        """The claim that says it best: a supporting one before an end, then the most confident, then the last
        said."""
        return best_evidence(self.belief)

    @property
    def quote(self) -> str:
        return self.evidence.quote if self.evidence else ""

    @property
    def episode_id(self) -> str | None:
        return self.evidence.episode_id if self.evidence else None

    def __str__(self) -> str:
        parts = [self.belief.fact.text, self.dates, f"“{_line(self.quote)}”" if self.quote else ""]
        return " · ".join(p for p in parts if p)


@dataclass(frozen=True, slots=True)
class Passage:
    """The stretch ``text[start:end]`` of a document, with an id of its own."""

    id: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeHit:
    """An episode; of a document (``Format.DOCUMENT``) the ``passage`` that was found, each a hit of its own."""

    episode: Episode
    score: float
    legs: tuple[LegRank, ...]
    dates: str
    superseded_by: str | None = None
    """The shown message that tells the value that holds, where this one tells another of the same slot."""
    factors: tuple[Factor, ...] = ()
    explanation: Explanation | None = None
    """With ``explain=True``."""
    passage: Passage | None = None

    @property
    def id(self) -> str:
        """The passage's, else the episode's."""
        return self.passage.id if self.passage else self.episode.id

    @property
    def quote(self) -> str:
        """The passage, else the whole text."""
        if self.passage is None:
            return self.episode.text
        return self.episode.text[self.passage.start : self.passage.end]

    @property
    def episode_id(self) -> str:
        return self.episode.id

    def __str__(self) -> str:
        newer = f"out of date, see {self.superseded_by}" if self.superseded_by else ""
        return " · ".join(p for p in (self.dates, self.episode.actor, f"“{_line(self.quote)}”", newer) if p)


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityHit:
    entity: Entity
    score: float
    legs: tuple[LegRank, ...]
    factors: tuple[Factor, ...] = ()
    explanation: Explanation | None = None
    """With ``explain=True``."""

    @property
    def id(self) -> str:
        return self.entity.id

    def __str__(self) -> str:
        also = f", also {', '.join(self.entity.aliases)}" if self.entity.aliases else ""
        return f"{self.entity.name} ({self.entity.kind}{also})"


Hit: TypeAlias = FactHit | EpisodeHit | EntityHit
AnyHit = TypeVar("AnyHit", bound=FactHit | EpisodeHit | EntityHit)


def weighed(hit: AnyHit, by: float, why: str) -> AnyHit:
    """The hit with its score multiplied, and the reason kept."""
    return replace(hit, score=hit.score * by, factors=(*hit.factors, Factor(why, by)))


def rescored(hit: AnyHit, score: float, why: str) -> AnyHit:
    """The hit with another score, and the reason kept."""
    return replace(weighed(hit, score / hit.score if hit.score else 1.0, why), score=score)


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The hits, best first, and how the question was read. Iterates over the hits."""

    question: Question
    hits: tuple[Hit, ...]
    known: datetime
    """What was known at this instant was searched."""
    reading: Reading | None = None
    """With ``explain=True``."""
    answer: Answer | None = None
    """First, last, before, after, how many, when, how long: reckoned from the timeline, where it tells."""

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)

    def __getitem__(self, index: int) -> Hit:
        return self.hits[index]

    @property
    def facts(self) -> tuple[FactHit, ...]:
        return tuple(h for h in self.hits if isinstance(h, FactHit))

    @property
    def episodes(self) -> tuple[EpisodeHit, ...]:
        return tuple(h for h in self.hits if isinstance(h, EpisodeHit))

    @property
    def entities(self) -> tuple[EntityHit, ...]:
        return tuple(h for h in self.hits if isinstance(h, EntityHit))

    def __str__(self) -> str:
        return "\n".join(str(hit) for hit in self.hits)


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineEntry(Belief):
    """A period of a fact, with what was believed of it before: ``corrections``, each with the stretch of
    transaction time in which it was believed, the first believed first.

    A fact that is not believed at all any more stands in the timeline with the period last believed.
    """

    corrections: tuple[Belief, ...] = ()

    @property
    def believed(self) -> bool:
        """False for a period that is history only."""
        return self.superseded_at is None


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A belief that came (``added``) or went at ``at``, an instant of transaction time."""

    at: datetime
    added: bool
    belief: Belief
    """As it read then; one that went, with the claims that it rested on in the end."""
    because: tuple[Claim, ...]
    """The claims, on this fact or on one it was weighed against, that came or were taken back at ``at``."""
    zone: tzinfo = field(default=UTC, repr=False, compare=False)

    @property
    def episode_ids(self) -> tuple[str, ...]:
        """The episodes that made the change."""
        return tuple(dict.fromkeys(claim.episode_id for claim in self.because))

    def __str__(self) -> str:
        at = self.at.astimezone(self.zone).isoformat(sep=" ", timespec="seconds")
        because = f"because of {', '.join(self.episode_ids)}" if self.because else ""
        parts = (f"{at} {'+' if self.added else '-'} {self.belief.line(self.zone)}", because)
        return " · ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True, kw_only=True)
class Diff:
    """How two views differ, a page of it: ``cursor`` leads to the next one.

    ``true_...``: facts that hold at one view's instants and not at the other's. ``believed_...``: periods, at any
    valid time, that are believed in one and not in the other.
    """

    true_only_a: tuple[Belief, ...] = ()
    true_only_b: tuple[Belief, ...] = ()
    believed_only_a: tuple[Belief, ...] = ()
    believed_only_b: tuple[Belief, ...] = ()
    cursor: str | None = None
    zone: tzinfo = field(default=UTC, repr=False, compare=False)

    def __bool__(self) -> bool:
        """Whether this page has a difference."""
        return any((self.true_only_a, self.true_only_b, self.believed_only_a, self.believed_only_b))

    def __str__(self) -> str:
        parts = (
            ("- true", self.true_only_a),
            ("+ true", self.true_only_b),
            ("- believed", self.believed_only_a),
            ("+ believed", self.believed_only_b),
        )
        return "\n".join(f"{mark}: {belief.line(self.zone)}" for mark, beliefs in parts for belief in beliefs)


def target_of(hit: Hit) -> Target:
    if isinstance(hit, FactHit):
        return Target.FACT
    return Target.EPISODE if isinstance(hit, EpisodeHit) else Target.ENTITY


def best_evidence(belief: Belief) -> Claim | None:
    def rank(claim: Claim) -> tuple[bool, float, datetime, int, str]:
        supports = claim.supports
        return (supports, claim.confidence, claim.stated_at, claim.position, claim.id)

    return max(belief.evidence, key=rank, default=None)


def _line(text: str) -> str:
    one = " ".join(text.split())
    return one if len(one) <= _LINE else one[: _LINE - 1] + "…"
