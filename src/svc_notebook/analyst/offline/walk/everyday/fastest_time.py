"""The fastest of what is told as a time is the least: *fastest finish time*, *slowest lap*, *quickest pace*."""

from __future__ import annotations

from ...words.numbers import dimension_of, unit_of
from ...words.rewriting import Found
from .wording import Wording

__all__ = ["fastest_time"]

_ENDS = {"fastest": "lowest", "quickest": "lowest", "swiftest": "lowest", "slowest": "highest"}
_LONGEST, _BETWEEN = 3, 2  # words of a name, and words before it


def fastest_time(w: Wording, at: int) -> Found | None:
    """The end that is meant, where the number behind the word says how long something took."""
    end = _ENDS.get(w.at(at))
    if end is None:
        return None
    for start in range(at + 1, min(at + 2 + _BETWEEN, len(w.tokens))):
        for size in range(min(_LONGEST, len(w.tokens) - start), 0, -1):
            stems = tuple(token.stem for token in w.tokens[start : start + size])
            if found := w.meta.number_names.partly.get(stems, ()):
                return (w.said(at, end), at + 1) if all(_takes(w, path) for path in found) else None
    return None


def _takes(w: Wording, path: str) -> bool:
    unit = unit_of(str((w.meta.members[path].meta or {}).get("unit", "")))
    return unit is not None and dimension_of(unit) == "time" or "pace" in w.meta.parts(path)
