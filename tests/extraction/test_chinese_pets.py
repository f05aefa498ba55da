"""Animals by name in Chinese, who is no more, and lines of labelled fields."""

from __future__ import annotations

import pytest

from hitherto.extraction.rules import RuleExtractor
from tests.extraction.reading import read

NAMED = {
    "我养了一只猫叫咪咪。": ["liang HAS_PET 咪咪: observation ~"],
    "我家的猫叫年糕。": ["liang HAS_PET 年糕: observation ~"],
    "我家猫叫年糕。": ["liang HAS_PET 年糕: observation ~"],
    "我们家养了一只叫年糕的猫。": ["liang HAS_PET 年糕: observation ~"],
    "我大儿子叫小明，小儿子叫小刚。": [
        "liang PARENT_OF 小明: observation ~",
        "liang PARENT_OF 小刚: observation ~",
    ],
    "王芳的老公叫李强，女儿叫小红。": [
        "王芳 SPOUSE_OF 李强: observation ~",
        "王芳 PARENT_OF 小红: observation ~",
    ],
    "我有一只猫，叫年糕。": ["liang HAS_PET 年糕: observation ~"],
    "我有一只狗叫Lucky。": ["liang HAS_PET Lucky: observation ~"],
    "我家狗叫得很大声。": [],
    "我有一只猫叫个不停。": [],
}
PARTED = {
    "我的猫咪咪上周死了。": ["liang HAS_PET 咪咪: end 2026-W09"],
    "我家的狗豆豆去年去世了。": ["liang HAS_PET 豆豆: end 2025"],
    "我的狗豆豆送人了。": ["liang HAS_PET 豆豆: end ~"],
    "我的狗叫豆豆。豆豆昨天走丢了。": [
        "liang HAS_PET 豆豆: observation ~",
        "liang HAS_PET 豆豆: end 2026-03-01",
    ],
    "我老婆叫小美。她去年去世了。": ["liang SPOUSE_OF 小美: observation ~", "liang SPOUSE_OF 小美: end 2025"],
    "我的老婆小美去年去世了。": ["liang SPOUSE_OF 小美: end 2025"],
    "我家狗叫豆豆，上周走丢了。": ["liang HAS_PET 豆豆: observation ~", "liang HAS_PET 豆豆: end 2026-W09"],
    "我的狗叫豆豆，我爷爷去年去世了。": ["liang HAS_PET 豆豆: observation ~"],
    "丢了。": [],
    "我的猫没死。": [],
    "我累死了。": [],
    "我爷爷去世了。": [],
    "我的手机丢了。": [],
}
CARDS = {
    "联系人：李静，职位：财务总监，电话：13900001111，公司：蓝天集团。": [
        '李静 HAS_ROLE "财务总监": observation ~',
        '李静 HAS_PHONE "13900001111": observation ~',
        "李静 WORKS_AT 蓝天集团: observation ~",
    ],
    "姓名：张伟，手机：13800138000，邮箱：zw@x.com。": [
        '张伟 HAS_PHONE "13800138000": observation ~',
        '张伟 HAS_EMAIL "zw@x.com": observation ~',
    ],
    "客户：王芳，电话：13800138000，地址：北京市朝阳区建国路8号。": [
        '王芳 HAS_PHONE "13800138000": observation ~',
        '王芳 HAS_ADDRESS "北京市朝阳区建国路8号": observation ~',
    ],
    "时间：明天，地点：北京。": [],
}


@pytest.mark.parametrize("text", NAMED)
async def test_what_an_animal_is_called(extractor: RuleExtractor, text: str) -> None:
    assert await read(extractor, text) == NAMED[text]


@pytest.mark.parametrize("text", PARTED)
async def test_who_is_no_more(extractor: RuleExtractor, text: str) -> None:
    assert await read(extractor, text) == PARTED[text]


@pytest.mark.parametrize("text", CARDS)
async def test_labelled_fields_are_about_who_is_named_first(extractor: RuleExtractor, text: str) -> None:
    assert await read(extractor, text) == CARDS[text]
