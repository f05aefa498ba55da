"""Who a Chinese clause is about: what stands before its verb, else the subject of the clause before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..kg.model import Mention
from ..kg.ontology import Predicate
from .chinese_phrases import Clause, Phrases
from .lexicon import Lexicon
from .sayings import Kin, Pronoun, Referent
from .tokens import LATIN, Word

LIGHT = frozenset({"d", "ad", "c", "u", "xc", "TIME", "w", "m", "q", "f"})
_BETWEEN = frozenset({"到", "至", "开始", "起"})


@dataclass(frozen=True, slots=True)
class Carried:
    """The subject that the next clause takes when it names none, and how sure it is. ``far``: it comes from
    another sentence."""

    subject: Referent | None
    sure: bool = True
    far: bool = False


NOBODY = Carried(None)


class Subjects:
    """Reads the subjects of one sentence's clauses."""

    def __init__(self, phrases: Phrases, lexicon: Lexicon) -> None:
        self._phrases, self._lexicon = phrases, lexicon

    def before(self, clause: Clause, stop: int, carried: Carried) -> Carried:
        """Who stands before the word ``stop``; the carried one when nobody does; None when it is somebody or
        something else."""
        zh = self._lexicon.chinese
        skip = {*zh.used_to, *zh.hopes, *zh.plans, *zh.hedges, *zh.reports, *_BETWEEN}
        words = _without_prepositions(clause.words[:stop])
        words = [w for w in words if w.tag not in LIGHT and w.text not in skip]
        verbs = [i for i, w in enumerate(words) if w.tag in ("v", "vd")]
        record = None if verbs else self._phrases.record(clause.words[:stop])
        if record is not None:
            return Carried(record)
        if verbs:
            after = words[verbs[-1] + 1 :]
            found = self.referent(after)
            if found is not None:
                return Carried(found, sure=False)
            if any(w.tag in ("r", "PER") for w in after):
                return NOBODY
            words = words[: verbs[0]]
        if not words:
            return carried
        return Carried(self.referent(words), sure=not verbs)

    def referent(self, words: Sequence[Word]) -> Referent | None:
        if len(words) == 1:
            return self._phrases.referent(words[0])
        if len(words) == 2:
            owner = self._phrases.referent(words[0])
            if words[1].text == "家" and (isinstance(owner, Pronoun) or words[0].text in ("我们", "咱们")):
                return owner or Pronoun.SPEAKER
            noun = self._lexicon.chinese.kin.get(words[1].text)
            if noun is not None and owner is not None:
                return Kin(owner, noun)
        if len(words) in (2, 3) and words[-1].tag == "PER" and words[-2].text in self._lexicon.chinese.persons:
            return self._phrases.referent(words[-1])
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
        elif inside and word.tag in ("n", "s", "f", "LOC", "ORG", "PER", LATIN, "nz", "r"):
            continue
        else:
            inside = False
            kept.append(word)
    return kept
