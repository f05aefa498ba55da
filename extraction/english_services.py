"""Services that most people use and few work for: what "I joined Netflix" says, and "I left Facebook"."""

from __future__ import annotations

from collections.abc import Sequence

from .english_clauses import Clause, Sentence
from .english_names import ORGANIZATION
from .english_phrases import Phrases
from .english_triggers import EnglishTriggers, Trigger
from .lexicon import Lexicon
from .tokens import Token

_VERBS = frozenset({"join", "rejoin", "leave", "quit"})
_SPEAKERS = frozenset({"i", "we"})
_JOBS = frozenset(
    {"boss", "career", "colleague", "company", "coworker", "employee", "employer", "hire", "intern", "internship"}
    | {"interview", "job", "offer", "office", "position", "promotion", "role", "salary", "team", "work"}
)
"""In a sentence with one of these, a service is an employer."""


class Services:
    """Tells who uses a service from who works for it, in one sentence."""

    def __init__(self, sentence: Sentence, triggers: EnglishTriggers, lexicon: Lexicon, phrases: Phrases) -> None:
        self._sentence, self._triggers, self._lexicon, self._phrases = sentence, triggers, lexicon, phrases

    def meant(self, matches: Sequence[Trigger], clause: Clause, subject: Token, thing: Token) -> list[Trigger]:
        """The matches; where the speaker joins or leaves a service, that they subscribe to it, or use it."""
        used = self._use(clause, subject, thing)
        if used is None:
            return list(matches)
        uses = self._triggers.verbs.get(used, [])[:1]
        return [
            Trigger(u.predicate, t.stance) for t in matches if t.predicate.object == ORGANIZATION for u in uses
        ]

    def _use(self, clause: Clause, subject: Token, thing: Token) -> tuple[str, str] | None:
        if clause.verb.lemma not in _VERBS or thing.dep not in ("dobj", "conj") or not self._is_near(subject):
            return None
        named = self._phrases.name(thing)
        name = thing.text if named is None else named.mention.name
        if any(p.lower in ("as", "for") for p in self._sentence.children(clause.verb, "prep")):
            return None
        lemmas = {t.lemma.lower() for t in self._sentence.tokens}
        if lemmas & (_JOBS | self._lexicon.roles_en):
            return None
        return self._lexicon.services.get(name.casefold())

    def _is_near(self, subject: Token) -> bool:
        """Of others, one tells where they work; of oneself and one's family, what they watch and read."""
        return subject.lower in _SPEAKERS or subject.pos == "VERB" or subject.lemma.lower() in self._lexicon.kin
