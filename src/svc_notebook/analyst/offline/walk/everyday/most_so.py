"""Rows that are most so, units of time with most, and what a unit is called: *the 10 most delayed flights*."""

from __future__ import annotations

from ...calendar.units import UNITS
from ...words.rewriting import Found
from ...words.text import is_participle, singular, stem
from .wording import Wording

__all__ = ["rows_most_so", "unit_by_name", "units_with_most"]

_EXTREMES = frozenset({"highest", "largest", "biggest", "longest", "worst", "greatest"})
_MOST = frozenset({"most", "fewest", "least", "highest", "lowest", "worst", "best"})
_NAMED = {"month": ("month", "of", "the", "year"), "day": ("weekday",), "weekday": ("weekday",)}
_LEADS = frozenset("what which who are is were was show list give tell me us find see the".split())
_DIVIDED = frozenset({"by", "per", "each", "every"})
_SHOWN = 10  # of those that are most so


def rows_most_so(w: Wording, at: int) -> Found | None:
    """``the 10 most delayed flights``, ``flights with the worst delay``: the rows by their number, one row each."""
    if not _LEADS.issuperset(w.words[:at]):
        return None  # "the grower of the wine with the largest price" is no list of wines
    start = at + (w.at(at) in ("the", "top")) if w.at(at - 1) not in ("the", "top") else at
    many = w.tokens[start] if w.is_number(start) else None
    noun = start + (many is not None)
    if w.at(noun) == "most" and is_participle(w.at(noun + 1)):
        noun, said, done = noun + 2, noun + 1, True
    else:
        said, done = _ranking(w, noun + 1), False
        if not said or many is None and w.at(noun + 1) != "with":
            return None
    name, size = _number(w, said, noun)
    end = noun + 1 if done else said + size
    if not size or _DIVIDED & set(w.words[end:]):
        return None
    count = many.text if many is not None else str(_SHOWN if singular(w.at(noun)) != w.at(noun) else 1)
    return [*w.said(at, "top", count), w.tokens[noun], *w.said(at, "by", *name)], end


def _ranking(w: Wording, place: int) -> int:
    """Where the number is named by which rows are ranked: ``by delay``, ``with the worst delay``; or 0."""
    if w.at(place) == "by":
        return place + 1
    extreme = place + 1 + (w.at(place + 1) == "the")
    return extreme + 1 if w.at(place) == "with" and w.at(extreme) in _EXTREMES else 0


def _number(w: Wording, said: int, noun: int) -> tuple[list[str], int]:
    """A number of the rows that the noun is for and how many words say it: its name, or of several the last word."""
    homes, word = set(w.rows_at(noun)), stem(w.at(said))
    names = [list(w.meta.parts(path)) for path in w.numbers if path.split(".", 1)[0] in homes]
    for name in names:
        if w.words[said : said + len(name)] == name:
            return name, len(name)
    such = [name for name in names if stem(name[-1]) == word]
    return (such[0], 1) if such else ([], 0)


def units_with_most(w: Wording, at: int) -> Found | None:
    """``days with the most cancellations``: which of them had."""
    behind = at + 2 + (w.at(at + 2) == "the")
    unit = singular(w.at(at))
    if at or unit not in UNITS or unit == w.at(at) or w.at(at + 1) != "with" or w.at(behind) not in _MOST:
        return None
    return [*w.said(at, "which"), w.tokens[at], *w.said(at, "had", "the")], behind


def unit_by_name(w: Wording, at: int) -> Found | None:
    """``per month name``, ``by name of the day``: the month of the year, the day of the week."""
    if w.at(at) in _NAMED and w.at(at + 1) in ("name", "names"):
        return w.said(at, *_NAMED[w.at(at)]), at + 2
    unit = at + 2 + (w.at(at + 2) == "the")
    if w.at(at) == "name" and w.at(at + 1) == "of" and w.at(unit) in _NAMED:
        return w.said(at, *_NAMED[w.at(unit)]), unit + 1
    return None
