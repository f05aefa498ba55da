"""E-mail addresses, telephone numbers and ids in other systems decide who is who, on every store."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hitherto import Memory
from hitherto.extraction.extractor import Reading
from hitherto.kg.identifiers import email_key, id_key, identifier, phone_key
from hitherto.kg.model import Draft, Mention, Value
from hitherto.kg.ontology import SAME_AS
from hitherto.temporal.claims import Says
from hitherto.temporal.grains import Bound
from tests.promises.conftest import Opener, believed
from tests.support import StepClock, day, rules


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("Alice@ACME.com", "alice@acme.com"),
        ("alice+news@acme.com", "alice@acme.com"),
        ("ａｌｉｃｅ＠ａｃｍｅ．ｃｏｍ", "alice@acme.com"),
        ("mailto:a.chen@acme.com", "a.chen@acme.com"),
        ("info@acme.com", None),
        ("no-reply+4@acme.com", None),
        ("alice@acme", None),
        ("alice at acme.com", None),
        ("", None),
    ],
)
def test_keys_of_addresses(written: str, key: str | None) -> None:
    assert email_key(written) == key


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("+49 30 1234567", "tel:+49301234567"),
        ("＋４９（３０）１２３-４５６７", "tel:+49301234567"),
        ("0049 30 123 45 67", "tel:+49301234567"),
        ("+49 (0)30 1234567", "tel:+49301234567"),
        ("030 1234567", "tel:0301234567"),
        ("13800138000", "tel:13800138000"),
        ("+1 (415) 555-0132", "tel:+14155550132"),
        ("415 555 0132", "tel:4155550132"),
        ("555 0132", None),
        ("110", None),
        ("+123456789012345678", None),
        ("+0 30 1234567", None),
        ("2020-05-12 at 7", None),
    ],
)
def test_keys_of_numbers(written: str, key: str | None) -> None:
    """The same number with and without its country has two keys: which country it is nobody said."""
    assert phone_key(written) == key


def test_keys_of_other_ids_and_names_that_are_identifiers() -> None:
    assert (id_key("CRM:4711"), id_key("@Alice"), id_key("＠alice")) == ("crm:4711", "@alice", "@alice")
    assert [id_key(name) for name in ("4711", "https://acme.com", "10:30", "Note: call", "@")] == [None] * 5
    assert identifier("Alice+x@acme.com") == "alice@acme.com"
    assert identifier("+49 30 1234567") == "tel:+49301234567"
    assert [identifier(name) for name in ("Alice", "13800138000", "C++", "+5", "12:30", "info@acme.com")] == [
        None
    ] * 6


async def told(fresh: Opener, *texts: str | tuple[str, str]) -> Memory:
    """A memory of these texts, each on a day of its own; in pairs with who says them."""
    memory = await fresh(extractor=rules())
    for place, said in enumerate(texts):
        actor, text = ("crm:1", said) if isinstance(said, str) else said
        await memory.add(text, occurred_at=f"2024-01-{place + 1:02}", actor=actor)
    return memory


async def held(memory: Memory, name: str, predicate: str) -> list[str]:
    return sorted(b.fact.text for b in (await memory.facts(name, predicate)).items)


ALICE = (
    "Alice Chen's email is alice@acme.com.",
    "Allie Wang's email is Alice+News@Acme.com. Allie Wang lives in Berlin.",
    "Alice Chen speaks French.",
)


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0)])
async def test_the_same_address_is_one_person_in_any_order(fresh: Opener, order: tuple[int, ...]) -> None:
    memory = await told(fresh, *(ALICE[place] for place in order))
    one = await memory.at().entity("Alice Chen")
    assert (one.name, one.kind) == ("Alice Chen", "Person")
    for name in ("Allie Wang", "alice@acme.com", "ALICE+work@acme.com", "alice+news@acme.com"):
        assert await memory.at().entity(name) == one
    assert await held(memory, "Alice Chen", "LIVES_IN") == ["Alice Chen lives in Berlin"]
    assert await held(memory, "Allie Wang", "SPEAKS") == ["Alice Chen speaks French"]


async def test_two_of_one_name_with_two_addresses_stay_apart(fresh: Opener) -> None:
    memory = await told(
        fresh,
        "Alice Chen's email is alice@acme.com. Alice Chen lives in Berlin.",
        "Alice Chen's email is alice@globex.com. Alice Chen lives in Paris.",
    )
    assert await held(memory, "alice@acme.com", "LIVES_IN") == ["alice@acme.com lives in Berlin"]
    assert await held(memory, "alice@globex.com", "LIVES_IN") == ["alice@globex.com lives in Paris"]
    assert len(await held(memory, "Alice Chen", "LIVES_IN")) == 2
    [last] = [e for e in (await memory.at().episodes()).items if "globex" in e.text]
    await memory.retract(last.id)
    assert await held(memory, "Alice Chen", "LIVES_IN") == ["Alice Chen lives in Berlin"]
    assert (await memory.at().entity("alice@acme.com")).name == "Alice Chen"


async def test_ids_are_never_one_by_name_but_by_what_only_one_has(fresh: Opener) -> None:
    memory = await told(
        fresh,
        ("crm:1", "My name is Alice Chen. I live in Berlin."),
        ("crm:2", "My name is Alice Chen. I live in Paris."),
        ("@alice", "I speak French."),
    )
    assert len(await held(memory, "Alice Chen", "LIVES_IN")) == 2
    assert await held(memory, "crm:1", "LIVES_IN") == ["crm:1 lives in Berlin"]
    told_more = [
        await memory.add("My phone number is +49 30 1234567.", occurred_at="2024-02-01", actor=actor)
        for actor in ("@alice", "crm:1")
    ]
    assert len(await held(memory, "crm:1", "SPEAKS")) == 1
    assert len(await held(memory, "0049 30 / 1234567", "LIVES_IN")) == 0
    assert len(await held(memory, "+49 (0)30 1234567", "LIVES_IN")) == 1
    assert await held(memory, "crm:2", "SPEAKS") == []
    await memory.retract(told_more[0].episode_id)
    assert await held(memory, "crm:1", "SPEAKS") == []
    assert len(await held(memory, "@alice", "SPEAKS")) == 1


async def test_a_split_stands_whatever_texts_say_later(fresh: Opener) -> None:
    memory = await told(fresh, ALICE[0])
    assert [b.fact.text for b in (await memory.facts(predicate=SAME_AS)).items] == [
        "Alice Chen is the same as alice@acme.com"
    ]
    await memory.split("Alice Chen", "alice@acme.com", reason="It is her firm's.")
    await memory.add(ALICE[0], occurred_at="2025", actor="crm:1")
    await memory.add(ALICE[1], occurred_at="2025", actor="crm:1")
    assert await held(memory, "Alice Chen", "LIVES_IN") == []
    assert await held(memory, "Allie Wang", "LIVES_IN") == ["Allie Wang lives in Berlin"]


async def test_what_a_firm_or_a_role_has_makes_nobody_one(fresh: Opener) -> None:
    memory = await fresh()
    for name, kind in (("Acme", "Organization"), ("Ann", "Person"), ("Ben", None)):
        await memory.assert_fact(name, "HAS_PHONE", "+49 30 1234567", valid_from="2020", subject_kind=kind)
    for name in ("Ann", "Ben"):
        await memory.assert_fact(name, "HAS_EMAIL", "support@acme.com", valid_from="2020", subject_kind="Person")
    for name in ("Ann", "Ben", "Acme"):
        assert (await memory.at().entity(name)).name == name


async def test_tables_give_identifiers_too(fresh: Opener) -> None:
    memory = await fresh()
    rows = [
        {"subject": "A. Chen", "predicate": "HAS_EMAIL", "object": "alice@acme.com", "valid_from": "2020"},
        {"subject": "crm:4711", "predicate": "HAS_EMAIL", "object": "Alice@acme.com", "valid_from": "2020"},
        {"subject": "Alice Chen", "predicate": "HAS_ID", "object": "CRM:4711", "valid_from": "2020"},
        {"subject": "Alice Chen", "predicate": "LIVES_IN", "object": "Berlin", "valid_from": "2020"},
    ]
    await memory.add_facts(rows)
    assert await held(memory, "A. Chen", "LIVES_IN") == ["Alice Chen lives in Berlin"]
    assert (await memory.at().entity("crm:4711")).aliases == ("A. Chen", "crm:4711")


async def test_the_wall_stands(fresh: Opener) -> None:
    memory = await told(fresh, ALICE[0])
    other = Memory(replace(memory._pipeline, tenant=f"{memory.tenant} other"), memory._zone, StepClock())
    await other.add(ALICE[1], occurred_at="2024-01-01", actor="crm:1")
    assert (await other.at().entity("alice@acme.com")).name == "Allie Wang"
    assert (await memory.at().entity("alice@acme.com")).name == "Alice Chen"


@dataclass(frozen=True)
class Row:
    """Where somebody lives who may have an address, as told on a day."""

    name: str
    address: str
    place: str
    day: int


class RowsExtractor:
    """Reads ``name|address|place``."""

    name = "rows"

    async def extract(self, readings: Sequence[Reading]) -> list[list[Draft]]:
        return [list(self._drafts(r.episode.text, r.episode.occurred_at)) for r in readings]

    def _drafts(self, text: str, at: datetime) -> Iterator[Draft]:
        name, address, place = text.split("|")
        who = Mention(name, "Person")
        sides: list[tuple[str, Mention | Value]] = [("LIVES_IN", Mention(place, "Place"))]
        if address:
            sides.append(("HAS_EMAIL", Value(address)))
        for position, (predicate, target) in enumerate(sides):
            yield Draft(
                says=Says.OBSERVATION,
                subject=who,
                predicate=predicate,
                object=target,
                valid_from=Bound(at),
                stated_at=at,
                position=position,
                quote_start=0,
                quote_end=len(text),
            )


NAMES = ("Alice", "Alice Chen", "crm:1", "a@acme.com", "b@acme.com")
_ROWS = st.builds(
    Row,
    st.sampled_from(["Alice", "Alice Chen", "crm:1"]),
    st.sampled_from(["", "a@acme.com", "A+x@acme.com", "b@acme.com"]),
    st.sampled_from(["Berlin", "Paris"]),
    st.integers(1, 28),
)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.lists(_ROWS, min_size=2, max_size=5, unique_by=lambda row: row.day), data=st.data())
@pytest.mark.parametrize("kind", ["memory"], indirect=True)
async def test_order_and_what_was_taken_back_do_not_matter(
    fresh: Opener, rows: list[Row], data: st.DataObject
) -> None:
    """Who is who is a function of what is said and not taken back."""
    seen = []
    for order, extra in ((rows, []), (data.draw(st.permutations(rows)), data.draw(st.lists(_ROWS, max_size=2)))):
        memory = await fresh(extractor=RowsExtractor())
        more = [replace(row, day=row.day + 100) for row in extra]
        for row in [*more, *order]:
            text = f"{row.name}|{row.address}|{row.place}"
            await memory.add(text, occurred_at=day(row.day), actor="crm:1", id=f"{row}")
        for row in more:
            await memory.retract(f"{row}")
        names = [await memory.facts(name, during="ever") for name in NAMES]
        seen.append((await believed(memory), [sorted(str(b) for b in page.items) for page in names]))
    assert seen[0] == seen[1]
