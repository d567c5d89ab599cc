"""What is best or worst is no time: *best selling product* of ``sold_at`` is not when something was sold last."""

from __future__ import annotations

from ..plans.plan import Plan
from ..plans.walking import measures_of
from ..walk.draft import Draft

__all__ = ["is_best_of_times"]

_QUALITY = frozenset("best worst top bottom finest selling popular".split())
_FIRST = frozenset({"oldest", "earliest"})
_LAST = frozenset({"newest", "latest", "youngest"})
_ENDS = frozenset(
    "last latest first earliest newest oldest recent recently new old next soonest when date dates day days time times "
    "month months year years week weeks hour hours quarter quarters since ago early late longest shortest".split()
)


def is_best_of_times(plan: Plan, draft: Draft) -> bool:
    """Whether a plan takes the last time for what is best, where no time was asked for."""
    said = {token.lower for token in draft.tokens}
    if _is_other_end(plan, draft, said):
        return True
    if said.isdisjoint(_QUALITY) or not said.isdisjoint(_ENDS):
        return False
    return bool(_ends_of_times(plan, draft))


def _is_other_end(plan: Plan, draft: Draft, said: set[str]) -> bool:
    """``the oldest order`` is the one with the earliest time, whatever is high of what is old."""
    first, last = not said.isdisjoint(_FIRST), not said.isdisjoint(_LAST)
    if first == last or "not" in said:
        return False
    return ("max" if first else "min") in _ends_of_times(plan, draft)


def _ends_of_times(plan: Plan, draft: Draft) -> set[str]:
    """Which ends of times a plan takes: of all, or to rank single rows by."""
    times = {path for path, member in draft.metadata.members.items() if member.type == "time"}
    found = {str(m.aggregate) for m in measures_of(plan) if m.aggregate in ("max", "min") and m.member in times}
    for order in plan.order if plan.limit is not None else ():
        by = order.member if order.by == "member" else plan.columns[order.place] if order.by == "column" else None
        if by in times:
            found.add("max" if order.descending else "min")
    return found
