"""Bare answers to what an assistant asked in Chinese, as the sentences they are short for: 您住在哪里？ 杭州。"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ..kg.model import Role, Turn
from .sentences import Piece

_ASKED = re.compile(
    "(?:^|[，,。！!])(?:请问|那么?|还有)?[，,]?(?P<you>您|你)(?P<rest>[^，,。！!？?]{2,24}?)[呢呀啊]?[？?]$"
)
_WHAT = re.compile(
    "哪里|哪儿|哪个城市|哪座城市|什么城市|什么地方|哪家公司|哪个公司|什么公司|什么职位|什么岗位|什么工作|什么名字|多少|多大|哪位|谁|(?<=对)(?:什么|哪些)(?:药物|食物|东西)?(?=过敏)"
    "|(?<=喜欢)什么.{0,3}$|(?<=喜欢[吃喝看听玩])什么.{0,3}$"
)
_UNTOLD = re.compile(
    "[能可要想需愿]|方便|介意|确[定认]|知道|明白|清楚|记得|[看收]到|是说|是否|什么|怎|哪|谁|多少|几|没有|不"
)
"""What a question with 吗 asks besides whether it is so."""
_YES = re.compile("(?:是的?|对的?|嗯+|有的?|会的?|没错|过敏|喜欢|是啊|对啊)")
_NO = re.compile("(?:不是的?|不|没有?|没有的|不会|不过敏|不喜欢|不吃|不对)")
_ANSWER = re.compile("[^，,。！!？?；;：:\\s]{1,20}")
_SPEAKS = re.compile("[我你您他她吗呢吧谢]|不[知用想方告]|没[有想]|随便|保密|都[行可]|好的|稍等|什么|怎么")
_END = " 。.！!～~"
_MEANWHILE = "(?:平时|现在|目前|还|也|经常)"
_DENIALS = tuple(
    (re.compile(said), denied)
    for said, denied in (
        ("过敏$", "不过敏"),
        (f"^({_MEANWHILE}*)(?=喜欢|吃素|住在|是)", r"\1不"),
        (f"^({_MEANWHILE}*)(?=有)", r"\1没"),
    )
)


def completed(turns: Sequence[tuple[Turn, list[Piece]]], asked: Piece | None) -> list[tuple[Turn, list[Piece]]]:
    """The turns of an episode, where what a user says in few words reads as the whole sentence; ``asked``: the
    assistant's last sentence before."""
    found: list[tuple[Turn, list[Piece]]] = []
    for turn, said in turns:
        whole = None
        if turn.role is Role.USER and asked is not None and len(said) == 1 and said[0].language == "zh":
            whole = statement(asked.plain, said[0].plain)
        found.append((turn, said if whole is None else [replace(said[0], whole=whole)]))
        asked = last(turn, said)
    return found


def last(turn: Turn, said: Sequence[Piece]) -> Piece | None:
    """What an assistant's turn ends with."""
    return said[-1] if said and turn.role is Role.ASSISTANT else None


def statement(question: str, answer: str) -> str | None:
    """What the answer states; None when it is no bare answer, or to no plain question."""
    asked, bare = _ASKED.search(question), answer.strip(_END)
    if asked is None or not _ANSWER.fullmatch(bare):
        return None
    rest = asked["rest"]
    if rest.endswith("吗"):
        return _confirmed(rest.removesuffix("吗"), bare)
    gaps = _WHAT.findall(rest)
    if len(gaps) != 1 or _SPEAKS.search(bare):
        return None
    return f"我{_WHAT.sub(lambda _: bare, rest)}。"


def _confirmed(rest: str, answer: str) -> str | None:
    if _UNTOLD.search(rest):
        return None
    if _YES.fullmatch(answer):
        return f"我{rest}。"
    if not _NO.fullmatch(answer):
        return None
    denials = (said.sub(denied, rest, count=1) for said, denied in _DENIALS if said.search(rest))
    denied = next(denials, None)
    return None if denied is None else f"我{denied}。"
