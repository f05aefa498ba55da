"""Reading a question with the store at hand: names, pronouns, times, the event it dates itself by."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from typing import TypeAlias

from ..kg.embedding import Embedder
from ..kg.model import PERSON, THING, Entity
from ..kg.ontology import Ontology
from ..kg.store import FactFilter, Page, Point, Store, Target
from ..temporal.intervals import Interval
from .anchors import Anchor, Event, datable, find_anchor, timeline_of
from .answers import Answer, Wanted, reckon
from .asking import Asks, Clause, Side, asks, asks_for_one, clause_of, spans_all_time
from .filters import leaves
from .first_names import entities_meant
from .options import SearchWish
from .people import last_speaker, people_spoken_of
from .questions import (
    Candidate,
    When,
    asks_for_something,
    blank,
    candidate_names,
    choose_names,
    content_words,
    event_words,
    first_names,
    first_persons,
    gist,
    language_of,
    names_before_pronoun,
    read_when,
    said_words,
    third_persons,
    when_during,
)
from .ranking import NEARLY, NEARLY_NAMED
from .results import Question, TimeSource
from .sieve import shares
from .stretches import read_during
from .tenses import looks_back, tells_event, tells_past
from .wanted import kindred, tells_change, wanted_predicates


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
class Understood:
    """How a question was read, and what full-text search looks for: in facts without names and times. ``nearly``:
    it wants something of whom it names, and a fact without its words must mean as nearly the same. ``gist``: what
    it is about, without people's names. ``timeline``: what it asks of the timeline of facts about one of each of
    the ``groups``."""

    question: Question
    words: tuple[str, ...]
    fact_words: tuple[str, ...]
    gist: str
    nearly: float | None
    timeline: Wanted | None = None
    groups: tuple[frozenset[str], ...] = ()


@dataclass(frozen=True, slots=True)
class _Glance:
    """What the text alone tells."""

    when: When
    clause: Clause | None
    candidates: tuple[Candidate, ...]
    words: tuple[str, ...]
    event_when: When | None = None
    """The time of the clause's event, where one is named: "before she moved in 2021"."""


_Named: TypeAlias = Sequence[tuple[Candidate, tuple[Entity, ...]]]


@dataclass(frozen=True, slots=True)
class _Heads:
    """Of whom a question speaks: by names, and by pronouns."""

    named: _Named
    askers: tuple[Entity, ...]
    people: tuple[Entity, ...]
    pronouns: tuple[str, ...]

    @property
    def entities(self) -> tuple[Entity, ...]:
        named = [entity for _, entities in self.named for entity in entities]
        return tuple({e.id: e for e in (*named, *self.askers, *self.people)}.values())

    def by_first_name(self, added: Mapping[str, str]) -> tuple[Entity, ...]:
        """Those whom a name means only as a first name; ``added``: their ids, by name."""
        read = {added.get(c.key) for c, _ in self.named}
        return tuple(e for e in self.entities if e.id in read)

    def groups(self, clause: Clause | None) -> tuple[frozenset[str], ...]:
        """Who and what it is about: one of each. Without the names in a clause, unless there are no others."""
        meant = [frozenset(e.id for e in some) for some in (self.askers, self.people[:1]) if some]
        outside = [frozenset(e.id for e in owners) for c, owners in self.named if not _within(c, clause)]
        if found := (*meant, *outside):
            return found
        return tuple(frozenset(e.id for e in owners) for _, owners in self.named if _is_person(owners))

    def event_groups(self, clause: Clause) -> tuple[frozenset[str], ...]:
        """Who and what the clause is about; a pronoun or nobody in it means whom the question is about."""
        inside = [(c, owners) for c, owners in self.named if _within(c, clause)]
        groups = tuple(frozenset(e.id for e in owners) for _, owners in inside)
        if any(e.kind == PERSON for _, owners in inside for e in owners):
            return groups
        people = [frozenset(e.id for e in some) for some in (self.people[:1], self.askers) if some]
        outside = [(frozenset(e.id for e in o), _is_person(o)) for c, o in self.named if not _within(c, clause)]
        people += [ids for ids, _ in sorted(outside, key=lambda one: not one[1])]
        return (*people[:1], *groups)


def _within(candidate: Candidate, clause: Clause | None) -> bool:
    return clause is not None and clause.start <= candidate.start and candidate.end <= clause.end


def _is_person(entities: Sequence[Entity]) -> bool:
    return any(e.kind in (PERSON, THING) for e in entities)


async def read_question(library: Library, inquiry: Inquiry) -> Understood:
    """Names, pronouns and time by looking them up in the store; the wanted predicate by the ontology's words."""
    glance = await asyncio.to_thread(_glance, inquiry, library.zone)
    point = Point(inquiry.tenant, None, inquiry.known)
    keys, first = {c.key for c in glance.candidates}, first_names(inquiry.text, glance.candidates)
    meant = await entities_meant(library.store, point, keys, first)
    heads = await _heads(library.store, point, inquiry, choose_names(glance.candidates, meant.found))
    anchor = await _anchor(library, inquiry, point, glance, heads)
    clause, lost = (glance.clause, None) if anchor else (None, glance.clause)
    when = _when_anchored(glance.when, anchor, glance.clause, inquiry, library.ontology)
    names = [(c.start, c.end) for c, _ in heads.named]
    rest = blank(inquiry.text, [*names, when.span])
    asked = blank(inquiry.text, [*names, None if when.valid is None else when.span])
    kind = asks(asked, asks_for_one(inquiry.text, clause))
    if lost is not None and kind not in (Asks.WHEN, Asks.HOW_LONG):
        kind = None
    if when.source is TimeSource.NOW and heads.entities and spans_all_time(kind, asked):
        when = When(None, TimeSource.QUESTION)
    start, end = when.span or ((lost.start, lost.end) if lost and when.valid is None else (0, 0))
    question = Question(
        text=inquiry.text,
        language=language_of(inquiry.text),
        entities=heads.entities,
        predicates=wanted_predicates(asked if kind is Asks.HOW_LONG else rest, library.ontology),
        valid=when.valid,
        during=when.during,
        time_source=when.source,
        time_text=inquiry.text[start:end],
        event=anchor.belief if anchor else None,
        pronouns=heads.pronouns,
        by_first_name=heads.by_first_name(meant.by_first_name),
    )
    named = any(owners for _, owners in heads.named)
    wants = bool(heads.entities) and asks_for_something(inquiry.text, rest)
    people = [(c.start, c.end) for c, owners in heads.named if any(e.kind == PERSON for e in owners)]
    groups = heads.groups(clause)
    return Understood(
        question,
        glance.words,
        content_words(rest) or glance.words,
        gist(blank(inquiry.text, people)),
        (NEARLY_NAMED if named else NEARLY) if wants else None,
        _timeline(library, inquiry, question, (kind, asked), anchor, groups),
        groups,
    )


def _timeline(
    library: Library,
    inquiry: Inquiry,
    question: Question,
    said: tuple[Asks | None, str],
    anchor: Anchor | None,
    groups: Sequence[Collection[str]],
) -> Wanted | None:
    kind, text = said
    predicates = question.predicates
    if kind is Asks.HOW_LONG and len(groups) > 1 and not said_words(text.replace("long", " ")):
        # "How long has she been at Anthropic": whatever holds between the two.
        predicates = tuple(datable(library.ontology))
    if predicates and kind in (Asks.FIRST, Asks.HOW_MANY, Asks.PREVIOUS, Asks.NEXT):
        predicates = kindred(text, predicates, library.ontology)
    if kind is Asks.HOW_MANY:
        counts = [p.name for p in library.ontology.predicates if p.literal == "count"]
        predicates = tuple(dict.fromkeys((*predicates, *counts)))
    if kind is None or not predicates:
        return None
    stretch = anchor.stretch if anchor else Interval()
    return Wanted(
        asks=kind,
        text=text,
        language=question.language,
        predicates=predicates,
        kin=question.predicates,
        words=frozenset(word for word in said_words(text) if word.isascii() and len(word) > 1),
        now=inquiry.valid or inquiry.now,
        pinned=inquiry.valid is not None,
        zone=library.zone,
        anchor=anchor.belief if anchor else None,
        anchor_at=stretch.end if anchor and anchor.side is Side.BEFORE else stretch.start,
    )


async def answer_of(library: Library, inquiry: Inquiry, read: Understood) -> Answer | None:
    """What the timeline answers; nothing where a filter narrows what may be found, or where it rests on what is
    archived."""
    wanted, during = read.timeline, read.question.during
    wish = inquiry.wish
    if wanted is None or not read.groups or wish.where is not None or Target.FACT not in wish.kinds:
        return None
    point = Point(inquiry.tenant, None, inquiry.known)
    held = await timeline_of(library.store, library.ontology, point, read.groups, wanted.predicates)
    if during is not None and wanted.asks not in (Asks.PREVIOUS, Asks.NEXT):
        if wanted.asks is Asks.HOW_LONG and wanted.anchor is None:
            return None
        held = [belief for belief in held if shares(belief, during)]
    wanted = replace(wanted, any_other=len(read.groups) == 1)
    answer = reckon(wanted, read.groups[0], held, library.ontology)
    return None if answer is None or await _archived(library, point, answer) else answer


async def _archived(library: Library, point: Point, answer: Answer) -> bool:
    """Whether it rests on what was put aside; what is left without that would be the wrong number, or one."""
    where = FactFilter(fact_ids={b.fact.id for b in answer.beliefs}, archived=True)
    return bool((await library.store.beliefs(point, where, Page(limit=1))).items)


def _glance(inquiry: Inquiry, zone: tzinfo) -> _Glance:
    text, when = inquiry.text, _when(inquiry, zone)
    undated = when.source is TimeSource.NOW or (when.source is TimeSource.QUESTION and when.valid is None)
    clause = None if when.source is TimeSource.CALLER else clause_of(text)
    inside = clause is not None and not undated and _dates_event(text, when, clause)
    event_when = None
    if clause is None or not (undated or inside):
        clause, skip = None, when.span
    elif looks_back(text, clause) and not inside:
        skip = None
    else:
        # "Before I call", "before she moved in 2021": what stands in it is no time of the question.
        event_when = when if inside else None
        when = _when(replace(inquiry, text=blank(text, [(clause.start, clause.end)])), zone)
        skip, clause = (event_when.span, clause) if event_when else (when.span, None)
    return _Glance(when, clause, tuple(candidate_names(text, skip=skip)), content_words(text), event_when)


def _dates_event(text: str, when: When, clause: Clause) -> bool:
    start, end = clause.event
    if clause.side is Side.AT or when.during is None or when.span is None:
        return False
    inside = start < when.span[0] and when.span[1] <= end
    return inside and tells_event(blank(text, [when.span])[start:end]) and looks_back(text, clause)


def _when_anchored(
    when: When, anchor: Anchor | None, clause: Clause | None, inquiry: Inquiry, ontology: Ontology
) -> When:
    """A question in the past about an event that nobody knows may be about any time, but not about now."""
    if clause is None:
        return when
    if anchor is not None:
        return when_during(anchor.stretch, TimeSource.QUESTION, inquiry.now, (clause.start, clause.end))
    asked = inquiry.text[: clause.start] + inquiry.text[clause.end :]
    event = inquiry.text[slice(*clause.event)]
    if when.source is TimeSource.NOW and (tells_past(asked) or tells_change(event, ontology)):
        return When(None, TimeSource.QUESTION)
    return when


async def _anchor(
    library: Library, inquiry: Inquiry, point: Point, glance: _Glance, heads: _Heads
) -> Anchor | None:
    clause = glance.clause
    if clause is None:
        return None
    text, names = inquiry.text, [(c.start, c.end) for c, _ in heads.named]
    within = glance.event_when
    event = blank(text, [*names, within.span if within else None])[slice(*clause.event)]
    predicates = wanted_predicates(event, library.ontology)
    groups = heads.event_groups(clause)
    if len(groups) > 1 or event_words(event):
        # "before Anthropic", "before Gold": what is asked, of Anthropic.
        rest = blank(text, [*names, (clause.start, clause.end)])
        predicates = (*predicates, *wanted_predicates(rest, library.ontology))
    said = Event(clause, event, groups, predicates, within.during if within else None)
    return await find_anchor(library.store, library.ontology, point, said, inquiry.valid or inquiry.now)


def _when(inquiry: Inquiry, zone: tzinfo) -> When:
    during, where = inquiry.wish.during, inquiry.wish.where
    if during is not None:
        return when_during(read_during(during, zone, inquiry.now), TimeSource.CALLER, inquiry.now)
    if inquiry.valid is None and where is not None and any(leaf.during is not None for leaf in leaves(where)):
        return When(None, TimeSource.CALLER)
    return read_when(inquiry.text, now=inquiry.now, zone=zone, given=inquiry.valid)


async def _heads(store: Store, point: Point, inquiry: Inquiry, named: _Named) -> _Heads:
    """With whom the pronouns mean. "Her" beside a person's name most likely means that one, known or not, so only
    a question without one asks the session."""
    asking, others = first_persons(inquiry.text), third_persons(inquiry.text)
    askers = await _asker(store, point, inquiry) if asking else []
    people: list[Entity] = []
    if (
        others
        and not any(_is_person(owners) for _, owners in named)
        and not _may_mean_stranger(inquiry.text, named)
    ):
        people = await people_spoken_of(store, point, inquiry.wish.session, inquiry.wish.actor)
    pronouns = (*(asking if askers else ()), *(others if people else ()))
    return _Heads(named, tuple(askers), tuple(people), pronouns)


def _may_mean_stranger(text: str, named: _Named) -> bool:
    return names_before_pronoun(blank(text, [(c.start, c.end) for c, _ in named]), clause_of(text))


async def _asker(store: Store, point: Point, inquiry: Inquiry) -> list[Entity]:
    """The actor who asks; when nobody says who that is, whoever spoke last in the session."""
    actor = inquiry.wish.actor
    if actor is None and inquiry.wish.session is not None:
        actor = await last_speaker(store, point, inquiry.wish.session)
    if actor is None:
        return []
    return (await store.find_entities(point, [actor])).get(actor, [])
