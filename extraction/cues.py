"""A cheap look at a sentence before it is parsed: can it say anything the ontology knows?"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..kg.ontology import Ontology
from .chinese.partings import GONE
from .chinese.triggers import BY, ChineseTriggers
from .english.triggers import EnglishTriggers
from .lexicon import Lexicon

_VOWELS = "aeiou"
_WHERE = "在[^，,。；;！!？?]{1,9}(?:[，,。；;！!]|$)"
"""Somebody may be at a firm: 李明在阿里."""
_THEN = (
    r"in|on|at the|by|early|mid|late|last|this|next|after|amid|because|due|following|and|but|to|again|already|\d+"
)


def english_cues(ontology: Ontology, lexicon: Lexicon) -> re.Pattern[str]:
    """Matches every English sentence that a trigger could match (and more)."""
    words: set[str] = set()
    for predicate in ontology.predicates:
        en = predicate.en
        if predicate.in_figures and predicate.unit is None:
            continue
        if predicate.unit is not None:
            words |= {*en.possessed, *_measuring(en.holds, lexicon)}
            continue
        if predicate.object == "Condition":
            words |= {*lexicon.ailments, *en.possessed, "intolerant"}
            continue
        for trigger in (*en.holds, *en.begins, *en.ends):
            first, _, rest = trigger.removeprefix("not ").partition(" ")
            if first in ("be", "get", "will"):
                words |= {rest.partition(" ")[0]} if rest else set()
            else:
                words |= _forms(rest if first == "cannot" else first, lexicon)
        for noun in (*en.possessed, *en.titles):
            words |= set(lexicon.roles_en) if noun == "<role>" else {noun.split()[-1]}
        for value in en.values:
            words |= {value.split()[0]}
        if predicate.literal == "role" and "be" in en.holds:
            words |= lexicon.roles_en
        if predicate.literal == "name" and "be" in en.holds:
            words |= {"i'm", "i am", "i’m"}
    words |= {"allergy", "allergies"} if "allergic" in words else set()
    for verb in lexicon.gone["dies"]:
        words |= _forms(verb.split()[0], lexicon)
    return _any(words)


def chinese_cues(ontology: Ontology, lexicon: Lexicon) -> re.Pattern[str]:
    """Matches every Chinese sentence that a trigger could match (and more)."""
    words: set[str] = set()
    for predicate in ontology.predicates:
        zh = predicate.zh
        if predicate.in_figures and predicate.unit is None:
            continue
        if predicate.unit is not None or predicate.object == "Condition":
            words.update(zh.possessed, lexicon.chinese.ailments if predicate.unit is None else ("称",))
            continue
        for trigger in (*zh.holds, *zh.begins, *zh.ends):
            before, _, after = trigger.partition("…")
            words.add(after or before)
        words.update(zh.possessed, (t for t in zh.titles if t != "<role>"), zh.values)
    return re.compile("|".join([*(re.escape(w) for w in sorted(words)), _WHERE, *GONE]))


def english_endings(triggers: EnglishTriggers, lexicon: Lexicon) -> re.Pattern[str]:
    """Matches what may end something left out: "left in May", "quit his job.", "cancelled it", "was fired"."""
    said: set[str] = set()
    for verb, rest in triggers.endings:
        if verb in ("be", "get"):
            said.add(rest)
        else:
            behind = f" (?:\\w+ )?{rest}" if rest == "job" else f" {rest}" if rest else "(?: it)?"
            said |= {re.escape(form) + behind for form in _forms(verb, lexicon)}
    for words in lexicon.gone["dies"]:
        first, _, behind = words.partition(" ")
        said |= {f"{form} {behind}".strip() for form in _forms(first, lexicon)}
    either = "|".join(sorted(said))
    return re.compile(rf"\b(?:{either})(?:\s*(?:[.,;!?]|$)|\s+(?:{_THEN})\b)", re.IGNORECASE)


def chinese_endings(triggers: ChineseTriggers, lexicon: Lexicon) -> re.Pattern[str]:
    """Matches what may end something that is left out: 离职了, 被(公司)裁, 会员到期了."""
    by = "|".join(words.removeprefix(BY) for words in triggers.endings if words.startswith(BY))
    either = [*triggers.endings, *([f"{BY}(?:{'|'.join(lexicon.chinese.employers)})(?:{by})"] if by else [])]
    kept, gone = "(?:会员|订阅|套餐)", "[^，,。；;！!]{0,8}"
    expires = f"{kept}{gone}(?:到期|过期|失效|取消|退|停)|(?:取消|退|停|退订)掉?了{gone}{kept}"
    return re.compile(f"(?:{'|'.join([*either, *GONE])}|{expires})[了啦掉]*(?:[，,。；;！!\\s]|$)")


def _measuring(verbs: Iterable[str], lexicon: Lexicon) -> set[str]:
    """What begins with a light verb ("be", "make") is told by its figure."""
    firsts = {v.split()[0] for v in verbs} - {"be", "make"}
    return set().union(*(_forms(v, lexicon) for v in firsts)) if firsts else set()


def _any(words: Iterable[str]) -> re.Pattern[str]:
    return re.compile(
        r"\b(?:" + "|".join(re.escape(w) for w in sorted(words) if w) + r")(?:s|es)?\b", re.IGNORECASE
    )


def _forms(lemma: str, lexicon: Lexicon) -> set[str]:
    """How an English verb can look."""
    forms = {
        lemma,
        lemma + "s",
        lemma + "es",
        lemma + "ed",
        lemma + "d",
        lemma + "ing",
        *lexicon.irregular.get(lemma, ()),
    }
    if lemma.endswith("e"):
        forms.add(lemma[:-1] + "ing")
    if lemma.endswith("y"):
        forms |= {lemma[:-1] + "ied", lemma[:-1] + "ies"}
    if lemma[-1] not in _VOWELS:
        forms |= {lemma + lemma[-1] + "ed", lemma + lemma[-1] + "ing"}
    return forms
