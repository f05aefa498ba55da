"""How much of the evidence do the most telling turns of a session hold, before anybody has asked?

    python benchmarks/sessions.py [--data DATA] [--budgets 100 200 400]

LoCoMo, as in ``recall.py``: each session's most telling turns (``summaries.most_telling``, no model) within so
many tokens; the share of all evidence, over all questions, that stands in them. Beside it, in the same run: the
session's first turns, its longest, and SumBasic (Nenkova and Vanderwende 2005: the turn whose words are the most
frequent on average, a used word's frequency squared). Tokens are counted by ``estimate_tokens``.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from recall import locomo_evidence, locomo_talk
from talks import DATA, load

from hitherto.kg.model import Episode
from hitherto.query.questions import content_words
from hitherto.query.summaries import SaidTurn, most_telling, turns_of
from hitherto.query.tokens import estimate_tokens

BUDGETS = (100, 200, 400)


def cost(turn: SaidTurn) -> int:
    return estimate_tokens(f"- {turn}\n") + 1


def fitting(turns: Iterable[SaidTurn], budget: int) -> list[SaidTurn]:
    """In their order, those that still fit."""
    kept: list[SaidTurn] = []
    for turn in turns:
        if cost(turn) <= budget:
            kept.append(turn)
            budget -= cost(turn)
    return kept


def ours(turns: Sequence[SaidTurn], budget: int) -> list[SaidTurn]:
    return most_telling(turns, budget, estimate_tokens)


def longest(turns: Sequence[SaidTurn], budget: int) -> list[SaidTurn]:
    return fitting(sorted(turns, key=lambda turn: -len(turn.text)), budget)


def sum_basic(turns: Sequence[SaidTurn], budget: int) -> list[SaidTurn]:
    words = {turn.number: content_words(turn.text) for turn in turns}
    counts = Counter(word for found in words.values() for word in found)
    shares = {word: n / counts.total() for word, n in counts.items()}
    left, kept = [turn for turn in turns if words[turn.number]], list[SaidTurn]()
    while left := [turn for turn in left if cost(turn) <= budget]:
        means = {t.number: sum(shares[w] for w in words[t.number]) / len(words[t.number]) for t in left}
        best = max(left, key=lambda turn: (means[turn.number], -turn.number))
        kept.append(best)
        left.remove(best)
        budget -= cost(best)
        for word in set(words[best.number]):
            shares[word] *= shares[word]
    return kept


WAYS: dict[str, Callable[[Sequence[SaidTurn], int], list[SaidTurn]]] = {
    "most telling": ours,
    "first": fitting,
    "longest": longest,
    "SumBasic": sum_basic,
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description="How much of the evidence do a session's most telling turns hold?"
    )
    parser.add_argument("--data", type=Path, default=DATA, help="the folder of the public sets")
    parser.add_argument("--budgets", type=int, nargs="+", default=BUDGETS)
    options = parser.parse_args()
    held: Counter[tuple[str, int]] = Counter()
    wanted = 0
    for sample in load(options.data / "locomo" / "locomo_dev.json.gz"):
        evidence = Counter(id_ for _, ids in locomo_evidence(sample) for id_ in ids)
        sessions: defaultdict[str | None, list[Episode]] = defaultdict(list)
        for episode in locomo_talk(sample["conversation"]):
            sessions[episode.session].append(episode)
            wanted += evidence[episode.id]
        for episodes in sessions.values():
            turns = turns_of(episodes)
            for name, way in WAYS.items():
                for budget in options.budgets:
                    held[name, budget] += sum(evidence[turn.episode_id] for turn in way(turns, budget))
    print("LoCoMo dev, share of evidence in each session's summary")
    print("  tokens      " + "".join(f"{budget:>8}" for budget in options.budgets))
    for name in WAYS:
        print(f"  {name:<12}" + "".join(f"{held[name, budget] / wanted:>8.3f}" for budget in options.budgets))


if __name__ == "__main__":
    main()
