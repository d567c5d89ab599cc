"""Bounds that stand before what they are of: *over 15 min delay*, *more than 20 kg net weight*."""

from __future__ import annotations

from ...words.numbers import CURRENCIES, dimension_of, unit_of
from ...words.rewriting import Found
from .wording import Wording

__all__ = ["bound_before_name", "bound_before_named_number"]

_LEADING = frozenset({"with", "of", "had", "has", "have", "having", "in", "at"})
_YEARS = range(1900, 2101)  # "more than sales 2023" bounds nothing by a number
_BEHIND = frozenset({"", "?", ".", "!", ",", "and", "or", "in", "by", "per", "for", "from", "last", "this", "on"})


def bound_before_name(w: Wording, at: int) -> Found | None:
    """``sailings with over 15 min delay``: with a delay over 15 min, where one number of the rows is called so."""
    size = w.bound(at)
    number = at + size
    if not at or not size or w.at(at - 1) not in _LEADING or not w.is_number(number):
        return None
    name = number + 1 + _is_unit(w.at(number + 1))
    end = w.number_end(name) if name > number + 1 and name < len(w.tokens) else 0
    if not end or w.at(end) not in _BEHIND:
        return None
    return [*w.tokens[name:end], *w.tokens[at:name]], end


def bound_before_named_number(w: Wording, at: int) -> Found | None:
    """``quakes above magnitude 6``: of a magnitude above 6, and not of one that is 6."""
    name = at + w.bound(at)
    end = w.number_end(name) if at < name < len(w.tokens) else 0
    if not end or not w.is_number(end) or w.tokens[end].value in _YEARS:
        return None
    return [*w.tokens[name:end], *w.tokens[at:name], w.tokens[end]], end + 1


def _is_unit(word: str) -> bool:
    unit = unit_of(word) if word else None
    return word in CURRENCIES or unit is not None and dimension_of(unit) != ""
