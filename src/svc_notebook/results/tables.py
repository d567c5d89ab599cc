"""Tables of results: accessible static HTML that survives saving, plain ASCII for terminals, rows for the widget.

The HTML carries ``scope`` and a caption, sets numbers right, shows null as null, and says in words when there is more
than is shown. Nothing in it differs from run to run.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from html import escape
from typing import Any

from ..locales import ENGLISH, Locale
from ..protocol.headings import with_unit
from .counts import MoreThan
from .markdown import plain_text
from .values import ColumnLike, is_numeric, label, numeric, shown, written

__all__ = ["CELL_CHARS", "COMPARED", "html_table", "rows_said", "table_payload", "text_table"]

_LEAST_DRAWN = 3
_BAR = "rgba(59,130,246,.24)"  # told from the ground, and read upon, on light and on dark
_NAMED = ("weekday", "month")  # numbers that are shown by name
_NAMES_IN_DIGITS = ("id", "link", "imageurl", *_NAMED)
CELL_CHARS = 200
"""Characters of one cell that are shown."""
COMPARED = 100
"""Rows whose numbers are set against each other as bars, as in a page."""


def rows_said(shown_rows: int, loaded: int, total: int, locale: Locale = ENGLISH) -> str:
    """How much of a result one sees, in words: ``"all 12 rows"`` or ``"first 10 of 1,234 rows"``."""
    total = max(total, loaded)
    parts = {"shown": locale.digits(f"{shown_rows:,}"), "total": _total(total, locale)}
    if shown_rows >= total and not isinstance(total, MoreThan):
        return locale.cells["row" if total == 1 else "rows" if total else "none"].format(**parts)
    return locale.cells["first_rows"].format(**parts)


def _total(total: int, locale: Locale) -> str:
    return locale.digits(f"{total:,}")


def _locale(columns: Sequence[ColumnLike]) -> Locale:
    """How the words of a table are written: as its columns are."""
    return written(columns[0]) if columns else ENGLISH


def _all_whole(columns: Sequence[ColumnLike], rows: Sequence[Sequence[Any]]) -> list[bool]:
    """Which columns hold whole numbers only, as far as they are looked at: 57 minutes are not 57.00."""
    return [
        is_numeric(column) and all(_is_whole(row[i]) for row in rows if i < len(row))
        for i, column in enumerate(columns)
    ]


def _digits(columns: Sequence[ColumnLike]) -> list[bool]:
    """Which columns are shown in digits, which stand below each other: a weekday's name stands as other names do."""
    return [is_numeric(column) and (column.format or "").lower() not in _NAMED for column in columns]


def _is_whole(value: Any) -> bool:
    number = numeric(value)
    return number is None or number == int(number)


def html_table(
    columns: Sequence[ColumnLike],
    rows: Sequence[Sequence[Any]],
    *,
    total_rows: int | None = None,
    title: str = "",
    limit: int = 20,
) -> str:
    """A static table.

    Parameters
    ----------
    columns : sequence
        Columns with ``name``, ``column_type``, ``title``, ``format`` and ``currency``.
    rows : sequence of sequences
        Wire values, row by row.
    total_rows : int, optional
        Rows of the whole result, where ``rows`` holds only its head.
    title : str
        Goes before the row count in the caption.
    limit : int
        Rows to show.
    """
    total = len(rows) if total_rows is None else total_rows
    visible = rows[:limit]
    said = rows_said(len(visible), len(rows), total, _locale(columns))
    partial = len(visible) < total or isinstance(total, MoreThan)
    caption = escape(_line(f"{title} · {said}" if title else said))
    mark = ' class="svc-partial"' if partial else ""
    numbers = [is_numeric(column) for column in columns]
    digits = _digits(columns)
    head = "".join(
        f'<th scope="col"{_right(number)}>{escape(_line(label(column)))}</th>'
        for column, number in zip(columns, digits, strict=True)
    )
    whole = _all_whole(columns, visible)
    parts = _parts(columns, rows[:COMPARED], numbers)
    body = "".join(
        "<tr>"
        + _cells(row, columns, digits, whole, [None if part is None else part[place] for part in parts])
        + "</tr>"
        for place, row in enumerate(visible)
    )
    return (
        f'<table class="svc-table"><caption{mark}>{caption}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )


def _cells(
    row: Sequence[Any],
    columns: Sequence[ColumnLike],
    numbers: Sequence[bool],
    whole: Sequence[bool],
    parts: Sequence[float | None],
) -> str:
    cells = []
    for index, (column, number) in enumerate(zip(columns, numbers, strict=True)):
        value = row[index] if index < len(row) else None
        text = escape(cell_text(value, column, whole=whole[index]))
        text = f"<em>{text}</em>" if value is None else text
        cells.append(f"<td{_right(number, parts[index])}>{text}</td>")
    return "".join(cells)


def _parts(
    columns: Sequence[ColumnLike], rows: Sequence[Sequence[Any]], numbers: Sequence[bool]
) -> list[list[float] | None]:
    """Per cent of a column's largest number that each of its numbers is, for the columns that are drawn as bars."""
    keys = _keys(rows, numbers)
    found: list[list[float] | None] = []
    for known, drawn in zip(keys, _drawn(columns, keys), strict=True):
        top = max((key for key in known or () if key is not None), default=0.0)
        found.append([100 * (key or 0) / top for key in known] if drawn and known and top > 0 else None)
    return found


def _right(number: bool, part: float | None = None) -> str:
    bar = f";background:linear-gradient(to right,{_BAR} {part:.1f}%,transparent 0)" if part else ""
    return f' style="text-align:right{bar}"' if number else ' style="text-align:left"'


def cell_text(value: Any, column: ColumnLike, *, whole: bool = False) -> str:
    """One cell as a single line of bounded length."""
    if isinstance(value, list | dict):
        value = json.dumps(value, ensure_ascii=False)
    return _line(shown(value, column, whole=whole))


def _line(text: str) -> str:
    line = " ".join(plain_text(text).split())
    return line if len(line) <= CELL_CHARS else line[: CELL_CHARS - 1] + "…"


def text_table(
    columns: Sequence[ColumnLike],
    rows: Sequence[Sequence[Any]],
    *,
    total_rows: int | None = None,
    limit: int = 10,
    width: int = 30,
) -> str:
    """The same as plain text, readable in a terminal and by an agent that reads the notebook file."""
    total = len(rows) if total_rows is None else total_rows
    visible = rows[:limit]
    heads = [with_unit(_cut(_line(c.title or c.name), width), c.unit) for c in columns]
    whole = _all_whole(columns, visible)
    body = [
        [
            _cut(cell_text(row[i] if i < len(row) else None, column, whole=whole[i]), width)
            for i, column in enumerate(columns)
        ]
        for row in visible
    ]
    widths = [max([len(head), *(len(line[i]) for line in body)]) for i, head in enumerate(heads)]
    numbers = _digits(columns)

    def line(cells: Sequence[str]) -> str:
        padded = (c.rjust(w) if number else c.ljust(w) for c, w, number in zip(cells, widths, numbers, strict=True))
        return "  ".join(padded).rstrip()

    rule = "  ".join("-" * w for w in widths)
    return "\n".join(
        [line(heads), rule, *map(line, body), f"({rows_said(len(visible), len(rows), total, _locale(columns))})"]
    )


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 3] + "..."


def table_payload(
    columns: Sequence[ColumnLike], rows: Sequence[Sequence[Any]], *, total_rows: int, limit: int = COMPARED
) -> dict[str, Any]:
    """What the widget draws its sortable table from: texts as shown, and numbers to sort by where texts would lie."""
    visible = rows[:limit]
    numbers = [is_numeric(column) for column in columns]
    whole = _all_whole(columns, visible)
    cells = [
        [
            None if (v := row[i] if i < len(row) else None) is None else cell_text(v, c, whole=whole[i])
            for i, c in enumerate(columns)
        ]
        for row in visible
    ]
    keys = _keys(visible, numbers)
    return {
        "columns": [
            {"title": _line(label(c)), "name": c.name, "number": n, **({"bar": True} if bar else {})}
            for c, n, bar in zip(columns, _digits(columns), _drawn(columns, keys), strict=True)
        ],
        "rows": cells,
        "keys": keys,
        "said": rows_said(len(visible), len(rows), total_rows, _locale(columns)),
        "null": _locale(columns).cells["null"],
        "partial": len(visible) < max(total_rows, len(rows)) or isinstance(total_rows, MoreThan),
    }


def _keys(rows: Sequence[Sequence[Any]], numbers: Sequence[bool]) -> list[list[float | None] | None]:
    """The numbers of each column that has numbers."""
    return [
        [_key(row[i] if i < len(row) else None) for row in rows] if number else None for i, number in enumerate(numbers)
    ]


def _drawn(columns: Sequence[ColumnLike], keys: Sequence[Sequence[float | None] | None]) -> list[bool]:
    """Which columns are drawn as bars behind their numbers: amounts from nothing up, of groups that are named."""
    named = any(not is_numeric(column) for column in columns)
    return [
        named and known is not None and _amounts(column, known) for column, known in zip(columns, keys, strict=True)
    ]


def _amounts(column: ColumnLike, keys: Sequence[float | None]) -> bool:
    """Whether numbers are amounts that can be set against each other: no names, no years, none below nothing."""
    known = [key for key in keys if key is not None]
    if len(set(known)) < _LEAST_DRAWN or min(known) < 0 or (column.format or "").lower() in _NAMES_IN_DIGITS:
        return False
    counted = re.search(r"(^|[\s_.])(id|key|code|nr|number|year|latitude|longitude|lat|lon|lng)$", column.name.lower())
    # Whole numbers in just these bounds are years, whatever the column is called.
    return counted is None and not all(key == int(key) and 1900 <= key <= 2100 for key in known)


def _key(value: Any) -> float | None:
    number = numeric(value)
    return None if number is None else float(number)
