"""Columns, comparisons, logic, choices, arithmetic, subqueries: what engines say alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

from sqlglot import exp

from .kinds import BOOL, DATE, FLOAT8, INT4, INT8, INTERVAL, NULL, NUMERIC, TEXT, TIMESTAMP, Kind, Span, Value
from .refusal import Unsaid, not_declared
from .types import kind_of_type
from .writer import Rule, Writer

__all__ = ["OPERATORS", "SIGNS", "Bound", "comparable", "computed", "constant_of", "equal", "share_of", "text_to_bool"]

_TRUE, _FALSE = "('true', 't', '1', 'yes', 'y')", "('false', 'f', '0', 'no', 'n')"


# Not the value itself: a text that is written in the model is read as what it stands beside, a bound one is not.
class Bound:
    """The value of a parameter: constant, and yet of its own kind."""

    def __init__(self, value: Any) -> None:
        self.value = value


def constant_of(value: Value) -> object:
    """The value of a literal or a parameter; None for anything else."""
    return value.constant.value if isinstance(value.constant, Bound) else value.constant


def share_of(w: Writer, node: exp.Expr) -> str:
    """The share that a percentile is asked at."""
    share = constant_of(w.value(node))
    if isinstance(share, (str, bool)) or share is None:
        raise Unsaid("a percentile that is no constant")
    return str(share)


def text_to_bool(value: Value, kind: Kind) -> str:
    """The truth that a text says, as DuckDB reads it; NULL for any other text."""
    return f"(CASE WHEN lower({value.sql}) IN {_TRUE} THEN TRUE WHEN lower({value.sql}) IN {_FALSE} THEN FALSE END)"


def _null(w: Writer, node: exp.Null) -> Value:
    return Value("NULL", NULL)


def _boolean(w: Writer, node: exp.Boolean) -> Value:
    return Value("TRUE" if node.this else "FALSE", BOOL)


def _column(w: Writer, node: exp.Column) -> Value:
    if isinstance(node.this, exp.Star):
        raise not_declared(node.this)
    column = w.scope.find(node.name, node.table or None)
    return Value("NULL", NULL) if column.kind == NULL else Value(column.sql, column.kind)


def _paren(w: Writer, node: exp.Paren) -> Value:
    value = w.value(node.this)
    # A CASE stands in its own parentheses already.
    return value if value.sql.startswith("(CASE ") else replace(value, sql=f"({value.sql})")


# --- comparisons ---------------------------------------------------------------------------------------------------

SIGNS: Mapping[type[exp.Expr], str] = {
    exp.EQ: "=", exp.NEQ: "<>", exp.LT: "<", exp.LTE: "<=", exp.GT: ">", exp.GTE: ">=",
    exp.NullSafeEQ: "IS NOT DISTINCT FROM", exp.NullSafeNEQ: "IS DISTINCT FROM",
}  # fmt: skip


def comparable(w: Writer, one: Value, other: Value) -> tuple[Value, Value]:
    """Two values as they are compared."""
    if NULL in (one.kind, other.kind):
        if one.kind == other.kind:
            return Value(w.null(), TEXT), Value(w.null(), TEXT)
        kind = one.kind if other.kind == NULL else other.kind
        return w.as_kind(one, kind), w.as_kind(other, kind)
    if one.kind.is_number and other.kind.is_number:
        # A decimal beside a DOUBLE: all engines here compare them as doubles.
        return one, other
    if BOOL in (one.kind, other.kind) and one.kind != other.kind:
        return _booleans_compared(w, one, other)
    if TEXT in (one.kind, other.kind) and one.kind != other.kind:
        return _text_compared(w, one, other)
    if one.kind != other.kind and {one.kind.name, other.kind.name} - {"date", "timestamp", "timestamptz"}:
        raise Unsaid(f"a comparison of a {one.kind.duckdb} with a {other.kind.duckdb}")
    return one, other


def _booleans_compared(w: Writer, one: Value, other: Value) -> tuple[Value, Value]:
    if one.kind == BOOL and other.kind.is_number:
        return Value(w.as_kind(one, INT4).sql, INT4), other
    if other.kind == BOOL and one.kind.is_number:
        return one, Value(w.as_kind(other, INT4).sql, INT4)
    return _text_compared(w, one, other)


def _text_compared(w: Writer, one: Value, other: Value) -> tuple[Value, Value]:
    """A text that is written in the model beside something else is read as that; a column is not."""
    if one.kind == TEXT and isinstance(one.constant, str):
        return w.tongue.cast(w, one, _bare(other.kind)), other
    if other.kind == TEXT and isinstance(other.constant, str):
        return one, w.tongue.cast(w, other, _bare(one.kind))
    raise Unsaid(
        f"a comparison of a {one.kind.duckdb} with a {other.kind.duckdb}", "write TRY_CAST(… AS …) around one of them"
    )


def _bare(kind: Kind) -> Kind:
    return NUMERIC if kind.name == "numeric" else kind


def _comparison(w: Writer, node: exp.Binary) -> Value:
    right = node.expression
    if isinstance(right, (exp.Any, exp.All)):
        return _quantified(w, node, right)
    if isinstance(node.this, exp.Tuple) or isinstance(right, exp.Tuple):
        raise not_declared(exp.Tuple())
    one, other = comparable(w, w.value(node.this), w.value(right))
    return Value(f"({one.sql} {SIGNS[type(node)]} {other.sql})", BOOL)


def equal(w: Writer, one: Value, other: Value) -> str:
    """``one = other``, both of one kind."""
    left, right = comparable(w, one, other)
    return f"{left.sql} = {right.sql}"


def _quantified(w: Writer, node: exp.Binary, right: exp.Expr) -> Value:
    word = "ANY" if isinstance(right, exp.Any) else "ALL"
    left, inner = w.value(node.this), right.this.unnest()
    if isinstance(inner, exp.Query):
        query = w.query(inner)
        _same_kinds(left, [kind for _, kind in query.columns])
        return Value(f"({left.sql} {SIGNS[type(node)]} {word} ({query.sql}))", BOOL)
    held = w.value(inner)
    if held.kind.item is None:
        raise Unsaid(f"{word} of a {held.kind.duckdb}")
    _same_kinds(left, [held.kind.item])
    return Value(f"({left.sql} {SIGNS[type(node)]} {word} ({held.sql}))", BOOL)


def _same_kinds(left: Value, kinds: list[Kind]) -> None:
    ok = len(kinds) == 1 and (
        left.kind == kinds[0]
        or (left.kind.is_number and kinds[0].is_number)
        or NULL in (left.kind, kinds[0])
        or {left.kind, kinds[0]} <= {DATE, TIMESTAMP}
    )
    if not ok:
        raise Unsaid(f"a {left.kind.duckdb} among {', '.join(kind.duckdb for kind in kinds)}")


def _in(w: Writer, node: exp.In) -> Value:
    value = w.value(node.this) if not isinstance(node.this, exp.Tuple) else None
    if value is None or node.args.get("unnest") is not None or node.args.get("field") is not None:
        raise Unsaid("IN of several columns", "write EXISTS (…)")
    query = node.args.get("query")
    if query is not None:
        found = w.query(query)
        if value.kind == NULL:
            value = w.as_kind(value, found.columns[0][1])
        _same_kinds(value, [kind for _, kind in found.columns])
        return Value(f"({value.sql} IN ({found.sql}))", BOOL)
    items = []
    for item in node.expressions:
        one, other = comparable(w, value, w.value(item))
        if one.sql != value.sql and value.kind != NULL:
            raise Unsaid("IN of values of several kinds")
        items.append(other.sql)
    left = value.sql if value.kind != NULL else comparable(w, value, w.value(node.expressions[0]))[0].sql
    return Value(f"({left} IN ({', '.join(items)}))", BOOL)


def _between(w: Writer, node: exp.Between) -> Value:
    value = w.value(node.this)
    if node.args.get("symmetric"):
        raise Unsaid("BETWEEN SYMMETRIC")
    low = comparable(w, value, w.value(node.args["low"]))
    high = comparable(w, value, w.value(node.args["high"]))
    # Two comparisons: each bound may bring the value to another type.
    return Value(f"({low[0].sql} >= {low[1].sql} AND {high[0].sql} <= {high[1].sql})", BOOL)


def _is(w: Writer, node: exp.Is) -> Value:
    value, right = w.value(node.this), node.expression
    if isinstance(right, exp.Null):
        return Value("TRUE" if value.kind == NULL else f"({value.sql} IS NULL)", BOOL)
    if isinstance(right, exp.Boolean) and value.kind == BOOL:
        return Value(f"({value.sql} IS {'TRUE' if right.this else 'FALSE'})", BOOL)
    raise not_declared(node)


# --- logic and choices ---------------------------------------------------------------------------------------------


def _condition(w: Writer, node: exp.Expr) -> str:
    value = w.value(node)
    if value.kind == NULL:
        return w.null(BOOL)
    if value.kind.is_number:
        return f"({value.sql} <> 0)"
    if value.kind != BOOL:
        raise Unsaid(f"a {value.kind.duckdb} as a condition")
    return value.sql


def _connector(w: Writer, node: exp.Connector) -> Value:
    word = "AND" if isinstance(node, exp.And) else "OR"
    parts: list[str] = []
    stack: list[exp.Expr] = [node]
    while stack:
        part = stack.pop()
        if type(part) is type(node):
            stack += [part.args["expression"], part.this]
        else:
            parts.append(_condition(w, part))
    return Value("(" + f" {word} ".join(parts) + ")", BOOL)


def _not(w: Writer, node: exp.Not) -> Value:
    return Value(f"(NOT {_condition(w, node.this)})", BOOL)


def _case(w: Writer, node: exp.Case) -> Value:
    subject = w.value(node.this) if node.this is not None else None
    tests = []
    for branch in node.args["ifs"]:
        tests.append(_condition(w, branch.this) if subject is None else equal(w, subject, w.value(branch.this)))
    values = [w.value(branch.args["true"]) for branch in node.args["ifs"]]
    default = node.args.get("default")
    if default is not None:
        values.append(w.value(default))
    values, kind = w.together(values)
    branches = " ".join(f"WHEN {test} THEN {value.sql}" for test, value in zip(tests, values, strict=False))
    last = f" ELSE {values[-1].sql}" if default is not None else ""
    return Value("NULL", NULL) if kind == NULL else Value(f"(CASE {branches}{last} END)", kind)


def _if(w: Writer, node: exp.If) -> Value:
    return _case(w, exp.Case(ifs=[node], default=node.args.get("false")))


_CHOICES: Mapping[type[exp.Expr], str] = {exp.Coalesce: "COALESCE", exp.Greatest: "GREATEST", exp.Least: "LEAST"}


def _chosen(w: Writer, node: exp.Expr) -> Value:
    name = _CHOICES[type(node)]
    values, kind = w.together(w.all([node.this, *node.expressions]))
    if kind == NULL:
        return Value("NULL", NULL)
    return Value(f"{name}({', '.join(value.sql for value in values)})", kind)


def _nullif(w: Writer, node: exp.Nullif) -> Value:
    value = w.value(node.this)
    if value.kind == NULL:
        return value
    one, other = comparable(w, value, w.value(node.expression))
    if one.sql == value.sql:
        return Value(f"NULLIF({one.sql}, {other.sql})", value.kind)
    # The value is compared as something else, and given back as itself.
    return Value(f"(CASE WHEN {one.sql} = {other.sql} THEN NULL ELSE {value.sql} END)", value.kind)


# --- arithmetic ----------------------------------------------------------------------------------------------------


def _sum(w: Writer, node: exp.Binary) -> Value:
    sign = "+" if isinstance(node, exp.Add) else "-"
    one, other = w.value(node.this), w.value(node.expression)
    if one.kind.is_number and other.kind.is_number:
        return computed(w, one, sign, other)
    if NULL in (one.kind, other.kind):
        return Value("NULL", NULL)
    return w.tongue.times(_read_beside(w, one, other), sign, _read_beside(w, other, one))


def computed(w: Writer, one: Value, sign: str, other: Value) -> Value:
    """Arithmetic of numbers."""
    if FLOAT8 in (one.kind, other.kind):
        return Value(f"({w.float_of(one)} {sign} {w.float_of(other)})", FLOAT8)
    if one.kind.is_whole and other.kind.is_whole:
        # As wide as the wider side, as in DuckDB: an overflow stays an error.
        kind = max(one.kind, other.kind, key=lambda kind: ("int4", "int8", "huge").index(kind.name))
        return Value(f"({one.sql} {sign} {other.sql})", kind)
    known = one.kind.decimals is not None and other.kind.decimals is not None
    places = (one.kind.decimals or 0, other.kind.decimals or 0)
    scale = sum(places) if sign == "*" else max(places)
    return Value(f"({one.sql} {sign} {other.sql})", Kind("numeric", scale if known else None))


def _read_beside(w: Writer, value: Value, other: Value) -> Value:
    if value.kind == TEXT and isinstance(value.constant, str) and other.kind in (DATE, TIMESTAMP):
        return w.tongue.cast(w, value, other.kind)
    return value


def _product(w: Writer, node: exp.Mul) -> Value:
    one, other = w.value(node.this), w.value(node.expression)
    if NULL in (one.kind, other.kind):
        return Value("NULL", NULL)
    if INTERVAL in (one.kind, other.kind):
        number = other if one.kind == INTERVAL else one
        if not number.kind.is_whole:
            raise Unsaid("a part of an interval", "multiply it with a whole number")
        return Value(f"({one.sql} * {other.sql})", INTERVAL)
    if not (one.kind.is_number and other.kind.is_number):
        raise Unsaid(f"a {one.kind.duckdb} * a {other.kind.duckdb}")
    return computed(w, one, "*", other)


def _quotient(w: Writer, node: exp.Div) -> Value:
    one, other = w.value(node.this), w.value(node.expression)
    if NULL in (one.kind, other.kind):
        return Value("NULL", NULL)
    if not (one.kind.is_number and other.kind.is_number):
        raise Unsaid(f"a {one.kind.duckdb} / a {other.kind.duckdb}")
    return Value(f"({w.float_of(one)} / {w.float_of(other)})", FLOAT8)


def _rest(w: Writer, node: exp.Mod) -> Value:
    one, other = w.value(node.this), w.value(node.expression)
    if not (one.kind.is_exact and other.kind.is_exact):
        # Engines round it differently.
        raise Unsaid("the rest of a division of floating-point numbers", "cast to BIGINT or DECIMAL(18, 3)")
    value = computed(w, one, "%", other)
    return replace(value, sql=f"({one.sql} % NULLIF({other.sql}, 0))")


def _negative(w: Writer, node: exp.Neg) -> Value:
    value = w.value(node.this)
    if not value.kind.is_number and value.kind != INTERVAL:
        raise Unsaid(f"minus a {value.kind.duckdb}")
    constant = -value.constant if isinstance(value.constant, (int, float, Decimal, Span)) else None
    return Value(f"(- {value.sql})", value.kind, constant)


def _joined(w: Writer, node: exp.DPipe) -> Value:
    parts = [w.value(node.this), w.value(node.expression)]
    # || with NULL is NULL, while concat() passes over it.
    if any(part.kind == NULL for part in parts):
        return Value("NULL", NULL)
    texts = [w.tongue.as_text(w, part).sql for part in parts]
    return Value(f"({texts[0]} || {texts[1]})", TEXT)


_BITS: Mapping[type[exp.Expr], str] = {
    exp.BitwiseAnd: "&", exp.BitwiseOr: "|", exp.BitwiseLeftShift: "<<", exp.BitwiseRightShift: ">>",
}  # fmt: skip


def _bits(w: Writer, node: exp.Binary) -> Value:
    sign = _BITS[type(node)]
    one, other = w.value(node.this), w.value(node.expression)
    if not {one.kind.name, other.kind.name} <= {"int4", "int8"}:
        raise Unsaid(f"a {one.kind.duckdb} {sign} a {other.kind.duckdb}")
    right = other.sql if sign in "&|" else w.as_kind(other, INT4).sql
    return Value(f"({one.sql} {sign} {right})", INT8 if INT8 in (one.kind, other.kind) else INT4)


# --- casts and queries ---------------------------------------------------------------------------------------------


def _cast(w: Writer, node: exp.Cast) -> Value:
    kind = kind_of_type(node.to)
    value = w.value(node.this)
    if value.kind.name == "list" and kind.item is not None:
        return Value(f"CAST({value.sql} AS {w.tongue.type_name(kind)})", kind)
    if value.kind == NULL:
        return w.as_kind(value, kind)
    cast_value = (w.tongue.try_cast if isinstance(node, exp.TryCast) else w.tongue.cast)(w, value, kind)
    # A whole number stays the constant that places and frames ask for; other constants may have changed by the cast.
    return replace(cast_value, constant=value.constant if isinstance(value.constant, int) else None)


def _scalar(w: Writer, node: exp.Expr) -> Value:
    query = w.query(node)
    if len(query.columns) != 1:
        raise Unsaid("a subquery of several columns in the place of one value")
    return Value(f"({query.sql})", query.columns[0][1])


def _exists(w: Writer, node: exp.Exists) -> Value:
    return Value(f"(EXISTS ({w.query(node.this).sql}))", BOOL)


OPERATORS: Mapping[type[exp.Expr], Rule] = {
    exp.Null: _null,
    exp.Boolean: _boolean,
    exp.Column: _column,
    exp.Paren: _paren,
    **dict.fromkeys(SIGNS, _comparison),
    exp.In: _in,
    exp.Between: _between,
    exp.Is: _is,
    exp.And: _connector,
    exp.Or: _connector,
    exp.Not: _not,
    exp.Case: _case,
    exp.If: _if,
    exp.Coalesce: _chosen,
    exp.Greatest: _chosen,
    exp.Least: _chosen,
    exp.Nullif: _nullif,
    exp.Add: _sum,
    exp.Sub: _sum,
    exp.Mul: _product,
    exp.Div: _quotient,
    exp.Mod: _rest,
    exp.Neg: _negative,
    exp.DPipe: _joined,
    exp.BitwiseAnd: _bits,
    exp.BitwiseOr: _bits,
    exp.BitwiseLeftShift: _bits,
    exp.BitwiseRightShift: _bits,
    exp.Cast: _cast,
    exp.TryCast: _cast,
    exp.Subquery: _scalar,
    exp.Select: _scalar,
    exp.Exists: _exists,
}
