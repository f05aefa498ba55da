"""What is somebody's in Chinese: told anew, from one value to another, of others, and not so."""

from __future__ import annotations

import pytest

from hitherto.extraction.rules import RuleExtractor
from tests.extraction.reading import read

CHANGES = {
    "我的主管从王姐换成了李哥。": [
        "liang REPORTS_TO 王姐: end ~",
        "liang REPORTS_TO 李哥: dated_beginning ~",
    ],
    "王小姐的電話從13800138000改為13900139000。": [
        '王小姐 HAS_PHONE "13800138000": end ~',
        '王小姐 HAS_PHONE "13900139000": dated_beginning ~',
    ],
    "请把我的邮箱从a@x.com改成b@x.com。": [
        'liang HAS_EMAIL "a@x.com": end ~',
        'liang HAS_EMAIL "b@x.com": dated_beginning ~',
    ],
    "星火科技的套餐从基础版升到旗舰版。": [
        '星火科技 HAS_PLAN "基础版": end ~',
        '星火科技 HAS_PLAN "旗舰版": dated_beginning ~',
    ],
    "我换手机号了，现在是13900139000。": ['liang HAS_PHONE "13900139000": dated_beginning ~'],
    "王总换手机了，新号13800138002。": ['王总 HAS_PHONE "13800138002": dated_beginning ~'],
    "我换了手机。": [],
    "我换了手机，现在很好用。": [],
}
OTHERS = {
    "联系人王芳，电话13800138000。": ['王芳 HAS_PHONE "13800138000": observation ~'],
    "我的微信号是abc123。": ['liang HAS_ID "abc123": observation ~'],
    "我老婆的手机号是13800138002。": ['liang的妻子 HAS_PHONE "13800138002": observation ~'],
    "張伟是腾讯的采购经理，手机13800138002，邮箱a@x.com。": [
        '張伟 HAS_ROLE "采购经理": observation ~',
        "張伟 WORKS_AT 腾讯: observation ~",
        '張伟 HAS_PHONE "13800138002": observation ~',
        '張伟 HAS_EMAIL "a@x.com": observation ~',
    ],
    "我的老板是张总，电话13800138002。": [
        "liang REPORTS_TO 张总: observation ~",
        '张总 HAS_PHONE "13800138002": observation ~',
    ],
}
DENIED = {
    "陈经理的邮箱不是a@x.com，而是b@x.com。": [
        '陈经理 HAS_EMAIL "a@x.com": denial ~',
        '陈经理 HAS_EMAIL "b@x.com": observation ~',
    ],
    "我的手机号不是13800138000了。": ['liang HAS_PHONE "13800138000": end ~'],
    "我老婆不叫王芳。": ["liang SPOUSE_OF 王芳: denial ~"],
    "他不是医生。": [],
    "李静已经不是财务总监了。": ['李静 HAS_ROLE "财务总监": end ~'],
    "我不当老师了。": ['liang HAS_ROLE "老师": end ~'],
    "我不住在上海了。": ["liang LIVES_IN 上海: end ~"],
    "我不是很喜欢咖啡。": ["liang LIKES 咖啡: denial ~"],
}
CUT = {
    "我搬到台中。": ["liang LIVES_IN 台中: dated_beginning ~"],
    "我上個月搬到臺中。": ["liang LIVES_IN 臺中: dated_beginning 2026-02"],
    "我大后天搬到北京。": ["liang LIVES_IN 北京: dated_beginning 2026-03-05"],
    "我元旦搬到北京。": ["liang LIVES_IN 北京: dated_beginning 2026-01-01"],
    "我2024年Q3加入腾讯。": ["liang WORKS_AT 腾讯: dated_beginning 2024-Q3"],
    "我在舞台中央。": [],
}


@pytest.mark.parametrize("text", CHANGES)
async def test_from_one_value_to_another(extractor: RuleExtractor, text: str) -> None:
    assert await read(extractor, text) == CHANGES[text]


@pytest.mark.parametrize("text", OTHERS)
async def test_what_is_somebody_elses(extractor: RuleExtractor, text: str) -> None:
    assert await read(extractor, text) == OTHERS[text]


@pytest.mark.parametrize("text", DENIED)
async def test_what_is_not_so(extractor: RuleExtractor, text: str) -> None:
    assert await read(extractor, text) == DENIED[text]


@pytest.mark.parametrize("text", CUT)
async def test_what_the_tagger_cuts_wrongly(extractor: RuleExtractor, text: str) -> None:
    assert await read(extractor, text) == CUT[text]
