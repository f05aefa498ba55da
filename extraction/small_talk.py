"""Sentences that state nothing by their form: greetings, thanks, wishes, and questions without a question mark."""

from __future__ import annotations

import re
from typing import Final

from .sentences import Piece

_WORDS: Final = """
a absolutely afternoon again agreed ah all an and anniversary anyway awesome best birthday bunch bye care
catch cheers christmas congrats congratulations cool course day dear evening everybody everyone exactly fine
folks for good goodbye goodnight got great guys haha happy have hear hello hey hi hmm indeed is it kind later
lol lot lots lovely many merry mind morning much never new nice night no nope not of oh ok okay on one perfect
please pleasure problem regards right see so soon sorry sounds sure take talk thank thanks that the then there
thx time to tomorrow ton tonight too up very week weekend welcome well wonderful worries wow yeah year yep yes
you your
"""
_FORMULAS: Final = frozenset(_WORDS.split())
"""Words of which greetings, thanks and wishes are made; nobody says anything of anybody with them alone."""
_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_QUESTION: Final = re.compile(
    r"^(?:(?:how|what|where|who|which|why)(?: \w+)? )?"
    r"(?:do|does|did|are|is|was|were|can|could|would|will|have|has) (?:you|he|she|they)\b"
    r"(?!.*\b(?:I|my|we|our)\b)",
    re.IGNORECASE,
)
_CHINESE_FORMULAS: Final = re.compile(
    "(?:生日|新年|新春|春节|春節|节日|節日|中秋|国庆|國慶|圣诞|聖誕|元旦|周末|週末|旅途|工作|合作)(?:快乐|快樂|愉快)"
    "|谢谢|謝謝|多谢|多謝|感谢|感謝|早上好|上午好|中午好|下午好|晚上好|早安|晚安|你好|您好|大家好|再见|再見|拜拜|恭喜|辛苦|没事|没关系|沒關係"
    "|不客气|不客氣|好的|收到|嗯|哈|呵|嘻|你|您|大家|们|們|的|了|啦|呀|啊|哦|噢|吧|非常|十分|祝|也|都|帮助|幫助"
)
_CHINESE_QUESTION: Final = re.compile(
    "^[你您他她][^，,。]*(?:多少|哪儿|哪兒|哪里|哪裡|什么|什麼|谁|誰)[^，,。]{0,2}$"
)
_OTHER: Final = re.compile(r"[\w]")


def states_nothing(piece: Piece) -> bool:
    """Whether a sentence need not be parsed: it is made of formulas alone, or asks."""
    text = piece.text
    if piece.language == "zh":
        rest = text.strip(" 。！!～~.")
        return bool(_CHINESE_QUESTION.match(rest)) or not _OTHER.search(_CHINESE_FORMULAS.sub("", rest))
    words = [word.casefold() for word in _WORD.findall(text)]
    return bool(_QUESTION.match(text)) or _FORMULAS.issuperset(words)
