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
    best: bool = False
    """The best hit of the question: it stands in the block whenever it fits, whatever the shares."""


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
    """The block. ``items`` come best first within their sections. What the profile holds is no fact besides; what
    it has no room for may be one.

    Raises ``Invalid`` when the constraints alone are more than the budget.
    """
    by_section: dict[Section, list[_Line]] = {section: [] for section in Section}
    for item in items:
        by_section[item.section].append(_Line(item, tokens=limits.count(item.text) + 1))
    room = limits.budget - _cost_of_constraints(by_section[Section.CONSTRAINTS], limits)
    shares = {section: int(room * share) for section, share in limits.shares.items()}
    _profile(by_section, shares[Section.PROFILE], limits)
    told = {line.item.id for line in by_section[Section.PROFILE] if line.fate is not Fate.DROPPED}
    by_section[Section.FACTS] = [line for line in by_section[Section.FACTS] if line.item.id not in told]
    lines = _shared(by_section, shares, limits)
    _within(lines, limits)
    _refill(lines, limits)
    rendered = _rendered(lines, limits.format)
    return Context(
        prefix=rendered.prefix,
        tail=rendered.tail,
        messages=rendered.messages,
        tokens=limits.count(rendered.text),
        budget=limits.budget,
        counter=getattr(limits.count, "__name__", type(limits.count).__name__),
        sections=tuple(_use(section, lines[section], shares) for section in Section),
        trace=tuple(_trace(line) for section in Section for line in lines[section]),
        question=question,
    )


def _profile(lines: dict[Section, list[_Line]], share: int, limits: Limits) -> None:
    """Fits it into its share, and with constraints and headings into the budget, whatever else there is."""
    lines[Section.PROFILE] = profile = fitted(lines[Section.PROFILE], share, limits.count)
    prefix = {section: lines[section] if section in PREFIX else [] for section in Section}
    for place in reversed(range(len(profile))):
        if limits.count(_rendered(prefix, limits.format).text) <= limits.budget:
            return
        profile[place] = _dropped(profile[place], _TOO_LONG)


def _shared(
    lines: Mapping[Section, Sequence[_Line]], shares: Mapping[Section, int], limits: Limits
) -> dict[Section, list[_Line]]:
    """The sections, each within its share and what is passed on to it. The best hit has its place first."""
    count = limits.count
    fit = {section: list(lines[section]) for section in PREFIX}
    heads = {section: list(lines[section][:1]) for section in TAIL}
    left = limits.budget - count(_rendered(fit | heads, limits.format).text) + sum(map(_tokens, heads.values()))
    best = next((_cheapest(line, count) for section in TAIL for line in lines[section] if line.item.best), None)
    if best is not None:
        alone = {section: [best] if section is best.item.section else [] for section in TAIL}
        best = best if count(_rendered(fit | alone, limits.format).text) <= limits.budget else None
    held = 0 if best is None else best.tokens
    mine = shares[Section.SESSIONS]
    fit[Section.SESSIONS] = fitted(lines[Section.SESSIONS], min(mine, left - held), count)
    spare = mine + shares[Section.PROFILE] - _tokens(fit[Section.SESSIONS]) - _tokens(fit[Section.PROFILE])
    left -= _tokens(fit[Section.SESSIONS])
    for section in (*_HEIRS, Section.FACTS, Section.SESSIONS):
        had, least = _tokens(fit.get(section, ())), 0
        mine = spare + (had if section in fit else shares[section])
        if best is not None and section is best.item.section:
            least, held = best.tokens, 0
        fit[section] = fitted(lines[section], max(least, min(mine, left + had - held)), count)
        took = _tokens(fit[section])
        left, spare = left + had - took, max(mine - took, 0)
    return fit


def fitted(lines: Sequence[_Line], room: int, count: TokenCounter) -> list[_Line]:
    """Lines that take at most ``room`` tokens: the least important are trimmed first, and dropped only when
    all are trimmed; but one that alone has no room, trimmed or not, goes before any."""
    result = [
        _dropped(line, _OVER) if line.tokens > room and _cheapest(line, count).tokens > room else line
        for line in lines
    ]
    total = _tokens(result)
    for place in reversed(range(len(result))):
        if total <= room:
            return result
        trimmed = _trimmed(result[place], count)
        if result[place].fate is Fate.KEPT and trimmed is not None:
            total += trimmed.tokens - result[place].tokens
            result[place] = trimmed
    for place in reversed(range(len(result))):
        if total <= room:
            break
        total -= result[place].tokens
        result[place] = _dropped(result[place], _OVER)
    return result


def _cheapest(line: _Line, count: TokenCounter) -> _Line:
    trimmed = _trimmed(line, count)
    return line if trimmed is None or trimmed.tokens >= line.tokens else trimmed


def _trimmed(line: _Line, count: TokenCounter) -> _Line | None:
    short = line.item.short
    return None if short is None else replace(line, fate=Fate.TRIMMED, reason=_OVER, tokens=count(short) + 1)


_OVER: Final = "over the section's share"
_TOO_LONG: Final = "over the budget with the headings"


def _dropped(line: _Line, reason: str) -> _Line:
    return replace(line, fate=Fate.DROPPED, reason=reason, tokens=0)


def _within(lines: dict[Section, list[_Line]], limits: Limits) -> None:
    """Headings and marks cost as well: lines go, the last ones first, until the block as it reads is inside the
    budget."""
    spare = not limits.shares[Section.SESSIONS]
    while limits.count(_rendered(lines, limits.format).text) > limits.budget:
        last = _last_line(lines, spare=spare)
        if last is None:
            return
        section, place = last
        line = lines[section][place]
        trimmed = _trimmed(line, limits.count) if line.item.best and line.fate is Fate.KEPT else None
        lines[section][place] = trimmed or _dropped(line, _TOO_LONG)


def _last_line(lines: Mapping[Section, Sequence[_Line]], *, spare: bool) -> tuple[Section, int] | None:
    """The least important line of the tail that is still there: of sessions that only had what was to ``spare``,
    then of the longest section; the best hit goes last."""
    there = {
        section: [n for n, line in enumerate(lines[section]) if line.fate is not Fate.DROPPED] for section in TAIL
    }
    others = {s: [n for n in places if not lines[s][n].item.best] for s, places in there.items()}
    for sections, left in (((Section.SESSIONS,) if spare else (), others), (TAIL, others), (TAIL, there)):
        if filled := [section for section in sections if left[section]]:
            longest = max(filled, key=lambda section: _tokens(lines[section]))
            return longest, left[longest][-1]
    return None


def _refill(lines: dict[Section, list[_Line]], limits: Limits) -> None:
    """Puts lines back that were dropped, whole or trimmed, as long as the block has room left: of each section the
    best first; what the profile has no room for is a fact as well, after those that were found."""
    facts = lines[Section.FACTS]
    found, there = len(facts), {line.item.id for line in facts}
    facts += [
        replace(line, item=replace(line.item, section=Section.FACTS))
        for line in lines[Section.PROFILE]
        if line.fate is Fate.DROPPED and line.item.id not in there
    ]
    room = limits.budget - limits.count(_rendered(lines, limits.format).text)
    back: list[tuple[Section, int, _Line]] = []
    for section, place, line in _dropped_lines(lines):
        whole = replace(line, fate=Fate.KEPT, reason="", tokens=limits.count(line.item.text) + 1)
        form = whole if whole.tokens <= room else _cheapest(whole, limits.count)
        if form.tokens <= room:
            back.append((section, place, form))
            room -= form.tokens
        if room <= 0:
            break
    while back and limits.count(_rendered(_with(lines, back), limits.format).text) > limits.budget:
        section, place, line = back.pop()
        if (form := _cheapest(line, limits.count)) is not line:
            back.append((section, place, form))
    lines |= _with(lines, back)
    lines[Section.FACTS] = [
        line for n, line in enumerate(lines[Section.FACTS]) if n < found or line.fate is not Fate.DROPPED
    ]


_REFILLED: Final = (Section.FACTS, Section.TURNS, Section.CONFLICTS, Section.OPEN, Section.SESSIONS)


def _dropped_lines(lines: Mapping[Section, Sequence[_Line]]) -> list[tuple[Section, int, _Line]]:
    """In the order in which they are put back, with their places."""
    return [
        (section, place, line)
        for section in _REFILLED
        for place, line in enumerate(lines[section])
        if line.fate is Fate.DROPPED
    ]


def _with(
    lines: Mapping[Section, Sequence[_Line]], back: Iterable[tuple[Section, int, _Line]]
) -> dict[Section, list[_Line]]:
    fuller = {section: list(some) for section, some in lines.items()}
    for section, place, line in back:
        fuller[section][place] = line
    return fuller


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
