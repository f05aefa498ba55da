"""How a Chinese clause says what it says: its polarity, tense and modality, and the saying made of them."""

from __future__ import annotations

import re

from ..kg.model import Modality, Value
from ..temporal.rules import PredicateKind
from .chinese_phrases import Clause
from .chinese_triggers import Match
from .lexicon import Lexicon
from .sayings import Polarity, Referent, Saying, Stance, Tense, Unsaid

_WHEN = ("时", "时候", "的时候", "之前", "之后", "以前", "以后")
_SOMEBODY_SAID = re.compile("[^我](?:说|表示|称|透露|提到|认为|觉得)(?!话|是)")

SURE = {Stance.HOLDS: 0.85, Stance.BEGINS: 0.9, Stance.ENDS: 0.9}
"""How sure what a trigger says is."""
UNSURE = 0.15
"""How much less sure it is when the subject is not plainly the clause's own."""


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
            background=clause.words[-1].text in _WHEN or clause.words[0].text == "当",
            at=clause.words[match.start].start,
            quote=(0, len(self._text)),
            reach=((clause.span,),),
            confidence=round(confidence, 2),
        )

    def polarity(self, clause: Clause, match: Match) -> Polarity:
        zh = self._lexicon.chinese
        before = "".join(clause.texts(max(0, match.start - 4), match.start))
        ended = clause.words[-1].text in ("了", "啦")
        if any(n in before for n in zh.no_longers):
            return Polarity.NO_LONGER
        if any(n in before for n in zh.nevers):
            return Polarity.NEVER
        near = clause.texts(max(0, match.start - 3), match.start)
        if any(w in zh.negations for w in near):
            return Polarity.NO_LONGER if ended and match.trigger.stance is Stance.HOLDS else Polarity.NEGATIVE
        return Polarity.POSITIVE

    def tense(self, clause: Clause, match: Match) -> tuple[Tense, Modality]:
        zh = self._lexicon.chinese
        before = clause.texts(0, match.start)
        joined = "".join(before)
        modality = Modality.ASSERTED
        said = self._text[: clause.words[match.start].start]
        reported = any(r in said for r in zh.reports) or _SOMEBODY_SAID.search(said)
        if reported and not any(e in said for e in zh.experts):
            modality = Modality.REPORTED
        elif any(h in joined for h in zh.hedges):
            modality = Modality.HEDGED
        if any(w in zh.hopes for w in before):
            return Tense.FUTURE, Modality.HOPED
        if any(w in zh.plans for w in before):
            return Tense.FUTURE, modality
        after = clause.texts(match.stop, len(clause.words))
        if (
            any(w in zh.used_to for w in clause.texts(0, len(clause.words)))
            or "过" in after[:1]
            or after[-1:] == ["过"]
        ):
            return Tense.PAST, modality
        return Tense.UNMARKED, modality
