"""Who a Chinese clause is about: what stands before its verb, else the subject of the clause before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...kg.model import Mention
from ...kg.ontology import Predicate
from ..lexicon import Lexicon
from ..sayings import Kin, Pronoun, Referent
from ..tokens import LATIN, Word
from .phrases import Clause, Phrases

LIGHT = frozenset({"d", "ad", "c", "u", "xc", "TIME", "w", "m", "q", "f"})
_SOMEBODY = ("人", "同学", "同事", "者")
_NOUNS = frozenset({"n", "nz", "nr", "PER", "ORG", "LOC", "s", LATIN})
_WHEN = frozenset({"时候", "时", "期间", "日子", "同时", "前提", "情况", "过程", "话"})
_OURS = frozenset({"公司", "团队", "单位", "部门", "这边", "把", "套餐", "的"})
_DEGREES = frozenset({"没", "那么", "这么", "怎么", "太"})
_DOINGS = LIGHT | {"v", "vn"}
_AND = frozenset({"和", "跟", "与", "同", "及"})
_BETWEEN = frozenset({"到", "至", "开始", "起"})


@dataclass(frozen=True, slots=True)
class Carried:
    """The subject that the next clause takes when it names none, and how sure it is. ``far``: it comes from
    another sentence; ``other``: the clause spoke of something else besides, which may be what a name is of;
    ``alone``: a note without a subject can only be about the speaker."""

    subject: Referent | None
    sure: bool = True
    far: bool = False
    other: bool = False
    alone: bool = False


NOBODY = Carried(None)


class Subjects:
    """Reads the subjects of one sentence's clauses."""

    def __init__(self, phrases: Phrases, lexicon: Lexicon) -> None:
        self._phrases, self._lexicon = phrases, lexicon

    def before(self, clause: Clause, stop: int, carried: Carried) -> Carried:
        """Who stands before the word ``stop``; the carried one when nobody does; None when it is somebody or
        something else."""
        zh = self._lexicon.chinese
        skip = {*zh.used_to, *zh.hopes, *zh.plans, *zh.hedges, *zh.reports, *_BETWEEN, *_DEGREES}
        words = _without_prepositions(clause.words[:stop])
        head = self._head(words)
        if head:
            return Carried(self.referent(head), sure=False)
        beside = next((i for i, w in enumerate(words) if i and w.text in _AND and w.tag == "c"), None)
        if beside is not None and not any(w.tag in ("v", "vd") for w in words):
            return Carried(self.referent([w for w in words[:beside] if w.tag not in LIGHT]), sure=False)
        meant = next((i for i, w in enumerate(words) if w.tag == "v" and w.text in {*zh.hopes, *zh.plans}), 0)
        if meant and all(w.tag in _DOINGS for w in words[meant + 1 :]):
            words = words[:meant]
        words = [w for w in words if w.tag not in LIGHT and w.text not in skip]
        verbs = [i for i, w in enumerate(words) if w.tag in ("v", "vd")]
        record = None if verbs else self._phrases.record(clause.words[:stop])
        if record is not None:
            return Carried(record)
        if verbs:
            verb, after = words[verbs[-1]].text, words[verbs[-1] + 1 :]
            words = words[: verbs[0]]
            if verb not in zh.companions | zh.replacing:
                found = self.referent(after)
                if found is not None:
                    return Carried(found, sure=False)
                if any(w.tag in ("r", "PER") for w in after):
                    return NOBODY
                if after and self._is_person(after[-1], presented=verb in zh.presenting):
                    return Carried(self._kin(words, after) if verb == "有" else None, sure=False)
        if not words:
            return carried
        return Carried(self.referent(words), sure=not verbs)

    def replaced(self, clause: Clause, stop: int) -> Referent | None:
        """Whose place the subject takes: "接替了**李静**担任"."""
        words = [w for w in clause.words[:stop] if w.tag not in LIGHT]
        if len(words) < 3 or words[-2].text not in self._lexicon.chinese.replacing:
            return None
        return self.referent(words[-1:])

    def presents(self, clause: Clause) -> bool:
        """Whether the clause ends with somebody it brings up: "我有个哥哥", "我认识李明"."""
        zh = self._lexicon.chinese
        words = [w for w in clause.words if w.tag not in LIGHT]
        at = next((i for i, w in enumerate(words) if w.text in zh.presenting | zh.meeting), len(words))
        if len(words) <= at + 1 or words[at + 1].tag == "v":
            return False
        met = words[at].text in zh.meeting and words[-1].tag == "PER"
        return met or self._is_person(words[-1], presented=True)

    def _is_person(self, word: Word, *, presented: bool) -> bool:
        zh = self._lexicon.chinese
        known = word.text in zh.persons or word.text in zh.kin or word.text.endswith(_SOMEBODY)
        return word.tag != "PER" and (known or (presented and word.text.endswith(self._lexicon.roles_zh)))

    def _kin(self, owner: Sequence[Word], words: Sequence[Word]) -> Referent | None:
        found, noun = self.referent(owner), self._lexicon.chinese.kin.get(words[0].text)
        known = len(words) == 1 and noun is not None and isinstance(found, Mention | Pronoun)
        return Kin(found, noun) if known and noun is not None and isinstance(found, Mention | Pronoun) else None

    def _head(self, words: Sequence[Word]) -> list[Word]:
        """Whom a clause before 的 describes: "我教的**学生**在谷歌工作"; empty when there is none."""
        last = max((i for i, w in enumerate(words) if w.text == "的"), default=0)
        head = [w for w in words[last + 1 :] if w.tag not in LIGHT]
        verbs = [i for i, w in enumerate(words[:last]) if w.tag in ("v", "vn") and w.text != "是"]
        if not verbs or not head or head[0].tag not in _NOUNS or head[0].text in _WHEN:
            return []
        whole = verbs[-1] == last - 1
        person = head[0].tag == "PER" or self._is_person(head[0], presented=True)
        return head if whole or (person and "了" not in {w.text for w in words[verbs[-1] : last]}) else []

    def jointly(self, clause: Clause, stop: int) -> Carried:
        """The speaker, of what 我们, 我们公司 have."""
        words = [w for w in _without_prepositions(clause.words[:stop]) if w.tag not in LIGHT]
        ours = [w.text for w in words]
        joint = ours[:1] in (["我们"], ["咱们"], ["我司"]) and all(w in _OURS for w in ours[1:])
        return Carried(Pronoun.SPEAKER, sure=False) if joint else NOBODY

    def referent(self, words: Sequence[Word]) -> Referent | None:
        if len(words) == 1:
            return self._phrases.referent(words[0])
        if len(words) == 3 and words[0].text in ("我", "我们") and words[1].text == "家":
            noun = self._lexicon.chinese.kin.get(words[2].text)
            return None if noun is None else Kin(Pronoun.SPEAKER, noun)
        if len(words) == 2:
            owner = self._phrases.referent(words[0])
            if words[1].text == "家" and (isinstance(owner, Pronoun) or words[0].text in ("我们", "咱们")):
                return owner or Pronoun.SPEAKER
            noun = self._lexicon.chinese.kin.get(words[1].text)
            if noun is not None and owner is not None:
                return Kin(owner, noun)
        if len(words) in (2, 3) and words[-1].tag == "PER" and words[-2].text in self._lexicon.chinese.persons:
            return self._phrases.referent(words[-1])
        if (
            len(words) == 2
            and words[0].tag == "ORG"
            and words[1].text in self._lexicon.chinese.organization_endings
        ):
            return self._phrases.named(words, "Organization", whole=True)
        if len(words) == 2 and words[0].tag == "n" and words[1].tag in ("LATIN", "m"):
            return self._phrases.record(words)
        return None


def as_subject(who: Referent, predicate: Predicate) -> Referent | None:
    """Who it is, as the predicate wants its subject; None when it wants another kind."""
    if not isinstance(who, Mention):
        return who if predicate.subject in ("Person", "Thing") else None
    if predicate.subject in ("Thing", who.kind):
        return who
    return Mention(who.name, predicate.subject) if who.kind == "Thing" and predicate.subject != "Record" else None


def _without_prepositions(words: Sequence[Word]) -> list[Word]:
    """The words without "在北京", "给大家": a preposition and the nouns after it; a time ends them."""
    kept: list[Word] = []
    inside = False
    for word in words:
        if word.tag == "p":
            inside = True
        elif inside and word.tag in ("n", "vn", "s", "f", "LOC", "ORG", "PER", LATIN, "nz", "r"):
            continue
        else:
            inside = False
            kept.append(word)
    return kept
