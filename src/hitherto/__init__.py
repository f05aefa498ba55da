"""Hitherto: a temporal knowledge-graph memory. What was true then, and what did we believe then?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .temporal.errors import (
    Busy,
    Conflict,
    Fault,
    Forbidden,
    HithertoError,
    Invalid,
    NotFound,
    Unavailable,
)

if TYPE_CHECKING:
    from .admin import Admin
    from .backload import AddReport
    from .duplicates import Duplicate
    from .extraction.structured_fields import FieldMapping
    from .kg.forgetting import (
        Candidate,
        Choice,
        Hybrid,
        LeastRecentlyUsed,
        Policy,
        PriorityDecay,
        RandomDrop,
        ReflectionSummary,
        TimeToLive,
    )
    from .kg.model import Belief, Claim, Entity, Episode, Fact, Value, WriteReport, WriteStatus
    from .kg.ontology import Ontology, Predicate, Triggers
    from .loading import LoadReport
    from .maintenance import Maintenance
    from .memory import Memory
    from .query.choosing import Reranker
    from .query.context import Context
    from .query.filters import Where
    from .query.keeping import ArchivedFact
    from .query.results import Change, Diff, SearchResult
    from .query.summaries import SessionSummary
    from .query.tasks import Pin, Task
    from .query.view import View

__version__ = "0.1.0"

__all__ = [
    "AddReport",
    "Admin",
    "ArchivedFact",
    "Belief",
    "Busy",
    "Candidate",
    "Change",
    "Choice",
    "Claim",
    "Conflict",
    "Context",
    "Diff",
    "Duplicate",
    "Entity",
    "Episode",
    "Fact",
    "Fault",
    "FieldMapping",
    "Forbidden",
    "HithertoError",
    "Hybrid",
    "Invalid",
    "LeastRecentlyUsed",
    "LoadReport",
    "Maintenance",
    "Memory",
    "NotFound",
    "Ontology",
    "Pin",
    "Policy",
    "Predicate",
    "PriorityDecay",
    "RandomDrop",
    "ReflectionSummary",
    "Reranker",
    "SearchResult",
    "SessionSummary",
    "Task",
    "TimeToLive",
    "Triggers",
    "Unavailable",
    "Value",
    "View",
    "Where",
    "WriteReport",
    "WriteStatus",
    "__version__",
]

_HOMES = (
    {
        "AddReport": "backload",
        "Admin": "admin",
        "Duplicate": "duplicates",
        "FieldMapping": "extraction.structured_fields",
        "LoadReport": "loading",
        "Memory": "memory",
        "Ontology": "kg.ontology",
        "Predicate": "kg.ontology",
        "Triggers": "kg.ontology",
        "Change": "query.results",
        "Context": "query.context",
        "Diff": "query.results",
        "Reranker": "query.choosing",
        "SearchResult": "query.results",
        "SessionSummary": "query.summaries",
        "Pin": "query.tasks",
        "Task": "query.tasks",
        "View": "query.view",
        "Where": "query.filters",
        "ArchivedFact": "query.keeping",
        "Maintenance": "maintenance",
    }
    | dict.fromkeys(
        ("Belief", "Claim", "Entity", "Episode", "Fact", "Value", "WriteReport", "WriteStatus"), "kg.model"
    )
    | dict.fromkeys(
        (
            "Candidate",
            "Choice",
            "Hybrid",
            "LeastRecentlyUsed",
            "Policy",
            "PriorityDecay",
            "RandomDrop",
            "ReflectionSummary",
            "TimeToLive",
        ),
        "kg.forgetting",
    )
)


def __getattr__(name: str) -> object:
    """Load a public name on first use, so that importing the package stays quick."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
