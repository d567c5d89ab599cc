"""Opening sources to look into them: files, databases, data frames, or an engine that has the tables already."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from .tables import Column, Database, Table

if TYPE_CHECKING:
    import pyarrow as pa

    from ..engine.base import Engine

__all__ = ["Looker", "looking_into", "quoted", "read_sqlite"]

_DUCKDB = (".duckdb", ".ddb")
_SQLITE = (".sqlite", ".sqlite3", ".db3")
_SQLITE_MAGIC = b"SQLite format 3\0"


class Looker(Protocol):
    """Somebody who can look at the tables."""

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """Run a query of our own making."""

    def place(self, table: str) -> str:
        """A table as it is written after FROM."""


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


@contextmanager
def looking_into(sources: Mapping[str, Any], engine: Engine | None) -> Iterator[tuple[Database, Looker]]:
    """The tables of all sources and a way to look at them, for the time of the block."""
    if engine is not None:
        yield _described(engine), _EngineLooker(engine)
        return
    import duckdb

    with closing(duckdb.connect(config={"python_enable_replacements": "false"})) as connection:
        connection.execute("SET enable_progress_bar = false")
        looker = _FileLooker(connection)
        for name, source in sources.items():
            looker.add(name, source)
        yield Database(tuple(looker.tables)), looker


def _described(engine: Engine) -> Database:
    tables = [
        Table(name, tuple(Column(column, kind) for column, kind in columns.items()))
        for name, columns in engine.describe().items()
    ]
    return Database(tuple(tables))


class _EngineLooker:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        table = self._engine.execute(sql, {})
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
        if not path.is_file():
            raise ValueError(f"there is no file '{path}'")
        with path.open("rb") as file:
            sqlite = file.read(len(_SQLITE_MAGIC)) == _SQLITE_MAGIC
        suffixes = [s.lower() for s in path.suffixes if s.lower() != ".gz"]
        suffix = suffixes[-1] if suffixes else ""
        if sqlite or suffix in _SQLITE:
            for table, content in read_sqlite(path).items():
                self._add_table(table, content)
        elif suffix in _DUCKDB or suffix == ".db":
            self._attach(name, path)
        elif suffix in (".parquet", ".pq"):
            self._create(name, "VIEW", "read_parquet", path)
        elif suffix in (".csv", ".tsv", ".txt"):
            self._create(name, "TABLE", "read_csv", path)
        elif suffix in (".json", ".jsonl", ".ndjson"):
            self._create(name, "TABLE", "read_json", path)
        else:
            raise ValueError(f"cannot read '{path.name}': give CSV, Parquet, JSON, DuckDB or SQLite")

    def _create(self, name: str, what: str, reader: str, path: Path) -> None:
        literal = str(path).replace("'", "''")
        self._run(f"CREATE {what} memory.main.{quoted(name)} AS SELECT * FROM {reader}('{literal}')", path)
        self._described(name, "memory", "main", name)

    def _run(self, sql: str, path: Path) -> None:
        import duckdb

        try:
            self._connection.execute(sql)
        except duckdb.Error as error:
            first = str(error).partition("\n")[0]
            raise ValueError(f"'{path.name}' cannot be read: {first}") from None

    def _attach(self, name: str, path: Path) -> None:
        literal, alias = str(path).replace("'", "''"), f"source_{name}"
        self._run(f"ATTACH '{literal}' AS {quoted(alias)} (READ_ONLY)", path)
        places = self.rows(
            "SELECT DISTINCT schema_name, table_name FROM duckdb_columns() "
            f"WHERE database_name = '{alias.replace(chr(39), chr(39) * 2)}' AND NOT internal ORDER BY ALL"
        )
        if not places:
            raise ValueError(f"'{path.name}' holds no tables")
        for schema, table in places:
            self._described(table if schema == "main" else f"{schema}.{table}", alias, schema, table)

    def _add_table(self, name: str, content: Any) -> None:
        import pyarrow as pa

        if isinstance(content, pa.Table):
            table = content
        elif hasattr(content, "__arrow_c_stream__"):
            table = pa.table(content)
        elif hasattr(content, "columns") and hasattr(content, "iloc"):
            table = pa.Table.from_pandas(content, preserve_index=False)
        elif isinstance(content, Mapping):
            table = pa.table(dict(content))
        else:
            raise ValueError(f"'{name}': expected a data frame, an Arrow table or a file, got {type(content).__name__}")
        self._connection.register("incoming", table)
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


def read_sqlite(path: str | Path) -> dict[str, pa.Table]:
    """Every table of an SQLite file as an Arrow table, through Python's own reader (no extension needed).

    Columns take the type of their values: SQLite lets a column hold several, which then become text.
    """
    import pyarrow as pa

    with closing(sqlite3.connect(f"{Path(path).resolve().as_uri()}?mode=ro", uri=True)) as connection:
        connection.text_factory = lambda data: data.decode("utf-8", "replace")
        try:
            listed = connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' "
                "ORDER BY name"
            )
            names = [row[0] for row in listed]
            return {name: _sqlite_table(connection, name, pa) for name in names}
        except sqlite3.DatabaseError as error:
            raise ValueError(f"'{Path(path).name}' cannot be read as SQLite: {error}") from None


def _sqlite_table(connection: sqlite3.Connection, name: str, pa: Any) -> pa.Table:
    cursor = connection.execute(f"SELECT * FROM {quoted(name)}")
    names = [item[0] for item in cursor.description]
    columns: Sequence[Sequence[Any]] = list(zip(*cursor.fetchall(), strict=True)) or [[] for _ in names]
    declared = {row[1]: str(row[2]).upper() for row in connection.execute(f"PRAGMA table_info({quoted(name)})")}
    return pa.table(
        {n: _sqlite_column(list(values), declared.get(n, ""), pa) for n, values in zip(names, columns, strict=True)}
    )


def _sqlite_column(values: list[Any], declared: str, pa: Any) -> Any:
    kinds = {type(value) for value in values if value is not None}
    if kinds <= {int} and "BOOL" in declared and {0, 1, None} >= set(values):
        return pa.array([None if value is None else bool(value) for value in values], pa.bool_())
    if kinds <= {int} and kinds:
        return pa.array(values, pa.int64())
    if kinds <= {int, float} and kinds:
        return pa.array([None if value is None else float(value) for value in values], pa.float64())
    if not kinds and any(word in declared for word in ("INT", "REAL", "NUM", "DEC", "DOUB", "FLOA")):
        return pa.array(values, pa.int64() if "INT" in declared else pa.float64())
    return pa.array(
        [value if value is None or isinstance(value, str) else _text(value) for value in values], pa.string()
    )


def _text(value: Any) -> str:
    return value.hex() if isinstance(value, bytes) else str(value)
