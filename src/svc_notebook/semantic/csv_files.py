"""CSV as people have it: other encodings, lines above the table, lines that end early, types that show late."""

from __future__ import annotations

import csv
import gzip
import io
import logging
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

import duckdb

__all__ = ["NO_DELIMITER", "is_encoding", "literal", "read_csv"]

_log = logging.getLogger(__name__)
NO_DELIMITER = "no delimiter fits all its lines; is it a CSV file?"
_FULL = ", sample_size = -1"  # types from all values, not from a sample
_FOREIGN = re.compile(r"[\x80-\U0010ffff]{4}")  # no Western text has so many letters beyond ASCII in a row
_Run = Callable[[str], object]


def read_csv(connection: duckdb.DuckDBPyConnection, target: str, path: Path, run: _Run) -> None:
    with _as_utf8(path) as (file, encoded):
        source = f"read_csv({literal(file)}"
        try:
            run(f"{source})")
        except duckdb.Error as error:
            if encoded is None and is_encoding(str(error)):
                _csv_in_another_encoding(connection, target, path, run)
                return
            run(f"{source}{_FULL})")
        delimiter = _misread(connection, target, path, source)
        if delimiter is not None:
            _csv_with_uneven_lines(path, file, delimiter, run)


def _csv_with_uneven_lines(path: Path, file: Path, delimiter: str, run: _Run) -> None:
    """Lines that are too short are filled up; one that is too long is an error."""
    uneven, longer = _uneven(file, delimiter)
    reading = f"read_csv({literal(file)}, delim = {_quoted(delimiter)}, header = true, null_padding = true{_FULL})"
    try:
        if longer:
            raise ValueError(f"'{path.name}' cannot be read: {uneven}")
        run(reading)
    except duckdb.Error:
        raise ValueError(f"'{path.name}' cannot be read: {uneven or NO_DELIMITER}") from None
    if uneven:
        _log.warning("'%s': %s; what is missing at the end of a line is empty", path.name, uneven)


def _csv_in_another_encoding(connection: duckdb.DuckDBPyConnection, target: str, path: Path, run: _Run) -> None:
    _log.warning("'%s' is not UTF-8 and is read as Windows-1252; save it as UTF-8 if letters look wrong", path.name)
    with _transcoded(path, "cp1252") as file:
        read_csv(connection, target, file, run)


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
        file = Path(folder) / path.name.removesuffix(".gz")
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


def is_encoding(message: str) -> bool:
    """Whether the reader stumbled over bytes that are no UTF-8."""
    return any(word in message for word in ("utf-8 encoded", "Invalid unicode", "byte sequence mismatch"))


def literal(path: Path) -> str:
    """A path as SQL."""
    return _quoted(str(path))


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
