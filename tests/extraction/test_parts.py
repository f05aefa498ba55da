"""Changes that are dated by a part of a month or a year."""

from __future__ import annotations

import pytest

from hitherto.extraction.rules import RuleExtractor
from tests.extraction.reading import read

FACTS = {
    "Alice joined TechCorp at the end of June 2025.": ["Alice WORKS_AT TechCorp: dated_beginning late 2025-06"],
    "Alice left TechCorp at the end of June 2025.": ["Alice WORKS_AT TechCorp: end 2025-07"],
    "Alice left TechCorp in late June 2025.": ["Alice WORKS_AT TechCorp: end late 2025-06"],
    "Alice has worked at TechCorp since the beginning of 2024.": ["Alice WORKS_AT TechCorp: since early 2024"],
    "Alice moved to Berlin in mid-June.": ["Alice LIVES_IN Berlin: dated_beginning mid 2025-06"],
    "Alice moved to Berlin in the middle of March 2024.": ["Alice LIVES_IN Berlin: dated_beginning mid 2024-03"],
    "Alice joined TechCorp in early 2023.": ["Alice WORKS_AT TechCorp: dated_beginning early 2023"],
    "Alice will leave TechCorp at the end of the year.": ["Alice WORKS_AT TechCorp: end 2027"],
    "王芳去年年底离开了腾讯。": ["王芳 WORKS_AT 腾讯: end 2026"],
    "王芳今年年初加入了腾讯。": ["王芳 WORKS_AT 腾讯: dated_beginning early 2026"],
    "王芳去年六月底搬到了上海。": ["王芳 LIVES_IN 上海: dated_beginning late 2025-06"],
}


@pytest.mark.parametrize("text", FACTS)
async def test_parts_of_months_and_years(extractor: RuleExtractor, text: str) -> None:
    assert await read(extractor, text) == FACTS[text]
