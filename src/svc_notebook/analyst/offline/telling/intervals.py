"""How sure a difference of two means is."""

from __future__ import annotations

import math
from dataclasses import dataclass

__all__ = ["Spread", "mean_gap"]

_Z = 1.959963984540054  # of a 95 % interval
_LEAST = 30


@dataclass(frozen=True, slots=True)
class Spread:
    """How many values a mean is made of, and how far they lie from it."""

    count: int
    deviation: float


def mean_gap(gap: float, one: Spread, other: Spread) -> tuple[float, float] | None:
    """The 95 % interval of a difference of two means (Welch); None where either has too few values to say."""
    if min(one.count, other.count) < _LEAST:
        return None
    error = math.sqrt(one.deviation**2 / one.count + other.deviation**2 / other.count)
    return gap - _Z * error, gap + _Z * error
