"""A chart in another language: its numbers, months and days as they are written there, and groups without a name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ...charts import ChartColumn
from .phrases import Phrases

__all__ = ["axes_in", "named_in"]

_DAY, _QUARTER = "%-d %b", "Q%q"  # as the rules for charts write them


def named_in(column: ChartColumn, title: str, phrases: Phrases) -> ChartColumn:
    """A column under its title in a language, with what a chart calls its groups."""
    names = {"weekday": phrases.locale.short_weekdays, "month_of_year": phrases.locale.short_months}.get(
        column.grain or "", ()
    )
    without = phrases.say("without", title=title)
    return replace(
        column, title=title, names=tuple(names), without=without, rest=phrases.say("rest"),
        truth=(phrases.say("true"), phrases.say("false")), unit=phrases.locale.units.get(column.unit, column.unit),
        steps=phrases.say("bin_steps", title="{title}", width="{width}"),
    )  # fmt: skip


def axes_in(spec: dict[str, Any] | None, phrases: Phrases) -> dict[str, Any] | None:
    """A specification whose axes, legends and tooltips are written as in a language."""
    if spec is None:
        return None
    own = phrases.locale
    locale = {
        "number": {
            "decimal": own.decimal, "thousands": own.thousands, "grouping": [3], "currency": ["$", ""],
            "percent": "\u00a0%",
        },
        "time": {
            "dateTime": f"{own.axis_day} %Y %H:%M:%S", "date": f"{own.axis_day} %Y", "time": "%H:%M:%S",
            "periods": ["AM", "PM"], "months": list(own.months), "shortMonths": list(own.short_months),
            "days": _from_sunday(own.weekdays), "shortDays": _from_sunday(own.short_weekdays),
        },
    }  # fmt: skip
    written: dict[str, Any] = _written(spec, phrases)
    return {**written, "config": {**written.get("config", {}), "locale": locale}}


def _from_sunday(days: Any) -> list[str]:
    return [days[-1], *days[:-1]]


def _written(part: Any, phrases: Phrases) -> Any:
    """The parts of a specification with the formats of moments as they are written in a language."""
    if isinstance(part, Mapping):
        return {
            key: value.replace(_DAY, phrases.locale.axis_day).replace(_QUARTER, phrases.locale.axis_quarter)
            if key == "format" and isinstance(value, str)
            else _written(value, phrases)
            for key, value in part.items()
        }
    return [_written(each, phrases) for each in part] if isinstance(part, list) else part
