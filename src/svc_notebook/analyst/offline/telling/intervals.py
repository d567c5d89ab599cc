"""How sure a difference of two means is."""

from __future__ import annotations

import math

from msgspec import Struct

from ...charts import ChartColumn
from .figures import said

__all__ = ["Spread", "how_sure", "mean_gap"]

_Z = 1.959963984540054  # of a 95 % interval
_LEAST = 30


class Spread(Struct, frozen=True):
    """How many values a mean is made of, and how far they lie from it."""

    count: int
    deviation: float


def mean_gap(gap: float, one: Spread, other: Spread) -> tuple[float, float] | None:
    """The 95 % interval of a difference of two means (Welch); None where either has too few values to say."""
    if min(one.count, other.count) < _LEAST:
        return None
    error = math.sqrt(one.deviation**2 / one.count + other.deviation**2 / other.count)
    return gap - _Z * error, gap + _Z * error


def how_sure(column: ChartColumn, gap: float, one: Spread, other: Spread) -> str:
    """The interval of a difference of two means, and of how many rows they are, in brackets."""
    ends = mean_gap(gap, one, other)
    if ends is None:
        return f" (too few rows to be sure of it: {one.count:,} and {other.count:,})"
    chance = ", which may be chance" if ends[0] <= 0 <= ends[1] else ""
    low, high = said(column, ends[0]), said(column, ends[1])
    return f" (95 % interval {low} to {high}{chance}; {one.count:,} and {other.count:,} rows)"
