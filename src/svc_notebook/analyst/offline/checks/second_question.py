"""Plans that answer the first of two questions: *the longest trip, who did it*, *best clients and where they live*."""

from __future__ import annotations

from ..plans.plan import Plan
from ..walk.draft import Draft

__all__ = ["PLACES", "is_second_question_lost"]

PLACES = frozenset(
    "country city town village region state county district address street place location area zone".split()
)
_BREAKS = frozenset({"and", ",", "-", "–", "—", "?", ".", ";", "plus"})
_WHO = frozenset({"who", "whom"})
_LEADS = frozenset({"by", "for", "with", "to", "from"})
_THOSE = frozenset("it that this they them he she was is are were did does do has had have the we".split())


def is_second_question_lost(plan: Plan, draft: Draft) -> bool:
    """Whether somebody or some place is asked for besides, and nobody and no place is told."""
    words = [token.lower for token in draft.tokens]
    asked = [word for at, word in enumerate(words) if _is_second(words, at)]
    if not asked or plan.parts or plan.shape == "exists":
        return False
    meta = draft.metadata
    shown = [*plan.columns, *(d.member for d in plan.dimensions), *(m.member for m in plan.measures if m.member)]
    shown = [path for path in shown if path in meta.members]
    people = [p for p in shown if p in meta.people_columns or meta.is_of_people(p.split(".", 1)[0])]
    if _WHO & set(asked) and not people and all(path.split(".", 1)[0] == plan.scope[0] for path in shown):
        return True
    return "where" in asked and not any(PLACES & set(meta.parts(path)) for path in shown)


def _is_second(words: list[str], at: int) -> bool:
    """Whether a question begins at a place behind another: ``…, who did it``, ``… and for whom``."""
    if not at or words[at] not in _WHO | {"where"}:
        return False
    before = at - 1 - (words[at - 1] in _LEADS)
    follows = at + 1 == len(words) or words[at + 1] in _THOSE
    return before > 0 and words[before] in _BREAKS and follows
