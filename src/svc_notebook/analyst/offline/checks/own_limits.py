"""A limit that rows have themselves is no group of them: *rooms over capacity* are no rooms by capacity."""

from __future__ import annotations

from ..lexicon.bounds import bound_at
from ..plans.plan import Plan
from ..walk.draft import Draft

__all__ = ["is_limit_as_group"]

_LIMITS = frozenset(
    "capacity budget target limit quota goal plan planned estimate estimated allowance threshold reorder minimum "
    "maximum max min".split()
)
_OWN = frozenset({"the", "their", "its", "our"})


def is_limit_as_group(plan: Plan, draft: Draft) -> bool:
    """Whether what is above or below a limit of its own is told by that limit, or parted by it."""
    meta = draft.metadata
    told = [one.member for one in plan.dimensions] + [m.member for m in map(meta.plain, plan.measures) if m.member]
    groups = {part for path in told for part in meta.parts(path)} & _LIMITS
    if not groups or plan.having or any(c.other is not None for c in plan.conditions):
        return False
    words = [token.lower for token in draft.tokens]
    for at in range(1, len(words)):
        behind = at + bound_at(words, at)[0]
        behind += behind > at and words[behind : behind + 1] != [] and words[behind] in _OWN
        if behind > at and words[behind : behind + 1] and words[behind] in groups:
            return True
    return False
