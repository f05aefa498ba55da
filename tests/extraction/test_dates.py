"""What is to come, what was announced, what comes every week, and what nobody can date."""

from __future__ import annotations

import pytest

from hitherto.extraction.rules import RuleExtractor
from tests.extraction.reading import read

TO_COME = {
    "Tom starts at Acme on March 16.": ["Tom WORKS_AT Acme: dated_beginning 2026-03-16"],
    "Tom leaves Acme on March 31.": ["Tom WORKS_AT Acme: end 2026-03-31"],
    "Tom starts at Acme in May.": ["Tom WORKS_AT Acme: dated_beginning 2026-05"],
    "We move to Rome in May.": ["liang LIVES_IN Rome: dated_beginning 2026-05"],
    "I start at Deloitte on Monday.": ["liang WORKS_AT Deloitte: dated_beginning 2026-03-09"],
    "Tom visits Rome in May.": ["Tom VISITED Rome: dated_beginning 2026-05"],
    "Tom stops working at Acme in June.": ["Tom WORKS_AT Acme: end 2026-06"],
    "Tom joins Acme for two years.": ["Tom WORKS_AT Acme: dated_beginning ~ (planned)"],
}

NOT_TO_COME = {
    "Tom started at Acme on March 16.": ["Tom WORKS_AT Acme: dated_beginning 2025-03-16"],
    "Tom joins Acme in 2019.": ["Tom WORKS_AT Acme: dated_beginning 2019"],
    "Tom works at Acme since May.": ["Tom WORKS_AT Acme: since 2025-05"],
    "I am living in Rome since May.": ["liang LIVES_IN Rome: since 2025-05"],
    "Tom became CTO in April.": ['Tom HAS_ROLE "CTO": dated_beginning 2025-04'],
}

ANNOUNCED = {
    "We cancelled our Premium subscription effective March 31.": ['liang HAS_PLAN "Premium": end 2026-03-31'],
    "Tim has been promoted to manager effective March 15.": ['Tim HAS_ROLE "manager": dated_beginning 2026-03-15'],
    "Tim was promoted to manager effective from March 15.": ['Tim HAS_ROLE "manager": dated_beginning 2026-03-15'],
    "Tom became CTO effective April 1.": ['Tom HAS_ROLE "CTO": dated_beginning 2026-04-01'],
    "Acme cancelled the Pro plan as of March 31.": ['Acme HAS_PLAN "Pro": end 2026-03-31'],
    "Acme cancelled the Pro plan effective February 1.": ['Acme HAS_PLAN "Pro": end 2026-02-01'],
    "Tom joined Acme starting March 15.": ["Tom WORKS_AT Acme: dated_beginning 2026-03-15"],
    "Tom resigned from Acme effective Friday.": ["Tom WORKS_AT Acme: end 2026-03-06"],
    "Tom left Acme effective next month.": ["Tom WORKS_AT Acme: end 2026-04"],
    "Last week we cancelled our Premium subscription effective March 31.": [
        'liang HAS_PLAN "Premium": end 2026-03-31'
    ],
    "I booked a flight to Rome for April 3.": ['liang BOOK "flight to Rome": dated_beginning 2026-04-03'],
}

FROM_THEN = {
    "Sam was appointed CFO on May 1, effective June 1.": ['Sam HAS_ROLE "CFO": dated_beginning 2026-06-01'],
    "Sam was named CEO of Acme, effective Jan. 1.": [
        'Sam HAS_ROLE "CEO": dated_beginning 2026-01-01',
        "Sam WORKS_AT Acme: dated_beginning 2026-01-01",
    ],
    "We cancelled the Pro plan starting next month.": ['liang HAS_PLAN "Pro": end 2026-04'],
    "Tom joined Acme on Jan. 5, 2020. He left in Sept. 2021.": [
        "Tom WORKS_AT Acme: dated_beginning 2020-01-05",
        "Tom WORKS_AT Acme: end 2021-09",
    ],
    "Tom joined Acme in Jan. He lives in Rome.": [
        "Tom WORKS_AT Acme: dated_beginning 2026-01",
        "Tom LIVES_IN Rome: observation ~",
    ],
    "Effective April 1, Tom became CTO of Acme.": [
        'Tom HAS_ROLE "CTO": dated_beginning 2026-04-01',
        "Tom WORKS_AT Acme: dated_beginning 2026-04-01",
    ],
    "As of May, Tom lives in Rome.": ["Tom LIVES_IN Rome: dated_beginning 2026-05"],
    "Starting in May, Tom works at Acme.": ["Tom WORKS_AT Acme: dated_beginning 2026-05"],
    "Starting April 1, Tom will work at Acme.": ["Tom WORKS_AT Acme: dated_beginning 2026-04-01"],
    "Effective February 1, Tom works at Acme.": ["Tom WORKS_AT Acme: since 2026-02-01"],
    "I live in Rome from June to August.": ["liang LIVES_IN Rome: extent 2026-06..2026-09"],
    "I lived in Rome from June to August.": ["liang LIVES_IN Rome: extent 2025-06..2025-09"],
    "I live in Rome from 2015 to 2019.": ["liang LIVES_IN Rome: extent 2015..2020"],
    "Tom works at Acme. He leaves in June.": [
        "Tom WORKS_AT Acme: observation ~",
        "Tom WORKS_AT Acme: end 2026-06",
    ],
}

AGAIN = {
    "Tom often visits Rome in May.": [],
    "Tom starts at Acme on Fridays.": [],
    "Tom works at Acme. He leaves early every Friday.": ["Tom WORKS_AT Acme: observation ~"],
    "Tom works at Acme. He leaves.": ["Tom WORKS_AT Acme: observation ~"],
    "I left Rome at 9 am.": [],
    "Tom left Acme at 5 pm yesterday.": [],
    "Tom left Acme yesterday.": ["Tom WORKS_AT Acme: end 2026-03-01"],
}

NUMBERED = {
    "I turned 40 last week.": ['liang HAS_AGE "40": dated_beginning 2026-W09'],
    "I bought an iPhone 15 last year.": ["liang BOUGHT iPhone 15: dated_beginning 2025"],
    "I bought a PlayStation 5 last week.": ["liang BOUGHT PlayStation 5: dated_beginning 2026-W09"],
    "I signed up for Windows 11 last week.": ["liang SUBSCRIBES_TO Windows 11: dated_beginning 2026-W09"],
    "Tom joined Team 5 last year.": ["Tom WORKS_AT Team 5: dated_beginning 2025"],
    "We moved to apartment 12 last month.": ['liang MOVE_TO "apartment": dated_beginning 2026-02'],
    "Tom lived in Rome 2015-2019.": ["Tom LIVES_IN Rome: extent 2015..2020"],
    "Tom lived in Rome 2015–2019.": ["Tom LIVES_IN Rome: extent 2015..2020"],
    "I joined Acme in '19.": ["liang WORKS_AT Acme: dated_beginning 2019"],
}

UNTIL = {
    "Tom works at Acme until Friday.": ["Tom WORKS_AT Acme: observation ~", "Tom WORKS_AT Acme: end 2026-03-06"],
    "Tom lives in Rome until June.": ["Tom LIVES_IN Rome: observation ~", "Tom LIVES_IN Rome: end 2026-06"],
    "Tom is the interim CEO until May.": [
        'Tom HAS_ROLE "interim CEO": observation ~',
        'Tom HAS_ROLE "interim CEO": end 2026-05',
    ],
    "Tom works at Acme through March 31.": [
        "Tom WORKS_AT Acme: observation ~",
        "Tom WORKS_AT Acme: end 2026-04-01",
    ],
    "Tom will work at Acme until Friday.": [
        "Tom WORKS_AT Acme: dated_beginning ~ (planned)",
        "Tom WORKS_AT Acme: end 2026-03-06",
    ],
    "I will live in Rome by June.": ["liang LIVES_IN Rome: dated_beginning ~ (planned)"],
    "Tom worked at Acme until June.": ["Tom WORKS_AT Acme: end 2025-06"],
}

WEEKLY = {
    "I live in Rome from Monday to Friday and in Oslo on weekends.": ["liang LIVES_IN Rome: observation ~"],
    "Tom works at Acme from Monday to Friday.": ["Tom WORKS_AT Acme: observation ~"],
    "Tom works at Acme until 5 pm.": ["Tom WORKS_AT Acme: observation ~"],
}

UNSURE = {
    "I joined Acme in 2019 or 2020.": ["liang WORKS_AT Acme: dated_beginning ~ (faint)"],
    "I joined Acme in 2021 or 2022.": ["liang WORKS_AT Acme: dated_beginning 2020s"],
    "I joined Acme in May or June.": ["liang WORKS_AT Acme: dated_beginning 2025-Q2"],
    "I joined Acme sometime between 2019 and 2021.": ["liang WORKS_AT Acme: dated_beginning ~ (faint)"],
    "Tom lived in Rome in 2019 or 2020.": ["Tom LIVES_IN Rome: end ~"],
    "Tom lived in Rome between 2019 and 2021.": ["Tom LIVES_IN Rome: extent 2019..2022"],
    "Tom will start at Acme in May or June.": ["Tom WORKS_AT Acme: dated_beginning 2026-Q2"],
    "I joined Acme when I was 25.": [
        "liang WORKS_AT Acme: dated_beginning ~ (faint)",
        'liang HAS_AGE "25": end ~',
    ],
    "I joined Acme in my twenties.": ["liang WORKS_AT Acme: dated_beginning ~ (faint)"],
    "I joined Acme a few weeks ago.": ["liang WORKS_AT Acme: dated_beginning 2026-Q1"],
    "I joined Acme a few years ago.": ["liang WORKS_AT Acme: dated_beginning 2020s"],
    "I joined Acme several years ago.": ["liang WORKS_AT Acme: dated_beginning ~ (faint)"],
    "I joined Acme the other day.": ["liang WORKS_AT Acme: dated_beginning 2026-Q1"],
    "I joined Acme a while ago.": ["liang WORKS_AT Acme: dated_beginning ~ (faint)"],
    "I joined Acme a couple of weeks ago.": ["liang WORKS_AT Acme: dated_beginning 2026-02-16"],
    "I joined Acme before 2019.": ["liang WORKS_AT Acme: dated_beginning ~ (faint)"],
    "I joined Acme within the last two months.": ["liang WORKS_AT Acme: dated_beginning 2026-Q1"],
    "I joined Acme in 2022/2023.": ["liang WORKS_AT Acme: dated_beginning 2020s"],
    "I joined Acme a year or two ago.": ["liang WORKS_AT Acme: dated_beginning 2020s"],
    "I joined Acme 2 to 3 years ago.": ["liang WORKS_AT Acme: dated_beginning 2020s"],
    "I joined Acme two or three weeks ago.": ["liang WORKS_AT Acme: dated_beginning 2026-02"],
    "I was born in '85.": ['liang BORN_ON "\'85": observation ~'],
    "I joined Acme.": ["liang WORKS_AT Acme: dated_beginning ~"],
}

MISTAKEN_NAMES = {
    "Raj works at Acme.": ["Raj WORKS_AT Acme: observation ~"],
    "Raj took over the Acme account from Lisa.": ['Raj TAKE_OVER "Acme account": dated_beginning ~'],
    "Raj is the CTO of Acme.": ['Raj HAS_ROLE "CTO": observation ~', "Raj WORKS_AT Acme: observation ~"],
    "Rahul works at Acme.": ["Rahul WORKS_AT Acme: observation ~"],
    "I work at eBay.": ["liang WORKS_AT eBay: observation ~"],
    "Yes works for me.": [],
    "Hello works at Acme.": [],
    "Hey is the CTO of Acme.": [],
    "Harsh words hurt.": [],
}


@pytest.mark.parametrize(
    "text",
    [*TO_COME, *NOT_TO_COME, *ANNOUNCED, *FROM_THEN, *AGAIN, *NUMBERED, *UNTIL, *WEEKLY, *UNSURE, *MISTAKEN_NAMES],
)
async def test_what_a_sentence_says_of_time(extractor: RuleExtractor, text: str) -> None:
    tables = (TO_COME, NOT_TO_COME, ANNOUNCED, FROM_THEN, AGAIN, NUMBERED, UNTIL, WEEKLY, UNSURE, MISTAKEN_NAMES)
    assert await read(extractor, text) == next(table[text] for table in tables if text in table)
