"""Text from outside as the stores can keep it."""

from __future__ import annotations

import re
from typing import Final

_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def well_formed(text: str) -> str:
    """The text with halves of characters put together where both are there, else replaced by U+FFFD, as decoders
    of broken UTF-8 do. Lone surrogates come of emoji that were cut in two; no file and no server takes them."""
    if _SURROGATE.search(text) is None:
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
