"""Ends that leave out what ends, and what is told one after the other in one sentence."""

from __future__ import annotations

import pytest

from hitherto.extraction.rules import RuleExtractor
from tests.extraction.reading import read, read_session

ENDS = {
    "Tom joined Acme in 2022 and left in 2023.": [
        "Tom WORKS_AT Acme: dated_beginning 2022",
        "Tom WORKS_AT Acme: end 2023",
    ],
    "Tom joined Acme in 2022. He left in 2023.": [
        "Tom WORKS_AT Acme: dated_beginning 2022",
        "Tom WORKS_AT Acme: end 2023",
    ],
    "Tom started at Acme in 2020, left in 2021 and joined Globex in 2022.": [
        "Tom WORKS_AT Acme: dated_beginning 2020",
        "Tom WORKS_AT Acme: end 2021",
        "Tom WORKS_AT Globex: dated_beginning 2022",
    ],
    "Tom joined Acme as CTO in 2022 and left in 2023.": [
        "Tom WORKS_AT Acme: dated_beginning 2022",
        'Tom HAS_ROLE "CTO": dated_beginning 2022',
        "Tom WORKS_AT Acme: end 2023",
        'Tom HAS_ROLE "CTO": end 2023',
    ],
    "Sam started at Initech last year. In June she quit.": [
        "Sam WORKS_AT Initech: dated_beginning 2025",
        "Sam WORKS_AT Initech: end 2025-06",
    ],
    "Tom works at Acme. He got laid off in March.": [
        "Tom WORKS_AT Acme: observation ~",
        "Tom WORKS_AT Acme: end 2026-03",
    ],
    "Tom works at Acme. He quit his job in May.": [
        "Tom WORKS_AT Acme: observation ~",
        "Tom WORKS_AT Acme: end 2025-05",
    ],
    "Tom works at Acme. He is leaving in June.": [
        "Tom WORKS_AT Acme: observation ~",
        "Tom WORKS_AT Acme: end 2026-06",
    ],
    "I worked at Acme and left in 2023.": ["liang WORKS_AT Acme: end 2023"],
    "I used to live in Rome but left in 2020.": ["liang LIVES_IN Rome: end 2020"],
    "Tom worked at Acme from 2019 until he left in 2023.": [
        "Tom WORKS_AT Acme: dated_beginning 2019",
        "Tom WORKS_AT Acme: end 2023",
    ],
    "Tom worked at Acme from 2019.": ["Tom WORKS_AT Acme: dated_beginning 2019", "Tom WORKS_AT Acme: end ~"],
    "Acme signed the Pro plan in May and cancelled it in late June.": [
        'Acme HAS_PLAN "Pro": dated_beginning 2025-05',
        'Acme HAS_PLAN "Pro": end late 2025-06',
    ],
    "I subscribed to Netflix in May but cancelled in June.": [
        "liang SUBSCRIBES_TO Netflix: dated_beginning 2025-05",
        "liang SUBSCRIBES_TO Netflix: end 2025-06",
    ],
    "I married Eve in 2010 and divorced in 2020.": [
        "liang SPOUSE_OF Eve: dated_beginning 2010",
        "liang SPOUSE_OF Eve: end 2020",
    ],
    "I studied at MIT from 2010 and dropped out in 2012.": [
        "liang STUDIES_AT MIT: dated_beginning 2010",
        "liang STUDIES_AT MIT: end 2012",
    ],
    "I joined Acme in 2020 but left after two years.": [
        "liang WORKS_AT Acme: dated_beginning 2020",
        "liang WORKS_AT Acme: end 2022",
    ],
    "I joined Acme in May 2020 and left 18 months later.": [
        "liang WORKS_AT Acme: dated_beginning 2020-05",
        "liang WORKS_AT Acme: end 2021-11",
    ],
    "Tom, who joined Acme in 2019, left in 2021.": [
        "Tom WORKS_AT Acme: dated_beginning 2019",
        "Tom WORKS_AT Acme: end 2021",
    ],
    "After leaving Acme in 2021, Tom joined Globex.": [
        "Tom WORKS_AT Acme: end 2021",
        "Tom WORKS_AT Globex: dated_beginning 2021",
    ],
    "I joined Acme in 2020 and left after six months.": [
        "liang WORKS_AT Acme: dated_beginning 2020",
        "liang WORKS_AT Acme: end ~ (faint)",
    ],
}

NO_ENDS = {
    "Tom works at Acme and lives in Rome. He left in 2023.": [
        "Tom WORKS_AT Acme: observation ~",
        "Tom LIVES_IN Rome: observation ~",
    ],
    "Tom works at Acme. He left the meeting early.": ["Tom WORKS_AT Acme: observation ~"],
    "Tom works at Acme. He left yesterday.": ["Tom WORKS_AT Acme: observation ~"],
    "Tom works at Acme. He left at five.": ["Tom WORKS_AT Acme: observation ~"],
    "Tom works at Acme. He left home in 2023.": ["Tom WORKS_AT Acme: observation ~"],
    "Tom works at Acme. He did not quit.": ["Tom WORKS_AT Acme: observation ~"],
    "Tom works at Acme. Eve left in 2023.": ["Tom WORKS_AT Acme: observation ~"],
    "Tom works at Acme. He may leave in June.": ["Tom WORKS_AT Acme: observation ~"],
    "Tom left.": [],
    "I left early today.": [],
}

ONE_BY_ONE = {
    "Tom moved to Rome in mid-June, and to Oslo in late July.": [
        "Tom LIVES_IN Rome: dated_beginning mid 2025-06",
        "Tom LIVES_IN Oslo: dated_beginning late 2025-07",
    ],
    "Tom moved to Rome in 2019 and to Oslo in 2021.": [
        "Tom LIVES_IN Rome: dated_beginning 2019",
        "Tom LIVES_IN Oslo: dated_beginning 2021",
    ],
    "Tom moved to Rome in 2020 and Oslo in 2022.": [
        "Tom LIVES_IN Rome: dated_beginning 2020",
        "Tom LIVES_IN Oslo: dated_beginning 2022",
    ],
    "Tom joined Acme in 2020 and Globex in 2022.": [
        "Tom WORKS_AT Acme: dated_beginning 2020",
        "Tom WORKS_AT Globex: dated_beginning 2022",
    ],
    "I bought a car in May and a house in June.": [
        "liang BOUGHT car: dated_beginning 2025-05",
        "liang BOUGHT house: dated_beginning 2025-06",
    ],
    "I visited Rome and Oslo in May.": [
        "liang VISITED Rome: dated_beginning 2025-05",
        "liang VISITED Oslo: dated_beginning 2025-05",
    ],
    "I moved to Rome in 2020. Two years later I moved to Oslo.": [
        "liang LIVES_IN Rome: dated_beginning 2020",
        "liang LIVES_IN Oslo: dated_beginning 2022",
    ],
    "Tom was with Acme until 2021, then joined Globex in 2022.": [
        "Tom WORKS_AT Acme: end 2021",
        "Tom WORKS_AT Globex: dated_beginning 2022",
    ],
    "Acme's CFO is Dana and its CTO is Eve.": [
        "Dana WORKS_AT Acme: observation ~",
        'Dana HAS_ROLE "CFO": observation ~',
        "Eve WORKS_AT Acme: observation ~",
        'Eve HAS_ROLE "CTO": observation ~',
    ],
    "Acme upgraded from Pro to Enterprise in May.": [
        'Acme HAS_PLAN "Pro": end 2025-05',
        'Acme HAS_PLAN "Enterprise": dated_beginning 2025-05',
    ],
    "Globex hired Tom in May and fired him in June.": [
        "Tom WORKS_AT Globex: dated_beginning 2025-05",
        "Tom WORKS_AT Globex: end 2025-06",
    ],
    "Acme hired Eve as CTO in May.": [
        "Eve WORKS_AT Acme: dated_beginning 2025-05",
        'Eve HAS_ROLE "CTO": dated_beginning 2025-05',
    ],
    "Acme promoted Eve to CTO in May.": ['Eve HAS_ROLE "CTO": dated_beginning 2025-05'],
    "Acme laid off Tom in May.": ["Tom WORKS_AT Acme: end 2025-05"],
    "Tom was CTO of Acme until June 2022.": ['Tom HAS_ROLE "CTO": end 2022-06'],
    "Tom was CTO of Acme.": ['Tom HAS_ROLE "CTO": end ~'],
    "Tom was CTO of Acme from 2019 to 2022.": [
        'Tom HAS_ROLE "CTO": extent 2019..2023',
        "Tom WORKS_AT Acme: extent 2019..2023",
    ],
    "Tom decided to join Acme in 2024 but changed his mind.": ["Tom WORKS_AT Acme: dated_beginning 2024 (hoped)"],
    "Tom's wife is Eve. He lives in Rome.": [
        "Tom SPOUSE_OF Eve: observation ~",
        "Tom LIVES_IN Rome: observation ~",
    ],
    "Mrs. Smith met Mr. Jones. He lives in Rome.": [
        "Mr. Jones LIVES_IN Rome: observation ~",
        "Mrs. Smith MEET Mr. Jones: dated_beginning ~",
    ],
    "Eve is a competitor at Acme.": [],
    "Your order aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa shipped.": [],
    "Anna works at Acme. Tom works at Globex. She lives in Oslo.": [
        "Anna LIVES_IN Oslo: observation ~",
        "Anna WORKS_AT Acme: observation ~",
        "Tom WORKS_AT Globex: observation ~",
    ],
    "Tom, Eve and Bob work at Acme.": [
        "Bob WORKS_AT Acme: observation ~",
        "Eve WORKS_AT Acme: observation ~",
        "Tom WORKS_AT Acme: observation ~",
    ],
    "My sons Ali and Omar live in Rome.": [
        "Ali LIVES_IN Rome: observation ~",
        "Omar LIVES_IN Rome: observation ~",
        "liang PARENT_OF Ali: observation ~",
        "liang PARENT_OF Omar: observation ~",
    ],
}

CHINESE = {
    "张伟2020年加入腾讯，2022年离职了。": [
        "张伟 WORKS_AT 腾讯: dated_beginning 2020",
        "张伟 WORKS_AT 腾讯: end 2022",
    ],
    "张伟在腾讯工作。他上个月离职了。": ["张伟 WORKS_AT 腾讯: observation ~", "张伟 WORKS_AT 腾讯: end 2026-02"],
    "我2019年入职阿里，2021年辞职，然后加入了字节跳动。": [
        "liang WORKS_AT 阿里: dated_beginning 2019",
        "liang WORKS_AT 阿里: end 2021",
        "liang WORKS_AT 字节跳动: dated_beginning 2021",
    ],
    "我去年订阅了Netflix，上个月退订了。": [
        "liang SUBSCRIBES_TO Netflix: dated_beginning 2025",
        "liang SUBSCRIBES_TO Netflix: end 2026-02",
    ],
    "我和李雷2015年结婚，2020年离婚了。": [
        "liang SPOUSE_OF 李雷: dated_beginning 2015",
        "liang SPOUSE_OF 李雷: end 2020",
    ],
    "我原来是阿里的CTO，2022年卸任。": ['liang HAS_ROLE "CTO": end 2022'],
    "华为聘请了张伟。": ["张伟 WORKS_AT 华为: dated_beginning ~"],
    "张伟在华为工作。华为上个月解雇了张伟。": [
        "张伟 WORKS_AT 华为: observation ~",
        "张伟 WORKS_AT 华为: end 2026-02",
    ],
    "腾讯的CFO是李雷，CTO是韩梅梅。": [
        '李雷 HAS_ROLE "CFO": observation ~',
        "李雷 WORKS_AT 腾讯: observation ~",
        '韩梅梅 HAS_ROLE "CTO": observation ~',
        "韩梅梅 WORKS_AT 腾讯: observation ~",
    ],
    "我从标准版升级到企业版，后来取消了。": [
        'liang HAS_PLAN "企业版": dated_beginning ~',
        'liang HAS_PLAN "企业版": end ~',
        'liang HAS_PLAN "标准版": end ~',
    ],
    "张伟在腾讯工作。他没有离职。": ["张伟 WORKS_AT 腾讯: observation ~"],
    "张伟在腾讯工作。他昨天离开了。": ["张伟 WORKS_AT 腾讯: observation ~"],
    "张伟离职了。": [],
    "会议取消了。": [],
}

ALL = CHINESE | ENDS | NO_ENDS | ONE_BY_ONE


@pytest.mark.parametrize("text", ALL)
async def test_told_one_after_the_other(extractor: RuleExtractor, text: str) -> None:
    assert sorted(await read(extractor, text)) == sorted(ALL[text])


async def test_what_ends_was_said_in_another_message(extractor: RuleExtractor) -> None:
    said = await read_session(
        extractor,
        ("liang", "I joined Acme in 2020."),
        ("bot", "Nice! How is it going?"),
        ("liang", "Well, I left in 2023."),
        ("liang", "I cancelled in May."),
    )
    assert said[2] == ["liang WORKS_AT Acme: end 2023"]
    assert said[3] == []


async def test_an_end_ends_one_stay(extractor: RuleExtractor) -> None:
    """What has ended is not ended by the next "left"."""
    found = await read(extractor, "I joined Acme in 2019. I left in 2020. I left in 2021.")
    assert found == ["liang WORKS_AT Acme: dated_beginning 2019", "liang WORKS_AT Acme: end 2020"]
