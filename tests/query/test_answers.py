import pytest

from hitherto.query.results import FactHit, SearchResult
from hitherto.temporal.claims import Says
from tests.query.builders import instant
from tests.query.conftest import ViewAt, Wall
from tests.query.scribe import JOINED, LEFT, Note, Scribe, write_all

BEGAN = Says.DATED_BEGINNING


@pytest.fixture
async def lives(scribe: Scribe, wall: Wall) -> None:
    """Alice at three employers and in three towns; Bob beside her; Liang in Chinese."""
    early = Note("Alice", "WORKS_AT", "Initech", BEGAN, "2019")
    await write_all(scribe, [JOINED, LEFT])
    await scribe.write("Alice began at Initech in 2019 and lived in Rome.", early, said="2026-03-03")
    await scribe.write(
        "Rome, then Oslo, then Berlin.",
        Note("Alice", "LIVES_IN", "Rome", BEGAN, "2018-05"),
        Note("Alice", "LIVES_IN", "Oslo", BEGAN, "2021-06"),
        Note("Alice", "LIVES_IN", "Berlin", BEGAN, "2025-02-10"),
        Note("Bob", "WORKS_AT", "TechCorp", BEGAN, "2024-01"),
        said="2026-03-04",
    )
    await scribe.write("Carol has lived in Lisbon.", Note("Carol", "LIVES_IN", "Lisbon"), said="2026-03-05")
    wall.now = instant("2026-11-15")


def told(result: SearchResult) -> str | None:
    return None if result.answer is None else result.answer.text


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("When did Alice join Anthropic?", "2026-03-02"),
        ("When did Alice leave TechCorp?", "2026-03-02"),
        ("What year did Alice start a job at TechCorp?", "2023-01"),
        ("When did Alice work at TechCorp?", "2023-01 → 2026-03-02"),
        ("When did Carol move to Lisbon?", "2026-03-05"),
        ("Alice 什么时候加入 Anthropic？", "2026-03-02"),
        ("How long did Alice work at TechCorp?", "3 years 2 months"),
        ("How many years did Alice work at TechCorp?", "3 years 2 months"),
        ("How long has Alice lived in Berlin?", "1 year 9 months so far"),
        ("Alice 在 TechCorp 工作了多久？", "3年2个月"),
        ("How many jobs has Alice had?", "3: Initech, TechCorp, Anthropic"),
        ("How many cities has Alice lived in?", "3: Rome, Oslo, Berlin"),
        ("Who was the first to work at TechCorp?", "Alice"),
        ("What was Alice's first job?", "Initech"),
        ("Where did Alice live first?", "Rome"),
        ("What is Alice's previous employer where she worked?", "TechCorp"),
        ("Where did Alice work before Anthropic?", "TechCorp"),
        ("Where did Alice work before she joined TechCorp?", "Initech"),
        ("Where did Alice live before she moved to Berlin?", "Oslo"),
        ("Where did Alice live before she moved?", "Oslo"),
        ("Where did Alice live after she moved to Oslo?", "Berlin"),
        ("Where did Alice work after TechCorp?", "Anthropic"),
        ("Alice 搬到 Berlin 之前住在哪？", "Oslo"),
        ("Alice 去 Anthropic 之前在哪工作？", "TechCorp"),
        ("When did Alice first move?", "2018-05"),
        ("When did Alice last move?", "2025-02-10"),
        ("When did Alice move?", None),
        ("How many times has Alice moved?", "3: 2018-05, 2021-06, 2025-02-10"),
        ("How many times has Alice changed jobs?", "2: 2023-01, 2026-03-02"),
        ("How long ago did Alice move to Berlin?", "1 year 9 months ago"),
        ("Alice 多久以前加入 Anthropic？", "8个月13天前"),
        ("When did Alice stop working at TechCorp?", "2026-03-02"),
        ("When did Bob stop working at TechCorp?", None),
        ("When did Alice start working at Anthropic?", "2026-03-02"),
        ("When did Alice first work at a company?", "2019"),
        ("Where does Alice work?", None),
        ("When did Alice join Globex?", None),
        ("when did alice join globex?", None),
        ("What was the first car Alice got?", None),
        ("How long did Zoe work at TechCorp?", None),
        ("How many children does Alice have?", None),
        ("What happened before the race?", None),
    ],
)
async def test_the_timeline_answers(lives: None, at: ViewAt, question: str, answer: str | None) -> None:
    assert told(await at().search(question)) == answer


@pytest.fixture
async def changes(scribe: Scribe, wall: Wall) -> None:
    """Lives of which not every beginning was told; plans, tastes and travels."""
    await write_all(
        scribe,
        [
            ("2021-02-01", "Ed likes tea.", [Note("Ed", "LIKES", "tea")]),
            ("2021-07-01", "Ed likes coffee.", [Note("Ed", "LIKES", "coffee")]),
            ("2021-08-01", "Ed uses Teams.", [Note("Ed", "USES", "Teams")]),
            ("2021-09-01", "Ed uses Notion.", [Note("Ed", "USES", "Notion")]),
            (
                "2021-10-01",
                "Ed switched from Teams to Slack.",
                [Note("Ed", "USES", "Teams", Says.END), Note("Ed", "USES", "Slack", BEGAN)],
            ),
            ("2022-01-10", "Ed is in Munich.", [Note("Ed", "LIVES_IN", "Munich")]),
            ("2022-02-01", "Fay is in Lyon.", [Note("Fay", "LIVES_IN", "Lyon")]),
            ("2022-03-01", "Fay joined Initech.", [Note("Fay", "WORKS_AT", "Initech", BEGAN)]),
            ("2023-05-01", "Ed moved to Oslo.", [Note("Ed", "LIVES_IN", "Oslo", BEGAN)]),
            ("2023-05-20", "Ed was in Rome.", [Note("Ed", "VISITED", "Rome", BEGAN, "2023-05")]),
            ("2024-03-20", "Ed was in Rome.", [Note("Ed", "VISITED", "Rome", BEGAN, "2024-03")]),
            (
                "2024-02-01",
                "Dana left TechCorp and joined Anthropic.",
                [Note("Dana", "WORKS_AT", "TechCorp", Says.END), Note("Dana", "WORKS_AT", "Anthropic", BEGAN)],
            ),
            ("2024-01-10", "Acme has Silver.", [Note("Acme", "HAS_PLAN", "Silver")]),
            (
                "2024-04-10",
                "Acme upgraded from Silver to Gold.",
                [Note("Acme", "HAS_PLAN", "Silver", Says.END), Note("Acme", "HAS_PLAN", "Gold", BEGAN)],
            ),
            ("2024-01-11", "Umbra has Silver.", [Note("Umbra", "HAS_PLAN", "Silver")]),
            ("2024-06-10", "Umbra cancelled Silver.", [Note("Umbra", "HAS_PLAN", "Silver", Says.END)]),
            ("2010-05-01", "Gus married Ida.", [Note("Gus", "SPOUSE_OF", "Ida", BEGAN)]),
            ("2015-05-01", "Gus married Una.", [Note("Gus", "SPOUSE_OF", "Una", BEGAN)]),
            ("2019-05-01", "Gus divorced Una.", [Note("Gus", "SPOUSE_OF", "Una", Says.END)]),
            ("2024-07-01", "王芳的名字是王芳。", [Note("王芳", "NAMED", "王芳")]),
            (
                "2024-07-02",
                "王芳2020年加入腾讯，2023年加入阿里。",
                [Note("王芳", "WORKS_AT", "腾讯", BEGAN, "2020"), Note("王芳", "WORKS_AT", "阿里", BEGAN, "2023")],
            ),
        ],
    )
    wall.now = instant("2026-11-30")


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What was Dana's first job?", "TechCorp"),
        ("Where did Dana work before Anthropic?", "TechCorp"),
        ("What did Ed like before he moved to Oslo?", "tea, coffee"),
        ("Where did Ed live before he moved to Oslo?", "Munich"),
        ("What did Ed use before Slack?", "Teams"),
        ("What did Ed use before Notion?", "Teams"),
        ("What did Ed use before he moved to Oslo?", "Notion, Slack"),
        ("How many times did Ed move?", "1: 2023-05-01"),
        ("How many cities has Ed lived in?", "2: Munich, Oslo"),
        ("When did Ed first move?", "2023-05-01"),
        ("How many times did Fay move?", None),
        ("When did Fay move?", None),
        ("How many times has Fay changed jobs?", None),
        ("When did Ed first visit Rome?", "2023-05"),
        ("When did Ed last visit Rome?", "2024-03"),
        ("When was the last time Ed visited Rome?", "2024-03"),
        ("When did Ed visit Rome?", "2023-05, 2024-03"),
        ("How many times did Ed visit Rome?", "2: 2023-05, 2024-03"),
        ("How long ago did Ed visit Rome?", "2 years 8 months ago"),
        ("When did Acme cancel?", None),
        ("When did Acme cancel Silver?", None),
        ("When did Acme upgrade from Silver?", "2024-04-10"),
        ("When did Umbra cancel?", "2024-06-10"),
        ("When did Gus divorce Ida?", None),
        ("When did Gus divorce Una?", "2019-05-01"),
        ("How many times has Gus divorced?", "1: 2019-05-01"),
        ("How many times has Gus married?", "2: 2010-05-01 → 2015-05-01, 2015-05-01 → 2019-05-01"),
        ("When did Ed leave Munich?", "about 2023-05-01"),
        ("When did Ed visit Rome most recently?", "2024-03"),
        ("王芳第一家公司是哪家？", "腾讯"),
        ("王芳上一家公司是哪家？", "腾讯"),
        ("王芳的第一份工作是什么？", "腾讯"),
        ("王芳换过几次工作？", "1: 2023"),
        ("王芳跳槽过几次？", "1: 2023"),
        ("王芳做过几份工作？", "2: 腾讯, 阿里"),
    ],
)
async def test_what_began_unseen_and_what_changed(
    changes: None, at: ViewAt, question: str, answer: str | None
) -> None:
    assert told(await at().search(question)) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("When did Alice join TechCorp?", "2023-01"),
        ("When did Alice join Anthropic?", None),
        ("When did Alice leave TechCorp?", None),
        ("When did Alice work at TechCorp?", "2023-01 →"),
        ("When did Alice last move?", "2021-06"),
        ("How many times has Alice moved?", "2: 2018-05, 2021-06"),
        ("How many jobs has Alice had?", "2: Initech, TechCorp"),
        ("How long ago did Alice move to Oslo?", "2 years 7 months ago"),
        ("How long ago did Alice move to Berlin?", None),
        ("Where did Alice live before she moved to Berlin?", None),
    ],
)
async def test_a_view_of_the_past_answers_with_nothing_after_it(
    lives: None, at: ViewAt, question: str, answer: str | None
) -> None:
    result = await at(instant("2024-01-15")).search(question)
    assert told(result) == answer
    for belief in result.answer.beliefs if result.answer else ():
        assert belief.period.high > belief.period.low
        assert belief.valid_from is not None
        assert belief.valid_from.at <= instant("2024-01-15")
        assert belief.valid_to is None or belief.valid_to.at <= instant("2024-01-15")


async def test_an_answer_tells_what_it_rests_on(lives: None, at: ViewAt) -> None:
    result = await at().search("Where did Alice work before Anthropic?")
    assert result.answer is not None
    assert [str(b) for b in result.answer.beliefs] == ["Alice works at TechCorp · 2023-01 → 2026-03-02"]
    assert result.answer.how == "the last to begin before Alice works at Anthropic (2026-03-02)"
    event = result.question.event
    assert event is not None
    assert (event.fact.text, result.question.time_text) == ("Alice works at Anthropic", "before Anthropic?"[:-1])
    assert result.question.during is not None
    assert "Anthropic" not in " ".join(h.belief.fact.text for h in result.facts)


async def test_answers_are_of_the_view(lives: None, at: ViewAt) -> None:
    assert told(await at(known=instant("2026-03-02")).search("How many jobs has Alice had?")) == "1: TechCorp"
    assert (
        told(await at(instant("2024-01-01")).search("How long has Alice worked at TechCorp?")) == "1 year so far"
    )
    filtered = await at().search("When did Alice join Anthropic?", where={"predicates": "WORKS_AT"})
    assert filtered.answer is None


@pytest.mark.parametrize(
    ("question", "first", "others"),
    [
        ("Where did Alice work in March 2026?", "Alice works at Anthropic", {"Alice works at TechCorp"}),
        ("Where has Alice lived since 2024?", "Alice lives in Berlin", {"Alice lives in Oslo"}),
        ("Where did Alice live before 2020?", "Alice lives in Rome", set()),
        ("Alice 去年住在哪？", "Alice lives in Berlin", {"Alice lives in Oslo"}),
        ("Where does Alice live this year?", "Alice lives in Berlin", set()),
        ("Where does Alice currently live?", "Alice lives in Berlin", set()),
        ("Where did Alice live last summer?", "Alice lives in Berlin", set()),
        ("Where did Alice live as of March 2021?", "Alice lives in Rome", set()),
        ("Where did Alice live when she worked at TechCorp?", "Alice lives in Berlin", {"Alice lives in Oslo"}),
    ],
)
async def test_a_time_in_a_question_is_all_of_it(
    lives: None, at: ViewAt, question: str, first: str, others: set[str]
) -> None:
    result = await at().search(question, kinds="fact", limit=20)
    hit = result[0]
    assert isinstance(hit, FactHit)
    assert hit.belief.fact.text == first
    predicate = hit.belief.fact.predicate
    held = {h.belief.fact.text for h in result.facts if h.belief.fact.predicate == predicate}
    assert {text for text in held if text.startswith("Alice")} == {first} | others
