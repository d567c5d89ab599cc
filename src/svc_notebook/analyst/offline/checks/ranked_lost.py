"""Questions for the highest share, for somebody, for the last time, whose plan tells something else."""

from __future__ import annotations

from itertools import pairwise

from ..plans.plan import Plan
from ..walk.draft import Draft

__all__ = ["is_ranked_otherwise"]

_HIGH = frozenset({"highest", "largest", "greatest", "biggest", "smallest", "lowest"})
_SHARES = frozenset({"%", "pct", "percent", "percentage", "share", "proportion", "fraction"})
_LATEST = frozenset({"latest", "newest", "earliest"})


def is_ranked_otherwise(plan: Plan, draft: Draft) -> bool:
    """Whether a plan ranks by another number than was said, or tells somebody by what is nobody."""
    return any(is_lost(plan, draft) for is_lost in _LOST)


def _share_lost(plan: Plan, draft: Draft) -> bool:
    """``zone with the highest % in collections``: by the part of each zone, and not by how many there are."""
    words = [token.lower for token in draft.tokens]
    said = any(one in _HIGH and two in _SHARES for one, two in pairwise(words))
    if not said or plan.shape != "aggregate" or not plan.order or plan.parts:
        return False
    meta = draft.metadata
    told = any(m.aggregate in ("share_true", "ratio") or m.percent or m.divided_by for m in plan.measures)
    own = (meta.members.get(m.member or "") for m in plan.measures)
    named = any(
        m is not None
        and (m.format == "percent" or _SHARES & set(meta.parts(m.path)) or m.agg_type not in ("count", "sum"))
        for m in own
    )
    return not (told or named or plan.calculations)


def _nobody(plan: Plan, draft: Draft) -> bool:
    """``who starts most visits after five``: somebody, and no month."""
    first = draft.tokens[0].lower if draft.tokens else ""
    times = [d for d in plan.dimensions if d.grain is not None]
    return first == "who" and bool(times) and len(times) == len(plan.dimensions) and not plan.columns


def _latest_lost(plan: Plan, draft: Draft) -> bool:
    """``on which date was the latest accident with dead people``: by its time, and not by how many there were."""
    words = [token.lower for token in draft.tokens]
    said = any(one in _LATEST for one in words)
    if not said or plan.shape != "aggregate" or not plan.order or plan.limit != 1:
        return False
    by_number = any(order.by == "measure" for order in plan.order)
    return by_number and all(m.aggregate not in ("min", "max") for m in plan.measures)


def _divided_by_nothing(plan: Plan, draft: Draft) -> bool:
    """``compensation per customer affected by region``: one number by another, and no list of both."""
    if plan.shape != "rows" or plan.order or plan.limit is not None:
        return False
    named = {at: chosen.member for at, chosen in draft.resolution.choice.items() if getattr(chosen, "member", None)}
    for at, item in enumerate(draft.items):
        over, under = named.get(at - 1), named.get(at + 1)
        if item.text.lower() == "per" and over in plan.columns and under in plan.columns:
            return draft.metadata.is_number(over) and draft.metadata.is_number(under)
    return False


def _several_of_one(plan: Plan, draft: Draft) -> bool:
    """``top 5 horror titles by views``: five of them, and no one number of all."""
    several = plan.shape == "aggregate" and plan.limit is not None and plan.limit > 1
    return several and bool(plan.order) and not (plan.dimensions or plan.columns or plan.calculations or plan.parts)


_LOST = (_share_lost, _nobody, _latest_lost, _divided_by_nothing, _several_of_one)
