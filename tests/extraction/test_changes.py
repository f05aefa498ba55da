"""Who is no more, who parted, who joins a service, what becomes of a ticket: changes of common facts."""

from __future__ import annotations

import pytest

from hitherto.extraction.rules import RuleExtractor
from tests.extraction.reading import read

SERVICES = {
    "I quit Spotify.": ["liang SUBSCRIBES_TO Spotify: end ~"],
    "I left Facebook.": ["liang USES Facebook: end ~"],
    "I left Netflix and joined Disney+.": [
        "liang SUBSCRIBES_TO Netflix: end ~",
        "liang SUBSCRIBES_TO Disney+: dated_beginning ~",
    ],
    "My daughter quit Facebook in May.": [
        "liang PARENT_OF liang's daughter: observation ~",
        "liang's daughter USES Facebook: end 2025-05",
    ],
    "I joined Netflix as an engineer.": [
        "liang WORKS_AT Netflix: dated_beginning ~",
        'liang HAS_ROLE "engineer": dated_beginning ~',
    ],
    "I work at Netflix.": ["liang WORKS_AT Netflix: observation ~"],
    "I left Facebook for Google.": ["liang WORKS_AT Facebook: end ~"],
    "I joined Netflix in 2020 and my salary doubled.": ["liang WORKS_AT Netflix: dated_beginning 2020"],
    "Tom left Netflix in 2023.": ["Tom WORKS_AT Netflix: end 2023"],
}

GONE = {
    "Our cat Misty passed away on Sunday.": ["liang HAS_PET Misty: end 2026-03-01"],
    "Our dog Rex died in January.": ["liang HAS_PET Rex: end 2026-01"],
    "Our cat Misty was put to sleep yesterday.": ["liang HAS_PET Misty: end 2026-03-01"],
    "I had a dog named Rex.": ["liang HAS_PET Rex: end ~"],
    "We had to give our dog Biscuit away.": ["liang HAS_PET Biscuit: end ~"],
    "We rehomed our cat Misty in May.": ["liang HAS_PET Misty: end 2025-05"],
    "My dog is called Rex. He died last year.": [
        "liang HAS_PET Rex: observation ~",
        "liang HAS_PET Rex: end 2025",
    ],
    "Rex is my dog. Rex died in May.": ["liang HAS_PET Rex: observation ~", "liang HAS_PET Rex: end 2025-05"],
    "My dog is called Rex. Tom visited. He died last year.": ["liang HAS_PET Rex: observation ~"],
    "My dog Rex didn't die.": ["liang HAS_PET Rex: observation ~"],
    "I'd cry if my dog Rex died.": ["liang HAS_PET Rex: observation ~"],
    "I don't have a dog named Rex.": [],
    "I have a dog named Rex.": ["liang HAS_PET Rex: observation ~"],
    "My husband Frank passed away in 2019.": ["liang SPOUSE_OF Frank: end 2019"],
    "My husband is Frank. He died in 2019.": [
        "liang SPOUSE_OF Frank: observation ~",
        "liang SPOUSE_OF Frank: end 2019",
    ],
    "I lost my husband Frank in 2019.": ["liang SPOUSE_OF Frank: end 2019"],
    "I had a manager named Bob.": ["liang REPORTS_TO Bob: end ~"],
    "My grandmother Rose died in 2010.": [],
    "My company is called Acme.": [],
    "We had to leave Berlin in 2020.": ["liang LIVES_IN Berlin: end 2020"],
    "I have to leave Berlin.": [],
}

PARTED = {
    "My girlfriend Nina and I broke up last week.": ["liang PARTNER_OF Nina: end 2026-W09"],
    "Laura and I split up.": ["liang PARTNER_OF Laura: end ~"],
    "My wife Laura and I separated.": ["liang SPOUSE_OF Laura: end ~"],
    "My wife is Eve. My wife and I separated in May.": [
        "liang SPOUSE_OF Eve: observation ~",
        "liang SPOUSE_OF Eve: end 2025-05",
    ],
    "My wife and I separated.": [],
    "Tom and Eve got divorced in May.": [
        "Tom SPOUSE_OF Eve: end 2025-05",
        'Tom HAS_MARITAL_STATUS "divorced": dated_beginning 2025-05',
        'Eve HAS_MARITAL_STATUS "divorced": dated_beginning 2025-05',
    ],
    "Eve and I are separated.": ["liang SPOUSE_OF Eve: end ~"],
    "Nina is separated from Olaf.": ["Nina SPOUSE_OF Olaf: end ~"],
    "Nina is divorced from Olaf.": [
        'Nina HAS_MARITAL_STATUS "divorced": observation ~',
        "Nina SPOUSE_OF Olaf: end ~",
    ],
    "My wife Eve and I moved to Rome.": [
        "liang SPOUSE_OF Eve: observation ~",
        "Eve LIVES_IN Rome: dated_beginning ~",
        "liang LIVES_IN Rome: dated_beginning ~",
    ],
    "Tom and Laura split the bill.": [
        'Tom SPLIT "bill": dated_beginning ~',
        'Laura SPLIT "bill": dated_beginning ~',
    ],
}

TICKETS = {
    "Ticket 5521 was closed on Monday but reopened today.": [
        'ticket 5521 HAS_STATUS "closed": dated_beginning 2026-02-23',
        'ticket 5521 HAS_STATUS "reopened": dated_beginning 2026-03-02',
    ],
    "Ticket 5521 was closed.": ['ticket 5521 HAS_STATUS "closed": dated_beginning ~'],
    "Ticket 5521 was open.": ['ticket 5521 HAS_STATUS "open": end ~'],
    "I've closed ticket 5521.": ['ticket 5521 HAS_STATUS "closed": dated_beginning ~'],
    "I've not closed ticket 5521.": [],
    "I paid invoice 77.": ['invoice 77 HAS_STATUS "paid": dated_beginning ~'],
    "Order 55 shipped on Friday.": ['order 55 HAS_STATUS "shipped": dated_beginning 2026-02-27'],
    "I closed the door.": ['liang CLOSE "door": dated_beginning ~'],
}
ALL = SERVICES | GONE | PARTED | TICKETS


@pytest.mark.parametrize("text", ALL)
async def test_changes(extractor: RuleExtractor, text: str) -> None:
    assert sorted(await read(extractor, text)) == sorted(ALL[text])
