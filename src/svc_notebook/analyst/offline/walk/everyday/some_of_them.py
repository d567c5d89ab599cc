"""Rows with some of what a number counts: *bookings with children*."""

from __future__ import annotations

from ...schema.profiles import as_number
from ...words.rewriting import Found
from ...words.text import singular
from ...words.thesaurus import stand_ins
from .wording import Wording

__all__ = ["with_some"]

_ENDS = frozenset({"", "?", ".", "!", "in", "by", "per", "from", "for", "during", "last", "this", "since"})


def with_some(w: Wording, at: int) -> Found | None:
    """``bookings with children``: with more than none, where one number of these rows counts them."""
    if not at or w.at(at) != "with" or w.at(at + 2) not in _ENDS or singular(w.at(at + 1)) == w.at(at + 1):
        return None
    homes = set(w.rows_at(at - 1))
    if not homes or w.rows_at(at + 1):
        return None
    counted = [path for path in w.numbers if path.split(".", 1)[0] in homes & set(w.cubes) and _counts(w, path, at + 1)]
    if len(counted) != 1:
        return None
    return w.said(at, "with", *w.meta.parts(counted[0]), "more", "than", "0"), at + 2


def _counts(w: Wording, path: str, at: int) -> bool:
    """Whether a number says how many there are of what a noun is for."""
    parts, low = w.meta.parts(path), as_number(w.meta.profile(path).low)
    told = len(parts) == 1 and parts[0] not in ("", singular(parts[0])) and low == 0
    stems = w.meta.number_names.whole[path]
    return told and (stems[0] == w.tokens[at].stem or stems[0] in stand_ins(w.tokens[at].stem))
