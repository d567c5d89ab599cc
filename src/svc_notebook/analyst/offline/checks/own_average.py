"""Plans that take the average of all rows for that of some: *dearer than the average of their size*."""

from __future__ import annotations

from .... import patterns as re
from ..plans.plan import Plan
from ..walk.draft import Draft

__all__ = ["takes_all_for_its_own"]

_OWN = re.compile(
    r"\b(?:average|mean)(?: \w+)? (?:of|for|in|within|among) (?:their|its|his|her|the same)\b"
    r"|\b(?:above|below|over|under|than) (?:their|its) (?:own )?\w+(?: ?['’]s?)? (?:average|mean)\b"
)
_OF_ALL = frozenset({"above_average", "below_average"})


def takes_all_for_its_own(plan: Plan, draft: Draft) -> bool:
    """Whether rows are to be set against the average of those like them, and stand against that of all."""
    said = " ".join(token.lower for token in draft.tokens)
    return any(c.operator in _OF_ALL for c in plan.conditions) and _OWN.search(said) is not None
