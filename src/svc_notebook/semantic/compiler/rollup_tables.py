"""What the table of a rollup holds of a cube: some dimensions, times by their periods, and measures taken together."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from msgspec import Struct

from ..engine import TableName

__all__ = ["NOT_HELD", "HeldMeasure", "HeldTime", "NotHeld", "RollupTable", "begins", "next_moment"]

NOT_HELD = "svc: a time that is not held so finely"
"""The column that stands for one; a statement with it is none."""

_FIELDS = ("microsecond", "second", "minute", "hour", "day", "month")


class NotHeld(Exception):
    """A query needs something of a cube that its rollup does not hold, or not so.

    No query error, so that nothing that tries another way over a refusal takes it for one.
    """


class HeldTime(Struct, frozen=True):
    """A time at the beginning of its period, in UTC; a date has no zone."""

    column: str
    granularity: str


class HeldMeasure(Struct, frozen=True):
    """A measure over the rows of a group: ``template`` over ``columns`` takes groups together.

    ``counts``: it is 0 where there are none.
    """

    template: str
    columns: tuple[str, ...]
    counts: bool = False


class RollupTable(Struct, frozen=True):
    """A table that was built for a rollup of ``cube``; columns by the name of what they hold."""

    cube: str
    name: str
    table: TableName
    rows: int
    dimensions: Mapping[str, str]
    times: Mapping[str, HeldTime]
    measures: Mapping[str, HeldMeasure]

    @property
    def called(self) -> str:
        return f"{self.cube}.{self.name}"


def begins(moment: datetime, granularity: str) -> bool:
    """Whether a period of a granularity begins at a moment."""
    if granularity == "week":
        return begins(moment, "day") and moment.weekday() == 0
    if granularity == "quarter":
        return begins(moment, "month") and moment.month % 3 == 1
    finer = _FIELDS[: _FIELDS.index(granularity) if granularity in _FIELDS else len(_FIELDS)]
    return all(getattr(moment, name) == (1 if name in ("day", "month") else 0) for name in finer)


def next_moment(moment: datetime, *, whole_days: bool) -> datetime:
    """The first moment after one: a microsecond later, or of dates the next day."""
    return moment + (timedelta(days=1) if whole_days else timedelta(microseconds=1))
