"""Units of time: their names, the start of one, and steps by whole ones."""

from __future__ import annotations

import calendar
from datetime import date, datetime, timedelta
from typing import TypeVar

__all__ = ["ADVERBS", "UNITS", "are_many_days", "floor", "shift"]

_HOURLY_DAYS = 14

UNITS = {
    "second": "second",
    "minute": "minute",
    "hour": "hour",
    "day": "day",
    "date": "day",
    "week": "week",
    "month": "month",
    "quarter": "quarter",
    "year": "year",
    "hourly": "hour",
    "daily": "day",
    "weekly": "week",
    "monthly": "month",
    "quarterly": "quarter",
    "yearly": "year",
    "annual": "year",
    "annually": "year",
}
ADVERBS = {word: unit for word, unit in UNITS.items() if word.endswith(("ly", "al"))}
"""The units that are said before what is counted in them: *daily*, *annual*."""


Moment = TypeVar("Moment", bound=date)


def shift(moment: Moment, unit: str, count: int) -> Moment:
    """``moment`` moved by whole units, the day kept within the month."""
    if unit in ("second", "minute", "hour", "day", "week"):
        return moment + timedelta(**{unit + "s": count})
    months = count * {"month": 1, "quarter": 3, "year": 12}[unit]
    index = moment.year * 12 + moment.month - 1 + months
    year, month = divmod(index, 12)
    # Beyond the calendar nothing moves: whoever asks for it is told of no data.
    if not 1 <= year <= 9998:
        return moment
    # 31 January and a month are the last day of February.
    return moment.replace(year=year, month=month + 1, day=min(moment.day, calendar.monthrange(year, month + 1)[1]))


def are_many_days(low: date | str | None, high: date | str | None) -> bool:
    """Whether a stretch (days, or texts that begin with one) is so long that *by hour* of it is the hour of the day."""
    first, last = (date.fromisoformat(str(end)[:10]) if end is not None else None for end in (low, high))
    return first is None or last is None or (last - first).days > _HOURLY_DAYS


def floor(moment: datetime, unit: str) -> datetime:
    """Start of the unit that holds ``moment`` (weeks begin on Monday)."""
    day = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    if unit == "hour":
        return moment.replace(minute=0, second=0, microsecond=0)
    if unit == "week":
        return day - timedelta(days=day.weekday())
    if unit == "month":
        return day.replace(day=1)
    if unit == "quarter":
        return day.replace(month=(day.month - 1) // 3 * 3 + 1, day=1)
    return day.replace(month=1, day=1) if unit == "year" else day
