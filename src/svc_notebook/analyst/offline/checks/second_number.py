"""Plans that make one number of two: *jobs and how many of them are open* is no number of open jobs."""

from __future__ import annotations

from .... import patterns as re
from ..plans.plan import Plan
from ..walk.draft import Draft

__all__ = ["is_second_number_bound", "is_second_number_lost"]

_SECOND = re.compile(
    r"\band (?:also )?(?:of (?:them|those|these) )?(?:how many|how much|(?:the )?(?:number|count|share) of)\b"
    r"|, how (?:many|much)\b"
)
_TESTS = frozenset({"in", "true", "false", "=", ">", "<", ">=", "<="})


def is_second_number_lost(plan: Plan, draft: Draft) -> bool:
    """Whether a second number is asked for in so many words, and what it is of has become a condition of the first."""
    said = " ".join(token.lower for token in draft.tokens)
    found = _SECOND.search(said)
    if found is None or plan.shape != "aggregate" or not plan.measures or plan.parts or plan.compare:
        return False
    if any(measure.conditions for measure in plan.measures):
        return False
    before = len(said[: found.start()].split())
    shown = {dimension.member for dimension in plan.dimensions}
    return any(
        condition.member not in shown and condition in plan.conditions and condition.operator in _TESTS
        for _, condition, place in draft.conditions if _start(draft, place) > before
    )  # fmt: skip


def _start(draft: Draft, place: int) -> int:
    return draft.items[place].start if 0 <= place < len(draft.items) else 0


def is_second_number_bound(plan: Plan, draft: Draft) -> bool:
    """``how many were cancelled and how many diverted``: those that were diverted were not cancelled before."""
    words = [token.lower for token in draft.tokens]
    again = next((at for at in range(1, len(words)) if words[at : at + 3] == ["and", "how", "many"]), None)
    if again is None or "many" not in words[:again] or words[again + 3 : again + 4] == ["of"]:
        return False
    if len(plan.measures) < _BOTH or plan.parts:
        return False
    said = (condition for _, condition, place in draft.conditions if _end(draft, place) == again)
    return any(condition in plan.conditions and condition.operator != "period" for condition in said)


_BOTH = 2  # numbers


def _end(draft: Draft, place: int) -> int:
    return draft.items[place].end if 0 <= place < len(draft.items) else 0
