"""Shares and ratios otherwise: *how many in a hundred parcels …*, *out of 100 visits …*, *cats to dogs ratio*."""

from __future__ import annotations

from ...words.rewriting import Found
from .wording import Wording

__all__ = ["in_a_hundred", "ratio_behind"]

_HUNDRED = frozenset({"hundred", "100"})
_EACH = frozenset({"a", "one", "every", "each"})
_ALL_ROWS = frozenset({"of", "among", "for", "in"})
_LEADING = (("what", "is", "the"), ("what's", "the"), ("show", "the"), ("the",), ())
_SURE = 0.85  # how well a value fits that is meant


def in_a_hundred(w: Wording, at: int) -> Found | None:
    """``how many in a hundred parcels arrive late``: what percentage of parcels arrive late."""
    if at:
        return None
    asking = ("how", "many")
    if tuple(w.words[:2]) == asking:
        rows = w.kind_end(2) if w.rows_at(2) else 0
        behind = _hundred_end(w, rows or 2)
        if rows and behind:
            return [*w.said(0, "what", "percentage", "of"), *w.tokens[2:rows]], behind
        return (w.said(0, "what", "percentage", "of"), behind) if behind and w.rows_at(behind) else None
    start = _hundred_end(w, 0)
    if not start or not w.rows_at(start):
        return None
    end = start + 1
    asked = end + (w.at(end) == ",")
    if tuple(w.words[asked : asked + 2]) != asking:
        return None
    return [*w.said(0, "what", "percentage", "of"), w.tokens[start]], asked + 2


def _hundred_end(w: Wording, at: int) -> int:
    """The place behind ``in a hundred``, ``out of every 100``; or 0."""
    place = at + (w.at(at) == "out")
    if w.at(place) not in ("of", "in"):
        return 0
    number = place + 1 + (w.at(place + 1) in _EACH)
    return number + 1 if w.at(number) in _HUNDRED and (number > place + 1 or place > at) else 0


def ratio_behind(w: Wording, at: int) -> Found | None:
    """``cats to dogs ratio of guests``: the ratio of cats to dogs of the guests."""
    lead = next(len(words) for words in _LEADING if tuple(w.words[: len(words)]) == words)
    if at or w.words[lead + 1 : lead + 2] != ["to"] or w.at(lead + 3) != "ratio":
        return None
    if not (_is_told(w, lead) and _is_told(w, lead + 2)):
        return None
    end = lead + 4
    rows = end + 1 if w.at(end) in _ALL_ROWS and w.rows_at(end + 1) else 0
    said = [*w.said(0, "ratio", "of"), w.tokens[lead], w.tokens[lead + 1], w.tokens[lead + 2]]
    return ([*said, w.tokens[rows]], rows + 1) if rows else (said, end)


def _is_told(w: Wording, at: int) -> bool:
    """Whether a word is a value, or names rows."""
    return bool(w.rows_at(at)) or any(m.quality >= _SURE and m.end == at + 1 for m in w.meta.values.find(w.tokens, at))
