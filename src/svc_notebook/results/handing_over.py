"""A result as the tables of other libraries; each is imported when it is asked for."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from .rows import Rows
from .workbook_file import SHEET_ROWS, workbook_parts

if TYPE_CHECKING:
    from .result import Result

__all__ = ["to_arrow", "to_duckdb", "to_excel", "to_polars"]

# Rows that are put into a workbook at once.
_PART = 10_000


def to_arrow(rows: Rows, about: dict[str, str]) -> pa.Table:
    """The columns as Arrow holds them; a column of several types as text."""
    columns = [_arrow(values) for values in rows.columns]
    fields = [pa.field(name, column.type) for name, column in zip(rows.names, columns, strict=True)]
    return pa.Table.from_arrays(columns, schema=pa.schema(fields, metadata=about))


def to_polars(table: pa.Table) -> Any:
    """A polars DataFrame over the same memory where that can be."""
    return _wanted("polars", "to_polars").from_arrow(table)


def to_duckdb(table: pa.Table, connection: Any, name: str) -> Any:
    """A DuckDB relation; with a ``connection`` a view of it too."""
    duckdb = _wanted("duckdb", "to_duckdb")
    if connection is None:
        return duckdb.connect().from_arrow(table)
    connection.register(name, table)
    return connection.table(name)


def to_excel(result: Result, path: str | Path) -> Path:
    """A workbook: the rows on one sheet, what is behind them on another.

    Raises
    ------
    ValueError
        There are more rows than a sheet holds, or the file is not called ``….xlsx``.
    """
    target = Path(path)
    if target.suffix.lower() != ".xlsx":
        raise ValueError(f"to_excel() writes a workbook: call it '{target.with_suffix('.xlsx').name}'")
    if len(result) > SHEET_ROWS:
        raise ValueError(f"a sheet holds {SHEET_ROWS:,} rows, and here are {len(result):,}: to_arrow() has no limit")
    table = result.to_arrow().rename_columns([column.title or column.name for column in result.schema])
    parts = (pa.Table.from_batches([batch]) for batch in table.to_batches(max_chunksize=_PART))
    # Beside it and then in its place: a workbook that breaks off is none.
    unfinished = target.with_name(f"{target.name}.part")
    try:
        with unfinished.open("wb") as file:
            file.writelines(workbook_parts(table.schema, parts, result.about()))
        return unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)


def _arrow(values: Any) -> pa.ChunkedArray:
    if isinstance(values, list):
        return pa.chunked_array([pa.array([None if value is None else str(value) for value in values], pa.string())])
    return values if isinstance(values, pa.ChunkedArray) else pa.chunked_array([values])


def _wanted(module: str, method: str) -> Any:
    try:
        return import_module(module)
    except ImportError:
        raise ModuleNotFoundError(f"{method}() wants the package {module}: pip install {module}", name=module) from None
