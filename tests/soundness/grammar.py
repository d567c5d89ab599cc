"""Random SQL over the model of :mod:`worlds`, reproducible from a seed.

Every query is deterministic in what it returns (windows order by a key or use rank-like functions, ``LIMIT`` comes
with an order over all columns, doubles are dyadic so that sums do not depend on their order); apart from that anything
goes, above all expressions that can raise on the values hidden rows hold.
"""

from __future__ import annotations

from dataclasses import dataclass

from .expressions import Expressions
from .vocabulary import BASE, BOOL, CUSTOM_GRAINS, GRAINS, NUMBER, OVER_TIME, REPEATED, ROOTS, TEXT, TIME, Relation

__all__ = ["Grammar"]


@dataclass
class Grammar(Expressions):
    """One query generator; ``Grammar(seed).query()`` is a function of the seed alone."""

    def query(self) -> str:
        return self.tail(*self.select(self.depth))

    def tail(self, sql: str, width: int) -> str:
        if self.chance(0.4):
            order = ", ".join(
                f"{n}{self.rng.choice(['', ' DESC', ' NULLS FIRST', ' DESC NULLS LAST'])}" for n in range(1, width + 1)
            )
            sql += f" ORDER BY {order}"
            if self.chance(0.6):
                sql += f" LIMIT {self.rng.randrange(1, 12)}"
                if self.chance(0.3):
                    sql += f" OFFSET {self.rng.randrange(0, 5)}"
        return sql

    def select(self, depth: int) -> tuple[str, int]:
        forms = [
            self.series,
            self.series,
            self.outer_measures,
            self.rows,
            self.rows,
            self.grouped,
            self.grouped,
            self.grouped,
            self.measures,
            self.measures,
        ]
        forms += [self.windows, self.distinct, self.joined, self.star, self.kept, self.lateral, self.numbered]
        if depth > 0:
            forms += [self.set_operation, self.common_table, self.common_table, self.derived, self.derived]
        return self.rng.choice(forms)(depth)

    def source(self) -> tuple[Relation, str]:
        relation = self.rng.choice(BASE)
        return relation, self.rng.choice([relation.name, "t", "x1"])

    def _from(self, relation: Relation, alias: str) -> str:
        if alias == relation.name:
            return f"FROM {relation.name}"
        return f"FROM {relation.name} {self.rng.choice(['', 'AS '])}{alias}"

    def where(self, relation: Relation, alias: str, depth: int) -> str:
        if self.chance(0.35):
            return ""
        condition = self.condition(relation, alias, depth)
        if relation.segments and self.chance(0.1):
            condition = f"{alias}.{self.rng.choice(relation.segments)} AND {condition}"
        return f" WHERE {condition}"

    def items(self, relation: Relation, alias: str, depth: int) -> list[str]:
        kinds = self.rng.choices([NUMBER, TEXT, TIME, BOOL], weights=[4, 3, 2, 1], k=self.rng.randrange(1, 5))
        return [self.expression(relation, alias, kind, depth) for kind in kinds]

    def rows(self, depth: int) -> tuple[str, int]:
        relation, alias = self.source()
        items = self.items(relation, alias, depth)
        named = ", ".join(f"{item} AS c{n}" for n, item in enumerate(items))
        return f"SELECT {named} {self._from(relation, alias)}{self.where(relation, alias, depth)}", len(items)

    def distinct(self, depth: int) -> tuple[str, int]:
        sql, width = self.rows(min(depth, 1))
        return sql.replace("SELECT", "SELECT DISTINCT", 1), width

    def star(self, depth: int) -> tuple[str, int]:
        relation, alias = self.source()
        column = self.rng.choice(relation.columns)
        instead = ""
        if self.rng.random() < 0.4:
            instead = f" REPLACE ({self.expression(relation, alias, column.kind, 1)} AS {column.name})"
        inner = f"SELECT *{instead} {self._from(relation, alias)}{self.where(relation, alias, depth)}"
        aggregate = self.aggregate(relation, "i", 0)
        return f"SELECT {aggregate} AS a FROM ({inner}) i", 1

    def grouped(self, depth: int) -> tuple[str, int]:
        relation, alias = self.source()
        keys = self.items(relation, alias, 1)[: self.rng.randrange(0, 3)]
        values = [self.aggregate(relation, alias, depth) for _ in range(self.rng.randrange(1, 4))]
        named = ", ".join(f"{item} AS c{n}" for n, item in enumerate([*keys, *values]))
        sql = f"SELECT {named} {self._from(relation, alias)}{self.where(relation, alias, depth)}"
        if keys:
            sql += " GROUP BY " + ", ".join(str(n + 1) for n in range(len(keys)))
        if self.chance(0.25):
            sql += f" HAVING {self.aggregate(relation, alias, 1)} {self.rng.choice('<>')} {self.literal(NUMBER)}"
        return sql, len(keys) + len(values)

    def measures(self, depth: int) -> tuple[str, int]:
        relation, alias = self.source()
        if self.chance(0.25):
            relation, alias = self.rng.choice([*REPEATED, *ROOTS]), "t"
        keys = []
        for _ in range(self.rng.randrange(0, 3)):
            kind = self.rng.choice([TEXT, TEXT, TIME, NUMBER])
            key = self.column(relation, alias, kind) or f"{alias}.{relation.columns[0].name}"
            keys.append(f"date_trunc('{self.rng.choice(GRAINS)}', {key})" if kind == TIME else key)
        names = self.rng.sample(relation.measures, k=min(len(relation.measures), self.rng.randrange(1, 4)))
        values = [f"MEASURE({alias}.{name})" if self.chance(0.3) else f"MEASURE({name})" for name in names]
        if self.chance(0.3):
            values[0] += f" FILTER (WHERE {self.condition(relation, alias, min(depth, 1))})"
        named = ", ".join(f"{item} AS c{n}" for n, item in enumerate([*keys, *values]))
        sql = f"SELECT {named} {self._from(relation, alias)}{self.where(relation, alias, depth)}"
        if keys:
            sql += " GROUP BY " + ", ".join(str(n + 1) for n in range(len(keys)))
        if self.chance(0.25):
            sql += f" HAVING {self.rng.choice(values)} {self.rng.choice('<>')} {self.literal(NUMBER)}"
        return sql, len(keys) + len(values)

    def series(self, depth: int) -> tuple[str, int]:
        """Measures over time: rolling windows, running totals, shifted and shared ones, custom granularities."""
        relation = self.rng.choice([BASE[0], BASE[3]])
        grain = self.rng.choice([*GRAINS[:4], "month", *CUSTOM_GRAINS])
        items = [f"date_trunc{'_gapfill' if self.chance(0.2) else ''}('{grain}', t.created_at)"]
        if self.chance(0.15):
            items.append("date_trunc('year', t.created_at)")
        if self.chance(0.5):
            items.append(f"t.{self.rng.choice(['status', 'region', 'size', 'band', 'band'])}")
        keys = len(items)
        items += [f"MEASURE(t.{name})" for name in self.rng.sample(OVER_TIME, k=self.rng.randrange(1, 4))]
        named = ", ".join(f"{item} AS c{n}" for n, item in enumerate(items))
        conditions = []
        if self.chance(0.5):
            conditions.append(f"t.created_at >= DATE '2024-0{self.rng.randrange(1, 6)}-01'")
        if self.chance(0.5):
            conditions.append(f"t.created_at < TIMESTAMP '2024-{self.rng.randrange(7, 13):02d}-15 00:00:00'")
        if self.chance(0.3):
            conditions.append(self.condition(relation, "t", min(depth, 1)))
        if self.chance(0.15):
            conditions.append(f"t.band <> '{self.rng.choice(['high', 'often', 'low'])}'")
        where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
        groups = ", ".join(str(n + 1) for n in range(keys))
        return f"SELECT {named} FROM {relation.name} t{where} GROUP BY {groups}", len(items)

    def outer_measures(self, depth: int) -> tuple[str, int]:
        """Measures of an inner query of rows, evaluated at the outer grouping; groupings of several levels."""
        relation = self.rng.choice([BASE[0], BASE[3]])
        name = self.rng.choice(relation.measures)
        key = self.rng.choice(["status", "region", "size", "band"])
        where = self.where(relation, "t", min(depth, 1))
        if self.chance(0.5):
            inner = f"SELECT {key}, {name} FROM {relation.name} t{where}"
            return f"SELECT i.{key} AS c0, MEASURE(i.{name}) AS c1 FROM ({inner}) i GROUP BY 1", 2
        sets = self.rng.choice(
            [f"ROLLUP({key}, is_paid)", f"CUBE({key}, is_paid)", f"GROUPING SETS (({key}), (is_paid), ())"]
        )
        aggregate = self.rng.choice([f"MEASURE({name})", "count(*)", "sum(amount)"])
        level = f"GROUPING({key}, is_paid)" if self.chance(0.5) else "1"
        items = f"{key} AS c0, is_paid AS c1, {aggregate} AS c2, {level} AS c3"
        return f"SELECT {items} FROM {relation.name} t{where} GROUP BY {sets}", 4

    def kept(self, depth: int) -> tuple[str, int]:
        """Rows that another relation decides over: SEMI and ANTI JOIN, ANY and ALL, rows of values in a list."""
        relation, other = self.rng.choice(BASE), self.rng.choice(BASE)
        items = self.items(relation, "t", 1)
        named = ", ".join(f"{item} AS c{n}" for n, item in enumerate(items))
        kind = self.rng.choice([NUMBER, TEXT])
        one, two = self.expression(relation, "t", kind, 1), self.expression(other, "s", kind, 1)
        form = self.rng.randrange(3)
        if form == 0:
            word = self.rng.choice(["SEMI", "ANTI"])
            right = self.rng.choice([f"{other.name} s", f"(SELECT * FROM {other.name} x{self.where(other, 'x', 0)}) s"])
            join = f" {word} JOIN {right} ON {one} = {two}"
            return f"SELECT {named} FROM {relation.name} t{join}{self.where(relation, 't', 0)}", len(items)
        if form == 1:
            test = f"{one} {self.rng.choice(['=', '<>', '<', '>='])} {self.rng.choice(['ANY', 'ALL'])}"
            test += f" (SELECT {two} FROM {other.name} s{self.where(other, 's', 0)})"
        else:
            rows = ", ".join(f"({self.literal(kind)}, {self.literal(TEXT)})" for _ in range(2))
            test = f"({one}, {self.expression(relation, 't', TEXT, 0)}) IN ({rows})"
        return f"SELECT {named} FROM {relation.name} t WHERE {test}", len(items)

    def lateral(self, depth: int) -> tuple[str, int]:
        """A subquery for each row before it: an aggregate, a measure, its first rows, or an expression with a name."""
        left, right = self.rng.choice(BASE), self.rng.choice(BASE)
        kind = self.rng.choice([NUMBER, TEXT])
        where = f"{self.expression(right, 's', kind, 0)} = {self.expression(left, 'l', kind, 0)}"
        if self.chance(0.5):
            where += f" AND {self.condition(right, 's', min(depth, 1))}"
        inner = self.rng.choice(
            [
                f"SELECT {self.aggregate(right, 's', 1)} AS v FROM {right.name} s WHERE {where}",
                f"SELECT MEASURE({self.rng.choice(right.measures)}) AS v FROM {right.name} s WHERE {where}",
                f"SELECT {self.expression(right, 's', NUMBER, 1)} AS v FROM {right.name} s WHERE {where} ORDER BY 1 LIMIT 2",
                f"SELECT {self.expression(left, 'l', NUMBER, 1)} AS v",
            ]
        )
        join = self.rng.choice(
            [f", LATERAL ({inner}) x", f" CROSS JOIN LATERAL ({inner}) x", f" LEFT JOIN LATERAL ({inner}) x ON TRUE"]
        )
        key = self.expression(left, "l", TEXT, 1)
        return f"SELECT {key} AS c0, x.v AS c1 FROM {left.name} l{join}{self.where(left, 'l', 0)}", 2

    def numbered(self, depth: int) -> tuple[str, int]:
        """A series of numbers or days, and what falls on each of them."""
        relation = self.rng.choice(BASE)
        if self.chance(0.5):
            series, on = (
                f"generate_series({self.rng.randrange(3)}, {self.rng.randrange(3, 9)})",
                self.expression(relation, "t", NUMBER, 1),
            )
        else:
            series = f"generate_series(DATE '2024-01-01', DATE '2024-12-31', INTERVAL '1 {self.rng.choice(['day', 'month'])}')"
            on = f"date_trunc('day', {self.expression(relation, 't', TIME, 0)})"
        on += f" = g.n AND {self.condition(relation, 't', min(depth, 1))}"
        join = f"FROM {series} AS g(n) LEFT JOIN {relation.name} t ON {on}"
        return f"SELECT g.n AS c0, count(*) AS c1, {self.aggregate(relation, 't', 1)} AS c2 {join} GROUP BY g.n", 3

    def windows(self, depth: int) -> tuple[str, int]:
        relation, alias = self.source()
        if relation.key is None:
            return self.grouped(depth)
        key = f"{alias}.{relation.key}"
        part = self.expression(relation, alias, TEXT, 1)
        number = self.expression(relation, alias, NUMBER, 1)
        order = f"{self.expression(relation, alias, self.rng.choice([NUMBER, TIME]), 1)}, {key}"
        functions = [
            f"row_number() OVER (ORDER BY {order})",
            f"rank() OVER (PARTITION BY {part} ORDER BY {number})",
            f"dense_rank() OVER (ORDER BY {part} DESC)",
            f"sum({number}) OVER (PARTITION BY {part})",
            f"count(*) OVER (ORDER BY {number})",
            f"lag({number}) OVER (ORDER BY {order})",
            f"lead({part}, 2) OVER (PARTITION BY {part} ORDER BY {order})",
            f"max({number}) OVER (ORDER BY {order} ROWS BETWEEN 3 PRECEDING AND CURRENT ROW)",
            f"percent_rank() OVER (ORDER BY {number})",
            f"ntile(4) OVER (ORDER BY {order})",
            f"first_value({part}) OVER (ORDER BY {order})",
            f"count(*) FILTER (WHERE {number} > 1) OVER (PARTITION BY {part})",
            f"count({number}) OVER (ORDER BY {order} ROWS BETWEEN 2 PRECEDING AND 1 FOLLOWING EXCLUDE CURRENT ROW)",
        ]
        items = [key, *self.rng.sample(functions, k=self.rng.randrange(1, 3))]
        named = ", ".join(f"{item} AS c{n}" for n, item in enumerate(items))
        sql = f"SELECT {named} {self._from(relation, alias)}{self.where(relation, alias, depth)}"
        if self.chance(0.25):
            sql += f" QUALIFY row_number() OVER (PARTITION BY {part} ORDER BY {order}) <= {self.rng.randrange(1, 4)}"
        return sql, len(items)

    def joined(self, depth: int) -> tuple[str, int]:
        left, right = self.rng.choice(BASE), self.rng.choice(BASE)
        kind = self.rng.choice([NUMBER, TEXT])
        on = f"{self.expression(left, 'l', kind, 0)} = {self.expression(right, 'r', kind, 0)}"
        if self.chance(0.4):
            on += f" AND {self.condition(right, 'r', 1)}"
        join = self.rng.choice(["JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"])
        key = self.expression(left, "l", TEXT, 1)
        values = [self.aggregate(left, "l", 1), self.aggregate(right, "r", 1)]
        where = self.where(left, "l", 0)
        items = f"{key} AS c0, {values[0]} AS c1, {values[1]} AS c2"
        return f"SELECT {items} FROM {left.name} l {join} {right.name} r ON {on}{where} GROUP BY 1", 3

    def set_operation(self, depth: int) -> tuple[str, int]:
        left, right = self.source(), self.source()
        kinds = self.rng.choices([NUMBER, TEXT], k=self.rng.randrange(1, 3))
        parts = []
        for relation, alias in (left, right):
            items = ", ".join(f"{self.expression(relation, alias, kind, 1)} AS c{n}" for n, kind in enumerate(kinds))
            parts.append(f"SELECT {items} {self._from(relation, alias)}{self.where(relation, alias, depth - 1)}")
        operator = self.rng.choice(["UNION", "UNION ALL", "EXCEPT", "INTERSECT"])
        return f" {operator} ".join(parts), len(kinds)

    def common_table(self, depth: int) -> tuple[str, int]:
        inner, width = self.select(depth - 1)
        if not self._is_named(inner):
            return inner, width
        name = self.rng.choice(["q", "orders_q", "top", "customers"])
        materialized = self.rng.choice(["", "", "MATERIALIZED "])
        column = f"c{self.rng.randrange(width)}"
        pairs = f"{name} a JOIN {name} b ON a.{column} = b.{column}"
        outer = self.rng.choice(
            [
                f"SELECT count(*) AS c0, count({column}) AS c1 FROM {name}",
                f"SELECT {column} AS c0, count(*) AS c1 FROM {name} GROUP BY 1",
                f"SELECT {column} AS c0, {column} IS NULL AS c1 FROM {name} WHERE {column} IS NOT NULL",
                f"SELECT a.{column} AS c0, count(*) AS c1 FROM {pairs} GROUP BY 1",
            ]
        )
        return f"WITH {name} AS {materialized}({inner}) {outer}", 2

    def derived(self, depth: int) -> tuple[str, int]:
        inner, width = self.select(depth - 1)
        if not self._is_named(inner):
            return inner, width
        column = f"c{self.rng.randrange(width)}"
        if self.chance(0.3):
            inner = self.tail(inner, width)
        return f"SELECT d.{column} AS c0, count(*) AS c1, max(d.{column}) AS c2 FROM ({inner}) d GROUP BY d.{column}", 3

    @staticmethod
    def _is_named(sql: str) -> bool:
        return " AS c0" in sql and not sql.startswith("WITH")
