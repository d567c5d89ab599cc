"""Date ranges of JSON queries: days, instants, and words such as ``last 7 days``, as half-open spans of local time."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta, tzinfo

from ... import patterns as re
from ..errors import InvalidQuery
from ..intervals import GRANULARITIES

__all__ = ["date_span"]

_TIMED = re.compile(r"\d[t ]\d")
_AGO = re.compile(r"(\d{1,6})\s+([a-z]+?)s?\s+(ago|from now)")
_RELATIVE = re.compile(r"(?:(this|last|next)\s+)?(?:(\d{1,6})\s+)?([a-z]+?)s?")
# As periods of the engine count: weeks from a Monday, all others from the beginning of 2000.
_FIRST, _MONDAY = datetime(2000, 1, 1), datetime(2000, 1, 3)
_OUTSIDE = "the date range lies outside the years 1 to 9999"


def date_span(values: object, now: datetime) -> tuple[datetime, datetime]:
    """The span ``[start, end)`` that a ``dateRange`` means.

    Parameters
    ----------
    values
        One day, a pair of days or instants (a last day is included whole), or words: ``today``, ``yesterday``,
        ``this month``, ``last 7 days``, ``next quarter``, ``from 30 days ago to now``.
    now
        The moment that words are relative to, in the query's time zone, in which instants with an offset are told too.

    Raises
    ------
    InvalidQuery
        The text is none of these.
    """
    parts = [values] if isinstance(values, str) else list(values) if isinstance(values, Sequence) else []
    if not 1 <= len(parts) <= 2 or not all(isinstance(part, str) for part in parts):
        raise InvalidQuery("a date range is one text or a pair of texts, such as ['2024-01-01', '2024-03-31']")
    # Spans are clock readings: the query's columns are shown in its zone without one.
    zone, now = now.tzinfo or UTC, now.replace(tzinfo=None)
    try:
        if len(parts) == 2:
            start, end = _moment(parts[0], now, zone)[0], _moment(parts[1], now, zone)[1]
        else:
            start, end = _words(parts[0].strip(), now, zone)
    except OverflowError:
        raise InvalidQuery(_OUTSIDE) from None
    if end <= start:
        raise InvalidQuery(f"the date range {parts} ends before it starts")
    return start, end


def _words(given: str, now: datetime, zone: tzinfo) -> tuple[datetime, datetime]:
    text = given.lower()
    if text.startswith("from ") and " to " in text:
        first, _, last = text[5:].partition(" to ")
        return _moment(first, now, zone)[0], _moment(last, now, zone)[1]
    found = _RELATIVE.fullmatch(text)
    # A lone "month", or "this 3 months", is no range.
    if not found or found[3] not in GRANULARITIES or not (found[1] or found[2]) or (found[1] == "this" and found[2]):
        return _moment(given, now, zone)
    which, count, unit = found[1] or "last", found[2], found[3]
    this = _floor(now, unit)
    if which == "this":
        return this, _step(this, unit, 1)
    if which == "next":
        return _step(this, unit, 1), _step(this, unit, 1 + int(count or 1))
    return _step(this, unit, -int(count or 1)), this


def _moment(given: str, now: datetime, zone: tzinfo) -> tuple[datetime, datetime]:
    """The span of a day, of the hour or shorter that words name, or of an instant (its millisecond)."""
    given = given.strip()
    text = given.lower()
    midnight = _floor(now, "day")
    days = {"today": 0, "yesterday": -1, "tomorrow": 1}
    if text in days:
        day = midnight + timedelta(days=days[text])
        return day, day + timedelta(days=1)
    # An empty span of its own; in "from … to now" it is the end.
    if text == "now":
        return now, now
    ago = _AGO.fullmatch(text)
    if ago and ago[2] in GRANULARITIES:
        # "3 months ago" is a day, "3 hours ago" an hour.
        unit = ago[2] if GRANULARITIES[ago[2]].length.seconds else "day"
        start = _floor(_step(now, ago[2], int(ago[1]) * (-1 if ago[3] == "ago" else 1)), unit)
        return start, _step(start, unit, 1)
    try:
        # upper() for the t and z of clients that write them small.
        moment = datetime.fromisoformat(given.upper())
    except ValueError:
        raise InvalidQuery(
            f"'{given}' is not a date; write YYYY-MM-DD, an ISO time, or words such as 'last 7 days'"
        ) from None
    if moment.tzinfo is not None:
        moment = moment.astimezone(zone).replace(tzinfo=None)
    elif not _TIMED.search(text):
        last = moment.date() == date.max
        return moment, datetime.max if last else moment + timedelta(days=1)  # noqa: DTZ901 - local time has no zone
    # Clients write a last instant as 23:59:59.999, which is to be in it.
    return moment, moment + timedelta(milliseconds=1)


def _floor(moment: datetime, unit: str) -> datetime:
    """The start of the period that a moment lies in."""
    length = GRANULARITIES[unit].length
    day = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    if length.months:
        months = day.year * 12 + day.month - 1 - _FIRST.year * 12
        return _step(day.replace(year=_FIRST.year, month=1, day=1), unit, months // length.months)
    if length.seconds:
        return moment - (moment - day) % timedelta(seconds=length.seconds)
    return day - (day - (_MONDAY if length.days % 7 == 0 else _FIRST)) % timedelta(days=length.days)


def _step(moment: datetime, unit: str, count: int) -> datetime:
    length = GRANULARITIES[unit].length
    if not length.months:
        return moment + timedelta(days=length.days, seconds=length.seconds) * count
    months = moment.year * 12 + moment.month - 1 + length.months * count
    if not 12 <= months < 9999 * 12:
        raise InvalidQuery(_OUTSIDE)
    year, month = divmod(months, 12)
    return moment.replace(year=year, month=month + 1, day=min(moment.day, monthrange(year, month + 1)[1]))
