"""Periods in words, read against a given now; they are half-open."""

from __future__ import annotations

import calendar
from collections.abc import Sequence
from datetime import datetime, timedelta

from msgspec import Struct

from ..words.text import Token, singular
from .clock import hours_of_day
from .fiscal import fiscal_period
from .moments import SEASONS, MomentReader
from .units import shift

__all__ = ["Period", "find_periods"]

# Short names that are words too (sun, sat, wed) are left out.
_WEEKDAYS = {name.lower(): i for i, name in enumerate(calendar.day_name, 1)} | {
    name.lower(): i for i, name in enumerate(calendar.day_abbr, 1) if name not in ("Sun", "Sat", "Mon", "Wed")
}
_DECADE = 10  # years; "tracks from the 80s" are of them, and of no later ones


class Period(Struct, frozen=True):
    """Tokens ``first`` to ``last`` speak of a time: a half-open range, or a part of the date (``weekday in (6, 7)``).

    ``low`` or ``high`` is None where the range is open. ``bare_year`` marks a lone number that may be no year at all.
    """

    first: int
    last: int
    low: datetime | None = None
    high: datetime | None = None
    part: str | None = None
    values: tuple[int, ...] = ()
    words: str = ""
    bare_year: bool = False
    relative: bool = False


def find_periods(
    tokens: Sequence[Token], now: datetime, default_year: int | None = None, fiscal: int = 1
) -> list[Period]:
    """All periods in the question, left to right, not overlapping; ``fiscal`` is the month a fiscal year begins in."""
    reader = MomentReader(tokens, now, default_year, fiscal)
    found: list[Period] = []
    i = 0
    while i < len(tokens):
        period = _period(reader, i)
        if period is None:
            i += 1
            continue
        found.append(period)
        i = period.last
    return found


def _period(reader: MomentReader, i: int) -> Period | None:
    """The period that starts at a token; one outside the calendar (``last 9999999 days``) is none."""
    try:
        return (
            # The likelier to be longest first: each would take the begin of those before it.
            _week_of(reader, i)
            or _days_of_month(reader, i)
            or _ranged(reader, i)
            or _special(reader, i)
            or _relative(reader, i)
            or _part(reader, i)
            or _plain(reader, i)
        )
    except (OverflowError, ValueError):  # beyond the years 1 to 9999
        return None


def _special(reader: MomentReader, i: int) -> Period | None:
    """A fiscal period or a piece of one, before its words are taken for a plain one; a preposition before it belongs
    to it.
    """
    at = i + (reader.word(i) in ("in", "during", "for", "of", "the"))
    at += reader.word(at) == "the"
    found = fiscal_period(reader.word, at, reader.now, reader.fiscal, reader.default_year) or reader.piece(at)
    return Period(i, found[2], found[0], found[1], words=_text(reader, at, found[2])) if found else None


def _text(reader: MomentReader, start: int, end: int) -> str:
    return " ".join(t.text for t in reader.tokens[start:end])


def _week_of(reader: MomentReader, i: int) -> Period | None:
    """``the week of 8 July``: from its Monday on; ``the week starting 10 July``: from that day on."""
    at = i + (reader.word(i) in ("in", "during", "for"))
    at += reader.word(at) == "the"
    if reader.word(at) != "week" or reader.word(at + 1) not in _BEGINNING:
        return None
    day = at + 2 + (reader.word(at + 2) in ("on", "the"))
    moment = reader.moment(day) if day < len(reader.tokens) else None
    if moment is None or moment[1] - moment[0] != timedelta(days=1):
        return None
    first = moment[0] - timedelta(days=moment[0].weekday() if reader.word(at + 1) in ("of", "with") else 0)
    return Period(i, moment[2], first, first + timedelta(weeks=1), words=_text(reader, at, moment[2]))


_BEGINNING = frozenset({"of", "with", "starting", "beginning", "commencing", "from"})


def _days_of_month(reader: MomentReader, i: int) -> Period | None:
    """``from 3 to 9 May``, ``between the 3rd and the 9th of May``, ``3-9 May``: the first day is of the month of the
    second.
    """
    at = i + (reader.word(i) in ("from", "between"))
    at += reader.word(at) == "the"
    first, joined = reader.day_at(at), at + 1
    # "between 3 and 9" ends with "and"; "from 3 and 9" says nothing.
    if not first or reader.word(joined) not in _JOINING or reader.word(i) == "between" and reader.word(joined) != "and":
        return None
    last = joined + 1 + (reader.word(joined + 1) == "the")
    dated = at > i or reader.word(joined) not in ("and", "to")  # "ships 3 and 9 May" is a list
    if not dated or not reader.day_at(last) or last >= len(reader.tokens) or reader.year_at(last) is not None:
        return None
    second = reader.moment(last)
    # A day that reads alone ("9") has no month to lend.
    if second is None or second[2] == last + 1 or second[1] - second[0] != timedelta(days=1):
        return None
    if first >= second[0].day:
        return None
    return Period(i, second[2], second[0].replace(day=first), second[1], words=_text(reader, i, second[2]))


_JOINING = frozenset({"and", "to", "until", "till", "through", "-", "–"})


def _are_of(reader: MomentReader, i: int, said: tuple[datetime, datetime, int]) -> bool:
    """``repairs from 2024``, ``bills from May``: of that year or month, unless *on* is said; ``from 5 May`` is not."""
    noun = reader.word(i - 1) if i else ""
    rows = noun in ("those", "ones") or noun.isalpha() and singular(noun) != noun and noun not in _UNITS_SAID
    return rows and said[1] - said[0] >= _MONTH and reader.word(said[2]) not in _ONWARDS


_MONTH = timedelta(days=28)
_UNITS_SAID = frozenset({"days", "weeks", "months", "quarters", "years"})
_ONWARDS = frozenset({"on", "onward", "onwards", "forward", "forwards", "up", "and", "or"})


def _ranged(reader: MomentReader, i: int) -> Period | None:
    """``between A and B``, ``from A to B``, ``A - B``, ``since A``, ``before A``, ``after A``, ``on or after A``."""
    word, nxt = reader.word(i), reader.word(i + 1)
    if word in ("between", "from", "starting"):
        j = i + 1 + (word == "starting" and nxt in ("in", "from", "on"))
        first = reader.moment(j) if j < len(reader.tokens) else None
        if first and first[2] < len(reader.tokens):
            joiner = reader.word(first[2])
            if joiner in ("and", "to", "until", "till", "through", "-", "–"):
                second = reader.moment(first[2] + 1) if first[2] + 1 < len(reader.tokens) else None
                if second:
                    start, end = _years_aligned(first, second, reader)
                    return Period(i, second[2], start, end, words=_text(reader, i, second[2]))
        # Tracks from the 80s are of that decade and no later.
        if first and word == "from" and first[1].year - first[0].year == _DECADE:
            return Period(i, first[2], first[0], first[1], words=_text(reader, i, first[2]))
        if first and word == "from" and _are_of(reader, i, first):
            return Period(i, first[2], first[0], first[1], words=_text(reader, i, first[2]))
        if first and word != "between":
            return Period(i, first[2], first[0], None, words=_text(reader, i, first[2]))
        return None
    if word == "on" and nxt in ("or", "and"):
        side = reader.word(i + 2)
        moment = reader.moment(i + 3) if side in ("after", "before") and i + 3 < len(reader.tokens) else None
        if moment:
            return Period(
                i,
                moment[2],
                moment[0] if side == "after" else None,
                None if side == "after" else moment[1],
                words=_text(reader, i, moment[2]),
            )
    if (
        word in ("since", "after", "before", "until", "till", "through")
        or word in ("prior", "earlier", "later")
        and nxt in ("to", "than")
    ):
        j = i + 1 + (word in ("prior", "earlier", "later"))
        if j >= len(reader.tokens):
            return None
        moment = reader.moment(j)
        if moment is None:
            # Nothing absolute: "since last month".
            relative = reader.relative(j)
            if relative is None or relative[0] is None:
                return None
            moment = (relative[0], relative[1] or relative[0], relative[2])
        opened = {"since": moment[0], "after": moment[1], "later": moment[1]}.get(word)
        closed = {
            "before": moment[0],
            "prior": moment[0],
            "earlier": moment[0],
            "until": moment[1],
            "till": moment[1],
            "through": moment[1],
        }.get(word)
        return Period(i, moment[2], opened, closed, words=_text(reader, i, moment[2]))
    first = reader.moment(i)
    if first and first[2] + 1 < len(reader.tokens) and reader.word(first[2]) in ("-", "–", "to", "through", "until"):
        second = reader.moment(first[2] + 1)
        if second and second[1] > first[0]:
            start, end = _years_aligned(first, second, reader)
            return Period(i, second[2], start, end, words=_text(reader, i, second[2]))
    return None


def _years_aligned(
    first: tuple[datetime, datetime, int], second: tuple[datetime, datetime, int], reader: MomentReader
) -> tuple[datetime, datetime]:
    """``March to May 2013``: the first borrows the year of the second; ``March 2013 to May``: the second that of the
    first.
    """
    low, high = first[0], second[1]
    said, later = (_names_year(reader, end) for end in (first[2], second[2]))
    # A year that only the second has is both's; one that makes the first come later is last year's.
    if later and not said or low >= high and low.year != second[0].year:
        low = shift(low, "year", second[0].year - low.year)
        return (shift(low, "year", -1) if low >= high else low), high
    if said and not later and low.year != second[0].year:
        years = low.year - second[0].year
        high = _end_in(years, high)
        return low, (_end_in(years + 1, second[1]) if low >= high else high)
    return low, high


def _end_in(years: int, end: datetime) -> datetime:
    """The end of a span so many years later: its last moment is moved, since the day behind it may be no such day."""
    moment = timedelta(microseconds=1)
    return shift(end - moment, "year", years) + moment


def _names_year(reader: MomentReader, end: int) -> bool:
    """Whether a moment that ends before token ``end`` ends with its year, or is a date."""
    said = reader.year_at(end - 1) is not None or reader.said_year(end - 2) is not None
    return said or reader.tokens[end - 1].kind in ("date", "quoted")


def _relative(reader: MomentReader, i: int) -> Period | None:
    found = reader.relative(i)
    if not found:
        return None
    start = i - 1 if reader.word(i - 1) in ("in", "over", "during", "within", "for", "the") and i > 0 else i
    return Period(start, found[2], found[0], found[1], words=_text(reader, i, found[2]), relative=True)


def _part(reader: MomentReader, i: int) -> Period | None:
    word = reader.word(i)
    # Hours first: "morning" is also a word of other things.
    hours = hours_of_day(reader.word, i)
    if hours is not None and hours[0]:
        return Period(i, hours[1], part="hour_of_day", values=hours[0], words=_text(reader, i, hours[1]))
    singular = word[:-1] if word.endswith("s") else word
    if word in ("weekend", "weekends"):
        return Period(i, i + 1, part="weekday", values=(6, 7), words=word)
    if word in ("weekday", "weekdays") and reader.word(i - 1) in ("on", "during") and reader.word(i + 1) not in ("of",):
        return Period(i, i + 1, part="weekday", values=(1, 2, 3, 4, 5), words=word)
    if singular in _WEEKDAYS and len(singular) > 3:
        # Several days in a row are one condition, whatever joins them.
        values, end = [_WEEKDAYS[singular]], i + 1
        while reader.word(end) in ("and", "or", ",") and reader.word(end + 1).rstrip("s") in _WEEKDAYS:
            values.append(_WEEKDAYS[reader.word(end + 1).rstrip("s")])
            end += 2
        return Period(i, end, part="weekday", values=tuple(values), words=_text(reader, i, end))
    if (
        word in ("summer", "winter", "autumn", "spring")
        or word == "fall"
        and reader.word(i - 1) in ("in", "the", "during", "this", "last")
    ):
        return Period(i, i + 1, part="month_of_year", values=SEASONS[word], words=word)
    return None


def _plain(reader: MomentReader, i: int) -> Period | None:
    found = reader.moment(i)
    if not found or reader.word(i) in ("the", "of") or reader.word(i) in ("now", "present"):
        return None
    # A lone number may be no year at all: whoever reads on has to decide.
    bare = reader.tokens[i].kind == "number" and found[2] == i + 1
    start = i - 1 if i > 0 and reader.word(i - 1) in ("in", "during", "for", "on", "of") and not bare else i
    return Period(start, found[2], found[0], found[1], words=_text(reader, i, found[2]), bare_year=bare)
