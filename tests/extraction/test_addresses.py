"""Addresses and numbers as they are written, titles before names, and whom "she" means beside a relation."""

from __future__ import annotations

import pytest

from hitherto.extraction.rules import RuleExtractor
from tests.extraction.reading import read

GIVEN = {
    "My address is 12 Elm Street, Leeds.": ['liang HAS_ADDRESS "12 Elm Street, Leeds": observation ~'],
    "My new address is 12 Elm Street, Leeds LS1 4AB.": [
        'liang HAS_ADDRESS "12 Elm Street, Leeds LS1 4AB": observation ~'
    ],
    "I live at 12 Elm Street in Leeds.": ['liang HAS_ADDRESS "12 Elm Street in Leeds": observation ~'],
    "Tom's address is 5 Oak Road, Leeds.": ['Tom HAS_ADDRESS "5 Oak Road, Leeds": observation ~'],
    "我的收货地址是上海市浦东新区世纪大道100号。": [
        'liang HAS_ADDRESS "上海市浦东新区世纪大道100号": observation ~'
    ],
    "收货地址改成杭州市西湖区文三路20号。": ['liang HAS_ADDRESS "杭州市西湖区文三路20号": observation ~'],
    "My number changed from 030 1234567 to 030 7654321.": ['liang HAS_PHONE "030 7654321": observation ~'],
    "Main contact at Acme is Dana Fox (dana.fox@acme.com, +1 415 555 0101).": [
        'Dana Fox HAS_EMAIL "dana.fox@acme.com": observation ~',
        'Dana Fox HAS_PHONE "+1 415 555 0101": observation ~',
    ],
    "收货地址是在杭州市西湖区文三路20号。": ['liang HAS_ADDRESS "杭州市西湖区文三路20号": observation ~'],
    "它的地址是北京市东城区前门大街18号。": [],
    "这家餐馆的地址是北京市西城区月坛北街3号楼。": [],
    "My IP address is 10.0.0.1.": [],
    "We moved to 24/7 support.": [],
    "I moved to 3 new offices last year.": ['liang MOVE_TO "3 new offices": dated_beginning 2025'],
    "My old address is 12 Elm Street, Leeds.": [],
    "My address is no longer 12 Elm Street, Leeds.": [],
    "If my address is 12 Elm Street, Leeds, tell me.": [],
}

NAMED = {
    "CEO Tom Hill left Acme.": ["Tom Hill WORKS_AT Acme: end ~"],
    "Ex-CEO Tom Hill lives in Rome.": ["Tom Hill LIVES_IN Rome: observation ~"],
    "Acme's new CFO is Tom Hill.": [
        'Tom Hill HAS_ROLE "CFO": observation ~',
        "Tom Hill WORKS_AT Acme: observation ~",
    ],
    "Tom works at Acme. His wife works at Globex. He lives in Rome.": [
        "Tom LIVES_IN Rome: observation ~",
        "Tom WORKS_AT Acme: observation ~",
        "Tom's wife WORKS_AT Globex: observation ~",
    ],
    "Tom's boss is Eve. She lives in Oslo.": [
        "Eve LIVES_IN Oslo: observation ~",
        "Tom REPORTS_TO Eve: observation ~",
    ],
}

ALL = GIVEN | NAMED


@pytest.mark.parametrize("text", ALL)
async def test_given(extractor: RuleExtractor, text: str) -> None:
    assert sorted(await read(extractor, text)) == sorted(ALL[text])
