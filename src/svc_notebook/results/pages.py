"""Looks at the rows of a large result: filtered, sorted and cut where they are, so that a page is sent what it shows.

Rows stay Arrow columns. A page of few rows is chosen (a partial sort) rather than cut out of a sorted whole; what is
looked for is looked for in the text of each column, made once; a filter that goes on typing looks only where it had
found something.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from ..arrow_compute import pc
from ..protocol.rows import json_values
from .row_files import FILES
from .row_order import in_order, sortable
from .rows import Rows
from .tables import cell_text
from .text_search import holding, searchable, words_for
from .values import ColumnLike, is_numeric, label, numeric
from .workbook_file import SHEET_ROWS

__all__ = ["PAGE", "FilePart", "Look", "Page", "Pages"]

PAGE = 25
"""Rows of one page."""
_COPIED = 5_000
_BESIDE = 4
_ORDERED = (pa.types.is_integer, pa.types.is_floating, pa.types.is_temporal, pa.types.is_decimal)


@dataclass(frozen=True, slots=True)
class Look:
    """What one looks at: the column it is sorted by, the words that a row holds, and the page."""

    sort: int | None = None
    up: bool = True
    wanted: str = ""
    page: int = 0

    @classmethod
    def of(cls, message: Mapping[str, Any], width: int) -> Look:
        """As a page asks for it; what it does not know is left out."""
        sort, page = message.get("sort"), message.get("page")
        return cls(
            sort if isinstance(sort, int) and 0 <= sort < width else None,
            bool(message.get("up", True)),
            str(message.get("wanted") or "").strip().lower()[:200],
            page if isinstance(page, int) and page > 0 else 0,
        )


@dataclass(frozen=True, slots=True)
class Page:
    """Rows as they are shown, which page they are, and how many rows there are to look through.

    ``keys`` holds the numbers of each column that has numbers, to draw bars of.
    """

    rows: list[list[str | None]]
    page: int
    found: int
    keys: list[list[float | None] | None]


@dataclass(frozen=True, slots=True)
class FilePart:
    """The next bytes of a file, and how many of its rows are written."""

    content: bytes
    written: int
    rows: int


class Pages:
    """The rows of a result, to look at page by page; any thread may look.

    ``about`` says what is behind them, for a workbook's second sheet.
    """

    def __init__(self, columns: Sequence[ColumnLike], rows: Rows, about: Mapping[str, str] | None = None) -> None:
        self._about = about or {}
        self._heads, self._count = tuple(columns), len(rows)
        self._columns = [_plain(values) for values in rows.columns]
        self._all = pa.array(np.arange(self._count))
        self._whole = [
            is_numeric(head) and _is_whole(values) for head, values in zip(columns, self._columns, strict=True)
        ]
        self._texts: dict[int, pa.Array] = {}
        self._found: tuple[str, pa.Array | None] = ("", None)
        self._ranked: dict[int, pa.Array] = {}
        self._warming = False
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return self._count

    @property
    def width(self) -> int:
        """How many columns there are."""
        return len(self._columns)

    @property
    def nbytes(self) -> int:
        """Bytes of the rows, and of what is made of them to look through them."""
        made = [*self._columns, *list(self._texts.values()), *list(self._ranked.values())]
        return sum(int(each.nbytes) for each in (self._all, *made))

    def warm(self) -> None:
        """Make the texts that a filter looks through, and what it is sorted by, before somebody looks."""
        for place in range(len(self._columns)):
            self._text(place)
            self._sortable(place)

    def warm_beside(self) -> None:
        """Begin with :meth:`warm` on a thread of its own, once."""
        with self._lock:
            begun, self._warming = self._warming, True
        if not begun:
            threading.Thread(target=self.warm, name="svc-pages", daemon=True).start()

    def page(self, look: Look) -> Page:
        """One page; one beyond the last is the last."""
        with self._lock:
            held = self._held(look.wanted)
            found = self._count if held is None else len(held)
            number = min(look.page, max(0, (found - 1) // PAGE))
            chosen = self._places(look, held, number * PAGE, PAGE)
        return Page(self._shown(chosen), number, found, self._numbers(chosen))

    def copied(self, look: Look) -> tuple[list[list[str | None]], int]:
        """The first rows that are found, as many as go into a note, and how many there are."""
        with self._lock:
            held = self._held(look.wanted)
            chosen = self._places(look, held, 0, _COPIED)
        return self._shown(chosen), self._count if held is None else len(held)

    def file(self, look: Look, kind: str) -> bytes:
        """All rows that are found, in their order, as a file: ``"csv"``, ``"parquet"`` or ``"xlsx"``."""
        return b"".join(part.content for part in self.file_parts(look, kind))

    def file_parts(self, look: Look, kind: str) -> Iterator[FilePart]:
        """:meth:`file` as it is written: a part of the rows at a time, in the memory of one.

        Raises
        ------
        ValueError
            There are more rows than a sheet holds.
        """
        with self._lock:
            held = self._held(look.wanted)
        count = self._count if held is None else len(held)
        if kind == "xlsx" and count > SHEET_ROWS:
            raise ValueError(
                f"A sheet holds {SHEET_ROWS:,} rows, and here are {count:,}: filter them, or take Parquet."
            )
        chosen = None if held is None and look.sort is None else self._places(look, held, 0, count)
        return self._written(kind, chosen, count)

    def _written(self, kind: str, chosen: pa.Array | None, count: int) -> Iterator[FilePart]:
        schema, file = self._titled(), FILES[kind]
        step = max(1_000, file.cells // max(1, self.width))
        parts = (self._part(schema, chosen, first, step) for first in range(0, max(1, count), step))
        for number, content in enumerate(file.write(schema, parts, self._about), 1):
            yield FilePart(content, min(number * step, count), count)

    def _titled(self) -> pa.Schema:
        """The columns by their titles, or by their names where titles are not told apart."""
        names = [label(head) for head in self._heads]
        names = names if len(set(names)) == len(names) else [head.name for head in self._heads]
        return pa.schema([(name, column.type) for name, column in zip(names, self._columns, strict=True)])

    def _part(self, schema: pa.Schema, chosen: pa.Array | None, first: int, most: int) -> pa.Table:
        places = None if chosen is None else chosen.slice(first, most)
        return pa.Table.from_arrays(
            [column.slice(first, most) if places is None else column.take(places) for column in self._columns],
            schema=schema,
        )

    def _shown(self, places: pa.Array) -> list[list[str | None]]:
        cells = []
        for head, values, whole in zip(self._heads, self._columns, self._whole, strict=True):
            found = json_values(values.take(places))
            # Each different value is written once: columns of a page often hold few.
            told = {cell: cell_text(cell, head, whole=whole) for cell in {*found} - {None}}
            cells.append([told.get(cell) for cell in found])
        return [list(row) for row in zip(*cells, strict=True)]

    def _numbers(self, places: pa.Array) -> list[list[float | None] | None]:
        return [
            [None if (number := numeric(cell)) is None else float(number) for cell in json_values(values.take(places))]
            if is_numeric(head)
            else None
            for head, values in zip(self._heads, self._columns, strict=True)
        ]

    @cached_property
    def tops(self) -> list[float]:
        """The largest number of each column, 0 where it has none."""
        return [
            max(0.0, float(pc.max(values).as_py() or 0)) if is_numeric(head) else 0.0
            for head, values in zip(self._heads, self._columns, strict=True)
        ]

    # ---- what is found ----

    def _held(self, wanted: str) -> pa.Array | None:
        """Places of the rows that hold the words; None for all."""
        if not wanted:
            return None
        before, known = self._found
        if wanted == before:
            return known
        narrowed = (
            # Whoever types on looks for less: only what held the shorter word can hold the longer one. Commas are left
            # out of numbers, so that "1," finds what "1" does, and "," everything.
            before.strip(",") and wanted.startswith(before) and known is not None and len(known) < self._count // 4
        )
        within = known if narrowed else None
        asked = [(place, words_for(values.type, wanted)) for place, values in enumerate(self._columns)]
        mask = np.zeros(self._count if within is None else len(within), bool)
        with ThreadPoolExecutor(_BESIDE) as pool:  # Arrow looks through columns without the interpreter
            for held in pool.map(
                lambda one: holding(self._text(one[0]), one[1], within), (one for one in asked if one[1])
            ):
                mask |= held
        found = pa.array(np.flatnonzero(mask))
        self._found = (wanted, found if within is None else within.take(found))
        return self._found[1]

    def _text(self, place: int) -> pa.Array:
        if (known := self._texts.get(place)) is None:
            known = self._texts[place] = searchable(self._columns[place])
        return known

    # ---- in which order ----

    def _places(self, look: Look, held: pa.Array | None, first: int, most: int) -> pa.Array:
        """Places of the rows from ``first`` on in the order that is asked for, missing values last."""
        count = self._count if held is None else len(held)
        last = min(first + most, count)
        if look.sort is None:
            return self._all.slice(first, last - first) if held is None else held.slice(first, last - first)
        values = self._sortable(look.sort)
        values = values if held is None else values.take(held)
        chosen = in_order(values, first, last, up=look.up)
        return chosen if held is None else held.take(chosen)

    def _sortable(self, place: int) -> pa.Array:
        if (known := self._ranked.get(place)) is None:
            known = self._ranked[place] = sortable(self._columns[place])
        return known


def _plain(values: Any) -> pa.Array:
    """A column that can be sorted, looked through and taken from."""
    if isinstance(values, list):
        return pa.array([None if value is None else str(value) for value in values], pa.string())
    column = values.combine_chunks() if isinstance(values, pa.ChunkedArray) else values
    if isinstance(column, pa.ChunkedArray):  # of no chunk
        column = pa.array([], values.type)
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    # text_search and row_files read the offsets of a text column as 32 bits.
    if pa.types.is_large_string(column.type):
        return column.cast(pa.string())
    known = pa.types.is_string(column.type) or pa.types.is_boolean(column.type)
    if known or any(is_so(column.type) for is_so in _ORDERED):
        return column
    return pa.array([None if v is None else str(v) for v in column.to_pylist()], pa.string())


def _is_whole(values: pa.Array) -> bool:
    """Whether all numbers of a column are whole."""
    if pa.types.is_integer(values.type):
        return True
    if not pa.types.is_floating(values.type):
        return False
    return bool(pc.all(pc.equal(values, pc.floor(values))).as_py())
