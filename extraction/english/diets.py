"""What somebody must not or does not eat, in a parsed English sentence: "a nut allergy", "lactose intolerant",
"I can't eat gluten", "went vegan"."""

from __future__ import annotations

from collections.abc import Iterator

from ...kg.model import THING, Mention, Value
from ...kg.ontology import Predicate
from ..ailments import CONDITION
from ..lexicon import Lexicon
from ..sayings import Polarity, Saying, Stance
from ..tokens import Token
from .clauses import SUBJECTS, Clause, Sentence
from .relations import present
from .sides import Match, Sides
from .triggers import EnglishTriggers

_ALLERGY, _INTOLERANT = "allergy", "intolerant"
_HOW = {
    "have": Stance.HOLDS,
    "develop": Stance.BEGINS,
    "outgrow": Stance.ENDS,
    "lose": Stance.ENDS,
    "overcome": Stance.ENDS,
}
_BECOMING = frozenset({"become", "go", "turn"})
_EATING = frozenset({"eat", "drink"})
_PASSING = frozenset({"DATE", "TIME", "CARDINAL", "QUANTITY"})
_PLAIN = frozenset({*SUBJECTS, "aux", "neg", "dobj", "punct", "cc", "conj"})


class Diets:
    """Reads what the clauses of one sentence say of allergies and diets."""

    def __init__(self, sentence: Sentence, triggers: EnglishTriggers, lexicon: Lexicon, sides: Sides) -> None:
        self._sentence, self._triggers, self._lexicon, self._sides = sentence, triggers, lexicon, sides

    def sayings(self, clause: Clause, subject: Token) -> Iterator[Saying]:
        if clause.passive or clause.phase is not None:
            return
        stance = _HOW.get(clause.verb.lemma)
        if stance is not None:
            yield from self._allergies(clause, subject, stance)
        elif clause.verb.lemma == "be":
            yield from self._intolerances(clause, subject)
        elif clause.verb.lemma in _BECOMING and clause.polarity is Polarity.POSITIVE:
            for word in self._sentence.children(clause.verb, "acomp", "attr", "dobj", "oprd"):
                if not self._sentence.children(word):
                    for predicate in self._triggers.values.get(word.lower, []):
                        match = self._match(clause, predicate, Stance.BEGINS, (subject, word))
                        yield from self._sides.say(match, Value(word.lower))

    def unable(self) -> Iterator[Saying]:
        """ "I **can't eat** gluten": what has no clause of its own, for who "can" do something need not do it."""
        for verb in self._sentence.tokens:
            subject = self._sentence.child(verb, *SUBJECTS)
            if verb.lemma not in _EATING or subject is None or verb.dep not in ("ROOT", "conj"):
                continue
            below = self._sentence.children(verb)
            can = any(t.lower in ("ca", "can") for t in below if t.dep == "aux")
            denied = any(t.dep == "neg" and t.lower != "never" for t in below)
            marked = any(t.lower in self._lexicon.conditions for t in self._sentence.tokens)
            if not can or not denied or marked or any(t.dep not in _PLAIN for t in below):
                continue
            for trigger in self._triggers.verbs.get(("cannot", verb.lemma), []):
                for food in self._foods(verb):
                    found = None if food.entity in _PASSING else self._food(food)
                    match = self._match(present(verb, subject), trigger.predicate, Stance.HOLDS, (subject, food))
                    yield from self._sides.say(match, found)

    def _foods(self, verb: Token) -> Iterator[Token]:
        """The objects of a denied verb: "or" joins them as "and" does."""
        todo = self._sentence.children(verb, "dobj")
        while todo:
            yield todo[0]
            todo = [*self._sentence.children(todo[0], "conj"), *todo[1:]]

    def _food(self, food: Token) -> Mention | None:
        if food.lemma.lower() in self._lexicon.diets["meals"] or self._sentence.children(
            food, "amod", "relcl", "prep"
        ):
            return None
        if food.pos == "ADJ" and food.text.islower() and not self._sentence.children(food):
            return Mention(food.text, THING)
        return self._sides.phrases.taste(food)

    def _allergies(self, clause: Clause, subject: Token, stance: Stance) -> Iterator[Saying]:
        """ "have a **nut allergy**", "outgrew my **allergy to** cats"."""
        for thing in self._sentence.children(clause.verb, "dobj"):
            if thing.lemma.lower() != _ALLERGY:
                continue
            preps = [*self._sentence.children(thing, "prep"), *self._sentence.children(clause.verb, "prep")]
            to = [p for p in preps if p.lower == "to" and p.index > thing.index]
            named = [o for p in to for o in self._sentence.children(p, "pobj")]
            for first in (*self._sentence.children(thing, "compound", "nmod"), *named):
                for allergen in self._sides.both(first):
                    found = self._allergen(allergen)
                    for trigger in self._triggers.behind("be", "allergic", "to"):
                        match = self._match(clause, trigger.predicate, stance, (subject, allergen))
                        yield from self._sides.say(match, found)

    def _allergen(self, token: Token) -> Mention | None:
        """What an allergy is to, in the plural if it is countable: "a **nut** allergy" is one to nuts."""
        found = self._sides.phrases.taste(token)
        if found is None or found.name.lower() in self._lexicon.diets["no_allergens"]:
            return None
        counted = f"{found.name.split()[-1].lower()}s" in self._lexicon.diets["allergens"]
        return Mention(f"{found.name}s", THING) if counted else found

    def _intolerances(self, clause: Clause, subject: Token) -> Iterator[Saying]:
        """ "is **lactose intolerant**"."""
        said = self._sentence.children(clause.verb, "acomp", "attr")
        for word in (*said, *(t for s in said for t in self._sentence.children(s, "oprd", "acomp"))):
            before = [t for t in self._sentence.tokens[: word.index] if t.text != "-"][-1:]
            if (
                word.lower != _INTOLERANT
                or not before
                or before[0].lower not in self._lexicon.diets["intolerances"]
            ):
                continue
            for trigger in self._triggers.verbs.get(("suffer", "from"), []):
                if trigger.predicate.object == CONDITION:
                    match = self._match(clause, trigger.predicate, Stance.HOLDS, (subject, word))
                    yield from self._sides.say(match, Mention(f"{before[0].lower} intolerance", CONDITION))

    @staticmethod
    def _match(clause: Clause, predicate: Predicate, stance: Stance, sides: tuple[Token, Token]) -> Match:
        return Match(clause=clause, predicate=predicate, stance=stance, subject=sides[0], thing=sides[1])
