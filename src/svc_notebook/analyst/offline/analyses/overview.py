"""What is there: how many rows, over which time, the main numbers, and the most frequent values."""

from __future__ import annotations

from collections.abc import Generator
from datetime import date
from typing import TYPE_CHECKING, Any

from ...charts import ChartColumn
from ..plans.phrases import join_words, where_words
from ..plans.picture import chart_columns
from ..plans.plan import Plan
from ..plans.sql import write_sql
from ..schema.metadata import Metadata
from ..schema.nouns import is_plural, lowered, member_title, member_words
from ..telling.figures import figure, number, said
from .pieces import Found, Pieces, Shown, cells, drivers

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["overview"]

_NUMBERS = 5
_GROUPS = 4


def overview(plan: Plan, metadata: Metadata) -> Generator[list[str], list[pa.Table], Found | None]:
    """A relation, or those of its rows that meet a condition, in a few lines: at most six queries."""
    bare = Plan(plan.scope[:1], conditions=plan.conditions, alternatives=plan.alternatives)
    # A condition on another table keeps that table joined; without one it would only multiply rows.
    if any(c.member.split(".", 1)[0] != plan.scope[0] for c in plan.conditions):
        bare = Plan(plan.scope, conditions=plan.conditions, alternatives=plan.alternatives)
    pieces = Pieces(bare, metadata)
    if pieces.bridged:
        return None
    numbers = _numbers(bare, metadata)
    columns = [_column(bare, path, metadata) for path in numbers]
    times = metadata.times(bare.scope[:1])[:1]
    # One statement for all numbers: each more would be another pass over the rows.
    shown = [("COUNT(*)", "rows")]
    shown += [
        (f"{f}({pieces.column(path)})", f"{n}_{path.split('.', 1)[1]}")
        for path in times
        for f, n in (("MIN", "first"), ("MAX", "last"))
    ]
    summed = [path for path in numbers if metadata.adds_up(path)]
    shown += [
        (f"{f}({pieces.column(path)})", f"{n}_{path.split('.', 1)[1]}")
        for f, n, paths in (("AVG", "average", numbers), ("MEDIAN", "median", numbers), ("SUM", "total", summed))
        for path in paths
    ]
    groups = drivers(bare, metadata, [c.member for c in bare.conditions], most=_GROUPS)
    counted = [
        pieces.select([(pieces.column(path), "value"), ("COUNT(*)", "rows")], groups=1, order="2 DESC, 1", limit=3)
        for path in groups
    ]
    main = pieces.select(shown)
    row, *tables = yield [main, *counted]
    values = list(row.to_pylist()[0].values())
    count, rest = int(values[0] or 0), values[1:]
    # A view's title says what it is joined of; rows are called by the first.
    noun = lowered(metadata.relation(bare.scope[0]).title.split(" with ")[0])
    noun = "rows" if noun in ("data", "rows", "table") else noun
    of = where_words(bare.conditions, metadata, bare.scope, link=" where ")
    if not count:
        return Found((), (f"There are no {noun if is_plural(noun) else 'rows'}{of}.",))
    told: list[str] = [f"**{count:,}** {noun if is_plural(noun) else f'rows of {noun}'}{of}{_span(rest, times)}."]
    start = 2 * len(times)
    ends = start + len(numbers), start + 2 * len(numbers)
    averages, medians, totals = rest[start : ends[0]], rest[ends[0] : ends[1]], rest[ends[1] :]
    summed_up = dict(zip(summed, totals, strict=True))
    told += [
        f"- {member_title(path, metadata)}: {_in_total(c, summed_up.get(path))}{_middle(c, a, m)}"
        for path, c, a, m in zip(numbers, columns, averages, medians, strict=True)
        if a is not None
    ]
    for path, table in zip(groups, tables, strict=True):
        most = [
            f"{'none' if v is None else v} ({figure(n / count, 'percent')})"
            for v, n in zip(cells(table, 0), cells(table, 1), strict=True)
        ]
        if len(most) > 1:  # all rows of one airline have its code
            told.append(f"- {member_title(path, metadata)}: mostly {join_words(most)}")
    text = told[0] + ("\n\n" + "\n".join(told[1:]) + "\n\n" if told[1:] else "")
    main_shown = Shown(f"Summary of {noun}{of}", main, _heads(times, numbers, summed, metadata))
    parts = [_most_shown(path, sql, metadata) for path, sql in zip(groups, counted, strict=True)]
    first = (f"Distribution of {member_words(numbers[0], metadata)}",) if numbers else ()
    return Found((main_shown, *parts), (text.strip(),), first)


def _heads(times: list[str], numbers: list[str], summed: list[str], metadata: Metadata) -> tuple[ChartColumn, ...]:
    """What the columns of the row of statistics are called."""
    named = [(which, path) for path in times for which in ("first", "last")]
    named += [(which, path) for which in ("average", "median") for path in numbers]
    named += [("total", path) for path in summed]
    found = [
        ChartColumn(
            f"{which}_{path.split('.', 1)[1]}", "time" if path in times else "number",
            f"{which.capitalize()} {lowered(member_title(path, metadata))}", measured=True,
            format=None if path in times else metadata.member(path).format, currency=metadata.member(path).currency,
        )
        for which, path in named
    ]  # fmt: skip
    return (ChartColumn("rows", "number", "Rows", measured=True), *found)


def _most_shown(path: str, sql: str, metadata: Metadata) -> Shown:
    """The three most frequent values of a member."""
    title = member_title(path, metadata)
    heads = (ChartColumn("value", "category", title), ChartColumn("rows", "number", "Rows", measured=True))
    return Shown(f"Most frequent: {lowered(title)}", sql, heads)


def _numbers(plan: Plan, metadata: Metadata) -> list[str]:
    members = metadata.relation(plan.scope[0]).members.values()
    return [
        m.path for m in members
        if m.path in metadata.members and m.type == "number" and metadata.is_number(m.path)
        and not metadata.is_key(m.path) and not metadata.is_year(m.path) and not metadata.is_small(m.path)
        and not metadata.is_coordinate(m.path)
    ][:_NUMBERS]  # fmt: skip


def _column(plan: Plan, path: str, metadata: Metadata) -> ChartColumn:
    rows = Plan(plan.scope, shape="rows", columns=(path,))
    return chart_columns(rows, write_sql(rows, metadata), metadata)[0]


def _span(values: list[Any], times: list[str]) -> str:
    if not times or not isinstance(values[0], date) or not isinstance(values[1], date):
        return ""
    first, last = (f"{value.day} {value:%B %Y}" for value in values[:2])
    return f", from {first} to {last}" if first != last else f", all of {first}"


def _in_total(column: ChartColumn, total: Any) -> str:
    return f"{said(column, float(total))} in total, " if number(total) is not None else ""


def _middle(column: ChartColumn, average: Any, median: Any) -> str:
    if number(median) is None:
        return f"{said(column, average)} on average"
    return f"{said(column, float(average))} on average, median {said(column, float(median))}"
