"""The table in a grid of cells: its header below titles and notes, its rows above totals and footnotes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from ... import patterns as re

__all__ = ["first_line", "is_note", "is_total", "table_in"]

_FIRST = 30  # lines in which a header is looked for
_TOTAL = re.compile(
    r"(grand |sub)?total(s|e|en)?( general| général)?|(gesamt|zwischen)?summen?|gesamt(betrag)?|insgesamt|sum|somme"
    r"|totaal|totale|suma|összesen",
    re.IGNORECASE,
)
_NOTE = re.compile(r"(\*|(source|quelle|notes?|hinweis|stand|fuente|generated|as of|exported)\b).*", re.IGNORECASE)


def is_total(cells: Sequence[Any]) -> bool:
    """Whether a line sums up the others: its first text says so, and it is the only one or followed by numbers."""
    texts = [str(cell).strip() for cell in cells if isinstance(cell, str) and cell.strip()]
    return bool(texts) and bool(_TOTAL.fullmatch(texts[0].rstrip(": ")))


def first_line(rows: Sequence[Sequence[Any]]) -> int:
    """Where the header is: the first line about as wide as the lines below it, all of it text."""
    widths = [sum(1 for cell in row if not _is_empty(cell)) for row in rows]
    # The median of widths: titles above and notes below do not move it.
    usual = sorted(width for width in widths if width)[len([w for w in widths if w]) // 2] if any(widths) else 0
    for at, (row, width) in enumerate(zip(rows[:_FIRST], widths, strict=False)):
        # 0.7: a header may leave a few of its columns without a name.
        if width and width >= min(usual, max(2, math.ceil(0.7 * usual))) and _names_columns(row):
            return at
    return next((at for at, width in enumerate(widths) if width), 0)


def table_in(place: str, rows: Sequence[Sequence[Any]], told: list[str]) -> dict[str, list[Any]] | None:
    """The columns of the table in ``rows``; None where there is none."""
    filled = [row for row in rows if not all(map(_is_empty, row))]
    if len(filled) < 2:
        return None
    at = first_line(filled)
    header, body = filled[at], list(filled[at + 1 :])
    if at:
        told.append(f"{place}: {_lines(at)} above the names of the columns {_are(at)} left out")
    left = _without_footer(body)
    if len(left) < len(body):
        count = len(body) - len(left)
        told.append(f"{place}: {_lines(count)} below the rows (a total, or a note) {_are(count)} left out")
    width = max((i + 1 for row in (header, *left) for i, cell in enumerate(row) if not _is_empty(cell)), default=0)
    if not left or not width:
        return None
    return _columns(header, left, width)


def _columns(header: Sequence[Any], rows: Sequence[Sequence[Any]], width: int) -> dict[str, list[Any]]:
    columns: dict[str, list[Any]] = {}
    for at in range(width):
        values = [None if at >= len(row) or _is_empty(row[at]) else row[at] for row in rows]
        name = _written(header[at]) if at < len(header) and not _is_empty(header[at]) else ""
        if not name and all(value is None for value in values):
            continue
        wanted, number = name or f"column_{at + 1}", 2
        shown = wanted
        while shown in columns:
            shown, number = f"{wanted}_{number}", number + 1
        columns[shown] = values
    return columns


def _without_footer(rows: list[Sequence[Any]]) -> list[Sequence[Any]]:
    kept = list(rows)
    while len(kept) > 1 and (is_total(kept[-1]) or is_note(kept[-1])):
        kept.pop()
    return kept


def is_note(cells: Sequence[Any]) -> bool:
    """Whether a line is nothing but a remark: where the data come from, when they were made."""
    texts = [str(cell).strip() for cell in cells if not _is_empty(cell)]
    return len(texts) == 1 and bool(_NOTE.fullmatch(texts[0]))


def _names_columns(row: Iterable[Any]) -> bool:
    texts = [cell for cell in row if not _is_empty(cell)]
    return all(isinstance(cell, str) or _is_year(cell) for cell in texts) and any(isinstance(c, str) for c in texts)


def _written(cell: Any) -> str:
    return str(int(cell)) if _is_year(cell) else str(cell).strip()


def _is_year(cell: Any) -> bool:
    # Years as names of columns, as in tables of one year beside the other.
    return isinstance(cell, (int, float)) and float(cell).is_integer() and 1900 <= cell <= 2100


def _is_empty(cell: Any) -> bool:
    return cell is None or (isinstance(cell, str) and not cell.strip())


def _lines(count: int) -> str:
    return "one line" if count == 1 else f"{count} lines"


def _are(count: int) -> str:
    return "is" if count == 1 else "are"
