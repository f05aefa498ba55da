"""What people ask to be kept to: "budget at most 5000", "reply in Chinese", "预算不超过五千元", "请用中文回复"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..kg.model import Value
from ..kg.ontology import Ontology
from .sayings import Pronoun, Saying, Stance, Tense

BUDGET, LANGUAGE = "HAS_BUDGET", "WANTS_REPLIES_IN"
"""The predicates, where the ontology has them."""
_CONFIDENCE = 0.85
_CURRENCY = r"dollars?|euros?|pounds?|yuan|USD|EUR|GBP|RMB|CNY|元|块|美元|欧元"
_MONEY = rf"(?P<value>[$€£¥￥]?\s?\d[\d,.]*\d(?:\s?[kK万千])?(?:\s?(?:{_CURRENCY}))?)"
_LIMITS = (
    re.compile(
        r"\bbudget\s+(?:is|of|was|would be|:)?\s*(?:now\s+)?(?:at most|up to|under|below|(?:no|not) more than"
        rf"|max(?:imum)?(?: of)?|capped at|limited to)\s+{_MONEY}",
        re.IGNORECASE,
    ),
    re.compile(rf"\b(?:maximum|max) budget\s+(?:is|of|:)?\s*{_MONEY}", re.IGNORECASE),
    re.compile(rf"预算(?:是|为|在)?(?:最多|最高|至多|不超过|不要超过|不能超过|上限(?:是|为)?)\s*{_MONEY}"),
    re.compile(rf"预算(?:是|为|在)?\s*{_MONEY}\s*(?:以内|以下|之内)"),
)
_REPLIES = (
    re.compile(
        r"(?:^|[,;.!]\s*|\b(?:please|always|only|kindly|and|but|to)\s+)(?:reply|respond|answer|write|speak|talk)"
        r"(?:\s+(?:back|me|to me|my questions))*(?:\s+(?:only|always))?\s+in\s+(?P<value>[A-Z][a-z]+)\b",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?:请|以后|今后|麻烦|都|只|一律|尽量|务必)(?:都|你)?(?:用|使用|以)\s*(?P<value>[一-鿿]{1,4}[文语话])"
        r"(?:来)?(?:跟我|和我|给我)?(?:回复|回答|答复|交流|沟通|说|写|聊)"
    ),
)
_DENIED = re.compile(
    r"\b(?:don['’]t|do not|never|not|if|when|she|he|they|would)\b|不要用|别用|如果|他|她", re.IGNORECASE
)


class Constraints:
    """Reads the constraints that the ontology has predicates for, by the language names it is given."""

    def __init__(self, ontology: Ontology, languages: frozenset[str]) -> None:
        self._names = {p.name for p in ontology.predicates} & {BUDGET, LANGUAGE}
        self._languages = languages

    def may_tell(self, text: str) -> bool:
        return next(self.sayings(text), None) is not None

    def sayings(self, text: str) -> Iterator[Saying]:
        """At most one limit of the speaker's budget and one language to be answered in."""
        if BUDGET in self._names and (limit := _first(_LIMITS, text)) is not None:
            yield _saying(BUDGET, f"at most {' '.join(limit['value'].split())}", text, limit.start())
        asked = _first(_REPLIES, text) if LANGUAGE in self._names and not _DENIED.search(text) else None
        if asked is not None and asked["value"].lower() in self._languages:
            yield _saying(LANGUAGE, asked["value"], text, asked.start())


def _first(patterns: tuple[re.Pattern[str], ...], text: str) -> re.Match[str] | None:
    return next((m for p in patterns if (m := p.search(text)) is not None), None)


def _saying(predicate: str, value: str, text: str, at: int) -> Saying:
    return Saying(
        predicate=predicate,
        stance=Stance.HOLDS,
        subject=Pronoun.SPEAKER,
        object=Value(value),
        tense=Tense.PRESENT,
        at=at,
        quote=(0, len(text)),
        confidence=_CONFIDENCE,
    )
