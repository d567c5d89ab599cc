"""Identifiers, constants and comparisons with constants, as SQL."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

__all__ = ["compared", "escaped", "literal", "quote"]


def quote(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def literal(value: Any) -> str:
    """A constant of SQL."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, (int, float)):
        # Whole numbers are written whole; beyond 15 digits a float is not exact, and 1e15 is what it is.
        return repr(int(value)) if float(value).is_integer() and abs(value) < 1e15 else repr(value)
    if isinstance(value, datetime):
        return f"TIMESTAMP '{value.isoformat(sep=' ')}'"
    if isinstance(value, date):
        return f"DATE '{value.isoformat()}'"
    return "'" + str(value).replace("'", "''") + "'"


def compared(text: str, operator: str, values: Sequence[float]) -> str:
    if operator == "between":
        return f"{text} BETWEEN {literal(values[0])} AND {literal(values[1])}"
    return f"{text} {'<>' if operator == '!=' else operator} {literal(values[0])}"


def escaped(text: str) -> str:
    return re.sub(r"([%_\\])", r"\\\1", text) if re.search(r"[%_\\]", text) else text
