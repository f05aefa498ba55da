"""Which names may be one entity's."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitherto.extraction.candidates import Known, candidates, translations
from hitherto.extraction.likeness import alike, keys
from hitherto.kg.model import THING, Entity
from tests.support import TinyEmbedder

PEOPLE = ("Person", "Person")
FIRMS = ("Organization", THING)
ANY = (THING, THING)


@pytest.mark.parametrize(
    ("a", "b", "kinds"),
    [
        ("Sherlock Holmes", "Mr. Holmes", PEOPLE),
        ("Sherlock Holmes", "Mr. Holmes", ANY),
        ("Sherlock Holmes", "Holmes, Sherlock", ANY),
        ("Sherlock Holmes", "Dr. Sherlock Holmes", ANY),
        ("Sherlock Holmes", "S. Holmes", ANY),
        ("Sherlock Holmes", "Sherlock", PEOPLE),
        ("Robert Smith", "Bob Smith", PEOPLE),
        ("John Smith", "John Q. Smith", PEOPLE),
        ("Acme", "Acme Inc.", FIRMS),
        ("Tiffany", "Tiffany & Co.", FIRMS),
        ("腾讯科技", "腾讯科技有限公司", FIRMS),
        ("Wal-Mart", "Walmart", FIRMS),
        ("Johnson Controls", "Jonson Controls", FIRMS),
        ("IBM", "International Business Machines", FIRMS),
        ("NYC", "New York City", ("Place", "Place")),
        ("U.S.A.", "USA", ANY),
        ("mlp-332", "MLP 332", ANY),
        ("张先生", "张伟", PEOPLE),
    ],
)
def test_these_may_be_one(a: str, b: str, kinds: tuple[str, str]) -> None:
    found = alike(a, b, kinds)
    assert found is not None
    assert 0 < found.score < 1
    assert found.reason
    assert alike(b, a, kinds[::-1]) == found
    assert keys(a) & keys(b)


@pytest.mark.parametrize(
    ("a", "b", "kinds"),
    [
        ("mlp-332", "mlp-333", ANY),
        ("mlp332a", "mlp332b", ANY),
        ("Room 1 Bed 2", "Room 2 Bed 1", ANY),
        ("Python 2.0", "Python 20", ANY),
        ("Windows", "Windows 11", ANY),
        ("Rocky II", "Rocky III", ANY),
        ("First Bank", "Second Bank", FIRMS),
        ("第一医院", "第二医院", ANY),
        ("C#", "C++", ANY),
        ("C", "C++", ANY),
        ("vegetarian", "non vegetarian", ANY),
        ("With Sugar Ltd", "Without Sugar Ltd", ANY),
        ("上海 Research Institute", "北京 Research Institute", ANY),
        ("Shanghai Research Institute", "Beijing Research Institute", FIRMS),
        ("上海研究所", "北京研究所", ANY),
        ("North Station", "South Station", ANY),
        ("Java", "Java", ("Language", "Place")),
        ("Java", "Java Island", ANY),
        ("Paris", "Paris Hilton", ANY),
        ("Paris", "Mr. Paris Hilton", ("Place", "Person")),
        ("Mr. Holmes", "Mrs. Holmes", PEOPLE),
        ("John Smith Jr.", "John Smith", PEOPLE),
        ("Sherlock Holmes", "Mycroft Holmes", PEOPLE),
        ("Tara", "Cara", PEOPLE),
        ("Ann", "Ann", PEOPLE),
        ("", "Ann", ANY),
        ("***", "---", ANY),
    ],
)
def test_these_are_two_or_no_news(a: str, b: str, kinds: tuple[str, str]) -> None:
    assert alike(a, b, kinds) is None
    assert alike(b, a, kinds[::-1]) is None


_words = st.lists(st.text("abcdeghmnrst-. ", min_size=1, max_size=8), min_size=1, max_size=3).map("".join)
_kinds = st.sampled_from([ANY, PEOPLE, FIRMS])


@given(before=_words, after=_words, digits=st.lists(st.integers(0, 9), min_size=1, max_size=6), data=st.data())
def test_a_changed_digit_is_never_proposed(
    before: str, after: str, digits: list[int], data: st.DataObject
) -> None:
    place = data.draw(st.integers(0, len(digits) - 1))
    other = list(digits)
    other[place] = (digits[place] + data.draw(st.integers(1, 9))) % 10
    a, b = (f"{before}{''.join(map(str, d))}{after}" for d in (digits, other))
    kinds = data.draw(_kinds)
    assert alike(a, b, kinds) is None
    known = [
        Known(Entity(id_, name, kinds[0]), (name,), frozenset({"a@b.org"})) for id_, name in (("1", a), ("2", b))
    ]
    assert candidates(known) == {}


@given(name=_words, data=st.data())
def test_two_that_are_alike_share_a_key(name: str, data: st.DataObject) -> None:
    """Else they would not be compared: one letter more, fewer, another, or two in the wrong order."""
    letters = list(name)
    place = data.draw(st.integers(0, len(letters) - 1))
    letters[place : place + 2] = data.draw(
        st.sampled_from([letters[place : place + 2][::-1], [], ["x"], ["x", "y"]])
    )
    if alike(name, "".join(letters)) is not None:
        assert keys(name) & keys("".join(letters))


def test_a_part_of_several_names_says_less_about_each() -> None:
    names = ("Sherlock Holmes", "Mycroft Holmes", "Mr. Holmes")
    found = candidates([Known(Entity(name, name, "Person"), (name,)) for name in names])
    assert {pair: one.score for pair, one in found.items()} == {
        ("Mr. Holmes", "Sherlock Holmes"): 0.38,
        ("Mr. Holmes", "Mycroft Holmes"): 0.38,
    }


def test_two_ids_of_another_system_are_two() -> None:
    known = [
        Known(Entity(id_, id_, "Person"), ("Mycroft",), frozenset({"m@diogenes.org"}), is_handle=True)
        for id_ in ("crm:1", "crm:2")
    ]
    assert candidates(known) == {}


def test_numbers_tell_apart_whatever_else_they_are_called() -> None:
    names = {"332": ("mlp-332", "The Net"), "333": ("mlp-333", "the net."), "332 too": ("MLP 332", "the net!")}
    found = candidates([Known(Entity(id_, both[0]), both) for id_, both in names.items()])
    assert set(found) == {("332", "332 too")}


def test_a_word_that_all_have_leads_nowhere() -> None:
    """Else a thousand institutes were half a million pairs."""
    known = [Known(Entity(str(n), f"Institute {n:04}"), (f"Institute {n:04}",)) for n in range(1000)]
    assert candidates(known) == {}


async def test_names_in_two_scripts_are_compared_by_meaning() -> None:
    names = ("北京", "Beijing", "London", "第一医院", "Hospital 2")
    rows = await TinyEmbedder().embed(["A", "A", "B", "C", "C"], "passage")  # type: ignore[arg-type]
    vectors = dict(zip(names, rows, strict=True))
    found = translations([Known(Entity(name, name), (name,)) for name in names], vectors)
    assert {pair: (one.score, one.reason) for pair, one in found.items()} == {
        ("Beijing", "北京"): (0.8, "Beijing and 北京 mean the same")
    }
    assert translations([Known(Entity("北京", "北京"), ("北京",))], vectors) == {}
