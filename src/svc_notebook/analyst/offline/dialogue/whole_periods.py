"""Periods in the place of others: the whole year of a month, all time, the other days of the week."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime

from ..forms import Condition, Form, Member, OneOf, Part, Range, Value
from ..forms.walking import parts
from ..schema.metadata import Metadata
from .conditions import conditions_of, ends_of, with_conditions
from .editing import Unfit
from .expressing import is_time, members_of, paths_of, relations_of, time_of

_OF_DAYS = frozenset(("hour", "isoweekday", "weekday"))

__all__ = ["all_time", "days", "whole_quarter", "whole_year"]


def whole_year(form: Form, metadata: Metadata) -> Form:
    """The year that a period lies in."""

    def year_of(start: date) -> tuple[datetime, datetime]:
        return datetime(start.year, 1, 1), datetime(start.year + 1, 1, 1)

    return _whole(form, metadata, year_of) or all_time(form, metadata)


def whole_quarter(form: Form, metadata: Metadata) -> Form:
    """The quarter that a period lies in."""

    def quarter_of(start: date) -> tuple[datetime, datetime]:
        first = start.month - (start.month - 1) % 3
        return datetime(start.year, first, 1), datetime(start.year + first // 10, (first + 3) % 12, 1)

    whole = _whole(form, metadata, quarter_of)
    if whole is None:
        raise Unfit("no period was said whose quarter could be meant")
    return whole


def _whole(form: Form, metadata: Metadata, of: Callable[[date], tuple[datetime, datetime]]) -> Form | None:
    """The form with the longer unit that its period lies in."""
    known = conditions_of(form)
    for place, condition in enumerate(known):
        ends = ends_of(condition) if paths_of(condition) and _is_timed(condition, metadata) else None
        if ends is None:
            continue
        low, high = of(ends[0])
        if ends[1].isoformat() <= high.isoformat():
            whole = Range(condition.of, Value(low), Value(high))  # type: ignore[union-attr]  # it has ends
            return with_conditions(form, [*known[:place], whole, *known[place + 1 :]])
    return None


def _is_timed(condition: Condition, metadata: Metadata) -> bool:
    return isinstance(condition, Range) and is_time(condition.of, metadata)


def all_time(form: Form, metadata: Metadata) -> Form:
    """All there is of it: at the hours and on the days of the week that were said, where a period was said as well."""
    known = conditions_of(form)
    timed = [c for c in known if any(is_time(member, metadata) for member in members_of(c))]
    periods = [c for c in timed if not _is_of_days(c)]
    left = [c for c in known if c not in (periods or timed)]
    if len(left) == len(known):
        raise Unfit("there is no period in it")
    return with_conditions(form, left)


def _is_of_days(condition: Condition) -> bool:
    """Whether it says at which hours, or on which days of the week."""
    found = [part.part for part in parts(condition) if isinstance(part, Part)]
    return bool(found) and set(found) <= _OF_DAYS


def days(*days: int) -> Callable[[Form, Metadata], Form | None]:
    """``only weekdays``: those of the time that is looked at; in the place of other days of the week."""

    def change(form: Form, metadata: Metadata) -> Form | None:
        known = conditions_of(form)
        for place, condition in enumerate(known):
            # One day is said with "=", several are listed.
            of = condition.of if isinstance(condition, OneOf) else getattr(condition, "left", None)
            if isinstance(of, Part) and of.part == "isoweekday":
                other = OneOf(of, tuple(Value(day) for day in days))
                return with_conditions(form, [*known[:place], other, *known[place + 1 :]])
        path, rows = time_of(form, metadata), relations_of(form)
        if path is None or not rows or path.split(".", 1)[0] not in rows:
            return None
        only = OneOf(Part(Member(path), "isoweekday"), tuple(Value(day) for day in days))
        return with_conditions(form, [*known, only])

    return change
