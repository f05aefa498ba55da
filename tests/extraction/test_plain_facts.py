"""Plain facts in the ways people put them."""

from __future__ import annotations

import pytest

from hitherto.extraction.rules import RuleExtractor
from tests.extraction.reading import read

FACTS = {
    "I switched from Gmail to Proton Mail.": [
        "liang USES Gmail: end ~",
        "liang USES Proton Mail: dated_beginning ~",
    ],
    "Bob left Acme in March 2025 and joined Globex as CTO.": [
        "Bob WORKS_AT Acme: end 2025-03",
        "Bob WORKS_AT Globex: dated_beginning 2025-03",
        'Bob HAS_ROLE "CTO": dated_beginning 2025-03',
    ],
    "I work as a nurse at St. Mary's Hospital.": [
        'liang HAS_ROLE "nurse": observation ~',
        "liang WORKS_AT St. Mary's Hospital: observation ~",
    ],
    "We moved to Oslo in 2020.": ["liang LIVES_IN Oslo: dated_beginning 2020"],
    "We are engineers.": [],
    "My mom Helen lives in Leeds.": ["Helen LIVES_IN Leeds: observation ~"],
    "John hates cilantro.": ["John DISLIKES cilantro: observation ~"],
    "I'm a vegetarian.": ['liang HAS_DIET "vegetarian": observation ~'],
    "My birthday is on May 3rd.": ['liang BORN_ON "May 3rd": observation ~'],
    "My meeting is on May 3rd.": [],
    "I was born in 1990.": ['liang BORN_ON "1990": observation ~'],
    "I'm single.": ['liang HAS_MARITAL_STATUS "single": observation ~'],
}


@pytest.mark.parametrize("text", FACTS)
async def test_plain_facts(extractor: RuleExtractor, text: str) -> None:
    assert await read(extractor, text) == FACTS[text]


CHINESE = {
    "我很喜欢看科幻电影。": ["liang LIKES 科幻电影: observation ~"],
    "我最喜欢的歌手是周杰伦。": ["liang LIKES 周杰伦: observation ~"],
    "我家在上海。": ["liang LIVES_IN 上海: observation ~"],
    "我是在北京长大的。": ["liang COMES_FROM 北京: observation ~"],
    "我出生于1990年。": ['liang BORN_ON "1990年": observation ~'],
    "我跟小王去年结婚了。": ["liang SPOUSE_OF 小王: dated_beginning 2025"],
    "我现在单身。": ['liang HAS_MARITAL_STATUS "单身": observation ~'],
    "我不单身。": ['liang HAS_MARITAL_STATUS "单身": denial ~'],
    "我吃素。": ['liang HAS_DIET "吃素": observation ~'],
    "我的狗叫旺财。": ["liang HAS_PET 旺财: observation ~"],
    "我用的是iPhone。": ["liang USES iPhone: observation ~"],
    "我打算下个月去日本旅游。": ["liang VISITED 日本: dated_beginning 2026-04"],
    "我朋友张伟在百度工作。": ["liang FRIEND_OF 张伟: observation ~", "张伟 WORKS_AT 百度: observation ~"],
    # in traditional characters, kept as they were written
    "我對海鮮過敏。": ["liang ALLERGIC_TO 海鮮: observation ~"],
    "我在學習日語，我住在臺北。": ["liang STUDIES 日語: observation ~", "liang LIVES_IN 臺北: observation ~"],
    "我喜歡打籃球嗎？": [],
}


@pytest.mark.parametrize("text", CHINESE)
async def test_plain_chinese_facts(extractor: RuleExtractor, text: str) -> None:
    assert await read(extractor, text) == CHINESE[text]


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("I know Java and C++.", ["Java", "C++"]),
        ("I have been programming in Zorblang for years.", ["Zorblang"]),
        ("I am proficient in SQL.", ["SQL"]),
        ("我精通Java。", ["Java"]),
        ("I know Julia.", []),
        ("I know Berlin.", []),
        ("Do you know Java?", []),
    ],
)
async def test_skills(extractor: RuleExtractor, text: str, known: list[str]) -> None:
    found = [line.split(":")[0] for line in await read(extractor, text)]
    assert sorted(found) == sorted(f"liang HAS_SKILL {name}" for name in known)
