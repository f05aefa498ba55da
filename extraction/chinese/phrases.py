"""Names and noun phrases in a segmented Chinese clause."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ...kg.model import THING, Mention, Value
from ..lexicon import Lexicon
from ..sayings import Pronoun, Span
from ..tokens import LATIN, Word

ASPECTS = frozenset({"了", "过", "着", "啦"})
_KINDS = {"PER": "Person", "ORG": "Organization", "LOC": "Place"}
_NOMINAL = frozenset({"n", "nz", "nw", "vn", "an", "PER", "ORG", "LOC", LATIN, "s"})
_COUNT = re.compile(r"^(?:[一两二三四五六七八九十几半\d]+|)[个名位家款台辆部件本份双只条张杯套间种]$")
_ID = re.compile(r"^(?=.*\d)[A-Za-z0-9#][A-Za-z0-9#_-]*$")
_EMAIL = re.compile(r"^[\w.+-]+@[\w-]+(\.[\w-]+)+$")
_HANDLE = re.compile(r"^(?:[A-Za-z][A-Za-z0-9_-]{3,24}|\d{5,12})$")
_PHONE = re.compile(r"\+?\d[\d -]{5,18}\d")
_RECORDS = ("订单", "单号", "工单", "订单号", "工单号", "发票", "快递", "包裹")
_PLACE_ENDINGS = ("区", "市", "省", "县", "镇", "村", "路", "街", "小区", "国")
_TASTING = re.compile(r"^[吃喝](?=.)")
_JOINERS = ("和", "、", "跟", "与", "以及", "还有", "及")
_LONGEST_PHRASE, _LONGEST_LATIN = 14, 4


@dataclass(frozen=True, slots=True)
class Clause:
    """The words between two commas."""

    words: tuple[Word, ...]

    @property
    def span(self) -> Span:
        return self.words[0].start, self.words[-1].end

    @property
    def first_verb(self) -> int:
        return next((i for i, w in enumerate(self.words) if w.tag in ("v", "vd")), len(self.words))

    @property
    def has_verb(self) -> bool:
        return self.first_verb < len(self.words)

    def texts(self, start: int, stop: int) -> list[str]:
        return [w.text for w in self.words[start:stop]]

    def spelled(self, start: int, text: str) -> int | None:
        """The index after the words from ``start`` on that spell ``text`` exactly; None if they do not."""
        at = start
        while text:
            if at >= len(self.words) or not text.startswith(self.words[at].text):
                return None
            text = text[len(self.words[at].text) :]
            at += 1
        return at


class Phrases:
    """Reads the objects and referents of one sentence."""

    def __init__(self, text: str, lexicon: Lexicon) -> None:
        self._text, self._lexicon = text, lexicon

    def referent(self, word: Word) -> Mention | Pronoun | None:
        zh = self._lexicon.chinese
        if word.text in zh.pronouns_first:
            return Pronoun.SPEAKER
        if word.text in zh.pronouns_second:
            return Pronoun.ADDRESSEE
        if word.text in zh.pronouns_person:
            return Pronoun.PERSON
        if word.tag in _KINDS:
            return Mention(word.text, _KINDS[word.tag])
        if word.tag == LATIN and self._is_name(word):
            return Mention(word.text, THING)
        return None

    def _is_name(self, word: Word) -> bool:
        parts = word.text.split()
        return (
            len(parts) <= _LONGEST_LATIN
            and all(p[0].isupper() for p in parts)
            and parts[-1].lower() not in self._lexicon.roles_en
            and not any(c.isdigit() for c in word.text)
        )

    def named(
        self, words: Sequence[Word], kind: str, *, whole: bool, owner: bool = False
    ) -> Mention | Pronoun | None:
        """The name that begins the words. ``whole``: it must fill them (the gap of a trigger); ``owner``: what
        it belongs to may follow."""
        words = _without_counts(words)
        if not words:
            return None
        first = words[0]
        if kind != "Person" and first.text in self._lexicon.chinese.there and (not whole or len(words) == 1):
            return Pronoun.THERE
        if kind == "Person":
            found = self.referent(first)
            if whole and len(words) > 1:
                return None
            if isinstance(found, Mention):
                return Mention(found.name, kind) if found.kind in (kind, THING) else None
            return found
        if kind == "Record":
            return self.record(words)
        if kind == "Animal":
            return (
                Mention(first.text, kind) if len(words) == 1 and first.tag in ("PER", "nz", "nr", LATIN) else None
            )
        length = self._name_length(words, kind)
        if length == 0:
            return None
        rest = [w for w in words[length:] if w.text not in ASPECTS]
        if whole and rest:
            return None
        if (
            not owner
            and rest
            and rest[0].tag in ("n", "vn", "u", LATIN)
            and rest[0].start == words[length - 1].end
        ):
            return None
        return Mention(self._text[first.start : words[length - 1].end], kind)

    def _name_length(self, words: Sequence[Word], kind: str) -> int:
        zh = self._lexicon.chinese
        first = words[0]
        if first.text in zh.vague:
            return 0
        if kind == "Place":
            length = 0
            while length < len(words) and (
                words[length].tag == "LOC"
                or (length and words[length].text.endswith(_PLACE_ENDINGS) and words[length].tag == "n")
            ):
                length += 1
            return length or (1 if first.tag == LATIN and self._is_name(first) else 0)
        if kind == "Organization" and first.text in zh.firms:
            return 1
        best = 0
        text = ""
        for i, word in enumerate(words):
            if word.tag not in _NOMINAL or i > 5:
                break
            text += word.text
            ends = text.endswith(zh.organization_endings) and text not in zh.vague
            if ends or (i == 0 and (word.tag == "ORG" or (word.tag == "nz" and len(text) > 1))):
                best = i + 1
            if i == 0 and word.tag == LATIN and any(c.isupper() for c in text) and "@" not in text:
                best = 1
        if kind == "Organization" and best == 1 and first.tag == "n" and len(first.text) < 4:
            return 0
        return best

    def record(self, words: Sequence[Word]) -> Mention | None:
        """ "订单CN-A10293": a record by its number."""
        for i, word in enumerate(words):
            if (
                word.tag in (LATIN, "m", "n", "nz")
                and _ID.match(word.text)
                and i
                and words[i - 1].text in _RECORDS
            ):
                number = word.text.lstrip("#")
                return Mention(number if re.search(r"[A-Za-z]", number) else words[i - 1].text + number, "Record")
        return None

    def work(self, words: Sequence[Word]) -> Mention | None:
        """A task or document: a run of nouns that fills the words, longer than one of them."""
        words = [w for w in words if w.tag not in ("d", "TIME", "xc", "f") and w.text not in ASPECTS]
        run = nominal_run(words) if words else []
        if not run or len(run) != len(words) or any(w.tag == "PER" for w in run):
            return None
        text = self._text[run[0].start : run[-1].end]
        vague = text in self._lexicon.chinese.vague or len(text) < 4 or len(text) > 24
        return None if vague else Mention(text, "Work")

    def literal(self, words: Sequence[Word], kind: str) -> Value | None:
        words = _without_counts(words)
        if not words:
            return None
        text = self._text[words[0].start : words[-1].end]
        match kind:
            case "email":
                return Value(words[0].text) if _EMAIL.match(words[0].text) else None
            case "phone":
                found = _PHONE.match(text)
                return Value(found.group().strip()) if found else None
            case "id":
                return Value(words[0].text) if _HANDLE.match(words[0].text) and len(words) == 1 else None
            case "language":
                return Value(words[0].text) if words[0].text in self._lexicon.languages else None
            case "name":
                return self._own_name(words)
            case "role":
                return self._role(words)
            case "plan":
                return self._plan(text)
            case "date":
                return Value(words[0].text) if words[0].tag == "TIME" else None
            case "phrase":
                run = nominal_run(words)
                return Value(self._text[run[0].start : run[-1].end]) if run and len(run) == len(words) else None
            case _:
                return None

    def _plan(self, text: str) -> Value | None:
        """专业版, 年度套餐: what one subscribes to, by its ending."""
        name = text.removesuffix("了").strip()
        ending = next((e for e in self._lexicon.chinese.plan_endings if name.endswith(e)), None)
        own = name[: -len(ending)] if ending else ""
        known = own in self._lexicon.chinese.plan_names or (own.isascii() and own[:1].isupper())
        return Value(name) if ending and known else None

    def _own_name(self, words: Sequence[Word]) -> Value | None:
        if not words:
            return None
        first = words[0]
        rest = [w for w in words[1:] if w.text not in ASPECTS and w.tag != "xc"]
        if rest:
            return None
        if first.tag == "PER":
            return Value(first.text)
        parts = first.text.split()
        if first.tag == LATIN and self._is_name(first) and not any(len(p) > 1 and p.isupper() for p in parts):
            return Value(first.text)
        return None

    def _role(self, words: Sequence[Word]) -> Value | None:
        """An occupation: what stands after the last 的, if it ends as occupations do."""
        run = list(words)
        while run and (run[-1].text in ASPECTS or run[-1].tag in ("xc", "y")):
            run.pop()
        cut = max((i for i, w in enumerate(run) if w.text == "的"), default=-1)
        if cut == len(run) - 1:
            return None
        if any(w.tag == "r" and self.referent(w) is not None for w in run[: cut + 1]):
            return None
        run = run[cut + 1 :]
        while run and run[0].tag == "ORG":
            run.pop(0)
        if not run or any(w.tag not in _NOMINAL | {"a", "v", "m", "b"} for w in run):
            return None
        text = self._text[run[0].start : run[-1].end]
        last = run[-1]
        known = (
            last.text.split()[-1].lower() in self._lexicon.roles_en
            if last.tag == LATIN
            else text.endswith(self._lexicon.roles_zh)
        )
        return Value(text) if known and len(text) <= 40 else None

    def literals(self, words: Sequence[Word], kind: str) -> list[Value]:
        """The literals that the words hold, joined by 和."""
        found: list[Value] = []
        if kind == "name":
            name = self._own_name(_without_counts(words)) if words else None
            return [] if name is None else [name]
        while words:
            cut = next((i for i, w in enumerate(words) if w.text in _JOINERS), len(words))
            value = self.literal(words[:cut], kind)
            if value is None:
                return found
            found.append(value)
            words = words[cut + 1 :]
        return found

    def things(self, words: Sequence[Word], *, counted: bool) -> list[Mention]:
        """What somebody can like or buy in general, joined by 和; ``counted``: "一台电脑" will do."""
        words = [w for w in words if w.text not in ASPECTS]
        found: list[Mention] = []
        while words:
            words = _without_counts(words) if counted else words
            words = _without_tasting(words)
            run = nominal_run(words) or _activity(words)
            if not run:
                return found
            rest = words[len(run) :]
            joined = bool(rest) and rest[0].text in _JOINERS
            if rest and not joined and rest[0].tag not in ("xc", "w", "y"):
                return []
            text = _TASTING.sub("", self._text[run[0].start : run[-1].end])
            if text in self._lexicon.chinese.vague or len(text) > _LONGEST_PHRASE + 10 * (
                LATIN in {w.tag for w in run}
            ):
                return found
            found.append(Mention(text, THING))
            words = rest[1:] if joined else []
        return found


def _without_counts(words: Sequence[Word]) -> Sequence[Word]:
    start = 0
    while start < len(words) and (words[start].text in ASPECTS or _COUNT.match(words[start].text)):
        start += 1
    return words[start:]


def _without_tasting(words: Sequence[Word]) -> Sequence[Word]:
    return words[1:] if len(words) > 1 and words[0].text in ("吃", "喝") else words


def nominal_run(words: Sequence[Word]) -> list[Word]:
    """The longest run of nouns with adjectives before them, from the first word on."""
    run: list[Word] = []
    for i, word in enumerate(words):
        following = words[i + 1].tag if i + 1 < len(words) else ""
        if (
            word.tag in _NOMINAL
            or (word.tag in ("a", "b") and (following in _NOMINAL or following in ("a", "u")))
            or (word.text == "的" and run and following in _NOMINAL)
        ):
            run.append(word)
        else:
            break
    while run and run[-1].text == "的":
        run.pop()
    return run


def _activity(words: Sequence[Word]) -> list[Word]:
    """ "跑步", "打篮球"."""
    first = words[0]
    if first.tag not in ("v", "vn") or first.text in ("是", "有", "在", "说", "去"):
        return []
    run = [first, *nominal_run(words[1:])]
    return run if len(run) > 1 or len(first.text) > 1 else []
