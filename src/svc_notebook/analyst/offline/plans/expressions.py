"""The parts of a plan as expressions of SQL: columns, dimensions, numbers, conditions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..calendar.fiscal import fiscal_grain
from ..calendar.long_grains import LONG_GRAINS, named_unit
from ..forms.partings import PARTINGS
from ..schema.literals import escaped, literal, quote
from ..schema.metadata import Metadata
from .plan import Condition, Dimension, Measure, Plan

__all__ = ["AGGREGATES", "Expressions"]

_PARTS = {
    "hour_of_day": "EXTRACT(HOUR FROM {0})",
    "weekday": "EXTRACT(ISODOW FROM {0})",
    "month_of_year": "EXTRACT(MONTH FROM {0})",
    "day_of_month": "EXTRACT(DAY FROM {0})",
    "quarter_of_year": "EXTRACT(QUARTER FROM {0})",
}
AGGREGATES = {"sum": "SUM", "avg": "AVG", "min": "MIN", "max": "MAX", "median": "MEDIAN", "stddev": "STDDEV"}


class Expressions:
    """Expressions over the relations of a plan."""

    def __init__(self, plan: Plan, metadata: Metadata) -> None:
        self.plan = plan
        self.meta = metadata

    def column(self, path: str) -> str:
        relation, name = path.split(".", 1)
        return quote(name) if len(self.plan.scope) == 1 else f"{quote(relation)}.{quote(name)}"

    def equal(self, pair: tuple[str, str]) -> str:
        return f"{self.column(pair[0])} = {self.column(pair[1])}"

    def dimension(self, dimension: Dimension) -> str:
        column = self.column(dimension.member)
        if dimension.bin and self.meta.is_numeric_text(dimension.member):
            column = f"CAST({column} AS DOUBLE)"
        if dimension.bin:
            width = literal(dimension.bin)
            return f"FLOOR({column} / {width}) * {width}"
        fiscal = fiscal_grain(dimension.grain)
        if fiscal is not None:
            return _fiscal(column, *fiscal)
        if dimension.grain in LONG_GRAINS:
            return named_unit(dimension.grain, column)
        if dimension.grain in PARTINGS:
            return PARTINGS[dimension.grain].written(column)
        if dimension.grain in _PARTS:
            return _PARTS[dimension.grain].format(column)
        return f"DATE_TRUNC('{dimension.grain}', {column})" if dimension.grain else column

    def measure(self, measure: Measure) -> str:
        aggregate = measure.aggregate
        if aggregate == "share_true":
            inner = " AND ".join(self.condition(c) for c in measure.conditions)
            return f"AVG(CASE WHEN {inner} THEN {'100.0' if measure.percent else '1.0'} ELSE 0.0 END)"
        if aggregate == "ratio":
            return self.ratio(measure)
        if aggregate == "span":
            ends = f"{self.column(measure.member or '')}, {self.column(measure.other or '')}"
            return f"{AGGREGATES[measure.fold]}(DATE_DIFF('{measure.unit}', {ends}))"
        kept = (
            f" FILTER (WHERE {' AND '.join(self.condition(c) for c in measure.conditions)})"
            if measure.conditions
            else ""
        )
        if measure.member is None:
            return self.count(measure) + kept
        column = self.column(measure.member)
        if aggregate in AGGREGATES and self.meta.is_numeric_text(measure.member):
            column = f"CAST({column} AS DOUBLE)"
        if aggregate == "measure":
            return f"MEASURE({column})"
        if aggregate == "count_distinct":
            return f"COUNT(DISTINCT {column}){kept}"
        if aggregate == "count_values":
            return f"COUNT({column}){kept}"
        return f"{AGGREGATES[aggregate]}({column}){kept}"

    def count(self, measure: Measure) -> str:
        """Rows of the first relation; of another one by its key."""
        root = self.plan.scope[0]
        if measure.entity is not None and measure.entity != root and len(self.plan.scope) > 1:
            key = self.meta.key_of(measure.entity)
            if key is not None:
                return f"COUNT(DISTINCT {self.column(key)})"
        if measure.aggregate == "count_distinct":
            label = self.meta.key_of(measure.entity or root) or self.meta.label_of(measure.entity or root)
            if label is not None:
                return f"COUNT(DISTINCT {self.column(label)})"
        return "COUNT(*)"

    def ratio(self, measure: Measure) -> str:
        if measure.member is not None and measure.other is not None:
            return f"SUM({self.column(measure.member)}) * 1.0 / NULLIF(SUM({self.column(measure.other)}), 0)"
        top = " AND ".join(self.condition(c) for c in measure.conditions) or "TRUE"
        bottom = " AND ".join(self.condition(c) for c in measure.divided_by or ()) or "TRUE"
        return f"SUM(CASE WHEN {top} THEN 1.0 ELSE 0.0 END) / NULLIF(SUM(CASE WHEN {bottom} THEN 1.0 ELSE 0.0 END), 0)"

    def condition(self, condition: Condition) -> str:
        column = self.column(condition.member)
        if condition.operator in _ORDERED and self.meta.is_numeric_text(condition.member):
            column = f"CAST({column} AS DOUBLE)"
        if condition.part is not None:
            column = _PARTS[condition.part].format(column)
        if condition.other is not None:
            operator = "<>" if condition.operator == "!=" else condition.operator
            return f"{column} {operator} {self.column(condition.other)}"
        return _SAID.get(condition.operator, Expressions.compared)(self, column, condition)

    def compared(self, column: str, condition: Condition) -> str:
        operator, value, text = condition.operator, condition.values[0], self.meta.member(condition.member).type
        if operator in ("=", "!=") and text == "string" and isinstance(value, str):
            return f"{column} {'ILIKE' if operator == '=' else 'NOT ILIKE'} {literal(escaped(value))}"
        return f"{column} {'<>' if operator == '!=' else operator} {literal(self.fitted(condition.member, value))}"

    def truth(self, column: str, condition: Condition) -> str:
        sign = "=" if self.meta.member(condition.member).type == "boolean" else "IS"
        return f"{column} {sign} {condition.operator.upper()}"

    def presence(self, column: str, condition: Condition) -> str:
        return f"{column} IS {condition.operator.upper()}"

    def between(self, column: str, condition: Condition) -> str:
        low, high = map(literal, condition.values)
        return f"{column} BETWEEN {low} AND {high}"

    def beside_average(self, column: str, condition: Condition) -> str:
        relation, name = condition.member.split(".", 1)
        sign = ">" if condition.operator.startswith("above") else "<"
        return f"{column} {sign} (SELECT AVG({quote(name)}) FROM {quote(relation)})"

    def fitted(self, member: str, value: Any) -> Any:
        return (
            str(value)
            if not self.meta.is_numeric_text(member)
            and self.meta.member(member).type == "string"
            and not isinstance(value, str)
            else value
        )

    def membership(self, column: str, condition: Condition) -> str:
        operator, values = condition.operator, condition.values
        if len(values) == 1:
            return f"{column} {'=' if operator == 'in' else '<>'} {literal(values[0])}"
        return f"{column} {operator.upper()} ({', '.join(literal(value) for value in values)})"

    def period(self, column: str, condition: Condition) -> str:
        low, high = condition.values
        parts = []
        if low is not None:
            parts.append(f"{column} >= TIMESTAMP {literal(low)}")
        if high is not None:
            parts.append(f"{column} < TIMESTAMP {literal(high)}")
        text = " AND ".join(parts) or "TRUE"
        return f"NOT ({text})" if condition.operator.startswith("not") else text

    def like(self, column: str, condition: Condition) -> str:
        shape = {"contains": "%{}%", "starts": "{}%", "ends": "%{}"}[condition.operator.removeprefix("not ")]
        texts = [f"{column} ILIKE {literal(shape.format(escaped(str(value))))}" for value in condition.values]
        joined = " OR ".join(texts)
        if condition.operator.startswith("not"):
            return f"NOT ({joined})"
        return joined if len(texts) == 1 else f"({joined})"


_ORDERED = frozenset((">", ">=", "<", "<=", "between"))
_SAID: dict[str, Callable[[Expressions, str, Condition], str]] = {
    "in": Expressions.membership, "not in": Expressions.membership,
    "true": Expressions.truth, "false": Expressions.truth,
    "null": Expressions.presence, "not null": Expressions.presence,
    "period": Expressions.period, "not period": Expressions.period,
    "between": Expressions.between,
    "above_average": Expressions.beside_average, "below_average": Expressions.beside_average,
    "contains": Expressions.like, "starts": Expressions.like, "ends": Expressions.like,
    "not contains": Expressions.like, "not starts": Expressions.like, "not ends": Expressions.like,
}  # fmt: skip
"""What conditions say, by their operators; any other compares with a value."""


def _fiscal(column: str, unit: str, start: int) -> str:
    """The fiscal year of a moment as a number, or its quarter as ``FY2024 Q2``."""
    moved = f"{column} + INTERVAL '{(13 - start) % 12}' MONTH" if start > 1 else column
    year = f"EXTRACT(YEAR FROM {moved})"
    if unit == "year":
        return year
    return f"'FY' || CAST({year} AS VARCHAR) || ' Q' || CAST(EXTRACT(QUARTER FROM {moved}) AS VARCHAR)"
