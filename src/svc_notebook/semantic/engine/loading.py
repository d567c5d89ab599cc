"""Data that is handed over (data frames, Arrow tables, files) becomes tables before the engine is locked."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import duckdb

from ..intake.copies import database_copy
from ..intake.data_files import create_table
from ..intake.frames import arrow_table
from ..intake.sqlite_files import is_sqlite, read_sqlite
from ..intake.workbooks import is_workbook, read_workbook

__all__ = ["attach_database", "load_data", "quoted"]


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def load_data(connection: duckdb.DuckDBPyConnection, data: Mapping[str, Any], remarks: list[str] | None = None) -> None:
    """Copy every entry into a table of its name (``schema.table`` makes the schema); SQLite files bring their own.

    Raises
    ------
    ValueError
        If a value is neither a table-like object nor a readable file.
    """
    for name, value in data.items():
        if isinstance(value, (str, Path)) and is_sqlite(value):
            load_data(connection, read_sqlite(value))
            continue
        if isinstance(value, (str, Path)) and is_workbook(value) and Path(value).is_file():
            sheets = read_workbook(value)
            load_data(connection, sheets if len(sheets) > 1 else {name: next(iter(sheets.values()))})
            continue
        schema, _, table = name.rpartition(".")
        if schema:
            connection.execute(f"CREATE SCHEMA IF NOT EXISTS {quoted(schema)}")
        target = f"{quoted(schema or 'main')}.{quoted(table)}"
        if isinstance(value, (str, Path)):
            _load_file(connection, target, name, Path(value), remarks)
        else:
            # Copied and not scanned in place: whoever gave the frame may change it under a running query.
            connection.register("svc_incoming", arrow_table(name, value))
            connection.execute(f"CREATE TABLE {target} AS SELECT * FROM svc_incoming")
            connection.unregister("svc_incoming")


def _load_file(
    connection: duckdb.DuckDBPyConnection, target: str, name: str, path: Path, remarks: list[str] | None
) -> None:
    if not path.exists():
        raise ValueError(f"data '{name}': there is no file '{path}'")
    try:
        create_table(connection, target, path, remarks=remarks)
    except ValueError as error:
        raise ValueError(f"data '{name}': {error}") from None


def attach_database(connection: duckdb.DuckDBPyConnection, path: str | Path, alias: str) -> None:
    """Attach a copy of a DuckDB file for reading only: whoever writes the file goes on, and what is read stays.

    Raises
    ------
    ValueError
        If there is no such file (attaching would otherwise make an empty one), no copy of it can be made, or it is no
        DuckDB database.
    """
    file = Path(path)
    if not file.exists():
        raise ValueError(f"there is no database file '{file}'")
    with database_copy(file) as copy:
        # ATTACH takes no parameters.
        literal = str(copy).replace("'", "''")
        try:
            connection.execute(f"ATTACH '{literal}' AS {quoted(alias)} (READ_ONLY)")
        except duckdb.Error as error:
            reason = (str(error).partition("Error: ")[2] or str(error)).replace(str(copy), file.name)
            raise ValueError(f"'{file}' cannot be opened as a DuckDB or SQLite database: {reason}") from None
