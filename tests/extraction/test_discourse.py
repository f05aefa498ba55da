"""Whom pronouns mean."""

from __future__ import annotations

from hitherto.extraction.discourse import Antecedent, Discourse
from hitherto.extraction.sayings import Pronoun
from hitherto.kg.model import Mention

TOM, ANN = Mention("Tom", "Person"), Mention("Ann", "Person")


SEXES = {"tom": Pronoun.HE, "mr": Pronoun.HE, "ann": Pronoun.SHE}


def after(*heard: Antecedent, actors: tuple[str, ...] = ("liang", "bob")) -> Discourse:
    discourse = Discourse(actors, SEXES)
    discourse.turn("liang")
    discourse.turn("bob")
    discourse.hear(heard)
    return discourse


def test_speaker_and_addressee() -> None:
    discourse = after()
    assert discourse.who(Pronoun.SPEAKER, "Person") == Mention("bob", "Person")
    assert discourse.who(Pronoun.ADDRESSEE, "Person") == Mention("liang", "Person")


def test_of_three_the_one_who_spoke_before_is_addressed() -> None:
    discourse = after(actors=("carol", "liang", "bob"))
    assert discourse.who(Pronoun.ADDRESSEE, "Person") == Mention("liang", "Person")


def test_nobody_is_addressed_by_the_first_of_three() -> None:
    discourse = Discourse(("carol", "liang", "bob"))
    discourse.turn("carol")
    assert discourse.who(Pronoun.ADDRESSEE, "Person") is None


def test_the_subject_comes_before_the_last_one_named() -> None:
    assert after(Antecedent(0, TOM, 1), Antecedent(9, ANN)).who(Pronoun.PERSON, "Person") == TOM
    assert after(Antecedent(0, TOM, 1), Antecedent(9, ANN, 2)).who(Pronoun.PERSON, "Person") == ANN


def test_two_of_equal_weight_are_not_clear() -> None:
    assert after(Antecedent(0, TOM), Antecedent(9, ANN)).who(Pronoun.PERSON, "Person") is None


def test_a_person_without_a_name_is_nobody_else() -> None:
    assert after(Antecedent(0, None, 1)).who(Pronoun.PERSON, "Person") is None


def test_the_speaker_is_not_he() -> None:
    bob = Mention("bob", "Person")
    assert after(Antecedent(0, bob, 1), Antecedent(9, TOM)).who(Pronoun.PERSON, "Person") == TOM


def test_with_nobody_mentioned_it_is_the_other_speaker() -> None:
    assert after().who(Pronoun.PERSON, "Person") == Mention("liang", "Person")


def test_there_is_the_last_of_the_wanted_kind() -> None:
    discourse = after()
    assert discourse.who(Pronoun.THERE, "Place") is None
    discourse.place(Mention("Acme", "Organization"))
    discourse.place(Mention("Oslo", "Place"))
    assert discourse.who(Pronoun.THERE, "Organization") == Mention("Acme", "Organization")


def test_he_is_no_woman_and_she_no_man() -> None:
    discourse = after(Antecedent(0, TOM, 1), Antecedent(9, ANN))
    assert discourse.who(Pronoun.SHE, "Person") == ANN
    assert discourse.who(Pronoun.HE, "Person") == TOM
    discourse.go_on(20, new=False)
    discourse.hear([Antecedent(0, Mention("Ann Lee", "Person"), 1)])
    assert discourse.who(Pronoun.HE, "Person") == TOM, "of the sentence before"
    discourse.go_on(20, new=False)
    discourse.hear([Antecedent(0, ANN, 1)])
    assert discourse.who(Pronoun.HE, "Person") is None, "he was named long ago"


def test_of_two_of_equal_weight_the_one_who_fits() -> None:
    discourse = after(Antecedent(0, TOM), Antecedent(9, ANN))
    assert [discourse.who(p, "Person") for p in (Pronoun.HE, Pronoun.SHE)] == [TOM, ANN]
    unsure = after(Antecedent(0, TOM), Antecedent(9, Mention("Robin", "Person")))
    assert unsure.who(Pronoun.HE, "Person") is None
    assert after(Antecedent(0, TOM), Antecedent(9, None)).who(Pronoun.HE, "Person") is None
    titled = after(Antecedent(0, Mention("Mr. Holmes", "Person"), 1))
    assert titled.who(Pronoun.SHE, "Person") is None
