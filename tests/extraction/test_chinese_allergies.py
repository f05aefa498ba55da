"""Allergies, illnesses and diets as Chinese says them, besides 对…过敏."""

from __future__ import annotations

import pytest

from hitherto.extraction.rules import RuleExtractor
from tests.extraction.reading import read

MINE = {
    "我海鲜过敏。": "海鲜",
    "我虾过敏。": "虾",
    "我吃芒果会过敏。": "芒果",
    "我一吃虾就过敏。": "虾",
    "我不能吃花生，会过敏。": "花生",
    "青霉素过敏。": "青霉素",
    "我有花粉过敏。": "花粉",
    "有青霉素过敏史。": "青霉素",
    "我对海鲜轻微过敏。": "海鲜",
    "医生说我青霉素过敏。": "青霉素",
    "我對蝦過敏。": "蝦",
    "海鲜我过敏。": "海鲜",
    "我自己花生过敏。": "花生",
    "我自己对花生过敏。": "花生",
    "过敏史：青霉素。": "青霉素",
    "我的过敏原是花生。": "花生",
    "芒果我吃了会过敏。": "芒果",
}
OTHERS = {
    "我海鲜、坚果过敏。": [
        "liang ALLERGIC_TO 海鲜: observation ~",
        "liang ALLERGIC_TO 坚果: observation ~",
    ],
    "我花生过敏，儿子牛奶过敏。": [
        "liang ALLERGIC_TO 花生: observation ~",
        "liang PARENT_OF liang的儿子: observation ~",
        "liang的儿子 ALLERGIC_TO 牛奶: observation ~",
    ],
    "李明花生过敏，儿子牛奶过敏。": [
        "李明 ALLERGIC_TO 花生: observation ~",
        "李明 PARENT_OF 李明的儿子: observation ~",
        "李明的儿子 ALLERGIC_TO 牛奶: observation ~",
    ],
    "我们家孩子牛奶过敏。": [
        "liang PARENT_OF liang的孩子: observation ~",
        "liang的孩子 ALLERGIC_TO 牛奶: observation ~",
    ],
    "我儿子小明花生过敏。": ["liang PARENT_OF 小明: observation ~", "小明 ALLERGIC_TO 花生: observation ~"],
    "我有糖尿病，高血压。": [
        "liang HAS_CONDITION 糖尿病: observation ~",
        "liang HAS_CONDITION 高血压: observation ~",
    ],
    "我妈有糖尿病和高血压。": [
        "liang的妈妈 PARENT_OF liang: observation ~",
        "liang的妈妈 HAS_CONDITION 糖尿病: observation ~",
        "liang的妈妈 HAS_CONDITION 高血压: observation ~",
    ],
    "我没有糖尿病，高血压。": ["liang HAS_CONDITION 糖尿病: denial ~"],
    "张伟是糖尿病患者。": ["张伟 HAS_CONDITION 糖尿病: observation ~"],
    "我老公不吃海鲜，他过敏。": [
        'liang的丈夫 吃 "海鲜": denial ~',
        "liang的丈夫 ALLERGIC_TO 海鲜: observation ~",
    ],
    "我不能喝牛奶，乳糖不耐。": ["liang HAS_CONDITION 乳糖不耐: observation ~"],
    "我上个月开始吃素。": ['liang HAS_DIET "吃素": dated_beginning 2026-02'],
    "我老婆吃虾过敏。": ["liang的妻子 ALLERGIC_TO 虾: observation ~"],
    "王芳今年35岁，青霉素过敏。": [
        '王芳 HAS_AGE "35": observation ~',
        "王芳 ALLERGIC_TO 青霉素: observation ~",
    ],
    "我好像对芒果有点过敏。": ["liang ALLERGIC_TO 芒果: observation ~ (hedged)"],
    "我妈对青霉素过敏，我爸有高血压。": [
        "liang的妈妈 PARENT_OF liang: observation ~",
        "liang的妈妈 ALLERGIC_TO 青霉素: observation ~",
        "liang的爸爸 PARENT_OF liang: observation ~",
        "liang的爸爸 HAS_CONDITION 高血压: observation ~",
    ],
    "我乳糖不耐受。": ["liang HAS_CONDITION 乳糖不耐受: observation ~"],
    "我爸糖尿病十年了。": [
        "liang的爸爸 PARENT_OF liang: observation ~",
        "liang的爸爸 HAS_CONDITION 糖尿病: since 2016",
    ],
    "我没有糖尿病。": ["liang HAS_CONDITION 糖尿病: denial ~"],
    "我爸没有糖尿病，但是有高血压。": [
        "liang的爸爸 PARENT_OF liang: observation ~",
        "liang的爸爸 HAS_CONDITION 糖尿病: denial ~",
        "liang的爸爸 HAS_CONDITION 高血压: observation ~",
    ],
    "我不对花生过敏。": ["liang ALLERGIC_TO 花生: denial ~"],
    "我花生不过敏。": ["liang ALLERGIC_TO 花生: denial ~"],
    "我没有花生过敏。": ["liang ALLERGIC_TO 花生: denial ~"],
    "我以前花生过敏。": ["liang ALLERGIC_TO 花生: end ~"],
    "我吃素。": ['liang HAS_DIET "吃素": observation ~'],
    "我已经不吃素了。": ['liang HAS_DIET "吃素": end ~'],
}
NOTHING = (
    "我同事坚果过敏。",
    "患者青霉素过敏。",
    "客人花生过敏。",
    "过敏史：无。",
    "患者：王芳，过敏史：青霉素。",
    "孩子们都花生过敏。",
    "我想了解，高血压，糖尿病。",
    "我家猫鸡肉过敏。",
    "预防花粉过敏。",
    "我担心花粉过敏。",
    "我皮肤过敏。",
    "我最近有点过敏。",
    "花粉过敏很痛苦。",
    "别吃花生，会过敏。",
    "我不过敏。",
    "我花生过敏吗？",
    "我觉得花粉过敏很烦。",
    "我的高血压。",
)


@pytest.mark.parametrize("text", MINE)
async def test_one_is_allergic_to_what_stands_before_the_word(extractor: RuleExtractor, text: str) -> None:
    assert await read(extractor, text) == [f"liang ALLERGIC_TO {MINE[text]}: observation ~"]


@pytest.mark.parametrize("text", OTHERS)
async def test_whose_allergy_it_is_and_how_sure(extractor: RuleExtractor, text: str) -> None:
    assert await read(extractor, text) == OTHERS[text]


@pytest.mark.parametrize("text", NOTHING)
async def test_what_is_nobodys_allergy(extractor: RuleExtractor, text: str) -> None:
    assert await read(extractor, text) == []
