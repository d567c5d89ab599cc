"""The answer to a question, worked out row by row from the declared relationships: no SQL, none of our code.

Join: from the root along the tree, every cube the question needs, LEFT JOIN, null keys match nothing. Group the joined
rows. A measure of a cube aggregates the distinct rows (by primary key) of that cube that a group holds: whatever a join
multiplies is counted once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from .questions import Condition, Grouping, Metric, Question
from .stars import Star, Table

Row = dict[str, Any]
Joined = dict[str, int | None]  # table name → row number, None where the join found nothing


def answer(
    star: Star, question: Question, allowed: Callable[[Table, Row], bool] = lambda table, row: True
) -> list[tuple[Any, ...]]:
    """The rows of the answer, ordered by the groupings (nulls first), over the rows that are ``allowed``."""
    groups: dict[tuple[Any, ...], list[Joined]] = {}
    if not question.groupings:
        groups[()] = []
    for joined in join(star, question, allowed):
        if all(_holds(condition, joined) is True for condition in question.conditions):
            key = tuple(_value(item, joined, ZoneInfo(question.timezone)) for item in question.groupings)
            groups.setdefault(key, []).append(joined)
    rows = []
    every = [joined for members in groups.values() for joined in members]
    for key, members in groups.items():
        values = [measure(item, every if item.name == "total" else members) for item in question.metrics]
        if question.having is None or _compare(values[question.having[0]], *question.having[1:]) is True:
            rows.append((*key, *values))
    width = len(question.groupings)
    rows.sort(key=lambda row: [(value is not None, value if value is not None else 0) for value in row[:width]])
    return rows[: question.limit] if question.limit is not None else rows


def join(star: Star, question: Question, allowed: Callable[[Table, Row], bool]) -> Iterator[Joined]:
    needed = needed_by(star, question)
    root = needed[0]
    found: list[Joined] = [{root.name: number} for number, row in enumerate(root.rows) if allowed(root, row)]
    for table in needed[1:]:
        index: dict[tuple[Any, ...], list[int]] = {}
        for number, row in enumerate(table.rows):
            if allowed(table, row):
                index.setdefault(tuple(row[own] for _, own in table.pairs), []).append(number)
        assert table.parent is not None
        wider: list[Joined] = []
        for joined in found:
            at = joined[table.parent.name]
            key = None if at is None else tuple(table.parent.rows[at][column] for column, _ in table.pairs)
            matches = index.get(key, []) if key is not None and None not in key else []
            wider += [{**joined, table.name: match} for match in matches] or [{**joined, table.name: None}]
        found = wider
    return iter(found)


def needed_by(star: Star, question: Question) -> list[Table]:
    """The cubes to join. A view starts at its root; a query over cubes at the first cube it names."""
    named = question.tables()
    closure = {step.name for table in named for step in table.path()}
    return [table for table in star.tables if table.name in closure]


def measure(item: Metric, members: list[Joined]) -> Any:
    table, name = item.table, item.name
    if name == "cross" and table.ratio_with is not None:
        top, count = measure(Metric(table.ratio_with, "sum_n"), members), measure(Metric(table, "count"), members)
        return None if top is None or not count else top / count
    if name == "true_share":
        count = measure(Metric(table, "count"), members)
        return measure(Metric(table, "true_count"), members) / count if count else None
    name, near = "sum_n" if name == "total" else name, table.near
    if name == "mixed" and near is not None:
        return measure(Metric(table, "count"), members) - measure(Metric(near, "count"), members)
    if name == "near_product" and near is not None:
        # Once for each row of the cube whose rows tell the other's apart.
        finer = near if near.relationship == "one_to_many" else table
        pairs = {joined[finer.name]: (joined[table.name], joined[near.name]) for joined in members}
        found = [
            table.rows[one]["n"] * near.rows[other]["n"]
            for number, (one, other) in pairs.items()
            if number is not None and one is not None and other is not None
            and table.rows[one]["n"] is not None and near.rows[other]["n"] is not None
        ]  # fmt: skip
        return sum(found) if found else None
    if name in ("near_count", "near_sum") and near is not None:
        column, wanted = ("n", lambda value: value > 2) if name == "near_count" else ("b", bool)
        members = [joined for joined in members if (value := _cell(near, column, joined)) is not None and wanted(value)]
        name = "count" if name == "near_count" else "sum_n"
    numbers = {joined[table.name] for joined in members} - {None}
    rows = [table.rows[number] for number in numbers if number is not None]
    if name == "count":
        return len(rows)
    if name == "true_count":
        return sum(row["b"] is True for row in rows)
    if name == "words":
        return len({row["s"] for row in rows} - {None})
    if name == "late_sum":
        rows = [row for row in rows if row["n"] is not None and row["n"] > 2 and row["s"] not in (None, "a")]
    if name == "written":
        return sum(100 if row["n"] is None else row["n"] for row in rows) + len(rows) / 2 if rows else None
    if name == "filled_sum":
        return sum(100 if row["n"] is None else row["n"] for row in rows) if rows else None
    column = "n" if name in ("sum_n", "min_n", "late_sum") else "d"
    values = [row[column] for row in rows if row[column] is not None]
    if not values:
        return None
    if name == "avg_d":
        return sum(values) / len(values)
    return {"min_n": min, "max_d": max}.get(name, sum)(values)


def _cell(table: Table, column: str, joined: Joined) -> Any:
    number = joined[table.name]
    return None if number is None else table.rows[number][column]


def _value(item: Grouping, joined: Joined, zone: ZoneInfo) -> Any:
    value = _cell(item.table, item.column, joined)
    if isinstance(value, datetime):
        value = value.replace(tzinfo=UTC).astimezone(zone).replace(tzinfo=None)
    return truncate(value, item.grain) if item.grain and value is not None else value


def truncate(moment: datetime, grain: str) -> datetime:
    """The start of the year, quarter, month, ISO week, day or hour."""
    day = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    if grain == "hour":
        return moment.replace(minute=0, second=0, microsecond=0)
    if grain == "week":
        return day - timedelta(days=day.weekday())
    if grain == "month":
        return day.replace(day=1)
    if grain == "quarter":
        return day.replace(day=1, month=day.month - (day.month - 1) % 3)
    return day.replace(day=1, month=1) if grain == "year" else day


def _holds(item: Condition, joined: Joined) -> bool | None:
    if item.operator == "segment":
        return _compare(_cell(item.table, "n", joined), ">=", 4)
    value = _cell(item.table, item.column, joined)
    if item.operator == "null":
        return value is None
    if item.operator == "not null":
        return value is not None
    if item.operator == "or" and item.other:
        one, other = _compare(value, "=", item.value), _holds(item.other, joined)
        return True if one is True or other is True else None if one is None or other is None else False
    if item.operator == "in" and isinstance(item.value, tuple):
        return None if value is None else value in item.value
    return _compare(value, item.operator, item.value)


def _compare(value: Any, operator: str, other: Any) -> bool | None:
    if value is None:
        return None
    return bool(
        {
            "=": value == other,
            "<>": value != other,
            "<": operator == "<" and value < other,
            ">": operator == ">" and value > other,
            ">=": operator == ">=" and value >= other,
        }[operator]
    )
