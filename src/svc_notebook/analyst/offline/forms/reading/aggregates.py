"""Aggregates and window functions in SQL as expressions, conditional ones by what they count."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from sqlglot import exp

from ..conditions import And, Condition
from ..expressions import ROWS, Aggregate, Case, Cast, Expression, Over, Ratio, Sort, Test, Value
from ..vocabulary import AggregateName, WindowName
from .names import NoForm
from .scope import Scope

__all__ = ["AGGREGATES", "filtered", "read_aggregate", "read_window"]

Read = Callable[[exp.Expr, Scope], Expression]
AGGREGATES: dict[type[exp.Expr], AggregateName] = {
    exp.Count: "count", exp.Sum: "sum", exp.Avg: "avg", exp.Min: "min", exp.Max: "max", exp.Median: "median",
    exp.Mode: "mode", exp.Stddev: "stddev", exp.StddevSamp: "stddev", exp.Variance: "variance", exp.AnyValue: "min",
    exp.Quantile: "quantile", exp.PercentileCont: "quantile", exp.Corr: "correlation", exp.CountIf: "rows",
    exp.First: "min",
}  # fmt: skip
_RANKS: dict[type[exp.Expr], WindowName] = {
    exp.Rank: "rank", exp.DenseRank: "dense_rank", exp.RowNumber: "row_number", exp.Ntile: "ntile",
    exp.Lag: "previous", exp.Lead: "next", exp.FirstValue: "first", exp.LastValue: "last",
}  # fmt: skip
_WINDOWS: dict[str, WindowName] = {
    "sum": "sum", "avg": "avg", "min": "min", "max": "max", "count": "count", "rows": "count",
}  # fmt: skip


def read_aggregate(node: exp.Expr, scope: Scope, read: Read) -> Expression:
    """An aggregate function; ``SUM(CASE WHEN c THEN 1 ELSE 0 END)`` counts the rows that meet ``c``."""
    name = AGGREGATES[type(node)]
    argument = node.this
    if isinstance(node, exp.CountIf):
        return filtered(ROWS, _condition(argument, scope))
    if name == "count":
        return _count(argument, scope, read)
    if name == "quantile":
        at = node.args.get("quantile") or node.args.get("expression") or node.this
        return Aggregate("quantile", read(argument, scope), at=_number(at))
    if name == "correlation":
        return Aggregate("correlation", read(argument, scope), other=read(node.args["expression"], scope))
    if isinstance(argument, exp.Distinct):
        if name in ("min", "max"):
            return Aggregate(name, read(argument.expressions[0], scope))
        raise NoForm(f"{name} of distinct values is no aggregate of a form.")
    return conditional(name, read(argument, scope))


def _number(node: exp.Expr) -> float:
    try:
        return float(node.name)
    except ValueError:
        raise NoForm("A quantile wants a number from 0 to 1.") from None


def _condition(node: exp.Expr, scope: Scope) -> Condition:
    from .conditions import read_condition

    return read_condition(node, scope)


def _count(argument: exp.Expr, scope: Scope, read: Read) -> Expression:
    if isinstance(argument, exp.Distinct):
        if len(argument.expressions) != 1:
            raise NoForm("Distinct combinations of several columns are counted by a form over a form.")
        return conditional("count_distinct", read(argument.expressions[0], scope))
    if isinstance(argument, exp.Star):
        return ROWS
    inner = read(argument, scope)
    return ROWS if isinstance(inner, Value) and inner.value is not None else conditional("count", inner)


def conditional(name: AggregateName, of: Expression) -> Expression:
    """An aggregate of a CASE with one branch as an aggregate of the rows it is about."""
    if isinstance(of, Cast) and isinstance(of.of, Test) and of.type in ("integer", "number"):
        of = Case(((of.of.condition, Value(1)),), Value(0))
    if not isinstance(of, Case) or len(of.branches) != 1:
        return Aggregate(name, of)
    condition, value = of.branches[0]
    constant = value.value if isinstance(value, Value) else None
    zero = isinstance(of.otherwise, Value) and of.otherwise.value == 0
    missing = of.otherwise is None or of.otherwise == Value(None)
    if constant is not None and not isinstance(constant, str):
        if name == "sum" and (zero or missing) and constant == 1:
            return Aggregate("rows", where=condition)
        if name == "avg" and zero and constant in (1, 100):
            return Ratio(Aggregate("rows", where=condition), ROWS, percent=constant == 100)
    if not missing:
        return Aggregate(name, of)
    if name == "count" and constant is not None:
        return Aggregate("rows", where=condition)
    return Aggregate(name, value, condition)


def filtered(of: Expression, condition: Condition) -> Expression:
    """An aggregate with FILTER."""
    if not isinstance(of, Aggregate):
        raise NoForm("FILTER follows one aggregate.")
    return replace(of, where=condition if of.where is None else And((of.where, condition)))


def read_window(node: exp.Window, scope: Scope, read: Read) -> Expression:
    """A window function."""
    within = tuple(read(n, scope) for n in node.args.get("partition_by") or [])
    order = node.args.get("order")
    sorts = tuple(Sort(read(o.this, scope), bool(o.args.get("desc"))) for o in order.expressions) if order else ()
    function, of, count = _called(node.this, scope, read)
    spec = node.args.get("spec")
    if spec is not None:
        count = _frame(spec)
    return Over(function, of, within, sorts, count)


def _called(call: exp.Expr, scope: Scope, read: Read) -> tuple[WindowName, Expression | None, int | None]:
    if type(call) in _RANKS:
        name = _RANKS[type(call)]
        if name == "ntile":
            return name, None, int(call.this.name)
        offset: Any = call.args.get("offset")
        count = int(offset.name) if offset is not None and offset.name != "1" else None
        return name, read(call.this, scope) if call.this is not None else None, count
    inner = read(call, scope)
    if isinstance(inner, Aggregate) and inner.where is None and inner.function in _WINDOWS:
        return _WINDOWS[inner.function], inner.of, None
    raise NoForm("This window function is none a form knows.")


def _frame(spec: exp.Expr) -> int | None:
    start, end = spec.args.get("start"), spec.args.get("end")
    ends_here = end is None or str(getattr(end, "name", end)).upper() == "CURRENT ROW"
    unbounded = str(getattr(start, "name", start)).upper() == "UNBOUNDED"
    if spec.args.get("start_side") == "PRECEDING" and ends_here:
        if unbounded:
            return None
        if str(spec.args.get("kind")).upper() == "ROWS" and isinstance(start, exp.Literal):
            return int(start.name) + 1
    raise NoForm("This frame of a window is none a form knows.")
