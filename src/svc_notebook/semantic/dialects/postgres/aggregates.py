"""Aggregates and window functions."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from ..walk.kinds import BOOL, FLOAT8, HUGE, INT4, INT8, NULL, TEXT, Kind, Value
from ..walk.operators import share_of
from ..walk.ordering import ordered
from ..walk.parts import refuse_unread
from ..walk.refusal import Unsaid, not_declared
from ..walk.writer import Rule, Writer
from .conversions import as_kind, as_text, compared_bytewise, float_of

__all__ = ["AGGREGATES"]


def _distinct(node: exp.Expr) -> tuple[str, exp.Expr]:
    """``DISTINCT`` if it is there, and what it is of."""
    inner = node.this
    if not isinstance(inner, exp.Distinct):
        return "", inner
    if len(inner.expressions) != 1:
        raise Unsaid("an aggregate of several distinct values")
    return "DISTINCT ", inner.expressions[0]


def _count(w: Writer, node: exp.Count) -> Value:
    if isinstance(node.this, exp.Star) or node.this is None:
        return Value("count(*)", INT8)
    if node.expressions:
        raise Unsaid("count() of several values")
    word, inner = _distinct(node)
    return Value(f"count({word}{w.value(inner).sql})", INT8)


def _total(w: Writer, node: exp.Sum) -> Value:
    word, inner = _distinct(node)
    value = w.value(inner)
    if value.kind == NULL:
        return Value("NULL", NULL)
    if value.kind == BOOL:
        value = Value(f"CAST({value.sql} AS integer)", INT4)
    if not value.kind.is_number:
        raise Unsaid(f"sum() of a {value.kind.duckdb}")
    text = f"sum({word}{value.sql})"
    if value.kind.is_whole:
        # PostgreSQL's sum of integers is bigint, DuckDB's HUGEINT.
        return Value(f"CAST({text} AS numeric)", HUGE)
    return Value(text, FLOAT8 if value.kind == FLOAT8 else Kind("numeric", value.kind.scale))


def _mean(w: Writer, node: exp.Avg) -> Value:
    word, inner = _distinct(node)
    value = w.value(inner)
    if value.kind == NULL:
        return Value("CAST(NULL AS double precision)", FLOAT8)
    if not value.kind.is_number:
        raise Unsaid(f"avg() of a {value.kind.duckdb}")
    # PostgreSQL's avg of integers is numeric, DuckDB's DOUBLE.
    return Value(f"CAST(avg({word}{value.sql}) AS double precision)", FLOAT8)


def _end(w: Writer, node: exp.Expr) -> Value:
    """``min``, ``max``; of any value that is the same throughout, ``min`` too."""
    name = "max" if isinstance(node, exp.Max) else "min"
    value = w.value(_distinct(node)[1])
    if value.kind == NULL:
        return Value("NULL", NULL)
    if node.expressions:
        raise Unsaid(f"{name}() of several values")
    # PostgreSQL has no min() and max() of booleans.
    if value.kind == BOOL:
        return Value(f"bool_{'or' if name == 'max' else 'and'}({value.sql})", BOOL)
    return Value(f"{name}({value.sql})", value.kind)


def _ignoring(w: Writer, node: exp.IgnoreNulls) -> Value:
    """What the parser writes around any_value, which looks for a value."""
    if isinstance(node.this, (exp.AnyValue, exp.Max, exp.Min)):
        return w.value(node.this)
    raise Unsaid("IGNORE NULLS", "PostgreSQL has no such windows")


_OF_FLOATS: Mapping[type[exp.Expr], str] = {
    exp.Stddev: "stddev_samp", exp.StddevSamp: "stddev_samp", exp.StddevPop: "stddev_pop", exp.Variance: "var_samp",
    exp.VariancePop: "var_pop", exp.CovarPop: "covar_pop", exp.CovarSamp: "covar_samp", exp.Corr: "corr",
    exp.RegrSlope: "regr_slope", exp.RegrIntercept: "regr_intercept", exp.RegrR2: "regr_r2",
}  # fmt: skip


def _measured(w: Writer, node: exp.Expr) -> Value:
    name = _OF_FLOATS[type(node)]
    word, inner = _distinct(node)
    values = [w.value(inner)]
    if node.args.get("expression") is not None:
        values.append(w.value(node.args["expression"]))
    if any(value.kind != NULL and not value.kind.is_number for value in values):
        raise Unsaid(f"{name}() of a {values[0].kind.duckdb}")
    numbers = [float_of(as_kind(w, value, FLOAT8)) for value in values]
    text = f"{name}({word}{', '.join(numbers)})"
    if name in ("corr", "regr_slope"):  # no number, where PostgreSQL has none: rows there are, but all alike
        text = f"(CASE WHEN regr_count({', '.join(numbers)}) > 0 THEN COALESCE({text}, 'NaN') END)"
        if isinstance(node.parent, (exp.Filter, exp.Window)):
            raise Unsaid(f"{name}() with FILTER or OVER", "filter in a subquery")
    return Value(text, FLOAT8)


def _quantile(w: Writer, node: exp.Expr) -> Value:
    """``quantile_cont(x, q)``, ``median(x)``: of numbers, between two of which they may lie."""
    word, inner = _distinct(node)
    value = w.value(inner)
    # WITHIN GROUP takes no DISTINCT.
    if word:
        raise Unsaid("a percentile of distinct values")
    return _percentile(w, value, "0.5" if isinstance(node, exp.Median) else share_of(w, node.expression), "", node)


def _percentile(w: Writer, value: Value, share: str, order: str, node: exp.Expr) -> Value:
    discrete = isinstance(node, exp.PercentileDisc)
    if value.kind == NULL:
        return Value("NULL", NULL)
    if not discrete and not value.kind.is_number:
        raise Unsaid(f"a median of a {value.kind.duckdb}")
    text = value.sql if discrete else float_of(value)
    name = "percentile_disc" if discrete else "percentile_cont"
    return Value(f"{name}({share}) WITHIN GROUP (ORDER BY {text}{order})", value.kind if discrete else FLOAT8)


def _within(w: Writer, node: exp.WithinGroup) -> Value:
    inner, order = node.this, node.expression
    if not isinstance(inner, (exp.PercentileCont, exp.PercentileDisc)) or len(order.expressions) != 1:
        raise not_declared(node)
    term = order.expressions[0]
    descending = isinstance(term, exp.Ordered) and term.args.get("desc")
    value = w.value(term.this if isinstance(term, exp.Ordered) else term)
    return _percentile(w, value, share_of(w, inner.this), " DESC" if descending else "", inner)


def _either(w: Writer, node: exp.Expr) -> Value:
    value = as_kind(w, w.value(node.this), BOOL)
    if value.kind != BOOL:
        raise Unsaid(f"bool_or() of a {value.kind.duckdb}")
    return Value(f"{'bool_or' if isinstance(node, exp.LogicalOr) else 'bool_and'}({value.sql})", BOOL)


def _bits(w: Writer, node: exp.Expr) -> Value:
    value = w.value(node.this)
    if value.kind not in (INT4, INT8):
        raise not_declared(node)
    return Value(f"{'bit_and' if isinstance(node, exp.BitwiseAndAgg) else 'bit_or'}({value.sql})", value.kind)


def _different(w: Writer, node: exp.ApproxDistinct) -> Value:
    """Counted exactly: there is no estimate of it here."""
    return Value(f"count(DISTINCT {w.value(node.this).sql})", INT8)


def _listed(w: Writer, node: exp.GroupConcat) -> Value:
    inner, order, word = node.this, "", ""
    if isinstance(inner, exp.Order):
        order, inner = f" ORDER BY {ordered(w, inner.expressions)}", inner.this
    if isinstance(inner, exp.Distinct):
        word, inner = "DISTINCT ", inner.expressions[0]
    between = node.args.get("separator")
    text = as_text(w, w.value(inner)).sql
    # DuckDB's default; PostgreSQL wants the argument.
    separator = w.value(between).sql if between is not None else "','"
    return Value(compared_bytewise(w, f"string_agg({word}{text}, {separator}{order})"), TEXT)


def _filtered(w: Writer, node: exp.Filter) -> Value:
    value, condition = w.value(node.this), w.value(node.expression.this)
    if value.kind == NULL:
        return value
    if condition.kind not in (BOOL, NULL):
        raise Unsaid(f"a {condition.kind.duckdb} as a condition")
    test = condition.sql if condition.kind == BOOL else "CAST(NULL AS boolean)"
    opening, closing = _wrapping(value.sql)
    return Value(f"{opening} FILTER (WHERE {test}){closing}", value.kind)


def _wrapping(sql: str) -> tuple[str, str]:
    """A text up to the end of its aggregate, and what casts or collates the result."""
    if sql.startswith("CAST(") and not sql.startswith("CAST(NULL"):
        head, _, kind = sql.rpartition(" AS ")
        return head, f" AS {kind}"
    if sql.startswith("(") and sql.endswith(' COLLATE "C")'):
        return sql[: -len(' COLLATE "C")')], ' COLLATE "C")'
    return sql, ""


# --- windows -------------------------------------------------------------------------------------------------------

_RANKS: Mapping[type[exp.Expr], tuple[str, Kind]] = {
    exp.RowNumber: ("row_number", INT8), exp.Rank: ("rank", INT8), exp.DenseRank: ("dense_rank", INT8),
    exp.PercentRank: ("percent_rank", FLOAT8), exp.CumeDist: ("cume_dist", FLOAT8),
}  # fmt: skip


def _rank(w: Writer, node: exp.Expr) -> Value:
    name, kind = _RANKS[type(node)]
    return Value(f"{name}()", kind)


def _ntile(w: Writer, node: exp.Ntile) -> Value:
    # ntile() takes and gives int4; DuckDB's is BIGINT.
    return Value(f"CAST(ntile(CAST({w.value(node.this).sql} AS integer)) AS bigint)", INT8)


def _shifted(w: Writer, node: exp.Expr) -> Value:
    name = "lag" if isinstance(node, exp.Lag) else "lead"
    values, default = [w.value(node.this)], node.args.get("default")
    if default is not None:
        values.append(w.value(default))
    values, kind = w.together(values)
    offset = node.args.get("offset")
    texts = [values[0].sql]
    if kind == NULL:
        return Value("NULL", NULL)
    if offset is not None or default is not None:
        # lag() takes its offset as int4 alone, and its default third.
        texts.append(f"CAST({w.value(offset).sql if offset is not None else 1} AS integer)")
    return Value(f"{name}({', '.join([*texts, *(value.sql for value in values[1:])])})", kind)


_NTHS: Mapping[type[exp.Expr], str] = {
    exp.FirstValue: "first_value", exp.LastValue: "last_value", exp.NthValue: "nth_value",
}  # fmt: skip


def _nth(w: Writer, node: exp.Expr) -> Value:
    name = _NTHS[type(node)]
    value = w.value(node.this)
    if value.kind == NULL:
        return value
    place = f", CAST({w.value(node.args['offset']).sql} AS integer)" if isinstance(node, exp.NthValue) else ""
    return Value(f"{name}({value.sql}{place})", value.kind)


def _window(w: Writer, node: exp.Window) -> Value:
    value = w.value(node.this)
    if value.kind == NULL:
        return value
    if node.find(exp.WithinGroup) or isinstance(node.this.find(exp.Distinct), exp.Distinct):
        raise Unsaid("a window over distinct or ordered values")
    opening, closing = _wrapping(value.sql)
    # PostgreSQL has no OVER behind WITHIN GROUP.
    if "WITHIN GROUP" in opening:
        raise Unsaid("a median in a window")
    return Value(f"{opening} OVER ({window_of(w, node)}){closing}", value.kind)


def window_of(w: Writer, node: exp.Window) -> str:
    """What stands between the parentheses of OVER."""
    parts = []
    if node.args.get("alias") is not None:
        raise Unsaid("a named window", "write it where it is used")
    if node.args.get("partition_by"):
        parts.append("PARTITION BY " + ", ".join(_constantless(value) for value in w.all(node.args["partition_by"])))
    if node.args.get("order") is not None:
        parts.append("ORDER BY " + ordered(w, node.args["order"].expressions))
    spec = node.args.get("spec")
    if spec is not None:
        parts.append(_frame(w, spec))
    return " ".join(parts)


def _constantless(value: Value) -> str:
    return "CAST(NULL AS text)" if value.kind == NULL else value.sql


def _frame(w: Writer, spec: exp.WindowSpec) -> str:
    refuse_unread(spec)

    def side(name: str) -> str:
        bound, direction = spec.args.get(name), spec.args.get(f"{name}_side") or ""
        if isinstance(bound, str):
            return f"{bound} {direction}".strip()
        if not isinstance(bound, exp.Expr):
            raise not_declared(spec)
        return f"{w.value(bound).sql} {direction}"

    exclude = f" EXCLUDE {spec.args['exclude']}" if spec.args.get("exclude") else ""
    start, end = side("start"), side("end") if spec.args.get("end") is not None else "CURRENT ROW"
    return f"{str(spec.args['kind']).upper()} BETWEEN {start} AND {end}{exclude}".replace("preceding", "PRECEDING")


def _grouping(w: Writer, node: exp.Grouping) -> Value:
    keys = w.all(node.expressions)
    if any(key.kind == NULL for key in keys):
        raise Unsaid("GROUPING() of NULL")
    return Value(f"CAST(GROUPING({', '.join(key.sql for key in keys)}) AS bigint)", INT8)


AGGREGATES: Mapping[type[exp.Expr], Rule] = {
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
    exp.Filter: _filtered,
    **dict.fromkeys(_RANKS, _rank),
    exp.Ntile: _ntile,
    exp.Lag: _shifted,
    exp.Lead: _shifted,
    exp.FirstValue: _nth,
    exp.LastValue: _nth,
    exp.NthValue: _nth,
    exp.Window: _window,
    exp.Grouping: _grouping,
}
