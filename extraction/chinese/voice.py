"""How a Chinese clause says what it says: its polarity, tense and modality, and the saying made of them."""

from __future__ import annotations

import re

from ...kg.model import Modality, Value
from ...temporal.rules import Cardinality, PredicateKind
from ..lexicon import Lexicon
from ..sayings import Polarity, Referent, Saying, Stance, Tense, Unsaid
from .phrases import Clause
from .subjects import LIGHT
from .tenses import is_ahead, is_back_then, is_past, may_be_over
from .triggers import Match, spelling

_WHEN = ("时", "时候", "的时候", "之前", "之后", "以前", "以后")
_SOMEBODY_SAID = re.compile("[^我](?:说|表示|称|透露|提到|认为|觉得)(?!话|是|错)")

SURE = {Stance.HOLDS: 0.85, Stance.BEGINS: 0.9, Stance.ENDS: 0.9}
"""How sure what a trigger says is."""
UNSURE = 0.15
"""How much less sure it is when the subject is not plainly the clause's own."""


_NEAR = 4
_LIGHT = LIGHT | {"r", "PER"}
_AUXILIARIES = frozenset({"会", "能", "要", "去", "来", "自己"})
_EITHER = frozenset({"或", "或者", "还是", "或是"})
_BUT = re.compile("其实|但是?|不过|实际上|事实上")
_THINKING = frozenset({"是", "算", "觉得", "认为", "想", "打算", "准备", "计划", "可以", "再", "有"})


class Voice:
    """Makes the sayings of one sentence."""

    def __init__(self, text: str, lexicon: Lexicon) -> None:
        self._text, self._lexicon = text, lexicon

    def say(
        self,
        clause: Clause,
        match: Match,
        subject: Referent,
        found: Value | Referent | Unsaid,
        stance: Stance,
        confidence: float | None = None,
    ) -> Saying:
        """What the match says of its two sides; ``confidence`` is by the stance unless given."""
        predicate = match.trigger.predicate
        tense, modality = self.tense(clause, match)
        if confidence is None:
            confidence = SURE[stance]
        return Saying(
            predicate=predicate.name,
            stance=stance,
            subject=subject,
            object=found,
            tense=tense,
            polarity=self.polarity(clause, match),
            modality=modality,
            event=predicate.kind is PredicateKind.EVENT,
            lasting=predicate.lasting,
            background=clause.words[-1].text in _WHEN
            or clause.words[0].text == "当"
            or is_back_then(clause, match, self._text, self._lexicon.chinese),
            at=clause.words[match.start].start,
            quote=(0, len(self._text)),
            reach=((clause.span,),),
            confidence=round(confidence, 2),
        )

    def is_unreal(self, clause: Clause, match: Match) -> bool:
        """Whether what stands before the match leaves open if it is so, or says that it never was: 拒绝加入."""
        zh = self._lexicon.chinese
        near = "".join(clause.texts(max(0, match.start - _NEAR), match.start))
        if any(u in near for u in zh.unclear) or may_be_over(clause, match, self._text, zh):
            return True
        after = clause.texts(match.stop, len(clause.words))
        if match.trigger.stance is Stance.ENDS and any(t in after for t in zh.trips):
            return True
        now_and_then = any(w in zh.sometimes for w in clause.texts(0, match.start))
        one = match.trigger.predicate.cardinality is Cardinality.ONE and match.trigger.stance is Stance.HOLDS
        if any(w in _EITHER for w in after) or (one and now_and_then):
            return True
        people = zh.persons | zh.kin.keys()
        for start in range(match.start):
            for words in zh.unreal:
                end = clause.spelled(start, words)
                between = () if end is None else clause.words[end : match.start]
                if (
                    end is not None
                    and end <= match.start
                    and all(w.tag in _LIGHT or w.text in people or w.text in _AUXILIARIES for w in between)
                ):
                    return True
        return False

    def polarity(self, clause: Clause, match: Match) -> Polarity:
        zh = self._lexicon.chinese
        before = "".join(clause.texts(max(0, match.start - _NEAR), match.start))
        ended = clause.words[-1].text in ("了", "啦")
        if any(n in before for n in zh.no_longers):
            return Polarity.NO_LONGER
        if any(n in before for n in zh.nevers):
            return Polarity.NEVER
        near = [*_governing(clause, match.start), *_gap(clause, match)]
        if any(w in zh.negations for w in near):
            return Polarity.NO_LONGER if ended and match.trigger.stance is Stance.HOLDS else Polarity.NEGATIVE
        return Polarity.POSITIVE

    def tense(self, clause: Clause, match: Match) -> tuple[Tense, Modality]:
        zh = self._lexicon.chinese
        before = clause.texts(0, match.start)
        joined = "".join(before)
        modality = Modality.ASSERTED
        said = _BUT.split(self._text[: clause.words[match.start].start])[-1]
        reported = any(r in said for r in zh.reports) or _SOMEBODY_SAID.search(said)
        if reported and not any(e in said for e in zh.experts):
            modality = Modality.REPORTED
        elif any(h in joined for h in zh.hedges):
            modality = Modality.HEDGED
        if any(w in zh.hopes for w in before):
            return Tense.FUTURE, Modality.HOPED
        changes = match.trigger.stance is not Stance.HOLDS
        if any(w in zh.plans or (changes and w == "不会") for w in before):
            return Tense.FUTURE, modality
        if is_ahead(clause, match, self._text):
            return Tense.FUTURE, modality
        after = clause.texts(match.stop, len(clause.words))
        if is_past(clause, match, self._text, zh) or "过" in after[:1] or after[-1:] == ["过"]:
            return Tense.PAST, modality
        return Tense.UNMARKED, modality


def _governing(clause: Clause, stop: int) -> list[str]:
    """The words before ``stop`` that may deny it, back to a verb that would be denied itself: 没**说**我住在."""
    found: list[str] = []
    for word in reversed(clause.words[max(0, stop - _NEAR) : stop]):
        found.append(word.text)
        if word.tag == "v" and word.text not in _AUXILIARIES | _THINKING:
            break
    return found


def _gap(clause: Clause, match: Match) -> list[str]:
    """The words inside a trigger with a gap: 对**花生不**过敏."""
    after = match.trigger.after
    return clause.texts(match.end, match.stop - len(spelling(clause, match.stop, after))) if after else []
