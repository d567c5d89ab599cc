"""What people are called: *full name*, *first and last name*, *forename and surname* of columns that hold halves."""

from __future__ import annotations

from ...words.rewriting import Found
from ...words.text import singular
from .wording import Wording

__all__ = ["full_name", "half_of_a_name", "two_halves"]

_FIRST = frozenset({"first", "fore", "given", "forename"})
_LAST = frozenset({"last", "sur", "family", "surname"})
_HALVES = {"first": _FIRST, "last": _LAST, "given": _FIRST, "family": _LAST}
_WHOLE = {"forename": _FIRST, "surname": _LAST}
_FULL = frozenset({"full", "whole", "complete"})
_NAME = "name"


def _half(w: Wording, said: frozenset[str]) -> tuple[str, ...]:
    """The words of a column that holds this half of a name: as most relations that have both halves call it."""
    known = [tuple(w.meta.parts(path)) for path, m in w.meta.members.items() if m.kind == "dimension"]
    fitting = [parts for parts in known if parts and parts[-1] in (_NAME, "forename", "surname") and said & set(parts)]
    return min(fitting, key=len, default=())[-2:]


def full_name(w: Wording, at: int) -> Found | None:
    """``full name``: both halves, where no column holds the whole."""
    if w.at(at) not in _FULL or singular(w.at(at + 1)) != _NAME:
        return None
    if any({"full", "fullname"} & set(w.meta.parts(path)) for path in w.meta.members):
        return None
    first, last = _half(w, _FIRST), _half(w, _LAST)
    told = w.words[at + 2 : at + 3] == ["("]  # "full name (first and last name)"
    end = w.words.index(")", at) + 1 if told and ")" in w.words[at:] else at + 2
    return (w.said(at, *first, "and", *last), end) if first and last else None


def two_halves(w: Wording, at: int) -> Found | None:
    """``first and last name``: the first is no superlative of what is named."""
    one, two = _HALVES.get(w.at(at)), _HALVES.get(w.at(at + 2))
    if one is None or two is None or one is two or w.at(at + 1) not in ("and", "or", ",", "&"):
        return None
    names = [_half(w, one), _half(w, two)]
    if singular(w.at(at + 3)) != _NAME or not all(names):
        return None
    return w.said(at, *names[0], "and", *names[1]), at + 4


def half_of_a_name(w: Wording, at: int) -> Found | None:
    """``forename`` where the column is called first name."""
    said = _WHOLE.get(singular(w.at(at)))
    if said is None or w.tokens[at].stem in w.meta.vocabulary:
        return None
    named = _half(w, said)
    return (w.said(at, *named), at + 1) if named else None
