"""Rules from the columns of a result to a Vega-Lite v5 spec without data.

The order of preference follows the literature on graphical perception (Cleveland and McGill; Mackinlay's ranking; the
rules of
Show Me): position before length before colour; time on x as a line; parts of a whole stacked only when they add up; few
series by colour, many by small multiples or a heat map; a pie only when asked for, or for a share over few parts.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

from .along_time import RUN, bars_along, broken, faint, hollow, line_mark
from .columns import ChartColumn, ChartRequest, escape_field, quoted
from .direct import named_at_their_ends
from .encodings import PALETTE, SEQUENTIAL, THOUSANDS, color, measured, number_format, position, steps, tooltip
from .few_rows import compared_span, pale
from .lines import wrapped
from .many import most_series, panels, rest_together, too_many_bars
from .orders import longest, missing, ordered_values, ranked_values

__all__ = ["choose_chart"]

_SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
_MANY = 60
_TICKS = 10
_SHOWN = 50
_WIDE = 12
_LEAST_WIDE = 240  # pixels that few bars share
_LONG = 14  # characters of a name from which on bars lie


def choose_chart(request: ChartRequest) -> dict[str, Any] | None:
    """A spec for the request, or None when a picture adds nothing (one number, a list of texts, a day for each)."""
    if request.table:
        return None
    dims = [c for c in request.columns if not c.measured]
    measures = [c for c in request.columns if c.measured]
    if measures and any(isinstance(cell, date) for cell in measures[0].cells or ()):
        return None  # when the first of them came is no height
    body = _rows(request, dims, measures) if request.rows else _grouped(request, dims, measures)
    if body is None:
        return None
    spec: dict[str, Any] = {"$schema": _SCHEMA}
    if request.title:
        spec["title"] = {"text": wrapped(request.title), "anchor": "start"}
        if subtitle := "; ".join(part for part in (request.subtitle, _cut(request, dims, body)) if part):
            spec["title"]["subtitle"] = wrapped(subtitle, 80)
    if request.description:
        spec["description"] = request.description
    spec.update(body)
    return spec


def _cut(request: ChartRequest, dims: list[ChartColumn], body: dict[str, Any]) -> str:
    """That only the largest of very many groups are drawn; a pie has the others in a slice."""
    one = dims[0] if len(dims) == 1 and not request.rows and not request.ordered else None
    if one is None or one.cells is None or one.kind != "category" or one.cardinality <= _MANY:
        return ""
    mark = body.get("mark")
    if isinstance(mark, dict) and mark["type"] == "arc":
        return ""
    return f"the {_SHOWN} largest of {one.cardinality:,}"


def _rows(request: ChartRequest, dims: list[ChartColumn], measures: list[ChartColumn]) -> dict[str, Any] | None:
    columns = list(request.columns)
    if request.mark is None and len(columns) > 4:
        return None
    numbers = [c for c in columns if c.kind == "number"]
    if request.mark == "point" and len(columns) >= 2 and len(numbers) < 2:
        first, second = (columns[0], columns[1])
        return _points(request, first, second, columns[2:])
    if len(numbers) >= 2 and request.mark in (None, "point"):
        others = [c for c in columns if c is not numbers[0] and c is not numbers[1]]
        return _points(request, numbers[0], numbers[1], others)
    rest = [c for c in columns if c.kind != "number"] or columns[:1]
    value = next((c for c in numbers if c is not rest[0]), None)
    if value is None or request.mark is None and rest[0].kind != "time" and len(columns) != 2:
        return None
    if request.mark is None and rest[0].cardinality > _MANY:
        return None
    return _grouped(request, rest[:2], [value])


def _grouped(request: ChartRequest, dims: list[ChartColumn], measures: list[ChartColumn]) -> dict[str, Any] | None:
    if not dims or not measures:
        return None
    if request.mark == "point" and len(measures) >= 2:
        return _points(request, measures[0], measures[1], dims)
    if request.mark == "point":
        numeric = next((d for d in dims if d.kind != "category"), dims[0])
        return _points(request, numeric, measures[0], [d for d in dims if d is not numeric])
    value = measures[0]
    if value.cells is not None and len(value.cells) == 1 and request.mark is None:
        return _big_number(value)
    if len(measures) > 1 and len(dims) == 1 and _alike(measures):
        return _several(request, dims[0], measures)
    if len(measures) == 2 and len(dims) == 1 and request.mark in (None, "bar", "line") and value.cells is not None:
        return _side_by_side(request, dims[0], measures)
    if request.mark == "arc":
        return _pie(request, dims, value)
    if request.mark == "rect" and len(dims) >= 2:
        return _heat(request, dims[0], dims[1], value)
    if len(dims) == 1:
        return _single(request, dims[0], value)
    axis, series = _axis_and_series(request, dims)
    if (
        request.mark not in ("line", "bar", "area")
        and axis.cardinality > 15
        and series.cardinality > 12
        and axis.kind != "time"
    ):
        return _heat(request, axis, series, value)
    return _split(request, axis, series, value, dims[2:])


def _big_number(value: ChartColumn) -> dict[str, Any]:
    """One number: a bar of it would say nothing."""
    said = f"format(datum['{quoted(value.name)}'], '{number_format(value) or _digits(value)}')"
    unit = f" + ' {quoted(value.unit)}'" if value.unit else ""
    mark = {"type": "text", "fontSize": 40, "fontWeight": "bold", "color": PALETTE[0], "align": "left", "x": 4}
    return {
        "transform": [{"calculate": said + unit, "as": "__said"}],
        "mark": mark,
        "width": 360,
        "height": 64,
        "encoding": {"text": {"field": "__said", "type": "nominal"}, "tooltip": tooltip((value,))},
    }


def _digits(value: ChartColumn) -> str:
    """Two places of a small number, as it is said in words; none of a large one."""
    size = max((abs(float(cell)) for cell in value.cells or () if isinstance(cell, (int, float, Decimal))), default=0.0)
    return ",.0f" if size >= 1000 else ",.2~f" if size >= 1 else ",.3~r"


def _side_by_side(request: ChartRequest, axis: ChartColumn, measures: list[ChartColumn]) -> dict[str, Any]:
    """Two numbers in two units: each has a panel and an axis of its own, the groups are in one order."""
    parts = []
    for place, value in enumerate(measures):
        part = _single(request, axis, value)
        if part.get("mark", {}).get("type") == "bar" and axis.kind == "category":
            order = ordered_values(axis) or (None if request.ordered else ranked_values(axis, measures[0]))
            y = position(axis, sort=order)
            if place:
                y = {**y, "axis": {**y.get("axis", {}), "labels": False, "ticks": False}, "title": None}
            part = {
                "mark": part["mark"], "width": 230, "height": {"step": 18},
                "encoding": {"y": y, "x": position(value, zero=True), "tooltip": tooltip((axis, value))},
            }  # fmt: skip
        else:
            part = {**part, "height": 150}
        parts.append(part)
    return {"hconcat" if "y" in parts[0]["encoding"] and axis.kind == "category" else "vconcat": parts}


def _mark_for(request: ChartRequest, axis: ChartColumn) -> str:
    if request.mark in ("bar", "line", "area"):
        return request.mark
    if axis.kind == "time":
        return "line"
    if axis.kind == "ordinal" and axis.grain == "year" or request.mark == "line":
        return "line"
    return "bar"


def _single(request: ChartRequest, axis: ChartColumn, value: ChartColumn) -> dict[str, Any]:
    mark = _mark_for(request, axis)
    if request.mark is None and axis.kind == "time" and axis.cardinality in (1, 2):
        mark = "bar"  # between two points nothing is seen to run
    if mark in ("line", "area"):
        return _running(axis, value, mark)
    if axis.kind == "bin":
        encoding = {"x": position(axis), "y": position(value, zero=True), "tooltip": tooltip((axis, value))}
        return {"mark": _plain_bar(), "width": 520, "height": 280, "encoding": encoding}
    if axis.kind == "ordinal" and axis.grain is None and axis.cardinality > _MANY and _all_numbers(axis):
        return _points(request, replace(axis, kind="number"), value, [])  # bars of so many would be one surface
    sort: Any = None if request.ordered else ordered_values(axis) or ranked_values(axis, value) or "-value"
    body: dict[str, Any] = {"mark": _plain_bar()}
    if axis.cardinality > _MANY and not request.ordered and axis.kind == "category":
        body["transform"] = _top_rows(axis, value)
    lying = request.horizontal or axis.kind == "category" and (axis.cardinality > 12 or longest(axis) > _LONG)
    return {**body, **(_lying(request, axis, value, sort) if lying else _standing(axis, value, sort))}


def _plain_bar() -> dict[str, Any]:
    return {"type": "bar", "color": PALETTE[0]}


def _running(axis: ChartColumn, value: ChartColumn, mark: str) -> dict[str, Any]:
    """A line, or the area below it."""
    body: dict[str, Any] = {
        "mark": line_mark(axis, PALETTE[0]) if mark == "line" else {"type": mark, "color": PALETTE[0]},
        "width": 520,
        "height": 280,
        "encoding": {
            "x": position(axis, sort=None),
            "y": position(value, zero=value.additive or mark == "area"),
            **(hollow(axis) if mark == "line" else {}),
            "tooltip": tooltip((axis, value)),
        },
    }
    return _with_holes(body, axis, None) if mark == "line" else body


def _lying(request: ChartRequest, axis: ChartColumn, value: ChartColumn, sort: Any) -> dict[str, Any]:
    """Bars from left to right: many of them, or long names."""
    shown = min(axis.cardinality or 12, _SHOWN) if not request.ordered else axis.cardinality
    step = 18 if shown <= 40 else 13
    y = position(axis, sort="-x" if sort == "-value" else sort)
    tips = tooltip((axis, value))
    return {
        "width": 460,
        "height": {"step": step} if axis.cardinality <= _MANY else 13 * _SHOWN,
        "encoding": {"y": y, "x": position(value, zero=True), **pale((axis,), value), "tooltip": tips},
    }


def _standing(axis: ChartColumn, value: ChartColumn, sort: Any) -> dict[str, Any]:
    """Bars beside each other, as wide as their names where these are short."""
    few = _LEAST_WIDE // axis.cardinality if axis.cardinality else 0
    step = min(max(44, longest(axis) * 8, few), 104)
    x = bars_along(axis, "-y" if sort == "-value" and axis.kind == "category" else sort)
    room = step if axis.cardinality <= _WIDE else 520 / axis.cardinality
    if axis.kind in ("category", "ordinal") and axis.cells is not None and longest(axis) * 7 <= room:
        x["axis"] = {**x["axis"], "labelAngle": 0}
    tips = tooltip((axis, value))
    return {
        "width": {"step": step} if 0 < axis.cardinality <= _WIDE else 520,
        "height": 280,
        "encoding": {"x": x, "y": position(value, zero=True), **faint(axis), **pale((axis,), value), "tooltip": tips},
    }


def _all_numbers(axis: ChartColumn) -> bool:
    return all(isinstance(cell, int | float | Decimal) for cell in axis.cells or () if cell is not None)


def _with_holes(body: dict[str, Any], axis: ChartColumn, series: ChartColumn | None) -> dict[str, Any]:
    """A line chart whose lines end where periods have no rows."""
    transforms = broken(axis, series)
    if not transforms:
        return body
    detail = {"detail": {"field": RUN, "type": "nominal"}}
    return {**body, "transform": [*body.get("transform", ()), *transforms], "encoding": {**body["encoding"], **detail}}


def _top_rows(axis: ChartColumn, value: ChartColumn) -> list[dict[str, Any]]:
    """Only the largest bars of very many: the rest would not be readable."""
    named = [{"filter": f"isValid(datum['{quoted(axis.name)}'])"}] if missing(axis) else []
    return [
        *named,
        {
            "window": [{"op": "rank", "as": "__rank"}],
            "sort": [{"field": escape_field(value.name), "order": "descending"}],
        },
        {"filter": {"field": "__rank", "lte": _SHOWN}},
    ]


def _axis_and_series(request: ChartRequest, dims: list[ChartColumn]) -> tuple[ChartColumn, ChartColumn]:
    """Which grouping goes along the axis: what was said, else time, bins and order, else the one with more values."""
    first, second = dims[0], dims[1]
    wishes = {request.channel_of(first.member): first, request.channel_of(second.member): second}
    if "x" in wishes:
        return (first, second) if wishes["x"] is first else (second, first)
    facet = wishes.get("facet")
    if facet is not None:
        return (second, first) if facet is first else (first, second)
    order = {"time": 0, "bin": 1, "ordinal": 2, "number": 2, "category": 3}
    if order[first.kind] < 2 or order[second.kind] < 2 or first.grain == "year" or second.grain == "year":
        keyed = sorted(
            (first, second), key=lambda c: 0 if c.kind == "time" else 1 if c.grain == "year" else 1 + order[c.kind]
        )
        return keyed[0], keyed[1]
    if "color" in wishes:
        tall = wishes["color"]
        other = second if tall is first else first
        return (
            (tall, other)
            if other.cardinality and tall.cardinality > other.cardinality and not request.stacked and not _adds(request)
            else (other, tall)
        )
    if second.cardinality > first.cardinality > 0:
        return second, first
    return first, second


def _adds(request: ChartRequest) -> bool:
    return any(c.measured and c.additive for c in request.columns)


def _split(
    request: ChartRequest, axis: ChartColumn, series: ChartColumn, value: ChartColumn, more: list[ChartColumn]
) -> dict[str, Any]:
    mark = _mark_for(request, axis)
    summed: dict[str, Any] = {}
    transforms: list[dict[str, Any]] = []
    if most_series(series) and not more and not request.panels:
        if value.additive:
            transforms, series = rest_together(series, value)
            summed = {"aggregate": "sum"}
        elif (facet := panels(series)) is not None and mark == "line":
            return _panels(axis, series, value, facet, mark)
    if request.panels and not more and (facet := panels(series)) is not None:
        return _panels(axis, series, value, facet, mark)
    tips = tooltip((axis, series, value, *more))
    if summed:
        tips[-1] = {**tips[-1], **summed}
    body: dict[str, Any]
    if mark == "line":
        body = _lines(axis, series, value, tips, summed)
        if not more and not summed:
            return named_at_their_ends(body, axis, series, value)
    elif mark == "area":
        encoding = {"x": position(axis), "y": {**position(value), **summed}, "color": color(series), "tooltip": tips}
        body = {"mark": {"type": "area"}, "width": 520, "height": 300, "encoding": encoding}
    elif (value.additive or request.stacked) and not request.grouped:
        body = _stacked(request, axis, series, value, tips, summed)
    elif request.channel_of(series.member) == "facet":
        body = _in_columns(axis, series, value, tips)
    elif too_many_bars(axis, series) and request.mark is None and not request.grouped:
        return _heat(request, *((series, axis) if axis.cardinality > series.cardinality else (axis, series)), value)
    else:
        body = _beside_each_other(request, axis, series, value, tips)
    if transforms:
        body["transform"] = [*transforms, *body.get("transform", ())]
    if more:
        body["encoding"]["row"] = {"field": escape_field(more[0].name), "type": "nominal", "title": more[0].title}
    return body


def _lines(
    axis: ChartColumn, series: ChartColumn, value: ChartColumn, tips: list[dict[str, Any]], summed: dict[str, Any]
) -> dict[str, Any]:
    encoding: dict[str, Any] = {
        "x": position(axis),
        "y": {**position(value, zero=value.additive), **summed},
        "color": color(series),
        **hollow(axis),
        "tooltip": tips,
    }
    body = {"mark": line_mark(axis), "width": 520, "height": 300, "encoding": encoding}
    return _with_holes(body, axis, series)


def _stacked(
    request: ChartRequest, axis: ChartColumn, series: ChartColumn, value: ChartColumn, tips: list[dict[str, Any]],
    summed: dict[str, Any],
) -> dict[str, Any]:  # fmt: skip
    ranked = axis.kind == "category" and not request.ordered
    sort: Any = ordered_values(axis) or (ranked_values(axis, value) or "-y" if ranked else None)
    encoding = {
        "x": bars_along(axis, sort),
        "y": {**position(value, zero=True), **summed, "stack": "zero"},
        "color": color(series),
        **faint(axis),
        "tooltip": tips,
    }
    step = min(max(40, longest(axis) * 7), 90)
    return {
        "mark": {"type": "bar"},
        "width": {"step": step} if 0 < axis.cardinality <= 14 else 520,
        "height": 300,
        "encoding": encoding,
    }


def _in_columns(
    axis: ChartColumn, series: ChartColumn, value: ChartColumn, tips: list[dict[str, Any]]
) -> dict[str, Any]:
    """A small picture of bars for each of the series."""
    encoding = {
        "x": position(axis),
        "y": position(value, zero=True),
        "tooltip": tips,
        "column": {"field": escape_field(series.name), "type": "nominal", "title": series.title, "spacing": 8},
    }
    return {"mark": _plain_bar(), "width": {"step": 18}, "height": 240, "encoding": encoding}


def _beside_each_other(
    request: ChartRequest, axis: ChartColumn, series: ChartColumn, value: ChartColumn, tips: list[dict[str, Any]]
) -> dict[str, Any]:
    """A bar for each of the series in each group: numbers that are not added up are not stacked."""
    sort = None if request.ordered else ordered_values(axis) or ranked_values(axis, value)
    encoding: dict[str, Any] = {
        "x": bars_along(axis, sort),
        "xOffset": {"field": escape_field(series.name), "type": "nominal", **_same_order(series)},
        "y": position(value, zero=True),
        "color": color(series),
        **pale((axis, series), value),
        "tooltip": tips,
    }
    step = _offset_step(axis, series)
    if axis.kind == "category" and axis.cells is not None and longest(axis) * 7 <= step * series.cardinality:
        encoding["x"]["axis"] = {**encoding["x"]["axis"], "labelAngle": 0}
    return {"mark": {"type": "bar"}, "width": {"step": step}, "height": 280, "encoding": encoding}


def _offset_step(axis: ChartColumn, series: ChartColumn) -> int:
    """How wide one of several bars side by side is: where there are few groups, so that their names fit below them."""
    if axis.cardinality > _WIDE:
        return 20
    return min(max(20, -(-longest(axis) * 7 // max(1, series.cardinality))), 36)


def _same_order(series: ChartColumn) -> dict[str, Any]:
    order = ordered_values(series)
    return {"sort": order} if order else {}


def _panels(
    axis: ChartColumn, series: ChartColumn, value: ChartColumn, facet: dict[str, Any], mark: str
) -> dict[str, Any]:
    """A small chart for each series, all on one scale."""
    x = {**position(axis, sort=ordered_values(axis)), "title": None}
    if axis.kind == "time":
        x["axis"] = {**x.get("axis", {}), "tickCount": 3}
    y = {**position(value, zero=value.additive or mark != "line"), "title": value.currency or value.unit or None}
    encoding = {"facet": facet, "x": x, "y": y, "tooltip": tooltip((axis, value))}
    body = {
        "mark": {"type": mark, "color": PALETTE[0], **({"point": {"size": 12}} if mark == "line" else {})},
        "width": 130,
        "height": 80,
        "encoding": encoding,
    }
    return _with_holes(body, axis, series) if mark == "line" else body


def _points(request: ChartRequest, x: ChartColumn, y: ChartColumn, others: list[ChartColumn]) -> dict[str, Any]:
    wished_x = next((c for c in (x, y) if request.channel_of(c.member) == "x"), None)
    if wished_x is y or request.channel_of(x.member) == "y":
        x, y = y, x
    encoding: dict[str, Any] = {
        "x": position(x, zero=False),
        "y": position(y, zero=False),
        "tooltip": tooltip(request.columns),
    }
    groups = [c for c in others if c.kind in ("category", "ordinal", "time")]
    numbers = [c for c in others if c.kind == "number"]
    if groups:
        if request.channel_of(groups[0].member) == "facet":
            encoding["facet"] = {
                "field": escape_field(groups[0].name),
                "type": "nominal",
                "title": groups[0].title,
                "columns": 3,
            }
        else:
            encoding["color"] = color(groups[0])
    if len(groups) > 1:
        encoding["facet"] = {
            "field": escape_field(groups[1].name),
            "type": "nominal",
            "title": groups[1].title,
            "columns": 3,
        }
    if numbers:
        encoding["size"] = {"field": escape_field(numbers[0].name), "type": "quantitative", "title": numbers[0].title}
    wide = "facet" not in encoding
    return {
        "mark": {"type": "point", "filled": True, "opacity": 0.65, "size": 40},
        "width": 460 if wide else 220,
        "height": 320 if wide else 180,
        "encoding": encoding,
    }


def _pie(request: ChartRequest, dims: list[ChartColumn], value: ChartColumn) -> dict[str, Any] | None:
    """Parts of a whole, the smallest of many together; bars of what makes no whole: many averages, negative numbers."""
    parts = dims[0]
    transforms: list[dict[str, Any]] = []
    below = any(isinstance(cell, int | float | Decimal) and cell < 0 for cell in value.cells or ())
    if below or most_series(parts) and not value.additive:
        return _grouped(replace(request, mark="bar"), dims, [value])
    if most_series(parts) and len(dims) == 1:
        transforms, parts = rest_together(parts, value)
        sums = {"op": "sum", "field": escape_field(value.name), "as": value.name}
        place = {"op": "min", "field": "__place", "as": "__place"}
        transforms.append({"aggregate": [sums, place], "groupby": [parts.name]})
    encoding: dict[str, Any] = {
        "theta": {"field": escape_field(value.name), "type": "quantitative", "title": value.title, "stack": True},
        "color": color(parts),
        "tooltip": tooltip((parts, *dims[1:], value)),
        "order": {"field": escape_field(value.name), "type": "quantitative", "sort": "descending"},
    }
    mark: dict[str, Any] = {"type": "arc", "stroke": "white"}
    if transforms:
        encoding["order"] = {"field": "__place", "type": "quantitative"}  # the rest last, however much it is
        said = f"format(datum['{quoted(value.name)}'], '{number_format(value) or _digits(value)}')"
        named = f"(isValid(datum['{parts.name}']) ? datum['{parts.name}'] : '{quoted(parts.without)}')"
        mark["description"] = {"expr": f"{named} + ': ' + {said}"}  # by itself it would say the place
    if len(dims) > 1:
        encoding["column"] = {"field": escape_field(dims[1].name), "type": "nominal", "title": dims[1].title}
    drawn: dict[str, Any] = {"transform": transforms} if transforms else {}
    return {**drawn, "mark": mark, "width": 280, "height": 280, "encoding": encoding}


def _heat(request: ChartRequest, x: ChartColumn, y: ChartColumn, value: ChartColumn) -> dict[str, Any]:
    shades = measured(value)
    if x.kind == y.kind == "bin" and x.width and y.width:
        return _grid(x, y, value, {**shades, "scale": {"scheme": SEQUENTIAL, "type": "symlog"}, **_tenfold(value)})
    encoding: dict[str, Any] = {
        "x": steps(x),
        "y": steps(y),
        "color": {**shades, "scale": {"scheme": SEQUENTIAL, **compared_span(value)}},
        **pale((x, y), value),
        "tooltip": tooltip((x, y, value)),
    }
    wide = min(max(18, longest(x) * 7), 64) if x.cells is not None and x.cardinality <= _WIDE else 18
    return {"mark": {"type": "rect"}, "width": {"step": wide}, "height": {"step": 18}, "encoding": encoding}


def _tenfold(value: ChartColumn) -> dict[str, Any]:
    """The steps of a legend whose colours go by powers of ten: by itself it would name the largest numbers alone."""
    most = max((cell for cell in value.cells or () if isinstance(cell, int | float)), default=0)
    steps_ = [10**power for power in range(12) if 10**power <= most]
    return {"legend": {"values": steps_, "format": THOUSANDS}} if len(steps_) > 1 else {}


def _grid(x: ChartColumn, y: ChartColumn, value: ChartColumn, shades: dict[str, Any]) -> dict[str, Any]:
    """Cells of two numbers, each as wide as its bin, on the scales of the numbers."""
    ends = [
        {"calculate": f"datum['{quoted(column.name)}'] {offset:+g}", "as": name}
        for column, names in ((x, ("__left", "__right")), (y, ("__bottom", "__top")))
        for name, offset in zip(names, _sides(column), strict=True)
    ]
    encoding: dict[str, Any] = {"color": shades, "tooltip": tooltip((x, y, value))}
    for channel, column, start, end in (("x", x, "__left", "__right"), ("y", y, "__bottom", "__top")):
        place = {**position(replace(column, kind="number"), zero=False), "field": start}
        place["axis"] = {**place.get("axis", {}), "tickMinStep": column.width}
        if column.whole:
            place["scale"] = {**place.get("scale", {}), "nice": False}
            place["axis"]["values"] = _wholes(column)
        encoding[channel], encoding[f"{channel}2"] = place, {"field": end}
    return {"transform": ends, "mark": {"type": "rect"}, "width": 460, "height": 320, "encoding": encoding}


def _sides(column: ChartColumn) -> tuple[float, float]:
    """Where a bin begins and ends, from its lower edge: whole numbers stand in the middle."""
    shift = -0.5 if column.whole else 0.0
    return shift, shift + (column.width or 0.0)


def _wholes(column: ChartColumn) -> list[int]:
    """Whole numbers to be named along an axis: round ones, and not so many that they run into each other."""
    known = [cell for cell in column.cells or () if isinstance(cell, int | float)]
    low, high = int(min(known, default=0)), int(max(known, default=0) + (column.width or 1) - 1)
    step = next(k * 10**power for power in range(16) for k in (1, 2, 5) if (high - low) / (k * 10**power) <= _TICKS)
    return list(range(-(-low // step) * step, high + 1, step))


def _alike(measures: list[ChartColumn]) -> bool:
    """Whether measures can share an axis: what they are counted in is the same, and known where results are."""
    kinds = {(m.format, m.currency, m.additive, m.unit) for m in measures}
    known = measures[0].cells is None or measures[0].unit or measures[0].currency or measures[0].additive
    return len(kinds) == 1 and bool(known or (measures[0].format or "").startswith("percent"))


def _several(request: ChartRequest, axis: ChartColumn, measures: list[ChartColumn]) -> dict[str, Any]:
    mark = _mark_for(request, axis)
    names = [m.name for m in measures]
    encoding: dict[str, Any] = {
        "x": position(axis),
        "y": {"field": "value", "type": "quantitative", "title": measures[0].currency or measures[0].unit or None},
        "color": {
            "field": "measure",
            "type": "nominal",
            "title": None,
            "scale": {"range": PALETTE},
            "legend": {"labelExpr": _titles(measures), "labelLimit": 300},  # titles may differ at their ends alone
        },
        "tooltip": [
            *tooltip((axis,)),
            {"field": "measure", "type": "nominal"},
            {"field": "value", "type": "quantitative", "format": ",.4~g"},
        ],
    }
    if mark == "bar":
        encoding["xOffset"] = {"field": "measure", "type": "nominal"}
    return {
        "transform": [{"fold": [escape_field(n) for n in names], "as": ["measure", "value"]}],
        "mark": {"type": mark, "point": True} if mark == "line" else {"type": mark},
        "width": 520 if mark == "line" else {"step": 20},
        "height": 280,
        "encoding": encoding,
    }


def _titles(measures: list[ChartColumn]) -> str:
    """The measures of a legend by their titles."""
    text = "datum.label"
    for measure in measures[:12]:
        text = f"datum.label == '{quoted(measure.name)}' ? '{quoted(measure.title)}' : ({text})"
    return text
