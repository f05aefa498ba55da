"""Why something was found: plain values, written out for people. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo

from ..temporal.claims import Says
from ..temporal.grains import Bound
from ..temporal.instants import format_bound


@dataclass(frozen=True, slots=True)
class LegRank:
    """One leg's finding: its rank (from 1), its own score, which compares within the leg only, and what it gives
    to the hit's score."""

    leg: str
    rank: int
    score: float
    contribution: float = 0.0


@dataclass(frozen=True, slots=True)
class Factor:
    """What ranking multiplied a score by, and why."""

    why: str
    by: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """A claim behind a fact, or a message itself: the words, where they stand in it, and who said them."""

    quote: str
    start: int
    end: int
    episode_id: str
    occurred_at: datetime | None
    actor: str | None
    session: str | None
    source: str
    says: Says | None
    """What the claim does; None of a message itself."""
    confidence: float
    extractor: str

    def __str__(self) -> str:
        when = "" if self.occurred_at is None else f"{self.occurred_at:%Y-%m-%d}"
        told = self.says or "said"
        by = " ".join(
            part for part in (when, self.actor, self.session and f"({self.session})", self.source) if part
        )
        place = f"{self.episode_id} [{self.start}:{self.end}]"
        sure = "" if self.says is None else f" · confidence {self.confidence:g} · {self.extractor}"
        return f"{told}: “{' '.join(self.quote.split())}” · {by} · {place}{sure}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Why a hit stands where it does: what each leg gave, what ranking made of it, and what it rests on.

    ``score`` is the sum of the legs' contributions times the factors, in the order given.
    """

    score: float
    legs: tuple[LegRank, ...]
    factors: tuple[Factor, ...]
    valid_from: Bound | None = None
    valid_to: Bound | None = None
    confidence: float | None = None
    """None of what is no fact."""
    evidence: tuple[Evidence, ...] = ()
    zone: tzinfo = UTC

    @property
    def period(self) -> str:
        """Both ends with their grain and how they are known; empty of what is no fact."""
        if self.confidence is None:
            return ""
        return f"{_known(self.valid_from, self.zone, 'beginning')} → {_known(self.valid_to, self.zone, 'end')}"

    def __str__(self) -> str:
        lines = [f"score {self.score:.4f}"]
        lines += [
            f"  {leg.leg}: rank {leg.rank}, {leg.score:.4g}, gives {leg.contribution:.4f}" for leg in self.legs
        ]
        lines += [f"  × {factor.by:.3g}: {factor.why}" for factor in self.factors]
        if self.confidence is not None:
            lines.append(f"  held {self.period} · confidence {self.confidence:g}")
        return "\n".join([*lines, *(f"  {evidence}" for evidence in self.evidence)])


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """All that was made of a question, besides ``SearchResult.question``."""

    words: tuple[str, ...]
    """What full-text search looked for in messages and names."""
    fact_words: tuple[str, ...]
    """The same in facts: without the names and times that were understood."""
    gist: str
    """What was compared with messages by meaning: the question without people's names."""
    nearly: float | None
    """The likeness from which a fact without a word of the question counts in full; None: any does."""
    fusion: str
    where: str
    """The filter, if there is one."""

    def __str__(self) -> str:
        lines = [f"words: {' '.join(self.words)}", f"words in facts: {' '.join(self.fact_words)}"]
        lines += [f"meaning: {self.gist}", f"fusion: {self.fusion}"]
        if self.nearly is not None:
            lines.append(f"facts without such words: from likeness {self.nearly:g}")
        return "\n".join([*lines, *([f"filter: {self.where}"] if self.where else [])])


def _known(bound: Bound | None, zone: tzinfo, what: str) -> str:
    if bound is None:
        return f"no {what} known"
    return f"{format_bound(bound, zone)} ({bound.grain}, {bound.basis})"
