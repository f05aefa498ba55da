"""The extractor that needs no model server: spaCy and LAC find the words, the ontology says what they mean."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import tzinfo
from typing import Final

from ..kg.model import PERSON, Draft, Episode, Mention, Role, Turn, Value
from ..kg.ontology import Ontology
from . import chinese_rules, english_rules
from .chinese_subjects import NOBODY, Carried
from .chinese_tagger import ChineseTagger
from .chinese_triggers import ChineseTriggers
from .constraints import Constraints
from .contacts import Contacts
from .cues import chinese_cues, english_cues
from .discourse import Antecedent, Discourse
from .english_clauses import Sentence
from .english_parser import parse_english
from .english_triggers import EnglishTriggers
from .extractor import Reading
from .figures import figures
from .kin import relations
from .lexicon import lexicon
from .mentions import chinese_mentions, english_mentions
from .sayings import Kin, Pronoun, Referent, Saying, Stance, statements
from .sentences import Piece, pieces
from .small_talk import states_nothing
from .states import FRESH, States, Thread
from .times import Clock, Times
from .tokens import Token, Word
from .wording import as_written, written

_REMEMBERED = 4_000
"""Sentences whose parse is kept: a session's earlier ones are read again for each of its episodes."""
_EARLIER = 12
"""Episodes of the session that are looked back on for what a pronoun means."""
_POINTS_BACK = re.compile(
    r"\b(?:he|she|him|her|his|there)\b|[他她那]|我的?[老妻丈太爱女男儿哥弟姐妹爸妈]"
    r"|\bmy (?:\w+ )?(?:wife|husband|son|daughter|sister|brother|mom|dad|mother|father)\b",
    re.IGNORECASE,
)
_COUNTED_BEFORE = re.compile(
    r"\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten)\s+(?:now|so far|already|(?:different )?ones)\b"
    r"|[\d一两兩二三四五六七八九十][只个隻個本条條辆輛盆](?:了|[。，！]|$)",
    re.IGNORECASE,
)
"""A number of what was said before."""
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
_UNSEEN = re.compile(r"[\u200b\u200e\u200f\u202a-\u202e\u2060\ufeff]")
_PRONOUN_DISCOUNT = 0.15
_NUMBERED = re.compile(r"\d{2}")
_COUNT = re.compile(r"\d+")
_UNDATED = 0.45
"""Under the threshold: kept as evidence, not heard."""
_AT_ONCE = 1_000
"""Sentences of a turn that are parsed in one batch; of longer turns, no more than so many are kept parsed."""
_NEXT = 2
"""Code points between two sentences that follow one another."""
_WORKER: Final = ThreadPoolExecutor(max_workers=1, thread_name_prefix="hitherto-rules")
_GUESSED: Final = frozenset({Pronoun.PERSON, Pronoun.HE, Pronoun.SHE})
FIGURES = "HAS_VALUE"
"""The predicate of measured values."""


class RuleExtractor:
    """Claims by rule, English and Chinese, sentence by sentence. ``zone`` is where "yesterday" is.

    People's turns are read for everything, an assistant's or a tool's only for what they say of records (an
    order, a ticket): the rest of what assistants say is general knowledge, or what they were just told.
    Careful rather than complete: what is asked, supposed or ordered gives nothing, what is hoped or hedged
    keeps its modality. Both language models load at their first sentence, in the one thread that does the work of
    all extractors of the process.
    """

    def __init__(self, ontology: Ontology, zone: tzinfo) -> None:
        self._zone = zone
        self._rules = _Rules(ontology)

    @property
    def name(self) -> str:
        return "rules"

    async def extract(self, readings: Sequence[Reading]) -> list[list[Draft]]:
        """The drafts of each reading. Raises ``Unavailable`` when a language model is not installed."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(_WORKER, self._extract, tuple(readings))

    def _extract(self, readings: Sequence[Reading]) -> list[list[Draft]]:
        cut = [_Cut.of(reading, self._rules) for reading in readings]
        short = [found for c in cut for _, found in (*c.earlier, *c.turns) if len(found) <= _AT_ONCE]
        self._rules.parse(piece for found in short for piece in found)
        return [_Listener(self._rules, self._zone, c).drafts() for c in cut]


@dataclass(frozen=True, slots=True)
class _Cut:
    """A reading cut into sentences: those of its own turns, and those before that its pronouns may need."""

    actors: tuple[str, ...]
    earlier: tuple[tuple[Turn, list[Piece]], ...]
    turns: tuple[tuple[Turn, list[Piece]], ...]

    @classmethod
    def of(cls, reading: Reading, rules: _Rules) -> _Cut:
        turns = tuple(_turns(reading.episode, rules))
        telling = [(turn, [p for p in found if rules.may_tell(p, turn.role)]) for turn, found in turns]
        wanted = any(
            _POINTS_BACK.search(p.text) or _COUNTED_BEFORE.search(p.text) for _, found in telling for p in found
        )
        before = reading.earlier[-_EARLIER:]
        if wanted:
            earlier = tuple((t, _of_people(t, found)) for e in before for t, found in _turns(e, rules))
            turns = tuple(
                (t, _of_people(t, found) or told) for (t, found), (_, told) in zip(turns, telling, strict=True)
            )
        else:
            earlier = tuple((t, []) for e in before for t in e.turns)
            turns = tuple(telling)
        episodes = (*reading.earlier, reading.episode)
        actors = dict.fromkeys(t.actor for e in episodes for t in e.turns if t.actor is not None)
        return cls(tuple(actors), earlier, turns)


def _turns(episode: Episode, rules: _Rules) -> Iterator[tuple[Turn, list[Piece]]]:
    for turn in episode.turns:
        text = episode.text[turn.start : turn.end]
        unread = turn.role is Role.SYSTEM or rules.lexicon.injection.search(text) is not None
        yield turn, [] if unread else pieces(episode.text, turn.start, turn.end)


def _of_people(turn: Turn, found: list[Piece]) -> list[Piece]:
    return found if turn.role is Role.USER else []


class _Rules:
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
        self._cues = {"en": english_cues(ontology, self.lexicon), "zh": chinese_cues(ontology, self.lexicon)}
        self._tagger = ChineseTagger(self.lexicon.chinese.names)
        self._tokens: dict[str, tuple[Token, ...]] = {}
        self._words: dict[str, tuple[Word, ...]] = {}

    def may_tell(self, piece: Piece, role: Role) -> bool:
        """Whether it is worth the parse: not a question, and with a word that some trigger has."""
        if piece.is_question or (role is not Role.USER and not _NUMBERED.search(piece.plain)):
            return False
        if states_nothing(piece):
            return False
        if role is Role.USER and (
            self._constraints.may_tell(piece.plain) or self._contacts.may_tell(piece.plain) or "@" in piece.plain
        ):
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

    def parse(self, wanted: Iterable[Piece]) -> None:
        """Parse in one batch all sentences that are not at hand."""
        texts: dict[str, set[str]] = {"en": set(), "zh": set()}
        for piece in wanted:
            texts[piece.language].add(piece.plain)
        for known, language in ((self._tokens, "en"), (self._words, "zh")):
            if len(known) > _REMEMBERED:
                for text in [t for t in known if t not in texts[language]]:
                    del known[text]
        english = sorted(t for t in texts["en"] if t not in self._tokens)
        chinese = sorted(t for t in texts["zh"] if t not in self._words)
        if english:
            self._tokens.update(zip(english, parse_english(english), strict=True))
        if chinese:
            self._words.update(zip(chinese, self._tagger.tag(chinese), strict=True))

    def read(self, piece: Piece, going: _Going) -> tuple[list[Saying], list[Antecedent], _Going]:
        """What a parsed sentence says and mentions."""
        text = piece.plain
        if piece.language == "zh":
            words = self._words[text]
            mentions = [
                replace(m, mention=written(m.mention, piece)) for m in chinese_mentions(words, self.lexicon)
            ]
            if piece.is_question:
                return [], mentions, _Going(thread=replace(FRESH, alone=going.thread.alone))
            said, carried = chinese_rules.sayings(
                words, text, self._chinese, self.lexicon, going.carried, open_=self._open
            )
            found, thread = self._states.chinese(words, text, going.thread, going.carried.subject)
        else:
            tokens, carried = self._tokens[text], NOBODY
            mentions = english_mentions(tokens, self.lexicon)
            if piece.is_question:
                return [], mentions, _Going(thread=replace(FRESH, alone=going.thread.alone))
            said = english_rules.sayings(Sentence(tokens), text, self._english, self.lexicon, open_=self._open)
            found, thread = self._states.english(tokens, text, going.thread)
        said = [*self._states.completed(self._with_figures(said, piece), found), *self._constraints.sayings(text)]
        given = list(self._contacts.sayings(text))
        told = {(c.predicate, c.object) for c in given}
        said = [*(s for s in said if (s.predicate, s.object) not in told), *given]
        return [as_written(s, piece) for s in said], mentions, _Going(carried, thread)

    def _with_figures(self, said: list[Saying], piece: Piece) -> list[Saying]:
        if not self._notes:
            return said
        noted = figures(piece.plain, FIGURES)
        return [*said, *(f for f in noted if all(f.object != s.object for s in said))]


@dataclass(frozen=True, slots=True)
class _Going:
    """What one sentence leaves for the next of its turn."""

    carried: Carried = NOBODY
    thread: Thread = FRESH


class _Listener:
    """Goes through one reading's sentences in order and makes the drafts of its episode."""

    def __init__(self, rules: _Rules, zone: tzinfo, cut: _Cut) -> None:
        self._rules, self._zone, self._cut = rules, zone, cut
        self._discourse = Discourse(cut.actors, rules.lexicon.sexes)
        self._drafts: list[Draft] = []
        self._counted: dict[str, str] = {}
        self._kin: dict[tuple[str, str], Mention] = {}

    def drafts(self) -> list[Draft]:
        for turn, found in self._cut.earlier:
            self._turn(turn, found, keep=False)
        for turn, found in self._cut.turns:
            self._turn(turn, found, keep=True)
        return [replace(d, position=i) for i, d in enumerate(self._drafts)]

    def _turn(self, turn: Turn, found: list[Piece], *, keep: bool) -> None:
        self._discourse.turn(turn.actor)
        going, end, section = _Going(), turn.start, 0
        for number, piece in enumerate(found):
            if number % _AT_ONCE == 0:
                self._rules.parse(found[number : number + _AT_ONCE])
            self._discourse.go_on(len(piece.text), new=piece.section != section)
            if piece.start > end + _NEXT:
                going = _Going(thread=replace(FRESH, alone=going.thread.alone))
            said, mentions, going = self._rules.read(piece, going)
            self._sentence(turn, piece, said, mentions, keep=keep)
            end, section = piece.start + len(piece.text), piece.section

    def _sentence(
        self, turn: Turn, piece: Piece, said: list[Saying], mentions: list[Antecedent], *, keep: bool
    ) -> None:
        times = Times(piece.plain, piece.language, Clock(turn.occurred_at, self._zone))
        heard: list[Antecedent] = []
        for saying in said:
            self._discourse.hear([*heard, *(m for m in mentions if m.at < saying.at)])
            sides = self._sides(saying)
            if sides is None:
                continue
            subject, thing = sides
            if turn.role is not Role.USER and subject.kind != "Record":
                continue
            heard.append(Antecedent(saying.at, subject, 2 if isinstance(saying.subject, Kin) else 1))
            if isinstance(thing, Mention):
                self._discourse.place(thing)
                if thing.kind == "Person" and subject.name == turn.actor:
                    heard.append(Antecedent(saying.at, thing, 2))
            for related in self._kept_kin(saying, sides):
                pair = self._sides(related)
                if keep and pair is not None:
                    self._keep(turn, piece, related, times, pair)
            if keep:
                self._keep(turn, piece, saying, times, (subject, thing))
        for mention in mentions:
            if mention.mention is not None and mention.mention.kind != "Person" and not said:
                self._discourse.place(mention.mention)
        self._discourse.hear([*heard, *mentions])

    def _sides(self, saying: Saying) -> tuple[Mention, Mention | Value] | None:
        """Subject and object as entities; None when a pronoun's meaning is not clear, or both are the same."""
        predicate = self._rules.ontology.predicate(saying.predicate)
        about = saying.object
        subject = self._who(saying.subject, predicate.subject)
        thing = about if isinstance(about, Value) else self._who(about, predicate.object)
        if subject is None or thing is None or subject == thing:
            return None
        if isinstance(thing, Value) and predicate.literal == "count":
            thing = self._count(subject, thing)
            if thing is None:
                return None
        return _plain(subject), thing if isinstance(thing, Value) else _plain(thing)

    def _who(self, said: Referent, kind: str) -> Mention | None:
        if isinstance(said, Pronoun):
            return self._discourse.who(said, kind)
        if isinstance(said, Mention):
            return said
        owner = self._who(said.owner, PERSON)
        return None if owner is None else self._kin.get((owner.name, said.noun), said.beside(owner.name))

    def _kept_kin(self, saying: Saying, sides: tuple[Mention, Mention | Value]) -> Iterator[Saying]:
        """Whose wife has which name, for the sentences to come; and that "my sister" is a sibling of mine."""
        if saying.kin and isinstance(sides[1], Mention):
            self._kin[sides[0].name, saying.kin] = sides[1]
        for said in (saying.subject, saying.object):
            relation = self._rules.relations.get(said.noun.split()[-1]) if isinstance(said, Kin) else None
            if relation is not None and isinstance(said, Kin):
                yield relation.saying(said, saying)

    def _count(self, subject: Mention, said: Value) -> Value | None:
        """The count with what is counted: "four now" is four of what the subject's last count was of."""
        if said.text.isdigit():
            before = self._counted.get(subject.name)
            return None if before is None else Value(_COUNT.sub(said.text, before, count=1))
        self._counted[subject.name] = said.text
        return said

    def _keep(
        self, turn: Turn, piece: Piece, saying: Saying, times: Times, sides: tuple[Mention, Mention | Value]
    ) -> None:
        guessed = not _GUESSED.isdisjoint((saying.subject, saying.object)) or saying.object is Pronoun.THERE
        confidence = saying.confidence - (_PRONOUN_DISCOUNT if guessed else 0)
        time = times.of(saying)
        if time is None and saying.stance is not Stance.HOLDS and (saying.background or times.elsewhere()):
            confidence = min(confidence, _UNDATED)
        for statement in statements(saying, time, turn.occurred_at):
            draft = Draft(
                says=statement.says,
                subject=sides[0],
                predicate=saying.predicate,
                object=sides[1],
                valid_from=statement.valid_from,
                valid_to=statement.valid_to,
                stated_at=turn.occurred_at,
                position=0,
                quote_start=piece.start + saying.quote[0],
                quote_end=piece.start + saying.quote[1],
                confidence=round(confidence, 2),
                modality=statement.modality,
            )
            if draft not in self._drafts:
                self._drafts.append(draft)


def _plain(mention: Mention) -> Mention:
    """Without marks that nobody sees: "Os\\u200blo" is Oslo."""
    seen = _UNSEEN.sub("", mention.name)
    return mention if not seen or seen == mention.name else replace(mention, name=seen)
