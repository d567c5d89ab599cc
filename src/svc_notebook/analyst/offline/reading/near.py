"""Other readings that are about as near: the same question with a member that the words fit equally well."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..plans.phrases import describe
from ..plans.plan import Measure, Plan
from ..schema.lexicon import Candidate
from ..schema.metadata import Metadata
from ..schema.sayable import content_stems
from ..walk.resolve import Resolution
from ..walk.segments import Item
from ..words.text import stem

__all__ = ["near_plans", "near_words"]

_MOST = 2


def near_plans(plan: Plan, items: list[Item], resolution: Resolution, metadata: Metadata) -> list[Plan]:
    """Plans with another measure in place of one whose name was said only in part (``average delay``)."""
    if plan.shape != "aggregate" or len(plan.measures) != 1 or plan.measures[0].member is None or plan.nested:
        return []
    measure = plan.measures[0]
    if measure.aggregate not in ("measure", "avg", "sum", "min", "max", "median") or measure.conditions:
        return []
    member = measure.member or ""
    said = _said(member, items, resolution, metadata)
    if not said:
        return []
    found: list[Plan] = []
    for other in metadata.members.values():
        if other.path != member and _alike(member, other.path, said, metadata):
            swapped = Measure(other.path, measure.aggregate)
            orders = tuple(order for order in plan.order if order.measure is None)
            if len(orders) == len(plan.order):
                found.append(plan.with_(measures=(swapped,)))
    return found[:_MOST]


def near_words(plan: Plan, metadata: Metadata) -> str:
    """The question that asks for a plan."""
    return describe(plan, metadata).replace(", where ", " where ")


def _said(member: str, items: list[Item], resolution: Resolution, metadata: Metadata) -> frozenset[str]:
    """Stems said of a measure; none when its whole title was said, or a name of one word that is its own."""
    choice: Mapping[int, Any] = resolution.choice
    short = member.split(".", 1)[1]
    for place, chosen in choice.items():
        if not isinstance(chosen, Candidate) or chosen.member is None or items[place].kind != "name":
            continue
        named = chosen.member.split(".", 1)[1]
        if chosen.member == member or short.endswith(f"_{named}"):
            said = frozenset(map(stem, items[place].text.lower().replace("-", " ").split()))
            title = frozenset(content_stems(metadata.member(chosen.member).title.lower().split()))
            return said if said < title else frozenset()
    return frozenset()


def _alike(member: str, other: str, said: frozenset[str], metadata: Metadata) -> bool:
    one, two = metadata.member(member), metadata.member(other)
    if one.relation != two.relation or (one.kind, one.type, one.agg_type) != (two.kind, two.type, two.agg_type):
        return False
    if two.kind == "dimension" and (not metadata.is_number(other) or metadata.is_key(other)):
        return False
    titles = [content_stems(known.title.lower().split()) for known in (one, two)]
    return len(titles[0]) == len(titles[1]) and said < frozenset(titles[1]) and one.format == two.format
