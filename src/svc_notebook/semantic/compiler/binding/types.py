"""Kinds of values in operators: literals take their partner's kind, what would fail becomes NULL, the rest is told."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, time

from msgspec.structs import replace
from sqlglot import exp

from ...dialects import duckdb as say
from ...dialects.nodes import among_words
from ...dialects.nodes import sql as piece
from ...errors import InvalidQuery, NotAllowed
from ...intervals import IntervalError, parse_interval
from ..values import Bound
from .binding import Binder

__all__ = ["arithmetic", "cast", "common", "comparable", "concat", "expect", "interval_literal", "unified", "wide"]

_TIMES = ("timestamp", "date")


def converted(value: Bound, kind: str) -> Bound:
    """A value as another kind; one that does not fit is NULL."""
    return Bound.of(say.safe_cast(value.sql, say.TYPE_OF[kind]), kind, value)


def comparable(b: Binder, left: Bound, right: Bound) -> tuple[Bound, Bound]:
    """Both sides in kinds that compare without failing on any value."""
    left, right = b.to(left, right.kind), b.to(right, left.kind)
    pair = (left.kind, right.kind)
    if "null" in pair or left.kind == right.kind:
        return left, right
    # After equal kinds: only a date beside a timestamp is left here.
    if all(k in _TIMES for k in pair):
        return _same_time(b, left, right), _same_time(b, right, left)
    if "any" in pair:
        b.risky(left, right)
        return left, right
    if left.kind == "string" and right.kind in say.TYPE_OF:
        return converted(left, right.kind), right
    if right.kind == "string" and left.kind in say.TYPE_OF:
        return left, converted(right, left.kind)
    # DuckDB compares TRUE with 1; PostgreSQL refuses it.
    if set(pair) == {"boolean", "number"}:
        return _as_number(left), _as_number(right)
    raise InvalidQuery(f"A {left.kind} is compared with a {right.kind}.")


def _same_time(b: Binder, value: Bound, other: Bound) -> Bound:
    """A date beside a timestamp becomes one, or NULL (dates reach further); a moment at midnight becomes its date."""
    # The literal becomes a date, and not the column a timestamp, so that statistics of the column still prune.
    if value.is_literal and other.row and other.kind == "date" and _at_midnight(value.literal):
        return b.literal(value.literal.date())
    if value.row and value.kind == "date" and not (other.is_literal and _at_midnight(other.literal)):
        return converted(value, "timestamp")
    return value


def _at_midnight(moment: object) -> bool:
    return isinstance(moment, datetime) and moment.time() == time.min


def _as_number(value: Bound) -> Bound:
    return Bound.of(say.cast(value.sql, say.INTEGER), "number", value) if value.kind == "boolean" else value


def expect(b: Binder, value: Bound, kind: str, where: str) -> Bound:
    """A value of the kind an operator or function wants (``time``: a date or timestamp)."""
    if not kind or value.kind in (kind, "null") or (kind == "time" and value.kind in _TIMES):
        return value
    if kind == "time":
        as_time = b.to(value, "timestamp")
        if as_time.kind in _TIMES:
            return as_time
        if value.kind == "string":
            return converted(value, "timestamp")
    elif value.is_literal and (typed := b.to(value, kind)).kind == kind:
        return typed
    elif value.kind == "any":
        b.risky(value)
        return value
    elif kind == "string" and value.kind in say.TYPE_OF:
        return Bound.of(say.cast(value.sql, say.TEXT), "string", value)
    elif kind == "number" and value.kind in ("string", "boolean"):
        return converted(value, "number")
    raise InvalidQuery(f"{where} wants a {kind}, not a {value.kind}.")


def common(values: Sequence[Bound]) -> str:
    kinds = {v.kind for v in values} - {"null"}
    if len(kinds) > 1 and kinds <= set(_TIMES):
        return "timestamp"
    return kinds.pop() if len(kinds) == 1 else "null" if not kinds else "any"


def unified(b: Binder, values: list[Bound], where: str) -> list[Bound]:
    """Values of one kind, as the branches of CASE must be; literals follow the others, mixed ones become text."""
    firm = {v.kind for v in values if not v.is_literal and v.kind != "null"}
    if len(firm) == 1:
        kind = next(iter(firm))
        values = [b.to(v, kind) for v in values]
    kinds = {v.kind for v in values} - {"null"}
    if len(kinds) <= 1:
        return values
    # Dates reach further than timestamps: those of rows are cast so that what does not fit is NULL.
    if kinds <= set(_TIMES):
        return [converted(v, "timestamp") if v.kind == "date" and v.row else v for v in values]
    if kinds <= {*say.TYPE_OF}:
        return [v if v.kind in ("string", "null") else Bound.of(say.cast(v.sql, say.TEXT), "string", v) for v in values]
    raise InvalidQuery(f"The values of {where} are of different kinds ({', '.join(sorted(kinds))}).")


# --- arithmetic ---------------------------------------------------------------------------------------------------

_SIGNS = {exp.Add: "+", exp.Sub: "-", exp.Mul: "*", exp.Div: "/", exp.Mod: "%"}


def arithmetic(b: Binder, node: exp.Binary, left: Bound, right: Bound) -> Bound:
    sign = _SIGNS[type(node)]
    if sign in "+-" and ({left.kind, right.kind} & {"interval", *_TIMES}):
        return _time_arithmetic(b, sign, left, right)
    if sign == "*" and "interval" in (left.kind, right.kind):
        b.risky(left, right)
        return Bound.of(piece("({} * {})", left.sql, right.sql), "interval", left, right)
    left, right = expect(b, left, "number", sign), expect(b, right, "number", sign)
    if sign in "/%":
        if sign == "%":
            b.risky(left, right)
        # Division by zero is infinity in DuckDB and an error in PostgreSQL: here it is NULL.
        elif not (right.is_literal and right.literal):
            right = Bound.of(piece("NULLIF({}, 0)", right.sql), "number", right)
        text = say.divided(left.sql, right.sql) if sign == "/" else say.remainder(left.sql, right.sql)
        return replace(Bound.of(text, "number", left, right), floating=sign == "/")
    floating = left.floating or right.floating
    # Doubles overflow to infinity, whole numbers and decimals into an error.
    if not floating:
        b.risky(left, right)
    one, other = left.sql, right.sql
    # One side of 64 bits is enough, the engine widens the other.
    if left.narrow and right.narrow:
        one, other = (one, wide(right)) if right.is_literal else (wide(left), other)
    return replace(
        Bound.of(piece(f"({{}} {sign} {{}})", one, other), "number", left, right), floating=floating, narrow=False
    )


def wide(value: Bound) -> str:
    """A number that may be of a narrow type as one of 64 bits; whatever type it has instead, its value stays."""
    return say.widened(value.sql, constant=value.is_literal)


def _time_arithmetic(b: Binder, sign: str, left: Bound, right: Bound) -> Bound:
    if left.kind in _TIMES and right.is_literal and right.kind == "string":
        right = b.to(right, left.kind)
    if right.kind in _TIMES and left.is_literal and left.kind == "string":
        left = b.to(left, right.kind)
    b.risky(left, right)
    kinds = (left.kind, right.kind)
    text = piece(f"({{}} {sign} {{}})", left.sql, right.sql)
    if kinds == ("interval", "interval"):
        return Bound.of(text, "interval", left, right)
    if left.kind in _TIMES and right.kind == "interval":
        return Bound.of(text, "timestamp", left, right)
    if sign == "+" and left.kind == "interval" and right.kind in _TIMES:
        return Bound.of(text, "timestamp", left, right)
    # A number of days, as in DuckDB and PostgreSQL.
    if sign == "-" and kinds == ("date", "date"):
        return Bound.of(text, "number", left, right)
    if sign == "-" and left.kind in _TIMES and right.kind in _TIMES:
        one, other = (say.cast(side.sql, say.TIMESTAMP) for side in (left, right))
        return Bound.of(piece("({} - {})", one, other), "interval", left, right)
    if kinds in (("date", "number"), ("number", "date")) and sign in "+-":
        number = right if left.kind == "date" else left
        # DuckDB adds INTEGER to a date, and nothing wider.
        whole = Bound.of(say.safe_cast(number.sql, say.INTEGER), "number", number)
        sides = (left, whole) if left.kind == "date" else (whole, right)
        text = piece(f"({{}} {sign} {{}})", *(side.sql for side in sides))
        return Bound.of(text, "date", left, right)
    raise InvalidQuery(f"A {left.kind} {sign} a {right.kind} has no meaning; add an INTERVAL such as INTERVAL '1 day'.")


def concat(b: Binder, parts: list[Bound], name: str) -> Bound:
    """Text joined; the bound on its length is the sum of the parts'."""
    texts = [expect(b, b.to(p, "string"), "string", name) for p in parts]
    growth = sum(t.growth for t in texts)
    if name == "||":
        return Bound.of(among_words("({})", " || ", [t.sql for t in texts]), "string", *texts, growth=growth)
    return Bound.of(say.concat([t.sql for t in texts]), "string", *texts, growth=growth)


# --- casts and intervals ------------------------------------------------------------------------------------------

_INSTEAD = {
    "TIME": "write to_char(…, 'HH24:MI:SS')", "TIMETZ": "write to_char(…, 'HH24:MI:SS')",
    "INTERVAL": "write INTERVAL '1 day', and n * INTERVAL '1 day' for a number of them",
    "JSON": "write x->>'field' of the text as it is", "JSONB": "write x->>'field' of the text as it is",
    "UUID": "cast to TEXT",
}  # fmt: skip


def cast(b: Binder, value: Bound, target: exp.DataType) -> Bound:
    name = str(getattr(target.this, "name", ""))
    if name == "DECIMAL" and not target.expressions and value.kind in ("number", "string", "null"):
        return _numeric(b, value)
    if name == "DECIMAL":
        sql, kind = _decimal(target), "number"
    elif (
        name in say.CAST_TO
        and not target.args.get("nested")
        # Their size is dropped: DuckDB keeps no length of texts.
        and (not target.expressions or name in ("VARCHAR", "CHAR", "TIMESTAMP"))
    ):
        sql, kind = say.CAST_TO[name]
    else:
        instead = _INSTEAD.get(name, "cast to INTEGER, BIGINT, DOUBLE, DECIMAL(p, s), TEXT, BOOLEAN, DATE or TIMESTAMP")
        raise NotAllowed(f"A cast to this type is not available; {instead}.")
    zoned = name == "TIMESTAMPTZ" if kind == "timestamp" else None
    # Read here and now: a text that is no date fails in words, and in the zone of the query.
    if kind in ("timestamp", "date") and value.is_literal and isinstance(value.literal, str):
        moment = b.to(value, "timestamp")
        typed = replace(Bound.of(say.cast(moment.sql, sql), kind, moment), zoned=zoned)
        same = kind == "timestamp" and isinstance(moment.literal, datetime)
        return replace(typed, literal=moment.literal) if same else typed
    cast_value = Bound.of(say.safe_cast(value.sql, sql), kind, value)
    return replace(cast_value, floating=say.is_floating(sql), narrow=say.is_narrow(sql), zoned=zoned)


def _numeric(b: Binder, value: Bound) -> Bound:
    """``x::numeric``, without a size: a number is one already, and keeps its digits; those of a text are kept too."""
    if value.kind != "string":
        return value
    if value.is_literal:
        # A text that is no number goes to the engine's cast, which makes it NULL.
        with suppress(InvalidQuery):
            return b.to(value, "number")
    return Bound.of(say.safe_cast(value.sql, say.LONG_DECIMAL), "number", value)


def _decimal(target: exp.DataType) -> str:
    sizes = [
        p.this.this for p in target.expressions if isinstance(p, exp.DataTypeParam) and isinstance(p.this, exp.Literal)
    ]
    if not sizes:
        return say.DOUBLE
    if not all(s.isdigit() for s in sizes) or not 1 <= int(sizes[0]) <= 38 or int(sizes[-1]) > int(sizes[0]):
        raise InvalidQuery("DECIMAL wants a precision of 1 to 38 and a scale not above it.")
    return say.decimal(int(sizes[0]), int(sizes[1]) if len(sizes) > 1 else 0)


def interval_literal(node: exp.Interval) -> str:
    """``INTERVAL '1 month'`` with constant parts, printed anew."""
    amount, unit = node.args.get("this"), node.args.get("unit")
    # sqlglot reads INTERVAL -1 day as the negative of a literal.
    if isinstance(amount, exp.Neg):
        amount = exp.Literal.string(f"-{amount.this.this}") if isinstance(amount.this, exp.Literal) else None
    if not isinstance(amount, exp.Literal) or (unit is not None and not isinstance(unit, exp.Var)):
        raise InvalidQuery("An interval is written with constants, such as INTERVAL '3 months'.")
    text = f"{amount.this} {unit.name}" if unit is not None else str(amount.this)
    try:
        return say.interval(parse_interval(re.sub(r"\s+", " ", text.lower())))
    except IntervalError as error:
        raise InvalidQuery(str(error)) from None
