"""Bad input about time and tenants: one clear line or the documented sense, and nothing changed."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from hitherto import Invalid, Memory
from hitherto.kg.ontology import Ontology
from tests.promises.conftest import Opener, believed, lines
from tests.support import ClaimsExtractor, SaidClaim, StepClock, TinyEmbedder, day, said


def one_line(raised: pytest.ExceptionInfo[Exception]) -> None:
    assert "\n" not in str(raised.value)


FACTS: list[tuple[dict[str, Any], str]] = [
    ({"valid_from": "2024", "valid_to": "2023"}, "valid_from 2024 is not before valid_to 2023"),
    ({"valid_from": "2024-03-01T10:00:00.5", "valid_to": "2024-03-01T10:00:00.5"}, "is not before valid_to"),
    ({"valid_from": "10000"}, "'10000' is not a date"),
    ({"valid_from": "0000"}, "'0000' is not a date"),
    ({"valid_from": "-0044-03-15"}, "is not a date"),
    ({"valid_from": "2023-02-29"}, "'2023-02-29' is not a date"),
    ({"valid_from": ""}, "is not a date"),
    ({}, "give valid_from, valid_to or stated_at"),
    ({"valid_from": "2020", "confidence": 1.5}, "confidence"),
    ({"valid_from": "2020", "authority": 2**31}, "authority"),
]


@pytest.mark.parametrize("kind", ["memory"])
@pytest.mark.parametrize(("details", "message"), FACTS, ids=lambda f: str(f)[:40])
async def test_a_wrong_fact_is_refused(fresh: Opener, details: dict[str, Any], message: str) -> None:
    memory = await fresh()
    await memory.assert_fact("Ann", "WORKS_AT", "Acme", valid_from="2019")
    before = await memory.status()
    with pytest.raises(Invalid, match=message) as raised:
        await memory.assert_fact("Ann", "WORKS_AT", "Bolt", **details)
    one_line(raised)
    assert await memory.status() == before


async def test_a_predicate_that_a_closed_ontology_lacks(fresh: Opener) -> None:
    memory = await fresh(ontology=Ontology.starter().extended([], closed=True))
    with pytest.raises(Invalid, match="'HAS_WINGS' is not in the closed ontology") as raised:
        await memory.assert_fact("Ann", "HAS_WINGS", "two", valid_from="2020")
    one_line(raised)
    assert (await memory.status()).episodes == 0


STRETCHES: list[tuple[Any, str]] = [
    (("2024", "2023"), "during: nothing lies between 2024 and 2023"),
    ((datetime(2024, 1, 1, tzinfo=UTC), datetime(2024, 1, 1, tzinfo=UTC)), "during: nothing lies between"),
    (("2024", "2024", "2024"), 'give "ever", a time, or a pair of times'),
    ("10000", "'10000' is not a date"),
    ("0000-01", "is not a date"),
    ("", "is not a date"),
    (7, "is not a date"),
]


@pytest.mark.parametrize("kind", ["memory"])
@pytest.mark.parametrize(("during", "message"), STRETCHES, ids=str)
async def test_a_wrong_stretch_is_refused(fresh: Opener, during: Any, message: str) -> None:
    memory = await fresh()
    with pytest.raises(Invalid, match=message) as raised:
        await memory.facts(during=during)
    one_line(raised)


@pytest.mark.parametrize("kind", ["memory"])
@pytest.mark.parametrize(
    ("stretch", "message"),
    [
        (("2024", "2023"), "nothing lies between 2024 and 2023"),
        (("yesterday", None), "'yesterday' is not a date"),
        ((None, "2023-13"), "'2023-13' is not a date"),
    ],
)
async def test_a_wrong_stretch_of_changes_is_refused(fresh: Opener, stretch: Any, message: str) -> None:
    memory = await fresh()
    with pytest.raises(Invalid, match=message) as raised:
        await memory.changes(*stretch)
    one_line(raised)


@pytest.mark.parametrize("kind", ["memory"])
@pytest.mark.parametrize("name", ["valid", "known"])
@pytest.mark.parametrize("value", ["10000", "0000", "", "never", 5, "2024-04-31"])
async def test_a_view_at_what_is_no_date(fresh: Opener, name: str, value: Any) -> None:
    memory = await fresh()
    with pytest.raises(Invalid, match=f"{name}: .* is not a date") as raised:
        memory.at(**{name: value})
    one_line(raised)


async def test_the_edges_of_the_calendar(fresh: Opener) -> None:
    memory = await fresh()
    await memory.assert_fact("Ann", "LIKES", "tea", valid_from="0001", valid_to="9999")
    for valid in ("0001-01-01", "2024", "9999-12-31"):
        assert len(await lines(memory, valid=valid)) == 1
    for during in ("0001", "9999", ("0001", "9999"), datetime.max.replace(tzinfo=UTC) - timedelta(days=1)):
        assert len((await memory.facts(during=during)).items) == 1


async def test_a_naive_datetime_is_meant_in_the_memorys_zone(fresh: Opener) -> None:
    """In Shanghai, midnight is four in the afternoon UTC."""
    memory = await fresh()
    there = Memory(memory._pipeline, _zone("Asia/Shanghai"), StepClock())
    midnight = datetime(2024, 1, 2)
    await there.assert_fact("Ann", "LIKES", "tea", valid_from=midnight)
    (belief,) = (await there.facts(during="ever")).items
    assert belief.valid_from is not None
    assert belief.valid_from.at == datetime(2024, 1, 1, 16, tzinfo=UTC)
    inside, outside = datetime(2024, 1, 2), datetime(2024, 1, 1, 23, 59, 59)
    assert len((await there.at(inside).facts()).items) == len((await there.facts(during=inside)).items) == 1
    assert len((await there.at(outside).facts()).items) == len((await there.facts(during=outside)).items) == 0
    assert len((await there.facts(during=date(2024, 1, 1))).items) == 0
    assert len((await there.changes(datetime(2030, 1, 1, 8), None)).items) == 1
    assert len((await there.changes(datetime(2030, 1, 1, 9), None)).items) == 0


def _zone(name: str) -> Any:
    from hitherto.extraction.records import read_zone

    return read_zone(name)


async def test_known_in_the_future_means_now(fresh: Opener) -> None:
    memory = await fresh()
    await memory.add(said(SaidClaim("dated_beginning", "Acme", 0)), occurred_at=day(1))
    future = memory.at(known="9999")
    before = (await future.facts(during="ever")).items
    await memory.add(said(SaidClaim("dated_beginning", "Bolt", 50)), occurred_at=day(60))
    assert (await future.facts(during="ever")).items == before
    assert await believed(memory, "9999") == await believed(memory)


@pytest.mark.parametrize("tenant", ["", " ", "\t\n", None, 7])
async def test_a_tenant_without_a_name_is_refused(tenant: Any) -> None:
    with pytest.raises(Invalid, match="tenant is empty") as raised:
        await Memory.open(":memory:", tenant=tenant, embedder=TinyEmbedder(), extractor=ClaimsExtractor())
    one_line(raised)


@pytest.mark.parametrize(
    "tenant",
    [
        "客户甲",
        "naïve café",
        "a/b\\c",
        "'; DROP TABLE fact; --",
        "`DELETE n`",
        "🦉" * 20,
        "x" * 3000,
        "a\nb",
        "ß",
    ],
)
async def test_a_tenant_may_have_any_name(fresh: Opener, tenant: str) -> None:
    memory, other = await fresh(tenant=tenant), await fresh(tenant=tenant + "2")
    await memory.assert_fact("Ann", "LIKES", "tea", valid_from="2020")
    report = await memory.correct((await memory.facts("Ann")).items[0], valid_from="2021")
    assert await lines(memory) == ["Ann likes tea · 2021 →"]
    assert len((await memory.changes()).items) == 3
    assert await lines(other) == []
    assert (await other.changes()).items == ()
    await memory.retract(report.episode_id)
    assert (await memory.status()).tenant == tenant


async def test_a_blank_actor_is_refused_and_nothing_is_kept(fresh: Opener) -> None:
    memory = await fresh()
    for actor in ("", "  "):
        with pytest.raises(Invalid, match="is blank; say who spoke, or leave it out"):
            await memory.add("I live in Rome.", actor=actor, id="n1")
    assert (await memory.status()).episodes == 0
    await memory.add([{"role": "user", "content": "Hello.", "name": "  "}], id="n1", occurred_at=day(0))
    assert [episode.actor for episode in (await memory.episodes()).items] == [None]
