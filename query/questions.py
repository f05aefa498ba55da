"""Reading a question: names, pronouns, the wanted predicate, the time. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from typing import Final

from ..kg.characters import well_formed
from ..kg.ids import normalise
from ..kg.model import Entity
from ..kg.text import cut
from ..temporal.errors import Invalid
from ..temporal.expressions import Language, Shape, TimeReading, find_times, read_time
from ..temporal.intervals import Interval
from .asking import Clause, of_the_past
from .results import TimeSource
from .stretches import stretch_of

MAX_CHARACTERS: Final = 10_000
"""A longer question is refused."""

_READ: Final = 600
"""Names and times are looked for this far into a question; words and meaning count to its end."""
_LONGEST_NAME_WORDS: Final = 6
_LONGEST_NAME_HAN: Final = 10
_TICK: Final = timedelta(microseconds=1)

_HAN: Final = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003347f]+")
_WORD: Final = re.compile(r"[^\W_](?:[\w.&'’+@/:-]*[\w+])?")
_POSSESSIVE: Final = re.compile(r"['’]s?$")

_SMALL_WORDS: Final = """
    a an the and or but not no of in on at to for from by with as is are was were be been am do does did has have
    had can could will would shall should may might must who whom whose what which when where why how i me my mine
    you your yours he him his she her hers it its we us our they them their this that these those there here now
    currently since ever never still also any all some if then than so about tell show
"""
_NO_NAMES: Final = frozenset(_SMALL_WORDS.split())
"""Not a name when written small or at the beginning; "Will" inside a sentence may be one."""

_HELPERS: Final = frozenset({"did", "does", "would", "might", "likely", "please"})

_ASKING: Final = re.compile(
    r"\b(?:what|who|whom|whose|which|when|where|why|how|tell|show|me|my|i|you|your|it|about)\b"
    r"|为什么|什么|哪里|哪儿|哪个|哪些|怎么样?|多少|[谁哪吗呢吧的了]",
    re.IGNORECASE,
)
_QUESTION: Final = re.compile(
    r"[?？]|^\W*(?:what|who|whom|whose|which|when|where|why|how|is|are|was|were|do|does|did|has|have|had|can|could"
    r"|will|would|should)\b|什么|哪|怎么?样?|多少|[谁几吗呢]",
    re.IGNORECASE,
)
_THIRD_PERSON: Final = re.compile(
    r"\b(?i:he|him|his|she|her|hers|they|them|their|theirs)\b|(?<![其吉])[他她](?!人)们?"
    r"|(?<![A-Za-z])TA(?![A-Za-z])"
)
_FIRST_PERSON: Final = re.compile(r"\b(?:I|i|me|my|mine|myself)\b|我(?!们)|俺|本人")
_SECOND_PERSON: Final = re.compile(r"\b(?:you|your|yours)\b|[你您]", re.IGNORECASE)
_FORMER: Final = re.compile(
    r"\b(?:initially|originally|at first|the first time|earliest|previously|formerly|used to|ago)\b"
    r"|\bwhen (?:did|was|were)\b"
    r"|最初|一开始|起初|第一次|以前|之前|原来|原先|何时|什么时候",
    re.IGNORECASE,
)
_ANY_TIME: Final = re.compile(
    r"\b(?:ever|previously|formerly|used to|in the past|so far|over the years|all[- ]time|history of"
    r"|since when|how long|before(?: that| then)?(?=\W*$)|when (?:did|was|were|has|have|had)"
    r"|(?:what|which) (?:year|month|day|date))\b"
    r"|曾|以前|之前|过去|从前|历来|一直以来|什么时候|何时|几时|多久|多长时间|哪一?年|哪一?天",
    re.IGNORECASE,
)
_NOW: Final = re.compile(
    r"\b(?:now|nowadays|currently|at present|presently|at the moment|these days)\b|现在|目前|如今|当前|眼下|此刻",
    re.IGNORECASE,
)


_AS_OF: Final = re.compile(r"\b(?:as of|as at|by)\s+(?:the end of\s+)?$|截至$|截止到?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A stretch of the question that may be a name; ``key`` is its normal form."""

    key: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class When:
    """The valid instant of a question; None is all of time. ``span`` is where its words stand, if it has any.
    ``during``: the stretch, of which ``valid`` is the last instant."""

    valid: datetime | None
    source: TimeSource
    span: tuple[int, int] | None = None
    during: Interval | None = None


def check_question(text: str) -> str:
    """The question without white space around it. Raises ``Invalid`` when it is empty or over-long."""
    text = well_formed(text).strip()
    if not text:
        raise Invalid("the question is empty; ask something, or list with facts() or episodes()")
    if len(text) > MAX_CHARACTERS:
        raise Invalid(
            f"the question has {len(text)} characters; ask in at most {MAX_CHARACTERS}",
            code="question_too_long",
        )
    return text


def language_of(text: str) -> Language:
    return "zh" if _HAN.search(text) else "en"


def read_when(text: str, *, now: datetime, zone: tzinfo, given: datetime | None) -> When:
    """The time a question is about: ``given`` (the caller's), else its own words, else ``now``.

    A dated question is about a stretch: "in April 2024" is that month, "since 2020" goes up to now, "before 2020"
    has no beginning; ``valid`` is its last instant that is not after ``now`` (the last of all, where it lies in
    the future altogether). "As of" a time is its last instant alone, and a question in the present tense about a
    time that is going on ("this year") is about now. Words that ask for any time ("ever", "曾经") or for a time
    ("when did", "多久") ask all of time, unless a date is named too.
    """
    if given is not None:
        return When(given, TimeSource.CALLER)
    text = text[:_READ]
    if match := _NOW.search(text):
        return When(now, TimeSource.QUESTION, match.span())
    times = find_times(text, base=now, zone=zone, language=language_of(text))
    if times:
        start, end, reading = times[0]
        if last := _up_to(text[start:end], now, zone):
            return When(instant_of(last, now), TimeSource.QUESTION, (start, end))
        stretch = stretch_of(reading)
        going_on = stretch.contains(now) and not of_the_past(text)
        if _AS_OF.search(text[:start]) or (going_on and reading.shape is Shape.POINT):
            return When(instant_of(reading, now), TimeSource.QUESTION, (start, end))
        return when_during(stretch, TimeSource.QUESTION, now, (start, end))
    if match := _ANY_TIME.search(text):
        return When(None, TimeSource.QUESTION, match.span())
    return When(now, TimeSource.NOW)


_UP_TO: Final = re.compile(
    r"by\s+(?:the end of\s+)?(?P<en>.+)|(?:截至|截止到?)\s*(?P<zh>.+)|到\s*(?P<to>.+?)(?:为止|止)", re.IGNORECASE
)


def _up_to(words: str, now: datetime, zone: tzinfo) -> TimeReading | None:
    """The time up to which, and with which, something is asked: "by May 2024", 截至2024年5月."""
    found = _UP_TO.fullmatch(words)
    named = found and next(part for part in found.groups() if part)
    last = named and read_time(named, base=now, zone=zone, language=language_of(named))
    return last if last and last.shape is Shape.POINT else None


def when_during(stretch: Interval, source: TimeSource, now: datetime, span: tuple[int, int] | None = None) -> When:
    """A question about a stretch. All of time is no stretch; one that is open, or goes on, ends for it now."""
    if stretch == Interval():
        return When(None, source, span)
    last = now if stretch.end is None else stretch.end - _TICK
    if stretch.start is None or stretch.start <= now:
        last = min(last, now)
    return When(last if stretch.start is None else max(last, stretch.start), source, span, stretch)


def instant_of(reading: TimeReading, now: datetime) -> datetime:
    """The instant for which a question about this time is answered (see ``read_when``)."""
    first = reading.start.at if reading.start else None
    if reading.shape is Shape.SINCE and first is not None:
        return max(first, now)
    end = reading.end.at if reading.end else reading.start.end_of_grain if reading.start else now
    if first is not None and end <= first:
        return first
    last = end - _TICK
    return last if first is not None and first > now else min(last, now)


def candidate_names(text: str, *, skip: tuple[int, int] | None = None) -> list[Candidate]:
    """Stretches that may be names: up to six words, and every part of a Chinese run from two to ten characters.
    ``skip`` is a stretch that is something else (a date)."""
    text = text[:_READ]
    found = [*_worded(text), *_unspaced(text)]
    if skip is not None:
        found = [c for c in found if c.end <= skip[0] or c.start >= skip[1]]
    return list(dict.fromkeys(found))


def _worded(text: str) -> Iterator[Candidate]:
    words = [m.span() for m in _WORD.finditer(_HAN.sub(lambda m: " " * len(m[0]), text))]
    for i, (start, _) in enumerate(words):
        for _, end in words[i : i + _LONGEST_NAME_WORDS]:
            if end == words[i][1] and not _may_be_name(text[start:end], first=start == words[0][0]):
                continue
            yield Candidate(normalise(text[start:end]), start, end)
            if possessive := _POSSESSIVE.search(text[start:end]):
                shorter = start + possessive.start()
                yield Candidate(normalise(text[start:shorter]), start, shorter)


def _may_be_name(word: str, *, first: bool) -> bool:
    if normalise(_POSSESSIVE.sub("", word)) not in _NO_NAMES:
        return True
    return word[0].isupper() and not first and word != "I"


def _unspaced(text: str) -> Iterator[Candidate]:
    for run in _HAN.finditer(text):
        for start in range(run.start(), run.end()):
            for end in range(start + 2, min(run.end(), start + _LONGEST_NAME_HAN) + 1):
                yield Candidate(text[start:end], start, end)


def choose_names(
    candidates: Iterable[Candidate], found: Mapping[str, Sequence[Entity]]
) -> list[tuple[Candidate, tuple[Entity, ...]]]:
    """The longest names that were found and do not overlap, in the order of the question."""
    chosen: list[Candidate] = []
    for c in sorted((c for c in candidates if found.get(c.key)), key=lambda c: (c.start - c.end, c.start)):
        if all(c.end <= other.start or c.start >= other.end for other in chosen):
            chosen.append(c)
    return [(c, tuple(found[c.key])) for c in sorted(chosen, key=lambda c: c.start)]


def first_names(text: str, candidates: Iterable[Candidate]) -> set[str]:
    """Those that may be first names: words with a capital, in a question that has capitals."""
    small = text[:_READ].islower()
    return {c.key for c in candidates if small or text[c.start].isupper()}


def third_persons(text: str) -> tuple[str, ...]:
    """The pronouns that mean somebody else: he, her, 他."""
    return tuple(dict.fromkeys(m[0] for m in _THIRD_PERSON.finditer(text[:_READ])))


def first_persons(text: str) -> tuple[str, ...]:
    """The pronouns that mean who asks: I, my, 我."""
    return tuple(dict.fromkeys(m[0] for m in _FIRST_PERSON.finditer(text[:_READ])))


def content_words(text: str) -> tuple[str, ...]:
    """The question's words for full-text search, without those that only ask; all of them if it has no others."""
    return tuple(cut(_ASKING.sub(" ", text)) or cut(text))


def event_words(text: str) -> tuple[str, ...]:
    """The English words of meaning in a clause, as they stand."""
    words = (_POSSESSIVE.sub("", m[0]) for m in _WORD.finditer(_HAN.sub(" ", text)))
    return tuple(word for word in words if not _is_small(word))


def said_words(text: str) -> tuple[str, ...]:
    """The question's words of meaning, as full-text search compares them: no small ones, none that only ask."""
    said = " ".join(word for word in _ASKING.sub(" ", text).split() if not _is_small(word))
    return tuple(cut(said)) if said else ()


def proper_names(text: str) -> tuple[str, ...]:
    """What is written as a name is inside a sentence, in small letters: words with a capital, but the first."""
    words = [m for m in _WORD.finditer(text[:_READ]) if not _HAN.search(m[0])]
    found = (_POSSESSIVE.sub("", m[0]) for m in words[1:] if m[0][0].isupper())
    return tuple(dict.fromkeys(name.casefold() for name in found if len(name) > 2 and not _is_small(name)))


_BEFORE_PLACE: Final = re.compile(r"\b(?:in|at|to|from|on|into|near|of|the|a|an)\s+$", re.IGNORECASE)


def names_before_pronoun(text: str, clause: Clause | None) -> bool:
    """Whether a name stands where somebody would whom a pronoun means: before it ("what can Nadia eat if she
    comes"), or after a clause with it ("before she moved, where did Nadia live"). ``text`` has no known names."""
    text = text[:_READ]
    pronoun = _THIRD_PERSON.search(text)
    if pronoun is None:
        return False
    leads = clause is not None and clause.start <= pronoun.start() and not text[: clause.start].strip()
    end = len(text) if leads else pronoun.start()
    words = [m for m in _WORD.finditer(text) if not _HAN.search(m[0])][1:]
    return any(
        word[0][0].isupper()
        and not word[0].isupper()
        and not _is_small(_POSSESSIVE.sub("", word[0]))
        and not _BEFORE_PLACE.search(text[: word.start()])
        for word in words
        if word.end() <= end
    )


def gist(text: str) -> str:
    """What a question is about, as a message would put it: without small words and those that only ask."""
    said = " ".join(word for word in _ASKING.sub(" ", text).split() if not _is_small(word))
    return said or text


def _is_small(word: str) -> bool:
    plain = normalise(word).strip(".,;:!?\"'()")
    return not plain or plain in _NO_NAMES or plain in _HELPERS


def addresses_listener(text: str) -> bool:
    """Whether it asks about whom it speaks to: "what did you recommend", 你."""
    return _SECOND_PERSON.search(text[:_READ]) is not None


def wants_newest(text: str) -> bool:
    """Whether, of messages that say the same sort of thing, the last one is wanted: not when it asks how it began,
    or when."""
    return _FORMER.search(text[:_READ]) is None


def asks_for_something(text: str, rest: str) -> bool:
    """Whether a question wants something of whom it names: ``rest``, what is left of it without names and times,
    says what. "Tell me about Alice" and "prepare the call with Alice" take anything."""
    said = [word for word in cut(_ASKING.sub(" ", rest)) if word not in _NO_NAMES]
    return bool(said) and _QUESTION.search(text[:_READ]) is not None


def blank(text: str, spans: Collection[tuple[int, int] | None]) -> str:
    """``text`` with the stretches blanked out; nothing else moves."""
    for span in spans:
        if span is not None:
            text = text[: span[0]] + " " * (span[1] - span[0]) + text[span[1] :]
    return text
