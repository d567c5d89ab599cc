"""What came of a question, against what pandas makes of the tables."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from itertools import permutations
from typing import Any

from asking import Asked

__all__ = ["Near", "Pct", "Yes", "gives", "outcome_of"]

_TOLD = re.compile(r"not read|left out|could not|I do not know|can also be read", re.IGNORECASE)


class Pct(float):
    """A share, told as a fraction or in per cent."""


class Yes(int):
    """How many there are, where the question wants yes or no."""


class Near:
    """Several right answers."""

    def __init__(self, *ways: Any) -> None:
        self.ways = ways


def outcome_of(asked: Asked, wanted: Any) -> str:
    """``right``, ``refused`` (asked back counts as that), ``told`` what was left out, or ``silently wrong``."""
    if gives(asked, wanted):
        return "right"
    if asked.table is None:
        return "refused"
    return "told" if _TOLD.search(asked.answer.text) else "silently wrong"


def gives(asked: Asked, wanted: Any) -> bool:
    """Whether the answer shows what is wanted."""
    if isinstance(wanted, Near):
        return any(gives(asked, way) for way in wanted.ways)
    text = asked.answer.text
    if isinstance(wanted, Yes) and re.match(r"\W*(yes|no)\b", text, re.IGNORECASE):
        return (re.match(r"\W*yes", text, re.IGNORECASE) is not None) == (wanted > 0)
    if asked.table is None:
        return False
    rows = asked.rows()
    if isinstance(wanted, Yes):
        return len(rows) == int(wanted) or len(rows) == 1 and any(_same(cell, int(wanted)) for cell in rows[0])
    if isinstance(wanted, dict):
        return _has_columns(rows, list(wanted.items()))
    if isinstance(wanted, list) and wanted and isinstance(wanted[0], tuple):
        return _has_columns(rows, wanted)
    if isinstance(wanted, (set, list)):
        return _lists(rows, list(wanted))
    return len(rows) == 1 and any(_same(cell, wanted) for cell in rows[0])


def _has_columns(rows: list[tuple[Any, ...]], wanted: list[tuple[Any, ...]]) -> bool:
    """Whether some of the columns, in any order, hold just these rows."""
    if not rows or len(rows) != len(wanted) or len(rows[0]) < len(wanted[0]):
        return False
    orders = permutations(range(len(rows[0])), len(wanted[0]))
    return any(all(any(_same_row([row[c] for c in order], one) for row in rows) for one in wanted) for order in orders)


def _same_row(cells: Iterable[Any], wanted: Iterable[Any]) -> bool:
    return all(map(_same, cells, wanted))


def _lists(rows: list[tuple[Any, ...]], wanted: list[Any]) -> bool:
    """Whether a column holds just these, or all of them stand in the rows."""
    if len(rows) == 1 and len(wanted) == 2:
        return all(any(_same(cell, one) for cell in rows[0]) for one in wanted)
    if len(rows) != len(wanted):
        return False
    columns = zip(*rows, strict=True) if rows else ()
    listed = any(sorted(map(str, column)) == sorted(map(str, wanted)) for column in columns)
    return not rows or listed or all(any(_same(cell, one) for row in rows for cell in row) for one in wanted)


def _same(cell: Any, wanted: Any) -> bool:
    if cell is None or wanted is None or wanted != wanted:
        return cell is None and (wanted is None or wanted != wanted)
    if isinstance(wanted, Pct):
        return _is_number(cell) and any(_close(cell, wanted * size) for size in (1, 100))
    if hasattr(wanted, "year"):
        return str(cell)[:10] == str(wanted)[:10]
    if _is_number(wanted) and hasattr(cell, "year"):
        return bool(cell.year == wanted and cell.month == cell.day == 1)
    if _is_number(wanted) and _is_number(cell):
        return _close(cell, wanted)
    return str(cell).lower() == str(wanted).lower()


def _close(cell: Any, wanted: Any) -> bool:
    return math.isclose(float(cell), float(wanted), rel_tol=2e-3, abs_tol=1e-6)


def _is_number(value: Any) -> bool:
    plain = isinstance(value, (int, float)) and not isinstance(value, bool)
    return plain or hasattr(value, "as_tuple") or hasattr(value, "dtype")
