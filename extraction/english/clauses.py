"""From a parsed English sentence to its clauses: who does what, in which tense, how surely."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ...kg.model import Modality
from ..lexicon import Lexicon
from ..sayings import Polarity, Tense
from ..tokens import Token

SUBJECTS = ("nsubj", "nsubjpass")
_GIVES_NOTHING = frozenset({"would", "should", "could", "ca", "can", "must", "ought", "'d"})
_HEDGES = frozenset({"may", "might"})
_NESTED = frozenset({"advcl", "ccomp", "relcl", "acl", "csubj", "parataxis", "pcomp", "xcomp", "conj"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """A verb with its subject (None: left out, it is the speaker) and what was found out about it.

    ``verb`` carries the meaning, ``top`` is the verb whose tense and negation count ("**used** to *work*",
    "**plans** to *join*")."""

    verb: Token
    top: Token
    subject: Token | None
    passive: bool
    tense: Tense
    polarity: Polarity
    modality: Modality
    phase: str | None
    """``begin`` or ``end``: "started working", "stopped working"."""
    background: bool = False


class Sentence:
    """A parsed sentence with its tree turned round. Tokens are in order, indices are positions."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        self._children: list[list[Token]] = [[] for _ in tokens]
        for token in tokens:
            if token.head != token.index:
                self._children[token.head].append(token)

    def children(self, token: Token, *deps: str) -> list[Token]:
        found = self._children[token.index]
        return [t for t in found if t.dep in deps] if deps else found

    def child(self, token: Token, *deps: str) -> Token | None:
        return next(iter(self.children(token, *deps)), None)

    def head(self, token: Token) -> Token | None:
        return None if token.head == token.index else self.tokens[token.head]

    def subtree(self, token: Token, *, stop: frozenset[str] = frozenset()) -> list[Token]:
        """The token and all below it, in order; branches whose relation is in ``stop`` are left out."""
        found, todo = [], [token]
        while todo:
            current = todo.pop()
            found.append(current)
            todo.extend(c for c in self._children[current.index] if c.dep not in stop)
        return sorted(found, key=lambda t: t.index)

    def own(self, verb: Token) -> list[Token]:
        """The tokens of a verb's own clause, without nested ones."""
        return self.subtree(verb, stop=_NESTED)


def clauses(sentence: Sentence, lexicon: Lexicon) -> Iterator[Clause]:
    """Every clause that states something, in the order of the verbs; questions, commands, conditions and
    whatever stands under "would" give none."""
    for token in sentence.tokens:
        if (token.pos in ("VERB", "AUX") and token.dep not in ("aux", "auxpass")) or _mistaken(sentence, token):
            found = _clause(sentence, token, lexicon)
            if found is not None:
                yield found


def _mistaken(sentence: Sentence, token: Token) -> bool:
    """ "I live in Berlin, **work** as a cook and ...", "Tom and Jane **work** at ...": the tagger likes to take
    such a verb for a noun."""
    if (
        token.tag != "NN"
        or sentence.children(token, "det", "poss", "amod")
        or not sentence.children(token, "prep")
    ):
        return False
    head = sentence.head(token)
    if head is None:
        return bool(sentence.children(token, *SUBJECTS))
    return token.dep == "conj" and head.tag == "VBP"


@dataclass(frozen=True, slots=True)
class _Governed:
    """What the verbs above make of a verb: "used to *work*", "plans to *join*", "stopped *working*"."""

    top: Token
    phase: str | None = None
    polarity: Polarity = Polarity.POSITIVE
    modality: Modality = Modality.ASSERTED
    tense: Tense | None = None


def _clause(sentence: Sentence, verb: Token, lexicon: Lexicon) -> Clause | None:
    governed = _governed(sentence, verb, lexicon)
    if governed is None:
        return None
    top, modality = governed.top, governed.modality
    auxiliaries = sentence.children(top, "aux", "auxpass")
    words = {t.lower for t in auxiliaries if t.tag == "MD"}
    tense = (
        governed.tense or _tense(top, auxiliaries) or (Tense.PRESENT if _joins_present(sentence, top) else None)
    )
    polarity = _polarity(sentence, top, verb, governed.polarity)
    framed = _framed(sentence, top, lexicon)
    if words & _GIVES_NOTHING or tense is None or polarity is None or framed is None:
        return None
    subject = subject_of(sentence, verb, top)
    if subject is None and not _elided(sentence, top):
        return None
    if any(t.lower == "neither" for t in sentence.tokens[: verb.index]):
        return None
    if words & _HEDGES and modality is Modality.ASSERTED:
        modality = Modality.HEDGED
    return Clause(
        verb=verb,
        top=top,
        subject=subject,
        passive=any(t.dep == "auxpass" for t in sentence.children(verb)),
        tense=tense,
        polarity=polarity,
        modality=modality if framed is Modality.ASSERTED else framed,
        background=any(m.lower in lexicon.background for m in sentence.children(top, "mark", "advmod")),
        phase=governed.phase,
    )


def _governed(sentence: Sentence, verb: Token, lexicon: Lexicon) -> _Governed | None:
    found = _Governed(verb)
    while found.top.dep == "xcomp" or (found.top.dep == "conj" and _bare(sentence, found.top)):
        above = sentence.head(found.top)
        if above is None:
            return None
        if found.top.dep == "conj":
            found = replace(found, top=above)
            continue
        match lexicon.governors.get(above.lemma):
            case None:
                return None
            case "past" if not _is_past(sentence, above):
                return None
            case _ if above.lemma == "use":
                found = replace(found, top=above, polarity=Polarity.NO_LONGER)
            case "begin" | "end" as phase:
                found = replace(found, top=above, phase=phase)
            case "hoped" | "planned" as how:
                dropped = above.lemma in _DROPPED and _is_past(sentence, above)
                modality = Modality.HOPED if dropped else Modality(how)
                found = replace(found, top=above, modality=modality, tense=Tense.FUTURE)
            case "future" if _is_past(sentence, above):
                found = replace(found, top=above, modality=Modality.HOPED, tense=Tense.FUTURE)
            case "future":
                found = replace(found, top=above, tense=Tense.FUTURE)
            case _:
                found = replace(found, top=above)
    if any(_takes_back(sentence, other) for t in (verb, found.top) for other in sentence.children(t, "conj")):
        return replace(found, modality=Modality.HOPED, tense=Tense.FUTURE)
    return found


_TAKES_BACK = frozenset({("change", "mind"), ("back", "out"), ("turn", "down")})


def _takes_back(sentence: Sentence, verb: Token) -> bool:
    """ "decided to join but **changed his mind**"."""
    thing = sentence.child(verb, "dobj", "prt")
    aside = thing is not None and (verb.lemma, thing.lower) in _TAKES_BACK
    return aside or verb.lemma in ("decline", "refuse")


_BELIEVED = frozenset({"think", "believe", "assume", "suppose", "figure"})
"""What one "thought" one does not think any longer."""
_DROPPED = frozenset({"plan", "intend"})
"""What one planned to do is not known to have been done."""


def _is_past(sentence: Sentence, verb: Token) -> bool:
    return verb.tag == "VBD" or any(t.tag == "VBD" for t in sentence.children(verb, "aux"))


def _joins_present(sentence: Sentence, top: Token) -> bool:
    """ "I live here and **work** there", "I no longer **use** it": the tagger sees no tense."""
    adverbs = {t.lower for t in sentence.children(top, "advmod")}
    if top.tag == "VB" and "longer" in adverbs and sentence.child(top, "nsubj") is not None:
        return not sentence.children(top, "aux")
    head = sentence.head(top)
    if head is None or top.dep != "conj" or top.tag != "VB":
        return False
    return head.tag in ("VBP", "VBZ") or _mistaken(sentence, head)


def _elided(sentence: Sentence, top: Token) -> bool:
    """ "Just joined Figma!": a past tense that begins the sentence is about who says it."""
    aside = ("advmod", "intj", "punct", "npadvmod")
    before = [t for t in sentence.tokens[: top.index] if t.dep not in aside or t.pos == "PROPN"]
    return top.dep == "ROOT" and top.tag == "VBD" and not before


def _bare(sentence: Sentence, verb: Token) -> bool:
    """A conjunct that shares what governs the verb before it: "wants to leave X and **join** Y"."""
    head = sentence.head(verb)
    return (
        head is not None
        and verb.tag == "VB"
        and not sentence.children(verb, "aux", "auxpass", *SUBJECTS)
        and head.pos in ("VERB", "AUX")
    )


def _tense(top: Token, auxiliaries: Sequence[Token]) -> Tense | None:
    lemmas = [t.lemma for t in auxiliaries]
    texts = [t.lower for t in auxiliaries]
    if any(t in ("will", "'ll", "shall", "wo", "gon") for t in texts):
        return Tense.FUTURE
    if "have" in lemmas:
        return (
            None
            if any(t in ("had", "'d") and a.tag == "VBD" for t, a in zip(texts, auxiliaries, strict=True))
            else (Tense.PRESENT if top.tag == "VBG" else Tense.PERFECT)
        )
    finite = next((a for a in auxiliaries if a.tag in ("VBD", "VBZ", "VBP")), None)
    past = finite is not None and finite.tag == "VBD"
    match top.tag:
        case "VBD":
            return Tense.PAST
        case "VBZ" | "VBP" | "NN":
            return Tense.PRESENT
        case "VBG" if finite is not None:
            return Tense.PAST if past else Tense.PROGRESSIVE
        case "VBN" if finite is not None:
            return Tense.PAST if past else Tense.PRESENT
        case "VBN":
            return None
        case "VB" if finite is not None:
            return Tense.PAST if past else Tense.PRESENT
        case "VB" if any(t in ("may", "might") for t in texts):
            return Tense.PRESENT
    return None


def contrasts(sentence: Sentence, token: Token) -> bool:
    """Whether a "not" speaks of what follows it, and not of the clause: "lives in York, **not** in Leeds"."""
    before = sentence.tokens[token.index - 1].lower if token.index else ""
    return token.lower == "not" and before in (",", "and", "but", "-", "–", "—", "(")


def _polarity(sentence: Sentence, top: Token, verb: Token, polarity: Polarity) -> Polarity | None:
    words: list[str] = []
    for token in dict.fromkeys((top, verb)):
        for child in sentence.children(token, "neg", "advmod", "det"):
            if contrasts(sentence, child):
                continue
            words.append(child.lower)
            words.extend(c.lower for c in sentence.children(child, "neg", "advmod"))
    for attribute in sentence.children(verb, "attr", "acomp", "prep"):
        words.extend(
            c.lower
            for c in sentence.children(attribute, "neg", "det", "advmod")
            if c.lower in ("no", "not", "longer") and not contrasts(sentence, c)
        )
    denied = sum(w in ("not", "n't", "never", "hardly", "barely", "rarely", "seldom") for w in words)
    if "longer" in words or (denied and {"anymore", "more"} & set(words)):
        return Polarity.NO_LONGER
    if (
        denied > 1
        or (denied and polarity is Polarity.NO_LONGER)
        or {"hardly", "barely", "rarely", "seldom"} & set(words)
    ):
        return None
    if "never" in words:
        return Polarity.NEVER
    if denied or "no" in words:
        return Polarity.NEGATIVE
    return polarity


def _framed(sentence: Sentence, top: Token, lexicon: Lexicon) -> Modality | None:
    """What the clauses above make of this one; None for a condition, an order or an unknown frame."""
    modality = Modality.ASSERTED
    adverbs = {t.lower for t in sentence.children(top, "advmod")}
    if adverbs & lexicon.hedging_adverbs:
        modality = Modality.HEDGED
    for mark in sentence.children(top, "mark", "advmod"):
        if mark.lower in lexicon.conditions and not (mark.lower in ("when", "until") and top.tag == "VBD"):
            return None
    for clause in sentence.children(top, "advcl"):
        if any(m.lower in ("if", "unless", "supposing") for m in sentence.children(clause, "mark")):
            return None
    above = sentence.head(top)
    content = any(t.lower == "that" for t in sentence.children(top))
    if above is None or (top.dep in ("relcl", "acl") and not (content and above.lemma in lexicon.frames)):
        return modality if above is None else _framed_by(sentence, above, modality, lexicon)
    if top.dep in ("ccomp", "acl", "relcl") and above.pos in ("VERB", "AUX", "ADJ", "NOUN"):
        frame = _frame(sentence, top, above, lexicon)
        if frame is None:
            return None
        return frame if modality is Modality.ASSERTED else modality
    if top.dep in ("advcl", "conj", "parataxis", "ROOT", "appos", "dep"):
        return _framed_by(sentence, above, modality, lexicon)
    return None


def _framed_by(sentence: Sentence, above: Token, modality: Modality, lexicon: Lexicon) -> Modality | None:
    """Conditions and reports reach down into what is joined to them."""
    current: Token | None = above
    while current is not None:
        if any(m.lower in lexicon.conditions for m in sentence.children(current, "mark", "advmod")):
            return None
        up = sentence.head(current)
        if current.dep == "ccomp" and up is not None:
            frame = _frame(sentence, current, up, lexicon)
            if frame is None:
                return None
            if frame is not Modality.ASSERTED and modality is Modality.ASSERTED:
                modality = frame
        current = up
    return modality


def _frame(sentence: Sentence, top: Token, above: Token, lexicon: Lexicon) -> Modality | None:
    """ "I think (that) X", "Bob says X", "X, Y" joined loosely."""
    marked = sentence.child(top, "mark") is not None
    word = sentence.child(above, "acomp", "attr") if above.lemma == "be" else above
    how = None if word is None else lexicon.frames.get(word.lemma)
    subject = sentence.child(above, *SUBJECTS)
    speaker = subject is not None and subject.lower == "i"
    if how == "said":
        expert = subject is not None and subject.lower in lexicon.experts
        how = "asserted" if speaker or expert else "reported"
    if speaker and above.lemma in _BELIEVED and _is_past(sentence, above):
        return None
    if how is not None and word is not above and sentence.child(above, "neg") is not None:
        return None
    if how is not None:
        if how != "asserted" and sentence.child(above, "neg") is not None:
            return None
        return None if how == "nothing" else Modality(how)
    if not marked and (top.index < above.index or above.pos in ("NOUN", "PROPN")):
        return Modality.ASSERTED
    return Modality.HEDGED


def subject_of(sentence: Sentence, verb: Token, top: Token) -> Token | None:
    for token in dict.fromkeys((verb, top, *sentence.children(verb, "auxpass"))):
        subjects = sentence.children(token, *SUBJECTS)
        if subjects:  # the first, unless "**not** Sam but Tom"
            denied = len(subjects) > 1 and sentence.child(subjects[0], "neg") is not None
            return _antecedent(sentence, token, subjects[-1 if denied else 0])
    current = top
    while current.dep == "conj":
        above = sentence.head(current)
        if above is None:
            return None
        found = sentence.child(above, *SUBJECTS)
        if found is not None:
            return _antecedent(sentence, above, found)
        if above.dep == "xcomp":
            return subject_of(sentence, above, sentence.head(above) or above)
        current = above
    if current.dep == "relcl":
        return sentence.head(current)
    return None


def _antecedent(sentence: Sentence, verb: Token, subject: Token) -> Token | None:
    """ "who" in a relative clause is the noun before it."""
    if subject.tag in ("WP", "WDT") or subject.lower in ("who", "that", "which"):
        return sentence.head(verb) if verb.dep == "relcl" else None
    return subject
