"""Who holds which office, in a Chinese clause that begins with the office: 腾讯的CFO是李雷."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..kg.model import Mention, Value
from ..kg.ontology import Predicate
from .chinese_phrases import Clause, Phrases
from .chinese_subjects import LIGHT, Carried
from .chinese_triggers import ChineseTriggers, Match, Trigger
from .chinese_voice import Voice
from .lexicon import Lexicon
from .sayings import Saying, Stance

_IS = ("是", "就是", "为")


class Offices:
    """Reads the clauses of one sentence that say who holds an office of a firm."""

    def __init__(self, triggers: ChineseTriggers, phrases: Phrases, voice: Voice, lexicon: Lexicon) -> None:
        self._phrases, self._voice, self._lexicon = phrases, voice, lexicon
        self._roles = [t.predicate for t in triggers.verbs if t.before == "是" and t.predicate.literal == "role"]
        self._at = [predicate for noun, predicate in triggers.titles if noun == "<role>"]

    def sayings(self, clause: Clause, carried: Carried) -> Iterator[Saying]:
        """The office, and where it is. The firm may be that of the clause before: CTO是韩梅梅."""
        is_ = next((i for i, w in enumerate(clause.words) if w.text in _IS), 0)
        words = [w for w in clause.words[:is_] if w.tag not in LIGHT or w.text == "的"]
        firm = carried.subject if isinstance(carried.subject, Mention) else None
        if words and words[0].tag == "ORG":
            firm = Mention(words[0].text, "Organization")
            words = words[1:]
        role = self._phrases.literal([w for w in words if w.text != "的"], "role")
        holder = self._phrases.referent(clause.words[is_ + 1]) if len(clause.words) == is_ + 2 else None
        if role is None or firm is None or firm.kind != "Organization" or not isinstance(holder, Mention):
            return
        if holder.kind != "Person" or any(w.text in self._lexicon.chinese.used_to for w in clause.words):
            return
        for predicate in self._roles:
            yield self._say(clause, is_, predicate, holder, role)
        for predicate in self._at:
            yield replace(self._say(clause, is_, predicate, holder, firm), implied=True)

    def _say(
        self, clause: Clause, at: int, predicate: Predicate, holder: Mention, thing: Mention | Value
    ) -> Saying:
        match = Match(Trigger(predicate, Stance.HOLDS, "是", ""), at, at + 1, at + 1)
        return self._voice.say(clause, match, holder, thing, Stance.HOLDS)

    @staticmethod
    def heading(said: list[Saying], carried: Carried) -> Carried:
        """The firm, for the offices that follow."""
        firms = [s.object for s in said if s.implied and isinstance(s.object, Mention)]
        return Carried(firms[0]) if firms else carried
