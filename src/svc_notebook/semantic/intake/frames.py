"""Tables in memory, of whichever library, as Arrow tables with names and types that an engine can hold."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

__all__ = ["arrow_table", "is_frame"]

_SEVERAL = "holds values of several kinds"


def is_frame(value: object) -> bool:
    """Whether a value is a table by itself: a data frame, a series, an Arrow table, a query's result."""
    return any(
        # On the type: a mock, or an object with __getattr__, has every attribute.
        hasattr(type(value), mark)
        for mark in ("__arrow_c_stream__", "iloc", "collect_schema", "to_arrow_table", "to_table", "__dataframe__")
    )


def arrow_table(name: str, value: Any, remarks: list[str] | None = None) -> pa.Table:
    """A table-like value as an Arrow table; what had to be changed for it is appended to ``remarks``.

    Raises
    ------
    ValueError
        If it is no table, or one without columns; the message says what to give instead.
    """
    told = remarks if remarks is not None else []
    table = _as_arrow(name, value, told)
    if not table.column_names:
        raise ValueError(f"data '{name}' has no columns")
    return _named_apart(name, table, told)


def _as_arrow(name: str, value: Any, told: list[str]) -> pa.Table:
    if isinstance(value, pa.Table):
        return value
    if isinstance(value, pa.RecordBatch):
        return pa.Table.from_batches([value])
    if hasattr(value, "iloc"):
        return _of_pandas(name, value, told)
    if hasattr(value, "collect_schema") and hasattr(value, "collect"):  # a lazy frame of Polars
        value = value.collect()
    if hasattr(value, "__arrow_c_stream__"):
        return pa.table(value)
    for method in ("to_arrow_table", "to_table"):  # a DuckDB relation; an Arrow dataset
        if hasattr(value, method):
            return getattr(value, method)()
    if hasattr(value, "__dataframe__"):
        from pyarrow import interchange

        return interchange.from_dataframe(value)
    if isinstance(value, Mapping):
        return _of_columns(name, value, told)
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        return _of_rows(name, value, told)
    names = getattr(getattr(value, "dtype", None), "names", None)
    if names:  # a structured array of numpy
        return pa.table({column: value[column] for column in names})
    raise ValueError(f"data '{name}': expected a data frame, an Arrow table or a file name, got {_kind(value)}")


def _kind(value: object) -> str:
    if hasattr(value, "read"):
        return f"{type(value).__name__}; read it first: pandas.read_csv(file)"
    if type(value).__module__ == "numpy":
        return "an array without column names; write pandas.DataFrame(array, columns=['a', 'b'])"
    return type(value).__name__


def _of_columns(name: str, value: Mapping[Any, Any], told: list[str]) -> pa.Table:
    lengths = {}
    for column, values in value.items():
        if isinstance(values, (str, bytes)) or not hasattr(values, "__len__"):
            raise ValueError(
                f"data '{name}': column '{column}' is {type(values).__name__}, not a list of values; "
                f"give {{'{column}': [...]}}"
            )
        lengths[str(column)] = len(values)
    if len(set(lengths.values())) > 1:
        said = ", ".join(f"{column} {count}" for column, count in list(lengths.items())[:5])
        raise ValueError(f"data '{name}': the columns are of different lengths ({said})")
    return pa.Table.from_arrays(
        [_column(name, str(column), values, told) for column, values in value.items()], list(map(str, value))
    )


def _of_rows(name: str, rows: Sequence[Any], told: list[str]) -> pa.Table:
    """A list of mappings, each a row; a column that some rows lack is empty there."""
    wrong = next((row for row in rows if not isinstance(row, Mapping)), None)
    if wrong is not None or not rows:
        got = "an empty list" if not rows else f"a list of {type(wrong).__name__}"
        raise ValueError(f"data '{name}': got {got}; give a list of dicts, one a row: [{{'country': 'France'}}, …]")
    columns = list(dict.fromkeys(key for row in rows for key in row))
    return pa.Table.from_arrays(
        [_column(name, str(key), [row.get(key) for row in rows], told) for key in columns], list(map(str, columns))
    )


def _of_pandas(name: str, value: Any, told: list[str]) -> pa.Table:
    """With its index as columns where that says something: it is named, or no mere count of the rows."""
    frame = value if hasattr(value, "columns") else value.to_frame(value.name if value.name is not None else "value")
    index = frame.index
    # Texts and times as an index say something; numbers without a name are left over from filtering.
    if type(index).__name__ != "RangeIndex" and (any(n is not None for n in index.names) or index.dtype.kind in "OMm"):
        # The index may be named as one of the columns; names are told apart later.
        frame = frame.reset_index(allow_duplicates=True)
    names = [_flat(column) for column in frame.columns]
    arrays = [_column(name, column, frame.iloc[:, at], told) for at, column in enumerate(names)]
    return pa.Table.from_arrays(arrays, names)


def _flat(column: object) -> str:
    if isinstance(column, tuple):
        return "_".join(str(part) for part in column if str(part))
    return str(column)


def _column(table: str, name: str, values: Any, told: list[str]) -> pa.Array | pa.ChunkedArray:
    try:
        # from_pandas: NaN is a missing value.
        array = pa.array(values, from_pandas=True)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        array = _of_mixed(table, name, list(values), told)
    if isinstance(array, pa.ChunkedArray):
        array = array.combine_chunks()
    # Categories of pandas: what they stand for is what counts.
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    if isinstance(array, pa.ExtensionArray):  # periods, geometries: what they are written as
        array = pa.array([None if v is None else str(v) for v in values], pa.string())
    # A column in which nothing stands has no type that DuckDB could keep.
    return array.cast(pa.string()) if pa.types.is_null(array.type) else array


def _of_mixed(table: str, name: str, values: list[Any], told: list[str]) -> pa.Array:
    """Values of several kinds: numbers together, dates together, everything else as text, which is told."""
    plain = [None if _is_missing(value) else value for value in values]
    kinds = {type(value) for value in plain if value is not None}
    # Also for whole numbers past 64 bits, on which Arrow gave up.
    if kinds <= {int, float}:
        return pa.array([None if v is None else float(v) for v in plain], pa.float64())
    if kinds and kinds <= {dt.date, dt.datetime}:
        return pa.array([_moment(v) for v in plain], pa.timestamp("us"))
    if len(kinds) > 1:
        told.append(f"{table}.{name} {_SEVERAL} ({', '.join(sorted(k.__name__ for k in kinds))}) and is read as text")
    return pa.array([None if v is None else str(v) for v in plain], pa.string())


def _is_missing(value: Any) -> bool:
    # By the names, so that pandas is not imported for it. NaN is what differs from itself.
    return value is None or type(value).__name__ in ("NAType", "NaTType") or bool(value != value)


def _moment(value: dt.date | None) -> dt.datetime | None:
    if value is None or isinstance(value, dt.datetime):
        return value
    return dt.datetime(value.year, value.month, value.day)


def _named_apart(name: str, table: pa.Table, told: list[str]) -> pa.Table:
    """Column names are text, not empty, and differ in more than case, as an engine has them."""
    given: list[str] = []
    counted: Counter[str] = Counter()
    for at, column in enumerate(table.column_names):
        wanted = str(column).replace("\0", "").strip() or f"column_{at + 1}"
        shown, number = wanted, 2
        while counted[shown.lower()]:
            shown, number = f"{wanted}_{number}", number + 1
        counted[shown.lower()] += 1
        if shown != wanted:
            told.append(f"{name} has two columns named '{wanted}'; the later one is '{shown}'")
        given.append(shown)
    return table if given == table.column_names else table.rename_columns(given)
