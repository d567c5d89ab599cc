"""Constants and patterns; what ``+`` and ``-`` of times are."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from sqlglot import exp

from ..walk.kinds import BOOL, DATE, FLOAT8, HUGE, INT4, INT8, INTERVAL, NULL, TEXT, TIMESTAMP, TIMESTAMPTZ, Kind, Value
from ..walk.operators import Bound, constant_of
from ..walk.parts import refuse_unread
from ..walk.refusal import Unsaid, not_declared
from ..walk.types import kind_of_param
from ..walk.writer import Rule, Writer
from .conversions import cased, compared_bytewise
from .names import type_name

__all__ = ["WORDS", "literal", "times"]


def literal(value: Any) -> str:
    """A text as PostgreSQL reads it with standard_conforming_strings."""
    return "'" + str(value).replace("'", "''") + "'"


def _literal(w: Writer, node: exp.Literal) -> Value:
    if node.is_string:
        # A bare literal is of type unknown, and would be read as whatever stands next to it.
        return Value(f"CAST({literal(node.this)} AS text)", TEXT, str(node.this))
    text = str(node.this)
    if text.isdecimal():
        number = int(text)
        kind = INT4 if number < 2**31 else INT8 if number < 2**63 else HUGE
        return Value(text if kind != HUGE else f"CAST({text} AS numeric)", kind, number)
    if "e" in text.lower():
        return Value(f"CAST({float(text)!r} AS double precision)", FLOAT8, float(text))
    return Value(text, Kind("numeric", len(text.partition(".")[2])), Decimal(text))


def _placeholder(w: Writer, node: exp.Expr) -> Value:
    name = node.name
    value = w.statement.params.get(name)
    kind = kind_of_param(value)
    # PostgreSQL would guess the parameter's type by its place.
    sql = f"CAST(${name} AS {type_name(kind)})"
    return Value(compared_bytewise(w, sql) if kind == TEXT else sql, kind, Bound(value))


# ESCAPE '' is none: PostgreSQL's LIKE escapes by \ unless it is told, DuckDB's does not.
def _like(w: Writer, node: exp.Expr, escape: str = "''") -> Value:
    text, pattern = w.value(node.this), w.value(node.expression)
    if NULL in (text.kind, pattern.kind):
        return Value("CAST(NULL AS boolean)", BOOL)
    if text.kind != TEXT or pattern.kind != TEXT:
        raise Unsaid(f"LIKE of a {text.kind.duckdb}")
    one, other = text.sql, pattern.sql
    if isinstance(node, exp.ILike):
        one, other = cased(w, "lower", one), cased(w, "lower", other)
    word = "NOT LIKE" if node.args.get("negate") else "LIKE"
    return Value(f"({one} {word} {other} ESCAPE {escape})", BOOL)


def _escape(w: Writer, node: exp.Escape) -> Value:
    if not isinstance(node.this, (exp.Like, exp.ILike)):
        raise not_declared(node)
    refuse_unread(node.this)
    escape = w.value(node.expression)
    letter = constant_of(escape)
    return _like(w, node.this, literal(letter) if isinstance(letter, str) else escape.sql)


def times(one: Value, sign: str, other: Value) -> Value:
    """``+`` and ``-`` of which one side at least is no number."""
    names, text = (one.kind.name, other.kind.name), f"({one.sql} {sign} {other.sql})"
    if names == ("interval", "interval"):
        return Value(text, INTERVAL)
    if names[1] == "interval" and names[0] in ("date", "timestamp", "timestamptz"):
        return Value(text, TIMESTAMPTZ if names[0] == "timestamptz" else TIMESTAMP)
    if names[0] == "interval" and names[1] in ("date", "timestamp") and sign == "+":
        return Value(text, TIMESTAMP)
    if names == ("date", "date") and sign == "-":
        return Value(f"CAST({text} AS bigint)", INT8)
    if names == ("timestamp", "timestamp") and sign == "-":
        return Value(text, INTERVAL)
    if names == ("date", "int4") or (names == ("int4", "date") and sign == "+"):
        return Value(text, DATE)
    if names[0] == "date" and other.kind.is_whole:
        return Value(f"({one.sql} {sign} CAST({other.sql} AS integer))", DATE)
    raise Unsaid(f"a {one.kind.duckdb} {sign} a {other.kind.duckdb}")


WORDS: Mapping[type[exp.Expr], Rule] = {
    exp.Literal: _literal,
    exp.Placeholder: _placeholder,
    exp.Parameter: _placeholder,
    exp.Like: _like,
    exp.ILike: _like,
    exp.Escape: _escape,
}
