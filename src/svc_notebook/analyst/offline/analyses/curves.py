"""Bins drawn as a curve: how dense the values lie, or what share of them lies below each."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

from ...charts import ChartColumn
from ...charts.columns import quoted
from ...charts.encodings import PALETTE, position

__all__ = ["CURVES", "Curve", "curve"]

Curve = Literal["bars", "density", "cumulative"]
CURVES = {"density": "the share of rows in each step", "cumulative": "the share of rows up to each value"}


def curve(
    kind: Curve, column: ChartColumn, rows: str, count: int, below: int, title: str, subtitle: str
) -> dict[str, Any]:
    """A specification over the rows of a distribution: a bin's lower edge and how many rows it has.

    Parameters
    ----------
    column
        The bins, filled, with their width.
    rows
        The name of the column with the number of rows.
    count, below
        Of how many rows, and how many of them lie below the first bin.
    """
    width = column.width or 0.0
    empty, edge = _empty_bins(column, rows, width)
    if kind == "density":
        # How dense values lie is told of the middle of a step, what lies below is reached at its end.
        at, share = f"{edge} + {width / 2!r}", f"datum['{quoted(rows)}'] / {count}"
        sums: list[dict[str, Any]] = []
        mark: dict[str, Any] = {
            "type": "area",
            "interpolate": "monotone",
            "line": {"color": PALETTE[0]},
            "opacity": 0.5,
        }
    else:
        at, share = f"{edge} + {width!r}", f"({below} + datum.__so_far) / {count}"
        sums = [{"window": [{"op": "sum", "field": rows, "as": "__so_far"}], "sort": [{"field": "__bin"}]}]
        mark = {"type": "line", "interpolate": "monotone"}
    x = position(replace(column, kind="number"), zero=False)
    form = {"format": ".1~%"}
    head = CURVES[kind][:1].upper() + CURVES[kind][1:]
    y = {"field": "__share", "type": "quantitative", "title": head, "axis": form, "scale": {"zero": True}}
    tips = [
        {"field": "__at", "type": "quantitative", "title": x["title"], "format": ",.4~g"},
        {"field": "__share", "type": "quantitative", "title": head, "format": ".1%"},
    ]
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "title": {"text": title, "subtitle": subtitle, "anchor": "start"}, "description": f"{subtitle}.",
        "transform": [*empty, *sums, {"calculate": at, "as": "__at"}, {"calculate": share, "as": "__share"}],
        "mark": {**mark, "color": PALETTE[0]}, "width": 520, "height": 280,
        "encoding": {"x": {**x, "field": "__at"}, "y": y, "tooltip": tips},
    }  # fmt: skip


def _empty_bins(column: ChartColumn, rows: str, width: float) -> tuple[list[dict[str, Any]], str]:
    """Bins without rows are none of the result's: a curve goes down to nothing there. And a bin's lower edge."""
    # By their number: edges are sums of floats, which as keys would not meet.
    places = [round(float(cell) / width) for cell in column.cells or () if cell is not None]
    number = {"calculate": f"round(datum['{quoted(column.name)}'] / {width!r})", "as": "__bin"}
    whole = {"start": min(places, default=0), "stop": max(places, default=0) + 1}
    filled = {"impute": rows, "key": "__bin", "keyvals": whole, "value": 0}
    return [number, filled], f"datum.__bin * {width!r}"
