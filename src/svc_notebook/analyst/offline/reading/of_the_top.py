"""The first few of one group, divided by others: ``monthly flights of the top 3 airlines``."""

from __future__ import annotations

from ..forms import Filter, Form, Related
from ..plans.plan import ChartWish, Plan
from ..plans.sql import write_sql
from ..schema.metadata import Metadata
from .read_back import read_back

__all__ = ["of_the_top"]


def of_the_top(plan: Plan, metadata: Metadata) -> Form | None:
    """The form of a plan whose limit is of one of its groups: that is among its first, taken by themselves."""
    if plan.limit_of is None:
        return None
    few = plan.with_(
        dimensions=(plan.dimensions[plan.limit_of],), limit_of=None, chart=ChartWish(), compare=False,
        order=tuple(order for order in plan.order if order.by == "measure"),
    )  # fmt: skip
    divided = plan.with_(limit=None, limit_of=None, order=())
    first, whole = (read_back(write_sql(each, metadata).sql, metadata) for each in (few, divided))
    if not isinstance(first, Form) or not isinstance(whole, Form) or not first.order:
        return None
    among = Related(first.with_(measures=()), keys=(first.groups[0].expression,))
    return whole.with_(where=(*whole.where, Filter(among)))
