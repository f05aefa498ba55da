"""The command line, as a user runs it: its output and its exit code."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from hitherto.cli import EXIT_CODES, app
from hitherto.demo import bundled_files, load
from hitherto.temporal.errors import HithertoError
from tests.commands import run, start

ROOT = Path(__file__).resolve().parent.parent


def test_as_a_process_of_its_own(tmp_path: Path) -> None:
    added = start(tmp_path, "add", "-", "--at", "2023-02-01", stdin="Alice joined TechCorp in January 2023.")
    assert (added.returncode, added.stderr) == (0, "")
    assert "Alice works at TechCorp" in start(tmp_path, "search", "Where does Alice work?").stdout
    missing = start(tmp_path, "search", "Where does Alice work?", "--db", "other.db")
    assert (missing.returncode, missing.stdout, missing.stderr.count("\n")) == (3, "", 1)


def test_add_search_timeline_retract_status(tmp_path: Path) -> None:
    added = run(tmp_path, "add", "Alice joined TechCorp in January 2023.", "--at", "2023-02-01", "--json")
    report = json.loads(added.stdout)
    assert (report["status"], [b["fact"] for b in report["added"]]) == ("added", ["Alice works at TechCorp"])
    moved = run(
        tmp_path, "add", "-", "--at", "2026-03-02", "--id", "n2", stdin="Alice left TechCorp and joined Anthropic."
    )
    assert "Alice works at Anthropic" in moved.stdout

    found = json.loads(run(tmp_path, "search", "Where does Alice work?", "--valid", "2024-04-01", "--json").stdout)
    assert found["hits"][0]["belief"]["object"] == "TechCorp"
    assert found["hits"][0]["belief"]["evidence"][0]["quote"] == "Alice joined TechCorp in January 2023."
    table = run(tmp_path, "search", "Where does Alice work?")
    assert "Alice works at Anthropic" in table.stdout

    timeline = json.loads(run(tmp_path, "timeline", "Alice", "--predicate", "WORKS_AT", "--json").stdout)
    assert [(b["object"], b["valid_to"] and b["valid_to"]["said"]) for b in timeline] == [
        ("TechCorp", "2026-03-02"),
        ("Anthropic", None),
    ]
    assert "Alice works at TechCorp" in run(tmp_path, "retract", "n2").stdout
    status = json.loads(run(tmp_path, "status", "--json").stdout)
    assert (status["tenant"], status["pending"], status["beliefs"]) == ("default", 0, 1)


def test_changes_history_and_correct(tmp_path: Path) -> None:
    run(tmp_path, "add", "Alice joined TechCorp in January 2023.", "--at", "2023-02-01", "--id", "n1")
    (change,) = json.loads(run(tmp_path, "changes", "--entity", "Alice", "--json").stdout)
    assert (change["change"], change["episodes"], change["belief"]["fact"]) == (
        "added", ["n1"], "Alice works at TechCorp",
    )  # fmt: skip
    belief = change["belief"]["id"]
    words = ("--reason", "Her contract says March.", "--author", "liang")
    corrected = json.loads(run(tmp_path, "correct", belief, "--from", "2023-03", *words, "--json").stdout)
    assert [b["valid_from"]["said"] for b in corrected["added"]] == ["2023-03"]
    assert corrected["added"][0]["evidence"][-1]["quote"].endswith("Her contract says March.")
    again = run(tmp_path, "correct", belief, "--never")
    assert (again.returncode, "no longer believed" in again.stderr) == (4, True)

    held = json.loads(run(tmp_path, "history", belief, "--json").stdout)
    assert [b["valid_from"]["said"] for b in held] == ["2023-01", "2023-03"]
    assert "2023-03 →" in run(tmp_path, "history", held[1]["id"]).stdout
    table = run(tmp_path, "changes").stdout
    assert (table.count("Alice works at TechCorp"), corrected["episode_id"] in table) == (3, True)
    assert run(tmp_path, "changes", "--until", "2023").stdout == "nothing changed\n"

    ended = json.loads(run(tmp_path, "correct", held[1]["id"], "--to", "2024", "--json").stdout)
    (open_again,) = json.loads(run(tmp_path, "correct", ended["added"][0]["id"], "--no-end", "--json").stdout)[
        "added"
    ]
    moved = run(tmp_path, "correct", open_again["id"], "--object", "Globex")
    assert "Alice works at Globex" in moved.stdout
    assert run(tmp_path, "correct", open_again["id"], "--to", "2024", "--no-end").returncode == 2


def test_messages_from_a_file(tmp_path: Path) -> None:
    messages = [
        {"role": "user", "name": "liang", "time": "2026-03-02T10:00Z", "content": "我住北京。"},
        {"role": "assistant", "name": "bot", "time": "2026-03-02T10:01Z", "content": "OK."},
    ]
    (tmp_path / "chat.json").write_text(json.dumps(messages), encoding="utf-8")
    report = json.loads(run(tmp_path, "add", "--file", "chat.json", "--json").stdout)
    assert [(b["subject"], b["object"]) for b in report["added"]] == [("liang", "北京")]


def test_a_history_from_a_file(tmp_path: Path) -> None:
    lines = [
        {"name": "liang", "time": "2026-03-02T10:00Z", "content": "我住北京。", "session": "wechat"},
        {"occurred_at": "2023-02-01", "content": "Alice joined TechCorp.", "id": "note"},
    ]
    text = "\n\n".join(json.dumps(line) for line in lines)
    (tmp_path / "history.jsonl").write_text(text, encoding="utf-8")
    report = json.loads(run(tmp_path, "import", "history.jsonl", "--source", "chat", "--json").stdout)
    assert (report["episodes"], report["duplicates"], report["added"]) == (2, 0, 2)
    again = run(tmp_path, "import", "-", "--source", "chat", stdin=text + '\n{"content": ""}')
    assert again.returncode == 2
    assert again.stderr == "hitherto: item 3: the episode has no text; give at least one word\n"
    assert "2 (2 were there already)" in run(tmp_path, "import", "history.jsonl", "--source", "chat").stdout


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        (["add", " "], 2, "no text"),
        (["add"], 2, "either a text or --file"),
        (["add", "x", "--at", "2023-02-30"], 2, "2023-02-30"),
        (["add", "x", "--db", "mongodb://localhost/x"], 2, "mongodb"),
        (["add", "x", "--zone", "Mars/Olympus"], 2, "Mars/Olympus"),
        (["add", "x", "--tenant", " "], 2, "tenant is empty"),
        (["add", "--file", "nowhere.json"], 3, "nowhere.json"),
        (["add", "--file", "text.txt"], 2, "no JSON"),
        (["add", "x", "--db", "text.txt"], 2, "text.txt"),
        (["import", "nowhere.jsonl"], 3, "nowhere.jsonl"),
        (["search", "x"], 3, "hitherto.db"),
        (["timeline", "Alice", "--db", "missing.db"], 3, "missing.db"),
        (["demo", "text.txt"], 2, "text.txt"),
        (["demo", "nowhere.json"], 3, "nowhere.json"),
        (["demo", "--db", "text.txt"], 2, "already"),
        (["demo-neo4j", "nowhere.json"], 3, "nowhere.json"),
    ],
)
def test_bad_input_is_one_line_and_an_exit_code(tmp_path: Path, args: list[str], code: int, message: str) -> None:
    (tmp_path / "text.txt").write_text("not a database, nor JSON: " + "x" * 200, encoding="utf-8")
    before = sorted(p.name for p in tmp_path.iterdir())
    done = run(tmp_path, *args)
    assert done.returncode == code
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("hitherto: ")
    assert message in lines[0]
    assert sorted(p.name for p in tmp_path.iterdir()) == before


def test_bad_times_and_names_change_nothing(tmp_path: Path) -> None:
    facts = tmp_path / "facts.jsonl"
    good = {"subject": "Ann", "predicate": "LIKES", "object": "tea", "valid_from": "2020"}
    facts.write_text(json.dumps(good), encoding="utf-8")
    assert run(tmp_path, "load", "facts.jsonl", "--no-embed", "--tenant", "客户 甲/\U0001f989").returncode == 0
    facts.write_text(json.dumps({**good, "valid_to": "2019"}), encoding="utf-8")
    cases = [
        (["load", "facts.jsonl"], "row 1: valid_from 2020 is not before valid_to 2019"),
        (["add", "x", "--at", "10000"], "'10000' is not a date"),
        (["search", "x", "--valid", "0000"], "'0000' is not a date"),
        (["changes", "--since", "2024", "--until", "2023"], "nothing lies between 2024 and 2023"),
        (["audit", "changes", "--since", "2024", "--until", "2023"], "nothing lies between 2024 and 2023"),
        (["status", "--tenant", ""], "tenant is empty"),
    ]
    for args, message in cases:
        done = run(tmp_path, *args)
        assert (done.returncode, len(done.stderr.splitlines())) == (2, 1), (args, done.stderr)
        assert message in done.stderr
    future = run(tmp_path, "timeline", "Ann", "--known", "9999", "--tenant", "客户 甲/\U0001f989", "--json")
    assert [belief["object"] for belief in json.loads(future.stdout)] == ["tea"]
    assert json.loads(run(tmp_path, "status", "--json").stdout)["episodes"] == 0


def test_every_category_has_an_exit_code() -> None:
    assert set(EXIT_CODES) == {c.category for c in HithertoError.__subclasses__()}


def test_every_command_and_option_is_documented() -> None:
    page = (ROOT / "docs/cli.md").read_text(encoding="utf-8")
    for command in app.registered_commands:
        assert command.callback is not None
        name = command.name or command.callback.__name__
        assert f"## `hitherto {name}" in page, name
        options = re.findall(r"--[a-z][a-z-]+", run(ROOT, name, "--help").stdout)
        missing = {o for o in options if f"`{o}`" not in page and o not in ("--help", "--no-json")}
        assert not missing, (name, missing)


def test_the_demo_answers_from_what_it_reads(tmp_path: Path) -> None:
    demo = json.loads(bundled_files()[0].read_text(encoding="utf-8"))
    text = (
        json.dumps(demo).replace("Alice", "Dmitri").replace("TechCorp", "Globex").replace("Anthropic", "Initech")
    )
    text = text.replace("January 2023", "June 2022").replace("2024-04-01", "2022-12-01")
    (tmp_path / "mine.json").write_text(text, encoding="utf-8")
    done = run(tmp_path, "demo", "mine.json")
    assert done.returncode == 0, done.stderr
    answers = re.findall(r"→ (Dmitri works at \w+) · (.*?) ·", done.stdout)
    assert answers[:4] == [
        ("Dmitri works at Initech", "2026-03-02T09:00Z →"),
        ("Dmitri works at Globex", "2022-06 → 2026-03-02T09:00Z"),
        ("Dmitri works at Globex", "2022-06 →"),
        ("Dmitri works at Globex", "2022-06 → 2026-03-02T09:00Z"),
    ]


def test_bundled_files_are_well_formed() -> None:
    assert [load(p).title for p in bundled_files()] == [
        "Alice changes jobs",
        "中文：Alice 与 Liang",
        "Five months with a health assistant",
        "A team over six years",
    ]
