"""docker/browser.grass: what Neo4j Browser's own parser takes, for what the starter ontology names."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RULE = re.compile(
    r'(node|relationship)(?:\.(\w+))? \{ ((?:[a-z-]+: (?:"[^":;{}]*(?:\{\w+\}[^":;{}]*)*"|[#\w]+); )+)\}'
)


def rules() -> dict[tuple[str, str], str]:
    lines = (ROOT / "docker" / "browser.grass").read_text(encoding="utf-8").splitlines()
    found = [RULE.fullmatch(line) for line in lines]
    # The Browser drops a caption with a colon in it, without a word.
    assert all(found), [line for line, rule in zip(lines, found, strict=True) if rule is None]
    return {(rule[1], rule[2] or ""): rule[3] for rule in found if rule is not None}


def test_the_commonest_kinds_of_the_ontology_have_colours_of_their_own() -> None:
    ontology = tomllib.loads((ROOT / "kg" / "ontology.toml").read_text(encoding="utf-8"))
    sides = Counter(table[side] for table in ontology.values() for side in ("subject", "object") if side in table)
    kinds = [kind for kind, _ in sides.most_common(5)]
    colours = [re.search(r"(?<!-)color: (#\w{6})", rules()["node", kind]) for kind in kinds]
    assert len({colour[1] for colour in colours if colour}) == 5


def test_edges_show_what_they_mean_and_when() -> None:
    assert 'caption: "{predicate} {during}"' in rules()["relationship", ""]
    assert 'caption: "once {predicate} {during}"' in rules()["relationship", "SUPERSEDED"]
    assert 'caption: "{name}"' in rules()["node", ""]
