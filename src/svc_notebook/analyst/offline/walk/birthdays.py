"""``born in June``, ``birthdays next month``: the month of any year, where it lies behind all births."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime

from ..plans.plan import Condition
from ..schema.lasting import BIRTH
from ..schema.metadata import Metadata
from .times import period_unit

__all__ = ["of_any_year"]


def of_any_year(metadata: Metadata, condition: Condition) -> Condition:
    """A month in which nobody of the data can have been born, as the month of the year; others as they are."""
    member, born = condition.member, condition.operator in ("period", "not period")
    if not born or member not in metadata.members or not BIRTH & set(metadata.parts(member)):
        return condition
    high = metadata.profile(member).high
    low = datetime.fromisoformat(str(condition.values[0])) if period_unit(condition.values) == "month" else None
    last = high if isinstance(high, datetime) else datetime(high.year, high.month, high.day) if _is_day(high) else None
    if low is None or last is None or low <= last.replace(tzinfo=None):
        return condition
    operator = "in" if condition.operator == "period" else "not in"
    return replace(condition, operator=operator, values=(low.month,), part="month_of_year")


def _is_day(high: object) -> bool:
    return isinstance(high, date)
