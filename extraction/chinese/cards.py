"""A line of labelled fields about one person: 联系人：李静，职位：财务总监，电话：13900001111，公司：蓝天集团."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ...kg.model import Mention, Value
from ..sayings import Saying, Stance
from ..tokens import Word
from .phrases import Clause, Phrases
from .triggers import ChineseTriggers, Match, Trigger
from .voice import Voice

_WHO = frozenset({"联系人", "姓名", "名字", "客户", "客户姓名", "客户名称", "负责人", "收件人", "收货人"})
_FIRM = frozenset({"公司", "单位", "公司名称", "所在公司", "工作单位", "任职公司"})
_FIELD = re.compile("[：:]")
_CONFIDENCE = 0.85


class Cards:
    """Reads whole sentences that are nothing but labelled fields, the first of which names a person."""

    def __init__(self, triggers: ChineseTriggers, phrases: Phrases, voice: Voice) -> None:
        self._phrases, self._voice = phrases, voice
        self._nouns = {n: p for n, p in triggers.possessed if p.object == "Value" and p.literal != "name"}
        self._works = next((p for noun, p in triggers.titles if noun == "<role>"), None)

    def sayings(self, clauses: Sequence[Clause]) -> list[Saying]:
        """All that the fields say; nothing when it is no card."""
        fields = [_field(clause) for clause in clauses]
        if len(fields) < 2 or any(f is None for f in fields):
            return []
        found: list[Saying] = []
        who: Mention | None = None
        for clause, field in zip(clauses, fields, strict=True):
            assert field is not None
            label, words = field
            if label in _WHO:
                named = self._phrases.named(words, "Person", whole=True)
                who = named if isinstance(named, Mention) else None
            elif who is not None:
                found.extend(self._says(clause, who, label, words))
        return found

    def _says(self, clause: Clause, who: Mention, label: str, words: Sequence[Word]) -> Iterator[Saying]:
        predicate = self._works if label in _FIRM else self._nouns.get(label)
        if predicate is None:
            return
        thing: Mention | Value | None
        if predicate.object == "Value":
            thing = self._phrases.literal(words, predicate.literal)
        else:
            named = self._phrases.named(words, predicate.object, whole=True)
            thing = named if isinstance(named, Mention) else None
        if thing is not None:
            match = Match(Trigger(predicate, Stance.HOLDS, label, ""), 0, 1, len(clause.words))
            yield self._voice.say(clause, match, who, thing, Stance.HOLDS, _CONFIDENCE)


def _field(clause: Clause) -> tuple[str, tuple[Word, ...]] | None:
    at = next((i for i, w in enumerate(clause.words) if _FIELD.fullmatch(w.text)), None)
    return None if not at else ("".join(clause.texts(0, at)), clause.words[at + 1 :])
