"""Times of a data model, as plain frozen data: granularities, windows and shifts."""

from __future__ import annotations

from typing import Literal

from ..records import dataclass

__all__ = ["CalendarShift", "Granularity", "RollingWindow", "TimeShift"]


@dataclass(frozen=True, slots=True)
class Granularity:
    """A custom granularity of a time dimension (``interval: 1 year``, ``offset: -3 months`` or ``origin``).

    One with ``sql`` is read from a calendar's own columns, and may bear the name of a standard one.
    """

    name: str
    interval: str = ""
    offset: str | None = None
    origin: str | None = None
    title: str | None = None
    sql: str | None = None


@dataclass(frozen=True, slots=True)
class CalendarShift:
    """How a calendar's dates are shifted: ``sql`` gives the date ``interval`` before (after) each, or ``name`` does."""

    name: str | None = None
    interval: str | None = None
    type: Literal["prior", "next"] = "prior"
    sql: str | None = None


@dataclass(frozen=True, slots=True)
class RollingWindow:
    trailing: str | None = None  # "1 month", "unbounded"
    leading: str | None = None
    offset: Literal["start", "end"] = "end"
    type: str = "fixed"  # "fixed" | "to_date"
    granularity: str | None = None  # for to_date


@dataclass(frozen=True, slots=True)
class TimeShift:
    interval: str | None = None
    type: Literal["prior", "next"] = "prior"
    time_dimension: str | None = None
    name: str | None = None
