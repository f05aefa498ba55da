"""Which predicates a question asks for, read off the ontology's own words. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final

from ..kg.ontology import Ontology, Predicate, Triggers
from ..kg.text import cut

_MOST: Final = 4

_FORMS: Final = """
    am=be are=be is=be was=be were=be been=be ate=eat became=become began=begin begun=begin bought=buy
    brought=bring built=build came=come chose=choose chosen=choose drank=drink driven=drive drove=drive
    eaten=eat felt=feel found=find gave=give given=give gone=go got=get grew=grow heard=hear held=hold
    kept=keep knew=know known=know led=lead left=leave lost=lose made=make meant=mean met=meet paid=pay
    ran=run said=say sat=sit saw=see seen=see sent=send slept=sleep sold=sell spent=spend spoke=speak
    spoken=speak stood=stand taken=take taught=teach thought=think told=tell took=take understood=understand
    went=go won=win wore=wear written=write wrote=write
"""
_IRREGULAR: Final = dict(pair.split("=") for pair in _FORMS.split())
PAST_FORMS: Final = frozenset(_IRREGULAR) - {"am", "are", "is"}
"""Irregular verbs as they tell of the past."""

_ENGLISH_WORD: Final = re.compile(r"[a-z]+")
_HAN_RUN: Final = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003347f]+")
_AFFIX: Final = re.compile(r"^[在于是的]+|[在于是的]+$")
_ASKING: Final = r"(?:哪|什么|谁|啥|何|多少|多久|多长|几|吗)"

_ASKING_IS: Final = r"(?:哪|什么|谁|啥|做|干)"
"""After 是; "是多少" asks for a number, not for who somebody is."""

_FRAME: Final = re.compile(
    r"\b(?:(?:do|did|don't|didn't) (?:you|we|i)|let (?:me|us)|(?:want|like|need|happen) to) know\b"
    r"|\bkn(?:ow|ows|ew|own) (?:about|of|that|if|whether|where|when|who|what|which|how|why)\b",
    re.IGNORECASE,
)
"""Words that only lead to what is asked: "do you know where she lives"."""

_EMPLOYER: Final = re.compile(r"(?:第[一二三四五六]|[上前后几]一?|最[近后]一)[家个任](?:公司|单位|企业|雇主|东家)")
"""A noun that means where somebody works, as it is counted and put in order: 第一家公司, 几家公司."""

_CHANGE: Final = re.compile(r"\b(?:chang|switch)(?:e[sd]?|ing)?\b|换|跳槽", re.IGNORECASE)
_TOWARDS: Final = ("到", "去", "来", "回", "至", "为", "成", "居")

_SINCE_WHEN: Final = re.compile(r"\bsince when\b|从(?:什么时候|何时|哪一?年)", re.IGNORECASE)
"""Asks for the beginning of a state."""

_PLACES: Final = frozenset({"Place", "Organization"})
_PEOPLE: Final = frozenset({"Person"})
_WHERE: Final = re.compile(r"\bwhere\b|哪里|哪儿|在哪|何处|什么地方", re.IGNORECASE)
_WHO: Final = re.compile(r"\bwho(?:m|se)?\b|谁", re.IGNORECASE)


def wanted_predicates(text: str, ontology: Ontology) -> tuple[str, ...]:
    """The predicates whose words (triggers of both languages, and the name itself) stand in the question, the
    best said first: more of its words, then the kind that "where" or "who" asks for. What excludes a wanted one
    is wanted too: "does she like tea?" is also answered by a dislike."""
    said = _said(text)
    scores = {p.name: _score(p, text, said) for p in ontology.predicates}
    best = max(scores.values(), default=0.0)
    ranked = sorted((n for n, s in scores.items() if s > 0 and s > best / 2), key=lambda n: (-scores[n], n))
    wanted = [name for first in ranked[:_MOST] for name in (first, *ontology.exclusive_group(first))]
    return tuple(dict.fromkeys(wanted))


class Way(StrEnum):
    """How a text speaks of a predicate."""

    HOLDS = "holds"
    BEGINS = "begins"
    ENDS = "ends"


def said_way(text: str, predicate: Predicate) -> Way | None:
    """Whether a text speaks of a beginning ("join"), an end ("leave") or the state; None: of neither."""
    said = _said(text)
    scores = {way: _most(text, said, predicate, way) for way in (Way.BEGINS, Way.ENDS, Way.HOLDS)}
    best = max(scores.values())
    if _SINCE_WHEN.search(text) and best == scores[Way.HOLDS]:
        return Way.BEGINS if best[0] else None
    return next(way for way, score in scores.items() if score == best) if best[0] else None


def speaks_of_replacing(text: str) -> bool:
    """Whether a text says that something took the place of another: "switched", 换."""
    return _CHANGE.search(text) is not None


def speaks_of_change(text: str, predicate: Predicate) -> bool:
    """Whether one value gives way to another by the text's words: "move to", "switched", 换, 搬到; who joins or
    marries need not have been elsewhere before."""
    said = _said(text)
    return (
        speaks_of_replacing(text)
        or any(phrase.endswith(" to") and _english(phrase, said) for phrase in predicate.en.begins)
        or any(
            phrase.rstrip("了").endswith(_TOWARDS) and _chinese(phrase, text) > 0 for phrase in predicate.zh.begins
        )
    )


def tells_change(text: str, ontology: Ontology) -> bool:
    """Whether a Chinese text, whose verbs have no past, speaks of a beginning or an end: 加入腾讯."""
    if text.isascii():
        return False
    ways = (said_way(text, ontology.predicate(name)) for name in wanted_predicates(text, ontology))
    return any(way in (Way.BEGINS, Way.ENDS) for way in ways)


def _most(text: str, said: _Said, predicate: Predicate, way: Way) -> tuple[float, int]:
    """The score of the phrase that fits best; of several the shortest ("leave" rather than "leave for")."""
    english, chinese = getattr(predicate.en, way), getattr(predicate.zh, way)
    found = [(_english(phrase, said), -len(phrase.split())) for phrase in english]
    found += [(_chinese(phrase, text), -1) for phrase in chinese if not text.isascii()]
    return max(found, default=(0.0, 0))


def kindred(text: str, predicates: Sequence[str], ontology: Ontology) -> tuple[str, ...]:
    """The predicates, and after them others of the same subjects that are spoken of by the noun by which the text
    names one: a "job" is a role, and one also starts a job at an employer."""
    definitions = [ontology.predicate(name) for name in predicates]
    nouns = {stem for p in definitions for noun in p.en.possessed for stem in _stems(noun)} & _said(text).stems
    chinese = {noun for p in definitions for noun in p.zh.possessed if noun in text}
    subjects = {p.subject for p in definitions}
    kin = [
        p.name
        for p in ontology.predicates
        if p.subject in subjects
        and (
            any(nouns & _stems(phrase) for phrase in _phrases_of(p).en)
            or any(noun in phrase.split("…") for noun in chinese for phrase in (*p.zh.holds, *p.zh.begins))
        )
    ]
    return tuple(dict.fromkeys((*predicates, *kin)))


_KIND_NOUNS: Final = {
    "Place": "place city town village country area region home",
    "Organization": "organization organisation company employer firm business workplace team school university",
    "Person": "person people man woman somebody friend",
}


def spoken_words(predicate: Predicate) -> frozenset[str]:
    """The words, as full-text search compares them, by which a predicate or the kinds of its sides are meant."""
    phrases = _phrases_of(predicate)
    nouns = (_KIND_NOUNS.get(kind, kind.lower()) for kind in (predicate.subject, predicate.object))
    return frozenset(word for text in (*phrases.en, phrases.name, *nouns) for word in _stems(text))


_GLUE: Final = re.compile(r"[的了是在去来到从和跟与把被给就才又还再他她它我你您这那们第一次个家份刚]+")


def unspoken(text: str, predicate: Predicate) -> tuple[str, ...]:
    """What a Chinese text says besides the predicate's words: 维也纳 in 搬到维也纳."""
    for phrase in sorted(_phrases_of(predicate).zh, key=len, reverse=True):
        for part in phrase.split("…"):
            text = text.replace(_core(part), " ") if len(_core(part)) > 1 or part in text else text
    runs = _HAN_RUN.findall(_GLUE.sub(" ", text))
    return tuple(run for run in runs if len(run) > 1)


def _score(predicate: Predicate, text: str, said: _Said) -> float:
    phrases = _phrases_of(predicate)
    best = max(
        (
            *(_english(phrase, said) for phrase in phrases.en),
            *(_chinese(phrase, text) for phrase in phrases.zh if not text.isascii()),
            _english(phrases.name, said) / 2,
            float("<role>" in predicate.zh.titles and _EMPLOYER.search(text) is not None),
        ),
        default=0.0,
    )
    return best + _kind_bonus(predicate, text) if best else 0.0


def _kind_bonus(predicate: Predicate, text: str) -> float:
    if _WHERE.search(text):
        return float(predicate.object in _PLACES)
    if _WHO.search(text):
        return float(bool(_PEOPLE & {predicate.subject, predicate.object}))
    return 0.0


@dataclass(frozen=True, slots=True)
class _Phrases:
    """A predicate's phrases by language, and its name as one."""

    en: tuple[str, ...]
    zh: tuple[str, ...]
    name: str


@lru_cache(maxsize=1_024)
def _phrases_of(predicate: Predicate) -> _Phrases:
    spoken = predicate.name.replace("_", " ").lower()
    return _Phrases(tuple(_phrases(predicate.en)), tuple(_phrases(predicate.zh)), spoken)


def _phrases(triggers: Triggers) -> Iterator[str]:
    for way in type(triggers).model_fields:
        yield from (phrase for phrase in getattr(triggers, way) if not phrase.startswith("<"))


def _english(phrase: str, said: _Said) -> float:
    """2 for each word of meaning, when all stand in the question, and 1 more for several words said as they stand
    ("work with"). A phrase without a word of meaning ("be from") must be said in its order."""
    stems = _stems(phrase)
    loose = phrase.split()
    if stems and stems <= said.stems:
        return 2.0 * len(stems) + (len(loose) > 1 and _plain(phrase) in said.plain)
    return 1.5 if len(loose) > 1 and stems <= set(loose) and _in_order(loose, said.plain.split()) else 0.0


@lru_cache(maxsize=4_096)
def _plain(phrase: str) -> str:
    """The words, each in the form in which full-text search compares it, between spaces."""
    return f" {' '.join(form for word in phrase.split() for form in cut(word)[:1])} "


def _in_order(words: Sequence[str], text: Sequence[str]) -> bool:
    rest = iter(text)
    return all(word in rest for word in words)


def _core(part: str) -> str:
    """What of a phrase is said without an object: 搬家 of 搬家到."""
    core = _AFFIX.sub("", part)
    return core[:-1] if len(core) > 2 and core[-1] in "到去至" else core


def _chinese(phrase: str, text: str) -> float:
    """By characters said: all of a phrase, or its core (在…工作: 工作). A single character counts only beside a
    word that asks (住哪, 是谁), or with what its phrase puts behind it (住在; 在学 is in 在学校, too)."""
    core = _core(max(phrase.split("…"), key=len)) or phrase
    if core == "是":
        return 0.5 if re.search(f"是.?{_ASKING_IS}", text) else 0.0
    whole = len(phrase) > 1 and phrase.startswith(core) and phrase in text
    if len(core) == 1 and not whole and not re.search(f"{re.escape(core)}.?{_ASKING}", text):
        return 0.0
    if _gapped(phrase).search(text):
        return 1.0 + len(phrase) / 2
    return len(core) / 2 if core in text else 0.0


@dataclass(frozen=True, slots=True)
class _Said:
    """A question's English: its words of meaning, and all its words in order (see ``_plain``)."""

    stems: frozenset[str]
    plain: str


def base_words(text: str) -> frozenset[str]:
    """A text's English words, as full-text search compares them, of irregular verbs the base."""
    words = _ENGLISH_WORD.findall(text.lower())
    return frozenset(cut(" ".join(_IRREGULAR.get(w, w) for w in words)))


def _said(text: str) -> _Said:
    text = _FRAME.sub(" ", text)
    words = _ENGLISH_WORD.findall(text.lower())
    based = " ".join(_IRREGULAR.get(w, w) for w in words)
    return _Said(frozenset(cut(text)) | frozenset(cut(based)), _plain(based))


@lru_cache(maxsize=4_096)
def _gapped(phrase: str) -> re.Pattern[str]:
    return re.compile(".{0,12}?".join(re.escape(part) for part in phrase.split("…")))


@lru_cache(maxsize=4_096)
def _stems(phrase: str) -> frozenset[str]:
    return frozenset(cut(phrase))
