"""Which time dimension a period or a grain means, and conditions on years that are kept as numbers."""

from __future__ import annotations

import calendar
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from ..calendar.long_grains import DECADE, HALF_YEAR
from ..calendar.units import floor, shift
from ..forms.partings import PARTINGS
from ..plans.plan import Condition, Dimension
from ..schema.metadata import Metadata

__all__ = [
    "auto_grain",
    "bind_period",
    "default_time",
    "grain_dimension",
    "own_year",
    "period_unit",
    "year_member",
    "years",
]

WEEKDAYS = tuple(name.lower() for name in calendar.day_name)
MONTHS = tuple(name.lower() for name in calendar.month_name[1:])
_PART_NAMES = {
    "hour": ("hour",),
    "hour_of_day": ("hour",),
    "day": ("day", "date"),
    "week": ("week",),
    "month": ("month",),
    "quarter": ("quarter",),
    "year": ("year",),
    "weekday": ("weekday", "dayofweek", "dow", "day"),
    "month_of_year": ("month",),
    "day_of_month": ("day",),
    "season": ("season",),
    "quarter_of_year": ("quarter",),
    "minute": ("minute",),
    "second": ("second",),
}


def default_time(metadata: Metadata, scope: Sequence[str], mentioned: Sequence[str] = ()) -> str | None:
    """The time dimension that is meant when none is named: one mentioned, else the first of the first relation that
    has one.
    """
    for member in mentioned:
        if metadata.is_time(member):
            return member
    for relation in scope:
        times = metadata.times([relation])
        # What the model declares for times comes before the order of its columns.
        declared = metadata.relation(relation).meta.get("time_dimension") if metadata.relation(relation).meta else None
        if declared:
            named = [t for t in times if t.endswith(f".{declared}")]
            if named:
                return named[0]
        if times:
            return times[0]
    return None


def year_member(metadata: Metadata, scope: Sequence[str], mentioned: Sequence[str] = ()) -> str | None:
    """A number that holds a year."""
    for member in mentioned:
        if metadata.is_year(member):
            return member
    for relation in scope:
        for known in metadata.relation(relation).members.values():
            if known.path in metadata.members and known.type in ("number", "string") and metadata.is_year(known.path):
                return known.path
    return None


def grain_dimension(
    metadata: Metadata, unit: str, scope: Sequence[str], mentioned: Sequence[str], partly: bool = False
) -> Dimension | None:
    """The grouping for a grain: a time dimension at that grain, else a member that holds the part itself.

    ``partly``: an hour means the hour of the day.
    """
    time = next((member for member in mentioned if metadata.is_time(member)), None)
    if unit == "hour" and partly:
        unit = "hour_of_day"
    own = _part_member(metadata, unit, scope)
    if (
        # A column that holds the part itself (weekday) is grouped by as it is, unless a time was named.
        time is None
        and own is not None
        and unit in ("hour_of_day", "weekday", "month_of_year", "day_of_month", "quarter_of_year", *PARTINGS)
    ):
        return Dimension(own)
    if time is None and unit == "year" and (kept := own_year(metadata, scope)) is not None:
        return Dimension(kept)
    time = time or default_time(metadata, scope)
    if time is not None:
        return Dimension(time, unit)
    if unit in ("year", DECADE):
        year = year_member(metadata, scope, mentioned)
        return Dimension(year, None, None if unit == "year" else 10) if year else None
    return Dimension(own) if own else None


def own_year(metadata: Metadata, scope: Sequence[str]) -> str | None:
    """The year that the rows asked about keep as a number and no time beside it: that of what they belong to is not
    theirs.
    """
    return None if metadata.times(scope[:1]) else year_member(metadata, scope[:1])


def _part_member(metadata: Metadata, unit: str, scope: Sequence[str]) -> str | None:
    names = _PART_NAMES.get(unit, ())
    for relation in scope:
        for member in metadata.relation(relation).members.values():
            if member.path in metadata.members and member.kind == "dimension" and member.type != "time":
                parts = metadata.parts(member.path)
                if parts and parts[-1] in names and len(parts) <= 2:
                    return member.path
    return None


def bind_period(
    metadata: Metadata, condition: Condition, scope: Sequence[str], mentioned: Sequence[str]
) -> Condition | None:
    """Give a period without a member the time dimension (or year number) that it means."""
    member = default_time(metadata, scope, mentioned)
    year = year_member(metadata, scope, mentioned)
    if condition.part is not None:
        if member is not None:
            return Condition(member, condition.operator, condition.values, condition.part, condition.words)
        own = _part_member(metadata, condition.part, scope)
        values = _as_kept(metadata, own, condition) if own else ()
        return Condition(own, condition.operator, values, None, condition.words) if own else None
    low, high = condition.values
    whole = (low is None or str(low)[4:] == "-01-01") and (
        high is None or str(high)[4:] == "-01-01" or low is not None and str(low)[4:] == "-01-01"
    )
    # Whole years over rows that keep a year as number: a time elsewhere would be of other rows.
    if year is not None and whole and (member is None or year in mentioned):
        return years(year, condition)
    kept = own_year(metadata, scope) if whole and member not in mentioned else None
    if kept is not None:
        return years(kept, condition)
    if member is None:
        return None
    return Condition(member, condition.operator, condition.values, None, condition.words)


def _as_kept(metadata: Metadata, member: str, condition: Condition) -> tuple[Any, ...]:
    """Weekdays and months by number, or by name where the member keeps names."""
    names = {"weekday": WEEKDAYS, "month_of_year": MONTHS}.get(condition.part or "")
    known = metadata.values.members.get(member)
    if names is None or not known or metadata.member(member).type != "string":
        return condition.values
    wanted = {names[int(value) - 1] for value in condition.values}
    # By the beginning: data write Mon, Monday, mon.
    return tuple(v for v in known if len(str(v)) > 2 and any(n.startswith(str(v).lower()) for n in wanted))


def years(member: str, condition: Condition) -> Condition:
    """A period as a condition on a number that holds the year."""
    low, high = condition.values
    first = int(low[:4]) if low else None
    last = (int(high[:4]) - 1 if high[4:] == "-01-01" else int(high[:4])) if high else None
    negated = condition.operator == "not period"
    if first is not None and first == last:
        return Condition(member, "!=" if negated else "=", (first,), None, condition.words)
    if first is not None and last is not None:
        return Condition(member, "between", (first, last), None, condition.words)
    if first is not None:
        return Condition(member, ">=", (first,), None, condition.words)
    return Condition(member, "<=", (last,), None, condition.words)


def period_unit(values: Sequence[str | None]) -> str | None:
    """The unit that a closed period is one whole of (``2013`` → year), if any."""
    if None in values:
        return None
    low, high = (datetime.fromisoformat(str(value)) for value in values)
    for unit in ("year", "quarter", "month", "week", "day"):
        if floor(low, unit) == low and shift(low, unit, 1) == high:
            return unit
    halves = low.month in (1, 7) and floor(low, "quarter") == low and shift(low, "quarter", 2) == high
    return HALF_YEAR if halves else None


def auto_grain(metadata: Metadata, member: str) -> str:
    """A grain that gives a line between about ten and a hundred points."""
    from datetime import date

    profile = metadata.profile(member)
    low, high = profile.low, profile.high
    if not isinstance(low, (date, datetime)) or not isinstance(high, (date, datetime)):
        return "month"
    days = (high - low).days if type(high) is type(low) else 400
    # Between about ten and a hundred points.
    if days <= 2:
        return "hour"
    if days <= 45:
        return "day"
    if days <= 120:
        return "week"
    return "month" if days <= 366 * 6 else "year"
