"""Values of one kind as another: as DuckDB casts them, NULL in place of an error where TRY_CAST asks for it."""

from __future__ import annotations

from collections.abc import Callable

from ..walk.kinds import BOOL, DATE, FLOAT8, HUGE, INT4, INT8, NUMERIC, TEXT, TIMESTAMPTZ, Kind, Value
from ..walk.operators import text_to_bool
from ..walk.refusal import Unsaid
from ..walk.writer import Writer
from .names import quoted, type_name

__all__ = ["as_kind", "as_text", "cased", "cast", "compared_bytewise", "float_of", "rounded", "try_cast"]

_INT4_ENDS, _INT8_ENDS = ("-2147483648", "2147483648"), ("-9223372036854775808", "9223372036854775808")
# Two digits of exponent, so that none is past double precision, which would be an error.
_NUMBER = r"^\s*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,2})?\s*$"
_ENDLESS = r"^\s*[+-]?(inf|infinity|nan)\s*$"
_DAY = r"^\s*[0-9]{4}[-/][0-9]{1,2}[-/][0-9]{1,2}"
_CLOCK = r"([ T]([01]?[0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]{1,9})?)?(Z|[+-][0-9]{2}(:?[0-9]{2})?)?)?\s*$"
_ZONE = r"(Z|[+-][0-9]{2}(:?[0-9]{2})?)\s*$"


def cast(w: Writer, value: Value, kind: Kind) -> Value:
    """``CAST(value AS kind)``: an error of a value that does not fit stays one."""
    if value.kind.meets(kind):
        return value
    if kind == TEXT:
        return as_text(w, value)
    if value.kind.name == "float8" and kind.name == "numeric":
        scaled = rounded(value, kind.scale or 0)
        return Value(f"CAST({_exact(scaled.sql, kind.scale or 0)} AS {_sized(kind)})", kind)
    return Value(_plain_cast(value, kind), kind)


def try_cast(w: Writer, value: Value, kind: Kind) -> Value:
    """``TRY_CAST(value AS kind)``: NULL for a value that does not fit."""
    if value.kind.meets(kind):
        return value
    if value.kind.name == "null":
        return Value(f"CAST(NULL AS {_sized(kind)})", kind)
    if kind == TEXT:
        return as_text(w, value)
    rule = _TRIED.get((value.kind.group, kind.group))
    if rule is None:
        raise Unsaid(f"TRY_CAST of a {value.kind.duckdb} AS {kind.duckdb}")
    return Value(rule(value, kind), kind)


def as_text(w: Writer, value: Value) -> Value:
    """A value written as DuckDB writes it."""
    kind, sql = value.kind, value.sql
    if kind == TEXT:
        return value
    if kind.name == "float8":
        text = _float_text(sql)
    elif kind.name == "numeric":
        if kind.scale is None:
            raise Unsaid("a number as text whose decimals are not known", "write CAST(round(x, 2) AS DECIMAL(18, 2))")
        # A numeric's decimals may differ by row; DuckDB writes all of the type's.
        text = f"CAST(CAST({sql} AS numeric(100, {kind.scale})) AS text)"
    elif kind.name in ("timestamptz", "list", "interval"):
        raise Unsaid(f"a {kind.duckdb} as text", "write to_char(…)" if kind == TIMESTAMPTZ else "")
    else:
        text = f"CAST({sql} AS text)"
    return Value(compared_bytewise(w, text), TEXT)


def _float_text(sql: str) -> str:
    """A floating number as DuckDB writes it: with a decimal, and without an exponent below 1e16 (here: 1e15)."""
    plain = f"CAST({sql} AS text)"
    moved = f"regexp_replace({plain}, '^(-?[0-9])\\.([0-9]{{15}})([0-9]+)e\\+15$', '\\1\\2.\\3')"
    large = f"abs({sql}) >= 1e15 AND abs({sql}) < 1e16"
    return (
        f"(CASE WHEN {sql} = 0 THEN {plain} || '.0' "
        f"WHEN {large} AND floor({sql}) = {sql} THEN CAST(CAST({sql} AS bigint) AS text) || '.0' "
        f"WHEN {large} THEN {moved} WHEN {plain} ~ '^-?[0-9]+$' THEN {plain} || '.0' "
        f"ELSE replace(lower({plain}), 'infinity', 'inf') END)"
    )


def compared_bytewise(w: Writer, text: str) -> str:
    """A text that is made here, to be compared by its bytes as those of the tables are."""
    return f'({text} COLLATE "C")' if w.traits.collate else text


def cased(w: Writer, function: str, text: str) -> str:
    """``lower`` or ``upper`` of any letters."""
    if w.traits.letters is None:
        raise Unsaid(f"{function}() of letters beyond ASCII", "the database has no collation that knows their cases")
    return compared_bytewise(w, f"{function}({text} COLLATE {quoted(w.traits.letters)})")


def as_kind(w: Writer, value: Value, kind: Kind) -> Value:
    """A value in the kind that it shares with others."""
    if value.kind.name == "null":
        return Value(f"CAST(NULL AS {_sized(kind)})", kind)
    if kind == TEXT and value.kind != TEXT:
        return as_text(w, value)
    if value.kind.group == kind.group or value.kind.is_number:
        return value if value.kind.name == kind.name else Value(f"CAST({value.sql} AS {type_name(kind)})", kind)
    return cast(w, value, kind)


def float_of(value: Value) -> str:
    """As ``double precision``."""
    return value.sql if value.kind == FLOAT8 else f"CAST({value.sql} AS double precision)"


def rounded(value: Value, places: int) -> Value:
    """Half away from zero, as DuckDB rounds; PostgreSQL rounds floating halves to even."""
    if value.kind.name != "float8":
        return Value(f"round(CAST({value.sql} AS numeric), {places})", Kind("numeric", max(places, 0)))
    power = f"CAST(1e{abs(places)} AS double precision)"
    x = value.sql if not places else f"({value.sql} {'*' if places > 0 else '/'} {power})"
    whole = f"trunc({x})"  # nothing is added where it stays: a zero keeps its sign
    half = f"(CASE WHEN abs({x} - {whole}) >= 0.5 THEN {whole} + sign({x}) ELSE {whole} END)"
    return Value(half if not places else f"({half} {'/' if places > 0 else '*'} {power})", FLOAT8)


# --- the rules ----------------------------------------------------------------------------------------------------


def _sized(kind: Kind) -> str:
    if kind.name == "numeric" and kind.precision is not None:
        return f"numeric({kind.precision}, {kind.scale or 0})"
    return type_name(kind)


def _plain_cast(value: Value, kind: Kind) -> str:
    if value.kind == BOOL and kind.is_number:
        return f"CAST(CAST({value.sql} AS integer) AS {_sized(kind)})"
    if value.kind.is_number and kind == BOOL:
        return f"({value.sql} <> 0)"
    # It would be midnight of the session's zone.
    if value.kind == DATE and kind == TIMESTAMPTZ:
        raise Unsaid("a DATE as a moment")
    if kind.name == "huge":
        # There is no type of 128 bits; a numeric without decimals holds what one does.
        return f"round(CAST({value.sql} AS numeric))"
    return f"CAST({value.sql} AS {_sized(kind)})"


def _exact(sql: str, scale: int) -> str:
    """A rounded floating number as a decimal: through whole numbers, since 15 digits is what a plain cast keeps."""
    return (
        f"(CAST(CAST({sql} * CAST(1e{scale} AS double precision) AS bigint) AS numeric) / CAST(1e{scale} AS numeric))"
    )


def _number_to_whole(value: Value, kind: Kind) -> str:
    low, high = _INT4_ENDS if kind == INT4 else _INT8_ENDS
    if kind == HUGE:
        if value.kind == FLOAT8:
            raise Unsaid("a DOUBLE as a HUGEINT")
        return f"round({value.sql})" if value.kind.name == "numeric" else f"CAST({value.sql} AS numeric)"
    if value.kind == INT4 and kind == INT8:
        return f"CAST({value.sql} AS bigint)"
    x = value.sql if value.kind.is_whole else f"round({value.sql})"  # floating halves go to even, decimal ones away
    return f"(CASE WHEN {x} >= {low} AND {x} < {high} THEN CAST({value.sql} AS {type_name(kind)}) END)"


def _number_to_float(value: Value, kind: Kind) -> str:
    return f"CAST({value.sql} AS double precision)"


def _number_to_decimal(value: Value, kind: Kind) -> str:
    scale, digits = kind.scale or 0, (kind.precision or 38) - (kind.scale or 0)
    if value.kind == FLOAT8:
        inner = rounded(value, scale).sql
        # _exact() goes through bigint, which holds 18 digits.
        room = min(digits, 18 - scale)
        test = f"abs({inner}) < CAST(1e{room} AS double precision)"
        return f"(CASE WHEN {test} THEN CAST({_exact(inner, scale)} AS {_sized(kind)}) END)"
    x = f"round(CAST({value.sql} AS numeric), {scale})"
    return f"(CASE WHEN abs({x}) < CAST(1e{digits} AS numeric) THEN CAST({x} AS {_sized(kind)}) END)"


def _text_to_float(value: Value, kind: Kind) -> str:
    return (
        f"(CASE WHEN {value.sql} ~ '{_NUMBER}' OR {value.sql} ~* '{_ENDLESS}' "
        f"THEN CAST({value.sql} AS double precision) END)"
    )


def _read_number(value: Value) -> Value:
    return Value(f"(CASE WHEN {value.sql} ~ '{_NUMBER}' THEN CAST({value.sql} AS numeric) END)", NUMERIC)


def _text_to_whole(value: Value, kind: Kind) -> str:
    low, high = _INT4_ENDS if kind == INT4 else _INT8_ENDS
    read = _read_number(value).sql
    if kind == HUGE:
        return f"round({read})"
    whole = f"round({read})"
    return f"(CASE WHEN {whole} >= {low} AND {whole} < {high} THEN CAST({whole} AS {type_name(kind)}) END)"


def _text_to_decimal(value: Value, kind: Kind) -> str:
    return _number_to_decimal(_read_number(value), kind)


def _text_to_time(value: Value, kind: Kind) -> str:
    text = (
        f"translate(btrim({value.sql}, E' \\t\\n'), '/', '-')" if kind == DATE else f"translate({value.sql}, '/', '-')"
    )
    part = [f"CAST(split_part(substring({text} FROM '^[0-9-]+'), '-', {i}) AS integer)" for i in (1, 2, 3)]
    year, month, day = part
    last = f"date_part('day', make_date({year}, {month}, 1) + INTERVAL '1 month - 1 day')"
    form = _DAY + (_CLOCK if kind == DATE else _CLOCK.replace(r"\s*$", "$"))
    begin = form if kind == DATE else form.replace(r"^\s*", "^")
    moment = f"regexp_replace({text}, '{_ZONE}', '')" if kind != DATE else f"substring({text} FROM '^[0-9-]+')"
    if kind != DATE:
        moment = f"(CASE WHEN {text} ~ ':' THEN {moment} ELSE {text} END)"
    return (
        f"(CASE WHEN {value.sql} ~ '{begin}' THEN CASE WHEN {year} > 0 AND {month} BETWEEN 1 AND 12 THEN "
        f"CASE WHEN {day} BETWEEN 1 AND {last} THEN CAST({moment} AS {type_name(kind)}) END END END)"
    )


def _date_to_timestamp(value: Value, kind: Kind) -> str:
    # DuckDB's timestamps end in January 294247, PostgreSQL's in 294276; dates reach further in both.
    return f"(CASE WHEN {value.sql} < DATE '294246-01-01' THEN CAST({value.sql} AS timestamp) END)"


_TRIED: dict[tuple[str, str], Callable[[Value, Kind], str]] = {
    **{(one, "whole"): _number_to_whole for one in ("whole", "numeric", "float8")},
    **{(one, "float8"): _number_to_float for one in ("whole", "numeric")},
    **{(one, "numeric"): _number_to_decimal for one in ("whole", "numeric", "float8")},
    ("text", "float8"): _text_to_float,
    ("text", "whole"): _text_to_whole,
    ("text", "numeric"): _text_to_decimal,
    ("text", "bool"): text_to_bool,
    ("text", "date"): _text_to_time,
    ("text", "timestamp"): _text_to_time,
    ("date", "timestamp"): _date_to_timestamp,
    **{(one, "bool"): _plain_cast for one in ("whole", "numeric", "float8")},
    **{("bool", one): _plain_cast for one in ("whole", "numeric", "float8")},
    ("timestamp", "date"): _plain_cast,
    ("timestamptz", "timestamp"): _plain_cast,
    ("timestamptz", "date"): _plain_cast,
    ("timestamp", "timestamptz"): _plain_cast,
    ("interval", "interval"): lambda value, kind: value.sql,
}
