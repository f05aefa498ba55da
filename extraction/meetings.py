"""Names of one message that mean one: "New York City ... NYC", "Sherlock Holmes ... Mr. Holmes", and names that
are the same but for a legal form or a title ("Acme Inc.", "Dr. John Smith"). Pure.

Each is a claim of the message, and counts while the shorter name means nobody else: should another message say
that Mr. Holmes is Mycroft Holmes, "Mr. Holmes" alone is neither. What this message says of Mr. Holmes stays
Sherlock's.

A first name behind the full one ("Priya Sharma ... Priya") is no claim: like a pronoun it means her in this
message, and says nothing of whom others call Priya.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from ..kg.identifying import SHORT_NAME, TITLED_NAME, same
from ..kg.ids import normalise
from ..kg.model import PERSON, THING, Draft, Mention, Modality, Value
from ..kg.naming import first_name_in
from ..kg.ontology import SAME_AS
from .likeness import bare_name, stands_for


def met(drafts: Sequence[Draft], actors: Collection[str] = ()) -> list[Draft]:
    """The drafts with short names replaced by what they stand for in them, and the claims that they do.
    ``actors``: who speaks in the message; their names are their own."""
    told: dict[Mention, Draft] = {}
    for draft in drafts:
        for side in (draft.subject, draft.object):
            if isinstance(side, Mention) and draft.predicate != SAME_AS and draft.modality is Modality.ASSERTED:
                told.setdefault(side, draft)
    short = _by_first_name(told, drafts, {normalise(actor) for actor in actors})
    links: list[Draft] = []
    for mention, draft in told.items():
        found = [other for other in told if stands_for((mention.name, mention.kind), (other.name, other.kind))]
        if len({normalise(other.name) for other in found}) == 1:
            short[mention] = found[0]
            links.append(same(draft, mention, found[0], SHORT_NAME))
        links += _same_but(draft, mention)
    if not links and not short:
        return list(drafts)
    return [*(_replaced(draft, short) for draft in drafts), *links]


def _by_first_name(
    told: Mapping[Mention, Draft], drafts: Sequence[Draft], actors: Collection[str]
) -> dict[Mention, Mention]:
    """The first names alone that stand behind the one full name that begins so. Who is told to be somebody to a
    speaker ("my brother Sam") is introduced by that."""
    short: dict[Mention, Mention] = {}
    for mention, draft in told.items():
        name = normalise(mention.name)
        if mention.kind not in (PERSON, THING) or name in actors or " " in name:
            continue
        full = [other for other in told if other.kind == PERSON and first_name_in(other.name) == name]
        if len({normalise(other.name) for other in full}) != 1 or _is_theirs(mention, drafts, actors):
            continue
        if told[full[0]].quote_start <= draft.quote_start:
            short[mention] = full[0]
    return short


def _is_theirs(mention: Mention, drafts: Sequence[Draft], actors: Collection[str]) -> bool:
    for draft in drafts:
        if mention in (draft.subject, draft.object) and isinstance(draft.object, Mention):
            other = draft.object if draft.subject == mention else draft.subject
            if normalise(other.name) in actors:
                return True
    return False


def _same_but(draft: Draft, mention: Mention) -> Iterator[Draft]:
    bare = bare_name(mention.name, mention.kind)
    if bare is not None:
        extractor = SHORT_NAME if bare.telling else TITLED_NAME
        yield same(draft, Mention(bare.text, mention.kind), mention, extractor)


def _replaced(draft: Draft, short: dict[Mention, Mention]) -> Draft:
    target = draft.object if isinstance(draft.object, Value) else short.get(draft.object, draft.object)
    subject = short.get(draft.subject, draft.subject)
    if (subject, target) == (draft.subject, draft.object) or subject == target:
        return draft
    return replace(draft, subject=subject, object=target)
