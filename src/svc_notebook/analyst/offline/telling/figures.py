"""Numbers, moments and groups as people write them: ``336,776``, ``12.6 minutes``, ``2.5 %``, ``July 2013``."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

from ...charts import ChartColumn
from ..plans.phrases import MONTH_NAMES, WEEKDAY_NAMES
from ..schema.nouns import flag_words, lowered

__all__ = ["changed", "figure", "label", "number", "numbers", "points", "said"]

_SIGNS = {"USD": "$", "EUR": "€", "GBP": "£"}
_WITH_CENTS = 1000
_NAMED = {"weekday": WEEKDAY_NAMES, "month_of_year": MONTH_NAMES}


def figure(value: Any, form: str | None = None, currency: str | None = None) -> str:
    """A value by its format: ``336,776``, ``12.6``, ``2.5 %``, ``$1,200``."""
    if value is None:
        return "no value"
    # Before numbers, and moments before days: to Python True is a number, and a datetime is a date.
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        whole = (value.hour, value.minute, value.second) == (0, 0, 0)
        return value.strftime("%Y-%m-%d" if whole else "%Y-%m-%d %H:%M")
    if isinstance(value, date):
        return value.isoformat()
    found = number(value)
    if found is None:
        return "no value" if isinstance(value, float) else str(value)
    if form and form.startswith("percent"):
        return f"{_plain(found * 100, 1)} %"
    if form == "id":
        return f"{found:.0f}"
    text = _cents(abs(found)) if currency else _plain(abs(found), 2)
    sign = "-" if found < 0 and text != "0" else ""
    mark = _SIGNS.get(currency or "", "")
    return f"{sign}{mark}{text}" if mark or not currency else f"{sign}{text} {currency}"


def _cents(value: float) -> str:
    """An amount of money: to the cent, unless it is whole, large, or less than one."""
    return f"{value:.2f}" if 0.01 <= value < _WITH_CENTS and not value.is_integer() else _plain(value, 2)


def _plain(value: float, places: int) -> str:
    size = abs(value)
    # Beyond that a float does not hold every whole number, and digits would be made up.
    if float(value).is_integer() and size < 1e15:
        return f"{int(value):,}" if places == 2 else f"{value:.{places}f}"
    if size >= 1000:
        return f"{value:,.0f}"
    if size >= 1 or (places == 1 and size >= 0.1):
        text = f"{value:,.{places}f}"
        return text.rstrip("0").rstrip(".") if places == 2 else text
    return f"{value:.3g}" if places == 2 else f"{value:.2g}"


def said(column: ChartColumn, value: Any) -> str:
    """A number of a column with its unit."""
    text = figure(value, column.format, column.currency)
    if not column.unit or value is None or text.endswith("%"):
        return text
    one = text.lstrip("-") == "1" and column.unit.endswith("s")
    return f"{text} {column.unit[:-1] if one else column.unit}"


def points(column: ChartColumn) -> bool:
    """Whether a column holds percentages, whose difference is in percentage points."""
    return column.unit == "%" or bool(column.format and column.format.startswith("percent"))


def changed(column: ChartColumn, later: float, earlier: float) -> str:
    """A difference with its sign: in points for percentages, else in the column's unit and in per cent."""
    gap = later - earlier
    sign = "+" if gap > 0 else ""
    if points(column):
        factor = 1 if column.unit == "%" else 100
        return f"{sign}{figure(gap * factor)} percentage points"
    # Of what was nothing or less, or has come to be less, per cent would mislead.
    share = f", {sign}{figure(gap / earlier, 'percent')}" if earlier > 0 <= later else ""
    return f"{sign}{said(column, gap)}{share}"


def number(value: Any) -> float | None:
    if isinstance(value, (str, date)):
        return None
    try:
        found = float(value)
    except (TypeError, ValueError):
        return None
    return found if math.isfinite(found) else None


def numbers(column: ChartColumn) -> list[float | None]:
    return [number(cell) for cell in column.cells or ()]


def label(column: ChartColumn, value: Any) -> str:
    """A group as people call it."""
    if value is None:
        return f"no {lowered(column.title)}"
    names: Sequence[str] | None = _NAMED.get(column.grain or "")
    if names is not None and isinstance(value, (int, float)) and 1 <= value < len(names):
        return str(names[int(value)])
    if column.grain == "hour_of_day" and isinstance(value, (int, float)):
        return f"{int(value)}:00"
    if column.width is not None and (low := number(value)) is not None:
        form = "id" if column.format == "id" else None  # years
        return f"{figure(low, form)} to {figure(low + column.width, form)}"
    if isinstance(value, date):
        return _moment(column.grain, value)
    if isinstance(value, bool):
        return flag_words(column.title, value)
    if isinstance(value, (int, float)):
        amount = column.kind == "number" and column.format != "id"
        return figure(value) if amount else f"{value:g}" if isinstance(value, float) else str(value)
    return str(value)


def _moment(grain: str | None, value: date) -> str:
    known = {
        "year": f"{value:%Y}", "month": f"{value:%B %Y}", "quarter": f"Q{(value.month - 1) // 3 + 1} {value.year}",
        "week": f"the week of {value.day} {value:%B %Y}", "day": f"{value.day} {value:%B %Y}",
    }  # fmt: skip
    whole = not isinstance(value, datetime) or (value.hour, value.minute, value.second) == (0, 0, 0)
    return known.get(grain or "", "") if whole and grain in known else figure(value)
