"""A plan as SQL over the data model: ``MEASURE()`` where the model defines the number, plain aggregates over
dimensions elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import pairwise
from typing import Any, Literal

from .fiscal import fiscal_grain
from .metadata import Metadata
from .plan import Calculation, Condition, Dimension, Exists, Measure, Nested, Order, Plan

__all__ = ["OutputColumn", "Statement", "write_sql"]

_PARTS = {
    "hour_of_day": "EXTRACT(HOUR FROM {0})",
    "weekday": "EXTRACT(ISODOW FROM {0})",
    "month_of_year": "EXTRACT(MONTH FROM {0})",
    "day_of_month": "EXTRACT(DAY FROM {0})",
    "quarter_of_year": "EXTRACT(QUARTER FROM {0})",
    "season": "CASE WHEN EXTRACT(MONTH FROM {0}) IN (12, 1, 2) THEN 'winter' "
    "WHEN EXTRACT(MONTH FROM {0}) IN (3, 4, 5) THEN 'spring' "
    "WHEN EXTRACT(MONTH FROM {0}) IN (6, 7, 8) THEN 'summer' ELSE 'autumn' END",
}
_AGGREGATES = {"sum": "SUM", "avg": "AVG", "min": "MIN", "max": "MAX", "median": "MEDIAN", "stddev": "STDDEV"}


@dataclass(frozen=True, slots=True)
class OutputColumn:
    """A column of the result: its alias, what it is in the plan, and the member behind it."""

    name: str
    role: Literal["dimension", "measure", "column", "calculation"]
    place: int
    member: str | None


@dataclass(frozen=True, slots=True)
class Statement:
    sql: str
    columns: tuple[OutputColumn, ...]


def write_sql(plan: Plan, metadata: Metadata) -> Statement:
    """The statement of a plan, with every identifier quoted and every alias unique."""
    return _Writer(plan, metadata).write()


def quote(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def literal(value: Any) -> str:
    """A constant of SQL."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, (int, float)):
        return repr(int(value)) if float(value).is_integer() and abs(value) < 1e15 else repr(value)
    if isinstance(value, datetime):
        return f"TIMESTAMP '{value.isoformat(sep=' ')}'"
    if isinstance(value, date):
        return f"DATE '{value.isoformat()}'"
    return "'" + str(value).replace("'", "''") + "'"


class _Writer:
    def __init__(self, plan: Plan, metadata: Metadata) -> None:
        self.plan = plan
        self.meta = metadata
        marked = any(measure.exists for measure in plan.measures)
        self.bridged = "" not in plan.scope and (metadata.is_bridged(plan.scope) or marked)
        self.aliases: set[str] = set()
        self.columns: list[OutputColumn] = []

    def write(self) -> Statement:
        plan = self.plan
        if plan.shape in ("rows", "distinct"):
            return Statement(self.rows(), tuple(self.columns))
        if plan.parts:
            return Statement(self.divided(*plan.parts), tuple(self.columns))
        if plan.nested is not None:
            sql = self.nested(plan.nested)
        else:
            sql = self.bridge() if self.bridged else self.aggregate()
        if plan.calculations or plan.limit_per is not None or plan.hidden:
            sql = self.wrapped(sql)
        return Statement(sql, tuple(self.columns))

    # ---- pieces ----

    def column(self, path: str) -> str:
        relation, name = path.split(".", 1)
        return quote(name) if len(self.plan.scope) == 1 else f"{quote(relation)}.{quote(name)}"

    def alias(self, wanted: str) -> str:
        name, number = wanted, 2
        while name.lower() in self.aliases:
            name, number = f"{wanted}_{number}", number + 1
        self.aliases.add(name.lower())
        return name

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
        if dimension.grain in _PARTS:
            return _PARTS[dimension.grain].format(column)
        return f"DATE_TRUNC('{dimension.grain}', {column})" if dimension.grain else column

    def measure(self, measure: Measure) -> str:
        aggregate = measure.aggregate
        if aggregate == "share_true":
            inner = " AND ".join(self.condition(c) for c in measure.conditions)
            return f"AVG(CASE WHEN {inner} THEN 1.0 ELSE 0.0 END)"
        if aggregate == "ratio":
            return self.ratio(measure)
        if aggregate == "span":
            ends = f"{self.column(measure.member or '')}, {self.column(measure.other or '')}"
            return f"{_AGGREGATES[measure.fold]}(DATE_DIFF('{measure.unit}', {ends}))"
        kept = (
            f" FILTER (WHERE {' AND '.join(self.condition(c) for c in measure.conditions)})"
            if measure.conditions
            else ""
        )
        if measure.member is None:
            return self.count(measure) + kept
        column = self.column(measure.member)
        if aggregate in _AGGREGATES and self.meta.is_numeric_text(measure.member):
            column = f"CAST({column} AS DOUBLE)"
        if aggregate == "measure":
            return f"MEASURE({column})"
        if aggregate == "count_distinct":
            return f"COUNT(DISTINCT {column}){kept}"
        if aggregate == "count_values":
            return f"COUNT({column}){kept}"
        return f"{_AGGREGATES[aggregate]}({column}){kept}"

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
        if condition.operator in (">", ">=", "<", "<=", "between") and self.meta.is_numeric_text(condition.member):
            column = f"CAST({column} AS DOUBLE)"
        operator, values = condition.operator, condition.values
        if condition.part is not None:
            column = _PARTS[condition.part].format(column)
        if condition.other is not None:
            return f"{column} {'<>' if operator == '!=' else operator} {self.column(condition.other)}"
        if operator in ("in", "not in"):
            return self.membership(column, operator, values)
        if operator in ("true", "false"):
            return (
                f"{column} = {operator.upper()}"
                if self.meta.member(condition.member).type == "boolean"
                else f"{column} IS {operator.upper()}"
            )
        if operator in ("null", "not null"):
            return f"{column} IS {operator.upper()}"
        if operator in ("period", "not period"):
            text = self.period(condition, column)
            return f"NOT ({text})" if operator.startswith("not") else text
        if operator == "between":
            return f"{column} BETWEEN {literal(values[0])} AND {literal(values[1])}"
        if operator in ("above_average", "below_average"):
            relation, name = condition.member.split(".", 1)
            sign = ">" if operator.startswith("above") else "<"
            return f"{column} {sign} (SELECT AVG({quote(name)}) FROM {quote(relation)})"
        if operator in ("contains", "not contains", "starts", "ends", "not starts", "not ends"):
            return self.like(column, operator, values)
        if (
            operator in ("=", "!=")
            and self.meta.member(condition.member).type == "string"
            and isinstance(values[0], str)
        ):
            return f"{column} {'ILIKE' if operator == '=' else 'NOT ILIKE'} {literal(_escaped(values[0]))}"
        return f"{column} {'<>' if operator == '!=' else operator} {literal(self.fitted(condition.member, values[0]))}"

    def fitted(self, member: str, value: Any) -> Any:
        return (
            str(value)
            if not self.meta.is_numeric_text(member)
            and self.meta.member(member).type == "string"
            and not isinstance(value, str)
            else value
        )

    def membership(self, column: str, operator: str, values: Sequence[Any]) -> str:
        if len(values) == 1:
            sign = "=" if operator == "in" else "<>"
            return f"{column} {sign} {literal(values[0])}"
        return f"{column} {operator.upper()} ({', '.join(literal(value) for value in values)})"

    def period(self, condition: Condition, column: str) -> str:
        low, high = condition.values
        parts = []
        if low is not None:
            parts.append(f"{column} >= TIMESTAMP {literal(low)}")
        if high is not None:
            parts.append(f"{column} < TIMESTAMP {literal(high)}")
        return " AND ".join(parts) or "TRUE"

    def like(self, column: str, operator: str, values: Sequence[Any]) -> str:
        shape = {"contains": "%{}%", "starts": "{}%", "ends": "%{}"}[operator.removeprefix("not ")]
        texts = [f"{column} ILIKE {literal(shape.format(_escaped(str(value))))}" for value in values]
        joined = " OR ".join(texts)
        if operator.startswith("not"):
            return f"NOT ({joined})"
        return joined if len(texts) == 1 else f"({joined})"

    def where(self) -> str:
        parts = [self.condition(c) for c in self.plan.conditions]
        if self.plan.alternatives:
            groups = [" AND ".join(self.condition(c) for c in group) for group in self.plan.alternatives]
            parts.append("(" + " OR ".join(f"({group})" if " AND " in group else group for group in groups) + ")")
        parts.extend(self.existence(e) for e in self.plan.exists)
        parts.extend(self.present())
        return " WHERE " + " AND ".join(parts) if parts else ""

    def existence(self, exists: Exists) -> str:
        """Rows of the scope that have, or have not, a row in another relation, however many joins away."""
        ways = [way for relation in self.plan.scope if (way := self.meta.joins.way(relation, exists.relation))]
        way = min(ways, key=len, default=())
        if len(way) < 2:
            return "TRUE"
        (here, there), *_ = self.meta.joins.between(way[0], way[1])
        inner = _Writer(Plan((*way[1:], "")), self.meta)  # several relations: every column is named with its own
        text = quote(way[1])
        for near, far in pairwise(way[1:]):
            same = [f"{inner.column(one)} = {inner.column(other)}" for one, other in self.meta.joins.between(near, far)]
            text += f" JOIN {quote(far)} ON {' AND '.join(same)}"
        rules = [inner.column(there) + " IS NOT NULL", *(inner.condition(c) for c in exists.conditions)]
        kept = f"SELECT {inner.column(there)} FROM {text} WHERE {' AND '.join(rules)}"
        if exists.operator is not None:
            key = self.meta.key_of(exists.relation) if len(way) > 2 else None
            count = f"COUNT(DISTINCT {inner.column(key)})" if key else "COUNT(*)"
            kept += f" GROUP BY 1 HAVING {_compared(count, exists.operator, exists.values)}"
        return f"{self.column(here)} {'NOT IN' if exists.negated else 'IN'} ({kept})"

    def present(self) -> list[str]:
        """Joined cubes whose members are shown: rows without a match are left out."""
        scope = self.plan.scope
        shown = [d.member for d in self.plan.dimensions] + list(self.plan.columns)
        tested: list[str] = []
        if self.bridged:
            return tested
        for relation in scope[1:]:
            first = next((m for m in shown if m.startswith(relation + ".")), None)
            if first is not None:
                tested.append(f"{self.column(self.meta.key_of(relation) or first)} IS NOT NULL")
        return tested

    # ---- statements ----

    def aggregate(self) -> str:
        plan = self.plan
        select = []
        for i, dimension in enumerate(plan.dimensions):
            name = self.alias(_dimension_alias(dimension))
            self.columns.append(OutputColumn(name, "dimension", i, dimension.member))
            select.append(f"{self.dimension(dimension)} AS {quote(name)}")
        for i, measure in enumerate(plan.measures):
            name = self.alias(_measure_alias(measure))
            self.columns.append(OutputColumn(name, "measure", i, measure.member))
            select.append(f"{self.measure(measure)} AS {quote(name)}")
        sql = f"SELECT {', '.join(select)} FROM {self.source()}{self.where()}"
        if plan.dimensions:
            sql += " GROUP BY " + ", ".join(str(i + 1) for i in range(len(plan.dimensions)))
        if plan.having:
            sql += " HAVING " + " AND ".join(self.having_text(h.measure, h.operator, h.values) for h in plan.having)
        if not (plan.calculations or plan.limit_per is not None or plan.hidden):
            sql += self.ordering(plan.order) + (f" LIMIT {plan.limit}" if plan.limit else "")
        return sql

    def bridge(self) -> str:
        """Groups over joins in both directions: every number is made of its own rows, each counted once."""
        plan = self.plan
        groups, names = [], []
        for i, dimension in enumerate(plan.dimensions):
            name = self.alias(_dimension_alias(dimension))
            self.columns.append(OutputColumn(name, "dimension", i, dimension.member))
            groups.append(f"{self.dimension(dimension)} AS {quote(name)}")
            names.append(quote(name))
        source = f"{self.source()}{self.where()}"
        ctes, select, joined = [], [f"g.{name}" for name in names], "g"
        ctes.append(
            f"g AS (SELECT DISTINCT {', '.join(groups)} FROM {source})" if groups else 'g AS (SELECT 1 AS "one")'
        )
        tests: list[str] = []
        if len(plan.measures) == 1 and not (plan.having or plan.calculations or plan.limit_per or plan.hidden):
            name = self.alias(_measure_alias(plan.measures[0]))
            self.columns.append(OutputColumn(name, "measure", 0, plan.measures[0].member))
            sql = self.own_rows(plan.measures[0], groups, names, source, name)
            return sql + self.ordering(plan.order) + (f" LIMIT {plan.limit}" if plan.limit else "")
        for i, measure in enumerate(plan.measures):
            name = self.alias(_measure_alias(measure))
            self.columns.append(OutputColumn(name, "measure", i, measure.member))
            ctes.append(f"m{i} AS ({self.own_rows(measure, groups, names, source, name)})")
            same = " AND ".join(f"g.{key} IS NOT DISTINCT FROM m{i}.{key}" for key in names)
            joined += f" LEFT JOIN m{i} ON {same}" if same else f" CROSS JOIN m{i}"
            select.append(f"m{i}.{quote(name)}")
            tests += [_compared(f"m{i}.{quote(name)}", h.operator, h.values) for h in plan.having if h.measure == i]
        sql = f"WITH {', '.join(ctes)} SELECT {', '.join(select)} FROM {joined}"
        sql += " WHERE " + " AND ".join(tests) if tests else ""
        if plan.calculations or plan.limit_per is not None or plan.hidden:
            return sql
        return sql + self.ordering(plan.order) + (f" LIMIT {plan.limit}" if plan.limit else "")

    def own_rows(self, measure: Measure, groups: Sequence[str], names: Sequence[str], source: str, name: str) -> str:
        """A number per group over the different rows of the relation it belongs to."""
        measure = self.meta.plain(measure)
        relation = measure.member.split(".", 1)[0] if measure.member else measure.entity or self.plan.scope[0]
        keys = self.meta.keys_of(relation)
        kept = [f'{self.column(key)} AS "__k{i}"' for i, key in enumerate(keys)]
        value = self.column(measure.member) if measure.member else "1"
        rules = [self.condition(c) for c in measure.conditions]
        if measure.exists:
            rules.append("(" + " OR ".join(self.existence(e) for e in measure.exists) + ")")
        where = (" AND " if " WHERE " in source else " WHERE ") + " AND ".join(rules) if rules else ""
        distinct = "DISTINCT " if keys else ""
        rows = f"SELECT {distinct}{', '.join([*groups, *kept, f'{value} AS __v'])} FROM {source}{where}"
        call = {"count": "COUNT(*)", "count_distinct": "COUNT(DISTINCT __v)", "count_values": "COUNT(__v)"}.get(
            measure.aggregate, f"{_AGGREGATES.get(measure.aggregate, 'SUM')}(__v)"
        )
        grouped = f" GROUP BY {', '.join(str(i + 1) for i in range(len(names)))}" if names else ""
        return f"SELECT {', '.join([*names, f'{call} AS {quote(name)}'])} FROM ({rows}) AS r{grouped}"

    def divided(self, above: Plan, below: Plan) -> str:
        """One number per group divided by another of the same groups."""
        plan, texts, values = self.plan, [], []
        for part in (above, below):
            inner = _Writer(part.with_(order=(), dimensions=plan.dimensions), self.meta)
            texts.append(inner.aggregate().split(" ORDER BY ")[0])
            values.append(next(column.name for column in inner.columns if column.role == "measure"))
        select, same = [], []
        for i, dimension in enumerate(plan.dimensions):
            name = self.alias(_dimension_alias(dimension))
            self.columns.append(OutputColumn(name, "dimension", i, dimension.member))
            select.append(f"a.{quote(name)} AS {quote(name)}")
            same.append(f"a.{quote(name)} IS NOT DISTINCT FROM b.{quote(name)}")
        name = self.alias("ratio")
        self.columns.append(OutputColumn(name, "measure", 0, None))
        select.append(f"CAST(a.{quote(values[0])} AS DOUBLE) / NULLIF(b.{quote(values[1])}, 0) AS {quote(name)}")
        join = f"a LEFT JOIN b ON {' AND '.join(same)}" if same else "a CROSS JOIN b"
        sql = f"WITH a AS ({texts[0]}), b AS ({texts[1]}) SELECT {', '.join(select)} FROM {join}"
        return sql + self.ordering(plan.order) + (f" LIMIT {plan.limit}" if plan.limit else "")

    def nested(self, nested: Nested) -> str:
        """The measure per group and inner group, then its aggregate per group."""
        plan = self.plan
        inner = _Writer(
            plan.with_(dimensions=(*plan.dimensions, nested.dimension), nested=None, order=(), limit=None), self.meta
        )
        text = inner.aggregate().split(" ORDER BY ")[0]
        kept = inner.columns[: len(plan.dimensions)]
        value = next(column for column in inner.columns if column.role == "measure")
        for column in kept:
            self.aliases.add(column.name.lower())
        name = self.alias(f"{nested.aggregate}_{value.name}")
        self.columns = [*kept, OutputColumn(name, "measure", 0, value.member)]
        fields = [quote(column.name) for column in kept]
        call = f"{_AGGREGATES[nested.aggregate]}({quote(value.name)}) AS {quote(name)}"
        sql = f"WITH per AS ({text}) SELECT {', '.join([*fields, call])} FROM per"
        if fields:
            sql += " GROUP BY " + ", ".join(str(i + 1) for i in range(len(fields)))
        return sql + self.ordering(plan.order) + (f" LIMIT {plan.limit}" if plan.limit else "")

    def having_text(self, place: int, operator: str, values: Sequence[float]) -> str:
        measure = self.plan.measures[place]
        if not values:
            plain = self.meta.plain(measure)
            relation, name = (plain.member or ".").split(".", 1)
            overall = f"SELECT {_AGGREGATES.get(plain.aggregate, 'AVG')}({quote(name)}) FROM {quote(relation)}"
            return f"{self.measure(measure)} {operator} ({overall})"
        return _compared(self.measure(measure), operator, values)

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
        grouped = {order.place for order in orders if order.by == "dimension"}
        parts.extend(str(i + 1) for i in range(dims) if i not in grouped)
        return " ORDER BY " + ", ".join(parts) if parts else ""

    def wrapped(self, inner: str) -> str:
        """Calculations and limits per group over the grouped rows."""
        plan = self.plan
        names: dict[tuple[str, int], str] = {(c.role, c.place): c.name for c in self.columns}
        shown = [c for c in self.columns if not (c.role == "measure" and c.place in plan.hidden)]
        extra = []
        for i, calculation in enumerate(plan.calculations):
            name = self.alias(f"{names[('measure', calculation.measure)]}_{calculation.kind}")
            extra.append(f"{self.calculation(calculation, names)} AS {quote(name)}")
            shown.append(OutputColumn(name, "calculation", i, None))
        order = plan.order[0] if plan.order else Order("measure", 0, True)
        if plan.limit_per is not None:
            key = names[("measure" if order.by == "measure" else "dimension", order.place)]
            group = names[("dimension", plan.limit_per)]
            ranked = quote(key) + (" DESC NULLS LAST" if order.descending else "")
            extra.append(f'ROW_NUMBER() OVER (PARTITION BY {quote(group)} ORDER BY {ranked}) AS "__rank"')
        self.columns = shown
        fields = ", ".join(quote(c.name) for c in shown)
        body = f"SELECT *, {', '.join(extra)} FROM q" if extra else "SELECT * FROM q"
        sql = f"WITH q AS ({inner}), r AS ({body}) SELECT {fields} FROM r"
        if plan.limit_per is not None:
            sql += f' WHERE "__rank" <= {plan.limit or 1}'
        ordering = []
        if plan.limit_per is not None:
            ordering.append(quote(names[("dimension", plan.limit_per)]))
        for one in plan.order:
            column = names.get((one.by, one.place))
            if column is not None:
                ordering.append(quote(column) + (" DESC NULLS LAST" if one.descending else ""))
        ordering.extend(
            quote(names[("dimension", i)])
            for i in range(len(plan.dimensions))
            if quote(names[("dimension", i)]) not in ordering
        )
        sql += " ORDER BY " + ", ".join(ordering) if ordering else ""
        return sql + (f" LIMIT {plan.limit}" if plan.limit and plan.limit_per is None else "")

    def calculation(self, calculation: Calculation, names: dict[tuple[str, int], str]) -> str:
        value = quote(names[("measure", calculation.measure)])
        times = [
            i
            for i, d in enumerate(self.plan.dimensions)
            if d.grain or self.meta.is_time(d.member) or self.meta.is_year(d.member)
        ]
        line = times[0] if times else 0
        others = [quote(names[("dimension", i)]) for i in range(len(self.plan.dimensions)) if i != line]
        by = f"PARTITION BY {', '.join(others)} " if others and times else ""
        over = f"({by}ORDER BY {quote(names[('dimension', line)])}"
        if calculation.kind == "share":
            first = f"PARTITION BY {quote(names[('dimension', 0)])}" if calculation.within is not None else ""
            return f"{value} * 1.0 / NULLIF(SUM({value}) OVER ({first}), 0)"
        if calculation.kind == "running_total":
            return f"SUM({value}) OVER {over})"
        if calculation.kind == "moving_average":
            return f"AVG({value}) OVER {over} ROWS BETWEEN {calculation.window - 1} PRECEDING AND CURRENT ROW)"
        if calculation.kind == "rank":
            return f"RANK() OVER (ORDER BY {value} DESC NULLS LAST)"
        steps = _steps_per_year(self.plan.dimensions[line].grain) if calculation.kind == "year_ago_growth" else 1
        before = f"LAG({value}, {steps}) OVER {over})"
        if calculation.kind == "difference":
            return f"{value} - {before}"
        return f"({value} - {before}) * 1.0 / NULLIF({before}, 0)"

    def rows(self) -> str:
        plan = self.plan
        select = []
        for i, path in enumerate(plan.columns):
            name = self.alias(path.split(".", 1)[1])
            self.columns.append(OutputColumn(name, "column", i, path))
            select.append(f"{self.column(path)} AS {quote(name)}")
        distinct = "DISTINCT " if plan.shape == "distinct" else ""
        sql = f"SELECT {distinct}{', '.join(select)} FROM {self.source()}{self.where()}"
        parts = []
        for order in plan.order:
            direction = " DESC NULLS LAST" if order.descending else ""
            if order.by == "column":
                parts.append(f"{order.place + 1}{direction}")
            elif order.by == "member" and order.member and plan.shape == "rows":
                parts.append(self.column(order.member) + direction)
        if plan.shape == "distinct" and not parts:
            parts = [str(i + 1) for i in range(len(select))]
        sql += " ORDER BY " + ", ".join(parts) if parts else ""
        return sql + (f" LIMIT {plan.limit}" if plan.limit else "")


def _compared(text: str, operator: str, values: Sequence[float]) -> str:
    if operator == "between":
        return f"{text} BETWEEN {literal(values[0])} AND {literal(values[1])}"
    return f"{text} {'<>' if operator == '!=' else operator} {literal(values[0])}"


def _fiscal(column: str, unit: str, start: int) -> str:
    """The fiscal year of a moment as a number, or its quarter as ``FY2024 Q2``."""
    moved = f"{column} + INTERVAL '{(13 - start) % 12}' MONTH" if start > 1 else column
    year = f"EXTRACT(YEAR FROM {moved})"
    if unit == "year":
        return year
    return f"'FY' || CAST({year} AS VARCHAR) || ' Q' || CAST(EXTRACT(QUARTER FROM {moved}) AS VARCHAR)"


def _dimension_alias(dimension: Dimension) -> str:
    name = dimension.member.split(".", 1)[1]
    fiscal = fiscal_grain(dimension.grain)
    if fiscal is not None:
        return f"{name}_fiscal_{fiscal[0]}"
    return f"{name}_{dimension.grain}" if dimension.grain else name


def _measure_alias(measure: Measure) -> str:
    if measure.aggregate == "share_true":
        return "share"
    if measure.aggregate == "ratio":
        return "ratio"
    if measure.member is None:
        return "count"
    name = measure.member.split(".", 1)[1]
    if measure.exists:
        return "_and_".join(e.relation for e in measure.exists) if len(measure.exists) < 3 else f"sum_{name}"
    if measure.aggregate == "measure":
        return name
    if measure.aggregate in ("count_distinct", "count_values"):
        return f"count_{name}"
    if measure.aggregate == "span":
        return f"{measure.fold}_{measure.unit}s"
    return f"{measure.aggregate}_{name}"


def _steps_per_year(grain: str | None) -> int:
    return {"month": 12, "quarter": 4, "week": 52, "day": 365, "year": 1}.get(grain or "year", 1)


def _escaped(text: str) -> str:
    return re.sub(r"([%_\\])", r"\\\1", text) if re.search(r"[%_\\]", text) else text
