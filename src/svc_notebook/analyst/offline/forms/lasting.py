"""How long something took, between two times: in hours that are counted in minutes, in weeks that are days by seven."""

from __future__ import annotations

from typing import get_args

from .expressions import Difference, Expression, Ratio, Value
from .vocabulary import Grain

__all__ = ["lasting", "told_span"]

_COUNTED_IN: dict[str, tuple[Grain, int]] = {"hour": ("minute", 60), "minute": ("second", 60), "week": ("day", 7)}
"""A difference counts edges that are crossed: told of hours, 10:59 to 11:01 would be one of them."""
_TOLD: dict[tuple[str, object], Grain] = {counted: unit for unit, counted in _COUNTED_IN.items()}  # type: ignore[misc]  # grains


def lasting(unit: str, start: Expression, end: Expression) -> Expression:
    """The time from one to the other in a unit; what no grain is (a fortnight) is told in days."""
    if unit in _COUNTED_IN:
        smaller, size = _COUNTED_IN[unit]
        return Ratio(Difference(smaller, start, end), Value(size))
    grain: Grain = unit if unit in get_args(Grain) else "day"  # type: ignore[assignment]  # one of the grains
    return Difference(grain, start, end)


def told_span(of: Expression) -> Difference | None:
    """A time between two as it is told: hours, where they are minutes by 60."""
    match of:
        case Difference():
            return of
        case Ratio(Difference(unit, start, end), Value(size)) if (unit, size) in _TOLD:
            return Difference(_TOLD[unit, size], start, end)
    return None
