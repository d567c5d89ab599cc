"""Bounds that stand before what they are of, or around it: *over 15 min delay*, *more than 20 kg net weight*, *eight
lessons or more*.
"""

from __future__ import annotations

from ...words.numbers import CURRENCIES, dimension_of, unit_of
from ...words.rewriting import Found
from ...words.text import singular
from .wording import Wording

__all__ = ["bound_around_noun", "bound_before_name", "bound_before_named_number", "bound_of_things"]

_LEADING = frozenset({"with", "of", "had", "has", "have", "having", "in", "at"})
_YEARS = range(1900, 2101)  # "more than sales 2023" bounds nothing by a number
_BEHIND = frozenset({"", "?", ".", "!", ",", "and", "or", "in", "by", "per", "for", "from", "last", "this", "on"})


_MORE = frozenset("more higher over above longer older greater later up".split())
_LESS = frozenset("less fewer lower under below shorter younger earlier".split())
_NOUN = 3  # words of what is bounded


def bound_around_noun(w: Wording, at: int) -> Found | None:
    """``eight lessons or more``: at least eight lessons."""
    if not w.is_number(at) or w.bound(at - 2) or w.bound(at - 3) or w.at(at - 1) in ("than", "over", "under", "the"):
        return None
    places = range(at + 2, at + 2 + _NOUN)
    end = next((p for p in places if w.at(p) in ("or", "and") and w.at(p + 1) in _MORE | _LESS), None)
    noun = w.words[at + 1 : end] if end is not None else []
    if end is None or w.is_number(end + 2) or not all(word.isalpha() and word not in ("or", "and") for word in noun):
        return None
    least = "least" if w.at(end + 1) in _MORE else "most"
    return [*w.said(at, "at", least), *w.tokens[at:end]], end + 2


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


def bound_of_things(w: Wording, at: int) -> Found | None:
    """``flights with planes of fewer than 60 seats``: of so many *plane seats*, where rows have such a number."""
    bound = at + 1 + (w.at(at + 1) in _LEADING)
    number = bound + w.bound(bound)
    if bound != at + 2 or number == bound or not w.is_number(number) or singular(w.at(at)) == w.at(at):
        return None
    end = w.number_end(number + 1) if number + 1 < len(w.tokens) else 0
    name = (singular(w.at(at)), *(w.words[number + 1 : end] if end else [w.at(number + 1)]))
    if name not in {w.meta.parts(path) for path in w.numbers}:
        return None
    return [*w.said(at, *name), *w.tokens[bound : number + 1]], number + len(name)


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
