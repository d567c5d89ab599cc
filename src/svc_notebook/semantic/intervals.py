"""Lengths of time as the model writes them: ``1 month``, ``1 year 6 months``, ``-1 day``, ``unbounded``."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["STANDARD_GRANULARITIES", "UNBOUNDED", "Interval", "IntervalError", "parse_interval"]

UNBOUNDED = "unbounded"
STANDARD_GRANULARITIES = ("second", "minute", "hour", "day", "week", "month", "quarter", "year")

_MONTHS = {"month": 1, "quarter": 3, "year": 12}
_DAYS = {"day": 1, "week": 7}
_SECONDS = {"second": 1, "minute": 60, "hour": 3600}
_PART = re.compile(r"\s*(-?\d{1,9})\s+(second|minute|hour|day|week|month|quarter|year)s?(?=\s|$)", re.IGNORECASE)


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
        if part is None:
            if not text[at:].strip() and at:
                break
            raise IntervalError(
                f"'{text}' is not a length of time; write quantity and unit, such as '1 month' or '1 year 6 months' "
                f"(units: {', '.join(STANDARD_GRANULARITIES)})"
            )
        quantity, unit = int(part[1]), part[2].lower()
        months += quantity * _MONTHS.get(unit, 0)
        days += quantity * _DAYS.get(unit, 0)
        seconds += quantity * _SECONDS.get(unit, 0)
        at = part.end()
    if at == 0:
        raise IntervalError("an empty text is not a length of time; write one such as '1 month'")
    return Interval(months, days, seconds)
