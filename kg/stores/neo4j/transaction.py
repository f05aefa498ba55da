"""One write: the ``Transaction`` verbs over one server transaction that holds the tenant's lock."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from neo4j import AsyncManagedTransaction

from ....temporal.errors import Conflict, Fault, Invalid
from ....temporal.instants import from_us
from ...columns import check_rule, check_vector
from ...embedding import Vectors
from ...heard import HeardSlots
from ...ids import entity_key, value_key
from ...keeping import Use
from ...model import SEARCHED, Claim, Entity, Episode, Fact, StoredPeriod, Value, text_of
from ...store import FactRow, Identity, Sighting
from . import identities, keeping, rows, statements
from .naming import Renaming, renaming
from .people import edge_props, edge_type
from .rows import Props
from .schema import NEVER, Dialect, wall_of
from .sending import Statement, answers, combined, joined
from .texts import MOST_NEW
from .vectors import vector_key, vector_parameter

MAX_TYPES: Final = 60_000
"""Relationship types this store makes; the whole server's limit is 65,536."""

TOTALS: Final = ("fact_docs", "fact_words", "episode_docs", "episode_words", "naming_docs", "naming_words")
"""How many texts of each sort the tenant has had, and words in them: what BM25 compares with."""


@dataclass(slots=True)
class Shared:
    """What the transactions of one store have in common."""

    dialect: Dialect
    dimension: int | None = None
    """Of the recorded embedder."""
    types: set[str] = field(default_factory=set)
    """Relationship types the server is known to have."""
    heard: HeardSlots = field(default_factory=HeardSlots)


@dataclass(frozen=True, slots=True)
class Begun:
    """What was found when the lock was taken: the last commit, the new instant, the totals so far, whether there
    are identities and archived facts."""

    tenant: str
    last_us: int
    instant_us: int
    totals: Mapping[str, int]
    has_identities: bool = False
    has_archive: bool = False


class Neo4jTransaction:
    """Writes are sent before the next read, or at the end; an error of a write appears there."""

    def __init__(self, tx: AsyncManagedTransaction, begun: Begun, shared: Shared) -> None:
        self.hearing = shared.heard.begin(begun.tenant, begun.last_us)
        self._tx = tx
        self._begun = begun
        self._shared = shared
        self._unsent: list[Statement] = []
        self._episodes: dict[str, dict[str, Any] | None] = {}
        self._mentions: dict[str, list[Sighting]] = {}
        self._called: dict[str, Entity | None] = {}
        self._indexed: set[str] = set()
        self._added: Counter[str] = Counter()
        self._new: dict[str, set[str]] = {}
        self._has_identities = begun.has_identities
        self._has_archive = begun.has_archive
        self._wrote = False
        self._open = True

    @property
    def tenant(self) -> str:
        return self._begun.tenant

    @property
    def instant(self) -> datetime:
        return from_us(self._begun.instant_us)

    @property
    def is_open(self) -> bool:
        return self._open

    def is_of(self, shared: Shared) -> bool:
        """Whether it is a transaction of the store that shares this."""
        return self._shared is shared

    def committed(self) -> None:
        self.hearing.committed(self._begun.instant_us if self._wrote else self._begun.last_us)

    def close(self) -> None:
        self._open = False
        self._unsent.clear()

    async def finish(self) -> bool:
        """Send what is left, and the commit's own row. False when nothing was written."""
        await self._settle()
        if not self._wrote or any(statement.then is not None for statement in self._unsent):
            await self._flush()
        if not self._wrote:
            return False
        totals = {name: self._begun.totals[name] + self._added[name] for name in TOTALS}
        few = sum(map(len, self._new.values())) <= MOST_NEW
        texts = {f"{sort}_texts": sorted(ids) for sort, ids in self._new.items()} if few else {}
        self._write(statements.COMMIT, wall=wall_of(self.tenant), at=self.instant, totals=totals, texts=texts)
        await self._flush()
        return True

    async def episodes(self, ids: Collection[str]) -> Mapping[str, Episode]:
        found = await self._read(statements.READ_EPISODES, ids=sorted(set(ids)))
        self._episodes |= dict.fromkeys(ids) | {row["e"]["id"]: row["e"] for row in found}
        return {row["e"]["id"]: rows.episode_of(row["e"]) for row in found}

    async def put_episode(self, episode: Episode, vector: Vectors | None) -> None:
        if "\0" in episode.id:
            raise Invalid(f"episode id {episode.id!r} holds a NUL character; use another id", code="bad_id")
        if episode.id not in self._episodes:
            await self.episodes([episode.id])
        stored = self._episodes.get(episode.id)
        now = self._begun.instant_us
        if stored is None:
            words, count = rows.searchable(self.tenant, episode.text) if episode.format in SEARCHED else ({}, 0)
            props = rows.arrived(episode.status, now) | rows.episode_props(episode) | words
            props |= {"ingested_us": now, "ingested_at": self.instant}
            self._count("episode", bool(count), count, episode.id)
        else:
            props = rows.moved(stored, episode.status, now)
        self._episodes[episode.id] = {**(stored or {}), **props, "id": episode.id}
        embedding = {"vector": None, "vector_key": None} if vector is None else await self._embedding(vector)
        if props or embedding["vector"]:
            self._write_rows(statements.PUT_EPISODES, [{"id": episode.id, "props": props, **embedding}])

    async def put_sightings(self, sightings: Sequence[Sighting]) -> None:
        self._require_open()
        for sighting in sightings:
            if sighting.count:
                self._mentions.setdefault(sighting.entity_id, []).append(sighting)

    async def put_entity_vectors(self, vectors: Mapping[str, Vectors]) -> None:
        await self._settle()
        listed = [{"id": id_, **await self._embedding(vector)} for id_, vector in vectors.items()]
        self._write_rows(statements.PUT_ENTITY_VECTORS, [row for row in listed if row["vector"]])

    async def put_fact_vectors(self, vectors: Mapping[str, Vectors]) -> None:
        listed = [{"id": id_, **await self._embedding(vector)} for id_, vector in vectors.items()]
        self._write_rows(statements.FILL_VECTORS, [row for row in listed if row["vector"]])

    async def entities(self, ids: Collection[str]) -> Mapping[str, Entity]:
        called = await self._names(ids)
        return {id_: called[id_] for id_ in ids if id_ in called and self._called.get(id_) is not None}

    @property
    def has_identities(self) -> bool:
        return self._has_identities

    async def identities(self, ids: Collection[str]) -> Mapping[str, Identity]:
        found = await self._read(identities.READ, ids=sorted(set(ids))) if self._has_identities else ()
        return {row["i"]["id"]: identities.identity_of(row["i"]) for row in found}

    async def put_identities(self, rows: Sequence[Identity]) -> None:
        if rows and not self._has_identities:
            self._write(identities.HAS, wall=wall_of(self.tenant))
            self._has_identities = True
        self._write_rows(identities.PUT, [identities.identity_row(row) for row in rows])

    async def entity_claims(self, ids: Collection[str], predicate: str | None = None) -> list[tuple[str, Claim]]:
        found = await self._read(identities.READ_CLAIMS, ids=sorted(set(ids)), predicate=predicate)
        return [(row["c"]["slot"], rows.claim_of(row["c"])) for row in found]

    async def put_facts(self, facts: Sequence[FactRow]) -> None:
        by_id = {row.fact.id: row for row in reversed(facts)}
        await self._learn_types({row.fact.predicate for row in by_id.values()})
        words = {id_: rows.searchable(self.tenant, row.fact.text) for id_, row in by_id.items()}
        props = {id_: self._fact_props(row) | words[id_][0] for id_, row in by_id.items()}

        def count(row: Props) -> None:
            for id_ in set(row["new"]) - self._indexed:
                self._indexed.add(id_)
                self._count("fact", bool(words[id_][1]), words[id_][1], id_)

        self._write_rows(statements.PUT_FACTS, [{"id": i, "props": p} for i, p in props.items()], then=count)
        await self.put_fact_vectors({id_: row.vector for id_, row in by_id.items() if row.vector is not None})

    async def facts(self, ids: Collection[str]) -> Mapping[str, Fact]:
        found = [row["f"] for row in await self._read(statements.READ_FACTS, ids=sorted(set(ids)))]
        sides = {side for row in found for side in (row["subject_id"], row.get("object_id")) if side}
        called = await self._names(sides)
        return {row["id"]: rows.fact_of(row, called) for row in found}

    async def claim_rules(self, rules: Mapping[str, str]) -> None:
        wanted = dict(rules)

        def check(row: Props) -> None:
            for predicate, recorded in row["found"]:
                check_rule(predicate, recorded, wanted[predicate])

        self._write_rows(statements.CLAIM_RULES, list(map(list, wanted.items())), then=check)

    async def put_claims(self, claims: Sequence[tuple[str, Claim]]) -> None:
        by_type: dict[str, dict[str, dict[str, Any]]] = {}
        for slot, claim in reversed(claims):
            row = {"slot": slot, "props": rows.claim_props(claim)}
            by_type.setdefault(rows.claim_type(claim.says), {})[claim.id] = row
        for kind, listed in by_type.items():
            missing = "a claim's episode or fact was not put before"
            self._write_rows(statements.put_claims(kind), list(listed.values()), expect=missing)

    async def claims_of(self, episode_id: str) -> list[tuple[str, Claim]]:
        found = await self._read(statements.READ_EPISODE_CLAIMS, id=episode_id)
        return [(row["c"]["slot"], rows.claim_of(row["c"])) for row in found]

    async def retract_claims(self, claim_ids: Collection[str]) -> None:
        if claim_ids:
            self._write(statements.RETRACT_CLAIMS, ids=sorted(set(claim_ids)))

    async def slot_claims(self, slots: Collection[str]) -> Mapping[str, list[Claim]]:
        by_slot: dict[str, list[Claim]] = {}
        for row in await self._read(statements.READ_SLOT_CLAIMS, slots=sorted(set(slots))):
            by_slot.setdefault(row["c"]["slot"], []).append(rows.claim_of(row["c"]))
        return by_slot

    async def slot_periods(self, slots: Collection[str]) -> Mapping[str, list[StoredPeriod]]:
        by_slot: dict[str, list[StoredPeriod]] = {}
        for row in await self._read(statements.READ_SLOT_PERIODS, slots=sorted(set(slots))):
            by_slot.setdefault(row["p"]["slot"], []).append(rows.period_of(row["p"]))
        return by_slot

    async def supersede(self, period_ids: Collection[str]) -> None:
        if period_ids:
            self._write(statements.SUPERSEDE, ids=sorted(set(period_ids)), at=self.instant)

    async def put_periods(self, periods: Sequence[StoredPeriod]) -> None:
        await self._settle()
        listed = [{"props": rows.period_props(p), "edge": edge_props(p)} for p in periods]
        missing = "a period's fact was not put before"
        self._write_rows(statements.PUT_PERIODS, listed, expect=missing, at=self.instant)

    async def put_uses(self, uses: Mapping[str, Use]) -> None:
        self._write_rows(keeping.PUT_USES, [keeping.use_row(id_, uses[id_]) for id_ in sorted(uses)])

    @property
    def has_archive(self) -> bool:
        return self._has_archive

    async def archive(self, fact_ids: Collection[str], policy: str, digest: str | None = None) -> None:
        self._has_archive |= bool(fact_ids)
        why = {"policy": policy, "digest": digest, "wall": wall_of(self.tenant)}
        self._write_rows(keeping.ARCHIVE, [{"id": id_, **why} for id_ in sorted(set(fact_ids))], at=self.instant)

    async def restore(self, fact_ids: Collection[str]) -> None:
        self._write_rows(keeping.RESTORE, [{"id": id_} for id_ in sorted(set(fact_ids))], at=self.instant)

    async def digests(self, fact_ids: Collection[str]) -> Mapping[str, Collection[str]]:
        found = await self._read(keeping.DIGESTS, ids=sorted(set(fact_ids)))
        return {row["digest"]: set(row["facts"]) for row in found}

    async def _settle(self) -> None:
        """Derive what the entities mentioned since are called, and write it."""
        if not self._mentions:
            return
        mentions, self._mentions = self._mentions, {}
        # Nothing unsent changes how often they were mentioned before.
        found = await self._run(statements.READ_SIGHTINGS, {"ids": sorted(mentions)})
        stored = {row["e"]["id"]: row["e"] for row in found}
        now = self._begun.instant_us
        self._rename([renaming(self.tenant, i, stored.get(i), mentions[i], now) for i in sorted(mentions)])

    def _rename(self, changes: Sequence[Renaming]) -> None:
        self._write_rows(statements.PUT_ENTITIES, [change.entity for change in changes])
        self._write_rows(statements.DROP_NAMINGS, [c.replaces for c in changes if c.replaces])
        self._write_rows(statements.CLOSE_NAMINGS, [c.closes for c in changes if c.closes])
        self._write_rows(statements.OPEN_NAMINGS, [c.opens for c in changes if c.opens])
        for change in changes:
            self._count("naming", change.docs, change.words, change.entity["id"])
            self._called[change.entity["id"]] = change.called

    async def _names(self, ids: Collection[str]) -> dict[str, Entity]:
        """What entities are called, or were when they were last mentioned."""
        await self._settle()
        called = {id_: entity for id_ in ids if (entity := self._called.get(id_)) is not None}
        unknown = set(ids) - called.keys()
        for row in await self._read(statements.READ_NAMINGS, ids=sorted(unknown)) if unknown else ():
            called[row["n"]["entity_id"]] = rows.entity_of(row["n"])
            if row["n"]["to_us"] == NEVER:
                self._called[row["n"]["entity_id"]] = rows.entity_of(row["n"])
        unknown -= called.keys()
        if unknown and self._has_identities:
            called |= identities.own_names(await self._read(identities.OWN_NAMES, ids=sorted(unknown)))
        return called

    def _fact_props(self, row: FactRow) -> dict[str, Any]:
        fact, target = row.fact, row.fact.object
        key = value_key(target.text) if isinstance(target, Value) else entity_key(target.id)
        return {
            "title": rows.title(fact.text),
            "text": fact.text,
            "subject_id": fact.subject.id,
            "subject_name": rows.title(fact.subject.name),
            "predicate": fact.predicate,
            "edge_type": self._edge_type(fact.predicate),
            "object_id": None if isinstance(target, Value) else target.id,
            "object_key": rows.stored_key(self.tenant, key),
            "object_name": rows.title(text_of(target)),
            "value": target.text if isinstance(target, Value) else None,
            "is_event": row.is_event,
        }

    def _edge_type(self, predicate: str) -> str:
        types = self._shared.types
        chosen = edge_type(predicate, frozenset(types), MAX_TYPES - len(types))
        types.add(chosen)
        return chosen

    async def _learn_types(self, predicates: Collection[str]) -> None:
        if not self._shared.types.issuperset(predicates):
            found = await self._read("CALL db.relationshipTypes() YIELD relationshipType AS type RETURN type")
            self._shared.types.update(row["type"] for row in found)

    async def _embedding(self, vector: Vectors) -> dict[str, Any]:
        """The vector as a parameter, and a key to tell whether it is stored already; None for a vector without
        direction, which cosine cannot compare."""
        if self._shared.dimension is None:
            found = await self._read("MATCH (m:HithertoEmbedder {one: true}) RETURN m.dimension AS dimension")
            if not found:
                raise Conflict(
                    "no embedder is recorded; call claim_embedder before storing vectors", code="no_embedder"
                )
            self._shared.dimension = found[0]["dimension"]
        check_vector(vector, self._shared.dimension)
        if not vector.any():
            return {"vector": None, "vector_key": None}
        return {"vector": vector_parameter(vector, self._shared.dialect), "vector_key": vector_key(vector)}

    def _count(self, sort: str, docs: int, words: int, about: str) -> None:
        self._added[f"{sort}_docs"] += docs
        self._added[f"{sort}_words"] += words
        if docs:
            self._new.setdefault(sort, set()).add(about)

    def _write(self, query: str, **params: object) -> None:
        self._require_open()
        self._unsent.append(Statement(query, params))

    def _write_rows(
        self,
        query: str,
        listed: Sequence[object],
        *,
        expect: str | None = None,
        then: Callable[[Props], None] | None = None,
        at: datetime | None = None,
    ) -> None:
        self._require_open()
        if listed:
            expected = None if expect is None else (len(listed), expect)
            self._unsent.append(Statement(query, {"rows": listed, "at": at}, expected, then))

    async def _flush(self) -> None:
        unsent, self._unsent = joined(self._unsent), []
        if not unsent:
            return
        found = await self._run(*combined(unsent))
        for number, statement in enumerate(unsent):
            row = answers(found[0], number)
            if statement.expect is not None and row["found"] != statement.expect[0]:
                raise Fault(statement.expect[1])
            if statement.then is not None:
                statement.then(row)

    async def _read(self, query: str, **params: object) -> list[Props]:
        self._require_open()
        await self._flush()
        return await self._run(query, params)

    async def _run(self, query: str, params: Mapping[str, Any]) -> list[Props]:
        common = {"tenant": self.tenant, "now": self._begun.instant_us, "never": NEVER}
        result = await self._tx.run(query, {**common, **params})
        found: list[Props] = [record.data() async for record in result]
        counters = (await result.consume()).counters
        if counters.contains_updates or any(
            value for row in found for name, value in row.items() if "changed" in name
        ):
            self._wrote = True
        return found

    def _require_open(self) -> None:
        if not self._open:
            raise Fault("a transaction was used after its write() had ended")
