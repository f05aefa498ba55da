"""Goes through a session as a listener does: who is meant, what is told already, and what a sentence states."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import tzinfo
from typing import Final

from ..kg.model import PERSON, Draft, Episode, Mention, Role, Turn, Value
from ..temporal.claims import Says
from ..temporal.expressions import Shape
from ..temporal.grains import Basis, Bound
from .answers import completed, last
from .discourse import Antecedent, Discourse
from .extractor import Reading
from .reader import Going, Reader
from .sayings import Kin, Pronoun, Referent, Saying, Stance, Unsaid, statements
from .sentences import Piece, pieces
from .states import FRESH
from .times import Clock, Times

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
_UNSEEN = re.compile(r"[\u200b\u200e\u200f\u202a-\u202e\u2060\ufeff]")
_PRONOUN_DISCOUNT = 0.15
_COUNT = re.compile(r"\d+")
_UNDATED = 0.45
"""Under the threshold: kept as evidence, not heard."""
AT_ONCE = 1_000
"""Sentences of a turn that are parsed in one batch; of longer turns, no more than so many are kept parsed."""
_NEXT = 2
"""Code points between two sentences that follow one another."""
_GUESSED: Final = frozenset({Pronoun.PERSON, Pronoun.HE, Pronoun.SHE})


@dataclass(frozen=True, slots=True)
class Cut:
    """A reading cut into sentences: those of its own turns, and those before that its pronouns may need."""

    actors: tuple[str, ...]
    earlier: tuple[tuple[Turn, list[Piece]], ...]
    turns: tuple[tuple[Turn, list[Piece]], ...]

    @classmethod
    def of(cls, reading: Reading, reader: Reader) -> Cut:
        asked = _last_asked(reading)
        turns = tuple(completed(tuple(_turns(reading.episode, reader)), asked))
        telling = [(turn, [p for p in found if reader.may_tell(p, turn.role)]) for turn, found in turns]
        wanted = any(
            _POINTS_BACK.search(p.text) or _COUNTED_BEFORE.search(p.text) or reader.ends_alone(p)
            for _, found in telling
            for p in found
        )
        before = reading.earlier[-_EARLIER:]
        if wanted:
            earlier = tuple((t, _of_people(t, found)) for e in before for t, found in _turns(e, reader))
            turns = tuple(
                (t, _of_people(t, found) or told) for (t, found), (_, told) in zip(turns, telling, strict=True)
            )
        else:
            earlier = tuple((t, []) for e in before for t in e.turns)
            turns = tuple(telling)
        episodes = (*reading.earlier, reading.episode)
        actors = dict.fromkeys(t.actor for e in episodes for t in e.turns if t.actor is not None)
        return cls(tuple(actors), earlier, turns)


def _turns(episode: Episode, reader: Reader) -> Iterator[tuple[Turn, list[Piece]]]:
    for turn in episode.turns:
        text = episode.text[turn.start : turn.end]
        unread = turn.role is Role.SYSTEM or reader.lexicon.injection.search(text) is not None
        yield turn, [] if unread else pieces(episode.text, turn.start, turn.end)


def _last_asked(reading: Reading) -> Piece | None:
    """What an assistant said last before."""
    if not reading.earlier or not reading.earlier[-1].turns:
        return None
    turn = reading.earlier[-1].turns[-1]
    return (
        last(turn, pieces(reading.earlier[-1].text, turn.start, turn.end)) if turn.role is Role.ASSISTANT else None
    )


def _of_people(turn: Turn, found: list[Piece]) -> list[Piece]:
    return found if turn.role is Role.USER else []


class Listener:
    """Goes through one reading's sentences in order and makes the drafts of its episode."""

    def __init__(self, reader: Reader, zone: tzinfo, cut: Cut) -> None:
        self._reader, self._zone, self._cut = reader, zone, cut
        self._discourse = Discourse(cut.actors, reader.lexicon.sexes)
        self._drafts: list[Draft] = []
        self._begun = 0
        """How many drafts there were before the sentence."""
        self._counted: dict[str, str] = {}
        self._told_at: Bound | None = None
        self._kin: dict[tuple[str, str], Mention] = {}

    def drafts(self) -> list[Draft]:
        for turn, found in self._cut.earlier:
            self._turn(turn, found, keep=False)
        for turn, found in self._cut.turns:
            self._turn(turn, found, keep=True)
        return [replace(d, position=i) for i, d in enumerate(self._drafts)]

    def _turn(self, turn: Turn, found: list[Piece], *, keep: bool) -> None:
        self._discourse.turn(turn.actor)
        self._told_at = None
        going, end, section = Going(), turn.start, 0
        for number, piece in enumerate(found):
            if number % AT_ONCE == 0:
                self._reader.parse(found[number : number + AT_ONCE])
            self._discourse.go_on(len(piece.text), new=piece.section != section)
            self._discourse.turn(turn.actor if piece.line is None else piece.line.speaker)
            if piece.start > end + _NEXT:
                going = Going(thread=replace(FRESH, alone=going.thread.alone))
            said, mentions, going = self._reader.read(piece, going)
            self._sentence(turn, piece, said, mentions, keep=keep)
            end, section = piece.start + len(piece.text), piece.section

    def _sentence(
        self, turn: Turn, piece: Piece, said: list[Saying], mentions: list[Antecedent], *, keep: bool
    ) -> None:
        self._begun = len(self._drafts)
        undated = self._reader.lexicon.undated
        times = Times(piece.plain, piece.language, Clock(turn.occurred_at, self._zone), undated, self._told_at)
        heard: list[Antecedent] = []
        for saying, (subject, thing) in self._meant(said, mentions, heard):
            if turn.role is not Role.USER and subject.kind != "Record":
                continue
            heard.append(Antecedent(saying.at, subject, 2 if isinstance(saying.subject, Kin) else 1))
            if isinstance(thing, Mention):
                self._discourse.place(thing)
                if thing.kind == PERSON and (saying.kin or subject.name == turn.actor):
                    heard.append(Antecedent(saying.at, thing, 2))
            for related in self._kept_kin(saying, subject, thing):
                pair = self._sides(related)
                if keep and pair is not None:
                    self._keep(turn, piece, related, times, pair)
            if keep:
                self._keep(turn, piece, saying, times, (subject, thing))
            if saying.stance is not Stance.ENDS:
                self._discourse.tell(subject, saying.predicate, thing, saying.at)
        for mention in mentions:
            if mention.mention is not None and mention.mention.kind != "Person" and not said:
                self._discourse.place(mention.mention)
        self._discourse.hear([*heard, *mentions])

    def _meant(
        self, said: list[Saying], mentions: list[Antecedent], heard: list[Antecedent]
    ) -> Iterator[tuple[Saying, tuple[Mention, Mention | Value]]]:
        """The sayings of a sentence with their subjects and objects; ``heard`` grows on the way."""
        for saying in said:
            kin = isinstance(saying.subject, Kin)  # "his **wife**" says herself whose she is
            before = [m for m in mentions if m.at < saying.at and not (kin and m.mention is None)]
            self._discourse.hear([*heard, *before])
            if not isinstance(saying.object, Unsaid):
                sides = self._sides(saying)
                if sides is not None:
                    yield saying, sides
                continue
            if saying.object.whom:
                yield from self._lost(saying, saying.object)
                continue
            subject = self._who(saying.subject, PERSON)
            if subject is None:
                continue
            for told in self._discourse.ended(subject, saying.object):
                yield replace(saying, predicate=told.predicate, object=told.object), (subject, told.object)

    def _lost(self, saying: Saying, unsaid: Unsaid) -> Iterator[tuple[Saying, tuple[Mention, Mention | Value]]]:
        """ "My dog is called Rex. **He died**": what ends was said of somebody else."""
        for told in () if isinstance(saying.subject, Kin) else self._discourse.lost(saying.subject, unsaid):
            ended = replace(saying, predicate=told.predicate, subject=told.subject, object=told.object)
            yield ended, (told.subject, told.object)

    def _sides(self, saying: Saying) -> tuple[Mention, Mention | Value] | None:
        """Subject and object as entities; None when a pronoun's meaning is not clear, or both are the same."""
        predicate = self._reader.ontology.predicate(saying.predicate)
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

    def _who(self, said: Referent | Unsaid, kind: str) -> Mention | None:
        if isinstance(said, Unsaid):
            return None
        if isinstance(said, Pronoun):
            return self._discourse.who(said, kind)
        if isinstance(said, Mention):
            return said
        owner = self._who(said.owner, PERSON)
        return None if owner is None else self._kin.get((owner.name, said.noun), said.beside(owner.name))

    def _kept_kin(self, saying: Saying, subject: Mention, thing: Mention | Value) -> Iterator[Saying]:
        """Whose wife has which name, for the sentences to come; and that "my sister" is a sibling of mine."""
        if saying.kin and isinstance(thing, Mention):
            self._kin[subject.name, saying.kin] = thing
        for said in (saying.subject, saying.object):
            relation = self._reader.relations.get(said.noun.split()[-1]) if isinstance(said, Kin) else None
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
        saying = times.announced(saying)
        time = times.of(saying)
        if time is not None and time.start is not None and time.shape is Shape.POINT:
            self._told_at = time.start
        if time is None and saying.stance is not Stance.HOLDS and (saying.background or times.elsewhere(saying)):
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
                quote_start=piece.start + (saying.quote[0] if piece.whole is None else 0),
                quote_end=piece.start + min(saying.quote[1], len(piece.text)),
                confidence=round(confidence, 2),
                modality=statement.modality,
            )
            own = self._drafts[self._begun :]
            if saying.stance is Stance.ENDS:
                own = [d for d in own if not _is_said_better(d, draft)]
            self._drafts[self._begun :] = own if draft in own else [*own, draft]


def _is_said_better(old: Draft, new: Draft) -> bool:
    """ "worked at Acme **and left in 2023**": when it ended, besides that it is over."""
    same = (old.subject, old.predicate, old.object) == (new.subject, new.predicate, new.object)
    undated = old.valid_from is not None and old.valid_from.basis is Basis.DERIVED
    beside = old.quote_start < new.quote_end and new.quote_start < old.quote_end
    return same and beside and undated and old.says is new.says is Says.END


def _plain(mention: Mention) -> Mention:
    """Without marks that nobody sees: "Os\\u200blo" is Oslo."""
    seen = _UNSEEN.sub("", mention.name)
    return mention if not seen or seen == mention.name else replace(mention, name=seen)
