"""People by what they are to other rows: *who is the form tutor of 9B* of a ``form_tutor_id``."""

from __future__ import annotations

from ...schema.superiors import superior_of
from ...words.rewriting import Found
from .wording import Wording

__all__ = ["who_it_is"]

_BEING = frozenset({"is", "was", "are", "were"})
_OF = frozenset({"of", "for"})
_LONGEST = 3  # words of what somebody is


def who_it_is(w: Wording, at: int) -> Found | None:
    """``who is the form tutor of 9B``: the name of the one that 9B refers to as its form tutor."""
    if at or w.at(0) != "who" or w.at(1) not in _BEING:
        return None
    start = 2 + (w.at(2) == "the")
    for size in range(_LONGEST, 0, -1):
        labels = w.meta.referred.get(tuple(w.words[start : start + size]), ())
        if len(labels) != 1 or w.at(start + size) not in _OF:
            continue
        relation = labels[0].split(".", 1)[0]
        if any(superior_of(w.meta, name) == relation for name in w.cubes):
            return None  # of one of the same kind
        return [*w.said(0, *w.meta.parts(labels[0])), *w.said(start + size, "of")], start + size + 1
    return None
