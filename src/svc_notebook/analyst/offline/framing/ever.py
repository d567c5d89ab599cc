"""That something is the most of all there ever was, which is so of all rows: *the longest hire we've ever had*."""

from __future__ import annotations

from collections.abc import Sequence

from .said import Word, lowered
from .table import Frames

__all__ = ["without_ever"]

_MOST = frozenset("most least fewest first last best worst highest lowest biggest".split())
_LIGHT = frozenset("had have got gotten seen made done taken".split())


def without_ever(words: Sequence[Word], frames: Frames) -> list[Word]:
    """The words without such a clause behind a superlative, where its verb says nothing."""
    lower = lowered(words)
    for place in range(2, len(words)):
        found = frames.ever.at(lower, place)
        if found is None or found[0] >= len(words) or not _is_most(lower[:place]):
            continue
        if lower[found[0]] in _LIGHT:  # what was weighed says by which number
            return [*words[:place], *words[found[0] + 1 :]]
    return list(words)


def _is_most(lower: Sequence[str]) -> bool:
    return any(word in _MOST or len(word) > 5 and word.endswith("est") for word in lower)
