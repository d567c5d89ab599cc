"""What lies level with the last row of a list that was cut: of two that are as long, one is not *the* longest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from msgspec import Struct

from .forms import Form, to_sql
from .plans.plan import Plan
from .plans.sql import write_sql

if TYPE_CHECKING:
    import pyarrow as pa

    from .schema.metadata import Metadata

__all__ = ["Cut", "cut_of", "level_with"]

_LONGEST = 10  # rows of a list whose end is looked at
_BEYOND = 20  # rows behind it that are asked for


class Cut(Struct, frozen=True):
    """A ranking that shows its first rows: the query for more of them, and the places of its columns."""

    sql: str
    limit: int
    ranked: int
    label: int


def cut_of(asked: Plan | Form, metadata: Metadata) -> Cut | None:
    """How the rows behind a cut are asked for; None for what is not cut, or does not show what it is ranked by."""
    return _of_plan(asked, metadata) if isinstance(asked, Plan) else _of_form(asked)


def level_with(cut: Cut, rows_of: Callable[[str], pa.Table | None]) -> list[str]:
    """The names of what is not shown and has the same number as the last row that is."""
    table = rows_of(cut.sql)
    if table is None or table.num_rows <= cut.limit:
        return []
    values, labels = table.column(cut.ranked).to_pylist(), table.column(cut.label).to_pylist()
    last, shown = values[cut.limit - 1], set(labels[: cut.limit])
    named = isinstance(last, (int, float)) or hasattr(last, "as_tuple") or cut.limit == 1
    if last is None or not named or not all(isinstance(label, str) for label in labels):
        return []
    behind = zip(values[cut.limit :], labels[cut.limit :], strict=True)
    return list(dict.fromkeys(label for value, label in behind if value == last and label not in shown))


def _of_plan(plan: Plan, metadata: Metadata) -> Cut | None:
    limit, order = plan.limit, plan.order[0] if plan.order else None
    if limit is None or limit > _LONGEST or order is None or plan.limit_per is not None or plan.nested or plan.parts:
        return None
    wider = write_sql(plan.with_(limit=limit + _BEYOND), metadata)
    places = {(column.role, column.place): at for at, column in enumerate(wider.columns)}
    ranked = places.get((order.by, order.place)) if order.by != "member" else None
    label = next(
        (at for at, column in enumerate(wider.columns) if column.role in ("dimension", "column") and at != ranked), None
    )
    return Cut(wider.sql, limit, ranked, label) if ranked is not None and label is not None else None


def _of_form(form: Form) -> Cut | None:
    limit = form.limit
    if limit is None or limit.count > _LONGEST or limit.per or limit.skip or not form.order:
        return None
    expressions = [clause.expression for clause in form.shown]
    if form.order[0].by not in expressions:
        return None
    ranked = expressions.index(form.order[0].by)
    named = {id(clause) for clause in (*form.groups, *form.columns)}
    label = next((at for at, clause in enumerate(form.shown) if id(clause) in named and at != ranked), None)
    wider = to_sql(form.with_(limit=replace(limit, count=limit.count + _BEYOND)))
    return Cut(wider, limit.count, ranked, label) if label is not None else None
