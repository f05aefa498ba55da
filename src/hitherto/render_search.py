"""Search results as people read them and as programs do: hits, how the question was read, and why."""

from __future__ import annotations

from datetime import datetime, tzinfo

from rich.markup import escape
from rich.table import Table

from .kg.model import Json
from .query.explanations import Explanation, Reading
from .query.results import EntityHit, EpisodeHit, FactHit, Hit, SearchResult
from .render import belief_json, bound_json, episode_json, instant_json, shorten
from .temporal.intervals import Interval


def hits_table(result: SearchResult, zone: tzinfo) -> Table:
    """One row a hit: what, when, and the words it rests on."""
    table = Table(title=_reading(result, zone), title_justify="left", title_style="dim")
    for column in ("", "what", "when", "quote"):
        table.add_column(column, overflow="fold")
    for number, hit in enumerate(result, 1):
        what, when, quote = _hit_cells(hit)
        table.add_row(str(number), escape(what), when, escape(quote))
    return table


def search_json(result: SearchResult) -> dict[str, Json]:
    question = result.question
    out: dict[str, Json] = {
        "question": {
            "text": question.text,
            "language": question.language,
            "entities": [e.name for e in question.entities],
            "predicates": list(question.predicates),
            "valid": instant_json(question.valid),
            "during": _stretch_json(question.during),
            "time_source": question.time_source,
            "time_text": question.time_text,
            "event": None if question.event is None else belief_json(question.event),
            "pronouns": list(question.pronouns),
            "by_first_name": [e.name for e in question.by_first_name],
        },
        "known": instant_json(result.known),
        "hits": [_hit_json(hit) for hit in result],
    }
    if (answer := result.answer) is not None:
        beliefs: list[Json] = []
        beliefs += [belief_json(belief) for belief in answer.beliefs]
        out["answer"] = {"asks": answer.asks, "text": answer.text, "how": answer.how, "beliefs": beliefs}
    if result.reading is not None:
        out["reading"] = _reading_json(result.reading)
    return out


def explained(result: SearchResult) -> str:
    """How the question was read, and of each hit why it stands where it does."""
    lines = [str(result.reading)] if result.reading is not None else []
    for number, hit in enumerate(result, 1):
        lines += ["", f"{number}. {_hit_cells(hit)[0]}: {hit.explanation}"]
    return "\n".join(lines)


def _reading_json(reading: Reading) -> Json:
    return {
        "words": list(reading.words),
        "fact_words": list(reading.fact_words),
        "gist": reading.gist,
        "nearly": reading.nearly,
        "fusion": reading.fusion,
        "where": reading.where,
    }


def _stretch_json(stretch: Interval | None) -> Json:
    return None if stretch is None else {"from": instant_json(stretch.start), "to": instant_json(stretch.end)}


def _explanation_json(explanation: Explanation) -> dict[str, Json]:
    factors: list[Json] = []
    factors += [{"why": factor.why, "by": factor.by} for factor in explanation.factors]
    evidence: list[Json] = []
    evidence += [
        {
            "says": e.says,
            "quote": e.quote,
            "start": e.start,
            "end": e.end,
            "episode_id": e.episode_id,
            "occurred_at": instant_json(e.occurred_at),
            "actor": e.actor,
            "session": e.session,
            "source": e.source,
            "confidence": e.confidence,
            "extractor": e.extractor,
        }
        for e in explanation.evidence
    ]
    return {
        "factors": factors,
        "valid_from": bound_json(explanation.valid_from),
        "valid_to": bound_json(explanation.valid_to),
        "confidence": explanation.confidence,
        "evidence": evidence,
    }


def _hit_json(hit: Hit) -> dict[str, Json]:
    legs: list[Json] = []
    legs += [
        {"leg": leg.leg, "rank": leg.rank, "score": leg.score, "contribution": leg.contribution}
        for leg in hit.legs
    ]
    common: dict[str, Json] = {"score": hit.score, "legs": legs, "line": str(hit)}
    if hit.explanation is not None:
        common["explanation"] = _explanation_json(hit.explanation)
    if isinstance(hit, FactHit):
        return {"kind": "fact", **common, "belief": belief_json(hit.belief)}
    if isinstance(hit, EpisodeHit):
        shown = {"kind": "episode", **common, "episode": {**episode_json(hit.episode), "text": hit.quote}}
        return shown if hit.passage is None else {**shown, "start": hit.passage.start, "end": hit.passage.end}
    return {"kind": "entity", **common, "entity": {"name": hit.entity.name, "kind": hit.entity.kind}}


def _hit_cells(hit: Hit) -> tuple[str, str, str]:
    if isinstance(hit, FactHit):
        return hit.belief.fact.text, hit.dates, shorten(hit.quote)
    if isinstance(hit, EpisodeHit):
        return hit.episode.actor or "(said)", hit.dates, shorten(hit.quote)
    assert isinstance(hit, EntityHit)
    return hit.entity.name, "", hit.entity.kind


def _reading(result: SearchResult, zone: tzinfo) -> str:
    """How the question was read, in a line."""
    question = result.question
    if question.valid is None:
        when = "ever"
    elif question.during is None:
        when = f"as of {_day(question.valid, zone)}"
    else:
        since = "" if question.during.start is None else f"from {_day(question.during.start, zone)} "
        when = f"{since}to {_day(question.valid, zone)}"
    also = {e.id for e in question.by_first_name}
    about = ", ".join(f"{e.name} (by first name)" if e.id in also else e.name for e in question.entities)
    return escape(" · ".join(part for part in (about, when, *question.predicates[:3]) if part))


def _day(moment: datetime, zone: tzinfo) -> str:
    return moment.astimezone(zone).date().isoformat()
