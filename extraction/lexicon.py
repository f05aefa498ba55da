"""Word lists of the rules, as data (``lexicon.toml``)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any

from .sayings import Pronoun


@dataclass(frozen=True, slots=True, kw_only=True)
class ChineseWords:
    questions: tuple[str, ...]
    conditions: tuple[str, ...]
    hedges: tuple[str, ...]
    reports: tuple[str, ...]
    hopes: tuple[str, ...]
    plans: tuple[str, ...]
    orders: tuple[str, ...]
    negations: frozenset[str]
    unclear: tuple[str, ...]
    sometimes: frozenset[str]
    unreal: tuple[str, ...]
    companions: frozenset[str]
    replacing: frozenset[str]
    presenting: frozenset[str]
    meeting: frozenset[str]
    nevers: tuple[str, ...]
    no_longers: tuple[str, ...]
    used_to: tuple[str, ...]
    back_then: frozenset[str]
    former: tuple[str, ...]
    trips: tuple[str, ...]
    pronouns_first: frozenset[str]
    pronouns_second: frozenset[str]
    pronouns_person: frozenset[str]
    there: frozenset[str]
    firms: frozenset[str]
    employers: tuple[str, ...]
    shops: frozenset[str]
    no_question: re.Pattern[str]
    no_allergens: frozenset[str]
    becomes: tuple[str, ...]
    vague: frozenset[str]
    ailments: tuple[str, ...]
    experts: tuple[str, ...]
    persons: frozenset[str]
    organization_endings: tuple[str, ...]
    plan_endings: tuple[str, ...]
    plan_names: frozenset[str]
    open_light: frozenset[str]
    open_serial: frozenset[str]
    open_states: frozenset[str]
    open_habits: tuple[str, ...]
    open_vague: frozenset[str]
    open_bare: frozenset[str]
    kin: Mapping[str, str]
    names: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexicon:
    """See the comments in ``lexicon.toml``."""

    conditions: frozenset[str]
    hedging_adverbs: frozenset[str]
    pointing: frozenset[str]
    vague: frozenset[str]
    persons: frozenset[str]
    kin: Mapping[str, str]
    past_occasions: frozenset[str]
    progressive_occasions: frozenset[str]
    habits: frozenset[str]
    recurring: frozenset[str]
    counting: frozenset[str]
    background: frozenset[str]
    former: frozenset[str]
    no_office: frozenset[str]
    weekdays: frozenset[str]
    then: frozenset[str]
    parts_in_talk: frozenset[str]
    fictions: re.Pattern[str]
    exclaimed: frozenset[str]
    others: re.Pattern[str]
    undated: re.Pattern[str]
    experts: frozenset[str]
    ailments: frozenset[str]
    injection: re.Pattern[str]
    open_light: frozenset[str]
    open_heavy: frozenset[str]
    open_feelings: frozenset[str]
    open_states: frozenset[str]
    open_vague: frozenset[str]
    open_bare: frozenset[str]
    open_counts: frozenset[str]
    open_pointing: frozenset[str]
    open_moving: frozenset[str]
    governors: Mapping[str, str]
    frames: Mapping[str, str]
    roles_en: frozenset[str]
    roles_zh: tuple[str, ...]
    departments: frozenset[str]
    no_roles: frozenset[str]
    role_news: frozenset[str]
    schools: frozenset[str]
    plans: frozenset[str]
    plan_names: frozenset[str]
    events: frozenset[str]
    gone: Mapping[str, frozenset[str]]
    diets: Mapping[str, frozenset[str]]
    successions: Mapping[str, str]
    premises: frozenset[str]
    announcements: frozenset[str]
    services: Mapping[str, tuple[str, str]]
    """The verb and preposition by which one says that one uses a service, by its name in small letters."""
    languages: frozenset[str]
    skills: frozenset[str]
    given_names: frozenset[str]
    only_names: frozenset[str]
    """Given names that are no words of English."""
    sexes: Mapping[str, Pronoun]
    """HE or SHE, of given names that only men or only women have, and of titles."""
    irregular: Mapping[str, tuple[str, ...]]
    chinese: ChineseWords


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """The word lists that come with the package."""
    data, given = _table("lexicon.toml"), _table("given_names.toml")
    zh = data["chinese"]
    return Lexicon(
        **{**_lists(data), "recurring": frozenset([*data["habits"], *data["recurring"]])},
        **_open(data["open"], data["vague"]),
        kin=data["kin"],
        fictions=re.compile(rf"(?:{'|'.join(data['fictions'])})\b", re.IGNORECASE),
        others=_spoken(data["others"]),
        undated=re.compile("|".join(data["undated"]), re.IGNORECASE),
        injection=re.compile("|".join(data["injection"]), re.IGNORECASE),
        governors=data["governors"],
        frames=data["frames"],
        roles_en=frozenset(data["roles"]["en"]),
        roles_zh=tuple(data["roles"]["zh"]),
        no_roles=frozenset(data["roles"]["not_en"]),
        role_news=frozenset(data["roles"]["news"]),
        plans=frozenset(data["plans"]["nouns"]),
        plan_names=frozenset(data["plans"]["names"]),
        gone=_sets(data["gone"]),
        diets=_sets(data["diets"]),
        successions=data["successions"],
        services=dict.fromkeys(data["services"]["used"], ("use", ""))
        | dict.fromkeys(data["services"]["subscribed"], ("subscribe", "to")),
        skills=frozenset(data["skills"]["names"]),
        given_names=frozenset(f"{given['names']} {given['elsewhere']}".split()),
        only_names=frozenset(given["elsewhere"].split()),
        sexes=dict.fromkeys(given["men"].split(), Pronoun.HE) | dict.fromkeys(given["women"].split(), Pronoun.SHE),
        languages=frozenset(data["languages"]["en"] + data["languages"]["zh"]),
        irregular={lemma: tuple(forms) for lemma, forms in data["irregular"].items()},
        chinese=ChineseWords(**{k: _frozen(k, v) for k, v in zh.items()}),
    )


def _lists(data: Mapping[str, Any]) -> dict[str, Any]:
    """The lists of plain words, each by its own name."""
    return {k: frozenset(v) for k, v in data.items() if isinstance(v, list) and k not in _PATTERNS}


def _open(table: Mapping[str, list[str]], vague: list[str]) -> dict[str, Any]:
    """The lists for open relations; what is vague elsewhere is vague there, too, unless it means something."""
    found = {f"open_{key}": frozenset(words) for key, words in table.items()}
    return {**found, "open_vague": found["open_vague"].union(vague) - found["open_bare"]}


def _sets(table: Mapping[str, list[str]]) -> dict[str, frozenset[str]]:
    return {key: frozenset(words) for key, words in table.items()}


def _spoken(words: list[str]) -> re.Pattern[str]:
    """Any of the words, of either language."""
    latin = "|".join(re.escape(w) for w in words if w.isascii())
    return re.compile(rf"\b(?:{latin})\b|" + "|".join(w for w in words if not w.isascii()), re.IGNORECASE)


def _table(name: str) -> dict[str, Any]:
    return tomllib.loads(resources.files(__package__).joinpath(name).read_text(encoding="utf-8"))


_PATTERNS = frozenset({"fictions", "injection", "others", "undated"})
_MADE: Mapping[str, Callable[[Any], Any]] = {
    "frozenset[str]": frozenset,
    "tuple[str, ...]": tuple,
    "re.Pattern[str]": lambda words: re.compile("|".join(words)),
    "Mapping[str, str]": dict,
}


def _frozen(key: str, words: Any) -> Any:
    """The words as their field is declared."""
    return _MADE[ChineseWords.__annotations__[key]](words)
