"""The seam between the engine and its stores: domain verbs over values, one write = one transaction.

A store keeps what ``Transaction`` verbs write and answers reads at a ``Point``. It decides nothing: what is
believed comes from ``hitherto.kg.commit``, what is relevant from ``hitherto.query``.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Generic, Protocol, TypeAlias, TypeVar

from ..temporal.intervals import Interval
from .embedding import Vectors
from .heard import Hearing
from .keeping import KeepingStore, KeepingTransaction
from .model import Belief, Claim, Entity, Episode, EpisodeStatus, Fact, StoredPeriod

T = TypeVar("T")

Clock: TypeAlias = Callable[[], datetime]
"""Gives the current instant, aware. Injected; transaction time is max(clock, last + 1 microsecond)."""


@dataclass(frozen=True, slots=True)
class Point:
    """Where a read stands. Facts are filtered on both instants; episodes, entities and claims on ``known`` only.

    ``valid`` None: every valid time. ``known`` None: everything ever believed (superseded periods included).
    A state shows while it holds; an event shows from the instant it happened. ``during``: only periods that share
    an instant with this stretch, events by when they happened; an empty one shares none with anything.
    A read never tells what happened after ``known``: a belief superseded, a claim or an episode retracted later
    reads as if it were not, and entities bear the name they had.
    """

    tenant: str
    valid: datetime | None = None
    known: datetime | None = None
    during: Interval | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """``limit`` items from the one after ``cursor`` (a ``Slice.cursor``; None: from the first)."""

    limit: int = 100
    cursor: str | None = None


@dataclass(frozen=True, slots=True)
class Slice(Generic[T]):
    """A page's items, and the cursor for the next page; None when this was the last."""

    items: tuple[T, ...]
    cursor: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FactFilter:
    """Conditions that must all hold; None means any. ``touching``: subject or object is one of these entities."""

    fact_ids: Collection[str] | None = None
    period_ids: Collection[str] | None = None
    subject_ids: Collection[str] | None = None
    predicates: Collection[str] | None = None
    object_keys: Collection[str] | None = None
    """Objects as ``ids.entity_key`` or ``ids.value_key`` give them."""
    touching: Collection[str] | None = None
    episode_ids: Collection[str] | None = None
    """Facts with a claim from one of these episodes."""
    missing_at: Point | None = None
    """Periods that a read at this point (of the same tenant) would not show."""
    archived: bool | None = None
    """Facts that are archived at ``Point.known``, or (False) are not; with ``known`` None none is."""


@dataclass(frozen=True, slots=True)
class BeliefChange:
    """A belief that came (``added``) or went at ``at``, an instant of transaction time; and the slot in which that
    was decided."""

    belief: Belief
    slot: str
    at: datetime
    added: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeFilter:
    """Conditions that must all hold; None means any. Reads never show retracted episodes at ``Point.known``, and
    passages of documents only by their ``ids``."""

    ids: Collection[str] | None = None
    session: str | None = None
    actor: str | None = None
    status: EpisodeStatus | None = None
    since: datetime | None = None
    """``occurred_at`` at or after this instant."""


class Target(StrEnum):
    """What a retrieval leg looks for."""

    FACT = "fact"
    EPISODE = "episode"
    ENTITY = "entity"


@dataclass(frozen=True, slots=True)
class Match:
    """A leg's find: the id of a fact, episode or entity, and the leg's own score (higher is better)."""

    id: str
    score: float


@dataclass(frozen=True, slots=True)
class Neighbour:
    """An episode of the same session: ``distance`` 1 is the next one, -1 the one before."""

    id: str
    distance: int


@dataclass(frozen=True, slots=True)
class TenantStatus:
    """Counts of one tenant, as known at its last commit."""

    tenant: str
    episodes: int
    pending: int
    entities: int
    facts: int
    beliefs: int
    """Periods believed now."""
    superseded: int
    last_commit: datetime | None
    schema: int
    """Number of the store's newest applied migration."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """One more (or, negative, one fewer) claim that mentions an entity by this name and kind."""

    entity_id: str
    name: str
    kind: str
    count: int


@dataclass(frozen=True, slots=True)
class Identity:
    """Who an entity is: the one it is kept as, ``canonical_id`` (its own id while it is one with nobody), and its
    own ``name``, which its id is made of."""

    entity_id: str
    name: str
    canonical_id: str


@dataclass(frozen=True, slots=True)
class FactRow:
    """A fact to index: its plain text for full-text search, and its vector."""

    fact: Fact
    is_event: bool
    vector: Vectors | None = None


class Transaction(KeepingTransaction, Protocol):
    """One write. All verbs see what earlier verbs of the same transaction wrote; all or nothing is kept."""

    @property
    def tenant(self) -> str: ...

    @property
    def instant(self) -> datetime:
        """This transaction's time: strictly later than every other of the tenant."""
        ...

    @property
    def hearing(self) -> Hearing:
        """What is known of slots from the store's last writes. Claims and periods are written through
        ``hitherto.kg.commit`` only, which keeps it right."""
        ...

    async def episodes(self, ids: Collection[str]) -> Mapping[str, Episode]:
        """Stored episodes by id, retracted ones included."""
        ...

    async def put_episode(self, episode: Episode, vector: Vectors | None) -> None:
        """Insert, or update status (a change to or from RETRACTED opens or closes a stretch in which it is known).

        ``ingested_at`` is set to ``instant`` on insert and kept on update; ``vector`` None keeps a stored one.
        """
        ...

    async def put_sightings(self, sightings: Sequence[Sighting]) -> None:
        """Add to the counts of how entities are mentioned; creates entities, and re-derives name, kind, aliases.
        An entity without sightings is no longer visible now; it keeps its last name and kind for history."""
        ...

    async def put_entity_vectors(self, vectors: Mapping[str, Vectors]) -> None: ...

    async def put_fact_vectors(self, vectors: Mapping[str, Vectors]) -> None:
        """Fill the vectors of facts that have none; facts that are not there are passed over."""
        ...

    async def entities(self, ids: Collection[str]) -> Mapping[str, Entity]: ...

    @property
    def has_identities(self) -> bool:
        """Whether the tenant ever had any; while not, ``identities`` need not be asked."""
        ...

    async def identities(self, ids: Collection[str]) -> Mapping[str, Identity]:
        """Of these entities, and of all that are one with any of them; by entity. Those never put are missing."""
        ...

    async def put_identities(self, identities: Sequence[Identity]) -> None:
        """Insert or replace. An entity that no claim mentions reads by its identity's name."""
        ...

    async def entity_claims(self, ids: Collection[str], predicate: str | None = None) -> list[tuple[str, Claim]]:
        """Live (slot, claim) pairs of facts that have one of these entities on a side, in any order."""
        ...

    async def put_facts(self, rows: Sequence[FactRow]) -> None:
        """Insert facts that are not there yet; existing ones are left as they are (a missing vector is filled)."""
        ...

    async def facts(self, ids: Collection[str]) -> Mapping[str, Fact]: ...

    async def claim_rules(self, rules: Mapping[str, str]) -> None:
        """Record by which rule (``slots.rule_text``) the claims of each predicate are stored, the first time.
        Raises ``Conflict``, here or at a later verb, where another one is recorded."""
        ...

    async def put_claims(self, claims: Sequence[tuple[str, Claim]]) -> None:
        """Insert (slot, claim) pairs with ``recorded_at = instant``. A claim id that is there is reinstated."""
        ...

    async def claims_of(self, episode_id: str) -> list[tuple[str, Claim]]:
        """The (slot, claim) pairs of an episode, retracted or not."""
        ...

    async def retract_claims(self, claim_ids: Collection[str]) -> None:
        """Set ``retracted_at = instant`` on those of the claims that are live."""
        ...

    async def slot_claims(self, slots: Collection[str]) -> Mapping[str, list[Claim]]:
        """Live claims (not retracted) of each slot, in any order; slots without any may be missing."""
        ...

    async def slot_periods(self, slots: Collection[str]) -> Mapping[str, list[StoredPeriod]]:
        """Currently believed periods of each slot."""
        ...

    async def supersede(self, period_ids: Collection[str]) -> None:
        """Set ``superseded_at = instant``."""
        ...

    async def put_periods(self, periods: Sequence[StoredPeriod]) -> None:
        """Insert new periods (their ``ingested_at`` is ``instant``)."""
        ...


class Store(KeepingStore, Protocol):
    """One database file or server. Safe for many concurrent tasks; several processes may share it."""

    async def close(self) -> None: ...

    async def last_commit(self, tenant: str) -> datetime | None:
        """Transaction time of the tenant's newest commit; None when there is none."""
        ...

    async def write(self, tenant: str, work: Callable[[Transaction], Awaitable[T]]) -> T:
        """Run ``work`` in one transaction and commit. It may run more than once (after a conflict), so it must
        have no effects of its own. A transaction that wrote nothing takes no instant.
        Inside ``work`` read with the transaction's verbs: the store's own reads might wait for it for ever, and
        may be refused with ``Fault``.

        Raises ``Busy`` after a bounded wait for other writers, ``Forbidden`` on a read-only store.
        """
        ...

    async def beliefs(self, point: Point, where: FactFilter, page: Page) -> Slice[Belief]:
        """Beliefs in order of (valid_from, ingested_at, id), unknown beginnings first, with their evidence: the
        claims on the fact, in the order they were said; with ``known`` None, once for every stretch in which each
        was known."""
        ...

    async def changes(self, point: Point, where: FactFilter, stretch: Interval, page: Page) -> Slice[BeliefChange]:
        """What came to be believed and what ceased to be in a stretch of transaction time, up to ``point.known``:
        in order of (instant, first what went, period id). Each belief reads as at ``known`` None."""
        ...

    async def slot_claims(
        self, point: Point, slots: Collection[str], at: Collection[datetime] | None = None
    ) -> Mapping[str, list[Claim]]:
        """The claims of each slot known at the point, in the order they were said; slots without any may be
        missing. ``known`` None: each once for every stretch in which it was known. ``at``: only those that came or
        went at one of these instants."""
        ...

    async def episode_claims(self, point: Point, episode_ids: Collection[str]) -> Mapping[str, list[Claim]]:
        """The claims of each episode known at the point, believed or not, in the order they were said; episodes
        without any may be missing. ``known`` None: each once for every stretch in which it was known."""
        ...

    async def episodes(self, point: Point, where: EpisodeFilter, page: Page) -> Slice[Episode]:
        """Episodes in order of (occurred_at, id). ``point.known`` None: also those retracted since."""
        ...

    async def recent_episodes(
        self, point: Point, session: str | None, before: datetime, limit: int
    ) -> list[Episode]:
        """The last ``limit`` episodes with ``occurred_at`` before ``before`` (of the session, unless None),
        oldest first; passages of documents are left out."""
        ...

    async def session_neighbours(
        self, point: Point, episode_ids: Collection[str], reach: int
    ) -> Mapping[str, list[Neighbour]]:
        """The ``reach`` episodes before and after each of these in its session, by (occurred_at, id), nearest
        first; episodes without any, or without a session, may be missing. Episodes of ready-made facts count."""
        ...

    async def entities(self, point: Point, ids: Collection[str]) -> Mapping[str, Entity]: ...

    async def find_entities(self, point: Point, names: Collection[str]) -> Mapping[str, list[Entity]]:
        """Entities by normalised name or alias (``ids.normalise``); names without any are missing."""
        ...

    async def match_text(self, point: Point, words: Sequence[str], target: Target, limit: int) -> list[Match]:
        """BM25 over texts cut by ``hitherto.kg.text.cut``, scored from this tenant's own statistics (of the texts
        it had at ``known``, so that a view's scores stay as they are). An entity's text is its name and aliases.
        Episodes of ready-made facts are not among the texts: their facts are. Archived facts are not found."""
        ...

    async def nearest(self, point: Point, vector: Vectors, target: Target, limit: int) -> list[Match]:
        """Highest cosine similarity to a unit vector of shape ``(dimension,)``, filtered as ``match_text``."""
        ...

    async def unembedded(self, tenant: str, target: Target, after: str, limit: int) -> list[tuple[str, str]]:
        """(id, text) of what has no vector, the first ``limit`` by id after ``after``: facts, episodes of text
        that were read, entities by the name they have or had last."""
        ...

    async def status(self, tenant: str) -> TenantStatus: ...

    async def embedder_name(self) -> str | None:
        """The name of the embedder whose vectors are stored; None before the first."""
        ...

    async def claim_embedder(self, name: str, dimension: int) -> None:
        """Record the embedder on first use. Raises ``Conflict`` when another one's vectors are stored, or a change
        of embedder was interrupted."""
        ...

    async def change_embedder(self, name: str, dimension: int) -> None:
        """Record another embedder and remove the former one's vectors, all tenants'; nothing if it is recorded.
        Called again with the same name after an interruption, it finishes. ``unembedded`` tells what to fill.

        Stores that claimed the former one raise ``Conflict`` from then on when they write or look for the nearest.
        """
        ...
