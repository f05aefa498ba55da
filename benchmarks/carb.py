"""Open relations: CaRB's F1 and AUC, by the set's own scoring rule.

    python benchmarks/carb.py [DATA] [--show N]

DATA is the folder of the public sets (``carb/dev.txt`` and ``carb/dev_gold.tsv`` in it). Every clause gives one
tuple: subject, verb with auxiliaries and first preposition, and what follows. The rule (Bhardwaj et al., 2019):
words are matched one to one; for recall each gold tuple takes its best tuple of ours, for precision gold and
ours are paired greedily, best first, within a sentence. The sides behind the first are joined; "said" may be
turned round.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

from hitherto.extraction.english.clauses import Sentence
from hitherto.extraction.english.frames import Argument, Frame, frames
from hitherto.extraction.english.parser import parse_english
from hitherto.extraction.tokens import Token

DATA = Path(__file__).parent.parent.parent / "shared" / "data"
SAYING = ("said", "told", "added", "adds", "says")
BEING = ("be", "is", "am", "are", "was", "were", "been", "being")


@dataclass(frozen=True, slots=True)
class Extraction:
    relation: str
    sides: tuple[str, ...]
    confidence: float = 1.0


def ours(sentence: Sentence) -> list[Extraction]:
    """The tuples of a sentence."""
    return [found for frame in frames(sentence) for found in _tuples(sentence, frame)]


def _tuples(sentence: Sentence, frame: Frame) -> list[Extraction]:
    """One tuple for a frame: its subject, relation, first argument, and the others with their prepositions."""
    clauses = [Argument((), c) for c in sentence.children(frame.verb, "ccomp") if c.index > frame.verb.index]
    known = [*frame.arguments, *clauses]
    if not known:
        return []
    first, *rest = known
    relation = _text([*frame.words, *first.path])
    others = [_text([*a.path, *_tokens(sentence, a.head, frame.verb)]) for a in rest]
    side = _text(_tokens(sentence, first.head, frame.verb))
    return [Extraction(relation, (_text(_tokens(sentence, frame.subject, frame.verb)), side, *others))]


def _tokens(sentence: Sentence, head: Token, verb: Token) -> list[Token]:
    """A noun phrase without its relative clauses and without what the verb itself stands in."""
    tokens = sentence.subtree(head, stop=frozenset({"relcl"}))
    below = set(sentence.subtree(verb)) if verb.index in {t.index for t in tokens} else set()
    while tokens and tokens[-1].pos == "PUNCT" and tokens[-1].text in ",;:":
        tokens.pop()
    return [t for t in tokens if t not in below]


def _text(tokens: list[Token]) -> str:
    """The words as the sentence has them: what stood without a blank between is one word."""
    found, end = "", -1
    for token in sorted(set(tokens), key=lambda t: t.index):
        found += token.text if token.start == end else f" {token.text}"
        end = token.end
    return found.strip()


def matched(gold: list[str], found: list[str]) -> int:
    """Words in both, each counted once for each time it stands there."""
    return sum((Counter(gold) & Counter(found)).values())


def scores(gold: Extraction, found: Extraction) -> tuple[float, float]:
    """Precision and recall of one tuple against one of the gold."""
    best = _scores(gold, found)
    if any(verb in gold.relation for verb in SAYING) and len(found.sides) > 1:
        turned = Extraction(found.relation, (" ".join(found.sides[1:]), found.sides[0]))
        best = max(best, _scores(gold, turned))
    return best


def _scores(gold: Extraction, found: Extraction) -> tuple[float, float]:
    wanted, had = gold.relation.split(), found.relation.split()
    common = matched(wanted, had)
    if "be" in had and "be" not in wanted and any(form in wanted for form in BEING):
        common += 1
    if common == 0:
        return 0.0, 0.0
    right, ours_total, gold_total = common, len(had), len(wanted)
    for i, side in enumerate(_joined(gold.sides)):
        gold_total += len(side.split())
        if len(found.sides) <= i:
            return 0.0, 0.0
        theirs = _joined(found.sides)[i].split()
        ours_total += len(theirs)
        right += matched(side.split(), theirs)
    return right / ours_total, right / gold_total


def _joined(sides: tuple[str, ...]) -> tuple[str, ...]:
    return (sides[0], " ".join(sides[1:])) if len(sides) >= 2 else sides


def sentence_scores(gold: list[Extraction], found: list[Extraction]) -> tuple[float, float]:
    """Sum of matched precision over ours, and of recall over the gold."""
    table = [[scores(g, f) for f in found] for g in gold]
    recall = sum(max((cell[1] for cell in row), default=0.0) for row in table)
    left = sorted(((cell[0], i, j) for i, row in enumerate(table) for j, cell in enumerate(row)), reverse=True)
    rows: set[int] = set()
    columns: set[int] = set()
    precision = 0.0
    for value, i, j in left:
        if i not in rows and j not in columns:
            rows.add(i)
            columns.add(j)
            precision += value
    return precision, recall


def read_gold(path: Path) -> dict[str, list[Extraction]]:
    found: dict[str, list[Extraction]] = defaultdict(list)
    for line in path.read_text(encoding="utf-8").splitlines():
        sentence, relation, *sides = line.split("\t")
        found[sentence.strip()].append(Extraction(relation, tuple(s for s in sides)))
    return found


def curve(gold: dict[str, list[Extraction]], found: dict[str, list[Extraction]]) -> list[tuple[float, float]]:
    """(precision, recall) at every confidence, highest confidence first."""
    points = []
    total = sum(map(len, gold.values()))
    for least in sorted({e.confidence for row in found.values() for e in row}, reverse=True):
        kept = {s: [e for e in row if e.confidence >= least] for s, row in found.items()}
        sums = [sentence_scores(gold[s], kept[s]) for s in gold]
        count = sum(len(kept[s]) for s in gold)
        points.append((sum(p for p, _ in sums) / max(count, 1), sum(r for _, r in sums) / total))
    return points


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", type=Path, default=DATA)
    parser.add_argument("--show", type=int, default=0, help="print this many sentences with both kinds of tuples")
    arguments = parser.parse_args()
    path = arguments.data / "carb" / "dev_gold.tsv"
    if not path.exists():
        sys.exit(f"{path} is not there; give the folder of the public sets")
    gold = read_gold(path)
    texts = list(gold)
    parsed = parse_english(texts)
    found = {text: ours(Sentence(tokens)) for text, tokens in zip(texts, parsed, strict=True)}
    for text in texts[: arguments.show]:
        print(text)
        for mark, rows in (("gold", gold[text]), ("ours", found[text])):
            for row in rows:
                print(f"    {mark}: {' | '.join((row.sides[0], row.relation, *row.sides[1:]))}")
    points = curve(gold, found)
    precision, recall = max(points, key=lambda p: 2 * p[0] * p[1] / max(sum(p), 1e-9))
    area, before = 0.0, 0.0
    for p, r in points:
        area, before = area + p * max(r - before, 0.0), max(r, before)
    f1 = 2 * precision * recall / (precision + recall)
    print(
        f"{len(gold)} sentences, {sum(map(len, gold.values()))} gold tuples, {sum(map(len, found.values()))} ours"
    )
    print(f"F1 {f1:.3f} (precision {precision:.3f}, recall {recall:.3f}), AUC {area:.3f}")


if __name__ == "__main__":
    main()
