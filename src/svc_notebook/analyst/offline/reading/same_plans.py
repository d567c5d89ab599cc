"""Whether two plans ask the same, however they were come by."""

from __future__ import annotations

from collections.abc import Hashable

from ..plans.plan import Condition, Measure, Plan
from ..schema.metadata import Metadata

__all__ = ["same_plan"]


def same_plan(one: Plan, other: Plan, metadata: Metadata) -> bool:
    """Whether two plans show the same of the same rows in the same order."""
    return _asked(one, metadata) == _asked(other, metadata)


def _asked(plan: Plan, metadata: Metadata) -> Hashable:
    measures = tuple(_measure(measure, metadata) for measure in plan.measures)
    shown = tuple(m for place, m in enumerate(measures) if place not in plan.hidden)
    ordered = tuple(
        (measures[o.place] if o.by == "measure" else (o.by, o.place, o.member), o.descending)
        for o in plan.order
        if plan.limit is not None or o.by != "dimension"
    )
    return (
        plan.shape, frozenset(shown), frozenset((d.member, d.grain, d.bin) for d in plan.dimensions),
        frozenset(plan.columns), frozenset(map(_condition, plan.conditions)),
        frozenset(frozenset(map(_condition, group)) for group in plan.alternatives), plan.exists, plan.having, ordered,
        plan.limit, plan.limit_per, plan.calculations, plan.nested, plan.parts,
    )  # fmt: skip


def _measure(measure: Measure, metadata: Metadata) -> Hashable:
    plain = metadata.plain(measure)
    return plain.member, plain.aggregate, frozenset(map(_condition, plain.conditions)), plain.percent, plain.other


def _condition(condition: Condition) -> Hashable:
    operator = {"=": "in", "!=": "not in"}.get(condition.operator, condition.operator)
    return condition.member, operator, tuple(sorted(map(str, condition.values))), condition.part, condition.other
