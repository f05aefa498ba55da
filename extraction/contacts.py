"""Who gives which e-mail address, telephone number or handle: "this is Alice from Acme, alice@acme.com",
"reach Carol at carol@x.org", "Alice Wu (alice@wu.net)", "我是李雷，邮箱 lilei@x.cn"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from ..kg.identifiers import key_of
from ..kg.model import PERSON, THING, Mention, Value
from ..kg.ontology import Ontology
from .sayings import Pronoun, Saying, Stance, Tense

_CONFIDENCE: Final = 0.85
_LETTER: Final = "A-Za-z0-9Ａ-Ｚａ-ｚ０-９"
_EMAIL: Final = rf"[{_LETTER}._%+-]+[@＠][{_LETTER}-]+(?:[.．][{_LETTER}-]+)+"
_PHONE: Final = rf"(?<![{_LETTER}])[+＋]?\(?\d[\d ()（）./-]{{5,18}}\d(?![{_LETTER}])"
_HANDLE: Final = r"(?<!\w)@[A-Za-z][\w.-]*\w"
_ANY: Final = rf"(?:(?P<email>{_EMAIL})|(?P<phone>{_PHONE})|(?P<id>{_HANDLE}))"
_NAME: Final = r"[A-Z][\w'’-]+(?:[ ][A-Z][\w'’-]*\.?){0,3}"

_ASK: Final = (
    r"(?:[Rr]each|[Cc]ontact|[Ee]-?mail|[Ww]rite(?: to)?|[Mm]ail|[Mm]essage|[Cc]all|[Tt]ext|[Rr]ing|[Pp]hone)"
)
_BY: Final = r"(?: back)?[ ](?:(?:by|via) (?:e-?mail|phone) )?(?:at|on|via|under)[ ]"
_MINE: Final = (
    re.compile(rf"\b{_ASK} me{_BY}{_ANY}"),
    re.compile(
        r"\b[Mm]y (?:\w+ )?(?:number|e-?mail(?: address)?|mail(?: address)?|(?:phone|mobile|cell)(?: number)?"
        r"|handle|username)"
        rf"(?: is|:| (?:has )?changed(?: from [^,;]+?)? to| changes to)?(?: now)? {_ANY}"
    ),
    re.compile(rf"\b(?:I'm|I’m|I am|[Ff]ind me as|[Ff]ollow me at) (?P<id>{_HANDLE})"),
)
_MINE_ZH: Final = re.compile(
    r"(?:^|[，,；;。、\s]|我的?)(?:联系|电子|手机)?(?:邮箱|邮件|邮件地址|电话|手机|手机号|号码)(?:地址|号码|号)?(?:是|为|：|:)?\s*"
    + _ANY
)
_I_ZH: Final = re.compile("我|本人|这里是")
_GONE_ZH: Final = re.compile(
    r"[\s，,]?(?:这个)?(?:已经?|早就?|现在|从?今天起?|开始|都)*(?:不用|不再用|不再使用|停用|停机|作废|注销|失效|废弃|打不通)"
)
_OTHERS_ZH: Final = re.compile(
    "[他她它]|[您你](?!们?好)|不是|不对|错了|如果|我们?的?(?:老板|领导|上司|经理|主管|同事|助理|秘书|客户|朋友|老师|医生|律师|房东|室友|邻居"
    "|老婆|妻子|太太|老公|丈夫|先生|女友|男友|女朋友|男朋友|儿子|女儿|孩子|妈|爸|母亲|父亲|哥|姐|弟|妹|爷爷|奶奶)"
)

_GREETING: Final = r"(?:(?:[Hh]i|[Hh]ello|[Hh]ey|[Gg]ood (?:morning|afternoon|evening))(?: \w+){0,2}[,!.]? )?"
_INTRODUCED: Final = re.compile(
    rf"^{_GREETING}(?:[Tt]his is|[Ii]t['’]s|[Ii]t is) (?P<name>{_NAME})"
    rf"(?= here\b| speaking\b| calling\b| writing\b|,? (?:from|of|at|with) [A-Z]|,? \(?{_ANY})"
)
_HERE: Final = re.compile(rf"^{_GREETING}(?P<name>{_NAME}) here\b(?=[,.!]| from [A-Z]|$)")
_I_AM: Final = re.compile(rf"^{_GREETING}(?:I'm|I’m|I am|[Mm]y name is) (?P<name>{_NAME})")
_THEIRS: Final = (
    re.compile(rf"\b{_ASK} (?:my \w+ )?(?P<name>{_NAME}){_BY}{_ANY}"),
    re.compile(rf"(?P<name>{_NAME}), (?P<email>{_EMAIL})(?=[,.;]|$)"),
)
_BESIDE: Final = re.compile(rf"(?P<name>{_NAME}) ?[(<\[](?P<inside>[^()<>\[\]\n]{{3,90}})[)>\]]")
_DENIED: Final = re.compile(
    r"\b(?:not|isn['’]t|aren['’]t|don['’]t|never|if|wrong|old|former|formerly|used to|no longer)\b", re.IGNORECASE
)
_ANOTHER: Final = re.compile(
    r"\b(?:his|her|their|your|our|my (?!e-?mail|mail|phone|mobile|cell|number)\w+)\b|['’]s\b"
)
_FIRM: Final = re.compile(rf"\b(?:from|of|at|with) {_NAME}")
_NAMED_LAST: Final = re.compile(rf"{_NAME} ?[(<,]? ?$")
_FIND: Final = re.compile(_ANY)


class Contacts:
    """Reads them for the predicates that the ontology has for such literals (the first of each)."""

    def __init__(self, ontology: Ontology, given_names: frozenset[str]) -> None:
        self._given_names = given_names
        self._predicates: dict[str, str] = {}
        for predicate in ontology.predicates:
            if predicate.object == "Value" and predicate.literal in ("email", "phone", "id", "name"):
                self._predicates.setdefault(predicate.literal, predicate.name)

    def may_tell(self, text: str) -> bool:
        return next(self.sayings(text), None) is not None

    def sayings(self, text: str) -> Iterator[Saying]:
        """Each identifier once, with its owner: the speaker, or who is named with it."""
        named = _INTRODUCED.search(text) or _HERE.search(text)
        if named is not None and self._is_name(named["name"]) and "name" in self._predicates:
            yield _saying(self._predicates["name"], Pronoun.SPEAKER, named["name"], text, named.start("name"))
        if not any(mark in text for mark in "@＠0123456789０１２３４５６７８９") or _DENIED.search(text):
            return
        seen: set[int] = set()
        for owner, found in self._owned(text, named or _I_AM.search(text)):
            literal = next(kind for kind in ("email", "phone", "id") if found.groupdict().get(kind))
            value, at = found[literal].strip(), found.start(literal)
            known = literal in self._predicates and key_of(value, literal) is not None
            if at not in seen and known and not _is_longer(value, literal):
                seen.add(at)
                said = _saying(self._predicates[literal], owner, value, text, at)
                if _GONE_ZH.match(text, found.end()):
                    reach = (((found.end(), len(text)),),)
                    said = replace(said, stance=Stance.ENDS, tense=Tense.UNMARKED, reach=reach)
                yield said

    def _owned(
        self, text: str, introduced: re.Match[str] | None
    ) -> Iterator[tuple[Mention | Pronoun, re.Match[str]]]:
        for pattern in _MINE:
            for found in pattern.finditer(text):
                yield Pronoun.SPEAKER, found
        if _I_ZH.search(text) and not _OTHERS_ZH.search(text):
            for found in _MINE_ZH.finditer(text):
                yield Pronoun.SPEAKER, found
        if introduced is not None and self._is_name(introduced["name"]):
            for found in _FIND.finditer(text, introduced.end("name")):
                between = text[introduced.end("name") : found.start()]
                if not _ANOTHER.search(between) and not _NAMED_LAST.search(_FIRM.sub("", between)):
                    yield Pronoun.SPEAKER, found
        yield from self._theirs(text)

    def _theirs(self, text: str) -> Iterator[tuple[Mention, re.Match[str]]]:
        for beside in _BESIDE.finditer(text):
            if self._is_name(beside["name"]):
                for found in _FIND.finditer(text, beside.start("inside"), beside.end("inside")):
                    yield self._somebody(beside["name"]), found
        for pattern in _THEIRS:
            for found in pattern.finditer(text):
                name = found["name"]
                if self._is_name(name):
                    yield self._somebody(name), found

    def _somebody(self, name: str) -> Mention:
        return Mention(name, PERSON if name.split(maxsplit=1)[0].lower() in self._given_names else THING)

    def _is_name(self, name: str) -> bool:
        words = name.split()
        return len(words) > 1 or words[0].lower() in self._given_names


def _is_longer(value: str, literal: str) -> bool:
    """A date, a sum: no telephone number begins so."""
    return literal == "phone" and re.match(r"(?:19|20)\d\d[-/.]\d", value) is not None


def _saying(predicate: str, who: Mention | Pronoun, value: str, text: str, at: int) -> Saying:
    return Saying(
        predicate=predicate,
        stance=Stance.HOLDS,
        subject=who,
        object=Value(value),
        tense=Tense.PRESENT,
        at=at,
        quote=(0, len(text)),
        confidence=_CONFIDENCE,
    )
