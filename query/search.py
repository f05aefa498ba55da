"""One search: read the question, run the legs, fuse, and fetch what stands first."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo
from functools import partial

from ..kg.embedding import Purpose, Vectors
from ..kg.importance import importance
from ..kg.keeping import Use
from ..kg.model import Episode, Format
from ..kg.passages import documents_of, place_of
from ..kg.store import EpisodeFilter, FactFilter, Page, Point, Target
from ..temporal.grains import Bound, Grain
from ..temporal.instants import format_bound
from .about import names_in
from .choosing import choose
from .explaining import explained_hits
from .explanations import Reading
from .fetching import every_belief
from .fusion import Fused, fuse
from .history import as_known
from .legs import Probe, run_legs
from .misspelt import check_kinds, check_predicates
from .options import KINDS
from .questions import addresses_listener, proper_names, wants_newest
from .ranking import rank_hits
from .results import EntityHit, EpisodeHit, FactHit, Hit, Passage, SearchResult, TimeSource
from .rivals import settled_rivals
from .sieve import Found, Sources, last_first, sieve_for, sifted
from .signals import Signals
from .turns import REACH, Asked, heard, order_turns, promising, spread
from .understanding import Inquiry, Library, Understood, answer_of, read_question

_DEPTH_FACTOR = 4
_LEAST_DEPTH = 40
_LEAST_ANCHORS = 20
"""Episodes whose neighbours are looked at, at least; half as many more are taken with them."""


@dataclass(frozen=True, slots=True)
class _Quest:
    """A question that was read, and what is looked for."""

    library: Library
    inquiry: Inquiry
    understood: Understood
    point: Point
    probe: Probe
    asked: Asked
    signals: Signals


async def run_search(library: Library, inquiry: Inquiry) -> SearchResult:
    """Answer one inquiry. Rank first, filter then, cut to ``limit`` last."""
    quest = await _quest(library, inquiry)
    question, wish = quest.understood.question, inquiry.wish
    hits, answer = await asyncio.gather(_hits(quest), answer_of(library, inquiry, quest.understood))
    chosen = await choose(question.text, hits, wish.choice, inquiry.limit)
    in_order = wish.choice.rerank is not None
    settled = await settled_rivals(library.store, quest.point, library.ontology, chosen, in_order=in_order)
    shown = tuple(_dated(hit, library.zone) for hit in settled)
    if not wish.explain:
        return SearchResult(question, shown, inquiry.known, answer=answer)
    shown = await explained_hits(library.store, quest.point, shown, library.zone)
    return SearchResult(question, shown, inquiry.known, reading=_reading(quest), answer=answer)


async def _hits(quest: _Quest) -> Sequence[Hit]:
    """All that was found, ranked."""
    library, inquiry = quest.library, quest.inquiry
    wish = inquiry.wish
    if wish.where is None:
        return (await _look(quest, inquiry.limit)).hits
    sources = Sources(library.store, library.ontology, library.zone, inquiry.now)
    await check_predicates(library.store, inquiry.tenant, library.ontology, wish.where)
    sieve = await sieve_for(sources, quest.point, wish.where)
    found = await sifted(sieve, partial(_look, quest), wish.kinds, inquiry.limit)
    if not found:
        check_kinds(library.ontology, wish.where)
    return found


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
        people=names_in(inquiry.text),
        as_of=inquiry.valid,
    )
    valid = question.valid if question.during is None else None
    point = Point(inquiry.tenant, valid, inquiry.known, question.during)
    signals = Signals(
        session=inquiry.wish.session,
        now=inquiry.known if question.time_source is TimeSource.NOW else None,
    )
    return _Quest(library, inquiry, understood, point, probe, asked, signals)


async def _look(quest: _Quest, limit: int, only: Collection[str] | None = None) -> Found:
    """What stands first, ranked, and more than ``limit`` of it. ``only``: no other facts."""
    depth, question = _depth(limit), quest.understood.question
    probe = replace(quest.probe, depth=depth)
    legs = await run_legs(quest.library.store, quest.point, probe, quest.inquiry.wish.kinds)
    fused = fuse(legs, quest.inquiry.wish.fusion)
    if only is not None:
        fused = [f for f in fused if f.target is not Target.FACT or f.id in only]
    facts = [f.id for f in fused if f.target is Target.FACT][:depth]
    fetched, uses = await asyncio.gather(
        _fetch(quest.library, quest.point, fused, quest.asked, limit), _uses(quest, facts)
    )
    read = quest.understood
    signals = replace(quest.signals, importance={id_: _by_use(use) for id_, use in uses.items()})
    ranked = rank_hits(fetched, question.entities, nearly=read.nearly, words=read.fact_words, signals=signals)
    hits = last_first(ranked, question)
    most = {Target.FACT: depth, Target.EPISODE: _anchors(limit), Target.ENTITY: limit}
    deep = {leg.target for leg in legs if len(leg.matches) >= depth}
    found = Counter(f.target for f in fused)
    done = {kind for kind in most if kind not in deep and found[kind] <= most[kind]}
    if only is not None and len(only) == found[Target.FACT] <= depth:
        done.add(Target.FACT)
    return Found(hits, frozenset(done))


async def _uses(quest: _Quest, facts: Sequence[str]) -> Mapping[str, Use]:
    return await quest.library.store.uses(quest.point, facts) if facts else {}


def _by_use(use: Use) -> float:
    """Importance from use alone: confidence and sources are signals of their own, and what is asked for does not
    go by the predicate (`benchmarks/forgetting.py`)."""
    return importance(0.5, 1.0, 1, use)


def _dated(hit: Hit, zone: tzinfo) -> Hit:
    if not isinstance(hit, EpisodeHit):
        return hit
    return replace(hit, dates=format_bound(Bound(hit.episode.occurred_at, Grain.INSTANT), zone))


async def _vector(library: Library, text: str | None) -> Vectors | None:
    """None of what nothing is looked for with."""
    return None if text is None else (await library.embedder.embed([text], Purpose.QUERY))[0]


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
    where = FactFilter(fact_ids=list(found), archived=False)
    for row in await every_belief(library.store, point, where) if found else ():
        belief = None if point.known is None else as_known(row, point.known, library.ontology)
        if belief is not None:
            f = found[belief.fact.id]
            dates = belief.dates(library.zone)
            hits.append(FactHit(belief=belief, score=f.score, legs=f.legs, dates=dates))
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
