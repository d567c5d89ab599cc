"""CSV as people have it: other encodings, lines above the table, lines that end early, types that show late."""

from __future__ import annotations

import csv
import io
import logging
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import duckdb

from ... import patterns as re
from .csv_layout import Layout, layout_of, opened, table_alone

__all__ = ["NO_DELIMITER", "is_encoding", "literal", "read_csv"]

_log = logging.getLogger(__name__)
NO_DELIMITER = "no delimiter fits all its lines; is it a CSV file?"
_FULL = ", sample_size = -1"  # types from all values, not from a sample
_FOREIGN = re.compile(r"[\x80-\U0010ffff]{4}")  # no Western text has so many letters beyond ASCII in a row
_ORDERS = {
    f"%{first}{mark}%{second}": words
    for mark in "/-"
    for first, second, words in (("d", "m", "day and month"), ("m", "d", "month and day"))
}
# Past twelve a day cannot be a month, and the order is certain.
_MONTHS = 12
_Run = Callable[[str], object]


def read_csv(
    connection: duckdb.DuckDBPyConnection, target: str, path: Path, run: _Run, told: list[str] | None = None
) -> None:
    """Make the table; what was done to the file for it is appended to ``told``, or logged where nobody listens."""
    with _as_utf8(path) as (given, encoded), table_alone(given, layout := layout_of(given)) as file:
        _tell(told, layout, path)
        source = f"read_csv({literal(file)}"
        try:
            run(f"{source})")
        except duckdb.Error as error:
            if encoded is None and is_encoding(str(error)):
                _csv_in_another_encoding(connection, target, path, run, told)
                return
            # The second reading looks at all values for the types; the first, over a sample, is many times faster.
            run(f"{source}{_FULL})")
        delimiter = _misread(connection, target, path, source, told)
        if delimiter is not None:
            _csv_with_uneven_lines(path, file, delimiter, run, told)
        _other_readings(connection, target, path, source, told)


def _tell(told: list[str] | None, what: Layout | str, path: Path) -> None:
    if isinstance(what, Layout):
        if what.above:
            lines = "one line" if what.above == 1 else f"{what.above} lines"
            _tell(told, f"{lines} above the names of the columns left out", path)
        if what.below:
            _tell(told, "what stands below the rows (a total, or notes) left out", path)
    elif told is None:
        _log.warning("'%s': %s", path.name, what)
    elif (said := f"{path.name}: {what}") not in told:
        told.append(said)


def _other_readings(
    connection: duckdb.DuckDBPyConnection, target: str, path: Path, source: str, told: list[str] | None
) -> None:
    """What the engine's reader took for one thing and may be another: grouped digits, days that may be months."""
    sniffed = f"SELECT Delimiter, DateFormat FROM sniff_csv({source.removeprefix('read_csv(')})"
    delimiter, dates = connection.execute(sniffed).fetchall()[0]
    kinds = {name: kind for name, kind, *_ in connection.execute(f"DESCRIBE {target}").fetchall()}
    # Where the comma is the decimal point, files are delimited by semicolons, and the point groups digits.
    if delimiter == ";":
        _thousands(connection, target, path, source, [name for name, kind in kinds.items() if kind == "DOUBLE"], told)
    order = next((said for form, said in _ORDERS.items() if (dates or "").startswith(form)), None)
    for name in [name for name, kind in kinds.items() if kind == "DATE"] if order else []:
        column = '"' + name.replace('"', '""') + '"'
        most = connection.execute(f"SELECT greatest(max(day({column})), max(month({column}))) FROM {target}").fetchall()
        if most[0][0] is not None and most[0][0] <= _MONTHS:
            _tell(told, f"'{name}' is taken for {order}; its values would allow the other order too", path)


def _thousands(
    connection: duckdb.DuckDBPyConnection,
    target: str,
    path: Path,
    source: str,
    names: Sequence[str],
    told: list[str] | None,
) -> None:
    """``1.234`` beside ``12.000`` in a file with semicolons: points that group digits, not decimals of three places."""
    for name in names:
        column = '"' + name.replace('"', '""') + '"'
        grouped = f"regexp_full_match({column}, '[-+]?[1-9]\\d{{0,2}}\\.\\d{{3}}')"
        count = f"SELECT count({column}), count(*) FILTER (WHERE {grouped}) FROM {source}, all_varchar = true)"
        filled, fitting = connection.execute(count).fetchall()[0]
        # All of several: one 1.234 alone may as well be a decimal.
        if filled == fitting > 1:
            # Read as decimals already, 1.234 times a thousand is what was written.
            whole = f"CAST(round({column} * 1000) AS BIGINT) AS {column}"
            connection.execute(f"CREATE OR REPLACE TABLE {target} AS SELECT * REPLACE ({whole}) FROM {target}")
            _tell(told, f"the points in '{name}' are taken for thousands (1.234 is 1234)", path)


def _csv_with_uneven_lines(path: Path, file: Path, delimiter: str, run: _Run, told: list[str] | None) -> None:
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
        _tell(told, f"{uneven}; what is missing at the end of a line is empty", path)


def _csv_in_another_encoding(
    connection: duckdb.DuckDBPyConnection, target: str, path: Path, run: _Run, told: list[str] | None
) -> None:
    _tell(told, "not UTF-8, and read as Windows-1252; save it as UTF-8 if letters look wrong", path)
    with _transcoded(path, "cp1252") as file:
        read_csv(connection, target, file, run, told)


def _misread(
    connection: duckdb.DuckDBPyConnection, target: str, path: Path, source: str, told: list[str] | None
) -> str | None:
    """The delimiter of a file whose lines the reader left out above, or took whole, because no way of reading fitted.

    A few lines above a table are left out rightly, which is told.
    """
    found = connection.execute(f"SELECT SkipRows, Delimiter FROM sniff_csv({source.removeprefix('read_csv(')})")
    skipped, delimiter = found.fetchall()[0]
    kept = connection.execute(f"SELECT count(*) FROM {target}").fetchall()[0][0] if skipped else 0
    # More lines skipped than kept: what was found below them is no table.
    if skipped and skipped >= kept:
        return str(delimiter)
    if skipped:
        _tell(told, f"its first {skipped} lines do not fit the others and are left out", path)
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
    with opened(path) as stream:
        # One page, in which a binary file has a zero byte.
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
    with opened(path) as stream:
        data = stream.read()
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        raise ValueError(f"'{path.name}' cannot be read: it is not UTF-8; save it as UTF-8") from None
    # cp1252 decodes nearly any bytes, so a binary file is told by its control characters.
    if encoding == "cp1252" and any(ord(c) < 32 and c not in "\t\r\n\f" for c in text):
        raise ValueError(f"'{path.name}' cannot be read: it is no text file")
    if encoding == "cp1252" and _FOREIGN.search(text):
        raise ValueError(f"'{path.name}' cannot be read: it is not UTF-8; save it as UTF-8")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / path.name.removesuffix(".gz")
        # newline="": line ends stay as they are, in quoted values too.
        file.write_text(text, encoding="utf-8", newline="")
        yield file


def _uneven(file: Path, delimiter: str) -> tuple[str, bool]:
    """The first line with more values than the first one, and that it has more; else the first with fewer, if any."""
    short = ""
    with opened(file) as stream:
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
    with opened(file) as stream:
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
