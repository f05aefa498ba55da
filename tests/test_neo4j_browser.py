"""``hitherto demo-neo4j`` on a real server, its queries, and what a person sees in the real Neo4j Browser."""

from __future__ import annotations

import ast
import asyncio
import inspect
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import neo4j
import pytest

from hitherto import Admin
from hitherto.demo import bundled_files
from hitherto.demo_neo4j import QUERIES
from hitherto.kg.stores.neo4j.schema import VECTOR_INDEX
from hitherto.neo4j_server import Address, Machine
from hitherto.testing.telling import EMBEDDER

from .browser import open_browser

pytestmark = pytest.mark.neo4j
ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "neo4j-browser.md").read_text(encoding="utf-8")
PICTURE = ROOT / "docs" / "neo4j-browser.png"
STYLE = (ROOT / "docker" / "browser.grass").read_text(encoding="utf-8")
TEAM = next(path for path in bundled_files() if path.stem == "4-team")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)\n```$", PAGE, re.MULTILINE | re.DOTALL)


def demo(server: Address) -> str:
    """What the command prints, run as a user runs it."""
    env = {**os.environ, "NEO4J_URI": server.uri, "NEO4J_USER": server.user, "NEO4J_PASSWORD": server.password}
    done = subprocess.run(
        [Path(sys.executable).parent / "hitherto", "demo-neo4j", TEAM],
        env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert server.password not in done.stdout + done.stderr
    return done.stdout


def forget_embedder(server: Address, name: str | None) -> bool:
    """A server has one embedder, and the store's tests bring their own to the shared one. ``name``: whose record
    and indexes go; None: anybody's."""
    with neo4j.GraphDatabase.driver(server.uri, auth=server.auth, notifications_min_severity="OFF") as driver:
        forget = "MATCH (m:HithertoEmbedder) WHERE m.name = $name OR $name IS NULL DELETE m RETURN 1"
        found = bool(driver.execute_query(forget, name=name).records)
        for index in VECTOR_INDEX.values() if found else ():
            driver.execute_query(f"DROP INDEX {index} IF EXISTS")
        return found


@pytest.fixture(scope="module")
def told(neo4j_server: Address) -> Iterator[str]:
    """The demo's team is on the server; this is what loading it printed."""
    shared = forget_embedder(neo4j_server, EMBEDDER)
    yield demo(neo4j_server)
    if shared or Machine.from_environ(os.environ).given is None:
        forget_embedder(neo4j_server, None)


def test_the_docs_have_the_queries_of_the_demo() -> None:
    titles = re.findall(r"^## (.*)$", PAGE, re.MULTILINE)
    assert list(QUERIES) == list(zip(titles, blocks("cypher"), strict=False))[: len(QUERIES)]


def test_the_demo_says_what_to_open_and_to_paste(told: str, neo4j_server: Address) -> None:
    # A server that NEO4J_URI names may have had the demo before.
    outcome = (
        r"(9 messages, \d+ beliefs learned, \d+ superseded|all 9 messages were there already; nothing changed)"
    )
    assert re.search(rf"^4-team: A team over six years: {outcome}$", told, re.M)
    assert re.search(r"^Open +http://[\w.]+:\d+/browser/\?dbms=", told, re.M)
    assert re.search(rf"^User +{neo4j_server.user}$", told, re.M)
    assert "Password  the one in NEO4J_PASSWORD" in told
    assert all(f"{title}\n{query}\n" in told for title, query in QUERIES)


def test_the_demo_again_changes_nothing(told: str, neo4j_server: Address) -> None:
    count = "MATCH (n {tenant: '4-team'}) RETURN count(n) AS nodes, max(n.tx_us) AS last"

    async def ask() -> object:
        async with Admin.open(neo4j_server.uri, auth=neo4j_server.auth) as admin:
            return await admin.cypher(count)

    before = asyncio.run(ask())
    assert "all 9 messages were there already; nothing changed" in demo(neo4j_server)
    assert asyncio.run(ask()) == before


@pytest.mark.usefixtures("told")
async def test_every_query_of_the_docs_answers(neo4j_server: Address) -> None:
    async with Admin.open(neo4j_server.uri, auth=neo4j_server.auth) as admin:
        answers = [await admin.cypher(query) for query in blocks("cypher")]
    now, person, quotes, then, believed = answers
    assert len(now) == 7
    assert {"LIVES_IN", "HAS_ROLE", "SUPERSEDED"} <= {row["fact"]["<type>"] for row in person}  # type: ignore
    assert ("Alice Moreau left TechCorp and joined Anthropic as a research engineer.", "ENDS") in [
        (row["words"], row["says"]) for row in quotes
    ]
    assert [(row["who"], row["company"]) for row in then] == [
        ("Alice Moreau", "TechCorp"), ("Bob Lindqvist", "TechCorp"), ("Clara Weber", "Globex"),
    ]  # fmt: skip
    assert [(row["who"], row["company"], row["during"]) for row in believed] == [
        ("Alice Moreau", "TechCorp", "2020–"), ("Bob Lindqvist", "TechCorp", "2021–2023"),
        ("Bob Lindqvist", "Globex", "2023–"), ("Clara Weber", "Globex", "2021–"),
        ("Dmitri Volkov", "Anthropic", "2024–"),
    ]  # fmt: skip


@pytest.mark.usefixtures("told")
async def test_the_docs_python_runs(neo4j_server: Address, capsys: pytest.CaptureFixture[str]) -> None:
    [source] = blocks("py")
    source = source.replace("neo4j://127.0.0.1:7687", neo4j_server.uri)
    code = compile(source, "neo4j-browser.md", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    result = eval(code, {"password": neo4j_server.password})  # the page's own code, from this repository
    assert inspect.iscoroutine(result)
    await result
    printed = capsys.readouterr().out
    assert "Alice Moreau 2020–2026 2020-05-01 00:00:00+00:00 TechCorp" in printed
    assert "does not write in a read-only session" in printed


@pytest.fixture
def keep(tmp_path: Path) -> Callable[[bytes], object]:
    """Keeps the picture where HITHERTO_SCREENSHOT says (``make screenshot``), else among the run's own files."""
    return Path(os.environ.get("HITHERTO_SCREENSHOT") or tmp_path / PICTURE.name).write_bytes


@pytest.mark.slow
async def test_a_person_sees_people_companies_and_dated_edges(
    told: str, neo4j_server: Address, tmp_path: Path, keep: Callable[[bytes], object]
) -> None:
    address = re.search(r"^Open +(\S+)$", told, re.M)
    assert address
    query = blocks("cypher")[0]
    async with Admin.open(neo4j_server.uri, auth=neo4j_server.auth) as admin:
        rows = await admin.cypher(query.replace("RETURN who, works, company", """
            RETURN who.name AS who, 'WORKS_AT ' + works.during AS works, company.name AS company"""))  # fmt: skip
        between = await admin.cypher("""MATCH (:Entity {tenant: '4-team'})-[edge]->(:Entity)
            RETURN CASE type(edge) WHEN 'SUPERSEDED' THEN 'once ' ELSE '' END
                + edge.predicate + ' ' + edge.during AS caption""")
    async with open_browser(tmp_path / "profile") as browser:
        await browser.log_in(address[1], neo4j_server.password)
        await browser.enter(":style " + " ".join(STYLE.split()))
        await browser.draw(query)
        picture = await browser.photograph()
        nodes, edges = await browser.captions("node"), await browser.captions("relationship")
        labels, colours = await browser.legend("node-label"), await browser.colours()
    names = sorted({str(row[side]) for row in rows for side in ("who", "company")})
    assert len(nodes) == len(names)
    assert all(map(shows, sorted(nodes), names)), nodes
    held = Counter(str(row["works"]) for row in rows)
    assert all(sum(shows(edge, works) for edge in edges) >= count for works, count in held.items()), edges
    assert all(any(shows(edge, str(row["caption"])) for row in between) for edge in edges), edges
    assert labels == {"Entity", "Person", "Organization"}
    assert {"#F79767", "#4C8EDA"} <= colours
    assert 20_000 < len(picture) < 200_000
    keep(picture)


def shows(caption: str, wanted: str) -> bool:
    """Whether that is the wanted caption. The layout is another one every time, and where it leaves too little
    room the Browser cuts the end off and writes ``…``."""
    return caption == wanted or (caption.endswith("…") and wanted.startswith(caption[:-1]))


def test_the_picture_of_the_docs_is_there() -> None:
    assert f"]({PICTURE.name})" in PAGE
    assert 20_000 < PICTURE.stat().st_size < 200_000
