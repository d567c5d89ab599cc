"""Vega-Lite specifications by the grammar of its features, each over the table of ``table``: one feature at a time, and several.

Every specification is complete: it names its types as Vega-Lite's own examples do, so that a standard renderer needs no help.
"""

from __future__ import annotations

from typing import Any

__all__ = ["SPECS"]

Spec = dict[str, Any]
KIND: Spec = {"field": "kind", "type": "nominal"}
PART: Spec = {"field": "part", "type": "nominal"}
DAY: Spec = {"field": "day", "type": "temporal"}
N: Spec = {"field": "n", "type": "quantitative"}
V: Spec = {"field": "v", "type": "quantitative"}
MEAN: Spec = {**V, "aggregate": "mean"}
COUNT: Spec = {"aggregate": "count", "type": "quantitative"}
BAR: Spec = {"mark": "bar", "encoding": {"x": KIND, "y": MEAN}}
POINTS: Spec = {"mark": "point", "encoding": {"x": N, "y": V}}
LINE: Spec = {"mark": "line", "encoding": {"x": DAY, "y": V}}

SPECS: dict[str, Spec] = {}


def _add(group: str, specs: dict[str, Spec]) -> None:
    for name, spec in specs.items():
        assert f"{group}: {name}" not in SPECS, name
        SPECS[f"{group}: {name}"] = spec


def _with(base: Spec, channel: str, **more: Any) -> Spec:
    return {**base, "encoding": {**base["encoding"], channel: {**base["encoding"].get(channel, {}), **more}}}


def _plus(base: Spec, **channels: Any) -> Spec:
    return {**base, "encoding": {**base["encoding"], **channels}}


_add("mark", {
    **{kind: {"mark": kind, "encoding": {"x": N, "y": V}} for kind in "point circle square line area rule tick trail bar".split()},
    "text": {"mark": "text", "encoding": {"x": N, "y": V, "text": {"field": "n", "type": "quantitative"}}},
    "rect": {"mark": "rect", "encoding": {"x": KIND, "y": PART, "color": MEAN}},
    "arc": {"mark": "arc", "encoding": {"theta": {"field": "n", "aggregate": "sum", "type": "quantitative"}, "color": KIND}},
    "donut": {"mark": {"type": "arc", "innerRadius": 50, "padAngle": 0.02}, "encoding": {"theta": COUNT, "color": KIND}},
    "radial": {"mark": "arc", "encoding": {"theta": KIND, "radius": {**MEAN, "scale": {"type": "sqrt", "zero": True}}, "color": KIND}},
    "boxplot": {"mark": "boxplot", "encoding": {"x": KIND, "y": V}},
    "boxplot min-max": {"mark": {"type": "boxplot", "extent": "min-max", "ticks": True, "size": 20}, "encoding": {"x": KIND, "y": V}},
    "boxplot parts": {"mark": {"type": "boxplot", "median": {"color": "red"}, "outliers": {"shape": "cross"}, "rule": {"strokeDash": [2, 2]}, "box": False}, "encoding": {"y": KIND, "x": V}},
    "errorbar": {"mark": {"type": "errorbar", "extent": "stdev", "ticks": True}, "encoding": {"x": KIND, "y": V}},
    "errorbar ends": {"mark": "errorbar", "encoding": {"x": {"field": "low", "type": "quantitative"}, "x2": {"field": "high"}, "y": {"field": "n", "type": "ordinal"}}},
    "errorbar by its channel": {"mark": "errorbar", "encoding": {"x": KIND, "y": {**V}, "yError": {"field": "share"}}},
    "errorband": {"mark": {"type": "errorband", "extent": "stderr", "borders": {"opacity": 0.5}}, "encoding": {"x": {**DAY, "timeUnit": "month"}, "y": V}},
    "errorband iqr": {"mark": {"type": "errorband", "extent": "iqr", "interpolate": "monotone"}, "encoding": {"x": {**DAY, "timeUnit": "quarter"}, "y": V}},
    "gantt": {"mark": "bar", "encoding": {"x": {"field": "from_day", "type": "temporal"}, "x2": {"field": "to_day"}, "y": {"field": "n", "type": "ordinal"}, "color": KIND}},
    "candlestick": {"layer": [
        {"mark": "rule", "encoding": {"x": DAY, "y": {"field": "low", "type": "quantitative", "scale": {"zero": False}}, "y2": {"field": "high"}}},
        {"mark": {"type": "bar", "size": 5}, "encoding": {"x": DAY, "y": V, "y2": {"field": "n"}}},
    ]},
    "lollipop": {"layer": [{"mark": "rule", "encoding": {"x": KIND, "y": MEAN}}, {"mark": {"type": "point", "filled": True, "size": 90}, "encoding": {"x": KIND, "y": MEAN}}]},
})  # fmt: skip

_STYLES: dict[str, Any] = {
    "opacity": 0.4,
    "fillOpacity": 0.3,
    "strokeOpacity": 0.7,
    "stroke": "firebrick",
    "fill": "#4c78a8",
    "color": "teal",
    "strokeWidth": 3,
    "strokeDash": [4, 2],
    "strokeDashOffset": 2,
    "strokeCap": "round",
    "strokeJoin": "bevel",
    "strokeMiterLimit": 4,
    "cornerRadius": 5,
    "cornerRadiusEnd": 6,
    "cornerRadiusTopLeft": 4,
    "cornerRadiusBottomRight": 3,
    "width": {"band": 0.6},
    "size": 14,
    "blend": "multiply",
    "cursor": "pointer",
    "orient": "vertical",
    "clip": True,
    "xOffset": 3,
    "yOffset": -2,
    "x2Offset": 1,
    "tooltip": True,
    "aria": False,
    "description": "Bars of every kind",
    "invalid": "filter",
    "order": False,
    "binSpacing": 2,
    "minBandSize": 3,
    "style": "bar",
    "ariaRoleDescription": "column",
    "bandSize": 9,
    "discreteBandSize": {"band": 0.5},
    "dx": 4,
}
_add("mark style", {name: {**BAR, "mark": {"type": "bar", name: value}} for name, value in _STYLES.items()})
_add("mark style", {
    "gradient": {**BAR, "mark": {"type": "bar", "color": {"gradient": "linear", "x1": 0, "y1": 1, "x2": 0, "y2": 0, "stops": [{"offset": 0, "color": "white"}, {"offset": 1, "color": "darkgreen"}]}}},
    "radial gradient": {"mark": {"type": "arc", "color": {"gradient": "radial", "r1": 0.1, "stops": [{"offset": 0, "color": "#fff"}, {"offset": 1, "color": "#36c"}]}}, "encoding": {"theta": COUNT, "detail": KIND}},
    "line with points": {**LINE, "mark": {"type": "line", "point": {"filled": False, "fill": "white"}, "interpolate": "step-after", "tension": 0.5}},
    "area with a line": {**LINE, "mark": {"type": "area", "line": {"color": "darkgreen"}, "interpolate": "monotone", "fillOpacity": 0.2}},
    "filled points": {**POINTS, "mark": {"type": "point", "filled": True, "shape": "triangle-up", "angle": 30, "size": 120}},
    "a path as shape": {**POINTS, "mark": {"type": "point", "size": 200, "shape": "M0,-1 " + " ".join(f"L{(i % 20) / 20:.2f},{(i % 7) / 7:.2f}" for i in range(80)) + " Z"}},
    "text style": {"mark": {"type": "text", "align": "left", "baseline": "top", "dx": 5, "dy": -3, "font": "serif", "fontSize": 14, "fontStyle": "italic", "fontWeight": 700, "limit": 40, "ellipsis": "…", "lineBreak": "-", "lineHeight": 12, "angle": 20, "radius": 3}, "encoding": {"x": N, "y": V, "text": KIND}},
    "literal text": {"mark": {"type": "text", "text": ["two", "lines"], "x": 30, "y": "height"}, "encoding": {}},
    "an expression": {**BAR, "mark": {"type": "bar", "opacity": {"expr": "0.3 + 0.2 * 2"}}},
    "arc sizes": {"mark": {"type": "arc", "innerRadius": 20, "outerRadius": 90, "cornerRadius": 4, "thetaOffset": 0.2, "radiusOffset": 3}, "encoding": {"theta": COUNT, "color": KIND}},
    "tick": {"mark": {"type": "tick", "thickness": 3, "bandSize": 12, "orient": "horizontal"}, "encoding": {"x": KIND, "y": V}},
    "time band": {**BAR, "mark": {"type": "bar", "timeUnitBandPosition": 0.5, "timeUnitBandSize": 0.6}, "encoding": {"x": {**DAY, "timeUnit": "yearmonth"}, "y": COUNT}},
    "tooltip of the data": {**POINTS, "mark": {"type": "point", "tooltip": {"content": "data"}}},
    "tooltip of the encoding": {**POINTS, "mark": {"type": "point", "tooltip": {"content": "encoding"}}},
    "no tooltip": {**POINTS, "mark": {"type": "point", "tooltip": None}},
})  # fmt: skip

_add("channel", {
    "color nominal": _plus(POINTS, color=KIND),
    "color quantitative": _plus(POINTS, color={"field": "share", "type": "quantitative", "scale": {"scheme": "viridis"}}),
    "color value": _plus(POINTS, color={"value": "purple"}),
    "color datum": {"layer": [_plus(LINE, color={"datum": "values"}), {**_plus(LINE, color={"datum": "n"}), "mark": "line"}]},
    "fill and stroke": _plus(POINTS, fill=KIND, stroke=PART, strokeWidth={"value": 2}),
    "opacities": _plus(POINTS, opacity={"field": "share", "type": "quantitative"}, fillOpacity={"value": 0.2}, strokeOpacity={"value": 0.9}),
    "size and shape": _plus(POINTS, size=N, shape=KIND),
    "angle": {"mark": {"type": "point", "shape": "wedge"}, "encoding": {"x": N, "y": V, "angle": {"field": "n", "type": "quantitative", "scale": {"range": [0, 360]}}}},
    "dashes": _plus({**LINE}, strokeDash=KIND, color=KIND),
    "stroke width": {"mark": "trail", "encoding": {"x": DAY, "y": V, "size": N}},
    "detail": _plus(LINE, detail=KIND),
    "details": _plus(LINE, detail=[KIND, PART]),
    "key": _plus(POINTS, key={"field": "n"}),
    "order": {"mark": {"type": "line", "point": True}, "encoding": {"x": N, "y": V, "order": {"field": "day", "type": "temporal"}}},
    "order of a stack": _plus(BAR, y={**N, "aggregate": "sum"}, color=PART, order={"field": "part", "sort": "descending"}),
    "offset": {"mark": "bar", "encoding": {"x": KIND, "xOffset": PART, "y": MEAN, "color": PART}},
    "offset of y": {"mark": "bar", "encoding": {"y": KIND, "yOffset": PART, "x": MEAN, "color": PART}},
    "row and column": {"mark": "point", "encoding": {"x": N, "y": V, "row": KIND, "column": PART}},
    "wrapped facet": _plus(POINTS, facet={**KIND, "columns": 2}),
    "tooltips": _plus(POINTS, tooltip=[KIND, {**V, "format": ".1f", "title": "Value"}]),
    "tooltip": _plus(POINTS, tooltip={"field": "v", "type": "quantitative"}),
    "tooltip off": _plus(POINTS, tooltip=None),
    "description": _plus(POINTS, description={"field": "kind", "type": "nominal"}),
    "x and y values": {"mark": "rule", "encoding": {"x": {"value": 0}, "x2": {"value": "width"}, "y": {"datum": 3}}},
    "a date as datum": {"layer": [LINE, {"mark": {"type": "rule", "color": "red"}, "encoding": {"x": {"datum": {"year": 2024, "month": "jun", "date": 1}}}}]},
    "theta2": {"mark": "arc", "encoding": {"theta": {"field": "low", "type": "quantitative"}, "theta2": {"field": "high"}, "color": {"field": "n", "type": "ordinal"}}},
    "band position": {"mark": "line", "encoding": {"x": {**DAY, "timeUnit": "yearmonth", "bandPosition": 0}, "y": {**V, "aggregate": "max"}}},
    "text with a format": {"mark": "text", "encoding": {"x": N, "y": V, "text": {"field": "share", "type": "quantitative", "format": ".0%"}}},
    "projected points": {"projection": {"type": "albersUsa"}, "mark": "circle", "encoding": {"longitude": {"field": "lon", "type": "quantitative"}, "latitude": {"field": "lat", "type": "quantitative"}, "size": N}},
    "projected lines": {"projection": {"type": "mercator", "scale": 200, "center": [-90, 45]}, "mark": "rule", "encoding": {"longitude": {"field": "lon", "type": "quantitative"}, "latitude": {"field": "lat", "type": "quantitative"}, "longitude2": {"field": "n"}, "latitude2": {"field": "v"}}},
    "a nested path": {"mark": "bar", "encoding": {"x": {"field": "place.city", "type": "nominal"}, "y": {"field": "place.floor", "type": "quantitative", "aggregate": "sum"}}},
    "a place in a list": {"mark": "point", "encoding": {"x": {"field": "place.sizes[1]", "type": "ordinal"}, "y": {"field": "tags[0]", "type": "nominal"}}},
})  # fmt: skip

_AGGREGATES = "count valid missing distinct sum product mean average variance variancep stdev stdevp stderr median q1 q3 ci0 ci1 min max".split()
_add(
    "aggregate",
    {
        op: {
            "mark": "bar",
            "encoding": {
                "x": KIND,
                "y": {"aggregate": op, "type": "quantitative"} | ({} if op == "count" else {"field": "share"}),
            },
        }
        for op in _AGGREGATES
        if op not in {"ci0", "ci1"}
    },
)
_add("aggregate", {
    "argmax": {"mark": "point", "encoding": {"x": KIND, "y": {"field": "v", "aggregate": {"argmax": "n"}, "type": "quantitative"}}},
    "argmin": {"mark": "point", "encoding": {"x": KIND, "y": {"field": "v", "aggregate": {"argmin": "n"}, "type": "quantitative"}}},
    "without a type": {"mark": "bar", "encoding": {"x": KIND, "y": {"aggregate": "count"}}},
    "of a time": {"mark": "tick", "encoding": {"y": KIND, "x": {"field": "day", "aggregate": "max", "type": "temporal"}}},
})  # fmt: skip

_BINS: dict[str, Any] = {
    "true": True, "maxbins": {"maxbins": 30}, "step": {"step": 5}, "extent": {"extent": [0, 40], "step": 4}, "anchor": {"anchor": 2.5, "maxbins": 12}, "base": {"base": 2},
    "not nice": {"nice": False}, "divide": {"divide": [5, 2]}, "minstep": {"minstep": 2}, "steps": {"steps": [1, 2, 5]}, "false": False, "null": None,
}  # fmt: skip
_add(
    "bin", {name: {"mark": "bar", "encoding": {"x": {**N, "bin": value}, "y": COUNT}} for name, value in _BINS.items()}
)
_add("bin", {
    "binned": {"mark": "bar", "encoding": {"x": {"field": "low", "type": "quantitative", "bin": "binned"}, "x2": {"field": "high"}, "y": N}},
    "binned with a step": {"mark": "bar", "encoding": {"x": {"field": "n", "type": "quantitative", "bin": {"binned": True, "step": 5}}, "y": COUNT}},
    "ordinal": {"mark": "bar", "encoding": {"x": {"field": "n", "bin": True, "type": "ordinal"}, "y": COUNT}},
    "of colour": {"mark": "rect", "encoding": {"x": {**N, "bin": {"maxbins": 8}}, "y": {**V, "bin": {"maxbins": 8}}, "color": COUNT}},
    "binned colour": _plus(POINTS, color={"field": "share", "type": "quantitative", "bin": {"maxbins": 4}}),
    "without a type": {"mark": "bar", "encoding": {"x": {"field": "n", "bin": True}, "y": {"aggregate": "count"}}},
})  # fmt: skip

_UNITS = (
    "year quarter month week day date hours minutes dayofyear yearquarter yearmonth yearweek yearmonthdate monthdate quartermonth dayhours hoursminutes "
    "yearmonthdatehours yeardayofyear utcyearmonth utcmonth binnedyearmonth weekday"
).split()
_add(
    "time unit",
    {
        unit: {"mark": "bar", "encoding": {"x": {"field": "at", "type": "temporal", "timeUnit": unit}, "y": COUNT}}
        for unit in _UNITS
        if unit != "weekday"
    },
)
_add("time unit", {
    "ordinal month": {"mark": "bar", "encoding": {"x": {"field": "day", "timeUnit": "month", "type": "ordinal"}, "y": COUNT}},
    "with a step": {"mark": "bar", "encoding": {"x": {"field": "at", "type": "temporal", "timeUnit": {"unit": "month", "step": 2}}, "y": COUNT}},
    "in utc": {"mark": "bar", "encoding": {"x": {"field": "at", "type": "temporal", "timeUnit": {"unit": "yearmonth", "utc": True}}, "y": COUNT}},
    "calendar": {"mark": "rect", "encoding": {"x": {"field": "day", "timeUnit": "date", "type": "ordinal"}, "y": {"field": "day", "timeUnit": "month", "type": "ordinal"}, "color": {**V, "aggregate": "max"}}},
})  # fmt: skip

STACKED: Spec = {"mark": "bar", "encoding": {"x": KIND, "y": {**N, "aggregate": "sum"}, "color": PART}}
_add(
    "stack", {str(mode): _with(STACKED, "y", stack=mode) for mode in ("zero", "normalize", "center", True, False, None)}
)
_add(
    "stack",
    {
        "areas": {
            "mark": "area",
            "encoding": {
                "x": {**DAY, "timeUnit": "yearmonth"},
                "y": {**N, "aggregate": "sum", "stack": "center"},
                "color": KIND,
            },
        }
    },
)
_SORTS: dict[str, Any] = {
    "ascending": "ascending", "descending": "descending", "null": None, "-y": "-y", "y": "y", "a list": ["south", "north"], "by a field": {"field": "n", "op": "sum", "order": "descending"},
    "by a channel": {"encoding": "y", "order": "ascending"}, "by min": {"field": "v", "op": "min"}, "-x": "-x",
}  # fmt: skip
_add("sort", {name: _with(BAR, "x", sort=value) for name, value in _SORTS.items()})
_add(
    "sort",
    {
        "of colours": _with(STACKED, "color", sort=["c", "a", "b"]),
        "of a facet": _plus(POINTS, row={**KIND, "sort": ["west", "east"]}),
    },
)
_add("impute", {
    "value": {"mark": "line", "encoding": {"x": {"field": "n", "type": "ordinal"}, "y": {**V, "aggregate": "mean", "impute": {"value": 0}}, "color": KIND}},
    "method": {"mark": "line", "encoding": {"x": {"field": "n", "type": "quantitative"}, "y": {**V, "impute": {"method": "mean", "frame": [-1, 1]}}, "color": KIND}},
    "keyvals": {"mark": "line", "encoding": {"x": {"field": "n", "type": "quantitative"}, "y": {**V, "impute": {"value": 1, "keyvals": {"start": 1, "stop": 50, "step": 7}}}, "color": KIND}},
})  # fmt: skip

_SCALES: dict[str, tuple[str, dict[str, Any]]] = {
    "log": ("x", {"type": "log"}), "log base": ("x", {"type": "log", "base": 2}), "pow": ("x", {"type": "pow", "exponent": 2}), "sqrt": ("x", {"type": "sqrt"}),
    "symlog": ("y", {"type": "symlog", "constant": 2}), "no zero": ("x", {"zero": False}), "zero": ("y", {"zero": True}), "domain": ("x", {"domain": [0, 100]}), "clamp": ("x", {"domain": [10, 30], "clamp": True}),
    "domainMax": ("x", {"domainMax": 80}), "domainMin": ("y", {"domainMin": -30}), "not nice": ("x", {"nice": False}), "nice count": ("x", {"nice": 3}), "padding": ("x", {"padding": 20}),
    "range": ("x", {"range": [300, 0]}), "reverse": ("y", {"reverse": True}), "round": ("x", {"round": True}), "union": ("x", {"domain": {"unionWith": [0, 90]}}),
    "rangeMax": ("x", {"rangeMax": 200}), "rangeMin": ("x", {"rangeMin": 20}), "linear": ("x", {"type": "linear"}), "expression": ("x", {"domain": [0, {"expr": "30 + 30"}]}),
}  # fmt: skip
_add("scale", {name: _with(POINTS, channel, scale=scale) for name, (channel, scale) in _SCALES.items()})
_COLOURS: dict[str, Any] = {
    "scheme": {"scheme": "category20b"}, "range": {"range": ["red", "green", "blue", "#888"]}, "domain": {"domain": ["north", "south"], "range": ["navy", "orange"]}, "none": None,
    "scheme with an extent": {"scheme": {"name": "blues", "extent": [0.2, 0.9]}}, "ordinal": {"type": "ordinal"},
}  # fmt: skip
_add("colour scale", {name: _plus(POINTS, color={**KIND, "scale": value}) for name, value in _COLOURS.items()})
_SHADES: dict[str, Any] = {
    "quantize": {"type": "quantize", "scheme": "greens"}, "quantile": {"type": "quantile", "range": ["#eee", "#999", "#333"]}, "threshold": {"type": "threshold", "domain": [0.3, 0.6], "range": ["red", "gold", "green"]},
    "diverging": {"scheme": "redblue", "domainMid": 0.5}, "reverse": {"scheme": "magma", "reverse": True}, "interpolate": {"range": ["yellow", "blue"], "interpolate": "hcl"},
    "gamma": {"range": ["white", "black"], "interpolate": {"type": "rgb", "gamma": 2}}, "log": {"type": "log", "scheme": "plasma"}, "bins": {"type": "bin-ordinal", "bins": [0, 0.25, 0.5, 1]},
}  # fmt: skip
_add(
    "shades",
    {
        name: _plus(POINTS, color={"field": "share", "type": "quantitative", "scale": value})
        for name, value in _SHADES.items()
    },
)
_add("scale", {
    "band padding": _with(BAR, "x", scale={"paddingInner": 0.5, "paddingOuter": 0.2, "align": 0.1}),
    "point": _with({"mark": "line", "encoding": {"x": KIND, "y": MEAN}}, "x", scale={"type": "point", "padding": 1}),
    "time domain": _with(LINE, "x", scale={"domain": [{"year": 2024}, {"year": 2025}]}), "time as text": _with(LINE, "x", scale={"domain": ["2024-02-01", "2024-12-01"]}),
    "nice time": _with(LINE, "x", scale={"nice": {"interval": "month", "step": 3}}), "utc": _with(LINE, "x", scale={"type": "utc"}),
    "sizes": _plus(POINTS, size={**N, "scale": {"range": [10, 400], "type": "sqrt"}}), "shapes": _plus(POINTS, shape={**KIND, "scale": {"range": ["circle", "square", "cross", "diamond"]}}),
    "bins": {"mark": "bar", "encoding": {"x": {**N, "bin": {"step": 10}, "scale": {"bins": {"start": 0, "stop": 60, "step": 10}}}, "y": COUNT}},
})  # fmt: skip

_AXES: dict[str, Any] = {
    "title": {"title": "Number"}, "no title": {"title": None}, "lines of a title": {"title": ["Number", "of things"]}, "format": {"format": "d"}, "percent": {"format": ".0%"}, "thousands": {"format": ","}, "si": {"format": "~s"},
    "labelAngle": {"labelAngle": -45}, "labelAlign": {"labelAlign": "left"}, "labelLimit": {"labelLimit": 20}, "labelOverlap": {"labelOverlap": "greedy"}, "labelExpr": {"labelExpr": "datum.value < 20 ? 'few' : datum.label + '!'"},
    "labelFlush": {"labelFlush": 5}, "labelBound": {"labelBound": True}, "labelPadding": {"labelPadding": 12}, "labelSeparation": {"labelSeparation": 4}, "labelColor": {"labelColor": "red"}, "labelFontSize": {"labelFontSize": 9},
    "labels off": {"labels": False}, "grid off": {"grid": False}, "gridColor": {"gridColor": "#ddd", "gridDash": [2, 2], "gridWidth": 2}, "domain off": {"domain": False}, "ticks off": {"ticks": False}, "tickCount": {"tickCount": 4},
    "tickMinStep": {"tickMinStep": 10}, "tickSize": {"tickSize": 12, "tickColor": "blue", "tickWidth": 2}, "tickExtra": {"tickExtra": True, "tickOffset": 2}, "values": {"values": [0, 10, 35]}, "orient": {"orient": "top"}, "offset": {"offset": 10},
    "position": {"position": 5}, "translate": {"translate": 1.5}, "zindex": {"zindex": 1}, "titleAnchor": {"titleAnchor": "start", "titleAngle": 0, "titleAlign": "left", "titleX": 3, "titleY": 30}, "minExtent": {"minExtent": 50, "maxExtent": 60},
    "domainColor": {"domainColor": "red", "domainWidth": 3, "domainDash": [1, 1], "domainCap": "round"}, "style": {"style": "guide-label"}, "aria": {"aria": False, "description": "numbers"},
    "conditional grid": {"gridDash": {"condition": {"test": "datum.value === 20", "value": []}, "value": [2, 2]}}, "conditional label": {"labelColor": {"condition": {"test": "datum.value > 30", "value": "red"}, "value": "black"}},
    "conditional expression": {"tickColor": {"condition": {"test": "datum.index % 2 == 0", "expr": "'green'"}, "value": "grey"}}, "width expression": {"labelLimit": {"expr": "width / 10"}},
}  # fmt: skip
_add("axis", {name: _with(POINTS, "x", axis=axis) for name, axis in _AXES.items()})
_add("axis", {
    "none": _with(POINTS, "y", axis=None), "of time": _with(LINE, "x", axis={"format": "%b %d", "tickCount": "month"}), "time steps": _with(LINE, "x", axis={"tickCount": {"interval": "week", "step": 6}}),
    "dates as values": _with(LINE, "x", axis={"values": [{"year": 2024, "month": 3}, {"year": 2024, "month": 9}]}), "two axes": {"layer": [{"mark": "bar", "encoding": {"x": KIND, "y": MEAN}}, {"mark": {"type": "line", "color": "red"}, "encoding": {"x": KIND, "y": {**N, "aggregate": "sum", "axis": {"orient": "right"}}}}], "resolve": {"scale": {"y": "independent"}}},
    "format of a type": _with(LINE, "x", axis={"format": "%Y", "formatType": "time"}),
})  # fmt: skip
_LEGENDS: dict[str, Any] = {
    "title": {"title": "Side"}, "orient": {"orient": "bottom"}, "direction": {"direction": "horizontal", "columns": 2}, "none": None, "values": {"values": ["north", "west"]}, "labelExpr": {"labelExpr": "upper(datum.label)"},
    "symbols": {"symbolType": "square", "symbolSize": 150, "symbolStrokeWidth": 2, "symbolFillColor": "white", "symbolOpacity": 0.5, "symbolOffset": 3, "symbolDash": [2, 1]}, "padding": {"padding": 10, "cornerRadius": 4, "strokeColor": "#aaa", "fillColor": "#f8f8f8"},
    "place": {"orient": "none", "legendX": 20, "legendY": 10}, "labels": {"labelColor": "blue", "labelFontSize": 8, "labelLimit": 30, "labelOffset": 9, "labelAlign": "left"}, "limit": {"symbolLimit": 2}, "offset": {"offset": 4, "rowPadding": 9, "columnPadding": 8, "gridAlign": "each", "clipHeight": 10},
    "title style": {"titleAnchor": "middle", "titleOrient": "left", "titlePadding": 2, "titleColor": "green"}, "opacity": {"zindex": 1, "tickCount": 3},
}  # fmt: skip
_add("legend", {name: _plus(POINTS, color={**KIND, "legend": value}) for name, value in _LEGENDS.items()})
_add(
    "legend",
    {
        "gradient": _plus(
            POINTS,
            color={
                "field": "share",
                "type": "quantitative",
                "legend": {
                    "gradientLength": 80,
                    "gradientThickness": 8,
                    "format": ".0%",
                    "tickCount": 2,
                    "type": "gradient",
                    "direction": "horizontal",
                    "gradientStrokeColor": "red",
                },
            },
        )
    },
)
_HEADERS: dict[str, Any] = {
    "title": {"title": "Kind", "titleOrient": "bottom"}, "labels": {"labelAngle": -30, "labelColor": "red", "labelExpr": "'» ' + datum.label", "labelPadding": 4}, "orient": {"orient": "bottom"}, "no labels": {"labels": False}, "no title": {"title": None},
}  # fmt: skip
_add("header", {name: _plus(POINTS, column={**KIND, "header": value}) for name, value in _HEADERS.items()})


def _after(*steps: Spec, **spec: Any) -> Spec:
    return {"transform": list(steps), **spec}


_add("transform", {
    "filter": _after({"filter": "datum.n > 20 && datum.kind != 'west'"}, **POINTS), "filter equal": _after({"filter": {"field": "kind", "equal": "east"}}, **POINTS),
    "filter range": _after({"filter": {"field": "n", "range": [10, 30]}}, **POINTS), "filter dates": _after({"filter": {"field": "day", "range": [{"year": 2024, "month": 3}, {"year": 2024, "month": 8}]}}, **LINE),
    "filter unit": _after({"filter": {"timeUnit": "month", "field": "day", "oneOf": [{"month": "jan"}, {"month": 5}]}}, **LINE), "filter oneOf": _after({"filter": {"field": "part", "oneOf": ["a", "c"]}}, **POINTS),
    "filter valid": _after({"filter": {"field": "v", "valid": True}}, **POINTS), "filter logic": _after({"filter": {"or": [{"field": "n", "gt": 40}, {"and": [{"field": "n", "lte": 9}, {"not": {"field": "kind", "equal": "north"}}]}]}}, **POINTS),
    "filter in": _after({"filter": "inrange(datum.n, [5, 25])"}, **POINTS), "filter less": _after({"filter": {"field": "share", "lt": 0.5}}, {"filter": {"field": "share", "gte": 0.1}}, **POINTS),
    "calculate": _after({"calculate": "datum.n * 2 + 1", "as": "twice"}, mark="point", encoding={"x": {"field": "twice", "type": "quantitative"}, "y": V}),
    "calculate text": _after({"calculate": "upper(datum.kind) + '-' + datum.part", "as": "both"}, mark="bar", encoding={"y": {"field": "both", "type": "nominal"}, "x": COUNT}),
    "calculated category without a type": _after({"calculate": "datum.n > 20 ? 'many' : 'few'", "as": "size"}, mark="bar", encoding={"x": {"field": "size"}, "y": {"aggregate": "count"}}),
    "calculate a time": _after({"calculate": "month(toDate(datum.day))", "as": "m"}, mark="bar", encoding={"x": {"field": "m", "type": "ordinal"}, "y": COUNT}),
    "aggregate": _after({"aggregate": [{"op": "mean", "field": "v", "as": "m"}, {"op": "count", "as": "c"}], "groupby": ["kind"]}, mark="bar", encoding={"x": KIND, "y": {"field": "m", "type": "quantitative"}, "color": {"field": "c", "type": "quantitative"}}),
    "aggregate argmax": _after({"aggregate": [{"op": "argmax", "field": "n", "as": "top"}], "groupby": ["kind"]}, mark="bar", encoding={"x": KIND, "y": {"field": "top.v", "type": "quantitative"}}),
    "joinaggregate": _after({"joinaggregate": [{"op": "mean", "field": "v", "as": "m"}], "groupby": ["kind"]}, {"calculate": "datum.v - datum.m", "as": "off"}, mark="point", encoding={"x": N, "y": {"field": "off", "type": "quantitative"}}),
    "window": _after({"window": [{"op": "sum", "field": "n", "as": "run"}], "sort": [{"field": "day"}], "frame": [None, 0]}, mark="line", encoding={"x": DAY, "y": {"field": "run", "type": "quantitative"}}),
    "window rank": _after({"window": [{"op": "rank", "as": "place"}], "sort": [{"field": "n", "order": "descending"}], "groupby": ["kind"]}, {"filter": "datum.place <= 3"}, mark="bar", encoding={"y": {"field": "place", "type": "ordinal"}, "x": N, "color": KIND}),
    "window lag": _after({"window": [{"op": "lag", "field": "n", "param": 2, "as": "before"}], "sort": [{"field": "day"}], "ignorePeers": True}, mark="point", encoding={"x": {"field": "before", "type": "quantitative"}, "y": N}),
    "moving average": _after({"window": [{"op": "mean", "field": "v", "as": "smooth"}], "frame": [-3, 3], "sort": [{"field": "day"}]}, mark="line", encoding={"x": DAY, "y": {"field": "smooth", "type": "quantitative"}}),
    "bin": _after({"bin": True, "field": "n", "as": "nb"}, mark="bar", encoding={"x": {"field": "nb", "type": "quantitative", "bin": "binned"}, "x2": {"field": "nb_end"}, "y": COUNT}),
    "bin with names": _after({"bin": {"maxbins": 5}, "field": "n", "as": ["lo5", "hi5"]}, mark="bar", encoding={"x": {"field": "lo5", "type": "quantitative", "bin": "binned"}, "x2": {"field": "hi5"}, "y": COUNT}),
    "time unit": _after({"timeUnit": "yearmonth", "field": "day", "as": "m"}, mark="bar", encoding={"x": {"field": "m", "type": "temporal"}, "y": COUNT}),
    "time unit steps": _after({"timeUnit": {"unit": "month", "step": 3}, "field": "day", "as": "m"}, mark="bar", encoding={"x": {"field": "m", "type": "temporal"}, "y": COUNT}),
    "stack": _after({"stack": "n", "groupby": ["kind"], "as": ["y0", "y1"], "offset": "normalize", "sort": [{"field": "part"}]}, mark="bar", encoding={"x": KIND, "y": {"field": "y0", "type": "quantitative"}, "y2": {"field": "y1"}, "color": PART}),
    "fold": _after({"fold": ["low", "high"]}, mark="line", encoding={"x": DAY, "y": {"field": "value", "type": "quantitative"}, "color": {"field": "key", "type": "nominal"}}),
    "fold with names": _after({"fold": ["low", "high"], "as": ["what", "much"]}, mark="boxplot", encoding={"x": {"field": "what", "type": "nominal"}, "y": {"field": "much", "type": "quantitative"}}),
    "pivot": _after({"pivot": "kind", "value": "n", "groupby": ["part"], "op": "sum"}, mark="bar", encoding={"x": PART, "y": {"field": "north", "type": "quantitative"}}),
    "impute": _after({"impute": "n", "key": "day", "value": 0, "groupby": ["kind"]}, mark="line", encoding={"x": DAY, "y": N, "color": KIND}),
    "impute a sequence": _after({"impute": "v", "key": "n", "keyvals": {"start": 0, "stop": 60, "step": 5}, "method": "mean", "frame": [-2, 2]}, mark="point", encoding={"x": N, "y": V}),
    "flatten": _after({"flatten": ["tags"]}, mark="bar", encoding={"x": {"field": "tags", "type": "nominal"}, "y": COUNT}),
    "flatten with names": _after({"flatten": ["tags"], "as": ["tag"]}, mark="bar", encoding={"x": {"field": "tag", "type": "nominal"}, "y": COUNT}),
    "regression": {"layer": [POINTS, _after({"regression": "v", "on": "n"}, mark="line", encoding={"x": N, "y": V})]},
    "regression poly": _after({"regression": "v", "on": "n", "method": "poly", "order": 3, "extent": [5, 45], "as": ["u", "w"]}, mark="line", encoding={"x": {"field": "u", "type": "quantitative"}, "y": {"field": "w", "type": "quantitative"}}),
    "regression params": _after({"regression": "v", "on": "n", "params": True}, mark="text", encoding={"text": {"field": "rSquared", "type": "quantitative", "format": ".2f"}}),
    "loess": _after({"loess": "v", "on": "n", "bandwidth": 0.5}, mark="line", encoding={"x": N, "y": V}),
    "density": _after({"density": "v", "bandwidth": 2, "extent": [-15, 30]}, mark="area", encoding={"x": {"field": "value", "type": "quantitative"}, "y": {"field": "density", "type": "quantitative"}}),
    "density by group": _after({"density": "v", "groupby": ["kind"], "extent": [-20, 40], "steps": 60, "counts": True, "cumulative": True, "as": ["at_v", "much"]}, mark="line", encoding={"x": {"field": "at_v", "type": "quantitative"}, "y": {"field": "much", "type": "quantitative"}, "color": KIND}),
    "quantile": _after({"quantile": "n", "step": 0.05, "as": ["p", "q"]}, mark="point", encoding={"x": {"field": "p", "type": "quantitative"}, "y": {"field": "q", "type": "quantitative"}}),
    "quantile probs": _after({"quantile": "n", "probs": [0.25, 0.5, 0.75]}, mark="rule", encoding={"x": {"field": "value", "type": "quantitative"}}),
    "extent": _after({"extent": "n", "param": "ends"}, params=[], **POINTS) | {"mark": "point"},
    "sample all": _after({"sample": 1000}, **POINTS),
    "several": _after({"filter": "isValid(datum.v)"}, {"aggregate": [{"op": "sum", "field": "n", "as": "total"}], "groupby": ["kind", "part"]}, {"joinaggregate": [{"op": "sum", "field": "total", "as": "whole"}], "groupby": ["kind"]}, {"calculate": "datum.total / datum.whole", "as": "part_of"}, mark="bar", encoding={"x": {"field": "part_of", "type": "quantitative", "axis": {"format": ".0%"}}, "y": KIND, "color": PART}),
})  # fmt: skip

_add("composition", {
    "layer": {"layer": [LINE, {**LINE, "mark": {"type": "point", "filled": True}}]}, "shared encoding": {"encoding": {"x": DAY}, "layer": [{"mark": "line", "encoding": {"y": V}}, {"mark": "rule", "encoding": {"size": {"value": 1}}}]},
    "mean line": {"layer": [POINTS, {"mark": {"type": "rule", "strokeDash": [4, 4]}, "encoding": {"y": {**MEAN}}}]}, "labels on bars": {"encoding": {"x": MEAN, "y": KIND}, "layer": [{"mark": "bar"}, {"mark": {"type": "text", "align": "left", "dx": 3}, "encoding": {"text": {**MEAN, "format": ".1f"}}}]},
    "hconcat": {"hconcat": [BAR, POINTS], "spacing": 30, "bounds": "flush"}, "vconcat": {"vconcat": [LINE, {**LINE, "height": 60}], "center": True}, "concat": {"concat": [BAR, POINTS, LINE], "columns": 2, "spacing": {"row": 10, "column": 20}},
    "facet": {"facet": {**KIND, "header": {"title": None}}, "columns": 2, "spec": {**POINTS, "width": 120, "height": 90}}, "facet grid": {"facet": {"row": KIND, "column": PART}, "spec": {**POINTS, "width": 60, "height": 60}, "resolve": {"scale": {"x": "independent"}, "axis": {"y": "shared"}}},
    "facet of layers": {"facet": {"column": PART}, "spec": {"layer": [POINTS, {"mark": "rule", "encoding": {"y": {**MEAN}}}], "width": 80}}, "repeat": {"repeat": ["n", "v"], "spec": {"mark": "bar", "encoding": {"x": {"field": {"repeat": "repeat"}, "bin": True, "type": "quantitative"}, "y": COUNT}}, "columns": 1},
    "repeat grid": {"repeat": {"row": ["n", "v"], "column": ["share", "low"]}, "spec": {"mark": "point", "encoding": {"x": {"field": {"repeat": "column"}, "type": "quantitative"}, "y": {"field": {"repeat": "row"}, "type": "quantitative"}}, "width": 80, "height": 80}},
    "repeat layer": {"repeat": {"layer": ["low", "high"]}, "spec": {"mark": "line", "encoding": {"x": DAY, "y": {"field": {"repeat": "layer"}, "type": "quantitative"}, "color": {"datum": {"repeat": "layer"}, "type": "nominal"}}}},
    "resolve": {"hconcat": [_plus(POINTS, color=KIND), _plus(POINTS, color=PART)], "resolve": {"scale": {"color": "independent"}, "legend": {"color": "independent"}}},
    "nested": {"vconcat": [{"hconcat": [BAR, POINTS]}, {"layer": [LINE, {"mark": "rule", "encoding": {"y": {"datum": 0}}}]}], "title": "Both"}, "names": {"hconcat": [{**BAR, "name": "left"}, {**POINTS, "name": "right"}]}, "titles": {"hconcat": [{**BAR, "title": "Bars"}, {**POINTS, "title": {"text": "Points", "anchor": "start"}}]},
    "views with styles": {"hconcat": [{**BAR, "view": {"fill": "#fafafa", "stroke": None, "cornerRadius": 3}}, POINTS]}, "steps": {**BAR, "width": {"step": 30}, "height": 150}, "step for a position": {"mark": "bar", "width": {"step": 25, "for": "position"}, "encoding": {"x": KIND, "xOffset": PART, "y": MEAN}},
    "many panels": {"mark": "point", "encoding": {"x": {"field": "share", "type": "quantitative"}, "y": V, "facet": {"field": "n", "type": "ordinal", "columns": 8}}, "width": 30, "height": 30},
})  # fmt: skip

PICK: Spec = {"name": "pick", "select": "point"}
BRUSH: Spec = {"name": "brush", "select": "interval"}
_FADE: Spec = {"condition": {"param": "pick", "value": 1}, "value": 0.2}
_SELECTS: dict[str, Any] = {
    "point": "point", "interval": "interval", "fields": {"type": "point", "fields": ["kind"]}, "encodings": {"type": "interval", "encodings": ["x"]}, "on": {"type": "point", "on": "pointerover", "clear": "pointerout"},
    "nearest": {"type": "point", "nearest": True, "on": "mouseover"}, "toggle": {"type": "point", "toggle": "event.altKey"}, "toggle off": {"type": "point", "toggle": False}, "clear": {"type": "interval", "clear": "dblclick"}, "no clear": {"type": "interval", "clear": False},
    "translate": {"type": "interval", "translate": "[mousedown[event.shiftKey], window:mouseup] > window:mousemove!", "zoom": "wheel![event.shiftKey]"}, "no zoom": {"type": "interval", "zoom": False, "translate": False}, "resolve": {"type": "interval", "resolve": "union"},
    "mark": {"type": "interval", "mark": {"fill": "#fdbb84", "fillOpacity": 0.5, "stroke": "#e34a33"}}, "stream": {"type": "point", "on": {"type": "pointermove", "throttle": 50}},
}  # fmt: skip
_add(
    "selection",
    {
        name: _plus({**POINTS, "params": [{"name": "pick", "select": value}]}, opacity=_FADE)
        for name, value in _SELECTS.items()
    },
)
_BINDS: dict[str, Any] = {
    "range": {"input": "range", "min": 0, "max": 50, "step": 1, "name": "at least "}, "number": {"input": "number", "placeholder": "a number"}, "select": {"input": "select", "options": [5, 10, 20], "labels": ["five", "ten", "twenty"]}, "radio": {"input": "radio", "options": [5, 30]},
    "checkbox": {"input": "checkbox", "debounce": 100},
}  # fmt: skip
_add(
    "parameter",
    {
        f"bound to a {name}": _after(
            {"filter": "datum.n >= level"}, params=[{"name": "level", "value": 10, "bind": value}], **POINTS
        )
        for name, value in _BINDS.items()
    },
)
_add("parameter", {
    "value": {**BAR, "params": [{"name": "round", "value": 8}], "mark": {"type": "bar", "cornerRadius": {"expr": "round"}}}, "expression": {**BAR, "params": [{"name": "a", "value": 2}, {"name": "b", "expr": "a * 3"}], "mark": {"type": "bar", "cornerRadius": {"expr": "b"}}},
    "legend": _plus({**POINTS, "params": [{"name": "pick", "select": {"type": "point", "fields": ["kind"]}, "bind": "legend"}]}, color=KIND, opacity=_FADE), "scales": {**POINTS, "params": [{"name": "move", "select": "interval", "bind": "scales"}]},
    "initial interval": _plus({**POINTS, "params": [{"name": "pick", "select": {"type": "interval", "encodings": ["x"]}, "value": {"x": [10, 30]}}]}, opacity=_FADE), "initial dates": {**LINE, "params": [{"name": "b", "select": {"type": "interval", "encodings": ["x"]}, "value": {"x": [{"year": 2024, "month": 2}, {"year": 2024, "month": 6}]}}]},
    "initial points": _plus({**POINTS, "params": [{"name": "pick", "select": {"type": "point", "fields": ["kind"]}, "value": [{"kind": "north"}]}]}, opacity=_FADE), "inputs per field": _plus({**POINTS, "params": [{"name": "pick", "select": {"type": "point", "fields": ["kind"]}, "bind": {"kind": {"input": "select", "options": [None, "north", "east"]}}}]}, opacity=_FADE),
    "declared in a later view": {"vconcat": [{**LINE, "encoding": {"x": {**DAY, "scale": {"domain": {"param": "brush"}}}, "y": V}}, {**LINE, "height": 50, "params": [{"name": "brush", "select": {"type": "interval", "encodings": ["x"]}}]}]},
    "filter by a selection": {"hconcat": [{**POINTS, "params": [BRUSH]}, {**BAR, "transform": [{"filter": {"param": "brush"}}]}]}, "empty selection": _plus({**POINTS, "params": [PICK]}, size={"condition": {"param": "pick", "empty": False, "value": 200}, "value": 30}),
    "top-level with views": {"params": [{"name": "brush", "select": "interval", "views": ["left"]}], "hconcat": [{**POINTS, "name": "left"}, {**BAR, "transform": [{"filter": {"param": "brush"}}]}]}, "domain of a selection by channel": {"vconcat": [{**LINE, "encoding": {"x": {**DAY, "scale": {"domain": {"param": "brush", "encoding": "x"}}}, "y": V}}, {**LINE, "params": [BRUSH]}]},
    "hover with a line": {"encoding": {"x": DAY}, "layer": [{"mark": "line", "encoding": {"y": V}}, {"mark": "rule", "params": [{"name": "hover", "select": {"type": "point", "fields": ["day"], "nearest": True, "on": "pointerover", "clear": "pointerout"}}], "encoding": {"opacity": {"condition": {"param": "hover", "empty": False, "value": 0.4}, "value": 0}}}]},
})  # fmt: skip

_add("condition", {
    "test": _plus(BAR, color={"condition": {"test": "datum.kind == 'north'", "value": "orange"}, "value": "steelblue"}), "field predicate": _plus(POINTS, color={"condition": {"test": {"field": "n", "gt": 30}, "value": "red"}, "value": "grey"}), "several": _plus(POINTS, color={"condition": [{"test": "datum.n > 40", "value": "red"}, {"test": "datum.n > 20", "value": "gold"}], "value": "grey"}),
    "field in a condition": _plus(POINTS, color={"condition": {"test": "isValid(datum.v)", **KIND}, "value": "grey"}), "logic": _plus(POINTS, size={"condition": {"test": {"and": [{"field": "n", "gt": 10}, {"field": "kind", "equal": "east"}]}, "value": 200}, "value": 20}), "text": {"mark": "text", "encoding": {"x": N, "y": V, "text": {"condition": {"test": "datum.n > 30", "field": "kind"}, "value": "·"}}},
    "invalid values": _plus({"mark": {"type": "point", "invalid": None}, "encoding": {"x": N, "y": V}}, color={"condition": {"test": "datum.v === null", "value": "#aaa"}, "value": "blue"}), "domain": _plus(POINTS, color={**KIND, "condition": {"test": "datum.n > 50", "value": "black"}}),
})  # fmt: skip

_CONFIGS: dict[str, Any] = {
    "view": {"view": {"stroke": None, "continuousWidth": 300}}, "axis": {"axis": {"grid": False, "labelFontSize": 13}}, "axisX": {"axisX": {"labelAngle": -20}}, "axisY": {"axisY": {"titleColor": "red"}}, "axisQuantitative": {"axisQuantitative": {"gridDash": [1, 3]}}, "axisBottom": {"axisBottom": {"domainColor": "red"}},
    "legend": {"legend": {"orient": "top", "titleFontSize": 9}}, "title": {"title": {"anchor": "start", "fontSize": 20, "subtitleColor": "grey"}}, "mark": {"mark": {"color": "seagreen", "tooltip": True}}, "tooltip of marks": {"mark": {"tooltip": {"content": "encoding"}}}, "bar": {"bar": {"cornerRadius": 3, "discreteBandSize": 12}}, "point": {"point": {"size": 10, "filled": True}},
    "line": {"line": {"strokeWidth": 4, "interpolate": "natural"}}, "area": {"area": {"line": True}}, "range": {"range": {"category": ["#111", "#777", "#bbb"], "heatmap": {"scheme": "magma"}}}, "scale": {"scale": {"bandPaddingInner": 0.4, "minSize": 4, "zero": False}}, "invalid scale values": {"scale": {"invalid": {"color": {"value": "#aaa"}}}}, "background": {"background": "#fdf6e3"}, "font": {"font": "monospace"},
    "numberFormat": {"numberFormat": ".3f"}, "timeFormat": {"timeFormat": "%m/%y"}, "countTitle": {"countTitle": "How many"}, "fieldTitle": {"fieldTitle": "plain"}, "padding": {"padding": {"left": 30, "top": 10, "right": 5, "bottom": 5}}, "locale": {"locale": {"number": {"decimal": ",", "thousands": ".", "grouping": [3], "currency": ["", " €"]}}}, "header": {"header": {"labelColor": "red", "titleFontSize": 18}},
    "style": {"style": {"bar": {"fill": "olive"}, "guide-title": {"fontSize": 16}}}, "rule": {"rule": {"strokeDash": [2, 2]}}, "text": {"text": {"fontSize": 18}}, "selection": {"selection": {"interval": {"mark": {"fill": "red"}}}}, "facet": {"facet": {"spacing": 2, "columns": 3}}, "concat": {"concat": {"spacing": 1}}, "aria": {"aria": False}, "projection": {"projection": {"type": "mercator"}}, "autosize": {"autosize": {"type": "pad", "resize": True}},
    "boxplot": {"boxplot": {"extent": 3, "size": 30}}, "errorbar": {"errorbar": {"extent": "iqr"}}, "arc": {"arc": {"innerRadius": 30}}, "lineBreak": {"lineBreak": "|"}, "params": {"params": [{"name": "w", "value": 3}], "mark": {"strokeWidth": {"expr": "w"}}}, "axisTemporal": {"axisTemporal": {"format": "%b"}}, "axisBand": {"axisBand": {"labelAngle": 0, "bandPosition": 0.2}},
}  # fmt: skip
_add(
    "config",
    {
        name: {
            **(
                STACKED
                if name in {"bar", "range", "legend", "style", "axisBand", "scale"}
                else LINE
                if name in {"line", "area", "axisTemporal", "timeFormat"}
                else POINTS
            ),
            "config": value,
        }
        for name, value in _CONFIGS.items()
    },
)
_add(
    "config",
    {
        f"{name} of a {name}": {
            **SPECS[f"mark: {name}"],
            "config": {
                name: {"size": 20}
                if name == "boxplot"
                else {"thickness": 3}
                if name == "errorbar"
                else {"opacity": 0.4}
            },
        }
        for name in ("arc", "boxplot", "errorbar", "text", "rect", "tick")
    },
)

_add("top level", {
    "title": {**BAR, "title": "Means"}, "title in lines": {**BAR, "title": ["Means", "by kind"]}, "title object": {**BAR, "title": {"text": "Means", "subtitle": ["of all", "days"], "anchor": "start", "offset": 12, "frame": "group", "orient": "bottom", "subtitlePadding": 4, "color": "navy"}}, "background": {**BAR, "background": "ivory"}, "padding": {**BAR, "padding": 30},
    "autosize": {**BAR, "width": 300, "height": 200, "autosize": {"type": "fit", "contains": "padding"}}, "sizes": {**BAR, "width": 333, "height": 123}, "description": {**BAR, "description": "Means by kind"}, "schema": {**BAR, "$schema": "https://vega.github.io/schema/vega-lite/v5.json"}, "title of an expression": {**BAR, "title": {"text": {"expr": "'Width ' + width"}}}, "view": {**BAR, "view": {"stroke": "red", "cornerRadius": 8}},
})  # fmt: skip

_EXPRESSIONS = [
    "abs(datum.v)", "round(datum.v * 10) / 10", "pow(datum.n, 2) % 7", "sqrt(datum.n) + exp(1)", "min(datum.n, 20, datum.v)", "clamp(datum.n, 10, 30)", "length(datum.kind)", "substring(datum.kind, 0, 2)", "indexof(datum.kind, 'o')", "toNumber('3') + datum.n", "format(datum.v, '.1f')", "timeFormat(toDate(datum.day), '%Y-%m')",
    "year(toDate(datum.day)) * 100 + month(toDate(datum.day))", "if(datum.n > 20, 'a', 'b')", "datum['n'] + datum[\"n\"]", "isNumber(datum.v) ? 1 : 0", "datum.n >= 10 && !(datum.n > 40) || datum.ok", "sin(datum.n) + cos(datum.n) * tan(0.1)", "atan2(datum.v, datum.n)", "datum.place.floor * 2", "datum.tags[0]", "datum.place['city']",
    "datum.place.sizes[1] + 1", "ceil(3.2) + floor(datum.v)", "trim(' a ') + truncate(datum.kind, 3)", "split('a,b', ',')[1]", "PI * E + SQRT2", "rgb(datum.n, 10, 20) + ''", "week(toDate(datum.day)) + quarter(toDate(datum.day))", "time(datetime(2024, 1, 1)) / 86400000", "datum.n === 5 ? null : datum.n", "sort([3, 1, 2])[0] + extent([1, datum.n])[1]",
]  # fmt: skip
_add(
    "expression",
    {
        text: _after(
            {"calculate": text, "as": "z"},
            mark="point",
            encoding={"x": {"field": "n", "type": "quantitative"}, "y": {"field": "z", "type": "ordinal"}},
        )
        for text in _EXPRESSIONS
    },
)
