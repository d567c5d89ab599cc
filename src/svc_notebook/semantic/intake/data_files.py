"""Data files as tables: which reader, which encoding, and what is said of a file that cannot be read.

Looking at files to make a model and loading them to answer questions go through here, so that both see the same table.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from .csv_files import NO_DELIMITER, is_encoding, literal, read_csv
from .workbooks import WORKBOOKS

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["create_table", "files_below", "is_data", "is_database", "is_partitioned", "table_name"]

_CSV, _PARQUET, _JSON = (".csv", ".tsv", ".txt"), (".parquet", ".pq"), (".json", ".jsonl", ".ndjson")
_DATABASES = (".duckdb", ".ddb", ".db", ".sqlite", ".sqlite3", ".db3")
_READERS: Mapping[str, str] = {
    **dict.fromkeys(_CSV, "read_csv"), **dict.fromkeys(_PARQUET, "read_parquet"), **dict.fromkeys(_JSON, "read_json")
}  # fmt: skip


def table_name(path: Path) -> str:
    """The table a file is, as a rule: its name without suffixes, ``sales.2024.csv.gz`` → ``sales_2024``."""
    name = path.name
    while (suffix := Path(name).suffix.lower()) and (suffix in _READERS or suffix in (".gz", *_DATABASES, *WORKBOOKS)):
        name = name[: -len(suffix)]
    return name.replace(".", "_") or path.name


def is_partitioned(folder: Path) -> bool:
    """Whether a folder is one table in many Parquet files: ``year=2024/…``, or ``part-0001.parquet`` …."""
    found = [file for suffix in _PARQUET for file in folder.rglob(f"*{suffix}")]
    parts = [file.relative_to(folder).parts for file in found]
    return bool(found) and all("=" in path[0] or (len(path) == 1 and path[0].startswith("part-")) for path in parts)


def files_below(folder: Path) -> dict[str, Path]:
    """The tables of a folder, at any depth, by name; two of one name also take the name of their folder."""
    found: list[Path] = []
    for base, folders, files in os.walk(folder):
        tables = [name for name in folders if is_partitioned(Path(base, name))]
        # In place: os.walk goes into what is left of the list.
        folders[:] = sorted(name for name in folders if name not in tables and not name.startswith("."))
        found += [Path(base, name) for name in tables]
        # _SUCCESS and the like of Spark, and ~$ of a workbook that is open in Excel.
        found += [Path(base, name) for name in files if is_data(Path(name)) and not name.startswith((".", "_", "~$"))]
    named: dict[str, Path] = {}
    for path in sorted(found):
        name = table_name(path)
        if name in named and path.parent != folder:
            name = f"{table_name(path.parent)}_{name}"
        if name in named:
            raise ValueError(f"two files would be the table '{name}': {named[name]} and {path}; give them by name")
        named[name] = path
    return named


def is_data(path: Path) -> bool:
    """Whether a file's name says that it holds data of a kind that is read."""
    suffix = _suffix(path)
    return suffix in _READERS or suffix in _DATABASES or suffix in WORKBOOKS


def is_database(path: Path) -> bool:
    """Whether a file's name says that it is a database of several tables."""
    return path.is_file() and _suffix(path) in _DATABASES


def _suffix(path: Path) -> str:
    suffixes = [s.lower() for s in path.suffixes if s.lower() != ".gz"]
    return suffixes[-1] if suffixes else ""


def create_table(
    connection: duckdb.DuckDBPyConnection,
    target: str,
    path: Path,
    *,
    view: bool = False,
    remarks: list[str] | None = None,
) -> None:
    """Make a table of a file's content.

    Parameters
    ----------
    view
        A Parquet file is only looked at.
    remarks
        What a reader should know of how the file was read is appended here; it is logged without.

    Raises
    ------
    ValueError
        If the file is none of those that are read, empty or damaged; the message names it and says what to do.
    """

    def run(source: str) -> object:
        what = "VIEW" if view and source.startswith("read_parquet") else "TABLE"
        return connection.execute(f"CREATE OR REPLACE {what} {target} AS SELECT * FROM {source}")

    try:
        if path.is_dir():
            if not is_partitioned(path):
                raise ValueError(f"'{path}' is a folder; give the files in it, each with its name")
            # union_by_name: later parts often have columns that earlier ones lack.
            run(f"read_parquet({literal(path / '**' / '*')}, hive_partitioning = true, union_by_name = true)")
            return
        reader = _READERS.get(_suffix(path))
        if reader is None:
            raise ValueError(f"cannot read '{path.name}': give CSV, Parquet, JSON, Excel, DuckDB or SQLite")
        if not path.stat().st_size:
            raise ValueError(f"'{path.name}' is empty")
        if reader == "read_csv":
            read_csv(connection, target, path, run, remarks)
        else:
            run(f"{reader}({literal(path)})")
    except (duckdb.Error, UnicodeError, OSError, EOFError) as error:
        raise ValueError(f"'{path.name}' cannot be read: {_told(str(error), path)}") from None


# --- words ------------------------------------------------------------------------------------------------------------


def _told(message: str, path: Path) -> str:
    """What the engine said, in one line and without its advice; what to do about it where that is known."""
    line = re.search(r"CSV Error on Line: (\d+)", message)
    if line is not None:
        counted = re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", message)
        if counted is not None:
            return f"line {line[1]} has {counted[2]} values where the others have {counted[1]}"
        said = message.partition("\n")[2].partition("\n")[2].partition("\n")[0].strip()
        return f"line {line[1]}: {said[:1].lower()}{said[1:]}".rstrip(": .")
    if is_encoding(message):
        return "it is not UTF-8; save it as UTF-8"
    if "not automatically" in message or "sniff" in message.lower():
        return NO_DELIMITER
    if any(word in message.lower() for word in ("gzip", "compressed file")):
        return "it ends in .gz, but is not packed with gzip, or damaged"
    if path.suffix.lower() in _PARQUET:
        return "it is no Parquet file, or a damaged one"
    first = message.partition("\n")[0]
    return re.sub(r"^[A-Za-z ]*Error: ", "", first).replace(str(path), path.name).strip()
