"""Numbers of all times, where a time was only named for them."""

from __future__ import annotations

from ..plans.plan import Plan
from ..walk.draft import Draft

__all__ = ["TIMED", "without_months"]

TIMED = frozenset({"over", "by", "per", "each", "every", "versus", "trend", "when", "time", "timeline", "development"})
"""Words that ask for one number after another in time."""


def without_months(plan: Plan, draft: Draft) -> Plan:
    """``what share of enquiries did we lose``: of all of them, and not of each month that a time was named for."""
    words = {token.lower for token in draft.tokens}
    counted = any(item.is_cue("count") and item.text.lower() == "how many" for item in draft.items[:1])
    one = len(plan.measures) == len(plan.dimensions) == 1 and not plan.calculations and plan.nested is None
    if not one or plan.dimensions[0].grain != "month" or not (counted or plan.measures[0].aggregate == "share_true"):
        return plan
    said = any(item.kind == "grain" or item.is_cue("group") for item in draft.items) or draft.mark or draft.axes
    if said or words & TIMED or draft.trend or draft.when or draft.spread or plan.order or plan.having:
        return plan
    return plan.with_(dimensions=())
