"""Proposing who may be one, on every store and on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hitherto import Invalid, Memory
from tests.commands import run
from tests.promises.conftest import Opener


async def proposed(memory: Memory) -> list[tuple[str, str]]:
    return [(pair.a.name, pair.b.name) for pair in await memory.duplicates()]


async def test_doubles_are_proposed_with_a_reason_until_somebody_decides(fresh: Opener) -> None:
    memory = await fresh()
    for name in ("Sherlock Holmes", "Mr. Holmes", "Robert Smith", "Bob Smith", "mlp-332", "mlp-333"):
        kind = None if name.startswith("mlp") else "Person"
        await memory.assert_fact(name, "LIVES_IN", "London", valid_from="2020", subject_kind=kind)
    before = await memory.status()
    found = await memory.duplicates()
    assert [str(pair) for pair in found] == [
        "Bob Smith ~ Robert Smith · 0.85 · one is a nickname",
        "Mr. Holmes ~ Sherlock Holmes · 0.75 · Mr. Holmes is how Sherlock Holmes may be called",
    ]
    assert [str(pair) for pair in await memory.duplicates(limit=1)] == [str(found[0])]
    assert await memory.duplicates(at_least=0.9) == []
    assert await memory.status() == before
    await memory.merge(found[0].a, found[0].b, reason=found[0].reason)
    assert await proposed(memory) == [("Mr. Holmes", "Sherlock Holmes")]
    split = await memory.split(found[1].a, found[1].b)
    assert await proposed(memory) == []
    await memory.retract(split.episode_id)
    assert await proposed(memory) == [("Mr. Holmes", "Sherlock Holmes")]


async def test_what_only_one_can_have_and_the_name_that_an_actor_gave_count(fresh: Opener) -> None:
    memory = await fresh()
    for name in ("Ann Lee", "A. Schmidt"):
        await memory.assert_fact(name, "HAS_PHONE", "+49 30 1234567", valid_from="2020")
    for actor in ("crm:1", "crm:2"):
        await memory.assert_fact(actor, "NAMED", "Mycroft", valid_from="2020", subject_kind="Person")
    await memory.assert_fact("Mycroft", "LIVES_IN", "London", valid_from="2020", subject_kind="Person")
    assert [(p.a.name, p.b.name, p.score) for p in await memory.duplicates()] == [
        ("A. Schmidt", "Ann Lee", 0.95),
        ("Mycroft", "crm:1", 0.45),
        ("Mycroft", "crm:2", 0.45),
    ]


async def test_bad_input_is_refused(fresh: Opener) -> None:
    memory = await fresh()
    assert await memory.duplicates() == []
    with pytest.raises(Invalid, match="limit=0"):
        await memory.duplicates(limit=0)


def test_on_the_command_line(tmp_path: Path) -> None:
    facts = [
        {"subject": name, "predicate": "LIKES", "object": drink, "valid_from": "2020", "subject_kind": "Person"}
        for name, drink in (("Bob Smith", "Tea"), ("Robert Smith", "Gin"))
    ]
    (tmp_path / "facts.jsonl").write_text("\n".join(map(json.dumps, facts)), encoding="utf-8")
    assert run(tmp_path, "load", "facts.jsonl").returncode == 0
    assert "Robert Smith" in run(tmp_path, "duplicates").stdout
    [pair] = json.loads(run(tmp_path, "duplicates", "--json").stdout)
    a, b = (entity["id"] for entity in pair["entities"])
    merged = json.loads(run(tmp_path, "merge", a, b, "--reason", "He is.", "--by", "ann", "--json").stdout)
    assert merged["status"] == "added"
    assert run(tmp_path, "duplicates").stdout == "no two are alike\n"
    assert run(tmp_path, "merge", "bob smith", "robert smith").stdout.startswith("duplicate")
    assert "Bob Smith likes Tea" in run(tmp_path, "split", "Bob Smith", "Robert Smith").stdout
    nobody = run(tmp_path, "merge", "Bob Smith", "Nobody")
    assert (nobody.returncode, nobody.stderr.count("\n")) == (3, 1)
    assert run(tmp_path, "split", "Bob Smith", "bob smith").returncode == 2
