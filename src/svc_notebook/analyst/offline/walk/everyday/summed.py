"""Numbers of many rows that no single one reaches: *customers who bought more than 700 kegs* have so many together."""

from __future__ import annotations

from ...lexicon.bounds import MORE, bound_at
from ...words.families import is_same_deed
from ...words.numbers import exact_unit
from ...words.rewriting import Found
from ...words.text import singular, stem
from .wording import Wording

__all__ = ["summed_beyond"]

_BEFORE = frozenset({"with", "that", "who", "which", "having"})
_BEING = frozenset({"is", "are", "was", "were", "been"})
_ENDS = frozenset({"", "?", ".", "!", ",", "in", "this", "last", "during", "since"})
_MOST = 3  # words between the rows and the bound


def summed_beyond(w: Wording, at: int) -> Found | None:
    """``accounts that ordered more than 700 kegs``: with total kegs above that, where no delivery has as many."""
    if w.kind_start(at) is None or at >= len(w.tokens):
        return None
    for place in range(at + 1, min(at + 1 + _MOST, len(w.words))):
        size, sign = bound_at(w.words, place)
        if sign not in MORE:
            continue
        number = place + size
        if number + 1 >= len(w.tokens) or w.tokens[number].kind != "number":
            return None
        path = _beyond(w, number)
        if path is None or w.at(at) not in _BEFORE and not _are_so(w, at, path):
            return None
        said = [*w.said(at, "with", "total"), *w.said(number + 1, *w.meta.parts(path))]
        return [*said, *w.tokens[place : number + 1]], _behind(w, number + 2, path)
    return None


def _are_so(w: Wording, at: int, path: str) -> bool:
    """``were absent``, of absences."""
    return _is_doing(w, at + (w.at(at) in _BEING), path)


def _behind(w: Wording, at: int, path: str) -> int:
    """The place behind what says only what the rows are: ``absent``, ``of absence``."""
    of = at + (w.at(at) == "of")
    return of + 1 if _is_doing(w, of, path) and w.at(of + 1) in _ENDS else at


def _is_doing(w: Wording, at: int, path: str) -> bool:
    rows = singular(w.meta.words_of(path.split(".", 1)[0])[-1])
    return bool(w.at(at)) and (is_same_deed(w.at(at), rows) or _adjective(rows) == w.at(at))


def _adjective(noun: str) -> str:
    """``absent`` of an absence."""
    return f"{noun.removesuffix('ce')}t" if noun.endswith(("ence", "ance")) else ""


def _beyond(w: Wording, number: int) -> str | None:
    """The one number that the noun behind names, whose greatest value is less; rows that are named are of no such."""
    named = w.meta.number_names.called.get((w.tokens[number + 1].stem,), ())
    cubes = set(w.cubes)
    found = [path for path in named if path.split(".", 1)[0] in cubes and w.meta.members[path].kind == "dimension"]
    value = w.tokens[number].value
    kept = w.kept_in(w.at(number + 1)) if not found else None
    found = [kept] if kept is not None else found
    plural = singular(w.at(number + 1)) != w.at(number + 1) or exact_unit(w.at(number + 1)) is not None
    if len(found) != 1 or value is None or not plural:
        return None
    high = w.meta.profile(found[0]).high
    said = kept is not None or stem(w.meta.parts(found[0])[-1]) == w.tokens[number + 1].stem
    return found[0] if said and isinstance(high, int | float) and float(high) < value else None
