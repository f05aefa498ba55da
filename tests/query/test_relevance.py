"""What has nothing of a question does not stand above what answers it."""

from __future__ import annotations

import pytest

from hitherto.kg.model import Value
from hitherto.query.questions import asks_for_something
from hitherto.query.results import EpisodeHit, FactHit, Hit
from tests.query.conftest import ViewAt
from tests.query.scribe import Note, Scribe

BRACE = "I've already bought the ankle brace, but I'm worried about getting injured again."


@pytest.fixture
async def patient(scribe: Scribe) -> None:
    """Somebody of whom little is known as facts, and more from what was said."""
    facts = (
        Note("Anna", "BOUGHT", "ankle brace"),
        Note("Anna", "LIKES", "hot pot"),
        Note("Anna", "COMES_FROM", "Sichuan"),
    )
    await scribe.write(BRACE, *facts, said="2025-10-05", actor="Anna", session="s")
    for said, text in (
        ("2025-10-20", "I just measured my waist, it's now 96cm, down 8cm!"),
        ("2025-10-21", "My shoes have size 43, they feel tight by the evening."),
        ("2025-10-22", "I work as a nurse in the night shift."),
        ("2025-10-23", "我对花生过敏，吃了会起疹子。"),
    ):
        await scribe.write(text, said=said, actor="Anna", session="s")


def name(hit: Hit) -> str:
    match hit:
        case FactHit():
            return hit.belief.fact.text
        case EpisodeHit():
            return hit.episode.text
    return hit.entity.name


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("What is Anna's waist circumference?", "waist"),
        ("What is Anna's shoe size?", "size 43"),
        ("Does Anna work in the night?", "nurse"),
        ("Anna对什么过敏？", "花生"),
    ],
)
async def test_the_message_stands_above_facts_that_only_share_the_name(
    patient: None, at: ViewAt, question: str, word: str
) -> None:
    hits = list(await at().search(question, limit=20))
    told = next(n for n, hit in enumerate(hits) if word in name(hit))
    facts = [n for n, hit in enumerate(hits) if isinstance(hit, FactHit)]
    assert all(told < n for n in facts), [name(hit) for hit in hits]


@pytest.mark.parametrize(
    ("question", "fact"),
    [
        ("What did Anna buy?", "Anna bought ankle brace"),
        ("Does Anna have a brace?", "Anna bought ankle brace"),
        ("What does Anna like to eat?", "Anna likes hot pot"),
        ("Where is Anna from?", "Anna comes from Sichuan"),
        ("Anna是哪里人？", "Anna comes from Sichuan"),
    ],
)
async def test_a_fact_with_something_of_the_question_stays_first(
    patient: None, at: ViewAt, question: str, fact: str
) -> None:
    assert name((await at().search(question))[0]) == fact


@pytest.mark.parametrize("text", ["Anna", "Tell me about Anna", "Who is Anna?", "Prepare the call with Anna"])
async def test_whoever_wants_anything_gets_the_facts(patient: None, at: ViewAt, text: str) -> None:
    facts = {name(hit) for hit in (await at().search(text, limit=10)).facts}
    assert {"Anna bought ankle brace", "Anna likes hot pot", "Anna comes from Sichuan"} <= facts


async def test_of_two_measures_the_one_asked_for_comes_first(scribe: Scribe, at: ViewAt) -> None:
    await scribe.write(
        "My waist is 96 cm and my weight is 80 kg.",
        Note("Anna", "HAS_WAIST", Value("96 cm")),
        Note("Anna", "WEIGHS", Value("80 kg")),
        said="2025-10-20",
        actor="Anna",
    )
    questions = {
        "What is Anna's waist?": "Anna's waist circumference is 96 cm",
        "How much does Anna weigh?": "Anna weighs 80 kg",
        "Anna的腰围是多少？": "Anna's waist circumference is 96 cm",
        "Anna多重？": "Anna weighs 80 kg",
    }
    for question, fact in questions.items():
        assert name((await at().search(question))[0]) == fact


@pytest.mark.parametrize(
    ("text", "rest", "asks"),
    [
        ("What is Anna's waist?", "What is      's waist?", True),
        ("Anna的腰围是多少？", "    的腰围是多少？", True),
        ("Anna's waist?", "      waist?", True),
        ("Anna's waist", "      waist", False),
        ("Tell me about Anna", "Tell me about     ", False),
        ("Who is Anna?", "Who is     ?", False),
    ],
)
def test_what_asks_for_something(text: str, rest: str, asks: bool) -> None:
    assert asks_for_something(text, rest) is asks
