"""How an episode becomes belief: drafts to claims (pure), then one transaction over a store's verbs.

receive()   the episode is durable, pending        (transaction 1, before any model is called)
prepare()   drafts -> claims, facts, sightings     (pure, no lock held)
commit()    all effects at once                    (transaction 2)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ..temporal.errors import Conflict, Invalid, NotFound
from .embedding import Vectors
from .ids import entity_id, entity_key, fact_id, make_id, value_key
from .model import (
    Belief,
    Claim,
    Draft,
    Entity,
    Episode,
    EpisodeStatus,
    Fact,
    Mention,
    StoredPeriod,
    Value,
    WriteReport,
    WriteStatus,
)
from .ontology import Ontology
from .slots import change_of, new_period, slot_key
from .store import FactRow, Sighting, Transaction


@dataclass(frozen=True, slots=True)
class Prepared:
    """An episode's effects, ready to be written."""

    episode_id: str
    claims: tuple[tuple[str, Claim], ...] = ()
    """(slot, claim) pairs."""
    facts: tuple[FactRow, ...] = ()

    @property
    def entity_names(self) -> dict[str, str]:
        """A name for each entity that is mentioned, by id."""
        return {s.entity_id: s.name for s in sightings(c for _, c in self.claims)}


@dataclass(frozen=True, slots=True)
class Embedded:
    """Vectors for what an episode brings, by id; computed before the transaction."""

    facts: Mapping[str, Vectors]
    entities: Mapping[str, Vectors]


def prepare(tenant: str, episode: Episode, drafts: Sequence[Draft], ontology: Ontology) -> Prepared:
    """Turn drafts into claims with ids, slots and verbatim quotes. Drafts of equal content become one claim.

    Raises ``Invalid`` for a quote outside the text, ``valid_from`` after ``valid_to``, or a predicate the
    ontology refuses.
    """
    claims: dict[str, tuple[str, Claim]] = {}
    facts: dict[str, FactRow] = {}
    for draft in map(ontology.canonical, drafts):
        _check(draft, episode)
        slot, claim, row = _claim_of(tenant, episode, draft, ontology)
        claims.setdefault(claim.id, (slot, claim))
        facts.setdefault(row.fact.id, row)
    return Prepared(episode.id, tuple(claims.values()), tuple(facts.values()))


def sightings(claims: Iterable[Claim], sign: int = 1) -> list[Sighting]:
    """How often the claims mention which entity by which name and kind, times ``sign``."""
    counts: Counter[tuple[str, Mention]] = Counter()
    for claim in claims:
        counts[(claim.subject_id, claim.subject)] += 1
        if claim.object_id is not None and isinstance(claim.object, Mention):
            counts[(claim.object_id, claim.object)] += 1
    return [Sighting(id_, mention.name, mention.kind, n * sign) for (id_, mention), n in counts.items()]


async def receive(tx: Transaction, episode: Episode) -> WriteStatus:
    """Make an episode durable, pending. A done one is a duplicate, a retracted one comes back.

    Raises ``Conflict`` when the id is taken by other content (metadata aside: the first one's is kept).
    """
    stored = (await tx.episodes([episode.id])).get(episode.id)
    if stored is None:
        await tx.put_episode(replace(episode, status=EpisodeStatus.PENDING), None)
        return WriteStatus.ADDED
    if _content(stored) != _content(episode):
        raise Conflict(f"episode {episode.id!r} is stored with other content; give the new one another id")
    if stored.status is EpisodeStatus.DONE:
        return WriteStatus.DUPLICATE
    if stored.status is EpisodeStatus.RETRACTED:
        await tx.put_episode(replace(stored, status=EpisodeStatus.PENDING), None)
        return WriteStatus.REINSTATED
    return WriteStatus.PENDING


async def commit(
    tx: Transaction, prepared: Prepared, vectors: Embedded, episode_vector: Vectors | None, ontology: Ontology
) -> WriteReport:
    """Write all effects of a stored episode, replacing those of an earlier reading of it.

    An episode that was retracted meanwhile stays so, and nothing changes.
    """
    episode = (await tx.episodes([prepared.episode_id])).get(prepared.episode_id)
    if episode is None:
        raise NotFound(f"episode {prepared.episode_id!r} is not stored; receive it first")
    if episode.status is EpisodeStatus.RETRACTED:
        return WriteReport(episode.id, WriteStatus.RETRACTED)
    before = {c.id: (slot, c) for slot, c in await tx.claims_of(episode.id) if c.retracted_at is None}
    after = {c.id: (slot, c) for slot, c in prepared.claims}
    gone = [pair for id_, pair in before.items() if id_ not in after]
    new = [pair for id_, pair in after.items() if id_ not in before]
    if episode.status is EpisodeStatus.DONE and not gone and not new:
        return WriteReport(episode.id, WriteStatus.DUPLICATE)
    await tx.put_facts([_with_vector(row, vectors) for row in prepared.facts])
    added, superseded = await _apply(tx, gone, new, ontology)
    known = await tx.entities(vectors.entities.keys())
    await tx.put_entity_vectors({id_: v for id_, v in vectors.entities.items() if id_ in known})
    await tx.put_episode(replace(episode, status=EpisodeStatus.DONE), episode_vector)
    return WriteReport(episode.id, WriteStatus.ADDED, added, superseded, tx.instant)


async def retract(tx: Transaction, episode_id: str, ontology: Ontology) -> WriteReport:
    """Take an episode back: belief becomes what it would be had it never come.

    Raises ``NotFound`` for an unknown id. Retracting twice changes nothing.
    """
    episode = (await tx.episodes([episode_id])).get(episode_id)
    if episode is None:
        raise NotFound(f"episode {episode_id!r} is not in this tenant")
    if episode.status is EpisodeStatus.RETRACTED:
        return WriteReport(episode_id, WriteStatus.RETRACTED)
    live = [(slot, c) for slot, c in await tx.claims_of(episode_id) if c.retracted_at is None]
    added, superseded = await _apply(tx, live, [], ontology)
    await tx.put_episode(replace(episode, status=EpisodeStatus.RETRACTED), None)
    return WriteReport(episode_id, WriteStatus.RETRACTED, added, superseded, tx.instant)


async def _apply(
    tx: Transaction,
    gone: Sequence[tuple[str, Claim]],
    new: Sequence[tuple[str, Claim]],
    ontology: Ontology,
) -> tuple[tuple[Belief, ...], tuple[Belief, ...]]:
    """Exchange claims, resolve the touched slots again, write the difference; (appeared, vanished) beliefs."""
    await tx.put_sightings(_net([*sightings((c for _, c in gone), -1), *sightings(c for _, c in new)]))
    await tx.retract_claims([c.id for _, c in gone])
    await tx.put_claims(new)
    slots = {slot for slot, _ in (*gone, *new)}
    claims = await tx.slot_claims(slots)
    stored = await tx.slot_periods(slots)
    vanished: list[StoredPeriod] = []
    appeared: list[StoredPeriod] = []
    for slot in sorted(slots):
        change = change_of(stored.get(slot, ()), claims.get(slot, ()), ontology)
        vanished += change.vanished
        appeared += [new_period(tx.tenant, slot, p, tx.instant) for p in change.appeared]
    await tx.supersede([p.id for p in vanished])
    await tx.put_periods(appeared)
    by_fact: dict[str, list[Claim]] = {}
    for claim in (c for slot_claims in (*claims.values(), [c for _, c in gone]) for c in slot_claims):
        by_fact.setdefault(claim.fact, []).append(claim)
    facts = await tx.facts({p.fact_id for p in (*vanished, *appeared)})
    ended = [replace(p, superseded_at=tx.instant) for p in vanished]
    return (
        _beliefs(appeared, facts, by_fact, ontology),
        _beliefs(ended, facts, by_fact, ontology),
    )


def _beliefs(
    periods: Collection[StoredPeriod],
    facts: Mapping[str, Fact],
    claims: Mapping[str, list[Claim]],
    ontology: Ontology,
) -> tuple[Belief, ...]:
    return tuple(
        Belief(
            id=p.id,
            fact=facts[p.fact_id],
            valid_from=p.valid_from,
            valid_to=p.valid_to,
            ingested_at=p.ingested_at,
            superseded_at=p.superseded_at,
            is_event=ontology.is_event(facts[p.fact_id].predicate),
            evidence=tuple(sorted(claims.get(p.fact_id, ()), key=lambda c: (c.stated_at, c.position, c.id))),
        )
        for p in periods
    )


def _claim_of(tenant: str, episode: Episode, draft: Draft, ontology: Ontology) -> tuple[str, Claim, FactRow]:
    subject = entity_id(tenant, draft.subject.name)
    if isinstance(draft.object, Value):
        object_id, object_key = None, value_key(draft.object.text)
        target: Entity | Value = draft.object
    else:
        object_id = entity_id(tenant, draft.object.name)
        object_key = entity_key(object_id)
        target = Entity(object_id, draft.object.name, draft.object.kind)
    fact = Fact(
        id=fact_id(tenant, subject, draft.predicate, object_key),
        subject=Entity(subject, draft.subject.name, draft.subject.kind),
        predicate=draft.predicate,
        object=target,
        text=ontology.sentence(draft.subject, draft.predicate, draft.object),
    )
    content = (fact.id, draft.says, draft.modality, repr(draft.valid_from), repr(draft.valid_to))
    place = (draft.position, draft.quote_start, draft.quote_end)
    claim = Claim(
        id=make_id(tenant, "claim", episode.id, *content, *place),
        fact=fact.id,
        says=draft.says,
        valid_from=draft.valid_from,
        valid_to=draft.valid_to,
        stated_at=draft.stated_at,
        position=draft.position,
        authority=draft.authority,
        confidence=draft.confidence,
        episode_id=episode.id,
        subject_id=subject,
        subject=draft.subject,
        predicate=draft.predicate,
        object_id=object_id,
        object=draft.object,
        quote=episode.text[draft.quote_start : draft.quote_end],
        quote_start=draft.quote_start,
        quote_end=draft.quote_end,
        modality=draft.modality,
        extractor=draft.extractor,
    )
    slot = slot_key(tenant, ontology, subject, draft.predicate, object_key)
    return slot, claim, FactRow(fact, ontology.is_event(draft.predicate))


def _check(draft: Draft, episode: Episode) -> None:
    where = f"episode {episode.id!r}, draft {draft.position} ({draft.predicate})"
    if not 0 <= draft.quote_start < draft.quote_end <= len(episode.text):
        raise Invalid(f"{where}: quote {draft.quote_start}:{draft.quote_end} is outside the text")
    if draft.valid_from and draft.valid_to and draft.valid_from.at >= draft.valid_to.at:
        raise Invalid(f"{where}: valid_from {draft.valid_from.at} is not before valid_to {draft.valid_to.at}")
    names = [draft.subject.name, draft.object.text if isinstance(draft.object, Value) else draft.object.name]
    if not all(name.strip() for name in names):
        raise Invalid(f"{where}: subject and object must have a name")


def _content(episode: Episode) -> tuple[object, ...]:
    return (
        episode.text,
        episode.occurred_at,
        episode.turns,
        episode.format,
        episode.source,
        episode.actor,
        episode.session,
    )


def _net(changes: Iterable[Sighting]) -> list[Sighting]:
    """The changes to counts, those that cancel out left away."""
    totals: Counter[tuple[str, str, str]] = Counter()
    for s in changes:
        totals[(s.entity_id, s.name, s.kind)] += s.count
    return [Sighting(*key, n) for key, n in totals.items() if n]


def _with_vector(row: FactRow, vectors: Embedded) -> FactRow:
    return replace(row, vector=vectors.facts.get(row.fact.id))
