"""Numbers along time: lines broken where periods have no rows, marks that show which periods are not whole."""

from __future__ import annotations

from datetime import date, datetime
from itertools import pairwise
from typing import Any

from .columns import ChartColumn, escape_field, quoted
from .encodings import position, steps
from .lines import wrapped

__all__ = ["RUN", "bars_along", "broken", "faint", "fitted", "hollow", "line_mark", "titled_below"]

RUN = "__run"
_MOST_POINTS = 60
_MOST_BARS = 40
_WHOLE = {"year": "year", "quarter": "yearquarter", "month": "yearmonth", "day": "yearmonthdate"}
_LONGEST = {"hour": 1, "day": 24, "week": 24 * 7, "month": 24 * 31, "quarter": 24 * 92, "year": 24 * 366}
_MS = 3_600_000
# A point is filled by its colour: what is hollow is a ring, of a circle and a smaller one drawn the other way round.
_RING = "M-1.5,0A1.5,1.5,0,1,1,1.5,0A1.5,1.5,0,1,1,-1.5,0ZM-0.95,0A0.95,0.95,0,1,0,0.95,0A0.95,0.95,0,1,0,-0.95,0Z"
_FIT = "__fit"


def line_mark(axis: ChartColumn, colour: str | None = None) -> dict[str, Any]:
    """A line; each value has a point where there are few."""
    mark: dict[str, Any] = {"type": "line"}
    if not axis.cells or axis.cardinality <= _MOST_POINTS:
        mark["point"] = {"color": colour} if colour else True  # a point does not take its line's colour by itself
    return mark if colour is None else {**mark, "color": colour}


def hollow(axis: ChartColumn) -> dict[str, Any]:
    """An encoding that makes rings of the points of periods that are not whole; nothing where all are."""
    test = _unfinished(axis)
    if not test or axis.cardinality > _MOST_POINTS:
        return {}
    return {"shape": {"condition": {"test": test, "value": _RING}, "value": "circle"}}


def faint(axis: ChartColumn) -> dict[str, Any]:
    """An encoding that lets the bars of periods that are not whole be paler; nothing where all are."""
    test = _unfinished(axis)
    return {"fillOpacity": {"condition": {"test": test, "value": 0.45}, "value": 1}} if test else {}


def bars_along(axis: ChartColumn, sort: Any = None) -> dict[str, Any]:
    """An encoding for the ``x`` of bars, each as wide as its period: by themselves bars at moments are thin, and stand
    half outside at both ends. Where periods have no rows, their places stay empty.
    """
    if axis.kind != "time" or not axis.cells or axis.grain not in _LONGEST:
        return position(axis, sort=sort)
    if axis.cardinality <= _MOST_BARS and not _has_hole(axis, None, _LONGEST[axis.grain]):
        return steps(axis)
    unit = {"timeUnit": _WHOLE[axis.grain]} if axis.grain in _WHOLE else {}
    return {**position(axis), **unit}


def _unfinished(axis: ChartColumn) -> str:
    days = sorted({f"{_moment(cell):%Y-%m-%d}" for cell in axis.partial if isinstance(cell, date)})
    if axis.kind != "time" or not days:
        return ""
    names = ", ".join(f"'{day}'" for day in days)
    return f"indexof([{names}], timeFormat(datum['{quoted(axis.name)}'], '%Y-%m-%d')) >= 0"


def fitted(spec: dict[str, Any], axis: ChartColumn, value: ChartColumn, start: float, slope: float) -> dict[str, Any]:
    """A chart of one line with a straight one through its whole periods: ``start`` at the first, ``slope`` a second."""
    unit = {key: spec[key] for key in ("mark", "transform", "encoding") if key in spec}
    whole = [{"filter": f"!({test})"}] if (test := _unfinished(axis)) else []
    line = {
        "transform": [
            {"filter": f"isValid(datum['{quoted(value.name)}'])"}, *whole,
            {"calculate": _at(axis), "as": "__moment"},
            {"joinaggregate": [{"op": "min", "field": "__moment", "as": "__first"}]},
            {"calculate": f"{start!r} + {slope!r} * (datum.__moment - datum.__first) / 1000", "as": _FIT},
        ],
        "mark": {"type": "line", "color": "#D55E00", "strokeDash": [6, 4], "point": False},
        "encoding": {
            "x": unit["encoding"]["x"],
            "y": {**unit["encoding"]["y"], "field": _FIT},
        },
    }  # fmt: skip
    return {**{key: part for key, part in spec.items() if key not in unit}, "layer": [unit, line]}


def titled_below(spec: dict[str, Any], words: str) -> dict[str, Any]:
    """A chart with something more in the line below its title."""
    title = spec.get("title")
    if not isinstance(title, dict):
        return spec
    below = title.get("subtitle", [])
    lines = [below] if isinstance(below, str) else list(below)
    return {
        **spec,
        "title": {**title, "subtitle": wrapped("; ".join([" ".join(lines), words] if lines else [words]), 80)},
    }


def broken(axis: ChartColumn, series: ChartColumn | None) -> list[dict[str, Any]]:
    """Transforms that number the runs of periods without a hole: a line must not cross what nobody knows."""
    hours = _LONGEST.get(axis.grain or "")
    if hours is None or not _has_hole(axis, series, hours):
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


def _has_hole(axis: ChartColumn, series: ChartColumn | None, hours: int) -> bool:
    """Whether a period between two others has no rows: of all, and of one series where each value has its point."""
    known = [(place, _moment(cell)) for place, cell in enumerate(axis.cells or ()) if isinstance(cell, date)]
    lines: dict[Any, set[datetime]] = {None: {moment for _, moment in known}}
    if series is not None and series.cells and axis.cardinality <= _MOST_POINTS:
        for place, moment in known:
            lines.setdefault((series.cells[place],), set()).add(moment)
    return any(
        (later - earlier).total_seconds() > hours * 3600 + 3600
        for moments in lines.values() for earlier, later in pairwise(sorted(moments))
    )  # fmt: skip


def _moment(cell: date) -> datetime:
    return cell.replace(tzinfo=None) if isinstance(cell, datetime) else datetime(cell.year, cell.month, cell.day)
