"""Open connections that people hand over: every table they reach, copied, with the keys it declares."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb

from .copies import database_copy
from .keys import DeclaredKeys
from .sqlite_files import read_connection

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["duckdb_keys", "is_connection", "read_open_connection"]

_TABLES = (
    # Of columns: they list tables and views alike.
    "SELECT DISTINCT schema_name, table_name FROM duckdb_columns() WHERE NOT internal AND database_name = {0} "
    "ORDER BY ALL"
)
_KEYS = (
    "SELECT schema_name, table_name, constraint_type, constraint_column_names, referenced_table, "
    "referenced_column_names FROM duckdb_constraints() "
    "WHERE constraint_type IN ('PRIMARY KEY', 'FOREIGN KEY') AND database_name = {0}"
)
_CURRENT = "current_database()"


def is_connection(value: object) -> bool:
    """Whether a value is a connection whose tables can be read here."""
    return isinstance(value, (duckdb.DuckDBPyConnection, sqlite3.Connection))


def read_open_connection(value: Any) -> tuple[dict[str, pa.Table], dict[str, DeclaredKeys]]:
    """The tables and views of a connection, and their declared keys."""
    if isinstance(value, sqlite3.Connection):
        return read_connection(value)
    # The caller's connection may be in the middle of a result, which a query on it would throw away.
    cursor = value.cursor()
    tables = {}
    for schema, table in cursor.execute(_TABLES.format(_CURRENT)).fetchall():
        place = ".".join('"' + part.replace('"', '""') + '"' for part in (schema, table))
        tables[_shown(schema, table)] = cursor.sql(f"SELECT * FROM {place}").to_arrow_table()
    if not tables:
        raise ValueError("the DuckDB connection has no tables; create some, or give data={'name': relation}")
    return tables, _keys(cursor, _CURRENT)


def duckdb_keys(path: str | Path) -> dict[str, DeclaredKeys]:
    """The keys that a DuckDB file declares; none where it cannot be opened, which its reader tells better."""
    try:
        with database_copy(Path(path)) as copy, duckdb.connect(str(copy), read_only=True) as connection:
            return _keys(connection, _CURRENT)
    except (duckdb.Error, ValueError, OSError):
        return {}


def _keys(connection: duckdb.DuckDBPyConnection, database: str) -> dict[str, DeclaredKeys]:
    primary: dict[str, tuple[str, ...]] = {}
    foreign: dict[str, list[tuple[tuple[str, ...], str, tuple[str, ...]]]] = {}
    for schema, table, kind, here, other, there in connection.execute(_KEYS.format(database)).fetchall():
        if kind == "PRIMARY KEY":
            primary[_shown(schema, table)] = tuple(here)
        else:
            foreign.setdefault(_shown(schema, table), []).append((tuple(here), _shown(schema, other), tuple(there)))
    return {name: DeclaredKeys(primary.get(name, ()), tuple(foreign.get(name, ()))) for name in {*primary, *foreign}}


def _shown(schema: str, table: str) -> str:
    return table if schema == "main" else f"{schema}.{table}"
