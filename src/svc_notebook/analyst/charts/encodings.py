"""Single encodings: scale type, title, axis format and sort of a column."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

from ...protocol.headings import with_unit
from .columns import ChartColumn, escape_field
from .orders import colours, label_expression, missing, ordered_values

__all__ = ["PALETTE", "SEQUENTIAL", "axis_format", "color", "measured", "number_format", "position", "steps", "tooltip"]

# Okabe and Ito's colours: distinguishable with the common colour-vision deficiencies; their black and yellow are left
# for text and highlights; the last two are a magenta and Tol's olive. Each stands off white and a dark page.
PALETTE = ["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#B22D7A", "#999933"]
SEQUENTIAL = "viridis"
_NAMES = {
    "weekday": ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"),
    "month_of_year": ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
}
THOUSANDS = ",~f"
"""Thousands in every renderer: an axis makes 1e+4 of a bare comma, and ``,f`` is read aloud as 3.000000."""
_TIME_FORMATS = {
    "year": "%Y",
    "quarter": "Q%q %Y",
    "month": "%b %Y",
    "week": "%-d %b %Y",
    "day": "%-d %b %Y",
    "hour": "%-d %b %H:%M",
}
_INTERVALS = {
    "year": ("year", 1),
    "quarter": ("month", 3),
    "month": ("month", 1),
    "week": ("week", 1),
    "day": ("day", 1),
}
_FEW_PERIODS = 12
_LARGE = 10_000  # amounts of money from which on an axis counts in thousands
# By itself a renderer writes 0k, and G, which is said of bytes.
_SHORT = (
    "datum.value == 0 ? '0' : abs(datum.value) < 1e9 ? datum.label : format(datum.value / 1e9, '{sign},.2~f') + 'B'"
)
_LEGEND = 260  # pixels of a legend's title: its unit stands at the end
_APART = 8  # pixels between the numbers of an axis
_TIME_UNITS = {"year": "year", "quarter": "yearquarter", "month": "yearmonth", "hour": "yearmonthdatehours"}


def axis_format(column: ChartColumn) -> str | None:
    """d3 format of the ticks of a column's numbers: round ones, so without the zeros that say nothing."""
    form = column.format or ""
    if form.startswith("percent"):
        return f".{_digits(form)}~%"
    if form.startswith("currency") or column.currency:
        return _dollars(column) + ("~s" if _largest(column) >= _LARGE else THOUSANDS)
    return number_format(column)


def number_format(column: ChartColumn) -> str | None:
    """d3 format of one of a column's numbers, from the member's format."""
    form = column.format or ""
    if form.startswith("percent"):
        return f".{_digits(form)}%"
    if form.startswith("currency") or column.currency:
        return f"{_dollars(column)},.2f"
    if form == ",":
        return THOUSANDS
    if form.startswith(("%", ".", ",", "~", "$")):
        return form
    return None


def _digits(form: str) -> str:
    digits = form.partition("_")[2]
    return digits if digits.isdigit() else "1"


def _dollars(column: ChartColumn) -> str:
    return "$" if column.currency in (None, "USD") else ""


def _largest(column: ChartColumn) -> float:
    return max((abs(float(cell)) for cell in column.cells or () if isinstance(cell, int | float | Decimal)), default=0)


def position(
    column: ChartColumn, *, sort: Any = None, zero: bool | None = None, grid: bool | None = None
) -> dict[str, Any]:
    """An encoding for ``x`` or ``y``."""
    encoding: dict[str, Any] = {"field": escape_field(column.name), "type": _type(column), "title": _title(column)}
    axis: dict[str, Any] = {}
    if column.kind == "time" and column.grain in _TIME_FORMATS:
        axis["format"] = _TIME_FORMATS[column.grain]
        axis["labelOverlap"] = True
        if column.grain == "week" and (mondays := _mondays(column)):
            axis["values"] = mondays
        elif (ticks := _ticks(column)) is not None:
            axis["tickCount"] = ticks
    elif column.kind == "number":
        form = axis_format(column)
        axis["format"] = form or THOUSANDS
        if axis["format"].endswith("~s"):
            axis["labelExpr"] = _SHORT.format(sign=_dollars(column))
    elif column.kind in ("category", "ordinal"):
        axis["labelLimit"] = 160
        axis["labelOverlap"] = True
        if (written := label_expression(column, _NAMES.get(column.grain or "", ()))) is not None:
            axis["labelExpr"] = written
    if grid is not None:
        axis["grid"] = grid
    if axis:
        encoding["axis"] = axis
    if column.kind == "bin":
        encoding["axis"] = {
            **axis,
            "labelOverlap": True,
            "labelFlush": False,
            "labelSeparation": _APART,
            "format": axis_format(column) or THOUSANDS,
        }
        if column.width:  # no halves between whole numbers, and no 3 for a bin that begins at 2.5
            encoding["axis"]["tickMinStep"] = column.width
        encoding["bin"] = {"binned": True, "step": column.width} if column.width else "binned"
        encoding["type"] = "quantitative"
        if edges := [cell for cell in column.cells or () if isinstance(cell, int | float)]:
            # The last bin ends beyond its lower edge, which is all that a renderer knows of it.
            encoding["scale"] = {"domain": [min(edges), max(edges) + (column.width or 0)], "nice": False}
    elif column.kind == "category":
        encoding["sort"] = ordered_values(column) or sort
    elif column.kind == "ordinal":
        encoding["sort"] = sort if isinstance(sort, list) and (column.grain is None or column.order) else "ascending"
    if zero is not None and column.kind == "number":
        encoding["scale"] = {"zero": zero}
    return encoding


def _ticks(column: ChartColumn) -> dict[str, Any] | None:
    """A tick at each period where these are few: by itself an axis names a month three times."""
    if not column.cells or not 1 < column.cardinality <= _FEW_PERIODS or column.grain not in _INTERVALS:
        return None
    interval, step = _INTERVALS[column.grain]
    return {"interval": interval, "step": step}


def _mondays(column: ChartColumn) -> list[dict[str, int]]:
    """The days that weeks begin on, as many as are told apart: by itself an axis names Sundays between them."""
    days = sorted({(cell.year, cell.month, cell.day) for cell in column.cells or () if isinstance(cell, date)})
    every = -(-len(days) // _FEW_PERIODS)
    return [{"year": year, "month": month, "date": day} for year, month, day in days[::every]]


def steps(column: ChartColumn) -> dict[str, Any]:
    """An encoding for ``x`` or ``y`` with a place of its own for each value; moments go by their unit of time."""
    encoding = position(column)
    if column.kind != "time":
        return encoding
    axis = {key: value for key, value in encoding.get("axis", {}).items() if key not in ("tickCount", "values")}
    return {**encoding, "axis": axis, **_in_steps(column)}


def _in_steps(column: ChartColumn) -> dict[str, Any]:
    """Moments as names in order: a renderer formats them as time only where their unit is said."""
    return {"type": "ordinal", "timeUnit": _TIME_UNITS.get(column.grain or "day", "yearmonthdate")}


def measured(column: ChartColumn) -> dict[str, Any]:
    """A colour or size by a number: its legend names the unit, and round numbers as an axis does."""
    form = axis_format(column)
    return {
        "field": escape_field(column.name), "type": "quantitative", "title": _title(column),
        "legend": {"titleLimit": _LEGEND, **({"format": form} if form else {})},
    }  # fmt: skip


def color(column: ChartColumn, sort: Any = None) -> dict[str, Any]:
    """A colour encoding: categorical palette for up to eight values, a wider one beyond, sequential for numbers."""
    encoding: dict[str, Any] = {"field": escape_field(column.name), "title": _title(column)}
    if column.kind in ("number", "bin"):
        return {**measured(column), "scale": {"scheme": SEQUENTIAL}}
    encoding["type"] = "nominal" if column.kind == "category" else "ordinal"
    if column.kind == "time":
        encoding |= _in_steps(column)
    elif column.kind == "ordinal":
        encoding["scale"] = {"scheme": SEQUENTIAL}
    elif column.cardinality <= len(PALETTE) + missing(column):
        encoding["scale"] = colours(column, PALETTE) or {"range": PALETTE}
    else:
        encoding["scale"] = {"scheme": "tableau20"}
        if column.cardinality > 30:
            encoding["legend"] = {"columns": 2, "symbolLimit": 40}
    if (order := ordered_values(column) or sort) is not None and column.kind == "category":
        encoding["sort"] = order
    if (written := label_expression(column, _NAMES.get(column.grain or "", ()))) is not None:
        encoding["legend"] = {**encoding.get("legend", {}), "labelExpr": written}
    return encoding


def tooltip(columns: tuple[ChartColumn, ...]) -> list[dict[str, Any]]:
    """Every column, with its title and format."""
    shown = []
    for column in columns:
        entry: dict[str, Any] = {"field": escape_field(column.name), "type": _type(column), "title": _title(column)}
        if column.kind == "number":
            entry["format"] = number_format(column) or ",.4~g"
        elif column.kind == "time":
            entry["format"] = _TIME_FORMATS.get(column.grain or "day", "%Y-%m-%d")
        elif column.kind == "bin":
            entry["type"] = "quantitative"
        shown.append(entry)
    return shown


def _type(column: ChartColumn) -> str:
    return {
        "category": "nominal",
        "time": "temporal",
        "ordinal": "ordinal",
        "number": "quantitative",
        "bin": "quantitative",
    }[column.kind]


def _title(column: ChartColumn) -> str:
    return with_unit(column.title, column.currency or column.unit)
