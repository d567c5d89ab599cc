"""Engine results to canonical Arrow types: string, int64, double, decimal128, bool, timestamp[us], date32."""

from __future__ import annotations

import json
from array import array
from typing import Any

import pyarrow as pa

from ...arrow_compute import pc

__all__ = ["canonical_table"]

_INT64 = pa.int64()
_FEW = 64  # rows that are looked through in less time than it takes Arrow to begin
# The first moment of the year 1 and the last second of 9999, as Arrow counts them: a scalar made here would have
# pyarrow import pandas.
_YEARS = {pa.timestamp("us"): (-62_135_596_800_000_000, 253_402_300_799_000_000), pa.date32(): (-719_162, 2_932_896)}


def canonical_table(table: pa.Table) -> pa.Table:
    """The same rows, every column of one of the seven types; zoned times become naive UTC."""
    columns = [_canonical(column) for column in table.columns]
    if all(new is old for new, old in zip(columns, table.columns, strict=True)):
        return table
    return pa.table(columns, names=table.column_names) if columns else table


def _canonical(column: pa.ChunkedArray) -> pa.ChunkedArray:
    kind = column.type
    if kind in (pa.string(), _INT64, pa.float64(), pa.bool_()):
        return column
    if kind == pa.timestamp("us") or kind == pa.date32():
        return _readable(column)
    if pa.types.is_decimal(kind):
        return _decimal(column)
    if pa.types.is_integer(kind):
        return _decimal(column.cast(pa.decimal128(20, 0))) if kind == pa.uint64() else _whole(column)
    if pa.types.is_floating(kind):
        return column.cast(pa.float64())
    if pa.types.is_timestamp(kind):
        # Nanoseconds are cut off, which safe=True refuses.
        return _readable(column.cast(pa.timestamp("us"), safe=False))
    if pa.types.is_date(kind):
        return _readable(column.cast(pa.date32()))
    if pa.types.is_null(kind):
        # A column of nothing but NULL has no type, which a data frame cannot have.
        return column.cast(pa.string())
    if pa.types.is_dictionary(kind):
        return _canonical(column.cast(kind.value_type))
    if pa.types.is_large_string(kind) or pa.types.is_time(kind):
        return column.cast(pa.string())
    return _text(column)


def _readable(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Times outside the years 1 to 9999 (infinity too) become null: nothing downstream could read them."""
    first, last = _YEARS[column.type]
    if len(column) <= _FEW and all(not each.is_valid or first <= each.value <= last for each in column):
        return column
    bounds = pc.min_max(column)
    least, most = bounds["min"], bounds["max"]
    if not least.is_valid or (least.value >= first and most.value <= last):
        return column
    whole = pa.int32() if column.type == pa.date32() else _INT64
    low, high = (pa.scalar(count, whole).cast(column.type) for count in (first, last))
    inside = pc.and_(pc.greater_equal(column, low), pc.less_equal(column, high))
    return pc.if_else(inside, column, pa.scalar(None, column.type))


def _decimal(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Whole numbers that fit become int64 (an engine's sum of integers is wider than its integers)."""
    if column.type.scale:
        return column if pa.types.is_decimal128(column.type) else column.cast(pa.decimal128(38, column.type.scale))
    if len(column) <= _FEW:
        fits = all(value is None or -(2**63) <= value < 2**63 for value in column.to_pylist())
    else:
        bounds = pc.min_max(column).as_py()
        fits = bounds["min"] is None or (bounds["min"] >= -(2**63) and bounds["max"] < 2**63)
    return _whole(column) if fits else column


def _whole(column: pa.ChunkedArray) -> pa.ChunkedArray:
    if len(column) > _FEW:
        return column.cast(_INT64)
    # By their buffers: an array that is made of values has pyarrow import pandas, and a cast its functions.
    values = column.to_pylist()
    known = sum(1 << place for place, value in enumerate(values) if value is not None)
    held = pa.py_buffer(array("q", [int(value or 0) for value in values]))
    buffers = [pa.py_buffer(known.to_bytes(len(values) // 8 + 1, "little")), held]
    return pa.chunked_array([pa.Array.from_buffers(_INT64, len(values), buffers)])


def _text(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Lists, structs, intervals, bytes: as text, since a data frame column needs one plain type."""
    return pa.chunked_array([pa.array([_as_text(value) for value in column.to_pylist()], pa.string())])


def _as_text(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bytes):
        # Bytes have no place in JSON, and need not be text in any encoding.
        return value.hex()
    if isinstance(value, pa.MonthDayNano):
        return _as_interval(value)
    if isinstance(value, (list, dict)):
        return json.dumps(value, default=str)
    return str(value)


def _as_interval(value: pa.MonthDayNano) -> str:
    """``1 year 2 mons 3 days 04:05:06``, as PostgreSQL writes it."""
    years, months = divmod(abs(value.months), 12)
    sign = "-" if value.months < 0 else ""
    named = [(years, "year", sign), (months, "mon", sign), (abs(value.days), "day", "-" if value.days < 0 else "")]
    words = [f"{minus}{count} {unit}{'' if count == 1 else 's'}" for count, unit, minus in named if count]
    seconds, rest = divmod(abs(value.nanoseconds) // 1000, 1_000_000)
    clock = f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}" + (f".{rest:06d}" if rest else "")
    if value.nanoseconds or not words:
        words.append(("-" if value.nanoseconds < 0 else "") + clock)
    return " ".join(words)
