"""Nouns that relate somebody to somebody or something in a Chinese clause: 我女儿叫小美, 我的邮箱从a改成b."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ...kg.model import PERSON, Mention, Value
from ...kg.ontology import Predicate
from ..lexicon import Lexicon
from ..sayings import Polarity, Pronoun, Referent, Saying, Stance, Tense
from ..tokens import Word
from .phrases import Clause, Phrases
from .subjects import LIGHT, NOBODY, Carried, Subjects, as_subject
from .triggers import ChineseTriggers, Match, Trigger
from .voice import Voice

COPULAS = ("就是", "是", "叫做", "名叫", "叫", "为", "：", ":")
_NAMING = ("叫", "叫做", "名叫")
_FROM = ("从", "由")
_ASKS = frozenset({"请", "麻烦", "帮我", "把", "将", "给"})
_NEW = frozenset({"新", "新的", "号", "号码", "的", "而", "应该"})
_IDENTIFIERS = ("email", "phone")


@dataclass(frozen=True, slots=True)
class _Topic:
    """What the clause before said to be new, or not so; the clause after it says how it is."""

    predicate: Predicate
    subject: Referent
    stance: Stance


class Possessions:
    """Reads the clauses of one sentence that say what is somebody's."""

    def __init__(
        self, triggers: ChineseTriggers, phrases: Phrases, subjects: Subjects, voice: Voice, lexicon: Lexicon
    ) -> None:
        self._triggers, self._phrases, self._subjects = triggers, phrases, subjects
        self._voice, self._zh = voice, lexicon.chinese
        self._topic: _Topic | None = None
        self._before: Referent | None = None

    def sayings(self, clause: Clause, carried: Carried) -> Iterator[Saying]:
        """What is somebody's, and what was before it."""
        topic, self._topic = self._topic, self._renewed(clause, carried)
        if topic is not None:
            match = Match(Trigger(topic.predicate, topic.stance, "", ""), 0, 0, len(clause.words))
            words = clause.words
            while words and (words[0].tag in ("d", "TIME", "c") or words[0].text in _NEW):
                words = words[1:]
            value = self._found(topic.predicate, words[1:] if words and words[0].text in COPULAS else words)
            if value is not None:
                yield self._voice.say(clause, match, topic.subject, value, topic.stance)
                return
        for noun, predicate in self._triggers.possessed:
            for start in range(len(clause.words)):
                end = clause.spelled(start, noun)
                said = [] if end is None else list(self._said(clause, carried, predicate, (start, end)))
                if said:
                    self._before = said[-1].subject
                    yield from said
                    return

    @staticmethod
    def heading(said: Sequence[Saying]) -> Carried:
        """Whom the next clause goes on about: a telephone number is seldom the only thing told of somebody."""
        last = said[-1]
        return Carried(last.subject, sure=False) if isinstance(last.object, Value) else NOBODY

    def _said(
        self, clause: Clause, carried: Carried, predicate: Predicate, noun: tuple[int, int]
    ) -> Iterator[Saying]:
        owner = self._owner(clause.words[: noun[0]], carried, predicate)
        if owner is None or (owner is Pronoun.PERSON and predicate.literal == "name"):
            return
        rest = clause.words[noun[1] :]
        linked = 0
        while linked < len(rest) and rest[linked].tag in ("d", "TIME"):
            linked += 1
        before, changed = self._changed(Clause(rest), linked) if linked < len(rest) else (linked, None)
        copula = linked < len(rest) and rest[linked].text in COPULAS
        bare = not linked and (predicate.object == "Person" or predicate.literal in _IDENTIFIERS)
        if not copula and changed is None and not bare:
            return
        words = rest[changed or linked + 1 :] if copula or changed else rest
        found = self._found(predicate, words)
        if found is None and copula and rest[linked].text in _NAMING and predicate.object == "Animal":
            found = _animal(words)
        subject = as_subject(owner, predicate)
        if found is None or subject is None or found == subject:
            return
        stance = Stance.HOLDS if changed is None else Stance.BEGINS
        spelled = "".join(clause.texts(*noun))
        match = Match(Trigger(predicate, stance, spelled, ""), *noun, len(clause.words))
        said = self._voice.say(clause, match, subject, found, stance)
        if not copula and changed is None and predicate.object == "Person":
            owned = clause.texts(0, noun[0])
            past = owned[-1:] == ["前"] or any(w in self._zh.used_to for w in owned)
            said = replace(said, reach=((),), tense=Tense.PAST if past else Tense.PRESENT)
        denied = any(w.text in self._zh.negations for w in rest[:linked])
        if denied:
            over = clause.words[-1].text == "了"
            said = replace(said, polarity=Polarity.NO_LONGER if over else Polarity.NEGATIVE)
            self._topic = _Topic(predicate, subject, Stance.HOLDS)
        former = self._found(predicate, rest[linked + 1 : before]) if before > linked else None
        if former is not None and former != subject:
            yield self._voice.say(clause, match, subject, former, Stance.ENDS)
        yield replace(said, kin=self._zh.kin.get(spelled, ""))

    def _found(self, predicate: Predicate, words: Sequence[Word]) -> Mention | Value | None:
        if predicate.object == "Value":
            return self._phrases.literal(words, predicate.literal)
        if predicate.object == "Thing":
            return next(iter(self._phrases.things(words, counted=False)), None)
        found = self._phrases.named(words, predicate.object, whole=False)
        return found if isinstance(found, Mention) else None

    def _owner(self, words: Sequence[Word], carried: Carried, predicate: Predicate) -> Referent | None:
        while words and words[0].text in _ASKS:
            words = words[1:]
        kept = [w for w in words if w.tag not in LIGHT and w.text not in ("的", "养", "有", "新", "最新")]
        if kept:
            return self._subjects.referent(kept)
        if predicate.object == PERSON and self._before is not None:
            return self._before
        told = isinstance(carried.subject, Mention) and predicate.literal in _IDENTIFIERS and not carried.far
        return carried.subject if carried.subject is Pronoun.SPEAKER or told else None

    def _changed(self, clause: Clause, at: int) -> tuple[int, int | None]:
        """Before which word the verb of a change stands, and after which the new value: "邮箱(从…)**改成**…"."""
        last = min(at + 8, len(clause.words)) if clause.words[at].text in _FROM else at + 1
        for start in range(at, last):
            end = changed(clause, start, self._zh.becomes)
            if end is not None:
                return start, end
        return at, None

    def _renewed(self, clause: Clause, carried: Carried) -> _Topic | None:
        """我**换手机号**了."""
        for noun, predicate in self._triggers.possessed:
            at = next((i for i, w in enumerate(clause.words) if w.text in ("换", "更换", "改")), None)
            if at is None or predicate.literal not in _IDENTIFIERS:
                continue
            start = at + 1 + (clause.texts(at + 1, at + 2) == ["了"])
            end = clause.spelled(start, noun)
            if end is None or any(w.text not in ("了", "啦") for w in clause.words[end:]):
                continue
            subject = self._subjects.before(clause, at, carried).subject
            fits = None if subject is None else as_subject(subject, predicate)
            return None if fits is None else _Topic(predicate, fits, Stance.BEGINS)
        return None


def changed(clause: Clause, start: int, becomes: Sequence[str]) -> int | None:
    """After which word the new value stands, when the verb of a change stands at ``start``."""
    end = max((e for verb in becomes if (e := clause.spelled(start, verb)) is not None), default=None)
    return None if end is None else end + (clause.texts(end, end + 1) == ["了"])


def _animal(words: Sequence[Word]) -> Mention | None:
    """年糕: an animal may be called by any word."""
    named = len(words) == 1 and words[0].tag in ("n", "a", "vn") and len(words[0].text) in (2, 3)
    return Mention(words[0].text, "Animal") if named else None
