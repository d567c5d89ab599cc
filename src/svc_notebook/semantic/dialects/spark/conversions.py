"""Values of one kind as another: as DuckDB casts them, NULL in place of an error where TRY_CAST asks for it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime

from .... import patterns as re
from ..walk.kinds import DATE, FLOAT8, HUGE, TEXT, TIMESTAMP, TIMESTAMPTZ, Kind, Value
from ..walk.operators import constant_of, text_to_bool
from ..walk.refusal import Unsaid
from ..walk.writer import Writer
from .names import literal, type_name

__all__ = ["as_kind", "as_text", "cast", "failing", "float_of", "rounded", "truncated", "try_cast"]

# \z and not $: Java's $ matches before a last line break, too.
_NUMBER = r"^\s*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,2})?\s*\z"
_ENDLESS = r"(?i)^\s*[+-]?(inf|infinity|nan)\s*\z"
_DAY = r"^[0-9]{4}[-/][0-9]{1,2}[-/][0-9]{1,2}"
_CLOCK = r"([ T]([01]?[0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]{1,9})?)?(Z|[+-][0-9]{2}(:?[0-9]{2})?)?)?\z"
_ZONE = r"(Z|[+-][0-9]{2}(:?[0-9]{2})?)\z"
_ISO = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{6})?)?")
_BLANKS = literal(" \t\n")


def cast(w: Writer, value: Value, kind: Kind) -> Value:
    """``CAST(value AS kind)``: an error of a value that does not fit stays one."""
    if value.kind.meets(kind):
        return value
    if kind == TEXT:
        return as_text(w, value)
    if kind in (DATE, TIMESTAMP) and (known := _known(constant_of(value), kind)):
        return Value(known, kind)
    if value.kind == TEXT:  # Spark reads more texts than DuckDB does: a year alone is a date
        read = try_cast(w, value, kind).sql
        error = failing(f"{value.sql} IS NOT NULL", "a text that is no such value", kind)
        return Value(f"COALESCE({read}, {error})", kind)
    if value.kind == FLOAT8 and kind.name == "numeric":
        return Value(f"CAST({_exact(rounded(value, kind.scale or 0), kind.scale or 0)} AS {type_name(kind)})", kind)
    if value.kind == FLOAT8 and kind.is_whole:
        # Spark's cast cuts off what is behind the point; DuckDB rounds, floating halves to even.
        return Value(f"CAST(rint({value.sql}) AS {type_name(kind)})", kind)
    if value.kind.name == "numeric" and kind.is_whole:
        # Halves of decimals go away from zero.
        return Value(f"CAST(round({value.sql}, 0) AS {type_name(kind)})", kind)
    if value.kind == DATE and kind == TIMESTAMPTZ:
        raise Unsaid("a DATE as a moment")
    return Value(f"CAST({value.sql} AS {type_name(kind)})", kind)


def try_cast(w: Writer, value: Value, kind: Kind) -> Value:
    """``TRY_CAST(value AS kind)``: NULL for a value that does not fit."""
    if value.kind.meets(kind):
        return value
    if value.kind.name == "null":
        return Value(f"CAST(NULL AS {type_name(kind)})", kind)
    if kind == TEXT:
        return as_text(w, value)
    if kind in (DATE, TIMESTAMP) and (known := _known(constant_of(value), kind)):
        return Value(known, kind)
    rule = _TRIED.get((value.kind.group, kind.group))
    if rule is None:
        raise Unsaid(f"TRY_CAST of a {value.kind.duckdb} AS {kind.duckdb}")
    return Value(rule(value, kind), kind)


def _known(constant: object, kind: Kind) -> str:
    """A date or time that is written in the query, so that Spark reads no parts of a table without it."""
    if isinstance(constant, str) and _ISO.fullmatch(constant):
        try:
            moment = datetime.fromisoformat(constant)
        except ValueError:
            return ""
    elif type(constant) is date:
        moment = datetime(constant.year, constant.month, constant.day)  # a clock's reading
    elif isinstance(constant, datetime) and constant.tzinfo is None:
        moment = constant
    else:
        return ""
    return f"DATE'{moment.date()}'" if kind == DATE else f"TIMESTAMP_NTZ'{moment.isoformat(' ')}'"


def as_text(w: Writer, value: Value) -> Value:
    """A value written as DuckDB writes it."""
    kind, sql = value.kind, value.sql
    if kind == TEXT:
        return value
    if kind.name == "null":
        return Value(w.null(), TEXT)
    if kind.name == "numeric":
        if kind.scale is None:
            raise Unsaid("a number as text whose decimals are not known", "write CAST(round(x, 2) AS DECIMAL(18, 2))")
        # Spark may have computed with more decimals than DuckDB's type shows.
        return Value(f"CAST(CAST({sql} AS DECIMAL(38, {kind.scale})) AS STRING)", TEXT)
    if kind == FLOAT8:  # Java writes 2e23 with seventeen digits
        raise Unsaid("a DOUBLE as text", "write CAST(x AS DECIMAL(18, 2)) first")
    if kind.name in ("timestamptz", "list", "interval"):
        raise Unsaid(f"a {kind.duckdb} as text", "write to_char(…)" if kind == TIMESTAMPTZ else "")
    return Value(f"CAST({sql} AS STRING)", TEXT)


def as_kind(w: Writer, value: Value, kind: Kind) -> Value:
    """A value in the kind that it shares with others."""
    if value.kind.name == "null":
        return Value(f"CAST(NULL AS {type_name(kind)})", kind)
    if kind == TEXT and value.kind != TEXT:
        return as_text(w, value)
    if value.kind.is_number and kind.is_number:
        if value.kind.name == kind.name and (kind.name != "numeric" or value.kind.scale == kind.scale):
            return value
        return Value(f"CAST({value.sql} AS {type_name(kind)})", kind)
    if value.kind.group == kind.group:
        return value
    return cast(w, value, kind)


def float_of(value: Value) -> str:
    """As ``DOUBLE``."""
    return value.sql if value.kind == FLOAT8 else f"CAST({value.sql} AS DOUBLE)"


def rounded(value: Value, places: int) -> str:
    """A floating number, half away from zero, as DuckDB rounds: over the number itself, not over how it is written."""
    power = f"1e{abs(places)}D"
    x = value.sql if not places else f"({value.sql} {'*' if places > 0 else '/'} {power})"
    whole = f"(CASE WHEN abs({x} - rint({x})) = 0.5D THEN {x} + 0.5D * sign({x}) ELSE rint({x}) END)"
    return whole if not places else f"({whole} {'/' if places > 0 else '*'} {power})"


def truncated(x: str) -> str:
    """A floating number without what is behind its point."""
    return f"(CASE WHEN abs(rint({x})) > abs({x}) THEN rint({x}) - sign({x}) ELSE rint({x}) END)"


def failing(test: str, what: str, kind: Kind) -> str:
    """An error where the test holds, NULL of the kind where it does not."""
    return f"(CASE WHEN {test} THEN CAST(raise_error({literal(what)}) AS {type_name(kind)}) END)"


# --- the rules ----------------------------------------------------------------------------------------------------


def _plain(value: Value, kind: Kind) -> str:
    return f"CAST({value.sql} AS {type_name(kind)})"


def _exact(sql: str, scale: int) -> str:
    """A rounded floating number as a decimal, through whole numbers."""
    whole = f"CAST(CAST(rint({sql} * 1e{scale}D) AS BIGINT) AS DECIMAL(19, 0))"
    return (
        whole if not scale else f"({whole} * CAST({'0.' + '0' * (scale - 1) + '1'} AS DECIMAL({scale + 1}, {scale})))"
    )


def _number_to_whole(value: Value, kind: Kind) -> str:
    if value.kind == FLOAT8:
        if kind == HUGE:
            raise Unsaid("a DOUBLE as a HUGEINT")
        return f"try_cast(rint({value.sql}) AS {type_name(kind)})"  # halves go to even, those of decimals away
    x = f"round({value.sql}, 0)" if value.kind.name == "numeric" else value.sql
    return f"try_cast({x} AS {type_name(kind)})"


def _number_to_decimal(value: Value, kind: Kind) -> str:
    scale, digits = kind.scale or 0, (kind.precision or 38) - (kind.scale or 0)
    if value.kind == FLOAT8:
        inner = rounded(value, scale)
        # _exact() goes through BIGINT, which holds 18 digits.
        test = f"abs({inner}) < 1e{min(digits, 18 - scale)}D"
        return f"(CASE WHEN {test} THEN try_cast({_exact(inner, scale)} AS {type_name(kind)}) END)"
    return f"try_cast({value.sql} AS {type_name(kind)})"


def _text_to_float(value: Value, kind: Kind) -> str:
    x = value.sql
    return f"(CASE WHEN {x} RLIKE {literal(_NUMBER)} OR {x} RLIKE {literal(_ENDLESS)} THEN try_cast({x} AS DOUBLE) END)"


def _read_number(value: Value, scale: int) -> str:
    x = value.sql
    return f"(CASE WHEN {x} RLIKE {literal(_NUMBER)} THEN try_cast({x} AS DECIMAL(38, {scale})) END)"


def _text_to_whole(value: Value, kind: Kind) -> str:
    return f"try_cast(round({_read_number(value, 18 if kind != HUGE else 0)}, 0) AS {type_name(kind)})"


def _text_to_decimal(value: Value, kind: Kind) -> str:
    return f"try_cast({_read_number(value, kind.scale or 0)} AS {type_name(kind)})"


def _text_to_time(value: Value, kind: Kind) -> str:
    """ISO forms; the day as it is, or nothing."""
    x = f"trim(BOTH {_BLANKS} FROM {value.sql})" if kind == DATE else value.sql
    text = f"translate({x}, '/', '-')"
    day = f"regexp_extract({text}, '^[0-9-]+', 0)"
    if kind == DATE:
        read = f"try_cast({day} AS DATE)"
    else:
        moment = f"(CASE WHEN contains({text}, ':') THEN regexp_replace({text}, {literal(_ZONE)}, '') ELSE {text} END)"
        read = f"try_cast({moment} AS {type_name(kind)})"
    return f"(CASE WHEN {x} RLIKE {literal(_DAY + _CLOCK)} AND NOT startswith({x}, '0000') THEN {read} END)"


_TRIED: dict[tuple[str, str], Callable[[Value, Kind], str]] = {
    **{(one, "whole"): _number_to_whole for one in ("whole", "numeric", "float8")},
    **{(one, "float8"): _plain for one in ("whole", "numeric")},
    **{(one, "numeric"): _number_to_decimal for one in ("whole", "numeric", "float8")},
    ("text", "float8"): _text_to_float,
    ("text", "whole"): _text_to_whole,
    ("text", "numeric"): _text_to_decimal,
    ("text", "bool"): text_to_bool,
    ("text", "date"): _text_to_time,
    ("text", "timestamp"): _text_to_time,
    ("date", "timestamp"): lambda value, kind: (
        f"(CASE WHEN {value.sql} < DATE'9999-12-31' OR {value.sql} = DATE'9999-12-31' THEN {_plain(value, kind)} END)"
    ),
    **{(one, "bool"): _plain for one in ("whole", "numeric", "float8")},
    **{("bool", one): _plain for one in ("whole", "numeric", "float8")},
    ("timestamp", "date"): _plain,
    ("timestamptz", "timestamp"): _plain,
    ("timestamptz", "date"): _plain,
    ("timestamp", "timestamptz"): _plain,
    ("interval", "interval"): lambda value, kind: value.sql,
}
