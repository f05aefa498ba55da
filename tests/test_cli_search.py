"""``hitherto search`` in this process: what its options find, print and refuse."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hitherto import Invalid, Memory
from hitherto.cli import app
from tests.support import rules


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("search") / "crm.db"

    async def fill() -> None:
        async with Memory.open(str(path), tenant="default", extractor=rules()) as memory:
            await memory.add("Alice joined TechCorp in January 2023.", occurred_at="2023-02-01", actor="bob")
            await memory.add("Alice left TechCorp and joined Anthropic.", occurred_at="2026-03-02", actor="eve")

    asyncio.run(fill())
    return path


def search(db: Path, *options: str) -> str:
    result = CliRunner().invoke(
        app, ["search", "Where does Alice work?", "--db", str(db), *options], env={"COLUMNS": "200"}
    )
    if result.exception:
        raise result.exception
    return result.output


def objects(db: Path, *options: str) -> list[str]:
    found = json.loads(search(db, "--predicate", "WORKS_AT", "--kind", "fact", "--json", *options))
    return [hit["belief"]["object"] for hit in found["hits"]]


def test_plain_options_and_json_filter(db: Path) -> None:
    assert objects(db, "--entity", "Anthropic", "--min-confidence", "0.1") == ["Anthropic"]
    assert sorted(objects(db, "--during", "2023 to 2026")) == ["Anthropic", "TechCorp"]
    assert objects(db, "--during", "ever", "--where", '{"not": {"actors": "eve"}}') == ["TechCorp"]
    assert objects(db, "--said-by", "bob") == objects(db, "--metadata", "channel=mail") == []


def test_what_is_shown_of_what_was_found(db: Path) -> None:
    def shown(*options: str) -> list[str]:
        return [hit["line"] for hit in json.loads(search(db, "--json", *options))["hits"]]

    assert shown("--min-relevance", "1") == shown()[:1]
    assert shown("--diversity", "0.9") != shown()
    assert json.loads(search(db, "--explain", "--fusion", "ranks", "--json"))["reading"]["fusion"] == "ranks"


def test_the_answer_stands_first(db: Path) -> None:
    asks = ["search", "When did Alice join Anthropic?", "--db", str(db)]
    assert CliRunner().invoke(app, asks).output.startswith("2026-03-02   (its beginning: Alice works at Anthropic")
    told = json.loads(CliRunner().invoke(app, [*asks, "--json"]).output)["answer"]
    assert (told["asks"], told["text"], told["beliefs"][0]["object"]) == ("when", "2026-03-02", "Anthropic")


def test_explain_prints_the_reading_and_each_hit(db: Path) -> None:
    why = search(db, "--predicate", "WORKS_AT", "--kind", "fact", "--explain")
    for part in ("fact:answer: rank 1", "2026-03-02 (", "no end known", "filter: predicates='WORKS_AT'", "eve"):
        assert part in why
    told = json.loads(search(db, "--explain", "--json"))
    assert told["reading"]["fusion"] == "scores"
    assert all("explanation" in hit for hit in told["hits"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--where", "{"), "--where is no JSON"),
        (("--where", "[1]"), "--where must be an object such as"),
        (("--where", '{"actor": "ann"}'), "did you mean 'actors'"),
        (("--where", '{"not":' * 20_000), "where"),
        (("--metadata", "channel"), "write it as NAME=VALUE"),
        (("--min-confidence", "7"), "a number from 0 to 1"),
        (("--min-relevance", "7"), "min_relevance"),
        (("--diversity", "-1"), "diversity"),
        (("--kind", "facts"), "use fact, episode, entity"),
    ],
)
def test_wrong_options_are_refused(db: Path, options: tuple[str, ...], message: str) -> None:
    with pytest.raises(Invalid, match=message):
        search(db, *options)
