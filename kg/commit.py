"""How an episode becomes belief: drafts to claims (pure), then one transaction over a store's verbs.

receive()   the episode is durable, pending        (transaction 1, before any model is called)
prepare()   drafts -> claims, facts                (pure, no lock held; preparation.py)
commit()    all effects at once                    (transaction 2)
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from ..temporal.errors import Conflict, NotFound
from .arrival import arrival
from .embedding import Vectors
from .identity import Pair, identify, mentioned, own_id, placed, strays
from .model import (
    Belief,
    Claim,
    Episode,
    EpisodeStatus,
    Fact,
    StoredPeriod,
    WriteReport,
    WriteStatus,
)
from .ontology import SAME_AS, Ontology
from .preparation import Prepared, sightings
from .slots import Slot, exchange, new_period, rule_text, slot_rule
from .store import FactRow, Sighting, Transaction


@dataclass(frozen=True, slots=True)
class Embedded:
    """Vectors for what an episode brings, by id; computed before the transaction."""

    facts: Mapping[str, Vectors]
    entities: Mapping[str, Vectors]


async def receive(tx: Transaction, episode: Episode) -> WriteStatus:
    """Make an episode durable, pending. A done one is a duplicate, a retracted one comes back.

    Raises ``Conflict`` when the id is taken by other content (metadata aside: the first one's is kept).
    """
    [status] = await receive_many(tx, [episode])
    if isinstance(status, Conflict):
        raise status
    return status


async def receive_many(tx: Transaction, episodes: Sequence[Episode]) -> list[WriteStatus | Conflict]:
    """The same for several, in order, up to the first whose id is taken: the last status is then its error."""
    stored = dict(await tx.episodes([episode.id for episode in episodes]))
    statuses: list[WriteStatus | Conflict] = []
    for episode in episodes:
        try:
            status = arrival(stored.get(episode.id), episode)
        except Conflict as error:
            return [*statuses, error]
        if status in (WriteStatus.ADDED, WriteStatus.REINSTATED):
            stored[episode.id] = replace(episode, status=EpisodeStatus.PENDING)
            await tx.put_episode(stored[episode.id], None)
        statuses.append(status)
    return statuses


@dataclass(frozen=True, slots=True)
class Effects:
    """What reading an episode gave, with the vectors it takes, ready to be committed."""

    prepared: Prepared
    vectors: Embedded
    episode_vector: Vectors | None = None
    passages: Sequence[tuple[Episode, Vectors]] = ()
    """Of a document that was not read before."""


async def commit(tx: Transaction, read: Sequence[Effects], ontology: Ontology) -> WriteReport:
    """Write all effects of stored episodes at once, replacing those of earlier readings of them. The report is the
    first one's, with all that changed.

    An episode that was retracted meanwhile stays so, and nothing changes because of it. Raises ``NotFound`` for
    one that is not stored.
    """
    statuses, exchange = await _settle(tx, read, ontology)
    added, superseded = await _report(tx, exchange, ontology)
    tx_time = tx.instant if statuses[0] is WriteStatus.ADDED else None
    return WriteReport(read[0].prepared.episode_id, statuses[0], added, superseded, tx_time)


async def commit_many(tx: Transaction, read: Sequence[Effects], ontology: Ontology) -> Loaded:
    """The same, only counted."""
    statuses, exchange = await _settle(tx, read, ontology)
    if WriteStatus.ADDED not in statuses:
        return Loaded(WriteStatus.DUPLICATE)
    return Loaded(WriteStatus.ADDED, len(exchange.appeared), len(exchange.vanished), tx.instant)


async def _settle(
    tx: Transaction, read: Sequence[Effects], ontology: Ontology, taken_back: Sequence[Episode] = ()
) -> tuple[list[WriteStatus], _Exchange]:
    stored = await tx.episodes([effects.prepared.episode_id for effects in read])
    statuses: list[WriteStatus] = []
    written: list[tuple[Episode, Effects]] = []
    gone: list[tuple[str, Claim]] = []
    new: list[tuple[str, Claim]] = []
    for effects in read:
        episode = stored.get(effects.prepared.episode_id)
        if episode is None:
            raise NotFound(f"episode {effects.prepared.episode_id!r} is not stored; receive it first")
        if episode.status is EpisodeStatus.RETRACTED:
            statuses.append(WriteStatus.RETRACTED)
            continue
        left, came = await _difference(tx, episode, effects.prepared)
        if episode.status is EpisodeStatus.DONE and not left and not came:
            statuses.append(WriteStatus.DUPLICATE)
            continue
        statuses.append(WriteStatus.ADDED)
        written.append((episode, effects))
        gone += left
        new += came
    for episode in taken_back:
        gone += await _live_claims(tx, episode.id)
    if not written and not taken_back:
        return statuses, _Exchange([], [], [])
    facts = {row.fact.id: _with_vector(row, e.vectors) for _, e in written for row in e.prepared.facts}
    exchange = await _exchange_placed(tx, (gone, new), facts, ontology)
    await tx.put_entity_vectors({id_: v for _, e in written for id_, v in e.vectors.entities.items()})
    for episode, effects in written:
        await tx.put_episode(replace(episode, status=EpisodeStatus.DONE), effects.episode_vector)
    passages = [pair for _, effects in written for pair in effects.passages]
    await tx.episodes([p.id for p, _ in passages])
    for passage, vector in passages:
        await tx.put_episode(passage, vector)
    for episode in taken_back:
        await tx.put_episode(replace(episode, status=EpisodeStatus.RETRACTED), None)
    return statuses, exchange


async def _difference(
    tx: Transaction, episode: Episode, prepared: Prepared
) -> tuple[list[tuple[str, Claim]], list[tuple[str, Claim]]]:
    """The claims of an earlier reading that are no more, and those that are new."""
    if episode.status is not EpisodeStatus.DONE:
        return [], list(prepared.claims)
    live = await _live_claims(tx, episode.id)
    before = {own_id(tx.tenant, c) if tx.has_identities else c.id: (slot, c) for slot, c in live}
    after = {c.id: (slot, c) for slot, c in prepared.claims}
    return (
        [pair for id_, pair in before.items() if id_ not in after],
        [pair for id_, pair in after.items() if id_ not in before],
    )


async def _live_claims(tx: Transaction, episode_id: str) -> list[tuple[str, Claim]]:
    return [(slot, c) for slot, c in await tx.claims_of(episode_id) if c.retracted_at is None]


@dataclass(frozen=True, slots=True)
class Loaded:
    """What one batch of ready-made facts changed: how many beliefs are new, how many no longer held."""

    status: WriteStatus
    added: int = 0
    superseded: int = 0
    tx: datetime | None = None


async def load(
    tx: Transaction, episode: Episode, prepared: Prepared, vectors: Embedded, ontology: Ontology
) -> Loaded:
    """Receive and commit an episode of ready-made facts at once: there is nothing to wait for in between.

    Raises ``Conflict`` as ``receive`` does.
    """
    status = arrival((await tx.episodes([episode.id])).get(episode.id), episode)
    if status is WriteStatus.DUPLICATE:
        return Loaded(status)
    await tx.put_episode(replace(episode, status=EpisodeStatus.DONE), None)
    facts = {row.fact.id: _with_vector(row, vectors) for row in prepared.facts}
    exchange = await _exchange_placed(tx, ([], prepared.claims), facts, ontology)
    await tx.put_entity_vectors(vectors.entities)
    return Loaded(WriteStatus.ADDED, len(exchange.appeared), len(exchange.vanished), tx.instant)


async def retract(
    tx: Transaction,
    episode_id: str,
    again: Sequence[Effects],
    ontology: Ontology,
    passages: Sequence[Episode] = (),
) -> WriteReport:
    """Take an episode back: belief becomes what it would be had it never come. ``again``: of the episodes that are
    read otherwise without it. ``passages``: its own, if it is a document.

    Raises ``NotFound`` for an unknown id. Retracting twice changes nothing.
    """
    episode = (await tx.episodes([episode_id])).get(episode_id)
    if episode is None:
        raise NotFound(f"episode {episode_id!r} is not in this tenant")
    if episode.status is EpisodeStatus.RETRACTED:
        return WriteReport(episode_id, WriteStatus.RETRACTED)
    stored = await tx.episodes([p.id for p in passages]) if passages else {}
    _, exchange = await _settle(tx, again, ontology, [episode, *stored.values()])
    added, superseded = await _report(tx, exchange, ontology)
    return WriteReport(episode_id, WriteStatus.RETRACTED, added, superseded, tx.instant)


async def held(
    tx: Transaction, subject_ids: Collection[str], predicates: Collection[str], ontology: Ontology
) -> list[Belief]:
    """What is believed now of these subjects, by these predicates, at any valid time: inside a transaction, for
    what is written next to rest on."""
    pairs = await tx.entity_claims(subject_ids) if subject_ids else []
    mine = [(slot, c) for slot, c in pairs if c.subject_id in subject_ids and c.predicate in predicates]
    if not mine:
        return []
    by_fact: defaultdict[str, list[Claim]] = defaultdict(list)
    for _, claim in mine:
        by_fact[claim.fact].append(claim)
    periods = [p for found in (await tx.slot_periods({s for s, _ in mine})).values() for p in found]
    return list(_beliefs(periods, await tx.facts({p.fact_id for p in periods}), by_fact, ontology))


@dataclass(frozen=True, slots=True)
class _Exchange:
    """What an exchange of claims did to belief, and the claims that speak about it."""

    appeared: list[StoredPeriod]
    vanished: list[StoredPeriod]
    claims: list[Claim]


async def _exchange_placed(
    tx: Transaction,
    claims: tuple[Sequence[Pair], Sequence[Pair]],
    facts: Mapping[str, FactRow],
    ontology: Ontology,
) -> _Exchange:
    """Exchange claims (gone, new) where the entities may be one with others. The new ones, and ``facts``, are as
    by the names in them; other claims move where it changes who is who."""
    gone, new = claims
    links = [c for _, c in (*gone, *new) if c.predicate == SAME_AS]
    left = {c.id for _, c in gone}
    moving = {c.id: (slot, c) for slot, c in await strays(tx, new, ontology)}
    if not links and not moving and not tx.has_identities:
        await tx.put_facts(list(facts.values()))
        return await _exchange(tx, gone, new, ontology)
    first = _Exchange([], [], [])
    if links:
        await tx.put_facts([row for row in facts.values() if row.fact.predicate == SAME_AS])
        first = await _exchange(tx, _links(gone), _links(new), ontology)
        moving |= {c.id: (slot, c) for slot, c in await identify(tx, links)}
    new = [(slot, c) for slot, c in new if c.predicate != SAME_AS]
    stay = [pair for id_, pair in moving.items() if id_ not in left]
    who = await tx.identities({id_ for _, c in (*new, *stay) for id_ in mentioned(tx.tenant, c) if id_})
    came = [(pair, placed(tx.tenant, pair, who, ontology)) for pair in new]
    moved = [(pair, placed(tx.tenant, pair, who, ontology)) for pair in stay]
    moved = [(pair, move) for pair, move in moved if move.claim.id != pair[1].id]
    rows: dict[str, FactRow] = {}
    for (_, claim), move in (*came, *moved):
        said = facts.get(claim.fact)
        row = said if move.row is None else replace(move.row, vector=None if said is None else said.vector)
        if row is not None:
            rows.setdefault(row.fact.id, row)
    await tx.put_facts(list(rows.values()))
    ended = [*((slot, c) for slot, c in gone if c.predicate != SAME_AS), *(pair for pair, _ in moved)]
    second = await _exchange(tx, ended, [(m.slot, m.claim) for _, m in (*came, *moved)], ontology)
    return _Exchange(
        first.appeared + second.appeared, first.vanished + second.vanished, first.claims + second.claims
    )


def _links(pairs: Iterable[Pair]) -> list[Pair]:
    return [(slot, c) for slot, c in pairs if c.predicate == SAME_AS]


async def _exchange(
    tx: Transaction, gone: Sequence[tuple[str, Claim]], new: Sequence[tuple[str, Claim]], ontology: Ontology
) -> _Exchange:
    """Exchange claims, resolve the touched slots again, write the difference.

    Raises ``Conflict`` where the ontology has another rule for a predicate than its claims were stored by.
    """
    predicates = {claim.predicate for _, claim in (*gone, *new)}
    await tx.claim_rules({name: rule_text(ontology, name) for name in sorted(predicates)})
    came: defaultdict[str, list[Claim]] = defaultdict(list)
    left: defaultdict[str, set[str]] = defaultdict(set)
    for key, claim in new:
        came[key].append(claim)
    for key, claim in gone:
        left[key].add(claim.id)
    slots = await _slots(tx, came.keys() | left.keys())
    await tx.put_sightings(_net([*sightings((c for _, c in gone), -1), *sightings(c for _, c in new)]))
    await tx.retract_claims({c.id for _, c in gone})
    await tx.put_claims(new)
    if tx.has_archive:
        # Told again: it is no old thing any more.
        await tx.restore({c.fact for _, c in new})
    rules = {key: slot_rule(ontology, claim.predicate) for key, claim in (*gone, *new)}
    exchanged = _Exchange([], [], [c for _, c in gone])
    for key, slot in sorted(slots.items()):
        row = partial(new_period, tx.tenant, key, tx.instant)
        stamped = [replace(claim, recorded_at=tx.instant) for claim in came[key]]
        change = exchange(slot, left[key], stamped, rules[key], row)
        exchanged.vanished.extend(change.vanished)
        exchanged.appeared.extend(change.appeared)
        exchanged.claims.extend(slot.claims)
        tx.hearing.give(key, slot)
    await tx.supersede([p.id for p in exchanged.vanished])
    await tx.put_periods(exchanged.appeared)
    if tx.has_archive and exchanged.vanished:
        await _without_digests(tx, exchanged, ontology)
    return exchanged


async def _without_digests(tx: Transaction, exchanged: _Exchange, ontology: Ontology) -> None:
    """A digest that says what is believed no longer goes, and what else it sums up comes back into search."""
    digests = await tx.digests({p.fact_id for p in exchanged.vanished})
    stored = await tx.episodes(digests)
    for id_ in sorted(digests):
        episode = stored.get(id_)
        if episode is not None and episode.status is not EpisodeStatus.RETRACTED:
            await tx.restore(digests[id_])
            more = await _exchange(tx, await _live_claims(tx, id_), [], ontology)
            await tx.put_episode(replace(episode, status=EpisodeStatus.RETRACTED), None)
            exchanged.vanished.extend(more.vanished)
            exchanged.appeared.extend(more.appeared)
            exchanged.claims.extend(more.claims)


async def _slots(tx: Transaction, keys: Collection[str]) -> dict[str, Slot]:
    """As they are stored; read, unless they are known from the last writes."""
    known = {key: slot for key in keys if (slot := tx.hearing.take(key)) is not None}
    if not (wanted := keys - known.keys()):
        return known
    claims = await tx.slot_claims(wanted)
    stored = await tx.slot_periods(wanted)
    return known | {key: Slot(claims.get(key, []), stored.get(key, [])) for key in wanted}


async def _report(
    tx: Transaction, exchange: _Exchange, ontology: Ontology
) -> tuple[tuple[Belief, ...], tuple[Belief, ...]]:
    """The (appeared, vanished) beliefs."""
    facts = await tx.facts({p.fact_id for p in (*exchange.vanished, *exchange.appeared)})
    by_fact: dict[str, list[Claim]] = {id_: [] for id_ in facts}
    for claim in exchange.claims:
        if claim.fact in by_fact:
            by_fact[claim.fact].append(claim)
    ended = [replace(p, superseded_at=tx.instant) for p in exchange.vanished]
    return (
        _beliefs(exchange.appeared, facts, by_fact, ontology),
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


def _net(changes: Iterable[Sighting]) -> list[Sighting]:
    """The changes to counts, those that cancel out left away."""
    totals: Counter[tuple[str, str, str]] = Counter()
    for s in changes:
        totals[(s.entity_id, s.name, s.kind)] += s.count
    return [Sighting(*key, n) for key, n in totals.items() if n]


def _with_vector(row: FactRow, vectors: Embedded) -> FactRow:
    return replace(row, vector=vectors.facts.get(row.fact.id))
