"""Who holds which office, in a Chinese clause that begins with the office: 腾讯的CFO是李雷, 客户经理换成小赵了."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...kg.model import Mention, Value
from ...kg.ontology import Predicate
from ..lexicon import Lexicon
from ..sayings import Saying, Stance
from ..tokens import Word
from .phrases import Clause, Phrases
from .possessed import changed
from .subjects import LIGHT, Carried
from .triggers import ChineseTriggers, Match, Trigger
from .voice import Voice

_IS = ("是", "就是", "为")
_FROM = ("从", "由")
_DONE = ("了", "啦")
_OURS = frozenset({"我", "我们", "公司", "的"})


class Offices:
    """Reads the clauses of one sentence that say who holds an office of a firm, or that another holds it now."""

    def __init__(self, triggers: ChineseTriggers, phrases: Phrases, voice: Voice, lexicon: Lexicon) -> None:
        self._phrases, self._voice, self._zh = phrases, voice, lexicon.chinese
        self._roles = [t.predicate for t in triggers.verbs if t.before == "是" and t.predicate.literal == "role"]
        self._at = [predicate for noun, predicate in triggers.titles if noun == "<role>"]

    def sayings(self, clause: Clause, carried: Carried) -> Iterator[Saying]:
        """The office, and where it is. The firm may be that of the clause before: CTO是韩梅梅."""
        is_ = next((i for i, w in enumerate(clause.words) if w.text in _IS), 0)
        firm, role = self._office(clause.words[:is_], carried)
        holder = self._holder(clause.words[is_ + 1 :]) if is_ else None
        if role is None or firm is None or holder is None:
            yield from self._changed(clause, carried)
            return
        if any(w.text in self._zh.used_to for w in clause.words):
            return
        for predicate in self._roles:
            yield self._say(clause, is_, predicate, holder, role)
        for predicate in self._at:
            yield replace(self._say(clause, is_, predicate, holder, firm), implied=True)

    def _changed(self, clause: Clause, carried: Carried) -> Iterator[Saying]:
        """CEO(由张三)**换成**李四了."""
        first = next((i for i, w in enumerate(clause.words) if w.text in _FROM), len(clause.words))
        for start in range(1, len(clause.words)):
            end = changed(clause, start, self._zh.becomes)
            if end is None:
                continue
            firm, role = self._office(clause.words[: min(first, start)], carried)
            holder = self._holder([w for w in clause.words[end:] if w.text not in _DONE])
            former = self._holder(clause.words[first + 1 : start])
            if role is None or holder is None or (first < start and former is None):
                return
            for predicate in self._roles:
                if former is not None:
                    yield self._say(clause, start, predicate, former, role, Stance.ENDS)
                yield self._say(clause, start, predicate, holder, role, Stance.BEGINS)
            for predicate in self._at if firm is not None else ():
                assert firm is not None
                yield replace(self._say(clause, start, predicate, holder, firm), implied=True)
            return

    def _office(self, words: Sequence[Word], carried: Carried) -> tuple[Mention | None, Value | None]:
        words = [w for w in words if w.tag not in LIGHT or w.text == "的"]
        firm = carried.subject if isinstance(carried.subject, Mention) else None
        if words and words[0].tag == "ORG":
            firm = Mention(words[0].text, "Organization")
            words = words[1:]
        while words and words[0].text in _OURS:
            words = words[1:]
        known = firm is not None and firm.kind == "Organization"
        return firm if known else None, self._phrases.literal([w for w in words if w.text != "的"], "role")

    def _holder(self, words: Sequence[Word]) -> Mention | None:
        found = self._phrases.referent(words[0]) if len(words) == 1 else None
        return found if isinstance(found, Mention) and found.kind == "Person" else None

    def _say(
        self,
        clause: Clause,
        at: int,
        predicate: Predicate,
        holder: Mention,
        thing: Mention | Value,
        stance: Stance = Stance.HOLDS,
    ) -> Saying:
        match = Match(Trigger(predicate, stance, "是", ""), at, at + 1, at + 1)
        return self._voice.say(clause, match, holder, thing, stance)

    @staticmethod
    def heading(said: list[Saying], carried: Carried) -> Carried:
        """The firm, for the offices that follow."""
        firms = [s.object for s in said if s.implied and isinstance(s.object, Mention)]
        return Carried(firms[0]) if firms else carried
