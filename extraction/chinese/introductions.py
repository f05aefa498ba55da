"""Names that a Chinese clause gives to what the one before it brought up: 我养了两只猫，一只叫小黑，一只叫小白."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ...kg.model import Mention
from ...kg.ontology import Predicate
from ..lexicon import Lexicon
from ..sayings import Referent, Saying, Stance
from ..tokens import LATIN
from .phrases import Clause, Phrases
from .subjects import NOBODY, Carried, Subjects, as_subject
from .triggers import ChineseTriggers, Match, Trigger
from .voice import Voice

_NAMING = frozenset({"叫", "叫做", "名叫", "取名", "起名", "取名叫", "起名叫"})
_WHICH = re.compile(
    r"(?:我们?)?(?:给)?(?:[它他她]|其中)?的?(?:另?[一两]?[只个条位名匹]|另外一[只个条]|[大小]的)?(?:名字|取名|起名)?就?"
)
_COUNTED = r"(?:了|新)*(?:[一两二三四五\d]*[个只条位名匹])?(?:新)?"
_CALLED = "名字叫|名叫|叫做|取名叫|取名|叫"
_NAME = "[一-鿿]{1,3}|[A-Z][A-Za-z]{1,14}"
_NAMES = frozenset({"PER", "nz", "nr", LATIN})


class Introductions:
    """Remembers, clause by clause of one sentence, whom or what of whose was brought up."""

    def __init__(
        self, triggers: ChineseTriggers, phrases: Phrases, subjects: Subjects, voice: Voice, lexicon: Lexicon
    ) -> None:
        self._phrases, self._subjects, self._voice, self._zh = phrases, subjects, voice, lexicon.chinese
        nouns = [(n, p) for n, p in triggers.possessed if p.object in ("Person", "Animal")]
        self._predicates: dict[str, Predicate] = dict(reversed(nouns))
        either = "|".join(noun for noun, _ in nouns)
        self._brought = re.compile(f"{_COUNTED}(?P<noun>{either})[了啦]?")
        self._owned = re.compile(f"(?:的|家|家的)?(?P<noun>{either})")
        pets = "|".join(n for n, p in nouns if p.object == "Animal")
        self._called = re.compile(
            f"{_COUNTED}(?:(?P<noun>{pets})(?:{_CALLED})(?P<name>{_NAME})|(?:{_CALLED})(?P<first>{_NAME})的(?P<it>{pets}))"
        )
        self._up: tuple[Referent, str] | None = None

    def sayings(self, clause: Clause, carried: Carried) -> Iterator[Saying]:
        """The name that the clause gives, if it does nothing else; else what it brings up is kept in mind."""
        at = next((i for i, w in enumerate(clause.words) if w.text in _NAMING), len(clause.words))
        last = at + 1 if clause.texts(at + 1, at + 2) != ["叫"] else at + 2
        named = self._phrases.literal(clause.words[last:], "name") if last < len(clause.words) else None
        animal = self._up is not None and self._predicates[self._up[1]].object == "Animal"
        tags = _NAMES | {"n", "a", "vn"} if animal else _NAMES
        names = named is not None or (len(clause.words) == last + 1 and clause.words[last].tag in tags)
        once = list(self._at_once(clause, carried))
        if once:
            yield from once
            return
        if not names or not _WHICH.fullmatch("".join(clause.texts(0, at))):
            self._up = self._brings_up(clause, carried)
            return
        if self._up is None:
            return
        owner, noun = self._up
        predicate = self._predicates[noun]
        subject = as_subject(owner, predicate)
        if subject is not None:
            match = Match(Trigger(predicate, Stance.HOLDS, "叫", ""), at, last, last)
            thing = Mention(clause.words[last].text, predicate.object)
            said = self._voice.say(clause, match, subject, thing, Stance.HOLDS)
            yield replace(said, kin=self._zh.kin.get(noun, ""))

    def _at_once(self, clause: Clause, carried: Carried) -> Iterator[Saying]:
        """我养了**一只猫叫咪咪**, 我养了**一只叫年糕的猫**."""
        verb = next((i for i, w in enumerate(clause.words) if w.text in self._zh.presenting), len(clause.words))
        called = self._called.fullmatch("".join(clause.texts(verb + 1, len(clause.words))))
        named = next((i for i, w in enumerate(clause.words) if i > verb and w.text in _NAMING), None)
        if called is None or named is None:
            return
        name = [w for w in clause.words[named + 1 :] if w.text != "的"]
        if any(w.tag in ("q", "d", "v", "r", "u", "m") for w in name):
            return
        predicate = self._predicates[called["noun"] or called["it"]]
        who = self._subjects.before(clause, verb, carried).subject
        subject = None if who is None else as_subject(who, predicate)
        if subject is not None:
            match = Match(Trigger(predicate, Stance.HOLDS, "叫", ""), verb, verb + 1, len(clause.words))
            thing = Mention(called["name"] or called["first"], predicate.object)
            yield self._voice.say(clause, match, subject, thing, Stance.HOLDS)

    def heading(self, said: list[Saying], carried: Carried) -> Carried:
        """Whom the next clause is about."""
        if not said:
            return carried
        thing = said[-1].object
        known = isinstance(thing, Mention) and thing.kind == "Person"
        return Carried(thing, sure=False) if known and isinstance(thing, Mention) else NOBODY

    def has_pet(self) -> bool:
        """Whether an animal was brought up last, of which the next clause may speak: "我有只猫，喜欢吃鱼"."""
        return self._up is not None and self._predicates[self._up[1]].object == "Animal"

    def _brings_up(self, clause: Clause, carried: Carried) -> tuple[Referent, str] | None:
        owner = self._phrases.referent(clause.words[0])
        owned = self._owned.match("".join(clause.texts(1, len(clause.words)))) if owner is not None else None
        if owner is not None and owned is not None:
            return owner, owned["noun"]
        verb = next((i for i, w in enumerate(clause.words) if w.text in self._zh.presenting), None)
        brought = (
            None if verb is None else self._brought.fullmatch("".join(clause.texts(verb + 1, len(clause.words))))
        )
        if verb is None or brought is None:
            return None
        who = self._subjects.before(clause, verb, carried).subject
        return None if who is None else (who, brought["noun"])
