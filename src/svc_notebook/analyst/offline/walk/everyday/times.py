"""Times, years and ages: *over 2013*, *the longest delay of the year*, *left early*, *older than 20 years*."""

from __future__ import annotations

from datetime import date

from ..... import patterns as re
from ...calendar.grains import is_superlative
from ...calendar.units import UNITS
from ...schema.lasting import age_in
from ...schema.members import BEGUN
from ...schema.profiles import as_number
from ...words.families import root
from ...words.numbers import number_word
from ...words.rewriting import Found
from ...words.text import singular, stem
from .lateness import COMING, GOING
from .wording import Wording

__all__ = [
    "begun_then",
    "leaving",
    "of_the_year",
    "of_time_named",
    "older",
    "older_in_years",
    "over_a_year",
]

_TIMED = frozenset({"before", "after", "between", "in", "during", "at", "from", "until", "since", "on"})
_ENDS = frozenset({"", "?", ".", "!", ",", "as", "by", "per", "in", "for", "with"})
_BOUNDS = {"older": "below", "younger": "above", "newer": "above"}
_BEHIND = frozenset({"", "?", ".", "!", ",", "in", "by", "per", "from", "that", "who", "with", "and"})
_YEAR = re.compile(r"(?:1[5-9]|20|21)\d\d")
_OLDEST = 120


def over_a_year(w: Wording, at: int) -> Found | None:
    """``over 2013``: during it, where the data are of that year and no number was named that could be above it."""
    if w.at(at) != "over" or not _YEAR.fullmatch(w.at(at + 1)) or w.at(at + 2) not in _ENDS:
        return None
    if at and (w.is_number(at - 1) or any(w.tokens[at - 1].stem == stem(w.meta.parts(path)[-1]) for path in w.numbers)):
        return None
    ends = [(w.meta.profile(path).low, w.meta.profile(path).high) for path in w.times()]
    covered = any(
        isinstance(low, date) and isinstance(high, date) and low.year <= int(w.at(at + 1)) <= high.year
        for low, high in ends
    )
    return (w.said(at, "in"), at + 1) if covered else None


def of_the_year(w: Wording, at: int) -> Found | None:
    """``the longest delay of the year``, ``fewer than 20 in the whole year``, ``more than 7,000 a year``: of all rows,
    where these are of one year.
    """
    size = _whole_year(w, at)
    if not size or w.at(at + size) not in _ENDS or w.at(at - 1) in UNITS:
        return None
    ends = [(w.meta.profile(path).low, w.meta.profile(path).high) for path in w.times()]
    single = bool(ends) and all(
        isinstance(low, date) and isinstance(high, date) and low.year == high.year for low, high in ends
    )
    return ([], at + size) if single else None


def _whole_year(w: Wording, at: int) -> int:
    """How many words say that all of a year is meant; 0 where another thing is."""
    if w.words[at : at + 3] == ["of", "the", "year"]:
        return 3 if any(is_superlative(word) for word in w.words[:at]) else 0
    if w.words[at : at + 2] in (["a", "year"], ["per", "year"]):
        return 2 if any(w.bound(place) for place in range(at)) else 0
    whole = at + 1 + (w.at(at + 1) in ("the", "all", "a"))
    if w.at(at) in _DURING and w.at(whole) in _WHOLE and w.at(whole + 1) == "year":
        return whole + 2 - at
    return 0


_DURING = frozenset({"in", "over", "during", "throughout", "across", "for"})
_WHOLE = frozenset({"whole", "entire", "full", "complete"})


def of_time_named(w: Wording, at: int) -> Found | None:
    """``projects per launch year``: by the year of what is called launched, and not by its usual unit."""
    if w.at(at - 1) not in _GROUPING:
        return None
    for size in (2, 1):
        unit, said = w.at(at + size), tuple(token.stem for token in w.tokens[at : at + size])
        if unit not in _GRAINS or tuple(w.words[at : at + size + 1]) in w.names:
            continue
        times = (path for cube in w.cubes for path in w.meta.times([cube]))
        named = {path for path in times if tuple(map(stem, w.meta.parts(path)))[:size] == said}
        if len(named) == 1:
            return w.said(at, unit, "of", *w.meta.parts(named.pop())), at + size + 1
    return None


_GROUPING = frozenset({"by", "per", "each", "every"})
_GRAINS = frozenset({"year", "quarter", "month", "week"})


def leaving(w: Wording, at: int) -> Found | None:
    """``leave before 8 am``: when it begins, where a time is called departure; ``left early``: a delay below nought."""
    end = "departure" if w.tokens[at].stem in GOING else "arrival" if w.tokens[at].stem in COMING else ""
    times = [path for path in w.times() if end in w.meta.parts(path)] if end else []
    late = w.meta.late_by.get(root(end)) if end else None
    if late is not None and w.at(at + 1) == "early":
        known = [path for path in w.numbers if tuple(w.meta.parts(path)[:2]) == late]
        if any((as_number(w.meta.profile(path).low) or 0) < 0 for path in known):
            return w.said(at, "with", *late, "below", "0"), at + 2
    if times and end == "departure" and w.at(at + 1) in _TIMED:
        return w.said(at, "are"), at + 1
    return None


def older_in_years(w: Wording, at: int) -> Found | None:
    """``dogs older than 12``: years, where the rows have an age or a birthday."""
    if w.at(at) not in _BOUNDS or w.at(at + 1) != "than" or not w.is_number(at + 2) or w.at(at + 3) not in _BEHIND:
        return None
    token = w.tokens[at + 2]
    number = token.value if token.kind == "number" else number_word(token.lower)
    ages = any(age_in(w.meta, name, w.now.date()) for name in w.meta.catalog.relations)
    if not ages or number is None or not 0 < number <= _OLDEST:
        return None
    return [*w.tokens[at : at + 3], *w.said(at, "years")], at + 3


def begun_then(w: Wording, at: int) -> Found | None:
    """``flights on planes built before 1985``: the year that rows hold of what they are with, and no group of those."""
    if w.at(at) not in _WITH or w.at(at + 1) == singular(w.at(at + 1)):
        return None
    noun, done = singular(w.at(at + 1)), w.at(at + 2)
    if done not in BEGUN:
        return None
    named = w.name(lambda path: w.meta.is_year(path) and {noun, done} <= set(w.meta.parts(path)))
    return (w.said(at, "with", *named), at + 3) if named is not None else None


_WITH = frozenset({"with", "of", "by", "on", "in", "using", "from"})


def older(w: Wording, at: int) -> Found | None:
    """``older than 20 years``: built, founded or opened before the year that is so long ago."""
    start = at
    if w.at(at) in ("with", "of", "by", "on") and w.at(at + 2) in _BOUNDS:  # "flights with planes older than …"
        noun = singular(w.at(at + 1))
        own = any(w.meta.is_year(path) and noun in w.meta.parts(path) for path in w.numbers)
        at += 2 * own
    bound = _BOUNDS.get(w.at(at)) if w.at(at + 1) == "than" else None
    if bound is None or not w.is_number(at + 2) or w.at(at + 3) not in ("year", "years"):
        return None
    token = w.tokens[at + 2]
    number = token.value if token.kind == "number" else number_word(token.lower)
    ages = any(age_in(w.meta, name, w.now.date()) for name in w.meta.catalog.relations)
    ages = ages or any("age" in w.meta.parts(path) for path in w.numbers)
    if ages or number is None or not 0 < number <= _OLDEST:
        return None
    named = w.name(lambda path: w.meta.is_year(path) and bool(BEGUN & set(w.meta.parts(path))))
    if named is None:
        return None
    year = (w.default_year or w.now.year) - int(number)
    return w.said(start, "with", *named, bound, str(year)), at + 4
