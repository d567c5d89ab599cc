"""Random questions to a generated model: dimensions, measures, filters, segments, having, granularities."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from .stars import WORDS, Star, Table

GRAINS = ("year", "quarter", "month", "week", "day", "hour")
PLAIN = {
    "sum_n": "SUM({})", "sum_d": "SUM({})", "avg_d": "AVG({})", "min_n": "MIN({})", "max_d": "MAX({})",
    "count": "COUNT({})", "words": "COUNT(DISTINCT {})", "late_sum": "SUM({})", "true_count": "COUNT({})",
    "filled_sum": "SUM({})",
}  # fmt: skip


@dataclass(frozen=True)
class Grouping:
    table: Table
    column: str
    grain: str = ""


@dataclass(frozen=True)
class Metric:
    table: Table
    name: str
    plain: bool = False


@dataclass(frozen=True)
class Condition:
    """``column operator value``; operators: ``= <> < >=`` and ``in``, ``null``, ``not null``, ``or``, ``segment``."""

    table: Table
    column: str
    operator: str
    value: object = None
    other: Condition | None = None


@dataclass(frozen=True)
class Question:
    groupings: tuple[Grouping, ...]
    metrics: tuple[Metric, ...]
    conditions: tuple[Condition, ...]
    having: tuple[int, str, float] | None  # metric index, operator, number
    limit: int | None
    over_view: bool
    timezone: str = "UTC"

    def tables(self) -> list[Table]:
        """Every cube the question names."""
        found: list[Table] = [item.table for item in (*self.groupings, *self.metrics)]
        for metric in self.metrics:
            found += reads(metric)
        for condition in self.conditions:
            found.append(condition.table)
            if condition.other:
                found.append(condition.other.table)
        return found

    def sql(self, star: Star) -> str:
        items = [self._grouping(item) for item in self.groupings] + [self._metric(item) for item in self.metrics]
        source = "v" if self.over_view else self._cubes(star)
        sql = "SELECT " + ", ".join(f"{item} AS c{n}" for n, item in enumerate(items)) + f" FROM {source}"
        if self.conditions:
            sql += " WHERE " + " AND ".join(self._condition(item) for item in self.conditions)
        ordinals = [str(n + 1) for n in range(len(self.groupings))]
        if ordinals:
            sql += " GROUP BY " + ", ".join(ordinals)
        if self.having:
            index, operator, number = self.having
            sql += f" HAVING {self._metric(self.metrics[index])} {operator} {number}"
        if self.limit is not None:
            sql += " ORDER BY " + ", ".join(f"{n} ASC NULLS FIRST" for n in ordinals) + f" LIMIT {self.limit}"
        return sql

    def json(self, star: Star) -> dict[str, Any] | None:
        """The same as a JSON query; None where the format cannot say it, or says something else by it."""
        if len({(item.table.name, item.column) for item in self.groupings}) < len(self.groupings):
            return None
        if len({(item.table.name, item.name) for item in self.metrics}) < len(self.metrics) or any(
            "<>" in (item.operator, item.other and item.other.operator) for item in self.conditions
        ):
            return None  # "notEquals" keeps rows without a value
        members = [
            self._named(item.table, item.column) + (f".{item.grain}" if item.grain else "") for item in self.groupings
        ]
        filters = [found for item in self.conditions if (found := self._filter(item))]
        if self.having:
            index, operator, number = self.having
            metric = self.metrics[index]
            filters.append(_filter(self._named(metric.table, metric.name), operator, [number]))
        segments = [item for item in self.conditions if item.operator == "segment"]
        return {
            "dimensions": members,
            "measures": [self._named(item.table, item.name) for item in self.metrics],
            "filters": filters,
            "segments": [self._named(item.table, item.column) for item in segments],
            "timezone": self.timezone,
            "order": [[name, "asc"] for name in members],
        }

    def _named(self, table: Table, name: str) -> str:
        return self._member(table, name)

    def _filter(self, item: Condition) -> dict[str, Any] | None:
        name = self._named(item.table, item.column)
        if item.operator == "segment":
            return None
        if item.operator == "or" and item.other:
            return {"or": [_filter(name, "=", [item.value]), self._filter(item.other)]}
        values = list(item.value) if isinstance(item.value, tuple) else [item.value]
        return _filter(name, item.operator, values)

    def _cubes(self, star: Star) -> str:
        needed: list[Table] = []
        for table in self.tables():
            needed += [step for step in table.path() if step not in needed]
        needed.sort(key=star.tables.index)
        return " CROSS JOIN ".join(table.name for table in needed)

    def _member(self, table: Table, name: str) -> str:
        if not self.over_view:
            return f"{table.name}.{name}"
        return f"v.{name}" if table.parent is None else f"v.{table.name}_{name}"

    def _grouping(self, item: Grouping) -> str:
        member = self._member(item.table, item.column)
        return f"DATE_TRUNC('{item.grain}', {member})" if item.grain else member

    def _metric(self, item: Metric) -> str:
        member = self._member(item.table, item.name)
        return PLAIN[item.name].format(member) if item.plain else f"MEASURE({member})"

    def _condition(self, item: Condition) -> str:
        member = self._member(item.table, item.column)
        if item.operator == "segment":
            return f"{member} IS TRUE"
        if item.operator == "or" and item.other:
            return f"({member} = {_literal(item.value)} OR {self._condition(item.other)})"
        if item.operator in ("null", "not null"):
            return f"{member} IS {item.operator.upper()}"
        if item.operator == "in" and isinstance(item.value, tuple):
            return f"{member} IN ({', '.join(map(_literal, item.value))})"
        return f"{member} {item.operator} {_literal(item.value)}"


def _filter(name: str, operator: str, values: list[object]) -> dict[str, Any]:
    words = {"=": "equals", "in": "equals", "<": "lt", ">": "gt", ">=": "gte", "null": "notSet", "not null": "set"}
    needed = (
        {} if operator.endswith("null") else {"values": [str(v).lower() if isinstance(v, bool) else v for v in values]}
    )
    return {"member": name, "operator": words[operator], **needed}


def reads(metric: Metric) -> list[Table]:
    """The other cubes a measure reads."""
    if metric.name == "cross" and metric.table.ratio_with:
        return [metric.table.ratio_with]
    return (
        [metric.table.near]
        if metric.name in ("near_count", "near_sum", "near_product", "mixed") and metric.table.near
        else []
    )


def _literal(value: object) -> str:
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return str(value).upper() if isinstance(value, bool) else str(value)


def make_question(star: Star, rng: random.Random) -> Question:
    """One question that the join tree of ``star`` can answer."""
    over_view = rng.random() < 0.7
    tables = star.tables
    pool = [rng.choice(tables) for _ in range(rng.choice([1, 2, 2]))] if rng.random() < 0.6 else tables
    groupings = tuple(_grouping(rng, rng.choice(pool)) for _ in range(rng.choice([0, 1, 1, 2, 3])))
    metrics = tuple(_metric(rng, rng.choice(pool)) for _ in range(rng.choice([0, 1, 1, 2, 3]) or (not groupings)))
    conditions = tuple(_condition(rng, rng.choice(pool)) for _ in range(rng.choice([0, 0, 1, 1, 2])))
    having = None
    if metrics and rng.random() < 0.25:
        having = (rng.randrange(len(metrics)), rng.choice(["<", ">", ">="]), rng.choice([0.0, 1.0, 2.5, 10.0]))
    limit = rng.choice([1, 3]) if groupings and rng.random() < 0.25 else None
    timezone = rng.choice(["UTC", "UTC", "America/New_York", "Asia/Kolkata"])
    return Question(groupings, metrics, conditions, having, limit, over_view, timezone)


def _grouping(rng: random.Random, table: Table) -> Grouping:
    column = rng.choice([name for name in table.columns if name != "d"])
    if table.extends is not None:
        column = rng.choice([*table.keys, "s", "b", "n", "t"])
    return Grouping(table, column, rng.choice(GRAINS) if table.columns[column] == "time" else "")


def _metric(rng: random.Random, table: Table) -> Metric:
    names = [*PLAIN, "true_share", "written", "total"]
    if table.near is not None:
        names += ["near_count", "near_sum", "near_product", "mixed"]
    if table.ratio_with is not None:
        names += ["cross", "cross"]
    name = rng.choice(names)
    return Metric(table, name, plain=name in PLAIN and rng.random() < 0.3)


def _condition(rng: random.Random, table: Table, *, nested: bool = False) -> Condition:
    form = rng.randrange(8)
    if form == 0 and not nested:
        return Condition(table, "s", "or", rng.choice(WORDS), _condition(rng, table, nested=True))
    if form == 1 and not nested:
        return Condition(table, "big", "segment")
    if form == 2:
        return Condition(table, rng.choice(["s", "n", "b", "t"]), rng.choice(["null", "not null"]))
    if form == 3:
        return Condition(table, "s", "in", tuple(rng.sample(WORDS, k=2)))
    if form == 4:
        return Condition(table, "s", rng.choice(["=", "<>"]), rng.choice(WORDS))
    if form == 5:
        return Condition(table, "b", "=", rng.choice([True, False]))
    return Condition(table, rng.choice(["n", "d"]), rng.choice(["<", ">=", "<>", "="]), rng.randrange(-2, 9))
