"""``by hour`` after rows of many days: the hours of the day, as where it is asked at first."""

from __future__ import annotations

from .... import patterns as re
from ..calendar.units import are_many_days
from ..forms import Expression, Member
from .conditions import conditions_of, ends_of
from .editing import Edit

__all__ = ["are_hours_of_many_days"]

_HOURLY = re.compile(r"\b(?:hourly|each (?:single )?hour|every (?:single )?hour|hour by hour)\b", re.IGNORECASE)


def are_hours_of_many_days(time: Expression, edit: Edit) -> bool:
    """Whether rows of more days than a line of hours can show are grouped by a time, and nothing says *hourly*."""
    if not isinstance(time, Member) or time.path not in edit.metadata.members or _HOURLY.search(edit.heard.text):
        return False
    profile = edit.metadata.profile(time.path)
    kept = [ends for one in conditions_of(edit.form) if getattr(one, "of", None) == time and (ends := ends_of(one))]
    return are_many_days(profile.low, profile.high) and all(are_many_days(*ends) for ends in kept)
