"""Widths, edges, lines and intervals: the arithmetic of the recipes, over plain numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct

__all__ = ["Line", "autocorrelation", "bin_width", "fences", "fit_line", "nice"]

_NICE = (1.0, 2.0, 2.5, 5.0, 10.0)
_MOST_BINS = 40
_LEAST_BINS = 6


def nice(width: float) -> float:
    """The round number (1, 2, 2.5 or 5 times a power of ten) nearest to a width, by their ratio."""
    power = 10.0 ** math.floor(math.log10(width))
    best = min(_NICE, key=lambda n: abs(math.log(n * power / width)))
    # The product of floats has tails (0.30000000000000004) that would stand in SQL and titles.
    return float(f"{best * power:.12g}")


def bin_width(
    quartiles: tuple[float, float], deviation: float, count: int, low: float, high: float, *, whole: bool
) -> float:
    """The width of bins: Freedman–Diaconis, Scott where half of the values are the same, rounded; 6 to 40 bins.

    ``whole``: the values are whole numbers, and so are the bins.
    """
    spread = high - low
    if spread <= 0 or count < 2:
        return 1.0
    between = quartiles[1] - quartiles[0]
    # Half of all values in one: their middle half has no width, the deviation has.
    width = 2 * between / count ** (1 / 3) if between > 0 else 3.49 * deviation / count ** (1 / 3)
    # Between 6 and 40 bins whatever the rule says: with long tails it wants thousands.
    width = min(max(width, spread / _MOST_BINS), spread / _LEAST_BINS)
    rounded = nice(width)
    # Rounding took the narrower neighbour.
    if spread / rounded > _MOST_BINS * 1.25:
        rounded = nice(width * 1.6)
    return max(1.0, math.ceil(rounded)) if whole else rounded


def fences(low: float, high: float, reach: float = 3.0) -> tuple[float, float]:
    """Tukey's outer fences of two quartiles: what lies beyond is far out."""
    return low - reach * (high - low), high + reach * (high - low)


class Line(Struct, frozen=True):
    """A straight line through points: its slope, its start, the share of the scatter it explains, its error, and how
    many points there are.
    """

    slope: float
    start: float
    explained: float
    error: float
    count: int

    @property
    def clear(self) -> bool:
        """Whether the slope differs from none by more than twice its error."""
        return abs(self.slope) > 2 * self.error


def fit_line(values: Sequence[float], at: Sequence[float] | None = None) -> Line | None:
    """The least-squares line through values, one step apart where ``at`` does not say where they stand."""
    n = len(values)
    if n < 3:
        return None
    xs = [float(i) for i in range(n)] if at is None else list(at)
    mx, my = sum(xs) / n, sum(values) / n
    sxx = sum((x - mx) ** 2 for x in xs)
    syy = sum((y - my) ** 2 for y in values)
    sxy = sum((x - mx) * (y - my) for x, y in zip(xs, values, strict=True))
    if not sxx:
        return None
    slope = sxy / sxx
    # A perfect line leaves less than nothing, by rounding.
    rest = max(0.0, syy - slope * sxy)
    explained = 1 - rest / syy if syy else 0.0
    return Line(slope, my - slope * mx, explained, math.sqrt(rest / (n - 2) / sxx), n)


def autocorrelation(values: Sequence[float], lag: int) -> float:
    """How alike a series is to itself ``lag`` steps before (-1 to 1), its line taken out."""
    # Of a rising series all that is far apart is unlike by the rise alone.
    line = fit_line(values)
    if line is None or len(values) < 2 * lag:
        return 0.0
    rest = [value - line.start - line.slope * i for i, value in enumerate(values)]
    total = sum(r * r for r in rest)
    return sum(a * b for a, b in zip(rest[lag:], rest, strict=False)) / total if total else 0.0
