"""Two sides that a question sets against each other: two periods, or two values of one member."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from msgspec import Struct

from ....records import dataclass
from ..calendar.units import floor, shift
from ..plans.plan import Condition, Dimension, Plan
from ..schema.literals import literal
from .pieces import Pieces

__all__ = ["Side", "Sides"]


@dataclass(frozen=True, slots=True)
class Side:
    """Rows that are set against others: what they are called, and what they meet."""

    name: str
    condition: Condition


class Sides(Struct, frozen=True):
    """What is compared: the first side is where a change begins."""

    before: Side
    after: Side

    def named_by(self, called: Callable[[str], str]) -> Sides:
        """The same, called as another language calls them."""
        return Sides(*(replace(side, name=called(side.name)) for side in (self.before, self.after)))

    def over_both(self, plan: Plan) -> Plan:
        """A plan over the rows of both."""
        one, two = self.before.condition, self.after.condition
        alike = one.member == two.member and one.operator == two.operator
        if alike and one.operator == "in":
            return plan.with_(conditions=(*plan.conditions, replace(one, values=(*one.values, *two.values), words="")))
        if alike and one.operator == "period":
            (low, end), (start, high) = sorted((one.values, two.values), key=lambda ends: str(ends[0] or ""))
            # Periods that follow one another are one condition, as a person would say it.
            if end == start:
                whole = replace(one, values=(low, high), words="")
                return plan.with_(conditions=(*plan.conditions, whole)) if low or high else plan
        # Alternatives of the plan's own cannot be crossed with these.
        return plan if plan.alternatives else plan.with_(alternatives=((one,), (two,)))

    def told_apart(self, plan: Plan) -> Plan:
        """A plan over the rows of both by what tells them apart, where that is a unit of time or the member itself."""
        whole, one, two = self.over_both(plan), self.before.condition, self.after.condition
        # Two groups already: a third could not be drawn.
        if len(plan.dimensions) > 1 or plan.shape != "aggregate" or one.member != two.member:
            return whole
        if self.timed:
            units = {_unit_of(condition) for condition in (one, two)}
            apart = Dimension(one.member, units.pop() or None) if len(units) == 1 else None
            known = apart is not None and apart.grain is not None
        else:
            apart, known = Dimension(one.member), one.operator == two.operator == "in" and one.part is None
        if not known or apart is None or any(one.member == d.member for d in plan.dimensions):
            return whole
        return whole.with_(dimensions=(*plan.dimensions, apart))

    def rules(self, pieces: Pieces) -> tuple[str, str]:
        return pieces.condition(self.before.condition), pieces.condition(self.after.condition)

    def named(self, pieces: Pieces) -> str:
        """The side of a row, as SQL."""
        first, second = self.rules(pieces)
        return f"CASE WHEN {first} THEN {literal(self.before.name)} WHEN {second} THEN {literal(self.after.name)} END"

    def order(self, pieces: Pieces) -> str:
        # Which side a row is on orders them, whatever they are called.
        return f"MIN(CASE WHEN {self.rules(pieces)[0]} THEN 0 ELSE 1 END)"

    def either(self, pieces: Pieces) -> str:
        first, second = self.rules(pieces)
        return f"(({first}) OR ({second}))"

    @property
    def timed(self) -> bool:
        """Whether one comes after the other."""
        return self.before.condition.operator == self.after.condition.operator == "period"


def _unit_of(condition: Condition) -> str:
    """The unit of time that a period is one of."""
    low, high = (datetime.fromisoformat(str(end)) if end else None for end in condition.values)
    if low is None or high is None:
        return ""
    units = ("day", "month", "quarter", "year")
    return next((unit for unit in units if floor(low, unit) == low and shift(low, unit, 1) == high), "")
