"""Names that must be organisations by what a parsed English sentence says of them, whatever the parser says."""

from __future__ import annotations

from ...kg.model import PERSON, THING, Mention
from ..lexicon import Lexicon
from ..tokens import Token
from .clauses import Clause, Sentence
from .names import ORGANIZATION, PLACE

_ANY = frozenset({PERSON, ORGANIZATION, PLACE, THING})
_STRONG = frozenset(
    {
        ("work", "at"),
        ("work", "for"),
        ("start", "at"),
        ("employ", "by"),
        ("employ", "at"),
        ("live", "in"),
        ("study", "at"),
        ("grow", "in"),
        ("bear", "in"),
        ("hire", "by"),
    }
)
"""Verbs and prepositions after which a name is what the predicate wants."""


def trusted_kinds(
    sentence: Sentence, kind: str, token: Token, clause: Clause, *, is_given: bool
) -> frozenset[str]:
    """The kinds the parser may have given to a name that stands where ``kind`` must stand. ``is_given``: it begins
    with a given name."""
    above, verb = sentence.head(token), clause.verb.lemma
    if is_strong(sentence, token, clause):
        return _ANY
    if kind == PLACE:
        left = verb == "leave" and token.entity != "GPE"
        return frozenset() if left else frozenset({PLACE})
    if kind != ORGANIZATION:
        return frozenset({kind, THING})
    if verb == "be" and above is not None and above.lower == "with":
        return frozenset({ORGANIZATION})
    if verb == "move":
        somebody = clause.subject is not None and clause.subject.entity == "PERSON"
        somebody = somebody or (clause.subject is not None and clause.subject.lower in ("he", "she"))
        return frozenset({ORGANIZATION}) if somebody and token.entity == "ORG" else frozenset()
    if verb == "leave" and above is not None and above.lower == "for":
        what = sentence.child(clause.verb, "dobj")
        return frozenset({ORGANIZATION, THING}) if what is not None and what.pos == "PROPN" else frozenset()
    if token.dep == "dobj" and verb in ("join", "rejoin"):
        as_somebody = any(p.lower == "as" for p in sentence.children(clause.verb, "prep"))
        return _ANY if as_somebody or (_is_dated(sentence, clause) and not is_given) else _ANY - {PERSON}
    if above is not None and above.lower == "at" and token.entity == "ORG":
        return _ANY
    role = None if above is None else sentence.head(above)
    if above is not None and above.lower == "at" and role is not None and role.dep in ("attr", "appos"):
        return _ANY - {PERSON}
    return frozenset({kind, THING})


def _is_dated(sentence: Sentence, clause: Clause) -> bool:
    """ "joined **in April 2024**": in a month or a year one joins no single person."""
    times = (sentence.child(p, "pobj") for p in sentence.children(clause.verb, "prep") if p.lower == "in")
    return any(time is not None and time.entity == "DATE" for time in times)


def is_strong(sentence: Sentence, token: Token, clause: Clause) -> bool:
    prep = sentence.head(token)
    return prep is not None and prep.dep in ("prep", "agent") and (clause.verb.lemma, prep.lower) in _STRONG


def mistaken_name(sentence: Sentence, token: Token, clause: Clause, lexicon: Lexicon) -> Mention | None:
    """A name that the parser takes for a noun, where only a name can stand: "started at **Vandelay**"."""
    above = sentence.head(token)
    joined = token.dep == "dobj" and clause.verb.lemma in ("join", "rejoin")
    strong = is_strong(sentence, token, clause) or joined
    strong = strong or (above is not None and above.lower == "at" and clause.verb.lemma == "be")
    written = token.tag == "NN" and token.text[0].isupper() and not token.text.isupper() and token.text.isalpha()
    if not strong or not written or token.index == 0 or len(token.text) < 3:
        return None
    words = lexicon.departments | lexicon.vague | lexicon.persons | lexicon.weekdays
    if token.lower in words or [t for t in sentence.children(token) if t.dep not in ("punct", "cc", "conj")]:
        return None
    return Mention(token.text, ORGANIZATION)


def at_somebody(sentence: Sentence, role: Token, clause: Clause, lexicon: Lexicon) -> bool:
    """ "Tom is a **buyer** at TechCorp": a noun that says what somebody is at a place with a name is an
    occupation, unless it is one of those that visitors and admired people are called by."""
    lemma = role.lemma.lower()
    subject = clause.subject
    somebody = subject is not None and (
        subject.lower in ("i", "he", "she")
        or (subject.pos == "PROPN" and (subject.entity == "PERSON" or subject.lower in lexicon.given_names))
    )
    if not somebody or role.tag != "NN" or lemma in lexicon.no_roles | lexicon.persons | lexicon.vague:
        return False
    for prep in sentence.children(role, "prep"):
        for place in sentence.children(prep, "pobj"):
            named = place.pos == "PROPN" or (place.tag == "NN" and place.text[0].isupper())
            if prep.lower == "at" and named and place.entity not in ("DATE", "TIME"):
                return True
    return False


def is_school(name: str, lexicon: Lexicon) -> bool:
    """Where one rather studies than works when one "starts" there."""
    return bool({w.lower().strip(".,") for w in name.split()} & lexicon.schools)
