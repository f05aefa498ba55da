"""What was known when: beliefs as they looked at an instant of transaction time, and how they changed. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from ..kg.model import Belief, Claim
from ..kg.ontology import SAME_AS, Ontology
from ..temporal.errors import Invalid
from .results import TimelineEntry


def as_known(belief: Belief, known: datetime, ontology: Ontology) -> Belief | None:
    """The belief as it looked at ``known``, its sentence said with the entities' present names; None when it was
    not yet there. Later corrections and later evidence do not show.

    Something no longer believed keeps the evidence that it rested on in the end.
    """
    if belief.ingested_at > known:
        return None
    superseded_at = belief.superseded_at
    if superseded_at is not None and superseded_at > known:
        superseded_at = None
    return replace(
        belief,
        fact=replace(belief.fact, text=_sentence(belief, ontology)),
        superseded_at=superseded_at,
        evidence=tuple(as_stood(belief.evidence, known, superseded_at)),
    )


def as_stood(claims: Iterable[Claim], known: datetime, superseded_at: datetime | None) -> list[Claim]:
    """Those that stood at ``known``, or just before the belief on them was given up; as they were said."""
    stood = [_claim_as_known(c, known) for c in claims if _stood(c, known, superseded_at)]
    return sorted(stood, key=lambda c: (c.stated_at, c.position, c.id))


def _stood(claim: Claim, known: datetime, superseded_at: datetime | None) -> bool:
    if superseded_at is None:
        came, went = claim.recorded_at, claim.retracted_at
        return (came is None or came <= known) and (went is None or went > known)
    return (claim.recorded_at is None or claim.recorded_at < superseded_at) and (
        claim.retracted_at is None or claim.retracted_at >= superseded_at
    )


def _claim_as_known(claim: Claim, known: datetime) -> Claim:
    if claim.retracted_at is None or claim.retracted_at <= known:
        return claim
    return replace(claim, retracted_at=None)


def _sentence(belief: Belief, ontology: Ontology) -> str:
    fact = belief.fact
    if fact.predicate == SAME_AS:
        return fact.text  # about names: by what they are called now, both sides would read alike
    try:
        return ontology.sentence(fact.subject, fact.predicate, fact.object)
    except Invalid:
        # A closed ontology that no longer has the predicate; the stored sentence still reads well.
        return fact.text


def timeline_entries(rows: Iterable[Belief], history: Iterable[Belief]) -> list[TimelineEntry]:
    """The entries among ``rows``, in their order: a fact's periods believed now, or, when nothing of it is
    believed any more, the one last believed. ``history`` is everything ever believed of the rows' facts; a
    correction goes to the first period of its fact that it overlaps, else to the first."""
    facts = _by_fact(history)
    places = {fact_id: _placed(beliefs) for fact_id, beliefs in facts.items()}
    return [
        _entry(row, places[row.fact.id][row.id])
        for row in rows
        if row.fact.id in places and row.id in places[row.fact.id]
    ]


def _placed(beliefs: Sequence[Belief]) -> dict[str, list[Belief]]:
    """The corrections of each of a fact's periods that is an entry, by the entry's id."""
    entries = [b for b in beliefs if b.superseded_at is None] or [_last_believed(beliefs)]
    corrections: dict[str, list[Belief]] = {e.id: [] for e in entries}
    for belief in beliefs:
        if belief.id not in corrections:
            home = next((e for e in entries if _overlap(e, belief)), entries[0])
            corrections[home.id].append(belief)
    return corrections


def _entry(belief: Belief, corrections: list[Belief]) -> TimelineEntry:
    return TimelineEntry(
        id=belief.id,
        fact=belief.fact,
        valid_from=belief.valid_from,
        valid_to=belief.valid_to,
        ingested_at=belief.ingested_at,
        superseded_at=belief.superseded_at,
        is_event=belief.is_event,
        evidence=belief.evidence,
        corrections=tuple(sorted(corrections, key=lambda b: (b.ingested_at, b.id))),
    )


def _overlap(a: Belief, b: Belief) -> bool:
    starts = [p.valid_from.at for p in (a, b) if p.valid_from is not None]
    ends = [p.valid_to.at for p in (a, b) if p.valid_to is not None]
    return not starts or not ends or max(starts) < min(ends)


def _by_fact(beliefs: Iterable[Belief]) -> dict[str, list[Belief]]:
    groups: dict[str, list[Belief]] = defaultdict(list)
    for belief in beliefs:
        groups[belief.fact.id].append(belief)
    return groups


def _last_believed(beliefs: Sequence[Belief]) -> Belief:
    return max(beliefs, key=lambda b: (b.superseded_at or b.ingested_at, b.ingested_at, b.id))
