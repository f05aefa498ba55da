"""The ontology's Chinese triggers, and where they match in a clause."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...kg.ontology import Ontology, Predicate
from ..sayings import Stance
from ..tokens import Word
from .phrases import Clause

GAP = "…"
BY = "被"
_TO_A_VERB = (BY, "从", "和", "跟", "与")
"""By whom something is done stands behind it."""


@dataclass(frozen=True, slots=True)
class Trigger:
    predicate: Predicate
    stance: Stance
    before: str
    after: str
    """What follows the gap; empty: the object simply follows."""


@dataclass(slots=True)
class ChineseTriggers:
    """The ontology's Chinese triggers, longest first."""

    verbs: list[Trigger] = field(default_factory=list)
    words: frozenset[str] = frozenset()
    """The verbs themselves."""
    shared: set[tuple[str, str]] = field(default_factory=set)
    """Triggers that say something about organisations as well as about places: "离开"."""
    possessed: list[tuple[str, Predicate]] = field(default_factory=list)
    titles: list[tuple[str, Predicate]] = field(default_factory=list)
    values: list[tuple[str, Predicate]] = field(default_factory=list)
    endings: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """The predicates that words end by themselves, longest first, what ends being left out: 离职, 被裁."""
    counting: dict[str, Predicate] = field(default_factory=dict)
    """What is said in numbers without a unit of its own, by name: counts and ages."""

    @classmethod
    def of(cls, ontology: Ontology) -> ChineseTriggers:
        found = cls(counting={p.name: p for p in ontology.predicates if p.literal in ("count", "age")})
        for predicate in (p for p in ontology.predicates if not p.in_figures):
            for stance in Stance:
                for words in getattr(predicate.zh, stance.value):
                    before, _, after = words.partition(GAP)
                    found.verbs.append(Trigger(predicate, stance, before, after))
            found.possessed.extend((n, predicate) for n in predicate.zh.possessed)
            found.titles.extend((n, predicate) for n in predicate.zh.titles)
            found.values.extend((n, predicate) for n in predicate.zh.values)
        kinds: dict[tuple[str, str], set[str]] = {}
        for trigger in found.verbs:
            kinds.setdefault((trigger.before, trigger.after), set()).add(trigger.predicate.object)
        found.shared = {words for words, k in kinds.items() if {"Organization", "Place"} <= k}
        found.words = frozenset(t.before or t.after for t in found.verbs)
        found.verbs.sort(key=lambda t: -len(t.before) - len(t.after))
        found.endings = found._endings()
        for nouns in (found.possessed, found.titles, found.values):
            nouns.sort(key=lambda n: -len(n[0]))
        return found

    def _endings(self) -> dict[str, tuple[str, ...]]:
        """Every way to say an end without what ends; a word that goes on to what follows (升级) says none."""
        begins = [t.before for t in self.verbs if t.stance is Stance.BEGINS]
        found: dict[str, dict[str, None]] = {}
        ending = (t for t in self.verbs if t.stance is Stance.ENDS and (not t.after or t.before in _TO_A_VERB))
        for trigger in ending:
            words = (f"{BY if trigger.before == BY else ''}{trigger.after}" or trigger.before).removesuffix("了")
            if not any(b.startswith(words) for b in begins):
                found.setdefault(words, {})[trigger.predicate.name] = None
        return {words: tuple(found[words]) for words in sorted(found, key=lambda w: (-len(w), w))}


@dataclass(frozen=True, slots=True)
class Match:
    trigger: Trigger
    start: int
    """Index of the trigger's first word in the clause."""
    end: int
    """Index after the last word of its first part: where the object begins."""
    stop: int
    """Index after everything it covers."""


def matches(clause: Clause, triggers: ChineseTriggers) -> list[Match]:
    """Triggers in the clause, left to right; a longer one hides the shorter ones it covers, except that
    one trigger may serve several predicates."""
    found: list[Match] = []
    for trigger in triggers.verbs:
        for start in range(len(clause.words)):
            end = clause.spelled(start, trigger.before)
            if end is None:
                continue
            match = _gapped(clause, trigger, start, end)
            if match is None:
                continue
            hidden = any(
                m.start < match.end
                and match.start < m.end
                and (m.start, m.stop) != (match.start, match.stop)
                and len(m.trigger.before + m.trigger.after) > len(trigger.before + trigger.after)
                for m in found
            )
            if not hidden:
                found.append(match)
    return sorted(found, key=lambda m: (m.start, m.stop))


def _gapped(clause: Clause, trigger: Trigger, start: int, end: int) -> Match | None:
    if not trigger.before and start > 0:
        return None
    if not trigger.after:
        return Match(trigger, start, end, end)
    for later in range(end + 1, min(len(clause.words), end + 8)):
        stop = clause.spelled(later, trigger.after)
        if stop is not None:
            return Match(trigger, start, end, stop)
    return None


def spelling(clause: Clause, stop: int, text: str) -> list[Word]:
    """The words before ``stop`` that spell ``text``."""
    found: list[Word] = []
    length = 0
    while length < len(text):
        word = clause.words[stop - 1 - len(found)]
        found.append(word)
        length += len(word.text)
    return found
