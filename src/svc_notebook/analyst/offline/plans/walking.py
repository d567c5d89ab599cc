"""What a plan is made of, wherever it stands in it: its numbers, its conditions."""

from __future__ import annotations

from collections.abc import Iterator

from .plan import Condition, Measure, Order, Plan

__all__ = ["conditions_of", "measures_of", "ordered_by", "ordering_of", "relations_used"]


def ordering_of(plan: Plan) -> Iterator[Measure]:
    """The numbers that rows or groups are ordered by."""
    yield from (order.measure for order in plan.order if order.measure is not None)


def ordered_by(order: Order, plan: Plan) -> str | None:
    """The member that an order goes by, if it is one."""
    if order.by == "measure" and order.measure is None:
        return plan.measures[order.place].member if order.place < len(plan.measures) else None
    if order.by == "column":
        return plan.columns[order.place] if order.place < len(plan.columns) else None
    return order.member or (order.measure.member if order.measure is not None else None)


def measures_of(plan: Plan) -> Iterator[Measure]:
    """The numbers that are shown, and those that are ordered by."""
    yield from plan.measures
    yield from ordering_of(plan)


def conditions_of(plan: Plan) -> Iterator[Condition]:
    """The conditions on rows, on rows elsewhere, and within numbers."""
    yield from plan.conditions
    yield from (condition for group in plan.alternatives for condition in group)
    yield from (condition for exists in plan.exists for condition in exists.conditions)
    for measure in measures_of(plan):
        yield from (*measure.conditions, *(measure.divided_by or ()))
        yield from (condition for exists in measure.exists for condition in exists.conditions)


def relations_used(plan: Plan) -> list[str]:
    """The relations whose members a plan goes by; of those that only hang them together none."""
    paths = [*(path for m in measures_of(plan) for path in (m.member, m.other)), *plan.columns]
    paths += [*(d.member for d in plan.dimensions), *(o.member for o in plan.order)]
    paths += [path for c in conditions_of(plan) for path in (c.member, c.other)]
    counted = [m.entity for m in measures_of(plan) if m.entity]
    return list(dict.fromkeys([*(path.split(".", 1)[0] for path in paths if path), *counted]))
