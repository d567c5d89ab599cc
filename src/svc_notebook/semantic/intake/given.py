"""What is handed over to :func:`svc_notebook.embedded`: a model, or data of whatever kind, and what that stands for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any

from ... import patterns as re
from ...records import dataclass
from .connections import duckdb_keys, is_connection, read_open_connection
from .data_files import files_below, is_data, is_database, is_partitioned, table_name
from .frames import arrow_table, is_frame
from .keys import DeclaredKeys
from .live import LiveDatabase, is_spark_url
from .postgres import is_postgres_url, read_postgres
from .sqlite_files import is_sqlite, read_sqlite, sqlite_keys
from .workbooks import is_workbook, read_workbook

__all__ = ["Given", "is_model", "read_given"]

_MODEL_KEYS = frozenset(("cubes", "views", "cube", "view"))
_DUCKDB = (".duckdb", ".ddb", ".db")
# Two letters at least before the colon: C:// is a drive.
_ELSEWHERE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
_UNNAMED = "data"


@dataclass(slots=True)
class Given:
    """Tables by name (Arrow tables, or files the engine reads), the keys they declare, and what a reader should know.

    ``database`` is a DuckDB file that is opened where it lies, ``server`` a database that is asked where it lies.
    """

    tables: dict[str, Any] = field(default_factory=dict)
    keys: dict[str, DeclaredKeys] = field(default_factory=dict)
    database: Path | None = None
    server: LiveDatabase | None = None
    remarks: list[str] = field(default_factory=list)

    def add(self, name: str, value: Any) -> None:
        if name in self.tables:
            raise ValueError(
                f"two sources would be the table '{name}': give them by name, as in data={{'{name}_2': …}}"
            )
        self.tables[name] = value

    def add_all(self, tables: Mapping[str, Any], keys: Mapping[str, DeclaredKeys] | None = None) -> None:
        for name, value in tables.items():
            self.add(name, value)
        self.keys |= keys or {}


def is_model(value: object) -> bool:
    """Whether a value is a data model rather than data: parsed YAML, a YAML file, or a folder of them."""
    if isinstance(value, Mapping):
        return not _MODEL_KEYS.isdisjoint(value)
    if isinstance(value, (str, Path)):
        return _is_model_path(value)
    if isinstance(value, Sequence) and not is_frame(value):
        return any(isinstance(item, Mapping) and not _MODEL_KEYS.isdisjoint(item) for item in value)
    return type(value).__name__ == "DataModel"


def _is_model_path(value: str | Path) -> bool:
    # A text of several lines is YAML or CSV itself, and as a path may be too long to ask for.
    if isinstance(value, str) and (_ELSEWHERE.match(value) or "\n" in value):
        return False
    path = Path(value)
    if path.suffix.lower() in (".yml", ".yaml"):
        return True
    return path.is_dir() and any(file.suffix.lower() in (".yml", ".yaml") for file in path.rglob("*"))


def read_given(*values: Any, names: Mapping[int, str] | None = None) -> Given:
    """The tables that the values stand for.

    Parameters
    ----------
    *values
        Each a data frame (pandas, Polars, anything that speaks Arrow), an Arrow table, a mapping of tables or of
        columns, a list of rows, of tables or of files, a file (CSV, Parquet, JSON, Excel, DuckDB, SQLite), a folder of
        them, a DuckDB or SQLite connection, or a ``postgresql://`` URL. None is passed over.
    names
        What to call a table that has no name of its own, by the identity of the value.

    Raises
    ------
    ValueError
        If one of them is none of these; the message says in a sentence what to write.
    """
    given = Given()
    for value in values:
        if value is not None:
            _take(given, value, names or {})
    if given.server is not None and (given.tables or given.database):
        raise ValueError(
            "a PostgreSQL database that is asked where it lies stands alone: leave the data away, or give its URL as "
            "data= too, which reads it into memory"
        )
    return given


def _take(given: Given, value: Any, names: Mapping[int, str]) -> None:
    if isinstance(value, LiveDatabase):
        given.server = value
    elif is_spark_url(value):
        raise ValueError(
            "a Spark server is asked where its data lie, by a model: svc.embedded(model, database='sc://host:15002')"
        )
    elif is_postgres_url(value):
        given.add_all(*read_postgres(value, given.remarks))
    elif isinstance(value, (str, Path)):
        _take_path(given, value)
    elif is_connection(value):
        given.add_all(*read_open_connection(value))
    # Before mappings and lists: a frame may be both.
    elif is_frame(value):
        _take_table(given, names.get(id(value)) or _own_name(value), value)
    elif isinstance(value, Mapping):
        _take_mapping(given, value, names)
    elif isinstance(value, Iterable) and not isinstance(value, (bytes, bytearray)) and not _is_of_one_kind(value):
        _take_several(given, value, names)
    else:
        _take_table(given, names.get(id(value)) or _UNNAMED, value)  # a sentence that says what it is


def _is_of_one_kind(value: object) -> bool:
    """An open file, or an array: iterable, but no list of rows or tables."""
    return hasattr(value, "read") or hasattr(type(value), "dtype")


def _take_table(given: Given, name: str, value: Any) -> None:
    given.add(name, arrow_table(name, value, given.remarks))


def _own_name(value: Any) -> str:
    """A name that a table carries: a DuckDB relation's alias, a frame's ``attrs["name"]``."""
    said = getattr(value, "alias", None) or (getattr(value, "attrs", None) or {}).get("name")
    # DuckDB calls a relation without a name unnamed_relation_…
    return said if isinstance(said, str) and said and not said.startswith("unnamed_relation") else _UNNAMED


def _take_mapping(given: Given, value: Mapping[Any, Any], names: Mapping[int, str]) -> None:
    if not value:
        return
    if all(map(_is_table_source, value.values())):
        for name, source in value.items():
            _take_named(given, str(name), source)
    else:
        _take_table(given, names.get(id(value)) or _UNNAMED, value)


def _is_table_source(value: object) -> bool:
    """Whether a value of a mapping is a table, so that the key is a table's name and not a column's."""
    if isinstance(value, (str, Path, Mapping)) or is_connection(value):
        return True
    if is_frame(value):
        return not hasattr(type(value), "dtype") and type(value).__name__ != "ChunkedArray"  # those are columns
    return isinstance(value, Sequence) and bool(value) and all(isinstance(item, Mapping) for item in value)


def _take_named(given: Given, name: str, source: Any) -> None:
    if isinstance(source, (str, Path)) and not is_postgres_url(source):
        _take_path(given, source, name)
    elif is_connection(source) or is_postgres_url(source):
        _take(given, source, {})
    else:
        _take_table(given, name, source)


def _take_several(given: Given, values: Iterable[Any], names: Mapping[int, str]) -> None:
    items = list(values)
    if items and all(isinstance(item, (str, Path)) or is_frame(item) or is_connection(item) for item in items):
        unnamed = [item for item in items if is_frame(item) and not (names.get(id(item)) or _has_name(item))]
        numbered = (
            {id(item): f"{_UNNAMED}_{number}" for number, item in enumerate(unnamed, 1)} if len(unnamed) > 1 else {}
        )
        for item in items:
            _take(given, item, {**names, **numbered})
    else:
        _take_table(given, names.get(id(values)) or _UNNAMED, items)


def _has_name(value: Any) -> bool:
    return _own_name(value) != _UNNAMED


def _take_path(given: Given, value: str | Path, name: str | None = None) -> None:
    if isinstance(value, str) and (found := _ELSEWHERE.match(value)):
        raise ValueError(
            f"'{found[0]}…' is not read from here: give a file, or read it first, as in "
            f"svc.embedded(pandas.read_csv('{found[0]}…')); of databases by URL, postgresql:// is read, "
            "and sc:// (Spark) is asked by a model"
        )
    path = Path(value).expanduser()
    if not path.exists():
        raise ValueError(f"{f'data {name!r}: ' if name else ''}there is no file '{value}'")
    if path.is_dir() and not is_partitioned(path):
        _take_folder(given, path)
    # By the first bytes: .db may be a file of DuckDB or of SQLite.
    elif path.is_file() and is_sqlite(path):
        given.add_all(read_sqlite(path), sqlite_keys(path))
    elif is_workbook(path):
        sheets = read_workbook(path, given.remarks)
        given.add_all({name: next(iter(sheets.values()))} if name and len(sheets) == 1 else sheets)
    elif path.suffix.lower() in _DUCKDB and name is None:
        _take_duckdb(given, path)
    elif path.is_dir() or is_data(path) or name is not None:
        given.add(name or table_name(path), path)
    else:
        raise ValueError(
            f"cannot read '{path.name}': give CSV, Parquet, JSON, Excel, DuckDB or SQLite, or a model's YAML"
        )


def _take_duckdb(given: Given, path: Path) -> None:
    if given.database is not None:
        raise ValueError(f"one DuckDB file at a time: '{given.database.name}' and '{path.name}'")
    given.database = path
    given.keys |= duckdb_keys(path)


def _take_folder(given: Given, folder: Path) -> None:
    found = files_below(folder)
    if not found:
        raise ValueError(
            f"there is nothing to read in the folder '{folder}': neither data (CSV, Parquet, JSON, Excel, DuckDB, "
            "SQLite) nor a model's YAML"
        )
    for name, path in found.items():
        # Databases and workbooks hold several tables, with names of their own.
        _take_path(given, path, None if is_database(path) or is_workbook(path) else name)
