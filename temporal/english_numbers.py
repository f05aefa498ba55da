"""English numbers in a row of tokens: digits and words, counts, ordinals, years."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .english_words import ORDINALS, SMALL, TENS, UNITS, VAGUE, Token, fraction
from .grains import Grain
from .stretches import Setting


class Numbers:
    """Reads numbers out of ``tokens``. Every rule takes a place and answers the value and the place after it."""

    def __init__(self, tokens: list[Token], setting: Setting) -> None:
        self.tokens = tokens
        self.setting = setting
        self._depth = 0

    @contextmanager
    def deeper(self) -> Iterator[bool]:
        """One time inside another ("the end of the first week of last May"); says when that goes too deep."""
        self._depth += 1
        try:
            yield self._depth > 6
        finally:
            self._depth -= 1

    def word(self, i: int) -> str:
        return self.tokens[i].text if 0 <= i < len(self.tokens) else ""

    def kind(self, i: int) -> str:
        return self.tokens[i].kind if 0 <= i < len(self.tokens) else ""

    def words(self, i: int, *expected: str) -> bool:
        return all(self.word(i + n) == word for n, word in enumerate(expected))

    def skip(self, i: int, *words: str) -> int:
        """The place after one of these words, if one stands there."""
        return i + 1 if self.word(i) in words else i

    def adjacent(self, i: int) -> bool:
        return 0 < i < len(self.tokens) and self.tokens[i - 1].end == self.tokens[i].start

    def is_year(self, i: int) -> bool:
        text = self.word(i)
        return len(text) == 4 and text.isdigit() and 1000 <= int(text) <= 2999

    def full_year(self, year: int) -> int:
        """Two digits are the year at most twenty years ahead of the base."""
        if year > 99:
            return year
        century = self.setting.base.year // 100 * 100
        full = century + year
        return full - 100 if full > self.setting.base.year + 20 else full

    def integer(self, i: int) -> tuple[int, int] | None:
        if self.kind(i) == "number" and self.word(i).isdigit() and len(self.word(i)) < 10:
            return int(self.word(i)), i + 1
        return self._spelled(i)

    def _spelled(self, i: int) -> tuple[int, int] | None:
        """Twenty two, twenty-two, a hundred and five: below a thousand."""
        word = self.word(i)
        if word in TENS:
            j = self.skip(i + 1, "-")
            tail = SMALL.get(self.word(j), 0)
            return (TENS[word] + tail, j + 1) if 1 <= tail <= 9 else (TENS[word], i + 1)
        if word not in SMALL:
            return None
        value, j = SMALL[word], i + 1
        if self.word(j) == "hundred":
            rest = self._spelled(self.skip(j + 1, "and")) if self.word(j + 2) != "hundred" else None
            return (value * 100 + rest[0], rest[1]) if rest else (value * 100, j + 1)
        return value, j

    def spelled_year(self, i: int) -> tuple[int, int] | None:
        """Two thousand and thirty two; nineteen eighty-four; twenty ten."""
        if self.word(i) == "two" and self.word(i + 1) == "thousand":
            rest = self._spelled(self.skip(i + 2, "and"))
            return (2000 + rest[0], rest[1]) if rest and rest[0] < 100 else (2000, i + 2)
        century = SMALL.get(self.word(i), 0)
        if self.word(i + 1) == "hundred" and century >= 11:
            rest = self._spelled(self.skip(i + 2, "and"))
            return (century * 100 + rest[0], rest[1]) if rest and rest[0] < 100 else (century * 100, i + 2)
        if self.word(i) not in ("nineteen", "twenty"):
            return None
        rest = self._spelled(i + 1)
        first = 1900 if self.word(i) == "nineteen" else 2000
        return (first + rest[0], rest[1]) if rest and 10 <= rest[0] < 100 else None

    def count(self, i: int) -> tuple[float, int] | None:
        """How many: 3, 2.5, three, a, an, a couple of, half a, one and a half. "A few" is no number."""
        word = self.word(i)
        if (part := fraction(word)) is not None:
            return part, i + 1
        if word == "half":
            return 0.5, self.skip(i + 1, "a", "an")
        if word in ("a", "an") and self.word(i + 1) not in VAGUE:
            return (0.5, i + 2) if self.word(i + 1) == "half" else (1, i + 1)
        start = self.skip(i, "a")
        if self.word(start) in VAGUE:
            return VAGUE[self.word(start)], self.skip(start + 1, "of")
        if self.kind(i) == "number" and "." in word:
            return float(word), i + 1
        whole = self.integer(i)
        if whole is not None and self.words(whole[1], "and", "a", "half"):
            return whole[0] + 0.5, whole[1] + 3
        return whole

    def unit(self, i: int) -> tuple[Grain, int, int] | None:
        """A unit, how many of its grain it is, and the place after it."""
        word = self.word(i)
        if word in UNITS:
            return UNITS[word], 1, i + 1
        if word in ("fortnight", "fortnights"):
            return Grain.WEEK, 2, i + 1
        short = {"h": Grain.HOUR, "d": Grain.DAY, "w": Grain.WEEK, "y": Grain.YEAR}.get(word)
        return (short, 1, i + 1) if short is not None and self.adjacent(i) else None

    def counts(self, i: int) -> tuple[list[tuple[Grain, float]], int] | None:
        """Counts with their units: three days; 2 weeks and 2 days; 2 years 1 month 21 days; a year and a half."""
        found: list[tuple[Grain, float]] = []
        place = i
        for _ in range(6):
            number = self.count(self.skip(self.skip(place, ","), "and") if found else place)
            unit = None if number is None else self.unit(number[1])
            if number is None or unit is None:
                break
            found.append((unit[0], number[0] * unit[1]))
            place = unit[2]
            if self.words(place, "and", "a", "half") and self.unit(place + 3) is None:
                found[-1] = (unit[0], (number[0] + 0.5) * unit[1])
                place += 3
        return (found, place) if found else None

    def ordinal(self, i: int) -> tuple[int, int] | None:
        if self.kind(i) == "ordinal":
            return int(self.word(i)[:-2]), i + 1
        word = self.word(i)
        if word in ORDINALS:
            return ORDINALS[word], i + 1
        if word in TENS:
            j = self.skip(i + 1, "-")
            tail = ORDINALS.get(self.word(j), 10)
            return (TENS[word] + tail, j + 1) if tail < 10 else None
        return None

    def day_number(self, i: int) -> tuple[int, int] | None:
        """A day of the month, in digits or words."""
        found = self.ordinal(i) or self.integer(i)
        return found if found is not None and 1 <= found[0] <= 31 else None
