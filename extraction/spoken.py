"""How people write as they talk: they take back a word ("in Rome, sorry, Milan"), and put names before lines."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..temporal.english_words import MONTHS
from .lexicon import lexicon

_NAME = r"[A-Z][\w'’&-]{0,30}(?: [A-Z][\w'’&-]{0,30}){0,3}"
_MONTH = r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_DATE = rf"(?:{_MONTH}(?: \d{{1,2}})?(?:,? \d{{4}})?|\d{{1,4}})"
_WORDS = (
    r"(?:oops|sorry|no|er|uh|um|wait),? (?:wait|no|sorry|i mean|i meant|make that)|oops|sorry|no|wait|i mean|"
    r"i meant|or rather|make that|scratch that|correction"
)
_AGAIN = re.compile(
    rf"(?<![\w'’&-])(?P<old>{_DATE}|{_NAME})"
    rf"(?P<gap>[,.!]? ?[(–—-]? ?(?i:{_WORDS})[,:]? |[,.]? ?\((?i:actually|no,|sorry,) )"
    rf"(?P<new>{_DATE}|{_NAME})\b(?=\)?(?:[.,;!]|\s*$))"
)
_IS_DATE = re.compile(_DATE)
_LABEL = re.compile(
    r"^[ \t]*(?:\[[^\]\n]{1,24}\][ \t]*)?(?P<who>[A-Z][\w.'’-]{1,20}(?: [A-Z][\w.'’-]{1,20}){0,2})"
    r"(?: ?\([^)\n]{1,30}\))?:[ \t]+(?=\S)",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a written talk: ``start`` is where its words begin; ``speaker`` None: nobody known."""

    label: int
    start: int
    end: int
    speaker: str | None


def without_retracted(text: str) -> str:
    """The text with blanks for what its next words take back: of "in Rome, sorry, Milan" only Milan is left. Names
    take back names, dates dates."""

    def blanked(match: re.Match[str]) -> str:
        old, new = (_kind(match[part]) for part in ("old", "new"))
        return " " * (match.start("new") - match.start()) + match["new"] if old == new else match.group()

    return _AGAIN.sub(blanked, text)


def _kind(word: str) -> str:
    """Only the like takes back the like: in "I live in Rome. Sorry, Tom." somebody is spoken to."""
    if _IS_DATE.fullmatch(word) is not None:
        return "date"
    return "given name" if word.split(maxsplit=1)[0].lower() in lexicon().sexes else "name"


def lines(text: str) -> list[Line]:
    """The lines that begin with who says them: somebody's given name, or a part in a talk ("Customer")."""
    found = []
    for match in _LABEL.finditer(text):
        first = match["who"].split()[0].lower()
        known = first in lexicon().given_names and first not in MONTHS
        if known or match["who"].lower() in lexicon().parts_in_talk:
            end = text.find("\n", match.end())
            speaker = match["who"] if known else None
            found.append(Line(match.start(), match.end(), len(text) if end < 0 else end, speaker))
    return found
