"""``why is that?``: the group of the answer before whose number stands out, as a condition on its rows."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from ..plans.plan import Condition, Plan

__all__ = ["outstanding", "remembered_top"]

_MONTHS = {"month": 1, "quarter": 3, "year": 12}
_DAYS = {"day": 1, "week": 7}


def remembered_top(plan: Plan, table: Any, group: str, number: str) -> list[Any] | None:
    """What "that" stands for: the group with the largest number, or the one that was asked for."""
    if not table.num_rows or len(plan.dimensions) != 1:
        return None
    groups, numbers = table.column(group).to_pylist(), table.column(number).to_pylist()
    known = [(value, key) for key, value in zip(groups, numbers, strict=True) if key is not None and value is not None]
    if not known:
        return None
    first = groups[0] if plan.limit == 1 else max(known, key=lambda item: item[0])[1]
    return [first.isoformat() if hasattr(first, "isoformat") else first]


def outstanding(memory: Mapping[str, Any], plan: Plan) -> Condition | None:
    """The condition that rows belong to the group that stood out in the result of ``plan``."""
    kept = memory.get("top")
    if not kept or len(plan.dimensions) != 1 or not plan.measures:
        return None
    dimension, value = plan.dimensions[0], kept[0]
    if dimension.grain in _MONTHS or dimension.grain in _DAYS:
        start = datetime.fromisoformat(str(value))
        ends = (start.isoformat(), _after(start, str(dimension.grain)).isoformat())
        return Condition(dimension.member, "period", ends, words=_period(start, str(dimension.grain)))
    if dimension.bin is not None:
        return None
    return Condition(dimension.member, "in", (value,), dimension.grain, str(value))


def _after(start: datetime, grain: str) -> datetime:
    if grain in _DAYS:
        return start + timedelta(days=_DAYS[grain])
    whole = start.year * 12 + start.month - 1 + _MONTHS[grain]
    return start.replace(year=whole // 12, month=whole % 12 + 1)


def _period(start: datetime, grain: str) -> str:
    shown = {"month": f"{start:%B %Y}", "year": f"{start:%Y}", "quarter": f"the quarter from {start:%B %Y}"}
    return shown.get(grain, f"the {grain} of {start:%Y-%m-%d}")
