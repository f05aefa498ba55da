"""Open relations: what is stated by a verb that the ontology does not know."""

from __future__ import annotations

from datetime import UTC

import pytest

from hitherto.extraction.rules import RuleExtractor
from hitherto.kg.ontology import Ontology
from tests.extraction.reading import read, read_session

STATED = {
    # past: it began
    "I donated my old car to a homeless shelter yesterday.": [
        'liang DONATE "old car to homeless shelter": dated_beginning 2026-03-01'
    ],
    "We painted the old fence last Saturday.": ['liang PAINT "old fence": dated_beginning 2026-02-28'],
    "I joined a gym last week!": ['liang JOIN "gym": dated_beginning 2026-W09'],
    "I went camping with my kids.": ['liang GO "camping with kids": dated_beginning ~'],
    "Tom mentored a young designer.": ['Tom MENTOR "young designer": dated_beginning ~'],
    "I met a lot of local artists.": ['liang MEET "local artists": dated_beginning ~'],
    "Here is the recipe I cooked yesterday.": ['liang COOK "recipe": dated_beginning 2026-03-01'],
    # present: it holds
    "I'm learning the piano and the violin.": [
        'liang LEARN "piano": observation ~',
        'liang LEARN "violin": observation ~',
    ],
    "I own a Tesla Model 3.": ['liang OWN "Tesla Model 3": observation ~'],
    "I teach yoga every Friday.": ['liang TEACH "yoga": observation ~'],
    "I have been blogging about politics.": ['liang BLOG_ABOUT "politics": observation ~'],
    "I've been taking Spanish classes since 2024.": ['liang TAKE "Spanish classes": since 2024'],
    "I was invited to a garden party.": ['liang BE_INVITED_TO "garden party": dated_beginning ~'],
    # ending
    "I don't drink coffee anymore.": ['liang DRINK "coffee": end ~'],
    "I no longer eat meat.": ['liang EAT "meat": end ~'],
    "I stopped taking pottery classes.": ['liang TAKE "pottery classes": end ~'],
    "I cancelled my gym membership.": ['liang CANCEL "gym membership": dated_beginning ~'],
    # not, perhaps, or not yet
    "I don't eat meat.": ['liang EAT "meat": denial ~'],
    "I want to paint the old fence.": ['liang PAINT "old fence": dated_beginning ~ (hoped)'],
    "I will paint the old fence.": ['liang PAINT "old fence": dated_beginning ~ (planned)'],
    "I will paint the old fence on 9 May 2026.": ['liang PAINT "old fence": dated_beginning 2026-05-09'],
    "I might have painted the old fence.": ['liang PAINT "old fence": dated_beginning ~ (hedged)'],
}


@pytest.mark.parametrize("text", STATED)
async def test_what_is_stated(extractor: RuleExtractor, text: str) -> None:
    assert await read(extractor, text) == STATED[text]


NOTHING = (
    "Did I paint the old fence?",
    "If I paint the old fence, it will rain.",
    "I would paint the old fence.",
    "Paint the old fence!",
    "You painted a lovely picture.",
    "I had no idea.",
    "I have a question.",
    "That takes guts.",
    "I have been waiting for ages.",
    "I made it.",
    "She painted the old fence.",
    "My neighbor painted the old fence.",
    "The storm damaged the old fence.",
    'The sign said "I painted the old fence" in red.',
    "I run to de-stress.",
    "Congrats on the new shop!",
)


@pytest.mark.parametrize("text", NOTHING)
async def test_what_states_nothing(extractor: RuleExtractor, text: str) -> None:
    assert await read(extractor, text) == []


async def test_she_is_whom_the_sentence_before_named(extractor: RuleExtractor) -> None:
    _, second = await read_session(
        extractor, ("liang", "Tom joined Acme."), ("liang", "He restores vintage bikes.")
    )
    assert second == ['Tom RESTORE "vintage bikes": observation ~']


async def test_a_closed_ontology_takes_none() -> None:
    closed = RuleExtractor(Ontology.starter().extended((), closed=True), UTC)
    assert await read(closed, "I restore vintage bikes and live in Oslo.") == [
        "liang LIVES_IN Oslo: observation ~"
    ]
