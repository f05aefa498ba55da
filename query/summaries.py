"""What a session came to, without a model: who spoke, what was learned, what is open, and its most telling turns.

Extractive: each line is a fact with its dates and quote, or somebody's own words; the same session, as known at
the same instant, gives the same summary.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from functools import partial
from typing import Final

from ..kg.ids import value_key
from ..kg.model import SEARCHED, Belief, Claim, Episode, Role
from ..kg.ontology import Ontology
from ..kg.store import EpisodeFilter, FactFilter, Point, Store
from ..kg.working import OF_WORKING_MEMORY, SESSION
from ..temporal.claims import Says
from ..temporal.errors import Invalid
from .arguments import check_budget
from .fetching import chunks, every_belief, pages
from .history import as_known
from .questions import content_words
from .tasks import read_tasks
from .tokens import TokenCounter, checked, estimate_tokens

BUDGET: Final = 400
"""Tokens, unless a caller says."""

_LEARNED, _OPEN = 0.5, 0.2
"""Shares of the budget that what was learned and what is open may take; the turns have the rest."""
_THRIFT: Final = 0.5
"""How much a turn's length counts against it: its gain is divided by its tokens to this power (Lin and Bilmes,
"Multi-document Summarization via Budgeted Maximization of Submodular Functions", 2010)."""


@dataclass(frozen=True, slots=True)
class Voice:
    """Somebody who spoke: an actor, or a role where nobody is named."""

    name: str
    turns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidTurn:
    """What somebody said, word for word."""

    episode_id: str
    at: datetime
    speaker: str
    text: str
    number: int
    """Its place in the session, from 0."""

    def __str__(self) -> str:
        return f"{self.speaker}: {' '.join(self.text.split())}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """A belief that came from the session (or that it ended), and the words it rests on."""

    belief: Belief
    quote: str
    episode_id: str
    zone: tzinfo = UTC

    def __str__(self) -> str:
        return " · ".join(p for p in (self.belief.line(self.zone), f"“{' '.join(self.quote.split())}”") if p)


@dataclass(frozen=True, slots=True)
class OpenTodo:
    """What is still to be done in a task that was worked on in the session."""

    task: str
    text: str

    def __str__(self) -> str:
        return f"to do for {self.task}: {self.text}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionSummary:
    """``str()`` is the summary as a model is to read it; it takes ``tokens``, at most ``budget``."""

    session: str
    began: datetime
    ended: datetime
    """When the last thing was said."""
    episodes: int
    voices: tuple[Voice, ...]
    """Who spoke, the most talkative first."""
    learned: tuple[Learned, ...]
    """All that was learned, in the order in which it was said; the text may hold fewer."""
    questions: tuple[SaidTurn, ...]
    """Questions that nobody answered: the session ends with them."""
    todos: tuple[OpenTodo, ...]
    turns: tuple[SaidTurn, ...]
    """The most telling turns that the budget has room for, in the order in which they were said."""
    text: str
    line: str
    """The same text in one line; empty where it holds nothing but who spoke."""
    tokens: int
    budget: int
    episode_ids: tuple[str, ...]
    """What the lines of the text rest on."""

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Allowance:
    """How much a summary may take. ``besides``: ids of beliefs and episodes that its reader has before him."""

    budget: int = BUDGET
    count: TokenCounter = estimate_tokens
    zone: tzinfo = UTC
    besides: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Heard:
    """All that is known of a session."""

    session: str
    episodes: Sequence[Episode]
    beliefs: Sequence[Belief] = ()
    todos: tuple[OpenTodo, ...] = ()


async def read_session(
    store: Store, point: Point, session: str, ontology: Ontology, most: int | None = None
) -> Heard | None:
    """What was said and learned in a session and is not archived, and what is still to be done, at the point; None
    if nothing was said in it, or more than so many episodes."""
    assert point.known is not None
    episodes = await _episodes(store, point, session, most)
    if not episodes:
        return None
    beliefs: dict[str, Belief] = {}
    for some in chunks(e.id for e in episodes):
        where = FactFilter(episode_ids=some, archived=False)
        for belief in await every_belief(store, Point(point.tenant, None, point.known), where):
            seen = as_known(belief, point.known, ontology)
            if seen is not None:
                beliefs[seen.id] = seen
    return Heard(session, episodes, tuple(beliefs.values()), await _todos(store, point, session, ontology))


def summarise(heard: Heard, allowed: Allowance) -> SessionSummary:
    """The summary. Raises ``Invalid`` when its first line alone is over the budget."""
    turns = turns_of(heard.episodes)
    learned = _learned(heard, allowed.zone)
    questions = _unanswered(turns)
    voices = tuple(Voice(name, n) for name, n in Counter(t.speaker for t in turns).most_common())
    page = _Page(_heading(heard, voices, allowed.zone), allowed)
    news = [one for one in learned if one.belief.id not in allowed.besides]
    page.add("Learned", [(str(one), (one.episode_id,)) for one in news], _LEARNED)
    asked = [(str(t), (t.episode_id,)) for t in questions if t.episode_id not in allowed.besides]
    page.add("Open", [*asked, *((str(todo), ()) for todo in heard.todos)], _OPEN)
    rest = [t for t in turns if t not in questions and t.episode_id not in allowed.besides]
    telling = most_telling(rest, page.room("Said"), allowed.count)
    page.add("Said", [(str(turn), (turn.episode_id,)) for turn in telling], 1.0)
    return SessionSummary(
        session=heard.session,
        began=turns[0].at if turns else heard.episodes[0].occurred_at,
        ended=turns[-1].at if turns else heard.episodes[-1].occurred_at,
        episodes=len(heard.episodes),
        voices=voices,
        learned=learned,
        questions=tuple(questions),
        todos=heard.todos,
        turns=tuple(telling),
        line=page.line,
        text=page.text,
        tokens=allowed.count(page.text),
        budget=allowed.budget,
        episode_ids=tuple(dict.fromkeys(page.episode_ids)),
    )


def read_allowance(budget: int, count: TokenCounter, zone: tzinfo) -> Allowance:
    """Raises ``Invalid`` for a budget under 1, and what is no counter."""
    check_budget(budget, "the summary")
    return Allowance(budget, checked(count), zone)


def turns_of(episodes: Iterable[Episode]) -> list[SaidTurn]:
    """What was said, in order; what a system's turn says is left out."""
    said: list[SaidTurn] = []
    for episode in episodes:
        if episode.format not in SEARCHED:
            continue
        for turn in episode.turns:
            text = episode.text[turn.start : turn.end].strip()
            if text and turn.role is not Role.SYSTEM:
                by_user = episode.actor if turn.role is Role.USER else None
                speaker = turn.actor or by_user or str(turn.role)
                said.append(
                    SaidTurn(
                        episode_id=episode.id, at=turn.occurred_at, speaker=speaker, text=text, number=len(said)
                    )
                )
    return said


def most_telling(turns: Sequence[SaidTurn], budget: int, count: TokenCounter) -> list[SaidTurn]:
    """The turns that together hold most of what is particular in what was said, within so many tokens, in the
    order in which they were said.

    A word weighs the more the fewer turns hold it (log((n + 1) / turns with it)), and counts once; the turn with
    the highest gain for its length is taken, again and again, as long as one fits.
    """
    words = {turn.number: set(content_words(turn.text)) for turn in turns}
    having = Counter(word for held in words.values() for word in held)
    weights = {word: math.log((len(turns) + 1) / n) for word, n in having.items()}
    costs = {turn.number: count(_line(str(turn))) + 1 for turn in turns}
    left = {turn.number: turn for turn in turns}
    taken: list[SaidTurn] = []
    covered: set[str] = set()
    while True:
        gains = {
            n: sum(weights[w] for w in sorted(words[n] - covered)) / costs[n] ** _THRIFT
            for n in left
            if costs[n] <= budget
        }
        best = max(gains, key=lambda n: (gains[n], -n), default=None)
        if best is None or gains[best] <= 0:
            return sorted(taken, key=lambda turn: turn.number)
        taken.append(left.pop(best))
        covered |= words[best]
        budget -= costs[best]


class _Page:
    """A text that grows under headings while it is inside the budget."""

    def __init__(self, heading: str, allowed: Allowance) -> None:
        self.text = heading
        self.episode_ids: list[str] = []
        self._parts: list[str] = [heading.strip()]
        self._allowed = allowed
        if (cost := allowed.count(heading)) > allowed.budget:
            raise Invalid(f"budget={allowed.budget} is less than the {cost} tokens of a summary's first line")

    @property
    def line(self) -> str:
        return ". ".join(self._parts) if len(self._parts) > 1 else ""

    def room(self, heading: str) -> int:
        """Tokens that lines under a further heading may take."""
        return self._allowed.budget - self._allowed.count(f"{self.text}{heading}:\n")

    def add(self, heading: str, lines: Iterable[tuple[str, Iterable[str]]], share: float) -> None:
        """As many of the lines as fit into this share of the budget, and into the budget; long ones are passed
        over."""
        count, text = self._allowed.count, f"{self.text}{heading}:\n"
        most = min(self._allowed.budget, count(self.text) + int(share * self._allowed.budget))
        added: list[str] = []
        for line, episode_ids in lines:
            longer = text + _line(line)
            if count(longer) <= most:
                text = longer
                added.append(line)
                self.episode_ids += episode_ids
        if added:
            self.text = text
            self._parts.append(f"{heading}: {'; '.join(added)}")


def _line(text: str) -> str:
    return f"- {text}\n"


def _heading(heard: Heard, voices: Sequence[Voice], zone: tzinfo) -> str:
    days = sorted({e.occurred_at.astimezone(zone).date().isoformat() for e in heard.episodes})
    when = days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"
    who = ", ".join(f"{voice.name} {voice.turns}" for voice in voices)
    return f"Session {heard.session} · {when}{f' · {who}' if who else ''}\n"


def _learned(heard: Heard, zone: tzinfo) -> tuple[Learned, ...]:
    """Beliefs that were first said here, and those that ended here, in the order in which that was said."""
    places = {episode.id: n for n, episode in enumerate(heard.episodes)}
    found: list[tuple[int, int, str, Learned]] = []
    for belief in heard.beliefs:
        if belief.fact.predicate in OF_WORKING_MEMORY:
            continue
        news = _news(belief, places)
        if news is not None:
            one = Learned(belief=belief, quote=news.quote, episode_id=news.episode_id, zone=zone)
            found.append((places[news.episode_id], news.quote_start, belief.id, one))
    return tuple(one for *_, one in sorted(found, key=lambda item: item[:3]))


def _news(belief: Belief, here: Mapping[str, int]) -> Claim | None:
    """The claim by which a belief was learned in these episodes, or its end was."""
    said = sorted(belief.evidence, key=lambda c: (c.stated_at, c.position, c.id))
    asserts = [c for c in said if c.supports]
    if asserts and asserts[0].episode_id in here:
        return asserts[0]
    ends = [c for c in said if c.says is Says.END and belief.valid_to and c.episode_id in here]
    return ends[-1] if ends else None


def _unanswered(turns: Sequence[SaidTurn]) -> list[SaidTurn]:
    """The questions after which only the same one spoke."""
    last: list[SaidTurn] = []
    for turn in reversed(turns):
        if turn.speaker != turns[-1].speaker:
            break
        last.append(turn)
    return [turn for turn in reversed(last) if turn.text.rstrip().endswith(("?", "？"))]


async def _episodes(store: Store, point: Point, session: str, most: int | None) -> list[Episode]:
    """None of them where there are more than so many."""
    found: list[Episode] = []
    read = partial(store.episodes, Point(point.tenant, None, point.known), EpisodeFilter(session=session))
    async for some in pages(read):
        found += some
        if most is not None and len(found) > most:
            return []
    return found


async def _todos(store: Store, point: Point, session: str, ontology: Ontology) -> tuple[OpenTodo, ...]:
    where = FactFilter(predicates=[SESSION], object_keys=[value_key(session)])
    subjects = {b.fact.subject.id: b.fact.subject for b in await every_belief(store, point, where)}
    tasks = await read_tasks(store, point, list(subjects.values()), ontology)
    return tuple(OpenTodo(task.id, todo) for task in tasks if task.is_open for todo in task.todos)
