"""A plan as SQL over the data model: ``MEASURE()`` where the model defines the number, plain aggregates over
dimensions elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..schema.literals import compared, quote
from ..schema.metadata import Metadata
from .clauses import is_picked
from .expressions import AGGREGATES
from .plan import Measure, Nested, Plan
from .statement import OutputColumn, Statement, dimension_alias, measure_alias
from .windows import Windows

__all__ = ["write_sql"]


def write_sql(plan: Plan, metadata: Metadata) -> Statement:
    """The statement of a plan, with every identifier quoted and every alias unique."""
    return _Writer(plan, metadata).write()


def tests_alone(plan: Plan) -> bool:
    """Whether the measures only say which groups there are: nothing is shown of them, and nothing made of them."""
    alone = set(plan.hidden) == set(range(len(plan.measures))) and bool(plan.measures and plan.dimensions)
    return alone and not (plan.order or plan.limit or plan.calculations or plan.limit_per is not None)


def counted_apart(plan: Plan, metadata: Metadata) -> list[str] | None:
    """The relations whose rows are counted, where a plan counts all those of several and says no more of any."""
    if plan.shape != "aggregate" or len(plan.measures) <= 1 or len(plan.scope) <= 1 or "" in plan.scope:
        return None
    if plan.dimensions or plan.conditions or plan.alternatives or plan.exists or plan.having or plan.calculations:
        return None
    if plan.order or plan.nested or plan.hidden or plan.claim or plan.chart.channels:
        return None
    plain = [metadata.plain(m) for m in plan.measures]
    if any(m.aggregate != "count" or m.conditions or m.exists or m.divided_by for m in plain):
        return None
    rows = [m.entity or str(m.member).split(".", 1)[0] for m in plan.measures]
    known = all(relation in metadata.catalog.relations for relation in rows)
    return rows if known and len(set(rows)) == len(rows) else None


class _Writer(Windows):
    def write(self) -> Statement:
        plan = self.plan
        if plan.shape in ("rows", "distinct"):
            return Statement(self.rows(), tuple(self.columns))
        if plan.parts:
            return Statement(self.divided(*plan.parts), tuple(self.columns))
        if (rows := counted_apart(plan, self.meta)) is not None:
            return Statement(self.each_alone(rows), tuple(self.columns))
        if plan.nested is not None:
            sql = self.nested(plan.nested)
        else:
            sql = self.bridge() if self.bridged else self.aggregate()
        if (plan.calculations or plan.limit_per is not None or plan.hidden) and not tests_alone(plan):
            sql = self.wrapped(sql)
        return Statement(sql, tuple(self.columns))

    def aggregate(self) -> str:
        plan = self.plan
        select = []
        for i, dimension in enumerate(plan.dimensions):
            name = self.alias(dimension_alias(dimension))
            self.columns.append(OutputColumn(name, "dimension", i, dimension.member))
            select.append(f"{self.dimension(dimension)} AS {quote(name)}")
        for i, measure in enumerate(() if tests_alone(plan) else plan.measures):
            name = self.alias(measure_alias(measure))
            self.columns.append(OutputColumn(name, "measure", i, measure.member))
            select.append(f"{self.measure(measure)} AS {quote(name)}")
        sql = f"SELECT {', '.join(select)} FROM {self.source()}{self.where()}"
        if plan.dimensions:
            sql += " GROUP BY " + ", ".join(str(i + 1) for i in range(len(plan.dimensions)))
        if plan.having:
            sql += " HAVING " + " AND ".join(self.having_text(h.measure, h.operator, h.values) for h in plan.having)
        if tests_alone(plan):
            return sql + " ORDER BY " + ", ".join(str(i + 1) for i in range(len(plan.dimensions)))
        if not (plan.calculations or plan.limit_per is not None or plan.hidden):
            sql += self.ordering(plan.order) + (f" LIMIT {plan.limit}" if plan.limit else "")
        return sql

    def each_alone(self, relations: Sequence[str]) -> str:
        """How many rows several relations have: each by itself, as a join has only those that belong together."""
        ctes, select = [], []
        for i, (relation, measure) in enumerate(zip(relations, self.plan.measures, strict=True)):
            name = self.alias(measure_alias(measure))
            self.columns.append(OutputColumn(name, "measure", i, measure.member))
            inner = _Writer(Plan((relation,), measures=(measure,)), self.meta)
            ctes.append(f"m{i} AS ({inner.aggregate()})")
            select.append(f"m{i}.{quote(inner.columns[0].name)} AS {quote(name)}")
        joined = " CROSS JOIN ".join(f"m{i}" for i in range(len(ctes)))
        return f"WITH {', '.join(ctes)} SELECT {', '.join(select)} FROM {joined}"

    def bridge(self) -> str:
        """Groups over joins in both directions: every number is made of its own rows, each counted once."""
        plan = self.plan
        groups, names = [], []
        for i, dimension in enumerate(plan.dimensions):
            name = self.alias(dimension_alias(dimension))
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
            name = self.alias(measure_alias(plan.measures[0]))
            self.columns.append(OutputColumn(name, "measure", 0, plan.measures[0].member))
            sql = self.own_rows(plan.measures[0], groups, names, source, name)
            return sql + self.ordering(plan.order) + (f" LIMIT {plan.limit}" if plan.limit else "")
        for i, measure in enumerate(plan.measures):
            name = self.alias(measure_alias(measure))
            self.columns.append(OutputColumn(name, "measure", i, measure.member))
            ctes.append(f"m{i} AS ({self.own_rows(measure, groups, names, source, name)})")
            # Rows without a value are a group as well: by `=` its numbers would be lost.
            same = " AND ".join(f"g.{key} IS NOT DISTINCT FROM m{i}.{key}" for key in names)
            joined += f" LEFT JOIN m{i} ON {same}" if same else f" CROSS JOIN m{i}"
            select.append(f"m{i}.{quote(name)}")
            shown = f"m{i}.{quote(name)}"
            tests += [
                compared(shown, h.operator, h.values) if h.values else f"{shown} {h.operator} ({self.overall(measure)})"
                for h in plan.having if h.measure == i
            ]  # fmt: skip
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
        # Without a key, equal rows cannot be told from one row met twice: all of them count.
        distinct = "DISTINCT " if keys else ""
        rows = f"SELECT {distinct}{', '.join([*groups, *kept, f'{value} AS __v'])} FROM {source}{where}"
        call = {"count": "COUNT(*)", "count_distinct": "COUNT(DISTINCT __v)", "count_values": "COUNT(__v)"}.get(
            measure.aggregate, f"{AGGREGATES.get(measure.aggregate, 'SUM')}(__v)"
        )
        grouped = f" GROUP BY {', '.join(str(i + 1) for i in range(len(names)))}" if names else ""
        return f"SELECT {', '.join([*names, f'{call} AS {quote(name)}'])} FROM ({rows}) AS r{grouped}"

    def divided(self, above: Plan, below: Plan) -> str:
        """One number per group divided by another of the same groups."""
        plan, texts, values = self.plan, [], []
        for part in (above, below):
            inner = _Writer(part.with_(order=(), dimensions=plan.dimensions), self.meta, picked=is_picked(plan))
            # Statements of groups always end in an order; within a CTE it would say nothing.
            texts.append(inner.aggregate().split(" ORDER BY ")[0])
            values.append(next(column.name for column in inner.columns if column.role == "measure"))
        select, same = [], []
        for i, dimension in enumerate(plan.dimensions):
            name = self.alias(dimension_alias(dimension))
            self.columns.append(OutputColumn(name, "dimension", i, dimension.member))
            select.append(f"a.{quote(name)} AS {quote(name)}")
            same.append(f"a.{quote(name)} IS NOT DISTINCT FROM b.{quote(name)}")
        name = self.alias("ratio")
        self.columns.append(OutputColumn(name, "measure", 0, None))
        select.append(f"CAST(a.{quote(values[0])} AS DOUBLE) / NULLIF(b.{quote(values[1])}, 0) AS {quote(name)}")
        # A group with nothing to divide by is shown without a number, and not left out.
        join = f"a LEFT JOIN b ON {' AND '.join(same)}" if same else "a CROSS JOIN b"
        sql = f"WITH a AS ({texts[0]}), b AS ({texts[1]}) SELECT {', '.join(select)} FROM {join}"
        return sql + self.ordering(plan.order) + (f" LIMIT {plan.limit}" if plan.limit else "")

    def nested(self, nested: Nested) -> str:
        """The measure per group and inner group, then its aggregate per group."""
        plan = self.plan
        groups = (*plan.dimensions, nested.dimension)
        # An average of groups is of those that are some: what belongs to none is no group of its own.
        inner = _Writer(plan.with_(dimensions=groups, nested=None, order=(), limit=None), self.meta, picked=True)
        text = inner.aggregate().split(" ORDER BY ")[0]
        kept = inner.columns[: len(plan.dimensions)]
        value = next(column for column in inner.columns if column.role == "measure")
        for column in kept:
            self.aliases.add(column.name.lower())
        name = self.alias(f"{nested.aggregate}_{value.name}")
        self.columns = [*kept, OutputColumn(name, "measure", 0, value.member)]
        fields = [quote(column.name) for column in kept]
        call = f"{AGGREGATES[nested.aggregate]}({quote(value.name)}) AS {quote(name)}"
        sql = f"WITH per AS ({text}) SELECT {', '.join([*fields, call])} FROM per"
        if fields:
            sql += " GROUP BY " + ", ".join(str(i + 1) for i in range(len(fields)))
        return sql + self.ordering(plan.order) + (f" LIMIT {plan.limit}" if plan.limit else "")

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
            # What is not shown of different rows has many values: there is none to sort by.
            elif order.by == "member" and order.member and plan.shape == "rows":
                parts.append(self.column(order.member) + direction)
        # Different rows come in any order: a question asked twice would not give the same bytes.
        if plan.shape == "distinct" and not parts:
            parts = [str(i + 1) for i in range(len(select))]
        sql += " ORDER BY " + ", ".join(parts) if parts else ""
        return sql + (f" LIMIT {plan.limit}" if plan.limit else "")
