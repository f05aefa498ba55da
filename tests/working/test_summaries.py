"""What a session came to, without a model."""

from __future__ import annotations

import pytest

from hitherto import Invalid, Memory, NotFound
from hitherto.query.context import Fate, Section
from hitherto.query.summaries import SaidTurn, most_telling
from hitherto.query.tokens import estimate_tokens
from hitherto.temporal.claims import Says
from tests.promises.conftest import Opener
from tests.query.builders import instant
from tests.query.conftest import ViewAt, scribe, store, wall
from tests.query.conftest import at as view_at
from tests.query.scribe import Note, Scribe
from tests.support import SaidClaim, StepClock, day, said

__all__ = ["scribe", "store", "view_at", "wall"]

MOVED = Note("Ann", "LIVES_IN", "Oslo", Says.DATED_BEGINNING, "2025-05-03")
TALK = [
    ("Hi Bob, how are you?", "Ann", ()),
    ("Hello Ann! Fine.", "Bob", ()),
    ("I moved to Oslo on 3 May 2025.", "Ann", (MOVED,)),
    ("Great.", "Bob", ()),
    ("I sold the blue Volvo to my cousin Erik.", "Ann", (Note("Ann", "KNOWS", "Erik"),)),
    ("Great, great.", "Bob", ()),
    ("Shall we meet at the harbour?", "Ann", ()),
]  # fmt: skip


@pytest.fixture
async def talk(scribe: Scribe) -> None:
    await scribe.write(
        "Ann knows Cy.", Note("Ann", "KNOWS", "Cy"), said="2025-05-01T10:00Z", session="s1", actor="Cy"
    )
    for minute, (text, actor, notes) in enumerate(TALK):
        await scribe.write(text, *notes, said=f"2025-06-01T10:0{minute}Z", session="s2", actor=actor)
    again = Note("Ann", "LIVES_IN", "Oslo")
    await scribe.write("Ann lives in Oslo.", again, said="2025-07-01T10:00Z", session="s3", actor="Bob")


async def test_a_summary_says_who_what_and_what_is_open(talk: None, view_at: ViewAt) -> None:
    summary = await view_at().session("s2")
    assert str(summary) == (
        "Session s2 · 2025-06-01 · Ann 4, Bob 3\n"
        "Learned:\n"
        "- Ann lives in Oslo · 2025-05-03 → · “I moved to Oslo on 3 May 2025.”\n"
        "- Ann knows Erik · 2025-06-01T10:04Z → · “I sold the blue Volvo to my cousin Erik.”\n"
        "Open:\n"
        "- Ann: Shall we meet at the harbour?\n"
        "Said:\n"
        "- Ann: Hi Bob, how are you?\n"
        "- Bob: Hello Ann! Fine.\n"
        "- Ann: I moved to Oslo on 3 May 2025.\n"
        "- Bob: Great.\n"
        "- Ann: I sold the blue Volvo to my cousin Erik.\n"
    )
    assert (summary.began, summary.ended) == (instant("2025-06-01T10:00Z"), instant("2025-06-01T10:06Z"))
    assert summary == await view_at().session("s2")
    assert summary.tokens == estimate_tokens(str(summary)) <= summary.budget


async def test_the_most_telling_turns_stay_when_room_is_short(talk: None, view_at: ViewAt) -> None:
    whole = await view_at().session("s2")
    for budget in range(30, 150, 5):
        summary = await view_at().session("s2", budget=budget)
        assert summary.tokens == estimate_tokens(str(summary)) <= budget
        assert set(summary.turns) <= set(whole.turns) | set(whole.questions)
    short = await view_at().session("s2", budget=100)
    assert "Great" not in str(short)
    assert "- Ann: I sold the blue Volvo" in str(short)
    turns = [
        SaidTurn(episode_id=str(n), at=instant("2025"), speaker="A", text=text, number=n)
        for n, text in enumerate(["blue car", "blue car", "red boat", "blue car red boat tall mast"])
    ]
    assert [t.number for t in most_telling(turns, 13, estimate_tokens)] == [3]
    assert most_telling(turns, 3, estimate_tokens) == []


async def test_a_view_of_earlier_tells_what_was_known_then(talk: None, view_at: ViewAt) -> None:
    early = await view_at(known=instant("2025-06-01T10:03:30Z")).session("s2")
    assert "Volvo" not in str(early)
    assert [one.belief.fact.text for one in early.learned] == ["Ann lives in Oslo"]
    # What is said again later was learned here all the same, and not there.
    assert (await view_at().session("s3")).learned == ()
    with pytest.raises(NotFound, match="nothing was said in a session 's2'"):
        await view_at(known=instant("2025-05-02")).session("s2")


async def test_wrong_wishes_for_a_summary_are_refused(talk: None, view_at: ViewAt) -> None:
    with pytest.raises(NotFound, match="nothing was said in a session 'nope' in tenant 'acme'"):
        await view_at().session("nope")
    with pytest.raises(Invalid, match="session is empty"):
        await view_at().session(" ")
    with pytest.raises(Invalid, match="budget=0; give the tokens"):
        await view_at().session("s2", budget=0)
    with pytest.raises(Invalid, match=r"budget=5 is less than the \d+ tokens of a summary's first line"):
        await view_at().session("s2", budget=5)


async def test_sessions_fill_the_room_that_is_left_or_the_share_that_they_get(talk: None, view_at: ViewAt) -> None:
    roomy = await view_at().context("Where did Ann move?", budget=2_000)
    found = [t for t in roomy.trace if t.section is Section.SESSIONS]
    turns = {t.id for t in roomy.trace if t.section is Section.TURNS and t.fate is Fate.KEPT}
    assert not turns & {id_ for t in found for id_ in t.episode_ids}
    shares = {"sessions": 0.5, "turns": 0.05, "facts": 0.1}
    instead = await view_at().context("Where did Ann move?", budget=150, shares=shares)
    lines = [line for line in instead.tail.splitlines() if line.startswith("- Session ")]
    assert lines[0].startswith("- Session s2 · 2025-06-01 · Ann 4, Bob 3. ")
    assert "Ann: I sold the blue Volvo to my cousin Erik." in lines[0]
    assert instead.tokens <= 150
    within = await view_at().context("Where did Ann move?", budget=150, shares=shares, session="s2")
    assert "Session s2" not in str(within)


async def test_a_summary_on_every_store(fresh: Opener) -> None:
    memory: Memory = await fresh(clock=StepClock())
    claims = (SaidClaim("dated_beginning", "Bolt", 3), SaidClaim("observation", "tea", 4, predicate="LIKES"))
    for number, claim in enumerate(claims):
        await memory.add(said(claim), occurred_at=day(number), session="call-9", actor="ann")
    await memory.update_task("visit", goal="Visit", add_todos=["Book a room", "Call Ann"], session="call-9")
    await memory.update_task("visit", done=["Call Ann"])
    await memory.update_task("other", goal="Other", add_todos=["Sleep"])
    summary = await memory.session("call-9")
    assert [one.belief.fact.text for one in summary.learned] == ["Ann works at Bolt", "Ann likes tea"]
    assert [str(todo) for todo in summary.todos] == ["to do for visit: Book a room"]
    assert str(summary).startswith(
        "Session call-9 · 2024-01-01 to 2024-01-02 · ann 2\nLearned:\n- Ann works at Bolt"
    )
    await memory.update_task("visit", status="done")
    assert (await memory.session("call-9")).todos == ()
