"""The event by which a question dates itself: which one it is, and what is told when there is none."""

import pytest

from hitherto.query.results import SearchResult, TimeSource
from hitherto.temporal.claims import Says
from tests.query.builders import instant
from tests.query.conftest import ViewAt, Wall
from tests.query.scribe import Note, Scribe

BEGAN = Says.DATED_BEGINNING


@pytest.fixture
async def lives(scribe: Scribe, wall: Wall) -> None:
    """Dana's towns and jobs, Marta's, and Li Ming's in Chinese; only Dana's job is over."""
    await scribe.write(
        "Dana's towns and jobs.",
        Note("Dana", "LIVES_IN", "Athens", BEGAN, "2020-06"),
        Note("Dana", "LIVES_IN", "Oslo", BEGAN, "2021-06"),
        Note("Dana", "LIVES_IN", "Rome", BEGAN, "2025-02"),
        Note("Dana", "WORKS_AT", "TechCorp", BEGAN, "2020-01"),
        Note("Dana", "WORKS_AT", "TechCorp", Says.END, "2022-01"),
        Note("Dana", "WORKS_AT", "Anthropic", BEGAN, "2024-03"),
        Note("Dana", "NAMED", "Dana Reyes", BEGAN, "2019"),
        said="2025-03-01",
        session="s1",
    )
    await scribe.write(
        "李明先后住在北京和上海。",
        Note("李明", "LIVES_IN", "北京", BEGAN, "2020-06"),
        Note("李明", "LIVES_IN", "上海", BEGAN, "2023-06"),
        Note("李明", "WORKS_AT", "腾讯", BEGAN, "2020-01"),
        Note("李明", "WORKS_AT", "腾讯", Says.END, "2022-06"),
        said="2025-03-02",
        session="s2",
    )
    silver, gold = (
        Note("Acme", "HAS_PLAN", plan, BEGAN, on) for plan, on in (("Silver", "2023"), ("Gold", "2024"))
    )
    await scribe.write("Acme was on Silver, then on Gold.", silver, gold, said="2024-06-01", session="s3")
    wall.now = instant("2026-01-01")


def event(result: SearchResult) -> str | None:
    found = result.question.event
    return None if found is None else found.fact.text


@pytest.mark.parametrize(
    "question",
    [
        "What should I know before I call Dana?",
        "Before I call Dana, what should I know?",
        "What should I know before calling Dana?",
        "What should I know when Dana moves?",
        "What should I know about Dana before she joins the call?",
        "我给李明打电话之前应该知道什么？",
        "李明开会的时候喜欢喝什么？",
    ],
)
async def test_what_is_to_come_dates_nothing(lives: None, at: ViewAt, question: str) -> None:
    result = await at().search(question)
    assert (event(result), result.question.time_source) == (None, TimeSource.NOW)
    assert result.question.valid == instant("2026-01-01")


@pytest.mark.parametrize(
    ("question", "known", "answer"),
    [
        ("Where did Dana live before she moved?", "Dana lives in Rome", "Oslo"),
        ("Before moving to Rome, where did Dana live?", "Dana lives in Rome", "Oslo"),
        ("Where did Dana live before she finally moved to the city of Oslo?", "Dana lives in Oslo", "Athens"),
        ("Where did Dana work after she joined TechCorp?", "Dana works at TechCorp", "Anthropic"),
        ("Where did Dana live before she started her new job at Anthropic?", "Dana works at Anthropic", "Oslo"),
        ("Where did Dana live after she joined TechCorp?", "Dana works at TechCorp", "Athens"),
        ("What was Dana's job before Anthropic?", "Dana works at Anthropic", "TechCorp"),
        ("Where did Dana live before Anthropic?", "Dana works at Anthropic", "Oslo"),
        ("What plan was Acme on before Gold?", "Acme is on the Gold plan", "Silver"),
        ("What plan was Acme on before it upgraded?", "Acme is on the Gold plan", "Silver"),
        ("李明搬家之前住在哪里？", "李明 lives in 上海", "北京"),
        ("李明搬到上海之前住在哪里？", "李明 lives in 上海", "北京"),
        ("Where did Dana live after she worked at TechCorp?", "Dana works at TechCorp", "Oslo"),
        ("Where did Dana live next after she worked at TechCorp?", "Dana works at TechCorp", "Rome"),
        ("Where did Dana live after she moved to Athens?", "Dana lives in Athens", "Oslo"),
        ("Where did Dana live before she moved in 2021?", "Dana lives in Oslo", "Athens"),
        ("Where did Dana live before joining Anthropic in 2024?", "Dana works at Anthropic", "Oslo"),
        ("Where did Dana live until she moved to Oslo?", "Dana lives in Oslo", "Athens"),
        ("Where did Dana live prior to Oslo?", "Dana lives in Oslo", "Athens"),
        ("Where did Dana work before she left TechCorp?", "Dana works at TechCorp", "TechCorp"),
        ("Where has Dana lived since leaving TechCorp?", "Dana works at TechCorp", None),
        ("李明从腾讯跳槽之后住在哪里？", "李明 works at 腾讯", "北京"),
        ("李明离开腾讯后住在哪里？", "李明 works at 腾讯", "北京"),
        ("李明离开腾讯后搬到了哪里？", "李明 works at 腾讯", "上海"),
        ("Where did Dana move after she left TechCorp?", "Dana works at TechCorp", "Rome"),
    ],
)
async def test_what_happened_dates(lives: None, at: ViewAt, question: str, known: str, answer: str | None) -> None:
    result = await at().search(question)
    assert (event(result), result.answer and result.answer.text) == (known, answer)


@pytest.mark.parametrize(
    "question",
    [
        "Where did Dana live before she moved to Vienna?",
        "where did dana live before she moved to vienna?",
        "Where did Dana live after she joined Initech?",
        "Where did Dana live before Nadia moved?",
        "Where did Nadia live before she moved?",
        "Before she moved, where did Nadia live?",
        "Where did Dana live before I called?",
        "Where did Dana live before the merger?",
        "Where did Dana live before she moved in 2023?",
        "李明搬到维也纳之前住在哪里？",
        "李明加入字节跳动之后住在哪里？",
    ],
)
async def test_an_unknown_event_is_no_other_one(lives: None, at: ViewAt, question: str) -> None:
    """Nor is what holds now told as of then: all of time is open."""
    result = await at().search(question)
    assert (event(result), result.answer) == (None, None)
    assert (result.question.valid, result.question.during) == (None, None)
    assert result.question.time_text


@pytest.mark.parametrize(
    ("question", "known", "start", "end"),
    [
        ("Where did Dana live while she was at TechCorp?", "Dana works at TechCorp", "2020-01-01", "2022-01-01"),
        ("Where did Dana live during her time at TechCorp?", "Dana works at TechCorp", "2020-01-01", "2022-01-01"),
        ("Where did Dana work at the time of her move?", "Dana lives in Rome", "2025-02-01", "2025-03-01"),
        ("李明在腾讯的时候住在哪里？", "李明 works at 腾讯", "2020-01-01", "2022-06-01"),
        ("李明离开腾讯后去了哪里？", "李明 works at 腾讯", "2022-06-01", None),
        ("Where did Dana live after TechCorp?", "Dana works at TechCorp", "2022-01-01", None),
    ],
)
async def test_what_a_clause_names_dates(
    lives: None, at: ViewAt, question: str, known: str, start: str, end: str | None
) -> None:
    result = await at().search(question)
    assert event(result) == known
    during = result.question.during
    assert during is not None
    assert (during.start, during.end) == (instant(start), None if end is None else instant(end))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Since when does Dana work at Anthropic?", "2024-03"),
        ("Dana has worked at Anthropic since when?", "2024-03"),
        ("When did Dana work at TechCorp?", "2020-01 → 2022-01"),
        ("How long has Dana been at Anthropic?", "1 year 10 months so far"),
        ("How long was Dana at TechCorp?", "2 years"),
        ("How long was Dana on holiday at TechCorp?", None),
        ("How long was Dana?", None),
        ("Where did Dana originally live?", "Athens"),
        ("Where did Dana live before work?", None),
        ("李明在北京住了多久？", "约3年"),
        ("李明什么时候去腾讯的？", None),
    ],
)
async def test_times_that_are_asked_plainly(lives: None, at: ViewAt, question: str, answer: str | None) -> None:
    result = await at().search(question)
    assert (result.answer and result.answer.text) == answer


@pytest.mark.parametrize("question", ["Where did Dana live before?", "And where was Dana before that?"])
async def test_before_that_is_any_time(lives: None, at: ViewAt, question: str) -> None:
    read = (await at().search(question)).question
    assert (read.valid, read.during, read.event) == (None, None, None)


async def test_after_a_state_is_after_its_end(lives: None, at: ViewAt) -> None:
    for question, start in {
        "Where did Dana live after she worked at TechCorp?": "2022-01-01",
        "Where did Dana live after she left TechCorp?": "2022-01-01",
        "Where did Dana live after she joined TechCorp?": "2020-01-01",
        "Where has Dana lived since she worked at Anthropic?": "2024-03-01",
    }.items():
        during = (await at().search(question)).question.during
        assert during is not None
        assert during.start == instant(start), question


@pytest.mark.parametrize(
    ("question", "session", "meant"),
    [
        ("What can Nadia eat if she comes to dinner?", "s1", []),
        ("What can Nadia eat if she comes to dinner?", None, []),
        ("Where does she live?", "s9", []),
        ("Where does she live?", "s1", ["Dana"]),
        ("Where does she live?", None, ["李明"]),
        ("Does she like Vienna?", "s1", ["Dana"]),
        ("What CRM notes are there about her?", "s1", ["Dana"]),
        ("When in Vienna, what does she like?", "s1", ["Dana"]),
        ("Tell me: does Anthropic still employ her?", "s1", ["Anthropic", "Dana"]),
    ],
)
async def test_she_is_nobody_else_than_who_is_named(
    lives: None, at: ViewAt, question: str, session: str | None, meant: list[str]
) -> None:
    result = await at().search(question, session=session)
    assert [e.name for e in result.question.entities] == meant
