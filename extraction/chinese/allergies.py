"""Allergies without 对, and illnesses without a verb, in a Chinese clause: 我花生过敏, 我妈高血压."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...kg.model import Mention, Modality
from ..ailments import CONDITION, chinese_ailment
from ..lexicon import Lexicon
from ..sayings import Kin, Polarity, Pronoun, Saying, Stance, Tense
from ..tokens import LATIN, Word
from .phrases import Clause, Phrases
from .subjects import LIGHT, Carried, Subjects, as_subject
from .triggers import ChineseTriggers, Match
from .voice import Voice

_REACTS = {"过敏": False, "过敏史": False, "不过敏": True}
"""The word of an allergy, and whether it denies one."""
_BEHIND = frozenset({"了", "啦", "的", "呢", "很", "非常", "特别", "挺", "得", "严重", "厉害", "者", "史"})
_BETWEEN = frozenset(
    {
        "会",
        "就",
        "就会",
        "也",
        "也会",
        "都",
        "都会",
        "容易",
        "有点",
        "有些",
        "有点儿",
        "有一点",
        "真的",
        "的",
        "了",
        "后",
        "以后",
    }
    | {
        "严重",
        "轻微",
        "轻度",
        "中度",
        "重度",
        "非常",
        "特别",
        "很",
        "比较",
        "因为",
        "是因为",
        "好像",
        "似乎",
        "可能",
        "应该",
    }
)
_TAKES = frozenset(
    {"吃", "喝", "碰", "接触", "闻", "闻到", "吃到", "碰到", "吃了", "喝了", "吃完", "喝完", "一吃", "一喝"}
)
_HAS = frozenset({"有", "患有", "没有", "没"})
_FOUND = frozenset({"说", "发现", "诊断", "确诊", "查出", "检查", "显示", "知道", "是", *_BETWEEN})
_LABEL = re.compile(
    "(?:我的?|本人)?(?:已知)?(?:药物|食物)?过敏(?:原|源|史|药物|食物)?(?:是|为|有|包括)?[：:]|我的过敏[原源]是"
)
_CANNOT = frozenset({"不能", "不可以", "不可", "不敢", "无法", "不", "也", "都", "一", "从来", "再"})
_NOMINAL = frozenset({"n", "nz", "nw", "vn", "ORG", LATIN})
_JOINERS = frozenset({"和", "、", "跟", "与", "以及", "还有"})
_PERSON_ENDINGS = ("人", "者", "员", "友", "们", "客", "师", "童")
_SURE, _UNSAID = 0.85, 0.7


class ChineseAllergies:
    """Reads the clauses of one sentence that say what somebody cannot have, or suffers from, by naming it."""

    def __init__(
        self,
        triggers: ChineseTriggers,
        phrases: Phrases,
        subjects: Subjects,
        voice: Voice,
        lexicon: Lexicon,
        *,
        alone: bool,
    ) -> None:
        """``alone``: a note that names nobody can only be about the speaker."""
        self._phrases, self._subjects, self._voice, self._alone = phrases, subjects, voice, alone
        zh = self._zh = lexicon.chinese
        self._reacts = next((t for t in triggers.verbs if t.after == "过敏"), None)
        self._ails = next((t for t in triggers.verbs if t.predicate.object == CONDITION), None)
        self._people = zh.persons | zh.kin.keys() | {"患者", "病人", "宝宝", "家人", "老师", "学生"}
        self._pets = {n for n, p in triggers.possessed if p.object == "Animal"}
        self._avoided: tuple[Carried, list[Mention]] | None = None

    def sayings(self, clause: Clause, carried: Carried) -> Iterator[Saying]:
        """What one clause says of allergies and of illnesses."""
        avoided, self._avoided = self._avoided, None
        at = next((i for i, w in enumerate(clause.words) if w.text in _REACTS), None)
        labelled = _LABEL.match("".join(w.text for w in clause.words))
        if labelled is not None and self._reacts is not None:
            yield from self._labelled(clause, labelled.end(), carried)
            return
        if at is None:
            self._avoided = self._what_is_avoided(clause, carried)
            yield from self._ailing(clause, None if avoided is None else avoided[0])
        elif self._reacts is not None and all(w.text in _BEHIND for w in clause.words[at + 1 :]):
            yield from self._allergic(clause, at, carried, avoided)

    def follow(self, said: Sequence[Saying]) -> None:
        """The next clause may go on with what somebody suffers from: 我有糖尿病，**高血压**."""
        ill = {t.predicate.name for t in (self._reacts, self._ails) if t is not None}
        if said and said[-1].predicate in ill and said[-1].polarity is Polarity.POSITIVE:
            self._avoided = (Carried(said[-1].subject), [])

    def _allergic(
        self, clause: Clause, at: int, carried: Carried, avoided: tuple[Carried, list[Mention]] | None
    ) -> Iterator[Saying]:
        denied = _REACTS[clause.words[at].text]
        stop = at
        while stop and (clause.words[stop - 1].text in _BETWEEN | self._zh.negations):
            stop -= 1
            denied = denied or clause.words[stop].text in self._zh.negations
        start = self._thing(clause.words, stop)
        things = self._phrases.things(clause.words[start:stop], counted=False)
        who, sure = self._who(clause, start, carried), _SURE
        theirs = stop == 1 and self._phrases.referent(clause.words[0]) is Pronoun.PERSON
        if avoided is not None and (stop == 0 or theirs):
            who, things = avoided
        topic = self._topic(clause.words[:stop]) if start == stop else 0
        if topic:
            things = self._phrases.things(clause.words[:topic], counted=False)
            who = self._who(Clause(clause.words[topic:]), stop - topic, carried)
        if who is None or any(t.name in self._zh.no_allergens for t in things):
            return
        if who.subject is None:
            who, sure = Carried(Pronoun.SPEAKER), _UNSAID
        denied = denied or any(w.text in self._zh.negations for w in clause.words[:start])
        yield from self._says(clause, at, who, things, denied=denied, confidence=sure)

    def _labelled(self, clause: Clause, end: int, carried: Carried) -> Iterator[Saying]:
        """过敏史：**青霉素、头孢**."""
        start, length = 0, 0
        while start < len(clause.words) and length < end:
            length += len(clause.words[start].text)
            start += 1
        things = self._phrases.things(clause.words[start:], counted=False)
        owner = self._phrases.referent(clause.words[0])
        who = Carried(owner) if owner is Pronoun.SPEAKER or carried.subject is None else carried
        who = who if who.subject is not None else Carried(Pronoun.SPEAKER if self._alone else None)
        if who.subject is not None and length == end:
            yield from self._says(clause, 0, who, things, denied=False, confidence=_UNSAID)

    def _says(
        self, clause: Clause, at: int, who: Carried, things: Sequence[Mention], *, denied: bool, confidence: float
    ) -> Iterator[Saying]:
        """An allergy is one of now, whatever helps it to break out: 吃芒果**会**过敏."""
        assert self._reacts is not None and who.subject is not None
        subject = as_subject(who.subject, self._reacts.predicate)
        for thing in things if subject is not None else ():
            assert subject is not None
            match = Match(self._reacts, at, at + 1, at + 1)
            said = self._voice.say(clause, match, subject, thing, Stance.HOLDS, confidence)
            polarity = Polarity.POSITIVE
            if denied:
                polarity = Polarity.NO_LONGER if clause.words[-1].text == "了" else Polarity.NEGATIVE
            tense = Tense.PAST if said.tense is Tense.PAST else Tense.PRESENT
            if said.modality is not Modality.HOPED:
                yield replace(
                    said, polarity=polarity, tense=tense, reach=() if tense is Tense.PRESENT else said.reach
                )

    def _thing(self, words: Sequence[Word], stop: int) -> int:
        """Where the nouns before ``stop`` begin, up to the person whose allergy it is."""
        start = stop
        while start and self._is_thing(words[start - 1]):
            start -= 1
        while start < stop and words[start].text in _JOINERS:
            start += 1
        own = words[start:stop]
        animals = bool(own) and own[0].text in self._pets and len(own) > 1 and own[1].text not in {"毛", *_JOINERS}
        return stop if animals or (own and own[0].text in ("家", *self._zh.vague)) else start

    def _topic(self, words: Sequence[Word]) -> int:
        """Up to where the thing stands first: **海鲜**我过敏."""
        who = next((i for i, w in enumerate(words) if self._phrases.referent(w) is Pronoun.SPEAKER), 0)
        return who if all(self._is_thing(w) for w in words[:who]) else 0

    def _is_thing(self, word: Word) -> bool:
        person = word.text in self._people or self._phrases.referent(word) in (Pronoun.SPEAKER, Pronoun.PERSON)
        person = person or word.text.endswith(_PERSON_ENDINGS)
        return (word.tag in _NOMINAL or word.text in _JOINERS) and not person

    def _who(self, clause: Clause, start: int, carried: Carried) -> Carried | None:
        """Whose allergy it is; None when the words before the thing say something else; of a subject None: it is
        left out, and can only be the speaker."""
        stop = start
        while stop and clause.words[stop - 1].text in _TAKES | _HAS | _BETWEEN | _CANNOT | self._zh.negations | {
            "对"
        }:
            stop -= 1
        before = clause.words[:stop]
        if any(w.tag in ("v", "vd") and w.text not in _FOUND for w in before):
            return None
        kept = [w for w in before if w.tag not in LIGHT and w.text != "自己"]
        if len(kept) == 1 and kept[0].text in self._zh.kin:
            owner = carried.subject if isinstance(carried.subject, Mention) else Pronoun.SPEAKER
            return Carried(Kin(owner, self._zh.kin[kept[0].text]))
        if not kept:
            return carried if carried.subject is not None else Carried(None) if self._alone else None
        found = self._subjects.before(Clause(tuple(kept)), len(kept), carried)
        return found if found.subject is not None and found is not carried else None

    def _what_is_avoided(self, clause: Clause, carried: Carried) -> tuple[Carried, list[Mention]] | None:
        """我不能吃**花生**, of which the next clause may say why: 会过敏."""
        takes = [i for i, w in enumerate(clause.words) if w.text in _TAKES]
        if not takes or any(w in self._zh.orders for w in clause.texts(0, takes[-1])):
            return None
        things = self._phrases.things(clause.words[takes[-1] + 1 :], counted=False)
        who = self._who(clause, takes[-1] + 1, carried)
        return None if who is None or who.subject is None else (who, things)

    def _ailing(self, clause: Clause, avoids: Carried | None) -> Iterator[Saying]:
        """我妈**高血压**; why somebody ``avoids`` something: 不能喝牛奶，**乳糖不耐**."""
        words = list(clause.words)
        while words and (words[-1].tag in ("TIME", "xc", "y") or words[-1].text == "了"):
            words.pop()
        for start in range(0 if avoids else 1, len(words)):
            name = chinese_ailment("".join(w.text for w in words[start:]), self._zh.ailments)
            before = [w for w in words[:start] if w.tag not in LIGHT and w.text != "对"]
            if name is None or words[start].tag in LIGHT or self._ails is None:
                continue
            who = self._subjects.referent(before) if start or avoids is None else avoids.subject
            if len(before) == 1 and before[0].text in self._zh.kin:
                who = Kin(Pronoun.SPEAKER, self._zh.kin[before[0].text])
            negated = any(w.text in self._zh.negations or w.text == "的" for w in words[:start])
            if who is not None and not negated and (subject := as_subject(who, self._ails.predicate)) is not None:
                match = Match(self._ails, start, start, len(words))
                yield self._voice.say(clause, match, subject, Mention(name, CONDITION), Stance.HOLDS)
            return
