import pytest

from hitherto.kg.ontology import Ontology, Predicate, Triggers
from hitherto.query.wanted import wanted_predicates


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("Where does Alice work?", "WORKS_AT"),
        ("Where did Alice work?", "WORKS_AT"),
        ("Who worked at TechCorp?", "WORKS_AT"),
        ("Alice 在哪工作？", "WORKS_AT"),
        ("谁在字节跳动上班", "WORKS_AT"),
        ("Liang 住在哪？", "LIVES_IN"),
        ("Liang 住哪", "LIVES_IN"),
        ("Liang 住在深圳多久了？", "LIVES_IN"),
        ("Where does she live?", "LIVES_IN"),
        ("Where is Alice from?", "COMES_FROM"),
        ("What is Alice's job?", "HAS_ROLE"),
        ("Who is Alice's manager?", "REPORTS_TO"),
        ("Alice 的经理是谁？", "REPORTS_TO"),
        ("What's Bob's email address?", "HAS_EMAIL"),
        ("他对什么过敏？", "ALLERGIC_TO"),
        ("What did Bob buy?", "BOUGHT"),
    ],
)
def test_the_wanted_predicate(question: str, first: str) -> None:
    assert wanted_predicates(question, Ontology.starter())[0] == first


@pytest.mark.parametrize("question", ["Alice", "他喝什么咖啡？", "the of and", "?", "记住了", "小明在学校的照片"])
def test_nothing_wanted(question: str) -> None:
    assert wanted_predicates(question, Ontology.starter()) == ()


def test_words_that_only_lead_to_a_question_want_nothing() -> None:
    assert wanted_predicates("Who knows Java?", Ontology.starter()) == ("HAS_SKILL",)
    assert wanted_predicates("Do you know where she lives?", Ontology.starter())[0] == "LIVES_IN"
    for question in ("What do you know about the trip?", "Let me know", "Who knows about it?"):
        assert "HAS_SKILL" not in wanted_predicates(question, Ontology.starter())


def test_an_irregular_verb_is_its_verb() -> None:
    assert "WORKS_AT" in wanted_predicates("Who left TechCorp?", Ontology.starter())


def test_what_excludes_a_wanted_one_is_wanted_too() -> None:
    assert wanted_predicates("Does Bob like tea?", Ontology.starter())[:2] == ("LIKES", "DISLIKES")


def test_a_predicate_without_triggers_goes_by_its_name() -> None:
    ontology = Ontology(predicates=(Predicate(name="HAS_WARRANTY"), Predicate(name="SHIPS_WITH")))
    assert wanted_predicates("Is there a warranty?", ontology) == ("HAS_WARRANTY",)
    assert wanted_predicates("What do they ship it with?", ontology) == ("SHIPS_WITH",)


SPEAKING = Ontology(
    predicates=(
        Predicate(
            name="AA", object="Thing", en=Triggers(holds=("work on", "work with")), zh=Triggers(holds=("说",))
        ),
        Predicate(name="BB", object="Organization", en=Triggers(holds=("work at",))),
        Predicate(name="CC", subject="Place", object="Person", en=Triggers(holds=("be from",), ends=("leave",))),
    )
)


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Who does she work with?", ("AA", "BB")),
        ("Where does she work?", ("BB", "AA")),
        ("Does she work?", ("AA", "BB")),
        ("Where is she from?", ("CC",)),
        ("From is she where?", ()),
        ("Who left?", ("CC",)),
        ("他说什么？", ("AA",)),
        ("他说过了", ()),
    ],
)
def test_how_it_is_said_decides_between_predicates(question: str, wanted: tuple[str, ...]) -> None:
    assert wanted_predicates(question, SPEAKING) == wanted
