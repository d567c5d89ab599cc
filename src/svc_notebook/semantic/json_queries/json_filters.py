"""The filter operators of JSON queries as SQL conditions; values become literals of the member's own type."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from ... import patterns as re
from ..compiler.names import nearest
from ..errors import InvalidQuery
from .json_dates import date_span

__all__ = ["condition", "quoted", "timestamp"]

_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?")
_COMPARISONS = {"gt": ">", "gte": ">=", "lt": "<", "lte": "<="}
_PATTERNS = {"contains": ("%", "%"), "startsWith": ("", "%"), "endsWith": ("%", "")}
_NEGATIONS = {"notContains": "contains", "notStartsWith": "startsWith", "notEndsWith": "endsWith"}
_DATES: dict[str, Callable[[str, str, str], str]] = {
    "inDateRange": lambda m, start, end: f"({m} >= {start} AND {m} < {end})",
    # Rows without a time are in neither: unlike notEquals, whose format counts NULL as not equal.
    "notInDateRange": lambda m, start, end: f"({m} < {start} OR {m} >= {end})",
    "onTheDate": lambda m, start, end: f"({m} >= {start} AND {m} < {end})",
    "beforeDate": lambda m, start, end: f"{m} < {start}",
    "beforeOrOnDate": lambda m, start, end: f"{m} < {end}",
    "afterDate": lambda m, start, end: f"{m} >= {end}",
    "afterOrOnDate": lambda m, start, end: f"{m} >= {start}",
}
OPERATORS = sorted(["equals", "notEquals", "set", "notSet", *_COMPARISONS, *_PATTERNS, *_NEGATIONS, *_DATES])


def quoted(name: str) -> str:
    """A quoted identifier."""
    return '"' + name.replace('"', '""') + '"'


def timestamp(moment: datetime) -> str:
    """A timestamp literal."""
    return f"TIMESTAMP '{moment.isoformat(sep=' ')}'"


def condition(member: str, kind: str, operator: Any, values: Any, now: datetime) -> str:
    """One filter as SQL.

    Parameters
    ----------
    member
        The member as an SQL expression.
    kind
        Its type: ``string``, ``number``, ``boolean`` or ``time``.
    operator, values
        As the query gives them. Several values of a positive operator mean "any of", of a negative one "none of".
    now
        The moment that relative dates count from.

    Raises
    ------
    InvalidQuery
        Unknown operator, missing values, or a value that is not of the member's type.
    """
    if operator not in OPERATORS:
        close = nearest(operator[:100], OPERATORS) if isinstance(operator, str) else ()
        hint = f"did you mean {', '.join(close)}? There" if close else "there"
        raise InvalidQuery(f"unknown filter operator {operator!r}; {hint} are {', '.join(OPERATORS)}")
    if operator in ("set", "notSet"):
        return f"{member} IS {'NOT ' if operator == 'set' else ''}NULL"
    if not isinstance(values, Sequence) or isinstance(values, str) or not values:
        raise InvalidQuery(f"the filter operator '{operator}' needs a list of 'values'")
    if operator in ("equals", "notEquals"):
        return _equals(member, kind, values, now, negative=operator == "notEquals")
    if operator in _COMPARISONS:
        return _any([f"{member} {_COMPARISONS[operator]} {_literal(value, kind, now)}" for value in values])
    if operator in _PATTERNS:
        return _any([_like(member, operator, value) for value in values])
    # A row without a value does not contain the text.
    if operator in _NEGATIONS:
        texts = [f"NOT {_like(member, _NEGATIONS[operator], value)}" for value in values]
        return f"(({' AND '.join(texts)}) OR {member} IS NULL)"
    start, end = date_span(values[0] if len(values) == 1 else list(values), now)
    return _DATES[operator](member, timestamp(start), timestamp(end))


def _any(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"({' OR '.join(parts)})"


def _equals(member: str, kind: str, values: Sequence[Any], now: datetime, *, negative: bool) -> str:
    literals = ", ".join(_literal(value, kind, now) for value in values if value is not None)
    has_null = any(value is None for value in values)
    if negative:
        parts = [f"{member} IS NOT NULL"] if has_null else []
        if literals:
            inside = f"{member} NOT IN ({literals})"
            parts.append(inside if has_null else f"({inside} OR {member} IS NULL)")
        return " AND ".join(parts) if len(parts) == 1 else f"({' AND '.join(parts)})"
    parts = [f"{member} IN ({literals})"] if literals else []
    return _any(parts + ([f"{member} IS NULL"] if has_null else []))


def _like(member: str, operator: str, value: Any) -> str:
    if not isinstance(value, str):
        raise InvalidQuery(f"the filter operator '{operator}' compares texts, not {value!r}")
    before, after = _PATTERNS[operator]
    text = value.replace("'", "''")
    # ESCAPE only where it is needed: a plain pattern cannot fail, which the compiler makes use of.
    if any(mark in text for mark in "%_\\"):
        text = text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
        return f"{member} ILIKE '{before}{text}{after}' ESCAPE '\\'"
    return f"{member} ILIKE '{before}{text}{after}'"


def _literal(value: Any, kind: str, now: datetime) -> str:
    if kind == "boolean":
        text = str(value).lower()
        if text in ("true", "false", "1", "0"):
            return "TRUE" if text in ("true", "1") else "FALSE"
    elif kind == "number":
        # HUGEINT has 127 bits and a sign.
        if isinstance(value, int) and value.bit_length() > 126:
            raise InvalidQuery("a number in the query is too large")
        # repr() of a float reads back as the same number.
        if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
            return repr(value)
        if isinstance(value, str) and _NUMBER.fullmatch(value.strip()):
            return value.strip()
    elif kind == "time" and isinstance(value, str):
        return timestamp(date_span(value, now)[0])
    elif isinstance(value, int) and value.bit_length() > 126:
        raise InvalidQuery("a number in the query is too large")
    elif isinstance(value, str | int | float) and not isinstance(value, bool):
        return "'" + str(value).replace("'", "''") + "'"
    raise InvalidQuery(f"{value!r} is not a value of type {kind}")
