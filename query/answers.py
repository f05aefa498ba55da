"""First, last, how many, when, how long: reckoned from the timeline, with what it rests on. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from typing import Final

from ..kg.model import Belief, text_of
from ..kg.ontology import Ontology, Predicate
from ..kg.text import cut
from ..temporal.calendar import add_months, to_local
from ..temporal.claims import Says
from ..temporal.grains import Basis, Bound, Grain
from ..temporal.instants import format_bound
from .asking import Asks, asks_ago, asks_for_next, counts_times, of_the_past
from .counted import is_asked
from .occasions import (
    STOPPING,
    begins,
    changes,
    ended,
    ended_at,
    extreme,
    first_after,
    first_of,
    last_before,
    last_of,
    seen_at,
    way_asked,
    which_of,
)
from .wanted import Way, said_way, speaks_of_change, speaks_of_replacing, spoken_words

_COARSE: Final = (Grain.CENTURY, Grain.DECADE, Grain.YEAR)
_MONTHLY: Final = (Grain.HALF, Grain.SEASON, Grain.QUARTER, Grain.MONTH)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the timeline answers. ``str()`` is ``text``."""

    asks: Asks
    text: str
    beliefs: tuple[Belief, ...]
    """The beliefs it rests on."""
    how: str
    """How it was reckoned."""

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A question to the timeline. ``text``: what it asks, without names and times. ``anchor``: the fact it is
    dated by, and ``anchor_at`` when that was. ``about``: ids of the entity it is about."""

    asks: Asks
    text: str
    language: str
    predicates: Sequence[str]
    kin: Sequence[str]
    """The predicates that the question's own words mean."""
    now: datetime
    zone: tzinfo
    pinned: bool = False
    """Whether ``now`` is an instant that the caller gave: nothing after it counts."""
    anchor: Belief | None = None
    anchor_at: datetime | None = None
    about: frozenset[str] = frozenset()
    any_other: bool = False
    """Whether it names nothing but whom it is about: "when did she move", to anywhere."""
    words: frozenset[str] = frozenset()
    """Of the question's English, those of meaning, as full-text search compares them; each must be of the
    predicate or stand in the fact: what it asks of something unknown has no answer."""


def reckon(wanted: Wanted, about: frozenset[str], held: Sequence[Belief], ontology: Ontology) -> Answer | None:
    """The answer from the periods of the wanted predicates, of facts that have one of ``about`` on a side; None
    where they do not tell."""
    wanted = replace(wanted, about=about)
    if wanted.pinned:
        held = seen_at(held, wanted.now)
    if wanted.asks is Asks.HOW_MANY and (told := told_count(wanted, held, ontology)) is not None:
        return told
    everything = held
    if wanted.asks is Asks.WHEN:
        wanted = replace(wanted, words=wanted.words - STOPPING)
    held = [b for b in held if _says_all(b, wanted, ontology)]
    if wanted.asks is Asks.HOW_MANY:
        uncounted = [b for b in held if ontology.predicate(b.fact.predicate).literal != "count"]
        return _how_many(wanted, uncounted, ontology)
    if wanted.asks is Asks.WHEN:
        return _when(wanted, held, everything, ontology)
    if wanted.asks is Asks.HOW_LONG:
        answers = (_how_long(wanted, [b for b in held if b.fact.predicate == name]) for name in wanted.predicates)
        return next((answer for answer in answers if answer is not None), None)
    return _one_in_order(wanted, held, ontology)


def told_count(wanted: Wanted, held: Sequence[Belief], ontology: Ontology) -> Answer | None:
    """The count that was told ("Tom has two kids"), where it counts what is asked."""
    if counts_times(wanted.text):
        return None
    mine = [
        b
        for b in held
        if ontology.predicate(b.fact.predicate).literal == "count"
        and b.fact.subject.id in wanted.about
        and is_asked(text_of(b.fact.object), wanted.text, wanted.words - _GENERIC)
        and begins(b) <= wanted.now
    ]
    now = [b for b in mine if b.valid_to is None or b.valid_to.at > wanted.now]
    mine = now or (extreme(mine, max) if of_the_past(wanted.text) else [])
    if not mine:
        return None
    return Answer(
        asks=Asks.HOW_MANY,
        text=", ".join(_names(mine, wanted)),
        beliefs=tuple(mine),
        how=f"told: {'; '.join(b.line(wanted.zone) for b in mine)}",
    )


_GENERIC: Final = frozenset(
    cut(
        "year month week day date time long many much most first last latest recent earliest original previous "
        "former prior next different total far start begin become get old new currently working back ago"
    )
)


def _says_all(belief: Belief, wanted: Wanted, ontology: Ontology) -> bool:
    """Whether the belief has all that is asked, so that another thing's date is not given for it."""
    said = {
        word for name in (belief.fact.predicate, *wanted.kin) for word in spoken_words(ontology.predicate(name))
    }
    return wanted.words <= said | _GENERIC | frozenset(cut(belief.fact.text))


def _when(
    wanted: Wanted, held: Sequence[Belief], everything: Sequence[Belief], ontology: Ontology
) -> Answer | None:
    for name in wanted.predicates:
        predicate = ontology.predicate(name)
        mine = [b for b in held if b.fact.predicate == name]
        way = way_asked(wanted.text, predicate)
        if way is Way.ENDS:
            mine = ended(mine, [b for b in everything if b.fact.predicate == name], wanted.text)
        several = wanted.any_other or len(_names(mine, wanted)) > 1
        moves = bool(mine) and several and _tells_a_move(wanted.text, predicate)
        answer = _when_of(wanted, changes(mine, told=True) if moves else mine, way)
        if answer is not None or moves:
            return answer
    return None


def _when_of(wanted: Wanted, mine: Sequence[Belief], way: Way) -> Answer | None:
    which, ago = which_of(wanted.text), asks_ago(wanted.text)
    held = way is Way.HOLDS and not ago and not any(b.is_event for b in mine)
    if which is not None:
        mine = first_of(mine) if which is Asks.FIRST else last_of([b for b in mine if begins(b) <= wanted.now])
    bounds = [(b, b.valid_to if way is Way.ENDS else b.valid_from) for b in mine]
    if ago:
        dated = [(b, _ago(b, bound, wanted)) for b, bound in bounds if bound is not None]
    elif held:
        dated = [(b, b.dates(wanted.zone)) for b in mine]
    else:
        dated = [(b, _said(b, bound, wanted)) for b, bound in bounds if bound is not None]
    dated = [(b, text) for b, text in dated if text]
    if not dated or len({_other_side(b, wanted) for b, _ in dated}) > 1:
        return None
    what = "its period" if held else "its end" if way is Way.ENDS else "its beginning"
    return Answer(
        asks=Asks.WHEN,
        text=", ".join(dict.fromkeys(text for _, text in dated)),
        beliefs=tuple(b for b, _ in dated),
        how=f"{what}: {'; '.join(b.line(wanted.zone) for b, _ in dated)}",
    )


def _ago(belief: Belief, bound: Bound, wanted: Wanted) -> str:
    """How long before now; nothing of what is still to come."""
    if bound.at > wanted.now:
        return ""
    text = _length(*_between(bound.at, wanted.now, wanted.zone), {bound.grain}, wanted.language)
    if wanted.language == "zh":
        return f"{'约' if _vague(belief, bound) else ''}{text}前"
    return f"{'about ' if _vague(belief, bound) else ''}{text} ago"


def _how_long(wanted: Wanted, mine: Sequence[Belief]) -> Answer | None:
    begun = [b for b in mine if b.valid_from is not None and b.valid_from.at <= wanted.now and not b.is_event]
    if not begun or len({b.fact.id for b in begun}) > 1:
        return None
    now = Bound(wanted.now)
    spans = [
        (b.valid_from or now, b.valid_to if b.valid_to and b.valid_to.at <= wanted.now else now) for b in begun
    ]
    about = any(
        _vague(b, bound) for b, span in zip(begun, spans, strict=True) for bound in span if bound is not now
    )
    open_ = any(end is now for _, end in spans)
    months = days = 0
    for start, end in spans:
        more_months, more_days = _between(start.at, end.at, wanted.zone)
        months, days = months + more_months, days + more_days
    text = _length(months, days, {bound.grain for span in spans for bound in span}, wanted.language)
    if about:
        text = f"约{text}" if wanted.language == "zh" else f"about {text}"
    if open_:
        text = f"{text}（至今）" if wanted.language == "zh" else f"{text} so far"
    return Answer(
        asks=Asks.HOW_LONG,
        text=text,
        beliefs=tuple(begun),
        how="; ".join(b.line(wanted.zone) for b in begun) + (f", up to {now.at:%Y-%m-%d}" if open_ else ""),
    )


def _between(start: datetime, end: datetime, zone: tzinfo) -> tuple[int, int]:
    """Whole calendar months, and the days after them."""
    low, high = to_local(start, zone), to_local(end, zone)
    months = (high.year - low.year) * 12 + high.month - low.month
    if add_months(low, months) > high:
        months -= 1
    return months, (high - add_months(low, months)).days


def _length(months: int, days: int, grains: Collection[Grain], language: str) -> str:
    """In the coarsest of the grains the ends were said with: years, years and months, or days under a month."""
    months, days = months + days // 30, days % 30
    years = months // 12
    if any(grain in _COARSE for grain in grains):
        parts = [(years, "year", "年")]
    elif any(grain in _MONTHLY for grain in grains):
        parts = [(years, "year", "年"), (months % 12, "month", "个月")]
    else:
        parts = [(years, "year", "年"), (months % 12, "month", "个月"), (days if not years else 0, "day", "天")]
    said = [(n, en, zh) for n, en, zh in parts if n]
    if not said:
        _, en, zh = parts[-1]
        return f"不到1{zh}" if language == "zh" else f"less than a {en}"
    if language == "zh":
        return "".join(f"{n}{zh}" for n, _, zh in said)
    return " ".join(f"{n} {en}{'s' if n > 1 else ''}" for n, en, _ in said)


def _how_many(wanted: Wanted, held: Sequence[Belief], ontology: Ontology) -> Answer | None:
    shown = [b for b in held if begins(b) <= wanted.now]
    if not of_the_past(wanted.text):
        shown = [b for b in shown if b.valid_to is None or b.valid_to.at > wanted.now or b.is_event]
    times = counts_times(wanted.text)
    best: list[Belief] = []
    names: tuple[str, ...] = ()
    for name in wanted.predicates:
        mine = [b for b in shown if b.fact.predicate == name]
        if not mine:
            continue
        counted, found = _times(wanted, mine, ontology) if times else (mine, _names(mine, wanted))
        if len(found) > len(names):
            best, names = counted, found
        if times and _tells_a_move(wanted.text, ontology.predicate(name)):
            break  # "moved" counts no jobs where it is known where she lives
    if not names:
        return None
    things = "times" if times else "different ones"
    return Answer(
        asks=Asks.HOW_MANY,
        text=f"{len(names)}: {', '.join(names)}",
        beliefs=tuple(best),
        how=f"{len(names)} {things} of {best[0].fact.predicate} in the timeline up to {wanted.now:%Y-%m-%d}",
    )


def _tells_a_move(text: str, predicate: Predicate) -> bool:
    """Whether a beginning that was told is what it asks of: "moved", not "changed"."""
    moves = said_way(text, predicate) is Way.BEGINS and speaks_of_change(text, predicate)
    return moves and not speaks_of_replacing(text)


def _times(wanted: Wanted, mine: list[Belief], ontology: Ontology) -> tuple[list[Belief], tuple[str, ...]]:
    """The occasions: the periods, or of changes ("moved", "left") their dates."""
    predicate = ontology.predicate(mine[0].fact.predicate)
    way = said_way(wanted.text, predicate)
    if way is Way.ENDS and not speaks_of_change(wanted.text, predicate):
        over = ended(mine, mine, wanted.text)
        left = [(b, b.valid_to) for b in over if b.valid_to is not None and b.valid_to.at <= wanted.now]
        return [b for b, _ in left], tuple(_said(b, end, wanted) for b, end in left)
    if any(b.is_event for b in mine) or not speaks_of_change(wanted.text, predicate):
        return mine, tuple(b.dates(wanted.zone) for b in mine)
    moved = [
        (b, b.valid_from)
        for b in changes(mine, told=_tells_a_move(wanted.text, predicate))
        if b.valid_from is not None
    ]
    return [b for b, _ in moved], tuple(_said(b, start, wanted) for b, start in moved)


def _names(beliefs: Sequence[Belief], wanted: Wanted) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_other_side(b, wanted) for b in beliefs))


def _other_side(belief: Belief, wanted: Wanted) -> str:
    """The side that the question is not about."""
    if belief.fact.subject.id in wanted.about:
        return text_of(belief.fact.object)
    return belief.fact.subject.name


def _one_in_order(wanted: Wanted, held: Sequence[Belief], ontology: Ontology) -> Answer | None:
    """The first, the last, the one before, the one after; of those that begin together, all."""
    places = {name: n for n, name in enumerate(wanted.predicates)}
    known = [b for b in held if begins(b) <= wanted.now]
    by_predicate = known if wanted.asks is Asks.FIRST else _of_the_first(known, wanted.predicates)
    predicates = {ontology.predicate(b.fact.predicate) for b in by_predicate}
    new = asks_for_next(wanted.text) or any(said_way(wanted.text, p) is Way.BEGINS for p in predicates)
    chosen, how = _chosen(wanted, by_predicate, new=new)
    if not chosen:
        return None
    chosen = sorted(chosen, key=lambda b: places[b.fact.predicate])
    chosen = [b for b in chosen if b.fact.predicate == chosen[0].fact.predicate]
    return Answer(asks=wanted.asks, text=", ".join(_names(chosen, wanted)), beliefs=tuple(chosen), how=how)


def _of_the_first(beliefs: Sequence[Belief], predicates: Sequence[str]) -> list[Belief]:
    for predicate in predicates:
        if mine := [b for b in beliefs if b.fact.predicate == predicate]:
            return mine
    return []


def _chosen(wanted: Wanted, held: Sequence[Belief], *, new: bool) -> tuple[list[Belief], str]:
    """``new``: what began after an event is asked for, not what held on."""
    if wanted.asks is Asks.FIRST:
        return first_of(held), "the first to begin in the timeline"
    if wanted.asks is Asks.LAST:
        return last_of(held), "the last to begin in the timeline"
    anchor, at = wanted.anchor, wanted.anchor_at
    if anchor is None or at is None:
        ended = [b for b in held if b.valid_to is not None and b.valid_to.at <= wanted.now]
        return extreme(ended, max, lambda b: b.valid_to), "the last that ended"
    others = [b for b in held if b.fact.id != anchor.fact.id or _ended_then(b, wanted)]
    dated = f"{anchor.fact.text} ({format_bound(Bound(at, Grain.INSTANT), wanted.zone)})"
    if wanted.asks is Asks.PREVIOUS:
        gone = ended_at(others, at) if all(b.fact.predicate == anchor.fact.predicate for b in others) else []
        found, held_up_to_then = last_before(gone or others, at)
        return found, f"{'held up to' if held_up_to_then else 'the last to begin before'} {dated}"
    if new:
        others = [b for b in others if begins(b) >= at]
    found, held_on = first_after(others, at)
    return found, f"{'held on after' if held_on else 'the first to begin after'} {dated}"


def _ended_then(belief: Belief, wanted: Wanted) -> bool:
    """Whether it is what ended by the event: "where did she work before she left"."""
    end = belief.valid_to
    return wanted.asks is Asks.PREVIOUS and end is not None and end.at == wanted.anchor_at


def _said(belief: Belief, bound: Bound, wanted: Wanted) -> str:
    text = format_bound(bound, wanted.zone)
    if not _vague(belief, bound):
        return text
    return f"约{text}" if wanted.language == "zh" else f"about {text}"


def _vague(belief: Belief, bound: Bound) -> bool:
    """Whether nobody said when it was: it is where the next value took over, or where a state was mentioned. A
    change told without a date was told when it happened."""
    if bound.basis is not Basis.DERIVED:
        return bound.basis is Basis.INFERRED
    told = (
        b.at for c in belief.evidence if c.says is not Says.OBSERVATION for b in (c.valid_from, c.valid_to) if b
    )
    return bound.at not in set(told)
