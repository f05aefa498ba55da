"""Time expressions: how many gold phrases get the right value.

    python benchmarks/timex.py [PATH]

PATH is a folder with ``recognizers_english.jsonl``, ``recognizers_chinese.jsonl`` and ``duckling_zh.jsonl`` (or
any part of them; files kept back in the same formats are read too). The same phrases go to date-wrangler and
jionlp-time alone, as baselines. A phrase is right when any of its gold values is met: start and end of the time,
read on the wall clock. Phrases whose gold is "not resolved" count as right when we give no time either.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from hitherto.temporal.calendar import floor_local
from hitherto.temporal.expressions import Language, Shape, TimeReading, find_times, read_time
from hitherto.temporal.grains import Grain

Span = tuple[datetime | None, datetime | None]


@dataclass(frozen=True)
class Item:
    phrase: str
    base: datetime
    language: Language
    kind: str
    gold: list[dict[str, str]]
    """Values as Recognizers writes them; Duckling's are turned into the same."""
    direction: str


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    default = Path(__file__).parent.parent.parent / "shared" / "data" / "timex"
    parser.add_argument("path", nargs="?", type=Path, default=default)
    parser.add_argument("--wrong", metavar="KIND", help="print the phrases of this kind that come out wrong")
    arguments = parser.parse_args()
    for path in sorted(arguments.path.glob("*.jsonl")):
        items = list(read_items(path))
        report(path.name, items, arguments.wrong)
    speed()


def report(name: str, items: list[Item], wrong: str | None) -> None:
    total: Counter[str] = Counter()
    right: Counter[str] = Counter()
    misread: Counter[str] = Counter()
    alone = 0
    for item in items:
        spans = our_spans(item)
        total[item.kind] += 1
        if any(meets(item, spans, value) for value in item.gold):
            right[item.kind] += 1
        else:
            misread[item.kind] += spans is not None
            if wrong in (item.kind, "all"):
                print("   ", item.phrase, "|", item.base, "|", spans, "|", item.gold)
        alone += any(meets(item, baseline(item), value) for value in item.gold)
    print(f"{name}: {sum(right.values())}/{sum(total.values())} right = {share(right, total)}", end="")
    print(f", {sum(misread.values())} wrong, the rest not read; the library alone {alone / len(items):.1%}")
    for kind, count in total.most_common():
        print(f"    {kind:22} {right[kind]:4}/{count:4}   wrong {misread[kind]}")


def share(right: Counter[str], total: Counter[str]) -> str:
    return f"{sum(right.values()) / max(sum(total.values()), 1):.1%}"


def read_items(path: Path) -> Iterator[Item]:
    language: Language = "en" if "english" in path.name or path.stem.endswith("_en") else "zh"
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            base = datetime.fromisoformat(row["reference"] or "2019-07-01T00:00:00").replace(tzinfo=None)
            if "gold" in row:
                value = duckling_value(row["gold"])
                yield Item(row["text"], base, language, row["kind"], [value], "future")
                continue
            for result in row["results"]:
                kind = (result["type"] or "datetimeV2.other").removeprefix("datetimeV2.")
                values = [value for value in result["values"] or [] if value]
                if kind != "timezone" and values:
                    yield Item(result["text"], base, language, kind, values, "past")


def duckling_value(gold: str) -> dict[str, str]:
    """``((y, m, d, h, m, s), (...)) Grain "feast"``: an interval, or a point with a grain."""
    found = [
        datetime(int(y), max(int(mo), 1), max(int(d), 1), int(h), int(mi), int(s)).isoformat(" ")
        for y, mo, d, h, mi, s in re.findall(
            r"\((\d+), (\d+), (\d+), (\d+), (\d+), (\d+)\)", gold
        )
    ]
    if not found:
        return {"value": "not resolved"}
    if len(found) == 2:
        return {"type": "interval", "start": found[0], "end": found[1]}
    return {"type": "point", "value": found[0]}


def our_spans(item: Item) -> Span | None:
    base = item.base.replace(tzinfo=UTC)
    reading = read_time(
        item.phrase, base=base, zone=UTC, language=item.language, direction="past" if item.direction == "past" else "future"
    )
    return None if reading is None else span_of(reading)


def span_of(reading: TimeReading) -> Span:
    start, end = reading.start, reading.end
    if reading.shape is Shape.POINT and start is not None:
        return start.at.replace(tzinfo=None), start.end_of_grain.replace(tzinfo=None)
    return (
        None if start is None else start.at.replace(tzinfo=None),
        None if end is None else end.at.replace(tzinfo=None),
    )


def meets(item: Item, span: Span | None, value: dict[str, str]) -> bool:
    if value.get("value") == "not resolved" or item.kind in ("duration", "set"):
        return span is None
    if span is None:
        return False
    clock_only = item.kind in ("time", "timerange")
    if "value" in value:
        return same(span[0], value["value"], clock_only)
    start, end = value.get("start"), value.get("end")
    mod = value.get("Mod", "")
    if start is not None and end is not None:
        return same(span[0], start, clock_only) and ends(span[1], end, clock_only)
    if start is not None:
        # "After 1 August": the set lets days begin themselves, months and years with the next one; we always the next.
        return same(span[0], start, clock_only) or (
            mod.startswith("after") and span[0] is not None and same(span[0] - timedelta(days=1), start, clock_only)
        )
    return end is not None and ends(span[1], end, clock_only)


def same(ours: datetime | None, gold: str, clock_only: bool) -> bool:
    if ours is None:
        return False
    if clock_only:
        return ours.time().isoformat() == gold
    if len(gold) == 10:
        return ours == datetime.fromisoformat(gold)
    return ours == datetime.fromisoformat(gold)


def ends(ours: datetime | None, gold: str, clock_only: bool) -> bool:
    """The set ends "from June to August" where August begins, we where it ends; 23:59:59 is the day's end."""
    if ours is None:
        return False
    if clock_only:
        texts = {ours.time().isoformat(), (ours - timedelta(minutes=1)).time().isoformat()}
        texts |= {(ours - timedelta(hours=1)).time().isoformat(), (ours - timedelta(seconds=1)).time().isoformat()}
        return gold in texts
    moment = datetime.fromisoformat(gold)
    if moment in (ours, ours - timedelta(seconds=1)):
        return True
    last = ours - timedelta(microseconds=1)
    grains = (Grain.YEAR, Grain.QUARTER, Grain.MONTH, Grain.DAY, Grain.HOUR, Grain.MINUTE, Grain.SECOND)
    return any(floor_local(last, grain) == moment for grain in grains)


def baseline(item: Item) -> Span | None:
    return BASELINES[item.language](item)


def date_wrangler_alone(item: Item) -> Span | None:
    from date_wrangler import FiscalCalendar, WranglerConfig, parse

    config = WranglerConfig(fiscal=FiscalCalendar(start_month=1))
    try:
        found = parse(item.phrase, today=item.base.date(), config=config)
        ranges = found if isinstance(found, list) else [found]
        first = ranges[0]
        first = getattr(first, "range", first)
    except Exception:
        return None
    if not hasattr(first, "start"):
        return None
    return _midnight(first.start), _midnight(first.end)


def _midnight(day: date | None) -> datetime | None:
    return None if day is None else datetime(day.year, day.month, day.day)


def jionlp_alone(item: Item) -> Span | None:
    from jionlp_time import parse_time

    base = item.base
    now = {"year": base.year, "month": base.month, "day": base.day}
    now |= {"hour": base.hour, "minute": base.minute, "second": base.second}
    try:
        found = parse_time(item.phrase, time_base=now)
        start, end = found["time"]
        first, last = (datetime.fromisoformat(text) for text in (start, end))
    except Exception:
        return None
    return first, last + timedelta(seconds=1)


BASELINES: dict[str, Callable[[Item], Span | None]] = {"en": date_wrangler_alone, "zh": jionlp_alone}


def speed() -> None:
    base = datetime(2026, 3, 2, 10, tzinfo=UTC)
    plain = {"en": ["Thanks, that sounds great to me!", "I like cold coffee and long walks with the dog."] * 500,
             "zh": ["好的，谢谢你", "我是 Liang，住北京，做 AI 工程师，我喜欢冷咖啡"] * 500}
    timed = {"en": ["She joined TechCorp in January 2023.", "We met two weeks ago and moved last Tuesday."] * 200,
             "zh": ["我2023年1月加入公司", "我们三天前见过，上个月搬家了"] * 200}
    phrases = {"en": ["last Tuesday", "January 2023", "two weeks ago"] * 200, "zh": ["上个月", "去年三月", "三天前"] * 200}
    rates: dict[str, dict[str, float]] = defaultdict(dict)
    languages: tuple[Language, ...] = ("en", "zh")
    for language in languages:
        for name, texts in (("messages without a time", plain), ("messages with times", timed)):
            begun = time.perf_counter()
            for text in texts[language]:
                find_times(text, base=base, zone=UTC, language=language)
            rates[language][name] = len(texts[language]) / (time.perf_counter() - begun)
        begun = time.perf_counter()
        for text in phrases[language]:
            read_time(text, base=base, zone=UTC, language=language)
        rates[language]["phrases"] = len(phrases[language]) / (time.perf_counter() - begun)
    for language, row in rates.items():
        print(f"{language}: " + ", ".join(f"{name} {rate:,.0f}/s" for name, rate in row.items()))


if __name__ == "__main__":
    main()
