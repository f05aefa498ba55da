"""What a block of memory is made of, for one question: facts, turns, whom it is about, what is in doubt."""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, TypedDict

from ..kg.ids import normalise
from ..kg.model import Belief, Claim, Modality, Role, text_of
from ..kg.slots import fact_slot
from ..kg.store import FactFilter, Point, Target
from ..kg.working import PINNED
from ..temporal.errors import Invalid
from .arguments import check_budget, check_names, check_share
from .context import SHARES, Context, Item, Limits, Section, assemble
from .fetching import every_belief
from .formats import ContextFormat
from .profile import read_constraints, read_profile
from .questions import content_words
from .results import EpisodeHit, FactHit, SearchResult
from .search import run_search
from .summaries import Allowance, Heard, read_session, summarise
from .tasks import Pin, read_pins
from .tokens import TokenCounter, checked, estimate_tokens
from .turns import SENTENCE, excerpt
from .understanding import Inquiry, Library

BUDGET: Final = 1_500
"""Tokens, unless a caller says."""

_FACTS: Final = 40
_TURNS: Final = 60
_WEIGHED: Final = 12
"""Facts whose slots are looked into for what else was said."""
_SESSIONS: Final = 5
"""Sessions that may be told in sum, each in so many tokens, if it has no more episodes than that."""
_SESSION: Final = 200
_LONGEST_SESSION: Final = 500
_ASKS: Final = re.compile(r"[?？]\s*$")


class ContextOptions(TypedDict, total=False):
    """What ``View.context`` may be told besides question and budget.

    ``format``: "markdown" (the default), "xml", "json", "chat". ``session``: whom pronouns can mean. ``actor``:
    who asks ("my"). ``pinned``: constraints in your words, after those that are pinned in the memory, kept
    whatever the budget. ``count``: your model's token counter (``estimate_tokens``). ``shares``: of the budget
    that the constraints leave, for sections by name, where it shall not be ``SHARES``.
    """

    format: ContextFormat | str
    session: str | None
    actor: str | None
    pinned: Collection[str]
    count: TokenCounter
    shares: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Wish:
    """Options that were checked."""

    limits: Limits
    pinned: tuple[str, ...] = field(default=())


def read_options(budget: int, options: ContextOptions) -> Wish:
    """Raises ``Invalid`` for a budget under 1, an unknown format or section, wrong shares, an empty pin."""
    check_names("context", "option", options, ContextOptions.__optional_keys__)
    check_budget(budget, "the block")
    wanted = options.get("format", ContextFormat.MARKDOWN)
    if wanted not in tuple(ContextFormat):
        raise Invalid(f"format={wanted!r} is none; use {', '.join(ContextFormat)}")
    shares = _shares(options.get("shares", {}))
    count = checked(options.get("count", estimate_tokens))
    return Wish(Limits(budget, count, ContextFormat(wanted), shares), _sentences(options.get("pinned", ())))


def _sentences(pinned: Collection[str]) -> tuple[str, ...]:
    if not isinstance(pinned, Iterable):
        raise Invalid(f"pinned={pinned!r:.60} is no text; give sentences, or leave it out")
    pinned = (pinned,) if isinstance(pinned, str) else tuple(pinned)
    if not all(isinstance(pin, str) and pin.strip() for pin in pinned):
        raise Invalid("pinned: a constraint is empty or no text; give sentences")
    return pinned


def _shares(given: Mapping[str, float]) -> dict[Section, float]:
    if not isinstance(given, Mapping):
        raise Invalid(f"shares={given!r:.60} is no mapping; give sections with their shares, 0 to 1")
    if unknown := [name for name in given if name not in set(SHARES)]:
        raise Invalid(f"shares: {unknown[0]!r} is no section with a share; use {', '.join(SHARES)}")
    for name, share in given.items():
        check_share(f"shares: {name}", share)
    shares = dict(SHARES) | {Section(name): share for name, share in given.items()}
    if sum(shares.values()) > 1 + 1e-9:
        raise Invalid(f"shares come to {sum(shares.values()):.2f} in all; give at most 1 together")
    return shares


async def run_context(library: Library, inquiry: Inquiry, wish: Wish) -> Context:
    """The block for one inquiry, whose ``kinds`` and ``limit`` do not count."""
    # A question about another time is asked under the constraints of now, about whom everybody is now.
    standing = Point(inquiry.tenant, inquiry.valid or max(inquiry.now, inquiry.known), inquiry.known)
    facts, turns, pins = await asyncio.gather(
        run_search(library, _only(inquiry, Target.FACT, _FACTS)),
        run_search(library, _only(inquiry, Target.EPISODE, _TURNS)),
        read_pins(library.store, standing, library.ontology),
    )
    entities = facts.question.entities
    ever = Point(inquiry.tenant, None, inquiry.known)
    constraints, profile, conflicts, unanswered = await asyncio.gather(
        read_constraints(library, standing, entities),
        read_profile(library, standing, entities),
        _conflicts(library, ever, facts.facts),
        _unanswered(library, ever, turns.episodes),
    )
    items = [
        *_pinned(pins, wish.pinned),
        *(_of_belief(Section.CONSTRAINTS, b, library) for b in constraints),
        *(_of_belief(Section.PROFILE, b, library) for b in profile),
        *_fact_items(facts, {b.id for b in constraints}, {b.id for b in profile}),
        *conflicts,
        *unanswered,
        *_turn_items(turns),
    ]
    items = _marked(items, facts, turns)
    items += await _sessions(library, standing, inquiry, turns, (wish, items))
    return assemble(items, facts.question, wish.limits)


def _marked(items: Sequence[Item], facts: SearchResult, turns: SearchResult) -> list[Item]:
    """With the best hit of all marked as such."""
    first: list[FactHit | EpisodeHit] = [*facts.facts[:1], *turns.episodes[:1]]
    best = max(first, key=lambda hit: hit.score, default=None)
    marked = (Section.FACTS, Section.TURNS)
    return [
        replace(item, best=True) if best is not None and item.section in marked and item.id == best.id else item
        for item in items
    ]


async def _sessions(
    library: Library, point: Point, inquiry: Inquiry, turns: SearchResult, so_far: tuple[Wish, Sequence[Item]]
) -> list[Item]:
    """What the sessions came to in which most was found, but for this one, without what the block tells already;
    where they have a share, or all else leaves room."""
    wish, items = so_far
    limits = wish.limits
    once = {item.id: item for item in reversed(items)}
    room = limits.budget - sum(limits.count(item.text) + 1 for item in once.values())
    if room <= 0 and not limits.shares[Section.SESSIONS]:
        return []
    told = frozenset(item.id for item in items) if room > 0 else frozenset(_told(items, limits))
    scores: defaultdict[str, float] = defaultdict(float)
    for hit in turns.episodes:
        if hit.episode.session is not None and hit.episode.session != inquiry.wish.session:
            scores[hit.episode.session] += hit.score
    found: list[Item] = []
    for session, _ in sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))[:_SESSIONS]:
        heard = await read_session(library.store, point, session, library.ontology, _LONGEST_SESSION)
        if heard is not None:
            found += _session_item(heard, Allowance(_SESSION, limits.count, library.zone, told))
    return found


def _session_item(heard: Heard, allowed: Allowance) -> list[Item]:
    """One line, and half as much where room is short; nothing of whom nothing more can be told."""
    try:
        whole, short = summarise(heard, allowed), summarise(heard, replace(allowed, budget=allowed.budget // 2))
    except Invalid:
        return []
    if not whole.line:
        return []
    return [
        Item(
            section=Section.SESSIONS,
            id=heard.session,
            text=whole.line,
            short=short.line or None,
            episode_ids=whole.episode_ids,
        )
    ]


def _told(items: Iterable[Item], limits: Limits) -> Iterator[str]:
    """What else the block is sure to tell: facts, and the turns that fit into their share."""
    left = int(limits.budget * limits.shares[Section.TURNS])
    for item in items:
        if item.section is Section.TURNS:
            left -= limits.count(item.text) + 1
        if item.section is not Section.TURNS or left >= 0:
            yield item.id


def _only(inquiry: Inquiry, kind: Target, limit: int) -> Inquiry:
    return replace(inquiry, wish=replace(inquiry.wish, kinds=(kind,)), limit=limit)


def _of_belief(section: Section, belief: Belief, library: Library) -> Item:
    return Item(
        section=section,
        id=belief.id,
        text=belief.line(library.zone),
        episode_ids=_episodes_of(belief.evidence),
        fact_id=belief.fact.id,
    )


def _episodes_of(claims: Sequence[Claim]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(claim.episode_id for claim in claims))


def _pinned(pins: Sequence[Pin], more: Sequence[str]) -> list[Item]:
    """What is pinned in the memory, then what the caller pins besides."""
    kept = {normalise(pin.text) for pin in pins}
    stored = [
        Item(
            section=Section.CONSTRAINTS,
            id=pin.id,
            text=pin.text,
            episode_ids=_episodes_of(pin.belief.evidence),
        )
        for pin in pins
    ]
    given = [
        Item(section=Section.CONSTRAINTS, id=f"pinned {n}", text=text)
        for n, text in enumerate(more, 1)
        if normalise(text) not in kept
    ]
    return [*stored, *given]


def _fact_items(found: SearchResult, heeded: Collection[str], profile: Collection[str]) -> list[Item]:
    """Those that the constraints do not tell already; the quote goes first when room is short, and what the
    profile has no room for has none here either."""
    return [
        Item(
            section=Section.FACTS,
            id=hit.id,
            text=dated if hit.id in profile else str(hit),
            short=None if hit.id in profile else dated,
            episode_ids=_episodes_of(hit.belief.evidence),
            fact_id=hit.belief.fact.id,
        )
        for hit in found.facts
        if hit.id not in heeded and hit.belief.fact.predicate != PINNED
        for dated in [" · ".join(part for part in (hit.belief.fact.text, hit.dates) if part)]
    ]


def _turn_items(found: SearchResult) -> list[Item]:
    words = content_words(found.question.text)
    return [
        Item(
            section=Section.TURNS,
            id=hit.id,
            text=_said(hit, hit.quote),
            short=_said(hit, short) if (short := excerpt(hit.quote, words)) != hit.quote else None,
            episode_ids=(hit.episode_id,),
        )
        for hit in found.episodes
    ]


def _said(hit: EpisodeHit, text: str) -> str:
    """Day and speaker before the words."""
    who = f" {hit.episode.actor}" if hit.episode.actor else ""
    return f"[{hit.dates[:10]}{who}] {text}"


async def _conflicts(library: Library, point: Point, hits: Sequence[FactHit]) -> list[Item]:
    """What was asserted in the slots of the first facts and is believed for no time at all."""
    first = list({hit.belief.fact.id: hit.belief.fact for hit in hits[:_WEIGHED]}.values())
    if not first:
        return []
    slots = {fact_slot(point.tenant, library.ontology, fact): fact for fact in first}
    said = await library.store.slot_claims(point, set(slots))
    rivals = [(slots[s], c) for s, claims in said.items() for c in claims if _asserts_another(c, slots[s].id)]
    others = {claim.fact for _, claim in rivals}
    held = await every_belief(library.store, point, FactFilter(fact_ids=others)) if others else []
    believed = {b.fact.id for b in held}
    return [
        Item(
            section=Section.CONFLICTS,
            id=claim.id,
            text=f"{fact.text}; said otherwise on {claim.stated_at:%Y-%m-%d}: "
            f"{text_of(claim.object)} “{claim.quote}”",
            short=f"{fact.text}; said otherwise: {text_of(claim.object)}",
            episode_ids=(claim.episode_id,),
        )
        for fact, claim in sorted(rivals, key=lambda pair: (pair[1].stated_at, pair[1].id), reverse=True)
        if claim.fact not in believed
    ]


def _asserts_another(claim: Claim, fact_id: str) -> bool:
    return (
        claim.fact != fact_id
        and claim.supports
        and claim.modality in (Modality.ASSERTED, Modality.HEDGED, Modality.REPORTED)
    )


async def _unanswered(library: Library, point: Point, hits: Sequence[EpisodeHit]) -> list[Item]:
    """Questions that people asked last in their session."""
    asking = [hit for hit in hits if _asks(hit)]
    if not asking:
        return []
    around = await library.store.session_neighbours(point, [hit.episode_id for hit in asking], 1)
    return [
        Item(section=Section.OPEN, id=hit.id, text=_said(hit, _ends(hit.episode.text)), episode_ids=(hit.id,))
        for hit in asking
        if not any(near.distance > 0 for near in around.get(hit.id, ()))
    ]


def _asks(hit: EpisodeHit) -> bool:
    turns = hit.episode.turns
    by_a_person = hit.passage is None and (not turns or turns[-1].role is Role.USER)
    return by_a_person and hit.episode.session is not None and _ASKS.search(hit.episode.text) is not None


def _ends(text: str) -> str:
    """The last sentence."""
    last = list(SENTENCE.finditer(text))
    return last[-1][0].strip() if last else text
