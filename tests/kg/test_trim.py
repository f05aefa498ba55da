"""What searches keep between reads."""

from __future__ import annotations

from collections import OrderedDict

from hitherto.kg.scoring import trim


def test_what_was_read_least_recently_goes_first_and_the_readers_own_stays() -> None:
    sizes = {("a", 1): 3, ("b", 1): 5, ("a", 2): 4, ("c", 1): 1}

    def left(tenant: str, most: int) -> list[tuple[str, int]]:
        kept = OrderedDict(sizes)
        trim(kept, tenant, int, most)
        return list(kept)

    assert left("c", 13) == list(sizes)
    assert left("c", 12) == [("b", 1), ("a", 2), ("c", 1)]
    assert left("a", 8) == [("a", 1), ("a", 2), ("c", 1)]
    assert left("a", 1) == [("a", 1), ("a", 2)], "more than the most, rather than read anew for each search"
