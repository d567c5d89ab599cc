"""Data files as tables: which reader, which encoding, and what is said of a file that cannot be read.

Looking at files to make a model and loading them to answer questions go through here, so that both see the same table.
"""

from __future__ import annotations

import csv
import gzip
import io
import logging
import os
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

import duckdb

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["create_table", "files_below", "is_partitioned", "table_name"]

_log = logging.getLogger(__name__)
_CSV, _PARQUET, _JSON = (".csv", ".tsv", ".txt"), (".parquet", ".pq"), (".json", ".jsonl", ".ndjson")
_DATABASES = (".duckdb", ".ddb", ".db", ".sqlite", ".sqlite3", ".db3")
_READERS: Mapping[str, str] = {
    **dict.fromkeys(_CSV, "read_csv"), **dict.fromkeys(_PARQUET, "read_parquet"), **dict.fromkeys(_JSON, "read_json")
}  # fmt: skip
_SHEETS = (".xlsx", ".xls", ".xlsm", ".ods")
_FULL = ", sample_size = -1"  # types from all values, not from a sample
_FOREIGN = re.compile(r"[\x80-\U0010ffff]{4}")  # no Western text has so many letters beyond ASCII in a row
_NO_DELIMITER = "no delimiter fits all its lines; is it a CSV file?"
_Run = Callable[[str], object]


def table_name(path: Path) -> str:
    """The table a file is, as a rule: its name without suffixes, ``sales.2024.csv.gz`` → ``sales_2024``."""
    name = path.name
    while (suffix := Path(name).suffix.lower()) and (suffix in _READERS or suffix in (".gz", *_DATABASES)):
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
        folders[:] = sorted(name for name in folders if name not in tables and not name.startswith("."))
        found += [Path(base, name) for name in tables]
        found += [Path(base, name) for name in files if _is_data(Path(name)) and not name.startswith((".", "_"))]
    named: dict[str, Path] = {}
    for path in sorted(found):
        name = table_name(path)
        if name in named and path.parent != folder:
            name = f"{table_name(path.parent)}_{name}"
        if name in named:
            raise ValueError(f"two files would be the table '{name}': {named[name]} and {path}; give them by name")
        named[name] = path
    return named


def _is_data(path: Path) -> bool:
    suffixes = [s.lower() for s in path.suffixes if s.lower() != ".gz"]
    return bool(suffixes) and (suffixes[-1] in _READERS or suffixes[-1] in _DATABASES)


def create_table(connection: duckdb.DuckDBPyConnection, target: str, path: Path, *, view: bool = False) -> None:
    """Make a table of a file's content; ``view`` for a Parquet file that is only looked at.

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
            run(f"read_parquet({_literal(path / '**' / '*')}, hive_partitioning = true, union_by_name = true)")
            return
        suffixes = [s.lower() for s in path.suffixes if s.lower() != ".gz"]
        suffix = suffixes[-1] if suffixes else ""
        reader = _READERS.get(suffix)
        if reader is None:
            more = "; save the sheet as CSV" if suffix in _SHEETS else ""
            raise ValueError(f"cannot read '{path.name}': give CSV, Parquet, JSON, DuckDB or SQLite{more}")
        if not path.stat().st_size:
            raise ValueError(f"'{path.name}' is empty")
        if reader == "read_csv":
            _csv(connection, target, path, run)
        else:
            run(f"{reader}({_literal(path)})")
    except (duckdb.Error, UnicodeError, OSError, EOFError) as error:
        raise ValueError(f"'{path.name}' cannot be read: {_told(str(error), path)}") from None


# --- CSV --------------------------------------------------------------------------------------------------------------


def _csv(connection: duckdb.DuckDBPyConnection, target: str, path: Path, run: _Run) -> None:
    with _as_utf8(path) as (file, encoded):
        source = f"read_csv({_literal(file)}"
        try:
            run(f"{source})")
        except duckdb.Error as error:
            if encoded is None and _is_encoding(str(error)):
                _csv_in_another_encoding(connection, target, path, run)
                return
            run(f"{source}{_FULL})")
        delimiter = _misread(connection, target, path, source)
        if delimiter is not None:
            _csv_with_uneven_lines(path, file, delimiter, run)


def _csv_with_uneven_lines(path: Path, file: Path, delimiter: str, run: _Run) -> None:
    """Lines that are too short are filled up; one that is too long is an error."""
    uneven, longer = _uneven(file, delimiter)
    reading = f"read_csv({_literal(file)}, delim = {_quoted(delimiter)}, header = true, null_padding = true{_FULL})"
    try:
        if longer:
            raise ValueError(f"'{path.name}' cannot be read: {uneven}")
        run(reading)
    except duckdb.Error:
        raise ValueError(f"'{path.name}' cannot be read: {uneven or _NO_DELIMITER}") from None
    if uneven:
        _log.warning("'%s': %s; what is missing at the end of a line is empty", path.name, uneven)


def _csv_in_another_encoding(connection: duckdb.DuckDBPyConnection, target: str, path: Path, run: _Run) -> None:
    _log.warning("'%s' is not UTF-8 and is read as Windows-1252; save it as UTF-8 if letters look wrong", path.name)
    with _transcoded(path, "cp1252") as file:
        _csv(connection, target, file, run)


def _misread(connection: duckdb.DuckDBPyConnection, target: str, path: Path, source: str) -> str | None:
    """The delimiter of a file whose lines the reader left out above, or took whole, because no way of reading fitted.

    A few lines above a table are left out rightly, which is told.
    """
    found = connection.execute(f"SELECT SkipRows, Delimiter FROM sniff_csv({source.removeprefix('read_csv(')})")
    skipped, delimiter = found.fetchall()[0]
    kept = connection.execute(f"SELECT count(*) FROM {target}").fetchall()[0][0] if skipped else 0
    if skipped and skipped >= kept:
        return str(delimiter)
    if skipped:
        _log.warning("'%s': its first %d lines do not fit the others and are left out", path.name, skipped)
    columns = [row[0] for row in connection.execute(f"DESCRIBE {target}").fetchall()]
    whole = _undivided(columns)
    return whole if whole is not None and _second_line(path).count(whole) else None


def _undivided(columns: Sequence[str]) -> str | None:
    """The delimiter of a file that was read as one column."""
    if len(columns) != 1:
        return None
    return max((c for c in ",;\t|" if c in columns[0]), key=columns[0].count, default=None)


@contextmanager
def _as_utf8(path: Path) -> Iterator[tuple[Path, str | None]]:
    """The file, or a copy of it in UTF-8 where its first bytes say it is UTF-16."""
    with _opened(path) as stream:
        head = stream.read(4096)
    encoding = "utf-16" if head[:2] in (b"\xff\xfe", b"\xfe\xff") else None
    if encoding is None:
        if b"\0" in head:
            raise ValueError(f"'{path.name}' cannot be read: it is no text file")
        yield path, None
        return
    with _transcoded(path, encoding) as file:
        yield file, encoding


@contextmanager
def _transcoded(path: Path, encoding: str) -> Iterator[Path]:
    with _opened(path) as stream:
        data = stream.read()
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        raise ValueError(f"'{path.name}' cannot be read: it is not UTF-8; save it as UTF-8") from None
    if encoding == "cp1252" and any(ord(c) < 32 and c not in "\t\r\n\f" for c in text):
        raise ValueError(f"'{path.name}' cannot be read: it is no text file")
    if encoding == "cp1252" and _FOREIGN.search(text):
        raise ValueError(f"'{path.name}' cannot be read: it is not UTF-8; save it as UTF-8")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"{table_name(path)}.csv"
        file.write_text(text, encoding="utf-8", newline="")
        yield file


def _opened(path: Path) -> IO[bytes]:
    return cast("IO[bytes]", gzip.open(path, "rb")) if path.suffix.lower() == ".gz" else path.open("rb")


def _uneven(file: Path, delimiter: str) -> tuple[str, bool]:
    """The first line with more values than the first one, and that it has more; else the first with fewer, if any."""
    short = ""
    with _opened(file) as stream:
        lines = csv.reader(io.TextIOWrapper(stream, "utf-8", "replace", newline=""), delimiter=delimiter)
        first = len(next(lines, ()))
        for values in lines:
            said = f"line {lines.line_num} has {len(values)} values where the first has {first}"
            if len(values) > first:
                return said, True
            if values and len(values) < first:
                short = short or said
    return short, False


def _second_line(file: Path) -> str:
    with _opened(file) as stream:
        stream.readline()
        return stream.readline().decode("utf-8", "replace")


# --- words ------------------------------------------------------------------------------------------------------------


def _is_encoding(message: str) -> bool:
    return any(word in message for word in ("utf-8 encoded", "Invalid unicode", "byte sequence mismatch"))


def _told(message: str, path: Path) -> str:
    """What the engine said, in one line and without its advice; what to do about it where that is known."""
    line = re.search(r"CSV Error on Line: (\d+)", message)
    if line is not None:
        counted = re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", message)
        if counted is not None:
            return f"line {line[1]} has {counted[2]} values where the others have {counted[1]}"
        said = message.partition("\n")[2].partition("\n")[2].partition("\n")[0].strip()
        return f"line {line[1]}: {said[:1].lower()}{said[1:]}".rstrip(": .")
    if _is_encoding(message):
        return "it is not UTF-8; save it as UTF-8"
    if "not automatically" in message or "sniff" in message.lower():
        return _NO_DELIMITER
    if any(word in message.lower() for word in ("gzip", "compressed file")):
        return "it ends in .gz, but is not packed with gzip, or damaged"
    if path.suffix.lower() in _PARQUET:
        return "it is no Parquet file, or a damaged one"
    first = message.partition("\n")[0]
    return re.sub(r"^[A-Za-z ]*Error: ", "", first).replace(str(path), path.name).strip()


def _literal(path: Path) -> str:
    return _quoted(str(path))


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
