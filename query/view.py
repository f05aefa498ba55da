"""``View``: one tenant's graph at a pair of instants."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo
from typing import Unpack

from ..kg.embedding import Embedder
from ..kg.ids import entity_key, value_key
from ..kg.model import Belief, Claim, Entity, Episode, Fact
from ..kg.ontology import Ontology
from ..kg.store import Clock, EpisodeFilter, FactFilter, Point, Slice, Store
from ..temporal.calendar import FIRST_INSTANT
from ..temporal.errors import Invalid, NotFound
from ..temporal.instants import When, parse_instant, parse_stretch
from .arguments import check_name, read_page
from .context import Context
from .differences import Pair, differences
from .fetching import every_belief
from .first_names import entities_called
from .history import as_known, timeline_entries
from .keeping import ArchivedFact, FactLike, archived_facts, beliefs_in, importances
from .names import as_called, own_ids
from .options import SearchOptions, SearchWish, read_search_options
from .questions import check_question
from .recall import BUDGET, ContextOptions, read_options, run_context
from .results import Change, Diff, SearchResult, TimelineEntry
from .search import run_search
from .stretches import (
    During,
    claims_of,
    explained,
    history_of,
    page_of_claims,
    page_of_history,
    read_during,
)
from .understanding import Inquiry, Library
from .working import WorkingReads


@dataclass(frozen=True, slots=True)
class Instants:
    """Where a view stands. ``valid`` is the caller's, else ``now``; ``known`` is a commit or earlier."""

    valid: datetime
    known: datetime
    now: datetime


@dataclass(slots=True)
class _Pin:
    """Set once, at a view's first read."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    instants: Instants | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class View(WorkingReads):
    """The graph as it was at ``valid`` (None: now), as it was known at ``known`` (None: the last commit).

    A value: the first read fixes now and the last commit, so later writes change nothing that it answers.
    A ``known`` after the last commit is the last commit. Reads take names as people say them (main name, alias,
    or the name an actor gave); a first name is also read as the one full name that is known to begin with it, and
    that as the first name alone. A name that nothing known carries finds nothing.
    """

    store: Store
    tenant: str
    ontology: Ontology
    embedder: Embedder
    zone: tzinfo
    """What dates in questions and in results' ``dates`` are meant in."""
    clock: Clock
    valid: datetime | None = None
    known: datetime | None = None
    _pin: _Pin = field(default_factory=_Pin, init=False, repr=False, compare=False)

    async def instants(self) -> Instants:
        """Where this view stands; the first call (or read) decides."""
        async with self._pin.lock:
            if self._pin.instants is None:
                # A tenant without a commit: whatever comes is later than this.
                last = await self.store.last_commit(self.tenant) or FIRST_INSTANT
                now = self.clock()
                known = last if self.known is None else min(self.known, last)
                self._pin.instants = Instants(self.valid or now, known, now)
            return self._pin.instants

    async def search(self, query: str, *, limit: int = 10, **options: Unpack[SearchOptions]) -> SearchResult:
        """The ``limit`` best facts, episodes and entities for a question in English or Chinese.

        Facts hold at the view's valid instant. Unless the view was given one, the question's own time counts:
        "in April 2024" is any time of that month, "ever" or "曾经" all of time.
        ``SearchResult.answer`` is what the timeline tells of when, how long, how many, first, before and after.
        ``SearchOptions`` says what else it may be told.

        Raises ``Invalid`` for an empty or over-long question, a ``limit`` under 1, an option that is unknown or
        has a wrong value.
        """
        read_page(limit, None)
        return await run_search(self._library, await self._inquiry(query, read_search_options(options), limit))

    async def context(self, query: str, *, budget: int = BUDGET, **options: Unpack[ContextOptions]) -> Context:
        """A block of memory for a prompt, of at most ``budget`` tokens: constraints and the profile of whom the
        question is about (a prefix that stays the same while they do), then facts with dates, what was said
        otherwise, open questions, and turns word for word. It tells what was kept, trimmed and dropped, and why.

        ``count`` counts tokens; the built-in ``estimate_tokens`` needs no tokenizer and errs upwards.

        Raises ``Invalid`` for an empty or over-long question, wrong options, a budget under 1 or under what the
        constraints take.
        """
        wish = read_options(budget, options)
        asking = read_search_options({"session": options.get("session"), "actor": options.get("actor")})
        inquiry = await self._inquiry(query, asking, 1)
        return await run_context(self._library, inquiry, wish)

    @property
    def _library(self) -> Library:
        return Library(store=self.store, ontology=self.ontology, embedder=self.embedder, zone=self.zone)

    async def _inquiry(self, query: str, wish: SearchWish, limit: int) -> Inquiry:
        text = check_question(query)
        at = await self.instants()
        return Inquiry(
            text=text,
            tenant=self.tenant,
            valid=self.valid,
            known=at.known,
            now=at.now,
            wish=wish,
            limit=limit,
        )

    async def facts(
        self,
        subject: str | None = None,
        predicate: str | None = None,
        object: str | None = None,
        *,
        during: During | None = None,
        limit: int = 100,
        cursor: str | None = None,
    ) -> Slice[Belief]:
        """What is believed at the view's instants, by (valid_from, ingested_at, id).

        ``object`` is an entity's name or a literal. An inverse predicate asks the other way round: the facts
        EMPLOYS("TechCorp", "Alice") are WORKS_AT("Alice", "TechCorp").

        ``during`` is instead of the view's valid instant: what held at some time of that stretch. "ever" is all of
        time, so ``facts(predicate="WORKS_AT", object="TechCorp", during="ever")`` is everyone who ever worked
        there; "2021" is that year; ``("2019", "2021")`` goes from the first of 2019 to the last of 2021, and None
        leaves a side open. An event counts by when it happened.

        Raises ``Invalid`` for a predicate that is not SCREAMING_SNAKE, a blank name, a wrong limit or cursor, and
        a stretch that is empty or no time.
        """
        page = read_page(limit, cursor)
        at = await self.instants()
        stretch = None if during is None else read_during(during, self.zone, at.now)
        for name, what in ((subject, "subject"), (predicate, "predicate"), (object, "object")):
            if name is not None:
                check_name(name, what)
        if predicate is not None and (forward := self.ontology.forward(predicate)) != predicate:
            predicate, subject, object = forward, object, subject
        point = Point(self.tenant, at.valid if stretch is None else None, at.known, stretch)
        subjects = None if subject is None else await self._ids(point, subject, "subject")
        if subjects is not None and not subjects:
            return Slice(())
        where = FactFilter(
            subject_ids=subjects,
            predicates=None if predicate is None else [predicate],
            object_keys=None if object is None else await self._object_keys(point, object),
        )
        found = await self.store.beliefs(point, where, page)
        return Slice(tuple(self._seen(found.items, at.known)), found.cursor)

    async def timeline(
        self,
        entity: str,
        predicate: str | None = None,
        *,
        limit: int = 100,
        cursor: str | None = None,
    ) -> Slice[TimelineEntry]:
        """Every period of the facts about an entity (on either side), over all valid time, in order of
        ``valid_from``: as believed at the view's ``known``, each with the ``corrections`` that led to it.

        A fact that was given up altogether stands there with ``believed`` False. Raises ``Invalid`` as ``facts``.
        """
        page = read_page(limit, cursor)
        predicates = None if predicate is None else [self.ontology.forward(predicate)]
        at = await self.instants()
        ids = await self._ids(Point(self.tenant, None, at.known), entity, "entity")
        # One that only retracted episodes mention still has its history.
        ids = ids or sorted(own_ids(self.tenant, entity))
        if not ids:
            return Slice(())
        ever = Point(self.tenant)
        where = FactFilter(touching=ids, predicates=predicates)
        entries: list[TimelineEntry] = []
        while True:
            rows = await self.store.beliefs(ever, where, replace(page, limit=page.limit - len(entries)))
            seen = await self._once_seen(rows.items, at.known)
            entries += timeline_entries(seen, await self._history({b.fact.id for b in seen}, at.known))
            page = replace(page, cursor=rows.cursor)
            if rows.cursor is None or len(entries) == page.limit:
                return Slice(tuple(entries), rows.cursor)

    async def changes(
        self,
        since: When | None = None,
        until: When | None = None,
        *,
        entity: str | None = None,
        limit: int = 100,
        cursor: str | None = None,
    ) -> Slice[Change]:
        """What came to be believed and what was given up in a stretch of transaction time, in order, up to the
        view's ``known``: each with the instant, and the claims and episodes that made it. ``until`` includes its
        grain: ``changes("2026-03", "2026-03")`` is all of March. ``entity``: only facts about it, on either side.

        Raises ``Invalid`` for what is no date, an empty stretch, a blank name, a wrong limit or cursor.
        """
        page = read_page(limit, cursor)
        stretch = parse_stretch(since, until, zone=self.zone)
        at = await self.instants()
        where = FactFilter()
        if entity is not None:
            # Facts once believed about what no episode mentions any more have changed as well.
            ids = {*await self._ids(Point(self.tenant, None, at.known), entity, "entity")}
            where = FactFilter(touching=ids | own_ids(self.tenant, entity))
        point = Point(self.tenant, None, at.known)
        found = await self.store.changes(point, where, stretch, page)
        items = await explained(self.store, point, found.items, self.ontology, self.zone)
        return Slice(items, found.cursor)

    async def history(
        self, fact: Fact | Belief | str, *, limit: int = 100, cursor: str | None = None
    ) -> Slice[Belief]:
        """Every belief ever held of a fact up to the view's ``known``, the first learned first, each with the
        claims behind it as they stood (in the end, for one that was given up). ``fact`` may be a belief in it, or
        the id of either.

        Raises ``NotFound`` for an id that no fact or belief of the tenant has.
        """
        page = read_page(limit, cursor)
        point = Point(self.tenant, None, (await self.instants()).known)
        return page_of_history(await history_of(self.store, point, fact, self.ontology), page)

    async def claims(self, belief: Belief | str, *, limit: int = 100, cursor: str | None = None) -> Slice[Claim]:
        """The claims that decide a belief, in the order they were said: on its fact, and on the others that it was
        weighed against (with one value at a time, the other values; what it excludes). As known at the view's
        ``known``; as they stood in the end, for a belief that was given up by then.

        Raises ``NotFound`` for an id that no belief of the tenant has.
        """
        page = read_page(limit, cursor)
        point = Point(self.tenant, None, (await self.instants()).known)
        return page_of_claims(await claims_of(self.store, point, belief, self.ontology), page)

    async def diff(self, other: View, *, limit: int = 100, cursor: str | None = None) -> Diff:
        """How this view (a) differs from another (b) of the same memory: what is true in one and not in the other,
        and what is believed, at any valid time, in one and not in the other.

        Raises ``Invalid`` for a view of another tenant or store, a wrong limit or cursor.
        """
        page = read_page(limit, cursor)
        if other.tenant != self.tenant or other.store is not self.store:
            raise Invalid("only views of one memory can be compared; take both from the same one")
        points = [Point(self.tenant, at.valid, at.known) for at in (await self.instants(), await other.instants())]
        return await differences(Pair(self.store, self.ontology, *points), page, self.zone)

    async def episodes(
        self,
        session: str | None = None,
        actor: str | None = None,
        *,
        since: When | None = None,
        limit: int = 100,
        cursor: str | None = None,
    ) -> Slice[Episode]:
        """Episodes known at the view's ``known``, by (occurred_at, id); ``since``: from this instant on."""
        page = read_page(limit, cursor)
        at = await self.instants()
        start = None if since is None else parse_instant(since, zone=self.zone)
        where = EpisodeFilter(session=session, actor=actor, since=start)
        return await self.store.episodes(Point(self.tenant, None, at.known), where, page)

    async def archived(self, *, limit: int = 100, cursor: str | None = None) -> Slice[ArchivedFact]:
        """The facts that are put aside at the view's ``known``, those first that went first: search and context
        leave them out, ``facts`` and all that tells history does not. Raises ``Invalid`` for a wrong limit or
        cursor."""
        page = read_page(limit, cursor)
        point = Point(self.tenant, None, (await self.instants()).known)
        return await archived_facts(self.store, point, page, self.ontology)

    async def importance(self, facts: Iterable[FactLike]) -> dict[str, float]:
        """How much facts matter, 0 to 1, by fact id: from predicate, confidence, sources and use
        (``hitherto.kg.importance``), as known at the view's ``known``. Facts not yet told then are left out.

        Raises ``NotFound`` for an id that no fact or belief of the tenant has, ``Invalid`` for what is no fact.
        """
        at = await self.instants()
        found = await beliefs_in(self.store, self.tenant, facts, "facts")
        beliefs = self._seen([b for held in found.values() for b in held], at.known)
        point = Point(self.tenant, None, at.known)
        return await importances(self.store, point, beliefs, self.ontology)

    async def entity(self, name: str) -> Entity:
        """The entity of this name; one whose main name it is before one that has it as an alias.

        Raises ``NotFound`` when nothing known at the view's ``known`` carries the name.
        """
        at = await self.instants()
        found = await entities_called(self.store, Point(self.tenant, None, at.known), check_name(name, "name"))
        if not found:
            raise NotFound(f"no entity is called {name!r} in tenant {self.tenant!r}")
        return found[0]

    async def _ids(self, point: Point, name: str, what: str) -> list[str]:
        return [e.id for e in await entities_called(self.store, point, check_name(name, what))]

    async def _object_keys(self, point: Point, name: str) -> list[str]:
        """The objects a name can stand for: the literal, and the entities it names."""
        return [value_key(name), *(entity_key(id_) for id_ in await self._ids(point, name, "object"))]

    async def _history(self, fact_ids: Collection[str], known: datetime) -> list[Belief]:
        """Everything ever believed of these facts up to ``known``."""
        if not fact_ids:
            return []
        found = await every_belief(self.store, Point(self.tenant), FactFilter(fact_ids=fact_ids))
        return await self._once_seen(found, known)

    async def _once_seen(self, beliefs: Collection[Belief], known: datetime) -> list[Belief]:
        """Beliefs of any time as they looked at ``known``."""
        return self._seen(await as_called(self.store, Point(self.tenant, None, known), beliefs), known)

    def _seen(self, beliefs: Collection[Belief], known: datetime) -> list[Belief]:
        return [seen for b in beliefs if (seen := as_known(b, known, self.ontology)) is not None]
