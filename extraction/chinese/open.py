"""Open relations in Chinese: what a clause states whose verb the ontology does not know, named by the verb itself.

The predicate is the verb as LAC cuts it (装修, 看完) without its aspect: Chinese verbs have no inflection and no
capitals. It holds while 在, 着 or a habit says so, and began with 了 or 过.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...kg.model import Mention, Value
from ...kg.ontology import Predicate
from ..lexicon import Lexicon
from ..sayings import Polarity, Pronoun, Saying, Stance
from ..tokens import LATIN, Word
from .phrases import Clause, Phrases, nominal_run
from .subjects import Carried, Subjects
from .triggers import Match, Trigger
from .voice import UNSURE, Voice

CONFIDENCE = 0.7
"""Of an open relation: what a verb means that nobody described is less sure than a known predicate."""
_VERB = re.compile("[一-鿿]{1,4}")
_ASPECT = frozenset({"了", "过", "着"})
_COUNT = re.compile("^[一两几半\\d二三四五六七八九十]+[^\\d]{1,2}$|^[个只台辆本套件]$")
_DOING = frozenset({"在", "正在", "正", "一直", "着"})
_ENDS = frozenset({"w", "xc", "y", "u"})
_TOGETHER = re.compile(
    "(?P<verb>[抽吸戒喝吃弹养骑练]|打(?=.*球$))(?P<object>(?!习|醉|惊|亏|苦|力|香|完|好|掉|过|了|饭|药|水|到|起|着|酒店)[一-鿿]{1,4})"
)
"""A verb and its object that the tagger takes for one verb: 抽烟."""
_SWEARS_OFF = "戒"
_HABITS = (
    ("抽", ("烟",)),
    ("喝", ("酒", "咖啡", "茶", "可乐", "饮料", "汽水")),
    ("吃", ("糖", "肉", "甜食", "零食", "夜宵")),
    ("玩", ("游戏",)),
)
"""What one does with what one may swear off."""
_PLAYED = ("球", "麻将", "拳", "牌")
_TITLE = re.compile("《([^《》]{1,30})》")
_NAMED = {"PER": "Person", "ORG": "Organization", "LOC": "Place"}
_NOMINAL = frozenset({"n", "nz", "nw", "PER", "ORG", "LOC", "a", "m", LATIN})
_LONGEST = 14


class ChineseOpen:
    """Reads the clauses of one sentence in which no trigger of the ontology was found.

    Only what is stated of the speaker, of a name or of a person already named; the clause must end with the
    object, or stand as 把 + object + verb. Verbs of thinking, saying, feeling and the lightest name no relation.
    """

    def __init__(self, text: str, phrases: Phrases, lexicon: Lexicon, subjects: Subjects, voice: Voice) -> None:
        self._text, self._phrases, self._zh = text, phrases, lexicon.chinese
        self._subjects, self._voice = subjects, voice

    def sayings(self, clause: Clause, carried: Carried) -> Iterator[Saying]:
        """What the clause says by its own verb."""
        words = _apart(clause.words)
        acting = (i for i, w in enumerate(words) if w.tag == "v" or _acts(words, i))
        verbs = [i for i in acting if words[i].text not in self._zh.negations]
        if not verbs or any(w.text in self._zh.orders for w in words[: verbs[-1]]):
            return
        first, verb = verbs[0], verbs[-1]
        between = words[first + 1 : verb]
        if any(words[i].text not in self._zh.open_serial for i in verbs[:-1]) or any(
            w.text == "的" for w in between
        ):
            return
        name = _lemma(words[verb].text)
        played = name == "打" and words[-1].text.endswith(_PLAYED)
        if (name in self._zh.open_light and not played) or not _VERB.fullmatch(name):
            return
        who = self._subjects.before(Clause(tuple(words)), self._start(words, first), carried)
        if who.subject is None or who.far or not self._is_somebody(who):
            return
        found = self._object(words, verb)
        stance = None if found is None else self._stance(words, verb)
        if found is None or stance is None:
            return
        match = Match(Trigger(Predicate(name=name), stance, name, ""), verb, verb + 1, len(words))
        confidence = CONFIDENCE if who.sure else CONFIDENCE - UNSURE
        said = self._voice.say(Clause(tuple(words)), match, who.subject, found, stance, confidence)
        past = stance is Stance.BEGINS and said.polarity in (Polarity.NEGATIVE, Polarity.NEVER)
        unreal = self._voice.is_unreal(Clause(tuple(words)), match)
        if not past and not unreal and found != who.subject:
            yield said
            yield from _given_up(said)

    @staticmethod
    def _start(words: Sequence[Word], first: int) -> int:
        """Where the subject ends: before 把, 被 or the verb."""
        return next((i for i, w in enumerate(words[:first]) if w.text in ("把", "将", "被")), first)

    @staticmethod
    def _is_somebody(who: Carried) -> bool:
        if who.subject is Pronoun.ADDRESSEE:
            return False
        named = isinstance(who.subject, Mention)
        return not named or (isinstance(who.subject, Mention) and who.subject.kind == "Person")

    def _stance(self, words: Sequence[Word], verb: int) -> Stance | None:
        before = [w.text for w in words[:verb]]
        after = [w.text for w in words[verb + 1 :]]
        ended = words[verb].text[-1] in _ASPECT
        negated = any(w in self._zh.negations for w in before) or "再也" in "".join(before)
        if negated:
            known = words[verb].text in self._zh.open_states
            return Stance.HOLDS if known and not {"没", "没有"} & set(before) else None
        if "着" in after[:1] or _DOING & set(before) or words[verb].text.endswith("着"):
            return Stance.HOLDS
        if {"了", "过"} & {*after[:1], *after[-1:]} or ended or words[verb].text[-1] in "完好掉":
            return Stance.BEGINS
        habit = any(h in "".join(before) for h in self._zh.open_habits)
        if habit or words[verb].text in self._zh.open_states:
            return Stance.HOLDS
        planned = any(w in self._zh.plans or w in self._zh.hopes for w in before)
        return Stance.BEGINS if planned else None

    def _object(self, words: Sequence[Word], verb: int) -> Mention | Value | None:
        disposed = next((i for i, w in enumerate(words[:verb]) if w.text in ("把", "将")), None)
        if disposed is not None:
            between = [w for w in words[disposed + 1 : verb] if w.tag not in ("d", "ad")]
            rest = words[verb + 1 :]
            return self._thing(between) if all(w.tag in _ENDS or w.text in _ASPECT for w in rest) else None
        if any(w.text == "被" for w in words[:verb]):
            return None
        after = [w for w in words[verb + 1 :] if w.text not in _ASPECT]
        while after and _COUNT.match(after[0].text) and after[0].tag in ("m", "q"):
            after = after[1:]
        return self._thing(after)

    def _thing(self, words: Sequence[Word]) -> Mention | Value | None:
        """What the words name, if they are all of them a name or a noun phrase with a meaning of its own."""
        while words and words[-1].tag in _ENDS and words[-1].text not in "》”":
            words = words[:-1]
        if not words:
            return None
        text = self._text[words[0].start : words[-1].end]
        title = _TITLE.fullmatch(text)
        if title is not None:
            return Value(title.group(1))
        run = nominal_run(words)
        if not run or len(run) != len(words) or text[0].isdigit():
            return None
        if len(run) == 1 and run[0].tag in _NAMED:
            return Mention(text, _NAMED[run[0].tag])
        bare = run[-1].text
        if text in self._zh.vague or bare in self._zh.open_vague or (len(run) == 1 and bare in self._zh.open_bare):
            return None
        latin = any(w.tag == LATIN for w in run)
        return Value(text) if len(text) <= _LONGEST + 10 * latin else None


def _given_up(said: Saying) -> Iterator[Saying]:
    """Who has sworn off coffee drinks it no longer."""
    thing = said.object.text if isinstance(said.object, Value) else ""
    begun = said.stance is Stance.BEGINS and said.polarity is Polarity.POSITIVE
    for verb, things in _HABITS if said.predicate == _SWEARS_OFF and begun and thing else ():
        if thing.endswith(things):
            yield replace(said, predicate=verb, stance=Stance.ENDS)


def _lemma(verb: str) -> str:
    """The verb without its aspect, and nothing where it says that it did not come off ("找不到")."""
    name = verb.removesuffix("一下").rstrip("了着")
    name = _SWEARS_OFF if name == "戒掉" else name
    name = name.removeprefix("来") if len(name) > 2 or verb.startswith("来玩") else name
    return "" if "不" in name[:-1] or name.startswith(("只", "没")) else name


def _apart(words: Sequence[Word]) -> list[Word]:
    found: list[Word] = []
    for i, word in enumerate(words):
        match = _TOGETHER.fullmatch(word.text) if word.tag in ("v", "vn") else None
        following = words[i + 1].tag if i + 1 < len(words) else ""
        if match is None or following in _NOMINAL:
            found.append(word)
            continue
        cut = word.start + match.end("verb")
        found += [Word(match["verb"], "v", word.start, cut), Word(match["object"], "n", cut, word.end)]
    return found


def _acts(words: Sequence[Word], at: int) -> bool:
    """Whether a noun of doing is a verb: "打算**装修**新房子"."""
    behind = words[at + 1].tag if at + 1 < len(words) else ""
    return words[at].tag == "vn" and at > 0 and words[at - 1].tag in ("v", "d") and behind in _NOMINAL
