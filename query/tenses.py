"""Whether the words by which a question dates itself tell what happened, or what is still to come. Pure."""

from __future__ import annotations

import re
from typing import Final

from .asking import Clause, of_the_past
from .wanted import PAST_FORMS

_ENDS_IN_ED: Final = re.compile(r"\w*(?:[^\We]|gre|fre)ed")
_ALIKE: Final = frozenset(("quit", "put", "set", "cut", "let", "hit", "read", "shut", "split", "spread", "hurt"))
"""Said alike of what was and what is; only "she" and "he" tell, whose present has an s."""

_SUBJECT: Final = re.compile(
    r"\W*(?P<who>i|you|we|they|he|she|it)(?:['’](?P<short>\w+))?\s+"
    r"(?:(?:just|first|last|ever|even|still|also|only|already|\w+ly)\s+)*(?P<verb>\w+)",
    re.IGNORECASE,
)
_HAPPENS: Final = re.compile(r"\b[A-Z][\w.&-]*\s+[a-z]+[^\Ws]s\b|\b(?:is|are|does|do|will|can|should|must|may)\b")
_GERUND: Final = re.compile(r"\W*(?:(?:even|just|ever)\s+)?[a-z]+ing\b")
_EVERY_DAY: Final = re.compile(r"\W*[a-z]+\W*")
"""A noun alone, "before work", "after lunch": an event is "the move". In small letters it may be a name."""

_CAPITAL: Final = re.compile(r"\b(?!I\b)[A-Z]")
_AHEAD: Final = re.compile(
    r"\b(?:should|shall|will|would|can|could|must|may|might|need|ought|going to)\b"
    r"|应该|应当|该|需要|必须|可以|打算|要(?=[知注准做问说带])",
    re.IGNORECASE,
)
_WAS: Final = re.compile(r"\b(?:did|was|were|had|been|used to)\b|[了过]|曾", re.IGNORECASE)
_HAN: Final = re.compile(r"[\u3400-\u9fff]")


def looks_back(text: str, clause: Clause) -> bool:
    """Whether a clause means something that happened: "before she moved", "before moving to Oslo, where did she
    live", "before Anthropic". "Before I call her", "before calling", "when she works" date nothing."""
    event = text[slice(*clause.event)]
    main = text[: clause.start] + " " + text[clause.end :]
    if not re.search(r"\w", main):
        main = event
    if _HAN.search(event):
        return not is_ahead(main)
    if found := _SUBJECT.match(event):
        return _subject_did(found, main)
    if tells_past(event):
        return True
    if _HAPPENS.search(event):
        return False
    if _EVERY_DAY.fullmatch(event) and not _GERUND.match(event) and not text.islower():
        return False
    if _CAPITAL.search(event) and not _GERUND.match(event):
        return not is_ahead(main)
    return tells_past(main)


def _subject_did(found: re.Match[str], main: str) -> bool:
    if short := found["short"]:
        return short.lower() == "d"
    verb = found["verb"].lower()
    if verb in ("has", "have"):
        return tells_past(main)
    if verb in _ALIKE:
        return found["who"].lower() in ("he", "she", "it") or tells_past(main)
    return _is_past(verb)


def tells_event(text: str) -> bool:
    """Whether a clause has a verb that tells what happened: "she moved", "moving"."""
    return tells_past(text) or _GERUND.match(text) is not None


def tells_past(text: str) -> bool:
    """Whether a text speaks of what was: by an auxiliary, or by a verb in the past."""
    if is_ahead(text):
        return False
    return of_the_past(text) or any(_is_past(word) for word in re.findall(r"[a-z]+", text))


def is_ahead(text: str) -> bool:
    """Whether a text speaks of what may or should be."""
    return _AHEAD.search(text) is not None and _WAS.search(text) is None


def _is_past(word: str) -> bool:
    return word in PAST_FORMS or _ENDS_IN_ED.fullmatch(word) is not None
