"""*How many flights to airports in the Mountain time zone*: one number, and no group that nothing asks for."""

from __future__ import annotations

from ..plans.plan import Plan
from ..walk.draft import Draft

__all__ = ["has_groups_unasked"]

_COUNTING = frozenset({("how", "many"), ("number", "of")})
_OPENING = 2  # words
_SHARES = ("share", "proportion", "percentage", "fraction", "part")
_DIVIDING = frozenset({"group", "series", "axis", "top", "superlative", "calc", "trend", "spread", "mark", "ask"})


def has_groups_unasked(plan: Plan, draft: Draft) -> bool:
    """Whether rows that are only counted are told in groups, where nothing said divides them."""
    words = [token.lower for token in draft.tokens if token.kind != "punctuation"]
    counts = tuple(words[:_OPENING]) in _COUNTING or tuple(words[-_OPENING:]) == ("how", "many")
    shares = words[:1] in (["what"], ["which"]) and words[1:3] in [[noun, "of"] for noun in _SHARES]
    fixed = {c.member for c in plan.conditions if c.operator in ("in", "=") and len(c.values) == 1}
    groups = [one for one in plan.dimensions if one.member not in fixed]  # "free of charge": all have the same
    if not (counts or shares) or plan.shape != "aggregate" or not groups or plan.limit or plan.having:
        return False
    behind = [item for item in draft.items[1:] if item.start > _OPENING or counts]
    divided = any(item.kind == "grain" or item.cue is not None and item.cue.kind in _DIVIDING for item in behind)
    return not divided and not draft.compare and not draft.mark and not _has_sides(plan)


def _has_sides(plan: Plan) -> bool:
    """``how many flights from JFK and from Newark``: each of those that are named."""
    grouped = {dimension.member for dimension in plan.dimensions}
    named = [c for c in plan.conditions if c.operator in ("in", "=", "period") and len(c.values) > 1]
    either = [condition for some in plan.alternatives for condition in some]
    return bool(either) or any(condition.member in grouped for condition in named)
