"""Whether a stretch of English running text that could be a time can hardly be anything else."""

from __future__ import annotations

from .english_numbers import Numbers
from .english_words import CUES, DASHES, DAY_PARTS, MONTHS, SEASONS, UNITS, WEEKDAYS, words
from .holidays import ENGLISH

_NAMES_TOO = frozenset(
    words("may march april june august jan mar sun sat fri wed mon dec second sec fall spring noon now valentine")
)
"""Words, names of people among them, that are a time only after a cue."""
_NEED_CUE = _NAMES_TOO | DAY_PARTS.keys() - {"tonight", "tonite"} | SEASONS.keys()
_EVERY = frozenset(words("every each any most"))
_BETWEEN = UNITS.keys() | WEEKDAYS.keys() | DAY_PARTS.keys() | {"at", "on", "in", "other"}
_DAY_FOLLOWERS = frozenset(
    words("at and or to until from in we i he she they it with for because when but so then there")
)
_YEARS = range(1800, 2101)


def is_clear(tokens: Numbers, i: int, j: int) -> bool:
    """Whether the tokens from ``i`` up to ``j``, which read as a time, are one in running text."""
    if (
        _recurs(tokens, i)
        or _is_month_alone(tokens, i)
        or _is_idiom(tokens, i, j)
        or not _years_are_likely(tokens, i, j)
    ):
        return False
    if tokens.kind(j - 1) == "ordinal" or (tokens.word(j - 2) == "the" and tokens.ordinal(j - 1) is not None):
        return _bare_day_is_clear(tokens, i, j)
    if j - i > 2:
        return True
    cued = tokens.word(i - 1) in CUES or tokens.word(i) in CUES
    return _word_is_clear(tokens, i, cued) if j - i == 1 else _pair_is_clear(tokens, i, cued)


def _recurs(tokens: Numbers, i: int) -> bool:
    """ "Every Friday", "each day at 5pm": times that come again are not one time."""
    for back in range(1, 5):
        word = tokens.word(i - back)
        if word in _EVERY:
            return True
        if (
            word not in UNITS
            and word not in WEEKDAYS
            and word not in DAY_PARTS
            and word not in ("at", "on", "in", "other")
        ):
            return False
    return False


def _is_month_alone(tokens: Numbers, i: int) -> bool:
    """A month whose day did not fit ("30 February"), or a lower-case "march" or "may" that is a verb."""
    if tokens.word(i) not in MONTHS:
        return False
    before = i - 2 if tokens.word(i - 1) == "of" else i - 1
    if tokens.kind(before) in ("number", "ordinal") and tokens.day_number(before) is not None:
        return True
    return tokens.word(i) in ("may", "march") and not tokens.tokens[i].capital and tokens.word(i - 1) not in CUES


def _is_idiom(tokens: Numbers, i: int, j: int) -> bool:
    text = " ".join(tokens.word(k) for k in range(i, j))
    return text.removeprefix("at ").removeprefix("the ") in ("end of the day", "end of day", "moment", "present")


def _years_are_likely(tokens: Numbers, i: int, j: int) -> bool:
    """Four digits among other numbers: "1234-2019", "from 1500 to 2500 people" name no years."""
    bare = [k for k in range(i, j) if tokens.kind(k) == "number" and tokens.is_year(k)]
    if any(int(tokens.word(k)) not in _YEARS for k in bare):
        return False
    return not (j - i == 3 and len(bare) == 2 and tokens.word(j) in DASHES)


def _bare_day_is_clear(tokens: Numbers, i: int, j: int) -> bool:
    """ "On the 18th"; not "the 3rd floor", "the first to come"."""
    if j - i > 2 and tokens.word(j - 2) != "the":
        return True
    start = i if tokens.word(i) != "the" else i - 1
    if tokens.word(start) not in ("on", "by", "since", "until", "till", "before", "after", "from"):
        return False
    if tokens.kind(j - 1) != "ordinal":
        return False
    return tokens.kind(j) != "word" or tokens.word(j) in _DAY_FOLLOWERS


def _pair_is_clear(tokens: Numbers, i: int, cued: bool) -> bool:
    word, second = tokens.word(i), tokens.kind(i + 1)
    if second == "number" and (word in CUES or word == "the"):
        return tokens.is_year(i + 1)
    if second == "number" and word in _NAMES_TOO:
        return cued or tokens.tokens[i].capital
    if tokens.word(i + 1) in _NAMES_TOO and word == "the":
        return cued
    return True


def _word_is_clear(tokens: Numbers, i: int, cued: bool) -> bool:
    token = tokens.tokens[i]
    match token.kind:
        case "number":
            return cued and tokens.is_year(i)
        case "md" | "ym" | "my":
            return cued
        case "quarter":
            return cued or token.text.startswith("q")
    if token.text in ("may", "march", "april", "june", "august"):
        return cued and token.capital
    if token.text in ENGLISH:
        return cued or tokens.word(i - 1) in ("for", "over")
    if token.text in _NEED_CUE:
        return cued and token.text not in ("second", "sec", "now")
    return True
