"""What alone is meant: *active leases only*, *only red ones*, said behind what is asked."""

from __future__ import annotations

from ...words.rewriting import Found
from ...words.text import singular
from .wording import Wording, named_rows

__all__ = ["of_these_alone", "such_alone"]

_LONGEST = 5  # words that say what alone is meant
_OPENING = frozenset({",", ";", ":", "-", "("})
_WHO = frozenset({"who", "that", "which"})
_CLOSING = frozenset({"", "?", ".", "!", ")"})


def of_these_alone(w: Wording, at: int) -> Found | None:
    """``…, sedated animals only``: where they are sedated, and no group of those that are."""
    if w.at(at) not in _OPENING or not at:
        return None
    first = at + 1 + (w.at(at + 1) == "only")
    end = next((p for p in range(first, min(first + _LONGEST, len(w.words)) + 1) if w.at(p) in (*_CLOSING, "only")), 0)
    last = end + (w.at(end) == "only")
    said_so = (first > at + 1) != (last > end)
    if not end > first or not said_so or w.at(last) not in _CLOSING:
        return None
    rows = {singular(word) for name in w.meta.catalog.relations for word in named_rows(w.meta, name)}
    kept = end - (singular(w.at(end - 1)) in rows and end - 1 > first)
    behind = last + (w.at(last) == ")" and w.at(at) == "(")
    return [*w.said(at, "where"), *w.tokens[first:kept]], behind


def such_alone(w: Wording, at: int) -> Found | None:
    """``riders who ride hacks only``: who only ride these."""
    end = w.end - 1
    if w.at(at) not in _WHO or w.at(end) != "only" or at + 2 >= end or not any(map(w.rows_at, range(at))):
        return None
    value = next((p for p in range(at + 2, end) if any(m.end == end for m in w.meta.values.find(w.tokens, p))), None)
    if value is None or value > at + _LONGEST:
        return None
    return [w.tokens[at], w.tokens[end], *w.tokens[at + 1 : end]], end + 1
