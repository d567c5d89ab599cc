"""``only the first half``, ``up to June``, ``the last three months of it``: a part of the period that is looked at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date

from .... import patterns as re
from ..calendar.moments import MONTHS
from ..calendar.units import shift
from ..forms import Form, Range, Value
from ..schema.metadata import Metadata
from ..words.numbers import number_word
from .conditions import conditions_of, ends_of, with_conditions
from .editing import Unfit
from .expressing import is_time

__all__ = ["part_of_period"]

_MONTH = "(?:" + "|".join(sorted(MONTHS, key=len, reverse=True)) + ")"
_OF_IT = r"(?:\s+(?:of|in)\s+(?:the|that|this)\s+(?:year|period|quarter|month|time))"
_LEAD = r"^\W*(?:(?:and|now|but|for|in|over|during|show|me|see|give|what about|how about|the|that)\s+)*"
_END = r"(?:\s+(?:please|only|alone|instead|of it))*\W*$"
_HALF = re.compile(rf"{_LEAD}(?P<which>first|1st|second|2nd|last)\s+half{_OF_IT}?{_END}", re.IGNORECASE)
_SOME = re.compile(
    rf"{_LEAD}(?P<which>first|last)\s+(?P<count>\d+|[a-z]+)\s+(?P<unit>months|quarters|weeks|days)(?P<of>{_OF_IT})?{_END}",
    re.IGNORECASE,
)
_UP_TO = re.compile(
    rf"{_LEAD}(?:up to|up until|until|till|through|as far as|to)\s+(?:and including\s+)?(?:the\s+end\s+of\s+)?"
    rf"(?P<month>{_MONTH}){_END}",
    re.IGNORECASE,
)
_FROM = re.compile(
    rf"{_LEAD}(?:from|starting(?: in| from)?|beginning(?: in| with)?)\s+(?P<month>{_MONTH})"
    rf"(?:\s+(?:on|onwards?|to the end|until the end))?{_END}",
    re.IGNORECASE,
)
_HALVES = 2
_YEAR = 12
_Ends = tuple[date, date]


def part_of_period(words: str, form: Form, metadata: Metadata, *, of_it: bool = False) -> Form | None:
    """The form over a part of its period; None where words say none, or where no period was looked at.

    ``of_it``: it was said that it is a part of what was shown.

    Raises
    ------
    Unfit
        If the period has no such part.
    """
    cut = _cut_of(words, of_it)
    if cut is None:
        return None
    known = conditions_of(form)
    for place, condition in enumerate(known):
        ends = ends_of(condition) if isinstance(condition, Range) and is_time(condition.of, metadata) else None
        if ends is None or not isinstance(condition, Range):
            continue
        low, high = cut(ends)
        if not (_day(ends[0]) <= _day(low) < _day(high) <= _day(ends[1])):
            raise Unfit("the period that is looked at has no such part")
        part = replace(condition, low=Value(low), high=Value(high))
        return with_conditions(form, [*known[:place], part, *known[place + 1 :]])
    return None


def _cut_of(words: str, of_it: bool) -> Callable[[_Ends], _Ends] | None:
    """What words make of the ends of a period."""
    if (said := _HALF.match(words)) is not None:
        first = said["which"].lower() in ("first", "1st")
        return lambda ends: (ends[0], _middle(ends)) if first else (_middle(ends), ends[1])
    if (said := _SOME.match(words)) is not None and (count := _count(said["count"])) is not None:
        unit = said["unit"].lower().removesuffix("s")
        if said["which"].lower() == "first":
            return lambda ends: (ends[0], shift(ends[0], unit, count))
        return (
            (lambda ends: (shift(ends[1], unit, -count), ends[1])) if of_it or said["of"] else None
        )  # else those before now
    if (said := _UP_TO.match(words)) is not None:
        month = MONTHS[said["month"].lower()]
        return lambda ends: (ends[0], shift(_start_of(month, ends), "month", 1))
    if (said := _FROM.match(words)) is not None:
        month = MONTHS[said["month"].lower()]
        return lambda ends: (_start_of(month, ends), ends[1])
    return None


def _middle(ends: _Ends) -> date:
    months = (ends[1].year - ends[0].year) * _YEAR + ends[1].month - ends[0].month
    if months < _HALVES or months % _HALVES or ends[0].day != 1 or ends[1].day != 1:
        raise Unfit("the period that is looked at has no halves of whole months")
    return shift(ends[0], "month", months // _HALVES)


def _start_of(month: int, ends: _Ends) -> date:
    """The first day of a month of the one year that a period lies in."""
    if (_day(ends[1]) > f"{ends[0].year + 1}-01-01") or month < ends[0].month:
        raise Unfit("the period that is looked at has that month more than once, or not at all; say its year as well")
    return ends[0].replace(month=month, day=1)


def _count(said: str) -> int | None:
    found = float(said) if said.isdigit() else number_word(said.lower())
    return int(found) if found is not None and found == int(found) else None


def _day(moment: date) -> str:
    return moment.isoformat()[:10]
