from __future__ import annotations

import json
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitherto.query.context import SHARES, Fate, Item, Limits, Section, assemble
from hitherto.query.formats import ContextFormat
from hitherto.query.results import Question, TimeSource
from hitherto.query.tokens import estimate_tokens
from hitherto.temporal.claims import Says
from hitherto.temporal.errors import Invalid
from tests.query.builders import instant
from tests.query.conftest import ViewAt
from tests.query.scribe import JOINED, LEFT, Note, Scribe, write_all

QUESTION = Question(text="?", language="en", valid=None, time_source=TimeSource.NOW)


def words(text: str) -> int:
    return len(text.split())


def limits(budget: int, format_: ContextFormat = ContextFormat.MARKDOWN) -> Limits:
    return Limits(budget, words, format_, SHARES)


def items(section: Section, *texts: str, short: str | None = None) -> list[Item]:
    return [Item(section=section, id=f"{section} {n}", text=text, short=short) for n, text in enumerate(texts)]


def fates(context: Any, section: Section) -> list[Fate]:
    return [trace.fate for trace in context.trace if trace.section is section]


def test_trim_before_drop_and_the_least_important_first() -> None:
    turns = items(Section.TURNS, *["a long turn with ten words in it for sure"] * 4, short="short")
    roomy, tight, tiny = (assemble(turns, QUESTION, limits(budget)) for budget in (60, 40, 12))
    assert fates(roomy, Section.TURNS) == [Fate.KEPT] * 4
    assert fates(tight, Section.TURNS) == [Fate.KEPT] * 3 + [Fate.TRIMMED]
    assert fates(tiny, Section.TURNS) == [Fate.TRIMMED] * 4
    assert fates(assemble(turns, QUESTION, limits(9)), Section.TURNS) == [Fate.TRIMMED] * 3 + [Fate.DROPPED]


def test_the_best_turn_stands_last_and_the_best_fact_first() -> None:
    all_items = [
        *items(Section.TURNS, "best turn", "other turn"),
        *items(Section.FACTS, "best fact", "other fact"),
    ]
    lines = [line for line in str(assemble(all_items, QUESTION, limits(100))).splitlines() if line.startswith("-")]
    assert lines == ["- best fact", "- other fact", "- other turn", "- best turn"]


def test_constraints_are_never_dropped() -> None:
    all_items = [*items(Section.CONSTRAINTS, "never mention prices"), *items(Section.TURNS, "word " * 50)]
    context = assemble(all_items, QUESTION, limits(8))
    assert fates(context, Section.CONSTRAINTS) == [Fate.KEPT]
    assert "never mention prices" in context.prefix
    with pytest.raises(Invalid, match=r"budget=4 is less than the 7 tokens .* 1 constraints"):
        assemble(all_items, QUESTION, limits(4))


def test_what_a_section_leaves_goes_to_the_others() -> None:
    turns = items(Section.TURNS, *["one two three four five six seven eight nine"] * 8)
    assert fates(assemble(turns, QUESTION, limits(90)), Section.TURNS) == [Fate.KEPT] * 8
    facts = items(Section.FACTS, *["one two three four five six seven eight nine"] * 8)
    assert fates(assemble(facts, QUESTION, limits(90)), Section.FACTS) == [Fate.KEPT] * 8


def test_sessions_have_their_share_and_what_all_others_leave() -> None:
    turns = items(Section.TURNS, *["one two three four five six seven eight nine"] * 6)
    sessions = items(
        Section.SESSIONS, *["ten words that tell what a session came to once"] * 3, short="half of it"
    )
    tight, roomy = (assemble([*turns, *sessions], QUESTION, limits(budget)) for budget in (72, 97))
    assert fates(tight, Section.TURNS) == fates(roomy, Section.TURNS) == [Fate.KEPT] * 6
    assert Fate.KEPT not in fates(tight, Section.SESSIONS)
    assert fates(roomy, Section.SESSIONS)[0] is Fate.KEPT
    shares = {**SHARES, Section.SESSIONS: 0.4, Section.TURNS: 0.1}
    instead = assemble([*turns, *sessions], QUESTION, Limits(72, words, ContextFormat.MARKDOWN, shares))
    assert fates(instead, Section.SESSIONS)[0] is Fate.KEPT
    assert fates(instead, Section.TURNS)[-1] is Fate.DROPPED
    lines = str(instead).splitlines()
    assert lines.index("## Memory: sessions") < lines.index("## Memory: turns")


def test_the_best_hit_stands_whenever_it_fits() -> None:
    best = Item(
        section=Section.FACTS, id="best", text="she works at Anthropic since then", short="she works", best=True
    )
    others = [
        *items(Section.PROFILE, "she likes tea"),
        *items(Section.FACTS, *["she likes one thing and another"] * 9, short="she likes one"),
        *items(Section.TURNS, *["one two three four five six seven eight nine"] * 9),
    ]
    for budget in range(3, 80):
        block = assemble([*others[:1], best, *others[1:]], QUESTION, limits(budget))
        assert block.tokens <= budget
        assert ("she works" in str(block)) is (budget >= 6)
    turn = Item(section=Section.TURNS, id="turn", text="they said it here", best=True)
    for budget in range(8, 80):
        assert "they said it here" in str(assemble([turn, *others[1:10]], QUESTION, limits(budget)))


def test_what_the_profile_has_no_room_for_stands_in_facts() -> None:
    likes = [Item(section=Section.PROFILE, id=f"like {n}", text=f"she likes thing {n}") for n in range(10)]
    found = [Item(section=Section.FACTS, id=f"like {n}", text=f"she likes thing {n} a lot") for n in (0, 7)]
    roomy, tight = (assemble([*likes, *found], QUESTION, limits(budget)) for budget in (100, 30))
    assert fates(roomy, Section.PROFILE) == [Fate.KEPT] * 3 + [Fate.DROPPED] * 7
    assert [t.id for t in roomy.trace if t.section is Section.FACTS] == [
        f"like {n}" for n in (7, 3, 4, 5, 6, 8, 9)
    ]
    assert fates(tight, Section.FACTS) == [Fate.KEPT] * 4
    assert "- she likes thing 7 a lot" in tight.tail


def test_a_line_that_alone_has_no_room_takes_no_other_with_it() -> None:
    long, short = items(Section.PROFILE, "word " * 30, "she likes tea")
    assert fates(assemble([long, short], QUESTION, limits(40)), Section.PROFILE) == [Fate.DROPPED, Fate.KEPT]


def test_room_that_is_left_goes_to_what_was_dropped() -> None:
    turns = items(Section.TURNS, "best turn", "word " * 30, "a third turn", "word " * 20)
    block = assemble(turns, QUESTION, limits(25))
    assert fates(block, Section.TURNS) == [Fate.KEPT, Fate.DROPPED, Fate.KEPT, Fate.DROPPED]
    assert fates(assemble(turns, QUESTION, limits(60)), Section.TURNS) == [Fate.KEPT] * 3 + [Fate.DROPPED]


texts = st.lists(st.text("ab é\n<&\"'", min_size=1, max_size=60).filter(str.strip), max_size=12)


@given(texts, texts, texts, texts, st.integers(20, 300), st.sampled_from(ContextFormat))
def test_no_block_is_over_its_budget(
    pins: list[str], profile: list[str], facts: list[str], turns: list[str], budget: int, format_: ContextFormat
) -> None:
    given_items = [
        *items(Section.PROFILE, *profile),
        *items(Section.FACTS, *facts, short="f"),
        *items(Section.TURNS, *turns),
        *items(Section.CONSTRAINTS, *pins[:2]),
    ]
    limit = Limits(budget, estimate_tokens, format_, SHARES)
    try:
        context = assemble(given_items, QUESTION, limit)
    except Invalid as error:
        assert error.code == "budget_below_constraints"
        return
    assert context.tokens == estimate_tokens(str(context)) <= budget
    assert {trace.id for trace in context.trace} == {item.id for item in given_items}
    stands = [trace.id for trace in context.trace if trace.fate is not Fate.DROPPED]
    assert len(stands) == len(set(stands))
    without_tail = assemble(
        [i for i in given_items if i.section not in (Section.FACTS, Section.TURNS)], QUESTION, limit
    )
    assert context.prefix == without_tail.prefix
    if format_ is ContextFormat.XML:
        ElementTree.fromstring(str(context))
    elif format_ in (ContextFormat.JSON, ContextFormat.CHAT):
        json.loads(str(context))


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("a cat", 2), ("internationalization", 4), ("2026-03-02", 6), ("王芳住在上海", 6)],
)
def test_the_built_in_count(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens


@pytest.fixture
async def alice(scribe: Scribe) -> None:
    await write_all(scribe, [JOINED, LEFT])
    await scribe.write(
        "Alice is allergic to nuts.", Note("Alice", "ALLERGIC_TO", "nuts", Says.SINCE, "2020"), said="2026-03-03"
    )


async def test_a_block_about_somebody(alice: None, at: ViewAt) -> None:
    context = await at().context("Prepare the call with Alice", budget=600, pinned=["Answer in German."])
    text = str(context)
    assert text.startswith("## Memory: constraints\n- Answer in German.\n- Alice is allergic to nuts")
    assert "## Memory: profile\n- Alice works at Anthropic · 2026-03-02 →\n- Alice is research" in context.prefix
    assert "TechCorp" not in context.prefix
    assert text.rstrip().splitlines()[-1].startswith("- [202")
    assert "Alice left TechCorp and joined Anthropic" in context.tail
    assert context.tokens <= 600
    assert context.counter == "estimate_tokens"
    assert {use.section: use.kept for use in context.sections}[Section.TURNS] == 3


async def test_the_prefix_stays_while_what_is_known_of_her_does(alice: None, at: ViewAt, scribe: Scribe) -> None:
    before = await at().context("Where does Alice work?", pinned=["Be brief."])
    await scribe.write("Bob likes tea.", Note("Bob", "LIKES", "tea"), said="2026-03-05")
    after = await at().context("Where does Alice work?", pinned=["Be brief."])
    other = await at().context("What is Alice allergic to?", pinned=["Be brief."])
    assert before.prefix.encode() == after.prefix.encode() == other.prefix.encode()
    await scribe.write("Alice likes tea.", Note("Alice", "LIKES", "tea"), said="2026-03-06")
    assert (await at().context("Where does Alice work?", pinned=["Be brief."])).prefix != before.prefix


async def test_what_was_said_otherwise_and_what_nobody_answered(at: ViewAt, scribe: Scribe) -> None:
    await scribe.write(
        "Alice lives in Rome.", Note("Alice", "LIVES_IN", "Rome"), said="2026-03-01", session="a", actor="Bob"
    )
    await scribe.write(
        "No, Alice does not live in Rome. Alice lives in Oslo.",
        Note("Alice", "LIVES_IN", "Rome", Says.DENIAL, "2000"),
        Note("Alice", "LIVES_IN", "Oslo"),
        said="2026-03-02",
        session="a",
        actor="Bob",
    )
    await scribe.write("Where does Alice live?", said="2026-03-03", session="b", actor="Cy")
    context = await at().context("Where does Alice live?", budget=800)
    assert "said otherwise on 2026-03-01: Rome" in context.tail
    assert "## Memory: open questions\n- [2026-03-03 Cy] Where does Alice live?" in context.tail


async def test_a_block_as_it_would_have_been(alice: None, at: ViewAt) -> None:
    context = await at(instant("2024-04-01")).context("Where does Alice work?")
    assert "Alice works at TechCorp" in context.prefix
    assert "works at Anthropic" not in context.prefix


async def test_formats(alice: None, at: ViewAt) -> None:
    xml = ElementTree.fromstring(str(await at().context("Alice", format="xml")))
    assert [part.tag for part in xml][:2] == ["constraints", "profile"]
    assert "facts" not in json.loads(str(await at().context("Alice", format="json", shares={"facts": 0})))
    chat = await at().context("Alice", format="chat")
    assert json.loads(str(chat)) == [{"role": role, "content": content} for role, content in chat.messages]
    assert len(chat.messages) == 2


@pytest.mark.parametrize(
    ("question", "options", "message"),
    [
        (" ", {}, "question is empty"),
        ("x" * 100_000, {}, "100000 characters"),
        ("Alice", {"budget": 0}, "budget=0"),
        ("Alice", {"budget": -5}, "budget=-5"),
        ("Alice", {"budget": 3, "pinned": ["one two three four five"]}, "budget=3 is less than the"),
        ("Alice", {"format": "html"}, "format='html' is none; use markdown"),
        ("Alice", {"pinned": [""]}, "pinned: a constraint is empty"),
        ("Alice", {"shares": {"constraints": 0.5}}, "'constraints' is no section with a share"),
        ("Alice", {"shares": {"facts": 0.9}}, "shares come to"),
        ("Alice", {"budgt": 5}, "unknown option 'budgt'"),
        ("Alice", {"pinned": None}, "pinned=None is no text; give sentences"),
        ("Alice", {"pinned": 5}, "pinned=5 is no text"),
        ("Alice", {"shares": {"facts": float("nan")}}, "shares: facts=nan; give a number from 0 to 1"),
        ("Alice", {"shares": {"facts": "x"}}, "shares: facts='x'"),
        ("Alice", {"shares": {5: 0.1, "foo": 0.1}}, "shares: 5 is no section"),
        ("Alice", {"shares": None}, "shares=None is no mapping"),
        ("Alice", {"count": 5}, "count=5 is no function"),
        ("Alice", {"count": lambda text: text}, "count: <lambda> gave '.* joined"),
        ("Alice", {"count": lambda text: None}, "count: <lambda> gave None for the text '.* joined"),
        ("Alice", {"count": lambda text: -1}, "count: <lambda> gave -1 .* numbers are 0 or more"),
        ("Alice", {"count": lambda text: float("nan")}, "count: <lambda> gave nan"),
        ("Alice", {"session": 5}, "session=5; give a text"),
    ],
)
async def test_wrong_wishes_are_refused(
    alice: None, at: ViewAt, question: str, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(Invalid, match=message):
        await at().context(question, **options)


async def test_what_a_counter_raises_is_told(alice: None, at: ViewAt) -> None:
    def broken(text: str) -> int:
        raise KeyError(text)

    with pytest.raises(Invalid, match=r"count: broken failed \(KeyError") as told:
        await at().context("Alice", count=broken)
    assert isinstance(told.value.__cause__, KeyError)
    halves = await at().context("Alice", budget=400, count=lambda text: len(text) / 4)  # type: ignore[arg-type,return-value]
    assert (halves.counter, type(halves.tokens)) == ("<lambda>", int)
    assert (await at().context("Alice", count=words)).counter == "words"


async def test_an_unknown_name_gives_an_honest_block(at: ViewAt) -> None:
    context = await at().context("Who is Zoe?")
    assert str(context) == ""
    assert context.tokens == 0
