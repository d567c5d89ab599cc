"""Numbers, moments and groups as they are written in a language: ``1.234,5``, ``12. März 2023``."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from .... import patterns as re
from ...charts import ChartColumn
from ..telling.figures import figure as english_figure
from ..telling.figures import number, points
from .phrases import Phrases

__all__ = ["changed", "exact", "figure", "label", "moment", "said"]

_SIGNS = {"USD": "$", "EUR": "€", "GBP": "£"}
_DIGITS = re.compile(r"\d[\d,]*(?:\.\d+)?")


def figure(value: Any, phrases: Phrases, form: str | None = None) -> str:
    """A value by its format, without its unit."""
    if value is None or isinstance(value, float) and number(value) is None:
        return phrases.say("no_value")
    if isinstance(value, bool):
        return phrases.say("true" if value else "false")
    if isinstance(value, date):
        return moment(value, phrases)
    text = english_figure(value, form)
    return (
        text
        if isinstance(value, str) or form == "id"
        else _DIGITS.sub(lambda m: phrases.locale.digits(m.group()), text)
    )


def exact(value: Any, phrases: Phrases) -> str:
    """A value that rows are compared with, as it was said."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return _DIGITS.sub(lambda m: phrases.locale.digits(m.group()), f"{value:,}")
    return figure(value, phrases)


def said(column: ChartColumn, value: Any, phrases: Phrases) -> str:
    """A number of a column with its unit."""
    text = figure(value, phrases, column.format)
    if value is None or text.endswith("%"):
        return text
    unit = column.unit or (_SIGNS.get(column.currency, column.currency) if column.currency else "")
    return f"{text} {phrases.locale.units.get(unit, unit)}" if unit else text


def changed(column: ChartColumn, later: float, earlier: float, phrases: Phrases) -> str:
    """A difference with its sign: in points for percentages, else in the column's unit and in per cent."""
    gap = later - earlier
    sign = "+" if gap > 0 else ""
    if points(column):
        shown = figure(gap * (1 if column.unit == "%" else 100), phrases)
        return phrases.say("points", gap=f"{sign}{shown}")
    by = f"{sign}{said(column, gap, phrases)}"
    if not earlier > 0 <= later:
        return by
    return phrases.say("change", gap=by, share=f"{sign}{figure(gap / earlier, phrases, 'percent')}")


def label(column: ChartColumn, value: Any, phrases: Phrases) -> str:
    """A group as people call it."""
    if value is None:
        return phrases.say("without", title=column.title)
    if (
        column.grain in ("weekday", "isoweekday")
        and isinstance(value, (int, float))
        and 1 <= value <= len(phrases.locale.weekdays)
    ):
        return phrases.locale.weekdays[int(value) - 1]
    if column.grain == "month_of_year" and isinstance(value, (int, float)) and 1 <= value <= len(phrases.locale.months):
        return phrases.locale.months[int(value) - 1]
    if column.grain == "hour_of_day" and isinstance(value, (int, float)):
        return phrases.say("hour", hour=int(value))
    if column.width is not None and (low := number(value)) is not None:
        return phrases.say("bin", low=figure(low, phrases), high=figure(low + column.width, phrases))
    if isinstance(value, date):
        return moment(value, phrases, column.grain)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        amount = column.kind == "number" and column.format != "id"
        return figure(value, phrases) if amount else f"{value:g}" if isinstance(value, float) else str(value)
    return figure(value, phrases) if isinstance(value, bool) else str(value)


def moment(value: date, phrases: Phrases, grain: str | None = None) -> str:
    """A moment, or the unit of time that begins there."""
    timed = isinstance(value, datetime) and (value.hour, value.minute, value.second) != (0, 0, 0)
    locale = phrases.locale
    unit = grain if grain is not None and grain in locale.dates else "day"
    pattern = locale.dates["moment" if timed else unit]
    hour, minute = (value.hour, value.minute) if isinstance(value, datetime) else (0, 0)
    return pattern.format(
        year=value.year, quarter=(value.month - 1) // 3 + 1, month=locale.months[value.month - 1], day=value.day,
        hour=hour, minute=minute,
    )  # fmt: skip
