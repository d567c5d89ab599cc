"""What was missed, owed or lost is not all there is: *who missed the most shifts*."""

from __future__ import annotations

from ..plans.plan import Plan
from ..plans.walking import conditions_of, measures_of
from ..walk.draft import Draft
from ..words.families import deed
from ..words.undone import is_undone

__all__ = ["is_undone_lost"]

_DENYING = frozenset({"false", "!=", "not in", "null"})


def is_undone_lost(plan: Plan, draft: Draft) -> bool:
    """Whether a verb that says that something was not had is without effect."""
    said = {item.text.lower() for item in draft.items if item.kind == "word" and item.text not in plan.unread}
    lost = {deed(word) for word in said if is_undone(word)}
    denied = any(c.operator in _DENYING for c in conditions_of(plan))  # "failed" are those that were not passed
    return bool(lost) and not denied and not lost & _meant(plan, draft)


def _meant(plan: Plan, draft: Draft) -> set[str]:
    conditions = list(conditions_of(plan))
    paths = {path for c in conditions for path in (c.member, c.other) if path} | {*plan.columns, *plan.scope}
    paths |= {m.member for m in measures_of(plan) if m.member}
    named = {part for path in paths if path in draft.metadata.members for part in draft.metadata.parts(path)}
    told = {word for c in conditions for value in (*c.values, c.words) for word in str(value).lower().split()}
    rows = {word for relation in plan.scope for word in draft.metadata.words_of(relation)}
    return {deed(word) for word in named | told | rows}
