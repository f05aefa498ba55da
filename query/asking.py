"""What sort of answer a question asks of the timeline, and the event it dates itself by. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Asks(StrEnum):
    """What is reckoned from the timeline."""

    WHEN = "when"
    HOW_LONG = "how long"
    HOW_MANY = "how many"
    FIRST = "first"
    LAST = "last"
    PREVIOUS = "before"
    """The one before the present one, or before what the question dates itself by."""
    NEXT = "after"


class Side(StrEnum):
    """Where a question's time lies, seen from an event."""

    BEFORE = "before"
    AFTER = "after"
    AT = "at"


@dataclass(frozen=True, slots=True)
class Clause:
    """Words that date a question by an event: "before she moved", 搬家之前. ``start``, ``end``: all of them;
    ``event``: those that name the event."""

    side: Side
    start: int
    end: int
    event: tuple[int, int]


_UNITS: Final = r"(?:years?|months?|weeks?|days?|hours?|minutes?)"
_HOW_LONG: Final = re.compile(
    rf"\bhow long\b(?! ago)|\bhow many {_UNITS}\b(?! (?:ago|old))"
    r"|多久(?![以之]?前)|多长时间|[几多]少?[年天](?!前|级|轻)(?:了|\W|$)",
    re.IGNORECASE,
)
_AGO: Final = re.compile(
    rf"\bhow (?:long|many {_UNITS}) ago\b|(?:多久|多长时间|[几多]少?[年天]|[几多]少?个月)[以之]?前", re.IGNORECASE
)
_MEASURE: Final = "个家份次位所座门种辆只条台部本张套间名支双件盆棵项隻輛個"
_HOW_MANY: Final = re.compile(rf"\bhow many\b|(?:几|多少)[{_MEASURE}]|多少人", re.IGNORECASE)
_WHEN: Final = re.compile(
    r"^\W*(?:(?:and|so|but)\s+)?(?:since )?when\b|\bsince when\b|\b(?:what|which) (?:year|month|day|date)\b"
    r"|什么时候|何时|几时|哪一?[年天月]|哪个月|几月|几号",
    re.IGNORECASE,
)
_ONE: Final = "[个家份次位所座任]"
_FIRST: Final = re.compile(
    rf"\b(?:first|earliest|original|originally|initially)\b(?! (?:name|time))|第一{_ONE}|最早|最初", re.IGNORECASE
)
_PREVIOUS: Final = re.compile(rf"\b(?:previous|former|prior)\b|[上前]一{_ONE}|前任", re.IGNORECASE)
_LAST: Final = re.compile(rf"\b(?:latest|most recent)\b|最[近后]一{_ONE}", re.IGNORECASE)
_CONTENT: Final = re.compile(r"\b(?:where|what|who|whom|which)\b|哪|什么|谁", re.IGNORECASE)
_PAST: Final = re.compile(r"\b(?:did|was|were|had|been|used to)\b|[了过]|曾", re.IGNORECASE)
_PERFECT: Final = re.compile(r"\b(?:has|have)\b", re.IGNORECASE)
_PRESENT: Final = re.compile(r"\b(?:do|does|is|are|am)\b", re.IGNORECASE)

_ENGLISH_CLAUSE: Final = re.compile(
    r"\b(?P<side>before|after|(?:since|until)(?! when\b)|prior to|when|while|during|at the time of|by the time)"
    r"\b\s+(?P<event>[^?.,;!]+)",
    re.IGNORECASE,
)
_NO_CLAUSE: Final = re.compile(r"^\W*$|\bsince\s+$", re.IGNORECASE)
"""Before a "when" that asks."""
_CHINESE_CLAUSE: Final = re.compile(
    r"(?P<event>[^，。？！,?]{1,24}?)(?P<side>之前|以前|(?<![目先从今])前(?=[住在做是去来换搬])"
    r"|之后|以后|(?<![最然今])后(?=[住在做是去来换搬])|的时候|期间)"
)
_SIDES: Final = {
    "before": Side.BEFORE, "until": Side.BEFORE, "prior to": Side.BEFORE,
    "之前": Side.BEFORE, "以前": Side.BEFORE, "前": Side.BEFORE,
    "after": Side.AFTER, "since": Side.AFTER, "之后": Side.AFTER, "以后": Side.AFTER, "后": Side.AFTER,
}  # fmt: skip


def asks(text: str, side: Side | None) -> Asks | None:
    """What a question asks of the timeline; ``side``: where its time lies from an event, if it has one."""
    if asks_ago(text):
        return Asks.WHEN
    for pattern, kind in ((_HOW_LONG, Asks.HOW_LONG), (_HOW_MANY, Asks.HOW_MANY), (_WHEN, Asks.WHEN)):
        if pattern.search(text):
            return kind
    if side is not None and side is not Side.AT:
        wants_one = _CONTENT.search(text) is not None
        return (Asks.PREVIOUS if side is Side.BEFORE else Asks.NEXT) if wants_one else None
    for pattern, kind in ((_FIRST, Asks.FIRST), (_PREVIOUS, Asks.PREVIOUS), (_LAST, Asks.LAST)):
        if pattern.search(text):
            return kind
    return None


def spans_all_time(kind: Asks | None, text: str) -> bool:
    """Whether what is asked lies in all of the past, though no word names a time."""
    if kind is Asks.HOW_MANY:
        return of_the_past(text)
    return kind in (Asks.FIRST, Asks.PREVIOUS)


def asks_ago(text: str) -> bool:
    """Whether it asks for a date by how long before now it was."""
    return _AGO.search(text) is not None


def counts_times(text: str) -> bool:
    """Whether occasions are counted, not things."""
    return re.search(r"\bhow many times\b|[几多]少?次", text, re.IGNORECASE) is not None


def asks_for_one(text: str, clause: Clause | None) -> Side | None:
    """On which side of its event the one is that a question asks for; "since" takes all that followed."""
    if clause is None or text[clause.start :].lower().startswith("since"):
        return None
    return clause.side


def asks_for_next(text: str) -> bool:
    """Whether it asks for a new one, not for what held on."""
    return re.search(r"\bnext\b|下一", text, re.IGNORECASE) is not None


def of_the_past(text: str) -> bool:
    """Whether it asks about what was, or has been."""
    if _PAST.search(text):
        return True
    return _PERFECT.search(text) is not None and _PRESENT.search(text) is None


def clause_of(text: str) -> Clause | None:
    """The words by which a question dates itself by an event, if any. A question that begins with "when" asks."""
    for match in _ENGLISH_CLAUSE.finditer(text):
        if match["side"].lower() == "when" and _NO_CLAUSE.search(text[: match.start()]):
            continue
        if match["event"].strip().lower() in ("that", "then"):
            continue
        side = _SIDES.get(match["side"].lower(), Side.AT)
        return Clause(side, match.start(), match.end(), match.span("event"))
    if found := _CHINESE_CLAUSE.search(text):
        return Clause(_SIDES.get(found["side"], Side.AT), found.start(), found.end(), found.span("event"))
    return None
