"""Data that is handed over (data frames, Arrow tables, files) becomes tables before the engine is locked."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from ..data_files import create_table
from ..sqlite_files import is_sqlite, read_sqlite

__all__ = ["attach_database", "load_data", "quoted"]


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def load_data(connection: duckdb.DuckDBPyConnection, data: Mapping[str, Any]) -> None:
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
        schema, _, table = name.rpartition(".")
        if schema:
            connection.execute(f"CREATE SCHEMA IF NOT EXISTS {quoted(schema)}")
        target = f"{quoted(schema or 'main')}.{quoted(table)}"
        if isinstance(value, (str, Path)):
            _load_file(connection, target, name, Path(value))
        else:
            connection.register("svc_incoming", _arrow(name, value))
            connection.execute(f"CREATE TABLE {target} AS SELECT * FROM svc_incoming")
            connection.unregister("svc_incoming")


def _load_file(connection: duckdb.DuckDBPyConnection, target: str, name: str, path: Path) -> None:
    if not path.exists():
        raise ValueError(f"data '{name}': there is no file '{path}'")
    try:
        create_table(connection, target, path)
    except ValueError as error:
        raise ValueError(f"data '{name}': {error}") from None


def _arrow(name: str, value: Any) -> pa.Table:
    if isinstance(value, pa.Table):
        return value
    if hasattr(value, "__arrow_c_stream__"):
        return pa.table(value)
    if hasattr(value, "columns") and hasattr(value, "iloc"):
        return pa.Table.from_pandas(value, preserve_index=False)
    if isinstance(value, Mapping):
        return pa.table(dict(value))
    raise ValueError(f"data '{name}': expected a data frame, an Arrow table or a file name, got {type(value).__name__}")


def attach_database(connection: duckdb.DuckDBPyConnection, path: str | Path, alias: str) -> None:
    """Attach a DuckDB file for reading only.

    Raises
    ------
    ValueError
        If there is no such file (attaching would otherwise make an empty one), or it is no DuckDB database.
    """
    file = Path(path)
    if not file.exists():
        raise ValueError(f"there is no database file '{file}'")
    literal = str(file).replace("'", "''")
    try:
        connection.execute(f"ATTACH '{literal}' AS {quoted(alias)} (READ_ONLY)")
    except duckdb.Error as error:
        reason = str(error).partition("Error: ")[2] or str(error)
        raise ValueError(f"'{file}' cannot be opened as a DuckDB or SQLite database: {reason}") from None
