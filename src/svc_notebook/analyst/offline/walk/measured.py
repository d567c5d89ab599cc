"""Numbers named: what is measured, counted, or ordered by."""

from __future__ import annotations

from ..plans.plan import Aggregate, Condition, Measure
from .draft import OrderWish
from .qualifiers import Qualifiers
from .walker import PLAIN_BY

__all__ = ["Measured"]


class Measured(Qualifiers):
    """A measure, a count of a member or a member to order by, each put where the words before it want it."""

    def measure_named(self, measure: Measure) -> None:
        if self.order is not None:
            self.order.measure = measure
            return
        if self.group is not None and not self.group_used and self.group_text in PLAIN_BY:
            self.draft.orders.append(OrderWish(None, measure=measure, place=self.at, implied=True))
            self.group_used = True
        self.draft.add_measure(measure)

    def count_member(self, member: str) -> None:
        if self.meta.member(member).type == "boolean" and self.counting != "distinct":
            self.add_condition(Condition(member, "true"))  # "number of estimated readings"
            return
        aggregate: Aggregate = "count_distinct" if self.counting == "distinct" else "count_values"
        measure = Measure(member, aggregate)
        self.counting = None
        if self.order is not None:
            self.order.measure = measure
            return
        if (
            self.group is not None
            and not self.group_used
            and self.group_text in PLAIN_BY
            and self.draft.top is not None
        ):
            self.draft.orders.append(OrderWish(None, measure=measure, place=self.at, implied=True))
            self.group_used = True
        self.draft.add_measure(measure)

    def order_by_member(self, member: str) -> None:
        assert self.order is not None
        if self.meta.is_measure(member):
            self.order.measure = Measure(member, "measure")
        elif self.counting and not (self.meta.is_number(member) and not self.meta.is_key(member)):
            self.order.measure = Measure(member, "count_distinct" if self.counting == "distinct" else "count_values")
            self.counting = None
        elif self.agg and not self.agg_used:
            self.order.measure = Measure(member, self.agg)  # type: ignore[arg-type]  # a cue's aggregate
            self.agg_used = True
        elif self.order.member is None:
            self.order.member = member
