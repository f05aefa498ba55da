"""What a Chinese sentence takes back or denies of what it said: 我住在北京，不对，是天津; 我住在苏州，不是无锡."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

from ...kg.model import Mention, Value
from ..sayings import Polarity, Saying
from ..tokens import Word
from .phrases import Clause
from .subjects import NOBODY, Carried

Read: TypeAlias = Callable[[Clause, Carried], tuple[list[Saying], Carried]]

_TAKEN_BACK = re.compile(
    "[啊哦噢哎呃嗯]?(?:(?:不对?){1,2}|(?:我?(?:说|记|搞|弄|写|打))?错了|口误|更正(?:一下)?)[啊哦]?"
)
_LEAD = frozenset({"应该", "其实", "而", "而且", "该", "实际", "实际上", "才", "就"})
_IS = frozenset({"是", "叫", "在", "去"})


class Corrections:
    """Remembers the last clause that said something, and puts into it what a later one says instead."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._clause: Clause | None = None
        self._carried = NOBODY
        self._said: list[Saying] = []
        self._is_taken_back = False

    def takes_back(self, clause: Clause, found: list[Saying]) -> bool:
        """Whether the clause only takes back what was ``found`` last, which is then left out."""
        if _TAKEN_BACK.fullmatch("".join(w.text for w in clause.words)) is None:
            return False
        found[:] = [s for s in found if s not in self._said]
        self._is_taken_back = bool(self._said)
        return True

    def remember(self, clause: Clause, carried: Carried, said: list[Saying]) -> None:
        """``carried``: as it was before the clause."""
        self._is_taken_back = False
        if said or clause.has_verb:
            self._clause, self._carried, self._said = clause, carried, said

    def instead(self, clause: Clause) -> list[Saying]:
        """What the clause says by the words of the one before."""
        words = clause.words
        while words and words[0].text in _LEAD:
            words = words[1:]
        denies = [w.text for w in words[:2]] == ["不", "是"]
        is_ = denies or (bool(words) and words[0].text in _IS)
        words = words[2 if denies else 1 if is_ else 0 :]
        if self._clause is None or not words or len(words) > 4 or any(w.tag in ("v", "r", "p") for w in words):
            return []
        was_denied = all(s.polarity is Polarity.NEGATIVE for s in self._said)
        if not self._is_taken_back and not denies and not (was_denied and is_):
            return []
        if all(w.tag == "TIME" for w in words):
            reach = ((Clause(words).span,),)
            return [] if denies or was_denied else [replace(s, reach=reach) for s in self._said]
        polarity = Polarity.NEGATIVE if denies else Polarity.POSITIVE
        keep = self._is_taken_back and not denies
        return [s if keep else replace(s, polarity=polarity) for s in self._put(words)]

    def _put(self, words: Sequence[Word]) -> list[Saying]:
        """What the clause before would say with ``words`` for its object."""
        assert self._clause is not None
        for said in reversed(self._said):
            name = (
                said.object.name
                if isinstance(said.object, Mention)
                else said.object.text
                if isinstance(said.object, Value)
                else ""
            )
            for start in range(len(self._clause.words) if name else 0):
                end = self._clause.spelled(start, name)
                if end is None:
                    continue
                rest = self._clause.words
                made = Clause((*rest[:start], *words, *rest[end:]))
                again = self._read(made, self._carried)[0]
                return [s for s in again if s.predicate == said.predicate and s.object != said.object]
        return []
