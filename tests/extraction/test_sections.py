"""What pronouns reach in a long text: not over a heading, and not from far away."""

from __future__ import annotations

import pytest

from hitherto.extraction.rules import RuleExtractor
from hitherto.extraction.sentences import pieces
from tests.extraction.reading import read

RAIN = "The rain on the coast goes on and on. "
JOINED = "Alice Smith WORKS_AT Globex: dated_beginning 2025-05"

REACHES = {
    "Alice Smith lives in Oslo. " + RAIN * 2 + "She joined Globex in May 2025.": True,
    "Alice Smith lives in Oslo. " + RAIN * 70 + "She joined Globex in May 2025.": False,
    "Alice Smith lives in Oslo.\n\n## Work\n\nShe joined Globex in May 2025.": False,
    "Alice Smith lives in Oslo.\n\nWork\n----\n\nShe joined Globex in May 2025.": False,
    "<p>Alice Smith lives in Oslo.</p><h2>Work</h2><p>She joined Globex in May 2025.</p>": False,
    "## Office\n\nAlice Smith lives in Oslo. She joined Globex in May 2025.": True,
}


@pytest.mark.parametrize("text", REACHES, ids=range(len(REACHES)))
async def test_what_she_reaches(extractor: RuleExtractor, text: str) -> None:
    found = await read(extractor, text)
    assert "Alice Smith LIVES_IN Oslo: observation ~" in found
    assert (JOINED in found) is REACHES[text]
    assert not any("Globex" in line for line in found if line != JOINED)


def test_lines_that_a_mail_program_wrapped_are_one_sentence() -> None:
    first, last = "The whole of the department knows by now that Alice Smith, who was here,", "moved to Oslo."
    text = f"{first}\n{last}\nI left.\n"
    assert [p.text for p in pieces(text, 0, len(text))] == [f"{first} {last}", "I left."]
    short = "bread and butter\nmilk\n"
    assert [p.text for p in pieces(short, 0, len(short))] == ["bread and butter", "milk"]
