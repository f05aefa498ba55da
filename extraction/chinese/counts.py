"""Counts and ages in a Chinese clause: "养了两只猫", "一共看过五部电影", "我女儿今年三岁"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ...kg.model import Value
from ..numbers import AGE, COUNT, HAN_NUMERAL, chinese_number
from ..sayings import Saying, Stance
from ..tokens import LATIN, Word
from .phrases import Clause, nominal_run
from .subjects import Carried, Subjects
from .triggers import ChineseTriggers, Match, Trigger
from .voice import Voice

_CONFIDENCE = 0.8
_COUNT = re.compile(
    rf"(?P<n>{HAN_NUMERAL}+)(?P<cl>[只個个位名本部条條辆輛台篇盆件双雙张張家套间間门門块塊支把幅瓶枚次顿場场遍])"
)
_HAVING = frozenset({"有", "养", "收藏", "收集", "拥有", "攒", "买", "生", "养着", "还有", "领养", "收养"})
_DOING = re.compile("^(?:看|读|写|去|爬|跑|考|学|参加|完成|画|拍|做|打|玩|谈|换|搬|见)[完过了]?$")
_TOTAL = ("一共", "总共", "共", "已经", "目前", "到现在", "累计", "至今", "迄今", "现在")
_AGE = re.compile(rf"(?P<turned>刚满|刚过|满|过了|刚)?(?P<n>{HAN_NUMERAL}+)(?:周)?岁(?:了|啦)?(?:生日)?$")
_PASSING = re.compile(
    "^(?:问题|事情?|建议|选择|原因|方面|方法|方案|小时|星期|月|钟头|会议?|会|人|点|字|想法|办法|机会|要求|条件|意见)$"
)
_INCREASE = frozenset({"又", "再", "多", "新"})
_OLDEST = 110


class ChineseCounts:
    """Reads what the clauses of one sentence count."""

    def __init__(self, text: str, triggers: ChineseTriggers, subjects: Subjects, voice: Voice) -> None:
        self._text, self._predicates, self._subjects, self._voice = text, triggers.counting, subjects, voice

    def sayings(self, clause: Clause, carried: Carried) -> Iterator[Saying]:
        """What the clause counts; "4" alone where what is counted was said before."""
        if not self._predicates:
            return
        yield from self._age(clause, carried)
        yield from self._how_many(clause, carried)

    def _how_many(self, clause: Clause, carried: Carried) -> Iterator[Saying]:
        predicate, words = self._predicates.get(COUNT), clause.words
        verb = next((i for i, w in enumerate(words) if w.tag == "v" and self._counts(clause, i)), None)
        if predicate is None or verb is None:
            return
        who = self._subjects.before(clause, verb, carried)
        if who.subject is None or who.far or not who.sure or any(w.text in _INCREASE for w in words[:verb]):
            return
        at = verb + 1
        having = words[verb].text in _HAVING
        match = Match(Trigger(predicate, Stance.HOLDS, words[verb].text, ""), verb, verb + 1, len(words))
        while at < len(words):
            if words[at].text in ("了", "过", "着", "、", "和"):
                at += 1
                continue
            text, at = self._counted(words, at)
            if text is None:
                return
            done = "" if having or text.isdigit() else self._done(words, verb)
            yield self._voice.say(clause, match, who.subject, Value(done + text), Stance.HOLDS, _CONFIDENCE)

    def _counts(self, clause: Clause, verb: int) -> bool:
        """Whether the verb's number is all there is, and not how many came in once ("昨天看了两部电影")."""
        word, words = clause.words[verb].text, clause.words
        if word in _HAVING - {"买"}:
            return True
        said = "".join(clause.texts(0, verb))
        told = any(t in said for t in _TOTAL) or (words[-1].text in ("了", "啦") and verb + 2 < len(words))
        return told and (word == "买" or _DOING.match(word) is not None)

    def _counted(self, words: Sequence[Word], at: int) -> tuple[str | None, int]:
        match = _COUNT.fullmatch(words[at].text)
        number = None if match is None else chinese_number(match["n"])
        if match is None or number is None:
            return None, at
        run = nominal_run(words[at + 1 :])
        end = at + 1 + len(run)
        rest = words[end].text if end < len(words) else ""
        if rest in ("叫", "名叫", "的") or any(w.tag in ("PER", LATIN) for w in run):
            return None, end
        if not run:
            return (number if rest in ("", "了", "啦") else None), end
        noun = self._text[run[0].start : run[-1].end]
        return (None if _PASSING.match(noun) else f"{number}{match['cl']}{noun}"), end

    def _done(self, words: Sequence[Word], verb: int) -> str:
        following = words[verb + 1].text if verb + 1 < len(words) else ""
        return words[verb].text + (following if following in ("过", "了") else "")

    def _age(self, clause: Clause, carried: Carried) -> Iterator[Saying]:
        predicate = self._predicates.get(AGE)
        for i, word in enumerate(clause.words):
            rest = [w for w in clause.words[i + 1 :] if w.text not in ("了", "啦", "生日", "的", "整")]
            found = _AGE.search(word.text) if predicate is not None and not rest else None
            number = None if found is None else chinese_number(found["n"])
            if predicate is None or found is None or number is None or not 0 < int(number) <= _OLDEST:
                continue
            said = "".join(clause.texts(0, i))
            verbs = [w.text for w in clause.words[:i] if w.tag == "v"]
            if any(v not in ("满", "是", "过", "到", "有", "快") for v in verbs) or re.search(
                "比|大|小|时|当|才能", said
            ):
                continue
            turned = found["turned"] is not None or said.endswith(("满", "刚", "刚过", "满了", "过了"))
            who = self._subjects.before(
                clause, next((j for j in range(i) if clause.words[j].tag == "v"), i), carried
            )
            if who.subject is not None and not who.far:
                match = Match(Trigger(predicate, Stance.HOLDS, word.text, ""), i, i + 1, i + 1)
                stance = Stance.BEGINS if turned else Stance.HOLDS
                yield self._voice.say(clause, match, who.subject, Value(number), stance, _CONFIDENCE)
