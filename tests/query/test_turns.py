from dataclasses import replace
from datetime import timedelta

import pytest

from hitherto.kg.model import Episode, Role, Turn
from hitherto.kg.store import Neighbour
from hitherto.query.about import Named
from hitherto.query.questions import addresses_listener, gist, proper_names, wants_newest
from hitherto.query.results import EpisodeHit
from hitherto.query.turns import AROUND, Asked, heard, newest_first, order_turns, promising, spread, timely
from tests.query.builders import entity, instant

START = instant("2026-03-02")


def hit(text: str, score: float, *, actor: str | None = None, day: int = 0, role: Role = Role.USER) -> EpisodeHit:
    at = START + timedelta(days=day)
    episode = Episode(
        id=text, text=text, occurred_at=at, turns=(Turn(0, len(text), at, role, actor),), actor=actor
    )
    return EpisodeHit(episode=episode, score=score, legs=(), dates="")


def asked(
    *entities: str, words: tuple[str, ...] = (), names: tuple[str, ...] = (), listener: bool = False
) -> Asked:
    known, named = tuple(entity(name) for name in entities), tuple(Named((name,)) for name in names)
    return Asked(words=words, entities=known, names=names, listener=listener, at=None, people=named)


def scores(hits: list[EpisodeHit]) -> dict[str, float]:
    return {h.id: h.score for h in hits}


def test_a_message_takes_a_share_of_what_is_said_around_it() -> None:
    question, answer, far = hit("Where to?", 1.0), hit("Rome!", 0.0), hit("Nice.", 0.0)
    around = {question.id: [Neighbour(answer.id, 1), Neighbour(far.id, 2), Neighbour("not fetched", -1)]}
    spreaded = spread([question, answer, far], around, [question.id])
    assert scores(spreaded) == pytest.approx({"Where to?": 1.0, "Rome!": 0.3, "Nice.": 0.1})
    assert [leg.leg for leg in spreaded[1].legs] == [AROUND]
    assert spreaded[0].legs == ()


def test_long_messages_give_and_take_less() -> None:
    long, short = hit("long " * 80, 1.0), hit("short", 1.0)
    around = {long.id: [Neighbour(short.id, 1)], short.id: [Neighbour(long.id, -1)]}
    spreaded = scores(spread([long, short], around, [long.id, short.id]))
    assert spreaded == pytest.approx({long.id: 1.1, short.id: 1.15})


def test_neighbours_of_the_best_are_the_most_promising() -> None:
    around = {"a": [Neighbour("x", 1)], "b": [Neighbour("y", 1), Neighbour("x", -2)]}
    assert promising({"a": 0.1, "b": 1.0}, around) == ["y", "x"]


def test_what_a_machine_said_weighs_less_unless_it_is_asked_about() -> None:
    hits = [hit("I flew to Rome", 1.0), hit("Rome is lovely", 1.0, role=Role.ASSISTANT)]
    assert [h.score for h in heard(hits, asked())] == [1.0, 0.5]
    assert [h.score for h in heard(hits, asked(listener=True))] == [1.0, 1.0]


def test_whom_the_question_names_speaks_for_themselves() -> None:
    hits = [hit("Wow, Ann, tea!", 1.0, actor="Ben"), hit("I like tea", 0.8, actor="Ann"), hit("tea", 0.7)]
    for question in (asked("Ann"), asked(names=("ann",))):
        assert [h.id for h in order_turns(hits, question)] == ["I like tea", "Wow, Ann, tea!", "tea"]
    machine = hit("Ann, that is tea", 0.9, role=Role.ASSISTANT)
    assert scores(order_turns([*hits, machine], asked("Ann")))[machine.id] == 0.9


def test_of_somebody_who_does_not_speak_the_messages_that_name_them_count() -> None:
    hits = [hit("tea all day", 1.0, actor="Ben"), hit("ANN LEE has tea", 0.8, actor="Ben")]
    assert [h.id for h in order_turns(hits, asked("Ann Lee"))] == ["ANN LEE has tea", "tea all day"]
    assert [h.id for h in order_turns(hits, asked(names=("ann",)))] == ["ANN LEE has tea", "tea all day"]
    assert [h.id for h in order_turns(hits, asked())] == ["tea all day", "ANN LEE has tea"]


def test_of_messages_about_the_same_the_last_word_comes_first() -> None:
    hits = [
        hit("three Korean restaurants", 1.0, day=1),
        hit("a sunny day", 0.9, day=9),
        hit("four Korean restaurants", 0.8, day=5),
        hit("five Korean restaurants", 0.2, day=7),
    ]
    words = ("korean", "restaur")
    ordered = newest_first(hits, words, START + timedelta(days=30))
    assert [h.id.split()[0] for h in ordered] == ["four", "a", "three", "five"]
    assert [h.score for h in ordered] == [1.0, 0.9, 0.8, 0.2]
    before = newest_first(hits, words, START + timedelta(days=3))
    assert [h.id.split()[0] for h in before] == ["three", "a", "four", "five"]


def test_what_machines_said_keeps_its_place() -> None:
    hits = [hit("three cafés", 1.0, role=Role.ASSISTANT), hit("four cafés", 0.9, day=3)]
    assert newest_first(hits, ("cafes", "café"), START + timedelta(days=9)) == hits


def test_chinese_words_are_found_inside_sentences() -> None:
    hits = [hit("我试过三家韩国餐厅", 1.0), hit("现在试过四家韩国餐厅", 0.9, day=3)]
    ordered = newest_first(hits, ("韩国", "餐厅"), START + timedelta(days=9))
    assert [h.id for h in ordered] == [hits[1].id, hits[0].id]


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("What did Caroline research?", "Caroline research?"),
        ("the of and", "the of and"),
        ("How many books have I read?", "many books read?"),
    ],
)
def test_the_gist_is_without_small_words(text: str, rest: str) -> None:
    assert gist(text) == rest


def test_names_are_words_with_a_capital_inside_the_sentence() -> None:
    assert proper_names("Where does Guylaine Beaudry's sister work? I ask.") == ("guylaine", "beaudry")
    assert proper_names("王芳住在哪？") == ()


def test_who_is_spoken_to_and_which_word_counts() -> None:
    assert addresses_listener("What did you recommend?")
    assert not addresses_listener("What did Ann recommend?")
    assert wants_newest("How many books have I read?")
    assert not wants_newest("Where did I initially live?")
    assert not wants_newest("她以前住在哪？")


def test_as_of_a_date_what_was_said_by_then_goes_before_what_was_said_later_and_long_before() -> None:
    day, year = timedelta(days=1), timedelta(days=365)
    weights = [timely(START + gap, START) for gap in (timedelta(), -year, -10 * year)]
    assert weights == sorted(weights, reverse=True)
    assert timely(START + day, START) < timely(START - day, START)
    late, by_then = hit("late", 1.0, day=1), hit("by then", 0.9, day=-1)
    dated = replace(asked(), as_of=START)
    assert [h.id for h in order_turns([late, by_then], dated)] == ["by then", "late"]
    assert [h.id for h in order_turns([late, by_then], asked())] == ["late", "by then"]
