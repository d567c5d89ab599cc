"""The clauses of a statement: ``FROM``, ``WHERE``, ``ORDER BY``."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from ..schema.literals import compared, quote
from ..schema.metadata import Metadata
from .expressions import Expressions
from .plan import Exists, Measure, Order, Plan

__all__ = ["Clauses", "is_picked"]

_ADDED_UP = frozenset({"count", "sum", "count_distinct", "count_values"})


def is_picked(plan: Plan) -> bool:
    """Whether a plan picks groups out of what there is: by a limit, or by what their numbers are."""
    return bool(plan.limit or plan.limit_per is not None or plan.having or plan.claim)


class Clauses(Expressions):
    """Where the rows of a plan come from, which of them count, and how groups are ordered."""

    def __init__(self, plan: Plan, metadata: Metadata, *, picked: bool | None = None) -> None:
        """``picked``: whether only those groups count that have a name, where the plan is a part of another."""
        super().__init__(plan, metadata)
        named = len(plan.measures) <= len(plan.hidden)  # they are shown without a number
        self.picked = named or is_picked(plan) if picked is None else picked
        marked = any(measure.exists for measure in plan.measures)
        self.bridged = "" not in plan.scope and (metadata.is_bridged(plan.scope) or marked)

    def source(self) -> str:
        if not self.bridged:
            return " CROSS JOIN ".join(quote(relation) for relation in self.plan.scope)
        first, *others = self.plan.scope
        text, joined = quote(first), [first]
        for relation in others:
            near = next(known for known in joined if self.meta.joins.between(known, relation))
            pairs = self.meta.joins.between(near, relation)
            text += f" JOIN {quote(relation)} ON {' AND '.join(self.equal(pair) for pair in pairs)}"
            joined.append(relation)
        return text

    def where(self) -> str:
        parts = [self.condition(c) for c in self.plan.conditions]
        if self.plan.alternatives:
            groups = [" AND ".join(self.condition(c) for c in group) for group in self.plan.alternatives]
            parts.append("(" + " OR ".join(f"({group})" if " AND " in group else group for group in groups) + ")")
        parts.extend(self.existence(e) for e in self.plan.exists)
        parts.extend(self.present())
        return " WHERE " + " AND ".join(parts) if parts else ""

    def having_text(self, place: int, operator: str, values: Sequence[float]) -> str:
        measure = self.plan.measures[place]
        if not values:
            return f"{self.measure(measure)} {operator} ({self.overall(measure)})"
        return compared(self.measure(measure), operator, values)

    def overall(self, measure: Measure) -> str:
        """The number of all rows that count; of what adds up, the mean of its groups."""
        plan, plain = self.plan, self.meta.plain(measure)
        if plain.aggregate in _ADDED_UP:
            groups = ", ".join(self.dimension(dimension) for dimension in plan.dimensions)
            each = f'SELECT {self.measure(measure)} AS "each" FROM {self.source()}{self.where()} GROUP BY {groups}'
            return f'SELECT AVG("each") FROM ({each}) AS "groups"'
        # Over its own rows alone: a join leaves some of them out, and repeats others.
        own = (plain.member or plain.entity or ".").split(".", 1)[0]
        if own and not (plan.conditions or plan.alternatives or plan.exists or plain.conditions):
            return f"SELECT {Expressions(Plan((own,)), self.meta).measure(plain)} FROM {quote(own)}"
        return f"SELECT {self.measure(plain)} FROM {self.source()}{self.where()}"

    def existence(self, exists: Exists) -> str:
        """Rows of the scope that have, or have not, a row in another relation, however many joins away."""
        ways = [way for relation in self.plan.scope if (way := self.meta.joins.way(relation, exists.relation))]
        way = min(ways, key=len, default=())
        if len(way) < 2:
            return "TRUE"
        (here, there), *_ = self.meta.joins.between(way[0], way[1])
        inner = Expressions(Plan((*way[1:], "")), self.meta)  # several relations: every column is named with its own
        text = quote(way[1])
        for near, far in pairwise(way[1:]):
            same = [f"{inner.column(one)} = {inner.column(other)}" for one, other in self.meta.joins.between(near, far)]
            text += f" JOIN {quote(far)} ON {' AND '.join(same)}"
        # One NULL in the list, and NOT IN holds for no row.
        rules = [inner.column(there) + " IS NOT NULL", *(inner.condition(c) for c in exists.conditions)]
        kept = f"SELECT {inner.column(there)} FROM {text} WHERE {' AND '.join(rules)}"
        if exists.operator is not None:
            # Over several joins the same row is met more than once.
            key = self.meta.key_of(exists.relation) if len(way) > 2 else None
            count = f"COUNT(DISTINCT {inner.column(key)})" if key else "COUNT(*)"
            kept += f" GROUP BY 1 HAVING {compared(count, exists.operator, exists.values)}"
        if exists.negated and self.meta.may_be_missing(here):  # of a key that is NULL, NOT IN says nothing
            return f"({self.column(here)} IS NULL OR {self.column(here)} NOT IN ({kept}))"
        return f"{self.column(here)} {'NOT IN' if exists.negated else 'IN'} ({kept})"

    def present(self) -> list[str]:
        """Joined cubes whose members are shown: rows without a match are left out where these are what is asked for."""
        scope = self.plan.scope
        shown = [d.member for d in self.plan.dimensions] + list(self.plan.columns)
        tested: list[str] = []
        # There the joins are written out, and leave them out by themselves.
        if self.bridged or self._keeps_all():
            return tested
        for relation in scope[1:]:
            first = next((m for m in shown if m.startswith(relation + ".")), None)
            if first is not None:
                tested.append(f"{self.column(self.meta.key_of(relation) or first)} IS NOT NULL")
        return tested

    def _keeps_all(self) -> bool:
        """Whether rows count that lead nowhere: a list of them has them all, and numbers by group add up to the whole.

        What is picked out, by a limit or a number, is picked of what there is.
        """
        plan = self.plan
        if plan.shape == "rows":
            return any(path.startswith(f"{plan.scope[0]}.") for path in plan.columns)
        return plan.shape == "aggregate" and not self.picked

    def ordering(self, orders: Sequence[Order]) -> str:
        dims = len(self.plan.dimensions)
        parts = []
        for order in orders:
            direction = " DESC NULLS LAST" if order.descending else ""
            if order.measure is not None:
                parts.append(self.measure(order.measure) + direction)
            elif order.by == "dimension":
                parts.append(f"{order.place + 1}{direction}")
            elif order.by == "measure":
                parts.append(f"{dims + order.place + 1}{direction}")
        # Groups that are level stand by name: a limit would cut another one each time.
        grouped = {order.place for order in orders if order.by == "dimension"}
        parts.extend(str(i + 1) for i in range(dims) if i not in grouped)
        return " ORDER BY " + ", ".join(parts) if parts else ""
