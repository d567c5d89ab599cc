"""Two columns that are set equal, or apart, and are only listed beside each other."""

from __future__ import annotations

from ..plans.plan import Plan
from ..plans.walking import conditions_of
from ..walk.draft import Draft

__all__ = ["sets_nothing_equal"]

_VERBS = frozenset({"equals", "equalled", "matches"})  # of what stands behind them
_ALIKE = _VERBS | {"same", "equal", "identical", "match", "differs", "different", "differ"}
_BEHIND = frozenset({"as", "to", "from", "than", "with", "the"})
_BEING = frozenset({"is", "are", "was", "were", "the", "not", "exactly", "with", "that"})
_SIDES = 2


def sets_nothing_equal(plan: Plan, draft: Draft) -> bool:
    """Whether ``where start zone is the same as end zone`` compares nothing: both are columns, and all rows stay."""
    if any(condition.other for condition in conditions_of(plan)):
        return False
    words = [token.lower for token in draft.tokens]
    for place, word in enumerate(words):
        if word not in _ALIKE:
            continue
        before, after = place, place + 1
        while before > 0 and words[before - 1] in _BEING:
            before -= 1
        while after < len(words) and words[after] in _BEHIND:
            after += 1
        sides = {path for at in (before - 1, after) if (path := _column_at(at, draft))}
        if len(sides) == _SIDES and (word in _VERBS or after > place + 1):
            return True
    return False


def _column_at(at: int, draft: Draft) -> str | None:
    """The column that is named by the word at a place."""
    for place, item in enumerate(draft.items):
        chosen = draft.resolution.choice.get(place)
        if item.start <= at < item.end and item.kind == "name" and chosen is not None:
            return getattr(chosen, "member", None)
    return None
