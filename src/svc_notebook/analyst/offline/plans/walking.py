"""What a plan is made of, wherever it stands in it: its numbers, its conditions."""

from __future__ import annotations

from collections.abc import Iterator

from .plan import Condition, Measure, Order, Plan

__all__ = ["conditions_of", "measures_of", "ordered_by", "ordering_of"]


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
