"""Where somebody gets their post, as it is written: "my address is 12 Elm Street, Leeds LS1 4AB", 收货地址是…."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ..kg.model import PERSON, THING, Mention, Value
from ..kg.ontology import Ontology
from .sayings import Pronoun, Saying, Stance, Tense

_CONFIDENCE: Final = 0.85
_NAME: Final = r"[A-Z][\w'’&-]+(?: [A-Z][\w'’&-]*){0,3}"
_KINDS: Final = r"(?:new|current|home|postal|mailing|shipping|delivery|billing|office|work|street)"
_PLACE: Final = (
    r"(?P<address>(?=[^.;!?\n]{0,60}\d)[\w#][^;!?\n()]{4,90}?)(?=,? (?:not|now|instead)\b|[.;!]?$|[.;!] )"
)
_ENGLISH: Final = (
    re.compile(
        rf"\b(?:(?P<mine>[Mm]y|[Oo]ur)|(?P<name>{_NAME})['’]s?) (?:{_KINDS} )*address"
        rf"(?: is| changed to| has changed to|:)(?: now)? (?!no longer|not\b){_PLACE}"
    ),
    re.compile(
        rf"\b(?P<mine>I|[Ww]e)(?:'m| am)? (?:now )?(?:live|living|moved) (?:at|to) (?=\d[\w/-]*,? [A-Z]){_PLACE}"
    ),
)
_CHINESE: Final = re.compile(
    r"(?:(?P<mine>我们?家?)(?:公司)?的?|(?P<name>[一-鿿]{2,4})的)?(?:新|现在的)?(?:收货|家庭|送货|邮寄|寄送|办公|公司|联系)?(?:地址|住址)"
    r"(?:是|为|：|:|改成|改为|改到|换成|更新为)(?:了)?\s*(?P<address>(?=[^，,。；;！!？?\n]*[\d号路街区])[^，,。；;！!？?\n]{5,50})"
)
_FIELDS: Final = re.compile(
    "(?:姓名|联系人|客户|负责人|收件人|收货人)[：:]\\s*(?P<name>[一-鿿]{2,4})(?=[，,。；;\\s])"
)
"""Whose address one is that stands in a line of labelled fields."""
_DENIED: Final = re.compile(r"\b(?:if|no longer|used to|old|former|not)\b|不是|如果|以前|原来", re.IGNORECASE)


class Addresses:
    """Reads them for the ontology's predicate of addresses, if it has one."""

    def __init__(self, ontology: Ontology, given_names: frozenset[str]) -> None:
        self._given_names = given_names
        self._predicates = [p.name for p in ontology.predicates if p.literal == "address"]

    def may_tell(self, text: str) -> bool:
        return next(self.sayings(text), None) is not None

    def sayings(self, text: str) -> Iterator[Saying]:
        """At most one of each pattern, with whose it is."""
        for predicate in self._predicates[:1]:
            for pattern in (*_ENGLISH, _CHINESE):
                found = pattern.search(text)
                if found is None or _DENIED.search(text, 0, found.start("address")):
                    continue
                if pattern is _CHINESE and _of_a_thing(text, found):
                    continue
                yield Saying(
                    predicate=predicate,
                    stance=Stance.HOLDS,
                    subject=self._owner(found, _FIELDS.search(text, 0, found.start())),
                    object=Value(found["address"].strip(" .,。：:").removeprefix("在")),
                    tense=Tense.PRESENT,
                    at=found.start("address"),
                    quote=(0, len(text)),
                    confidence=_CONFIDENCE,
                )

    @staticmethod
    def is_part(saying: Saying, given: list[Saying]) -> bool:
        """Whether a saying takes the street of a given address for a place: "live at 12 **Elm Street**"."""
        name = getattr(saying.object, "name", None)
        addresses = [s.object.text for s in given if isinstance(s.object, Value)]
        return name is not None and any(re.search(rf"\d\w* {re.escape(name)}\b", a) for a in addresses)

    def _owner(self, found: re.Match[str], labelled: re.Match[str] | None) -> Mention | Pronoun:
        name = found.groupdict().get("name")
        if labelled is not None and not found.groupdict().get("mine"):
            name = name or labelled["name"]
        if not name:
            return Pronoun.SPEAKER
        person = name.split()[0].lower() in self._given_names or not name.isascii()
        return Mention(name, PERSON if person else THING)


def _of_a_thing(text: str, found: re.Match[str]) -> bool:
    """它的地址, 这家餐馆的地址."""
    before = text[: found.start()]
    return before.endswith("的") or (found["name"] or "").startswith(("这", "那", "该", "它", "此", "其"))
