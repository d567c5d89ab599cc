"""Periods by the names that people have for them: in sentences, titles and readings alike."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

__all__ = ["between", "period_words", "whole_period"]

_QUARTER, _HALF, _YEAR = 3, 6, 12  # months


def period_words(values: Sequence[str | None]) -> str:
    """``in March 2023``, ``from April to June 2023``, ``on 4 July 2023``, ``from 1 May 2023 on``, ``before 2020``."""
    low, high = (datetime.fromisoformat(value) if value else None for value in values)
    if low is not None and high is not None:
        return between(low, high)
    if low is not None:
        return f"from {_begun(low)} on"
    return f"before {_begun(high)}" if high is not None else ""


def whole_period(low: datetime, high: datetime) -> str:
    """``March 2023``, ``Q1 2023``, ``the first half of 2023``, ``2023``; empty where it is none of these."""
    months = (high.year - low.year) * 12 + high.month - low.month
    if low.day != 1 or high.day != 1 or not low.time() == high.time() == datetime.min.time():
        return ""
    if months == 1:
        return f"{low:%B %Y}"
    if months == _QUARTER and low.month % _QUARTER == 1:
        return f"Q{low.month // _QUARTER + 1} {low.year}"
    if months == _HALF and low.month in (1, 7):
        return f"the {'first' if low.month == 1 else 'second'} half of {low.year}"
    return f"{low.year}" if months == _YEAR and low.month == 1 else ""


def between(low: datetime, high: datetime) -> str:
    """``in the first half of 2023``, ``from April to June 2023``, ``on 4 July 2023``: ``high`` is not included."""
    if named := whole_period(low, high):
        return f"in {named}"
    midnight = datetime.min.time()
    last = high - timedelta(days=1) if high.time() == midnight else high
    if low.day == high.day == 1 and low.time() == high.time() == midnight:
        if low.month == high.month == 1:
            return f"from {low.year} to {last.year}"
        return f"from {low:%B}{f' {low.year}' if low.year != last.year else ''} to {last:%B %Y}"
    if last == low:
        return f"on {_day(low)}"
    whole = last.time() == low.time() == midnight
    if whole and (low.year, low.month) == (last.year, last.month):
        return f"from {low.day} to {_day(last)}"
    return f"from {f'{low.day} {low:%B}' if whole and low.year == last.year else _day(low)} to {_day(last)}"


def _begun(moment: datetime) -> str:
    """A year or a month that begins then, else the day."""
    if moment.day != 1 or moment.time() != datetime.min.time():
        return _day(moment)
    return f"{moment.year}" if moment.month == 1 else f"{moment:%B %Y}"


def _day(moment: datetime) -> str:
    whole = moment.time() == datetime.min.time()
    return f"{moment.day} {moment:%B %Y}" if whole else f"{moment.day} {moment:%B %Y} {moment:%H:%M}"
