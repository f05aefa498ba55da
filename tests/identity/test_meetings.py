"""Names that mean one within a message, and those that never do, as a memory reads them on both stores."""

from __future__ import annotations

import pytest

from hitherto import Memory
from hitherto.extraction.likeness import bare_name, stands_for
from hitherto.extraction.meetings import met
from hitherto.kg.model import Draft, Mention
from hitherto.kg.ontology import SAME_AS
from hitherto.temporal.claims import Says
from tests.promises.conftest import Opener
from tests.support import DAY_ZERO, rules


@pytest.fixture(params=["memory", pytest.param("neo4j", marks=pytest.mark.neo4j)])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


async def told(fresh: Opener, *texts: str) -> Memory:
    memory = await fresh(extractor=rules())
    for place, text in enumerate(texts):
        await memory.add(text, occurred_at=f"2024-01-{place + 1:02}", actor="crm:1", id=str(place))
    return memory


async def held(memory: Memory, name: str | None = None, predicate: str | None = None) -> list[str]:
    found = (await memory.facts(name, predicate, limit=1000)).items
    return sorted(b.fact.text for b in found if b.fact.predicate != SAME_AS)


HOLMES = "Sherlock Holmes lives in London. Mr. Holmes speaks French."


@pytest.mark.parametrize("texts", [(HOLMES, "Mr. Holmes speaks German."), ("Mr. Holmes speaks German.", HOLMES)])
async def test_mr_holmes_is_whom_a_message_says(fresh: Opener, texts: tuple[str, str]) -> None:
    memory = await told(fresh, *texts)
    spoken = ["Sherlock Holmes speaks French", "Sherlock Holmes speaks German"]
    assert await held(memory, "Sherlock Holmes", "SPEAKS") == await held(memory, "Mr. Holmes", "SPEAKS") == spoken
    other = await memory.add("Mycroft Holmes lives in Rome. Mr. Holmes speaks Spanish.", occurred_at="2024-02-01")
    assert await held(memory, "Sherlock Holmes", "SPEAKS") == ["Sherlock Holmes speaks French"]
    assert await held(memory, "Mycroft Holmes", "SPEAKS") == ["Mycroft Holmes speaks Spanish"]
    assert "Mr. Holmes speaks German" in await held(memory, "Mr. Holmes", "SPEAKS")
    await memory.retract(other.episode_id)
    assert await held(memory, "Sherlock Holmes", "SPEAKS") == spoken
    await memory.split("Mr. Holmes", "Sherlock Holmes")
    assert await held(memory, "Sherlock Holmes", "SPEAKS") == ["Sherlock Holmes speaks French"]


async def test_initials_titles_and_legal_forms_within_a_message(fresh: Opener) -> None:
    memory = await told(
        fresh,
        "I live in New York City now. I love NYC.",
        "John Smith works at Acme Inc.",
        "Dr. John Smith lives in Rome. Kim works at Acme.",
    )
    [liked] = (await memory.facts(predicate="LIKES", object="NYC")).items
    assert liked.fact.text == "crm:1 likes New York City"
    [smith] = (await memory.facts(predicate="LIVES_IN", object="Rome")).items
    assert await memory.at().entity("John Smith") == smith.fact.subject
    assert len((await memory.facts(predicate="WORKS_AT", object="Acme")).items) == 2


@pytest.mark.parametrize(
    ("text", "homes"),
    [
        ("Priya Sharma works at Contoso. Priya moved to Berlin.", ["Priya Sharma lives in Berlin"]),
        ("Priya moved to Berlin. Priya Sharma works at Contoso.", ["Priya lives in Berlin"]),
        (
            "Priya Sharma works at Contoso. Priya Patel works at Globex. Priya moved to Berlin.",
            ["Priya lives in Berlin"],
        ),
        ("Priya Sharma works at Contoso. My sister Priya moved to Berlin.", ["Priya lives in Berlin"]),
        ("Sherlock Holmes works at Contoso. Holmes moved to Berlin.", ["Holmes lives in Berlin"]),
    ],
)
async def test_a_first_name_behind_the_full_one_means_them_in_the_message(
    fresh: Opener, text: str, homes: list[str]
) -> None:
    memory = await told(fresh, text)
    assert await held(memory, None, "LIVES_IN") == homes
    assert (await memory.facts(predicate=SAME_AS)).items == ()


async def test_a_speaker_s_name_is_their_own(fresh: Opener) -> None:
    memory = await fresh(extractor=rules())
    text = "Priya Sharma works at Contoso. I moved to Berlin."
    await memory.add(text, occurred_at="2024-01-01", actor="priya")
    assert await held(memory, None, "LIVES_IN") == ["priya lives in Berlin"]


async def test_what_is_two_stays_two(fresh: Opener) -> None:
    memory = await told(
        fresh,
        "Anna likes C#. Ben likes C++.",
        "Fay works on mlp-332. Gus works on mlp-333.",
        "Dora works at 上海 Research Institute. Emil works at 北京 Research Institute.",
        "Mr. Pat Smith lives in Rome. Mrs. Pat Smith lives in Oslo.",
        "Ida works at Bolt Inc. Jan works at Bolt GmbH.",
    )
    for pair in (
        ("C#", "C++"),
        ("mlp-332", "mlp-333"),
        ("上海 Research Institute", "北京 Research Institute"),
        ("Mr. Pat Smith", "Mrs. Pat Smith"),
    ):
        one, other = [await memory.at().entity(name) for name in pair]
        assert one.id != other.id
    found = [(d.a.name, d.b.name) for d in await memory.duplicates()]
    assert all("Pat" not in a and "mlp" not in a and "C" not in a for a, _ in found)
    assert len((await memory.facts(predicate="LIVES_IN")).items) == 2


@pytest.mark.parametrize(
    ("short", "long", "answer"),
    [
        (("NYC", "Place"), ("New York City", "Place"), True),
        (("NYC", "Thing"), ("New York City", "Place"), True),
        (("NYC", "Person"), ("New York City", "Place"), False),
        (("Mr. Holmes", "Person"), ("Sherlock Holmes", "Person"), True),
        (("Mrs. Holmes", "Person"), ("Mr. Sherlock Holmes", "Person"), False),
        (("Holmes", "Person"), ("Sherlock Holmes", "Person"), False),
        (("Mr. Sherlock", "Person"), ("Sherlock Holmes", "Person"), False),
        (("张先生", "Person"), ("张伟", "Person"), True),
        (("李先生", "Person"), ("张伟", "Person"), False),
        (("Dr. Holmes", "Person"), ("Holmes", "Person"), False),
        (("A1B", "Thing"), ("Alpha 2 Beta", "Thing"), False),
    ],
)
def test_what_stands_for_what(short: tuple[str, str], long: tuple[str, str], answer: bool) -> None:
    assert stands_for(short, long) is answer


@pytest.mark.parametrize(
    ("name", "kind", "bare"),
    [
        ("Acme Inc.", "Organization", ("Acme", True)),
        ("Acme Holding Co., Ltd.", "Organization", ("Acme Holding", True)),
        ("腾讯科技有限公司", "Organization", ("腾讯科技", True)),
        ("Acme", "Organization", None),
        ("Acme Inc.", "Thing", None),
        ("Limited", "Organization", None),
        ("Dr. John Smith", "Person", ("John Smith", False)),
        ("Mr. John Smith", "Person", ("John Smith", True)),
        ("Mr. Smith", "Person", None),
        ("王伟先生", "Person", ("王伟", True)),
        ("王先生", "Person", None),
        ("John Smith", "Person", None),
    ],
)
def test_bare_names(name: str, kind: str, bare: tuple[str, bool] | None) -> None:
    found = bare_name(name, kind)
    assert (None if found is None else (found.text, found.telling)) == bare


def test_two_that_a_short_name_may_stand_for_leave_it_alone() -> None:
    names = ("Sherlock Holmes", "Mycroft Holmes", "Mr. Holmes")
    drafts = [
        Draft(
            says=Says.OBSERVATION,
            subject=Mention(name, "Person"),
            predicate="LIKES",
            object=Mention("tea"),
            stated_at=DAY_ZERO,
            position=place,
            quote_start=0,
            quote_end=1,
        )
        for place, name in enumerate(names)
    ]
    assert met(drafts) == drafts
