"""Questions of every sort on every store: odd ones are only questions, wrong ones are refused in a line."""

from typing import Any

import pytest

from hitherto import Invalid
from tests.promises.conftest import Opener
from tests.promises.test_bad_input import one_line
from tests.support import SaidClaim, StepClock, day, said

ODD = [
    "the of and", "?!…", "的了吗", "'; DROP TABLE fact; --", "\x00Ann \ud800", 'AND NOT "*:( ',
    "NEAR(Ann, 5) ^2 ~ [a TO b] {x} \\ / && || !", "title:Ann*", "before before after", "how many how long first",
]  # fmt: skip

WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("", {}, "question is empty"),
    (" \n\t ", {}, "question is empty"),
    ("x" * 100_000, {}, "has 100000 characters; ask in at most 10000"),
    ("Ann", {"limit": 0}, "limit=0; give 1 to 1000"),
    ("Ann", {"limit": -1}, "limit=-1"),
    ("Ann", {"kinds": ["facts"]}, "facts is none; use fact, episode, entity"),
    ("Ann", {"k": 5}, "unknown option 'k'; use actor"),
    ("Ann", {"fusion": "votes"}, "fusion='votes' is none"),
    ("Ann", {"where": {"predicate": "LIKES"}}, "did you mean 'predicates'"),
    ("Ann", {"during": "whenever"}, "during: 'whenever' is not a date"),
]


async def test_odd_questions_are_only_questions(fresh: Opener) -> None:
    memory = await fresh()
    await memory.add(said(SaidClaim("dated_beginning", "Oslo", 0)), occurred_at=day(1))
    view = memory.at()
    for question in ODD:
        found = await view.search(question, limit=3)
        assert len(found) <= 3
        assert found.answer is None, question
    assert (await view.search('"Ann" AND (WORKS_AT:*)', kinds="fact")).facts


async def test_wrong_questions_are_refused(fresh: Opener) -> None:
    memory = await fresh()
    for question, options, message in WRONG:
        with pytest.raises(Invalid, match=message) as raised:
            await memory.search(question, **options)
        one_line(raised)


async def test_the_timeline_answers(fresh: Opener) -> None:
    """As of what is known, whatever is written after a view first read."""
    memory = await fresh(clock=StepClock(day(900)))
    stints = SaidClaim("extent", "Initech", 0, 100), SaidClaim("dated_beginning", "Globex", 366)
    await memory.add(said(*stints), occurred_at=day(500))
    view = memory.at()
    asked = {
        "When did Ann join Globex?": "2025-01-01",
        "How long did Ann work at Initech?": "3 months 9 days",
        "Where did Ann work before Globex?": "Initech",
        "How many jobs has Ann had?": "2: Initech, Globex",
        "What was Ann's first job?": "Initech",
        "How many times has Ann changed jobs?": "1: 2025-01-01",
        "When did Ann stop working at Initech?": "2024-04-10",
        "When did Ann last join a company?": "2025-01-01",
        "When did Ann join Umbrella?": None,
    }
    for later in (False, True):
        if later:
            await memory.add(said(SaidClaim("extent", "Umbrella", -50, -10)), occurred_at=day(600))
        for question, text in asked.items():
            answer = (await view.search(question, limit=1)).answer
            assert (answer and answer.text) == text
    now = (await memory.search("What was Ann's first job?")).answer
    assert now is not None
    assert now.text == "Umbrella"


async def test_only_what_happened_dates_a_question(fresh: Opener) -> None:
    """What is to come leaves it about now; an event that nobody knows leaves all of time open."""
    memory = await fresh(clock=StepClock(day(900)))
    for town, start in (("Oslo", "2024-02"), ("Rome", "2025-02")):
        await memory.assert_fact("Dana", "LIVES_IN", town, valid_from=start)
    dated = await memory.search("Where did Dana live before she moved to Rome?")
    assert dated.question.event is not None
    assert (dated.answer and dated.answer.text) == "Oslo"
    lost = await memory.search("Where did Dana live before she moved to Vienna?")
    assert (lost.question.event, lost.question.valid, lost.answer) == (None, None, None)
    ahead = await memory.search("What should I know before Dana moves to Vienna?", kinds="fact")
    assert (ahead.question.event, ahead.question.time_source) == (None, "now")
    assert [hit.belief.fact.text for hit in ahead.facts] == ["Dana lives in Rome"]


async def test_a_view_of_the_past_answers_as_of_then(fresh: Opener) -> None:
    memory = await fresh(clock=StepClock(day(900)))
    stints = SaidClaim("extent", "Initech", 0, 100), SaidClaim("dated_beginning", "Globex", 366)
    await memory.add(said(*stints), occurred_at=day(500))
    asked = {
        "When did Ann join Initech?": "2024-01-01",
        "When did Ann leave Initech?": None,
        "When did Ann join Globex?": None,
        "How many times has Ann changed jobs?": None,
    }
    for question, text in asked.items():
        answer = (await memory.at(valid=day(50)).search(question, limit=1)).answer
        assert (answer and answer.text) == text, question


async def test_who_left_had_come_before(fresh: Opener) -> None:
    """Nobody said when, but the first job is not the one that followed it."""
    memory = await fresh(clock=StepClock(day(900)))
    await memory.add(said(SaidClaim("end", "Initech", 100), SaidClaim("dated_beginning", "Globex", 100)))
    for question in ("What was Ann's first job?", "Where did Ann work before Globex?"):
        answer = (await memory.search(question, limit=1)).answer
        assert answer is not None
        assert answer.text == "Initech"
