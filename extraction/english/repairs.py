"""Where the English parser regularly joins words wrongly, joined as they must be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ..lexicon import lexicon
from ..tokens import Token

_FINITE = frozenset({"VBZ", "VBD", "VBP"})
_PAST = frozenset({"VBD", "VBN"})
_SUBJECTS = frozenset({"nsubj", "nsubjpass", "expl", "csubj"})
_TIMES = frozenset({"DATE", "TIME"})
_FROM_THEN = frozenset({"effective", "starting", "beginning"})
_APOSTROPHES = frozenset("'’‘")
_NO_NAMES = frozenset({"NOUN", "ADJ", "X"})
_THINGS = _SUBJECTS | {"dobj", "pobj", "attr", "conj", "appos", "poss", "dative", "npadvmod"}
_ONE = frozenset({"he", "she", "it"})
_UNCHANGED = frozenset({"cut", "hit", "hurt", "let", "put", "quit", "read", "set", "shut"})
"""Verbs whose past looks like their present."""
_NOW = frozenset({"now", "currently", "today"})
_APPOINTING = frozenset({"appoint", "elect", "make", "name"})
_STEPS = frozenset({"upgrade", "downgrade", "switch", "move"})
_OWN = _SUBJECTS | {"aux", "auxpass", "mark"}


def _of_posts(tokens: list[Token], token: Token) -> None:
    if token.tag == "NNS" and token.dep == "ROOT" and token.lemma in _STEPS:
        _to_the_step(tokens, token)
    elif token.lower == "go" and token.dep == "xcomp":
        _let_go(tokens, token)
    elif token.dep == "dobj" and token.text.isupper():
        _to_the_office(tokens, token)


def _to_the_verb(tokens: list[Token], to: Token) -> None:
    """ "upgraded from Pro **to** Enterprise": of the verb, not of Pro."""
    start = tokens[to.head]
    above = tokens[start.head]
    if start.dep == "pobj" and above.lower == "from" and above.dep == "prep":
        tokens[to.index] = replace(to, head=above.head)


def _as_name(token: Token) -> Token:
    """ "**Rahul** works", "met **Neha**": a noun or an adjective for the tagger, but never one in English."""
    mistaken = token.pos in _NO_NAMES and token.dep in _THINGS and token.text.istitle()
    if not mistaken or token.lower not in lexicon().only_names:
        return token
    return replace(token, pos="PROPN", tag="NNP", lemma=token.text)


def _named(tokens: list[Token], word: Token) -> None:
    """ "**Raj** works at Acme": an exclamation would have a comma behind it, or a subject."""
    verb = tokens[1] if len(tokens) > 1 else word
    called = word.lower in lexicon().given_names or word.lower not in lexicon().exclaimed
    if not (called and word.text.istitle() and word.text.isalpha() and verb.tag in ("VBZ", "VBD")):
        return
    if verb.head != verb.index and verb.dep in ("aux", "auxpass"):
        verb = tokens[verb.head]
    others = [t for t in tokens if t.head == verb.index and t.dep in _SUBJECTS and t is not word]
    if verb.lemma == "be" and len(others) == 1 and others[0].index > verb.index:
        behind = others.pop()
        tokens[behind.index] = replace(behind, dep="attr")
    if not others:
        passive = any(t.head == verb.index and t.dep == "auxpass" for t in tokens)
        dep = "nsubjpass" if passive else "nsubj"
        tokens[0] = replace(word, pos="PROPN", tag="NNP", lemma=word.text, dep=dep, head=verb.index)


def _to_the_year(tokens: list[Token], sign: Token) -> None:
    """ "in **'85**" is one word."""
    year = tokens[min(sign.index + 1, len(tokens) - 1)]
    if year.start == sign.end and year.text.isdigit() and year.head == sign.head and year.dep == sign.dep:
        tokens[sign.index] = replace(sign, head=year.index, dep="punct")


def _to_the_change(tokens: list[Token], effective: Token) -> None:
    """ "has been promoted **effective March 15**", "**starting in May** I live in Rome": of the verb, and no
    clause of its own."""
    above, behind = tokens[effective.head], tokens[effective.index + 1 : effective.index + 3]
    if above.dep == "dobj" and above.index < effective.index:
        above = tokens[above.head]
    dated = any(t.entity == "DATE" for t in behind)
    if dated and above.pos in ("VERB", "AUX") and above.index != effective.index:
        tokens[effective.index] = replace(effective, dep="advmod", head=above.index)


def _let_go(tokens: list[Token], go: Token) -> None:
    """ "was **let go** by Siemens" is one verb."""
    let = tokens[go.head]
    if let.lower == "let" and any(t.head == let.index and t.dep == "auxpass" for t in tokens):
        tokens[go.index] = replace(go, dep="prt", tag="RP", pos="ADP")
        for below in [t for t in tokens if t.head == go.index and t.index != go.index]:
            tokens[below.index] = replace(below, head=let.index)


def _to_the_step(tokens: list[Token], step: Token) -> None:
    """ "Acme **upgrades** to Enterprise": where there is no verb, and a firm before it."""
    firm = tokens[step.index - 1] if step.index else step
    onward = any(t.head == step.index and t.lower == "to" for t in tokens)
    if firm.head == step.index and firm.entity == "ORG" and onward and all(t.pos != "VERB" for t in tokens):
        tokens[firm.index] = replace(firm, dep="nsubj", pos="PROPN", tag="NNP")
        tokens[step.index] = replace(step, tag="VBZ", pos="VERB")


def _to_the_office(tokens: list[Token], office: Token) -> None:
    """ "appointed Nina Park **CFO**": who is appointed is not called so."""
    verb, names = tokens[office.head], [t for t in tokens if t.head == office.index and t.dep == "compound"]
    if verb.lemma in _APPOINTING and names and all(t.entity == "PERSON" for t in names):
        last = names[-1]
        tokens[last.index] = replace(last, dep="dobj", head=verb.index)
        tokens[office.index] = replace(office, dep="oprd")
        for first in names[:-1]:
            tokens[first.index] = replace(first, head=last.index)


def _to_the_name(tokens: list[Token], noun: Token) -> None:
    """ "joined Acme in 2020 and **Globex** in 2022": joined to the object before, not to the verb or date."""
    above, described = tokens[noun.head], {t.dep for t in tokens if t.head == noun.index} & {"det", "amod", "poss"}
    if noun.entity in _TIMES or (noun.pos != "PROPN" and not described):
        return
    if above.entity in _TIMES and above.dep == "pobj":
        above = tokens[tokens[above.head].head]
    elif above.pos != "VERB":
        return
    objects = {t.index for t in tokens if t.head == above.index and t.dep == "prep"} | {above.index}
    before = [
        t
        for t in tokens[above.index : noun.index]
        if t.pos == noun.pos and t.head in objects and t.dep in ("dobj", "pobj") and t.entity not in _TIMES
    ]
    if before:
        tokens[noun.index] = replace(noun, head=before[-1].index)


def _in_the_past(tokens: list[Token], verb: Token) -> None:
    """ "she **quit**": a present would be "quits"."""
    subject = next((t for t in tokens if t.head == verb.index and t.dep in _SUBJECTS), None)
    done = verb.lower == "quit" and subject is not None  # "I **quit** Spotify in May"
    if subject is not None and (done or subject.lower in _ONE or subject.tag == "NNP"):
        joined = any(t.head == subject.index and t.dep == "conj" for t in tokens)
        tokens[verb.index] = verb if joined else replace(verb, tag="VBD")


def _in_the_present(tokens: list[Token], verb: Token) -> None:
    """ "I grew up in Leeds but **live** in York": what is joined to a past, without "to", is no infinitive."""
    above, own = tokens[verb.head], [t for t in tokens if t.head == verb.index]
    helping = [t for t in tokens if t.dep in ("aux", "auxpass") and t.head == above.index]
    past = above.tag in _PAST and all(t.tag in _FINITE for t in helping)
    now = above.dep == "xcomp" and any(t.dep == "advmod" and t.lower in _NOW for t in own)
    if (past or now) and not any(t.dep in ("aux", "auxpass", "mark") for t in own):
        tokens[verb.index] = replace(verb, tag="VBP")


def _one_of_several(tokens: list[Token], name: Token) -> None:
    """ "Tom, **Eve** and Bob work there": not another name of Tom."""
    below = {t.dep for t in tokens if t.head == name.index}
    if tokens[name.head].pos == "PROPN" and {"cc", "conj"} <= below:
        tokens[name.index] = replace(name, dep="conj")


def _told_beside(tokens: list[Token], verb: Token) -> None:
    """ "after **leaving** Acme in 2021, Tom joined Globex": with a date, one more past of the same subject."""
    prep = tokens[verb.head]
    above = tokens[prep.head]
    below = {t.index for t in tokens if t.head == verb.index}
    dated = any(t.entity == "DATE" and (t.index in below or t.head in below) for t in tokens)
    if dated and prep.lower in ("after", "before", "upon") and above.tag == "VBD":
        tokens[verb.index] = replace(verb, tag="VBD", dep="conj", head=above.index)


def _without_auxiliary(tokens: list[Token], verb: Token) -> None:
    """ "Tom, who joined in 2019, **left**": what has a subject and no auxiliary is no participle."""
    below = {t.dep for t in tokens if t.head == verb.index}
    if "nsubj" in below and not below & {"aux", "auxpass"}:
        tokens[verb.index] = replace(verb, tag="VBD")


def _one_more(tokens: list[Token], verb: Token) -> None:
    """ "started in May, **left** in June and joined X", "was there, **joined** X", "bought but **cancelled**":
    one more past of the same subject."""
    above = tokens[verb.head]
    below = [t for t in tokens if t.head == verb.index]
    if above.tag != "VBD" or above.index > verb.index or any(t.dep in _OWN for t in below):
        return
    goes_on = verb.dep == "conj" or any(t.dep == "conj" and t.tag == "VBD" for t in below)
    if goes_on or (verb.dep == "dep" and verb.tag == "VBD"):
        tokens[verb.index] = replace(verb, tag="VBD", dep="conj")


def _to_the_next(tokens: list[Token], verb: Token) -> None:
    """ "the CFO is Dana and **the CTO** *is* Eve": what stands right before a verb without a subject is its
    subject, and not one more thing of the clause before."""
    noun = tokens[verb.index - 1] if verb.index else verb
    without = not any(t.head == verb.index and t.dep in _SUBJECTS for t in tokens)
    if without and noun.dep == "conj" and noun.pos in ("NOUN", "PROPN", "PRON") and noun.head < noun.index:
        tokens[noun.index] = replace(noun, dep="nsubj", head=verb.index)


_REPAIRS: tuple[tuple[Callable[[Token], bool], Callable[[list[Token], Token], None]], ...] = (
    (lambda t: t.dep == "prep" and t.lower == "to", _to_the_verb),
    (lambda t: t.tag == "VBP" and t.lower in _UNCHANGED, _in_the_past),
    (lambda t: t.tag == "UH" and t.index == 0, _named),
    (lambda t: t.text in _APOSTROPHES, _to_the_year),
    (
        lambda t: t.lower in _FROM_THEN and t.dep in ("advcl", "acl", "amod", "acomp", "oprd", "prep"),
        _to_the_change,
    ),
    (lambda t: t.dep == "conj" and t.pos in ("NOUN", "PROPN"), _to_the_name),
    (lambda t: t.dep == "conj" and t.tag == "VB", _in_the_present),
    (lambda t: t.dep == "appos" and t.pos == "PROPN", _one_of_several),
    (lambda t: t.dep == "pcomp" and t.tag == "VBG", _told_beside),
    (lambda t: t.dep == "ROOT" and t.tag == "VBN", _without_auxiliary),
    (lambda t: t.dep in ("advcl", "conj", "dep") and t.tag in _PAST, _one_more),
    (lambda t: t.dep == "conj" and t.tag in _FINITE, _to_the_next),
)
"""Which tokens may be joined wrongly, and what looks into it."""


def repaired(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """The tokens with wrong governors put right, and participles that must be a past tense."""
    found = [_as_name(t) for t in tokens]
    for token in found.copy():
        _of_posts(found, token)
        for may_be_wrong, repair in _REPAIRS:
            if may_be_wrong(token):
                repair(found, token)
    return tuple(found)
