"""How a saying speaks about its fact: tense, polarity and time decide."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from hitherto.extraction.sayings import Polarity, Saying, Stance, Tense, statements
from hitherto.kg.model import Mention, Modality
from hitherto.temporal.expressions import TimeReading, find_times
from hitherto.temporal.grains import Basis

SAID = datetime(2026, 3, 2, 9, tzinfo=UTC)


def saying(stance: Stance, tense: Tense, **more: object) -> Saying:
    return Saying(
        predicate="WORKS_AT",
        stance=stance,
        subject=Mention("Alice", "Person"),
        object=Mention("Acme", "Organization"),
        tense=tense,
        at=0,
        quote=(0, 1),
        confidence=0.9,
        **more,  # type: ignore[arg-type]
    )


def when(text: str) -> TimeReading | None:
    found = find_times(text, base=SAID, zone=UTC, language="en")
    return found[0][2] if found else None


def said(made: Saying, text: str = "") -> list[str]:
    """``says from..to modality``, with years and "now"."""
    lines = []
    for s in statements(made, when(text), SAID):
        ends = [
            "" if b is None else "now" if b.basis is Basis.DERIVED else str(b.at.year)
            for b in (s.valid_from, s.valid_to)
        ]
        lines.append(f"{s.says} {'..'.join(ends)} {'' if s.modality is Modality.ASSERTED else s.modality}".strip())
    return lines


HOLDS, BEGINS, ENDS = Stance.HOLDS, Stance.BEGINS, Stance.ENDS
PAST, PRESENT, PERFECT, FUTURE, UNMARKED = Tense.PAST, Tense.PRESENT, Tense.PERFECT, Tense.FUTURE, Tense.UNMARKED


@pytest.mark.parametrize(
    ("stance", "tense", "text", "lines"),
    [
        (HOLDS, PRESENT, "", ["observation now.."]),
        (HOLDS, PRESENT, "since 2020", ["since 2020.."]),
        (HOLDS, PRESENT, "in 2026", ["observation now.."]),
        (HOLDS, PRESENT, "in 2019", []),
        (HOLDS, PRESENT, "from 2019 to 2021", ["extent 2019..2022"]),
        (HOLDS, PERFECT, "", []),
        (HOLDS, PERFECT, "since 2020", ["since 2020.."]),
        (HOLDS, PAST, "", ["end now.."]),
        (HOLDS, PAST, "in 2019", ["extent 2019..2020"]),
        (HOLDS, PAST, "until 2019", ["end 2019.."]),
        (HOLDS, FUTURE, "", ["dated_beginning now.. planned"]),
        (HOLDS, FUTURE, "in 2027", ["dated_beginning 2027.."]),
        (HOLDS, UNMARKED, "", ["observation now.."]),
        (HOLDS, UNMARKED, "in 2019", ["extent 2019..2020"]),
        (BEGINS, PAST, "", ["dated_beginning now.."]),
        (BEGINS, PAST, "in 2019", ["dated_beginning 2019.."]),
        (BEGINS, PAST, "in 2027", []),
        (BEGINS, FUTURE, "", ["dated_beginning now.. planned"]),
        (BEGINS, FUTURE, "in 2027", ["dated_beginning 2027.."]),
        (BEGINS, UNMARKED, "in 2027", ["dated_beginning 2027.."]),
        (ENDS, PAST, "in 2019", ["end 2019.."]),
        (ENDS, Tense.PROGRESSIVE, "", ["end now.. planned"]),
    ],
)
def test_positive(stance: Stance, tense: Tense, text: str, lines: list[str]) -> None:
    assert said(saying(stance, tense), text) == lines


@pytest.mark.parametrize(
    ("stance", "tense", "polarity", "text", "lines"),
    [
        (HOLDS, PRESENT, Polarity.NEGATIVE, "", ["denial now.."]),
        (HOLDS, PAST, Polarity.NEGATIVE, "", ["denial .."]),
        (HOLDS, PAST, Polarity.NEGATIVE, "in 2019", ["denial 2019..2020"]),
        (HOLDS, PERFECT, Polarity.NEGATIVE, "since 2020", ["end 2020.."]),
        (HOLDS, PAST, Polarity.NEVER, "", ["denial .."]),
        (HOLDS, PRESENT, Polarity.NO_LONGER, "", ["end now.."]),
        (HOLDS, PRESENT, Polarity.NO_LONGER, "since 2020", ["end 2020.."]),
        (BEGINS, PAST, Polarity.NEGATIVE, "", ["denial .."]),
        (BEGINS, PAST, Polarity.NEGATIVE, "in 2019", []),
        (BEGINS, FUTURE, Polarity.NEGATIVE, "", ["denial now.."]),
        (ENDS, PERFECT, Polarity.NEGATIVE, "", ["observation now.."]),
        (ENDS, FUTURE, Polarity.NEGATIVE, "", []),
    ],
)
def test_denied(stance: Stance, tense: Tense, polarity: Polarity, text: str, lines: list[str]) -> None:
    assert said(saying(stance, tense, polarity=polarity), text) == lines


def test_what_lasts_is_not_ended_by_its_tense() -> None:
    assert said(saying(HOLDS, PAST, lasting=True), "in 1990") == ["observation now.."]


def test_events_happen_and_do_not_hold() -> None:
    assert said(saying(HOLDS, PAST, event=True), "in 2019") == ["dated_beginning 2019.."]


def test_a_plan_with_a_date_is_believed_and_a_hope_is_not() -> None:
    assert said(saying(BEGINS, FUTURE, modality=Modality.PLANNED), "in 2027") == ["dated_beginning 2027.."]
    assert said(saying(BEGINS, FUTURE, modality=Modality.PLANNED)) == ["dated_beginning now.. planned"]
    assert said(saying(BEGINS, FUTURE, modality=Modality.HOPED), "in 2027") == ["dated_beginning 2027.. hoped"]
