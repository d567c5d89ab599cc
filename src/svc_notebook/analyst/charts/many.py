"""More series or bars than an eye can follow: the largest and the rest together, panels with one scale, or shades."""

from __future__ import annotations

from typing import Any

from .columns import ChartColumn, escape_field, quoted
from .orders import without

__all__ = ["TOP", "most_series", "panels", "rest_together", "too_many_bars"]

TOP = 7
_SERIES = 12
_BARS = 36
_PANELS = 30


def most_series(series: ChartColumn) -> bool:
    """Whether a chart cannot show each series by a colour."""
    return series.cells is not None and series.kind == "category" and series.cardinality > _SERIES


def too_many_bars(axis: ChartColumn, series: ChartColumn) -> bool:
    return axis.cells is not None and axis.cardinality * series.cardinality > _BARS


def rest_together(series: ChartColumn, value: ChartColumn) -> tuple[list[dict[str, Any]], ChartColumn]:
    """Transforms that keep the largest series and call all others by one name, and the series they make.

    Rows without a value of the series stay what they are, behind the others: they are no series among the largest.
    """
    total, field = "__total", escape_field(series.name)
    at = "datum['" + quoted(series.name) + "']"
    sums: dict[Any, float] = {}
    for cell, number in zip(series.cells or (), value.cells or (), strict=False):
        sums[cell] = sums.get(cell, 0.0) + float(number or 0)
    kept = sorted((cell for cell in sums if isinstance(cell, str)), key=lambda cell: -sums[cell])[:TOP]
    transforms: list[dict[str, Any]] = [
        {"joinaggregate": [{"op": "sum", "field": escape_field(value.name), "as": total}], "groupby": [field]},
        {"calculate": f"isValid({at}) ? datum.{total} : null", "as": total},
        {"window": [{"op": "dense_rank", "as": "__place"}], "sort": [{"field": total, "order": "descending"}]},
        {
            "calculate": f"!isValid({at}) ? null : datum.__place <= {TOP} ? {at} : '{quoted(series.rest)}'",
            "as": "__series",
        },
    ]  # fmt: skip
    cells = tuple(cell if cell in kept or cell is None else series.rest for cell in series.cells or ())
    made = ChartColumn(
        "__series",
        "category",
        series.title,
        member=series.member,
        noun=series.noun,
        known=(*series.known, series.rest),
        order=(*kept, series.rest),
        without=without(series),
        rest=series.rest,
    ).filled(cells)
    return transforms, made


def panels(series: ChartColumn) -> dict[str, Any] | None:
    """A panel for each series, all with the same scales; None where even these are too many."""
    if series.cardinality > _PANELS:
        return None
    return {"field": escape_field(series.name), "type": "nominal", "title": series.title, "columns": 4}
