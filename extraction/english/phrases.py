"""Names and noun phrases in a parsed English sentence."""

from __future__ import annotations

import re

from ...kg.model import PERSON, THING, Mention, Value
from ..sayings import Kin, Pronoun, Referent
from ..tokens import Token
from .names import Names

RECORD, WORK, EVENT, METRIC = "Record", "Work", "Event", "Metric"
_TIMES = frozenset({"DATE", "TIME"})
_AMOUNTS = frozenset({"MONEY", "CARDINAL", "PERCENT", "QUANTITY", "ORDINAL"})
_LEFT = frozenset({"amod", "compound", "nummod", "nmod", "quantmod", "advmod", "punct"})
_RECORD = re.compile(
    r"\b(?P<noun>order|ticket|case|invoice|incident|shipment|request)s?\s*(?:no\.?|number|id)?\s*[#:]?\s*"
    r"(?P<number>(?:[A-Za-z][A-Za-z-]{0,20})?\d[\w-]*)",
    re.IGNORECASE,
)
_PRAISE = {"good", "great", "big", "real", "bad", "amazing", "awesome", "better", "best", "wonderful"}
_LONGEST_PHRASE = 7
_EMAIL = re.compile(r"^[\w.+-]+@[\w-]+(\.[\w-]+)+$")
_PHONE = re.compile(r"\+?\d[\d ()./-]{5,18}\d(?!\w)")


class Phrases(Names):
    """Reads the noun phrases of one sentence, and its names."""

    def phrase(self, head: Token) -> str | None:
        """A common noun with what stands closely before it, and an "of" phrase; no article, no possessive."""
        tokens = self._sentence.tokens
        first = head.index
        while first > 0 and self._describes(tokens[first - 1], head):
            first -= 1
        first = self._whole(first)
        while first < head.index and self._only_counts(tokens[first], tokens[first + 1]):
            first += 1
        text = self._text[tokens[first].start : head.end]
        of = next((p for p in self._sentence.children(head, "prep") if p.lower == "of"), None)
        if of is not None and of.index == head.index + 1:
            inner = self._sentence.child(of, "pobj")
            if inner is not None and self.name(inner) is not None:
                return text
            if inner is None or self._sentence.children(inner, "relcl", "acl", "poss") or inner.pos == "PRON":
                return None
            text = self._text[tokens[first].start : inner.end]
        return text if 0 < len(text.split()) <= _LONGEST_PHRASE and "\n" not in text else None

    def _only_counts(self, token: Token, following: Token) -> bool:
        """Whether the first word of a phrase adds nothing to its name: "**few** samples", "**really** good"."""
        light = token.dep in ("advmod", "cc") or token.lower in self._lexicon.counting
        return light and token.end < following.start

    def _describes(self, token: Token, head: Token) -> bool:
        """Whether the token before a noun belongs to its name: "**indie and folk** *music*"."""
        if token.dep in ("cc", "conj"):
            governor = self._sentence.tokens[token.head]
            return governor.dep in ("amod", "compound", "nmod") and governor.index < head.index
        if token.head > head.index or token.dep not in _LEFT:
            return False
        return token.text == "-" if token.dep == "punct" else token.dep != "advmod" or token.tag in ("RB", "JJ")

    def record(self, head: Token) -> Mention | None:
        """ "order #A-1023", "ticket 4711": a record by its number; the number alone when it holds letters."""
        for match in _RECORD.finditer(self._text):
            if match.start() <= head.start < match.end():
                number = match["number"]
                own = re.search(r"[A-Za-z]", number) is not None
                return Mention(number if own else f"{match['noun'].lower()} {number}", RECORD)
        return None

    def taste(self, head: Token) -> Mention | None:
        """What somebody can like in general: "cold coffee", "hiking", "Berlin"; not "the necklace"."""
        sentence = self._sentence
        if head.tag == "VBG" and head.pos == "VERB":
            return self._doing(head)
        if head.pos == "PRON" or head.tag in ("WP", "WDT", "DT") or head.entity in _TIMES:
            return None
        determiners = {t.lower for t in sentence.children(head, "det", "poss", "predet")}
        title = self._title(head)
        if title is not None:
            return Mention(title, THING)
        named = self.name(head)
        if named is not None:
            if determiners & (self._lexicon.pointing - {"the"}) or sentence.children(head, "poss"):
                return None
            if determiners and sentence.children(head, "amod", "nummod"):
                return None
            return named.mention
        if determiners or sentence.children(head, "poss", "relcl", "acl", "nummod", "case"):
            return None
        if not (head.pos == "NOUN" or head.text.islower()) or head.lemma.lower() in self._lexicon.vague:
            return None
        if any(p.lower not in ("of", "at", "over") for p in sentence.children(head, "prep")):
            return None
        if any(t.tag in ("JJR", "JJS") for t in sentence.children(head, "amod")):
            return None
        text = self.phrase(head)
        return None if text is None else Mention(text, THING)

    def goods(self, head: Token) -> Mention | None:
        """What somebody can buy: a name, or a noun phrase that names a kind of thing."""
        if head.pos not in ("NOUN", "PROPN") or head.entity in _TIMES | {"MONEY", "CARDINAL"}:
            return None
        title = self._title(head)
        if title is not None:
            return Mention(title, THING)
        named = self.name(head)
        if named is not None:
            return named.mention
        if head.lemma.lower() in self._lexicon.vague or head.lemma.lower() in self._lexicon.persons:
            return None
        determiners = {t.lower for t in self._sentence.children(head, "det")}
        if determiners & (self._lexicon.pointing - {"the", "some", "another"}):
            return None
        text = self.phrase(head)
        return None if text is None else Mention(text, THING)

    def work(self, head: Token) -> Mention | None:
        """A task, document or other piece of work that is told from others: "the slot list", "UI draft"."""
        if head.pos not in ("NOUN", "PROPN") or head.entity in _TIMES | _AMOUNTS | {"PERSON"}:
            return None
        lemma = head.lemma.lower()
        if lemma in self._lexicon.vague or lemma in self._lexicon.persons or lemma in self._lexicon.roles_en:
            return None
        if {t.lower for t in self._sentence.children(head, "det")} & (self._lexicon.pointing - {"the"}):
            return None
        if self._sentence.children(head, "poss", "relcl", "nummod"):
            return None
        text = self.phrase(head)
        return None if text is None or not (set(" -") & set(text) or head.pos == "PROPN") else Mention(text, WORK)

    def event(self, head: Token) -> Mention | None:
        """Something one goes to: "an LGBTQ support group", "the Web Summit"."""
        text = self.phrase(head) if head.pos in ("NOUN", "PROPN") else None
        if text is None or self._sentence.children(head, "poss"):
            return None
        last = " ".join(text.lower().split()[-2:])
        lemma = head.lemma.lower()
        if lemma not in self._lexicon.events and last not in self._lexicon.events:
            return None
        if {t.lower for t in self._sentence.children(head, "det")} & (self._lexicon.pointing - {"the", "this"}):
            return None
        return Mention(text, "Event") if " " in text else None

    def metric(self, head: Token) -> Mention | None:
        """What is measured: "the merge threshold", "hit rate"."""
        found = self.work(head)
        if found is None and head.pos in ("NOUN", "PROPN") and re.search(r"[A-Z@\d]", head.text[1:]):
            found = Mention(head.text, METRIC)
        return None if found is None else Mention(found.name, METRIC)

    def figure(self, head: Token) -> Value | None:
        """A number with its unit."""
        if head.entity not in _AMOUNTS or head.entity == "ORDINAL":
            return None
        tokens = self._sentence.tokens
        first = last = head.index
        while first > 0 and tokens[first - 1].entity == head.entity:
            first -= 1
        while last + 1 < len(tokens) and tokens[last + 1].entity == head.entity:
            last += 1
        text = self._text[tokens[first].start : tokens[last].end]
        return Value(text) if re.fullmatch(r"[$€£¥]?[\d.,]+ ?[%A-Za-z°]{0,4}", text) else None

    def _doing(self, verb: Token) -> Mention | None:
        """A gerund and its generic object: "playing chess"."""
        sentence = self._sentence
        extra = [
            t
            for t in sentence.children(verb)
            if t.dep not in ("dobj", "cc", "conj", "punct", "prep", "advmod", "npadvmod")
        ]
        if extra or sentence.children(verb, "aux"):
            return None
        things = sentence.children(verb, "dobj")
        if not things:
            if any(p.index == verb.index + 1 for p in sentence.children(verb, "prep", "advmod", "prt")):
                return None
            return Mention(verb.text.lower(), THING)
        thing = things[0]
        if sentence.children(thing, "poss", "relcl", "acl") or thing.pos == "PRON":
            return None
        if self._title(thing) is not None:
            return Mention(f"{verb.text.lower()} {self._title(thing)}", THING)
        inner = self.taste(thing)
        determiners = [t for t in sentence.children(thing, "det") if t.lower in ("the", "a", "an")]
        kind = thing.tag == "NNS" and thing.lemma.lower() in self._lexicon.persons
        if inner is None and not kind and not (determiners and thing.lemma.lower() not in self._lexicon.vague):
            return None
        if inner is None and self.phrase(thing) is None:
            return None
        return Mention(f"{verb.text.lower()}{self._text[verb.end : thing.end]}", THING)

    def role(self, head: Token, *, trusted: bool) -> Value | None:
        """An occupation. ``trusted``: the verb already says that it is one ("works as")."""
        if head.pos not in ("NOUN", "PROPN", "ADJ") or head.entity in _TIMES:
            return None
        lemma = head.lemma.lower()
        known = trusted or lemma in self._lexicon.roles_en or (lemma == "head" and self._leads(head))
        if not known or self._sentence.children(head, "relcl", *(() if head.dep == "oprd" else ("poss",))):
            return None
        nobody = (self._lexicon.vague | self._lexicon.persons) - self._lexicon.roles_en
        if trusted and lemma in nobody:
            return None
        if any(t.lower in self._lexicon.pointing - {"the"} for t in self._sentence.children(head, "det")):
            return None
        described = {t.lower for t in self._sentence.children(head, "amod", "compound")}
        text = None if described & (_PRAISE | self._lexicon.no_office) else self.phrase(head)
        return None if text is None or text.lower().startswith("ex-") else Value(text)

    def _leads(self, head: Token) -> bool:
        """ "head **of procurement**"."""
        of = self._sentence.child(head, "prep")
        inner = None if of is None else self._sentence.child(of, "pobj")
        return inner is not None and inner.lower in self._lexicon.departments

    def literal(self, head: Token, kind: str) -> Value | None:
        """A literal of a predicate's ``literal`` kind at this token."""
        text = head.text.strip(".,;")
        match kind:
            case "email":
                return Value(text) if _EMAIL.match(text) else None
            case "phone":
                found = _PHONE.match(self._text, head.start)
                return Value(found.group()) if found else None
            case "language":
                return Value(head.text) if head.lower in self._lexicon.languages else None
            case "name":
                named = self.name(head)
                return (
                    None
                    if named is None or named.mention.kind not in (PERSON, THING) or "@" in named.mention.name
                    else Value(named.mention.name)
                )
            case "role":
                return self.role(head, trusted=False)
            case "address":
                return None  # read as it is written, see ``addresses``
            case "date":
                if head.entity != "DATE":
                    return None
                run = [t for t in self._sentence.subtree(head) if t.entity == "DATE"]
                return Value(self._text[run[0].start : run[-1].end])
            case _:
                if head.pos in ("PRON", "VERB") or self._sentence.children(head, "relcl", "acl"):
                    return None
                phrase = self.phrase(head)
                return None if phrase is None or head.lemma.lower() in self._lexicon.vague else Value(phrase)

    def referent(self, head: Token) -> Referent | None:
        """Whom a subject or person object means: a name, a pronoun that can be followed up, or somebody's kin."""
        pronoun = _PRONOUNS.get(head.lower) if head.pos in ("PRON", "DET") else None
        if pronoun is not None:
            return pronoun
        named = self.name(head)
        if named is None:
            return self._named_kin(head) or self._kin(head)
        if any(t.lower in self._lexicon.pointing for t in self._sentence.children(head, "det")):
            return None
        return named.mention

    def _named_kin(self, head: Token) -> Mention | None:
        """ "my sister **Anna**" used as a subject."""
        for other in self._sentence.children(head, "appos"):
            named = self.name(other)
            if named is not None and named.mention.kind in (PERSON, THING) and other.pos == "PROPN":
                return Mention(named.mention.name, PERSON)
        return None

    def _kin(self, head: Token) -> Kin | None:
        """ "my older sister", "Tom's wife": somebody without a name."""
        noun = self._lexicon.kin.get(head.lemma.lower()) if head.tag == "NN" else None
        owner = self._sentence.child(head, "poss")
        if noun is None or owner is None or self._sentence.children(head, "nummod", "appos"):
            return None
        before = {t.lower for t in self._sentence.children(head, "amod", "compound")}
        if before & self._lexicon.former:
            return None
        whose = self.referent(owner)
        age = sorted(before & _AGES)
        return None if whose is None or isinstance(whose, Kin) else Kin(whose, " ".join([*age, noun]))


_AGES = frozenset({"older", "younger", "elder", "oldest", "eldest", "youngest", "big", "little", "twin"})
"""Adjectives that tell one sibling from another."""
_PRONOUNS = (
    dict.fromkeys(("i", "me", "my", "we", "our", "myself"), Pronoun.SPEAKER)
    | dict.fromkeys(("you", "your"), Pronoun.ADDRESSEE)
    | {"he": Pronoun.HE, "him": Pronoun.HE, "his": Pronoun.HE, "she": Pronoun.SHE, "her": Pronoun.SHE}
)
