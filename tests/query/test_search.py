from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from hitherto.kg.store import Target
from hitherto.query.questions import MAX_CHARACTERS
from hitherto.query.results import EntityHit, EpisodeHit, FactHit, SearchResult, TimeSource
from hitherto.temporal.claims import Says
from hitherto.temporal.errors import Invalid
from tests.query.builders import instant
from tests.query.conftest import ViewAt, Wall
from tests.query.scribe import JOINED, LEFT, Note, Scribe, write_all


@pytest.fixture
async def alice(scribe: Scribe) -> list[str]:
    return await write_all(scribe, [JOINED, LEFT])


@pytest.fixture
async def liang(scribe: Scribe) -> str:
    return await scribe.write(
        "我是 Liang，住北京，做 AI 工程师，我喜欢冷咖啡",
        Note("liang", "NAMED", "Liang"),
        Note("liang", "LIVES_IN", "北京"),
        Note("liang", "HAS_ROLE", "AI 工程师"),
        Note("liang", "LIKES", "冷咖啡"),
        said="2026-03-03",
        actor="liang",
        session="s1",
    )


def top(result: SearchResult) -> FactHit:
    first = result[0]
    assert isinstance(first, FactHit), str(result)
    return first


@pytest.mark.parametrize(
    ("question", "fact", "dates"),
    [
        ("Where does Alice work?", "Alice works at Anthropic", "2026-03-02 →"),
        ("Where does Alice work now?", "Alice works at Anthropic", "2026-03-02 →"),
        ("Alice 现在在哪工作？", "Alice works at Anthropic", "2026-03-02 →"),
        ("where is alice working", "Alice works at Anthropic", "2026-03-02 →"),
        ("Who works at Anthropic?", "Alice works at Anthropic", "2026-03-02 →"),
        ("What is Alice's job?", "Alice is research engineer", "2026-03-02 →"),
        ("Where did Alice work in April 2024?", "Alice works at TechCorp", "2023-01 → 2026-03-02"),
        ("Alice 2024年4月在哪工作？", "Alice works at TechCorp", "2023-01 → 2026-03-02"),
        ("Who ever worked at TechCorp?", "Alice works at TechCorp", "2023-01 → 2026-03-02"),
        ("谁曾经在 TechCorp 工作？", "Alice works at TechCorp", "2023-01 → 2026-03-02"),
    ],
)
async def test_the_answer_comes_first(alice: list[str], at: ViewAt, question: str, fact: str, dates: str) -> None:
    hit = top(await at().search(question))
    assert (hit.belief.fact.text, hit.dates) == (fact, dates)


async def test_a_fact_comes_with_its_quote(alice: list[str], at: ViewAt) -> None:
    hit = top(await at(instant("2024-04-01")).search("Where does Alice work?"))
    assert str(hit) == (
        "Alice works at TechCorp · 2023-01 → 2026-03-02 · “Alice joined TechCorp in January 2023.”"
    )
    assert hit.episode_id == alice[0]
    assert {r.leg for r in hit.legs} == {"fact:answer", "fact:graph", "fact:meaning", "fact:words"}


async def test_as_known_before_the_second_message(alice: list[str], at: ViewAt) -> None:
    result = await at(known=instant("2026-03-01")).search("Where does Alice work?")
    hit = top(result)
    assert (hit.belief.fact.text, hit.dates) == ("Alice works at TechCorp", "2023-01 →")
    assert "Anthropic" not in str(result)


async def test_what_does_not_hold_is_no_fact_hit(alice: list[str], at: ViewAt) -> None:
    facts = (await at().search("TechCorp Alice work", limit=100)).facts
    assert "TechCorp" not in " ".join(f.belief.fact.text for f in facts)
    facts = (await at(instant("2024-04-01")).search("Anthropic Alice work", limit=100)).facts
    assert "Anthropic" not in " ".join(f.belief.fact.text for f in facts)


async def test_a_later_message_is_evidence_for_an_earlier_time(alice: list[str], at: ViewAt) -> None:
    result = await at(instant("2024-04-01")).search("research engineer", kinds=["episode"])
    assert result.episodes[0].id == alice[1]


@pytest.mark.parametrize(
    ("question", "fact"),
    [
        ("他喝什么咖啡？", "liang likes 冷咖啡"),
        ("What coffee does he drink?", "liang likes 冷咖啡"),
        ("Liang 住在哪？", "liang lives in 北京"),
        ("Where does Liang live?", "liang lives in 北京"),
        ("她住在哪？", "liang lives in 北京"),
        ("我住在哪？", "liang lives in 北京"),
        ("Where do I live?", "liang lives in 北京"),
    ],
)
async def test_pronouns_mean_the_sessions_speaker(
    alice: list[str], liang: str, scribe: Scribe, at: ViewAt, question: str, fact: str
) -> None:
    await scribe.write(
        "I live in Oslo and like hot coffee.",
        Note("olga", "LIVES_IN", "Oslo"),
        Note("olga", "LIKES", "hot coffee"),
        said="2026-03-04",
        actor="olga",
        session="s2",
    )
    hit = top(await at().search(question, session="s1"))
    assert hit.belief.fact.text == fact


async def test_without_a_session_the_latest_people_are_meant(liang: str, at: ViewAt) -> None:
    result = await at().search("他喝什么咖啡？")
    assert top(result).belief.fact.text == "liang likes 冷咖啡"
    assert ([e.name for e in result.question.entities], result.question.pronouns) == (["liang"], ("他",))


async def test_whoever_is_spoken_of_goes_before_who_speaks(scribe: Scribe, at: ViewAt) -> None:
    await scribe.write(
        "I live in Rome", Note("bob", "LIVES_IN", "Rome"), said="2026-03-01", actor="bob", session="s"
    )
    await scribe.write(
        "Ann lives in Paris", Note("Ann", "LIVES_IN", "Paris"), said="2026-03-02", actor="bob", session="s"
    )
    result = await at().search("Where does she live?", session="s", actor="bob")
    assert top(result).belief.fact.text == "Ann lives in Paris"
    assert [e.name for e in result.question.entities] == ["Ann"]


async def test_my_is_the_actor_who_asks(scribe: Scribe, at: ViewAt) -> None:
    await scribe.write("I live in Rome", Note("bob", "LIVES_IN", "Rome"), said="2026-03-01", actor="bob")
    await scribe.write("I live in Paris", Note("ann", "LIVES_IN", "Paris"), said="2026-03-02", actor="ann")
    assert top(await at().search("Where do I live?", actor="bob")).belief.fact.text == "bob lives in Rome"
    assert top(await at().search("我住在哪？", actor="ann")).belief.fact.text == "ann lives in Paris"
    stranger = (await at().search("Where do I live?", actor="zoe")).question
    assert (stranger.entities, stranger.pronouns) == ((), ())


async def test_the_question_is_shown_as_it_was_read(alice: list[str], at: ViewAt) -> None:
    question = (await at().search("Where did Alice work in April 2024?")).question
    assert [e.name for e in question.entities] == ["Alice"]
    assert question.predicates[0] == "WORKS_AT"
    assert (question.valid, question.time_source, question.time_text) == (
        datetime(2024, 4, 30, 23, 59, 59, 999999, UTC),
        TimeSource.QUESTION,
        "April 2024",
    )


async def test_the_caller_overrides_the_questions_time(alice: list[str], at: ViewAt) -> None:
    result = await at(instant("2026-03-05")).search("Where did Alice work in April 2024?")
    assert top(result).belief.fact.text == "Alice works at Anthropic"
    assert result.question.time_source is TimeSource.CALLER


async def test_now_is_the_clocks(alice: list[str], at: ViewAt, wall: Wall) -> None:
    wall.now = instant("2023-06-01")
    assert top(await at().search("Where does Alice work?")).belief.fact.text == "Alice works at TechCorp"


async def test_dates_are_read_in_the_memorys_zone(alice: list[str], at: ViewAt) -> None:
    result = await at(zone=ZoneInfo("Asia/Shanghai")).search("Where did Alice work in April 2024?")
    assert result.question.valid == datetime(2024, 4, 30, 15, 59, 59, 999999, UTC)


async def test_a_fact_with_two_periods_gives_a_hit_for_each(scribe: Scribe, at: ViewAt) -> None:
    notes = [
        Note("Alice", "WORKS_AT", "TechCorp", Says.DATED_BEGINNING, "2018"),
        Note("Alice", "WORKS_AT", "Initech", Says.DATED_BEGINNING, "2020"),
        Note("Alice", "WORKS_AT", "TechCorp", Says.DATED_BEGINNING, "2022"),
    ]
    await scribe.write("TechCorp, then Initech, then TechCorp again.", *notes, said="2026-03-01")
    found = (await at().search("Who ever worked at TechCorp?")).facts
    techcorp = [h.dates for h in found if h.belief.fact.text == "Alice works at TechCorp"]
    assert sorted(techcorp) == ["2018 → 2020", "2022 →"]


async def test_kinds_narrow_what_is_found(alice: list[str], at: ViewAt) -> None:
    for kind, hit in ((Target.FACT, FactHit), ("episode", EpisodeHit), ("entity", EntityHit)):
        result = await at().search("Alice", kinds=[kind])
        assert len(result) > 0
        assert all(isinstance(h, hit) for h in result)
    assert {h.id for h in await at().search("Alice", kinds="episode")} == set(alice)


async def test_the_best_stay_when_the_limit_is_small(alice: list[str], at: ViewAt) -> None:
    everything = await at().search("Where does Alice work?", limit=50)
    for limit in (1, 2, 3):
        few = await at().search("Where does Alice work?", limit=limit)
        assert [h.id for h in few] == [h.id for h in everything][:limit]
    scores = [h.score for h in everything]
    assert scores == sorted(scores, reverse=True)


async def test_the_same_question_has_the_same_answer(alice: list[str], liang: str, at: ViewAt) -> None:
    first = await at().search("Who works where?", limit=20)
    assert [(h.id, h.score) for h in first] == [
        (h.id, h.score) for h in await at().search("Who works where?", limit=20)
    ]


@pytest.mark.parametrize(
    "question",
    [
        'AND NOT "*:( ',
        'Alice" OR "1"="1',
        "NEAR(Alice, 5) ^2 ~ [a TO b] {x} \\ / && || !",
        "title:Alice*",
        "'; DROP TABLE facts; --",
        "\x00Alice\x00",
        "Alice \ud800",
        "🙂",
        "?!…",
        "the of and",
        "Zoe Zimmermann",
        "% _",
    ],
)
async def test_odd_questions_are_only_questions(alice: list[str], at: ViewAt, question: str) -> None:
    result = await at().search(question)
    assert len(result) <= 10
    assert top(await at().search("Where does Alice work?")).belief.fact.text == "Alice works at Anthropic"


async def test_syntax_around_a_name_does_not_hide_it(alice: list[str], at: ViewAt) -> None:
    assert top(await at().search('"Alice" AND (WORKS_AT:*)')).belief.fact.subject.name == "Alice"


@pytest.mark.parametrize(
    ("question", "options"),
    [
        ("", {}),
        (" \n ", {}),
        ("x" * 100_000, {}),
        ("Alice", {"limit": 0}),
        ("Alice", {"limit": -3}),
        ("Alice", {"kinds": ["facts"]}),
        ("Alice", {"kinds": []}),
        ("Alice", {"fusion": "votes"}),
        ("Alice", {"session": 7}),
        ("Alice", {"actor": ["Ann"]}),
        ("Alice", {"k": 3}),
    ],
)
async def test_wrong_questions_are_refused(
    alice: list[str], at: ViewAt, question: str, options: dict[str, object]
) -> None:
    with pytest.raises(Invalid):
        await at().search(question, **options)  # type: ignore[arg-type]


async def test_an_unknown_option_is_told_with_those_there_are(at: ViewAt) -> None:
    with pytest.raises(Invalid, match=r"did you mean 'kinds'\? use actor, diversity, during, explain"):
        await at().search("Alice", kind="fact")  # type: ignore[call-arg]


async def test_the_longest_question_is_answered(alice: list[str], at: ViewAt) -> None:
    for filler in ("and so on ", "还有别的事情"):
        question = ("Where does Alice work? " + filler * MAX_CHARACTERS)[:MAX_CHARACTERS]
        assert top(await at().search(question)).belief.fact.text == "Alice works at Anthropic"


async def test_legs_count_by_scores_or_by_ranks_alone(alice: list[str], at: ViewAt) -> None:
    by_scores = await at().search("Where does Alice work?", limit=20)
    by_ranks = await at().search("Where does Alice work?", limit=20, fusion="ranks")
    assert {h.id for h in by_scores} == {h.id for h in by_ranks}
    assert [h.score for h in by_scores] != [h.score for h in by_ranks]
    assert top(by_ranks).belief.fact.text == "Alice works at Anthropic"


async def test_an_answer_is_found_by_the_question_before_it(at: ViewAt, scribe: Scribe) -> None:
    await scribe.write("Which pottery class did you join?", said="2026-03-01", session="a", actor="Ben")
    answer = await scribe.write("The one downtown, on Tuesdays.", said="2026-03-02", session="a", actor="Ann")
    await scribe.write("It rains again.", said="2026-03-02", session="b", actor="Ann")
    found = await at().search("Which pottery class did Ann join?", kinds=["episode"])
    assert [hit.id for hit in found][1] == answer
    assert [leg.leg for leg in found[1].legs] == ["episode:around"]
