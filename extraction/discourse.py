"""Who "I", "you", "she" and "there" are: what a listener keeps in mind while a session goes on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ..kg.model import PERSON, Mention, Value
from .sayings import Pronoun, Unsaid

_FAR = 2_000
"""Code points after which nobody means somebody by "she" who was not mentioned since."""


_KEPT = 20
"""Facts told of somebody that may end."""
_LONG_AGO = 100
"""Sentences after which "she left" ends nothing that was told before."""
_WOMEN = ("wife", "sister", "mother", "mom", "mum", "daughter", "aunt", "niece", "grandmother", "girlfriend")
_MEN = ("husband", "brother", "father", "dad", "son", "uncle", "nephew", "grandfather", "boyfriend")
_KIN = dict.fromkeys(_WOMEN, Pronoun.SHE) | dict.fromkeys(_MEN, Pronoun.HE)


@dataclass(frozen=True, slots=True)
class Antecedent:
    """Somebody or something that a sentence mentions, in order. ``mention`` None: a person without a name
    ("my sister"), who must not be taken for anybody else.

    ``weight``: 1 for the subject of the sentence, 2 for who is introduced in it ("my wife is **Sarah**")."""

    at: int
    mention: Mention | None
    weight: int = 0


@dataclass(frozen=True, slots=True)
class Told:
    """A fact that a sentence states of somebody: ``sentence`` counts them, ``at`` is where its verb is."""

    subject: Mention
    predicate: str
    object: Mention | Value
    sentence: int
    at: int

    def goes_with(self, other: Told) -> bool:
        """Whether this is a post taken up with the other."""
        beside = (self.sentence, self.at) == (other.sentence, other.at)
        return beside and isinstance(self.object, Value) and isinstance(other.object, Mention)


class Discourse:
    """The state of one session while its turns are read in order."""

    def __init__(self, actors: Iterable[str], sexes: Mapping[str, Pronoun] | None = None) -> None:
        """``actors``: everybody who speaks in the session, as far as it is known. ``sexes``: HE or SHE, by the
        first word of a name."""
        self._actors = tuple(dict.fromkeys(actors))
        self._sexes = sexes or {}
        self._speaker: str | None = None
        self._spoke_before: str | None = None
        self._person: Mention | None = None
        self._person_known = False
        self._rivals: set[Mention] = set()
        self._named: tuple[list[Mention], list[Mention]] = [], []
        self._there: dict[str, Mention] = {}
        self._since = 0
        self._sentence = self._heard_in = 0
        self._told: dict[str, list[Told]] = {}

    def turn(self, actor: str | None) -> None:
        """The next turn begins."""
        if actor != self._speaker:
            self._spoke_before, self._speaker = self._speaker, actor

    def go_on(self, length: int, *, new: bool) -> None:
        """The next sentence, of so many code points, begins; ``new``: below a heading of its own."""
        self._since += length
        self._sentence += 1
        if new or self._since > _FAR:
            self._person, self._rivals, self._named = None, set(), ([], [])
        if new:
            self._there.clear()
            self._told.clear()

    def hear(self, antecedents: Iterable[Antecedent]) -> None:
        """A sentence has been read so far; its subject, else the last person it names, is who "she" will be."""
        people = [a for a in antecedents if a.mention is None or a.mention.kind == PERSON]
        people = [a for a in people if a.mention is None or a.mention.name != self._speaker]
        if people:
            best = max(people, key=lambda a: (a.weight, a.at))
            rivals = {a.mention for a in people if a.weight == best.weight}
            self._person = best.mention if len(rivals) == 1 else None
            self._rivals = set() if None in rivals else {mention for mention in rivals if mention is not None}
            before = self._named[self._heard_in == self._sentence]  # of the same sentence: still the one before
            self._named = [a.mention for a in people if a.mention is not None], before
            self._heard_in = self._sentence
            self._person_known, self._since = True, 0

    def tell(self, subject: Mention, predicate: str, thing: Mention | Value, at: int) -> None:
        """A fact of the subject was stated that may end."""
        told = self._told.setdefault(subject.name, [])
        told.append(Told(subject, predicate, thing, self._sentence, at))
        del told[:-_KEPT]

    def ended(self, subject: Mention, unsaid: Unsaid) -> list[Told]:
        """What an end without an object ends, with what was taken up with it ("joined Acme **as CTO**"); it is not
        to be ended again."""
        told = self._told.get(subject.name, [])
        known = [t for t in told if t.predicate in unsaid.predicates and self._sentence - t.sentence <= _LONG_AGO]
        here = [t for t in known if t.sentence == self._sentence]
        known = here if here or unsaid.near else known
        if len({t.object.kind for t in known if isinstance(t.object, Mention)}) > 1:
            return []  # "works at Acme and lives in Rome. She left": which of the two is not said
        found = [t for t in told if known and (t is known[-1] or t.goes_with(known[-1]))]
        self._told[subject.name] = [t for t in told if t not in found]
        return found

    def lost(self, said: Mention | Pronoun, unsaid: Unsaid) -> list[Told]:
        """Whom "**he** died" takes from whom: what was told of them or, by the speaker, of nobody else now."""
        told = [t for of in self._told.values() for t in of if t.predicate in unsaid.predicates]
        if isinstance(said, Mention):
            found = [t for t in told if isinstance(t.object, Mention) and t.object.name == said.name]
        else:
            found = [t for t in told if t.subject.name == self._speaker and t.sentence >= self._sentence - 1]
            named = {mention.name for mention in self._named[0]} | {getattr(t.object, "name", "") for t in found}
            found = found if len(named) == 1 else []
        for of in self._told.values():
            of[:] = [t for t in of if t not in found]
        return found

    def place(self, mention: Mention) -> None:
        """Something was said about this place or organisation."""
        self._there[mention.kind] = mention

    def who(self, pronoun: Pronoun, kind: str) -> Mention | None:
        """Whom the pronoun means, where something of ``kind`` must stand; None when that is not clear."""
        match pronoun:
            case Pronoun.SPEAKER:
                return _actor(self._speaker)
            case Pronoun.ADDRESSEE:
                return _actor(self._addressee())
            case Pronoun.THERE:
                return self._there.get(kind)
            case Pronoun.THEY:
                return self._they()
            case Pronoun.PERSON:
                return self._last_person()
            case Pronoun.HE | Pronoun.SHE:
                return self._last_of(pronoun)

    def _they(self) -> Mention | None:
        last = self._sentence - 1
        told = {t.subject for of in self._told.values() for t in of if t.sentence >= last}
        return next((m for m in told if m.kind != PERSON), None) if len(told) == 1 else None

    def _last_person(self) -> Mention | None:
        return self._person if self._person_known else _actor(self._addressee())

    def _last_of(self, sex: Pronoun) -> Mention | None:
        """The last person, unless they are known to be of the other sex, or only somebody named with them is known
        to be of this; then, or of several, the only one whom the last two sentences name that is."""
        last = self._last_person()
        if last is None:
            unsure = any(self._sex(mention) is None for mention in self._rivals)
            return None if unsure else self._only(sex, self._rivals)
        if self._sex(last) is sex:
            return last
        if self._sex(last) is None:
            return self._only(sex, self._named[0]) or last
        return self._only(sex, [mention for heard in self._named for mention in heard])

    def _only(self, sex: Pronoun, among: Iterable[Mention]) -> Mention | None:
        fit = {mention for mention in among if self._sex(mention) is sex}
        return fit.pop() if len(fit) == 1 else None

    def _sex(self, mention: Mention) -> Pronoun | None:
        first, *rest = mention.name.casefold().split() or [""]
        kin = bool(rest) and first.endswith(("'s", "’s"))
        return _KIN.get(rest[-1]) if kin else self._sexes.get(first.rstrip("."))

    def _addressee(self) -> str | None:
        others = [a for a in self._actors if a != self._speaker]
        if len(self._actors) == 2 and len(others) == 1:
            return others[0]
        return self._spoke_before


def _actor(name: str | None) -> Mention | None:
    return None if name is None else Mention(name, PERSON)
