"""Rows as the bytes of a file: CSV that a sheet opens without running anything, or Parquet."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet

__all__ = ["csv_file", "parquet_file"]

_PART = 100_000


def csv_file(table: pa.Table) -> bytes:
    """The rows as CSV, its parts written beside each other."""
    safe = _for_a_sheet(table)
    starts = range(0, max(1, safe.num_rows), _PART)
    with ThreadPoolExecutor(4) as pool:
        return b"".join(pool.map(lambda start: _written(safe.slice(start, _PART), head=start == 0), starts))


def parquet_file(table: pa.Table) -> bytes:
    """The rows as a Parquet file."""
    target = pa.BufferOutputStream()
    pyarrow.parquet.write_table(table, target)
    return target.getvalue().to_pybytes()  # type: ignore[no-any-return]


def _written(rows: pa.Table, *, head: bool) -> pa.Buffer:
    target = pa.BufferOutputStream()
    pyarrow.csv.write_csv(rows, target, pyarrow.csv.WriteOptions(include_header=head))
    return target.getvalue()


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
    number = pc.match_substring_regex(texts, r"^-[\d.,]+%?$")
    formula = pc.and_not(pc.match_substring_regex(texts, "^[=+@-]"), number)
    return pc.if_else(formula, pc.binary_join_element_wise("'", texts, ""), texts)


def _may_begin_a_formula(texts: pa.Array) -> bool:
    """Whether some text begins with such a character, told by looking at first bytes alone."""
    _, starts, letters = texts.buffers()
    if not len(texts) or letters is None or not letters.size:
        return False
    offsets = np.frombuffer(starts, np.int32)[texts.offset : texts.offset + len(texts) + 1]
    firsts = np.frombuffer(letters, np.uint8)[offsets[:-1][offsets[1:] > offsets[:-1]]]
    return bool(np.isin(firsts, np.frombuffer(b"=+@-", np.uint8)).any())
