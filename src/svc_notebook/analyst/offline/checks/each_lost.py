"""Plans that lose *each* and *every*: the first of all for the first of each, one count of those that had any."""

from __future__ import annotations

from ..plans.plan import Plan
from ..schema.lexicon import Candidate
from ..walk.draft import Draft

__all__ = ["is_each_lost"]

_EACH = frozenset({"each", "every"})
_HAVING = frozenset("have has had having ever been".split())
_DOES = frozenset("did do does has have had was were is are".split())
_WHO = frozenset({"who", "that", "which"})
_FAR = 4  # words from a pronoun to what everything is had of


def is_each_lost(plan: Plan, draft: Draft) -> bool:
    """Whether one alone is told where one of each was asked for, or any where all of them were."""
    return (
        _first_of_all(plan, draft)
        or _any_for_all(plan, draft)
        or _all_as_limit(plan, draft)
        or _all_as_one(plan, draft)
    )


def _first_of_all(plan: Plan, draft: Draft) -> bool:
    """``each member's cheapest hire``: as many as there are members."""
    if plan.limit != 1 or plan.limit_per is not None or plan.parts or plan.nested is not None:
        return False
    return any(_names(draft, place) for place in _each(draft))


def _any_for_all(plan: Plan, draft: Draft) -> bool:
    """``members who have hired every kind of boat``: those who have all, and not how many have each."""
    if plan.shape != "aggregate" or plan.having or plan.exists or plan.nested is not None or plan.parts:
        return False
    grouped = {d.member for d in plan.dimensions}
    for place in _each(draft):
        named = draft.resolution.choice.get(place + 1)
        before = [token.lower for token in draft.tokens[: draft.items[place].start]]
        clause = next((before[at:] for at in range(len(before)) if before[at] in _WHO and at), [])
        if isinstance(named, Candidate) and named.member in grouped and 1 < len(clause) <= _FAR:
            return bool(_HAVING & set(clause))
    return False


def _all_as_limit(plan: Plan, draft: Draft) -> bool:
    """``that have had all five kinds``: all there are, and not five of them."""
    for item in draft.items:
        before = draft.tokens[item.start - 1].lower if item.start else ""
        if item.kind == "number" and before == "all" and item.number == plan.limit:
            return True
    return False


def _all_as_one(plan: Plan, draft: Draft) -> bool:
    """``how many did each have``: of what is not said, and no number of them all."""
    if plan.shape != "aggregate" or plan.dimensions or plan.parts or plan.nested is not None:
        return False
    words = [token.lower for token in draft.tokens]
    return any(
        word == "each" and before in _DOES and behind not in ("other", "of") and behind in (*_HAVING, "")
        for before, word, behind in zip(words, words[1:], [*words[2:], ""], strict=False)
    )


def _each(draft: Draft) -> list[int]:
    return [
        place for place, item in enumerate(draft.items[:-1])
        if item.is_cue("group") and item.text.lower().split()[-1] in _EACH
    ]  # fmt: skip


def _names(draft: Draft, place: int) -> bool:
    behind = draft.items[place + 1]
    return (
        behind.kind == "grain"
        or behind.kind == "name"
        and isinstance(draft.resolution.choice.get(place + 1), Candidate)
    )
