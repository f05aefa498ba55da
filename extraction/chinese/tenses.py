"""What in a Chinese clause puts its verb, which has no tense, into the past or into the future."""

from __future__ import annotations

import re

from ...temporal.rules import Cardinality
from ..lexicon import ChineseWords
from ..sayings import Stance
from .phrases import Clause
from .triggers import Match

_SO_LONG = re.compile(r"[\d一二三四五六七八九十两几半多]+个?(?:年|月|周|星期|礼拜|天|学期)[多半]?")
_STAGE = re.compile(
    r"(?:上[小中大]学|[小初高]中|大学|本科|硕士|博士|研究生|读书|读研|读博|上学|留学|念书|当兵|年轻|小|单身|毕业"
    r"|[\d一二三四五六七八九十]+岁|怀孕|实习|刚来|刚到)[^，]{0,4}?(?:的?时候|时|那会儿)"
)
_WHILE = re.compile("的时候|期间")
_ONCE = re.compile(r"[^\d]{2,}(?:之前|以前|的时候|那会儿|期间)")
_BEFORE = re.compile(r"(?![目眼当提日此先以年月周天号底初末])[^\d一二三四五六七八九十两几半]{2,}前")
"""结婚前: before something that is no date."""
_TIME_BEFORE = re.compile("(?:年|月|周|星期|礼拜|底|初|末|[一二三四五六日天号])[之以]?前")
_AFTER = re.compile("(?![然最随此而事之以])[^\\d]+(?<![年月日天周])[以之]?后")
"""毕业后, and not 两年后, 然后."""
_RELATIVE = frozenset({"前", "之前", "以前", "时", "时候"})
_PASSING = re.compile("过(?:几|一?些|一?段|一?阵|完|[\\d一二三四五六七八九十两半]+)(?!去).{0,4}")
_BARE_DAY = re.compile(r"(?:(?:周|星期|礼拜)[一二三四五六日天末]|\d{1,2}[日号])(?:上午|下午|晚上|早上|中午)?")
_WAITING = re.compile("(?:等|到时候?|将来|以后|(?:[^，,]*[^然最随此而事之以\\d年月日天周，,])[以之]?后).{0,12}")
_ASPECTS = frozenset({"了", "过", "啦", "完"})
_ALREADY = frozenset({"刚", "刚刚", "已", "已经", "终于", "早已", "才"})
_COUNTING_DOWN = re.compile(
    r"(?:再有|还有|还剩|再过)[\d一二三四五六七八九十两几半]+个?(?:年|月|周|星期|天|学期).{0,4}就"
)
_AS_SOON_AS = re.compile("了[我你他她]?就$|^[我你他她]?一.{1,8}[我你他她]?就$")
_BREAK = re.compile("[，,；;。]")


def is_past(clause: Clause, match: Match, text: str, zh: ChineseWords) -> bool:
    """Whether the clause speaks of a time that is over: 以前, 小时候, 上大学的时候, 结婚前, 工作了五年."""
    words = clause.words
    for at, word in enumerate(words):
        if word.text in zh.used_to and clause.texts(at + 1, at + 2) != ["就"]:
            return True
    joined = "".join(clause.texts(0, match.stop))
    if any(f in joined for f in zh.former) or clause.texts(match.start - 1, match.start) == ["前"]:
        return True
    return match.trigger.stance is Stance.HOLDS and (
        _lasted(clause, match) or is_back_then(clause, match, text, zh)
    )


def is_back_then(clause: Clause, match: Match, text: str, zh: ChineseWords) -> bool:
    """Whether it happened at some time that is over, and is not said when: 那年, 小时候, 结婚前."""
    before = clause.words[: match.start]
    joined = "".join(w.text for w in before)
    if match.trigger.stance is not Stance.HOLDS and any(
        w.text in _RELATIVE and i + 1 < len(clause.words) for i, w in enumerate(clause.words) if i > match.stop
    ):
        return True
    if any(w.text in zh.back_then for w in before) or _STAGE.search(joined):
        return True
    goes_on = clause.words[0].tag not in ("r", "PER", "TIME", "n", "c")
    if goes_on and any(w in _clause_before(clause, text) for w in zh.back_then):
        return True
    one = match.trigger.predicate.cardinality is Cardinality.ONE
    if one and (_WHILE.search(joined) or _ONCE.fullmatch(_clause_before(clause, text))):
        return True
    return any(_BEFORE.fullmatch(w.text) and w.tag in ("TIME", "v", "n") for w in before) or any(
        w.text == "前" and w.tag == "f" and any(v.tag in ("v", "vn") for v in before[:i])
        for i, w in enumerate(before)
    )


def may_be_over(clause: Clause, match: Match, text: str, zh: ChineseWords) -> bool:
    """Whether it was hoped or planned once (小时候想当老师), or may have been (我以前住在北京，**在百度工作**)."""
    before = clause.words[: match.start]
    goes_on = clause.words[0].tag not in ("r", "PER", "TIME", "n", "c") and match.trigger.stance is Stance.HOLDS
    if goes_on and any(w in _clause_before(clause, text) for w in zh.used_to):
        return True
    meant = any(w.text in zh.hopes or w.text in zh.plans for w in before)
    once = any(
        (w.text in zh.used_to and (not i or before[i - 1].tag not in ("TIME", "m"))) or w.text in zh.back_then
        for i, w in enumerate(before)
    )
    return meant and once


def is_ahead(clause: Clause, match: Match, text: str) -> bool:
    """Whether a change that no 了 marks as done is still to come: 过几天, 毕业后, 年底前, 周五搬到."""
    trigger = match.trigger
    if trigger.stance is Stance.HOLDS or (trigger.before + trigger.after).endswith(("了", "过")):
        return False
    before = clause.words[: match.start]
    joined = "".join(w.text for w in before)
    if _COUNTING_DOWN.search(joined):
        return True
    done = any(w.text in _ASPECTS for w in clause.words[match.stop :]) or any(w.text in _ALREADY for w in before)
    if done or clause.words[-1].text == "的":
        return False
    if _AS_SOON_AS.search(joined):
        return True
    for i, word in enumerate(before):
        joined = "".join(w.text for w in before[i : i + 3])
        if _PASSING.match(joined) and (i or len(joined) > 2):
            return True
        dated = word.tag == "TIME" and (_BARE_DAY.fullmatch(word.text) or _TIME_BEFORE.search(joined))
        later = word.tag in ("TIME", "v", "n", "f") and _AFTER.fullmatch(joined[: joined.find("后") + 1])
        if dated or later or word.text == "以后":
            return True
    return _WAITING.fullmatch(_clause_before(clause, text)) is not None


def _clause_before(clause: Clause, text: str) -> str:
    return _BREAK.split(text[: clause.words[0].start].rstrip("，,；; "))[-1]


def _lasted(clause: Clause, match: Match) -> bool:
    """ "在腾讯工作**了五年**", which would be "…了五年了" if it went on."""
    after = clause.texts(match.stop, len(clause.words))
    return len(after) > 1 and after[0] == "了" and after[-1] != "了" and _SO_LONG.fullmatch(after[1]) is not None
