"""The audit questions on both stores, and the Cypher of the page that asks the same."""

from __future__ import annotations

import asyncio
import json
import re
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hitherto import Admin, Invalid, Memory, NotFound
from hitherto.audit import AUDITS, run_audit
from hitherto.cli import app
from hitherto.desk import Wanted
from hitherto.extraction.extractor import Reading
from hitherto.kg.model import Draft, Modality
from hitherto.memory import Parts
from hitherto.neo4j_server import Address
from hitherto.testing.telling import DIMENSION, EMBEDDER

from .support import ClaimsExtractor, SaidClaim, StepClock, TinyEmbedder, day, said

PAGE = (Path(__file__).resolve().parent.parent / "docs/audit.md").read_text(encoding="utf-8")
QUERIES = dict(re.findall(r"^```cypher ([\w-]+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
TICK = timedelta(microseconds=1)
WANTED = Wanted(
    valid="2024-02-01",
    known="2030-01-03T12:00Z",
    since="2030-01-02",
    until="2030-01-04",
    name="Bob",
    episode="m11",
)
SINCE_SAID = replace(WANTED, since="2024-03-01")

Auth = tuple[str, str] | None


class AuditEmbedder(TinyEmbedder):
    """Bears the name of the contract's: a server has one embedder, and this one is shared."""

    name = EMBEDDER
    dimension = DIMENSION


class AuditExtractor(ClaimsExtractor):
    """Takes the modality from the episode's metadata."""

    def _read(self, reading: Reading) -> list[Draft]:
        modality = Modality(str(reading.episode.metadata.get("modality", "asserted")))
        return [replace(draft, modality=modality) for draft in super()._read(reading)]


@dataclass(frozen=True)
class Place:
    url: str
    auth: Auth
    tenant: str

    def parts(self, clock: StepClock) -> Parts:
        return Parts(clock=clock, auth=self.auth, extractor=AuditExtractor(), embedder=AuditEmbedder())


def learned(number: int, ticks: int = 1) -> datetime:
    """When the ``number``-th message (from 1) was learned: it is stored, and a microsecond later believed."""
    return datetime(2030, 1, number, tzinfo=UTC) + ticks * TICK


async def tell(place: Place) -> None:
    """Ann's jobs and Bob's, said by four people."""
    clock = StepClock()
    async with Memory.open(place.url, tenant=place.tenant, **place.parts(clock)) as memory:

        async def add(
            number: int,
            who: str,
            said_on: int,
            *claims: SaidClaim,
            modality: str = "asserted",
            learned_on: int = 0,
        ) -> None:
            clock.now = learned(learned_on or number, 0)
            await memory.add(
                said(*claims),
                id=f"m{number}",
                actor=who,
                source="crm" if who == "liang" else "chat",
                occurred_at=day(said_on),
                metadata={"modality": modality},
            )

        await add(1, "liang", 0, SaidClaim("dated_beginning", "Acme", 0), _likes("observation", "tea", 0))
        await add(2, "maria", 100, SaidClaim("dated_beginning", "Bolt", 100, authority=5))
        await add(3, "liang", 50, SaidClaim("dated_beginning", "Core", 50))
        await add(4, "maria", 120, SaidClaim("observation", "Dune", 120), modality="hedged")
        await add(5, "omar", 130, SaidClaim("denial", "golf", None, subject="Bob", predicate="LIKES"))
        await add(6, "omar", 140, SaidClaim("observation", "Acme", 140, subject="Bob"))
        await add(7, "liang", 110, SaidClaim("dated_beginning", "Eden", 100))
        await add(8, "omar", 150, SaidClaim("denial", "Bolt", None))
        clock.now = learned(9, 0)
        await memory.retract("m6")
        clock.now = learned(10, 0)
        (acme,) = (await memory.at().facts("Ann", object="Acme", during="ever")).items
        await memory.correct(acme, valid_from="2024-01-11", reason="a typo", author="maria")
        chess = SaidClaim("observation", "chess", 160, subject="Bob", predicate="LIKES")
        await add(11, "omar", 160, chess)
        clock.now = learned(12, 0)
        await memory.retract("m11")
        await add(11, "omar", 160, chess, learned_on=13)


def _likes(says: str, what: str, start: int) -> SaidClaim:
    return SaidClaim(says, what, start, predicate="LIKES")


def wanted_by(name: str) -> Wanted:
    return SINCE_SAID if name == "stale" else WANTED


def readable(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> list[tuple[object, ...]]:
    """Rows without quotes, which are lines of JSON here, and with one name for the correction's id."""
    kept = [n for n, column in enumerate(columns) if column != "quote"]
    return [tuple(_named(row[n]) for n in kept) for row in rows]


def _named(cell: object) -> object:
    is_made = isinstance(cell, str) and re.fullmatch(r"[0-9a-f-]{36}", cell)
    return "correction" if is_made else cell


@pytest.fixture(scope="module")
def sqlite_place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    place = Place(str(tmp_path_factory.mktemp("audit") / "audit.db"), None, "acme")
    asyncio.run(tell(place))
    return place


@pytest.fixture(scope="module")
def neo4j_place(neo4j_server: Address) -> Place:
    """Beside a tenant with the same story, whose rows would double ours if a query forgot the wall."""
    place = Place(neo4j_server.uri, neo4j_server.auth, f"audit-{uuid.uuid4()}")
    asyncio.run(tell(replace(place, tenant=f"{place.tenant}-other")))
    asyncio.run(tell(place))
    return place


@pytest.fixture(params=["sqlite", pytest.param("neo4j", marks=pytest.mark.neo4j)])
def place(request: pytest.FixtureRequest) -> Place:
    found: Place = request.getfixturevalue(f"{request.param}_place")
    return found


WORK, TEA = "Ann works at ", "Ann likes tea"
D0, D10, D50, D100, D140 = day(0), day(10), day(50), day(100), day(140)
CHESS = ("Bob likes chess", day(160), None)
EXPECTED: dict[str, list[tuple[object, ...]]] = {
    "learned": [
        (learned(2), "maria", "m2", "dated_beginning", "Ann", "WORKS_AT", "Bolt"),
        (learned(3), "liang", "m3", "dated_beginning", "Ann", "WORKS_AT", "Core"),
        (learned(4), "maria", "m4", "observation", "Ann", "WORKS_AT", "Dune"),
    ],
    "believed": [(TEA, D0, None, learned(1)), (WORK + "Acme", D0, D50, learned(3))],
    "changes": [
        (learned(2), "came", WORK + "Acme", D0, D100),
        (learned(2), "came", WORK + "Bolt", D100, None),
        (learned(2), "went", WORK + "Acme", D0, None),
        (learned(3), "came", WORK + "Acme", D0, D50),
        (learned(3), "came", WORK + "Core", D50, D100),
        (learned(3), "went", WORK + "Acme", D0, D100),
    ],
    "overridden": [
        (learned(2), WORK + "Acme", D0, None, "said", "maria", "m2"),
        (learned(3), WORK + "Acme", D0, D100, "said", "liang", "m3"),
        (learned(9, 0), "Bob works at Acme", D140, None, "taken back", "omar", "m6"),
        (learned(10), WORK + "Acme", D0, D50, "said", "maria", "correction"),
        (learned(10), WORK + "Acme", D0, D50, "said", "maria", "correction"),
        (learned(12, 0), *CHESS, "taken back", "omar", "m11"),
    ],
    "revised": [
        (learned(2), WORK + "Acme", D0, None, D0, D100, "maria", "m2", "text"),
        (learned(3), WORK + "Acme", D0, D100, D0, D50, "liang", "m3", "text"),
        (learned(10), WORK + "Acme", D0, D50, D10, D50, "maria", "correction", "correction"),
    ],
    "corrections": [
        (learned(10), "Ann", "WORKS_AT", "Acme", "dated_beginning", "maria", "correction"),
        (learned(10), "Ann", "WORKS_AT", "Acme", "denial", "maria", "correction"),
    ],
    "single-source": [
        (TEA, "liang", "m1", D0),
        (WORK + "Bolt", "maria", "m2", D100),
        (WORK + "Core", "liang", "m3", D50),
        ("Bob likes chess", "omar", "m11", day(160)),
    ],
    "conflicts": [
        ("Ann", "WORKS_AT", "Bolt", None, "denial", WORK + "Bolt", "omar", "m8"),
        ("Ann", "WORKS_AT", "Eden", D100, "dated_beginning", WORK + "Bolt", "liang", "m7"),
    ],
    "unbelieved": [
        ("Ann", "WORKS_AT", "Dune", "observation", "hedged", 1.0, "maria", "m4"),
        ("Ann", "WORKS_AT", "Eden", "dated_beginning", "asserted", 1.0, "liang", "m7"),
        ("Bob", "LIKES", "golf", "denial", "asserted", 1.0, "omar", "m5"),
    ],
    "stale": [(D0, TEA, 1)],
    "inferred-ends": [(WORK + "Acme", D10, D50, WORK + "Core"), (WORK + "Core", D50, D100, WORK + "Bolt")],
    "episode": [(learned(11), "came", *CHESS), (learned(12, 0), "went", *CHESS), (learned(13), "came", *CHESS)],
    "person": [
        (*CHESS, learned(11), learned(12, 0)),
        (*CHESS, learned(13), None),
        ("Bob works at Acme", D140, None, learned(6), learned(9, 0)),
    ],
    "busiest": [
        (4, 3, "liang", "crm"),
        (3, 3, "omar", "chat"),
        (2, 2, "maria", "chat"),
        (2, 1, "maria", "correction"),
    ],
    "taken-back": [(D140, "omar", "m6", learned(9, 0))],
}
"""By hand: what each question must answer about the story that ``tell`` tells."""


@pytest.mark.parametrize("name", AUDITS)
async def test_both_stores_answer_the_questions(place: Place, name: str) -> None:
    async with Memory.open(place.url, tenant=place.tenant, **place.parts(StepClock())) as memory:
        answer = await run_audit(memory.at(), name, wanted_by(name))
        assert answer.columns == AUDITS[name].columns
        assert readable(answer.columns, answer.rows) == EXPECTED[name]
        first = await run_audit(memory.at(), name, wanted_by(name), limit=1)
        assert first.rows == answer.rows[:1]


@pytest.mark.neo4j
@pytest.mark.parametrize("name", AUDITS)
async def test_the_pages_cypher_gives_the_same_rows(neo4j_place: Place, name: str) -> None:
    place, wanted = neo4j_place, wanted_by(name)
    params = {need: getattr(wanted, need) for need in AUDITS[name].needs}
    async with Admin.open(place.url, auth=place.auth) as admin:
        rows = await admin.cypher(QUERIES[name], tenant=place.tenant, limit=100, **params)
        (first, *more) = await admin.cypher(QUERIES[name], tenant=place.tenant, limit=1, **params)
    async with Memory.open(place.url, tenant=place.tenant, **place.parts(StepClock())) as memory:
        answer = await run_audit(memory.at(), name, wanted)
    assert [tuple(row) for row in rows] == [answer.columns] * len(answer.rows)
    assert [tuple(row.values()) for row in rows] == list(answer.rows)
    assert (first, more) == (rows[0], [])


UNTIL = [("2030", 10), ("2030-01", 10), ("2030-01-03", 3), ("2030-01-03T00:00Z", 3)]
"""``until`` includes its grain, and how many changes there are from 2030-01-03 on."""


@pytest.mark.parametrize("until", [until for until, _ in UNTIL])
async def test_until_includes_its_grain(place: Place, until: str) -> None:
    wanted = replace(WANTED, since="2030-01-03", until=until)
    async with Memory.open(place.url, tenant=place.tenant, **place.parts(StepClock())) as memory:
        answer = await run_audit(memory.at(), "changes", wanted)
        changes = (await memory.changes(wanted.since, until)).items
    assert len(answer.rows) == len(changes) == dict(UNTIL)[until]
    if place.auth is not None:
        async with Admin.open(place.url, auth=place.auth) as admin:
            since = str(wanted.since)
            rows = await admin.cypher(QUERIES["changes"], tenant=place.tenant, limit=100, since=since, until=until)
        assert [tuple(row.values()) for row in rows] == list(answer.rows)


def test_the_page_has_every_question() -> None:
    assert list(QUERIES) == list(AUDITS)
    titles = re.findall(r"^## (.*)$", PAGE, re.MULTILINE)
    assert titles == [audit.title for audit in AUDITS.values()]
    for name, query in QUERIES.items():
        needed = {"tenant", "limit", *AUDITS[name].needs}
        assert set(re.findall(r"\$(\w+)", query)) == needed, name


async def test_an_earlier_known_hides_what_came_later(sqlite_place: Place) -> None:
    place = sqlite_place
    async with Memory.open(place.url, tenant=place.tenant, **place.parts(StepClock())) as memory:
        view = memory.at(known="2030-01-03T12:00Z")
        ends = await run_audit(view, "inferred-ends")
        said = await run_audit(view, "busiest")
    assert ends.rows == ((WORK + "Acme", D0, D50, WORK + "Core"), (WORK + "Core", D50, D100, WORK + "Bolt"))
    assert said.rows == ((3, 2, "liang", "crm"), (1, 1, "maria", "chat"))


async def test_bad_input_is_one_line(sqlite_place: Place) -> None:
    place = sqlite_place
    cases: list[tuple[str, Wanted, type[Exception], str]] = [
        ("nonsense", WANTED, Invalid, "no audit 'nonsense'; there are learned, believed"),
        ("changes", replace(WANTED, until=None), Invalid, "needs since and until; until is missing"),
        ("stale", replace(WANTED, since="soon"), Invalid, "since: "),
        ("person", replace(WANTED, name="Nobody"), NotFound, "no entity is called 'Nobody'"),
        ("person", replace(WANTED, name=" "), NotFound, "no entity is called ' '"),
        ("episode", replace(WANTED, episode="m99"), NotFound, "episode 'm99' is not in tenant 'acme'"),
    ]
    async with Memory.open(place.url, tenant=place.tenant, **place.parts(StepClock())) as memory:
        for name, wanted, error, message in cases:
            with pytest.raises(error, match=message) as caught:
                await run_audit(memory.at(), name, wanted)
            assert "\n" not in str(caught.value)


async def test_a_tenant_without_anything(tmp_path: Path) -> None:
    place = Place(str(tmp_path / "empty.db"), None, "acme")
    async with Memory.open(place.url, tenant=place.tenant, **place.parts(StepClock())) as memory:
        for name in AUDITS.keys() - {"person", "episode"}:
            assert (await run_audit(memory.at(), name, WANTED)).rows == ()


async def _load(path: Path) -> None:
    row = {"subject": "Carol", "predicate": "WORKS_AT", "object": "Globex", "valid_from": "2019-05-06"}
    async with Memory.open(str(path), tenant="default", clock=StepClock()) as memory:
        await memory.add_facts([row], source="hr", embed=False)


def test_the_command(tmp_path: Path) -> None:
    path = tmp_path / "crm.db"
    asyncio.run(_load(path))
    runner = CliRunner()
    done = runner.invoke(app, ["audit", "person", "--name", "carol", "--db", str(path), "--json"])
    assert json.loads(done.stdout) == [
        {
            "fact": "Carol works at Globex",
            "valid_from": "2019-05-06T00:00:00Z",
            "valid_to": None,
            "learned_at": "2030-01-01T00:00:00Z",
            "given_up_at": None,
        }
    ]
    zone = ["--zone", "Asia/Shanghai", "--db", str(path)]
    shown = runner.invoke(app, ["audit", "person", "--name", "Carol", *zone], env={"COLUMNS": "200"})
    assert "Everything about somebody" in shown.stdout and "2019-05-06 08:00:00+08:00" in shown.stdout
    for valid, count in (("2019-05-06T07:00", 0), ("2019-05-06T08:00", 1)):
        args = ["audit", "believed", "--valid", valid, "--known", "2031-01-01", *zone, "--json"]
        assert len(json.loads(runner.invoke(app, args).stdout)) == count
    assert isinstance(runner.invoke(app, ["audit", "nonsense", "--db", str(path)]).exception, Invalid)
