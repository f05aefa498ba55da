"""Measures of people and things, and illnesses that change: what is a value, of what, of whom and from when."""

from __future__ import annotations

import pytest

from hitherto.extraction.extractor import Reading
from hitherto.extraction.measures import figures
from hitherto.extraction.rules import RuleExtractor
from hitherto.kg.model import Role
from tests.extraction.reading import episode, read, read_session

NOW = "observation ~"
BEGUN = "dated_beginning ~"
ENDED = "end ~"


def said(*facts: tuple[str, str, str]) -> list[str]:
    return [f'liang {predicate} "{value}": {how}' for predicate, value, how in facts]


ENGLISH: dict[str, list[str]] = {
    "My waist is 95 cm.": said(("HAS_WAIST", "95 cm", NOW)),
    "Waist is now 95cm, 9cm less than before.": said(("HAS_WAIST", "95 cm", NOW)),
    "I just measured my waist circumference, and it is 104 centimetres.": said(("HAS_WAIST", "104 cm", NOW)),
    "I just measured my waist. It's 96 cm now.": said(("HAS_WAIST", "96 cm", NOW)),
    "My waist measures 38 inches.": said(("HAS_WAIST", "38 in", NOW)),
    "I have a waist of 95 cm.": said(("HAS_WAIST", "95 cm", NOW)),
    "I just weighed myself, it's now 82kg, about 1kg heavier than before.": said(("WEIGHS", "82 kg", NOW)),
    "I also weighed myself - now I'm 80 kilos!": said(("WEIGHS", "80 kg", NOW)),
    "I weigh 176 pounds now.": said(("WEIGHS", "176 lb", NOW)),
    "I'm down to 78kg!": said(("WEIGHS", "78 kg", NOW)),
    "I gained 2 kg, my weight is now about 82 kg.": said(("WEIGHS", "82 kg", NOW)),
    "My weight has dropped from 84kg to 80kg.": said(("WEIGHS", "84 kg", ENDED), ("WEIGHS", "80 kg", BEGUN)),
    "My weight went from 84 to 80 kg last month.": said(
        ("WEIGHS", "84 kg", "end 2026-02"), ("WEIGHS", "80 kg", "dated_beginning 2026-02")
    ),
    "My weight has been 80kg since May.": said(("WEIGHS", "80 kg", "since 2025-05")),
    "I weighed 84 kg in June.": said(("WEIGHS", "84 kg", "extent 2025-06..2025-07")),
    "I weighed myself today, still 80kg.": said(("WEIGHS", "80 kg", "dated_beginning 2026-03-02")),
    "I'm 5'11\" and weigh 80 kilos.": said(("HAS_HEIGHT", "5 ft 11 in", NOW), ("WEIGHS", "80 kg", NOW)),
    "I'm 180 cm tall.": said(("HAS_HEIGHT", "180 cm", NOW)),
    "Height: 180 cm, weight 80kg": said(("HAS_HEIGHT", "180 cm", NOW), ("WEIGHS", "80 kg", NOW)),
    "My triglycerides dropped from 2.8 to 1.9.": said(
        ("HAS_TRIGLYCERIDES", "2.8", ENDED), ("HAS_TRIGLYCERIDES", "1.9", BEGUN)
    ),
    "My LDL is 3.2 and my total cholesterol is 5.1 mmol/L.": said(
        ("HAS_LDL", "3.2", NOW), ("HAS_CHOLESTEROL", "5.1 mmol/L", NOW)
    ),
    "I checked my blood pressure yesterday and it was 128/82.": said(
        ("HAS_BLOOD_PRESSURE", "128/82", "dated_beginning 2026-03-01")
    ),
    "The doctor told me my blood pressure is 150/95.": said(("HAS_BLOOD_PRESSURE", "150/95", NOW)),
    "My resting heart rate is 58 bpm.": said(("HAS_HEART_RATE", "58 bpm", NOW)),
    "My temperature is 38.5°C.": said(("HAS_TEMPERATURE", "38.5 °C", NOW)),
    "My rent went up to $1,500 a month.": said(("PAYS_RENT", "$1,500 a month", BEGUN)),
    "I make $85k a year.": said(("EARNS", "$85k a year", NOW)),
    "My budget is 3000 euros.": said(("HAS_BUDGET", "3000 euros", NOW)),
    "I ran 5 km in 30 minutes and weigh 70 kg.": said(("WEIGHS", "70 kg", NOW)),
    "Tom weighs 92 kg.": ['Tom WEIGHS "92 kg": observation ~'],
    "Netflix costs $15 a month.": ['Netflix COSTS "$15 a month": observation ~'],
}

CHINESE: dict[str, list[str]] = {
    "我刚刚测量了我的腰围，是104厘米。": said(("HAS_WAIST", "104 cm", BEGUN)),
    "我刚量了一下腰围，现在是96cm，少了8cm！": said(("HAS_WAIST", "96 cm", BEGUN)),
    "腰围现在是95cm，比之前少了9cm。": said(("HAS_WAIST", "95 cm", NOW)),
    "我刚称了一下，现在是82kg，比受伤前重了1kg左右。": said(("WEIGHS", "82 kg", BEGUN)),
    "今天称了一下体重，还是80公斤。": said(("WEIGHS", "80 kg", "dated_beginning 2026-03-02")),
    "我身高一米七八，体重160斤。": said(("HAS_HEIGHT", "178 cm", NOW), ("WEIGHS", "160 斤", NOW)),
    "更新一下：体重79.4kg，腰围94cm。": said(("WEIGHS", "79.4 kg", NOW), ("HAS_WAIST", "94 cm", NOW)),
    "我重80公斤": said(("WEIGHS", "80 kg", NOW)),
    "我体重从85公斤降到了80公斤。": said(("WEIGHS", "85 kg", ENDED), ("WEIGHS", "80 kg", BEGUN)),
    "我上个月体重85公斤。": said(("WEIGHS", "85 kg", "extent 2026-02..2026-03")),
    "我以前体重90公斤。": said(("WEIGHS", "90 kg", ENDED)),
    "医生说我的甘油三酯从2.8降到了1.9。": said(
        ("HAS_TRIGLYCERIDES", "2.8", ENDED), ("HAS_TRIGLYCERIDES", "1.9", BEGUN)
    ),
    "我的血压是130/85，心率72。": said(("HAS_BLOOD_PRESSURE", "130/85", NOW), ("HAS_HEART_RATE", "72", NOW)),
    "我的预算是5000元。": said(("HAS_BUDGET", "5000元", NOW)),
    "房租涨到了4500元。": said(("PAYS_RENT", "4500元", BEGUN)),
    "我年薪30万元。": said(("EARNS", "每年30万元", NOW)),
    "王芳的体重是55公斤，她身高165厘米。": [
        '王芳 WEIGHS "55 kg": observation ~',
        '王芳 HAS_HEIGHT "165 cm": observation ~',
    ],
}


@pytest.mark.parametrize("text", [*ENGLISH, *CHINESE])
async def test_values(extractor: RuleExtractor, text: str) -> None:
    assert await read(extractor, text) == {**ENGLISH, **CHINESE}[text]


@pytest.mark.parametrize(
    "text",
    [
        "I lost 3kg and my pants feel loose.",
        "I'm down 3kg since June, 1kg heavier than last year.",
        "My waist is 8 cm smaller, my weight is 3kg lower than before.",
        "My weight is over 80kg, between 80 and 82 kg.",
        "My weight can go up to 90kg.",
        "Next year's goal is to get my weight down to 75kg.",
        "My goal weight is 75kg and I want to weigh 75 kg.",
        "My weight should be 75kg.",
        "If my weight is 90kg, I will start a diet.",
        "Is my weight 80kg?",
        "My weight will be 75kg next year.",
        "My weight isn't 80kg.",
        "I benched 80kg and carried a 20kg bag.",
        "My dog is three. Weight 12 kg.",
        "My suitcase weighs 20 kg.",
        "You weigh 80 kg.",
        "I made $200 selling cookies.",
        "My rent is $200 more than last year.",
        "My budget for the trip is 3000 euros.",
        "My budget is around $300-$400, and that one is out of my budget at around $500.",
        "我减了5公斤，瘦了3kg。",
        "明年的目标是体重降到75kg，脂肪肝完全消失。",
        "我希望体重降到70公斤",
        "我的体重超过80公斤，80公斤以上。",
        "标准体重是70公斤。",
        "推荐北京京仪大酒店，价格是685元。",
        "Price is $20. The price is $20.",
        "你的体重是80kg",
        "孩子三岁了，身高100厘米，体重15公斤。",
    ],
)
async def test_differences_bounds_goals_and_others_are_no_values(extractor: RuleExtractor, text: str) -> None:
    assert await read(extractor, text) == []


async def test_what_somebody_else_tells_is_only_reported(extractor: RuleExtractor) -> None:
    assert await read(extractor, "My friend said my weight is 80kg.") == [
        'liang WEIGHS "80 kg": observation ~ (reported)'
    ]


async def test_an_assistants_figures_are_not_the_users(extractor: RuleExtractor) -> None:
    asked = Reading(episode("Your weight is 80kg. My weight is 80kg.", role=Role.ASSISTANT))
    assert await extractor.extract([asked]) == [[]]


async def test_it_means_what_the_sentence_before_measured(extractor: RuleExtractor) -> None:
    said_apart = await read_session(extractor, ("liang", "I measured my waist."), ("liang", "It is 96 cm."))
    assert said_apart == [[], []]
    assert await read(extractor, "I measured my waist. I am tired. It is 96 cm.") == []


HAS = "liang HAS_CONDITION"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("I have moderate fatty liver disease.", [f"{HAS} moderate fatty liver: {NOW}"]),
        ("The results showed that I have fatty liver.", [f"{HAS} fatty liver: {NOW}"]),
        ("I was diagnosed with type 2 diabetes in 2019.", [f"{HAS} type 2 diabetes: dated_beginning 2019"]),
        (
            "The doctor said my fatty liver has gone from moderate to mild!",
            [f"{HAS} moderate fatty liver: {ENDED}", f"{HAS} mild fatty liver: {BEGUN}"],
        ),
        (
            "My depression has improved to mild.",
            [
                f"{HAS} mild depression: {BEGUN}",
                f"{HAS} moderate depression: denial ~",
                f"{HAS} severe depression: denial ~",
            ],
        ),
        (
            "My asthma is gone.",
            [f"{HAS} asthma: {ENDED}", *(f"{HAS} {g} asthma: denial ~" for g in ("mild", "moderate", "severe"))],
        ),
        ("I don't have diabetes.", [f"{HAS} diabetes: denial ~"]),
        ("I think I have gout.", [f"{HAS} gout: {NOW} (hedged)"]),
        (
            "My dad has gout and my goal is to eliminate fatty liver.",
            ["liang's father PARENT_OF liang: observation ~", "liang's father HAS_CONDITION gout: observation ~"],
        ),
        (
            "I work in a diabetes clinic and have a diabetes test tomorrow.",
            [
                'liang WORK_IN "diabetes clinic": observation ~',
                'liang HAVE "diabetes test": dated_beginning 2026-03-03',
            ],
        ),
        ("体检结果表明我过于肥胖，而且患有中度脂肪肝。", [f"{HAS} 中度脂肪肝: {NOW}"]),
        (
            "我去复查了，医生说我的脂肪肝从中度变成轻度了！",
            [f"{HAS} 中度脂肪肝: {ENDED}", f"{HAS} 轻度脂肪肝: {BEGUN}"],
        ),
        ("我被诊断为2型糖尿病。", [f"{HAS} 2型糖尿病: {BEGUN}"]),
        (
            "我爸有高血压",
            ["liang的爸爸 PARENT_OF liang: observation ~", "liang的爸爸 HAS_CONDITION 高血压: observation ~"],
        ),
        ("我没有糖尿病。", [f"{HAS} 糖尿病: denial ~"]),
    ],
)
async def test_illnesses(extractor: RuleExtractor, text: str, lines: list[str]) -> None:
    assert await read(extractor, text) == lines


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("80kg, 80 kilos and 80-kg", ["80 kg", "80 kg", "80 kg"]),
        ("104厘米，160斤，38.5度", ["104 cm", "160 斤", "38.5 °C"]),
        ("$1,500 a month, 85,000 dollars, 5000元", ["$1,500 a month", "85,000 dollars", "5000元"]),
        ("5'11\", 6 ft, 一米八, 1米75", ["5 ft 11 in", "6 ft", "180 cm", "175 cm"]),
        ("130/85 mmHg and 5.6 mmol/L and 22 %", ["130/85", "5.6 mmol/L", "22%"]),
        ("$300-$400, $200-300", []),
        ("80-82 kg, v1.2.3, 555-1234, 12:30, A4, 3rd", []),
    ],
)
def test_figures(text: str, found: list[str]) -> None:
    assert [f.text for f in figures(text)] == found
