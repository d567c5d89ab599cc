"""How the values of a member lie."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....records import dataclass

__all__ = ["EMPTY", "Profile", "as_number"]


@dataclass(frozen=True, slots=True)
class Profile:
    """How the values of a member lie: number of rows, of distinct and of missing values, extremes."""

    rows: int
    distinct: int
    missing: int
    low: Any = None
    high: Any = None

    @property
    def unique(self) -> bool:
        """Whether (nearly) every row has its own value."""
        # Nine of ten: a few rows that are called alike do not make a name a kind.
        return self.rows > 0 and self.distinct >= 0.9 * (self.rows - self.missing) and self.distinct > 1


EMPTY = Profile(0, 0, 0)


def reaches(profile: Profile, operator: str, values: Sequence[Any]) -> bool:
    """Whether any value there is can be ``more than`` (or ``less than``) what is said; yes where that is not known."""
    low, high = as_number(profile.low), as_number(profile.high)
    bounds = [bound for bound in map(as_number, values) if bound is not None]
    if low is None or high is None or not bounds:
        return True
    if operator in (">", ">="):
        return min(bounds) < high or operator == ">=" and min(bounds) == high
    if operator in ("<", "<="):
        return max(bounds) > low or operator == "<=" and max(bounds) == low
    return operator != "between" or min(bounds) <= high and max(bounds) >= low


def as_number(value: Any) -> float | None:
    try:
        return float(value)
    except (TypeError, ValueError):
        return None
