"""What a segmented Chinese sentence says, by the ontology's Chinese triggers.

There is no parse: a sentence falls into clauses at its commas; in a clause the subject stands before the
trigger and the object after it (or in its gap, "在…工作"); a clause without a subject takes the one before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...kg.model import Mention, Value
from ...kg.ontology import Predicate
from ...temporal.rules import PredicateKind
from ..ailments import CONDITION, chinese_ailment
from ..lexicon import Lexicon
from ..sayings import Pronoun, Referent, Saying, Span, Stance
from ..tokens import LATIN, Word
from .allergies import ChineseAllergies
from .cards import Cards
from .corrections import Corrections
from .counts import ChineseCounts
from .endings import ChineseEndings
from .introductions import Introductions
from .offices import Offices
from .open import ChineseOpen
from .partings import ChinesePartings
from .phrases import Clause, Phrases
from .possessed import COPULAS, Possessions
from .subjects import LIGHT, NOBODY, Carried, Subjects, as_subject
from .triggers import ChineseTriggers, Match, Trigger, matches, spelling
from .voice import SURE, UNSURE, Voice
from .whereabouts import Whereabouts

_BREAKS = "，,；;。！!—\n"
_WISH = re.compile("[早多再能].{1,20}就好了|(?:^|[，,我你他她])若(?!干)")
_FAVOURITE = re.compile("我(?:现在|目前)?最(?:喜欢|爱)的.{1,6}")
_BECOMES = frozenset({"开始", "改", "改成", "转"})
_BEING = ("是", "为", "当", "做", "担任", "叫")


def sayings(
    words: Sequence[Word],
    text: str,
    triggers: ChineseTriggers,
    lexicon: Lexicon,
    carried: Carried = NOBODY,
    *,
    open_: bool,
) -> tuple[list[Saying], Carried]:
    """Everything one sentence says, and the subject that a following sentence may go on with. ``open_``: also what
    no predicate is known for."""
    zh = lexicon.chinese
    plain = zh.no_question.sub("", text)
    if any(q in plain for q in zh.questions) or any(c in plain for c in zh.conditions) or _WISH.search(text):
        return [], NOBODY
    reader = _Reader(text, triggers, lexicon, open_=open_, alone=carried.alone)
    clauses = list(_clauses(words, text))
    card = reader.cards.sayings(clauses)
    if card:
        return card, NOBODY
    corrections = Corrections(reader.all_of)
    found: list[Saying] = []
    before: list[Saying] = []
    idle: Span | None = None
    for clause in clauses:
        if corrections.takes_back(clause, found):
            continue
        going, said = carried, corrections.instead(clause)
        if not said:
            said, carried = reader.all_of(clause, carried)
        corrections.remember(clause, going, said)
        lent = before[-1].reach[0][0] if before else idle
        if lent is not None:
            said = [
                replace(s, reach=(*s.reach, (lent,))) if lent is idle or s.stance is not Stance.HOLDS else s
                for s in said
            ]
        found.extend(said)
        idle = None if clause.has_verb else clause.span
        before = [s for s in said if s.stance is not Stance.HOLDS]
    return found, replace(carried, far=True) if carried.subject is Pronoun.SPEAKER else NOBODY


def _clauses(words: Sequence[Word], text: str) -> Iterator[Clause]:
    current: list[Word] = []
    for word in words:
        apart = current and text[current[-1].end : word.start].isspace() and _both_chinese(current[-1], word)
        if current and (word.text[0] in _BREAKS or apart):
            yield Clause(tuple(current))
            current = []
        if word.text[0] not in _BREAKS:
            current.append(word)
    if current:
        yield Clause(tuple(current))


def _both_chinese(left: Word, right: Word) -> bool:
    return not left.text[-1].isascii() and not right.text[0].isascii()


class _Reader:
    def __init__(
        self, text: str, triggers: ChineseTriggers, lexicon: Lexicon, *, open_: bool, alone: bool
    ) -> None:
        self._text, self._triggers, self._lexicon = text, triggers, lexicon
        self._phrases = Phrases(text, lexicon)
        self._subjects = Subjects(self._phrases, lexicon)
        self._voice = Voice(text, lexicon)
        self._counts = ChineseCounts(text, triggers, self._subjects, self._voice)
        self._endings = ChineseEndings(triggers, self._phrases, self._subjects, self._voice, lexicon)
        self._introductions = Introductions(triggers, self._phrases, self._subjects, self._voice, lexicon)
        self._possessions = Possessions(triggers, self._phrases, self._subjects, self._voice, lexicon)
        self._allergies = ChineseAllergies(
            triggers, self._phrases, self._subjects, self._voice, lexicon, alone=alone
        )
        self.cards = Cards(triggers, self._phrases, self._voice)
        self._partings = ChinesePartings(triggers, self._phrases, self._subjects, self._voice, lexicon)
        self._whereabouts = Whereabouts(triggers, self._phrases, self._subjects, self._voice, lexicon)
        self._offices = Offices(triggers, self._phrases, self._voice, lexicon)
        self._open = ChineseOpen(text, self._phrases, lexicon, self._subjects, self._voice) if open_ else None
        self._quoted = [m.span() for m in re.finditer(r"[“「『\"][^”」』\"]{4,}(?:[”」』\"]|$)", text)]

    def all_of(self, clause: Clause, carried: Carried) -> tuple[list[Saying], Carried]:
        """What one clause says, counts, and states by a verb nobody described, and the next one's subject."""
        if self._is_quoted(clause.words[0].start):
            return [], carried
        parted = list(self._partings.sayings(clause, carried))
        if parted:
            return parted, NOBODY
        known, heading = self.clause(clause, carried)
        ailing = list(self._allergies.sayings(clause, carried))
        self._allergies.follow(known or ailing)
        self._partings.remember(known)
        if ailing and all(s.predicate != a.predicate for s in known for a in ailing):
            return [*known, *ailing], Carried(ailing[-1].subject)
        if not known:
            known = list(self._offices.sayings(clause, carried))
            heading = self._offices.heading(known, heading)
        where = [] if known else list(self._whereabouts.sayings(clause, carried))
        if where:
            known, heading = where, Carried(where[-1].subject, sure=False)
        known = known or list(self._endings.sayings(clause, carried))
        named = list(self._introductions.sayings(clause, carried))
        heading = self._introductions.heading(named, heading)
        counts = list(self._counts.sayings(clause, carried))
        states = [] if known or counts or self._open is None else list(self._open.sayings(clause, carried))
        states = [s for s in states if s.predicate not in self._triggers.words]
        if not named and (self._subjects.presents(clause) or self._introductions.has_pet()):
            heading = NOBODY
        other = _speaks_of_others(clause) or (heading is carried and carried.other)
        return [*known, *named, *counts, *states], replace(heading, other=other)

    def clause(self, clause: Clause, carried: Carried) -> tuple[list[Saying], Carried]:
        """What one clause says, and the subject the next one may go on with."""
        if self._is_quoted(clause.words[0].start):
            return [], carried
        possessed = [*self._possessions.sayings(clause, carried), *self._favourite(clause)]
        if possessed:
            thing = possessed[-1].object
            if not isinstance(thing, Mention) or thing.kind != "Person":
                return possessed, self._possessions.heading(possessed)
            own = next((i for i, w in enumerate(clause.words) if w.text == thing.name), len(clause.words))
            rest = clause.words[own:]
            more = self.clause(Clause(rest), NOBODY)[0] if len(rest) > 1 else []
            return [*possessed, *more], Carried(thing, sure=False)
        found: list[Saying] = []
        began = False
        all_matches = matches(clause, self._triggers)
        if not all_matches and not clause.has_verb and not any(w.tag in ("r", "PER", LATIN) for w in clause.words):
            return list(self._values(clause)), carried
        heading = self._subjects.before(clause, all_matches[0].start if all_matches else _stop(clause), carried)
        who = heading
        for i, match in enumerate(all_matches):
            if any(w in self._lexicon.chinese.orders for w in clause.texts(0, match.start)):
                break
            if i and not began:
                who = self._subjects.before(clause, match.start, heading)
            if who.subject is None and _is_of_firms(match.trigger.predicate):
                who = self._subjects.jointly(clause, match.start)
                heading = heading if heading.subject is not None else who
            if not match.trigger.before and "我" in match.trigger.after:
                who = Carried(Pronoun.SPEAKER)
            heading = self._introduced(clause, match, who) or heading
            quoted = self._is_quoted(clause.words[match.start].start)
            if who.subject is None or quoted or _describes(clause, match) or self._voice.is_unreal(clause, match):
                continue
            said = list(self._match(clause, match, who, began))
            began = began or any(s.stance is Stance.BEGINS for s in said)
            found.extend(said)
        found.extend(self._values(clause))
        if found and heading is who:
            heading = Carried(found[-1].subject, who.sure)
        return found, heading

    def _favourite(self, clause: Clause) -> Iterator[Saying]:
        """ "我最喜欢的歌手是周杰伦"."""
        is_ = next((i for i, w in enumerate(clause.words) if w.text in ("是", "就是")), 0)
        match = _FAVOURITE.fullmatch("".join(clause.texts(0, is_)))
        likes = next((t for t in self._triggers.verbs if t.before == "最喜欢"), None)
        if match is None or likes is None:
            return
        rest = clause.words[is_ + 1 :]
        found: Mention | None = next(iter(self._phrases.things(rest, counted=False)), None)
        if found is not None:
            made = Match(likes, is_, is_ + 1, is_ + 1)
            yield self._voice.say(clause, made, Pronoun.SPEAKER, found, Stance.HOLDS)

    def _is_quoted(self, at: int) -> bool:
        return any(a <= at < b for a, b in self._quoted)

    def _introduced(self, clause: Clause, match: Match, who: Carried) -> Carried | None:
        """ "她叫欧若拉": from here on it is 欧若拉 who is meant."""
        if match.trigger.predicate.literal != "name" or who.subject is not Pronoun.PERSON:
            return None
        name = self._phrases.literal(clause.words[match.end :], "name")
        return None if name is None else Carried(Mention(name.text, "Person"), sure=False)

    # ---- triggers ----

    def _match(self, clause: Clause, match: Match, who: Carried, began: bool) -> Iterator[Saying]:
        predicate, stance = match.trigger.predicate, match.trigger.stance
        if predicate.object == "Value" and began and stance is Stance.HOLDS:
            stance = Stance.BEGINS
        if predicate.literal == "name" and not self._is_own_name(clause, match, who):
            return
        if match.trigger.before in COPULAS and (who.far or self._is_about_a_thing(clause, match.start)):
            return
        subject = None if who.subject is None else as_subject(who.subject, predicate)
        if subject is None:
            return
        stop = len(clause.words)
        if match.trigger.after:
            stop = match.stop - len(spelling(clause, match.stop, match.trigger.after))
        once = clause.texts(match.stop, match.stop + 1) == ["过"] and predicate.kind is PredicateKind.STATE
        stance = Stance.HOLDS if once and stance is Stance.BEGINS else stance
        gone = self._subjects.replaced(clause, match.start) if predicate.literal == "role" else None
        if gone is not None and stance is Stance.HOLDS:
            stance = Stance.BEGINS
        for found in self._objects(clause, match, stop):
            if found != subject:
                yield self._voice.say(clause, match, subject, found, stance, _confidence(stance, sure=who.sure))
            if gone is not None and stance is Stance.BEGINS:
                yield self._voice.say(clause, match, gone, found, Stance.ENDS)
        if match.trigger.before in (*COPULAS, "担任", "现任"):
            yield from self._titled(clause, match, subject, who.sure)

    @staticmethod
    def _is_own_name(clause: Clause, match: Match, who: Carried) -> bool:
        """The speaker's, and not one of what was spoken of: "我养了只猫，(一只)叫咪咪"."""
        counted = any(w.tag in ("m", "q") for w in clause.words[: match.start])
        counted = counted or clause.texts(match.stop, match.stop + 1) == ["了"]
        return who.subject is Pronoun.SPEAKER and who.sure and not who.other and not counted

    @staticmethod
    def _is_about_a_thing(clause: Clause, stop: int) -> bool:
        """ "我喜欢**的歌手**是…" is not about me."""
        verb = clause.first_verb
        return verb < stop and any(w.text == "的" for w in clause.words[verb:stop])

    def _objects(self, clause: Clause, match: Match, stop: int) -> list[Mention | Value | Pronoun]:
        predicate = match.trigger.predicate
        strict = bool(match.trigger.after)
        inside = clause.words[match.end : stop]
        if strict:
            inside = tuple(w for w in inside if w.tag not in ("TIME", "d", "f"))
            inside = inside[:-1] if inside and inside[-1].text == "的" else inside
        match predicate.object:
            case "Value":
                return list(self._phrases.literals(inside, predicate.literal))
            case "Work":
                work = self._phrases.work(inside)
                return [] if work is None else [work]
            case "Thing" | "Event" | "Topic":
                return list(self._phrases.things(inside, counted=predicate.kind is PredicateKind.EVENT))
            case "Condition":
                texts = re.split("和|、|跟|以及|还有|及", "".join(w.text for w in inside))
                names = [chinese_ailment(text, self._lexicon.chinese.ailments) for text in texts]
                return [] if None in names else [Mention(name, CONDITION) for name in names if name]
            case "Organization" if strict and self._phrases.literal(inside, "role") and inside[0].tag != "ORG":
                return []
            case kind:
                named = self._phrases.named(inside, kind, whole=strict)
                words = (match.trigger.before, match.trigger.after)
                if kind == "Place" and words in self._triggers.shared and inside and inside[0].tag == LATIN:
                    return []
                return [] if named is None else [named]

    def _titled(self, clause: Clause, match: Match, subject: Referent, sure: bool) -> Iterator[Saying]:
        """ "X是Y的N", "X是腾讯的产品经理"."""
        confidence = _confidence(Stance.HOLDS, sure=sure)
        words = clause.words[match.end :]
        tail = "".join(w.text for w in words)
        for noun, predicate in self._triggers.possessed:
            owner = self._phrases.referent(words[0]) if words else None
            if (
                predicate.object == "Person"
                and owner is not None
                and tail.removeprefix(words[0].text) in (noun, "的" + noun)
            ):
                holder = as_subject(owner, predicate)
                if holder is not None and holder != subject:
                    made = replace(match, trigger=replace(match.trigger, predicate=predicate))
                    yield self._voice.say(clause, made, holder, subject, Stance.HOLDS, confidence)
                return
        for noun, predicate in self._triggers.titles:
            if noun == "<role>":
                role = self._phrases.literal(words, "role")
                if role is None or not any(w.tag == "ORG" for w in words):
                    continue
            elif not tail.endswith(noun):
                continue
            owner = self._phrases.named(words, predicate.object, whole=False, owner=True)
            fits = as_subject(subject, predicate)
            if owner is not None and fits is not None and owner != subject:
                made = replace(match, trigger=replace(match.trigger, predicate=predicate))
                said = self._voice.say(clause, made, fits, owner, Stance.HOLDS, confidence)
                yield replace(said, implied=noun == "<role>")
            return

    def _values(self, clause: Clause) -> Iterator[Saying]:
        """ "订单CN-A10293已发货": the word itself is the value."""
        for word, predicate in self._triggers.values:
            for start in range(1, len(clause.words)):
                end = clause.spelled(start, word)
                if end is None:
                    continue
                subject = self._whose_value(clause, start, end, predicate)
                if subject is None:
                    continue
                dated = word.startswith("已") or word.endswith("了")
                stance = Stance.BEGINS if dated and any(w.tag == "TIME" for w in clause.words) else Stance.HOLDS
                stance = Stance.BEGINS if _BECOMES & set(clause.texts(0, start)) else stance
                match = Match(Trigger(predicate, stance, word, ""), start, end, end)
                yield self._voice.say(clause, match, subject, Value(word), stance)
                return

    def _whose_value(self, clause: Clause, start: int, end: int, predicate: Predicate) -> Referent | None:
        if predicate.subject == "Person":
            return self._single(clause, start, end)
        if predicate.subject == "Work":
            return self._phrases.work(clause.words[:start]) if end == len(clause.words) else None
        return self._phrases.record(clause.words[:start])

    def _single(self, clause: Clause, start: int, end: int) -> Referent | None:
        """Whose state the word is, in "我(现在)(是)单身"."""
        rest = [w for w in clause.words[end:] if w.text not in ("了", "的", "啦")]
        words = [
            w
            for w in clause.words[:start]
            if w.tag not in LIGHT and w.text not in ("是", "还是", "一直", *_BECOMES)
        ]
        return None if rest else self._subjects.referent(words)


def _is_of_firms(predicate: Predicate) -> bool:
    """What a firm has as its people have it: plans and products."""
    return predicate.literal == "plan" or predicate.object == "Product"


def _describes(clause: Clause, match: Match) -> bool:
    """Whether the match stands before what it describes: "我**在腾讯工作**的表弟"; not in "我是在腾讯工作的人"."""
    words = clause.words
    follows = match.stop + 1 < len(words) and words[match.stop].text == "的" and words[match.stop + 1].tag != "xc"
    return bool(match.trigger.after) and follows and "是" not in clause.texts(0, match.start)


def _speaks_of_others(clause: Clause) -> bool:
    first = clause.first_verb
    return clause.texts(first, first + 1)[:1] not in ([], *([w] for w in _BEING)) and any(
        w.tag in ("n", "nz", "m", LATIN) for w in clause.words[first + 1 :]
    )


def _stop(clause: Clause) -> int:
    """Before which word the subject of a clause without a trigger stands: "体检结果表明**我**…"."""
    first = clause.first_verb
    following = clause.words[first + 1 : first + 2]
    shows = clause.texts(first, first + 1) in (["表明"], ["显示"], ["发现"], ["提示"], ["证实"])
    return first + 2 if shows and following and following[0].tag in ("r", "PER") else first


def _confidence(stance: Stance, *, sure: bool) -> float:
    return SURE[stance] if sure else SURE[stance] - UNSURE
