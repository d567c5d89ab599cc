"""Rankings of a plan: orders, limits, conditions on measures."""

from __future__ import annotations

from dataclasses import replace

from ..plans.plan import Dimension, Exists, Having, Measure, Order
from ..walk.draft import OrderWish
from .superlatives import Superlatives

__all__ = ["Rankings"]


class Rankings(Superlatives):
    """Orders, limits and conditions on measures, each measure in the model's own words."""

    def unify(self) -> None:
        """Numbers that the model defines itself take the model's definition; the same number twice is one."""
        self.draft.orders = [
            replace(o, measure=self.own(o.measure)) if o.measure is not None else o for o in self.draft.orders
        ]
        self.draft.having = [(self.own(m), operator, numbers) for m, operator, numbers in self.draft.having]
        unified: list[Measure] = []
        for measure in map(self.own, self.measures):
            if not any(measure == known or _same_count(measure, known) or _same(measure, known) for known in unified):
                unified.append(measure)
        self.measures = unified

    def own(self, measure: Measure) -> Measure:
        """The model's measure for a plain aggregate: its ``count``, or ``avg_x`` for the average of x."""
        if measure.aggregate == "count" and measure.member is None and not measure.conditions:
            tally = self.meta.tally_of(measure.entity or self.scope[0])
            measure = Measure(tally, "sum") if tally is not None else measure
        if measure.conditions or measure.exists or measure.aggregate not in ("count", "sum", "avg", "min", "max"):
            return measure
        relation = measure.member.split(".", 1)[0] if measure.member else measure.entity or self.scope[0]
        members = self.meta.relation(relation).members
        if measure.member is None:
            names = ["count"]
        else:
            short = measure.member.split(".", 1)[1]
            names = [
                f"{head}_{short}"
                for head in (
                    {"avg": ("avg", "average", "mean"), "sum": ("total", "sum")}.get(
                        measure.aggregate, (measure.aggregate,)
                    )
                )
            ]
        for name in names:
            known = members.get(name)
            if (
                known is not None
                and known.kind == "measure"
                and known.agg_type == measure.aggregate
                and known.path in self.meta.members
            ):
                return Measure(known.path, "measure", entity=relation)
        return measure

    def limits(self) -> None:
        if self.shape != "aggregate" and self.limit is None and self.draft.top is None:
            self.limit = self.draft.noun_number
        if self.limit is not None and self.limit <= 0:
            self.limit = None

    def having(self) -> None:
        for measure, operator, numbers in self.draft.having:
            if self.counts_holders(measure):
                self.exists.append(Exists(measure.entity or "", False, (), operator, numbers))
                continue
            if self.shape == "aggregate" and not self.dimensions:
                spoken = measure.entity or (measure.member or ".").split(".", 1)[0]
                subject = next((r for r, _ in self.draft.entities if r != spoken), None)
                label = self.meta.label_of(subject) if subject is not None and not self.draft.counting else None
                self.dimensions += [Dimension(label)] if label is not None else []
            if self.shape != "aggregate":
                dims = [self.as_dimension(c) for c in self.columns]
                self.shape, self.columns, self.dimensions = "aggregate", [], dims
                self.measures = []
            place = next(
                (
                    i
                    for i, m in enumerate(self.measures)
                    if m.aggregate == measure.aggregate and m.member == measure.member
                ),
                None,
            )
            if place is None:
                self.measures.append(measure)
                place = len(self.measures) - 1
                self.hidden_measures.append(place)
            self.havings.append(Having(place, operator, numbers))

    def counts_holders(self, measure: Measure) -> bool:
        """``how many authors have more than 3 papers``: the condition is on each author, who is counted."""
        counted = {relation for relation, _ in self.draft.counted_entities}
        counted |= {m.member.split(".", 1)[0] for m in self.draft.measures if m.member and m.member.endswith(".count")}
        other = measure.entity
        plain = measure.aggregate in ("count", "measure") and (measure.member or ".count").endswith(".count")
        if not plain or other is None or len(counted) != 1 or other in counted or self.dimensions:
            return False
        way = self.meta.joins.way(next(iter(counted)), other)
        return way is not None and len(way) <= 4

    def order_wishes(self) -> None:
        for wish in self.draft.orders:
            if wish.implied and wish.descending is None:
                continue
            order = self.order_of(wish)
            if order is not None and all(
                (o.by, o.place, o.member) != (order.by, order.place, order.member) for o in self.orders
            ):
                self.orders.append(order)

    def order_of(self, wish: OrderWish) -> Order | None:
        descending = bool(wish.descending)
        if wish.measure is not None:
            place = next(
                (
                    i
                    for i, m in enumerate(self.measures)
                    if m == wish.measure
                    or m.member == wish.measure.member
                    and m.member
                    or m.aggregate == wish.measure.aggregate == "count"
                ),
                None,
            )
            if place is not None and self.shape == "aggregate":
                return Order("measure", place, descending)
            if self.shape == "aggregate":
                if (
                    wish.measure.member is not None
                    and any(d.member == wish.measure.member for d in self.dimensions)
                    and wish.measure.aggregate == "count_values"
                    and self.measures
                ):
                    return Order("measure", 0, descending)
                return Order("measure", 0, descending, measure=wish.measure)
            if wish.measure.member in self.columns:
                return Order("column", self.columns.index(wish.measure.member or ""), descending)
            return Order("measure", 0, descending, measure=wish.measure) if self.dimensions else None
        if wish.member is not None:
            return self.order_by_member(wish.member, descending)
        if self.shape in ("rows", "distinct"):
            if not self.columns:
                return None
            if wish.axis == "y" and len(self.columns) > 1:
                return Order("column", self.y_column(), descending)
            return Order("column", self.x_column(), descending)
        if wish.axis == "x" and self.dimensions:
            return Order("dimension", 0, descending)
        if wish.axis == "y" and self.measures:
            return Order("measure", 0, descending)
        if self.dimensions and wish.descending is not None:
            return (
                Order("measure", 0, descending)
                if self.measures and not self.draft.mark
                else Order("dimension", 0, descending)
            )
        return Order("measure", 0, descending) if self.measures and self.dimensions else None

    def order_by_member(self, member: str, descending: bool) -> Order:
        for i, dimension in enumerate(self.dimensions):
            if dimension.member == member:
                return Order("dimension", i, descending)
        for i, measure in enumerate(self.measures):
            if measure.member == member:
                return Order("measure", i, descending)
        if member in self.columns:
            return Order("column", self.columns.index(member), descending)
        if self.shape == "aggregate" and self.meta.is_number(member):
            return Order("measure", 0, descending, measure=Measure(member, "avg"))
        return Order("member", 0, descending, member=member)


def _same(one: Measure, other: Measure) -> bool:
    """One measure of the model, named for two entities."""
    return one.aggregate == other.aggregate == "measure" and one.member == other.member


def _same_count(one: Measure, other: Measure) -> bool:
    """Two counts of the same rows, one said as distinct."""
    counts = ("count", "count_distinct", "measure")
    return (
        one.entity is not None
        and one.entity == other.entity
        and one.aggregate in counts
        and other.aggregate in counts
        and all(m.member is None or m.member.endswith(".count") for m in (one, other))
    )
