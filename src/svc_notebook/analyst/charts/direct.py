"""Few series named where their lines end, instead of in a legend that an eye has to go back and forth to."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from .columns import ChartColumn, escape_field, quoted

__all__ = ["named_at_their_ends"]

_MOST = 5
_LONGEST = 18  # characters of a name beside a line
_LETTER = 6.4  # pixels of one
_APART = 14.0  # pixels between the middles of two names
_LATE = 0.8  # of the time shown, after which each line has to end
_SHIFT = "__name_at"


def named_at_their_ends(
    body: dict[str, Any], axis: ChartColumn, series: ChartColumn, value: ChartColumn
) -> dict[str, Any]:
    """A line chart whose series stand at their ends; as it is where they are too many, or end too early."""
    ends = _ends(axis, series, value)
    if ends is None or "aggregate" in body["encoding"]["y"]:
        return body
    encoding = {**body["encoding"], "color": {**body["encoding"]["color"], "legend": None}}
    room = round(max(map(len, ends)) * _LETTER) + 14
    x = {**encoding["x"], "scale": {**encoding["x"].get("scale", {}), "range": [0, {"expr": f"width - {room}"}]}}
    encoding["x"] = x
    by, name = f"datum['{quoted(series.name)}']", escape_field(series.name)
    moved = "0"
    for one, shift in _shifts(ends, value, body["height"]).items():
        moved = f"{by} == '{quoted(one)}' ? {shift!r} : {moved}" if shift else moved
    last = [
        {"filter": f"isValid(datum['{quoted(value.name)}'])"},
        {"calculate": f"time(datum['{quoted(axis.name)}'])", "as": "__moment"},
        {"joinaggregate": [{"op": "max", "field": "__moment", "as": "__end"}], "groupby": [name]},
        {"filter": "datum.__moment == datum.__end"},
        {"calculate": f"datum['{quoted(value.name)}'] + ({moved})", "as": _SHIFT},
    ]
    names = {
        "transform": last,
        "mark": {"type": "text", "align": "left", "baseline": "middle", "dx": 8, "fontSize": 11},
        "encoding": {
            "x": x, "y": {**encoding["y"], "field": _SHIFT}, "text": {"field": name, "type": "nominal"},
        },
    }  # fmt: skip
    kept = {key: part for key, part in body.items() if key not in ("mark", "encoding")}
    return {**kept, "layer": [{"mark": body["mark"], "encoding": encoding}, names]}


def _ends(axis: ChartColumn, series: ChartColumn, value: ChartColumn) -> dict[str, float] | None:
    """The last number of each series; None where they cannot all be named beside it."""
    if axis.kind != "time" or series.kind != "category" or not axis.cells or not series.cells or not value.cells:
        return None
    found: dict[Any, tuple[datetime, float]] = {}
    for at, name, number in zip(axis.cells, series.cells, value.cells, strict=True):
        if not isinstance(at, date) or number is None:
            continue
        moment = _moment(at)
        if name not in found or moment > found[name][0]:
            found[name] = (moment, float(number))
    if not 2 <= len(found) <= _MOST or any(not isinstance(n, str) or not 0 < len(n) <= _LONGEST for n in found):
        return None
    moments = [_moment(at) for at in axis.cells if isinstance(at, date)]
    first, last = min(moments), max(moments)
    late = all((moment - first) >= (last - first) * _LATE for moment, _ in found.values())
    return {name: number for name, (_, number) in found.items()} if late and first < last else None


def _moment(at: date) -> datetime:
    return at.replace(tzinfo=None) if isinstance(at, datetime) else datetime(at.year, at.month, at.day)


def _shifts(ends: dict[str, float], value: ChartColumn, height: float) -> dict[str, float]:
    """How far each name is moved, in what the axis counts, so that none lies over another."""
    numbers = [float(cell) for cell in value.cells or () if cell is not None]
    low, high = min(numbers), max(numbers)
    if value.additive:
        low, high = min(low, 0.0), max(high, 0.0)
    if high <= low:
        return {}
    pixel = (high - low) / height
    order = sorted(ends, key=lambda name: ends[name])
    places = [ends[name] / pixel for name in order]
    for _ in order:  # those that are too near push each other away by halves
        for at in range(len(places) - 1):
            if (lacking := _APART - (places[at + 1] - places[at])) > 1e-9:
                places[at], places[at + 1] = places[at] - lacking / 2, places[at + 1] + lacking / 2
    places = _within(places, low / pixel, high / pixel)
    return {name: place * pixel - ends[name] for name, place in zip(order, places, strict=True)}


def _within(places: list[float], low: float, high: float) -> list[float]:
    """Places apart from each other and on the axis: a name below its end would draw the axis on below nothing."""
    kept = list(places)
    for at in reversed(range(len(kept))):
        kept[at] = min(kept[at], high if at == len(kept) - 1 else kept[at + 1] - _APART)
    for at in range(len(kept)):
        kept[at] = max(kept[at], low if at == 0 else kept[at - 1] + _APART)
    return kept
