"""What users hand in, made into episodes: plain text, messages as chat APIs shape them, JSON records."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from typing import TypeAlias, TypedDict

from .extraction.passages import LONGEST_WHOLE
from .extraction.structured import KEPT, Declared, declared, latest_time
from .extraction.structured_fields import FieldMapping
from .extraction.structured_text import parse_json, write_json
from .kg.characters import well_formed
from .kg.ids import make_id
from .kg.model import Episode, Format, Json, Role, Turn
from .kg.store import Clock
from .messages import KEYS, ROLES, Message, Said, Speaking, is_talk, read_messages
from .temporal.calendar import LAST_INSTANT
from .temporal.errors import Invalid
from .temporal.instants import When, parse_instant

MAX_TEXT = 1_000_000
"""Code points one episode may hold."""


class Details(TypedDict, total=False):
    """What ``Memory.add`` may be told about an episode.

    ``occurred_at``: when it was said (now); a text without a zone is meant in the memory's. ``actor``: who said
    it, an id that holds in the whole tenant. ``session``: orders episodes and bounds what pronouns can mean.
    ``source``: where it comes from ("chat", "crm"). ``id``: yours, else made from content, time, source, session
    and actor. ``metadata``: plain JSON, kept with the episode. ``mapping``: reads the content as JSON records,
    whose fields say what it declares.
    """

    occurred_at: When
    actor: str | None
    session: str | None
    source: str
    id: str | None
    metadata: Mapping[str, Json]
    mapping: FieldMapping | Sequence[FieldMapping] | None


Content: TypeAlias = "str | Message | Sequence[Message]"
"""Text, one message or several, a JSON object or an array of them."""

_SPEECH = frozenset(("text", "message"))
"""What content is called by mistake."""


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What is known about an episode besides its content. ``id`` None: made from content, time, source, session
    and actor."""

    occurred_at: datetime
    source: str = ""
    actor: str | None = None
    session: str | None = None
    id: str | None = None
    metadata: Mapping[str, Json] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Raises ``Invalid`` for names that are no text, or hold what no store keeps."""
        for name in ("source", "actor", "session", "id"):
            value = getattr(self, name)
            if value is None and name != "source":
                continue
            if not isinstance(value, str):
                raise Invalid(f"{name} must be text, not {type(value).__name__}")
            if not (value == well_formed(value) and "\0" not in value):
                raise Invalid(f"{name} {value!r} holds what is no character; give plain text", code=f"bad_{name}")
            if name == "actor" and not value.strip():
                raise Invalid(f"actor {value!r} is blank; say who spoke, or leave it out", code="bad_actor")
        if self.occurred_at == LAST_INSTANT:
            raise Invalid("occurred_at is the last instant there is, and nothing happens there")


def build_episode(
    tenant: str,
    content: str | Message | Sequence[Message],
    about: About,
    zone: tzinfo,
    format_: Format = Format.TEXT,
) -> Episode:
    """An episode ready to be stored. Raises ``Invalid`` for empty or over-long text and malformed messages."""
    parts = read_messages(content, Speaking(about.actor, about.occurred_at, zone))
    if not parts:
        raise Invalid("the message has no text; give at least one word")
    text, turns = _join(parts)
    _check_text(text)
    actors = {p.actor for p in parts}
    actor = about.actor or (next(iter(actors)) if len(actors) == 1 else None)
    occurred_at = min(p.occurred_at for p in parts)
    identity = (text, occurred_at.isoformat(), about.source, about.session, actor)
    return Episode(
        id=_own_id(about) or make_id(tenant, "episode", *identity),
        text=text,
        occurred_at=occurred_at,
        turns=turns,
        format=Format.DOCUMENT if format_ is Format.TEXT and len(text) > LONGEST_WHOLE else format_,
        source=about.source,
        actor=actor,
        session=about.session,
        metadata=_metadata(about.metadata),
    )


def _check_text(text: str) -> None:
    if not text.strip():
        raise Invalid("the episode has no text; give at least one word")
    if len(text) > MAX_TEXT:
        raise Invalid(f"the episode has {len(text):,} characters, more than {MAX_TEXT:,}; split it")


def read_episode(tenant: str, content: Content, details: Details, zone: tzinfo, clock: Clock) -> Episode:
    """The episode that ``Memory.add`` would store; nothing is stored yet. Raises ``Invalid`` as ``add``."""
    said = details.get("occurred_at")
    about = About(
        occurred_at=clock() if said is None else read_instant(said, zone, "occurred_at"),
        source=details.get("source", ""),
        actor=details.get("actor"),
        session=details.get("session"),
        id=details.get("id"),
        metadata=details.get("metadata", {}),
    )
    mapping = details.get("mapping")
    if mapping is not None or _is_shallow_record(content):
        return _of_json(tenant, content, (about, said is None), declared(mapping, zone))
    return build_episode(tenant, content, about, zone)


def is_record(content: object) -> bool:
    """Whether it is a JSON object, or an array of them, and no message: messages have ``content``, or a ``role``
    of a talk; so have those that call their content otherwise, and are refused."""
    if isinstance(content, Mapping):
        misspelt = content.keys() <= KEYS | _SPEECH and not _SPEECH.isdisjoint(content)
        talks = "content" in content or str(content.get("role")) in ROLES or is_talk(content)
        return bool(content) and not talks and not misspelt
    if not isinstance(content, Sequence) or isinstance(content, str):
        return False
    return bool(content) and all(map(is_record, content))


def _is_shallow_record(content: object) -> bool:
    try:
        return is_record(content)
    except RecursionError:
        raise Invalid("the content is nested too deep; write it flatter") from None


def _of_json(tenant: str, content: object, about: tuple[About, bool], how: Declared) -> Episode:
    """``about`` with whether nobody said when it was: then it was when the last of its records was so."""
    given, undated = about
    text, root = write_json(_parsed(content) if isinstance(content, str) else content)
    if root.is_scalar or not any(root.children()):
        raise Invalid("the JSON holds nothing; give an object or an array of objects")
    _check_text(text)
    latest = latest_time(root, how, given.source) if undated else None
    occurred_at = latest or given.occurred_at
    if KEPT in given.metadata:
        raise Invalid(f"metadata: the key {KEPT!r} is kept for the mapping; name yours otherwise")
    kept = how.metadata()
    identity = (text, occurred_at.isoformat(), given.source, given.session, given.actor)
    marks = (json.dumps(kept, sort_keys=True),) if kept else ()
    return Episode(
        id=_own_id(given) or make_id(tenant, "json", *identity, *marks),
        text=text,
        occurred_at=occurred_at,
        turns=(Turn(0, len(text), occurred_at, Role.TOOL, given.actor),),
        format=Format.JSON,
        source=given.source,
        actor=given.actor,
        session=given.session,
        metadata={**_metadata(given.metadata), **kept},
    )


def _parsed(text: str) -> object:
    try:
        return parse_json(text)
    except Invalid as error:
        raise Invalid(f"the content is no JSON, which a mapping reads: {error}") from None


def _own_id(about: About) -> str | None:
    if about.id is not None and not about.id.strip():
        raise Invalid("the episode's id is empty; leave it out to have one made")
    return about.id


def _join(parts: Sequence[Said]) -> tuple[str, tuple[Turn, ...]]:
    """One text with a line of its own for each message, headed by who speaks, and the turns' offsets in it."""
    if len(parts) == 1:
        only = parts[0]
        return only.text, (Turn(0, len(only.text), only.occurred_at, only.role, only.actor),)
    text, turns = "", []
    for part in parts:
        text += ("\n" if text else "") + f"{part.actor or part.role}: "
        turns.append(Turn(len(text), len(text) + len(part.text), part.occurred_at, part.role, part.actor))
        text += part.text
    return text, tuple(turns)


def _metadata(metadata: Mapping[str, Json]) -> dict[str, Json]:
    try:
        copy = json.loads(json.dumps(dict(metadata), allow_nan=False))
    except (TypeError, ValueError) as error:
        raise Invalid(f"metadata must be plain JSON: {error}") from None
    except RecursionError:
        raise Invalid("metadata is nested too deep; write it flatter") from None
    return dict(copy)


def read_instant(value: When, zone: tzinfo, name: str) -> datetime:
    """``value`` as a UTC instant; ``Invalid`` names the argument."""
    try:
        return parse_instant(value, zone=zone).astimezone(UTC)
    except Invalid as error:
        raise Invalid(f"{name}: {error}", code=error.code) from None
