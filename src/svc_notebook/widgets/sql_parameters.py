"""Python variables in SQL: ``{name}`` becomes a literal, never text that could be read as SQL.

A name is looked up where the cell runs. Only plain values are taken: numbers, text, booleans, dates, times, None, and
lists of these. A placeholder inside quotes or a comment is refused rather than guessed at.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

__all__ = ["ParameterError", "bind", "literal"]

_PIECE = re.compile(
    r"""(?P<quoted>'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|/\*.*?\*/|\$\$.*?\$\$)|\{(?P<name>[A-Za-z_]\w*)\}""",
    re.DOTALL,
)
_BRACED = re.compile(r"\{[A-Za-z_]\w*\}")


class ParameterError(ValueError):
    """A placeholder that cannot be filled; the message says what to write instead."""


def bind(sql: str, variables: Mapping[str, Any]) -> str:
    """``sql`` with every ``{name}`` replaced by the literal of its variable.

    Raises
    ------
    ParameterError
        For an unknown name, a placeholder within quotes, or a value that has no literal.
    """

    def fill(match: re.Match[str]) -> str:
        if match["quoted"] is not None:
            if not match[0].startswith(("--", "/*")) and (inner := _BRACED.search(match[0])):
                raise ParameterError(f"write {inner[0]} without quotes: it is put in as a value, not as text")
            return match[0]
        if match["name"] not in variables:
            raise ParameterError(f"no variable {match['name']!r} here for {{{match['name']}}}")
        return literal(variables[match["name"]], match["name"])

    return _PIECE.sub(fill, sql)


def literal(value: Any, name: str = "value") -> str:
    """A value as an SQL literal; a list as ``(a, b)`` for ``IN``."""
    if hasattr(value, "item") and not isinstance(value, str | bytes):
        value = value.item()  # a numpy scalar
    if value is None:
        return "NULL"
    # Before int, of which bool is a kind.
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | Decimal):
        return str(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ParameterError(f"{name} is {value}, which SQL cannot compare with: use None")
        return repr(value)
    if isinstance(value, str):
        if "\x00" in value:
            raise ParameterError(f"{name} holds a NUL character")
        return "'" + value.replace("'", "''") + "'"
    # Before date, of which datetime is a kind.
    if isinstance(value, dt.datetime):
        return f"TIMESTAMP '{value.replace(tzinfo=None).isoformat(sep=' ')}'"
    if isinstance(value, dt.date):
        return f"DATE '{value.isoformat()}'"
    if isinstance(value, Sequence | set | frozenset) and not isinstance(value, bytes):
        if not value:
            raise ParameterError(f"{name} is empty: IN () would match nothing")
        return "(" + ", ".join(literal(item, name) for item in value) + ")"
    raise ParameterError(f"{name} is a {type(value).__name__}: take numbers, text, dates, None or lists of these")
