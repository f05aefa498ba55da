"""What may stand between a measure and its figure in an English sentence, and what makes a figure no value."""

from __future__ import annotations

import re
from typing import Final

_MONTHS: Final = "January|February|March|April|May|June|July|August|September|October|November|December"
_ADVERB: Final = (
    r"(?:now|currently|presently|still|just|already|about|around|roughly|approximately|approx\.?|circa|exactly"
    r"|only|actually|also|even|finally|recently|officially|today|tonight|yesterday|right now|at the moment|again"
    r"|this (?:morning|afternoon|evening|week|month|year)|last (?:night|week|month)|these days|as of today|to|at|a"
    rf"|the|in (?:{_MONTHS})|on (?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|all the way|sitting|holding|steady"
    r"|stable)"
)
_CHANGE: Final = (
    r"(?:drop(?:s|ped)?|f[ae]ll(?:en|s)?|go(?:ne|es)?|went|c[ao]me|r[io]se(?:n|s)?|climb(?:ed)?|gr[eo]wn?"
    r"|shr[aui]nk|changed|decreased|increased|reduced|improved|declined|jumped|got(?:ten)?|moved|lowered|raised"
    r"|returned)"
)
_COPULA: Final = (
    r"(?:is|are|was|were|has|have|been|['’][sm]|am|be|reads?|measure[sd]?|stands?|stood|remain(?:s|ed)"
    r"|stay(?:s|ed))"
)
_SIDE: Final = r"(?:down|up|back|in|out)"
_BREAK: Final = r"(?:[,;:=()–—-]|\band\b|\bso\b|\bbut\b)"
_IT: Final = r"(?:it|that|this|which)"
_LINK: Final = rf"(?:\s|\b{_ADVERB}\b|\b{_COPULA}\b|['’][sm]\b|\b{_CHANGE}\b|\b{_SIDE}\b)"
_NEARLY: Final = r"(?:about|around|roughly|nearly|only|just|a|an|another)"

GAP: Final = re.compile(
    rf"(?:{_LINK}*(?:{_BREAK}{_LINK}*){{0,2}}(?:\b(?:{_IT}|I|result|reading)\b{_LINK}*)?"
    rf"|\s+of\s+(?:{_ADVERB}\s+)*)",
    re.IGNORECASE,
)
"""Between what is measured and its figure: "**waist** is now about *95 cm*"."""
IT_IS: Final = re.compile(
    rf"(?:^|{_BREAK})\s*(?:(?:{_ADVERB}|and|so|but|well|ok|okay)[\s,]+)*\b{_IT}{_LINK}+$"
    rf"|^(?:{_ADVERB}\s+)*(?:still|now)\s+$",
    re.IGNORECASE,
)
"""Before a figure that is what was measured earlier: "and it's now *96cm*"."""
VERB_GAP: Final = re.compile(rf"(?:\s|\b{_ADVERB}\b|\b{_SIDE}\b)*", re.IGNORECASE)
CHANGED: Final = re.compile(_CHANGE, re.IGNORECASE)
FROM: Final = re.compile(r"\bfrom\s+(?:(?:about|around|roughly|a|an)\s+)*$", re.IGNORECASE)
TO: Final = re.compile(rf"\b(?:to|at)\s+(?:(?:{_ADVERB})\s+)*$", re.IGNORECASE)
TODAY: Final = re.compile(
    r"\b(?:today|this morning|this afternoon|this evening|tonight|just now)\b", re.IGNORECASE
)
CHUNK: Final = re.compile(r"\s[-–—]\s|[,;:–—]|\band\b|\bbut\b")
COMPARED: Final = re.compile(r"[,;(–—]|\b(?:than|compared|versus|vs|before|down|up|from)\b")

_NO_VALUE_BEFORE: Final = re.compile(
    r"(?:\b(?:by|down|up|los[et]|losing|gain(?:ed|ing)?|shed|shedding|another|extra|additional|plus|minus|over"
    r"|under|above|below|than|least|most|exceed(?:s|ing|ed)?|within|between|maximum|minimum|max|min|every|each|per"
    rf"|nearly|almost|not|never|{_CHANGE}|decrease|increase|cut|put on|up to)\s+(?:{_NEARLY}\s+)*|[<>≤≥+]\s*)$",
    re.IGNORECASE,
)
_MOVED_UP_TO: Final = re.compile(rf"\b{_CHANGE}\s+(?:(?:back|right|all the way)\s+)?up\s+to\s+$", re.IGNORECASE)
_NO_VALUE_AFTER: Final = re.compile(
    r"\s*(?:(?:less|more|lighter|heavier|taller|shorter|smaller|bigger|larger|thinner|slimmer|lower|higher|down|off"
    r"|over|under|above|below|away|increase|decrease|loss|gain|difference|left|to go|extra|each|every"
    r"|or (?:more|less|so)|plus|too|short|deep|long|wide|from)\b|\+|[-–~]\s?\d)",
    re.IGNORECASE,
)
_GOAL: Final = re.compile(
    r"\b(?:goals?|targets?|aim|ideal|should|shall|want|wants|wanted|need|needs|hope|hoping|would|could|must|may"
    r"|might|recommend\w*|limit|until|unless|if|when|plan|planning|try|trying|supposed|reach|normal|average"
    r"|standard|healthy|let|imagine|suppose|for men|for women|will|['’]ll|gonna|going to)\b",
    re.IGNORECASE,
)


def may_be_value(before: str, after: str) -> bool:
    """Whether a figure between these texts is neither a difference ("down 8cm", "3 kg heavier") nor a bound
    ("under 80kg") nor wished or supposed ("my goal is 75kg")."""
    if _NO_VALUE_BEFORE.search(before) and not _MOVED_UP_TO.search(before):
        return False
    return _NO_VALUE_AFTER.match(after) is None and _GOAL.search(CHUNK.split(before)[-1]) is None
