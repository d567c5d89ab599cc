"""Rows sorted by a group whose values have an order of their own: Monday before Friday, small before large."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import sqlglot
from sqlglot import exp

from ..forms import Expression, Form, Member
from ..forms.names import column_names
from ..forms.partings import PARTINGS, parting_of
from ..forms.walking import has_aggregate
from ..schema.literals import literal, quote
from ..schema.metadata import Metadata
from ..schema.scales import order_of
from .plan import Plan
from .statement import Statement

__all__ = ["counted_off", "form_in_order", "plan_in_order"]

_ORDER = " ORDER BY "
Scales = Sequence[tuple[str, tuple[str, ...] | None]]
"""The columns of a result: the name of each, and of groups the values where these have an order of their own."""


def plan_in_order(plan: Plan, statement: Statement, metadata: Metadata) -> str:
    """The statement of a plan as it is asked: sorted by such a column in its own order, and not by the alphabet."""
    scales = [(column.name, _of_column(plan, column.role, column.place, metadata)) for column in statement.columns]
    return statement.sql if plan.shape == "distinct" else _in_order(statement.sql, scales)


def form_in_order(form: Form, sql: str, metadata: Metadata) -> str:
    """The same for the SQL of a form."""
    names = column_names(form.shown)
    scales = [(name, _of_clause(clause.expression, metadata)) for clause, name in zip(form.shown, names, strict=True)]
    return _in_order(sql, scales)


def _of_column(plan: Plan, role: str, place: int, metadata: Metadata) -> tuple[str, ...] | None:
    if role == "column":
        return order_of(plan.columns[place], metadata)
    if role != "dimension":
        return None
    dimension = plan.dimensions[place]
    if dimension.grain in PARTINGS:
        return PARTINGS[dimension.grain].in_order
    return () if dimension.grain or dimension.bin else order_of(dimension.member, metadata)


def _of_clause(of: Expression, metadata: Metadata) -> tuple[str, ...] | None:
    if isinstance(of, Member):
        return order_of(of.path, metadata)
    parted = parting_of(of)
    if parted is not None:
        return PARTINGS[parted[0]].in_order
    return None if has_aggregate(of) else ()


def _in_order(sql: str, scales: Scales) -> str:
    if not any(values for _, values in scales) or _ORDER not in sql:
        return sql
    tree = sqlglot.parse_one(sql, read="duckdb")
    order = tree.args.get("order")
    if not isinstance(tree, exp.Select) or order is None or tree.args.get("distinct"):
        return sql
    before, _, after = sql.rpartition(_ORDER)
    _, limited, limit = after.partition(" LIMIT ")
    return f"{before}{_ORDER}{', '.join(_terms(order.expressions, scales, tree))}{limited}{limit}"


def _terms(order: Sequence[exp.Expr], scales: Scales, tree: exp.Select) -> Iterator[str]:
    """The terms of ORDER BY; behind a number they only part what is level, and stay as they are."""
    ranked = False
    for term in order:
        place = _place(term.this, [name for name, _ in scales], tree)
        values = scales[place][1] if place is not None else None
        ranked = ranked or values is None
        if place is None or not values or ranked:
            yield term.sql(dialect="duckdb")
        else:
            yield _counted_off(term, values, tree.expressions[place].unalias(), scales[place][0])


def _counted_off(term: exp.Expr, values: Sequence[str], shown: exp.Expr, name: str) -> str:
    # By what it is where that is short: another column may be called so as well.
    of = shown.sql(dialect="duckdb") if isinstance(shown, exp.Column) else quote(name)
    return f"{counted_off(of, values)}{term.sql(dialect='duckdb').removeprefix(term.this.sql(dialect='duckdb'))}"


def counted_off(of: str, values: Sequence[str]) -> str:
    """The place that a value has among those that are given, as SQL to sort by."""
    steps = " ".join(f"WHEN {literal(value)} THEN {step}" for step, value in enumerate(values, 1))
    return f"CASE {of} {steps} END"


def _place(of: exp.Expr, names: Sequence[str], tree: exp.Select) -> int | None:
    """Which column of the result a term names: by its number, its name, or by what it shows."""
    if isinstance(of, exp.Literal) and not of.is_string:
        return int(of.name) - 1
    if isinstance(of, exp.Column) and not of.table and of.name in names:
        return names.index(of.name)
    shown = [part.unalias() for part in tree.expressions]
    return shown.index(of) if of in shown else None
