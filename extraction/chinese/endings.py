"""Ends that leave out what ends, and what firms do to people, in Chinese: 2022年离职了, 华为解雇了张伟."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ...kg.model import Mention
from ...kg.ontology import Predicate
from ..lexicon import Lexicon
from ..sayings import Polarity, Saying, Stance, Unsaid
from .phrases import Clause, Phrases
from .subjects import Carried, Subjects, as_subject
from .triggers import BY, ChineseTriggers, Match, Trigger
from .voice import Voice

_DONE = frozenset({"了", "啦", "掉", "掉了"})
_OCCASIONS = frozenset({"离开", "取消", "退出"})
"""One also leaves a meeting, and cancels it: not without a date, unless the same sentence says what ends."""
_DAYS = re.compile("[今昨前明]天|[今昨]晚|今早|刚才|(?:周|星期|礼拜)[一二三四五六日天]")
_WITH = frozenset({"和", "跟", "与"})
_SUBSCRIPTIONS = frozenset({"会员", "订阅", "套餐"})
_OVER = frozenset({"退订", "到期", "过期", "失效", "取消", "退", "退掉", "停", "停掉", "已到期", "已过期"})
_CONFIDENCE = 0.8


class ChineseEndings:
    """Reads the clauses of one sentence that say of an end, and not of what; and those in which a firm hires or
    dismisses somebody, who else would be said to be hired by it."""

    def __init__(
        self, triggers: ChineseTriggers, phrases: Phrases, subjects: Subjects, voice: Voice, lexicon: Lexicon
    ) -> None:
        self._triggers, self._phrases, self._subjects = triggers, phrases, subjects
        self._voice, self._zh = voice, lexicon.chinese

    def sayings(self, clause: Clause, carried: Carried) -> Iterator[Saying]:
        """At most one."""
        yield from self._ended(clause, carried)
        yield from self._expired(clause, carried)
        yield from self._done(clause)

    def _ended(self, clause: Clause, carried: Carried) -> Iterator[Saying]:
        for words, predicates in self._triggers.endings.items():
            for start in range(len(clause.words)):
                end = clause.spelled(start, words) or self._by_whom(clause, start, words)
                if end is None or any(w.text not in _DONE for w in clause.words[end:]):
                    continue
                stop = start - self._with_whom(clause, start, predicates)
                subject = self._subjects.before(clause, stop, carried).subject
                if subject is None and self._is_of_two(words):
                    subject = self._subjects.jointly(clause, stop).subject
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

    def _is_of_two(self, words: str) -> bool:
        """我们**分手**了: it takes the other, too."""
        return any(t.after == words and t.before in _WITH for t in self._triggers.verbs)

    def _by_whom(self, clause: Clause, start: int, words: str) -> int | None:
        """被**公司**开除."""
        firm = words.startswith(BY) and "".join(clause.texts(start + 1, start + 2)) in self._zh.employers
        return (
            clause.spelled(start + 2, words.removeprefix(BY)) if firm and clause.words[start].text == BY else None
        )

    def _with_whom(self, clause: Clause, start: int, predicates: Sequence[str]) -> int:
        """How many words say from whom: 我**和(我)女朋友**分手了, which is not of both of them."""
        nouns = {noun for noun, predicate in self._triggers.possessed if predicate.name in predicates}
        whom = clause.texts(max(0, start - 3), start)
        if not whom or whom[-1] not in nouns:
            return 0
        before = whom[:-1][::-1]
        return next((i + 2 for i, word in enumerate(before) if word in _WITH and before[:i] in ([], ["我"])), 0)

    def _expired(self, clause: Clause, carried: Carried) -> Iterator[Saying]:
        """我的(Netflix)**会员到期了**, 我**取消了会员**."""
        at = next((i for i, w in enumerate(clause.words) if w.text in _SUBSCRIPTIONS), None)
        predicates = self._triggers.endings.get("退订", ())
        if at is None or not predicates:
            return
        behind = [
            w.text for w in clause.words[at + 1 :] if w.tag not in ("TIME", "d", "p") and w.text not in _DONE
        ]
        before = [w for w in clause.words[:at] if w.text not in ("的", "了")]
        product = self._phrases.named(before[-1:], "Product", whole=True)
        own = before[:-1] if product is not None and before[-1].tag != "PER" else before
        acted = not behind and bool(own) and own[-1].text in _OVER and "了" in clause.texts(0, at)
        owners = own[:-1] if acted else own
        who = self._subjects.before(Clause((*owners, clause.words[at])), len(owners), carried).subject
        over = clause.words[-1].text in _DONE or any(w.tag == "TIME" for w in clause.words)
        if who is None or not (acted or ("".join(behind) in _OVER and over)):
            return
        found: Unsaid | Mention = Unsaid(predicates, near=False)
        trigger = Trigger(Predicate(name=predicates[0]), Stance.ENDS, "到期", "")
        if len(own) < len(before) and isinstance(product, Mention):
            of_it = (t for t in self._triggers.verbs if t.before == "退订" and t.predicate.object == "Product")
            found, trigger = product, next(of_it, trigger)
        said = self._voice.say(clause, Match(trigger, at, at + 1, at + 1), who, found, Stance.ENDS, _CONFIDENCE)
        if said.polarity is Polarity.POSITIVE:
            yield said

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
