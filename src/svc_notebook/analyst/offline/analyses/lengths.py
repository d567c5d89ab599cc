"""How long two periods are of which the data tell: a sum over fewer days is smaller for that alone."""

from __future__ import annotations

from dataclasses import field
from datetime import datetime, timedelta
from typing import Any

from ....records import dataclass
from ...charts import ChartColumn
from ..calendar.units import floor
from ..schema.metadata import Metadata
from ..telling.figures import said
from ..telling.phrased import say
from .sides import Side, Sides

__all__ = ["Lengths", "lengths", "weekdays_differ"]

_SLACK = 20  # of a period, one part in so many may have no rows
_WEEK = 7
_FROM_DAYS = 0.25  # of the change, where so much can come of the number of days


@dataclass(frozen=True, slots=True)
class Lengths:
    """Which of two periods the data do not cover whole, in sentences, and how many days of both they cover (none where
    nobody knows, or where a number is no sum).
    """

    notes: list[str] = field(default_factory=list)
    days: tuple[float, float] | None = None

    @property
    def cut(self) -> bool:
        """Whether a sum has to be told per day: over fewer days it is smaller for that alone."""
        return bool(self.notes) and self.days is not None

    def matter(self, before: float, after: float) -> bool:
        """Whether much of a change of whole periods may come of their days."""
        if self.days is None or not before:
            return False
        return abs(self.days[1] / self.days[0] - 1) >= _FROM_DAYS * abs(after / before - 1)

    def turn(self, before: float, after: float) -> bool:
        """Whether per day it went the other way: all of a change comes of the number of days."""
        one, two = self.days or (1.0, 1.0)
        return (after - before) * (after / two - before / one) < 0

    def each(self, column: ChartColumn, sides: Sides, before: float, after: float) -> str:
        """Both numbers per day, beside the numbers themselves."""
        one, two = self.days or (1.0, 1.0)
        turned = "That comes of the days alone: per day it was {v1} in {p1}, {v2} in {p2} ({n1} and {n2} days)."
        return say(
            turned if self.turn(before, after) else "Per day that is {v1} in {p1}, {v2} in {p2} ({n1} and {n2} days).",
            v1=said(column, before / one), p1=sides.before.name, v2=said(column, after / two),
            p2=sides.after.name, n1=f"{one:,.0f}", n2=f"{two:,.0f}",
        )  # fmt: skip

    def in_all(self, column: ChartColumn, sides: Sides, before: float, after: float) -> str:
        """Both numbers, beside what they are per day."""
        one, two = self.days or (1.0, 1.0)
        return say(
            "In all that is {v1} in {p1}, {v2} in {p2} ({n1} and {n2} days).",
            v1=said(column, before), p1=sides.before.name, v2=said(column, after),
            p2=sides.after.name, n1=f"{one:,.0f}", n2=f"{two:,.0f}",
        )  # fmt: skip


def lengths(sides: Sides, metadata: Metadata, *, adds_up: bool) -> Lengths:
    """Which of two periods the data do not cover whole, and how many days of them they do."""
    if not sides.timed:
        return Lengths()
    notes: list[str] = []
    days = []
    for side in (sides.before, sides.after):
        span = _span(side, metadata)
        if span is None:
            return Lengths()
        low, high, first, last = span
        # A missing day at an end is a weekend or a holiday more often than a hole.
        missing = max(timedelta(days=1), (high - low) / _SLACK)
        if first - low > missing:
            begun = {"p1": _upper(side.name), "p2": _day(first)}
            notes.append(say("{p1} is not complete: the data begin on {p2}.", **begun))
        if high - last > missing:
            ended = {"p1": _upper(side.name), "p2": _day(last - timedelta(days=1))}
            notes.append(say("{p1} is not complete: the data end on {p2}.", **ended))
        covered = (min(high, last) - max(low, first)) / timedelta(days=1)
        whole = (high - low) / timedelta(days=1)
        # Nearly whole counts as whole: a per day over 30 of 31 days would only confuse.
        days.append(whole if covered > whole * (1 - 1 / _SLACK) else covered)
    one, two = days
    # A mean does not grow with the days.
    return Lengths(notes, (one, two) if adds_up and min(one, two) >= 1 and one != two else None)


def weekdays_differ(sides: Sides) -> bool:
    """Whether some day of the week comes notably more often in one of two periods than in the other."""
    if not sides.timed or any(None in side.condition.values for side in (sides.before, sides.after)):
        return False
    bounds = [
        [datetime.fromisoformat(str(value)) for value in side.condition.values] for side in (sides.before, sides.after)
    ]
    (start, one), (other, two) = ((low, (high - low).days) for low, high in bounds)
    alike = one == two and (one % _WEEK == 0 or (other - start).days % _WEEK == 0)
    return not alike and min(one, two) < _SLACK * _WEEK  # over many weeks one more is little


def _span(side: Side, metadata: Metadata) -> tuple[datetime, datetime, datetime, datetime] | None:
    """Begin and end of a period, and of the data (half-open)."""
    profile = metadata.profile(side.condition.member)
    first, last = _moment(profile.low), _moment(profile.high)
    if first is None or last is None or None in side.condition.values:
        return None
    low, high = (datetime.fromisoformat(str(value)) for value in side.condition.values)
    return low, high, floor(first, "day"), floor(last, "day") + timedelta(days=1)


def _moment(value: Any) -> datetime | None:
    return value.replace(tzinfo=None) if isinstance(value, datetime) else None


def _day(moment: datetime) -> str:
    return f"{moment.day} {moment:%B %Y}"


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]
