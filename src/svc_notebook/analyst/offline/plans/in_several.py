"""Rows that belong to several groups: a budget of a project in each of the towns that people who work on it live in."""

from __future__ import annotations

from ..schema.metadata import Metadata
from ..schema.nouns import lowered
from ..words.text import singular
from .plan import Measure, Plan

__all__ = ["between", "is_in_several", "told_of_several"]

_SUMMED = ("sum", "count")


def is_in_several(measure: Measure, plan: Plan, metadata: Metadata) -> bool:
    """Whether one row that a number is made of may belong to several groups, or to other rows than are asked for."""
    own, plain = _owner(measure, plan, metadata), metadata.plain(measure)
    if own is None or plain.aggregate not in _SUMMED or plan.nested is not None or plan.parts:
        return False
    return any(not metadata.leads_to(own, other) for other in _parted_by(plan, metadata))


def between(measure: Measure, plan: Plan, metadata: Metadata) -> str | None:
    """The rows that refer both to those that a number is of and to what they are parted by."""
    own = _owner(measure, plan, metadata)
    ends = {own, *_parted_by(plan, metadata)} - {None}
    root = plan.scope[0]
    reached = root in metadata.catalog.relations and all(metadata.leads_to(root, str(end)) for end in ends)
    return root if reached and root != own and len(ends) > 1 else None


def told_of_several(plan: Plan, metadata: Metadata) -> list[str]:
    """What is told beside sums of groups that share rows."""
    if plan.shape != "aggregate":
        return []
    for measure in plan.measures:
        own, plain = _owner(measure, plan, metadata), metadata.plain(measure)
        if own is None or plain.aggregate != "sum" or plain.member is None:
            continue
        if not is_in_several(measure, plan, metadata):
            continue
        one, title = _one(own, metadata), lowered(metadata.member(plain.member).title)
        each = between(measure, plan, metadata)
        if each is not None and measure.aggregate == "sum":
            return [f"The {title} is counted once for each {_one(each, metadata)}."]
        if plan.dimensions:
            return [f"A {one} that belongs to several of these groups is counted in each of them."]
    return []


def _owner(measure: Measure, plan: Plan, metadata: Metadata) -> str | None:
    """The relation that a number is of."""
    plain = metadata.plain(measure)
    path = plain.member or (f"{plain.entity or plan.scope[0]}." if plain.aggregate == "count" else None)
    own = path.split(".", 1)[0] if path is not None else ""
    return own if own in metadata.catalog.relations and metadata.relation(own).kind == "cube" else None


def _parted_by(plan: Plan, metadata: Metadata) -> list[str]:
    """The relations of the groups; of what is asked for in all, those of its conditions."""
    paths = [d.member for d in plan.dimensions] or [c.member for c in plan.conditions]
    names = dict.fromkeys(path.split(".", 1)[0] for path in paths)
    return [name for name in names if name in metadata.catalog.relations]


def _one(relation: str, metadata: Metadata) -> str:
    *before, last = metadata.words_of(relation)
    return " ".join([*before, singular(last)])
