"""Lines: broken where periods have no rows, with points where these can be told apart."""

from __future__ import annotations

from datetime import date, datetime
from itertools import pairwise
from typing import Any

from .columns import ChartColumn, escape_field, quoted

__all__ = ["RUN", "broken", "line_mark"]

RUN = "__run"
_MOST_POINTS = 60
_LONGEST = {"hour": 1, "day": 24, "week": 24 * 7, "month": 24 * 31, "quarter": 24 * 92, "year": 24 * 366}
_MS = 3_600_000


def line_mark(axis: ChartColumn, colour: str | None = None) -> dict[str, Any]:
    """A line; each value has a point where there are few."""
    mark: dict[str, Any] = {"type": "line"}
    if not axis.cells or axis.cardinality <= _MOST_POINTS:
        mark["point"] = True
    return mark if colour is None else {**mark, "color": colour}


def broken(axis: ChartColumn, series: ChartColumn | None) -> list[dict[str, Any]]:
    """Transforms that number the runs of periods without a hole: a line must not cross what nobody knows."""
    hours = _LONGEST.get(axis.grain or "")
    if hours is None or not _has_hole(axis, hours):
        return []
    field, by = escape_field(axis.name), [escape_field(series.name)] if series is not None else []
    return [
        {"window": [{"op": "lag", "field": field, "as": "__before"}], "sort": [{"field": field}], "groupby": by},
        {"calculate": f"isValid(datum.__before) && {_at(axis)} - time(datum.__before) > {hours * _MS + _MS} ? 1 : 0",
         "as": "__hole"},
        {"window": [{"op": "sum", "field": "__hole", "as": RUN}], "sort": [{"field": field}], "groupby": by},
    ]  # fmt: skip


def _at(axis: ChartColumn) -> str:
    return f"time(datum['{quoted(axis.name)}'])"


def _has_hole(axis: ChartColumn, hours: int) -> bool:
    moments = sorted({_moment(cell) for cell in axis.cells or () if isinstance(cell, date)})
    return any((later - earlier).total_seconds() > hours * 3600 + 3600 for earlier, later in pairwise(moments))


def _moment(cell: date) -> datetime:
    return cell.replace(tzinfo=None) if isinstance(cell, datetime) else datetime(cell.year, cell.month, cell.day)
