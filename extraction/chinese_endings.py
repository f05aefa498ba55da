"""Ends that leave out what ends, and what firms do to people, in Chinese: 2022年离职了, 华为解雇了张伟."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..kg.model import Mention
from ..kg.ontology import Predicate
from .chinese_phrases import Clause, Phrases
from .chinese_subjects import Carried, Subjects, as_subject
from .chinese_triggers import BY, ChineseTriggers, Match, Trigger
from .chinese_voice import Voice
from .sayings import Polarity, Saying, Stance, Unsaid

_DONE = frozenset({"了", "啦", "掉", "掉了"})
_OCCASIONS = frozenset({"离开", "取消", "退出"})
"""One also leaves a meeting, and cancels it: not without a date, unless the same sentence says what ends."""
_DAYS = re.compile("[今昨前明]天|[今昨]晚|今早|刚才|(?:周|星期|礼拜)[一二三四五六日天]")
_CONFIDENCE = 0.8


class ChineseEndings:
    """Reads the clauses of one sentence that say of an end, and not of what; and those in which a firm hires or
    dismisses somebody, who else would be said to be hired by it."""

    def __init__(self, triggers: ChineseTriggers, phrases: Phrases, subjects: Subjects, voice: Voice) -> None:
        self._triggers, self._phrases, self._subjects = triggers, phrases, subjects
        self._voice = voice

    def sayings(self, clause: Clause, carried: Carried) -> Iterator[Saying]:
        """At most one."""
        yield from self._ended(clause, carried)
        yield from self._done(clause)

    def _ended(self, clause: Clause, carried: Carried) -> Iterator[Saying]:
        for words, predicates in self._triggers.endings.items():
            for start in range(len(clause.words)):
                end = clause.spelled(start, words)
                if end is None or any(w.text not in _DONE for w in clause.words[end:]):
                    continue
                subject = self._subjects.before(clause, start, carried).subject
                if subject is None:
                    return
                days = [w for w in clause.words[:start] if w.tag == "TIME"]
                vague = not days or any(_DAYS.search(d.text) for d in days)
                match = Match(Trigger(Predicate(name=predicates[0]), Stance.ENDS, words, ""), start, end, end)
                unsaid = Unsaid(predicates, near=words in _OCCASIONS and vague)
                saying = self._voice.say(clause, match, subject, unsaid, Stance.ENDS, _CONFIDENCE)
                if saying.polarity is Polarity.POSITIVE:
                    yield saying
                return

    def _done(self, clause: Clause) -> Iterator[Saying]:
        """华为**聘请了**张伟."""
        by = [t for t in self._triggers.verbs if t.before == BY]
        for trigger in by if BY not in clause.texts(0, len(clause.words)) else ():
            for start in range(1, len(clause.words)):
                end = clause.spelled(start, trigger.after)
                if end is None:
                    continue
                firm = self._phrases.named(clause.words[:start], trigger.predicate.object, whole=False)
                whom = [w for w in clause.words[end:] if w.text not in _DONE]
                person = self._phrases.referent(whom[0]) if len(whom) == 1 else None
                subject = None if person is None else as_subject(person, trigger.predicate)
                if isinstance(firm, Mention) and subject is not None:
                    match = Match(trigger, start, end, end)
                    yield self._voice.say(clause, match, subject, firm, trigger.stance)
                return
