"""Result rows as typed Arrow columns.

The type of every column comes from ``column_type``, never from guessing at values. What is not known, or does not fit
its type, stays as the objects that came and is reported; it never breaks the rest.

Rows that come as JSON take a short cut where that is provably the same: compact rows of plain scalars without a
backslash are CSV once ``],[`` is a line break, and Arrow's CSV reader is several times faster than JSON to lists to
columns. Where the proof fails (a bracket or brace within a text, an escape, an unknown type) the plain way is gone.
"""

from __future__ import annotations

import datetime as dt
import decimal
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.csv

from ..arrow_compute import pc
from ..protocol.rows import json_values, parse_column_type
from ..protocol.tools import Column

__all__ = ["Rows", "read_rows", "rows_of_table", "wire_rows"]

_CSV_FROM = 4096
"""Bytes from which the CSV short cut pays."""

Values = Any  # a pa.ChunkedArray, or a list of objects


class Rows(msgspec.Struct, frozen=True):
    """Columns by position: Arrow data, or a list of objects where the type is unknown or not kept to."""

    names: tuple[str, ...]
    columns: tuple[Any, ...]
    problems: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.columns[0]) if self.columns else 0

    def first(self, count: int) -> Rows:
        """The first rows, over the same memory."""
        return Rows(self.names, tuple(values[:count] for values in self.columns), self.problems)


def rows_of_table(table: pa.Table) -> Rows:
    return Rows(tuple(table.column_names), tuple(table.columns))


def wire_rows(rows: Rows) -> list[list[Any]]:
    """The rows as lists of values that JSON carries without loss."""
    columns = [values if isinstance(values, list) else json_values(values) for values in rows.columns]
    return list(map(list, zip(*columns, strict=True)))


def read_rows(columns: Sequence[Column], data: bytes | Sequence[Any]) -> Rows:
    """Rows from JSON bytes (one array of rows) or from decoded rows (lists or objects), typed by ``columns``."""
    types = [parse_column_type(column.column_type) for column in columns]
    names = tuple(column.name for column in columns)
    if isinstance(data, bytes):
        if len(data) >= _CSV_FROM and (quick := _by_csv(names, types, data)) is not None:
            return quick
        data = _decoded(data)
    by_column = _transposed(names, data)
    read = [_typed(name, values, kind) for name, values, kind in zip(names, by_column, types, strict=True)]
    problems = (_uneven(len(names), data), *(problem for _, problem in read))
    return Rows(names, tuple(values for values, _ in read), tuple(filter(None, problems)))


# JSON rows by way of CSV


def _by_csv(names: Sequence[str], types: Sequence[pa.DataType | None], data: bytes) -> Rows | None:
    """The rows, or None where reading them as CSV is not provably the same as reading them as JSON."""
    # Escapes and objects mean something else in CSV.
    if any(kind is None for kind in types) or b"\\" in data or b"{" in data:
        return None
    try:
        compact = msgspec.json.format(data, indent=-1)  # also proves that it is valid JSON
    except msgspec.DecodeError:
        return None
    if not compact.startswith(b"[[") or not compact.endswith(b"]]"):
        return None
    # Same length, so a plain copy: every row gets an empty field before and after it.
    text = b"".join((b",", compact[2:-2].replace(b"],[", b",\n,"), b","))
    if b"[" in text or b"]" in text:
        return None  # a bracket within a text, a nested array
    keys = [str(place) for place in range(len(names))]
    try:
        # Arrow has no reader of JSON arrays; its CSV reader makes columns of them several times faster than Python
        # objects do.
        table = pa.csv.read_csv(
            pa.BufferReader(text),
            read_options=pa.csv.ReadOptions(column_names=["before", *keys, "after"], block_size=1 << 19),
            parse_options=pa.csv.ParseOptions(newlines_in_values=False, ignore_empty_lines=False),
            convert_options=pa.csv.ConvertOptions(
                column_types=dict(zip(keys, types, strict=True)), include_columns=keys, null_values=["null"],
                true_values=["true"], false_values=["false"], strings_can_be_null=True,
                quoted_strings_can_be_null=False,
            ),
        )  # fmt: skip
    except pa.ArrowInvalid:
        return None
    if table.num_rows != _line_breaks(text) + 1:
        return None  # "],[" within a text
    return Rows(tuple(names), tuple(table.columns))


def _line_breaks(text: bytes) -> int:
    import numpy as np

    return int(np.count_nonzero(np.frombuffer(text, np.uint8) == ord("\n")))


# JSON rows the plain way


def _decoded(data: bytes) -> Any:
    try:
        return msgspec.json.decode(data)
    except msgspec.DecodeError:
        return json.loads(data)  # NaN and Infinity, which some services write


def _transposed(names: Sequence[str], rows: Sequence[Any]) -> list[Sequence[Any]]:
    """Rows as columns. A row may be an array or an object; one that is too short is filled with nulls."""
    if not rows:
        return [[] for _ in names]
    width = len(names)
    even = [row if isinstance(row, list) and len(row) == width else _row(names, row) for row in rows]
    return list(zip(*even, strict=True))


def _uneven(width: int, rows: Sequence[Any]) -> str | None:
    count = sum(isinstance(row, (list, tuple)) and len(row) != width for row in rows)
    if not count:
        return None
    which = "1 row has" if count == 1 else f"{count:,} rows have"
    return f"{which} more or fewer cells than the {width} columns: missing cells are null, surplus ones are left out"


def _row(names: Sequence[str], row: Any) -> list[Any]:
    if isinstance(row, Mapping):
        return [row.get(name) for name in names]
    values = list(row) if isinstance(row, (list, tuple)) else [row]
    return (values + [None] * len(names))[: len(names)]


def _typed(name: str, values: Sequence[Any], kind: pa.DataType | None) -> tuple[Values, str | None]:
    if kind is None:
        return list(values), None
    try:
        return _converter(kind)(values, kind), None
    except (pa.ArrowException, ValueError, TypeError, decimal.InvalidOperation, OverflowError):
        return list(values), f"column {name!r} does not keep to its type {kind}; its values are left as they came"


def _converter(kind: pa.DataType) -> Callable[[Sequence[Any], pa.DataType], pa.ChunkedArray]:
    if pa.types.is_integer(kind):
        return _integers
    if pa.types.is_floating(kind):
        return _floats
    if pa.types.is_decimal(kind):
        return _decimals
    if pa.types.is_boolean(kind):
        return _booleans
    if pa.types.is_timestamp(kind):
        return _timestamps
    return _dates if pa.types.is_date(kind) else _strings


def _chunked(values: Iterable[Any], kind: pa.DataType) -> pa.ChunkedArray:
    return pa.chunked_array([pa.array(values, kind)])


def _integers(values: Sequence[Any], kind: pa.DataType) -> pa.ChunkedArray:
    if all(type(value) is int or value is None for value in values):
        return _chunked(values, kind)
    return _chunked([None if value is None else _integer(value) for value in values], kind)


def _integer(value: Any) -> int:
    # True would pass for 1.
    if isinstance(value, bool) or (isinstance(value, float) and not value.is_integer()):
        raise ValueError(value)
    return int(value)


def _floats(values: Sequence[Any], kind: pa.DataType) -> pa.ChunkedArray:
    return _chunked([None if value is None else _float(value) for value in values], kind)


def _float(value: Any) -> float:
    if isinstance(value, bool):
        raise TypeError(value)
    return float(value)


def _decimals(values: Sequence[Any], kind: pa.DataType) -> pa.ChunkedArray:
    return _chunked([None if value is None else decimal.Decimal(str(value)) for value in values], kind)


def _booleans(values: Sequence[Any], kind: pa.DataType) -> pa.ChunkedArray:
    return _chunked([None if value is None else _BOOLEANS[str(value).lower()] for value in values], kind)


class _Booleans(dict[str, bool]):
    def __missing__(self, key: str) -> bool:
        raise ValueError(key)


_BOOLEANS = _Booleans({"true": True, "false": False, "1": True, "0": False, "t": True, "f": False})


def _timestamps(values: Sequence[Any], kind: pa.DataType) -> pa.ChunkedArray:
    try:
        return _chunked(values, pa.string()).cast(kind)
    except (pa.ArrowInvalid, pa.ArrowTypeError):  # with a zone, or in a form that only Python reads
        return _chunked([None if value is None else _instant(value) for value in values], kind)


def _instant(value: str) -> dt.datetime:
    instant = dt.datetime.fromisoformat(value)
    return instant if instant.tzinfo is None else instant.astimezone(dt.UTC).replace(tzinfo=None)


def _dates(values: Sequence[Any], kind: pa.DataType) -> pa.ChunkedArray:
    try:
        return _chunked(values, pa.string()).cast(kind)
    except pa.ArrowInvalid:
        instants = _timestamps(values, pa.timestamp("us"))
        return pc.cast(instants, kind)  # fails, as it should, where there is a time of day


def _strings(values: Sequence[Any], kind: pa.DataType) -> pa.ChunkedArray:
    if all(type(value) is str or value is None for value in values):
        return _chunked(values, kind)
    return _chunked([value if value is None or type(value) is str else json.dumps(value) for value in values], kind)
