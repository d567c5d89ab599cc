"""Rows as a file, part by part: CSV that a sheet opens without running anything, Parquet, or a workbook.

A writer is given the rows in parts and gives a part of the file for each, so that a file of any length takes the memory
of one part, can be sent while it is written, and be stopped in between.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from ..arrow_compute import pc
from .file_sink import Sink
from .workbook_file import workbook_parts

__all__ = ["FILES", "FileKind"]

Parts = Iterator[pa.Table]
Write = Callable[[pa.Schema, Parts, Mapping[str, str]], Iterator[bytes]]


@dataclass(frozen=True, slots=True)
class FileKind:
    """How a file is written: ``write`` gives bytes for each part of the rows, and the end; ``cells`` go into a part."""

    write: Write
    cells: int


def csv_parts(schema: pa.Schema, parts: Parts, _about: Mapping[str, str]) -> Iterator[bytes]:
    """The rows as CSV."""
    head = True
    for part in parts:
        target = pa.BufferOutputStream()
        pyarrow.csv.write_csv(_for_a_sheet(part), target, pyarrow.csv.WriteOptions(include_header=head))
        yield target.getvalue().to_pybytes()
        head = False
    yield b""


def parquet_parts(schema: pa.Schema, parts: Parts, _about: Mapping[str, str]) -> Iterator[bytes]:
    """The rows as Parquet, a group of rows for each part."""
    sink = Sink()
    with pyarrow.parquet.ParquetWriter(sink, schema) as writer:
        for part in parts:
            writer.write_table(part)
            yield sink.taken()
    yield sink.taken()


FILES: dict[str, FileKind] = {
    "csv": FileKind(csv_parts, 300_000), "parquet": FileKind(parquet_parts, 500_000),
    "xlsx": FileKind(workbook_parts, 75_000),
}  # fmt: skip
"""By what their names end with."""


def _for_a_sheet(table: pa.Table) -> pa.Table:
    """A table whose texts that begin like a formula are texts to a sheet as well, as in what is copied."""
    for place, field in enumerate(table.schema):
        if pa.types.is_string(field.type):
            chunks = [_as_text(chunk) for chunk in table.column(place).chunks]
            table = table.set_column(place, field, pa.chunked_array(chunks, field.type))
    return table


def _as_text(texts: pa.Array) -> pa.Array:
    if not _may_begin_a_formula(texts):
        return texts
    # A negative amount begins like a formula, and must not get a quote before it.
    number = pc.match_substring_regex(texts, r"^-[\d.,]+%?$")
    formula = pc.and_not(pc.match_substring_regex(texts, "^[=+@-]"), number)
    return pc.if_else(formula, pc.binary_join_element_wise("'", texts, ""), texts)


def _may_begin_a_formula(texts: pa.Array) -> bool:
    """Whether some text begins with such a character, told by looking at first bytes alone."""
    _, starts, letters = texts.buffers()
    if not len(texts) or letters is None or not letters.size:
        return False
    # By its buffers: a regular expression over a million texts takes a hundred times as long as looking at one byte
    # each.
    offsets = np.frombuffer(starts, np.int32)[texts.offset : texts.offset + len(texts) + 1]
    firsts = np.frombuffer(letters, np.uint8)[offsets[:-1][offsets[1:] > offsets[:-1]]]
    return bool(np.isin(firsts, np.frombuffer(b"=+@-", np.uint8)).any())
