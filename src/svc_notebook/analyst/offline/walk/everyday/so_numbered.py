"""Rows by a number that says which kind they are: *year 9 pupils* of a ``school_year``, *zone 3 stops*, *grade 5*."""

from __future__ import annotations

from ...schema.profiles import as_number
from ...words.rewriting import Found
from ...words.text import singular
from .wording import Wording

__all__ = ["so_numbered"]

_RANKED = frozenset("top bottom first last next past previous than least most over under per each every by".split())
_BEHIND = frozenset("than or to and - % percent .".split())
_LONGEST = 100  # of a number that says which kind something is


def so_numbered(w: Wording, at: int) -> Found | None:
    """``year 9 pupils``: the pupils with that school year, where one column of numbers ends so and holds the number."""
    path, place = _column(w, at)
    if path is None or w.at(at - 1) in _RANKED:
        return None
    rows = w.rows_at(place + 1)
    if rows:
        return [w.tokens[place + 1], *w.said(at, "with", *w.meta.parts(path)), w.tokens[place]], place + 2
    named = w.words[at:place] == list(w.meta.parts(path))
    if named or w.at(place + 1) in _BEHIND or w.at(at - 1) not in ("in", "of", "for", "from", "with"):
        return None
    return [*w.said(at, *w.meta.parts(path)), w.tokens[place]], place + 1


def _column(w: Wording, at: int) -> tuple[str | None, int]:
    """The column that is named at a place, whole or by its last word, right before a number that it holds."""
    for size in range(3, 0, -1):
        place = at + size
        number = w.tokens[place].value if place < len(w.tokens) and w.tokens[place].kind == "number" else None
        if number is None or number != int(number) or not 0 <= number < _LONGEST:
            continue
        words = tuple(w.words[at:place])
        found = [path for path in _kinds(w) if _is_called(w.meta.parts(path), words) and _holds(w, path, number)]
        if len(found) == 1:
            return found[0], place
    return None, at


def _is_called(parts: tuple[str, ...], words: tuple[str, ...]) -> bool:
    return parts == words or len(words) == 1 and singular(parts[-1]) == words[0]


def _kinds(w: Wording) -> list[str]:
    """The columns of whole numbers that are no keys."""
    numbers = [p for p, m in w.meta.members.items() if m.kind == "dimension" and m.type == "number"]
    return [p for p in numbers if p.split(".", 1)[0] in w.cubes and not w.meta.is_key(p)]


def _holds(w: Wording, path: str, number: float) -> bool:
    profile = w.meta.profile(path)
    low, high = as_number(profile.low), as_number(profile.high)
    return low is not None and high is not None and low <= number <= high < _LONGEST
