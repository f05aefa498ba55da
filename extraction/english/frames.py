"""Who does what to whom in a parsed English sentence, whatever the verb: the frames of open relations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..tokens import Token
from .clauses import Sentence, subject_of

_AUXILIARIES = ("aux", "auxpass", "neg")


@dataclass(frozen=True, slots=True)
class Argument:
    """What a verb is followed by. ``path`` are the particles and prepositions that lead to its ``head``."""

    path: tuple[Token, ...]
    head: Token


@dataclass(frozen=True, slots=True)
class Frame:
    """A verb, its subject and its arguments in the order of the sentence. ``words`` is the verb with its
    auxiliaries, negation and particles, and the verbs that govern it ("wants to leave")."""

    verb: Token
    subject: Token
    words: tuple[Token, ...]
    arguments: tuple[Argument, ...]


def frames(sentence: Sentence) -> Iterator[Frame]:
    """The frames of all verbs that have a subject, in the order of the verbs."""
    for verb in sentence.tokens:
        if verb.pos not in ("VERB", "AUX") or verb.dep in ("aux", "auxpass"):
            continue
        top = _top(sentence, verb)
        subject = subject_of(sentence, verb, top)
        if subject is not None and subject.index != verb.index:
            yield Frame(verb, subject, tuple(_words(sentence, verb, top)), tuple(arguments(sentence, verb)))


def arguments(sentence: Sentence, verb: Token) -> Iterator[Argument]:
    """What follows a verb: objects, complements, and what its prepositions lead to."""
    particles = tuple(t for t in sentence.children(verb, "prt") if t.index > verb.index)
    for child in sentence.children(verb):
        before = tuple(p for p in particles if p.index < child.index)
        if child.dep in ("dobj", "attr", "acomp", "oprd", "dative") and child.pos != "ADP":
            yield Argument(before, child)
        elif child.dep in ("prep", "agent", "dative"):
            for path, head in _behind(sentence, child):
                yield Argument((*before, *path), head)


def _behind(sentence: Sentence, prep: Token) -> Iterator[tuple[tuple[Token, ...], Token]]:
    for child in sentence.children(prep):
        if child.dep in ("pobj", "pcomp"):
            yield (prep,), child
            return
        elif child.dep == "prep":
            for path, head in _behind(sentence, child):
                yield (prep, *path), head


def _top(sentence: Sentence, verb: Token) -> Token:
    current = verb
    while (
        current.dep == "xcomp" and (above := sentence.head(current)) is not None and above.pos in ("VERB", "AUX")
    ):
        current = above
    return current


def _words(sentence: Sentence, verb: Token, top: Token) -> list[Token]:
    found: list[Token] = []
    current = verb
    while True:
        found += [current, *sentence.children(current, *_AUXILIARIES)]
        above = sentence.head(current)
        if current.index == top.index or above is None:
            break
        current = above
    found += sentence.children(verb, "prt")
    return sorted(found, key=lambda t: t.index)
