"""Forms as plans: what telling, drawing and following up still work on. A form that no plan can say gives None."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

from ..calendar.moments import iso
from ..forms import (
    Aggregate,
    And,
    Cast,
    Clause,
    Compare,
    Condition,
    Expression,
    Form,
    Holds,
    Join,
    Like,
    Member,
    Missing,
    Not,
    OneOf,
    Or,
    Output,
    Over,
    Part,
    Range,
    Ratio,
    Related,
    Role,
    Scalar,
    Truncated,
    Value,
)
from ..forms.partings import parting_of
from ..forms.walking import parts
from ..schema.metadata import Metadata
from .plan import Aggregate as AggregateName
from .plan import Calculation, Dimension, Exists, Having, Measure, Nested, Order, Plan
from .plan import Condition as PlanCondition

__all__ = ["plan_of"]

_PARTS = {
    "isoweekday": "weekday", "hour": "hour_of_day", "month": "month_of_year", "day": "day_of_month",
    "quarter": "quarter_of_year",
}  # fmt: skip
_AGGREGATES: dict[str, AggregateName] = {
    "sum": "sum", "avg": "avg", "min": "min", "max": "max", "median": "median", "stddev": "stddev",
    "count_distinct": "count_distinct", "count": "count_values", "measure": "measure",
}  # fmt: skip


class _Unsayable(Exception):
    """A part of a form that plans have no place for."""


def plan_of(form: Form, metadata: Metadata) -> Plan | None:
    """The plan that asks what a form asks."""
    try:
        return _Lowered(metadata).plan(form)
    except _Unsayable:
        return None


class _Lowered:
    def __init__(self, metadata: Metadata) -> None:
        self.metadata = metadata
        self.scope: tuple[str, ...] = ()

    def plan(self, form: Form) -> Plan:
        if isinstance(form.root, Form):
            return self.nested(form, form.root)
        if not isinstance(form.root, Role) or form.compare is not None:
            raise _Unsayable
        self.scope = (form.root.relation, *map(_joined, form.joins))
        if self.metadata.is_bridged(self.scope) and not self.metadata.joins.in_order(self.scope):
            raise _Unsayable
        shown = (form.groups, form.measures, form.columns, form.order)
        if any(isinstance(one, Member) and one.relation not in self.scope for one in parts(shown, inner=False)):
            raise _Unsayable  # of rows that the form does not read
        conditions, alternatives, exists = self.where(form)
        plan = Plan(self.scope, conditions=conditions, alternatives=alternatives, exists=exists)
        if form.columns or (form.groups and not form.measures and not form.having and not _counted(form)):
            return self.without_own(self.rows(form, plan))
        return self.without_own(self.aggregate(form, plan))

    def without_own(self, plan: Plan) -> Plan:
        """The plan without what it asks of joined rows in any case: that there is one whose members are shown."""
        marked = any(measure.exists for measure in plan.measures)
        if marked or "" in plan.scope or self.metadata.is_bridged(plan.scope):
            return plan
        shown = {path.split(".", 1)[0] for path in (*(d.member for d in plan.dimensions), *plan.columns)}
        keys = {self.metadata.key_of(relation) for relation in plan.scope[1:] if relation in shown}
        kept = tuple(c for c in plan.conditions if c.operator != "not null" or c.part or c.member not in keys)
        return plan.with_(conditions=kept) if len(kept) < len(plan.conditions) else plan

    def nested(self, form: Form, inner: Form) -> Plan:
        """An aggregate over the numbers of groups."""
        expression = form.measures[0].expression if len(form.measures) == 1 else None
        if not isinstance(expression, Aggregate) or not isinstance(expression.of, Output) or form.where:
            raise _Unsayable
        around = [clause.expression.of for clause in form.groups if isinstance(clause.expression, Output)]
        if expression.function not in _AGGREGATES:  # a quantile of them
            raise _Unsayable
        plan = self.plan(inner)
        apart = [place for place, clause in enumerate(inner.groups) if clause.expression not in around]
        if len(plan.dimensions) != len(inner.groups) or len(around) != len(form.groups) or len(apart) != 1:
            raise _Unsayable
        if len(plan.measures) != 1 or plan.having or inner.limit is not None or form.order or form.limit is not None:
            raise _Unsayable
        nested = Nested(_AGGREGATES[expression.function], plan.dimensions[apart[0]])
        groups = tuple(one for place, one in enumerate(plan.dimensions) if place != apart[0])
        return plan.with_(dimensions=groups, nested=nested, order=(), limit=None)

    # ---- rows ----
    def rows(self, form: Form, plan: Plan) -> Plan:
        shown = form.columns or form.groups
        columns = tuple(_path(clause.expression) for clause in shown)
        orders = []
        for order in form.order:
            path = _path(order.by)
            if path in columns:
                orders.append(Order("column", columns.index(path), order.descending))
            elif form.columns:
                orders.append(Order("member", 0, order.descending, member=path))
            else:
                raise _Unsayable
        limit = self.limit(form)
        return plan.with_(
            shape="rows" if form.columns else "distinct", columns=columns, order=tuple(orders), limit=limit
        )

    def limit(self, form: Form) -> int | None:
        if form.limit is None:
            return None
        if form.limit.skip:
            raise _Unsayable
        return form.limit.count

    # ---- numbers ----
    def aggregate(self, form: Form, plan: Plan) -> Plan:
        form = form.with_(groups=self.named(form.groups))
        dimensions = tuple(self.dimension(clause.expression) for clause in form.groups)
        measures: list[Measure] = []
        calculations: list[Calculation] = []
        hidden: list[int] = []
        for clause in form.measures:
            if isinstance(clause.expression, Over):
                if clause.expression.function != "share" or clause.expression.of is None or clause.expression.within:
                    raise _Unsayable
                measures.append(self.measure(clause.expression.of))
                calculations.append(Calculation("share", len(measures) - 1))
                hidden.append(len(measures) - 1)
            else:
                measures.append(self.measure(clause.expression))

        def place(expression: Expression) -> int:
            wanted = self.measure(expression.of if isinstance(expression, Over) and expression.of else expression)
            if wanted not in measures:
                measures.append(wanted)
                hidden.append(len(measures) - 1)
            return measures.index(wanted)

        having = tuple(self.having(f.condition, place) for f in form.having)
        orders = []
        for order in form.order:
            at = next((i for i, g in enumerate(form.groups) if g.expression == order.by), None)
            if at is not None:
                orders.append(Order("dimension", at, order.descending))
            else:
                orders.append(Order("measure", place(order.by), order.descending))
        per = None
        if form.limit is not None and form.limit.per:
            per = next((i for i, g in enumerate(form.groups) if (g.expression,) == form.limit.per), None)
            if per is None:
                raise _Unsayable
        return plan.with_(
            dimensions=dimensions, measures=tuple(measures), having=having, order=tuple(orders), limit=self.limit(form),
            limit_per=per, calculations=tuple(calculations), hidden=tuple(hidden),
        )  # fmt: skip

    def named(self, groups: tuple[Clause, ...]) -> tuple[Clause, ...]:
        """The groups that are shown, where they tell apart what the hidden keys do."""
        shown = tuple(clause for clause in groups if not clause.hidden)
        for clause in groups:
            if not clause.hidden or not isinstance(clause.expression, Member):
                continue
            labels = [_path(g.expression) for g in shown if isinstance(g.expression, Member)]
            own = [path for path in labels if path.split(".", 1)[0] == clause.expression.relation]
            profiles = [self.metadata.profile(path) for path in own]
            if len(own) < 2 and not any(p.rows and p.distinct == p.rows - p.missing for p in profiles):
                raise _Unsayable
        return shown

    def dimension(self, expression: Expression) -> Dimension:
        if isinstance(expression, Member):
            return Dimension(expression.path)
        if isinstance(expression, Truncated):
            return Dimension(_path(expression.of), expression.grain)
        if isinstance(expression, Part) and expression.part in _PARTS:
            return Dimension(_path(expression.of), _PARTS[expression.part])
        parted = parting_of(expression)
        if parted is not None:
            return Dimension(parted[1].path, parted[0])
        raise _Unsayable

    def measure(self, expression: Expression) -> Measure:
        if isinstance(expression, Ratio):
            return self.share(expression)
        if not isinstance(expression, Aggregate):
            raise _Unsayable
        if expression.function == "measure" and expression.where is not None:
            raise _Unsayable  # a plan has conditions for what it adds up itself
        kept = self.all_of(expression.where) if expression.where is not None else ()
        if expression.function == "rows":
            return Measure(None, "count", kept, entity=self.scope[0])
        if expression.function not in _AGGREGATES or expression.of is None:
            raise _Unsayable
        return self.modelled(Measure(_path(expression.of), _AGGREGATES[expression.function], kept))

    def modelled(self, measure: Measure) -> Measure:
        """The model's own measure where it says the same."""
        if measure.conditions or measure.aggregate == "measure" or measure.member is None or len(self.scope) > 1:
            return measure
        relation = self.metadata.relation(measure.member.split(".", 1)[0])
        for member in relation.members.values():
            if member.kind == "measure" and member.path in self.metadata.members:
                known = Measure(member.path, "measure")
                if self.metadata.plain(known) == measure:
                    return known
        return measure

    def share(self, ratio: Ratio) -> Measure:
        """The share of rows that meet conditions."""
        above, below = ratio.above, ratio.below
        if not (isinstance(above, Aggregate) and isinstance(below, Aggregate)):
            raise _Unsayable
        if above.function != "rows" or below.function != "rows" or below.where is not None or above.where is None:
            raise _Unsayable
        return Measure(None, "share_true", self.all_of(above.where), percent=ratio.percent)

    def having(self, condition: Condition, place: Any) -> Having:
        if isinstance(condition, Compare) and isinstance(condition.right, Value):
            return Having(place(condition.left), condition.operator, (_number(condition.right),))
        if isinstance(condition, Range) and isinstance(condition.low, Value) and isinstance(condition.high, Value):
            return Having(place(condition.of), "between", (_number(condition.low), _number(condition.high)))
        raise _Unsayable

    # ---- conditions ----
    def where(
        self, form: Form
    ) -> tuple[tuple[PlanCondition, ...], tuple[tuple[PlanCondition, ...], ...], tuple[Exists, ...]]:
        conditions: list[PlanCondition] = []
        alternatives: tuple[tuple[PlanCondition, ...], ...] = ()
        exists: list[Exists] = []
        for condition in (f.condition for f in form.where):
            lacking = _lacking(condition)
            if lacking is not None:
                exists.append(self.exists(lacking))
            elif isinstance(condition, Or):
                if alternatives:
                    raise _Unsayable
                alternatives = tuple(self.all_of(term) for term in _terms(condition))
            elif isinstance(condition, Related):
                exists.append(self.exists(condition))
            else:
                conditions.extend(self.all_of(condition))
        return tuple(conditions), alternatives, tuple(exists)

    def all_of(self, condition: Condition) -> tuple[PlanCondition, ...]:
        if isinstance(condition, And):
            return tuple(one for term in condition.terms for one in self.all_of(term))
        return (self.condition(condition),)

    def exists(self, condition: Related) -> Exists:
        form = condition.form
        own = [key.relation for key in condition.keys if isinstance(key, Member)]
        if not isinstance(form.root, Role) or form.root.relation in own:  # by a value that rows share, not by a key
            raise _Unsayable
        few = form.having or form.limit is not None or len(own) < len(condition.keys)
        if few:  # a plan says of which rows, and not of which few of them
            raise _Unsayable
        last = _joined(form.joins[-1]) if form.joins else form.root.relation
        tests = [f.condition for f in form.where if not (isinstance(f.condition, Missing) and f.condition.negated)]
        found = tuple(one for test in tests for one in self.all_of(test))
        return Exists(last, condition.negated, found)

    def condition(self, condition: Condition) -> PlanCondition:
        if isinstance(condition, Compare):
            return self.compared(condition)
        if isinstance(condition, OneOf):
            values = tuple(v.value for v in condition.values if isinstance(v, Value))
            return _on(condition.of, "not in" if condition.negated else "in", values)
        if isinstance(condition, Range):
            if not (isinstance(condition.low, Value) and isinstance(condition.high, Value)):
                raise _Unsayable
            ends = (condition.low.value, condition.high.value)
            if isinstance(ends[0], (date, datetime)):
                operator = "not period" if condition.negated else "period"
                return _on(condition.of, operator, tuple(map(_iso, ends)))
            if condition.negated or not condition.closed:
                raise _Unsayable
            return _on(condition.of, "between", ends)
        if isinstance(condition, Like) and condition.how in ("contains", "starts", "ends"):
            return _on(condition.of, f"{'not ' if condition.negated else ''}{condition.how}", (condition.text,))
        if isinstance(condition, Missing):
            return _on(condition.of, "not null" if condition.negated else "null", ())
        if isinstance(condition, Holds):
            return _on(condition.of, "true", ())
        if isinstance(condition, Not) and isinstance(condition.term, Holds):
            return _on(condition.term.of, "false", ())
        raise _Unsayable

    def compared(self, condition: Compare) -> PlanCondition:
        if isinstance(condition.right, Scalar):
            numbers = condition.right.form.measures  # none where the value of a row is looked up
            inner = numbers[0].expression if numbers else None
            if isinstance(inner, Aggregate) and inner.function == "avg" and condition.operator in (">", "<"):
                return _on(condition.left, "above_average" if condition.operator == ">" else "below_average", ())
            raise _Unsayable
        if not isinstance(condition.right, Value):
            raise _Unsayable
        value = condition.right.value
        if isinstance(value, (date, datetime)):
            if condition.operator == ">=":
                return _on(condition.left, "period", (_iso(value), None))
            if condition.operator == "<":
                return _on(condition.left, "period", (None, _iso(value)))
            raise _Unsayable
        if condition.operator in ("=", "!="):
            return _on(condition.left, "in" if condition.operator == "=" else "not in", (value,))
        return _on(condition.left, condition.operator, (value,))


def _joined(join: Join) -> str:
    if not isinstance(join.role, Role) or join.outer or join.also is not None:
        raise _Unsayable
    return join.role.relation


def _counted(form: Form) -> bool:
    """Whether groups without a shown number are ordered by one."""
    return any(isinstance(order.by, Aggregate) for order in form.order)


def _path(expression: Expression) -> str:
    if isinstance(expression, Cast) and expression.type == "number":  # plans cast texts that hold numbers themselves
        return _path(expression.of)
    if not isinstance(expression, Member):
        raise _Unsayable
    return expression.path


def _on(of: Expression, operator: str, values: Sequence[Any]) -> PlanCondition:
    words = ", ".join(str(v) for v in values if v is not None)
    if isinstance(of, Part) and of.part in _PARTS:
        return PlanCondition(_path(of.of), operator, tuple(values), _PARTS[of.part], words)
    return PlanCondition(_path(of), operator, tuple(values), words=words)


def _lacking(condition: Condition) -> Related | None:
    """Rows whose key leads to none, or leads nowhere: both lack what it would lead to."""
    match condition:
        case Or(terms=(Missing(of=key, negated=False), Related(keys=(of,), negated=True) as related)) if of == key:
            return related
        case _:
            return None


def _terms(condition: Or) -> list[Condition]:
    return [t for term in condition.terms for t in (_terms(term) if isinstance(term, Or) else [term])]


def _iso(value: Any) -> str | None:
    return iso(value) if value is not None else None


def _number(value: Value) -> float:
    if not isinstance(value.value, (int, float)):
        raise _Unsayable
    return value.value
