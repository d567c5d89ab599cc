"""Rows with some of what a number counts: *bookings with children*."""

from __future__ import annotations

from ...schema.number_names import counts
from ...words.rewriting import Found
from ...words.text import singular
from .wording import Wording

__all__ = ["with_some"]

_ENDS = frozenset({"", "?", ".", "!", "in", "by", "per", "from", "for", "during", "last", "this", "since"})
_NEAR = 8  # words back


def with_some(w: Wording, at: int) -> Found | None:
    """``bookings with children``: with more than none, where one number of these rows counts them."""
    if not at or w.at(at) != "with" or w.at(at + 2) not in _ENDS or singular(w.at(at + 1)) == w.at(at + 1):
        return None
    # The nearest noun for rows: "bookings for a double room with children".
    near = next((place for place in range(at - 1, max(at - _NEAR, -1), -1) if w.rows_at(place)), -1)
    homes = set(w.rows_at(near))
    if not homes or w.rows_at(at + 1):
        return None
    counted = [
        path
        for path in w.numbers
        if path.split(".", 1)[0] in homes & set(w.cubes) and counts(w.meta, path, w.tokens[at + 1].stem)
    ]
    if len(counted) != 1:
        return None
    return w.said(at, "with", *w.meta.parts(counted[0]), "more", "than", "0"), at + 2
