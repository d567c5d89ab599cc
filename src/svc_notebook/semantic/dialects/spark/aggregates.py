"""Aggregates, and windows over them.

Each aggregate is written once, with what stands behind it: nothing, or OVER. FILTER is a CASE around what goes in,
since every aggregate passes over NULL.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from msgspec import Struct
from sqlglot import exp

from ..walk.kinds import BOOL, FLOAT8, HUGE, INT4, INT8, NULL, TEXT, Kind, Value
from ..walk.operators import constant_of, share_of
from ..walk.ordering import ordered
from ..walk.parts import refuse_unread
from ..walk.refusal import Unsaid, not_declared
from ..walk.writer import Rule, Writer
from .conversions import as_text, float_of
from .names import type_name

__all__ = ["AGGREGATES"]


class Around(Struct, frozen=True):
    """What stands around an aggregate: a condition on its rows, and OVER behind it."""

    only: str = ""
    over: str = ""

    def of(self, sql: str) -> str:
        """What goes in, NULL where the condition does not hold."""
        return f"CASE WHEN {self.only} THEN {sql} END" if self.only else sql


Aggregate: TypeAlias = Callable[[Writer, exp.Expr, Around], Value]


def _distinct(node: exp.Expr, around: Around) -> tuple[str, exp.Expr]:
    """``DISTINCT`` if it is there, and what it is of."""
    inner = node.this
    if not isinstance(inner, exp.Distinct):
        return "", inner
    if len(inner.expressions) != 1:
        raise Unsaid("an aggregate of several distinct values")
    if around.over:
        raise Unsaid("a window over distinct values")
    return "DISTINCT ", inner.expressions[0]


def _count(w: Writer, node: exp.Expr, around: Around) -> Value:
    if isinstance(node.this, exp.Star) or node.this is None:
        return Value(f"count({around.of('1')}){around.over}", INT8)
    if node.expressions:
        raise Unsaid("count() of several values")
    word, inner = _distinct(node, around)
    return Value(f"count({word}{around.of(w.value(inner).sql)}){around.over}", INT8)


def _total(w: Writer, node: exp.Expr, around: Around) -> Value:
    word, inner = _distinct(node, around)
    value = w.value(inner)
    if value.kind == NULL:
        return Value("NULL", NULL)
    if value.kind == BOOL:
        value = Value(f"CAST({value.sql} AS INT)", INT4)
    if not value.kind.is_number:
        raise Unsaid(f"sum() of a {value.kind.duckdb}")
    x, huge = value.sql, type_name(HUGE)
    if (
        value.kind == INT8 and not word
    ):  # in two halves, neither of which overflows: sums of decimals take twice as long
        # 2^32 times the high halves and the low ones: 2^31 rows of either stay below BIGINT's end.
        high, low = (f"CAST(sum({around.of(part)}){around.over} AS {huge})" for part in _halves(x))
        return Value(f"CAST({high} * 4294967296 + {low} AS {huge})", HUGE)
    if value.kind == INT8:
        x = f"CAST({x} AS {huge})"
    text = f"sum({word}{around.of(x)}){around.over}"
    if value.kind.is_whole:
        return Value(f"CAST({text} AS {huge})", HUGE)
    return Value(text, FLOAT8 if value.kind == FLOAT8 else Kind("numeric", value.kind.scale))


def _halves(x: str) -> tuple[str, str]:
    return f"shiftright({x}, 32)", f"({x} & 4294967295)"


def _mean(w: Writer, node: exp.Expr, around: Around) -> Value:
    word, inner = _distinct(node, around)
    value = w.value(inner)
    if value.kind == NULL:
        return Value(w.null(FLOAT8), FLOAT8)
    if not value.kind.is_number:
        raise Unsaid(f"avg() of a {value.kind.duckdb}")
    return Value(f"avg({word}{around.of(float_of(value))}){around.over}", FLOAT8)


def _end(w: Writer, node: exp.Expr, around: Around) -> Value:
    """``min``, ``max``; of any value that is the same throughout, ``min`` too."""
    name = "max" if isinstance(node, exp.Max) else "min"
    inner = node.this.expressions[0] if isinstance(node.this, exp.Distinct) else node.this
    value = w.value(inner)
    if value.kind == NULL:
        return Value("NULL", NULL)
    if node.expressions:
        raise Unsaid(f"{name}() of several values")
    # Spark orders no intervals.
    if value.kind.item is not None or value.kind.name == "interval":
        raise Unsaid(f"{name}() of a {value.kind.duckdb}")
    return Value(f"{name}({around.of(value.sql)}){around.over}", value.kind)


def _ignoring(w: Writer, node: exp.Expr, around: Around) -> Value:
    """What the parser writes around any_value, which looks for a value."""
    if isinstance(node.this, (exp.AnyValue, exp.Max, exp.Min)):
        return _end(w, node.this, around)
    raise Unsaid("IGNORE NULLS")


_OF_FLOATS: Mapping[type[exp.Expr], str] = {
    exp.Stddev: "stddev_samp", exp.StddevSamp: "stddev_samp", exp.StddevPop: "stddev_pop", exp.Variance: "var_samp",
    exp.VariancePop: "var_pop", exp.CovarPop: "covar_pop", exp.CovarSamp: "covar_samp", exp.Corr: "corr",
}  # fmt: skip


def _measured(w: Writer, node: exp.Expr, around: Around) -> Value:
    name = _OF_FLOATS[type(node)]
    word, inner = _distinct(node, around)
    values = [w.value(inner)]
    if node.args.get("expression") is not None:
        values.append(w.value(node.args["expression"]))
    if any(value.kind != NULL and not value.kind.is_number for value in values):
        raise Unsaid(f"{name}() of a {values[0].kind.duckdb}")
    numbers = [around.of(w.as_kind(value, FLOAT8).sql) for value in values]
    return Value(f"{name}({word}{', '.join(numbers)}){around.over}", FLOAT8)


def _quantile(w: Writer, node: exp.Expr, around: Around) -> Value:
    """``quantile_cont(x, q)``, ``median(x)``: of numbers, between two of which they may lie."""
    word, inner = _distinct(node, around)
    if word:
        raise Unsaid("a percentile of distinct values")
    asked, down = node.args.get("expression"), ""
    if isinstance(asked, exp.Order):
        # quantile_cont(x, q ORDER BY x): the order is that of x itself, or of nothing that Spark could say.
        if [term.this for term in asked.expressions] != [inner]:
            raise Unsaid("a percentile in the order of something else")
        down, asked = " DESC" if asked.expressions[0].args.get("desc") else "", asked.this
    share = "0.5" if asked is None else share_of(w, asked)
    return _percentile(w.value(inner), share, down, isinstance(node, exp.PercentileDisc), around)


def _percentile(value: Value, share: str, order: str, discrete: bool, around: Around) -> Value:
    if value.kind == NULL:
        return Value("NULL", NULL)
    # percentile_disc of Spark goes through doubles, which hold whole numbers up to 2^53.
    if not value.kind.is_number or (discrete and value.kind in (HUGE, INT8)):
        raise Unsaid(f"a {'percentile' if discrete else 'median'} of a {value.kind.duckdb}")
    if around.over:
        raise Unsaid("a median in a window")
    name, kind = ("percentile_disc", value.kind) if discrete else ("percentile_cont", FLOAT8)
    text = f"{name}({share}) WITHIN GROUP (ORDER BY {around.of(float_of(value))}{order})"
    return Value(text if kind == FLOAT8 else f"CAST({text} AS {type_name(kind)})", kind)


def _within(w: Writer, node: exp.Expr, around: Around) -> Value:
    inner, order = node.this, node.args["expression"]
    if not isinstance(inner, (exp.PercentileCont, exp.PercentileDisc)) or len(order.expressions) != 1:
        raise not_declared(node)
    term = order.expressions[0]
    descending = isinstance(term, exp.Ordered) and term.args.get("desc")
    value = w.value(term.this if isinstance(term, exp.Ordered) else term)
    discrete = isinstance(inner, exp.PercentileDisc)
    return _percentile(value, share_of(w, inner.this), " DESC" if descending else "", discrete, around)


def _either(w: Writer, node: exp.Expr, around: Around) -> Value:
    value = w.as_kind(w.value(node.this), BOOL)
    if value.kind != BOOL:
        raise Unsaid(f"bool_or() of a {value.kind.duckdb}")
    name = "bool_or" if isinstance(node, exp.LogicalOr) else "bool_and"
    return Value(f"{name}({around.of(value.sql)}){around.over}", BOOL)


def _bits(w: Writer, node: exp.Expr, around: Around) -> Value:
    value = w.value(node.this)
    if value.kind not in (INT4, INT8):
        raise not_declared(node)
    name = "bit_and" if isinstance(node, exp.BitwiseAndAgg) else "bit_or"
    return Value(f"{name}({around.of(value.sql)}){around.over}", value.kind)


def _different(w: Writer, node: exp.Expr, around: Around) -> Value:
    """Counted exactly, as its values are asked for."""
    if around.over:
        raise Unsaid("a window over distinct values")
    return Value(f"count(DISTINCT {around.of(w.value(node.this).sql)})", INT8)


def _listed(w: Writer, node: exp.Expr, around: Around) -> Value:
    inner, order, word = node.this, "", ""
    if isinstance(inner, exp.Order):
        order, inner = f" WITHIN GROUP (ORDER BY {ordered(w, inner.expressions)})", inner.this
    if isinstance(inner, exp.Distinct):
        word, inner = "DISTINCT ", inner.expressions[0]
    if around.over:
        raise Unsaid("a list of texts in a window")
    text = around.of(as_text(w, w.value(inner)).sql)
    between = node.args.get("separator")
    separator = w.value(between).sql if between is not None else "','"
    # Spark's DISTINCT comes in any order.
    if word and not order:
        order = f" WITHIN GROUP (ORDER BY {text})"
    return Value(f"string_agg({word}{text}, {separator}){order}", TEXT)


def _grouping(w: Writer, node: exp.Expr, around: Around) -> Value:
    keys = w.all(node.expressions)
    if any(key.kind == NULL for key in keys):
        raise Unsaid("GROUPING() of NULL")
    last = len(keys) - 1
    # Spark's grouping() takes one key.
    bits = [f"CAST(grouping({key.sql}) AS BIGINT) * {2 ** (last - i)}" for i, key in enumerate(keys)]
    return Value(f"({' + '.join(bits)})", INT8)


# --- windows -------------------------------------------------------------------------------------------------------

_RANKS: Mapping[type[exp.Expr], tuple[str, Kind]] = {
    exp.RowNumber: ("row_number", INT8), exp.Rank: ("rank", INT8), exp.DenseRank: ("dense_rank", INT8),
    exp.PercentRank: ("percent_rank", FLOAT8), exp.CumeDist: ("cume_dist", FLOAT8),
}  # fmt: skip


def _rank(w: Writer, node: exp.Expr, around: Around) -> Value:
    name, kind = _RANKS[type(node)]
    return Value(f"CAST({name}(){around.over} AS {type_name(kind)})", kind)


def _ntile(w: Writer, node: exp.Expr, around: Around) -> Value:
    return Value(f"CAST(ntile({_whole(w, node.this)}){around.over} AS BIGINT)", INT8)


def _whole(w: Writer, node: exp.Expr) -> int:
    count = constant_of(w.value(node))
    if not isinstance(count, int) or isinstance(count, bool):
        raise Unsaid("a window by a number of rows that is no constant")
    return count


def _shifted(w: Writer, node: exp.Expr, around: Around) -> Value:
    name = "lag" if isinstance(node, exp.Lag) else "lead"
    values, default = [w.value(node.this)], node.args.get("default")
    if default is not None:
        values.append(w.value(default))
    values, kind = w.together(values)
    if kind == NULL:
        return Value("NULL", NULL)
    offset = node.args.get("offset")
    places = str(_whole(w, offset)) if offset is not None else "1"
    return Value(f"{name}({', '.join([values[0].sql, places, *(v.sql for v in values[1:])])}){around.over}", kind)


_NTHS: Mapping[type[exp.Expr], str] = {
    exp.FirstValue: "first_value", exp.LastValue: "last_value", exp.NthValue: "nth_value",
}  # fmt: skip


def _nth(w: Writer, node: exp.Expr, around: Around) -> Value:
    value = w.value(node.this)
    if value.kind == NULL:
        return value
    place = f", {_whole(w, node.args['offset'])}" if isinstance(node, exp.NthValue) else ""
    return Value(f"{_NTHS[type(node)]}({value.sql}{place}){around.over}", value.kind)


_ALONE: Mapping[type[exp.Expr], Aggregate] = {
    exp.Count: _count,
    exp.Sum: _total,
    exp.Avg: _mean,
    exp.Min: _end,
    exp.Max: _end,
    exp.AnyValue: _end,
    exp.IgnoreNulls: _ignoring,
    **dict.fromkeys(_OF_FLOATS, _measured),
    exp.Median: _quantile,
    exp.PercentileCont: _quantile,
    exp.PercentileDisc: _quantile,
    exp.WithinGroup: _within,
    exp.LogicalOr: _either,
    exp.LogicalAnd: _either,
    exp.BitwiseAndAgg: _bits,
    exp.BitwiseOrAgg: _bits,
    exp.ApproxDistinct: _different,
    exp.GroupConcat: _listed,
    exp.Grouping: _grouping,
}
_IN_ORDER: Mapping[type[exp.Expr], Aggregate] = {
    **dict.fromkeys(_RANKS, _rank),
    exp.Ntile: _ntile,
    exp.Lag: _shifted,
    exp.Lead: _shifted,
    **dict.fromkeys(_NTHS, _nth),
}


def _alone(w: Writer, node: exp.Expr) -> Value:
    return _ALONE[type(node)](w, node, Around())


def _filtered(w: Writer, node: exp.Filter) -> Value:
    return _of(w, node.this, Around(only=_condition(w, node)))


def _condition(w: Writer, node: exp.Filter) -> str:
    condition = w.value(node.expression.this)
    if condition.kind not in (BOOL, NULL):
        raise Unsaid(f"a {condition.kind.duckdb} as a condition")
    return condition.sql if condition.kind == BOOL else w.null(BOOL)


def _of(w: Writer, node: exp.Expr, around: Around) -> Value:
    rule = _ALONE.get(type(node)) or (_IN_ORDER.get(type(node)) if around.over else None)
    if rule is None:
        raise not_declared(node)
    refuse_unread(node)
    return rule(w, node, around)


def _window(w: Writer, node: exp.Window) -> Value:
    inner, only = node.this, ""
    if isinstance(inner, exp.Filter):
        refuse_unread(inner)
        inner, only = inner.this, _condition(w, inner)
    return _of(w, inner, Around(only, f" OVER ({_over(w, node, type(inner) in _IN_ORDER)})"))


def _over(w: Writer, node: exp.Window, in_order: bool) -> str:
    """What stands between the parentheses of OVER; what goes by an order has one, if only that of nothing."""
    if node.args.get("alias") is not None:
        raise Unsaid("a named window", "write it where it is used")
    parts = []
    if node.args.get("partition_by"):
        keys = [w.null() if key.kind == NULL else key.sql for key in w.all(node.args["partition_by"])]
        parts.append("PARTITION BY " + ", ".join(keys))
    if node.args.get("order") is not None:
        parts.append("ORDER BY " + ordered(w, node.args["order"].expressions))
    # Spark refuses row_number() and its like without an ORDER BY.
    elif in_order:
        parts.append("ORDER BY NULL")
    spec = node.args.get("spec")
    if spec is not None and not (in_order and node.args.get("order") is None):
        parts.append(_frame(w, spec))
    return " ".join(parts)


def _frame(w: Writer, spec: exp.WindowSpec) -> str:
    refuse_unread(spec)
    kind = str(spec.args["kind"]).upper()
    if kind not in ("ROWS", "RANGE") or spec.args.get("exclude"):
        raise Unsaid(f"a window by {kind}" if kind not in ("ROWS", "RANGE") else "a window with EXCLUDE")

    def side(name: str) -> str:
        bound, direction = spec.args.get(name), str(spec.args.get(f"{name}_side") or "").upper()
        if isinstance(bound, str):
            return f"{bound} {direction}".strip().upper()
        if kind == "RANGE" or not isinstance(bound, exp.Expr):
            raise Unsaid("a window by a range of values", "write ROWS")
        return f"{_whole(w, bound)} {direction}"

    return f"{kind} BETWEEN {side('start')} AND {side('end') if spec.args.get('end') is not None else 'CURRENT ROW'}"


AGGREGATES: Mapping[type[exp.Expr], Rule] = {
    **dict.fromkeys(_ALONE, _alone),
    exp.Filter: _filtered,
    exp.Window: _window,
}
