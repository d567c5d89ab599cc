"""Claims of how large a part is: *fewer than half of the pupils are beginners*; the part says whether it is so."""

from __future__ import annotations

from ...words.rewriting import Found
from .wording import Wording

__all__ = ["share_claimed"]

_BEING = frozenset({"is", "are", "was", "were"})
_PARTS = (("half",), ("a", "third"), ("a", "quarter"), ("two", "thirds"), ("three", "quarters"), ("a", "fifth"))
_PERCENT = (("%",), ("percent",), ("per", "cent"))


def share_claimed(w: Wording, at: int) -> Found | None:
    """``are more than a third of the lessons online``: what percentage of them are."""
    start = 1 if not at and w.at(0) in _BEING else 0
    if at or w.at(start) not in ("more", "fewer", "less", "over", "under"):
        return None
    place = _part_end(w, start + 1 + (w.at(start + 1) == "than"))
    if not place or w.at(place) != "of":
        return None
    noun = place + 1 + (w.at(place + 1) in ("the", "our", "all"))
    end = w.kind_end(noun) if noun < len(w.tokens) else 0
    if not end or not w.rows_at(end - 1):
        return None  # a part of a sum is read elsewhere, or not at all
    verb = w.said(0, w.at(0)) if start else []
    return [*w.said(0, "what", "percentage", "of"), *w.tokens[place + 1 : end], *verb, *w.tokens[end:]], len(w.tokens)


def _part_end(w: Wording, at: int) -> int:
    """The place behind a part: ``half``, ``40 percent``; 0 where none stands there."""
    found = [at + len(part) for part in _PARTS if tuple(w.words[at : at + len(part)]) == part]
    if w.is_number(at):
        found += [at + 1 + len(p) for p in _PERCENT if tuple(w.words[at + 1 : at + 1 + len(p)]) == p]
    return max(found, default=0)
