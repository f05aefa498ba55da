"""Where somebody works or lives, said without the verb for it: 李明在阿里, 我不在腾讯了, 我在成都住了五年了."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ...kg.model import Mention
from ..lexicon import Lexicon
from ..sayings import Polarity, Referent, Saying, Stance
from ..tokens import Word
from .phrases import Clause, Phrases
from .subjects import LIGHT, Carried, Subjects, as_subject
from .triggers import ChineseTriggers, Match, Trigger
from .voice import Voice

_DONE = frozenset({"了", "啦"})
_GOES = frozenset({"去", "去了", "到", "到了", "加入", "跳去"})
_NOW = frozenset({"现在", "目前", "如今", "今年", "去年", "最近"})
_LEAVES = re.compile("(?:换了?(?:公司|工作|单位|东家)|离职|辞职|跳槽)了?$")
_LASTING = re.compile("[一二三四五六七八九十两\\d]+(?:年|个月)")
_LIVING = "在…居住"
_CONFIDENCE = 0.75


class Whereabouts:
    """Reads the clauses of one sentence that say no more than where somebody is."""

    def __init__(
        self, triggers: ChineseTriggers, phrases: Phrases, subjects: Subjects, voice: Voice, lexicon: Lexicon
    ) -> None:
        self._phrases, self._subjects, self._voice, self._zh = phrases, subjects, voice, lexicon.chinese
        self._works = next((p for noun, p in triggers.titles if noun == "<role>"), None)
        self._lives = next((t.predicate for t in triggers.verbs if f"{t.before}…{t.after}" == _LIVING), None)
        self._left: Referent | None = None

    def sayings(self, clause: Clause, carried: Carried) -> Iterator[Saying]:
        """At most one."""
        left, self._left = self._left, None
        at = next((i for i, w in enumerate(clause.words) if w.text == "在" and w.tag in ("p", "v")), None)
        if at is not None:
            yield from self._at_work(clause, at, carried)
            yield from self._at_home(clause, at, carried)
        elif left is not None:
            yield from self._gone(clause, left)
        else:
            self._left = self._leaves(clause, carried)

    def _at_work(self, clause: Clause, at: int, carried: Carried) -> Iterator[Saying]:
        """李明(现在)**在阿里**; where one might be a guest, nothing."""
        who = self._subjects.before(clause, at, carried)
        behind = [w for w in clause.words[at + 1 :] if not _LASTING.fullmatch(w.text)]
        lasting = len(behind) < len(clause.words) - at - 1
        times = [w.text for w in clause.words[: at + 1] if w.tag == "TIME"]
        others = any(w.tag in ("v", "vd") for w in clause.words[:at])
        if self._works is None or who.subject is None or others or any(t not in _NOW for t in times):
            return
        over = clause.words[-1].text in _DONE
        firm = self._firm(behind) if over or not lasting else None
        subject = as_subject(who.subject, self._works)
        if firm is None or subject is None:
            return
        said = self._say(clause, at, subject, firm, Stance.HOLDS)
        if over and said.polarity is Polarity.NO_LONGER:
            self._left = who.subject
            yield said
        elif said.polarity is Polarity.POSITIVE:
            yield said

    def _leaves(self, clause: Clause, carried: Carried) -> Referent | None:
        """Who has **changed jobs**: the next clause may say where they are now."""
        text = "".join(w.text for w in clause.words if w.tag != "TIME" and w.text not in ("已经", "刚"))
        if _LEAVES.search(text) is None or any(
            w in self._zh.negations for w in clause.texts(0, len(clause.words))
        ):
            return None
        return self._subjects.before(clause, clause.first_verb, carried).subject

    def _gone(self, clause: Clause, subject: Referent) -> Iterator[Saying]:
        """我不在腾讯了，**去了阿里**."""
        words = [w for w in clause.words if w.tag not in LIGHT]
        firm = self._firm(words[1:]) if words and words[0].text in _GOES else None
        if firm is not None:
            at = clause.words.index(words[0])
            yield self._say(clause, at, subject, firm, Stance.BEGINS)

    def _at_home(self, clause: Clause, at: int, carried: Carried) -> Iterator[Saying]:
        """我**在成都住**了五年**了**: up to now."""
        stays = next((i for i, w in enumerate(clause.words) if w.text in ("住", "住了") and i > at), None)
        if stays is None or self._lives is None or clause.words[-1].text not in _DONE:
            return
        behind = [w for w in clause.words[stays + 1 :] if w.text not in _DONE]
        years = len(behind) == 1 and behind[0].tag in ("TIME", "m") and behind[0].text.endswith(("年", "个月"))
        who = self._subjects.before(clause, at, carried)
        place = self._phrases.named(clause.words[at + 1 : stays], "Place", whole=True)
        subject = None if who.subject is None else as_subject(who.subject, self._lives)
        if years and isinstance(place, Mention) and subject is not None:
            match = Match(Trigger(self._lives, Stance.HOLDS, "在", "住"), at, at + 1, stays + 1)
            yield self._voice.say(clause, match, subject, place, Stance.HOLDS)

    def _firm(self, words: Sequence[Word]) -> Mention | None:
        """The firm that the words are, when nobody but its people says to be there."""
        words = [w for w in words if w.text not in _DONE]
        named = self._phrases.named(words, "Organization", whole=True) if words else None
        if not isinstance(named, Mention) or named.name.endswith(tuple(self._zh.shops)):
            return None
        known = words[0].tag == "ORG" or words[0].text in self._zh.firms
        return named if known or named.name.endswith(self._zh.organization_endings) else None

    def _say(self, clause: Clause, at: int, subject: Referent, firm: Mention, stance: Stance) -> Saying:
        assert self._works is not None
        match = Match(Trigger(self._works, stance, "在", ""), at, at + 1, at + 1)
        return self._voice.say(clause, match, subject, firm, stance, _CONFIDENCE)
