"""Function calls: those of the table, and the few with a grammar of their own."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from ...dialects import duckdb as say
from ...dialects.nodes import among, sql
from ...errors import InvalidQuery, NotAllowed
from ..names import misspelt
from ..refusals import check_args, instead_of, refuse
from ..values import Bound
from . import types
from .aggregate_calls import is_aggregate, is_measure
from .binding import Binder
from .json_calls import JSON_CALLS, NAMED_JSON_CALLS
from .list_calls import LIST_CALLS, NAMED_LIST_CALLS
from .patterns import PATTERN_CALLS
from .text_calls import TEXT_CALLS
from .time_calls import NAMED_TIME_CALLS, TIME_CALLS
from .windows import window

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
        name = node.name.lower()
        # Functions that sqlglot has no class for, but that are bound with a grammar of their own.
        named = NAMED_TIME_CALLS.get(name) or NAMED_JSON_CALLS.get(name) or NAMED_LIST_CALLS.get(name)
        if named is not None:
            return named(b, node)
        function = say.ANONYMOUS.get(node.name.lower())
        if function is not None:
            return _plain(b, node, function, node.expressions)
        raise _unknown(node.name)
    if type(node) in say.FUNCTIONS:
        function = say.FUNCTIONS[type(node)]
        check_args(node, (*function.args, *function.ignored))
        args = [node.args[name] for name in function.args if node.args.get(name) is not None]
        return _plain(b, node, function, args)
    if type(node) in say.WINDOW_ONLY:
        raise InvalidQuery(f"{say.WINDOW_ONLY[type(node)][0]} needs OVER (…).")
    if isinstance(node, exp.Func):
        raise _unknown(node.sql_name())
    raise refuse(node)


def _unknown(name: str) -> NotAllowed:
    if (refusal := instead_of(name)) is not None:
        return refusal
    known = [
        *say.ANONYMOUS,
        *say.ANONYMOUS_AGGREGATES,
        *(k.sql_name() for k in (*say.FUNCTIONS, *say.AGGREGATES) if issubclass(k, exp.Func)),
    ]
    # Distances grow with the product of the lengths, and no function has so long a name.
    close = tuple(n.lower() for n in misspelt(name, known)) if len(name) < 40 else ()
    hint = f" Did you mean {close[0]}()?" if close else ""
    return NotAllowed(f"The function '{name.lower()[:40]}' is not available.{hint}", suggestions=close)


def _plain(b: Binder, node: exp.Expr, function: say.Function, args: list[exp.Expr]) -> Bound:
    # The parser makes one class of both forms; the usual template has a hole for the digits.
    if isinstance(node, (exp.Round, exp.Trunc)) and len(args) == 1:
        function = say.ROUND if isinstance(node, exp.Round) else say.TRUNC
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
    # abs(-128) overflows as TINYINT.
    texts = [types.wide(v) if v.narrow and isinstance(node, exp.Abs) else v.sql for v in bound]
    form = f"({function.template})" if function.template.startswith("CASE") else function.template
    return Bound.of(sql(form, *texts), function.kind, *bound)


# --- functions with a grammar of their own ------------------------------------------------------------------------


def _coalesce(b: Binder, node: exp.Expr) -> Bound:
    check_args(node, ("this", "expressions", "ignore_nulls", "is_nvl", "is_null"))
    name = {"Coalesce": "COALESCE", "Greatest": "GREATEST", "Least": "LEAST"}[type(node).__name__]
    values = types.unified(b, b.all([node.this, *node.expressions]), name)
    return Bound.of(among(name + "({})", [v.sql for v in values]), types.common(values), *values)


def _nullif(b: Binder, node: exp.Nullif) -> Bound:
    check_args(node, ("this", "expression"))
    left, right = types.comparable(b, b.bind(node.this), b.bind(node.args["expression"]))
    return Bound.of(sql("NULLIF({}, {})", left.sql, right.sql), left.kind, left, right, growth=left.growth)


def _log(b: Binder, node: exp.Log) -> Bound:
    check_args(node, ("this", "expression"))
    value, base = node.this, None
    if node.args.get("expression") is not None:
        base, value = types.expect(b, b.bind(node.this), "number", "log"), node.args["expression"]
    number = types.expect(b, b.bind(value), "number", "log")
    # log10(1000) is 3; ln(1000) / ln(10) is 2.9999999999999996.
    if base is None or base.sql == "10":
        return Bound.of(say.log10(number.sql), "number", number)
    return Bound.of(say.log(number.sql, base.sql), "number", number, base)


def _pi(b: Binder, node: exp.Expr) -> Bound:
    check_args(node, ())
    return Bound(say.PI, "number")


def _width_bucket(b: Binder, node: exp.WidthBucket) -> Bound:
    """``width_bucket(x, low, high, n)`` with constant bounds: 0 below, n + 1 above."""
    check_args(node, ("this", "min_value", "max_value", "num_buckets"))
    given = (node.args.get(name) for name in ("min_value", "max_value", "num_buckets"))
    bounds = [each for each in given if isinstance(each, exp.Expr)]
    if len(bounds) < 3:
        raise InvalidQuery("Write width_bucket(x, low, high, number_of_buckets).")
    value = types.expect(b, b.bind(node.this), "number", "width_bucket")
    # Constants: the width of a bucket is computed here, where bad bounds can be refused in words.
    low, high, count = b.all(bounds)
    known = all(v.is_literal and v.kind == "number" for v in (low, high, count))
    if not known or not low.literal < high.literal or not isinstance(count.literal, int) or count.literal < 1:
        raise InvalidQuery("width_bucket takes constant bounds, the lower first, and a number of buckets.")
    size = (float(high.literal) - float(low.literal)) / count.literal
    b.risky(value)
    return Bound.of(say.width_bucket(value.sql, low.sql, high.sql, size, count.literal), "number", value)


def _decode(b: Binder, node: exp.DecodeCase) -> Bound:
    """``decode(x, a, 1, b, 2, 0)``: CASE, in which NULL equals NULL."""
    check_args(node, ("expressions",))
    subject, *rest = node.expressions
    pairs = zip(rest[::2], rest[1::2], strict=False)
    # Oracle's DECODE takes NULL for equal to NULL, which CASE x WHEN does not.
    ifs = [exp.If(this=exp.NullSafeEQ(this=subject, expression=one), true=value) for one, value in pairs]
    if not ifs:
        raise InvalidQuery("Write decode(value, search, result, …, default).")
    return b.bind(exp.Case(ifs=ifs, default=rest[-1] if len(rest) % 2 else None))


def _grouping(b: Binder, node: exp.Grouping) -> Bound:
    check_args(node, ("expressions",))
    if not b.scope.plain_aggregates:
        raise InvalidQuery("GROUPING(…) names columns of a GROUP BY with ROLLUP, CUBE or GROUPING SETS.")
    bound = b.all(node.expressions)
    return Bound.of(among("GROUPING({})", [k.sql for k in bound]), "number", *bound)


_SPECIAL: dict[type[exp.Expr], Callable[..., Bound]] = {
    **TIME_CALLS,
    **TEXT_CALLS,
    **PATTERN_CALLS,
    **JSON_CALLS,
    **LIST_CALLS,
    exp.Pi: _pi,
    exp.WidthBucket: _width_bucket,
    exp.DecodeCase: _decode,
    exp.Coalesce: _coalesce,
    exp.Greatest: _coalesce,
    exp.Least: _coalesce,
    exp.Nullif: _nullif,
    exp.Log: _log,
    exp.Grouping: _grouping,
    exp.Window: window,
}
