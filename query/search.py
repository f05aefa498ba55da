"""One search: read the question, run the legs, fuse, and fetch what stands first."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from functools import partial

from ..kg.embedding import Embedder, Purpose, Vectors
from ..kg.model import Entity, Episode, Format
from ..kg.ontology import Ontology
from ..kg.passages import documents_of, place_of
from ..kg.store import EpisodeFilter, FactFilter, Page, Point, Store, Target
from ..temporal.grains import Bound, Grain
from ..temporal.instants import format_bound
from .explaining import explained_hits
from .explanations import Reading
from .filters import leaves
from .fusion import Fused, fuse
from .history import as_known
from .legs import Probe, run_legs
from .names import entities_by_name
from .options import KINDS, SearchWish
from .people import PERSON, last_speaker, people_spoken_of
from .questions import (
    Candidate,
    When,
    addresses_listener,
    asks_for_something,
    blank,
    candidate_names,
    choose_names,
    content_words,
    first_persons,
    gist,
    language_of,
    proper_names,
    read_when,
    third_persons,
    wants_newest,
    when_during,
)
from .ranking import NEARLY, NEARLY_NAMED, rank_hits
from .results import EntityHit, EpisodeHit, FactHit, Hit, Passage, Question, SearchResult, TimeSource, dates_of
from .sieve import Found, Sources, sieve_for, sifted
from .stretches import read_during
from .turns import REACH, Asked, heard, order_turns, promising, spread
from .wanted import wanted_predicates

_DEPTH_FACTOR = 4
_LEAST_DEPTH = 40
_LEAST_ANCHORS = 20
"""Episodes whose neighbours are looked at, at least; half as many more are taken with them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """What a search reads from and reads with."""

    store: Store
    ontology: Ontology
    embedder: Embedder
    zone: tzinfo


@dataclass(frozen=True, slots=True, kw_only=True)
class Inquiry:
    """What a caller asks, and where the view stands. ``valid`` is only the caller's."""

    text: str
    tenant: str
    valid: datetime | None
    known: datetime
    now: datetime
    wish: SearchWish
    limit: int


@dataclass(frozen=True, slots=True)
class _Glance:
    """What the text alone tells."""

    when: When
    candidates: tuple[Candidate, ...]
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Understood:
    """How a question was read, and what full-text search looks for: in facts without names and times. ``nearly``:
    it wants something of whom it names, and a fact without its words must mean as nearly the same. ``gist``: what
    it is about, without people's names."""

    question: Question
    words: tuple[str, ...]
    fact_words: tuple[str, ...]
    gist: str
    nearly: float | None


@dataclass(frozen=True, slots=True)
class _Quest:
    """A question that was read, and what is looked for."""

    library: Library
    inquiry: Inquiry
    understood: Understood
    point: Point
    probe: Probe
    asked: Asked


async def run_search(library: Library, inquiry: Inquiry) -> SearchResult:
    """Answer one inquiry. Rank first, filter then, cut to ``limit`` last."""
    quest = await _quest(library, inquiry)
    question, wish = quest.understood.question, inquiry.wish
    if wish.where is None and question.during is None:
        hits = (await _look(quest, inquiry.limit)).hits
    else:
        sources = Sources(library.store, library.ontology, library.zone, inquiry.now)
        sieve = await sieve_for(sources, quest.point, wish.where, question.during)
        sifts = wish.kinds if wish.where is not None else (Target.FACT,)
        kinds = [kind for kind in wish.kinds if kind in sifts]
        hits = await sifted(sieve, partial(_look, quest), kinds, inquiry.limit)
    shown = tuple(_dated(hit, library.zone) for hit in hits[: inquiry.limit])
    if not wish.explain:
        return SearchResult(question, shown, inquiry.known)
    shown = await explained_hits(library.store, quest.point, shown, library.zone)
    return SearchResult(question, shown, inquiry.known, reading=_reading(quest))


def _reading(quest: _Quest) -> Reading:
    read, wish = quest.understood, quest.inquiry.wish
    return Reading(
        words=read.words,
        fact_words=read.fact_words,
        gist=read.gist,
        nearly=read.nearly,
        fusion=wish.fusion,
        where="" if wish.where is None else str(wish.where),
    )


async def _quest(library: Library, inquiry: Inquiry) -> _Quest:
    kinds = inquiry.wish.kinds
    whole, understood = await asyncio.gather(
        _vector(library, inquiry.text if Target.FACT in kinds else None), read_question(library, inquiry)
    )
    question = understood.question
    probe = Probe(
        words=understood.words,
        fact_words=understood.fact_words,
        vector=whole,
        gist=await _vector(library, understood.gist if Target.EPISODE in kinds else None),
        entities=question.entities,
        predicates=question.predicates,
        depth=_depth(inquiry.limit),
    )
    asked = Asked(
        words=understood.words,
        entities=question.entities,
        names=proper_names(inquiry.text),
        listener=addresses_listener(inquiry.text),
        at=(question.valid or inquiry.now) if wants_newest(inquiry.text) else None,
    )
    valid = question.valid if question.during is None else None
    return _Quest(library, inquiry, understood, Point(inquiry.tenant, valid, inquiry.known), probe, asked)


async def _look(quest: _Quest, limit: int, only: Collection[str] | None = None) -> Found:
    """What stands first, ranked, and more than ``limit`` of it. ``only``: no other facts."""
    depth, question = _depth(limit), quest.understood.question
    probe = replace(quest.probe, depth=depth)
    legs = await run_legs(quest.library.store, quest.point, probe, quest.inquiry.wish.kinds)
    fused = fuse(legs, quest.inquiry.wish.fusion)
    if only is not None:
        fused = [f for f in fused if f.target is not Target.FACT or f.id in only]
    fetched = await _fetch(quest.library, quest.point, fused, quest.asked, limit)
    hits = rank_hits(fetched, question.entities, nearly=quest.understood.nearly)
    most = {Target.FACT: depth, Target.EPISODE: _anchors(limit), Target.ENTITY: limit}
    deep = {leg.target for leg in legs if len(leg.matches) >= depth}
    found = Counter(f.target for f in fused)
    done = {kind for kind in most if kind not in deep and found[kind] <= most[kind]}
    if only is not None and len(only) == found[Target.FACT] <= depth:
        done.add(Target.FACT)
    return Found(hits, frozenset(done))


def _dated(hit: Hit, zone: tzinfo) -> Hit:
    if not isinstance(hit, EpisodeHit):
        return hit
    return replace(hit, dates=format_bound(Bound(hit.episode.occurred_at, Grain.INSTANT), zone))


async def _vector(library: Library, text: str | None) -> Vectors | None:
    """None of what nothing is looked for with."""
    return None if text is None else (await library.embedder.embed([text], Purpose.QUERY))[0]


async def read_question(library: Library, inquiry: Inquiry) -> Understood:
    """Names, pronouns and time by looking them up in the store; the wanted predicate by the ontology's words."""
    glance = await asyncio.to_thread(_glance, inquiry, library.zone)
    point = Point(inquiry.tenant, None, inquiry.known)
    found = await entities_by_name(library.store, point, {c.key for c in glance.candidates})
    named = choose_names(glance.candidates, found)
    entities = [entity for _, entities in named for entity in entities]
    meant, pronouns = await _meant(library.store, point, inquiry, named=bool(entities))
    rest = blank(inquiry.text, [*((c.start, c.end) for c, _ in named), glance.when.span])
    start, end = glance.when.span or (0, 0)
    question = Question(
        text=inquiry.text,
        language=language_of(inquiry.text),
        entities=tuple({e.id: e for e in (*entities, *meant)}.values()),
        predicates=wanted_predicates(rest, library.ontology),
        valid=glance.when.valid,
        during=glance.when.during,
        time_source=glance.when.source,
        time_text=inquiry.text[start:end],
        pronouns=pronouns,
    )
    asks = bool(entities or meant) and asks_for_something(inquiry.text, rest)
    nearly = (NEARLY_NAMED if entities else NEARLY) if asks else None
    people = [(c.start, c.end) for c, owners in named if any(e.kind == PERSON for e in owners)]
    about = gist(blank(inquiry.text, people))
    return Understood(question, glance.words, content_words(rest) or glance.words, about, nearly)


def _glance(inquiry: Inquiry, zone: tzinfo) -> _Glance:
    when = _when(inquiry, zone)
    candidates = candidate_names(inquiry.text, skip=when.span)
    return _Glance(when, tuple(candidates), content_words(inquiry.text))


def _when(inquiry: Inquiry, zone: tzinfo) -> When:
    during, where = inquiry.wish.during, inquiry.wish.where
    if during is not None:
        return when_during(read_during(during, zone, inquiry.now), TimeSource.CALLER, inquiry.now)
    if inquiry.valid is None and where is not None and any(leaf.during is not None for leaf in leaves(where)):
        return When(None, TimeSource.CALLER)
    return read_when(inquiry.text, now=inquiry.now, zone=zone, given=inquiry.valid)


async def _meant(
    store: Store, point: Point, inquiry: Inquiry, *, named: bool
) -> tuple[list[Entity], tuple[str, ...]]:
    """Whom the pronouns mean. "Her" beside a name most likely means that name, so only a question without one
    asks the session."""
    asking, others = first_persons(inquiry.text), third_persons(inquiry.text)
    askers = await _asker(store, point, inquiry) if asking else []
    people: list[Entity] = []
    if others and not named:
        people = await people_spoken_of(store, point, inquiry.wish.session, inquiry.wish.actor)
    return [*askers, *people], (*(asking if askers else ()), *(others if people else ()))


async def _asker(store: Store, point: Point, inquiry: Inquiry) -> list[Entity]:
    """The actor who asks; when nobody says who that is, whoever spoke last in the session."""
    actor = inquiry.wish.actor
    if actor is None and inquiry.wish.session is not None:
        actor = await last_speaker(store, point, inquiry.wish.session)
    if actor is None:
        return []
    return (await store.find_entities(point, [actor])).get(actor, [])


async def _fetch(library: Library, point: Point, fused: Sequence[Fused], asked: Asked, limit: int) -> list[Hit]:
    """The hits of the findings, each kind in its order, more than ``limit`` of them; a fact gives one for each of
    its periods."""
    found = {kind: [f for f in fused if f.target is kind] for kind in KINDS}
    facts, episodes, entities = await asyncio.gather(
        _fact_hits(library, point, _by_id(found[Target.FACT][: _depth(limit)])),
        _turn_hits(library, point, found[Target.EPISODE], asked, _anchors(limit)),
        _entity_hits(library, point, _by_id(found[Target.ENTITY][:limit])),
    )
    return [*facts, *episodes, *entities]


def _anchors(limit: int) -> int:
    return max(_LEAST_ANCHORS, 2 * limit)


def _by_id(fused: Sequence[Fused]) -> dict[str, Fused]:
    return {f.id: f for f in fused}


def _depth(limit: int) -> int:
    return max(_LEAST_DEPTH, limit * _DEPTH_FACTOR)


async def _turn_hits(
    library: Library, point: Point, fused: Sequence[Fused], asked: Asked, most: int
) -> list[EpisodeHit]:
    """Episodes in their order, with those that only what is said around them makes likely."""
    anchors, rest = _by_id(fused[:most]), _by_id(fused[most:])
    around, found = await asyncio.gather(
        library.store.session_neighbours(point, anchors, REACH), _episode_hits(library, point, anchors)
    )
    near = promising({id_: f.score for id_, f in anchors.items()}, around)
    more = [id_ for id_ in dict.fromkeys((*near, *rest)) if id_ not in anchors][: most // 2]
    beside = {id_: rest.get(id_) or Fused(Target.EPISODE, id_, 0.0, ()) for id_ in more}
    hits = heard([*found, *await _episode_hits(library, point, beside)], asked)
    return order_turns(spread(hits, around, [hit.id for hit in found]), asked)


async def _fact_hits(library: Library, point: Point, found: dict[str, Fused]) -> list[FactHit]:
    hits: list[FactHit] = []
    page = Page(limit=1_000)
    while found:
        rows = await library.store.beliefs(point, FactFilter(fact_ids=list(found), archived=False), page)
        for row in rows.items:
            belief = None if point.known is None else as_known(row, point.known, library.ontology)
            if belief is not None:
                f = found[belief.fact.id]
                dates = dates_of(belief, library.zone)
                hits.append(FactHit(belief=belief, score=f.score, legs=f.legs, dates=dates))
        if rows.cursor is None:
            break
        page = replace(page, cursor=rows.cursor)
    return hits


async def _episode_hits(library: Library, point: Point, found: dict[str, Fused]) -> list[EpisodeHit]:
    """Without dates: most of them are not shown."""
    if not found:
        return []
    rows = await _episodes(library, point, found)
    documents = {d.id: d for d in await _episodes(library, point, documents_of(rows))}
    hits = [_episode_hit(e, found[e.id], documents) for e in rows]
    return [hit for hit in hits if hit is not None]


async def _episodes(library: Library, point: Point, ids: Collection[str]) -> Sequence[Episode]:
    if not ids:
        return []
    return (await library.store.episodes(point, EpisodeFilter(ids=list(ids)), Page(limit=len(ids)))).items


def _episode_hit(row: Episode, fused: Fused, documents: Mapping[str, Episode]) -> EpisodeHit | None:
    """None for ready-made facts."""
    if row.format is Format.FACTS:
        return None
    if row.format is not Format.PASSAGE:
        return EpisodeHit(episode=row, score=fused.score, legs=fused.legs, dates="")
    document, start = place_of(row)
    if document not in documents:
        return None
    passage = Passage(row.id, start, start + len(row.text))
    return EpisodeHit(episode=documents[document], score=fused.score, legs=fused.legs, dates="", passage=passage)


async def _entity_hits(library: Library, point: Point, found: dict[str, Fused]) -> list[EntityHit]:
    entities = await library.store.entities(point, list(found)) if found else {}
    return [
        EntityHit(entity=entities[id_], score=f.score, legs=f.legs) for id_, f in found.items() if id_ in entities
    ]
