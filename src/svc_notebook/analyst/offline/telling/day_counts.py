"""How many days of the data each group of a time covers: a sum over five days of seven is larger for that alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from ..calendar.units import UNITS, shift
from ..forms.partings import PARTINGS
from ..plans.plan import Dimension, Plan

__all__ = ["days_of"]

_MOST = 40_000  # days that are gone through: a hundred years
_DAY = timedelta(days=1)
_LONGER = frozenset(UNITS.values()) - {"hour", "day"}


def days_of(plan: Plan, cells: Sequence[Any], low: datetime | None, high: datetime | None) -> tuple[float, ...] | None:
    """How many days each group has, of those that the data and the question cover; None where that cannot be said.

    Parameters
    ----------
    cells
        What each group is called.
    low, high
        The first and last moment of the data.
    """
    if low is None or high is None or len(plan.dimensions) != 1 or plan.alternatives or plan.shape != "aggregate":
        return None
    (dimension,) = plan.dimensions
    window = _window(plan, dimension, low, high)
    if window is None or not 0 < (window[1] - window[0]) / _DAY <= _MOST:
        return None
    parting = PARTINGS.get(dimension.grain or "")
    if parting is not None and parting.part != "hour":
        counted = Counter(_value(day, parting.part) for day in _days(*window))
        named = {name: float(sum(counted[value] for value in values)) for name, values in parting.names}
        found = tuple(named.get(cell, 0.0) for cell in cells)
    elif dimension.grain in _LONGER and all(isinstance(cell, date) for cell in cells):
        found = tuple(_overlap(_moment(cell), dimension.grain or "day", window) for cell in cells)
    else:
        return None
    return found if min(found, default=0) >= 1 else None


def _window(plan: Plan, dimension: Dimension, low: datetime, high: datetime) -> tuple[datetime, datetime] | None:
    """The days that can have rows: those of the data, within the period that is asked for."""
    start, end = low.replace(hour=0, minute=0, second=0, microsecond=0), high
    end = end.replace(hour=0, minute=0, second=0, microsecond=0) + _DAY
    parting = PARTINGS.get(dimension.grain or "")
    for condition in plan.conditions:
        if condition.member != dimension.member:
            continue
        if condition.operator == "period":
            first, last = (datetime.fromisoformat(str(value)) if value else None for value in condition.values)
            start, end = max(start, first or start), min(end, last or end)
        elif parting is None or condition.part != parting.condition:  # other days of these are not asked about
            return None
    return start, end


def _days(start: datetime, end: datetime) -> Iterator[datetime]:
    while start < end:
        yield start
        start += _DAY


def _value(day: datetime, part: str) -> int:
    return day.isoweekday() if part == "isoweekday" else day.month


def _overlap(start: datetime, grain: str, window: tuple[datetime, datetime]) -> float:
    return (min(shift(start, grain, 1), window[1]) - max(start, window[0])) / _DAY


def _moment(cell: date) -> datetime:
    return cell.replace(tzinfo=None) if isinstance(cell, datetime) else datetime(cell.year, cell.month, cell.day)
