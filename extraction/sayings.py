"""What a sentence says, before it is dated and before anyone knows who "she" is: common to both languages."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum, StrEnum
from typing import TypeAlias

from ..kg.model import Mention, Modality, Value
from ..temporal.calendar import closing
from ..temporal.claims import Says
from ..temporal.expressions import Shape, TimeReading
from ..temporal.grains import Basis, Bound


class Pronoun(Enum):
    """An expression that means somebody or something only by its surroundings."""

    SPEAKER = "speaker"
    ADDRESSEE = "addressee"
    PERSON = "person"
    """他, 她: written texts take either for anybody"""
    HE = "he"
    SHE = "she"
    THEY = "they"
    """the organisation of which something was just said"""
    THERE = "there"
    """there, 那里: a place or an organisation"""


@dataclass(frozen=True, slots=True)
class Kin:
    """Somebody known only by what they are to somebody else: "my sister", 我妈妈."""

    owner: Mention | Pronoun
    noun: str

    def beside(self, owner: str) -> Mention:
        """The person, called after the owner of this name."""
        return Mention(f"{owner}'s {self.noun}" if self.noun.isascii() else f"{owner}的{self.noun}", "Person")


Referent: TypeAlias = "Mention | Pronoun | Kin"


@dataclass(frozen=True, slots=True)
class Unsaid:
    """What an end without an object ends ("joined Acme and **left**"): what was last said of its subject by one of
    the ``predicates``; ``near``: in the same sentence."""

    predicates: tuple[str, ...]
    near: bool
    whom: bool = False
    """The subject is who was something to somebody, and is no more: "My dog is called Rex. **He died**"."""


class Stance(StrEnum):
    """The trigger's own meaning."""

    HOLDS = "holds"
    BEGINS = "begins"
    ENDS = "ends"


class Tense(StrEnum):
    PAST = "past"
    PRESENT = "present"
    PROGRESSIVE = "progressive"
    """is moving: now, or soon"""
    PERFECT = "perfect"
    """has moved: done by now"""
    FUTURE = "future"
    UNMARKED = "unmarked"
    """Chinese verbs without a marker: their time decides."""


class Polarity(StrEnum):
    POSITIVE = "positive"
    NEGATIVE = "negative"
    """does not"""
    NEVER = "never"
    NO_LONGER = "no_longer"
    """no longer, used to"""


Span: TypeAlias = "tuple[int, int]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Saying:
    """One proposition of a sentence. All offsets are code points of the sentence.

    ``reach`` lists, best first, the stretches in which a time expression belongs to it; the first stretch that
    has one decides.
    """

    predicate: str
    stance: Stance
    subject: Referent
    object: Value | Referent | Unsaid
    tense: Tense
    polarity: Polarity = Polarity.POSITIVE
    modality: Modality = Modality.ASSERTED
    event: bool = False
    lasting: bool = False
    background: bool = False
    """Told in passing ("since I lost my job"): without a date of its own it is not one of now."""
    at: int
    quote: Span
    reach: tuple[tuple[Span, ...], ...] = ()
    implied: bool = False
    """It follows from another saying ("is CTO **of Acme**": works there), and does not end with that."""
    kin: str = ""
    """What the object is to the subject, where that is one person ("wife")."""
    confidence: float


@dataclass(frozen=True, slots=True)
class Statement:
    """How a saying speaks about its fact, dated."""

    says: Says
    valid_from: Bound | None
    valid_to: Bound | None
    modality: Modality


def statements(saying: Saying, time: TimeReading | None, occurred_at: datetime) -> list[Statement]:
    """The claims a saying makes when it was said at ``occurred_at``; none when nothing can be concluded."""
    if saying.tense is Tense.UNMARKED:
        saying = replace(saying, tense=_unmarked(saying.stance, time, occurred_at))
    if saying.lasting and saying.polarity is Polarity.POSITIVE:
        found = _say(Says.OBSERVATION, _now(occurred_at))
    elif saying.polarity in (Polarity.NEGATIVE, Polarity.NEVER):
        found = _denied(saying, time, occurred_at)
    elif saying.event or saying.stance is Stance.BEGINS:
        found = _begun(saying, time, occurred_at)
    elif saying.stance is Stance.ENDS:
        found = _ended(saying, time, occurred_at)
    else:
        found = _held(saying, time, occurred_at)
    if saying.implied:
        found = [s for s in found if s.says is not Says.END]
    return [replace(s, modality=_modality(saying, s, time)) for s in found]


def _modality(saying: Saying, statement: Statement, time: TimeReading | None) -> Modality:
    """A plan with a date is a fact about the future; one without is only a plan."""
    dated_plan = saying.modality is Modality.PLANNED and time is not None
    return statement.modality if dated_plan or saying.modality is Modality.ASSERTED else saying.modality


def _unmarked(stance: Stance, time: TimeReading | None, occurred_at: datetime) -> Tense:
    if time is not None and time.start is not None and time.start.at > occurred_at:
        return Tense.FUTURE
    if stance is not Stance.HOLDS:
        return Tense.PAST
    if time is None or time.shape is not Shape.POINT:
        return Tense.PRESENT
    assert time.start is not None
    return Tense.PRESENT if _is_around(time.start, occurred_at) else Tense.PAST


def _now(occurred_at: datetime) -> Bound:
    return Bound(occurred_at, basis=Basis.DERIVED)


def _say(
    says: Says, start: Bound | None, end: Bound | None = None, modality: Modality = Modality.ASSERTED
) -> list[Statement]:
    return [Statement(says, start, end, modality)]


def _is_around(bound: Bound, moment: datetime) -> bool:
    return bound.at <= moment < bound.end_of_grain


def _change(saying: Saying, time: TimeReading | None, occurred_at: datetime) -> tuple[Bound, Modality] | None:
    """When a change happened or will, and whether that is said as a fact."""
    stated = time.start if time is not None and time.shape in (Shape.POINT, Shape.RANGE, Shape.SINCE) else None
    if saying.tense in (Tense.FUTURE, Tense.PROGRESSIVE, Tense.PRESENT):
        if stated is None:
            return _now(occurred_at), Modality.PLANNED
        return stated, Modality.ASSERTED
    if stated is None:
        return _now(occurred_at), Modality.ASSERTED
    if stated.at > occurred_at:
        return None
    return stated, Modality.ASSERTED


def _begun(saying: Saying, time: TimeReading | None, occurred_at: datetime) -> list[Statement]:
    if saying.polarity is Polarity.NO_LONGER:
        dropped = time is None and saying.tense in (Tense.FUTURE, Tense.PROGRESSIVE)
        return _say(Says.DENIAL, _now(occurred_at)) if dropped else []
    change = _change(saying, time, occurred_at)
    if change is None:
        return []
    return _say(Says.DATED_BEGINNING, change[0], None, change[1])


def _ended(saying: Saying, time: TimeReading | None, occurred_at: datetime) -> list[Statement]:
    if saying.polarity is Polarity.NO_LONGER:
        return []
    change = _change(saying, time, occurred_at)
    if change is None:
        return []
    if time is not None and time.edge is not None and change[0] == time.start:
        change = _latest(time.edge, saying, occurred_at), change[1]
    return _say(Says.END, change[0], None, change[1])


def _latest(edge: Bound, saying: Saying, occurred_at: datetime) -> Bound:
    """What ended "at the end of June" ended with it; if June is not over yet, within its last days."""
    over = saying.tense in (Tense.FUTURE, Tense.PROGRESSIVE, Tense.PRESENT) or edge.end_of_grain <= occurred_at
    return closing(edge) if over else edge


def _held(saying: Saying, time: TimeReading | None, occurred_at: datetime) -> list[Statement]:
    now = _now(occurred_at)
    if saying.polarity is Polarity.NO_LONGER:
        return _ended_state(time, now)
    if saying.tense is Tense.PAST:
        return _held_once(time, now)
    if saying.tense is Tense.FUTURE:
        if time is None or time.start is None:
            planned = _say(Says.DATED_BEGINNING, now, None, Modality.PLANNED)
            return planned if time is None or time.end is None else [*planned, *_say(Says.END, time.end)]
        if time.shape is Shape.RANGE:
            return _say(Says.EXTENT, time.start, time.end)
        return _say(Says.DATED_BEGINNING, time.start)
    if time is None:
        return [] if saying.tense is Tense.PERFECT else _say(Says.OBSERVATION, now)
    return _held_with_time(time, occurred_at)


def _held_with_time(time: TimeReading, occurred_at: datetime) -> list[Statement]:
    """A state in the present or perfect tense with a time: "since 2020", "until June", "this month"."""
    now = _now(occurred_at)
    match time.shape:
        case Shape.SINCE:
            assert time.start is not None
            if time.start.at > occurred_at:
                return _say(Says.DATED_BEGINNING, time.start)
            return _say(Says.SINCE, time.start)
        case Shape.UNTIL:
            if time.end is None or time.end.at <= occurred_at:
                return []
            return [*_say(Says.OBSERVATION, now), *_say(Says.END, time.end)]
        case Shape.RANGE:
            return _say(Says.EXTENT, time.start, time.end)
        case Shape.POINT:
            assert time.start is not None
            if _is_around(time.start, occurred_at):
                return _say(Says.OBSERVATION, now)
            if time.start.at > occurred_at:
                return _say(Says.DATED_BEGINNING, time.start)
            return []


def _held_once(time: TimeReading | None, now: Bound) -> list[Statement]:
    """A state in the past tense: over by now, unless it is dated to the present."""
    if time is None:
        return _say(Says.END, now)
    match time.shape:
        case Shape.RANGE if time.end is None:
            return [*_say(Says.DATED_BEGINNING, time.start), *_say(Says.END, now)]
        case Shape.RANGE:
            return _say(Says.EXTENT, time.start, time.end)
        case Shape.UNTIL:
            return [] if time.end is None else _say(Says.END, time.end)
        case Shape.SINCE:
            return []
        case Shape.POINT:
            assert time.start is not None
            if time.start.grain_end is None or time.start.at > now.at or _is_around(time.start, now.at):
                return []
            end = time.start.grain_end
            return _say(Says.EXTENT, time.start, Bound(end, time.start.grain, end, time.start.basis))


def _ended_state(time: TimeReading | None, now: Bound) -> list[Statement]:
    """A state that holds no longer."""
    if time is None:
        return _say(Says.END, now)
    match time.shape:
        case Shape.SINCE | Shape.POINT:
            assert time.start is not None
            return _say(Says.END, time.start)
        case Shape.RANGE:
            return _say(Says.EXTENT, time.start, time.end)
        case Shape.UNTIL:
            return [] if time.end is None else _say(Says.END, time.end)


def _denied(saying: Saying, time: TimeReading | None, occurred_at: datetime) -> list[Statement]:
    now = _now(occurred_at)
    if saying.polarity is Polarity.NEVER:
        return [] if time is not None or saying.stance is Stance.ENDS else _say(Says.DENIAL, None)
    if saying.stance is Stance.ENDS:
        if saying.tense in (Tense.PAST, Tense.PERFECT) and time is None:
            return _say(Says.OBSERVATION, now)
        return []
    if saying.tense is Tense.FUTURE or (saying.tense is Tense.PROGRESSIVE and saying.stance is Stance.BEGINS):
        return _say(Says.DENIAL, now) if time is None else []
    if saying.stance is Stance.BEGINS or saying.event:
        past = saying.tense in (Tense.PAST, Tense.PERFECT)
        return _say(Says.DENIAL, None) if past and time is None and not saying.event else []
    if time is None:
        return _say(Says.DENIAL, None if saying.tense in (Tense.PAST, Tense.PERFECT) else now)
    if time.shape in (Shape.POINT, Shape.RANGE) and time.start is not None:
        end = time.end if time.end is not None else Bound(time.start.end_of_grain, time.start.grain)
        return _say(Says.DENIAL, time.start, end)
    if time.shape is Shape.SINCE:
        return _say(Says.END, time.start)
    return []
