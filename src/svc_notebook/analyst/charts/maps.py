"""Points on a map by their coordinates: no tiles, the degrees of latitude and longitude are its lines.

Over a small part of the earth the map is Mercator's (shapes are right), over a large one cylindrical and equal in area.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from .columns import ChartColumn, escape_field, quoted
from .encodings import PALETTE, SEQUENTIAL, color, measured, tooltip

__all__ = ["map_of"]

_LARGE = 70.0  # degrees of latitude from which on areas count for more than shapes
_FARTHEST = 84.0  # where Mercator's map ends
_WIDTH, _TALLEST, _LEAST = 560, 420, 140
_LINES = 6
_STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 15.0, 30.0)
_ROOM = 0.06
_MANY = 300  # points from which on they are small


def map_of(
    latitude: ChartColumn,
    longitude: ChartColumn,
    others: Sequence[ChartColumn],
    *,
    shade: ChartColumn | None = None,
    size: ChartColumn | None = None,
) -> dict[str, Any] | None:
    """The body of a specification: one point for each row; None where no row has a place.

    Parameters
    ----------
    others
        What a tooltip says besides the place.
    shade, size
        What the colour and the size of a point tell.
    """
    lats, lons = _numbers(latitude), _numbers(longitude)
    if not lats or not lons:
        return None
    low, high = _with_room(min(lats), max(lats), 90.0)
    west, east = _with_room(min(lons), max(lons), 180.0)
    flat = high - low > _LARGE or max(abs(low), abs(high)) > _FARTHEST
    upright = _equal_area if flat else _mercator
    wide = math.radians(east - west) * (math.cos(math.radians((low + high) / 2)) if flat else 1.0)
    tall = (upright(high) - upright(low)) / (math.cos(math.radians((low + high) / 2)) if flat else 1.0)
    height = max(_LEAST, min(_TALLEST, round(_WIDTH * tall / wide)))
    width = max(_LEAST, min(_WIDTH, round(height * wide / tall)))
    at = f"datum['{quoted(latitude.name)}']"
    y = f"sin({at} * PI / 180)" if flat else f"log(tan(PI / 4 + {at} * PI / 360))"
    encoding: dict[str, Any] = {
        "x": {
            "field": escape_field(longitude.name), "type": "quantitative", "title": None,
            "scale": {"domain": [west, east], "nice": False, "zero": False}, "axis": _axis(_lines(west, east), "EW"),
        },
        "y": {
            "field": "__y", "type": "quantitative", "title": None,
            "scale": {"domain": [upright(low), upright(high)], "nice": False, "zero": False},
            "axis": _axis(_lines(low, high), "NS", upright),
        },
        "tooltip": [*tooltip(tuple(others)), *_place(latitude, longitude)],
    }  # fmt: skip
    mark: dict[str, Any] = {
        "type": "point",
        "filled": True,
        "opacity": 0.7,
        "size": 36 if len(lats) <= _MANY else 10,
        "color": PALETTE[0],
    }
    if size is not None:
        encoding["size"] = {**measured(size), "scale": {"range": [8, 500], "zero": True}}
        mark = {**mark, "opacity": 1, "fillOpacity": 0.55, "stroke": PALETTE[0]}  # what lies below shows through
    if shade is not None:
        numbers = {**measured(shade), "scale": {"scheme": SEQUENTIAL}}
        encoding["color"] = numbers if shade.measured else color(shade)
    return {
        "transform": [{"filter": f"isValid({at})"}, {"calculate": y, "as": "__y"}], "mark": mark, "width": width,
        "height": height, "encoding": encoding,
    }  # fmt: skip


def _numbers(column: ChartColumn) -> list[float]:
    return [float(cell) for cell in column.cells or () if cell is not None]


def _with_room(low: float, high: float, most: float) -> tuple[float, float]:
    room = max((high - low) * _ROOM, 0.02)
    return max(-most, low - room), min(most, high + room)


def _mercator(latitude: float) -> float:
    bound = max(-_FARTHEST, min(_FARTHEST, latitude))
    return math.log(math.tan(math.pi / 4 + math.radians(bound) / 2))


def _equal_area(latitude: float) -> float:
    return math.sin(math.radians(latitude))


def _lines(low: float, high: float) -> list[float]:
    """Round degrees between two ends."""
    step = next((step for step in _STEPS if (high - low) / step <= _LINES), _STEPS[-1])
    first = math.ceil(low / step)
    return [round(n * step, 4) for n in range(first, math.floor(high / step) + 1)]


def _axis(degrees: Sequence[float], ways: str, upright: Any = float) -> dict[str, Any]:
    """Lines at degrees, each with its own name: what a scale holds is not told back into degrees by itself."""
    places = [upright(degree) for degree in degrees]
    text = "''"
    for place, degree in reversed(list(zip(places, degrees, strict=True))):
        said = f"{abs(degree):g}°{'' if not degree else ways[0] if degree > 0 else ways[1]}"
        text = f"abs(datum.value - ({place!r})) < 1e-9 ? '{said}' : {text}"
    return {"values": places, "labelExpr": text, "grid": True, "labelOverlap": True, "labelSeparation": 8}


def _place(*columns: ChartColumn) -> list[dict[str, Any]]:
    return [
        {"field": escape_field(column.name), "type": "quantitative", "title": column.title, "format": ".3~f"}
        for column in columns
    ]
