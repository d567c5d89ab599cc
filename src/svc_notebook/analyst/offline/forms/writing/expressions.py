"""Expressions of a form as SQL."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from sqlglot import exp

from ..expressions import (
    Aggregate,
    Arithmetic,
    Bin,
    Call,
    Case,
    Cast,
    Difference,
    Expression,
    Member,
    Moved,
    Now,
    Output,
    Over,
    Part,
    Ratio,
    Scalar,
    Sort,
    Test,
    Truncated,
    Value,
)  # fmt: skip
from .scope import CannotWrite, Scope

__all__ = ["AGGREGATE_CALLS", "PART_NAMES", "SECONDS", "TYPE_NAMES", "literal", "ordered", "write_expression"]

PART_NAMES = {"weekday": "dow", "isoweekday": "isodow", "yearday": "doy"}
SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400, "week": 604800}
TYPE_NAMES = {
    "string": "TEXT", "number": "DOUBLE PRECISION", "integer": "BIGINT", "date": "DATE", "timestamp": "TIMESTAMP",
    "boolean": "BOOLEAN",
}  # fmt: skip
AGGREGATE_CALLS: dict[str, type[exp.Expr]] = {
    "sum": exp.Sum, "avg": exp.Avg, "min": exp.Min, "max": exp.Max, "median": exp.Median, "mode": exp.Mode,
    "stddev": exp.Stddev, "variance": exp.Variance, "count": exp.Count,
}  # fmt: skip
_WINDOW_CALLS = {
    "rank": exp.Rank, "dense_rank": exp.DenseRank, "row_number": exp.RowNumber, "ntile": exp.Ntile,
    "previous": exp.Lag, "next": exp.Lead, "first": exp.FirstValue, "last": exp.LastValue,
}  # fmt: skip
_BINARY: dict[str, type[exp.Expr]] = {
    "+": exp.Add, "-": exp.Sub, "*": exp.Mul, "//": exp.IntDiv, "%": exp.Mod,
}  # fmt: skip


def write_expression(of: Expression, scope: Scope) -> exp.Expr:
    """An expression as SQL in the SELECT of ``scope``."""
    return _WRITERS[type(of)](of, scope)


def literal(value: Any) -> exp.Expr:
    """A constant; dates and moments as typed literals."""
    if value is None:
        return exp.Null()
    if isinstance(value, bool):
        return exp.Boolean(this=value)
    if isinstance(value, dt.datetime):
        return _typed(value.isoformat(" "), "TIMESTAMP")
    if isinstance(value, dt.date):
        return _typed(value.isoformat(), "DATE")
    if isinstance(value, str):
        return exp.Literal.string(value)
    number = exp.Literal.number(f"{Decimal(repr(abs(value))):f}")
    return exp.Neg(this=number) if value < 0 else number


def ordered(sort: Sort, scope: Scope) -> exp.Ordered:
    """A term of ORDER BY, missing values last."""
    return exp.Ordered(this=write_expression(sort.by, scope), desc=sort.descending, nulls_first=False)


def _typed(text: str, type_name: str) -> exp.Expr:
    return exp.Cast(this=exp.Literal.string(text), to=exp.DataType.build(type_name))


def _operand(of: Expression, scope: Scope) -> exp.Expr:
    """An expression where it stands beside an operator."""
    written = write_expression(of, scope)
    return exp.Paren(this=written) if isinstance(written, (exp.Binary, exp.Neg)) else written


def _aggregate(of: Aggregate, scope: Scope) -> exp.Expr:
    from .conditions import write_condition

    if of.function == "measure":
        call: exp.Expr = exp.Anonymous(this="MEASURE", expressions=[_argument(of, scope)])
    elif of.function == "rows":
        call = exp.Count(this=exp.Star())
    elif of.function == "count_distinct":
        call = exp.Count(this=exp.Distinct(expressions=[_argument(of, scope)]))
    elif of.function == "quantile":
        at = exp.Literal.number(of.at if of.at is not None else 0.5)
        call = exp.Anonymous(this="QUANTILE_CONT", expressions=[_argument(of, scope), at])
    elif of.function == "correlation":
        if of.other is None:
            raise CannotWrite("A correlation wants two numbers.")
        call = exp.Corr(this=_argument(of, scope), expression=write_expression(of.other, scope))
    else:
        call = AGGREGATE_CALLS[of.function](this=_argument(of, scope))
    if of.where is None:
        return call
    return exp.Filter(this=call, expression=exp.Where(this=write_condition(of.where, scope)))


def _argument(of: Aggregate, scope: Scope) -> exp.Expr:
    if of.of is None:
        raise CannotWrite(f"'{of.function}' wants something to aggregate.")
    return write_expression(of.of, scope)


def _arithmetic(of: Arithmetic, scope: Scope) -> exp.Expr:
    if of.operator == "//":
        return exp.Anonymous(this="DIV", expressions=[write_expression(p, scope) for p in (of.left, of.right)])
    return _BINARY[of.operator](this=_operand(of.left, scope), expression=_operand(of.right, scope))


def _ratio(of: Ratio, scope: Scope) -> exp.Expr:
    above, below = _operand(of.above, scope), _divisor(of.below, scope)
    if of.percent:
        above = exp.Mul(this=exp.Literal.number("100.0"), expression=above)
    return exp.Div(this=above, expression=below)


def _divisor(of: Expression, scope: Scope) -> exp.Expr:
    if isinstance(of, Value) and of.value:
        return literal(of.value)
    return exp.Nullif(this=write_expression(of, scope), expression=exp.Literal.number(0))


def _difference(of: Difference, scope: Scope) -> exp.Expr:
    start, end = write_expression(of.start, scope), write_expression(of.end, scope)
    if not of.exact:
        return exp.Anonymous(this="DATE_DIFF", expressions=[exp.Literal.string(of.unit), start, end])
    span = exp.Paren(this=exp.Sub(this=_operand(of.end, scope), expression=_operand(of.start, scope)))
    seconds = exp.Extract(this=exp.Var(this="EPOCH"), expression=span)
    if of.unit == "second":
        return seconds
    if of.unit not in SECONDS:
        raise CannotWrite(f"A {of.unit} has no exact length.")
    return exp.Div(this=seconds, expression=exp.Literal.number(f"{SECONDS[of.unit]}.0"))


def _moved(of: Moved, scope: Scope) -> exp.Expr:
    kind = exp.Add if of.amount >= 0 else exp.Sub
    interval = exp.Interval(this=exp.Literal.string(str(abs(of.amount))), unit=exp.Var(this=of.unit.upper()))
    return kind(this=_operand(of.of, scope), expression=interval)


def _truncated(of: Truncated, scope: Scope) -> exp.Expr:
    return exp.Anonymous(this="DATE_TRUNC", expressions=[exp.Literal.string(of.grain), write_expression(of.of, scope)])


def _part(of: Part, scope: Scope) -> exp.Expr:
    part = PART_NAMES.get(of.part, of.part).upper()
    return exp.Extract(this=exp.Var(this=part), expression=write_expression(of.of, scope))


def _bin(of: Bin, scope: Scope) -> exp.Expr:
    width = literal(of.width)
    return exp.Mul(this=exp.Floor(this=exp.Div(this=_operand(of.of, scope), expression=width)), expression=width.copy())


def _case(of: Case, scope: Scope) -> exp.Expr:
    from .conditions import write_condition

    ifs = [exp.If(this=write_condition(c, scope), true=write_expression(v, scope)) for c, v in of.branches]
    return exp.Case(ifs=ifs, default=None if of.otherwise is None else write_expression(of.otherwise, scope))


def _test(of: Test, scope: Scope) -> exp.Expr:
    from .conditions import write_condition

    return exp.Paren(this=write_condition(of.condition, scope))


def _call(of: Call, scope: Scope) -> exp.Expr:
    arguments = [write_expression(a, scope) for a in of.arguments]
    return exp.Anonymous(this=of.name.upper(), expressions=arguments)


def _cast(of: Cast, scope: Scope) -> exp.Expr:
    return exp.Cast(this=write_expression(of.of, scope), to=exp.DataType.build(TYPE_NAMES[of.type], dialect="postgres"))


def _over(of: Over, scope: Scope) -> exp.Expr:
    if of.function == "share":
        if of.of is None:
            raise CannotWrite("A share wants a number.")
        total = write_expression(Over("sum", of.of, of.within), scope)
        return exp.Div(this=_operand(of.of, scope), expression=exp.Nullif(this=total, expression=exp.Literal.number(0)))
    spec = _frame(of) if of.function in ("sum", "avg", "min", "max", "count") and of.count is not None else None
    order = exp.Order(expressions=[ordered(s, scope) for s in of.order]) if of.order else None
    within = [write_expression(e, scope) for e in of.within]
    return exp.Window(this=_window_call(of, scope), partition_by=within, order=order, spec=spec, over="OVER")


def _frame(of: Over) -> exp.Expr:
    return exp.WindowSpec(
        kind="ROWS", start=exp.Literal.number((of.count or 1) - 1), start_side="PRECEDING", end="CURRENT ROW"
    )


def _window_call(of: Over, scope: Scope) -> exp.Expr:
    if of.function in _WINDOW_CALLS:
        call = _WINDOW_CALLS[of.function]
        if of.function == "ntile":
            return call(this=exp.Literal.number(of.count or 4))
        if of.of is None:
            return call()
        offset = {"offset": exp.Literal.number(of.count)} if of.count and of.function in ("previous", "next") else {}
        return call(this=write_expression(of.of, scope), **offset)
    if of.of is None:
        return exp.Count(this=exp.Star())
    return AGGREGATE_CALLS[of.function](this=write_expression(of.of, scope))


def _scalar(of: Scalar, scope: Scope) -> exp.Expr:
    from .query import write_query

    return exp.Subquery(this=write_query(of.form))


_WRITERS: dict[type, Callable[[Any, Scope], exp.Expr]] = {
    Member: lambda of, scope: scope.column(of),
    Output: lambda of, scope: scope.output(of),
    Value: lambda of, _: literal(of.value),
    Now: lambda of, _: exp.CurrentTimestamp() if of.moment else exp.CurrentDate(),
    Aggregate: _aggregate,
    Arithmetic: _arithmetic,
    Ratio: _ratio,
    Difference: _difference,
    Moved: _moved,
    Truncated: _truncated,
    Part: _part,
    Bin: _bin,
    Case: _case,
    Test: _test,
    Call: _call,
    Cast: _cast,
    Over: _over,
    Scalar: _scalar,
}
