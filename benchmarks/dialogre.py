"""Relations between the people of a dialogue: DialogRE's micro F1, English and Chinese.

    python benchmarks/dialogre.py [DATA] [--limit N] [--show N]

DATA is the folder of the public sets (``dialogre/en_dev.json.gz``, ``dialogre/cn_dev.json.gz`` in it). Each
dialogue is one episode of messages; what the rules read in it is put into the set's 36 relations by the table
below, and counts for the argument pairs that the set asks about. Relations that the table has no predicate for are
counted as missed. Baseline: every speaker is called by every name that it is asked about with
(``per:alternate_names``, the commonest relation).
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from talks import DATA

from hitherto.episodes import About, build_episode
from hitherto.extraction.extractor import Reading
from hitherto.extraction.rules import RuleExtractor
from hitherto.kg.model import Draft, Mention, Modality
from hitherto.kg.ontology import Ontology
from hitherto.temporal.claims import Says

MINUTES = datetime(2020, 1, 1, tzinfo=UTC)
RELATIONS: dict[str, tuple[str | None, str | None]] = {
    "NAMED": ("per:alternate_names", "per:alternate_names"),
    "SPOUSE_OF": ("per:spouse", "per:spouse"),
    "PARTNER_OF": ("per:girl/boyfriend", "per:girl/boyfriend"),
    "PARENT_OF": ("per:children", "per:parents"),
    "SIBLING_OF": ("per:siblings", "per:siblings"),
    "FRIEND_OF": ("per:friends", "per:friends"),
    "HAS_PET": ("per:pet", None),
    "REPORTS_TO": ("per:boss", "per:subordinate"),
    "HAS_ROLE": ("per:title", None),
    "WORKS_AT": ("per:employee_or_member_of", "org:employees_or_members"),
    "MEMBER_OF": ("per:employee_or_member_of", "org:employees_or_members"),
    "STUDIES_AT": ("per:schools_attended", "org:students"),
    "STUDIES": ("per:major", None),
    "LIVES_IN": ("per:place_of_residence", "gpe:residents_of_place"),
    "COMES_FROM": ("per:origin", None),
    "VISITED": ("per:visited_place", "gpe:visitors_of_place"),
    "BORN_ON": ("per:date_of_birth", None),
    "LIKES": ("per:positive_impression", None),
    "DISLIKES": ("per:negative_impression", None),
}
"""What a predicate is from its subject to its object, and the other way round."""
Triple = tuple[str, str, str]
_TURN = re.compile(r"^(?P<who>[^:：]{1,80})[:：]\s*(?P<text>.*)$", re.DOTALL)


def messages(turns: Iterable[str]) -> Iterator[dict[str, object]]:
    for turn in turns:
        if (found := _TURN.match(turn)) is not None and found["text"].strip():
            yield {"role": "user", "name": found["who"], "content": found["text"]}


def found_in(drafts: Iterable[Draft]) -> set[Triple]:
    """What drafts that are believed say, in the set's relations."""
    found: set[Triple] = set()
    for draft in drafts:
        there, back = RELATIONS.get(draft.predicate, (None, None))
        if draft.says is Says.DENIAL or draft.modality is not Modality.ASSERTED:
            continue
        x = draft.subject.name.casefold()
        y = (draft.object.name if isinstance(draft.object, Mention) else draft.object.text).casefold()
        found |= {(a, r, b) for a, r, b in ((x, there, y), (y, back, x)) if r is not None}
    return found


def by_name(asked: Sequence[dict[str, Any]]) -> set[Triple]:
    """The baseline."""
    sides = [(pair["x"].casefold(), pair["y"].casefold()) for pair in asked]
    return {
        (x, "per:alternate_names", y) for x, y in sides if x.startswith("speaker") is not y.startswith("speaker")
    }


def f1(right: int, said: int, true: int) -> str:
    precision, recall = right / max(1, said), right / max(1, true)
    return f"F1 {2 * right / max(1, said + true):.3f} (precision {precision:.3f}, recall {recall:.3f})"


async def measure(file: Path, limit: int | None, show: int) -> None:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        dialogues = json.load(lines)[:limit]
    ontology = Ontology.starter()
    extractor = RuleExtractor(ontology, UTC)
    about = About(occurred_at=MINUTES)
    episodes = [build_episode("dialogre", list(messages(turns)), about, UTC) for turns, _ in dialogues]
    drafts = await extractor.extract([Reading(episode) for episode in episodes])
    totals: dict[str, Counter[str]] = {"rules": Counter(), "names": Counter()}
    wrong: list[str] = []
    for (_, asked), read in zip(dialogues, drafts, strict=True):
        pairs = {(pair["x"].casefold(), pair["y"].casefold()) for pair in asked}
        gold = {
            (pair["x"].casefold(), relation, pair["y"].casefold())
            for pair in asked
            for relation in pair["r"]
            if relation != "unanswerable"
        }
        for name, answers in (("rules", found_in(read)), ("names", by_name(asked))):
            said = {t for t in answers if (t[0], t[2]) in pairs}
            totals[name].update(right=len(said & gold), said=len(said), true=len(gold))
            if name == "rules":
                wrong += [" | ".join(triple) for triple in sorted(said - gold)]
    for name, counts in totals.items():
        score = f1(counts["right"], counts["said"], counts["true"])
        print(f"{file.name}, {len(dialogues)} dialogues, {name}: {score}")
    print(*wrong[:show], sep="\n", end="\n" if wrong[:show] else "")


async def main(data: Path, limit: int | None, show: int) -> None:
    for language in ("en", "cn"):
        file = data / "dialogre" / f"{language}_dev.json.gz"
        if file.exists():
            await measure(file, limit, show)
        else:
            print(f"{file} is not there; not measured")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", type=Path, default=DATA)
    parser.add_argument("--limit", type=int, help="only the first dialogues")
    parser.add_argument("--show", type=int, default=0, help="so many wrong answers")
    given = parser.parse_args()
    asyncio.run(main(given.data, given.limit, given.show))
