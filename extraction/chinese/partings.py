"""Who is no more in a Chinese clause, and which animal ran away: 我的猫咪咪上周死了, 豆豆走丢了."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ...kg.model import Mention
from ...kg.ontology import Predicate
from ..kin import ANIMAL, LOSABLE, is_pair
from ..lexicon import Lexicon
from ..sayings import Pronoun, Referent, Saying, Stance, Unsaid
from .phrases import Clause, Phrases
from .subjects import Carried, Subjects, as_subject
from .triggers import ChineseTriggers, Match, Trigger
from .voice import Voice

DIES = ("死", "死掉", "去世", "过世", "病逝", "逝世", "离世", "不在人世")
_STRAYS = ("走丢", "走失", "跑丢", "丢", "跑掉", "送人", "送走")
GONE = (*(how for how in DIES if how != "死"), "死了", "走丢", "走失", "跑丢", "丢了", "跑掉", "送人", "送走")
"""What tells of somebody who is no more, or of an animal that is not there any more."""
_CONFIDENCE = 0.8


class ChinesePartings:
    """Reads the clauses of one sentence by which somebody is had no longer."""

    def __init__(
        self, triggers: ChineseTriggers, phrases: Phrases, subjects: Subjects, voice: Voice, lexicon: Lexicon
    ) -> None:
        self._phrases, self._subjects, self._voice, self._zh = phrases, subjects, voice, lexicon.chinese
        losable = [(n, p) for n, p in triggers.possessed if p.object in LOSABLE and not p.lasting]
        self._nouns = {n: p for n, p in losable if p.object == ANIMAL or is_pair(p)}
        self._names = tuple(dict.fromkeys(p.name for p in self._nouns.values()))
        self._pets = tuple(dict.fromkeys(p.name for p in self._nouns.values() if p.object == ANIMAL))
        either = "|".join(sorted(self._nouns, key=len, reverse=True))
        self._named = re.compile(
            rf"(?P<owner>.+?)(?:们?家)?的?(?P<noun>{either})(?P<name>.{{2,4}}|[A-Za-z]{{1,20}})"
        )
        either = "|".join((*DIES, *_STRAYS))
        self._animal: Mention | None = None
        self._over = re.compile(f"(?P<who>.*?)(?P<how>{either})(?:了|啦)+")

    def remember(self, said: Sequence[Saying]) -> None:
        """The animal that a clause names, for the next one: 我的狗叫豆豆，**去年死了**."""
        thing = said[-1].object if said else None
        self._animal = thing if isinstance(thing, Mention) and thing.kind == ANIMAL else None

    def sayings(self, clause: Clause, carried: Carried) -> Iterator[Saying]:
        """At most one."""
        animal, self._animal = self._animal, None
        kept = [w for w in clause.words if w.tag not in ("TIME", "p", "w") and (w.tag != "d" or w.text == "不")]
        over = self._over.fullmatch("".join(w.text for w in kept)) if kept and self._names else None
        if over is None or any(w in self._zh.negations for w in clause.texts(0, len(clause.words))):
            return
        rests = ("".join(clause.texts(i, len(clause.words))) for i in range(len(clause.words)))
        at = next((i for i, rest in enumerate(rests) if rest.startswith(over["how"])), 0)
        dies = over["how"] in DIES
        owned = self._named.fullmatch(over["who"])
        if owned is not None:
            predicate = self._nouns[owned["noun"]]
            owner = self._phrases.referent(clause.words[0])
            subject = None if owner is None else as_subject(owner, predicate)
            if subject is not None and (dies or predicate.object == ANIMAL):
                yield self._say(clause, at, predicate, subject, Mention(owned["name"], predicate.object))
            return
        who = self._subjects.before(clause, clause.first_verb, carried).subject or animal
        names = self._names if dies else self._pets
        if names and (isinstance(who, Mention) or (dies and who is Pronoun.PERSON)):
            unsaid = Unsaid(names, near=False, whom=True)
            yield self._say(clause, at, Predicate(name=names[0]), who, unsaid)

    def _say(
        self, clause: Clause, at: int, predicate: Predicate, subject: Referent, thing: Mention | Unsaid
    ) -> Saying:
        match = Match(Trigger(predicate, Stance.ENDS, "死", ""), at, at + 1, len(clause.words))
        return self._voice.say(clause, match, subject, thing, Stance.ENDS, _CONFIDENCE)
