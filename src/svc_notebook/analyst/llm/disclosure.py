"""What of the data leaves the machine: every row, some rows, or names alone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ... import patterns as re
from ..errors import AnalystUnavailable
from .limits import Caps

__all__ = ["SENDS", "checked_sends", "literals_said", "rows_sent"]

SENDS = ("full", "rows", "names")
_FULL_ROWS, _FULL_CHARS = 1_000, 400_000
_LITERAL = re.compile(r"'((?:[^']|'')*)'")
_DATE = re.compile(
    r"\d{4}(-\d\d){0,2}([ T][\d:.]+)?|day|week|month|quarter|year|hour|minute|second|\d+ \w+", re.IGNORECASE
)


def checked_sends(value: Any) -> str:
    """One of :data:`SENDS`.

    Raises
    ------
    AnalystUnavailable
        It is none.
    """
    if value not in SENDS:
        raise AnalystUnavailable(f"sends is {value!r}: write 'full', 'rows' or 'names'")
    return str(value)


def rows_sent(sends: str, caps: Caps) -> tuple[int, int]:
    """How many rows and characters of one result the model is shown."""
    return {"full": (_FULL_ROWS, _FULL_CHARS), "rows": (caps.shown_rows, caps.shown_chars)}.get(
        sends, (0, caps.shown_chars)
    )


def literals_said(sql: str, texts: Iterable[str]) -> bool:
    """Whether every text that stands in a query was said by the asker, so that the query tells nothing of the data."""
    heard = " ".join(texts).casefold()
    found = (text.replace("''", "'") for text in _LITERAL.findall(sql))
    return all(_DATE.fullmatch(text) or text.strip("%").casefold() in heard for text in found)
