"""A predicate keeps the rule its claims were stored by."""

from __future__ import annotations

from pathlib import Path

import pytest

from hitherto import Conflict, Memory, Ontology, Predicate
from hitherto.temporal.rules import Cardinality, PredicateKind
from tests.loading.conftest import CountingEmbedder
from tests.support import ClaimsExtractor, StepClock

ONE = Predicate(name="OWNER", cardinality=Cardinality.ONE)


def ontology(*predicates: Predicate) -> Ontology:
    return Ontology(predicates=predicates)


@pytest.mark.parametrize(
    ("first", "later", "words"),
    [
        (ontology(ONE), ontology(), "'one at a time', and the ontology now says 'many at a time'"),
        (ontology(), ontology(ONE), "'many at a time', and the ontology now says 'one at a time'"),
        (ontology(), ontology(Predicate(name="OWNER", kind=PredicateKind.EVENT)), "now says 'an event'"),
        (
            ontology(),
            ontology(Predicate(name="OWNER", excludes=("RENTER",)), Predicate(name="RENTER")),
            "'many at a time, only one of OWNER, RENTER'",
        ),
    ],
)
async def test_another_rule_is_refused_and_nothing_changes(
    url: tuple[str, tuple[str, str] | None], tmp_path: Path, first: Ontology, later: Ontology, words: str
) -> None:
    address = str(tmp_path / "rules.db") if url[0] == ":memory:" else url[0]

    async def open_(ontology: Ontology) -> Memory:
        return await Memory.open(
            address, tenant=f"rules {tmp_path}", auth=url[1], ontology=ontology, extractor=ClaimsExtractor(),
            embedder=CountingEmbedder(), clock=StepClock(),
        )  # fmt: skip

    memory = await open_(first)
    report = await memory.assert_fact("Car", "OWNER", "Ann", valid_from="2020")
    await memory.close()

    memory = await open_(later)
    before = await memory.status()
    row = {"subject": "Car", "predicate": "OWNER", "object": "Ben", "valid_from": "2021"}
    with pytest.raises(Conflict, match="OWNER is stored as") as caught:
        await memory.add_facts([row])
    assert words in str(caught.value)
    assert caught.value.code == "other_rule"
    with pytest.raises(Conflict, match="OWNER is stored as"):
        await memory.assert_fact("Car", "OWNER", "Ben", valid_from="2021")
    with pytest.raises(Conflict, match="OWNER is stored as"):
        await memory.retract(report.episode_id)
    assert await memory.status() == before
    await memory.add_facts([{**row, "predicate": "USER"}])
    await memory.close()

    memory = await open_(first)
    await memory.add_facts([row])
    await memory.close()
