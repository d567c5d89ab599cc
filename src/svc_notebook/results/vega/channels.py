"""What a channel lacks and the result knows: the type of a column, and what people call it.

Vega-Lite has defaults of its own, and they stay: nothing is written where it would choose by aggregate, bin, time
unit, order or channel, nor for fields that the chart calculates.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..values import ColumnLike, is_numeric, is_temporal

__all__ = ["column_type", "reads_time", "titled", "typed"]

_SECONDARY = frozenset(
    {"x2", "y2", "theta2", "radius2", "latitude2", "longitude2", "xError", "xError2", "yError", "yError2"}
)
_OWN_DEFAULT = frozenset({"row", "column", "facet", "shape", "order", "latitude", "longitude", "href", "key", "detail"})
_COUNTS = frozenset({"count", "distinct", "valid", "missing"})
_WORDED = {
    "mean": "Mean",
    "average": "Average",
    "median": "Median",
    "sum": "Sum",
    "min": "Min",
    "max": "Max",
    "q1": "Q1",
    "q3": "Q3",
}


def column_type(column: ColumnLike) -> str:
    """Vega-Lite's type for a column."""
    return "quantitative" if is_numeric(column) else "temporal" if is_temporal(column) else "nominal"


def typed(channel: str, definition: Mapping[str, Any], column: ColumnLike | None) -> str | None:
    """The type to write where none stands; None leaves it to Vega-Lite."""
    # A second end takes the type of the first, and is refused by Vega-Lite with one of its own.
    if column is None or "type" in definition or channel in _SECONDARY | _OWN_DEFAULT:
        return None
    if (
        any(key in definition for key in ("aggregate", "timeUnit"))
        or definition.get("bin")
        or isinstance(definition.get("sort"), list)
    ):
        return None
    return column_type(column)


def reads_time(definition: Mapping[str, Any]) -> bool:
    """Whether the channel's field is read as a point in time."""
    return str(definition.get("aggregate")) not in _COUNTS and (
        definition.get("type") == "temporal" or "timeUnit" in definition
    )


def titled(channel: str, definition: Mapping[str, Any], column: ColumnLike) -> str | None:
    """What the column is called, said as Vega-Lite would say its name; None where its own words must stand."""
    if not column.title or column.title == column.name or channel in _SECONDARY:
        return None
    operation = definition.get("aggregate")
    if operation is None and not definition.get("bin") and "timeUnit" not in definition:
        return column.title
    if isinstance(operation, str) and operation in _WORDED and not definition.get("bin"):
        return f"{_WORDED[operation]} of {column.title}"
    if operation is None and definition.get("bin"):
        return f"{column.title} (binned)"
    return column.title if operation is None else None
