"""Reads about use and archive: what facts are meant, which are put aside, how much each matters."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from ..kg.importance import importance_of
from ..kg.keeping import Archived
from ..kg.model import Belief, Fact
from ..kg.ontology import Ontology
from ..kg.store import FactFilter, Page, Point, Slice, Store
from ..temporal.errors import Invalid, NotFound
from .fetching import chunks, every_belief
from .history import as_known
from .results import FactHit

FactLike: TypeAlias = Fact | Belief | FactHit | str
"""A fact, a belief in it, a hit of a search, or the id of a fact or of a belief."""


@dataclass(frozen=True, slots=True)
class ArchivedFact:
    """A fact that is put aside: since when, by which policy ("by hand"), and the episode that sums it up with
    others, if one does. It is believed as before."""

    fact: Fact
    policy: str
    archived_at: datetime
    digest: str | None = None

    def __str__(self) -> str:
        return f"{self.fact.text} · archived {self.archived_at:%Y-%m-%d} by {self.policy}"


async def beliefs_in(store: Store, tenant: str, facts: Iterable[FactLike], what: str) -> dict[str, list[Belief]]:
    """Every belief ever held in these facts, by fact. Raises ``NotFound`` for an id that the tenant does not have,
    ``Invalid`` for what is no fact; ``what`` names the argument."""
    if isinstance(facts, str | Fact | Belief | FactHit):
        facts = [facts]
    ids = dict.fromkeys(_id_of(fact, what) for fact in facts)
    ever = Point(tenant)
    found: dict[str, list[Belief]] = {}
    for some in chunks(ids):
        by_fact = await every_belief(store, ever, FactFilter(fact_ids=some))
        rest = set(some) - {b.fact.id for b in by_fact}
        by_period = await every_belief(store, ever, FactFilter(period_ids=rest)) if rest else []
        if by_period:
            more = {b.fact.id for b in by_period} - {b.fact.id for b in by_fact}
            by_fact += await every_belief(store, ever, FactFilter(fact_ids=more)) if more else []
        if unknown := rest - {b.id for b in by_period}:
            raise NotFound(f"{what}: no fact or belief {min(unknown)!r} is in tenant {tenant!r}")
        for belief in by_fact:
            found.setdefault(belief.fact.id, []).append(belief)
    return found


def _id_of(fact: FactLike, what: str) -> str:
    if isinstance(fact, str) and fact:
        return fact
    if isinstance(fact, Fact):
        return fact.id
    if isinstance(fact, Belief | FactHit):
        return fact.fact.id if isinstance(fact, Belief) else fact.belief.fact.id
    raise Invalid(f"{what}: {fact!r} is no fact; give facts, beliefs, hits of a search, or their ids")


async def archived_facts(store: Store, point: Point, page: Page, ontology: Ontology) -> Slice[ArchivedFact]:
    """The facts that are put aside at ``point.known``, those first that went first."""
    found = await store.archived(point, page)
    facts = await _facts(store, point, {a.fact_id for a in found.items}, ontology)
    return Slice(tuple(_told(a, facts[a.fact_id]) for a in found.items if a.fact_id in facts), found.cursor)


def _told(archived: Archived, fact: Fact) -> ArchivedFact:
    return ArchivedFact(fact, archived.policy, archived.archived_at, archived.digest)


async def _facts(store: Store, point: Point, ids: Collection[str], ontology: Ontology) -> dict[str, Fact]:
    """As they read at ``point.known``; one that is not believed then, as it did when it was."""
    assert point.known is not None
    facts: dict[str, Fact] = {}
    for at in (Point(point.tenant), Point(point.tenant, None, point.known)):
        for belief in await every_belief(store, at, FactFilter(fact_ids=ids)) if ids else ():
            if (seen := as_known(belief, point.known, ontology)) is not None:
                facts[seen.fact.id] = seen.fact
    return facts


async def importances(
    store: Store, point: Point, beliefs: Iterable[Belief], ontology: Ontology
) -> dict[str, float]:
    """How much each fact matters as known at the point, by its id: from the surest of its beliefs."""
    by_fact: dict[str, list[Belief]] = {}
    for belief in beliefs:
        by_fact.setdefault(belief.fact.id, []).append(belief)
    scores: dict[str, float] = {}
    for some in chunks(by_fact):
        uses = await store.uses(point, some)
        for id_ in some:
            held = [b for b in by_fact[id_] if b.superseded_at is None] or by_fact[id_]
            scores[id_] = max(importance_of(b, ontology, uses.get(id_)) for b in held)
    return dict(sorted(scores.items()))
