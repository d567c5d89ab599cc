"""How the values of a member lie."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

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
        return self.rows > 0 and self.distinct >= 0.9 * (self.rows - self.missing) and self.distinct > 1


EMPTY = Profile(0, 0, 0)


def as_number(value: Any) -> float | None:
    try:
        return float(value)
    except (TypeError, ValueError):
        return None
