"""The order of what was said: a message is also judged by the ones around it and by who said it. Pure.

A question is answered by one message and asked by the one before; so a message takes a share of what its
neighbours in the session score. What is long speaks for itself: it gives and takes less.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from ..kg.ids import normalise
from ..kg.model import Entity, Episode, Role
from ..kg.store import Neighbour
from .about import Named, share_held, whole_names
from .explanations import LegRank
from .people import speakers
from .results import EpisodeHit, rescored, weighed

REACH: Final = 2
"""Neighbours on each side that are looked at."""
AROUND: Final = "episode:around"

_SHARES: Final = {1: 0.3, -1: 0.2, 2: 0.1, -2: 0.1}
"""What the message so much later takes of a message's score. The figures, here and below, are the round ones
around which two-person and assistant conversations both stayed flat."""
_SHORT: Final = 200
"""Characters up to which a message gives and takes in full."""
_LISTENER: Final = 0.5
"""What is left of the score of what a machine said, unless the question is about that."""
_OTHER_SPEAKER: Final = 0.5
_ABOUT_NOBODY: Final = 0.5
"""What is left of the score of a message without the names in the question; with a part of them, more."""
_LOOKING_BACK: Final = 0.7
_LASTING: Final = 0.5
_FADES: Final = timedelta(days=1_000)
"""Until half of what a message can lose by age is gone, where the question is asked as of a date."""
_MACHINE: Final = "said by a machine"
_ELSE: Final = "somebody else says it"
_NOBODY: Final = "names nobody asked about"
_THEN: Final = "by when it was said"
_PART: Final = "holds a part of a name"
_PLACED: Final = "put by when it was said"
_READ: Final = 20_000
"""Names are looked for this far into a message, words a tenth as far."""
_HEAD: Final = 10
"""Among so many of the first, messages about the same are put newest first."""
_SAMPLE: Final = 40
"""Of so many of the first is counted how rare a word is."""
_SAME: Final = 0.5
"""Share of the question's words, weighed by how rare they are, that two messages about the same have in common."""
_UNSPACED: Final = re.compile(r"[\u3040-\u9fff\uac00-\ud7af]")
SENTENCE: Final = re.compile(r"[^.!?。！？\n]+[.!?。！？]*\s*")
_RIVAL: Final = 0.5
"""Share of a score from which a newer message is one about the same."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What of a question matters for the order of messages."""

    words: tuple[str, ...]
    entities: tuple[Entity, ...]
    names: tuple[str, ...]
    """Proper names in it, known or not, in lower case."""
    listener: bool
    """It asks about what the listener said."""
    at: datetime | None
    """Where one message replaces another: the instant whose last word is wanted."""
    people: tuple[Named, ...] = ()
    """The proper names word by word, as they belong together."""
    as_of: datetime | None = None
    """The caller's date, where one was given."""


def heard(hits: Iterable[EpisodeHit], asked: Asked) -> list[EpisodeHit]:
    """With what assistants and tools said weighing less."""
    return [h if asked.listener or _by_a_person(h.episode) else weighed(h, _LISTENER, _MACHINE) for h in hits]


def spread(
    hits: Sequence[EpisodeHit], around: Mapping[str, Sequence[Neighbour]], givers: Iterable[str]
) -> list[EpisodeHit]:
    """Each hit with its share of the scores of those near it. ``around``: the neighbours of the ``givers``."""
    by_id = {hit.id: hit for hit in hits}
    taken: dict[str, float] = defaultdict(float)
    for giver in givers:
        hit = by_id[giver]
        for near in around.get(giver, ()):
            taken[near.id] += _SHARES.get(near.distance, 0.0) * hit.score * _brevity(hit)
    return [_with_share(hit, taken[hit.id] * _brevity(hit)) for hit in hits]


def promising(scores: Mapping[str, float], around: Mapping[str, Sequence[Neighbour]]) -> list[str]:
    """The neighbours that may rise by what is near them, the likeliest first."""
    taken: dict[str, float] = defaultdict(float)
    for giver, near in around.items():
        for n in near:
            taken[n.id] += _SHARES.get(n.distance, 0.0) * scores.get(giver, 0.0)
    return sorted(taken, key=lambda id_: (-taken[id_], id_))


def order_turns(hits: Iterable[EpisodeHit], asked: Asked) -> list[EpisodeHit]:
    """Best first: by score, by whether whom the question names says it or is named in it, and among the first of
    those that say the same sort of thing the newest."""
    hits = _by_whom(list(hits), asked)
    if asked.as_of is not None:
        hits = [weighed(hit, timely(hit.episode.occurred_at, asked.as_of), _THEN) for hit in hits]
    ranked = sorted(hits, key=lambda hit: (-hit.score, hit.id))
    return ranked if asked.at is None else newest_first(ranked, asked.words, asked.at)


def newest_first(ranked: Sequence[EpisodeHit], words: Sequence[str], at: datetime) -> list[EpisodeHit]:
    """The same places, but messages that hold the same words of the question share theirs in order of time: the
    last one said up to ``at`` first, for what was said last counts, then those before, then what was said
    afterwards, the soonest first. Scores stay with the places."""
    head = list(ranked[:_HEAD])
    patterns = {word: _pattern(word) for word in words}
    held = [_held(hit.quote, patterns) for hit in ranked[:_SAMPLE]]
    weights = _rarity(held)
    free = set(range(len(head)))
    for first, hit in enumerate(ranked[:_HEAD]):
        if first not in free or not _by_a_person(hit.episode):
            continue
        rivals = [first]
        for place in range(first + 1, len(head)):
            rival = ranked[place]
            close = place in free and rival.score >= _RIVAL * hit.score and _by_a_person(rival.episode)
            if close and _alike(held[first], held[place], weights):
                rivals.append(place)
        newest = sorted((ranked[p] for p in rivals), key=lambda h: _age(h.episode.occurred_at, at))
        for place, moved in zip(rivals, newest, strict=True):
            head[place] = moved if moved is ranked[place] else rescored(moved, ranked[place].score, _PLACED)
        free -= set(rivals)
    return [*head, *ranked[_HEAD:]]


def _age(said: datetime, at: datetime) -> tuple[bool, timedelta]:
    return said > at, abs(at - said)


def _rarity(held: Sequence[set[str]]) -> dict[str, float]:
    """How much each word tells messages apart."""
    having = Counter(word for words in held for word in words)
    return {w: math.log1p((len(held) - n + 0.5) / (n + 0.5)) for w, n in having.items()}


def _alike(one: set[str], other: set[str], weights: Mapping[str, float]) -> bool:
    every = sum(weights[word] for word in one | other)
    return every > 0 and sum(weights[word] for word in one & other) >= _SAME * every


def _held(said: str, patterns: Mapping[str, re.Pattern[str]]) -> set[str]:
    """Words by their beginnings: cutting whole messages for this would cost more than the search."""
    text = said[: _READ // 10].casefold()
    return {word for word, pattern in patterns.items() if pattern.search(text)}


def _pattern(word: str) -> re.Pattern[str]:
    start = re.escape(word[:-1]) + "[iy]" if word.endswith("i") and len(word) > 2 else re.escape(word)
    return re.compile(start if _UNSPACED.search(word) else rf"\b{start}")


def excerpt(text: str, words: Sequence[str], most: int = 240) -> str:
    """The sentence with the most of the question's words, and what follows up to ``most`` characters; the whole
    text if it is no longer than that."""
    if len(text) <= most:
        return text
    patterns = [_pattern(word) for word in set(words)]
    sentences = [m.span() for m in SENTENCE.finditer(text)] or [(0, len(text))]
    held = [sum(p.search(text[start:end].casefold()) is not None for p in patterns) for start, end in sentences]
    start = sentences[held.index(max(held))][0]
    part = text[start : start + most].strip()
    return f"{'… ' if start else ''}{part}{' …' if start + most < len(text) else ''}"


def _by_whom(hits: Sequence[EpisodeHit], asked: Asked) -> list[EpisodeHit]:
    """Where the question names somebody who speaks here, what others say weighs less, also to them ("Wow, Ann!");
    where it names somebody who does not, what names them weighs more."""
    wanted = {*asked.names, *(normalise(n) for e in asked.entities for n in (e.name, *e.aliases))}
    spoke = {hit.id: {normalise(actor) for actor in speakers(hit.episode)} for hit in hits}
    if any(wanted & names for names in spoke.values()):
        return [
            hit if wanted & spoke[hit.id] or not _by_a_person(hit.episode) else weighed(hit, _OTHER_SPEAKER, _ELSE)
            for hit in hits
        ]
    if not wanted and not asked.people:
        return list(hits)
    known = whole_names((n for e in asked.entities for n in (e.name, *e.aliases)), asked.people)
    return [_by_names(hit, share_held(hit.quote, asked.people, known)) for hit in hits]


def _by_names(hit: EpisodeHit, share: float) -> EpisodeHit:
    by = _ABOUT_NOBODY + (1 - _ABOUT_NOBODY) * share
    return hit if share == 1 else weighed(hit, by, _PART if share else _NOBODY)


def _by_a_person(episode: Episode) -> bool:
    return not episode.turns or any(turn.role is Role.USER for turn in episode.turns)


def _brevity(hit: EpisodeHit) -> float:
    return min(1.0, _SHORT / max(len(hit.quote), 1))


def _with_share(hit: EpisodeHit, share: float) -> EpisodeHit:
    if not share:
        return hit
    gives = share / math.prod(factor.by for factor in hit.factors)  # the factors so far are not the share's
    return replace(hit, score=hit.score + share, legs=(*hit.legs, LegRank(AROUND, 1, share, gives)))


def timely(said: datetime, as_of: datetime) -> float:
    """How much a message counts for an instant: one said long before it may be out of date (half of what can fade
    is gone after 1,000 days), one said later tells of it only in looking back."""
    if said > as_of:
        return _LOOKING_BACK
    return _LASTING + (1 - _LASTING) * math.pow(0.5, (as_of - said) / _FADES)
