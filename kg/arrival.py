"""What the arrival of an episode means, by what is stored of it. Pure."""

from __future__ import annotations

from ..temporal.errors import Conflict
from .model import Episode, EpisodeStatus, Format, WriteStatus


def arrival(stored: Episode | None, episode: Episode) -> WriteStatus:
    """What its arrival means for an episode of which ``stored`` is kept."""
    if stored is None:
        return WriteStatus.ADDED
    if _content(stored) != _content(episode):
        raise Conflict(f"episode {episode.id!r} is stored with other content; give the new one another id")
    if stored.status is EpisodeStatus.DONE:
        return WriteStatus.DUPLICATE
    return WriteStatus.REINSTATED if stored.status is EpisodeStatus.RETRACTED else WriteStatus.PENDING


def _content(episode: Episode) -> tuple[object, ...]:
    return (
        episode.text,
        episode.occurred_at,
        episode.turns,
        Format.TEXT if episode.format is Format.DOCUMENT else episode.format,
        episode.source,
        episode.actor,
        episode.session,
    )
