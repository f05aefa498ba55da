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
_NUMBERED = frozenset(
    words("room page chapter section part volume floor level line gate flight bus number no step unit act verse")
)
"""What has a number of its own after it."""
_YEARS = range(1800, 2101)


def is_clear(tokens: Numbers, i: int, j: int) -> bool:
    """Whether the tokens from ``i`` up to ``j``, which read as a time, are one in running text."""
    if (
        _recurs(tokens, i)
        or _is_month_alone(tokens, i)
        or _is_idiom(tokens, i, j)
        or _are_numbers_alone(tokens, i, j)
        or not _years_are_likely(tokens, i, j)
    ):
        return False
    if _is_counted_weekend(tokens, i):
        return False
    at = next((k for k in range(i, j) if tokens.word(k) in MONTHS or tokens.word(k) in WEEKDAYS), None)
    if at is not None and not _month_and_day_are_clear(tokens, i, j, at):
        return False
    if tokens.kind(j - 1) == "ordinal" or (tokens.word(j - 2) == "the" and tokens.ordinal(j - 1) is not None):
        return at is not None or _bare_day_is_clear(tokens, i, j)
    if j - i > 2:
        return True
    as_of = tokens.words(i - 2, "as", "of")
    cued = as_of or tokens.word(i - 1) in CUES or tokens.word(i) in CUES
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
    dated = tokens.kind(i + 1) == "ordinal"
    if not dated and tokens.kind(before) in ("number", "ordinal") and tokens.day_number(before) is not None:
        return True
    if tokens.word(i) == "march" and dated:
        return False
    return tokens.word(i) in ("may", "march") and not tokens.tokens[i].capital and tokens.word(i - 1) not in CUES


def _is_idiom(tokens: Numbers, i: int, j: int) -> bool:
    text = " ".join(tokens.word(k) for k in range(i, j))
    return text.removeprefix("at ").removeprefix("the ") in ("end of the day", "end of day", "moment", "present")


def _are_numbers_alone(tokens: Numbers, i: int, j: int) -> bool:
    """ "Between 14 and 15", "from 3 to 5": hours perhaps, but anything else as well."""
    numbers = [k for k in range(i, j) if tokens.kind(k) not in ("word", "sign")]
    joined = ("between", "from", "and", "to", "until", "till", "through", *DASHES)
    return len(numbers) > 1 and all(
        tokens.word(k) in joined or (tokens.kind(k) == "number" and not tokens.is_year(k)) for k in range(i, j)
    )


def _years_are_likely(tokens: Numbers, i: int, j: int) -> bool:
    """Four digits among other numbers: "1234-2019", "from 1500 to 2500 people" name no years."""
    bare = [k for k in range(i, j) if tokens.kind(k) == "number" and tokens.is_year(k)]
    if any(int(tokens.word(k)) not in _YEARS for k in bare):
        return False
    if len(bare) == 2 and tokens.word(j - 2) == "or" and tokens.word(i) not in CUES:
        return tokens.word(i - 1) in CUES
    return not (j - i == 3 and len(bare) == 2 and tokens.word(j) in DASHES)


def _bare_day_is_clear(tokens: Numbers, i: int, j: int) -> bool:
    """ "On the 18th"; not "the 3rd floor", "the first to come"."""
    if j - i > 2 and tokens.word(j - 2) not in ("the", "and"):
        return True
    start = i if tokens.word(i) != "the" else i - 1
    if tokens.word(start) not in ("on", "by", "since", "until", "till", "before", "after", "from", "between"):
        return False
    if tokens.kind(j - 1) != "ordinal":
        return False
    return tokens.kind(j) != "word" or tokens.word(j) in _DAY_FOLLOWERS


def _month_and_day_are_clear(tokens: Numbers, i: int, j: int, at: int) -> bool:
    """ "June 14th", "on May 1st", "Friday the 14th"; not "April, 3rd in line", "June's 3rd child", "I may 1st",
    "May first said", "room 12 May". ``at`` is the place of the month or the weekday."""
    token = tokens.tokens[at]
    day = tokens.skip(at + 1, ",", "the", ".")
    if at > i and tokens.kind(at - 1) == "number":
        numbered = at - 3 if tokens.word(at - 2) == "." else at - 2
        return numbered >= i or tokens.word(numbered) not in _NUMBERED
    if day >= j or tokens.ordinal(day) is None:
        return True
    if token.end - token.start > len(token.text):
        return False
    cued = at > i or tokens.word(i - 1) in CUES
    if token.text not in _NAMES_TOO or cued:
        return True
    plain = day == at + 1 or tokens.word(at + 1) == "."
    return plain and tokens.kind(day) == "ordinal" and (token.capital or token.text == "march")


def _is_counted_weekend(tokens: Numbers, i: int) -> bool:
    """ "The July 4th weekend" is not the last one."""
    return tokens.word(i) == "weekend" and tokens.kind(i - 1) in ("ordinal", "number")


def _pair_is_clear(tokens: Numbers, i: int, cued: bool) -> bool:
    word, second = tokens.word(i), tokens.kind(i + 1)
    if word in ("'", "’", "‘"):
        return cued
    if second == "number" and (word in CUES or word == "the"):
        return tokens.is_year(i + 1)
    if second == "number" and word in _NAMES_TOO:
        return cued or tokens.tokens[i].capital or word in ("april", "june", "august")
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
