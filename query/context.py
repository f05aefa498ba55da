"""A block of memory for a prompt, inside a budget of tokens: what is kept, trimmed and dropped. Pure.

The block has a prefix that stays the same, byte for byte, while what is known of whom the question is about does
(constraints, profile: in an order and within a share of their own), so that a model's prompt cache holds; and a
tail that depends on the question. The most important stands at the head and at the end, where models look.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from ..temporal.errors import Invalid
from .formats import ContextFormat, Rendered, render
from .results import Question
from .tokens import TokenCounter


class Section(StrEnum):
    """The parts of a block, in the order in which they stand."""

    CONSTRAINTS = "constraints"
    """What must be heeded whatever is asked; never trimmed, never dropped."""
    PROFILE = "profile"
    """What is believed about whom the question is about."""
    FACTS = "facts"
    """What is believed and bears on the question, best first."""
    CONFLICTS = "conflicts"
    """What was said in the place of a fact above and is not believed."""
    OPEN = "open_questions"
    """What somebody asked and nobody answered."""
    SESSIONS = "sessions"
    """What sessions came to, where there is room when all else has found its place, or instead of turns."""
    TURNS = "turns"
    """What was said, word for word; the best one last."""


PREFIX: Final = (Section.CONSTRAINTS, Section.PROFILE)
TAIL: Final = (Section.FACTS, Section.CONFLICTS, Section.OPEN, Section.SESSIONS, Section.TURNS)

SHARES: Final[Mapping[Section, float]] = {
    Section.PROFILE: 0.15,
    Section.FACTS: 0.25,
    Section.CONFLICTS: 0.05,
    Section.OPEN: 0.05,
    Section.SESSIONS: 0.0,
    Section.TURNS: 0.5,
}
"""Of what the constraints leave. What a section of the tail does not use goes on to turns, then to facts, and last
to sessions."""

_HEIRS: Final = (Section.CONFLICTS, Section.OPEN, Section.FACTS, Section.TURNS)


class Fate(StrEnum):
    KEPT = "kept"
    TRIMMED = "trimmed"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One line of a block. ``short``: the same trimmed, if it can be."""

    section: Section
    id: str
    text: str
    short: str | None = None
    episode_ids: tuple[str, ...] = ()
    fact_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """What became of an item, and why. ``id`` is the belief's, the episode's or the claim's."""

    section: Section
    id: str
    fate: Fate
    tokens: int
    """What it takes in the block; 0 when it was dropped."""
    reason: str
    episode_ids: tuple[str, ...] = ()
    fact_id: str | None = None
    """Of a belief: its fact."""


@dataclass(frozen=True, slots=True)
class SectionUse:
    """``share``: of the budget, in tokens, before anything went on to others; constraints have what they take."""

    section: Section
    share: int
    tokens: int
    kept: int
    dropped: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """A block of memory. ``str()`` is what goes into the prompt: ``prefix`` and ``tail``."""

    prefix: str
    tail: str
    messages: tuple[tuple[str, str], ...]
    """(role, content) for chat APIs: the prefix, then the tail."""
    tokens: int
    budget: int
    counter: str
    """Which counter counted."""
    sections: tuple[SectionUse, ...]
    trace: tuple[Trace, ...]
    question: Question

    @property
    def text(self) -> str:
        return self.prefix + self.tail

    @property
    def fact_ids(self) -> tuple[str, ...]:
        """The facts that stand in the block."""
        kept = (t.fact_id for t in self.trace if t.fate is not Fate.DROPPED and t.fact_id is not None)
        return tuple(dict.fromkeys(kept))

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class _Line:
    item: Item
    fate: Fate = Fate.KEPT
    reason: str = ""
    tokens: int = 0

    @property
    def text(self) -> str:
        return (self.item.short if self.fate is Fate.TRIMMED else self.item.text) or self.item.text


@dataclass(frozen=True, slots=True)
class Limits:
    budget: int
    count: TokenCounter
    format: ContextFormat
    shares: Mapping[Section, float]


def assemble(items: Iterable[Item], question: Question, limits: Limits) -> Context:
    """The block. ``items`` come best first within their sections.

    Raises ``Invalid`` when the constraints alone are more than the budget.
    """
    by_section: dict[Section, list[_Line]] = {section: [] for section in Section}
    for item in items:
        by_section[item.section].append(_Line(item, tokens=limits.count(item.text) + 1))
    room = limits.budget - _cost_of_constraints(by_section[Section.CONSTRAINTS], limits)
    shares = {section: int(room * share) for section, share in limits.shares.items()}
    lines = {Section.CONSTRAINTS: by_section[Section.CONSTRAINTS]}
    lines[Section.PROFILE] = fitted(by_section[Section.PROFILE], shares[Section.PROFILE], limits.count)
    lines[Section.SESSIONS] = fitted(by_section[Section.SESSIONS], shares[Section.SESSIONS], limits.count)
    spare = sum(shares[section] - _tokens(lines[section]) for section in (Section.PROFILE, Section.SESSIONS))
    for section in _HEIRS:
        mine = shares[section] + spare
        lines[section] = fitted(by_section[section], mine, limits.count)
        spare = mine - _tokens(lines[section])
    for section in (Section.FACTS, Section.SESSIONS):
        mine = _tokens(lines[section]) + spare
        lines[section] = fitted(by_section[section], mine, limits.count)
        spare = mine - _tokens(lines[section])
    return _within(lines, question, limits, shares)


def fitted(lines: Sequence[_Line], room: int, count: TokenCounter) -> list[_Line]:
    """Lines that take at most ``room`` tokens: the least important are trimmed first, and dropped only when
    all are trimmed."""
    result = list(lines)
    total = _tokens(result)
    for place in reversed(range(len(result))):
        if total <= room:
            return result
        short = result[place].item.short
        if short is not None:
            trimmed = replace(result[place], fate=Fate.TRIMMED, reason=_OVER, tokens=count(short) + 1)
            total += trimmed.tokens - result[place].tokens
            result[place] = trimmed
    for place in reversed(range(len(result))):
        if total <= room:
            break
        total -= result[place].tokens
        result[place] = _dropped(result[place], _OVER)
    return result


_OVER: Final = "over the section's share"
_TOO_LONG: Final = "over the budget with the headings"


def _dropped(line: _Line, reason: str) -> _Line:
    return replace(line, fate=Fate.DROPPED, reason=reason, tokens=0)


def _within(
    lines: dict[Section, list[_Line]], question: Question, limits: Limits, shares: Mapping[Section, int]
) -> Context:
    """Headings and marks cost as well: lines go, the last ones first, until the block as it reads is inside the
    budget."""
    while True:
        rendered = _rendered(lines, limits.format)
        tokens = limits.count(rendered.text)
        last = _last_line(lines, spare=not limits.shares[Section.SESSIONS]) if tokens > limits.budget else None
        if last is None:
            break
        section, place = last
        lines[section][place] = _dropped(lines[section][place], _TOO_LONG)
    return Context(
        prefix=rendered.prefix,
        tail=rendered.tail,
        messages=rendered.messages,
        tokens=tokens,
        budget=limits.budget,
        counter=getattr(limits.count, "__name__", type(limits.count).__name__),
        sections=tuple(_use(section, lines[section], shares) for section in Section),
        trace=tuple(_trace(line) for section in Section for line in lines[section]),
        question=question,
    )


def _last_line(lines: Mapping[Section, Sequence[_Line]], *, spare: bool) -> tuple[Section, int] | None:
    """The least important line that is still there: of sessions that only had what was to ``spare``, then of the
    tail, then of the profile; of the longest section."""
    for sections in (*([(Section.SESSIONS,)] if spare else []), TAIL, (Section.PROFILE,)):
        longest = max(sections, key=lambda section: _tokens(lines[section]))
        left = [place for place, line in enumerate(lines[longest]) if line.fate is not Fate.DROPPED]
        if left:
            return longest, left[-1]
    return None


def _cost_of_constraints(lines: Sequence[_Line], limits: Limits) -> int:
    """What the block takes with nothing but them."""
    sections = {section: list[_Line]() for section in Section} | {Section.CONSTRAINTS: list(lines)}
    cost = limits.count(_rendered(sections, limits.format).text)
    if cost > limits.budget:
        raise Invalid(
            f"budget={limits.budget} is less than the {cost} tokens that the block takes with its {len(lines)} "
            "constraints alone, which are never dropped; give a larger budget or pin less",
            code="budget_below_constraints",
        )
    return cost


def _rendered(lines: Mapping[Section, Sequence[_Line]], format_: ContextFormat) -> Rendered:
    def texts(section: Section) -> list[str]:
        kept = [line.text for line in lines[section] if line.fate is not Fate.DROPPED]
        return kept[::-1] if section is Section.TURNS else kept

    prefix = [(section.value, texts(section)) for section in PREFIX]
    return render(prefix, [(section.value, texts(section)) for section in TAIL], format_)


def _use(section: Section, lines: Sequence[_Line], shares: Mapping[Section, int]) -> SectionUse:
    dropped = sum(line.fate is Fate.DROPPED for line in lines)
    tokens = _tokens(lines)
    return SectionUse(section, shares.get(section, tokens), tokens, len(lines) - dropped, dropped)


def _trace(line: _Line) -> Trace:
    return Trace(
        section=line.item.section,
        id=line.item.id,
        fate=line.fate,
        tokens=line.tokens,
        reason=line.reason or ("never dropped" if line.item.section is Section.CONSTRAINTS else "fits"),
        episode_ids=line.item.episode_ids,
        fact_id=line.item.fact_id,
    )


def _tokens(lines: Iterable[_Line]) -> int:
    return sum(line.tokens for line in lines)
