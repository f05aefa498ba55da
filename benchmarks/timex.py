"""Time expressions: how many gold phrases get the right value.

    python benchmarks/timex.py [PATH]

PATH is a folder with ``recognizers_english.jsonl``, ``recognizers_chinese.jsonl`` and ``duckling_zh.jsonl`` (or
any part of them; files kept back in the same formats are read too). The same phrases go to date-wrangler and
jionlp-time alone, as baselines. A phrase is right when any of its gold values is met: start and end of the
time, read on the wall clock; then end to end: the times found in whole sentences. Phrases whose gold is "not
resolved" count as right when we give no time either. Durations and recurrences ("set") are no times: reading
one as a time is an error and shown, not reading it earns nothing.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from hitherto.temporal.calendar import floor_local
from hitherto.temporal.expressions import Direction, Language, Shape, TimeReading, find_times, read_time
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
    direction: Direction


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    default = Path(__file__).parent.parent.parent / "shared" / "data" / "timex"
    parser.add_argument("path", nargs="?", type=Path, default=default)
    parser.add_argument("--wrong", metavar="KIND", help="print the phrases of this kind that come out wrong")
    arguments = parser.parse_args()
    for path in sorted(arguments.path.glob("*.jsonl")):
        items = list(read_items(path))
        report(path.name, items, arguments.wrong)
        found_in_text(path)
    speed()


NO_TIMES = ("duration", "set")


def report(name: str, items: list[Item], wrong: str | None) -> None:
    total: Counter[str] = Counter()
    right: Counter[str] = Counter()
    misread: Counter[str] = Counter()
    for item in items:
        span = our_spans(item)
        total[item.kind] += 1
        if any(meets(item, span, value) for value in item.gold):
            right[item.kind] += 1
        else:
            misread[item.kind] += span is not None
            if wrong in (item.kind, "all"):
                print("   ", item.phrase, "|", item.base, "|", span, "|", item.gold)
    times = [item for item in items if item.kind not in NO_TIMES]
    ours = sum(count for kind, count in right.items() if kind not in NO_TIMES)
    alone = sum(any(meets(item, baseline(item), value) for value in item.gold) for item in times)
    print(f"{name}: {ours}/{len(times)} times right = {ours / len(times):.1%}", end="; ")
    print(f"{sum(misread.values())} misread; the library alone {alone / len(times):.1%}")
    for kind, count in total.most_common():
        print(f"    {kind:22} {right[kind]:4}/{count:4}   misread {misread[kind]}")


def found_in_text(path: Path) -> None:
    """End to end: the times that are found in whole sentences, with their values. A gold time is found by a span
    that is the same (``exact``) or that overlaps it (``overlap``), with a right value. What we find in a duration
    or a recurrence, or where the set has nothing, is wrong."""
    gold_count, ours_count, right = 0, 0, Counter[str]()
    for text, base, language, spans in read_sentences(path):
        found = find_times(text, base=base.replace(tzinfo=UTC), zone=UTC, language=language)
        gold_count += len(spans)
        ours_count += len(found)
        for start, end, item in spans:
            near = [(a, b, span_of(r)) for a, b, r in found if a < end and start < b]
            good = [(a, b) for a, b, span in near if any(meets(item, span, value) for value in item.gold)]
            right["overlap"] += bool(good)
            right["exact"] += any((a, b) == (start, end) for a, b in good)
    if gold_count:
        f1 = {kind: 2 * right[kind] / (gold_count + ours_count) for kind in ("exact", "overlap")}
        print(f"    end to end: {gold_count} gold times, {ours_count} found; span and value F1 ", end="")
        print(f"{f1['exact']:.1%} (exact), {f1['overlap']:.1%} (overlap)")


def read_sentences(path: Path) -> Iterator[tuple[str, datetime, Language, list[tuple[int, int, Item]]]]:
    """The sentences of a set that says where its times stand, with their times (durations and recurrences are
    none)."""
    language: Language = "en" if "english" in path.name or path.stem.endswith("_en") else "zh"
    with path.open(encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            if "results" not in row:
                continue
            base = datetime.fromisoformat(row["reference"] or "2019-07-01T00:00:00").replace(tzinfo=None)
            spans = []
            for result in row["results"]:
                kind = (result["type"] or "datetimeV2.other").removeprefix("datetimeV2.")
                values = [value for value in result["values"] or [] if value]
                if kind not in (*NO_TIMES, "timezone") and values:
                    item = Item(result["text"], base, language, kind, values, Direction.PAST)
                    spans.append((result["start"], result["end"] + 1, item))
            yield row["text"], base, language, spans


def read_items(path: Path) -> Iterator[Item]:
    language: Language = "en" if "english" in path.name or path.stem.endswith("_en") else "zh"
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            base = datetime.fromisoformat(row["reference"] or "2019-07-01T00:00:00").replace(tzinfo=None)
            if "gold" in row:
                value = duckling_value(row["gold"])
                yield Item(row["text"], base, language, row["kind"], [value], Direction.FUTURE)
                continue
            for result in row["results"]:
                kind = (result["type"] or "datetimeV2.other").removeprefix("datetimeV2.")
                values = [value for value in result["values"] or [] if value]
                if kind != "timezone" and values:
                    yield Item(result["text"], base, language, kind, values, Direction.PAST)


def duckling_value(gold: str) -> dict[str, str]:
    """``((y, m, d, h, m, s), (...)) Grain "feast"``: an interval, or a point with a grain."""
    found = [
        datetime(int(y), max(int(mo), 1), max(int(d), 1), int(h), int(mi), int(s)).isoformat(" ")
        for y, mo, d, h, mi, s in re.findall(r"\((\d+), (\d+), (\d+), (\d+), (\d+), (\d+)\)", gold)
    ]
    if not found:
        return {"value": "not resolved"}
    if len(found) == 2:
        return {"type": "interval", "start": found[0], "end": found[1]}
    return {"type": "point", "value": found[0]}


def our_spans(item: Item) -> Span | None:
    base = item.base.replace(tzinfo=UTC)
    reading = read_time(item.phrase, base=base, zone=UTC, language=item.language, direction=item.direction)
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
    if value.get("value") == "not resolved" or item.kind in NO_TIMES:
        return span is None
    if span is None:
        return False
    clock_only = item.kind in ("time", "timerange")
    if "value" in value:
        return same(span[0], value["value"], clock_only)
    start, end = value.get("start"), value.get("end")
    if start is not None and end is not None:
        return same(span[0], start, clock_only) and ends(span[1], end, clock_only)
    if start is not None:
        # "After 1 August" the set lets begin on that day, "after August" after it; we both after it.
        day_before = None if span[0] is None else span[0] - timedelta(days=1)
        after = value.get("Mod", "").startswith("after")
        return same(span[0], start, clock_only) or (after and same(day_before, start, clock_only))
    return end is not None and ends(span[1], end, clock_only)


def same(ours: datetime | None, gold: str, clock_only: bool) -> bool:
    if ours is None:
        return False
    if clock_only:
        return ours.time().isoformat() == gold
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
    from jionlp_time import parse_time  # type: ignore[import-untyped]

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


TEXTS: dict[Language, dict[str, list[str]]] = {
    "en": {
        "messages without a time": [
            "Thanks, that sounds great to me!",
            "I like cold coffee and walks with the dog.",
        ],
        "messages with times": [
            "She joined TechCorp in January 2023.",
            "We met two weeks ago and moved last Tuesday.",
        ],
    },
    "zh": {
        "messages without a time": ["好的，谢谢你", "我是 Liang，住北京，做 AI 工程师，我喜欢冷咖啡"],
        "messages with times": ["我2023年1月加入公司", "我们三天前见过，上个月搬家了"],
    },
}
PHRASES: dict[Language, list[str]] = {
    "en": ["last Tuesday", "January 2023", "two weeks ago"],
    "zh": ["上个月", "去年三月", "三天前"],
}


def speed() -> None:
    base = datetime(2026, 3, 2, 10, tzinfo=UTC)
    for language, kinds in TEXTS.items():
        rates = []
        for name, texts in kinds.items():
            begun = time.perf_counter()
            for text in texts * 500:
                find_times(text, base=base, zone=UTC, language=language)
            rates.append(f"{name} {len(texts) * 500 / (time.perf_counter() - begun):,.0f}/s")
        begun = time.perf_counter()
        for text in PHRASES[language] * 200:
            read_time(text, base=base, zone=UTC, language=language)
        rates.append(f"phrases {len(PHRASES[language]) * 200 / (time.perf_counter() - begun):,.0f}/s")
        print(f"{language}: " + ", ".join(rates))


if __name__ == "__main__":
    main()
