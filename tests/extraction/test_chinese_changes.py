"""What ends, begins and changes in Chinese, and where somebody is, in the words people use for it."""

from __future__ import annotations

import pytest

from hitherto.extraction.rules import RuleExtractor
from tests.extraction.reading import read, read_session

ENDS = {
    "我辞掉了老师的工作。": ['liang HAS_ROLE "老师": end ~'],
    "王磊辞去了CEO职务。": ['王磊 HAS_ROLE "CEO": end ~'],
    "王磊已从华为退休。": ["王磊 WORKS_AT 华为: end ~"],
    "李静已卸任财务总监一职。": ['李静 HAS_ROLE "财务总监": end ~'],
    "我辞去了主席一职。": ['liang HAS_ROLE "主席": end ~'],
    "我不怎么喜欢喝咖啡了。": ["liang LIKES 咖啡: end ~"],
    "我没那么喜欢喝咖啡了。": ["liang LIKES 咖啡: end ~"],
    "我怎么喜欢喝咖啡了？": [],
    "我取消了Netflix的订阅。": ["liang SUBSCRIBES_TO Netflix: end ~"],
    "我退订了Netflix。": ["liang SUBSCRIBES_TO Netflix: end ~"],
    "我不用Netflix了。": ["liang USES Netflix: end ~"],
    "我不用上班了。": [],
    "我取消了会议。": [],
    "星火科技停用了企业版。": ['星火科技 HAS_PLAN "企业版": end ~'],
    "我的Netflix会员到期了。": ["liang SUBSCRIBES_TO Netflix: end ~"],
    "我的Netflix会员下个月到期。": ["liang SUBSCRIBES_TO Netflix: end 2026-04"],
    "我的Netflix会员还没到期。": [],
}
CHANGES = {
    "张伟去年从阿里跳槽到字节了。": [
        "张伟 WORKS_AT 阿里: end 2025",
        "张伟 WORKS_AT 字节: dated_beginning 2025",
    ],
    "王磊离开阿里，加盟字节。": ["王磊 WORKS_AT 阿里: end ~", "王磊 WORKS_AT 字节: dated_beginning ~"],
    "我从上海搬到北京。": ["liang LIVES_IN 上海: end ~", "liang LIVES_IN 北京: dated_beginning ~"],
    "我们公司从钉钉迁移到飞书。": ["liang USES 钉钉: end ~", "liang USES 飞书: dated_beginning ~"],
    "我们公司去年从免费版升级到团队版，今年又降回免费版了。": [
        'liang HAS_PLAN "免费版": end 2025',
        'liang HAS_PLAN "团队版": dated_beginning 2025',
        'liang HAS_PLAN "免费版": dated_beginning 2026',
    ],
    "我们把钉钉换成了飞书。": ["liang USES 钉钉: end ~", "liang USES 飞书: dated_beginning ~"],
    "张伟由经理升为总监。": ['张伟 HAS_ROLE "经理": end ~', '张伟 HAS_ROLE "总监": dated_beginning ~'],
    "我把套餐降到了基础版。": ['liang HAS_PLAN "基础版": dated_beginning ~'],
    "我当上了经理。": ['liang HAS_ROLE "经理": dated_beginning ~'],
    "我升了总监。": ['liang HAS_ROLE "总监": dated_beginning ~'],
    "我被提拔为总监。": ['liang HAS_ROLE "总监": dated_beginning ~'],
    "我是做销售的。": ['liang HAS_ROLE "销售": observation ~'],
    "星火科技的CEO由张三换成了李明。": [
        '张三 HAS_ROLE "CEO": end ~',
        '李明 HAS_ROLE "CEO": dated_beginning ~',
        "李明 WORKS_AT 星火科技: observation ~",
    ],
    "客户经理换成小赵了。": ['小赵 HAS_ROLE "客户经理": dated_beginning ~'],
    "气温升到30度。": [],
    "我把咖啡换成茶。": [],
}
WHERE = {
    "我不在腾讯了，现在在阿里。": ["liang WORKS_AT 腾讯: end ~", "liang WORKS_AT 阿里: observation ~"],
    "张总已经不在华为了，去了小米。": ["张总 WORKS_AT 华为: end ~", "张总 WORKS_AT 小米: dated_beginning ~"],
    "我离职了，去了字节。": ["liang WORKS_AT 字节: dated_beginning ~"],
    "我换公司了，去了字节。": ["liang WORKS_AT 字节: dated_beginning ~"],
    "我离职了，去了云南。": ["liang VISITED 云南: dated_beginning ~"],
    "我不在阿里干了。": ["liang WORKS_AT 阿里: end ~"],
    "我在阿里三年了。": ["liang WORKS_AT 阿里: since 2023"],
    "王总在北京分公司。": [],
    "王芳现任阿里CEO。": ['王芳 HAS_ROLE "CEO": observation ~', "王芳 WORKS_AT 阿里: observation ~"],
    "李明在阿里。": ["李明 WORKS_AT 阿里: observation ~"],
    "我在字节实习。": ["liang WORKS_AT 字节: observation ~"],
    "我在成都住了五年了。": ["liang LIVES_IN 成都: since 2021"],
    "我在上海住了一晚。": [],
    "我在星巴克。": [],
    "我在北京大学。": [],
    "我在公司。": [],
    "我明天在腾讯。": [],
    "我在腾讯开会。": [],
    "李明在华为等我。": [],
    "李明在北京。": [],
    "李明在阿里总部。": [],
    "我的快递在顺丰。": [],
    "李明不在华为。": [],
}
SESSIONS: tuple[tuple[str, str, list[str]], ...] = (
    ("我在腾讯工作。", "我辞职了。", ["liang WORKS_AT 腾讯: end ~"]),
    ("我在腾讯工作。", "我被公司开除了。", ["liang WORKS_AT 腾讯: end ~"]),
    ("我在腾讯工作。", "我上个月辞掉了工作。", ["liang WORKS_AT 腾讯: end 2026-02"]),
    ("我在腾讯工作。", "失业率上升了。", []),
    ("我女朋友叫小美。", "我和女朋友分手了。", ["liang PARTNER_OF 小美: end ~"]),
    ("我老婆叫小美。", "去年我跟老婆离婚了。", ["liang SPOUSE_OF 小美: end 2025"]),
    ("我订阅了Netflix。", "我的会员到期了。", ["liang SUBSCRIBES_TO Netflix: end ~"]),
    ("我老公叫王磊。", "我跟我老公离婚了。", ["liang SPOUSE_OF 王磊: end ~"]),
    ("我订阅了Netflix。", "我取消了会员。", ["liang SUBSCRIBES_TO Netflix: end ~"]),
    ("我订阅了Netflix。", "我把会员退了。", ["liang SUBSCRIBES_TO Netflix: end ~"]),
    ("我订阅了Netflix。", "我要取消会员。", []),
    ("我男朋友叫小刚。", "我们上周分手了。", ["liang PARTNER_OF 小刚: end 2026-W09"]),
    ("我订阅了Netflix。", "我是会员。", []),
    ("我家狗叫豆豆。", "豆豆走丢了。", ["liang HAS_PET 豆豆: end ~"]),
    ("我老婆叫小美。", "小美去年病逝了。", ["liang SPOUSE_OF 小美: end 2025"]),
)


@pytest.mark.parametrize("text", ENDS)
async def test_what_is_over(extractor: RuleExtractor, text: str) -> None:
    assert await read(extractor, text) == ENDS[text]


@pytest.mark.parametrize("text", CHANGES)
async def test_what_has_become_another(extractor: RuleExtractor, text: str) -> None:
    assert await read(extractor, text) == CHANGES[text]


@pytest.mark.parametrize("text", WHERE)
async def test_being_at_a_firm_is_working_there(extractor: RuleExtractor, text: str) -> None:
    assert await read(extractor, text) == WHERE[text]


@pytest.mark.parametrize(("before", "now", "lines"), SESSIONS)
async def test_an_end_of_what_was_said_before(
    extractor: RuleExtractor, before: str, now: str, lines: list[str]
) -> None:
    assert (await read_session(extractor, ("liang", before), ("liang", now)))[1] == lines
