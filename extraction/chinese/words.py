"""Words that LAC leaves glued, cuts apart or tags wrongly: 不是 is 不 and 是, 大 后天 is one day."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from ..tokens import LATIN, Word

_NOT = re.compile("(?P<not>不|没)(?P<verb>是|有|用|当|做|住|住在|养|叫|负责|担任)")
_NOT_FOR = re.compile("(?P<not>不)(?P<verb>对)")
_BUT_IS = re.compile("(?P<not>而)(?P<verb>是)")
_NOMINAL = frozenset({"n", "nz", "nw", "vn", "PER", "LOC", "ORG", "s", LATIN})
_NAMED = frozenset({"PER", "ORG", "LOC", "nz"})
_MINE = re.compile("[我你您他她](?=(?:爸爸?|妈妈?|哥哥?|姐姐?|弟弟?|妹妹?|爷爷|奶奶|老婆|老公)$)")
_SELF = re.compile("[我你您他她](?:自己|本人)")
_PRONOUN = re.compile("[我你您他她]")
_YEAR = re.compile(r"\d{4}年")
_QUARTER = re.compile("[Qq][1-4]")
_FAR = ("后天", "前天")


def mended(words: Sequence[Word], places: Collection[str]) -> tuple[Word, ...]:
    """The words as a reader needs them; ``places``: what is one although LAC tags it as a noun."""
    return tuple(
        _joined([part for i, word in enumerate(words) for part in _apart(word, words[i + 1 : i + 2], places)])
    )


def _apart(word: Word, following: Sequence[Word], places: Collection[str]) -> Iterator[Word]:
    named = bool(following) and following[0].tag in _NOMINAL
    glued = _NOT.fullmatch(word.text) if named or word.text == "不是" else None
    if glued is None and word.tag in ("v", "a", "d"):
        glued = _BUT_IS.fullmatch(word.text) or (_NOT_FOR.fullmatch(word.text) if named else None)
    reacts = bool(following) and following[0].text in ("过敏", "不", "也", "会", "有点", "严重")
    owner = _MINE.match(word.text) if word.tag == "r" else None
    if glued is not None:
        cut = word.start + 1
        yield Word(word.text[:1], "d" if word.text[0] != "而" else "c", word.start, cut)
        yield Word(word.text[1:], "p" if word.text[1:] == "对" else "v", cut, word.end)
    elif (
        word.tag in _NAMED
        and word.text.endswith("了")
        and len(word.text) > 2
        and (not following or following[0].tag == "w")
    ):
        yield Word(word.text[:-1], word.tag, word.start, word.end - 1)
        yield Word("了", "xc", word.end - 1, word.end)
    elif word.text == "家养" and following and following[0].text in ("了", "着", "有"):
        yield Word("家", "n", word.start, word.start + 1)
        yield Word("养", "v", word.start + 1, word.end)
    elif word.text == "对虾" and reacts:
        yield Word("对", "p", word.start, word.start + 1)
        yield Word("虾", "n", word.start + 1, word.end)
    elif owner is not None:
        cut = word.start + 1
        yield Word(word.text[:1], "r", word.start, cut)
        yield Word(word.text[1:], "n", cut, word.end)
    elif _SELF.fullmatch(word.text):
        yield Word(word.text[:1], "r", word.start, word.start + 1)
        yield Word(word.text[1:], "d", word.start + 1, word.end)
    elif word.tag in ("TIME", "v") and _PRONOUN.fullmatch(word.text):
        yield Word(word.text, "r", word.start, word.end)
    elif word.text in places:
        yield Word(word.text, "LOC", word.start, word.end)
    else:
        yield word


def _joined(words: Sequence[Word]) -> Iterator[Word]:
    last: Word | None = None
    for word in words:
        if last is not None and last.end == word.start and (_is_one_time(last, word) or _is_one_verb(last, word)):
            tag = "v" if word.tag == "v" else "TIME"
            last = Word(last.text + word.text, tag, last.start, word.end)
            continue
        if last is not None:
            yield last
        last = word
    if last is not None:
        yield last


def _is_one_verb(left: Word, right: Word) -> bool:
    return (left.text, right.text) == ("戒", "掉")


def _is_one_time(left: Word, right: Word) -> bool:
    """大|后天, 2024年|Q3."""
    far = left.text == "大" and right.text.startswith(_FAR)
    return far or (_YEAR.fullmatch(left.text) is not None and _QUARTER.fullmatch(right.text) is not None)
