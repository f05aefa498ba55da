"""Changes of common facts: who died, who parted, who uses what, who has which post, what becomes of a ticket."""

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
    "I left Facebook for Google.": ["liang WORKS_AT Facebook: end ~", "liang WORKS_AT Google: dated_beginning ~"],
    "I joined Netflix in 2020 and my salary doubled.": ["liang WORKS_AT Netflix: dated_beginning 2020"],
    "Tom left Netflix in 2023.": ["Tom WORKS_AT Netflix: end 2023"],
}

JOINED = {
    # Firms that the parser takes for somebody.
    "Alice joined Anthropic in April 2024.": ["Alice WORKS_AT Anthropic: dated_beginning 2024-04"],
    "Alice joined Stripe in March 2024.": ["Alice WORKS_AT Stripe: dated_beginning 2024-03"],
    "Priya joined Ramp in 2021 and left in 2023.": [
        "Priya WORKS_AT Ramp: dated_beginning 2021",
        "Priya WORKS_AT Ramp: end 2023",
    ],
    "Alice joined Mary in March 2024.": [],
    "Alice joined Tom Brown in March 2024.": [],
    "I joined Kenji in the park.": [],
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
POSTS = {
    "Jane was let go by Siemens in January.": ["Jane WORKS_AT Siemens: end 2026-01"],
    "Tom works at Acme. He was let go in May.": [
        "Tom WORKS_AT Acme: observation ~",
        "Tom WORKS_AT Acme: end 2025-05",
    ],
    "Tom works at Acme. He was promoted in May.": ["Tom WORKS_AT Acme: observation ~"],
    "I handed in my notice at Orbis.": ["liang WORKS_AT Orbis: end ~ (planned)"],
    "Tom works at Acme. He handed in his notice in January.": ["Tom WORKS_AT Acme: observation ~"],
    "Jane is now at Globex.": ["Jane WORKS_AT Globex: observation ~"],
    "Jane is now with Globex.": ["Jane WORKS_AT Globex: observation ~"],
    "Jane is back at Globex.": ["Jane WORKS_AT Globex: observation ~"],
    "Jane is at Globex now.": [],
    "Jane is now at Heathrow.": [],
    "Jane is now at Stanford.": [],
    "Jane rejoined Globex.": ["Jane WORKS_AT Globex: dated_beginning ~"],
    "I got a new job at Globex.": ["liang WORKS_AT Globex: dated_beginning ~"],
    "Jane moved to Siemens.": ["Jane WORKS_AT Siemens: dated_beginning ~"],
    "Jane moved to Rome.": ["Jane LIVES_IN Rome: dated_beginning ~"],
    "I moved to Slack.": ["liang MOVE_TO Slack: dated_beginning ~"],
    "Tom moved from Acme to Globex in May.": [
        "Tom WORKS_AT Acme: end 2025-05",
        "Tom WORKS_AT Globex: dated_beginning 2025-05",
    ],
    "Jane left Google for Meta in May.": [
        "Jane WORKS_AT Google: end 2025-05",
        "Jane WORKS_AT Meta: dated_beginning 2025-05",
    ],
    "Jane left Berlin for Rome.": ["Jane LIVES_IN Berlin: end ~"],
    "Jane left Acme for good.": ["Jane WORKS_AT Acme: end ~"],
    "My last day at Delta is March 27.": ["liang WORKS_AT Delta: end 2026-03-27"],
    "My last day at Delta was March 27.": ["liang WORKS_AT Delta: end 2025-03-27"],
    "Jane's last day at Globex is Friday.": ["Jane WORKS_AT Globex: end 2026-03-06"],
    "Friday was my last day at Delta.": ["liang WORKS_AT Delta: end 2026-02-27"],
    "My last day at school was Friday.": [],
}

SUCCESSIONS = {
    "Tom replaced Jane as CFO of Acme in May.": [
        'Tom HAS_ROLE "CFO": dated_beginning 2025-05',
        "Tom WORKS_AT Acme: dated_beginning 2025-05",
        'Jane HAS_ROLE "CFO": end 2025-05',
    ],
    "Tom took over from Jane as CEO.": ['Tom HAS_ROLE "CEO": dated_beginning ~', 'Jane HAS_ROLE "CEO": end ~'],
    "Tom took over as CEO from Jane in May.": [
        'Tom HAS_ROLE "CEO": dated_beginning 2025-05',
        'Jane HAS_ROLE "CEO": end 2025-05',
    ],
    "Jane was succeeded by Nina as CFO.": ['Nina HAS_ROLE "CFO": dated_beginning ~', 'Jane HAS_ROLE "CFO": end ~'],
    "Tom replaced Jane.": ["Tom REPLACE Jane: dated_beginning ~"],
    "HubSpot replaced Salesforce as CRM.": [],
    "Tom replaced the battery as planned.": ['Tom REPLACE "battery": dated_beginning ~'],
    "Delta appointed Nina Park CFO.": ['Nina Park HAS_ROLE "CFO": dated_beginning ~'],
    "Delta named Nina Park its new CFO.": ['Nina Park HAS_ROLE "CFO": dated_beginning ~'],
    "Acme's CEO Tom Hill resigned.": ['Tom Hill HAS_ROLE "CEO": end ~'],
    "Acme's CEO, Tom Hill, resigned in May.": ['Tom Hill HAS_ROLE "CEO": end 2025-05'],
    "CEO Tom Hill lives in Rome.": ["Tom Hill LIVES_IN Rome: observation ~"],
    "Tom was promoted from engineer to manager.": [
        'Tom HAS_ROLE "engineer": end ~',
        'Tom HAS_ROLE "manager": dated_beginning ~',
    ],
    "Tom was demoted from director to manager in May.": [
        'Tom HAS_ROLE "director": end 2025-05',
        'Tom HAS_ROLE "manager": dated_beginning 2025-05',
    ],
    "Acme promoted Eve from engineer to manager.": [
        'Eve HAS_ROLE "engineer": end ~',
        'Eve HAS_ROLE "manager": dated_beginning ~',
    ],
    "I report to Omar instead of Helen now.": [
        "liang REPORTS_TO Omar: observation ~",
        "liang REPORTS_TO Helen: end ~",
    ],
    "I use Slack instead of Teams.": ["liang USES Slack: observation ~"],
}
PLANS = {
    "Acme is on the Pro plan. They cancelled in January.": [
        'Acme HAS_PLAN "Pro": observation ~',
        'Acme HAS_PLAN "Pro": end 2026-01',
    ],
    "Tom is on the Pro plan. They cancelled in January.": ['Tom HAS_PLAN "Pro": observation ~'],
    "Acme is on the Pro plan. Tom works at Globex. They cancelled in January.": [
        'Acme HAS_PLAN "Pro": observation ~',
        "Tom WORKS_AT Globex: observation ~",
    ],
    "Acme signed the Pro plan in May. Acme cancelled their subscription in June.": [
        'Acme HAS_PLAN "Pro": dated_beginning 2025-05',
        'Acme HAS_PLAN "Pro": end 2025-06',
    ],
    "I subscribed to Netflix in May. I cancelled my subscription in June.": [
        "liang SUBSCRIBES_TO Netflix: dated_beginning 2025-05",
        "liang SUBSCRIBES_TO Netflix: end 2025-06",
    ],
    "I cancelled my Netflix subscription.": ["liang SUBSCRIBES_TO Netflix: end ~"],
    "We cancelled the plan.": [],
    "Acme upgrades to Enterprise on April 1.": ['Acme HAS_PLAN "Enterprise": dated_beginning 2026-04-01'],
    "Northwind upgrades to Enterprise next month.": ['Northwind HAS_PLAN "Enterprise": dated_beginning 2026-04'],
    "Tom joins Acme in May.": ["Tom WORKS_AT Acme: dated_beginning 2026-05"],
}

THINGS = {
    "We replaced Salesforce with HubSpot.": [
        "liang USES Salesforce: end ~",
        "liang USES HubSpot: dated_beginning ~",
    ],
    "We replaced John with Mary.": ["liang REPLACE John: dated_beginning ~"],
    "I sold my Tesla last year.": ["liang USES Tesla: end 2025", "liang SELL Tesla: dated_beginning 2025"],
    "I sold my house.": ['liang SELL "house": dated_beginning ~'],
}

DIETS = {
    "I'm no longer vegetarian.": ['liang HAS_DIET "vegetarian": end ~'],
    "I'm not vegetarian anymore.": ['liang HAS_DIET "vegetarian": end ~'],
    "I became vegan last year.": ['liang HAS_DIET "vegan": dated_beginning 2025'],
    "I went vegan last year.": ['liang HAS_DIET "vegan": dated_beginning 2025'],
    "I turned vegetarian in 2019.": ['liang HAS_DIET "vegetarian": dated_beginning 2019'],
    "She went nuts.": [],
    "I'm no longer single.": ['liang HAS_MARITAL_STATUS "single": end ~'],
    "I outgrew my peanut allergy.": ["liang ALLERGIC_TO peanuts: end ~"],
    "I have a nut allergy.": ["liang ALLERGIC_TO nuts: observation ~"],
    "I have peanut and egg allergies.": [
        "liang ALLERGIC_TO peanuts: observation ~",
        "liang ALLERGIC_TO eggs: observation ~",
    ],
    "I no longer have a nut allergy.": ["liang ALLERGIC_TO nuts: end ~"],
    "I don't have a nut allergy.": ["liang ALLERGIC_TO nuts: denial ~"],
    "I have a food allergy.": ['liang HAVE "food allergy": observation ~'],
    "My daughter is allergic to penicillin and my son has asthma.": [
        "liang PARENT_OF liang's daughter: observation ~",
        "liang's daughter ALLERGIC_TO penicillin: observation ~",
        "liang PARENT_OF liang's son: observation ~",
        "liang's son HAS_CONDITION asthma: observation ~",
    ],
    "I'm lactose intolerant.": ["liang HAS_CONDITION lactose intolerance: observation ~"],
    "My son is gluten intolerant.": [
        "liang PARENT_OF liang's son: observation ~",
        "liang's son HAS_CONDITION gluten intolerance: observation ~",
    ],
    "I can't eat gluten.": ["liang CANNOT_EAT gluten: observation ~"],
    "Jane can't eat shellfish or peanuts.": [
        "Jane CANNOT_EAT shellfish: observation ~",
        "Jane CANNOT_EAT peanuts: observation ~",
    ],
    "I can't eat breakfast today.": [],
    "I can't eat anything.": [],
    "I can't eat another bite.": [],
    "If I can't eat meat, I'll leave.": [],
}

NAMED = {
    "I have a son, Leo, and a daughter, Mia.": [
        "liang PARENT_OF Leo: observation ~",
        "liang PARENT_OF Mia: observation ~",
    ],
    "I have two brothers, Tom and Sam.": [
        'liang HAS_COUNT "2 brothers": observation ~',
        "liang SIBLING_OF Tom: observation ~",
        "liang SIBLING_OF Sam: observation ~",
    ],
    "I have two sons named Leo and Max.": [
        'liang HAS_COUNT "2 sons": observation ~',
        "liang PARENT_OF Leo: observation ~",
        "liang PARENT_OF Max: observation ~",
    ],
    "I have a cat, Maine Coon.": ['liang HAVE "cat": observation ~'],
    "Jane Doe, CTO at Acme, wants a demo.": [
        "Jane Doe WORKS_AT Acme: observation ~",
        'Jane Doe HAS_ROLE "CTO": observation ~',
    ],
    "Jane, the CTO of Acme, wants a demo.": [
        "Jane WORKS_AT Acme: observation ~",
        'Jane HAS_ROLE "CTO": observation ~',
    ],
}
ALL = SERVICES | JOINED | GONE | PARTED | TICKETS | POSTS | SUCCESSIONS | PLANS | THINGS | DIETS | NAMED


@pytest.mark.parametrize("text", ALL)
async def test_changes(extractor: RuleExtractor, text: str) -> None:
    assert sorted(await read(extractor, text)) == sorted(ALL[text])
