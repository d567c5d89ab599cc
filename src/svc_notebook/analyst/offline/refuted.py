"""Readings of the rules that cannot be what was asked: conditions that deny nothing, or that every row meets."""

from __future__ import annotations

from itertools import permutations

from .draft import Draft
from .metadata import Metadata
from .plan import Condition, Plan
from .profiles import as_number

__all__ = ["is_refuted"]


def is_refuted(plan: Plan, draft: Draft) -> bool:
    """Whether the plan leaves something of the question without effect."""
    return _denies_nothing(plan) or _both_times(draft) or any(_of_all(c, draft.metadata) for c in plan.conditions)


def _denies_nothing(plan: Plan) -> bool:
    """``in 2023 but not in 2024``: no row of the one is a row of the other, so different rows are meant."""
    return any(
        one.member == other.member and one.part == other.part and _apart(one, other)
        for one, other in permutations(plan.conditions, 2)
    )


def _apart(one: Condition, other: Condition) -> bool:
    if (one.operator, other.operator) in (("in", "not in"), ("=", "!=")):
        return set(one.values).isdisjoint(other.values)
    if (one.operator, other.operator) != ("period", "not period"):
        return False
    (low, high), (start, end) = one.values, other.values
    return all((low, high, start, end)) and (high <= start or end <= low)


def _both_times(draft: Draft) -> bool:
    """``both in 2022 and 2023``: no row is of two times."""
    periods = [item for item in draft.items if item.kind == "period" and item.period is not None]
    said = any(token.lower == "both" for token in draft.tokens)
    return said and len(periods) > 1 and bool(draft.counted_entities or draft.entities)


def _of_all(condition: Condition, metadata: Metadata) -> bool:
    """``under 800`` of rooms, of which nobody has more than five: something else is under 800."""
    if condition.operator not in ("<", "<=", ">", ">=") or condition.part or len(condition.values) != 1:
        return False
    number, profile = as_number(condition.values[0]), metadata.profile(condition.member)
    low, high = as_number(profile.low), as_number(profile.high)
    if number is None or low is None or high is None:
        return False
    return number > 10 * max(high, 1) if condition.operator[0] == "<" else number < low - 10 * max(abs(low), 1)
