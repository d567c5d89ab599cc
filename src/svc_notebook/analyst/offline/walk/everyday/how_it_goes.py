"""How something goes, and up to when it is known: *is the waste getting better, by month*, *how fresh is this*."""

from __future__ import annotations

from ...calendar.units import UNITS
from ...words.rewriting import Found
from .wording import Wording

__all__ = ["getting_better", "how_fresh"]

_TURNING = frozenset({"getting", "becoming", "going"})
_WAYS = frozenset("better worse up down higher lower longer shorter more fewer less".split())
_JOINTS = frozenset({"?", ",", ":", "-", "."})
_LASTING = frozenset({"last", "latest", "newest"})
_LONGEST = 6  # words of what is getting better


def getting_better(w: Wording, at: int) -> Found | None:
    """``is contamination getting better? month by month``: by month, which shows it."""
    if at or w.at(0) not in ("is", "are"):
        return None
    turn = next((place for place in range(2, _LONGEST) if w.at(place) in _TURNING and w.at(place + 1) in _WAYS), None)
    if turn is None or not UNITS.keys() & set(w.words[turn + 2 :]):
        return None
    rest = turn + 2 + (w.at(turn + 2) in _JOINTS)
    return [*w.tokens[1:turn], *w.tokens[rest : rest + 1]], rest + 1


def how_fresh(w: Wording, at: int) -> Found | None:
    """``how fresh is this, what's the last order``: the latest time that these rows have."""
    if at or w.words[:2] not in (["how", "fresh"], ["how", "recent"]) or w.at(2) not in ("is", "are"):
        return None
    last = next((place for place in range(3, len(w.words)) if w.at(place) in _LASTING), None)
    rows = [name for name in w.rows_at(last + 1) if name in w.cubes] if last is not None else []
    times = w.meta.times(rows[:1])[:1] if rows else []
    return (w.said(0, "maximum", *w.meta.parts(times[0])), len(w.words)) if times else None
