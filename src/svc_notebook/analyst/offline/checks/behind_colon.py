"""Plans that take what is listed behind a colon for something else: *per driver: deliveries, km driven* are two numbers
of each driver, and none by km.
"""

from __future__ import annotations

from itertools import pairwise

from ..plans.plan import Plan
from ..walk.draft import Draft

__all__ = ["is_of_fewer_numbers"]

_EACH = (("per",), ("for", "each"), ("for", "every"), ("by",), ("each",))
_JOINTS = frozenset({"and", ",", "&", "+", "or"})


def is_of_fewer_numbers(plan: Plan, draft: Draft) -> bool:
    """Whether one group is named before a colon, and the plan has more of them, or fewer numbers than are listed."""
    words = [token.lower for token in draft.tokens]
    if ":" not in words or not any(tuple(words[: len(each)]) == each for each in _EACH):
        return False
    place = words.index(":")
    if _JOINTS & set(words[:place]):
        return False
    # ", and" joins as one of them does.
    listed = 1 + sum(word in _JOINTS and before not in _JOINTS for before, word in pairwise(words[place:]))
    return len(plan.dimensions) > 1 or plan.shape == "aggregate" and len(plan.measures) < listed
