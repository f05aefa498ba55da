"""Whether two names can be one entity's, and how likely that is. Pure.

Nothing is merged on this: it is for proposing. What tells things apart weighs more than any likeness: names whose
digits, versions, number words, negations, symbols, directions or known kinds differ are never alike. What two
names do not share must be explained (a title, a legal form, an initial, a nickname, a slip of the pen): sharing
most words is no reason ("Shanghai Research Institute" / "Beijing Research Institute").
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import resources
from typing import Any, Final

from rapidfuzz.distance import OSA

from ..kg.ids import normalise
from ..kg.model import PERSON, THING

ORGANIZATION: Final = "Organization"

_NUMBER = re.compile(r"\d[\d.,:]*[^\W\d_]*")
_WORD = re.compile(r"[^\W_]+")
_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
_SYMBOLS: Final = frozenset("#*@%+=<>^~|")

_TITLES_ZH = re.compile("(先生|女士|小姐|太太|老师|教授|医生|博士|经理|总)$")
_LEGAL_ZH = re.compile("(股份有限公司|有限责任公司|有限公司|公司)$")
_SAME_TELLING: Final = {"jr": "junior", "sr": "senior"}
_TELLING_ZH = re.compile("[零〇一二两三四五六七八九十百千万第甲乙丙丁不非无無未反]")
_LAST_NUMERALS: Final = frozenset({"i", "v", "x"})

_SLIP_FROM: Final = 6
"""Letters a word must have for one wrong letter to be taken for a slip."""


@dataclass(frozen=True, slots=True)
class _Lists:
    """The words of ``likeness.toml``."""

    male: frozenset[str]
    female: frozenset[str]
    titles: frozenset[str]
    legal: frozenset[str]
    small: frozenset[str]
    telling: frozenset[str]


@lru_cache(maxsize=1)
def _lists() -> _Lists:
    tables = _table("likeness.toml")
    titles = tables["titles"]
    return _Lists(
        male=frozenset(titles["male"]),
        female=frozenset(titles["female"]),
        titles=frozenset().union(*titles.values()),
        legal=frozenset(tables["legal"]["forms"]),
        small=frozenset(tables["small"]["words"]),
        telling=frozenset().union(*tables["telling"].values()),
    )


@dataclass(frozen=True, slots=True)
class Likeness:
    """``score`` from 0 to 1. ``partial``: one name is only a part of the other, so it may be one of others too."""

    score: float
    reason: str
    partial: bool = False


@dataclass(frozen=True, slots=True)
class Name:
    """A name taken apart. ``words``: without titles and legal forms, unless nothing else is left."""

    text: str
    words: tuple[str, ...]
    titles: frozenset[str]
    marks: tuple[str, ...]
    """What must be the same in both: numbers in their order, then the rest."""

    @property
    def joined(self) -> str:
        return "".join(self.words)

    @property
    def is_acronym(self) -> bool:
        letters = self.text.replace(".", "").strip()
        return 2 <= len(letters) <= 6 and letters.isalpha() and letters.isupper() and letters.isascii()


@lru_cache(maxsize=65_536)
def taken_apart(name: str) -> Name:
    folded = normalise(name).replace("&", " and ").replace("'", "").replace("’", "")
    every = tuple(_WORD.findall(folded))
    titled, legal = _lists().titles, _lists().legal
    words = [word for word in every if word not in titled]
    titles = {word for word in every if word in titled}
    if words and (found := _TITLES_ZH.search(words[-1])) and found.start() > 0:
        titles.add(found[0])
        words[-1] = words[-1][: found.start()]
    while len(words) > 1 and (words[-1] in legal or words[-1] == "and"):
        words.pop()
    if len(words) > 1 and words[0] == "the":
        words = words[1:]
    if words and (form := _LEGAL_ZH.search(words[-1])) and form.start() > 0:
        words[-1] = words[-1][: form.start()]
    return Name(name, tuple(words) or every, frozenset(titles), _marks(folded, every))


def _marks(folded: str, words: Sequence[str]) -> tuple[str, ...]:
    numbers = [number.rstrip(".,:") for number in _NUMBER.findall(folded)]
    telling = [_SAME_TELLING.get(word, word) for word in words if word in _lists().telling]
    if len(words) > 1 and words[-1] in _LAST_NUMERALS:
        telling.append(words[-1])
    telling += _TELLING_ZH.findall(folded)
    telling += [c for c in folded if c in _SYMBOLS or unicodedata.category(c) in ("Sm", "Sc", "So")]
    return (*numbers, *sorted(telling))


def alike(a: str, b: str, kinds: tuple[str, str] = (THING, THING)) -> Likeness | None:
    """Why these may be names of one; None where nothing says so, or something tells them apart. ``kinds``: of
    their entities."""
    one, other = taken_apart(a), taken_apart(b)
    if not one.words or not other.words or normalise(a) == normalise(b):
        return None
    short, long = sorted((one, other), key=lambda n: (len(n.words), len(n.joined)))
    # The initials of "New York City" say that it is new.
    spelled = replace(long, marks=()) if _is_acronym_of(short, long) else long
    if are_apart(short, spelled, kinds):
        return None
    if one.words == other.words:
        return Likeness(0.98, "the same but for a title, a legal form or punctuation")
    if one.joined == other.joined:
        return Likeness(0.97, "the same written together or apart")
    if sorted(one.words) == sorted(other.words):
        return Likeness(0.95, "the same words in another order")
    if _is_acronym_of(short, long):
        return Likeness(0.6 if len(short.joined) == 2 else 0.75, f"{short.text} are the initials of {long.text}")
    if _HAN.search(short.joined + long.joined):
        return _part_zh(short, long, kinds)
    if len(short.words) == len(long.words):
        return _word_by_word(short, long, kinds)
    return _part(short, long, kinds)


def are_apart(a: Name, b: Name, kinds: tuple[str, str]) -> bool:
    """Whether something says that two names cannot be one entity's."""
    if a.marks != b.marks or (kinds[0] != kinds[1] and THING not in kinds):
        return True
    titles = a.titles | b.titles
    return not titles.isdisjoint(_lists().male) and not titles.isdisjoint(_lists().female)


def _is_acronym_of(short: Name, long: Name) -> bool:
    if len(long.words) < 2 or not short.is_acronym or not set(long.marks) <= set(long.words):
        return False
    every = "".join(word[0] for word in long.words)
    return short.joined in (every, "".join(word[0] for word in long.words if word not in _lists().small))


def stands_for(short: tuple[str, str], long: tuple[str, str]) -> bool:
    """Whether a name (with its kind) is how another one is called for short where both are at hand: by its
    initials, or by a title and the surname."""
    one, other, kinds = taken_apart(short[0]), taken_apart(long[0]), (short[1], long[1])
    if not one.words or not other.words or len(one.joined) >= len(other.joined):
        return False
    if _is_acronym_of(one, other):
        return not are_apart(one, replace(other, marks=()), kinds)
    if not one.titles or are_apart(one, other, kinds):
        return False
    found = _part_zh(one, other, kinds) if has_han(other.text) else _part(one, other, kinds)
    return found is not None and len(one.words) == 1 and one.words[0] != other.joined


@dataclass(frozen=True, slots=True)
class Bare:
    """A name without its title or legal form. ``telling``: that says something about who bears it (Inc. or GmbH,
    Mr. or Mrs.), so that the bare name may be another one's."""

    text: str
    telling: bool


def bare_name(name: str, kind: str) -> Bare | None:
    """None: there is nothing to leave out, or too little would be left."""
    words = name.split()
    if kind == ORGANIZATION:
        while len(words) > 1 and _WORD.findall(normalise(words[-1]))[-1:] and _is_legal(words[-1]):
            words.pop()
        left = _LEGAL_ZH.sub("", " ".join(words).rstrip(",")) if has_han(name) else " ".join(words).rstrip(",")
        return Bare(left, telling=True) if len(left) > 1 and left != name else None
    if kind != PERSON:
        return None
    titles = taken_apart(name).titles
    plain = [word for word in words if normalise(word).strip(".") not in titles]
    if has_han(name):
        left = _TITLES_ZH.sub("", name)
        return Bare(left, telling=True) if left != name and len(left) > 1 and len(words) == 1 else None
    if len(plain) == len(words) or len(plain) < 2:
        return None
    return Bare(" ".join(plain), telling=not titles.isdisjoint(_lists().male | _lists().female))


def _is_legal(word: str) -> bool:
    return normalise(word).replace(".", "").strip(",") in _lists().legal


def _word_by_word(a: Name, b: Name, kinds: tuple[str, str]) -> Likeness | None:
    """Names of as many words, each of which must be like its other."""
    found = [_words_alike(x, y) for x, y in zip(a.words, b.words, strict=True)]
    likenesses = [one for one in found if one is not None]
    if len(likenesses) < len(found):
        return None
    worst = min(likenesses, key=lambda one: one.score)
    if len(found) == 1:
        if PERSON not in kinds and worst.reason != _SLIP:
            return None
        return None if worst.reason == _INITIAL else replace(worst, score=round(worst.score - 0.2, 2))
    surnames = found[-1]
    if surnames is None or surnames.reason not in ("", _SLIP) or all(one.score < 1 for one in likenesses):
        return None
    return worst


def _part(short: Name, long: Name, kinds: tuple[str, str]) -> Likeness | None:
    """The shorter name of a person leaves something out."""
    if PERSON not in kinds and not short.titles:
        return None
    first, last = long.words[0], long.words[-1]
    if len(short.words) == 1:
        if short.words[0] == last:
            score = 0.75 if short.titles else 0.6
            return Likeness(score, f"{short.text} is how {long.text} may be called", partial=True)
        given = _words_alike(short.words[0], first)
        if short.titles or given is None or given.reason not in ("", _NICKNAME):
            return None
        return Likeness(0.6, f"{short.text} is how {long.text} may be called", partial=True)
    given = _words_alike(short.words[0], first)
    if given is None or short.words[-1] != last or not _in_order(short.words[1:-1], long.words[1:-1]):
        return None
    return Likeness(0.85 if given.score == 1 else 0.7, "the same but for a middle name")


def _part_zh(short: Name, long: Name, kinds: tuple[str, str]) -> Likeness | None:
    """张先生 and 张伟: the surname, and the whole name."""
    a, b = sorted((short, long), key=lambda n: len(n.joined))
    names_person = bool(a.titles) and (PERSON in kinds or kinds == (THING, THING))
    if names_person and len(a.joined) <= 2 and len(b.joined) <= 4 and b.joined.startswith(a.joined):
        return Likeness(0.6, f"{a.text} is how {b.text} may be called", partial=True)
    return None


_NICKNAME: Final = "one is a nickname"
_INITIAL: Final = "the same but for initials"
_SLIP: Final = "the same but for one letter"


def _words_alike(a: str, b: str) -> Likeness | None:
    if a == b:
        return Likeness(1.0, "")
    if b in called(a) or a in called(b):
        return Likeness(0.85, _NICKNAME)
    if 1 in (len(a), len(b)) and a[0] == b[0]:
        return Likeness(0.8, _INITIAL)
    long_enough = min(len(a), len(b)) >= _SLIP_FROM and a[0] == b[0]
    if long_enough and OSA.distance(a, b, score_cutoff=1) <= 1:
        return Likeness(0.85, _SLIP)
    return None


def _in_order(few: Sequence[str], many: Sequence[str]) -> bool:
    rest = iter(many)
    return all(any(_words_alike(word, other) for other in rest) for word in few)


def has_han(name: str) -> bool:
    return _HAN.search(name) is not None


def called(name: str) -> frozenset[str]:
    """What people of this English given name are called."""
    return _nicknames().get(name, frozenset())


@lru_cache(maxsize=1)
def _nicknames() -> dict[str, frozenset[str]]:
    return {name: frozenset(short) for name, short in _table("nicknames.toml").items()}


def _table(file: str) -> dict[str, Any]:
    return tomllib.loads(resources.files(__package__).joinpath(file).read_text(encoding="utf-8"))


def keys(name: str) -> set[str]:
    """Any two names that are ``alike`` have one of these in common."""
    found = taken_apart(name)
    words = set(found.words)
    near = {nick for word in found.words for nick in called(word)}
    slips = {word[:i] + word[i + 1 :] for word in words if len(word) >= _SLIP_FROM for i in range(len(word))}
    initials = {"".join(w[0] for w in found.words)}
    initials.add("".join(w[0] for w in found.words if w not in _lists().small))
    surnames = {f"{word[:1]}…" for word in words if _HAN.match(word)}
    shapes = {found.joined, *(initials if len(found.words) > 1 else ())}
    return {key for key in words | near | slips | shapes | surnames if key}
