"""The kinds of file a service answers from, written again and again."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from ..embedded.test_own_data import workbook

KINDS = ("csv", "parquet", "json", "xlsx", "sqlite", "duckdb")


def table(first: int, rows: int) -> pa.Table:
    """``rows`` numbers from ``first`` on."""
    numbers = list(range(first, first + rows))
    return pa.table({"id": numbers, "city": [f"city {number % 3}" for number in numbers]})


def write(path: Path, content: pa.Table) -> None:
    """Put another file in the place of one, in one step."""
    fresh = path.with_name(f"{path.name}.new{path.suffix}")
    fresh.unlink(missing_ok=True)
    _WRITERS[path.suffix](fresh, content)
    os.replace(fresh, path)


def _json(path: Path, content: pa.Table) -> None:
    import json

    path.write_text("\n".join(json.dumps(row) for row in content.to_pylist()), "utf-8")


def _xlsx(path: Path, content: pa.Table) -> None:
    workbook(path, {"orders": [content.column_names, *(list(row.values()) for row in content.to_pylist())]})


def _sqlite(path: Path, content: pa.Table) -> None:
    with closing(sqlite3.connect(path)) as connection:
        kinds = {"int64": "INTEGER", "string": "TEXT"}
        columns = ", ".join(f"{field.name} {kinds[str(field.type)]}" for field in content.schema)
        connection.execute(f"CREATE TABLE orders ({columns})")
        marks = ", ".join("?" * content.num_columns)
        connection.executemany(f"INSERT INTO orders VALUES ({marks})", [tuple(r.values()) for r in content.to_pylist()])
        connection.commit()


def _duckdb(path: Path, content: pa.Table) -> None:
    with duckdb.connect(str(path)) as connection:
        connection.register("content", content)
        connection.execute("CREATE TABLE orders AS SELECT * FROM content")


_WRITERS: dict[str, Callable[[Path, pa.Table], object]] = {
    ".csv": lambda path, content: pyarrow.csv.write_csv(content, path),
    ".parquet": lambda path, content: pyarrow.parquet.write_table(content, path),
    ".json": _json,
    ".xlsx": _xlsx,
    ".sqlite": _sqlite,
    ".duckdb": _duckdb,
}
