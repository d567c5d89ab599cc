"""Rows by how long ago they were: *orders older than 30 days*, *delivered more than 6 weeks ago*."""

from __future__ import annotations

from datetime import datetime

from ...calendar.units import shift
from ...schema.lasting import BIRTH, DUE
from ...words.families import root
from ...words.numbers import number_word
from ...words.rewriting import Found
from ...words.text import singular
from .wording import Wording

__all__ = ["so_long_ago"]

_UNITS = frozenset({"day", "week", "month", "year"})
_MORE = (("older", "than"), ("more", "than"), ("longer", "than"), ("over",))
_BEHIND = frozenset({"old", "ago"})
_LEFT_OUT = frozenset({"that", "which", "who", "were", "was", "are", "is"})
_MOST = 1000


def so_long_ago(w: Wording, at: int) -> Found | None:
    """``orders older than 30 days``: dated before that day, by what was done or by the rows' own time."""
    start = at
    while w.at(at) in _LEFT_OUT:
        at += 1
    size = next((len(said) for said in _MORE if tuple(w.words[at : at + len(said)]) == said), 0)
    day = _day(w, at + size) if size else None
    if day is None:
        return None
    end = at + size + 2
    older, ago = w.at(at) == "older", w.at(end) in _BEHIND
    if not (ago or older and singular(w.at(end - 1)) != "year"):
        return None
    dated = _dated(w, start)
    if dated is None:
        return None
    before = w.said(at, "before", str(day.day), day.strftime("%B").lower(), str(day.year))
    return [*(w.said(at, "with", *dated) if dated else ()), *before], end + ago


def _day(w: Wording, at: int) -> datetime | None:
    """The day that is so many days, weeks or months ago."""
    unit = singular(w.at(at + 1))
    if unit not in _UNITS or at + 1 >= len(w.tokens):
        return None
    token = w.tokens[at]
    number = token.value if token.kind == "number" else 1 if token.lower in ("a", "one") else number_word(token.lower)
    return shift(w.now, unit, -int(number)) if number and number == int(number) and number <= _MOST else None


def _dated(w: Wording, at: int) -> list[str] | None:
    """The words for the time that is meant; none where it stands before already, None where it is not known."""
    rows = next((found for place in range(at) if (found := [r for r in w.rows_at(place) if r in w.cubes])), [])
    times = [path for name in rows[:1] for path in w.meta.times([name]) if not DUE & set(w.meta.parts(path))]
    times = [path for path in times if not BIRTH & set(w.meta.parts(path))]
    for path in times:
        parts = w.meta.parts(path)
        if w.words[at - len(parts) : at] == list(parts):
            return []
        if w.at(at - 1) and root(parts[0]) == root(w.at(at - 1)) and len(rows) == 1:
            return list(parts)
    return list(w.meta.parts(times[0])) if len(rows) == 1 and times else None
