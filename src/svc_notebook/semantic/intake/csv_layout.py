"""Where the table is in a CSV file that was made to be looked at: below its title, above its total and footnotes."""

from __future__ import annotations

import csv
import gzip
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any, cast

from ...records import dataclass
from .grids import first_line, is_note, is_total

__all__ = ["Layout", "layout_of", "opened", "table_alone"]

# Far more than the lines above and below a table that anybody writes; the file may be of gigabytes.
_HEAD, _TAIL = 65_536, 8_192
# A packed file has no end to seek to; a longer one is looked at from above alone.
_PACKED = 100_000_000
# Twice the lines in which a header is looked for, so that its rows outweigh what is above it.
_LINES = 60
_DELIMITERS = (",", ";", "\t", "|")
_SEPARATOR_LINE = "sep="  # what Excel writes for itself


@dataclass(frozen=True, slots=True)
class Layout:
    """How many lines stand above the names of the columns, and how many below the last row."""

    above: int = 0
    below: int = 0


def layout_of(file: Path) -> Layout:
    """Looked at from both ends; a file that is a plain table has nothing above and below."""
    first, last, whole = _ends(file)
    lines = first.removeprefix("\ufeff").split("\n")
    # The last line of a part may be cut in two.
    lines = lines if whole else lines[:-1]
    delimiter = _delimiter(lines[:_LINES])
    if delimiter is None:
        return Layout()
    tail = [line.rstrip("\r") for line in last.split("\n")]
    rows = list(csv.reader((line.rstrip("\r") for line in lines[:_LINES]), delimiter=delimiter))
    return Layout(_above(lines[:_LINES], rows), _below(tail if whole else tail[1:], delimiter))


@contextmanager
def table_alone(file: Path, layout: Layout) -> Iterator[Path]:
    """The file, or a copy without the lines above and below."""
    if not (layout.above or layout.below):
        yield file
        return
    with opened(file) as stream, TemporaryDirectory() as folder:
        lines = stream.read().split(b"\n")
        copy = Path(folder) / file.name.removesuffix(".gz")
        copy.write_bytes(b"\n".join(lines[layout.above : len(lines) - layout.below]) + b"\n")
        yield copy


def _ends(file: Path) -> tuple[str, str, bool]:
    """The text at both ends, and whether that is all; a packed file is read to its end for it, up to a size."""
    with opened(file) as stream:
        if file.suffix.lower() == ".gz":
            data = stream.read(_PACKED)
            head, tail, size = data[:_HEAD], data[-_TAIL:] if len(data) < _PACKED else b"", len(data)
        else:
            head, size = stream.read(_HEAD), file.stat().st_size
            stream.seek(max(0, size - _TAIL))
            tail = stream.read()
    if size <= _HEAD:
        tail = head
    return head.decode("utf-8", "replace"), tail.decode("utf-8", "replace"), size <= _HEAD


def _delimiter(lines: Sequence[str]) -> str | None:
    """The delimiter by which most lines have the same number of values, the more the better."""
    best: tuple[int, int, str | None] = (0, 0, None)
    for delimiter in _DELIMITERS:
        widths = Counter(len(row) for row in csv.reader(lines, delimiter=delimiter) if len(row) > 1)
        width, count = max(widths.items(), key=lambda item: (item[1], item[0]), default=(0, 0))
        best = max(best, (count, width, delimiter), key=lambda item: item[:2])
    return best[2] if best[0] >= 2 else None


def _above(lines: Sequence[str], rows: Sequence[Sequence[str]]) -> int:
    """Lines above the header; none where values that break over lines leave it open which line is which."""
    # An odd quote: some value goes on in the next line, and lines are not rows.
    if any(line.count('"') % 2 for line in lines):
        return 0
    if lines[0].lower().startswith(_SEPARATOR_LINE) and len(lines[0].strip()) <= len(_SEPARATOR_LINE) + 1:
        return 1
    at = first_line([[_cell(cell) for cell in row] for row in rows])
    usual = Counter(map(len, rows)).most_common(1)[0][0]
    # A line as full as the table's is one of its rows, and not a title.
    narrow = all(sum(bool(cell.strip()) for cell in row) <= max(1, usual // 2) for row in rows[:at])
    return at if narrow else 0


def _below(lines: Sequence[str], delimiter: str) -> int:
    if any(line.count('"') % 2 for line in lines):
        return 0
    last, found = len(lines), len(lines)
    # A header and one row are left, whatever they say.
    while last > 2:
        row = next(csv.reader([lines[last - 1]], delimiter=delimiter), [])
        if any(cell.strip() for cell in row):
            if not (is_total(row) or is_note(row)):
                break
            found = last - 1
        last -= 1
    return len(lines) - found


def _cell(text: str) -> Any:
    try:
        return float(text)
    except ValueError:
        return text


def opened(path: Path) -> IO[bytes]:
    """The bytes of a file, unpacked where its name says that it is packed."""
    return cast("IO[bytes]", gzip.open(path, "rb")) if path.suffix.lower() == ".gz" else path.open("rb")
