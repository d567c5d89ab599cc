"""What could grow without end in a chart, held within bounds: sizes, numbers of bins, of panels, of made rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["BOUNDS", "DATA_KEYS", "MAX_PANELS", "STYLE_LIMIT", "bounded", "too_fine"]

MAX_PANELS = 400
"""Views that one chart may have, panels of a facet included."""

# More bins than a chart has pixels are not seen, and a step of 1e-9 makes the browser count for ever.
MAX_STEPS = 1_000
"""Bins, or made rows, of one step width."""

STYLE_LIMIT = 10_000.0
"""Pixels: a mark's size, an offset, a padding."""

# Below the largest double, so that a scale's arithmetic cannot leave it.
DATA_LIMIT = 1e300

DATA_KEYS = frozenset({
    "values", "domain", "domainMax", "domainMid", "domainMin", "datum", "equal", "range", "oneOf", "lt", "lte",
    "gt", "gte",
    "extent", "keyvals", "start", "stop", "step", "minstep", "anchor", "base", "bandwidth", "tickMinStep",
    "unionWith", "options",
    "min", "max", "sort", "value", "bins", "constant", "exponent", "coefficient",
})  # fmt: skip
"""Keys whose numbers are values of the data, not pixels."""

BOUNDS: dict[tuple[str, str], tuple[float, float]] = {
    ("BinParams", "maxbins"): (2, MAX_STEPS),
    ("DensityTransform", "steps"): (2, 2_000),
    ("DensityTransform", "minsteps"): (2, 2_000),
    ("DensityTransform", "maxsteps"): (2, 2_000),
    ("QuantileTransform", "step"): (0.001, 1),
    ("RegressionTransform", "order"): (1, 10),
    ("LoessTransform", "bandwidth"): (0.01, 1),
    ("PivotTransform", "limit"): (1, 200),
    ("Step", "step"): (1, 200),
    ("", "width"): (1, 4_000),
    ("", "height"): (1, 4_000),
    ("", "columns"): (0, 400),
    ("", "tickCount"): (0, MAX_STEPS),
}
"""Lowest and highest number by definition (empty: any) and key."""


def bounded(name: str, key: str, value: float) -> float:
    """The number, or the nearest one that is allowed there."""
    low, high = (
        BOUNDS.get((name, key))
        or BOUNDS.get(("", key))
        or ((-DATA_LIMIT, DATA_LIMIT) if key in DATA_KEYS else (-STYLE_LIMIT, STYLE_LIMIT))
    )
    return value if low <= value <= high else type(value)(max(low, min(high, value)))


def too_fine(raw: Mapping[str, Any], span: float | None) -> bool:
    """Whether the steps of a bin, a scale or a sequence are too many (or cannot be counted).

    Parameters
    ----------
    raw : mapping
        With ``step`` and perhaps ``start``, ``stop`` or ``extent``.
    span : float or None
        How far the field's values lie apart, where that is known.
    """
    step = raw.get("step")
    if not isinstance(step, int | float) or isinstance(step, bool):
        return "stop" in raw and abs(float(raw["stop"]) - float(raw.get("start") or 0)) > 10 * MAX_STEPS
    extent = raw.get("extent")
    if isinstance(extent, list | tuple) and len(extent) == 2 and all(isinstance(end, int | float) for end in extent):
        span = abs(extent[1] - extent[0])
    elif "stop" in raw:
        span = abs(float(raw["stop"]) - float(raw.get("start") or 0))
    return span is None or step <= 0 or span / step > MAX_STEPS
