"""Arrow columns as JSON rows, and the ``column_type`` names both ends agree on.

The conversion is done column by column in Arrow (per-value Python is 5–6 times dearer for timestamps and decimals).
What a JSON reader could get wrong travels as text: integers beyond ±2^53 and every decimal. NaN and the infinities
have no JSON form and become null. Dates and timestamps are ISO text without a zone.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from math import isfinite
from typing import Any

import pyarrow as pa

from ..arrow_compute import pc

__all__ = ["SAFE_INTEGER", "column_type", "json_rows", "json_values", "parse_column_type"]

_SLICE = 2_000
"""Rows that are converted in one go."""

_FEW = 200
"""Rows up to which Python is done before Arrow's functions have begun."""

SAFE_INTEGER = 2**53
"""Integers up to this size, either sign, survive a reader that holds numbers as doubles."""

_DECIMAL = re.compile(r"(?:decimal|numeric)\d*\((\d+),(\d+)\)")
_WITH_WIDTH = re.compile(r"([a-z]+?)(\d*)(?:\(.*\))?(?:tz|withtimezone|withouttimezone)?")
_INTEGERS = {"int", "integer", "bigint", "smallint", "tinyint", "long", "short"}
_NAMES: dict[str, pa.DataType] = {
    "string": pa.string(), "str": pa.string(), "varstr": pa.string(), "varchar": pa.string(), "char": pa.string(),
    "text": pa.string(), "utf": pa.string(), "largeutf": pa.string(), "uuid": pa.string(),
    "double": pa.float64(), "doubleprecision": pa.float64(), "float": pa.float64(), "real": pa.float64(),
    "number": pa.float64(),
    "boolean": pa.bool_(), "bool": pa.bool_(),
    "timestamp": pa.timestamp("us"), "datetime": pa.timestamp("us"), "time": pa.timestamp("us"),
    "date": pa.date32(),
}  # fmt: skip


def column_type(dtype: pa.DataType) -> str:
    """The wire's name of an Arrow type: ``String``, ``Int64``, ``Double``, ``Decimal(p,s)``, ``Boolean``,
    ``Timestamp`` or ``Date``. What has no name of its own travels as text and is a ``String``.
    """
    if pa.types.is_dictionary(dtype):
        return column_type(dtype.value_type)
    if pa.types.is_uint64(dtype):
        return "Decimal(20,0)"
    if pa.types.is_integer(dtype):
        return "Int64"
    if pa.types.is_floating(dtype):
        return "Double"
    if pa.types.is_decimal(dtype):
        return f"Decimal({dtype.precision},{dtype.scale})"
    if pa.types.is_boolean(dtype):
        return "Boolean"
    if pa.types.is_timestamp(dtype):
        return "Timestamp"
    return "Date" if pa.types.is_date(dtype) else "String"


def parse_column_type(name: str) -> pa.DataType | None:
    """The Arrow type of a ``column_type``, in any case and any width; ``None`` for one that is not known.

    A decimal without precision and scale is not known either: only its values tell how many digits they have.
    """
    text = re.sub(r"[\s_]+", "", name).lower()
    if decimal := _DECIMAL.fullmatch(text):
        precision, scale = int(decimal[1]), int(decimal[2])
        return pa.decimal128(precision, scale) if 1 <= precision <= 38 and scale <= precision else None
    match = _WITH_WIDTH.fullmatch(text)
    if match is None:
        return None
    word, width = match[1], match[2]
    if word in {"uint", "uinteger"}:
        return pa.uint64() if width in {"", "64"} else pa.int64()
    return pa.int64() if word in _INTEGERS else _NAMES.get(word)


def json_rows(table: pa.Table, limit: int | None = None) -> list[list[Any]]:
    """The rows of ``table`` (the first ``limit`` of them) as lists of values that JSON carries without loss."""
    if limit is not None:
        table = table.slice(0, limit)
    if not table.num_columns:
        return [[] for _ in range(table.num_rows)]
    columns = [json_values(column) for column in table.columns]
    rows: list[list[Any]] = []
    for start in range(0, table.num_rows, _SLICE):
        rows += map(list, zip(*(values[start : start + _SLICE] for values in columns), strict=True))
    return rows


def json_values(column: pa.ChunkedArray) -> list[Any]:
    """The values of one column as JSON carries them."""
    dtype = column.type
    if pa.types.is_dictionary(dtype):
        return json_values(pc.cast(column, dtype.value_type))
    for matches, convert in _CONVERSIONS:
        if matches(dtype):
            return convert(column)
    return [value if value is None else _text(value) for value in _plain(column)]


def _plain(column: pa.ChunkedArray) -> list[Any]:
    """The values as Python has them, a slice at a time: between slices other threads get the interpreter."""
    values: list[Any] = []
    for start in range(0, len(column), _SLICE):
        values += column.slice(start, _SLICE).to_pylist()
    return values


def _integers(column: pa.ChunkedArray) -> list[Any]:
    if len(column) > _FEW:
        extremes = pc.min_max(column).as_py()
        low, high = extremes["min"] or 0, extremes["max"] or 0
        if low >= -SAFE_INTEGER and high <= SAFE_INTEGER:
            return _plain(column)
    return [v if v is None or -SAFE_INTEGER <= v <= SAFE_INTEGER else str(v) for v in _plain(column)]


def _unsigned(column: pa.ChunkedArray) -> list[Any]:  # a Decimal(20,0) on the wire, so text throughout
    return _plain(pc.cast(column, pa.string()))


def _floats(column: pa.ChunkedArray) -> list[Any]:
    if len(column) <= _FEW:  # what Arrow would do in three steps takes longer to begin than this takes
        return [value if value is None or isfinite(value) else None for value in map(_float, _plain(column))]
    column = pc.cast(column, pa.float64())
    nothing = pa.nulls(1, pa.float64())[0]  # a scalar that is made of a value would have pyarrow import pandas
    return _plain(pc.if_else(pc.is_finite(column), column, nothing))


def _float(value: Any) -> float | None:
    return None if value is None else float(value)


def _decimals(column: pa.ChunkedArray) -> list[Any]:
    text = pc.cast(column, pa.string())
    if pc.any(pc.match_substring(text, "E")).as_py():  # Arrow writes 0.0000001 as 1E-7
        return [value if value is None else format(value, "f") for value in _plain(column)]
    return _plain(text)


def _timestamps(column: pa.ChunkedArray) -> list[Any]:
    if column.type.tz is not None:
        column = pc.local_timestamp(column)
    for unit in ("s", "ms", "us", "ns"):
        try:
            shortest = pc.cast(column, pa.timestamp(unit))
        except pa.ArrowInvalid:  # would lose a fraction of a second
            continue
        break
    return _plain(pc.replace_substring(pc.cast(shortest, pa.string()), " ", "T", max_replacements=1))


def _dates(column: pa.ChunkedArray) -> list[Any]:
    return _plain(pc.cast(pc.cast(column, pa.date32()), pa.string()))


def _text(value: Any) -> str:
    if isinstance(value, bytes):
        return value.hex()
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


_CONVERSIONS: tuple[tuple[Callable[[pa.DataType], bool], Callable[[pa.ChunkedArray], list[Any]]], ...] = (
    (pa.types.is_string, _plain),
    (pa.types.is_uint64, _unsigned),
    (pa.types.is_integer, _integers),
    (pa.types.is_floating, _floats),
    (pa.types.is_decimal, _decimals),
    (pa.types.is_boolean, _plain),
    (pa.types.is_timestamp, _timestamps),
    (pa.types.is_date, _dates),
    (pa.types.is_large_string, _plain),
    (pa.types.is_null, _plain),
)
