"""What is said of one part of a sentence only, what is taken back at once, and what is not said to be so."""

from __future__ import annotations

import pytest

from hitherto.extraction.rules import RuleExtractor
from hitherto.extraction.sentences import pieces
from tests.extraction.reading import read

CONTRASTS = {
    "Rita is a nurse, not a doctor.": ['Rita HAS_ROLE "doctor": denial', 'Rita HAS_ROLE "nurse": observation ~'],
    "My name is Anne, not Anna.": ['liang NAMED "Anne": observation ~'],
    "My email is jo@x.com, not joe@x.com.": ['liang HAS_EMAIL "jo@x.com": observation ~'],
    "Acme is on the Pro plan, not on Basic.": ['Acme HAS_PLAN "Pro": observation ~'],
    "Tom is allergic to nuts, not to milk.": ["Tom ALLERGIC_TO nuts: observation ~"],
    "Rita works at Bosch, not at Siemens.": [
        "Rita WORKS_AT Bosch: observation ~",
        "Rita WORKS_AT Siemens: denial",
    ],
    "Sam works at Acme and not at Globex.": ["Sam WORKS_AT Acme: observation ~", "Sam WORKS_AT Globex: denial"],
    "Sam doesn't live in Rome but in Oslo.": ["Sam LIVES_IN Oslo: observation ~", "Sam LIVES_IN Rome: denial ~"],
    "Sam does not live in Rome, but in Oslo.": ["Sam LIVES_IN Oslo: observation ~", "Sam LIVES_IN Rome: denial ~"],
    "Sam no longer lives in Rome but in Oslo.": ["Sam LIVES_IN Oslo: observation ~", "Sam LIVES_IN Rome: end ~"],
    "Sam lives neither in Rome nor in Oslo.": ["Sam LIVES_IN Oslo: denial ~", "Sam LIVES_IN Rome: denial ~"],
    "Sam likes neither tea nor coffee.": ["Sam LIKES coffee: denial ~", "Sam LIKES tea: denial ~"],
    "Sam likes tea but not coffee.": ["Sam LIKES coffee: denial", "Sam LIKES tea: observation ~"],
    "I don't like tea or coffee, but I like milk.": [
        "liang DISLIKES coffee: observation ~",
        "liang DISLIKES tea: observation ~",
        "liang LIKES milk: observation ~",
    ],
    "Tom is not a doctor but a nurse.": ['Tom HAS_ROLE "doctor": denial ~', 'Tom HAS_ROLE "nurse": observation ~'],
    "Not Sam but Tom joined Acme.": ["Tom WORKS_AT Acme: dated_beginning ~"],
    "Tom isn't joining Acme after all.": ["Tom WORKS_AT Acme: denial ~"],
    "Tom is no longer moving to Rome.": ["Tom LIVES_IN Rome: denial ~"],
}

PRESENTS = {
    "I grew up in Leeds but live in Manchester now.": [
        "liang COMES_FROM Leeds: observation ~",
        "liang LIVES_IN Manchester: observation ~",
    ],
    "I left Acme and work at Globex.": ["liang WORKS_AT Acme: end ~", "liang WORKS_AT Globex: observation ~"],
    "I used to work at Acme but work at Globex now.": [
        "liang WORKS_AT Acme: end ~",
        "liang WORKS_AT Globex: observation ~",
    ],
    "I moved to Leeds in 2019 and work at Lidl.": [
        "liang LIVES_IN Leeds: dated_beginning 2019",
        "liang WORKS_AT Lidl: observation ~",
    ],
    "I got married in 2015 and have two kids.": ['liang HAS_COUNT "2 kids": observation ~'],
    "I used to live in Rome and work at Acme.": ["liang LIVES_IN Rome: end ~", "liang WORKS_AT Acme: end ~"],
}

UNTRUE = {
    "Let's say I live in Rome.": [],
    "For example, say Tom works at Acme.": [],
    "Imagine Nina works at Kraft.": [],
    "Suppose I lived in Berlin.": [],
    "In my dream I lived in Paris.": [],
    "In the movie, Jack lives in Paris.": [],
    "It's a rumor that Tom works at Acme.": ["Tom WORKS_AT Acme: observation ~ (reported)"],
    "It's not true that Nina lives in Berlin.": [],
    "It's true that Nina lives in Berlin.": ["Nina LIVES_IN Berlin: observation ~"],
    "It's false that Nina lives in Berlin.": [],
    "Nina denied that Karl works at Kraft.": [],
    "I thought Tom worked at Acme.": [],
    "I'm surprised that Tom works at Acme.": ["Tom WORKS_AT Acme: observation ~"],
    "Tom was promoted to CTO but declined.": ['Tom HAS_ROLE "CTO": dated_beginning ~ (hoped)'],
}

RETRACTED = {
    "I live in Rome, sorry, Milan.": ["liang LIVES_IN Milan: observation ~"],
    "I live in Rome. No wait, Milan.": ["liang LIVES_IN Milan: observation ~"],
    "I joined Acme, I mean Globex.": ["liang WORKS_AT Globex: dated_beginning ~"],
    "I joined Acme in 2018, no, 2019.": ["liang WORKS_AT Acme: dated_beginning 2019"],
    "I joined Acme in 2018 (actually 2019).": ["liang WORKS_AT Acme: dated_beginning 2019"],
    "I live in Rome. Sorry, Tom.": ["liang LIVES_IN Rome: observation ~"],
    "Sorry, I meant Rita moved to Bonn.": ["Rita LIVES_IN Bonn: dated_beginning ~"],
}

WRITTEN_TALK = {
    "Tom: I live in Rome.": ["Tom LIVES_IN Rome: observation ~"],
    "Tom: I live in Rome. I work at Acme.\nI live in Oslo.": [
        "Tom LIVES_IN Rome: observation ~",
        "Tom WORKS_AT Acme: observation ~",
        "liang LIVES_IN Oslo: observation ~",
    ],
    "[10:02] Sara: I work at Globex.": ["Sara WORKS_AT Globex: observation ~"],
    "Customer: I moved to Rome.": [],
    "June: I moved to Rome.": ["liang LIVES_IN Rome: dated_beginning ~"],
    "We met at 5 p.m. I live in Rome.": ["liang LIVES_IN Rome: observation ~"],
    "Update: I moved to Rome.": ["liang LIVES_IN Rome: dated_beginning ~"],
    "Eve: Tom works at Acme.": ["Tom WORKS_AT Acme: observation ~"],
    'Nina told me, "I live in Berlin."': [],
}

ALL = CONTRASTS | PRESENTS | UNTRUE | RETRACTED | WRITTEN_TALK


@pytest.mark.parametrize("text", ALL)
async def test_said_of_one_part_only(extractor: RuleExtractor, text: str) -> None:
    assert sorted(await read(extractor, text)) == sorted(ALL[text])


@pytest.mark.parametrize(
    "text", ["A-" * 200_000, "Tom: a\n" * 40_000, "A " * 200_000, "I live in Rome, " * 30_000]
)
def test_long_hostile_texts_are_cut_in_time(text: str) -> None:
    """What a pattern could go through again from every character, or every line for every sentence."""
    assert all(len(piece.text) <= 600 for piece in pieces(text, 0, len(text)))


@pytest.mark.parametrize("text", [*RETRACTED, *WRITTEN_TALK])
def test_pieces_keep_their_places(text: str) -> None:
    """Each character of a piece that is no blank stands in the text where the piece says."""
    for piece in pieces(text, 0, len(text)):
        there = text[piece.start : piece.start + len(piece.text)]
        assert all(a in (b, " ") for a, b in zip(piece.text, there, strict=True))
