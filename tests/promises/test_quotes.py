"""Every stored claim has its words: the episode's text at its offsets, whatever the script."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from hitherto import Memory
from tests.support import rules

SAID = {
    "english": "Hi 👋🏽! I live in Oslo 🇳🇴 now. I have three cats 🐈. My sister works at Acme.",
    "chinese": "大家好😀！我住在北京，在腾讯工作。我养了两只猫🐱。我在装修新房子。",
    "traditional": "您好👨‍👩‍👧！我住在臺北，我對海鮮過敏。",
    "mixed": "早安 ☀️ I moved to 上海 in 2020. 我喜欢 jazz 🎷，I work at 字节跳动!  我叫Ａｌｅｘ。",
    "combining": "Cafe\u0301 ☕️: I live in Zu\u0308rich. \u200bI joined Acme\u200b.\r\n\tMy weight is 70 kg.",
}


@pytest.mark.parametrize("kind", ["memory", pytest.param("neo4j", marks=pytest.mark.neo4j)])
@pytest.mark.parametrize("script", SAID)
async def test_a_claims_quote_is_the_text_at_its_offsets(
    fresh: Callable[..., Awaitable[Memory]], script: str
) -> None:
    memory = await fresh(extractor=rules())
    report = await memory.add(SAID[script], actor="liang", occurred_at="2026-03-02")
    claims = [c for b in (await memory.facts(during="ever")).items for c in b.evidence]
    [episode] = (await memory.episodes()).items
    assert episode.id == report.episode_id and episode.text == SAID[script]
    assert len(claims) >= 2
    for claim in claims:
        assert episode.text[claim.quote_start : claim.quote_end] == claim.quote != ""
