"""Function calls: those of the table, and the few with a grammar of their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sqlglot import exp

from ..errors import InvalidQuery, NotAllowed
from . import types
from .aggregate_calls import is_aggregate, is_measure
from .functions import (
    AGGREGATES,
    ANONYMOUS,
    ANONYMOUS_AGGREGATES,
    FUNCTIONS,
    WINDOW_ONLY,
    Function,
)  # fmt: skip
from .names import nearest
from .refusals import check_args, refuse
from .text_calls import TEXT_CALLS
from .time_calls import TIME_CALLS, date_trunc_gapfill
from .values import Bound
from .windows import window

if TYPE_CHECKING:
    from .expressions import Binder

__all__ = ["call"]


def call(b: Binder, node: exp.Expr) -> Bound:
    """A call that is no rule of the binder's own."""
    special = _SPECIAL.get(type(node))
    if special is not None:
        return special(b, node)
    if is_measure(node):
        raise InvalidQuery("MEASURE(…) stands in SELECT, HAVING or ORDER BY of a query on one cube or view.")
    if is_aggregate(node):
        return b.scope.aggregate(b, node)
    if isinstance(node, exp.Anonymous):
        if node.name.lower() == "date_trunc_gapfill":
            return date_trunc_gapfill(b, node)
        function = ANONYMOUS.get(node.name.lower())
        if function is not None:
            return _plain(b, node, function, node.expressions)
        raise _unknown(node.name)
    if type(node) in FUNCTIONS:
        function = FUNCTIONS[type(node)]
        check_args(node, (*function.args, *function.ignored))
        args = [node.args[name] for name in function.args if node.args.get(name) is not None]
        return _plain(b, node, function, args)
    if type(node) in WINDOW_ONLY:
        raise InvalidQuery(f"{WINDOW_ONLY[type(node)][0]} needs OVER (…).")
    if isinstance(node, exp.Func):
        raise _unknown(node.sql_name())
    raise refuse(node)


def _unknown(name: str) -> NotAllowed:
    known = [
        *ANONYMOUS,
        *ANONYMOUS_AGGREGATES,
        *(k.sql_name() for k in (*FUNCTIONS, *AGGREGATES) if issubclass(k, exp.Func)),
    ]
    close = tuple(n.lower() for n in nearest(name, known, 1)) if len(name) < 40 else ()
    hint = f" Did you mean {close[0]}()?" if close else ""
    return NotAllowed(f"The function '{name.lower()[:40]}' is not available.{hint}", suggestions=close)


def _plain(b: Binder, node: exp.Expr, function: Function, args: list[exp.Expr]) -> Bound:
    if isinstance(node, exp.Round) and len(args) == 1:
        function = _ROUND
    wanted = function.template.count("{1}") + function.template.count("{2}") + 1
    name = function.template.partition("(")[0].lower()
    if len(args) != wanted:
        raise InvalidQuery(f"{name} takes {wanted} argument{'s' if wanted > 1 else ''}, not {len(args)}.")
    bound = [b.bind(a) for a in args]
    for i in function.constants:
        if not bound[i].is_literal:
            raise InvalidQuery(f"{name} wants a constant as its argument {i + 1}.")
    if function.takes:
        bound = [
            types.expect(b, v, function.takes[i] if i < len(function.takes) else "", name) for i, v in enumerate(bound)
        ]
    if function.raises:
        b.risky(*bound)
    text = function.template.format(*(v.sql for v in bound))
    return Bound.of(f"({text})" if text.startswith("CASE") else text, function.kind, *bound)


_ROUND = Function("round({0})", "number", takes=("number",))


# --- functions with a grammar of their own ------------------------------------------------------------------------


def _coalesce(b: Binder, node: exp.Expr) -> Bound:
    check_args(node, ("this", "expressions", "ignore_nulls", "is_nvl", "is_null"))
    name = {"Coalesce": "COALESCE", "Greatest": "GREATEST", "Least": "LEAST"}[type(node).__name__]
    values = types.unified(b, b.all([node.this, *node.expressions]), name)
    return Bound.of(f"{name}({', '.join(v.sql for v in values)})", types.common(values), *values)


def _nullif(b: Binder, node: exp.Nullif) -> Bound:
    check_args(node, ("this", "expression"))
    left, right = types.comparable(b, b.bind(node.this), b.bind(node.args["expression"]))
    return Bound.of(f"NULLIF({left.sql}, {right.sql})", left.kind, left, right, growth=left.growth)


def _log(b: Binder, node: exp.Log) -> Bound:
    check_args(node, ("this", "expression"))
    value, base = node.this, None
    if node.args.get("expression") is not None:
        base, value = types.expect(b, b.bind(node.this), "number", "log"), node.args["expression"]
    number = types.expect(b, b.bind(value), "number", "log")
    positive = f"CASE WHEN {number.sql} > 0 THEN "
    if base is None or base.sql == "10":
        return Bound.of(f"({positive}log10({number.sql}) END)", "number", number)
    guard = f"CASE WHEN {number.sql} > 0 AND {base.sql} > 0 AND {base.sql} <> 1 THEN "
    return Bound.of(f"({guard}ln({number.sql}) / ln({base.sql}) END)", "number", number, base)


def _grouping(b: Binder, node: exp.Grouping) -> Bound:
    check_args(node, ("expressions",))
    if not b.scope.plain_aggregates:
        raise InvalidQuery("GROUPING(…) names columns of a GROUP BY with ROLLUP, CUBE or GROUPING SETS.")
    bound = b.all(node.expressions)
    return Bound.of(f"GROUPING({', '.join(k.sql for k in bound)})", "number", *bound)


_SPECIAL: dict[type[exp.Expr], Callable[..., Bound]] = {
    **TIME_CALLS,
    **TEXT_CALLS,
    exp.Coalesce: _coalesce,
    exp.Greatest: _coalesce,
    exp.Least: _coalesce,
    exp.Nullif: _nullif,
    exp.Log: _log,
    exp.Grouping: _grouping,
    exp.Window: window,
}
