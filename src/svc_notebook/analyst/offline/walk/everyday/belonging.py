"""Rows that belong to none, said with a verb: *expenses that belong to no shop*, *parcels from no sender*."""

from __future__ import annotations

from ...words.rewriting import Found
from .wording import Wording

__all__ = ["belonging_to_none", "has_not_got"]

_PRONOUNS = frozenset({"that", "which", "who"})
_TO = frozenset({"to", "from", "at", "in", "by", "with", "for", "of"})
_BEING = frozenset({"is", "are", "was", "were", "have", "has", "been", "do", "does", "did"})
_LONGEST = 3  # words from the pronoun to the denial


def has_not_got(w: Wording, at: int) -> Found | None:
    """``who hasn't got a shop``: who has none."""
    got = at + 1 + (w.at(at + 1) == "yet")
    if w.at(at) not in _LACKING or w.at(got) != "got" or w.at(got + 1) not in ("a", "an", "any"):
        return None
    return (w.said(at, "has", "no"), got + 2) if w.rows_at(got + 2) else None


_LACKING = frozenset({"hasn't", "haven't", "hasnt", "havent", "hadn't"})


def belonging_to_none(w: Wording, at: int) -> Found | None:
    """``expenses that belong to no shop``: without one, where rows may lack it."""
    start = w.kind_start(at)
    if start is None or w.at(at) not in _PRONOUNS | _TO | _BEING and w.tokens[at].stem in w.meta.vocabulary:
        return None
    no = next((p for p in range(at + 1, at + 1 + _LONGEST) if w.at(p) == "no" and w.at(p - 1) in _TO), 0)
    told = [w.tokens[p].stem for p in range(at, no - 1) if w.at(p) not in _PRONOUNS | _BEING]
    if not no or len(told) > 1 or set(told) & w.meta.vocabulary:
        return None
    rows, held = w.rows_at(start), w.rows_at(no + 1)
    refers = any(w.meta.joins.refers(one, other) for one in rows for other in held if one != other)
    return (w.said(at, "without", "a", w.at(no + 1)), no + 2) if refers else None
