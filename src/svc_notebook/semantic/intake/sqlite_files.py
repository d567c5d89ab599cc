"""SQLite files through Python's own reader: DuckDB's extension for them would have to be downloaded."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .keys import DeclaredKeys

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["is_sqlite", "read_connection", "read_sqlite", "sqlite_keys"]

_MAGIC = b"SQLite format 3\0"


def is_sqlite(path: str | Path) -> bool:
    """Whether a file is an SQLite database, by its first bytes."""
    try:
        with Path(path).open("rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return False


def read_sqlite(path: str | Path) -> dict[str, pa.Table]:
    """Every table of an SQLite file as an Arrow table.

    Columns take the type of their values: SQLite lets a column hold several, which then become text.

    Raises
    ------
    ValueError
        If the file is no SQLite database, or a damaged one.
    """
    with closing(_open(path)) as connection:
        try:
            connection.execute("BEGIN")  # all tables as of one moment, whoever writes
            return _tables(connection)
        except sqlite3.DatabaseError as error:
            raise ValueError(f"'{Path(path).name}' cannot be read as SQLite: {error}") from None


def sqlite_keys(path: str | Path) -> dict[str, DeclaredKeys]:
    """The declared keys of every table."""
    with closing(_open(path)) as connection:
        return {name: _keys(connection, name) for name in _names(connection)}


def read_connection(connection: sqlite3.Connection) -> tuple[dict[str, pa.Table], dict[str, DeclaredKeys]]:
    """The tables of an open connection, and their declared keys.

    Raises
    ------
    ValueError
        If it has no tables.
    """
    names = _names(connection)
    if not names:
        raise ValueError("the SQLite connection has no tables")
    return _tables(connection), {name: _keys(connection, name) for name in names}


def _tables(connection: sqlite3.Connection) -> dict[str, pa.Table]:
    import pyarrow as pa

    return {name: _table(connection, name, pa) for name in _names(connection)}


def _open(path: str | Path) -> sqlite3.Connection:
    # A URI, for mode=ro alone makes no file where there is none.
    connection = sqlite3.connect(f"{Path(path).resolve().as_uri()}?mode=ro", uri=True)
    # SQLite checks no encoding, and one bad letter would lose the whole table.
    connection.text_factory = lambda data: data.decode("utf-8", "replace")
    return connection


def _names(connection: sqlite3.Connection) -> list[str]:
    listed = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    return [row[0] for row in listed if not row[0].startswith("sqlite_")]


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _keys(connection: sqlite3.Connection, name: str) -> DeclaredKeys:
    columns = connection.execute(f"PRAGMA table_info({_quoted(name)})").fetchall()
    # The sixth field is the column's place in the primary key, 0 for none.
    primary = tuple(row[1] for row in sorted((row for row in columns if row[5]), key=lambda row: row[5]))
    foreign: dict[int, list[tuple[Any, ...]]] = {}
    for row in connection.execute(f"PRAGMA foreign_key_list({_quoted(name)})"):
        foreign.setdefault(row[0], []).append(row)
    found = []
    for rows in foreign.values():
        ordered = sorted(rows, key=lambda row: row[1])
        # REFERENCES without columns means the primary key.
        target = tuple(row[4] for row in ordered if row[4]) or _keys(connection, ordered[0][2]).primary_key
        if len(target) == len(ordered):
            found.append((tuple(row[3] for row in ordered), str(ordered[0][2]), target))
    return DeclaredKeys(primary, tuple(found))


def _table(connection: sqlite3.Connection, name: str, pa: Any) -> pa.Table:
    cursor = connection.execute(f"SELECT * FROM {_quoted(name)}")
    names = [item[0] for item in cursor.description]
    columns: Sequence[Sequence[Any]] = list(zip(*cursor.fetchall(), strict=True)) or [[] for _ in names]
    declared = {row[1]: str(row[2]).upper() for row in connection.execute(f"PRAGMA table_info({_quoted(name)})")}
    return pa.table({n: _column(list(c), declared.get(n, ""), pa) for n, c in zip(names, columns, strict=True)})


def _column(values: list[Any], declared: str, pa: Any) -> Any:
    kinds = {type(value) for value in values if value is not None}
    # SQLite has no booleans, only columns that are declared so.
    if kinds == {int} and "BOOL" in declared and {0, 1, None} >= set(values):
        return pa.array([None if value is None else bool(value) for value in values], pa.bool_())
    if kinds == {int}:
        return pa.array(values, pa.int64())
    if kinds and kinds <= {int, float}:
        return pa.array([None if value is None else float(value) for value in values], pa.float64())
    # The words by which SQLite itself tells a column's affinity; an empty column has nothing else.
    if not kinds and any(word in declared for word in ("INT", "REAL", "NUM", "DEC", "DOUB", "FLOA")):
        return pa.array(values, pa.int64() if "INT" in declared else pa.float64())
    if not kinds and any(word in declared for word in ("DATE", "TIME")):
        return pa.array(values, pa.timestamp("us"))
    return pa.array([None if value is None else _text(value) for value in values], pa.string())


def _text(value: Any) -> str:
    return value.hex() if isinstance(value, bytes) else str(value)
