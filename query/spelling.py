"""Names of options, fields and conditions as callers spell them: which there are, and which was meant."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Mapping

from ..temporal.errors import Invalid


def check_names(where: str, what: str, given: Mapping[str, object], known: Collection[str]) -> None:
    """Raises ``Invalid`` for the first name that is not among the known ones: it names those, and the one that
    looks most like it."""
    for name in given:
        if name not in known:
            near = difflib.get_close_matches(str(name), sorted(known), n=1)
            hint = f"did you mean {near[0]!r}? " if near else ""
            raise Invalid(f"{where}: unknown {what} {name!r}; {hint}use {', '.join(sorted(known))}")
