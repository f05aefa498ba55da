"""Cutting text into sentences worth reading."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitherto.extraction.sentences import LONGEST, language_of, pieces


def cut(text: str) -> list[str]:
    return [p.text for p in pieces(text, 0, len(text))]


def test_sentences_of_both_languages() -> None:
    text = "Dr. Smith left. He joined Acme! 我住北京。我喜欢茶；真的"
    assert cut(text) == ["Dr. Smith left.", "He joined Acme!", "我住北京。", "我喜欢茶；", "真的"]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("I left.\n> You left.\nBye then.", ["I left.", "Bye then."]),
        ("I left.\nOn Mon, 2 Mar 2026, Bob wrote:\nYou left.", ["I left."]),
        ("See ```x = 1``` here", ["See", "here"]),
        ("I <b>left</b> it", ["I    left     it"]),
        ("See https://a.example/left?x=1 now", ["See                            now"]),
        ("... !!! 🙂 123", []),
        ("a" * (LONGEST + 1), []),
    ],
)
def test_what_nobody_said_is_left_out(text: str, left: list[str]) -> None:
    assert cut(text) == left


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Alice 离开 TechCorp，加入 Anthropic 做 research engineer", "zh"),
        ("I live in 北京 with my wife", "en"),
        ("我用 Redis", "zh"),
        ("🙂 42", None),
    ],
)
def test_language(text: str, language: str | None) -> None:
    assert language_of(text) == language


def test_questions() -> None:
    assert [p.is_question for p in pieces("Left? Left. 走了？“走了？”", 0, 22)] == [True, False, True, True]


@given(st.text(max_size=60), st.text(max_size=200), st.text(max_size=20))
def test_offsets_are_those_of_the_episode(before: str, text: str, after: str) -> None:
    whole = before + text + after
    end = len(before)
    for piece in pieces(whole, len(before), len(before) + len(text)):
        assert piece.start >= end
        end = piece.start + len(piece.text)
        assert end <= len(before) + len(text)
        said = whole[piece.start : end]
        assert all(a in (b, " ") for a, b in zip(piece.text, said, strict=True))
