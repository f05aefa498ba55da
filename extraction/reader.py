"""What the sentences of a text say, English and Chinese, by an ontology's triggers: parsed in batches and kept."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from ..kg.model import Role
from ..kg.ontology import Ontology
from .addresses import Addresses
from .chinese import rules as chinese_rules
from .chinese.subjects import NOBODY, Carried
from .chinese.tagger import ChineseTagger
from .chinese.triggers import ChineseTriggers
from .constraints import Constraints
from .contacts import Contacts
from .cues import chinese_cues, chinese_endings, english_cues, english_endings
from .discourse import Antecedent
from .english import rules as english_rules
from .english.clauses import Sentence
from .english.parser import parse_english
from .english.triggers import EnglishTriggers
from .figures import figures
from .kin import relations
from .lexicon import lexicon
from .mentions import chinese_mentions, english_mentions
from .sayings import Saying
from .sentences import Language, Piece
from .small_talk import states_nothing
from .states import FRESH, States, Thread
from .tokens import Token, Word
from .wording import as_written, written

_REMEMBERED = 4_000
"""Sentences whose parse is kept: a session's earlier ones are read again for each of its episodes."""
_TELLS = {
    "en": re.compile(
        r"\b[Mm]y (?:\w+ )?(?:wife|husband|son|daughter|sister|brother|mom|mum|dad|mother|father|partner)\b|"
        r"\b(?:I|[Ww]e|[Hh]e|[Ss]he)(?:'[a-z]+|’[a-z]+)?\s+[\w'’]+\s+\w+|\b[A-Z][a-z]+ [a-z]+(?:ed|s|t|d)? \w+"
    ),
    "zh": re.compile("[我他她俺]|正在"),
}
"""Somebody of whom an open relation may be stated."""
_ENUMERATES = re.compile(
    r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|twenty|twice)\b"
    r"|[一两兩二三四五六七八九十][^一-鿿]?[只个隻個名位本条條辆輛台部篇次岁歲盆件双雙张張]",
    re.IGNORECASE,
)
"""It may count something."""
_NUMBERED = re.compile(r"\d{2}")
FIGURES = "HAS_VALUE"
"""The predicate of measured values."""


@dataclass(frozen=True, slots=True)
class Going:
    """What one sentence leaves for the next of its turn."""

    carried: Carried = NOBODY
    thread: Thread = FRESH


class Reader:
    """The ontology's triggers and the two pipelines, with the last sentences they have parsed."""

    def __init__(self, ontology: Ontology) -> None:
        self.ontology = ontology
        self.lexicon = lexicon()
        self._english = EnglishTriggers.of(ontology)
        self._chinese = ChineseTriggers.of(ontology)
        self.relations = relations(ontology, self.lexicon)
        self._counts = bool(self._english.counting)
        self._notes = any(p.name == FIGURES for p in ontology.predicates)
        self._open = not ontology.closed
        self._states = States(ontology, self.lexicon)
        self._constraints = Constraints(ontology, self.lexicon.languages)
        self._contacts = Contacts(ontology, self.lexicon.given_names)
        self._addresses = Addresses(ontology, self.lexicon.given_names)
        self._cues = {"en": english_cues(ontology, self.lexicon), "zh": chinese_cues(ontology, self.lexicon)}
        self._ends_alone = {
            "en": english_endings(self._english, self.lexicon),
            "zh": chinese_endings(self._chinese, self.lexicon),
        }
        self._tagger = ChineseTagger(self.lexicon.chinese.names)
        self._tokens: dict[str, tuple[Token, ...]] = {}
        self._words: dict[str, tuple[Word, ...]] = {}
        self._heard: dict[tuple[str, Language, bool, Going], tuple[list[Saying], list[Antecedent], Going]] = {}

    def may_tell(self, piece: Piece, role: Role) -> bool:
        """Whether it is worth the parse: not a question, and with a word that some trigger has."""
        if piece.is_question or (role is not Role.USER and not _NUMBERED.search(piece.plain)):
            return False
        if states_nothing(piece):
            return False
        written = (self._constraints, self._contacts, self._addresses)
        if role is Role.USER and ("@" in piece.plain or any(w.may_tell(piece.plain) for w in written)):
            return True
        if self._open and role is Role.USER and _TELLS[piece.language].search(piece.plain):
            return True
        if self._counts and role is Role.USER and _ENUMERATES.search(piece.plain):
            return True
        noted = self._notes and bool(figures(piece.plain, FIGURES))
        return (
            noted
            or self._states.may_tell(piece.plain)
            or self._cues[piece.language].search(piece.plain) is not None
        )

    def ends_alone(self, piece: Piece) -> bool:
        """Whether it may say of an end without saying of what: that was said before."""
        return self._ends_alone[piece.language].search(piece.plain) is not None

    def parse(self, wanted: Iterable[Piece]) -> None:
        """Parse in one batch all sentences that are not at hand."""
        texts: dict[str, set[str]] = {"en": set(), "zh": set()}
        for piece in wanted:
            texts[piece.language].add(piece.plain)
        for known, language in ((self._tokens, "en"), (self._words, "zh")):
            if len(known) > _REMEMBERED:
                for text in [t for t in known if t not in texts[language]]:
                    del known[text]
        if len(self._heard) > _REMEMBERED:
            self._heard.clear()
        english = sorted(t for t in texts["en"] if t not in self._tokens)
        chinese = sorted(t for t in texts["zh"] if t not in self._words)
        if english:
            self._tokens.update(zip(english, parse_english(english), strict=True))
        if chinese:
            self._words.update(zip(chinese, self._tagger.tag(chinese), strict=True))

    def read(self, piece: Piece, going: Going) -> tuple[list[Saying], list[Antecedent], Going]:
        """What a parsed sentence says and mentions. It is kept, since the next episodes of a session hear its last
        sentences again: the lists are not to be changed."""
        key = piece.text, piece.language, piece.is_question, going
        if key not in self._heard:
            self._heard[key] = self._read(piece, going)
        return self._heard[key]

    def _read(self, piece: Piece, going: Going) -> tuple[list[Saying], list[Antecedent], Going]:
        text = piece.plain
        if piece.language == "zh":
            words = self._words[text]
            mentions = [
                replace(m, mention=written(m.mention, piece)) for m in chinese_mentions(words, self.lexicon)
            ]
            if piece.is_question:
                return [], mentions, Going(thread=replace(FRESH, alone=going.thread.alone))
            before = replace(going.carried, alone=self._states.is_alone(text, going.thread))
            said, carried = chinese_rules.sayings(
                words, text, self._chinese, self.lexicon, before, open_=self._open
            )
            found, thread = self._states.chinese(words, text, going.thread, going.carried.subject)
        else:
            tokens, carried = self._tokens[text], NOBODY
            mentions = english_mentions(tokens, self.lexicon)
            if piece.is_question:
                return [], mentions, Going(thread=replace(FRESH, alone=going.thread.alone))
            said = english_rules.sayings(Sentence(tokens), text, self._english, self.lexicon, open_=self._open)
            found, thread = self._states.english(tokens, text, going.thread)
        said = [*self._states.completed(self._with_figures(said, piece), found), *self._constraints.sayings(text)]
        given = [*self._contacts.sayings(text), *self._addresses.sayings(text)]
        told = {(c.predicate, c.object) for c in given}
        said = [s for s in said if (s.predicate, s.object) not in told and not self._addresses.is_part(s, given)]
        said += given
        return [as_written(s, piece) for s in said], mentions, Going(carried, thread)

    def _with_figures(self, said: list[Saying], piece: Piece) -> list[Saying]:
        if not self._notes:
            return said
        noted = figures(piece.plain, FIGURES)
        return [*said, *(f for f in noted if all(f.object != s.object for s in said))]
