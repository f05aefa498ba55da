"""What people ask to be kept to."""

from __future__ import annotations

import pytest

from hitherto.extraction.rules import RuleExtractor
from tests.extraction.reading import read

LIMIT, REPLY = "liang HAS_BUDGET", "liang WANTS_REPLIES_IN"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("My budget is at most 5000 dollars.", f'{LIMIT} "at most 5000 dollars": observation ~'),
        ("The budget is capped at $1,200 now.", f'{LIMIT} "at most $1,200": observation ~'),
        ("预算不超过5000元。", f'{LIMIT} "at most 5000元": observation ~'),
        ("我的预算是3000元以内", f'{LIMIT} "at most 3000元": observation ~'),
        ("Please reply in Chinese.", f'{REPLY} "Chinese": observation ~'),
        ("Thanks, and always answer me in French.", f'{REPLY} "French": observation ~'),
        ("请用中文回复我。", f'{REPLY} "中文": observation ~'),
    ],
)
async def test_constraints(extractor: RuleExtractor, text: str, line: str) -> None:
    assert await read(extractor, text) == [line]


@pytest.mark.parametrize(
    "text",
    [
        "Can you reply in Chinese?",
        "Don't reply in Chinese.",
        "She asked me to reply in French.",
        "Please reply in detail.",
        "Please reply in Chinese if he asks.",
        "别用中文回复。",
        "Is the budget at most 5000 dollars?",
    ],
)
async def test_no_constraints(extractor: RuleExtractor, text: str) -> None:
    assert await read(extractor, text) == []
