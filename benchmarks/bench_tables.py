"""What one does to the table of a large result (:mod:`svc_notebook.results.pages`), beside Arrow going over all rows."""

from __future__ import annotations

import io
import statistics
import time
from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from svc_notebook.front.payloads import result_payload
from svc_notebook.protocol.tools import Column
from svc_notebook.results.pages import Look, Pages
from svc_notebook.results.rendering import result_bundle
from svc_notebook.results.result import Result
from svc_notebook.results.rows import rows_of_table

from .report import Measurement

COLUMNS = [
    Column("parcel", "int64"), Column("depot", "string"), Column("weight", "float64"), Column("posted", "timestamp"),
    Column("note", "string"),
]  # fmt: skip
NUMBER, DEPOT, NOTE = 2, 1, 4


def table(rows: int) -> pa.Table:
    """Whole numbers, texts of which few and of which all are different, fractions and times."""
    random = np.random.default_rng(4)
    posted = np.datetime64("2024-01-01", "s") + random.integers(0, 366 * 86400, rows)
    return pa.table(
        {
            "parcel": np.arange(rows), "depot": np.array([f"Depot {n:03d}" for n in range(400)])[random.integers(0, 400, rows)],
            "weight": random.gamma(2, 3, rows).round(2), "posted": posted,
            "note": [f"note {n} about {n * 7919 % 1_000_003}" for n in range(rows)],
        }
    )  # fmt: skip


def run(quick: bool = False) -> list[Measurement]:
    rows, rounds = (200_000, 3) if quick else (1_000_000, 7)
    found = table(rows)
    pages = Pages(COLUMNS, rows_of_table(found))
    pages.warm()
    far = rows // 50
    texts = [pc.utf8_lower(pc.cast(found.column(place), pa.string())).combine_chunks() for place in range(5)]

    def sorted_whole(place: int) -> Callable[[], object]:
        return lambda: found.take(pc.array_sort_indices(found.column(place).combine_chunks())[far : far + 25])

    def looked_through() -> object:
        return [pc.match_substring(text, "12.5") for text in texts]

    ways: list[tuple[str, Callable[[], object], Callable[[], object], str]] = [
        ("a page in the middle, sorted by a number", lambda: pages.page(Look(sort=NUMBER, page=far // 25)), sorted_whole(NUMBER), "sorting all"),
        ("a page in the middle, sorted by few texts", lambda: pages.page(Look(sort=DEPOT, page=far // 25)), sorted_whole(DEPOT), "sorting all"),
        ("a page in the middle, sorted by other texts", lambda: pages.page(Look(sort=NOTE, page=far // 25)), sorted_whole(NOTE), "sorting all"),
        ("rows that hold rare words", lambda: _anew(pages, "12.5"), looked_through, "looking through each text"),
        ("the first 5,000 sorted rows, to be copied", lambda: pages.copied(Look(sort=NUMBER)), sorted_whole(NUMBER), "sorting all"),
        ("the first look", lambda: _shown(found), lambda: found.to_pylist(), "rows as Python has them"),
        ("a CSV file, its first part", lambda: next(pages.file_parts(Look(), "csv")), lambda: _csv(found), "Arrow's, in one go"),
        ("a Parquet file, its first part", lambda: next(pages.file_parts(Look(), "parquet")), lambda: _csv(found), "Arrow's CSV"),
        ("a workbook, its first part", lambda: next(pages.file_parts(Look(), "xlsx")), lambda: _csv(found), "Arrow's CSV"),
        ("a CSV file, all of it", lambda: pages.file(Look(), "csv"), lambda: _csv(found), "Arrow's, in one go"),
    ]  # fmt: skip
    return [_measured(f"{rows:,} rows: {name}", way, floor, called, rounds) for name, way, floor, called in ways]


def _csv(found: pa.Table) -> None:
    pyarrow.csv.write_csv(found, io.BytesIO())


def _shown(found: pa.Table) -> object:
    """A result as a page gets it first, and as the saved notebook keeps it."""
    result = Result(sql="SELECT 1", schema=COLUMNS, data=rows_of_table(found))
    return result_payload(result, paged=True), result_bundle(result)


def _anew(pages: Pages, words: str) -> object:
    pages.page(Look(wanted="zz"))  # or what was found would be known
    return pages.page(Look(wanted=words))


def _measured(
    name: str, way: Callable[[], object], floor: Callable[[], object], called: str, rounds: int
) -> Measurement:
    spent: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        for each, times in zip((way, floor), spent, strict=True):
            began = time.perf_counter()
            each()
            times.append(time.perf_counter() - began)
    ours, theirs = (statistics.median(times) * 1000 for times in spent)
    limit = None if "all of it" in name or "copied" in name else 1.0
    return Measurement(name, ours, "ms", theirs, called, limit=limit, note="" if "all of it" in name else "aim 200 ms")
