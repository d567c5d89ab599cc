"""Opening sources to look into them: files, databases, data frames, or an engine that has the tables already."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import duckdb

from ..dialects.nodes import statement
from ..intake.data_files import create_table
from ..intake.frames import arrow_table
from ..intake.keys import DeclaredKeys
from ..intake.sqlite_files import is_sqlite, read_sqlite, sqlite_keys
from ..intake.workbooks import is_workbook, read_workbook
from .tables import Column, Database, KnownJoin, Table

if TYPE_CHECKING:
    from ..engine.base import Engine

__all__ = ["Looker", "looking_into", "quoted"]

_DUCKDB = (".duckdb", ".ddb")
_SQLITE = (".sqlite", ".sqlite3", ".db3")


class Looker(Protocol):
    """Somebody who can look at the tables."""

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """Run a query of our own making."""

    def place(self, table: str) -> str:
        """A table as it is written after FROM."""


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


@contextmanager
def looking_into(
    sources: Mapping[str, Any],
    engine: Engine | None,
    keys: Mapping[str, DeclaredKeys] | None = None,
    remarks: list[str] | None = None,
) -> Iterator[tuple[Database, Looker]]:
    """The tables of all sources and a way to look at them, for the time of the block."""
    if engine is not None:
        yield _described(engine, keys or {}), _EngineLooker(engine)
        return
    # Or a table that is not there would be looked for among the variables of the caller.
    with closing(duckdb.connect(config={"python_enable_replacements": "false"})) as connection:
        connection.execute("SET enable_progress_bar = false")
        looker = _FileLooker(connection)
        for name, source in sources.items():
            looker.add(name, source)
        if remarks is not None:
            remarks += looker.remarks
        yield Database(tuple(looker.tables), tuple(looker.joins)), looker


def _described(engine: Engine, keys: Mapping[str, DeclaredKeys]) -> Database:
    none = DeclaredKeys()
    tables = [
        Table(name, tuple(Column(column, kind) for column, kind in columns.items()), keys.get(name, none).primary_key)
        for name, columns in engine.describe().items()
    ]
    names = {table.name for table in tables}
    joins = [
        KnownJoin(table.name, here, other, there)
        for table in tables
        for here, other, there in keys.get(table.name, none).foreign_keys
        if other in names
    ]
    return Database(tuple(tables), tuple(joins))


class _EngineLooker:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        table = self._engine.execute(self._engine.lowered(statement(sql), {}), {})
        return list(zip(*(column.to_pylist() for column in table.columns), strict=True))

    def place(self, table: str) -> str:
        schema, _, name = table.rpartition(".")
        return ".".join(quoted(part) for part in self._engine.qualify(schema or None, name))


class _FileLooker:
    """Files become views or tables of one in-memory database; a database file is attached for reading."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self._places: dict[str, str] = {}
        self.tables: list[Table] = []
        self.joins: list[KnownJoin] = []
        self.remarks: list[str] = []

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        found: list[tuple[Any, ...]] = self._connection.execute(sql).fetchall()
        return found

    def place(self, table: str) -> str:
        return self._places[table]

    def add(self, name: str, source: Any) -> None:
        if isinstance(source, (str, Path)):
            self._add_file(name, Path(source))
        elif isinstance(source, Mapping) and source and all(isinstance(v, Mapping) for v in source.values()):
            raise ValueError(f"'{name}': a table is a data frame, an Arrow table or a file, not a mapping of mappings")
        else:
            self._add_table(name, source)

    def _add_file(self, name: str, path: Path) -> None:
        if not path.exists():
            raise ValueError(f"there is no file '{path}'")
        suffixes = [s.lower() for s in path.suffixes if s.lower() != ".gz"]
        suffix = suffixes[-1] if suffixes else ""
        if is_sqlite(path) or suffix in _SQLITE:
            self._add_sqlite(path)
        elif is_workbook(path):
            sheets = read_workbook(path, self.remarks)
            for sheet, table in sheets.items():
                self._add_table(sheet if len(sheets) > 1 else name, table)
        elif suffix in _DUCKDB or suffix == ".db":
            self._attach(name, path)
        else:
            create_table(self._connection, f"memory.main.{quoted(name)}", path, view=True, remarks=self.remarks)
            self._described(name, "memory", "main", name)

    def _add_sqlite(self, path: Path) -> None:
        tables = read_sqlite(path)
        for table, keys in sqlite_keys(path).items():
            self._add_table(table, tables[table])
            # Arrow tables declare no keys; they come from the file.
            self.tables[-1] = replace(self.tables[-1], primary_key=keys.primary_key)
            self.joins += [KnownJoin(table, here, other, there) for here, other, there in keys.foreign_keys]

    def _attach(self, name: str, path: Path) -> None:
        # A prefix: a file temp.duckdb or system.duckdb would be called as a database of DuckDB's own.
        literal, alias = str(path).replace("'", "''"), f"source_{name}"
        try:
            self._connection.execute(f"ATTACH '{literal}' AS {quoted(alias)} (READ_ONLY)")
        except duckdb.Error as error:
            raise ValueError(f"'{path.name}' cannot be read: {_said(str(error))}") from None
        places = self.rows(
            "SELECT DISTINCT schema_name, table_name FROM duckdb_columns() "
            f"WHERE database_name = '{alias.replace(chr(39), chr(39) * 2)}' AND NOT internal ORDER BY ALL"
        )
        if not places:
            raise ValueError(f"'{path.name}' holds no tables")
        for schema, table in places:
            self._described(_shown(schema, table), alias, schema, table)
        self._foreign_keys(alias)

    def _foreign_keys(self, catalog: str) -> None:
        rows = self._connection.execute(
            "SELECT schema_name, table_name, constraint_column_names, referenced_table, referenced_column_names "
            "FROM duckdb_constraints() WHERE constraint_type = 'FOREIGN KEY' AND database_name = ?",
            [catalog],
        ).fetchall()
        for schema, table, here, other, there in rows:
            self.joins.append(KnownJoin(_shown(schema, table), tuple(here), _shown(schema, other), tuple(there)))

    def _add_table(self, name: str, content: Any) -> None:
        self._connection.register("incoming", arrow_table(name, content, self.remarks))
        self._connection.execute(f"CREATE TABLE memory.main.{quoted(name)} AS SELECT * FROM incoming")
        self._connection.unregister("incoming")
        self._described(name, "memory", "main", name)

    def _described(self, name: str, catalog: str, schema: str, table: str) -> None:
        if name in self._places:
            raise ValueError(f"two sources have a table '{name}'; give one of them another name")
        self._places[name] = ".".join(map(quoted, (catalog, schema, table)))
        columns = self.rows(f"DESCRIBE {self._places[name]}")
        self.tables.append(
            Table(name, tuple(Column(row[0], row[1]) for row in columns), self._primary_key(catalog, schema, table))
        )

    def _primary_key(self, catalog: str, schema: str, table: str) -> tuple[str, ...]:
        rows = self._connection.execute(
            "SELECT constraint_column_names FROM duckdb_constraints() WHERE constraint_type = 'PRIMARY KEY' "
            "AND database_name = ? AND schema_name = ? AND table_name = ?",
            [catalog, schema, table],
        ).fetchall()
        return tuple(rows[0][0]) if rows else ()


def _shown(schema: str, table: str) -> str:
    return table if schema == "main" else f"{schema}.{table}"


def _said(message: str) -> str:
    """The first line of what the engine said of a database that it does not open."""
    if "not a valid DuckDB database" in message:
        return "it is no DuckDB database, or a damaged one"
    if "lock" in message.lower():
        return "another process has it open for writing; close it there, or give a copy"
    return message.partition("\n")[0]
