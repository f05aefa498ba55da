"""What JSON says when nobody has declared it: records, their attributes, and the records inside them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from .structured_fields import IDS, NAMES, Found, date_text, is_like_a_date, name_of, named_fields, snake
from .structured_text import Node

LONGEST_VALUE: Final = 200
"""Code points of an attribute; longer texts, and those of several lines, are prose and no attribute."""

PROSE: Final = frozenset({
    "BODY", "COMMENT", "COMMENTS", "CONTENT", "DESCRIPTION", "DETAILS", "MESSAGE", "NOTE", "NOTES", "REMARK",
    "REMARKS", "SUMMARY", "TEXT", "备注", "描述", "内容", "说明", "留言", "评论", "摘要",
})  # fmt: skip
"""The fields whose texts are prose, however short."""
_SENTENCE: Final = re.compile(r"(?:\S+\s+){4,}.*[.!?][\"')”’]*|.{7,}[。！？][”’」』）]*", re.DOTALL)

TIMES: Final = (
    "OCCURRED_AT", "EVENT_TIME", "TIMESTAMP", "TIME", "DATETIME", "DATE", "UPDATED_AT", "MODIFIED_AT",
    "LAST_MODIFIED", "时间", "日期",
)  # fmt: skip
"""The fields that say when a record was so; the first that there is counts."""

_KINDS: Final = {
    "Person": "person contact user employee assignee author reporter agent manager member 员工 联系人 负责人",
    "Organization": "company organization organisation employer vendor supplier 公司 组织",
    "Record": "ticket order case issue invoice booking shipment 工单 订单",
    "Product": "product plan item 产品",
}
_KIND_OF: Final = {word.upper(): kind for kind, words in _KINDS.items() for word in words.split()}
_PERSONAL: Final = frozenset({
    "FIRST_NAME", "LAST_NAME", "JOB_TITLE", "BIRTHDAY", "DATE_OF_BIRTH", "EMPLOYER", "姓名", "职位", "生日",
})  # fmt: skip
"""Fields that only people have."""
_ENGLISH: Final = {
    "状态": "STATUS", "优先级": "PRIORITY", "电话": "PHONE", "手机": "PHONE", "邮箱": "EMAIL", "公司": "COMPANY",
    "城市": "CITY", "地址": "ADDRESS", "负责人": "OWNER", "职位": "ROLE", "类型": "TYPE", "产品": "PRODUCT",
    "生日": "BIRTHDAY", "经理": "MANAGER", "等级": "TIER", "阶段": "STAGE", "金额": "AMOUNT", "套餐": "PLAN",
    "标签": "TAGS", "编号": "ID", "单号": "ID",
}  # fmt: skip
_NUMBERS: Final = re.compile(r"(\w+)_(?:ID|NUMBER|NO)|(.{1,6})(?:编号|单号|号)")
_WORD: Final = re.compile(r"[^\W\d_]{2,30}")


@dataclass(frozen=True, slots=True)
class Attribute:
    """What a field says. ``key`` is in SCREAMING_SNAKE, ``single`` unless its array may hold several values at a
    time; ``object_kind`` None makes the object a literal. ``where`` is the field's path."""

    subject: str
    subject_kind: str | None
    key: str
    object: Found
    single: bool
    object_kind: str | None
    time: str | None
    quote: tuple[int, int]
    where: str


@dataclass(frozen=True, slots=True)
class _Place:
    """Where in the JSON we are. ``under``: the key that the record stands under."""

    path: str
    time: str | None = None
    under: str = ""
    source: str = ""

    def below(self, key: str, under: str) -> _Place:
        return replace(self, path=f"{self.path}.{key}", under=under)


def read_attributes(root: Node, source: str) -> Iterator[Attribute]:
    """What the records of a JSON value say, in the order in which they stand there."""
    yield from _read(root, _Place("$", source=source))


def _read(node: Node, place: _Place) -> Iterator[Attribute]:
    if node.members is None:
        for number, item in enumerate(node.items or ()):
            yield from _read(item, place.below(str(number), place.under))
        return
    place = _dated(node, place)
    subject = _called(node, place)
    if subject is None and (numbered := _number(node)) is not None:
        place = replace(place, under=numbered[1] or place.under)
        subject = _unmistakable(numbered[2], node, place)
    if subject is not None:
        yield from _about(node, subject, _kind(node, place), "", place)
        return
    for key, child in node.members:
        yield from _read(child, place.below(key, snake(key)))


def is_prose(key: str, value: object) -> bool:
    """Whether a field's text, ``key`` in SCREAMING_SNAKE, is no value but something that somebody wrote."""
    text = value.strip() if isinstance(value, str) else ""
    if not text:
        return False
    return key in PROSE or len(text) > LONGEST_VALUE or "\n" in text or _SENTENCE.fullmatch(text) is not None


def time_of(node: Node, path: str) -> str | None:
    """When an object's fields say that it was so. Raises ``Invalid`` for what is no date."""
    key = _time_key(node)
    child = None if key is None else node.member(key)
    if child is None or child.value is None:
        return None
    return date_text(child.value, f"{path}.{key}")


def _dated(node: Node, place: _Place) -> _Place:
    time = time_of(node, place.path)
    return place if time is None else replace(place, time=time)


def _time_key(node: Node) -> str | None:
    fields = {snake(key): key for key, child in reversed(node.members or ()) if is_like_a_date(child.value)}
    return next((fields[name] for name in TIMES if name in fields), None)


def _called(node: Node, place: _Place) -> str | None:
    """Its name; a bare number is one only among records of its kind, or of its source."""
    name = name_of(node)
    if name is None or any(k in named_fields(node) for k in NAMES):
        return name
    return _unmistakable(name, node, place)


def _unmistakable(name: str, node: Node, place: _Place) -> str:
    if not name.isdecimal():
        return name
    kind = place.under or _type(node)
    if kind:
        return f"{_singular(kind).replace('_', ' ').lower()} {name}"
    return f"{place.source}:{name}" if place.source else name


def _number(node: Node) -> tuple[str, str, str] | None:
    """The first field such as ``ticket_id`` or 订单号, what it numbers, and its value."""
    for key, value in named_fields(node).items():
        match = _NUMBERS.fullmatch(key)
        if match is not None and not isinstance(value, bool | float):
            return key, match[1] or match[2], str(value).strip()
    return None


def _kind(node: Node, place: _Place) -> str | None:
    for word in (place.under, _type(node)):
        if kind := _KIND_OF.get(_singular(word)):
            return kind
    fields = named_fields(node).keys()
    return "Person" if fields & _PERSONAL or fields >= {"EMAIL", "COMPANY"} else None


def _type(node: Node) -> str:
    fields = named_fields(node)
    for key in ("KIND", "TYPE", "OBJECT", "类型"):
        value = fields.get(key)
        if isinstance(value, str) and _WORD.fullmatch(value):
            return snake(value)
    return ""


def _singular(word: str) -> str:
    if word.endswith("IES"):
        return word[:-3] + "Y"
    return word[:-1] if word.endswith("S") and not word.endswith("SS") else word


def _about(node: Node, subject: str, kind: str | None, prefix: str, place: _Place) -> Iterator[Attribute]:
    time_key, own_names = _time_key(node), _name_keys(node) if not prefix else set()
    for key, child in node.members or ():
        name = prefix + _ENGLISH.get(snake(key), snake(key)).removeprefix("IS_")
        if key == time_key or snake(key) in own_names:
            continue
        below = place.below(key, snake(key))
        if child.members is not None and _called(child, below) is None:
            yield from _about(child, subject, kind, f"{name}_", _dated(child, below))
            continue
        for part in child.items if child.items is not None else (child,):
            told = _object(part, below)
            if told is not None:
                single = child.items is None
                quote = child.quote if single else part.quote
                about = Attribute(subject, kind, name, told[0], single, told[1], place.time, quote, below.path)
                yield about
            if part.members is not None and told is not None:
                yield from _read(part, below)


def _object(node: Node, place: _Place) -> tuple[Found, str | None] | None:
    """A related record, or a scalar; None for what is neither, and for prose."""
    if node.members is not None:
        name = _called(node, place)
        return None if name is None else (Found(name, node), _kind(node, place) or "Thing")
    value = node.value
    if value is None or node.items is not None:
        return None
    if isinstance(value, str) and (not value.strip() or is_prose(place.under, value)):
        return None
    return Found(value, node), None


def _name_keys(node: Node) -> set[str]:
    """The fields that are what the record is called, and so say nothing more of it."""
    fields = named_fields(node)
    for key in NAMES:
        if isinstance(fields.get(key), str):
            return {key}
    if {"FIRST_NAME", "LAST_NAME"} <= fields.keys():
        return {"FIRST_NAME", "LAST_NAME"}
    number = _number(node)
    return set(next(([key] for key in IDS if key in fields), [] if number is None else [number[0]]))
