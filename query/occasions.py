"""Of a fact's periods, those that a question is about: what had begun, the changes, the first, the last. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from ..kg.model import Belief
from ..kg.ontology import Predicate
from ..kg.text import cut
from ..temporal.claims import Says
from ..temporal.grains import Basis, Bound
from ..temporal.intervals import EARLIEST
from .asking import Asks, asks_ago
from .wanted import Way, said_way

_START: Final = re.compile(r"\b(?:start|began|begin|begun)(?:s|ed|ing|ning)?\b|开始", re.IGNORECASE)
_STOP: Final = re.compile(
    r"\b(?:stop|finish|cease|quit)(?:s|es|d|ed|ped|ing|ping|ting)?\b|不再|停止", re.IGNORECASE
)
STOPPING: Final = frozenset(cut("stop finish cease quit"))
"""Words of a question, as full-text search compares them, that turn a state into its end ("stop working at")."""

_CANCEL: Final = re.compile(r"\b(?:cancel|unsubscrib|drop|terminat)\w*|退订|取消|停用|弃用", re.IGNORECASE)
"""Words for an end after which there is nothing of the kind: who upgrades has not cancelled."""

_LEAVE: Final = re.compile(
    r"\b(?:leav|left|depart|mov|stop|finish|ceas|switch|migrat|upgrad|downgrad|promot|demot)\w*"
    r"|离(?!婚)|[搬换升降跳]|不再|停止|从",
    re.IGNORECASE,
)
"""Words for an end whatever brought it; who has another spouse by now need not have divorced."""

_FIRST: Final = re.compile(r"\b(?:first|earliest)\b(?! name)|第一次|首次|最早|最初", re.IGNORECASE)
_LAST: Final = re.compile(r"\b(?:last|latest|most recent(?:ly)?)\b(?! name)|最[后近]一次|上一?次", re.IGNORECASE)


def way_asked(text: str, predicate: Predicate) -> Way:
    """The way a question about a date speaks: "stop working at" of an end, "first worked at" of a beginning."""
    way = said_way(text, predicate) or Way.BEGINS
    if way is not Way.HOLDS:
        return way
    if _STOP.search(text):
        return Way.ENDS
    return Way.BEGINS if _START.search(text) or which_of(text) is Asks.FIRST else way


def which_of(text: str) -> Asks | None:
    """Whether a date is asked of the first or the last of several; how long ago something was, of the last."""
    if _FIRST.search(text):
        return Asks.FIRST
    return Asks.LAST if _LAST.search(text) or asks_ago(text) else None


def ended(beliefs: Sequence[Belief], everything: Sequence[Belief], text: str) -> list[Belief]:
    """Those that ended in the way the text says: a plan that another took over from was not cancelled, and of a
    divorce somebody must have told."""
    states = [(b, b.valid_to) for b in beliefs if b.valid_to is not None and not b.is_event]
    if _CANCEL.search(text):
        return [b for b, _ in states if not _hands_over(b, everything)]
    return [b for b, end in states if end.basis is not Basis.INFERRED or _LEAVE.search(text)]


def seen_at(beliefs: Sequence[Belief], at: datetime) -> list[Belief]:
    """As they stood in the world then: without what came after, ends included."""
    return [
        replace(b, valid_to=None) if b.valid_to is not None and b.valid_to.at > at and not b.is_event else b
        for b in beliefs
        if begins(b) <= at
    ]


def changes(beliefs: Sequence[Belief], *, told: bool) -> list[Belief]:
    """Those that another one of the same subject and predicate went before: to have one is no change. ``told``:
    also those whose beginning was told as one ("moved to Rome")."""
    return [b for b in beliefs if any(_went_before(o, b) for o in beliefs) or (told and _was_told(b))]


def _went_before(other: Belief, belief: Belief) -> bool:
    same = (other.fact.subject.id, other.fact.predicate) == (belief.fact.subject.id, belief.fact.predicate)
    return same and other.valid_to is not None and other.valid_to.at <= begins(belief)


def _was_told(belief: Belief) -> bool:
    return any(c.says is Says.DATED_BEGINNING for c in belief.evidence)


def _hands_over(belief: Belief, beliefs: Sequence[Belief]) -> bool:
    """Whether it ended because another value took over."""
    end = belief.valid_to
    if end is None:
        return False
    heirs = (o for o in beliefs if o.fact.subject.id == belief.fact.subject.id and o.fact.id != belief.fact.id)
    return end.basis is Basis.INFERRED or any(
        o.valid_from is not None and o.valid_from.at == end.at for o in heirs
    )


def first_of(beliefs: Sequence[Belief]) -> list[Belief]:
    """The first to begin: all that began together; none where one that began at some unknown time may have been
    earlier, unless that one had ended by then and is the first."""
    dated, undated = _by_beginning(beliefs)
    first = extreme(dated, min)
    if not undated:
        return first
    over = all(b.valid_to is not None and b.valid_to.at <= begins(first[0]) for b in undated) if first else True
    return undated if over and _one_each(undated) else []


def last_of(beliefs: Sequence[Belief]) -> list[Belief]:
    """The last to begin: all that began together; none where one that began at some unknown time may have been
    later."""
    dated, undated = _by_beginning(beliefs)
    last = extreme(dated, max)
    if not last:
        return undated if _one_each(undated) else []
    over = all(b.valid_to is not None and b.valid_to.at <= begins(last[0]) for b in undated)
    return last if over else []


def _by_beginning(beliefs: Sequence[Belief]) -> tuple[list[Belief], list[Belief]]:
    return [b for b in beliefs if b.valid_from is not None], [b for b in beliefs if b.valid_from is None]


def _one_each(beliefs: Sequence[Belief]) -> bool:
    """Whether there is one fact of each predicate at most."""
    facts = {(b.fact.predicate, b.fact.id) for b in beliefs}
    return len({predicate for predicate, _ in facts}) == len(facts)


def last_before(beliefs: Sequence[Belief], at: datetime) -> tuple[list[Belief], bool]:
    """What held up to then, all of it, else the last to begin before; and whether more than that last one held."""
    before = [b for b in beliefs if begins(b) < at]
    last = max(map(begins, before), default=at)
    latest = [b for b in before if begins(b) == last]
    held = [b for b in before if not b.is_event and (b.valid_to is None or b.valid_to.at >= at)]
    return (held, True) if held and held != latest else (latest, False)


def first_after(beliefs: Sequence[Belief], at: datetime) -> tuple[list[Belief], bool]:
    """What held on from before then, else the first to begin after; and whether it held on."""
    held = [b for b in beliefs if begins(b) < at and not b.is_event and (b.valid_to is None or b.valid_to.at > at)]
    return (held, True) if held else (extreme([b for b in beliefs if begins(b) >= at], min), False)


def ended_at(beliefs: Sequence[Belief], at: datetime) -> list[Belief]:
    """Those that ended just when something else took their place: of what was used before Slack, what Slack
    replaced."""
    return [b for b in beliefs if b.valid_to is not None and b.valid_to.at == at and not b.is_event]


def extreme(
    beliefs: Sequence[Belief],
    choose: Callable[[list[datetime]], datetime],
    bound_of: Callable[[Belief], Bound | None] = lambda b: b.valid_from,
) -> list[Belief]:
    """Those whose bound (the beginning, else another) is the one chosen of all."""
    dated = [(bound.at, b) for b in beliefs if (bound := bound_of(b)) is not None]
    if not dated:
        return []
    wanted = choose([at for at, _ in dated])
    return [b for at, b in dated if at == wanted]


def begins(belief: Belief) -> datetime:
    """When it begins; with an unknown beginning, before all else."""
    return EARLIEST if belief.valid_from is None else belief.valid_from.at
