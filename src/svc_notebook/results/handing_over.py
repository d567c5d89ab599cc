"""A result as the tables of other libraries; each is imported when it is asked for."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from .rows import Rows

if TYPE_CHECKING:
    from .result import Result

__all__ = ["to_arrow", "to_duckdb", "to_excel", "to_polars"]

# What Excel takes: rows of a sheet, head included, and characters of a cell.
_SHEET_ROWS = 1_048_576
_SHEET_CHARS = 32_767


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
    if len(result) >= _SHEET_ROWS:
        raise ValueError(
            f"a sheet holds {_SHEET_ROWS - 1:,} rows, and here are {len(result):,}: to_arrow() has no limit"
        )
    # Row by row to the disk; a text stays a text, whatever it begins with.
    book = _wanted("xlsxwriter", "to_excel").Workbook(
        str(target), {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    )
    with book:
        styles = {"date": book.add_format({"num_format": "yyyy-mm-dd"})}
        styles["time"] = book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"})
        head = book.add_format({"bold": True})
        sheet = book.add_worksheet("rows")
        sheet.freeze_panes(1, 0)
        table = result.to_arrow()
        sheet.write_row(0, 0, [column.title or column.name for column in result.schema], head)
        kinds = [_kind(field.type) for field in table.schema]
        number = 0
        for batch in table.to_batches(max_chunksize=10_000):
            for row in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                number += 1
                for place, (value, kind) in enumerate(zip(row, kinds, strict=True)):
                    _write(sheet, number, place, value, kind, styles)
        evidence = book.add_worksheet("evidence")
        for line, pair in enumerate(result.about().items()):
            evidence.write_row(line, 0, [part[:_SHEET_CHARS] for part in pair])
    return target


def _write(sheet: Any, row: int, place: int, value: Any, kind: str, styles: dict[str, Any]) -> None:
    if value is None:
        return
    # Excel's calendar begins there.
    if kind in styles and getattr(value, "year", 0) >= 1900:
        sheet.write_datetime(row, place, value, styles[kind])
    # A sheet's numbers are doubles; NaN, which is not equal to itself, it does not have.
    elif kind == "number" and abs(value) < 2**53 and value == value:
        sheet.write_number(row, place, value)
    elif kind == "boolean":
        sheet.write_boolean(row, place, value)
    else:  # as text: also what begins with '=' and would else be run
        sheet.write_string(row, place, str(value)[:_SHEET_CHARS])


def _kind(of: pa.DataType) -> str:
    if pa.types.is_date(of):
        return "date"
    if pa.types.is_timestamp(of):
        return "time"
    if pa.types.is_boolean(of):
        return "boolean"
    return "number" if pa.types.is_integer(of) or pa.types.is_floating(of) or pa.types.is_decimal(of) else "text"


def _arrow(values: Any) -> pa.ChunkedArray:
    if isinstance(values, list):
        return pa.chunked_array([pa.array([None if value is None else str(value) for value in values], pa.string())])
    return values if isinstance(values, pa.ChunkedArray) else pa.chunked_array([values])


def _wanted(module: str, method: str) -> Any:
    try:
        return import_module(module)
    except ImportError:
        raise ModuleNotFoundError(f"{method}() wants the package {module}: pip install {module}", name=module) from None
