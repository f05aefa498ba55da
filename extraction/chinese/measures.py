"""Measured values of people in a Chinese sentence: "我的腰围现在是95cm", "称了一下体重，还是80kg".

What is measured stands before its figure in one clause, or in the clause before ("量了一下腰围，现在是96cm"),
with nothing but light words between. Differences ("少了8cm"), bounds and goals are no values.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from ...kg.model import Mention, Modality, Value
from ...kg.ontology import Ontology, Predicate, Unit
from ..ailments import CONDITION, GRADES_ZH, chinese_ailment, regraded
from ..lexicon import Lexicon
from ..measures import Figure, figures, may_own
from ..sayings import Pronoun, Referent, Saying, Span, Stance, Tense
from ..tokens import Word

_LIGHT = (
    r"(?:\s|而且|并且|但是?|不过|另外|然后|所以|对了|现在|目前|如今|今天|今早|今晚|早上|上午|下午|晚上|昨天|刚刚?|刚才|最近|这次|已经"
    r"|已|还|仍然?|依然|也|又|就|都|只|才|大约|大概|约|差不多|终于|一共|总共|测出来|量出来|称出来|结果|显示|的?读数"
    r"|上个?[周月]|每个?月|去年|今年|前年|\d{1,2}月(?:\d{1,2}[日号])?|[一二三四五六七八九十]+月|以前|之前|当时|原来)"
)
_OWNER = r"(?P<owner>我|俺|本人|他|她|\0)"
_TAKE = r"(?:称|量|测量?|查|检查|复查|体检)(?:了|过)?(?:一下|一次|下|完)?"
_NOUN_OF = re.compile(
    rf"^{_LIGHT}*(?:{_OWNER}(?:的|自己的?)?)?{_LIGHT}*(?P<take>{_TAKE})?(?P<inner>我的?|自己的?)?{_LIGHT}*$"
)
_TOLD = re.compile("^.*(?:说|告诉我|显示|表明|发现|[：:])")
_WEIGHED = re.compile(rf"{_LIGHT}*(?:{_OWNER})?{_LIGHT}*(?:去)?称(?:了|过)(?:一下|一次|下)?(?:重量?)?$")
_VERB = r"(?:是|为|在|有|达到?|到了?|：|:|=|≈)"
_MOVE = r"(?:下|上)?(?:降低?|升高?|涨|减|跌|掉|瘦|胖|变化?|增加?|长|恢复|回|控制|稳定|保持|维持|改善|提高)"
_BECOME = re.compile(rf"{_MOVE}(?:到|至|成|为|回)了?{_LIGHT}*$")
_LINK = re.compile(rf"(?:{_LIGHT}|{_VERB}|{_MOVE}(?:到|至|成|为|回|在)了?)*")
_IT_IS = re.compile(rf"^(?:{_LIGHT}|{_VERB}|它|数值|{_MOVE}(?:到|至|成|为|回|在)了?)*$")
_DIFFERENCE = re.compile(
    r"(?:了|少|多|重|轻|瘦|胖|减|涨|降|升|掉|长|差|增|加|低|高|超过|不到|不足|低于|高于|大于|小于|每\w?)\s*$"
)
_BOUND = re.compile(r"\s*(?:以上|以下|以内|之内|[-~～至]\s?\d|多?斤?的(?!.{0,2}$)|/\s?[天周月])")
_GOAL = re.compile("目标|希望|计划|争取|打算|理想|标准|正常|建议|应该|预计|力争|如果|期待|努力|平均")
_WANT = re.compile("想|要(?!是)|准备|将|会|能|得|别|把")
_ME = re.compile(rf"^{_LIGHT}*{_OWNER}(?:的?体重)?{_LIGHT}*(?P<verb>重|有|是|高)?{_LIGHT}*$")
_EARNS = re.compile(
    rf"^{_LIGHT}*{_OWNER}?{_LIGHT}*(?P<period>每个?月|一个月|每年|一年)(?:能|可以)?(?:挣|赚|拿)了?{_LIGHT}*$"
)
_CLAUSE = re.compile(r"[^，,；;。！!—\n、]+(?:,(?=\d{3})[^，,；;。！!—\n、]+)*")
_GRADE = "|".join(GRADES_ZH)
_REGRADED = re.compile(
    rf"从(?P<old>{_GRADE})\w{{0,3}}?(?:变成|变为|变|降到|降为|降至|转为|转成|改善为|改善到|好转为|发展成|发展为|恶化为|到)了?(?P<new>{_GRADE})"
)
_NOW = re.compile(
    rf"^(?:{_LIGHT}|变成|变为|降到|降为|转为|好转为|改善为|发展成|恶化为|是|属于|了)+(?P<new>{_GRADE})"
)
_GONE = re.compile(rf"^(?:{_LIGHT}|完全|彻底|全)*(?:消失|没了|没有了|好了|治好了|治愈了?|痊愈了?|不见了)")


@dataclass(slots=True)
class ChineseMeasures:
    """The ontology's measures by their Chinese nouns, longest first, and verbs."""

    nouns: list[tuple[str, Predicate]] = field(default_factory=list)
    verbs: dict[str, Predicate] = field(default_factory=dict)
    ailing: tuple[Predicate, ...] = ()

    @classmethod
    def of(cls, ontology: Ontology) -> ChineseMeasures:
        found = cls(ailing=tuple(p for p in ontology.predicates if p.object == CONDITION))
        for predicate in ontology.predicates:
            if predicate.unit is not None:
                found.nouns.extend((noun, predicate) for noun in predicate.zh.possessed)
                found.verbs |= dict.fromkeys(predicate.zh.holds, predicate)
        found.nouns.sort(key=lambda pair: -len(pair[0]))
        return found


@dataclass(frozen=True, slots=True)
class Topic:
    """What a clause measures, for "现在是96cm" after it. ``taken``: that it was measured just then is said."""

    predicate: Predicate
    owner: Referent
    span: Span
    taken: bool = False


def sayings(
    words: Sequence[Word],
    text: str,
    triggers: ChineseMeasures,
    lexicon: Lexicon,
    before: Topic | None,
    owner: Referent | None,
) -> tuple[list[Saying], Topic | None]:
    """What one sentence gives of measures and of illnesses that change, and what it measures last. ``owner``:
    whose a bare "体重" is; None: nobody's that is known."""
    zh = lexicon.chinese
    if any(q in text for q in (*zh.questions, *zh.conditions)):
        return [], None
    reader = _Reader(words, text, triggers, lexicon, owner)
    return reader.read(before)


class _Reader:
    def __init__(
        self,
        words: Sequence[Word],
        text: str,
        triggers: ChineseMeasures,
        lexicon: Lexicon,
        owner: Referent | None,
    ) -> None:
        self._text, self._triggers, self._lexicon, self._owner = text, triggers, lexicon, owner
        self._names = {w.start: w for w in words if w.tag == "PER"}
        self._figures = figures(text)

    def read(self, topic: Topic | None) -> tuple[list[Saying], Topic | None]:
        found: list[Saying] = []
        current: Topic | None = None
        for match in _CLAUSE.finditer(self._text):
            here, said = self._clause(match.span(), current or topic)
            found.extend(said)
            found.extend(self._illness(match.span()))
            current = here or current
        return sorted(found, key=lambda s: s.at), current

    def _clause(self, span: Span, topic: Topic | None) -> tuple[Topic | None, list[Saying]]:
        clause = self._text[span[0] : span[1]]
        here, end = self._topic(clause, span)
        found: list[Saying] = []
        former: Figure | None = None
        for figure in (f for f in self._figures if span[0] <= f.start < span[1]):
            head = self._text[span[0] : figure.start]
            if re.search(r"从\s*$", head):
                former = figure
                continue
            about = self._about(figure, here, end - span[0], (head, former, topic))
            gap = head[end - span[0] :] if here is not None else head
            if about is None or not self._is_value(figure, head, gap):
                continue
            begins = about.taken or _BECOME.search(head) is not None
            said = self._saying(about, self._with_period(figure, head), span, begins=begins)
            if former is not None and begins and former.fits(about.predicate.unit or Unit.NUMBER):
                found.append(replace(said, object=Value(former.text), stance=Stance.ENDS, at=former.start))
            former = None
            found.append(said)
        return here, found

    # ---- what is measured ----

    def _topic(self, clause: str, span: Span) -> tuple[Topic | None, int]:
        for noun, predicate in self._triggers.nouns:
            at = clause.find(noun)
            if at < 0:
                continue
            match = _NOUN_OF.match(_TOLD.sub("", self._masked(clause[:at], span[0])))
            owner = None if match is None else self._whose(match, span[0])
            if match is None or owner is None or not may_own(predicate, owner):
                return None, span[0]
            end = span[0] + at + len(noun)
            return Topic(predicate, owner, span, match["take"] is not None), end
        weighed = _WEIGHED.match(self._masked(clause, span[0]))
        predicate_ = self._triggers.verbs.get("重")
        owner = None if weighed is None else self._whose(weighed, span[0])
        if predicate_ is None or owner is None:
            return None, span[0]
        return Topic(predicate_, owner, span, taken=True), span[1]

    def _masked(self, prefix: str, start: int) -> str:
        """The text with a person's name as one character."""
        for at, word in self._names.items():
            if start <= at and word.end <= start + len(prefix):
                prefix = prefix.replace(word.text, "\0", 1)
        return prefix

    def _whose(self, match: re.Match[str], start: int) -> Referent | None:
        match match["owner"]:
            case None:
                return self._owner
            case "他" | "她":
                return Pronoun.PERSON
            case "\0":
                name = next(w for at, w in sorted(self._names.items()) if at >= start)
                return Mention(name.text, "Person")
        return Pronoun.SPEAKER

    def _about(
        self, figure: Figure, here: Topic | None, end: int, around: tuple[str, Figure | None, Topic | None]
    ) -> Topic | None:
        head, former, before = around
        gap = head[end:] if here is not None else head
        if former is not None:
            gap = re.sub(rf"从\s*{re.escape(self._text[former.start : former.end])}", "", gap)
        for topic, link in ((here, _LINK), (before if here is None else None, _IT_IS)):
            if topic is not None and figure.fits(topic.predicate.unit or Unit.NUMBER) and link.fullmatch(gap):
                return topic
        return self._by_verb(figure, head)

    def _by_verb(self, figure: Figure, head: str) -> Topic | None:
        """ "我现在80kg", "我身高一米八", "我每月挣8000元"."""
        start = figure.start - len(head)
        masked = self._masked(head, start)
        verb = {Unit.MASS: "重", Unit.LENGTH: "高", Unit.MONEY: "挣"}.get(figure.unit, "")
        predicate = self._triggers.verbs.get(verb)
        match = (_EARNS if verb == "挣" else _ME).match(masked)
        if predicate is None or match is None:
            return None
        if verb == "高" and not (match["verb"] == "高" or self._text[figure.end : figure.end + 1] == "高"):
            return None
        owner = self._whose(match, start)
        return None if owner is None else Topic(predicate, owner, (start, figure.end))

    def _with_period(self, figure: Figure, head: str) -> Figure:
        """ "月薪2万元" is paid every month."""
        period = re.search("月薪|每个?月|一个月|年薪|每年|一年", head) if figure.unit is Unit.MONEY else None
        if period is None or re.search("每|一个?[月年]|/", figure.text):
            return figure
        return replace(figure, text=f"每{'月' if '月' in period.group() else '年'}{figure.text}")

    def _is_value(self, figure: Figure, head: str, gap: str) -> bool:
        said = self._text[: figure.start]
        if _GOAL.search(said) or _WANT.search(head) or _BOUND.match(self._text, figure.end):
            return False
        verbal = _ME.match(self._masked(head, figure.start - len(head))) is not None
        return verbal or _BECOME.search(gap) is not None or not _DIFFERENCE.search(gap)

    # ---- illnesses ----

    def _illness(self, span: Span) -> Iterator[Saying]:
        """ "我的脂肪肝从中度变成轻度了", "脂肪肝消失了"."""
        clause = self._text[span[0] : span[1]]
        if not self._triggers.ailing or _GOAL.search(self._text[: span[1]]):
            return
        for name in sorted(self._lexicon.chinese.ailments, key=len, reverse=True):
            at = clause.find(name)
            if at < 0:
                continue
            match = _NOUN_OF.match(_TOLD.sub("", self._masked(clause[:at], span[0])))
            owner = None if match is None else self._whose(match, span[0])
            illness = chinese_ailment(name, self._lexicon.chinese.ailments)
            if owner is not None and illness is not None:
                yield from self._changed(illness, owner, clause[at + len(name) :], span)
            return

    def _changed(self, name: str, owner: Referent, rest: str, span: Span) -> Iterator[Saying]:
        predicate = self._triggers.ailing[0]
        topic = Topic(predicate, owner, span)
        if (change := _REGRADED.search(rest)) is not None:
            yield self._state(topic, change["old"] + name, Stance.ENDS)
            yield self._state(topic, change["new"] + name, Stance.BEGINS)
        elif (now := _NOW.search(rest)) is not None:
            said = self._state(topic, now["new"] + name, Stance.BEGINS)
            yield said
            yield from regraded(said, changed=True)
        elif _GONE.search(rest):
            said = self._state(topic, name, Stance.ENDS)
            yield said
            yield from regraded(said)

    def _state(self, topic: Topic, name: str, stance: Stance) -> Saying:
        figure = Figure(topic.span[0], topic.span[1], name, Unit.NUMBER)
        said = self._saying(topic, figure, topic.span, begins=True)
        return replace(said, stance=stance, object=Mention(name, CONDITION))

    # ---- what it amounts to ----

    def _saying(self, topic: Topic, figure: Figure, span: Span, *, begins: bool) -> Saying:
        zh = self._lexicon.chinese
        head = self._text[span[0] : figure.start]
        said = self._text[: figure.start]
        reported = any(r in said for r in zh.reports) or re.search(
            "[^我](?:说|表示|称(?!了|过)|透露|提到)(?!话)", said
        )
        modality = Modality.ASSERTED
        if any(h in head for h in zh.hedges if h != "大概"):
            modality = Modality.HEDGED
        elif reported and not any(e in said for e in zh.experts):
            modality = Modality.REPORTED
        earlier = re.sub(r"比\w{0,4}[之以]?前", "", head)
        past = not begins and any(w in earlier for w in zh.used_to)
        reach = ((span,), (topic.span,)) if topic.taken else ((span,),)
        return Saying(
            predicate=topic.predicate.name,
            stance=Stance.BEGINS if begins else Stance.HOLDS,
            subject=topic.owner,
            object=Value(figure.text),
            tense=Tense.PAST if past else Tense.UNMARKED,
            modality=modality,
            at=figure.start,
            quote=(0, len(self._text.rstrip())),
            reach=reach,
            confidence=0.85,
        )
