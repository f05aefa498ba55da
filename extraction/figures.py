"""Measured values as people note them: "P95 = 1.35s", "hit rate 0.86", "幻觉4.1%"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..kg.model import Mention, Value
from .sayings import Saying, Stance, Tense

METRIC = "Metric"
_UNIT = r"(?:\s?(?:%|％|‰|ms|min|kg|km|cm|mm|[KMG]B|QPS|qps|s|h|g|元|秒|毫秒|分钟|小时|万|次))?"
_NUMBER = r"[+-]?\d+(?:,\d{3})*(?:\.\d+)?" + _UNIT + r"(?![\w.:/%-]*\d|[A-Za-z])"
_SIGNED = re.compile(r"(?P<name>[A-Za-z][\w@.-]*)\s*[=＝]\s*(?P<value>" + _NUMBER + ")")
_LISTED = re.compile(
    r"(?:^|[,，;；:：(（。])\s*(?P<name>[A-Za-z][A-Za-z-]+(?: [A-Za-z][A-Za-z-]+){0,3}|[一-鿿]{2,14})\s?"
    r"(?P<value>\d+\.\d+" + _UNIT + r"|\d+\s?[%％])(?=\s*(?:[,，;；。(（)）]|\.(?!\d)|$))"
)
_UNMEASURED = re.compile(
    r"\b(?:if|when|will|plan|target|goal|criteria|should|must|could|would|force|set|try|let|make|e\.g|for example"
    r"|version|default)\b|如果|当|遇到|强制|目标|计划|预计|标准|要求|应该|比如|例如|版本|默认|这周内|需要",
    re.IGNORECASE,
)
_FUNCTION_WORDS = frozenset(
    [
        "a",
        "an",
        "the",
        "of",
        "by",
        "to",
        "at",
        "in",
        "on",
        "for",
        "from",
        "with",
        "and",
        "or",
        "but",
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "about",
        "around",
        "over",
        "under",
        "than",
        "up",
        "down",
        "only",
        "just",
        "no",
        "not",
        "v",
        "version",
        "day",
        "week",
        "month",
        "year",
        "step",
        "phase",
        "round",
        "page",
        "chapter",
        "top",
        "approx",
        "another",
    ]
)
_SAID_OF = re.compile(
    r"(?:但|而|且|目前|现在)?(?P<name>.{2,10}?)(?:现在|目前|再次|抖动|稳定|维持|保持|达到|降到|降至|升到|升至|提升到|提高到|下降到"
    r"|上升到|增加到|是|为|在|到|了)*$"
)
_CHANGE = re.compile(
    "下降|降低|减少|增加|提升|上升|提高|节省|增长|超过|大于|小于|不到|接近|仍|有|被|把|将|能|让|我|你|他|的|约"
)
_CONFIDENCE = 0.8


def figures(text: str, predicate: str) -> list[Saying]:
    """The measured values a sentence notes, as sayings of ``predicate``; none if it plans or supposes."""
    if _UNMEASURED.search(text):
        return []
    found: dict[int, Saying] = {}
    for match in _matches(text):
        name = match["name"]
        if not name.isascii():
            name = _measured(name)
        if name:
            found.setdefault(match.start("value"), _saying(text, match, name, predicate))
    return [found[at] for at in sorted(found)]


def _measured(text: str) -> str:
    """What is measured, in "注入覆盖率现在在(62%)"; nothing for a mere change ("下降42%")."""
    match = _SAID_OF.match(text)
    name = match["name"] if match else ""
    return "" if _CHANGE.search(name) else name


def _matches(text: str) -> Iterator[re.Match[str]]:
    for match in _SIGNED.finditer(text):
        name = match["name"]
        if any(c.isupper() or c.isdigit() or c in "@_" for c in name):
            yield match
    for match in _LISTED.finditer(text):
        if not _FUNCTION_WORDS & set(match["name"].lower().split()):
            yield match


def _saying(text: str, match: re.Match[str], name: str, predicate: str) -> Saying:
    return Saying(
        predicate=predicate,
        stance=Stance.HOLDS,
        subject=Mention(name, METRIC),
        object=Value(re.sub(r"\s+", "", match["value"])),
        tense=Tense.PRESENT,
        at=match.start("name"),
        quote=(0, len(text)),
        reach=(),
        confidence=_CONFIDENCE,
    )
