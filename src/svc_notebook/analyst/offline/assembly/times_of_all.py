"""Rows that something never happened to are dated by a time that all rows have: cancelled deliveries by when they were
ordered, since nothing was delivered.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ..plans.plan import Condition, Dimension, Plan
from ..schema.lasting import BIRTH
from ..schema.metadata import Metadata
from ..walk.draft import Draft
from ..words.text import stem

__all__ = ["dated_by_all", "time_of_all"]

_NEVER = frozenset(
    map(stem, "cancelled canceled cancel failed missed rejected refused declined aborted abandoned noshow".split())
)


def dated_by_all(plan: Plan, draft: Draft) -> Plan:
    """The plan with such rows' time in the place of one that nobody named and that they lack."""
    said = [*plan.conditions, *(condition for measure in plan.measures for condition in measure.conditions)]
    named = {mention.member for mention in draft.mentions}
    for home in {c.member.split(".", 1)[0] for c in said}:
        usual = draft.metadata.times([home])[:1]
        if usual and usual[0] not in named and (whole := time_of_all(usual[0], said, draft.metadata)) != usual[0]:
            plan = _by(plan, usual[0], whole)
    return plan


def time_of_all(time: str, conditions: Iterable[Condition], metadata: Metadata) -> str:
    """A time that all rows of a relation have, where those that are spoken of lack this one; else itself."""
    home = time.split(".", 1)[0]
    so = any(c.member.startswith(f"{home}.") and _never_happened(c, metadata) for c in conditions)
    if not so or not metadata.profile(time).missing:
        return time
    whole = (t for t in metadata.times([home]) if not metadata.profile(t).missing and not _is_birth(t, metadata))
    return next(whole, time)


def _never_happened(condition: Condition, metadata: Metadata) -> bool:
    if condition.operator == "true":
        return not _NEVER.isdisjoint(map(stem, metadata.parts(condition.member)))
    said = [str(value).lower().replace("-", "").replace(" ", "") for value in condition.values]
    return condition.operator in ("in", "=") and bool(said) and all(stem(value) in _NEVER for value in said)


def _is_birth(path: str, metadata: Metadata) -> bool:
    return bool(BIRTH & set(metadata.parts(path)))


def _by(plan: Plan, old: str, new: str) -> Plan:
    def dated(of: Dimension) -> Dimension:
        return replace(of, member=new) if of.member == old else of

    nested = plan.nested and replace(plan.nested, dimension=dated(plan.nested.dimension))
    conditions = tuple(replace(c, member=new) if c.member == old else c for c in plan.conditions)
    return plan.with_(dimensions=tuple(map(dated, plan.dimensions)), conditions=conditions, nested=nested)
