"""Excel and OpenDocument workbooks: a table for each sheet that has one."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import pyarrow as pa

from .frames import arrow_table
from .grids import table_in

__all__ = ["WORKBOOKS", "is_workbook", "read_workbook"]

WORKBOOKS = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")


def is_workbook(path: str | Path) -> bool:
    """Whether a file's name says that it is a workbook."""
    return Path(path).suffix.lower() in WORKBOOKS


def read_workbook(path: str | Path, remarks: list[str] | None = None) -> dict[str, pa.Table]:
    """Every sheet with a table in it, by the sheet's name; by the file's name where only one has.

    Lines above a sheet's header and totals below its rows are left out, which ``remarks`` tells.

    Raises
    ------
    ValueError
        If the reader is not installed, the file is no workbook, or no sheet holds a table.
    """
    file, told = Path(path), remarks if remarks is not None else []
    try:
        from python_calamine import CalamineError, CalamineWorkbook
    except ImportError:
        raise ValueError(
            f"'{file.name}' is a workbook: pip install \"svc-notebook[excel]\" to read it, or save its sheets as CSV"
        ) from None
    try:
        book = CalamineWorkbook.from_path(str(file))
        sheets = {name: book.get_sheet_by_name(name).to_python() for name in book.sheet_names}
    except (CalamineError, OSError, ValueError) as error:
        raise ValueError(
            f"'{file.name}' cannot be read: it is no workbook, or a damaged one ({error}); save the sheet as CSV"
        ) from None
    tables: dict[str, pa.Table] = {}
    for name, rows in sheets.items():
        found = table_in(f"{file.name}, sheet '{name}'", rows, told)
        if found is not None:
            tables[name] = arrow_table(name, {c: list(map(_value, v)) for c, v in found.items()}, told)
    if not tables:
        raise ValueError(f"'{file.name}' has no sheet with a table: a line of names with values below it")
    return tables if len(tables) > 1 else {_stem(file): next(iter(tables.values()))}


def _stem(file: Path) -> str:
    return file.stem.replace(".", "_") or file.name


def _value(value: Any) -> Any:
    """A cell; whole numbers come as floats from some workbooks, days as midnights from others."""
    if isinstance(value, str):
        return value.strip() or None
    # Up to 2^53 a double holds every whole number.
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    if isinstance(value, dt.timedelta):
        return value.total_seconds()
    return str(value) if isinstance(value, dt.time) else value
