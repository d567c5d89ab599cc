"""A question for both ends of an order: all groups in that order, or of rows the first and the last."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ..base import Turn
from .forms import Extreme, Filter, Form, Member, Or
from .plans.plan import Plan
from .plans.sql import write_sql
from .reader import is_writable
from .reading.both_ends import one_end
from .reading.read_back import read_back
from .schema.metadata import Metadata
from .understood import Understood

__all__ = ["as_both_ends"]


def as_both_ends(turn: Turn, again: Callable[[Turn], Understood]) -> Understood | None:
    """What is asked of both ends of one order; None where a question has one end.

    Where one end is all that can be read, nothing is answered: it would be half of what was asked.
    """
    for question in one_end(turn.question):
        found = again(replace(turn, question=question))
        plan = found.plan
        if plan is None:
            continue
        if plan.limit is None:
            both = _both_values(plan)
            if both is not None:
                return replace(found, plan=both, statement=write_sql(both, found.metadata), options=())
            continue
        if plan.shape == "aggregate" and plan.dimensions and plan.limit_per is None:
            whole = plan.with_(limit=None, limit_of=None)
            return replace(found, plan=whole, statement=write_sql(whole, found.metadata), options=())
        form = _both_rows(plan, found.metadata)
        lost = () if form is not None else ("the other end",)
        return replace(found, plan=None, statement=None, form=form, options=(), lost=lost)
    return None


def _both_values(plan: Plan) -> Plan | None:
    """The smallest and the largest of what a plan takes one of."""
    one = plan.measures[0] if len(plan.measures) == 1 and not plan.dimensions and plan.nested is None else None
    if one is None or one.aggregate not in ("min", "max") or plan.claim or plan.parts:
        return None
    return plan.with_(measures=tuple(replace(one, aggregate=end) for end in ("min", "max")))


def _both_rows(plan: Plan, metadata: Metadata) -> Form | None:
    """The rows at both ends of the order that a plan takes the first of."""
    form = read_back(write_sql(plan, metadata).sql, metadata)
    if not isinstance(form, Form) or plan.limit != 1 or not form.columns or not form.order:
        return None
    by = form.order[0].by
    if not isinstance(by, Member):
        return None
    # Of the rows that are asked for, not of all there are.
    among = Form(form.root, joins=form.joins, where=form.where) if form.where else None
    ends = Or((Extreme(by, True, among), Extreme(by, False, among)))
    both = form.with_(where=(*form.where, Filter(ends)), limit=None)
    return both if is_writable(both) else None
