"""Why is one group higher: the dimension whose values explain most of the difference from the others."""

from __future__ import annotations

from dataclasses import dataclass

from .metadata import Metadata
from .plan import Condition, Dimension, Plan

__all__ = ["Cause", "candidates", "explained", "rest_of"]


@dataclass(frozen=True, slots=True)
class Cause:
    """How much one value of a dimension adds to the difference."""

    member: str
    value: object
    inside: float
    outside: float

    @property
    def effect(self) -> float:
        return self.inside - self.outside


def candidates(plan: Plan, metadata: Metadata, limit: int = 6) -> list[str]:
    """Text dimensions of the plan's first relation with few values, not yet used by the plan."""
    used = {d.member for d in plan.dimensions} | {c.member for c in plan.conditions}
    found = []
    for member in metadata.relation(plan.scope[0]).members.values():
        values = metadata.values.members.get(member.path)
        if member.path in used or values is None or member.path not in metadata.values.complete or not 1 < len(values) <= 40:
            continue
        found.append((len(values), len(found), member.path))
    return [path for _, _, path in sorted(found)[:limit]]


def rest_of(plan: Plan, group: Condition, member: str) -> tuple[Plan, Plan]:
    """Two plans by ``member``: inside the group that is asked about, and over everything."""
    others = tuple(c for c in plan.conditions if c.member != group.member)
    base = plan.with_(dimensions=(Dimension(member),), order=(), limit=None, limit_per=None, calculations=(), having=(), measures=plan.measures[:1], hidden=())
    return base.with_(conditions=(*others, group)), base.with_(conditions=others)


def explained(member: str, inside: dict[object, float], outside: dict[object, float], additive: bool, parts: int) -> list[Cause]:
    """The values in order of their part in the difference; totals of everything are brought down to one group of ``parts``."""
    causes = []
    for value in sorted(set(inside) | set(outside), key=str):
        usual = outside.get(value, 0.0) / parts if additive else outside.get(value, 0.0)
        causes.append(Cause(member, value, inside.get(value, 0.0), usual))
    return sorted(causes, key=lambda c: (-abs(c.effect), str(c.value)))
