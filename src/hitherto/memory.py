"""``Memory``: one store and one tenant, with every verb a user needs. It puts the parts together."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo
from functools import partial
from types import TracebackType
from typing import Self, TypedDict, Unpack

from .backload import BATCH as EPISODES
from .backload import AddReport, Backload, Items
from .backload import Progress as Hears
from .correcting import Correction, Corrector
from .duplicates import Duplicate, Finder
from .episodes import About, Details, build_episode, read_episode, read_instant
from .extraction.extractor import Extractor
from .extraction.records import read_records, read_zone, stated_at
from .kg.embedding import Embedder
from .kg.model import Belief, Claim, Entity, Episode, Fact, Format, Value, WriteReport
from .kg.ontology import Ontology
from .kg.preparation import prepare
from .kg.store import Clock, Slice, TenantStatus
from .loading import BATCH, Loader, LoadReport, Progress, Rows, record_of
from .merging import Merger, Why
from .messages import Message
from .opening import Opening, system_clock
from .pipeline import Pipeline
from .query.arguments import read_id
from .query.context import Context
from .query.options import SearchOptions
from .query.recall import BUDGET, ContextOptions
from .query.results import Change, Diff, SearchResult, TimelineEntry
from .query.stretches import During
from .query.view import View
from .temporal.errors import Invalid
from .temporal.instants import When
from .upkeep import Upkeep
from .working import WorkingMemory


class Parts(TypedDict, total=False):
    """What ``Memory.open`` may be given besides the address and the tenant.

    ``zone``: IANA name of the time zone that dates without one are meant in (UTC). ``clock``: tells transaction
    time and "now" (the machine's); a replay passes one that tells each message's own time. ``ontology``: the
    predicates (the starter ontology). ``extractor``: offline, loaded when first needed.
    ``embedder``: "use", "e5" or an object; the offline one that the database records, else "use".
    ``auth``: user and password of a server, instead of those in the address.
    """

    zone: str
    clock: Clock
    ontology: Ontology
    extractor: Extractor
    embedder: Embedder | str
    auth: tuple[str, str] | None


class FactDetails(TypedDict, total=False):
    """What ``Memory.assert_fact`` may be told besides subject, predicate and object.

    ``valid_from``, ``valid_to``: ISO dates, whole or partial; an end includes its grain. ``stated_at``: orders
    the fact among other claims; the fact's own beginning unless given (its end when it has no beginning;
    required when it has neither). ``source``: the system of record. ``authority``: claims of lower authority
    cannot undo it. ``confidence``: 0 to 1. ``subject_kind``, ``object_kind``: kinds of entities.
    """

    valid_from: When | None
    valid_to: When | None
    stated_at: When | None
    source: str
    authority: int
    confidence: float
    subject_kind: str | None
    object_kind: str | None


class Memory(WorkingMemory, Upkeep):
    """The memory of one tenant. Open it with ``Memory.open``; reads live on ``View`` (see ``at``)."""

    def __init__(self, pipeline: Pipeline, zone: tzinfo, clock: Clock) -> None:
        self._pipeline = pipeline
        self._zone = zone
        self._clock = clock

    @classmethod
    def open(cls, url: str, *, tenant: str, **parts: Unpack[Parts]) -> Opening[Memory]:
        """Open a database: ``async with Memory.open("crm.db", tenant="acme") as memory:`` (or ``await`` it and
        ``close`` it yourself). ``url`` is a file's path, ``:memory:``, or a Neo4j server:
        ``neo4j://user:password@host:7687/database``.

        Raises ``Invalid`` (unknown kind of address, a file that is not ours, no tenant), ``Conflict`` (made by a
        newer version), ``Forbidden`` (a folder or file that cannot be written; wrong password), ``NotFound`` (no
        such folder or database), ``Unavailable``.
        """
        return Opening(partial(cls._open, url, tenant, parts))

    @classmethod
    async def _open(cls, url: str, tenant: str, parts: Parts) -> Memory:
        from .kg.stores import open_store

        if not isinstance(tenant, str) or not tenant.strip():
            raise Invalid("tenant is empty; name the customer, user or workspace this memory belongs to")
        zone = read_zone(parts.get("zone", "UTC"))
        clock = parts.get("clock", system_clock)
        ontology = parts.get("ontology") or Ontology.starter()
        given = parts.get("embedder")
        wanted = _embedder_named(given) if isinstance(given, str) else given
        store = await open_store(url, clock=clock, auth=parts.get("auth"))
        try:
            embedder = wanted or _default_embedder(await store.embedder_name())
            await store.claim_embedder(embedder.name, embedder.dimension)
        except BaseException:
            await store.close()
            raise
        extractor = parts.get("extractor") or _default_extractor(ontology, zone)
        return cls(Pipeline(store, tenant, ontology, extractor, embedder), zone, clock)

    @property
    def tenant(self) -> str:
        return self._pipeline.tenant

    async def add(self, content: str | Message | Sequence[Message], **details: Unpack[Details]) -> WriteReport:
        """Remember an episode: text; one message or several shaped as chat APIs have them (role, content, name,
        time); a JSON object or an array of them (no content, no role), such as events of a CRM, whose fields say
        what ``mapping`` declares, or what such fields usually do. It is durable before it is read; the same
        episode again changes nothing.

        Raises ``Invalid`` for empty or over-long text, malformed messages and JSON, dates that are none (nothing
        is stored), ``Conflict`` when ``id`` is taken by other content, ``Busy``.
        """
        return await self._pipeline.add(read_episode(self.tenant, content, details, self._zone, self._clock))

    async def add_many(
        self,
        items: Items,
        *,
        session: str | None = None,
        source: str = "",
        batch: int = EPISODES,
        progress: Hears | None = None,
    ) -> AddReport:
        """Remember many episodes, such as a history of years: a stream, async or not, of what ``add`` takes, or of
        mappings that have the details of ``add`` beside ``content``. ``session`` and ``source`` hold for all that
        name no other.

        Belief becomes what adding them one by one gives, in whatever order they come. The stream is read one batch
        ahead; the episodes of a batch are made durable in one transaction, read together, and written in another,
        whose time they share. ``progress`` hears the report so far after each batch.

        Raises what ``add`` raises, naming the item (from 1) that is wrong: all before it are written then. Items
        taken from the stream after it may be left pending, for ``resume``.
        """
        shared = Details(session=session, source=source)
        return await Backload(self._pipeline, self._zone, self._clock, shared, batch).load(items, progress)

    async def assert_fact(
        self,
        subject: str,
        predicate: str,
        object: str | float | Value,
        **details: Unpack[FactDetails],
    ) -> WriteReport:
        """Remember a ready-made fact from a system of record, as an episode of its own.

        An ``object`` that is a ``Value`` or a number is a literal, as is any object of a predicate whose objects
        are literals. Raises ``Invalid`` (nothing is stored) for wrong dates, names or predicates.
        """
        named = {"subject": subject, "predicate": predicate, "object": object}
        row = record_of({**named, **{k: v for k, v in details.items() if k != "source"}}, self._zone)
        about = About(occurred_at=stated_at(row), source=details.get("source", ""))
        episode = build_episode(self.tenant, row.line(), about, self._zone, Format.FACTS)
        ontology = self._pipeline.ontology
        prepared = prepare(self.tenant, episode, read_records(episode, ontology), ontology)
        return await self._pipeline.record(episode, prepared)

    async def add_facts(
        self,
        rows: Rows,
        *,
        source: str = "",
        batch: int = BATCH,
        embed: bool = True,
        progress: Progress | None = None,
    ) -> LoadReport:
        """Remember many ready-made facts from a system of record: mappings with the names of ``assert_fact``.

        ``rows`` may be any iterable, async or not; it is read as it is written (one batch ahead), ``batch`` rows
        (fewer if they are over a million characters) as one episode in one transaction. The belief is the same as
        from ``assert_fact`` one by one, in any order; the same rows in the same batches again change nothing.
        ``embed=False`` leaves vectors out, for ``embed_missing``; until then search finds these facts by words and
        by what they are connected to. ``progress`` hears the report so far after each batch.

        Raises ``Invalid`` naming the row (from 1) that is wrong: nothing of its batch is stored, those before are.
        """
        loader = Loader(self._pipeline, self._zone, source, batch, embed)
        return await loader.load(rows, progress)

    async def embed_missing(self, *, batch: int = 512) -> int:
        """Compute the vectors that ``add_facts(embed=False)`` left out, ``batch`` in a transaction; how many there
        were. It may be stopped at any time and called again."""
        return await self._pipeline.embed_missing(batch)

    async def retract(self, episode_id: str) -> WriteReport:
        """Take an episode back: belief becomes what it would be had it never come; history keeps it.

        Raises ``NotFound`` for an id this tenant does not have.
        """
        return await self._pipeline.retract(read_id(episode_id, "episode"))

    async def correct(self, belief: Belief | str, **correction: Unpack[Correction]) -> WriteReport:
        """Say how a belief should read, as in ``correct(belief, valid_from="2023-03")``; see ``Correction``.

        The correction is an episode with claims like any other: it is seen in the belief's claims, and retracting
        it brings the former belief back. It beats everything said before it, also what arrives later or is dated
        in the future: it counts as said now, or just after the last claim in its slot. What is said after it is
        news, but cannot undo what it states: only another correction can. ``belief`` may be an id.

        Raises ``Invalid`` (a wrong date, nothing to correct), ``NotFound``, ``Conflict`` when it is no longer
        believed, or no claim could make it so; nothing is stored then.
        """
        p = self._pipeline
        corrector = Corrector(p.store, self.tenant, p.ontology, self._zone, self._clock)
        return await p.add(await corrector.episode(belief, correction))

    async def merge(
        self, a: Entity | str, b: Entity | str, *, reason: str = "", by: str | None = None
    ) -> WriteReport:
        """Say that two entities are one: names, ids or entities. All facts about either are facts about that one,
        also those told later; it is found by all their names. Earlier ``known`` views read as before.

        The merge is an episode (``by`` is its actor) that claims SAME_AS: retracting it, or ``split``, parts them
        again. A merge that is there already changes nothing (status "duplicate").

        Raises ``NotFound`` for one whom no fact mentions, ``Invalid`` where a name may be several.
        """
        return await Merger(self._pipeline, self._zone, self._clock).merge(a, b, Why(reason, by))

    async def split(
        self, a: Entity | str, b: Entity | str, *, reason: str = "", by: str | None = None
    ) -> WriteReport:
        """Say that two entities are not one: what was told by each one's own name is about that one again. Where
        others join the two, ``a`` is parted from those too that are one with ``b``. Two that are not one stay so,
        and ``duplicates`` never proposes them again. Retracting the split brings the merge back.

        Raises ``NotFound`` and ``Invalid`` as ``merge``, and ``Invalid`` for one name only.
        """
        return await Merger(self._pipeline, self._zone, self._clock).split(a, b, Why(reason, by))

    async def duplicates(self, *, limit: int = 100, at_least: float = 0.3) -> list[Duplicate]:
        """Pairs of entities that may be one, the likeliest first, each with a score and a reason; for somebody to
        ``merge`` or ``split``. Names that differ in a digit, a version, a negation or a symbol, entities of other
        kinds, and pairs that were split are never proposed. Reads all that is believed: it takes a while.
        """
        return await Finder(self._pipeline).find(limit, at_least)

    async def resume(self) -> list[WriteReport]:
        """Read and commit episodes that are stored but still pending, after a crash or a failure."""
        return await self._pipeline.resume()

    def at(self, valid: When | None = None, known: When | None = None) -> View:
        """The graph at a pair of instants: what was true at ``valid`` (None: now, or the question's own time), as
        we knew it at ``known`` (None: the last commit).

        Raises ``Invalid`` for what is no date.
        """
        return View(
            store=self._pipeline.store,
            tenant=self.tenant,
            ontology=self._pipeline.ontology,
            embedder=self._pipeline.embedder,
            zone=self._zone,
            clock=self._clock,
            valid=None if valid is None else read_instant(valid, self._zone, "valid"),
            known=None if known is None else read_instant(known, self._zone, "known"),
        )

    async def search(self, query: str, *, limit: int = 10, **options: Unpack[SearchOptions]) -> SearchResult:
        """``at().search(...)``: what is believed now, unless the question names another time."""
        found = await self.at().search(query, limit=limit, **options)
        self._showed(found)
        return found

    async def context(self, query: str, *, budget: int = BUDGET, **options: Unpack[ContextOptions]) -> Context:
        """``at().context(...)``: a block of memory for a prompt, of at most ``budget`` tokens."""
        block = await self.at().context(query, budget=budget, **options)
        self._showed(block)
        return block

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
        """``at().facts(...)``: facts that hold now, or at some time ``during`` a stretch."""
        return await self.at().facts(subject, predicate, object, during=during, limit=limit, cursor=cursor)

    async def timeline(
        self, entity: str, predicate: str | None = None, *, limit: int = 100, cursor: str | None = None
    ) -> Slice[TimelineEntry]:
        """``at().timeline(...)``: every period of an entity's facts, each with its corrections."""
        return await self.at().timeline(entity, predicate, limit=limit, cursor=cursor)

    async def changes(
        self,
        since: When | None = None,
        until: When | None = None,
        *,
        entity: str | None = None,
        limit: int = 100,
        cursor: str | None = None,
    ) -> Slice[Change]:
        """``at().changes(...)``: what came to be believed and what was given up, when, and because of what."""
        return await self.at().changes(since, until, entity=entity, limit=limit, cursor=cursor)

    async def history(
        self, fact: Fact | Belief | str, *, limit: int = 100, cursor: str | None = None
    ) -> Slice[Belief]:
        """``at().history(...)``: every belief ever held of a fact, with the claims behind each."""
        return await self.at().history(fact, limit=limit, cursor=cursor)

    async def claims(self, belief: Belief | str, *, limit: int = 100, cursor: str | None = None) -> Slice[Claim]:
        """``at().claims(...)``: the claims that decide a belief, corrections among them."""
        return await self.at().claims(belief, limit=limit, cursor=cursor)

    async def diff(self, a: View, b: View, *, limit: int = 100, cursor: str | None = None) -> Diff:
        """``a.diff(b)``: what is true, and what is believed, in one view and not in the other."""
        return await a.diff(b, limit=limit, cursor=cursor)

    async def episodes(
        self,
        session: str | None = None,
        actor: str | None = None,
        *,
        limit: int = 100,
        cursor: str | None = None,
    ) -> Slice[Episode]:
        """``at().episodes(...)``: what was said, in order."""
        return await self.at().episodes(session, actor, limit=limit, cursor=cursor)

    async def status(self) -> TenantStatus:
        """Counts of this tenant."""
        return await self._pipeline.store.status(self.tenant)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


def _embedder_named(name: str) -> Embedder:
    from .extraction.embedder_names import embedder_named

    return embedder_named(name)


def _default_embedder(recorded: str | None) -> Embedder:
    from .extraction.embedder_names import embedder_for

    return embedder_for(recorded)


def _default_extractor(ontology: Ontology, zone: tzinfo) -> Extractor:
    from .extraction.rules import RuleExtractor

    return RuleExtractor(ontology, zone)
