"""Constants, parameters, patterns, members of lists; what ``+`` and ``-`` of times are."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from sqlglot import exp

from ..walk.kinds import BOOL, DATE, FLOAT8, HUGE, INT4, INT8, INTERVAL, NULL, TEXT, TIMESTAMP, TIMESTAMPTZ, Kind, Value
from ..walk.operators import OPERATORS, SIGNS, Bound, constant_of
from ..walk.parts import refuse_unread
from ..walk.refusal import Unsaid, not_declared
from ..walk.types import kind_of_param
from ..walk.writer import Rule, Writer
from .conversions import failing
from .names import literal, type_name

__all__ = ["WORDS", "times"]


# Spark's LIKE always has an escape, so a backslash that is none is doubled.
_ONE, _TWO = literal("\\"), literal("\\\\")


def _literal(w: Writer, node: exp.Literal) -> Value:
    if node.is_string:
        return Value(literal(node.this), TEXT, str(node.this))
    text = str(node.this)
    if text.isdecimal():
        number = int(text)
        kind = INT4 if number < 2**31 else INT8 if number < 2**63 else HUGE
        return Value(text if kind == INT4 else f"CAST({text} AS {type_name(kind)})", kind, number)
    if "e" in text.lower():
        return Value(f"{float(text)!r}D", FLOAT8, float(text))
    places = len(text.partition(".")[2])
    return Value(
        f"CAST({text} AS DECIMAL({max(len(text), places) + 1}, {places}))", Kind("numeric", places), Decimal(text)
    )


def _placeholder(w: Writer, node: exp.Expr) -> Value:
    value = w.statement.params.get(node.name)
    kind = kind_of_param(value)
    return Value(f"CAST(${node.name} AS {type_name(kind)})", kind, Bound(value))


# --- patterns ------------------------------------------------------------------------------------------------------


def _like(w: Writer, node: exp.Expr, escape: str | None = None) -> Value:
    text, pattern = w.value(node.this), w.value(node.expression)
    if NULL in (text.kind, pattern.kind):
        return Value(w.null(BOOL), BOOL)
    if text.kind != TEXT or pattern.kind != TEXT:
        raise Unsaid(f"LIKE of a {text.kind.duckdb}")
    one, other = text.sql, pattern.sql
    if isinstance(node, exp.ILike):
        one, other = f"lower({one})", f"lower({other})"
    if escape is None:  # there is always one, a backslash if nothing else is said
        other, escape = f"replace({other}, {_ONE}, {_TWO})", _ONE
    word = "NOT LIKE" if node.args.get("negate") else "LIKE"
    return Value(f"({one} {word} {other} ESCAPE {escape})", BOOL)


def _escape(w: Writer, node: exp.Escape) -> Value:
    if not isinstance(node.this, (exp.Like, exp.ILike)):
        raise not_declared(node)
    refuse_unread(node.this)
    letter = constant_of(w.value(node.expression))
    if not isinstance(letter, str) or len(letter) > 1:
        raise Unsaid("LIKE with an escape character that is no constant")
    return _like(w, node.this, literal(letter) if letter else None)


# --- members -------------------------------------------------------------------------------------------------------


def _comparison(w: Writer, node: exp.Binary) -> Value:
    right = node.expression
    if not isinstance(right, (exp.Any, exp.All)):
        return OPERATORS[type(node)](w, node)
    refuse_unread(right)
    inner = right.this.unnest()
    among = isinstance(node, exp.EQ) and isinstance(right, exp.Any)
    beside = isinstance(node, exp.NEQ) and isinstance(right, exp.All)
    # Spark has no ANY or ALL of queries.
    if isinstance(inner, exp.Query):
        if not (among or beside):
            raise Unsaid(f"{SIGNS[type(node)]} {type(right).__name__.upper()} of a query", "write IN, EXISTS or min(…)")
        found = w.value(exp.In(this=node.this, query=right.this))
        return found if among else Value(f"(NOT {found.sql})", BOOL)
    value, held = w.value(node.this), w.value(inner)
    item = held.kind.item
    if item is None or not (item == value.kind or (item.is_number and value.kind.is_number)):
        raise Unsaid(f"a {value.kind.duckdb} among a {held.kind.duckdb}")
    word = "exists" if isinstance(right, exp.Any) else "forall"
    if among or beside:
        found = Value(f"array_contains({held.sql}, {value.sql})", BOOL)
        return found if among else Value(f"(NOT {found.sql})", BOOL)
    return Value(f"{word}({held.sql}, svc_item -> {value.sql} {SIGNS[type(node)]} svc_item)", BOOL)


# --- bits ----------------------------------------------------------------------------------------------------------


def _shift(w: Writer, node: exp.Binary) -> Value:
    """``<<`` and ``>>`` by a constant; what does not fit is an error, as it is for DuckDB."""
    value, places = w.value(node.this), w.value(node.expression).constant
    left = isinstance(node, exp.BitwiseLeftShift)
    if value.kind not in (INT4, INT8) or not isinstance(places, int) or not 0 <= places < 31:
        raise Unsaid(f"a {value.kind.duckdb} {'<<' if left else '>>'} what is no constant")
    if not left:
        # Functions: Spark has the operators from 4.0 on.
        return Value(f"shiftright({value.sql}, {places})", value.kind)
    moved = f"shiftleft({value.sql}, {places})"
    error = failing(f"{value.sql} < 0 OR shiftright({moved}, {places}) <> {value.sql}", "out of range", value.kind)
    return Value(f"COALESCE({error}, {moved})", value.kind)


# --- times ---------------------------------------------------------------------------------------------------------


def times(one: Value, sign: str, other: Value) -> Value:
    """``+`` and ``-`` of which one side at least is no number."""
    names = (one.kind.name, other.kind.name)
    if names[0] == "interval" and sign == "+" and names[1] != "interval":
        one, other, names = other, one, (names[1], names[0])
    if names == ("interval", "interval"):
        return Value(f"({one.sql} {sign} {other.sql})", INTERVAL)
    if names[1] == "interval" and names[0] in ("date", "timestamp", "timestamptz"):
        moment = f"CAST({one.sql} AS TIMESTAMP_NTZ)" if names[0] == "date" else one.sql
        return Value(f"({moment} {sign} {other.sql})", TIMESTAMPTZ if names[0] == "timestamptz" else TIMESTAMP)
    if names == ("date", "date") and sign == "-":
        return Value(f"CAST(datediff({one.sql}, {other.sql}) AS BIGINT)", INT8)
    if one.kind.is_whole and names[1] == "date" and sign == "+":
        one, other, names = other, one, (names[1], names[0])
    if names[0] == "date" and other.kind.is_whole:
        days = other.sql if other.kind == INT4 else f"CAST({other.sql} AS INT)"
        return Value(f"{'date_add' if sign == '+' else 'date_sub'}({one.sql}, {days})", DATE)
    raise Unsaid(f"a {one.kind.duckdb} {sign} a {other.kind.duckdb}")


WORDS: Mapping[type[exp.Expr], Rule] = {
    exp.Literal: _literal,
    exp.Placeholder: _placeholder,
    exp.Parameter: _placeholder,
    exp.Like: _like,
    exp.ILike: _like,
    exp.Escape: _escape,
    **dict.fromkeys(SIGNS, _comparison),
    exp.BitwiseLeftShift: _shift,
    exp.BitwiseRightShift: _shift,
}
