"""What people who keep customers write: who joined whom, who is what where, who is on which plan."""

from __future__ import annotations

import pytest

from hitherto.extraction.rules import RuleExtractor
from tests.extraction.reading import read

JOBS = {
    "Neither Tom nor Eve works at Acme.": [],
    "Tom is a former CTO of Acme.": [],
    "Tom is an ex-engineer at Acme.": [],
    "Tom is the next CEO of Acme.": [],
    "Tom is a retired engineer at Acme.": [],
    "Acme's former CEO is Tom.": ['Tom HAS_ROLE "former CEO": end ~'],
    "Tom, a former engineer at Acme, lives in Rome.": ["Tom LIVES_IN Rome: observation ~"],
    "Tom is no longer CTO of Acme.": ['Tom HAS_ROLE "CTO": end ~'],
    "Tom stepped down as CTO of Acme in May 2023.": ['Tom HAS_ROLE "CTO": end 2023-05'],
    "Chris hired Eve. He lives in Rome.": [],
    "Sam met Monica. She lives in Rome.": [
        "Monica LIVES_IN Rome: observation ~",
        "Sam MEET Monica: dated_beginning ~",
    ],
    "Priya joined Contoso.": ["Priya WORKS_AT Contoso: dated_beginning ~"],
    "Priya joined Contoso as CTO.": [
        "Priya WORKS_AT Contoso: dated_beginning ~",
        'Priya HAS_ROLE "CTO": dated_beginning ~',
    ],
    "Priya joined Fabrikam.": ["Priya WORKS_AT Fabrikam: dated_beginning ~"],
    "Priya left Contoso.": ["Priya WORKS_AT Contoso: end ~"],
    "Bob left Berlin.": ["Bob LIVES_IN Berlin: end ~"],
    "Tom joined Northstar in May 2025.": ["Tom WORKS_AT Northstar: dated_beginning 2025-05"],
    "Maria started at TechCorp in May 2025.": ["Maria WORKS_AT TechCorp: dated_beginning 2025-05"],
    "Maria started at Vandelay.": ["Maria WORKS_AT Vandelay: dated_beginning ~"],
    "Priya started working at Vandelay.": ["Priya WORKS_AT Vandelay: dated_beginning ~"],
    "Tom is a buyer at TechCorp.": ["Tom WORKS_AT TechCorp: observation ~", 'Tom HAS_ROLE "buyer": observation ~'],
    "Tom is a buyer at Northstar.": [
        "Tom WORKS_AT Northstar: observation ~",
        'Tom HAS_ROLE "buyer": observation ~',
    ],
    "I am the new admin at Vandelay.": [
        "liang WORKS_AT Vandelay: observation ~",
        'liang HAS_ROLE "admin": observation ~',
    ],
    "Jonas Weber is now VP of Engineering at Northstar.": [
        "Jonas Weber WORKS_AT Northstar: observation ~",
        'Jonas Weber HAS_ROLE "VP of Engineering": observation ~',
    ],
    "Jane is the new CTO of Acme.": ["Jane WORKS_AT Acme: observation ~", 'Jane HAS_ROLE "CTO": observation ~'],
    "Nadia got promoted to head of procurement.": ['Nadia HAS_ROLE "head of procurement": dated_beginning ~'],
    "Sofia used to work at Oracle before joining Acme.": ["Sofia WORKS_AT Oracle: end ~"],
    "Lena has been with TechCorp since 2019.": ["Lena WORKS_AT TechCorp: since 2019"],
    "Iris quit her job at Dell last month.": ["Iris WORKS_AT Dell: end 2026-02"],
    "Diego was hired by Globex as a sales engineer.": [
        "Diego WORKS_AT Globex: dated_beginning ~",
        'Diego HAS_ROLE "sales engineer": dated_beginning ~',
    ],
    "Acme's CTO is Marta Silva.": [
        "Marta Silva WORKS_AT Acme: observation ~",
        'Marta Silva HAS_ROLE "CTO": observation ~',
    ],
    "Our CTO is Marta Silva.": ['Marta Silva HAS_ROLE "CTO": observation ~'],
    "Ravi is our account manager.": [],
    "Bob is my business partner.": [],
    "Bob is my line manager.": ["liang REPORTS_TO Bob: observation ~"],
    "She is a regular at Joe's.": [],
    "Tom is a guest at TechCorp.": [],
}

PLANS = {
    "Acme signed the Gold plan.": ['Acme HAS_PLAN "Gold": dated_beginning ~'],
    "Acme is on the Gold plan.": ['Acme HAS_PLAN "Gold": observation ~'],
    "Acme upgraded from Silver to Gold.": [
        'Acme HAS_PLAN "Silver": end ~',
        'Acme HAS_PLAN "Gold": dated_beginning ~',
    ],
    "Acme downgraded to the Free plan.": ['Acme HAS_PLAN "Free": dated_beginning ~'],
    "Acme switched to the annual plan.": ['Acme HAS_PLAN "annual": dated_beginning ~'],
    "Acme cancelled the Pro plan.": ['Acme HAS_PLAN "Pro": end ~'],
    "We upgraded to the Enterprise plan last week.": ['liang HAS_PLAN "Enterprise": dated_beginning 2026-W09'],
    "Tom upgraded to Premium.": ['Tom HAS_PLAN "Premium": dated_beginning ~'],
    "I have the Netflix Premium plan.": ['liang HAVE "Netflix Premium plan": observation ~'],
    "I have a 500 Mbps plan.": ['liang HAVE "500 Mbps plan": observation ~'],
    "I have a monthly subscription to the Times.": ['liang HAVE "monthly subscription to Times": observation ~'],
    "Acme's plan is Enterprise.": ['Acme HAS_PLAN "Enterprise": observation ~'],
    "We signed the Marshall Plan.": ['liang SIGN "Marshall Plan": dated_beginning ~'],
    "Acme renewed the Enterprise plan.": ['Acme HAS_PLAN "Enterprise": dated_beginning ~'],
    "We cancelled the plan.": [],
    "I have a plan.": [],
}

LANGUAGES = {
    "I speak Java and Python.": ["liang HAS_SKILL Java: observation ~", "liang HAS_SKILL Python: observation ~"],
    "I speak French and German.": ['liang SPEAKS "French": observation ~', 'liang SPEAKS "German": observation ~'],
    "I moved to Java in May.": ['liang MOVE_TO "Java": dated_beginning 2025-05'],
    "I moved to Porto in May.": ["liang LIVES_IN Porto: dated_beginning 2025-05"],
}

OTHERS = {
    "My phone number changed to +44 20 7946 0958.": ['liang HAS_PHONE "+44 20 7946 0958": observation ~'],
    "I no longer use Slack.": ["liang USES Slack: end ~"],
    "I do not use Slack.": ["liang USES Slack: denial ~"],
    "We're on the free plan.": ['liang HAS_PLAN "free": observation ~'],
    "I'd like to upgrade to Pro.": [],
    "If the price drops, we will sign the Enterprise plan.": [],
    "Yuki is vegetarian and allergic to nuts.": [
        "Yuki ALLERGIC_TO nuts: observation ~",
        'Yuki HAS_DIET "vegetarian": observation ~',
    ],
    "I prefer email over phone.": ["liang PREFERS email: observation ~"],
    "Ticket 4711 was escalated to Dana.": [
        "ticket 4711 ASSIGNED_TO Dana: dated_beginning ~",
        'ticket 4711 HAS_STATUS "escalated": dated_beginning ~',
    ],
}

CHINESE = {
    "Acme升级到了专业版。": ['Acme HAS_PLAN "专业版": dated_beginning ~'],
    "华为公司从标准版升级到企业版。": [
        '华为公司 HAS_PLAN "企业版": dated_beginning ~',
        '华为公司 HAS_PLAN "标准版": end ~',
    ],
    "我取消了黄金套餐。": ['liang HAS_PLAN "黄金套餐": end ~'],
    "王芳的套餐是企业版。": ['王芳 HAS_PLAN "企业版": observation ~'],
    "我升级到了新版。": [],
    "订单CN-A10293昨天发货了。": ['CN-A10293 HAS_STATUS "发货了": dated_beginning 2026-03-01'],
    "订单CN-A10293发货了。": ['CN-A10293 HAS_STATUS "发货了": observation ~'],
    "工单4711已转给小陈。": ["工单4711 ASSIGNED_TO 小陈: dated_beginning ~"],
    "我的新手机号是13800138000。": ['liang HAS_PHONE "13800138000": observation ~'],
    "王总的邮箱改成wang@acme.cn了。": ['王总 HAS_EMAIL "wang@acme.cn": dated_beginning ~'],
    "腾讯有50名员工。": ['腾讯 HAS_COUNT "50名员工": observation ~'],
    "小李在腾讯做采购。": ["小李 WORKS_AT 腾讯: observation ~"],
}

COUNTS = {
    "Acme has 50 employees.": ['Acme HAS_COUNT "50 employees": observation ~'],
    "Tom has two kids and three dogs.": [
        'Tom HAS_COUNT "2 kids": observation ~',
        'Tom HAS_COUNT "3 dogs": observation ~',
    ],
}

ALL = JOBS | PLANS | LANGUAGES | OTHERS | CHINESE | COUNTS


@pytest.mark.parametrize("text", ALL)
async def test_customers(extractor: RuleExtractor, text: str) -> None:
    assert sorted(await read(extractor, text)) == sorted(ALL[text])
