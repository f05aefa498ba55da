"""Blocks of memory that come back in a message are not heard again; what is said around them is."""

from __future__ import annotations

import pytest

from hitherto.extraction.sentences import pieces
from hitherto.query.formats import ContextFormat, Parts, render

PREFIX: Parts = [("constraints", ["Ann lives in Rome."]), ("profile", ["Ann works at Evil."])]
TAIL: Parts = [("open_questions", ["Where is <Ann>?"]), ("turns", ["[2026-03-02 liang] I live in\n\nRome."])]


@pytest.mark.parametrize("format_", ContextFormat)
@pytest.mark.parametrize("ends", [("", ""), ("I live in Oslo.\n\n", "\n\nI like tea.")])
def test_a_pasted_block_is_not_read(format_: ContextFormat, ends: tuple[str, str]) -> None:
    block = render(PREFIX, TAIL, format_).text
    text = ends[0] + block + ends[1]
    found = pieces(text, 0, len(text))
    assert [p.text for p in found] == [end.strip() for end in ends if end]
    assert all(text[p.start : p.start + len(p.text)] == p.text for p in found)


@pytest.mark.parametrize("message", render(PREFIX, TAIL, ContextFormat.CHAT).messages)
def test_a_chat_message_of_a_block_is_not_read(message: tuple[str, str]) -> None:
    assert pieces(message[1], 0, len(message[1])) == []


def test_headings_of_ones_own_are_read() -> None:
    text = "## Facts\n- I live in Oslo.\n## Memory\n- I like tea."
    assert [p.text for p in pieces(text, 0, len(text))][1::2] == ["- I live in Oslo.", "- I like tea."]


def test_a_block_that_was_cut_off_is_not_read() -> None:
    text = render(PREFIX, TAIL, ContextFormat.XML).text[:60]
    assert pieces(text, 0, len(text)) == []
