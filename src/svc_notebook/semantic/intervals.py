"""Lengths of time as the model writes them: ``1 month``, ``1 year 6 months``, ``-1 day``, ``unbounded``."""

from __future__ import annotations

from .. import patterns as re
from ..records import dataclass

__all__ = [
    "GRANULARITIES", "PERIODS", "UNBOUNDED", "Interval", "IntervalError", "Standard", "divides", "parse_interval",
]  # fmt: skip

UNBOUNDED = "unbounded"
# Nine digits: below 2**31, in which engines count months.
_PART = re.compile(r"\s*(-?\d{1,9})\s+([a-z]+?)s?(?=\s|$)", re.IGNORECASE)


class IntervalError(ValueError):
    """The text is not a length of time; the message says how to write one."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A length of time in calendar months, days and seconds, which never mix: a month is no fixed number of days."""

    months: int = 0
    days: int = 0
    seconds: int = 0

    @property
    def negative(self) -> bool:
        return min(self.months, self.days, self.seconds) < 0

    def __bool__(self) -> bool:
        return bool(self.months or self.days or self.seconds)

    def __neg__(self) -> Interval:
        return Interval(-self.months, -self.days, -self.seconds)

    def __str__(self) -> str:
        named = (("month", self.months), ("day", self.days), ("second", self.seconds))
        return " ".join(f"{n} {unit}{'' if abs(n) == 1 else 's'}" for unit, n in named if n) or "0 days"


@dataclass(frozen=True, slots=True)
class Standard:
    """A granularity that every time dimension has.

    ``native`` ones the engine truncates to by name; others are counted in steps of their ``length`` from the beginning
    of 2000, whole weeks from its first Monday.
    """

    length: Interval
    native: bool = True


GRANULARITIES: dict[str, Standard] = {
    "second": Standard(Interval(seconds=1)),
    "minute": Standard(Interval(seconds=60)),
    "hour": Standard(Interval(seconds=3600)),
    "day": Standard(Interval(days=1)),
    "week": Standard(Interval(days=7)),
    "month": Standard(Interval(months=1)),
    "quarter": Standard(Interval(months=3)),
    "year": Standard(Interval(months=12)),
}
"""By name, the shortest first: a new one is an entry here (see CONTRIBUTING.md)."""


PERIODS = ("second", "minute", "hour", "day", "month", "quarter", "year")
"""Granularities of which each is made of whole periods of those before it; a week is made of days."""


def divides(finer: str, coarser: str) -> bool:
    """Whether every period of ``coarser`` is made of whole periods of ``finer``."""
    if finer == coarser:
        return True
    if coarser == "week":
        return finer in PERIODS[: PERIODS.index("day") + 1]
    return finer in PERIODS and coarser in PERIODS and PERIODS.index(finer) < PERIODS.index(coarser)


def parse_interval(text: str) -> Interval:
    """Read ``quantity unit [quantity unit …]``; quantities may be negative.

    Raises
    ------
    IntervalError
        If the text has another form.
    """
    months = days = seconds = 0
    at = 0
    while at < len(text):
        part = _PART.match(text, at)
        unit = GRANULARITIES.get(part[2].lower()) if part is not None else None
        if part is None or unit is None:
            if not text[at:].strip() and at:
                break
            raise IntervalError(
                f"'{text}' is not a length of time; write quantity and unit, such as '1 month' or '1 year 6 months' "
                f"(units: {', '.join(GRANULARITIES)})"
            )
        quantity = int(part[1])
        months += quantity * unit.length.months
        days += quantity * unit.length.days
        seconds += quantity * unit.length.seconds
        at = part.end()
    if at == 0:
        raise IntervalError("an empty text is not a length of time; write one such as '1 month'")
    return Interval(months, days, seconds)
