"""Cutting texts into words."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitherto.kg.text import cut


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        ("... !? \ud83d \0", []),
        ("Alice's offices", ["alic", "offic"]),
        ("working, worked; works", ["work", "work", "work"]),
        ("She works at the office", ["she", "work", "offic"]),
        ("the who", ["who"]),
        ("to be or", ["to", "be", "or"]),
        ("冷咖啡", ["冷", "咖", "啡", "冷咖", "咖啡"]),
        ("住在NYC吗", ["住", "在", "住在", "nyc", "吗"]),
        ("コーヒー", ["コ", "ー", "ヒ", "ー", "コー", "ーヒ", "ヒー"]),
        ("CN-A10293", ["cn-a10293", "cn", "a10293", "10293"]),
        ("ＣＮ－Ａ１０２９３", ["cn-a10293", "cn", "a10293", "10293"]),
        ("1,500.50", ["1500.50", "1500", "50"]),
        ("1,2", ["1", "2"]),
        ("2026-03-02", ["2026-03-02", "2026", "03", "02"]),
        ("liang@example.com", ["liang@example.com", "liang", "exampl", "com"]),
        ("C++ C#", ["c++", "c", "c#", "c"]),
        ("José Straße ﬁn", ["jose", "strass", "fin"]),
        ("हिन्दी", ["हिन्दी"]),
        ("don't don’t", ["don't", "don't"]),
    ],
)
def test_cut(text: str, words: list[str]) -> None:
    assert cut(text) == words


@given(st.text())
def test_words_are_single_tokens(text: str) -> None:
    """The index joins words with spaces, so none may hold white space, controls or a double quote."""
    for word in cut(text):
        assert word
        assert len(word) <= 64
        assert not re.search(r'[\s"\x00-\x1f]', word)


@given(st.text(max_size=30))
def test_case_and_width_do_not_matter(text: str) -> None:
    assert cut(text.upper().lower()) == cut(text.upper())


def test_threads_do_not_disturb_each_other() -> None:
    stems = ("walk", "talk", "jump")
    words = [f"{stem}{ending}" for stem in stems for ending in ("", "ing", "ed", "s")] * 50
    alone = [cut(word) for word in words]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(cut, words)) == alone
