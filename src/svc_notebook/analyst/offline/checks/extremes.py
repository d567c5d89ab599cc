"""Plans that take another end than was asked for: the longest for the latest, the best for whose it is."""

from __future__ import annotations

from ..plans.plan import Plan
from ..plans.walking import ordered_by
from ..schema.lexicon import Candidate
from ..walk.draft import Draft

__all__ = ["is_of_another_end"]

_OF_SIZE = frozenset(
    "most,the most,fewest,the fewest,longest,shortest,the longest,the shortest,biggest,smallest,largest,highest,lowest"
    .split(",")
)  # fmt: skip
_AHEAD = 2  # items before the one that says which end


def is_of_another_end(plan: Plan, draft: Draft) -> bool:
    """Whether a plan has the last in time for the largest, or the largest number for whose it is."""
    return _size_by_a_time(plan, draft) or _whose_lost(plan, draft)


def _size_by_a_time(plan: Plan, draft: Draft) -> bool:
    """``the station most rides start from``, ``longest delivery``: how many, how long, and not when the last was."""
    said = any(item.is_cue("top") and item.text.lower() in _OF_SIZE for item in draft.items)
    ends = [m.member for m in plan.measures if m.aggregate in ("min", "max")]
    lasts = [order for order in plan.order if order.measure is None or order.measure.aggregate != "span"]
    return said and any(map(draft.metadata.tells_time, (*ends, *(ordered_by(order, plan) for order in lasts))))


def _whose_lost(plan: Plan, draft: Draft) -> bool:
    """``suppliers with the best score``: suppliers, and no score alone."""
    if plan.shape != "aggregate" or plan.dimensions or plan.parts or plan.nested is not None or plan.claim:
        return False
    items, ends = draft.items, {m.aggregate for m in map(draft.metadata.plain, plan.measures)} & {"min", "max"}
    for place, item in enumerate(items):
        opens = (
            place > 0
            and place <= _AHEAD + 1
            and item.is_cue("top")
            and isinstance(draft.resolution.choice.get(0), Candidate)
        )
        if opens and any(one.text.lower() == "with" for one in items[1:place]):
            return bool(ends)
    return False
